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
	// Done are rules on the size of the context whose compaction succeeded: the
	// first measure of size that fired. They fire again above it: still reached
	// below it means that the policy can not get the context under its own
	// threshold, and each try costs a summary. Rules on rounds alone have no
	// such mark: every multiple fires.
	Done map[string]float64 `json:"done,omitempty"`
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
func (h Held) holds(r policy.Rule, measures []Measure, foldable int) bool {
	k := ruleKey(r)
	if was, ok := h.Failed[k]; ok && foldable <= 2*was {
		return true
	}
	if was, ok := h.Done[k]; ok {
		size := sizeOf(measures)
		return size == nil || *size <= was
	}
	return false
}

// holdsSwitch reports the same of a change of the model.
func (h Held) holdsSwitch(key string, measured *float64, foldable int) bool {
	m := h.Switch
	if m == nil || m.Key != key {
		return false
	}
	return m.Failed != nil && foldable <= 2**m.Failed || m.Done != nil && (measured == nil || *measured <= *m.Done)
}

// another reports whether the history is no longer that of a failed mark.
func another(was, foldable int) bool { return foldable < was-foldable }

// sizeOf is the first measure of the context's size, nil for rules on rounds
// alone.
func sizeOf(measures []Measure) *float64 {
	for _, m := range measures {
		if m.Measure != "rounds" {
			return m.Measured
		}
	}
	return nil
}

// After is the marks after a compaction: of the rules that are reached those of
// one that succeeded, or of one that failed with so many tokens to fold; of all
// others those of Without.
func (h Held) After(p *policy.Policy, d *Decision, succeeded bool, foldable int) Held {
	next := h.Without(p, d, foldable)
	if m := d.change; m != nil && m.Fired {
		mark := &SwitchMark{Key: d.switchKey, Done: m.Measured}
		if !succeeded {
			mark.Failed, mark.Done = &foldable, nil
			if was := next.Switch; was != nil && was.Key == mark.Key {
				mark.Done = was.Done
			}
		}
		next.Switch = mark
	}
	for i, r := range p.Triggers {
		measures := d.of(i)
		if !reached(measures) {
			continue
		}
		if !succeeded { // a size that it worked at before still has to be exceeded
			next.fail(ruleKey(r), foldable)
			continue
		}
		delete(next.Failed, ruleKey(r))
		delete(next.Done, ruleKey(r))
		if size := sizeOf(measures); size != nil {
			next.done(ruleKey(r), *size)
		}
	}
	return next
}

// Without is the marks after a decision that led to no compaction. The mark of a
// success goes once the size is seen below the threshold, that of a failure once
// the history is another. A count that stands in for a usage from before the
// compaction shows no such thing: what nobody shows us (tools, instructions) was
// in the usage, and is not in it.
func (h Held) Without(p *policy.Policy, d *Decision, foldable int) Held {
	var next Held
	if h.Switch != nil {
		mark := *h.Switch
		if mark.Failed != nil && another(*mark.Failed, foldable) {
			mark.Failed = nil
		}
		if mark.Key == d.switchKey && d.below(*d.change) {
			mark.Done = nil
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
			next.done(k, was)
		}
	}
	return next
}

// below reports whether a size is known to be below its threshold.
func (d *Decision) below(m Measure) bool {
	switch m.Measure {
	case "rounds":
		return false
	case "tokens", "fraction", "window", ModelDownshift:
		if d.counted {
			return false
		}
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
