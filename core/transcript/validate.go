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
	for _, c := range checks() {
		if v.r.On(c.code) {
			c.run(&v)
		}
	}
	return v.found
}

// Codes are those of all rules that Validate knows, in the order in which it
// looks at them.
func Codes() []string {
	var codes []string
	for _, c := range checks() {
		codes = append(codes, c.code)
	}
	return codes
}

// check is how one rule is looked at.
type check struct {
	code string
	run  func(*validator)
}

func checks() []check {
	return []check{
		{"known_roles", (*validator).knownRoles},
		{"first_role", (*validator).firstRole},
		{"alternation", (*validator).alternation},
		{"not_empty", (*validator).notEmpty},
		{"not_null", (*validator).notNull},
		{"text_not_blank", (*validator).textNotBlank},
		{"results_called", (*validator).resultsCalled},
		{"calls_answered", (*validator).callsAnswered},
		{"results_follow", (*validator).resultsFollow},
		{"results_in_user", (*validator).resultsInUser},
		{"tools_declared", (*validator).toolsDeclared},
		{"reasoning_with_item", (*validator).reasoning},
		{"thinking_first", (*validator).thinkingFirst},
		{"thinking_signed", (*validator).thinkingSigned},
		{"thinking_not_last", (*validator).thinkingNotLast},
		{"signatures", (*validator).signatures},
		{"ids_present", (*validator).idsPresent},
		{"unique_ids", (*validator).uniqueIDs},
		{"unique_item_ids", (*validator).uniqueItemIDs},
	}
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

func (v *validator) knownRoles() {
	for i := range v.t.Items {
		if role := v.t.Items[i].Role; !v.r.Knows(role) {
			v.item(i, "known_roles", fmt.Sprintf("role %q is unknown to the provider", Clip(string(role))))
		}
	}
}

// firstRole: a message that begins with a summary of the provider's own making
// may be first, whose ever it is: such a block replaces all that stood before it.
func (v *validator) firstRole() {
	for i := range v.t.Items {
		it := &v.t.Items[i]
		if v.r.Side(it) == "" || !v.r.Knows(it.Role) {
			continue
		}
		if it.Role != v.r.FirstRole && (len(it.Parts) == 0 || !it.Parts[0].Summary) {
			v.item(i, "first_role", fmt.Sprintf("first role is %q, must be %q", Clip(string(it.Role)), v.r.FirstRole))
		}
		return
	}
}

func (v *validator) alternation() {
	var before Role
	for i := range v.t.Items {
		side := v.r.Side(&v.t.Items[i])
		if side == "" {
			continue
		}
		if side == before {
			v.item(i, "alternation", fmt.Sprintf("second message in a row with role %q", Clip(string(v.t.Items[i].Role))))
		}
		before = side
	}
}

func (v *validator) resultsCalled() {
	for _, ref := range v.p.Orphans {
		v.part(ref, "results_called", "result without an earlier call")
	}
	if v.r.ServerPairs {
		for _, ref := range v.p.ServerOrphans {
			v.part(ref, "results_called", "result of a provider's tool without an earlier call")
		}
	}
	if v.r.ResultsFollow && !v.r.UniqueIDs {
		for _, ref := range Twins(v.t) {
			v.part(ref, "results_called", "second result for the id of a call")
		}
	}
}

func (v *validator) callsAnswered() {
	for _, ref := range v.p.Unanswered {
		v.part(ref, "calls_answered", "call without a result")
	}
	if v.r.ServerPairs {
		for _, ref := range v.p.ServerUnanswered {
			v.part(ref, "calls_answered", "call of a provider's tool without a result")
		}
	}
}

func (v *validator) idsPresent() {
	for i := range v.t.Items {
		for _, part := range v.t.Items[i].Parts {
			if (part.Kind == Call || part.Kind == Result) && part.ID == "" && !part.Server {
				v.item(i, "ids_present", part.Kind.String()+" without an id")
			}
		}
	}
}

func (v *validator) uniqueIDs() {
	for _, ref := range Namesakes(v.t) {
		v.part(ref, "unique_ids", "second call with the id of an earlier one")
	}
}

func (v *validator) uniqueItemIDs() {
	seen := map[string]bool{}
	for i := range v.t.Items {
		id := v.t.Items[i].ID
		if id == "" {
			continue
		}
		if seen[id] {
			v.item(i, "unique_item_ids", "second item with the id "+strconv.Quote(Clip(id)))
		}
		seen[id] = true
	}
}
