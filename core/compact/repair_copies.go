package compact

import "github.com/tamp-dev/tamp/core/transcript"

// What stands twice, byte for byte.

// doubles takes out exact copies, which some harnesses write again when a session
// goes on: of items with an id of their own, and, where two calls may not share
// an id, of a call with its result. A server that counts its ids anew for each
// answer makes equal calls too, with results of their own: those only get ids.
func (m *mender) doubles() {
	r := &m.t.Rules
	var answers map[transcript.Ref][]transcript.Ref // the results of a call
	seen := map[string]int{}
	for i := range m.t.Items {
		it := &m.t.Items[i]
		earlier, copied := seen[string(it.Raw)]
		switch {
		case it.ID == "" && (!r.UniqueIDs || r.AnswerIDs || !it.Has(transcript.Call) || !allNamed(it)):
			continue
		case !copied:
			seen[string(it.Raw)] = i
		case it.ID != "" && r.UniqueItemIDs:
			if answers == nil && it.Has(transcript.Call) {
				answers = m.answers()
			}
			if m.answeredAnew(earlier, i, answers) {
				continue
			}
			m.drop(i, "unique_item_ids", "an exact copy of an earlier item was taken out")
		case it.ID == "" && i+1 < len(m.t.Items) && results(&m.t.Items[i+1]) && string(m.t.Items[i+1].Raw) == string(m.t.Items[earlier+1].Raw):
			m.drop(i, "unique_ids", "an exact copy of an earlier call was taken out, with its result")
			m.items[i+1].gone = true
		}
	}
}

// copies takes out exact copies of what the model did in the same answer, which a
// harness wrote twice: messages with calls whose results came once. The first
// keeps them, and those that came twice have no call any more.
func (m *mender) copies() {
	r := &m.t.Rules
	if !r.CallsAnswered {
		return
	}
	var answers map[transcript.Ref][]transcript.Ref // the results of a call
	first := map[string]int{}                       // of this answer, by its bytes
	for i := range m.t.Items {
		it := &m.t.Items[i]
		if !it.Generated() {
			clear(first)
			continue
		}
		if !it.Has(transcript.Call) {
			continue
		}
		original, copied := first[string(it.Raw)]
		if !copied {
			first[string(it.Raw)] = i
			continue
		}
		if answers == nil {
			answers = m.answers()
		}
		if m.answeredOnce(original, i, answers) {
			m.drop(i, "calls_answered", "an exact copy of an earlier call was taken out, whose results came once")
		}
	}
}

// answers are the results of each call.
func (m *mender) answers() map[transcript.Ref][]transcript.Ref {
	all := map[transcript.Ref][]transcript.Ref{}
	for result, call := range transcript.Calls(&m.t) {
		all[call] = append(all[call], result)
	}
	return all
}

// answeredOnce reports whether the calls of a copy have no result that those of
// the original have not. A copy whose calls all have one is told by their ids
// only: a model may well do the same thing twice.
func (m *mender) answeredOnce(original, copied int, answers map[transcript.Ref][]transcript.Ref) bool {
	lacks := false
	for j := range m.t.Items[copied].Parts {
		if m.t.Items[copied].Parts[j].Kind != transcript.Call {
			continue
		}
		known := map[string]bool{}
		for _, ref := range answers[transcript.Ref{Item: original, Part: j}] {
			known[m.said(ref)] = true
		}
		own := answers[transcript.Ref{Item: copied, Part: j}]
		lacks = lacks || len(own) == 0
		for _, ref := range own {
			if !known[m.said(ref)] {
				return false
			}
		}
	}
	return lacks || m.t.Rules.UniqueIDs && !m.t.Rules.AnswerIDs && allNamed(&m.t.Items[copied])
}

// answeredAnew reports whether a call of a copy has a result that is not one of
// the original's: it was made a second time, and what came of it must stay.
func (m *mender) answeredAnew(original, copied int, answers map[transcript.Ref][]transcript.Ref) bool {
	for j := range m.t.Items[copied].Parts {
		known := map[string]bool{}
		for _, ref := range answers[transcript.Ref{Item: original, Part: j}] {
			known[m.said(ref)] = true
		}
		for _, ref := range answers[transcript.Ref{Item: copied, Part: j}] {
			if !known[m.said(ref)] {
				return true
			}
		}
	}
	return false
}

// said is a result as it stands.
func (m *mender) said(ref transcript.Ref) string {
	it := &m.t.Items[ref.Item]
	if p := &it.Parts[ref.Part]; p.End > 0 {
		return string(it.Raw[p.Start:p.End])
	}
	return string(it.Raw)
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
