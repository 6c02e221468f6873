package compact

import (
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Several items in one place, the summary perhaps among them.

// shared is a place where several stand.
type shared struct {
	of []int
	// What stands before the summary, and what behind it; nil is nothing. Without
	// a summary all of it is before.
	before, behind *transcript.Item
}

// together joins the items of a place.
func (p *Plan) together(at int, of []int) transcript.Entry {
	if p.joined == nil {
		p.joined = map[int]*shared{}
	}
	place := &shared{of: of}
	p.joined[at] = place
	cut := len(of)
	from := -1
	var items []*transcript.Item
	for n, i := range of {
		if i == ours {
			cut = n
			continue
		}
		if from < 0 {
			from = i
		}
		items = append(items, p.standing(i))
	}
	place.before, place.behind = p.all(items[:min(cut, len(items))]), p.all(items[min(cut, len(items)):])
	if cut == len(of) {
		return transcript.Entry{From: from, New: place.before}
	}
	return transcript.Entry{From: from}
}

// all is the items joined to one: halves first, so that a part is copied once for
// each doubling and not for each item.
func (p *Plan) all(items []*transcript.Item) *transcript.Item {
	switch n := len(items); n {
	case 0:
		return nil
	case 1:
		return items[0]
	default:
		return p.both(p.all(items[:n/2]), p.all(items[n/2:]))
	}
}

// both are two items joined to one. Whether they can be depends on their shape,
// and settle found that these can.
func (p *Plan) both(a, b *transcript.Item) *transcript.Item {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out, _ := p.Transcript.Writer.Joined(a, b)
	return &out
}

// standing is an item as it stands in the output, before it was joined to others.
func (p *Plan) standing(i int) *transcript.Item {
	if it := p.stands[i]; it != nil {
		return it
	}
	return &p.Transcript.Items[i]
}

// summaryMessage is the summary as a message of its own.
func (p *Plan) summaryMessage(text string) transcript.Item {
	if p.Policy.Opaque() {
		return p.sealer().Sealed(text)
	}
	return p.Transcript.Writer.Message(p.Role, summary.Frame(p.Policy, p.Role, p.answered, text))
}

// summaryItem is what stands in the summary's place when it has that text, and
// how many of its tokens are the summary's.
func (p *Plan) summaryItem(text string) (transcript.Item, int) {
	message := p.summaryMessage(text)
	place := p.joined[p.SummaryAt]
	if place == nil {
		return message, tokens.Item(p.Transcript, &message, p.Counter)
	}
	out := p.both(p.both(place.before, &message), place.behind)
	n := tokens.Item(p.Transcript, out, p.Counter)
	for _, i := range place.of {
		if i != ours {
			n -= p.Items[i].TokensAfter
		}
	}
	return *out, n
}

// share says of the items that stand in one place that they were joined, and
// gives each its part of the tokens: its own, without the frame that they save.
func (p *Plan) share(place *shared) {
	sum, others := 0, 0
	for _, i := range place.of {
		if i == ours {
			continue
		}
		f := &p.Items[i]
		if f.Fate != Truncated && f.Reason != InitialContext {
			f.Reason = Joined
		}
		f.Fate = Truncated
		sum += f.TokensAfter
		others++
	}
	saved := sum - tokens.Item(p.Transcript, p.both(place.before, place.behind), p.Counter)
	for n := len(place.of) - 1; n >= 0; n-- {
		if place.of[n] == ours {
			continue
		}
		f := &p.Items[place.of[n]]
		others--
		less := saved
		if others > 0 {
			less = min(f.TokensAfter, saved/others)
		}
		f.TokensAfter -= less
		saved -= less
	}
}
