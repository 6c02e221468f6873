package core

import (
	"encoding/json"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Error is bad input: its code, its place in the request and what is wrong.
type Error = transcript.Error

// Request is the body of /v1/plan and /v1/compact.
type Request struct {
	// Transcript is a JSON value or text (JSON Lines), as it stands in a file.
	// On the wire it is that JSON value, or a JSON string that holds the text.
	Transcript []byte `json:"-"`
	// Text says that Transcript came as a JSON string: places in it are then
	// told by line and column.
	Text bool `json:"-"`

	Format        string           `json:"format,omitempty"` // "" and "auto" detect it
	Conversation  string           `json:"conversation,omitempty"`
	Policy        json.RawMessage  `json:"policy,omitempty"` // absent: the default preset
	Models        map[string]Alias `json:"models,omitempty"`
	Model         *policy.Model    `json:"model,omitempty"`
	PreviousModel *policy.Model    `json:"previous_model,omitempty"`
	Round         *int             `json:"round,omitempty"`
	Phase         string           `json:"phase,omitempty"`   // "pre_turn", "mid_turn", "standalone_turn"
	Trigger       string           `json:"trigger,omitempty"` // "auto", "manual"
	Force         bool             `json:"force,omitempty"`
	Usage         *tokens.Usage    `json:"usage,omitempty"`
	State         json.RawMessage  `json:"state,omitempty"`
	Now           string           `json:"now,omitempty"`
	Rewrite       bool             `json:"rewrite,omitempty"`
	Repair        bool             `json:"repair,omitempty"`
	Summary       *string          `json:"summary,omitempty"`
	Summarizer    string           `json:"summarizer,omitempty"` // "digest"
	Answers       []Answer         `json:"answers,omitempty"`
}

// Alias is a model behind a name that a policy may use.
type Alias struct {
	Model string `json:"model"`
}

// Answer is what came back for one summary request: a text, or an error code
// (context_length_exceeded, empty, truncated, tool_call, failed).
type Answer struct {
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

// FormatInfo says what the transcript was read as, and why.
type FormatInfo struct {
	Name       string   `json:"name"`
	Confidence float64  `json:"confidence"`
	Evidence   []string `json:"evidence"`
	Shape      string   `json:"shape"` // "array", "request", "jsonl", ...
}

// CounterInfo names the counter of every figure in a result.
type CounterInfo struct {
	Name     string  `json:"name"`
	ErrorP95 float64 `json:"error_p95"`
}

// Decision says whether to compact now, and every measure behind it.
type Decision struct {
	Fired   bool          `json:"fired"`
	Forced  bool          `json:"forced"`
	Trigger string        `json:"trigger"`
	Reason  *string       `json:"reason"` // null where nothing fired
	Phase   string        `json:"phase"`
	Round   int           `json:"round"`
	Derived []string      `json:"derived,omitempty"` // of round and phase, those that the request did not give
	Rules   []RuleMeasure `json:"rules"`
}

// RuleMeasure is one measure of one rule. Measured is null where it is unknown.
type RuleMeasure struct {
	Rule      int      `json:"rule"`
	Measure   string   `json:"measure"`
	Measured  *float64 `json:"measured"`
	Threshold *float64 `json:"threshold"`
	Fired     bool     `json:"fired"`
	Held      bool     `json:"held,omitempty"` // reached, but held back: nothing grew since it last made no progress
}

// ItemFate is what becomes of one item of the effective history.
type ItemFate struct {
	Index        int    `json:"index"`
	To           *int   `json:"to"` // its place in the output, null if it is gone
	Fate         string `json:"fate"`
	Reason       string `json:"reason"`
	Group        int    `json:"group"`
	Role         string `json:"role"`
	TokensBefore int    `json:"tokens_before"`
	TokensAfter  int    `json:"tokens_after"`
}

// ModelRequest is a request for the summariser, ready to be posted.
type ModelRequest struct {
	Purpose string          `json:"purpose"` // "summary"
	Attempt int             `json:"attempt"`
	Format  string          `json:"format"`
	Body    json.RawMessage `json:"body"`
}

// PlanBody is the plan of /v1/plan.
type PlanBody struct {
	Items               []ItemFate    `json:"items"`
	Request             *ModelRequest `json:"request"` // null: nothing to ask
	TokensBefore        int           `json:"tokens_before"`
	TokensAfterEstimate int           `json:"tokens_after_estimate"`
	Fallback            *ModelRequest `json:"fallback"`
}

// PlanResult is the answer of /v1/plan.
type PlanResult struct {
	Format   FormatInfo      `json:"format"`
	Counter  CounterInfo     `json:"counter"`
	Decision Decision        `json:"decision"`
	Plan     PlanBody        `json:"plan"`
	State    json.RawMessage `json:"state"`
}

// CompactResult is the answer of /v1/compact. Transcript has the form of the
// request's: the JSON value, or the text (on the wire a JSON string).
type CompactResult struct {
	Format     FormatInfo      `json:"format"`
	Counter    CounterInfo     `json:"counter"`
	Compacted  bool            `json:"compacted"`
	Reason     string          `json:"reason,omitempty"` // not_triggered, nothing_to_fold, no_progress, summary_failed
	Decision   Decision        `json:"decision"`
	Transcript []byte          `json:"-"` // spliced between decision and summary
	Text       bool            `json:"-"`
	Summary    string          `json:"summary"`
	Receipt    Receipt         `json:"receipt"`
	State      json.RawMessage `json:"state"`
}

// Receipt says what became of every item, and what it cost.
type Receipt struct {
	Items          []ItemFate `json:"items"`
	Inserted       []Inserted `json:"inserted"`
	OverheadBefore int        `json:"overhead_before"`
	OverheadAfter  int        `json:"overhead_after"`
	TokensBefore   int        `json:"tokens_before"`
	TokensAfter    int        `json:"tokens_after"`
	Defects        []Defect   `json:"defects"`
	NoProgress     bool       `json:"no_progress"`
	Summary        SummaryBy  `json:"summary"`
	Implementation string     `json:"implementation"`
	Event          *Event     `json:"event"` // null where nothing was compacted
}

// Inserted is a message that a compaction added.
type Inserted struct {
	To     int    `json:"to"`
	Kind   string `json:"kind"` // "summary"
	Role   string `json:"role"`
	Wanted string `json:"wanted,omitempty"` // the policy's role, where the provider refuses it at that place
	Tokens int    `json:"tokens"`
}

// Defect is something that the provider refuses in the input as it came.
type Defect struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// SummaryBy says who wrote the summary.
type SummaryBy struct {
	By    string  `json:"by"` // "caller", "digest", "model"
	Model *string `json:"model"`
	Calls int     `json:"calls"`
}

// Event is the one event of a compaction: codes and counts, never text.
type Event struct {
	Operation      string `json:"operation"` // "compact"
	Trigger        string `json:"trigger"`
	Reason         string `json:"reason"`
	Phase          string `json:"phase"`
	Implementation string `json:"implementation"`
	Status         string `json:"status"` // "completed"
	Round          int    `json:"round"`
	MessagesBefore int    `json:"messages_before"`
	MessagesAfter  int    `json:"messages_after"`
	TokensBefore   int    `json:"tokens_before"`
	TokensAfter    int    `json:"tokens_after"`
	SummaryTokens  int    `json:"summary_tokens"`
}

// FormatsResult is the answer of GET /v1/formats.
type FormatsResult struct {
	Formats []FormatEntry `json:"formats"`
}

// FormatEntry describes one format.
type FormatEntry struct {
	Name     string       `json:"name"`
	Title    string       `json:"title"`
	Provider string       `json:"provider"`
	Shapes   []string     `json:"shapes"`
	Write    string       `json:"write"` // "edit" or "append"
	Rules    []FormatRule `json:"rules"`
}

// FormatRule is one thing that the format's provider refuses.
type FormatRule struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// PresetsResult is the answer of GET /v1/presets.
type PresetsResult struct {
	Default string        `json:"default"`
	Presets []PresetEntry `json:"presets"`
}

// PresetEntry is one preset, as a policy that can be sent.
type PresetEntry struct {
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Policy json.RawMessage `json:"policy"`
}

// ReasonInfo is a reason code of a fate with its sentences.
type ReasonInfo struct {
	Code string `json:"code"`
	En   string `json:"en"`
	Ja   string `json:"ja"`
}
