package summary

import "github.com/tamp-dev/tamp/core/policy"

// NewOpaque is the request for a summary that only the provider can read: the
// history, and no word about how to sum it up, for the provider takes none.
func NewOpaque(p *policy.Policy, items []int, model string) *Request {
	return &Request{Purpose: Purpose, Items: items, Model: model, Implementation: p.Implementation}
}
