package trigger

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/tamp-dev/tamp/core/policy"
)

// Held is what keeps a trigger from firing again where it could only loop: by
// rule, a mark of its last compaction. It holds numbers and hashes of rules only;
// 64 rules are under 2 KB.
//
// A rule with a mark fires again when something grew past the mark.
type Held struct {
	// Failed are rules whose compaction made no progress or found nothing to
	// fold: the tokens that could be folded then. They fire again at more than
	// twice of it: growth by one round would only give the same answer each
	// round, and doubling makes those answers few whatever comes. A size that goes
	// below the threshold and comes back changes nothing about it. Where less than
	// half could be folded since, the history is another, and the mark goes.
	Failed map[string]int `json:"failed,omitempty"`
	// Done are rules on the size of the context whose compaction succeeded: what they
	// have to exceed to fire again (see Decision.mark). Still reached below it means
	// that the policy can not get the context under its own threshold, and each try
	// costs a summary. Rules on rounds alone have no such mark: every multiple fires.
	Done map[string]float64 `json:"done,omitempty"`
	// Before is the tokens of the context at the last compaction that succeeded, until
	// the provider's first figure from behind it came.
	Before float64 `json:"before,omitempty"`
	// Switch is the mark of the change of the model that asked for a compaction
	// last, for hosts that name the previous model again and again.
	Switch *SwitchMark `json:"switch,omitempty"`
}

// SwitchMark is the mark of one change of the model: what Failed and Done hold
// for a rule.
type SwitchMark struct {
	Key    string   `json:"key"`
	Failed *int     `json:"failed,omitempty"`
	Done   *float64 `json:"done,omitempty"`
}

// ruleKey names a rule by what it says, so that a mark does not outlive a change
// of the policy.
func ruleKey(r policy.Rule) string {
	h := fnv.New32a()
	h.Write(fmt.Appendf(nil, "%+v", r))
	return fmt.Sprintf("%08x", h.Sum32())
}

// holds reports whether the rule's marks keep it from firing.
func (h Held) holds(r policy.Rule, measures []Measure, in *Input) bool {
	k := ruleKey(r)
	if was, ok := h.Failed[k]; ok && in.Foldable <= 2*was {
		return true
	}
	if was, ok := h.Done[k]; ok {
		return h.stays(in, sizeOf(measures), was)
	}
	return false
}

// stays reports whether a size that is reached is not past its mark. The mark is
// counted until the provider's first figure of the new history, which is taken for
// what the compaction left: but where it is more than the last one before it, or
// where what could be folded by now would bring it below the threshold.
func (h Held) stays(in *Input, m *Measure, mark float64) bool {
	switch {
	case m == nil || m.Measured == nil:
		return true
	case !m.inTokens():
		return *m.Measured <= mark
	case in.Full:
		return false
	case in.First:
		if before := m.unit(h.Before, in.Window); before > 0 && m.Scope == "" && *m.Measured > before {
			return false
		}
		return *m.Measured-m.unit(float64(in.Foldable), in.Window) >= *m.Threshold
	}
	return *m.Measured <= mark
}

// unit is tokens as a measure in tokens has them. A fraction that is measured is of
// a window that is known.
func (m *Measure) unit(n float64, window int) float64 {
	if m.Measure == "fraction" {
		return n / float64(window)
	}
	return n
}

// mark is what a measure has to exceed to fire again, where a compaction left so
// much: nothing more where that is below the threshold. Where it is not, what stood
// there before: each compaction then comes at a larger size than the last one, and
// a session without end has few of them, where each growth would ask for one in two
// rounds (108 in 200 rounds, measured, and not 19). But a smaller model may never get
// to that size: it is at most twice of what was left, and half of the room behind it
// up to the window.
func (d *Decision) mark(left *Measure, before float64) float64 {
	n := max(0, *left.Measured) // less growth than none is none
	if n < *left.Threshold {
		return n
	}
	most := 2 * n
	if before > 0 {
		most = min(most, before)
	}
	if left.inTokens() && left.Scope == "" && d.window > 0 {
		if room := left.unit(float64(d.window), d.window); room > n {
			most = min(most, (n+room)/2)
		}
	}
	return most
}

// inTokens reports whether it is a measure of what the provider counts too.
func (m *Measure) inTokens() bool {
	switch m.Measure {
	case "tokens", "fraction", "window", ModelDownshift:
		return true
	}
	return false
}

// holdsSwitch reports the same of a change of the model.
func (h Held) holdsSwitch(key string, m *Measure, in *Input) bool {
	mark := h.Switch
	if mark == nil || mark.Key != key {
		return false
	}
	return mark.Failed != nil && in.Foldable <= 2**mark.Failed || mark.Done != nil && h.stays(in, m, *mark.Done)
}

// another reports whether the history is no longer that of a failed mark.
func another(was, foldable int) bool { return foldable < was-foldable }

// sizeOf is the first measure of the context's size, nil for rules on rounds
// alone.
func sizeOf(measures []Measure) *Measure {
	for i := range measures {
		if measures[i].Measure != "rounds" {
			return &measures[i]
		}
	}
	return nil
}

// AfterFailure is the marks after a compaction that made no progress with so many tokens
// to fold: of the rules that are reached, and of all others those of Without. What
// an earlier one left still has to be exceeded.
func (h Held) AfterFailure(p *policy.Policy, d *Decision, foldable int) Held {
	next := h.Without(p, d, foldable)
	if m := d.change; m != nil && m.Fired {
		mark := &SwitchMark{Key: d.switchKey, Failed: &foldable}
		if was := next.Switch; was != nil && was.Key == mark.Key {
			mark.Done = was.Done
		}
		next.Switch = mark
	}
	for i, r := range p.Triggers {
		if reached(d.of(i)) {
			next.fail(ruleKey(r), foldable)
		}
	}
	return next
}

// After is the marks after a compaction that succeeded: left is the decision on
// what it left. They are of the rules that were reached, and of those that had a
// mark: it is of a history that is gone.
func (h Held) After(p *policy.Policy, d, left *Decision, foldable int) Held {
	next := h.Without(p, d, foldable)
	if m := d.change; m != nil && m.Fired {
		next.Switch = &SwitchMark{Key: d.switchKey, Done: d.behind(left.change, m)}
	}
	for i, r := range p.Triggers {
		k := ruleKey(r)
		_, had := next.Done[k]
		now := reached(d.of(i))
		if now {
			delete(next.Failed, k)
			delete(next.Done, k)
		}
		if m := sizeOf(d.of(i)); m != nil && (now || had) {
			next.done(k, *d.behind(sizeOf(left.of(i)), m))
		}
	}
	if next.Before = 0; d.active != nil && (next.Done != nil || next.Switch != nil) {
		next.Before = max(0, *d.active)
	}
	return next
}

// behind is the mark of a measure of what a compaction left, with the same measure
// before it. What is unknown yet is exceeded by the first figure that says it.
func (d *Decision) behind(left, before *Measure) *float64 {
	n := 0.0
	if left != nil && left.Measured != nil {
		n = *left.Measured
		if before.Measured != nil {
			n = max(n, *before.Measured)
		}
		n = d.mark(left, n)
	}
	return &n
}

// Without is the marks after a decision that led to no compaction. The mark of a
// success goes once the size is seen below the threshold, and is the provider's
// first figure where that one is not; that of a failure goes once the history is
// another. A count that stands in for a usage from before the
// compaction shows no such thing: what nobody shows us (tools, instructions) was
// in the usage, and is not in it.
func (h Held) Without(p *policy.Policy, d *Decision, foldable int) Held {
	var next Held
	if !d.first {
		next.Before = h.Before
	}
	if h.Switch != nil {
		mark := *h.Switch
		if mark.Failed != nil && another(*mark.Failed, foldable) {
			mark.Failed = nil
		}
		if mark.Key == d.switchKey && mark.Done != nil {
			if d.below(*d.change) {
				mark.Done = nil
			} else if d.settles(d.change) {
				n := h.settled(d, d.change)
				mark.Done = &n
			}
		}
		if mark.Failed != nil || mark.Done != nil {
			next.Switch = &mark
		}
	}
	for i, r := range p.Triggers {
		measures, k := d.of(i), ruleKey(r)
		if was, ok := h.Failed[k]; ok && !another(was, foldable) {
			next.fail(k, was)
		}
		if was, ok := h.Done[k]; ok && !slices.ContainsFunc(measures, d.below) {
			if m := sizeOf(measures); d.settles(m) {
				was = h.settled(d, m)
			}
			next.done(k, was)
		}
	}
	return next
}

// settles reports whether a measure is the provider's first figure of what the
// last compaction left.
func (d *Decision) settles(m *Measure) bool {
	return d.first && m != nil && m.Measured != nil && m.inTokens()
}

// settled is the mark by that figure. What grew since a prefill has none before it:
// the prefill was another.
func (h Held) settled(d *Decision, m *Measure) float64 {
	if m.Scope != "" {
		return d.mark(m, 0)
	}
	return d.mark(m, m.unit(h.Before, d.window))
}

// below reports whether a size is known to be below its threshold.
func (d *Decision) below(m Measure) bool {
	if m.Measure == "rounds" || d.counted && m.inTokens() {
		return false
	}
	return m.Measured != nil && !m.Fired && !m.Held
}

func (h *Held) fail(k string, foldable int) {
	if h.Failed == nil {
		h.Failed = map[string]int{}
	}
	h.Failed[k] = foldable
}

func (h *Held) done(k string, size float64) {
	if h.Done == nil {
		h.Done = map[string]float64{}
	}
	h.Done[k] = size
}

// of are the measures of one rule.
func (d *Decision) of(rule int) []Measure {
	var out []Measure
	for _, m := range d.Rules {
		if m.Rule == rule {
			out = append(out, m)
		}
	}
	return out
}

// reached reports whether all measures of a rule are at their thresholds, held
// back or not.
func reached(measures []Measure) bool {
	for _, m := range measures {
		if !m.Fired && !m.Held {
			return false
		}
	}
	return len(measures) > 0
}
