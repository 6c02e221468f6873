package transcript

import (
	"strings"
	"unicode/utf8"
)

// Misplace is a result that a provider of two roles refuses where it stands:
// not in the user turn behind its call, or behind text there.
type Misplace struct {
	Result, Call Ref // Call is {-1, 0} where there is none
	BehindText   bool
	SaidBefore   bool // that text, or some of it, stands in an earlier message of the turn
}

// Misplaced are those results, in order, for providers with ResultsInUser. A turn
// is a run of messages of one role. The results of the provider's own tools stand
// in the turn of their calls, where nobody but the user's tools spoke between.
// Cost: linear.
func Misplaced(t *Transcript) []Misplace {
	calls := Calls(t)
	turn := make([]int, len(t.Items))
	words := make([]int, len(t.Items)) // messages of the user without results, up to here
	var found []Misplace
	text, said := false, false // in this turn; in its earlier messages
	for i := range t.Items {
		it := &t.Items[i]
		if i > 0 {
			turn[i], words[i], said = turn[i-1], words[i-1], text
			if it.Role != t.Items[i-1].Role {
				turn[i]++
				text, said = false, false
			}
		}
		if it.Role == User && !it.Has(Result) {
			words[i]++
		}
		end := 0 // of the newest result: its own texts stand within it
		for j := range it.Parts {
			p := &it.Parts[j]
			switch p.Kind {
			case Result:
				end = max(end, p.End)
				m := Misplace{Result: Ref{i, j}, Call: Ref{-1, 0}}
				call, called := calls[m.Result]
				placed := true
				if called {
					m.Call = call
					if p.Server {
						placed = it.Generated() && words[call.Item] == words[i]
					} else {
						placed = it.Role == User && turn[i] == turn[call.Item]+1
					}
				}
				m.BehindText = placed && text && it.Role == User && !p.Server
				m.SaidBefore = m.BehindText && said
				if !placed || m.BehindText {
					found = append(found, m)
				}
			case Text:
				text = text || p.Text != "" && (p.End == 0 || p.End > end)
			default:
			}
		}
	}
	return found
}

// Namesakes are the calls that share their id with an earlier one, for providers
// with UniqueIDs. Cost: linear.
func Namesakes(t *Transcript) []Ref {
	answers := map[string]int{} // the answer of the newest call of an id
	answer := 0
	var found []Ref
	for i := range t.Items {
		if t.Rules.AnswerIDs && !t.Items[i].Generated() {
			answer++
		}
		for j := range t.Items[i].Parts {
			p := &t.Items[i].Parts[j]
			if p.Kind != Call || p.ID == "" {
				continue
			}
			if at, again := answers[p.ID]; again && at == answer {
				found = append(found, Ref{i, j})
			}
			answers[p.ID] = answer
		}
	}
	return found
}

// Twins are the results that share their id with another result of the same item
// of calls: two calls there have one id, in order. Ids with a U+FFFD in them were
// no valid text, and may be different ones. Cost: linear.
func Twins(t *Transcript) []Ref {
	type key struct {
		item int
		id   string
	}
	seen := map[key]Ref{}
	var found []Ref
	all := make([]int, len(t.Items))
	for i := range all {
		all[i] = i
	}
	Match(t, all, func(result, call Ref, ok bool) {
		id := t.Items[result.Item].Parts[result.Part].ID
		if !ok || id == "" || strings.ContainsRune(id, utf8.RuneError) {
			return
		}
		k := key{call.Item, id}
		if first, again := seen[k]; again && first != call {
			found = append(found, result)
		} else if !again {
			seen[k] = call
		}
	})
	return found
}
