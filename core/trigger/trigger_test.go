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

// The marks of a compaction, and what it takes to fire again.
func TestHeld(t *testing.T) {
	tokensRule := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{{Tokens: 100}}}
	roundsRule := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{{Rounds: 1}}}
	type step struct {
		prompt, foldable int
		fires            bool
		does             string // what comes of it: "fails", "works"
		round            int    // 0: derived
	}
	for _, c := range []struct {
		name  string
		p     *policy.Policy
		steps []step
	}{
		{"no progress is one answer, not one a round", tokensRule, []step{
			{prompt: 500, foldable: 1000, fires: true, does: "fails"}, {prompt: 510, foldable: 1000, fires: false, does: ""}, {prompt: 600, foldable: 1500, fires: false, does: ""}, {prompt: 700, foldable: 2000, fires: false, does: ""}, {prompt: 900, foldable: 2001, fires: true, does: "works"},
		}},
		{"nothing to fold: until there is something", roundsRule, []step{{prompt: 0, foldable: 0, fires: true, does: "fails"}, {prompt: 0, foldable: 0, fires: false, does: ""}, {prompt: 0, foldable: 40, fires: true, does: "works"}, {prompt: 0, foldable: 40, fires: true, does: "works"}}},
		{"still over after a success: not again below it", tokensRule, []step{
			{prompt: 500, foldable: 300, fires: true, does: "works"}, {prompt: 400, foldable: 50, fires: false, does: ""}, {prompt: 500, foldable: 50, fires: false, does: ""}, {prompt: 501, foldable: 60, fires: true, does: "works"},
		}},
		{"the first figure behind a success is more than the last one before", tokensRule, []step{
			{prompt: 500, foldable: 300, fires: true, does: "works"}, {prompt: 500, foldable: 50}, {prompt: 501, foldable: 50, fires: true, does: "works"}, {prompt: 502, foldable: 50, fires: true, does: "works"},
		}},
		{"the first figure is above the threshold by no more than can be folded", tokensRule, []step{
			{prompt: 500, foldable: 300, fires: true, does: "works"}, {prompt: 140, foldable: 41, fires: true, does: "works"}, {prompt: 140, foldable: 40}, {prompt: 141, foldable: 40, fires: true, does: "works"},
		}},
		{"at twice of what was left, however much stood there before", tokensRule, []step{
			{prompt: 500, foldable: 300, fires: true, does: "works"}, {prompt: 140, foldable: 40}, {prompt: 280, foldable: 40}, {prompt: 281, foldable: 40, fires: true, does: "works"},
		}},
		{"below the threshold once: armed anew", tokensRule, []step{
			{prompt: 500, foldable: 300, fires: true, does: "works"}, {prompt: 99, foldable: 50, fires: false, does: ""}, {prompt: 120, foldable: 60, fires: true, does: "works"},
		}},
		{"between the multiples a mark stays", &policy.Policy{Triggers: []policy.Rule{{Rounds: 2}}}, []step{
			{round: 2, foldable: 100, fires: true, does: "fails"},
			{round: 3, foldable: 120},
			{round: 4, foldable: 150},
			{round: 5, foldable: 180},
			{round: 6, foldable: 201, fires: true, does: "fails"},
		}},
		{"another history has no mark", &policy.Policy{Triggers: []policy.Rule{{Rounds: 2}}}, []step{
			{round: 2, foldable: 100, fires: true, does: "fails"}, {round: 1, foldable: 0}, {round: 2, foldable: 50, fires: true, does: "works"},
		}},
		{"rounds fire at every multiple", roundsRule, []step{{prompt: 0, foldable: 10, fires: true, does: "works"}, {prompt: 0, foldable: 10, fires: true, does: "works"}}},
	} {
		var held Held
		behind := false // a compaction that worked, and no figure came since
		for i, s := range c.steps {
			in := input(turnsOf(u))
			in.Held, in.Foldable = held, s.foldable
			if s.prompt > 0 {
				in.Usage = prompt(s.prompt)
			}
			if s.round > 0 {
				in.Round = &s.round
			}
			in.First = behind
			behind = false
			d, err := Evaluate(c.p, in)
			if err != nil {
				t.Fatal(err)
			}
			if d.Fired != s.fires {
				t.Errorf("%s: step %d fires: %v", c.name, i, d.Fired)
			}
			switch s.does {
			case "":
				held = held.Without(c.p, d, s.foldable)
			case "fails":
				held = held.AfterFailure(c.p, d, s.foldable)
			default:
				in.Usage, behind = nil, true
				held = held.After(c.p, d, decide(t, c.p, in), s.foldable)
			}
		}
	}
	// A mark is of the rule, not of its place: another policy does not inherit it.
	in := input(turnsOf(u))
	in.Usage = prompt(500)
	d, err := Evaluate(tokensRule, in)
	if err != nil {
		t.Fatal(err)
	}
	in.Held = Held{}.AfterFailure(tokensRule, d, 1000)
	other := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{{Tokens: 101}}}
	if d, err = Evaluate(other, in); err != nil || !d.Fired {
		t.Errorf("another rule is held back: %+v %v", d, err)
	}
	// strict gives the original systems' behaviour.
	strict := *tokensRule
	strict.Strict = true
	if d, err = Evaluate(&strict, in); err != nil || !d.Fired {
		t.Errorf("strict is held back: %+v %v", d, err)
	}
}
