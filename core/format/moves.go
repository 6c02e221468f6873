package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What a repair does to whole messages: results go to another place, and an item
// gets another id. It implements transcript.Mover.

// Apart takes the named results out of a message. Elements of its content that
// are no parts (marks for a cache) stay where they are. Cost: linear in the item.
func (w writer) Apart(it *transcript.Item, parts []int) (results, rest transcript.Item, ok bool) {
	if w.content == nil {
		return results, rest, false
	}
	member, _ := w.content(it)
	fresh := w.Message(transcript.User, "")
	to, _ := w.content(&fresh)
	v, errIt := rawjson.Parse(it.Raw)
	inside, errFresh := rawjson.Parse(fresh.Raw)
	if errIt != nil || errFresh != nil {
		return results, rest, false
	}
	v = w.holder(v)
	taken, left, ok := sortedOut(v.Get(member), it, parts)
	if !ok {
		return results, rest, false
	}
	results = w.item(setMember(fresh.Raw, w.holder(inside), to, blockList(taken)), transcript.User)
	rest = w.item(setMember(it.Raw, v, member, blockList(left)), it.Role)
	rest.Path = it.Path
	return results, rest, true
}

// Apart takes the named results out of a message: both halves keep the ids that
// were given to calls and results without one.
func (w listWriter) Apart(it *transcript.Item, parts []int) (results, rest transcript.Item, ok bool) {
	fresh := w.Message(transcript.User, "")
	v, errIt := rawjson.Parse(it.Raw)
	inside, errFresh := rawjson.Parse(fresh.Raw)
	if errIt != nil || errFresh != nil {
		return results, rest, false
	}
	taken, left, ok := sortedOut(w.of(v).Get(w.member), it, parts)
	if !ok {
		return results, rest, false
	}
	var moved, stay []transcript.Part
	for j := range it.Parts {
		if _, goes := slices.BinarySearch(parts, j); goes {
			moved = append(moved, it.Parts[j])
		} else {
			stay = append(stay, it.Parts[j])
		}
	}
	return w.withList(&fresh, w.of(inside), taken, moved), w.withList(it, w.of(v), left, stay), true
}

// sortedOut are the elements of a list that are the named results, and the others.
// False where one of them is no element.
func sortedOut(list rawjson.Value, it *transcript.Item, parts []int) (taken, left [][]byte, ok bool) {
	goes := make(map[int]bool, len(parts))
	for _, j := range parts {
		goes[it.Parts[j].Start] = it.Parts[j].Kind == transcript.Result
	}
	for e := range list.Elems() {
		if goes[e.Start()] {
			taken = append(taken, e.Raw())
		} else {
			left = append(left, e.Raw())
		}
	}
	return taken, left, len(taken) > 0 && len(taken) == len(parts)
}

// Renamed is the item with another id. Where a person or a tool answers the item
// by its id, that stays.
func (w writer) Renamed(it *transcript.Item, id string) (transcript.Item, bool) {
	v, err := rawjson.Parse(it.Raw)
	old := v.Get("id")
	if err != nil || it.ID == "" || old.Text() != it.ID || it.Type == "item_reference" ||
		slices.ContainsFunc(it.Parts, func(p transcript.Part) bool { return p.ID == it.ID && !p.Server }) {
		return *it, false
	}
	changes := []change{{old.Start(), old.End(), rawjson.AppendQuote(nil, id)}}
	if id == "" {
		cuts, ok := removals(v, []int{old.Start()})
		if !ok {
			return *it, false
		}
		changes = cuts
	}
	out := w.item(patch(it.Raw, changes), it.Role)
	out.Path = it.Path
	return out, true
}
