package transcript

import (
	"fmt"
	"strconv"
)

// Validate lists what the transcript's provider refuses, by its Rules, in the
// order of the items within each rule. An empty transcript has no defects.
// Cost: linear.
func Validate(t *Transcript, p *Pairing) []Defect {
	v := validator{t: t, r: &t.Rules, p: p}
	v.roles()
	if v.r.ResultsCalled {
		for _, ref := range p.Orphans {
			v.part(ref, "results_called", "result without an earlier call")
		}
	}
	if v.r.CallsAnswered {
		for _, ref := range p.Unanswered {
			v.part(ref, "calls_answered", "call without a result")
		}
	}
	if v.r.ResultsFollow {
		v.resultsFollow()
	}
	if v.r.ResultsInUser {
		v.resultsInUser()
	}
	if v.r.ReasoningWithItem {
		v.reasoning()
	}
	if v.r.IDsPresent {
		v.missing()
	}
	if v.r.UniqueIDs {
		v.ids()
	}
	return v.found
}

type validator struct {
	t     *Transcript
	r     *Rules
	p     *Pairing
	found []Defect
}

func (v *validator) item(i int, code, message string) {
	v.found = append(v.found, Defect{v.t.Items[i].Path, code, message})
}

func (v *validator) part(r Ref, code, message string) {
	if id := v.t.Items[r.Item].Parts[r.Part].ID; id != "" {
		message += " (" + strconv.Quote(Clip(id)) + ")"
	}
	v.item(r.Item, code, message)
}

func (v *validator) roles() {
	first := true
	for i := range v.t.Items {
		it := &v.t.Items[i]
		if !v.r.Knows(it.Role) {
			v.item(i, "known_roles", fmt.Sprintf("role %q is unknown to the provider", Clip(string(it.Role))))
			continue
		}
		if it.Role == System || it.Role == Developer {
			continue
		}
		if first && v.r.FirstRole != "" && it.Role != v.r.FirstRole {
			v.item(i, "first_role", fmt.Sprintf("first role is %q, must be %q", Clip(string(it.Role)), v.r.FirstRole))
		}
		first = false
		if v.r.NotEmpty && it.Empty && (it.Role != Assistant || i < len(v.t.Items)-1) {
			v.item(i, "not_empty", "message without content")
		}
	}
}

// resultsFollow: behind a message with calls stand its results and nothing
// else, until all of them are there.
func (v *validator) resultsFollow() {
	for i := range v.t.Items {
		missing := map[string]int{}
		for _, part := range v.t.Items[i].Parts {
			if part.Kind == Call && part.ID != "" && !part.Server {
				missing[part.ID]++
			}
		}
		for j := i + 1; len(missing) > 0 && j < len(v.t.Items); j++ {
			it := &v.t.Items[j]
			if it.Role != Tool {
				// Calls that nobody answers anywhere are told once, by calls_answered.
				if v.laterAnswer(i, j) {
					v.item(j, "results_follow", "stands between a call and its result")
				}
				break
			}
			for _, part := range it.Parts {
				if part.Kind == Result {
					if missing[part.ID]--; missing[part.ID] <= 0 {
						delete(missing, part.ID)
					}
				}
			}
		}
	}
}

// laterAnswer reports whether a result for item i stands at j or behind it.
func (v *validator) laterAnswer(i, j int) bool {
	for _, p := range v.p.Partners[i] {
		if p >= j {
			return true
		}
	}
	return false
}

// resultsInUser: the results of an assistant turn stand in the user turn
// behind it, before its text. A turn is a run of messages of one role: the
// provider joins them.
func (v *validator) resultsInUser() {
	items := v.t.Items
	orphan := map[Ref]bool{} // told already, by results_called
	for _, ref := range v.p.Orphans {
		orphan[ref] = true
	}
	for i := 0; i < len(items); {
		end := v.turn(i)
		if items[i].Role == User {
			text := false
			for j := i; j < end; j++ {
				for k, part := range items[j].Parts {
					switch part.Kind {
					case Result:
						if text && !part.Server && !orphan[Ref{j, k}] {
							v.part(Ref{j, k}, "results_in_user", "result behind text of the same turn")
						}
					case Text:
						text = text || part.Text != ""
					default:
					}
				}
			}
		}
		if items[i].Role == Assistant {
			next := end
			if end < len(items) {
				next = v.turn(end)
			}
			for j := i; j < end; j++ {
				for _, p := range v.p.Partners[j] {
					if p >= next || p < end {
						v.item(p, "results_in_user", "result is not in the user turn behind its call")
					}
				}
			}
		}
		i = end
	}
}

// turn is the end of the run of items that have the role of item i.
func (v *validator) turn(i int) int {
	end := i + 1
	for end < len(v.t.Items) && v.t.Items[end].Role == v.t.Items[i].Role {
		end++
	}
	return end
}

func (v *validator) reasoning() {
	for i := range v.t.Items {
		if v.t.Items[i].Type != "reasoning" || i == len(v.t.Items)-1 {
			continue // the last answer may still be under way
		}
		if next := &v.t.Items[i+1]; !next.Generated() || next.Summary {
			v.item(i, "reasoning_with_item", "reasoning without the item that followed it")
		}
	}
}

func (v *validator) missing() {
	for i := range v.t.Items {
		for _, part := range v.t.Items[i].Parts {
			if (part.Kind == Call || part.Kind == Result) && part.ID == "" && !part.Server {
				v.item(i, "ids_present", part.Kind.String()+" without an id")
			}
		}
	}
}

func (v *validator) ids() {
	seen := map[string]bool{}
	for i := range v.t.Items {
		for j, part := range v.t.Items[i].Parts {
			if part.Kind != Call || part.ID == "" {
				continue
			}
			if seen[part.ID] {
				v.part(Ref{i, j}, "unique_ids", "second call with the id of an earlier one")
			}
			seen[part.ID] = true
		}
	}
}
