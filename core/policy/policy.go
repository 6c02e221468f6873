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
	Keep  Keep
	// Summary says how the summary is asked for and where it is put.
	Summary Summary
	// Counter names the counter of every figure: "estimate" or "bytes4".
	Counter string
	// Implementation is "local"; other values come with remote compaction.
	Implementation string
	// Strict gives the original system's behaviour where tamp does better on
	// purpose; never against validity, conservation or an empty summary.
	Strict bool
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
	Instructions   bool  `json:"instructions"`    // leading system messages; with InitialContext off also leading developer messages
	InitialContext bool  `json:"initial_context"` // newest of each kind
	FirstUser      bool  `json:"first_user"`
	LastMessages   int   `json:"last_messages"` // at least n, widened back to a group boundary
	LastTokens     int   `json:"last_tokens"`   // newest groups that fit
	LastTurns      int   `json:"last_turns"`
	UserTokens     int   `json:"user_tokens"` // newest real user messages that fit; the first that does not is cut in the middle
	Pins           []Pin `json:"pins,omitempty"`
}

// Pin names items that stay, with their groups. Exactly one field is set.
type Pin struct {
	Index *int   `json:"index,omitempty"`
	ID    string `json:"id,omitempty"`
	Text  string `json:"text,omitempty"`
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
