package core_test

import (
	"fmt"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// brokenLogs are logs of each kind in which the lines 2 and 4 were cut off. They
// are skipped as the log's own program does, and everything else counts.
func brokenLogs() map[string][3]string {
	return map[string][3]string{
		"codex-rollout": {
			`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}`,
			`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}`,
			`{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}`,
		},
		"claude-code": {
			`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}}`,
			`{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"ok"}]}}`,
			`{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"role":"user","content":"more"}}`,
		},
		"pi": {
			`{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}`,
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"go","timestamp":1}}`,
			`{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"user","content":"more","timestamp":2}}`,
		},
		"gemini-cli": {
			`{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z"}`,
			`{"id":"1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[{"text":"go"}]}`,
			`{"id":"2","timestamp":"2026-01-01T00:00:02Z","type":"gemini","content":"ok"}`,
		},
	}
}

// The lines of a log that are no JSON are named: as defects, or where a repair was
// asked for as what it left out. The log itself keeps them.
func TestBrokenLinesOfLogs(t *testing.T) {
	for name, l := range brokenLogs() {
		src := l[0] + "\n" + `{"type":"user","mess` + "\n" + l[1] + "\n" + `{"id":` + "\n" + l[2] + "\n"
		for _, repair := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, repair %v", name, repair), func(t *testing.T) {
				res, err := core.Compact(core.Request{Transcript: []byte(src), Text: true, Repair: repair})
				if err != nil {
					t.Fatal(err)
				}
				if res.Format.Name != name || string(res.Transcript) != src {
					t.Errorf("%s:\n%s", res.Format.Name, res.Transcript)
				}
				told := res.Receipt.Defects
				if repair {
					told = nil
					for _, r := range res.Repaired {
						told = append(told, core.Defect(r))
					}
					if a := res.Aside; len(a) != 2 || a[0].Line != 2 || a[1].Line != 4 || a[1].Text != `{"id":` {
						t.Errorf("aside %+v", a)
					}
					if len(res.Receipt.Defects) > 0 {
						t.Errorf("defects %+v", res.Receipt.Defects)
					}
				} else if res.Aside != nil || res.Repaired != nil {
					t.Errorf("nobody asked for a repair: %+v, %+v", res.Aside, res.Repaired)
				}
				if len(told) != 2 || told[0].Code != "malformed_line" || told[0].Path != "transcript" ||
					told[0].Message[:8] != "line 2: " || told[1].Message[:8] != "line 4: " {
					t.Errorf("told %+v", told)
				}
			})
		}
	}
}
