package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// A rollout's own last token_count decides where no usage is sent (codex.md 9.4: a
// resumed thread over its limit compacts before the next turn). The window of
// 1,000,000 has its limit at 900,000; the few items alone come nowhere near it.
func TestLoggedUsage(t *testing.T) {
	item := func(kind, role, text string) string {
		return fmt.Sprintf(`{"type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}}`+"\n", role, kind, text)
	}
	user := func(text string) string { return item("input_text", "user", text) }
	answer := func(text string) string { return item("output_text", "assistant", text) }
	count := func(n int) string {
		return fmt.Sprintf(`{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"output_tokens":10,"total_tokens":%d},"model_context_window":950000},"rate_limits":null}}`+"\n", 3*n, n-10, n)
	}
	const (
		meta = `{"type":"session_meta","payload":{"id":"S","cwd":"/w"}}` + "\n"
		back = `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}` + "\n"
		made = `{"type":"compacted","payload":{"message":"m","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"kept"}]}]}}` + "\n"
	)
	turn := user("do it") + answer("done")
	// 40,000 bytes behind the count, half by the model: 10,000 tokens and a little.
	long := answer(strings.Repeat("word ", 4000)) + user(strings.Repeat("word ", 4000))
	small := 5
	for _, c := range []struct {
		name, src string
		usage     *core.Usage
		fired     bool
	}{
		{"no count", meta + turn, nil, false},
		{"a count above the limit", meta + turn + count(910_000), nil, true},
		{"below it", meta + turn + count(880_000), nil, false},
		{"the last one counts", meta + turn + count(910_000) + turn + count(880_000), nil, false},
		{"what came after it is added", meta + turn + count(891_000) + long, nil, true},
		{"and that is measured", meta + turn + count(888_000) + long, nil, false},
		{"the request's own usage wins", meta + turn + count(910_000), &core.Usage{TotalTokens: &small}, false},
		{"a compaction since", meta + turn + count(910_000) + made + turn, nil, false},
		{"a roll back since", meta + turn + turn + count(910_000) + back, nil, false},
	} {
		res, err := core.Plan(core.Request{
			Transcript: []byte(c.src), Text: true, Usage: c.usage, Policy: json.RawMessage(`{"codex":{}}`),
			Model: &core.Model{ID: "mine", ContextWindow: 1_000_000},
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if res.Decision.Fired != c.fired {
			t.Errorf("%s: fired is %v: %+v", c.name, res.Decision.Fired, res.Decision.Rules)
		}
	}
}
