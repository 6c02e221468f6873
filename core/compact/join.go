package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Folding brings items together that had others between them, and puts a message
// of our own among them. Where the provider refuses what touches then, texts are
// joined to one message (together.go); between all else stands a bridge, a short
// message of the other role. What touched in the input already is the input's own
// defect.

// ours stands for the summary in a list of items.
const ours = -1

// settler goes over the places of a plan once.
type settler struct {
	p      *Plan
	r      *transcript.Rules
	items  []transcript.Item // the plan's
	sided  []int             // for each item, the one before it that has a side; -1
	places []settled
	last   int    // the last of places that has a side, -1
	text   string // of a bridge, "" before the first
}

// settled is one place of the output.
type settled struct {
	transcript.Entry
	of     []int            // the items that stand here, in order; empty for a bridge
	it     *transcript.Item // the last of them
	bridge bool
	// What any of them is: a person's words, initial context.
	said, context bool
}

// settle joins and bridges the entries of a plan. Cost: linear in the entries.
func (p *Plan) settle() {
	r := &p.Transcript.Rules
	if !r.Alternate && !r.ThinkingFirst && !r.Signatures {
		return
	}
	s := settler{p: p, r: r, items: p.Transcript.Items, last: -1}
	s.look()
	p.stands = map[int]*transcript.Item{}
	for i := range p.Entries {
		s.add(i)
	}
	if r.Signatures {
		s.separate()
	}
	p.Entries = make([]transcript.Entry, 0, len(s.places))
	for at := range s.places {
		place := &s.places[at]
		if place.bridge {
			p.bridges = append(p.bridges, at)
		}
		for _, i := range place.of {
			if i == ours {
				p.SummaryAt = at
			}
		}
		if len(place.of) > 1 {
			place.Entry = p.together(at, place.of)
		}
		p.Entries = append(p.Entries, place.Entry)
	}
}

// look finds what stood before each item in the input.
func (s *settler) look() {
	s.sided = make([]int, len(s.items))
	before := -1
	for i := range s.items {
		s.sided[i] = before
		if s.r.Side(&s.items[i]) != "" {
			before = i
		}
	}
}

// add puts entry i of the plan behind what stands already.
func (s *settler) add(i int) {
	e := s.p.Entries[i]
	next := settled{Entry: e, of: []int{e.From}}
	switch {
	case i == s.p.SummaryAt:
		message := s.p.summaryMessage("")
		message.Summary = true
		next.it = &message
	case e.New != nil:
		next.it = e.New
		s.p.stands[e.From] = e.New
	default:
		next.it = &s.items[e.From]
	}
	next.said, next.context = next.it.RealUser(), next.it.Context != ""
	if s.last >= 0 && s.refused(&s.places[s.last], &next) {
		if s.last == len(s.places)-1 && s.join(&next) {
			return
		}
		s.bridge(&next)
	}
	s.put(next)
}

func (s *settler) put(next settled) {
	if s.r.Side(next.it) != "" {
		s.last = len(s.places)
	}
	s.places = append(s.places, next)
}

// refused reports whether the provider refuses b behind a, and took what was
// between them in the input.
func (s *settler) refused(a, b *settled) bool {
	if len(a.of) > 0 && len(b.of) > 0 {
		last, first := a.of[len(a.of)-1], b.of[0]
		switch {
		case first == ours || last == ours:
		case s.sided[first] == last:
			return false // they touched before
		case s.p.Pairing.Group[first] == s.p.Pairing.Group[last]:
			return false // nothing may come between a call and its result, even where it did
		}
	}
	x, y := s.r.Side(a.it), s.r.Side(b.it)
	if y == "" {
		return false
	}
	if s.r.Alternate && x == y {
		return true
	}
	// A provider that joins messages of one role wants the thinking of a turn
	// first, and where the latest turn had it.
	holds, _ := b.it.Thinks()
	return s.r.ThinkingFirst && holds && x == transcript.Assistant && y == transcript.Assistant
}

// join puts next into the place before it, where both are texts and the format
// can do that. A person's words and initial context stay apart: as one message
// neither would be known again.
func (s *settler) join(next *settled) bool {
	a := &s.places[s.last]
	if a.bridge || a.it.Role != next.it.Role || !texts(a.it) || !texts(next.it) || a.context && next.said || a.said && next.context {
		return false
	}
	if _, ok := s.p.Transcript.Writer.Joined(a.it, next.it); !ok {
		return false
	}
	a.of, a.it = append(a.of, next.of...), next.it
	a.said, a.context = a.said || next.said, a.context || next.context
	return true
}

// texts reports whether a message is of texts, perhaps with media: nothing in it
// pairs with another item, and nothing is checked by its bytes.
func texts(it *transcript.Item) bool {
	for j := range it.Parts {
		switch p := &it.Parts[j]; p.Kind {
		case transcript.Text, transcript.Image, transcript.Audio, transcript.File:
			if p.Signed {
				return false
			}
		default:
			return false
		}
	}
	return it.Has(transcript.Text)
}

// bridge puts a message between the last place and next: of the role that
// neither has.
func (s *settler) bridge(next *settled) {
	role := transcript.User
	if s.r.Alternate && s.places[s.last].it.Role == transcript.User && next.it.Role == transcript.User {
		role = transcript.Assistant
	}
	s.put(s.bridging(role))
}

func (s *settler) bridging(role transcript.Role) settled {
	if s.text == "" { // looks at all of the user's texts
		s.text = summary.Bridge(s.p.Policy.Summary.Language, s.p.Transcript)
	}
	message := s.p.Transcript.Writer.Message(role, s.text)
	return settled{Entry: transcript.Entry{From: -1, New: &message}, it: &message, bridge: true}
}

// separate keeps the calls of earlier turns out of the current one, whose calls
// must all be signed. A user's text ends a turn; where all that stood behind an
// earlier call is gone, a bridge does.
func (s *settler) separate() {
	current := len(s.items) // where the input's current turn begins
	for current > 0 && !endsTurn(&s.items[current-1]) {
		current--
	}
	signs := false // the model does, somewhere
	for i := range s.items {
		signed, _ := s.items[i].SignedStep()
		signs = signs || signed
	}
	last, unsigned := -1, false // the last earlier step in the output's current turn, and whether any step there is not signed
	for at := len(s.places) - 1; at >= 0 && !endsTurn(s.places[at].it); at-- {
		signed, calls := s.places[at].it.SignedStep()
		if !calls {
			continue
		}
		unsigned = unsigned || !signed
		if last < 0 && s.places[at].of[0] < current {
			last = at
		}
	}
	if !signs || !unsigned || last < 0 {
		return
	}
	behind := last + 1
	group := s.p.Pairing.Group[s.places[last].of[0]]
	for behind < len(s.places) && len(s.places[behind].of) > 0 && s.places[behind].of[0] != ours && s.p.Pairing.Group[s.places[behind].of[0]] == group {
		behind++
	}
	s.places = slices.Insert(s.places, behind, s.bridging(transcript.User))
}

// endsTurn reports whether a turn ends with an item: a message of the user that
// holds no results.
func endsTurn(it *transcript.Item) bool {
	return it.Role == transcript.User && !it.Has(transcript.Result)
}
