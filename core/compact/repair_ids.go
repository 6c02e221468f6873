package compact

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Ids that stand twice.

// doubles takes out exact copies, which some harnesses write again when a session
// goes on: of items with an id of their own, and, where two calls may not share
// an id, of a call with its result. A server that counts its ids anew for each
// answer makes equal calls too, with results of their own: those only get ids.
func (m *mender) doubles() {
	r := &m.t.Rules
	seen := map[string]int{}
	for i := range m.t.Items {
		it := &m.t.Items[i]
		earlier, copied := seen[string(it.Raw)]
		switch {
		case it.ID == "" && (!r.UniqueIDs || !it.Has(transcript.Call) || !allNamed(it)):
			continue
		case !copied:
			seen[string(it.Raw)] = i
		case it.ID != "" && r.UniqueItemIDs:
			m.drop(i, "unique_item_ids", "an exact copy of an earlier item was taken out")
		case it.ID == "" && i+1 < len(m.t.Items) && results(&m.t.Items[i+1]) && string(m.t.Items[i+1].Raw) == string(m.t.Items[earlier+1].Raw):
			m.drop(i, "unique_ids", "an exact copy of an earlier call was taken out, with its result")
			m.items[i+1].gone = true
		}
	}
}

// allNamed reports whether all calls and results of an item have ids.
func allNamed(it *transcript.Item) bool {
	for j := range it.Parts {
		if p := &it.Parts[j]; (p.Kind == transcript.Call || p.Kind == transcript.Result) && (p.ID == "" || p.ID == p.Name) {
			return false
		}
	}
	return true
}

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

// sharedIDs gives the second call of an id another one, and its result too: the
// calls of one message are answered in order, a later message's are the newer.
// Where only the calls of one message may not share an id, others keep theirs.
func (m *mender) sharedIDs() {
	r := &m.t.Rules
	code := "unique_ids"
	if !r.UniqueIDs {
		code = "results_called"
		if !r.ResultsCalled || !r.ResultsFollow || len(transcript.Twins(&m.t)) == 0 {
			return
		}
	}
	ids := newNames()
	for i := range m.t.Items {
		for j := range m.t.Items[i].Parts {
			ids.taken[m.t.Items[i].Parts[j].ID] = true
		}
	}
	queue := map[string][]string{} // the ids of calls that wait, by the id that they came with
	asked := map[string]int{}      // the item of the newest call of an id
	for i := range m.t.Items {
		var edits []transcript.Edit
		for j := range m.t.Items[i].Parts {
			p := &m.t.Items[i].Parts[j]
			switch {
			case p.ID == "" || !r.UniqueIDs && strings.ContainsRune(p.ID, utf8.RuneError):
			case p.Kind == transcript.Call:
				id := p.ID
				at, again := asked[p.ID]
				if again && at != i {
					queue[p.ID] = nil
				}
				if again && (r.UniqueIDs || at == i) {
					id = ids.another(p.ID)
					edits = append(edits, transcript.Edit{Part: j, ID: id})
				}
				asked[p.ID] = i
				queue[p.ID] = append(queue[p.ID], id)
			case p.Kind == transcript.Result && len(queue[p.ID]) > 0:
				id := queue[p.ID][0]
				queue[p.ID] = queue[p.ID][1:]
				if id != p.ID {
					edits = append(edits, transcript.Edit{Part: j, ID: id})
				}
			}
		}
		if len(edits) > 0 && m.edit(i, edits) {
			m.tell(i, code, "an id that an earlier call has became another one")
		}
	}
}
