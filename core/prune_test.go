package core_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
)

// settled: a second pass with the same policy finds nothing and gives back the
// very bytes, so that the prompt cache breaks once.
func settled(t *testing.T, req core.Request, res *core.CompactResult) {
	t.Helper()
	if res.Receipt.Summary.By != "none" || res.Summary != "" {
		t.Fatalf("a policy that folds nothing has a summary %q by %s", res.Summary, res.Receipt.Summary.By)
	}
	if !res.Compacted {
		if res.Reason != core.NothingToFold && res.Reason != core.NotTriggered {
			t.Fatalf("nothing was cleared: %q", res.Reason)
		}
		return
	}
	cleared := 0
	for _, f := range res.Receipt.Items {
		switch f.Fate {
		case compact.Kept:
		case compact.Cleared:
			cleared++
		default:
			t.Fatalf("item %d is %s", f.Index, f.Fate)
		}
		if f.To == nil || *f.To != f.Index {
			t.Fatalf("item %d went to %v", f.Index, f.To)
		}
	}
	if cleared == 0 {
		t.Fatal("compacted, and nothing is cleared")
	}
	next := req
	if next.Format == "" {
		next.Format = res.Format.Name // a short rest may not show what it is
	}
	next.Transcript = res.Transcript
	again, err := core.Compact(next)
	if err != nil {
		t.Fatalf("a second pass: %v in %s", err, clip(res.Transcript))
	}
	if again.Compacted || again.Reason != core.NothingToFold || !bytes.Equal(again.Transcript, res.Transcript) {
		for i, f := range again.Receipt.Items {
			if f.Fate == compact.Cleared {
				t.Errorf("item %d is cleared again, by %s", i, f.Reason)
			}
		}
		t.Fatalf("a second pass: compacted %v, %q", again.Compacted, again.Reason)
	}
}

// prunePolicies clear as much as there is, and under each kind of protection.
func prunePolicies() []string {
	return []string{
		`{"preset":"prune","tools":{"keep_last":0,"protect_tokens":0,"min_gain":0,"keep_errors":false,"inputs":true,"reasoning":"drop","media":"placeholder"}}`,
		`{"preset":"prune","tools":{"keep_last":2,"protect_tokens":100,"min_gain":0,"inputs":true}}`,
		`{"preset":"prune","tools":{"keep_last":0,"protect_tokens":60,"min_gain":40,"exclude":["run"],"reasoning":"drop"}}`,
		`{"preset":"prune","tools":{"keep_last":1,"protect_tokens":0,"min_gain":0,"media":"placeholder"},"keep":{"pins":[{"text":"gamma"}]}}`,
	}
}

// On random conversations of every family each pass holds and settles, and a
// pass with a higher minimum clears the same or nothing.
func TestPruneRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(4))
	cleared, left := map[compact.Reason]int{}, 0
	for round := range 240 {
		shape := make([]byte, 5+rnd.Intn(40))
		for i := range shape {
			shape[i] = "suaCCCRRRRFPIIituTtkKMm"[rnd.Intn(23)]
		}
		family := round % 3
		req := core.Request{
			Transcript: makeTranscript(family, shape), Force: true,
			Format: [...]string{"openai-chat", "openai-responses", "anthropic-messages"}[family],
		}
		for _, p := range prunePolicies() {
			req.Policy = []byte(p)
			res, err := core.Compact(req)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, req, res)
			settled(t, req, res)
			if !res.Compacted {
				left++
			}
			for _, f := range res.Receipt.Items {
				if f.Fate == compact.Cleared {
					cleared[f.Reason]++
				}
			}
		}
		req.Policy = []byte(prunePolicies()[0])
		res, err := core.Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		gain := res.Receipt.TokensBefore - res.Receipt.TokensAfter
		for want, more := range map[bool]int{true: 0, false: 1} {
			req.Policy = []byte(strings.Replace(prunePolicies()[0], `"min_gain":0`, fmt.Sprintf(`"min_gain":%d`, gain+more), 1))
			other, err := core.Compact(req)
			if err != nil {
				t.Fatal(err)
			}
			if gain > 0 && other.Compacted != want || want && !bytes.Equal(other.Transcript, res.Transcript) {
				t.Fatalf("it gains %d, the minimum is %d: compacted %v", gain, gain+more, other.Compacted)
			}
		}
	}
	for _, why := range []compact.Reason{compact.ResultCleared, compact.InputCleared, compact.MediaCleared, compact.ReasoningDropped} {
		if cleared[why] < 30 || left < 30 {
			t.Errorf("items cleared: %v, passes that cleared nothing: %d; too few to tell", cleared, left)
		}
	}
}

// On every real conversation of every format: a pass that clears all there is
// holds and settles. The table says what became of how many items.
func TestPruneCorpus(t *testing.T) {
	dir := filepath.Join(shared(t), "corpus")
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files in %s (%v)", dir, err)
	}
	type row struct {
		conversations, compacted, before, after int
		why                                     map[compact.Reason]int
	}
	table := map[string]*row{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all, err := format.Conversations(src)
		if err != nil {
			continue // TestCorpus says what is refused
		}
		if all == nil {
			all = []format.Conversation{{}}
		}
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			for _, c := range all {
				req := core.Request{Transcript: src, Text: !json.Valid(src), Force: true, Rewrite: true, Conversation: c.Pointer}
				for i, p := range prunePolicies()[:2] {
					req.Policy = []byte(p)
					res, err := core.Compact(req)
					var refused *core.Error
					if errors.As(err, &refused) && (refused.Code == "not_a_history" || refused.Code == "unsupported_format" || refused.Path == "rewrite") {
						break
					}
					if err != nil {
						t.Fatalf("%s: %v", c.Pointer, err)
					}
					req.Format = res.Format.Name // what is read anew is this conversation, not the file's first
					holds(t, req, res)
					settled(t, req, res)
					if i > 0 {
						continue
					}
					r := table[res.Format.Name]
					if r == nil {
						r = &row{why: map[compact.Reason]int{}}
						table[res.Format.Name] = r
					}
					r.conversations++
					r.before += res.Receipt.TokensBefore
					r.after += res.Receipt.TokensAfter
					if res.Compacted {
						r.compacted++
					}
					for _, f := range res.Receipt.Items {
						if f.Fate == compact.Cleared {
							r.why[f.Reason]++
						}
					}
				}
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		r := table[name]
		t.Logf("%-20s %4d conversations, %4d cleared, %8d tokens become %8d %v", name, r.conversations, r.compacted, r.before, r.after, r.why)
	}
	// Files of these have tools in them. (The one old result of the rollouts says
	// that it failed, and stays.)
	for _, name := range []string{"openai-chat", "anthropic-messages", "claude-code"} {
		if r := table[name]; r == nil || r.why[compact.ResultCleared] == 0 {
			t.Errorf("%s: no result was cleared", name)
		}
	}
}

// What a provider refuses is not broken by clearing: the tools that the provider
// types itself keep their inputs and outputs.
func TestTypedToolItemsStay(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, c := range []struct{ name, items string }{
		{"a screenshot", `{"type":"computer_call","call_id":"c","action":{"type":"type","text":"` + long + `"}},{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,AAAA"}}`},
		{"a shell with a list of outputs", `{"type":"shell_call","call_id":"c","action":{"commands":["` + long + `"]}},{"type":"shell_call_output","call_id":"c","output":[{"stdout":"` + long + `","stderr":"","outcome":{"type":"exit","exit_code":0}}]}`},
		{"an approval", `{"type":"mcp_approval_request","id":"mcpr_1","name":"x","arguments":"` + long + `"},{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}`},
		{"tools that a search found", `{"type":"tool_search_call","call_id":"c","arguments":{"q":"` + long + `"}},{"type":"tool_search_output","call_id":"c","tools":[{"type":"function","name":"x","description":"` + long + `"}]}`},
		{"a search of the provider's own", `{"type":"web_search_call","id":"ws","action":{"query":"` + long + `"}}`},
	} {
		req := core.Request{
			Transcript: []byte(`[{"type":"message","role":"user","content":"go"},` + c.items + `,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}]`),
			Format:     "openai-responses", Force: true, Policy: []byte(prunePolicies()[0]),
		}
		if res, _ := prunes(t, req); res.Compacted {
			t.Errorf("%s is cleared: %s", c.name, res.Transcript)
		}
	}
	for _, block := range []string{
		`{"type":"tool_result","tool_use_id":"c","content":[{"type":"tool_reference","tool_name":"` + long + `"},{"type":"text","text":"` + long + `"}]}`,
	} {
		req := core.Request{
			Transcript: []byte(`[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"find","input":{}}]},{"role":"user","content":[` + block + `]},{"role":"assistant","content":"ok"}]`),
			Format:     "anthropic-messages", Force: true, Policy: []byte(prunePolicies()[0]),
		}
		if res, _ := prunes(t, req); res.Compacted {
			t.Errorf("cleared: %s", res.Transcript)
		}
	}
}

// 10,000 results in one message are one pass.
func TestPruneManyInOne(t *testing.T) {
	const n = 10_000
	var calls, results []string
	for i := range n {
		calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"ls","input":{"a":"%s"}}`, i, strings.Repeat("b ", 40)))
		results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","content":"%s"}`, i, strings.Repeat("c ", 40)))
	}
	req := core.Request{
		Transcript: []byte(`[{"role":"user","content":"go"},{"role":"assistant","content":[` + strings.Join(calls, ",") + `]},{"role":"user","content":[` +
			strings.Join(results, ",") + `]},{"role":"assistant","content":"ok"}]`),
		Format: "anthropic-messages", Force: true, Policy: []byte(prunePolicies()[0]),
	}
	res, err := core.Compact(req)
	if err != nil || !res.Compacted {
		t.Fatalf("%v, %+v", err, res)
	}
	var out []struct {
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(res.Transcript, &out); err != nil {
		t.Fatal(err)
	}
	for at, sign := range map[int]string{1: `{"tamp_cleared":"`, 2: `"[tamp] cleared: ls, `} {
		if got := strings.Count(string(out[at].Content), sign); got != n {
			t.Errorf("message %d has %d placeholders, want %d", at, got, n)
		}
	}
}
