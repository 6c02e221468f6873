package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// What was there before a switch to a smaller model is no mark: nothing of that size
// comes again. The window has 200,000 tokens, codex and balanced ask from 180,000 on.
// The first figure behind the compaction is what it left; from it on half of the room
// to the window may go by.
func TestADownshiftHoldsNothingBack(t *testing.T) {
	small, large := &core.Model{ID: "small", ContextWindow: 200000}, &core.Model{ID: "large", ContextWindow: 1000000}
	long := strings.Repeat("word ", 4000)
	for _, policy := range []string{`{"preset":"balanced"}`, `{"codex":{}}`, `{"lait":{"trigger_tokens":60000}}`} {
		var items []string
		say := func(role, text string) {
			items = append(items, fmt.Sprintf(`{"role":%q,"content":%q}`, role, text))
		}
		say("user", strings.Repeat("task ", 400))
		for i := range 20 {
			say("assistant", fmt.Sprint("step ", i, " ", long))
			say("user", fmt.Sprint("next ", i))
		}
		var state json.RawMessage
		ask := func(n int, before *core.Model) *core.CompactResult {
			t.Helper()
			text, prompt, answer := "All is well.", n-100, 100
			req := core.Request{
				Transcript: []byte("[" + strings.Join(items, ",") + "]"), Format: "openai-chat", Policy: json.RawMessage(policy), Phase: "pre_turn",
				Model: small, PreviousModel: before, Summary: &text, State: state,
				Usage: &core.Usage{PromptTokens: &prompt, CompletionTokens: &answer, TotalTokens: &n},
			}
			res, err := core.Compact(req)
			if err != nil {
				t.Fatal(err)
			}
			state = res.State
			return res
		}
		res := ask(900000, large)
		if !res.Compacted || *res.Decision.Reason != "model_downshift" {
			t.Fatalf("%s: %+v", policy, res.Decision)
		}
		var left []json.RawMessage
		if err := json.Unmarshal(res.Transcript, &left); err != nil {
			t.Fatal(err)
		}
		items = nil
		for _, it := range left {
			items = append(items, string(it))
		}
		// The figure of before, again, with nothing new, says nothing.
		if res = ask(900000, nil); res.Decision.Fired {
			t.Errorf("%s: the stale figure fires: %+v", policy, res.Decision.Rules)
		}
		for _, c := range []struct {
			n     int
			fires bool
		}{{185000, false}, {185000, false}, {199000, true}} {
			say("assistant", "ok")
			say("user", "go on "+strings.Repeat("and on ", 50))
			if res = ask(c.n, nil); res.Decision.Fired != c.fires {
				t.Errorf("%s: %d fires: %v, %+v, %s", policy, c.n, res.Decision.Fired, res.Decision.Rules, res.State)
			}
		}
	}
}
