package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What stands for what is missing: results that nobody knows, and a conversation
// of which nothing is left.

// stubs answers the calls that nobody answered.
func (m *mender) stubs() {
	if !m.t.Rules.CallsAnswered {
		return
	}
	place := m.behindCalls()
	if m.t.Rules.ResultsApart && m.apart(place) {
		m.settle()
		m.look()
		place = m.behindCalls()
	}
	item, at := -1, -1 // the place of the results of an item is looked for once
	for _, ref := range m.pair.Unanswered {
		if m.answerWithin(ref) {
			continue
		}
		stub, ok := m.t.Writer.Answer(&m.t.Items[ref.Item], ref.Part, transcript.Unanswered)
		if !ok {
			continue
		}
		if ref.Item != item {
			item, at = ref.Item, m.behindResults(ref.Item, place)
		}
		m.insert(at, &stub)
		m.tell(ref.Item, "calls_answered", "a call without a result got one that says so")
	}
}

// apart takes the results out of the messages that answer a call in part and say
// something, too: behind those that came a stub has its place, since name and order
// tell them apart. False is none.
func (m *mender) apart(place []int) bool {
	w, ok := m.t.Writer.(transcript.Mover)
	if !ok {
		return false
	}
	found, last := false, -1
	for _, ref := range m.pair.Unanswered {
		at := place[ref.Item]
		if at+1 == len(m.t.Items) || at == last {
			continue
		}
		last = at
		it := &m.t.Items[at+1]
		if it.Generated() || !it.Has(transcript.Result) {
			continue
		}
		var all []int
		for j := range it.Parts {
			if it.Parts[j].Kind == transcript.Result {
				all = append(all, j)
			}
		}
		came, rest, ok := w.Apart(it, all)
		if !ok || len(rest.Parts) == 0 {
			continue
		}
		m.insert(at, &came)
		m.items[at+1].it, m.items[at+1].New = &rest, &rest
		found = true
	}
	return found
}

// behindResults is the item behind which a result of item i comes to stand that
// nobody gave: behind those that came, since where calls have no ids their order
// tells them apart.
func (m *mender) behindResults(i int, place []int) int {
	if m.t.Rules.ResultsInUser {
		return place[i]
	}
	at := i
	for at+1 < len(m.t.Items) && results(&m.t.Items[at+1]) && (m.t.Family == transcript.Responses || slices.Contains(m.pair.PartnersOf(at+1), i)) {
		at++
	}
	return at
}

// nothing puts a user's message where nothing is left: a provider refuses an empty
// list.
func (m *mender) nothing(t *transcript.Transcript) {
	if !m.t.Rules.CallsAnswered || len(m.items) > 0 || len(m.told) == 0 {
		return
	}
	message := m.t.Writer.Message(transcript.User, transcript.Opening)
	message.Path = t.Items[0].Path
	m.items = []mended{{Entry: transcript.Entry{From: -1, New: &message, Plain: true}, it: &message}}
	m.told = append(m.told, Repaired{message.Path, m.told[len(m.told)-1].Code, "a message was put where nothing was left"})
}
