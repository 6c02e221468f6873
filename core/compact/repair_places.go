package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Results that stand in the wrong place.

// misplaced moves results behind their call, where the provider wants them there:
// the items that hold nothing else, and parts out of the others. Results behind
// text of their own message move to its beginning.
func (m *mender) misplaced() {
	r := &m.t.Rules
	switch {
	case r.ResultsFollow:
		m.moveResults(m.late(), "results_follow")
	case r.ResultsInUser:
		m.moveResults(transcript.Misplaced(&m.t), "results_in_user")
		m.settle()
		m.look()
		m.sortResults(transcript.Misplaced(&m.t))
	}
}

// late are the results that do not stand directly behind the message of their
// call, with nothing but its other results between.
func (m *mender) late() []transcript.Misplace {
	calls := transcript.Calls(&m.t)
	var found []transcript.Misplace
	call := -1 // the message that results may answer here
	for i := range m.t.Items {
		it := &m.t.Items[i]
		if it.Role != transcript.Tool {
			call = i
			continue
		}
		for j := range it.Parts {
			ref := transcript.Ref{Item: i, Part: j}
			if from, ok := calls[ref]; ok && from.Item != call {
				found = append(found, transcript.Misplace{Result: ref, Call: from})
			}
		}
	}
	return found
}

// moveResults moves results behind the message of their call, or behind the run
// of messages that is one turn with it. Those of the provider's own tools and
// those whose only fault is the text of their own message stay.
func (m *mender) moveResults(list []transcript.Misplace, code string) {
	if len(list) == 0 {
		return
	}
	place := m.behindCalls()
	for n := 0; n < len(list); {
		i := list[n].Result.Item
		it := &m.t.Items[i]
		var parts, to []int
		for ; n < len(list) && list[n].Result.Item == i; n++ {
			at := list[n]
			if p := &it.Parts[at.Result.Part]; at.Call.Item >= 0 && !p.Server && (!at.BehindText || at.SaidBefore) {
				parts = append(parts, at.Result.Part)
				to = append(to, place[at.Call.Item])
			}
		}
		if len(parts) == 0 {
			continue
		}
		const message = "a result was moved behind its call"
		if len(parts) == count(it, transcript.Result) && results(it) && (it.Role == transcript.User || m.t.Rules.ResultsFollow) && !slices.ContainsFunc(to, func(k int) bool { return k != to[0] }) {
			moved := m.items[i]
			m.items[i].gone = true
			m.items[to[0]].behind = append(m.items[to[0]].behind, mended{Entry: moved.Entry, it: moved.it})
			m.tell(i, code, message)
			continue
		}
		if m.split(i, parts, to) {
			m.tell(i, code, message)
		}
	}
}

// behindCalls is, for each item, the one behind which results of its calls come to
// stand: the last one of its turn, and of the results that stand there already.
func (m *mender) behindCalls() []int {
	items := m.t.Items
	place := make([]int, len(items))
	tail := make([]int, len(items)) // the last one of the results directly behind
	for i := len(items) - 1; i >= 0; i-- {
		tail[i], place[i] = i, i
		if i+1 == len(items) {
			continue
		}
		if next := &items[i+1]; !next.Generated() && results(next) {
			tail[i] = tail[i+1]
		}
		place[i] = tail[i]
		if m.t.Rules.ResultsInUser && items[i+1].Role == items[i].Role {
			place[i] = place[i+1]
		}
	}
	return place
}

// split takes results out of an item and puts each behind its place. False where
// the format can not do that.
func (m *mender) split(i int, parts, to []int) bool {
	w, ok := m.t.Writer.(transcript.Mover)
	if !ok {
		return false
	}
	rest := m.items[i].it
	var moved []transcript.Item
	var behind []int
	for n := len(parts); n > 0; { // from the last on: the places of the others stay
		first := n - 1
		for first > 0 && to[first-1] == to[n-1] {
			first--
		}
		results, left, ok := w.Apart(rest, parts[first:n])
		if !ok {
			return false
		}
		moved, behind, rest = append(moved, results), append(behind, to[n-1]), &left
		n = first
	}
	for n := len(moved) - 1; n >= 0; n-- {
		m.insert(behind[n], &moved[n])
	}
	if len(rest.Parts) == 0 {
		m.items[i].gone = true
	} else {
		m.items[i].it, m.items[i].New = rest, rest
	}
	return true
}

// sortResults puts results before the text of their message.
func (m *mender) sortResults(list []transcript.Misplace) {
	w, ok := m.t.Writer.(transcript.Mover)
	for n := 0; ok && n < len(list); {
		i := list[n].Result.Item
		behind := false
		for ; n < len(list) && list[n].Result.Item == i; n++ {
			behind = behind || list[n].BehindText
		}
		it := &m.t.Items[i]
		var all []int
		for j := range it.Parts {
			if it.Parts[j].Kind == transcript.Result {
				all = append(all, j)
			}
		}
		if !behind {
			continue
		}
		results, rest, apart := w.Apart(it, all)
		if !apart {
			continue
		}
		if out, joined := m.t.Writer.Joined(&results, &rest); joined {
			m.items[i].it, m.items[i].New = &out, &out
			m.tell(i, "results_in_user", "results were moved before the text of their message")
		}
	}
}

func placeCode(r *transcript.Rules) string {
	if r.ResultsFollow {
		return "results_follow"
	}
	return "results_in_user"
}
