package trigger

import (
	"fmt"
	"hash/fnv"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The reasons of a switch to another model.
const (
	ModelDownshift  = "model_downshift"
	CompHashChanged = "comp_hash_changed"
)

// Switch is a change of the model between two turns: the history was made for
// From and goes on with To.
type Switch struct {
	From, To         string // ids
	FromHash, ToHash string // of what the models can read of a compaction; "" is unknown
	FromHard         int    // the hard window of From, 0 is unknown
}

// noRule is the rule of a measure that no rule of the policy asked for.
const noRule = -1

// change decides whether the switch itself asks for a compaction, before any
// rule does. A history with a smaller model's window ahead is compacted while the
// larger one can still read it. Another hash says that the new model can not
// read what the old one sealed: where nothing is sealed nothing is lost, and the
// original compacts all the same (strict).
func (m *measurer) change(p *policy.Policy, s *Switch) *Measure {
	if s.FromHash != "" && s.ToHash != "" && s.FromHash != s.ToHash {
		threshold := 1.0
		if p.Strict {
			threshold = 0
		}
		n := number(sealed(m.Transcript))
		return &Measure{Rule: noRule, Measure: CompHashChanged, Measured: n, Threshold: &threshold, Fired: *n >= threshold}
	}
	limit := p.Limits
	if s.From == s.To || s.FromHard <= limit.Hard || limit.Hard == 0 {
		return nil
	}
	// Above nine tenths is too much here, where everywhere else reaching them is.
	threshold := limit.Hard
	if p.Scope == policy.Total && limit.Auto > 0 {
		threshold = min(threshold, limit.Auto+1)
	}
	// The size of the context, whatever figure the policy's own rules look at.
	size := measurer{Input: m.Input, usage: policy.Active}
	active, to := size.active(), float64(threshold)
	return &Measure{Rule: noRule, Measure: ModelDownshift, Measured: active, Threshold: &to, Fired: active != nil && *active >= to}
}

// sealed counts what only a provider can read: encrypted reasoning, compaction
// items.
func sealed(t *transcript.Transcript) int {
	n := 0
	for i := range t.Items {
		for j := range t.Items[i].Parts {
			if t.Items[i].Parts[j].Kind == transcript.Opaque {
				n++
			}
		}
	}
	return n
}

// key names a switch and what it was measured by in the marks, as ruleKey names a
// rule.
func (s *Switch) key(measure string) string {
	h := fnv.New32a()
	h.Write(fmt.Appendf(nil, "%s %q %q", measure, s.From, s.To))
	return fmt.Sprintf("%08x", h.Sum32())
}
