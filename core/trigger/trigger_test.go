package trigger

import (
	"errors"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

func turnsOf(roles ...transcript.Role) *transcript.Transcript {
	t := &transcript.Transcript{}
	for _, r := range roles {
		kind := transcript.Text
		if r == transcript.Tool {
			kind = transcript.Result
		}
		t.Items = append(t.Items, transcript.Item{Role: r, Raw: []byte(`{"role":"x"}`), Parts: []transcript.Part{{Kind: kind, ID: "c", Text: "hello"}}})
	}
	return t
}

func input(t *transcript.Transcript) Input {
	c := tokens.Estimate()
	return Input{Transcript: t, Counter: c, Measured: tokens.Measure(t, c)}
}

func prompt(n int) *tokens.Usage { return &tokens.Usage{PromptTokens: &n} }

const u, a, tl = transcript.User, transcript.Assistant, transcript.Tool

func TestRound(t *testing.T) {
	for _, c := range []struct {
		family transcript.Family
		roles  []transcript.Role
		want   int
	}{
		{transcript.Chat, nil, 1},
		{transcript.Chat, []transcript.Role{u}, 1},
		{transcript.Chat, []transcript.Role{u, a, tl}, 2},
		{transcript.Chat, []transcript.Role{u, a, u, a, tl, a, tl}, 3},
		{transcript.Chat, []transcript.Role{u, a, a}, 3},      // two messages are two answers
		{transcript.Responses, []transcript.Role{u, a, a}, 2}, // two items are one answer
		{transcript.Responses, []transcript.Role{u, a, a, tl, tl, a}, 3},
	} {
		tr := turnsOf(c.roles...)
		tr.Family = c.family
		if got := Round(tr); got != c.want {
			t.Errorf("%v: round %d, want %d", c.roles, got, c.want)
		}
	}
	tr := turnsOf(u, a, tl)
	tr.Items[1].Summary = true // a recognised summary is no answer
	if got := Round(tr); got != 1 {
		t.Errorf("a summary counts as an answer: round %d", got)
	}
}

func TestRules(t *testing.T) {
	tr := turnsOf(u, a, tl, a, tl)
	for _, c := range []struct {
		name   string
		p      policy.Policy
		usage  *tokens.Usage
		round  int
		window int
		fired  bool
		reason string
	}{
		{"rounds fire at multiples", policy.Policy{Triggers: []policy.Rule{{Rounds: 3}}}, nil, 6, 0, true, "rounds"},
		{"and nowhere else", policy.Policy{Triggers: []policy.Rule{{Rounds: 3}}}, nil, 7, 0, false, ""},
		{"lait's tokens: at the threshold", policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{{Tokens: 100}}}, prompt(100), 1, 0, true, "tokens"},
		{"lait's tokens: below", policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{{Tokens: 100}}}, prompt(99), 1, 0, false, ""},
		{"lait's tokens: silent without usage", policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{{Tokens: 1}}}, nil, 1, 0, false, ""},
		{"active tokens without usage are counted", policy.Policy{Usage: policy.Active, Triggers: []policy.Rule{{Tokens: 1}}}, nil, 1, 0, true, "context_limit"},
		{"a fraction needs a window", policy.Policy{Usage: policy.Active, Triggers: []policy.Rule{{Fraction: 0.01}}}, nil, 1, 0, false, ""},
		{"a fraction of the window", policy.Policy{Usage: policy.Active, Triggers: []policy.Rule{{Fraction: 0.5}}}, nil, 1, 20, true, "context_limit"},
		{"any rule fires", policy.Policy{Triggers: []policy.Rule{{Rounds: 5}, {Messages: 5}}}, nil, 4, 0, true, "messages"},
		{"all measures of a rule", policy.Policy{Triggers: []policy.Rule{{Rounds: 2, Messages: 6}}}, nil, 2, 0, false, ""},
		{"turns", policy.Policy{Triggers: []policy.Rule{{Turns: 1}}}, nil, 1, 0, true, "turns"},
		{"bytes", policy.Policy{Triggers: []policy.Rule{{Bytes: 60}}}, nil, 1, 0, true, "bytes"}, // 5 items of 12
		{"bytes below", policy.Policy{Triggers: []policy.Rule{{Bytes: 61}}}, nil, 1, 0, false, ""},
		{"tool output", policy.Policy{Triggers: []policy.Rule{{ToolOutputShare: 0.1}}}, nil, 1, 0, true, "tool_output_share"},
		{"off is off", policy.Policy{}, prompt(1e9), 1, 0, false, ""},
	} {
		in := input(tr)
		in.Usage, in.Window, in.Round = c.usage, c.window, &c.round
		d, err := Evaluate(&c.p, in)
		if err != nil {
			t.Fatal(err)
		}
		reason := ""
		if d.Reason != nil {
			reason = *d.Reason
		}
		if d.Fired != c.fired || reason != c.reason {
			t.Errorf("%s: fired %v %q, want %v %q", c.name, d.Fired, reason, c.fired, c.reason)
		}
	}
}

func TestAxes(t *testing.T) {
	for _, c := range []struct {
		roles          []transcript.Role
		trigger, phase string
		force          bool
		want           string // trigger reason phase, or the path of the error
	}{
		{[]transcript.Role{u}, "", "", true, "auto context_limit pre_turn"},
		{[]transcript.Role{u, a, tl}, "", "", true, "auto context_limit mid_turn"},
		{[]transcript.Role{u, a, tl}, "auto", "pre_turn", true, "auto context_limit pre_turn"},
		{[]transcript.Role{u}, "manual", "", true, "manual user_requested standalone_turn"},
		{[]transcript.Role{u}, "manual", "standalone_turn", true, "manual user_requested standalone_turn"},
		{[]transcript.Role{u}, "", "", false, "auto - pre_turn"},
		{[]transcript.Role{u}, "manual", "mid_turn", true, "phase"},
		{[]transcript.Role{u}, "auto", "standalone_turn", true, "phase"},
		{[]transcript.Role{u}, "", "later", true, "phase"},
		{[]transcript.Role{u}, "timer", "", true, "trigger"},
	} {
		in := input(turnsOf(c.roles...))
		in.Trigger, in.Phase, in.Force = c.trigger, c.phase, c.force
		d, err := Evaluate(&policy.Policy{}, in)
		var bad *transcript.Error
		if errors.As(err, &bad) {
			if bad.Path != c.want {
				t.Errorf("%q %q: error at %s, want %s", c.trigger, c.phase, bad.Path, c.want)
			}
			continue
		}
		reason := "-"
		if d.Reason != nil {
			reason = *d.Reason
		}
		if got := d.Trigger + " " + reason + " " + d.Phase; got != c.want {
			t.Errorf("%q %q: %s, want %s", c.trigger, c.phase, got, c.want)
		}
	}
	zero := 0
	in := input(turnsOf(u))
	in.Round = &zero
	if _, err := Evaluate(&policy.Policy{}, in); err == nil {
		t.Error("round 0 is taken")
	}
}

// A compaction that made no progress at 500 is not tried again at 500 or 400,
// but at 501; once seen below its threshold the trigger is armed anew.
func TestHeld(t *testing.T) {
	p := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{{Tokens: 100}}}
	eval := func(n int, held Held) *Decision {
		in := input(turnsOf(u))
		in.Usage, in.Held = prompt(n), held
		d, err := Evaluate(p, in)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := eval(500, nil)
	if !first.Fired {
		t.Fatal("500 does not fire")
	}
	held := Hold(first)
	for _, n := range []int{500, 400, 100} {
		d := eval(n, held)
		if d.Fired || !d.Rules[0].Held {
			t.Errorf("%d fires again: %+v", n, d.Rules)
		}
		held = Release(d, held)
	}
	if d := eval(501, held); !d.Fired {
		t.Error("501 does not fire")
	}
	held = Release(eval(99, held), held)
	if len(held) != 0 {
		t.Errorf("below the threshold still holds %v", held)
	}
	if d := eval(200, held); !d.Fired {
		t.Error("200 does not fire after 99")
	}
}
