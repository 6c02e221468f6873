package trigger

import (
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
)

// What has to be exceeded behind a compaction: what it left, where that is below the
// threshold. Else what stood there before, at most twice of what was left, and half of
// the room behind it up to the window.
func TestWhatHasToBeExceeded(t *testing.T) {
	for _, c := range []struct {
		name                    string
		measure, scope          string
		left, threshold, before float64
		window                  int
		want                    float64
	}{
		{"below the threshold", "tokens", "", 99, 100, 500, 0, 99},
		{"not below it: what was before", "tokens", "", 100, 100, 150, 0, 150},
		{"at most twice", "tokens", "", 100, 100, 500, 0, 200},
		{"nobody knows what was before", "tokens", "", 100, 100, 0, 0, 200},
		{"half of the room: 185,000 in 200,000", "tokens", "", 185000, 180000, 902265, 200000, 192500},
		{"the same as a fraction", "fraction", "", 0.925, 0.9, 4.5, 200000, 0.9625},
		{"the window is full already", "window", "", 210, 190, 300, 200, 300},
		{"growth knows no window", "tokens", "body_after_prefix", 110, 100, 190, 120, 190},
		{"nor do messages", "messages", "", 110, 100, 190, 120, 190},
		{"less growth than none", "tokens", "body_after_prefix", -5, 100, 190, 0, 0},
	} {
		d := &Decision{window: c.window}
		if got := d.mark(&Measure{Measure: c.measure, Scope: c.scope, Measured: &c.left, Threshold: &c.threshold}, c.before); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// A request that was refused as too long is more than every mark of a size in tokens,
// and nothing to a mark of another one.
func TestFullIsPastEveryMark(t *testing.T) {
	size, messages := policy.Rule{Tokens: 100}, policy.Rule{Messages: 1}
	p := &policy.Policy{Usage: policy.LastPrompt, Triggers: []policy.Rule{size, messages}}
	for _, full := range []bool{false, true} {
		in := input(turnsOf(u, a))
		in.Usage, in.Full = prompt(200), full
		in.Held = Held{Done: map[string]float64{ruleKey(size): 900, ruleKey(messages): 9}}
		if d := decide(t, p, in); d.Rules[0].Fired != full || d.Rules[1].Fired {
			t.Errorf("full %v: %+v", full, d.Rules)
		}
	}
}
