package core_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The files of the corpus that were built from reports of broken histories. The
// defects of each, by hand, from what its report says: a file without one holds
// what others break, and is right itself.
func shapeDefects() map[string]string {
	return map[string]string{
		"anthropic-tail-starts-with-tool-result.json":     "results_called transcript[1]",
		"anthropic-thinking-latest-assistant.json":        "",
		"anthropic-tool-use-without-result.json":          "calls_answered transcript[1]",
		"claude-code-tool-result-after-boundary.jsonl":    "results_called transcript", // a line of a text
		"codex-compacted-encrypted.jsonl":                 "",
		"codex-malformed-lines.jsonl":                     "malformed_line transcript, malformed_line transcript", // its first line and its last, cut off
		"gemini-parallel-unsigned-and-trimmed.json":       "results_called transcript.contents[0]",
		"lone-surrogates.jsonl":                           "",
		"openai-chat-midpoint-splits-pair.json":           "results_called transcript[2], calls_answered transcript[3]",
		"openai-chat-null-refusal-audio-multisystem.json": "",
		"opencode-dangling-running-tool.json":             "",
		"responses-function-call-without-output.json":     "calls_answered transcript[1]",
		// rs_2 lost the call that it led to; the output behind it is what is left of that.
		"responses-reasoning-pairs.json": "results_called transcript[5], reasoning_with_item transcript[4]",
	}
}

// Each of them comes out valid, or with the defect named: under every preset and
// cut, what the output breaks is what the receipt says of the input. After a
// repair nothing is broken any more.
func TestBugShapes(t *testing.T) {
	dir := filepath.Join(shared(t), "corpus", "bug_shapes")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := shapeDefects()
	for _, f := range files {
		t.Run(f.Name(), func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			named, known := want[f.Name()]
			if !known {
				t.Fatal("nobody said yet what is wrong with it")
			}
			req := core.Request{Transcript: src, Text: !json.Valid(src), Force: true}
			text := "What came before, in one line."
			for _, rewrite := range []bool{false, true} {
				for n, p := range shapePolicies() {
					req.Policy, req.Rewrite = []byte(p), rewrite
					req.Summary = nil
					if n > 0 {
						req.Summary = &text
					}
					shapeCompacted(t, req, named)
				}
			}
			req.Rewrite, req.Repair = false, true
			left := mended(t, req)
			req.Transcript, req.Repair = left, false
			if d := refusedCodes(decode(t, left, req).Transcript); len(d) > 0 {
				t.Errorf("repaired, and refused all the same: %v", d)
			}
		})
		delete(want, f.Name())
	}
	for name := range want {
		t.Errorf("%s is not there", name)
	}
}

// shapePolicies are the presets, and every cut from the end.
func shapePolicies() []string {
	var out []string
	for _, p := range corpusPolicies {
		out = append(out, p.json)
	}
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		out = append(out, `{"keep":{"first_user":false,"last_tokens":0,"last_messages":`+n+`}}`)
	}
	return out
}

func shapeCompacted(t *testing.T, req core.Request, named string) {
	t.Helper()
	res, err := core.Compact(req)
	if err != nil {
		t.Fatalf("%s: %v", req.Policy, err)
	}
	holds(t, req, res)
	var said []string
	for _, d := range res.Receipt.Defects {
		said = append(said, d.Code+" "+d.Path)
	}
	if got := strings.Join(said, ", "); got != named {
		t.Fatalf("%s: the defects are %q, want %q", req.Policy, got, named)
	}
	for _, code := range refusedCodes(decode(t, res.Transcript, req).Transcript) {
		if !strings.Contains(named, code+" ") {
			t.Errorf("%s: the output breaks %s, and the receipt does not name it", req.Policy, code)
		}
	}
}

// refusedCodes are the codes of what a transcript's provider refuses of it.
func refusedCodes(t *transcript.Transcript) []string {
	var codes []string
	for _, d := range transcript.Validate(t, transcript.Pair(t)) {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
