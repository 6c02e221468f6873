package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Trim makes a request to the provider fit the model's window, as far as that
// goes: of the outputs at its very end, newest first, only what they were is
// told. They came after the last request that did fit, and are most likely what
// is too much. A plan with a text for a summary needs none of it: its request
// can be sent with fewer items. hard 0 is unknown. Cost: linear in those outputs.
func (p *Plan) Trim(hard int) {
	if !p.Policy.Opaque() || p.Request == nil || hard <= 0 {
		return
	}
	r := p.Request
	size, gone := p.Measured.Total(), map[int]bool{}
	for n := len(r.Items) - 1; n >= 0 && size > hard; n-- {
		i, said := r.Items[n], -1
		if n > 0 && r.Items[n-1] == i-1 && notice(&p.Transcript.Items[i]) {
			n--
			i, said = i-1, i
		}
		it := &p.Transcript.Items[i]
		short, ok := p.sealer().Shortened(it, clearedResult(nameOf(it), p.Measured.Items[i]))
		if !ok {
			break
		}
		less := p.Measured.Items[i] - tokens.Item(p.Transcript, &short, p.Counter)
		if less <= 0 { // it is as short as what would stand for it
			continue
		}
		if r.Instead == nil {
			r.Instead = map[int]transcript.Item{}
		}
		r.Instead[i] = short
		size -= less
		p.unseen(i)
		if said >= 0 {
			size -= p.Measured.Items[said]
			gone[said] = true
			p.unseen(said)
		}
	}
	if len(gone) > 0 {
		r.Items = slices.DeleteFunc(slices.Clone(r.Items), func(i int) bool { return gone[i] })
	}
}

// unseen says of an item that goes that no summariser saw what it holds.
func (p *Plan) unseen(i int) {
	if f := &p.Items[i]; f.Fate == Folded {
		f.Fate, f.Reason = Dropped, RequestTrimmed
	}
}

// nameOf is the tool whose output an item is, "" where it does not say.
func nameOf(it *transcript.Item) string {
	for j := range it.Parts {
		if it.Parts[j].Kind == transcript.Result {
			return it.Parts[j].Name
		}
	}
	return ""
}
