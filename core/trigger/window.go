package trigger

import (
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Window is the stretch between two compactions. Prefill is what its first
// request weighed: what body_after_prefix subtracts. It is estimated until the
// provider's first figure in the window says it, and stays then.
type Window struct {
	Number   int  `json:"number,omitempty"` // compactions so far
	Prefill  *int `json:"prefill,omitempty"`
	Observed bool `json:"observed,omitempty"` // Prefill is the provider's figure
}

// Observe takes the figure of the window's first request. Without any figure
// the prefill is what stands before the first real user message with all that a
// request holds beside the items; the original knows none then and measures no
// growth (strict).
func (w Window) Observe(p *policy.Policy, t *transcript.Transcript, m tokens.Measured, u *tokens.Usage) Window {
	if p.Scope != policy.BodyAfterPrefix || w.Observed {
		return w
	}
	if n, ok := u.LastPrompt(); ok && n > 0 { // a figure without a prompt is no provider's
		w.Prefill, w.Observed = &n, true
		return w
	}
	if w.Prefill == nil && !p.Strict {
		n := m.Overhead
		for i := range t.Items {
			if t.Items[i].RealUser() {
				break
			}
			n += m.Items[i]
		}
		w.Prefill = &n
	}
	return w
}

// After is the window behind a compaction that left so many tokens.
func (w Window) After(p *policy.Policy, left int) Window {
	next := Window{Number: w.Number + 1}
	if p.Scope == policy.BodyAfterPrefix {
		next.Prefill = &left
	}
	return next
}
