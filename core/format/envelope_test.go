package format

import (
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// wrappedLines puts a logger's object around each line.
func wrappedLines(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(`{"log_type":"x","data":` + l + `,"n":1}` + "\n")
	}
	return b.String()
}

// Lines of every kind may stand within a logger's objects. They are read as they
// are without, each new line gets such an object, and what is left is read again,
// a single line too.
func TestEnvelopedLogs(t *testing.T) {
	for name, lines := range map[string][]string{
		"codex-exec": strings.Split(strings.TrimSpace(execRun), "\n"),
		"codex-rollout": {
			`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}`,
			`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}`,
			`{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}`,
		},
		"claude-code": {
			`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}}`,
			`{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"ok"}]}}`,
		},
		"pi": {
			`{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}`,
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"go","timestamp":1}}`,
		},
		"openhands": {
			`{"id":0,"timestamp":"t","source":"user","action":"message","message":"go","args":{"content":"go"}}`,
			`{"id":1,"timestamp":"t","source":"agent","action":"message","message":"ok","args":{"content":"ok"}}`,
		},
		"langchain": {`{"type":"human","content":"go"}`, `{"type":"ai","content":"ok"}`},
	} {
		t.Run(name, func(t *testing.T) {
			alone := mustDecode(t, strings.Join(lines, "\n")+"\n", Options{})
			src := wrappedLines(lines...)
			d := mustDecode(t, src, Options{})
			if d.Format != name || alone.Format != name || len(d.Items) != len(alone.Items) {
				t.Fatalf("%d items of %s, alone %d of %s", len(d.Items), d.Format, len(alone.Items), alone.Format)
			}
			holds(t, []byte(src), Options{})
			role := transcript.User
			if name == "codex-exec" {
				role = transcript.Assistant
			}
			m := d.Writer.Message(role, "[tamp] N")
			for _, entries := range [][]transcript.Entry{{{From: -1, New: &m}}, {{From: -1, New: &m}, {From: len(d.Items) - 1}}} {
				out, err := d.Encode(entries)
				if err != nil {
					t.Fatal(err)
				}
				for l := range strings.Lines(string(out)) {
					v, err := rawjson.Parse([]byte(l))
					if err != nil || !v.Get("data").Is(rawjson.Object) || v.Get("data").Get("data").Exists() || !v.Get("n").Exists() {
						t.Errorf("%v: a line is %s", err, l)
					}
				}
				var texts []string
				again := mustDecode(t, string(out), Options{})
				for _, it := range again.Items {
					texts = append(texts, it.Text())
				}
				if again.Format != name || len(texts) != len(entries) || !slices.Contains(texts, "[tamp] N") {
					t.Errorf("%s: %q come back of\n%s", again.Format, texts, out)
				}
			}
		})
	}
	one := `{"log_type":"x","data":{"role":"user","content":"a"}}` + "\n"
	if d := mustDecode(t, one, Options{}); len(d.Items) != 1 || d.Items[0].Text() != "a" {
		t.Errorf("one line is %+v", d.Items)
	}
	holds(t, []byte(one), Options{})
	for _, src := range []string{"{\"log_type\":\"x\",\n\"data\":{\"role\":\"user\",\"content\":\"a\"}}", `{"data":{"x":1}}`} {
		if _, err := Decode([]byte(src), Options{}); err == nil {
			t.Errorf("%s is read", src)
		}
	}
}
