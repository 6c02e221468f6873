package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// The scenarios of the specification of Codex (section 14), by their numbers: a
// host that asks before each turn, with the usage of the last answer and the
// state of the last call.

// turnByTurn drives a session: each turn is a user message and an answer, whose
// usage is known at the next check.
type turnByTurn struct {
	t      *testing.T
	policy string
	model  *core.Model
	items  []string
	usage  *core.Usage
	state  json.RawMessage
}

// check is the pre-turn check: the message of the new turn is not yet there.
func (s *turnByTurn) check(previous *core.Model) *core.CompactResult {
	s.t.Helper()
	summary := "All is well."
	res, err := core.Compact(core.Request{
		Transcript: []byte("[" + strings.Join(s.items, ",") + "]"), Format: "openai-responses", Policy: json.RawMessage(s.policy),
		Model: s.model, PreviousModel: previous, Usage: s.usage, State: s.state, Phase: "pre_turn", Summary: &summary,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.state = res.State
	if res.Compacted {
		var items []json.RawMessage
		if err := json.Unmarshal(res.Transcript, &items); err != nil {
			s.t.Fatal(err)
		}
		s.items = nil
		for _, it := range items {
			s.items = append(s.items, string(it))
		}
	}
	return res
}

func (s *turnByTurn) turn(input, output int) {
	n := len(s.items)
	s.items = append(s.items,
		fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":"question %d: %s"}]}`, n, strings.Repeat("please look at the log again ", 20)),
		fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer %d: %s"}]}`, n, strings.Repeat("the log says nothing new of it ", 20)))
	total := input + output
	s.usage = &core.Usage{InputTokens: &input, OutputTokens: &output, TotalTokens: &total}
}

func (s *turnByTurn) fires(want bool, reason string, previous *core.Model) *core.CompactResult {
	s.t.Helper()
	res := s.check(previous)
	got := ""
	if res.Decision.Reason != nil {
		got = *res.Decision.Reason
	}
	if res.Decision.Fired != want || got != reason {
		s.t.Fatalf("fired %v for %q, want %v for %q: %+v", res.Decision.Fired, got, want, reason, res.Decision.Rules)
	}
	return res
}

func TestScenario3Clamp(t *testing.T) {
	s := &turnByTurn{t: t, policy: `{"codex":{"model_auto_compact_token_limit":200}}`, model: &core.Model{ContextWindow: 100}}
	s.turn(80, 9)
	s.fires(false, "", nil) // 89 of 90
	s.turn(85, 6)
	s.fires(true, "context_limit", nil)
}

func TestScenario4GrowthAfterPrefix(t *testing.T) {
	s := &turnByTurn{t: t, policy: `{"codex":{"model_auto_compact_token_limit":100,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`, model: &core.Model{ContextWindow: 1000}}
	s.fires(false, "", nil)
	s.turn(600, 50)
	res := s.fires(false, "", nil)
	if m := res.Decision.Rules[0]; *m.Measured != 50 || m.Scope != "body_after_prefix" || *res.Decision.Window.Prefill != 600 || !res.Decision.Window.Observed {
		t.Errorf("%+v, window %+v", m, res.Decision.Window)
	}
	s.turn(700, 50)
	if m := s.fires(true, "context_limit", nil).Decision.Rules[0]; *m.Measured != 150 {
		t.Errorf("growth %v, want 150", *m.Measured)
	}
}

func TestScenario5PrefillOfEachWindow(t *testing.T) {
	s := &turnByTurn{t: t, policy: `{"codex":{"model_auto_compact_token_limit":40,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`, model: &core.Model{ContextWindow: 200000}}
	s.turn(100, 50)
	s.fires(true, "context_limit", nil) // 50 of 40
	s.turn(100000, 10)
	res := s.fires(false, "", nil) // a new prefill of 100,000, and 10 since
	if m := res.Decision.Rules[0]; *m.Measured != 10 || res.Decision.Window.Number != 1 {
		t.Errorf("%+v, window %+v", m, res.Decision.Window)
	}
	s.turn(100100, 5)
	if m := s.fires(true, "context_limit", nil).Decision.Rules[0]; *m.Measured != 105 {
		t.Errorf("growth %v, want 105", *m.Measured)
	}
}

func TestScenario6HardWindow(t *testing.T) {
	s := &turnByTurn{t: t, policy: `{"codex":{"model_auto_compact_token_limit":200,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`, model: &core.Model{ContextWindow: 100}}
	s.turn(80, 5)
	s.fires(false, "", nil)
	s.turn(98, 1)
	res := s.fires(true, "context_limit", nil)
	if res.Decision.Rules[0].Fired || res.Decision.Rules[1].Measure != "window" || !res.Decision.Rules[1].Fired {
		t.Errorf("rules %+v", res.Decision.Rules)
	}
}

// Scenario 10: another hash compacts with the old model; where one of the two is
// not known nothing does. Where nothing is sealed, nothing that the new model
// could not read is lost: only strict compacts then.
func TestScenario10Hash(t *testing.T) {
	old := &core.Model{ID: "a", ContextWindow: 1000, CompHash: "A"}
	for _, c := range []struct {
		name, policy, hash string
		sealed, want       bool
	}{
		{"another hash, something sealed", `{"codex":{}}`, "B", true, true},
		{"another hash, nothing sealed", `{"codex":{}}`, "B", false, false},
		{"the original does not look", `{"codex":{"strict":true}}`, "B", false, true},
		{"the same hash", `{"codex":{"strict":true}}`, "A", true, false},
		{"no hash", `{"codex":{"strict":true}}`, "", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &turnByTurn{t: t, policy: c.policy, model: &core.Model{ID: "b", ContextWindow: 1000, CompHash: c.hash}}
			s.turn(10, 5)
			if c.sealed {
				s.items = append(s.items[:1:1], append([]string{`{"type":"reasoning","summary":[],"encrypted_content":"QUJD"}`}, s.items[1:]...)...)
			}
			reason := ""
			if c.want {
				reason = "comp_hash_changed"
			}
			// One request, and it goes to the model that can read what it sealed.
			plan, err := core.Plan(core.Request{
				Transcript: []byte("[" + strings.Join(s.items, ",") + "]"), Format: "openai-responses", Policy: json.RawMessage(s.policy),
				Model: s.model, PreviousModel: old, Usage: s.usage, Phase: "pre_turn",
			})
			if err != nil {
				t.Fatal(err)
			}
			switch asked := plan.Plan.Request; {
			case (asked != nil) != c.want:
				t.Errorf("the plan asks %v, want a request: %v", asked, c.want)
			case asked != nil && !strings.Contains(string(asked.Body), `"model":"a"`):
				t.Errorf("asked is %.120s, want the model from before the switch", asked.Body)
			}
			before := s.state
			s.fires(c.want, reason, old)
			if !c.want {
				return
			}
			// The turn goes on with the new model, and neither this process nor one
			// that resumes the thread, with no state, compacts again.
			s.turn(20, 5)
			s.fires(false, "", s.model)
			s.state = before
			s.fires(false, "", s.model)
		})
	}
}

// Scenario 11: growth is measured, and the smaller window is far away: the
// switch does not fire, the ordinary rule does, and the new model is asked.
func TestScenario11NoDownshift(t *testing.T) {
	s := &turnByTurn{t: t, policy: `{"codex":{"model_auto_compact_token_limit":20,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`, model: &core.Model{ID: "small", ContextWindow: 125000}}
	s.turn(100, 50)
	s.fires(true, "context_limit", &core.Model{ID: "large", ContextWindow: 273000})
}

// A smaller model ahead: the plan asks the old one, before the switch, and only
// where the history is too much for the new one.
func TestDownshift(t *testing.T) {
	large, small := &core.Model{ID: "large", ContextWindow: 1000}, &core.Model{ID: "small", ContextWindow: 500}
	s := &turnByTurn{t: t, policy: `{"codex":{}}`, model: small}
	s.turn(390, 50)
	s.fires(false, "", large)
	s.turn(401, 50)
	s.fires(true, "model_downshift", large)
	s.turn(420, 50)
	s.fires(true, "context_limit", small) // no other model: the ordinary rule

	s.turn(430, 50)
	req := core.Request{
		Transcript: []byte("[" + strings.Join(s.items, ",") + "]"), Format: "openai-responses", Policy: json.RawMessage(`{"codex":{}}`),
		Model: small, PreviousModel: large, Usage: s.usage, Phase: "pre_turn",
	}
	plan, err := core.Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Plan.Request == nil || !strings.Contains(string(plan.Plan.Request.Body), `"model":"large"`) || *plan.Decision.Reason != "model_downshift" || plan.Decision.Phase != "pre_turn" {
		t.Errorf("%+v", plan.Decision)
	}
	// From the smaller to the larger one there is nothing to do.
	req.Model, req.PreviousModel = large, small
	if plan, err = core.Plan(req); err != nil || plan.Decision.Fired {
		t.Errorf("%+v, %v", plan.Decision, err)
	}
}

// From a window of a million to one of 200,000, by every policy, in one call: what
// stands is below the new limit, however much the policy would keep.
func TestDownshiftFits(t *testing.T) {
	var items []string
	for i := range 150 {
		items = append(items,
			fmt.Sprintf(`{"role":"user","content":"step %d"}`, i),
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"f%d.go\"}"}}]}`, i, i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("a line of the file that was read here, one of many\n", 400)),
			fmt.Sprintf(`{"role":"assistant","content":"done with %d"}`, i))
	}
	src := "[" + strings.Join(items, ",") + "]"
	for _, policy := range []string{
		`{"lait":{"trigger_rounds":1000,"keep_last_n":400}}`,
		`{"lait":{"trigger_rounds":1000,"keep_last_n":100}}`,
		`{"codex":{"user_message_tokens":900000}}`,
		`{"preset":"balanced","keep":{"last_tokens":900000}}`,
		`{"preset":"balanced","keep":{"last_tokens":150000}}`,
	} {
		req := core.Request{
			Transcript: []byte(src), Policy: json.RawMessage(policy),
			Model: &core.Model{ID: "small", ContextWindow: 200000}, PreviousModel: &core.Model{ID: "large", ContextWindow: 1000000}, Phase: "pre_turn",
		}
		res, err := core.Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		if !res.Compacted || *res.Decision.Reason != "model_downshift" || res.Receipt.TokensBefore < 200000 || res.Receipt.TokensAfter >= 180000 {
			t.Errorf("%s: compacted %v, %d tokens became %d", policy, res.Compacted, res.Receipt.TokensBefore, res.Receipt.TokensAfter)
		}
		holds(t, req, res)
		// By the provider's figure, which is twice the count, it fits as well.
		reported := 2 * res.Receipt.TokensBefore
		req.Usage = &core.Usage{TotalTokens: &reported}
		if res, err = core.Compact(req); err != nil {
			t.Fatal(err)
		}
		if after := 2 * res.Receipt.TokensAfter; !res.Compacted || after >= 180000 || after < 10000 && strings.Contains(policy, "last") {
			t.Errorf("%s: compacted %v, %d tokens by the provider became %d", policy, res.Compacted, reported, after)
		}
		holds(t, req, res)
	}
}
