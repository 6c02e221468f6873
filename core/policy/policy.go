// Package policy says, as plain data, when to compact, what to keep and how
// the summary is made. Three ways to write one (lait's own fields, Codex's own
// fields, tamp's presets) are compiled into one Policy, so that the engine
// knows no system by name.
package policy

// Policy is what the engine runs. The zero value fires never and keeps
// nothing; Compile fills it.
type Policy struct {
	// Triggers is a list of rules: any of them fires, each needs all of its
	// measures. Empty is off.
	Triggers []Rule
	// Usage says which number of the provider's usage is measured.
	Usage Usage
	// Limits are the sizes that a switch to this model must stay below.
	Limits Limits
	// Scope says what of it the rules on tokens and fraction measure.
	Scope Scope
	Keep  Keep
	// Tools says what goes of old tool items, thinking and media before anything
	// is folded, without a model. nil: nothing.
	Tools *Tools
	// Summary says how the summary is asked for and where it is put.
	Summary Summary
	// Counter names the counter of every figure: "estimate" or "bytes4".
	Counter string
	// Implementation says who makes the summary: Local, Remote or RemoteV1.
	Implementation string
	// Retain says what stays beside a summary that only the provider can read.
	Retain Retain
	// Strict gives the original system's behaviour where tamp does better on
	// purpose; never against validity, conservation or an empty summary.
	Strict bool
}

// The implementations. Local asks a model for a text. The other two ask the
// provider for a summary that only it can read: Remote with an item at the end
// of an ordinary request, RemoteV1 at an endpoint of its own, whose answer holds
// the messages that stay as well.
const (
	Local    = "local"
	Remote   = "remote"
	RemoteV1 = "remote_v1"
)

// Retain are the budgets of what stays beside an opaque summary, in tokens.
type Retain struct {
	Tokens      int // the newest messages of people, hooks and other agents that fit; the first that does not is cut
	AgentTokens int // a message of another agent that is longer goes
}

// Opaque reports whether the summary is one that only the provider can read.
func (p *Policy) Opaque() bool { return p.Implementation == Remote || p.Implementation == RemoteV1 }

// Halve makes every budget for what stays half of what it is. False where there
// is nothing left to give up.
func (p *Policy) Halve() bool {
	had := p.Retain.Tokens
	p.Retain.Tokens /= 2
	return p.Keep.Halve() || had > 0
}

// Usage is the source of the token measure.
type Usage string

// The sources: lait looks at the previous round's prompt and knows nothing
// without usage; all others at the active tokens (usage and what came after
// it, without usage the counter's total).
const (
	LastPrompt Usage = "last_prompt"
	Active     Usage = "active"
)

// Limits are two sizes in active tokens; 0 is unknown. Auto is nine tenths of the
// model's window, or a configured limit below that; Hard is what the window
// holds at most.
type Limits struct{ Auto, Hard int }

// Scope is what of the active tokens a rule measures.
type Scope string

// The scopes: all of them, or what came since the prefill of the window (the
// first request after the last compaction, or the first of all).
const (
	Total           Scope = "total"
	BodyAfterPrefix Scope = "body_after_prefix"
)

// Rule fires when each measure that is set is reached. Rounds is reached at
// its multiples, all others at measured >= threshold. 0 is not set.
type Rule struct {
	Rounds          int     `json:"rounds,omitempty"`
	Tokens          int     `json:"tokens,omitempty"`
	Fraction        float64 `json:"fraction,omitempty"` // of the model's context window
	Window          int     `json:"window,omitempty"`   // the hard window, in active tokens
	Messages        int     `json:"messages,omitempty"`
	Turns           int     `json:"turns,omitempty"`
	Bytes           int     `json:"bytes,omitempty"`
	ToolOutputShare float64 `json:"tool_output_share,omitempty"` // of the counted tokens
}

// Keep says what stays as it is. Everything else is folded.
type Keep struct {
	All            bool  `json:"all"`             // everything: nothing is folded and no summary is made; needs Tools
	Instructions   bool  `json:"instructions"`    // leading system messages; with InitialContext off also leading developer messages
	InitialContext bool  `json:"initial_context"` // newest of each kind
	FirstUser      bool  `json:"first_user"`
	LastMessages   int   `json:"last_messages"` // at least n, widened back to a group boundary
	LastTokens     int   `json:"last_tokens"`   // newest groups that fit
	LastBytes      int   `json:"last_bytes"`    // newest groups that fit, in bytes as they are sent
	LastTurns      int   `json:"last_turns"`
	UserTokens     int   `json:"user_tokens"` // newest real user messages that fit; the first that does not is cut in the middle
	Pins           []Pin `json:"pins,omitempty"`
}

// Halve makes every budget for the newest items half of what it is, then lets go
// of the first user message. False where there is nothing left to give up.
func (k *Keep) Halve() bool {
	had := *k
	k.LastMessages, k.LastTokens, k.LastBytes, k.LastTurns, k.UserTokens = k.LastMessages/2, k.LastTokens/2, k.LastBytes/2, k.LastTurns/2, k.UserTokens/2
	gone := max(had.LastMessages, had.LastTokens, had.LastBytes, had.LastTurns, had.UserTokens) == 0
	if gone {
		k.FirstUser = false
	}
	return !gone || had.FirstUser
}

// Pin names items that stay, with their groups. Exactly one field is set.
type Pin struct {
	Index *int   `json:"index,omitempty"`
	ID    string `json:"id,omitempty"`
	Text  string `json:"text,omitempty"`
}

// Tools says which parts of old items are replaced by a placeholder that names
// them. What the model has not answered yet always stays. The zero value clears
// all tool results that it has answered.
type Tools struct {
	KeepLast      int      `json:"keep_last"`      // the newest n results stay
	ProtectTokens int      `json:"protect_tokens"` // so do the newest that are so many tokens together
	MinGain       int      `json:"min_gain"`       // nothing is cleared where all of it together saves fewer tokens
	Exclude       []string `json:"exclude"`        // tools whose calls and results stay
	KeepErrors    bool     `json:"keep_errors"`    // failed results stay
	Inputs        bool     `json:"inputs"`         // the inputs of the calls go with their results
	Reasoning     string   `json:"reasoning"`      // "keep"; "drop": thinking of earlier turns goes, where the provider takes the rest without it
	Media         string   `json:"media"`          // "keep"; "placeholder": for media of earlier turns
}

// Summary says how the summary is asked for and where it stands.
type Summary struct {
	Role      string `json:"role"`       // "user" or "assistant": a wish, the receipt says what it became
	Place     string `json:"place"`      // "after_instructions" or "end"
	Prefix    string `json:"prefix"`     // stands before the summary on lines of its own
	Prompt    string `json:"prompt"`     // the instruction that asks a model for the summary
	Model     string `json:"model"`      // alias or id, "" is the conversation's own
	Language  string `json:"language"`   // "auto": that of the user; else a BCP 47 tag
	MaxTokens int    `json:"max_tokens"` // 0: digest min(2,000, 10 % of what is folded), model 2,000
	SendTools string `json:"send_tools"` // "auto", "always", "never"
	OnFailure string `json:"on_failure"` // "error", "digest", "keep"
}

// Model is what is known of the model that the conversation runs on. 0 is
// unknown.
type Model struct {
	ID                            string `json:"id,omitempty"`
	ContextWindow                 int    `json:"context_window,omitempty"`
	MaxContextWindow              int    `json:"max_context_window,omitempty"`
	EffectiveContextWindowPercent int    `json:"effective_context_window_percent,omitempty"` // 0: 95
	CompHash                      string `json:"comp_hash,omitempty"`
}
