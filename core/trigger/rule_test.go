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

// Without a compaction the mark of a success goes once its rule is seen not to be
// reached, that of a failure once less than half could be folded: 40 here.
func TestWithout(t *testing.T) {
	size, both := policy.Rule{Tokens: 100}, policy.Rule{Fraction: 0.5, Messages: 1}
	for _, c := range []struct {
		name         string
		rule         policy.Rule
		usage        *tokens.Usage
		window       int
		foldable     int
		failed, done bool // stays
	}{
		{"reached", size, prompt(100), 0, 40, true, true},
		{"not reached", size, prompt(99), 0, 40, true, false},
		{"unknown: no usage", size, nil, 0, 40, true, true},
		{"one measure of two unknown: no window", both, prompt(500), 0, 40, true, true},
		{"both known and reached", both, prompt(500), 1000, 40, true, true},
		{"both known, one not reached", both, prompt(499), 1000, 40, true, false},
		{"half to fold", size, prompt(100), 0, 20, true, true},
		{"less than half", size, prompt(100), 0, 19, false, true},
		{"by rounds: half to fold", policy.Rule{Rounds: 5}, nil, 0, 20, true, true},
		{"by rounds: less than half", policy.Rule{Rounds: 5}, nil, 0, 19, false, true},
	} {
		p := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{c.rule}}
		in := input(turnsOf(u, a))
		in.Usage, in.Window = c.usage, c.window
		k := ruleKey(c.rule)
		next := Held{Failed: map[string]int{k: 40}, Done: map[string]float64{k: 200}}.Without(p, decide(t, p, in), c.foldable)
		n, failed := next.Failed[k]
		f, done := next.Done[k]
		if failed != c.failed || done != c.done {
			t.Errorf("%s: marks stay: %v %v", c.name, failed, done)
		}
		if failed && n != 40 || done && f != 200 {
			t.Errorf("%s: marks became %d and %v", c.name, n, f)
		}
	}
	// A mark of no rule of the policy is gone.
	p := &policy.Policy{Triggers: []policy.Rule{size}}
	if next := (Held{Failed: map[string]int{"00000000": 1}}).Without(p, decide(t, p, input(turnsOf(u))), 0); next.Failed != nil {
		t.Errorf("%+v", next)
	}
}

// A change of the model that a host names in every call: one try, and another one
// where something grew past it.
func TestSwitchIsHeld(t *testing.T) {
	p := &policy.Policy{Usage: policy.Active, Scope: policy.Total, Limits: policy.Limits{Auto: 900, Hard: 950}, Triggers: []policy.Rule{{Messages: 1000}}}
	down := &Switch{From: "large", To: "small", FromHard: 9000}
	hash := &Switch{From: "large", To: "small", FromHash: "A", ToHash: "B"}
	type step struct {
		change          *Switch // nil: the call names none
		total, foldable int
		sealed          int
		fires, works    bool
	}
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"it fails", []step{
			{change: down, total: 901, foldable: 40, fires: true},
			{change: down, total: 990, foldable: 80},
			{total: 1000, foldable: 80}, // in between the host does not name it
			{change: down, total: 1000, foldable: 80},
			{change: down, total: 1000, foldable: 81, fires: true},
		}},
		{"it works, and is too much again", []step{
			{change: down, total: 1200, foldable: 900, fires: true, works: true},
			{change: down, total: 1100, foldable: 10},
			{change: down, total: 1200, foldable: 20},
			{change: down, total: 1201, foldable: 30, fires: true, works: true},
		}},
		{"it works, then fails: both have to be exceeded", []step{
			{change: down, total: 1200, foldable: 900, fires: true, works: true},
			{change: down, total: 1201, foldable: 10, fires: true},
			{change: down, total: 1202, foldable: 20},
			{change: down, total: 1200, foldable: 21},
			{change: down, total: 1201, foldable: 21, fires: true},
		}},
		{"what can be folded by now brings it below", []step{
			{change: down, total: 1200, foldable: 900, fires: true, works: true},
			{change: down, total: 1100, foldable: 200, fires: true, works: true}, // 900 is not too much
			{change: down, total: 1100, foldable: 199},
		}},
		{"it was below in between", []step{
			{change: down, total: 1200, foldable: 900, fires: true, works: true},
			{change: down, total: 900, foldable: 10}, // above 900 is too much
			{change: down, total: 901, foldable: 20, fires: true, works: true},
		}},
		{"another history", []step{
			{change: down, total: 901, foldable: 40, fires: true},
			{total: 100, foldable: 19},
			{change: down, total: 901, foldable: 30, fires: true},
		}},
		{"another change", []step{
			{change: down, total: 901, foldable: 40, fires: true},
			{change: &Switch{From: "larger", To: "small", FromHard: 9000}, total: 901, foldable: 40, fires: true},
		}},
		{"the hash: what is sealed and stays", []step{
			{change: hash, foldable: 40, sealed: 2, fires: true, works: true},
			{change: hash, foldable: 10, sealed: 2},
			{change: hash, foldable: 20, sealed: 3, fires: true, works: true},
			{change: hash, foldable: 20, sealed: 0},
			{change: hash, foldable: 20, sealed: 1, fires: true, works: true},
		}},
	} {
		var held Held
		behind := false // a compaction that worked, and no figure came since
		for i, s := range c.steps {
			tr := turnsOf(u, a)
			for range s.sealed {
				tr.Items[1].Parts = append(tr.Items[1].Parts, transcript.Part{Kind: transcript.Opaque})
			}
			in := input(tr)
			in.Usage, in.Held, in.Foldable, in.Switch = &tokens.Usage{TotalTokens: &s.total}, held, s.foldable, s.change
			in.First = behind
			behind = false
			d := decide(t, p, in)
			if d.Fired != s.fires || s.change != nil && d.Rules[0].Held == s.fires && d.Rules[0].Held {
				t.Errorf("%s: step %d fires: %v, %+v", c.name, i, d.Fired, d.Rules)
			}
			switch {
			case !d.Fired:
				held = held.Without(p, d, s.foldable)
			case s.works:
				in.Usage, behind = nil, true
				held = held.After(p, d, decide(t, p, in), s.foldable)
			default:
				held = held.AfterFailure(p, d, s.foldable)
			}
		}
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
	// Of a history of which twice as much could be folded, and of a larger size.
	stale := Held{Failed: map[string]int{ruleKey(never): 61}, Done: map[string]float64{ruleKey(never): 7}}
	failed := stale.AfterFailure(p, d, 30)
	if len(failed.Failed) != 3 || failed.Failed[ruleKey(first)] != 30 || failed.Failed[ruleKey(second)] != 30 || failed.Failed[ruleKey(rounds)] != 30 || failed.Done != nil {
		t.Errorf("failed: %+v", failed)
	}
	// Every multiple of rounds fires, so that a success leaves no mark of it.
	// It left 1 message, which is still too much, and no turn, which is not: so 2, as
	// there were before, have to be exceeded, and 0.
	left := decide(t, p, input(turnsOf(a)))
	worked := stale.After(p, d, left, 30)
	if len(worked.Done) != 2 || worked.Done[ruleKey(first)] != 2 || worked.Done[ruleKey(second)] != 0 || worked.Failed != nil {
		t.Errorf("worked: %+v", worked)
	}
	// A mark of a rule that did not ask is of a history that is gone, too.
	old := Held{Done: map[string]float64{ruleKey(second): 5}}
	unasked := &policy.Policy{Triggers: []policy.Rule{first, second}}
	d = decide(t, unasked, input(turnsOf(u, a)))
	for i := range d.Rules {
		if m := &d.Rules[i]; m.Measure == "turns" {
			m.Measured, m.Fired = nil, false // nobody knows
		}
	}
	if next := old.After(unasked, d, left, 30); next.Done[ruleKey(second)] != 0 {
		t.Errorf("a rule that did not ask: %+v", next)
	}
}

// Whatever the number of rules, each measure is taken once: what changes behind the
// first rule is not seen by the second.
func TestMeasuresAreTakenOnce(t *testing.T) {
	in := input(turnsOf(u, a, tl))
	in.Window = 1000
	m := measurer{Input: in, usage: policy.Active, scope: policy.Total}
	rule := policy.Rule{Tokens: 1, Fraction: 0.1, Window: 1, Turns: 1, Bytes: 1, ToolOutputShare: 0.1}
	first := m.measures(rule)
	m.Transcript, m.Measured = turnsOf(u, u, u, tl, tl, tl), tokens.Measured{Overhead: 9, Items: []int{9, 9, 9, 9, 9, 9}}
	for i, x := range m.measures(rule) {
		if len(first) != 6 || *x.Measured != *first[i].Measured {
			t.Errorf("%s: %v, then %v", x.Measure, *first[i].Measured, *x.Measured)
		}
	}
}

// A count that stands in for the provider's figure does not show that the context
// is below its threshold: what nobody shows us is not in it. Other measures do.
func TestCountedShowsNothing(t *testing.T) {
	size, messages := policy.Rule{Tokens: 100}, policy.Rule{Messages: 5}
	p := &policy.Policy{Usage: policy.Active, Triggers: []policy.Rule{size, messages}}
	in := input(turnsOf(u, a))
	in.Counted = true
	was := Held{Done: map[string]float64{ruleKey(size): 300, ruleKey(messages): 9}}
	next := was.Without(p, decide(t, p, in), 0)
	if len(next.Done) != 1 || next.Done[ruleKey(size)] != 300 {
		t.Errorf("%+v", next)
	}
	in.Counted = false
	if next = was.Without(p, decide(t, p, in), 0); next.Done != nil {
		t.Errorf("%+v", next)
	}
}

// A rule that worked and then fails has to exceed both of its marks.
func TestFailureKeepsTheSize(t *testing.T) {
	rule := policy.Rule{Tokens: 100}
	p := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{rule}}
	at := func(held Held, n, foldable int) *Decision {
		t.Helper()
		in := input(turnsOf(u))
		in.Usage, in.Held, in.Foldable = prompt(n), held, foldable
		return decide(t, p, in)
	}
	held := Held{}.After(p, at(Held{}, 500, 100), at(Held{}, 400, 0), 100)
	held = held.AfterFailure(p, at(held, 501, 10), 10)
	for _, c := range []struct {
		n, foldable int
		fires       bool
	}{{500, 21, false}, {501, 20, false}, {501, 21, true}} {
		if d := at(held, c.n, c.foldable); d.Fired != c.fires {
			t.Errorf("%d with %d to fold fires: %v, marks %+v", c.n, c.foldable, d.Fired, held)
		}
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
