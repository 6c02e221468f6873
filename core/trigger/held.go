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
	// round, and doubling makes those answers few whatever comes.
	Failed map[string]int `json:"failed,omitempty"`
	// Done are rules on the size of the context whose compaction succeeded: the
	// first measure of size that fired. They fire again above it: still reached
	// below it means that the policy can not get the context under its own
	// threshold, and each try costs a summary. Rules on rounds alone have no
	// such mark: every multiple fires.
	Done map[string]float64 `json:"done,omitempty"`
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

// onSize reports whether a rule measures the context's size.
func onSize(measures []Measure) bool {
	return slices.ContainsFunc(measures, func(m Measure) bool { return m.Measure != "rounds" })
}

// After is the marks after a compaction: of the rules that are reached those of
// one that succeeded, or of one that failed with so many tokens to fold; of all
// others those of Without.
func (h Held) After(p *policy.Policy, d *Decision, succeeded bool, foldable int) Held {
	next := h.Without(p, d, foldable)
	for i, r := range p.Triggers {
		measures := d.of(i)
		if !reached(measures) {
			continue
		}
		delete(next.Failed, ruleKey(r))
		delete(next.Done, ruleKey(r))
		if size := sizeOf(measures); !succeeded {
			next.fail(ruleKey(r), foldable)
		} else if size != nil {
			next.done(ruleKey(r), *size)
		}
	}
	return next
}

// Without is the marks after a decision that led to no compaction. A rule loses
// its marks once its size is seen below the threshold. That a round is no
// multiple says nothing of the context: of rules on rounds alone a mark goes
// when less could be folded than at the mark, so that the history is another.
func (h Held) Without(p *policy.Policy, d *Decision, foldable int) Held {
	var next Held
	for i, r := range p.Triggers {
		measures, k := d.of(i), ruleKey(r)
		below := false
		for _, m := range measures {
			below = below || m.Measure != "rounds" && m.Measured != nil && !m.Fired && !m.Held
		}
		if below {
			continue
		}
		if was, ok := h.Failed[k]; ok && (onSize(measures) || foldable >= was) {
			next.fail(k, was)
		}
		if was, ok := h.Done[k]; ok {
			next.done(k, was)
		}
	}
	return next
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
