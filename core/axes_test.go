package core_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// Trigger, reason and phase: the legal combinations, and no others (the
// specification of Codex, section 0.1, and tamp's own rules). Every way to ask is
// tried with every cause.
func TestThreeAxes(t *testing.T) {
	causes := map[string]func(*core.Request){
		"nothing": func(r *core.Request) { r.Policy = json.RawMessage(`{"lait":{"trigger_rounds":1000}}`) },
		"tokens of the window": func(r *core.Request) {
			r.Policy, r.Model = json.RawMessage(`{"codex":{}}`), &core.Model{ContextWindow: 100}
		},
		"the hard window": func(r *core.Request) {
			r.Policy = json.RawMessage(`{"codex":{"model_auto_compact_token_limit":100000,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`)
			r.Model = &core.Model{ContextWindow: 100}
		},
		"a fraction": func(r *core.Request) {
			r.Policy, r.Model = json.RawMessage(`{"preset":"balanced"}`), &core.Model{ContextWindow: 100}
		},
		"a smaller model": func(r *core.Request) {
			r.Policy, r.Model, r.PreviousModel = json.RawMessage(`{"codex":{"model_auto_compact_token_limit":100000}}`), &core.Model{ID: "b", ContextWindow: 100}, &core.Model{ID: "a", ContextWindow: 1000}
		},
		"another hash": func(r *core.Request) {
			r.Policy, r.Model, r.PreviousModel = json.RawMessage(`{"codex":{"strict":true}}`), &core.Model{ID: "b", ContextWindow: 100000, CompHash: "B"}, &core.Model{ID: "a", ContextWindow: 100000, CompHash: "A"}
		},
		"rounds":      func(r *core.Request) { r.Policy = json.RawMessage(`{"lait":{"trigger_rounds":1}}`) },
		"lait tokens": func(r *core.Request) { r.Policy = json.RawMessage(`{"lait":{"trigger_tokens":10}}`) },
		"messages":    func(r *core.Request) { r.Policy = json.RawMessage(`{"preset":"balanced","triggers":[{"messages":1}]}`) },
		"turns":       func(r *core.Request) { r.Policy = json.RawMessage(`{"preset":"balanced","triggers":[{"turns":1}]}`) },
		"bytes":       func(r *core.Request) { r.Policy = json.RawMessage(`{"preset":"balanced","triggers":[{"bytes":1}]}`) },
		"tool output": func(r *core.Request) {
			r.Policy = json.RawMessage(`{"preset":"balanced","triggers":[{"tool_output_share":0.01}]}`)
		},
	}
	legal := map[string]bool{
		"manual user_requested standalone_turn": false,
		"auto model_downshift pre_turn":         false,
		"auto comp_hash_changed pre_turn":       false,
	}
	for _, reason := range []string{"context_limit", "rounds", "tokens", "messages", "turns", "bytes", "tool_output_share"} {
		legal["auto "+reason+" pre_turn"], legal["auto "+reason+" mid_turn"] = false, false
	}
	items := []string{
		textItem("user", "Do it."), `{"type":"function_call","name":"exec","arguments":"{}","call_id":"c"}`,
		`{"type":"function_call_output","call_id":"c","output":"` + strings.Repeat("on and on ", 60) + `"}`, textItem("assistant", "Done."),
	}
	usage := answered(500)
	for name, cause := range causes {
		for _, trigger := range []string{"", "auto", "manual"} {
			for _, phase := range []string{"", "pre_turn", "mid_turn", "standalone_turn"} {
				for _, force := range []bool{false, true} {
					for _, last := range []int{3, 4} { // ends with the result, or with the answer
						req := core.Request{
							Transcript: []byte("[" + strings.Join(items[:last], ",") + "]"), Format: "openai-responses",
							Trigger: trigger, Phase: phase, Force: force, Usage: &usage,
						}
						cause(&req)
						res, err := core.Plan(req)
						if manual := trigger == "manual"; phase != "" && manual != (phase == "standalone_turn") {
							var e *core.Error
							if !errors.As(err, &e) || e.Code != "invalid_request" || e.Path != "phase" {
								t.Errorf("%s: %q %q is taken: %v", name, trigger, phase, err)
							}
							continue
						}
						if err != nil {
							t.Fatal(err)
						}
						d := res.Decision
						if phase != "" && d.Phase != phase || trigger != "" && d.Trigger != trigger {
							t.Errorf("%s: %q %q became %s %s", name, trigger, phase, d.Trigger, d.Phase)
						}
						if !d.Fired && !d.Forced {
							if d.Reason != nil {
								t.Errorf("%s: %q %q did not fire, for %s", name, trigger, phase, *d.Reason)
							}
							continue
						}
						got := d.Trigger + " " + *d.Reason + " " + d.Phase
						if _, ok := legal[got]; !ok {
							t.Errorf("%s: %q %q gives %s", name, trigger, phase, got)
						}
						legal[got] = true
					}
				}
			}
		}
	}
	for what, seen := range legal {
		if !seen {
			t.Errorf("nothing gave %s", what)
		}
	}
}
