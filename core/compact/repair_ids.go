package compact

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Ids that stand twice, where what has them is not the same.

// itemIDs gives the second item of an id another one. What only the provider can
// read is bound to its id, so that such an item is better without one: OpenAI
// takes that. A reference to an item that stands there is one too many.
func (m *mender) itemIDs() {
	w, ok := m.t.Writer.(transcript.Mover)
	if !m.t.Rules.UniqueItemIDs || !ok {
		return
	}
	ids := newNames()
	for i := range m.t.Items {
		ids.taken[m.t.Items[i].ID] = true
	}
	seen := map[string]bool{}
	for i := range m.t.Items {
		it := &m.t.Items[i]
		if it.ID == "" || !seen[it.ID] {
			seen[it.ID] = true
			continue
		}
		if it.Type == "item_reference" {
			m.drop(i, "unique_item_ids", "a reference to an item that stands there was taken out")
			continue
		}
		id, message := "", "an id that an earlier item has was taken off"
		if !it.Has(transcript.Opaque) {
			id, message = ids.another(it.ID), "an id that an earlier item has became another one"
		}
		if out, ok := w.Renamed(it, id); ok {
			m.items[i].it, m.items[i].New = &out, &out
			m.tell(i, "unique_item_ids", message)
		}
	}
}

// names makes ids that nothing has yet.
type names struct {
	taken  map[string]bool
	number map[string]int // of the next copy of an id
}

func newNames() *names { return &names{map[string]bool{}, map[string]int{}} }

// another is a new id for a copy of one.
func (n *names) another(id string) string {
	k := max(2, n.number[id])
	for n.taken[id+"_"+strconv.Itoa(k)] {
		k++
	}
	n.number[id] = k + 1
	id += "_" + strconv.Itoa(k)
	n.taken[id] = true
	return id
}

// sharedIDs gives the second call of an id another one, and its results too: which
// those are, Match says. Where only the calls of one message may not share an id,
// others keep theirs.
func (m *mender) sharedIDs() {
	r := &m.t.Rules
	code, doubled := "unique_ids", []transcript.Ref(nil)
	switch {
	case r.UniqueIDs:
		doubled = transcript.Namesakes(&m.t)
	case r.ResultsCalled && r.ResultsFollow:
		code, doubled = "results_called", m.twins()
	}
	if len(doubled) == 0 {
		return
	}
	ids := newNames()
	for i := range m.t.Items {
		for j := range m.t.Items[i].Parts {
			ids.taken[m.t.Items[i].Parts[j].ID] = true
		}
	}
	given := make(map[transcript.Ref]string, len(doubled)) // the new id of a call
	for _, ref := range doubled {
		given[ref] = ids.another(m.t.Items[ref.Item].Parts[ref.Part].ID)
	}
	calls := transcript.Calls(&m.t)
	for i := range m.t.Items {
		var edits []transcript.Edit
		for j := range m.t.Items[i].Parts {
			ref := transcript.Ref{Item: i, Part: j}
			id := given[ref]
			if call, ok := calls[ref]; ok {
				id = given[call]
			}
			if id != "" {
				edits = append(edits, transcript.Edit{Part: j, ID: id})
			}
		}
		switch {
		case len(edits) == 0:
		case m.edit(i, edits):
			m.tell(i, code, "an id that an earlier call has became another one")
		default:
			for _, e := range edits { // their results keep what they have, too
				delete(given, transcript.Ref{Item: i, Part: e.Part})
			}
		}
	}
}

// twins are the calls that share their id with an earlier one of the same answer,
// where that shows: they are of two messages, two results have it, or one call has
// none. While results of one message may still come, whoever gives them knows the
// calls by the ids that they have.
func (m *mender) twins() []transcript.Ref {
	type key struct {
		answer int
		id     string
	}
	answer := make([]int, len(m.t.Items)) // of each item: a run of messages of the model is one
	for i := 1; i < len(answer); i++ {
		answer[i] = answer[i-1]
		if !m.t.Items[i].Generated() {
			answer[i]++
		}
	}
	shows := map[key]bool{}
	calls := transcript.Calls(&m.t)
	for _, ref := range transcript.Twins(&m.t) {
		shows[key{answer[calls[ref].Item], m.t.Items[ref.Item].Parts[ref.Part].ID}] = true
	}
	for _, ref := range m.pair.Unanswered {
		shows[key{answer[ref.Item], m.t.Items[ref.Item].Parts[ref.Part].ID}] = true
	}
	first := map[key]int{} // the item of the first call
	var found []transcript.Ref
	for i := range m.t.Items {
		for j := range m.t.Items[i].Parts {
			p := &m.t.Items[i].Parts[j]
			if p.Kind != transcript.Call || p.ID == "" || strings.ContainsRune(p.ID, utf8.RuneError) {
				continue
			}
			k := key{answer[i], p.ID}
			at, again := first[k]
			switch {
			case !again:
				first[k] = i
			case at != i || shows[k]:
				found = append(found, transcript.Ref{Item: i, Part: j})
			}
		}
	}
	return found
}
