package transcript

import "slices"

// Rules is what a provider refuses, as data: plan, tests and page read the
// same table. The zero value refuses nothing.
type Rules struct {
	Provider string
	// Roles are the legal roles of items; empty is any.
	Roles []Role
	// FirstRole must be that of the first item after the instructions; "" is any.
	FirstRole Role
	// ResultsFollow: the results of an assistant message stand directly behind
	// it, all of them, before anything else.
	ResultsFollow bool
	// ResultsInUser: the results stand in the user message behind the calls,
	// before any text of it (Anthropic).
	ResultsInUser bool
	// CallsAnswered: a call without a result is refused, but for calls that are
	// still open at the end.
	CallsAnswered bool
	// ResultsCalled: a result without an earlier call is refused.
	ResultsCalled bool
	// ReasoningWithItem: reasoning is refused without the generated item that
	// followed it.
	ReasoningWithItem bool
	// NotEmpty: a message without content is refused (but for the last
	// assistant message).
	NotEmpty bool
	// IDsPresent: a call or result without an id is refused.
	IDsPresent bool
	// UniqueIDs: two calls with one id are refused.
	UniqueIDs bool
}

// Knows reports whether items of that role are legal.
func (r *Rules) Knows(role Role) bool {
	return len(r.Roles) == 0 || slices.Contains(r.Roles, role)
}

// Rule is one of the Rules with its code and its sentence.
type Rule struct {
	Code string
	Text string
}

// Defect is a place that breaks a rule.
type Defect struct {
	Path    string `json:"path"` // below the transcript as sent
	Code    string `json:"code"`
	Message string `json:"message"`
}
