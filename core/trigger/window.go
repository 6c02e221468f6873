package trigger

import (
	"fmt"
	"strings"

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
	// The host's names for this window, the one before it and the first; "" where it
	// gave none.
	ID       string `json:"id,omitempty"`
	Previous string `json:"previous_id,omitempty"`
	First    string `json:"first_id,omitempty"`
}

// WindowIDs is what a host calls its windows. Nobody else can name them: core has
// no random source.
type WindowIDs struct {
	ID   string `json:"id,omitempty"`      // of the one that is open; "": as it was called before
	Next string `json:"next_id,omitempty"` // of the one that a compaction would open
}

// maxWindowID is the longest name of a window, in bytes: three of them stand in a
// state.
const maxWindowID = 64

// Check refuses what is no name: anything but letters, digits and "-_:." of ASCII.
func (ids *WindowIDs) Check() error {
	if ids == nil {
		return nil
	}
	for _, f := range [...]struct{ name, id string }{{"id", ids.ID}, {"next_id", ids.Next}} {
		path := "window." + f.name
		if len(f.id) > maxWindowID {
			return &transcript.Error{Code: "invalid_request", Path: path, Message: fmt.Sprintf("has %d bytes, the limit is %d", len(f.id), maxWindowID)}
		}
		for i := range len(f.id) {
			c := f.id[i]
			if named := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_:.", c) >= 0; !named {
				return &transcript.Error{Code: "invalid_request", Path: path, Message: fmt.Sprintf("is %q, must be letters, digits and -_:. alone", transcript.Clip(f.id))}
			}
		}
	}
	if ids.Next != "" && ids.Next == ids.ID {
		return &transcript.Error{Code: "invalid_request", Path: "window.next_id", Message: fmt.Sprintf("is %q, as the window that is open: a compaction opens another", transcript.Clip(ids.Next))}
	}
	return nil
}

// Named is the window by the name that the host has for it.
func (w Window) Named(ids *WindowIDs) Window {
	if ids == nil || ids.ID == "" {
		return w
	}
	w.ID = ids.ID
	if w.Number == 0 {
		w.First = ids.ID
	}
	return w
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
func (w Window) After(p *policy.Policy, left int, ids *WindowIDs) Window {
	next := Window{Number: w.Number + 1, Previous: w.ID, First: w.First}
	if ids != nil {
		next.ID = ids.Next
	}
	if p.Scope == policy.BodyAfterPrefix {
		next.Prefill = &left
	}
	return next
}
