package trigger

import (
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

func decide(t *testing.T, p *policy.Policy, in Input) *Decision {
	t.Helper()
	d, err := Evaluate(p, in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Every measure at its threshold, one below and one above it: rounds fire at
// multiples, all others from the threshold on (API.md).
func TestThresholds(t *testing.T) {
	// Three turns in seven items of 12 bytes. The fragment and the earlier summary are
	// no turns, though the user's.
	tr := turnsOf(u, u, u, a, u, a, u)
	tr.Items[0].Fragment, tr.Items[1].Summary = true, true
	for _, c := range []struct {
		measure  string
		rule     func(n int) policy.Rule
		measured float64
	}{
		{"turns", func(n int) policy.Rule { return policy.Rule{Turns: n} }, 3},
		{"messages", func(n int) policy.Rule { return policy.Rule{Messages: n} }, 7},
		{"bytes", func(n int) policy.Rule { return policy.Rule{Bytes: n} }, 84},
		{"tokens", func(n int) policy.Rule { return policy.Rule{Tokens: n} }, 500},
		{"window", func(n int) policy.Rule { return policy.Rule{Window: n} }, 500},
		{"fraction", func(n int) policy.Rule { return policy.Rule{Fraction: float64(n) / 1000} }, 0.5},
	} {
		at := int(c.measured)
		if c.measure == "fraction" {
			at = 500 // of a window of 1,000
		}
		for _, n := range []int{at - 1, at, at + 1} {
			in := input(tr)
			in.Usage, in.Window = prompt(500), 1000
			p := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{c.rule(n)}}
			d := decide(t, p, in)
			m := d.Rules[0]
			if len(d.Rules) != 1 || m.Measure != c.measure || m.Measured == nil || *m.Measured != c.measured {
				t.Fatalf("%s: %+v, want %v", c.measure, m, c.measured)
			}
			if want := n <= at; d.Fired != want || m.Fired != want {
				t.Errorf("%s of %v at threshold %d fires: %v %v", c.measure, c.measured, n, d.Fired, m.Fired)
			}
		}
	}
}

// The decision's reason is that of the first fired rule in list order, and
// every rule is measured all the same, those behind it too (API.md).
func TestReason(t *testing.T) {
	messages, turns, never := policy.Rule{Messages: 1}, policy.Rule{Turns: 1}, policy.Rule{Bytes: 1 << 20}
	tokensRule := policy.Rule{Tokens: 100}
	for _, c := range []struct {
		name  string
		usage policy.Usage
		rules []policy.Rule
		force bool
		want  string
		fired []bool
	}{
		{"the first of two", policy.Active, []policy.Rule{messages, turns}, false, "messages", []bool{true, true}},
		{"and in the other order", policy.Active, []policy.Rule{turns, messages}, false, "turns", []bool{true, true}},
		{"the first that fired, not the first", policy.Active, []policy.Rule{never, turns, messages}, false, "turns", []bool{false, true, true}},
		{"of three, the last not reached", policy.Active, []policy.Rule{messages, turns, never}, false, "messages", []bool{true, true, false}},
		{"force changes no reason that there is", policy.Active, []policy.Rule{never, turns}, true, "turns", []bool{false, true}},
		{"force alone", policy.Active, []policy.Rule{never}, true, ContextLimit, []bool{false}},
		{"lait's tokens are a reason of their own", policy.LastPrompt, []policy.Rule{tokensRule, messages}, false, "tokens", []bool{true, true}},
		{"active tokens are the context's limit", policy.Active, []policy.Rule{tokensRule, messages}, false, ContextLimit, []bool{true, true}},
		{"none", policy.Active, []policy.Rule{never}, false, "", []bool{false}},
	} {
		in := input(turnsOf(u, a))
		total := 500
		in.Usage, in.Force = &tokens.Usage{PromptTokens: &total, TotalTokens: &total}, c.force
		d := decide(t, &policy.Policy{Usage: c.usage, Triggers: c.rules}, in)
		got := ""
		if d.Reason != nil {
			got = *d.Reason
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if len(d.Rules) != len(c.fired) {
			t.Fatalf("%s: %d measures of %d rules", c.name, len(d.Rules), len(c.fired))
		}
		for i, m := range d.Rules {
			if m.Rule != i || m.Fired != c.fired[i] {
				t.Errorf("%s: rule %d: %+v", c.name, i, m)
			}
		}
	}
}

// A rule that is held back gives no reason: the next one that fires does.
func TestReasonBehindHeld(t *testing.T) {
	first := policy.Rule{Messages: 1}
	p := &policy.Policy{Triggers: []policy.Rule{first, {Turns: 1}}}
	in := input(turnsOf(u, a))
	in.Foldable, in.Held = 10, Held{Failed: map[string]int{ruleKey(first): 10}}
	d := decide(t, p, in)
	if !d.Fired || d.Reason == nil || *d.Reason != "turns" {
		t.Errorf("%+v", d)
	}
	if held := d.Rules[0]; !held.Held || held.Fired || d.Rules[1].Held || !d.Rules[1].Fired {
		t.Errorf("%+v", d.Rules)
	}
}

// Without a compaction a mark stays while its rule is reached, or while that can
// not be told; it goes once the rule is seen not to be reached.
func TestWithout(t *testing.T) {
	size, both := policy.Rule{Tokens: 100}, policy.Rule{Fraction: 0.5, Messages: 1}
	for _, c := range []struct {
		name   string
		rule   policy.Rule
		usage  *tokens.Usage
		window int
		stays  bool
	}{
		{"reached", size, prompt(100), 0, true},
		{"not reached", size, prompt(99), 0, false},
		{"unknown: no usage", size, nil, 0, true},
		{"one measure of two unknown: no window", both, prompt(500), 0, true},
		{"both known and reached", both, prompt(500), 1000, true},
		{"both known, one not reached", both, prompt(499), 1000, false},
	} {
		p := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{c.rule}}
		in := input(turnsOf(u, a))
		in.Usage, in.Window = c.usage, c.window
		k := ruleKey(c.rule)
		next := Held{Failed: map[string]int{k: 40}, Done: map[string]float64{k: 200}}.Without(p, decide(t, p, in), 40)
		n, failed := next.Failed[k]
		f, done := next.Done[k]
		if failed != c.stays || done != c.stays {
			t.Errorf("%s: marks stay: %v %v", c.name, failed, done)
		}
		if c.stays && (n != 40 || f != 200) {
			t.Errorf("%s: marks became %d and %v", c.name, n, f)
		}
	}
	// A mark of no rule of the policy is gone.
	p := &policy.Policy{Triggers: []policy.Rule{size}}
	if next := (Held{Failed: map[string]int{"00000000": 1}}).Without(p, decide(t, p, input(turnsOf(u))), 0); next.Failed != nil {
		t.Errorf("%+v", next)
	}
}

// The marks at their exact limits: a failed rule fires at more than twice what
// could be folded, one that worked above the size that it fired at.
func TestHoldsLimits(t *testing.T) {
	rule := policy.Rule{Tokens: 100}
	k := ruleKey(rule)
	for _, c := range []struct {
		name             string
		held             Held
		prompt, foldable int
		strict, fires    bool
	}{
		{"failed: twice", Held{Failed: map[string]int{k: 50}}, 900, 100, false, false},
		{"failed: more than twice", Held{Failed: map[string]int{k: 50}}, 900, 101, false, true},
		{"done: the same size", Held{Done: map[string]float64{k: 300}}, 300, 999, false, false},
		{"done: above", Held{Done: map[string]float64{k: 300}}, 301, 999, false, true},
		{"both: one is enough to hold", Held{Failed: map[string]int{k: 50}, Done: map[string]float64{k: 300}}, 301, 100, false, false},
		{"strict: failed holds nothing", Held{Failed: map[string]int{k: 50}}, 900, 0, true, true},
		{"strict: done holds nothing", Held{Done: map[string]float64{k: 300}}, 100, 999, true, true},
	} {
		in := input(turnsOf(u))
		in.Usage, in.Held, in.Foldable = prompt(c.prompt), c.held, c.foldable
		d := decide(t, &policy.Policy{Usage: policy.LastPrompt, Strict: c.strict, Triggers: []policy.Rule{rule}}, in)
		if d.Fired != c.fires || d.Rules[0].Held == c.fires {
			t.Errorf("%s: fires %v, held %v", c.name, d.Fired, d.Rules[0].Held)
		}
	}
}

// A compaction marks every rule that is reached, not only the one that fired,
// and no other.
func TestAfter(t *testing.T) {
	first, second, never, rounds := policy.Rule{Messages: 1}, policy.Rule{Turns: 1}, policy.Rule{Turns: 2}, policy.Rule{Rounds: 1}
	p := &policy.Policy{Triggers: []policy.Rule{first, second, never, rounds}}
	in := input(turnsOf(u, a))
	d := decide(t, p, in)
	stale := Held{Failed: map[string]int{ruleKey(never): 7}, Done: map[string]float64{ruleKey(never): 7}}
	failed := stale.After(p, d, false, 30)
	if len(failed.Failed) != 3 || failed.Failed[ruleKey(first)] != 30 || failed.Failed[ruleKey(second)] != 30 || failed.Failed[ruleKey(rounds)] != 30 || failed.Done != nil {
		t.Errorf("failed: %+v", failed)
	}
	// Every multiple of rounds fires, so that a success leaves no mark of it.
	worked := stale.After(p, d, true, 30)
	if len(worked.Done) != 2 || worked.Done[ruleKey(first)] != 2 || worked.Done[ruleKey(second)] != 1 || worked.Failed != nil {
		t.Errorf("worked: %+v", worked)
	}
}

// The tokens of results by all tokens; of nothing it is unknown.
func TestToolOutputShare(t *testing.T) {
	p := &policy.Policy{Triggers: []policy.Rule{{ToolOutputShare: 0.25}}}
	in := input(turnsOf(u, tl))
	in.Measured = tokens.Measured{Overhead: 10, Items: []int{65, 25}}
	if d := decide(t, p, in); *d.Rules[0].Measured != 0.25 || !d.Fired {
		t.Errorf("%+v", d.Rules)
	}
	in.Measured.Overhead = 11
	if d := decide(t, p, in); d.Fired {
		t.Errorf("%+v", d.Rules)
	}
	in = input(&transcript.Transcript{})
	in.Measured = tokens.Measured{}
	if d := decide(t, p, in); d.Rules[0].Measured != nil || d.Fired {
		t.Errorf("of nothing: %+v", d.Rules)
	}
}
