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
	// Alternate: two messages of one role in a row are refused.
	Alternate bool
	// ResultsApart is no rule of its own: under Alternate, a user message that
	// holds results is of no role that a text could have (Gemini).
	ResultsApart bool
	// ServerPairs is no rule of its own: under ResultsCalled, CallsAnswered and
	// ResultsInUser, the calls and results of the provider's own tools are looked
	// at, too (Anthropic).
	ServerPairs bool
	// ResultsFollow: the results of an assistant message stand directly behind
	// it, all of them, before anything else.
	ResultsFollow bool
	// ResultsInUser: the results stand in the user message behind the calls,
	// before any text of it (Anthropic), and in no other.
	ResultsInUser bool
	// CallsAnswered: a call without a result is refused, but for calls that are
	// still open at the end.
	CallsAnswered bool
	// ResultsCalled: a result without an earlier call is refused.
	ResultsCalled bool
	// ToolsDeclared: calls and results are refused in a request that declares no
	// tools.
	ToolsDeclared bool
	// ReasoningWithItem: reasoning that has an id is refused without the generated
	// item that followed it.
	ReasoningWithItem bool
	// ThinkingFirst: an assistant message that holds thinking begins with it.
	// Where the request asks for thinking, so does the one that the last results
	// answer.
	ThinkingFirst bool
	// ThinkingSigned: thinking without its signature is refused.
	ThinkingSigned bool
	// ThinkingNotLast: nothing may end with thinking.
	ThinkingNotLast bool
	// Signatures: in the current turn the first call of each answer is signed, if
	// the model signs at all.
	Signatures bool
	// NotEmpty: a message without content is refused.
	NotEmpty bool
	// LastEmpty is no rule of its own: under NotEmpty, a last assistant message may
	// be empty (Anthropic).
	LastEmpty bool
	// NotNull: content is refused that is null, an empty list or not there, but
	// for what may stand in its place. An empty text is content.
	NotNull bool
	// TextNotBlank: a text of nothing but white space is refused.
	TextNotBlank bool
	// IDsPresent: a call or result without an id is refused.
	IDsPresent bool
	// UniqueIDs: two calls with one id are refused.
	UniqueIDs bool
	// AnswerIDs is no rule of its own: under UniqueIDs, only the calls of one answer
	// are looked at, which is a run of messages of the model. A later one may count
	// its ids anew.
	AnswerIDs bool
	// UniqueItemIDs: two items with one id are refused.
	UniqueItemIDs bool

	// Listed are the rules as people read them, one for each that is on.
	Listed []Rule
}

// Rule is one of the Rules: its code, its sentence, and where it is known from
// (a page of the provider's documentation, or the text of its error).
type Rule struct {
	Code   string
	Text   string
	Source string
}

// Knows reports whether items of that role are legal.
func (r *Rules) Knows(role Role) bool {
	return len(r.Roles) == 0 || slices.Contains(r.Roles, role)
}

// Refuse switches on the rule of that code. False is a code that is none, or one
// that takes more than a switch: known_roles (Roles), first_role (FirstRole).
func (r *Rules) Refuse(code string) bool {
	on := r.flag(code)
	if on == nil {
		return false
	}
	*on = true
	return true
}

// On reports whether the rule of that code is checked.
func (r *Rules) On(code string) bool {
	switch code {
	case "known_roles":
		return len(r.Roles) > 0
	case "first_role":
		return r.FirstRole != ""
	}
	on := r.flag(code)
	return on != nil && *on
}

func (r *Rules) flag(code string) *bool {
	switch code {
	case "alternation":
		return &r.Alternate
	case "results_follow":
		return &r.ResultsFollow
	case "results_in_user":
		return &r.ResultsInUser
	case "calls_answered":
		return &r.CallsAnswered
	case "results_called":
		return &r.ResultsCalled
	case "tools_declared":
		return &r.ToolsDeclared
	case "reasoning_with_item":
		return &r.ReasoningWithItem
	case "thinking_first":
		return &r.ThinkingFirst
	case "thinking_signed":
		return &r.ThinkingSigned
	case "thinking_not_last":
		return &r.ThinkingNotLast
	case "signatures":
		return &r.Signatures
	case "not_empty":
		return &r.NotEmpty
	case "not_null":
		return &r.NotNull
	case "text_not_blank":
		return &r.TextNotBlank
	case "ids_present":
		return &r.IDsPresent
	case "unique_ids":
		return &r.UniqueIDs
	case "unique_item_ids":
		return &r.UniqueItemIDs
	}
	return nil
}

// Side is the role of an item that the next one's may not be under Alternate; ""
// is one that the rule does not look at (instructions, wherever they stand).
func (r *Rules) Side(it *Item) Role {
	switch {
	case it.Role == System || it.Role == Developer:
		return ""
	case r.ResultsApart && it.Role == User && it.Has(Result):
		return Tool
	}
	return it.Role
}

// Defect is a place that breaks a rule.
type Defect struct {
	Path    string `json:"path"` // below the transcript as sent
	Code    string `json:"code"`
	Message string `json:"message"`
}
