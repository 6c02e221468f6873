package core

import (
	"encoding/json"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// The types of the engine that stand in requests and results as they are.
type (
	// Error is bad input: its code, its place in the request and what is wrong.
	Error = transcript.Error
	// Model is what is known of the conversation's model.
	Model = policy.Model
	// Usage is what the provider reported for the last request.
	Usage = tokens.Usage
	// Answer is what came back for one summary request: a text, or an error code.
	Answer = summary.Answer
	// Decision says whether to compact now, and every measure behind it.
	Decision = trigger.Decision
	// RuleMeasure is one measure of one rule.
	RuleMeasure = trigger.Measure
	// ItemFate is what becomes of one item of the effective history.
	ItemFate = compact.ItemFate
	// Receipt says what became of every item, and what it cost.
	Receipt = compact.Receipt
	// Inserted is a message that a compaction added.
	Inserted = compact.Inserted
	// WindowIDs is what the host calls the open window and the next one.
	WindowIDs = trigger.WindowIDs
	// Event is the one event of an attempt to compact: codes and counts, never text.
	Event = compact.Event
	// Reported is a provider's own figures of the request that gave a summary.
	Reported = compact.Reported
	// Defect is something that the provider refuses in the input as it came.
	Defect = transcript.Defect
	// Unpruned says why a policy that clears cleared nothing.
	Unpruned = compact.Unpruned
	// Spared is why something was not cleared.
	Spared = compact.Spared
	// ReasonInfo is a reason code of a fate with its sentences.
	ReasonInfo = compact.ReasonInfo
)

// Request is the body of /v1/plan and /v1/compact.
type Request struct {
	// Transcript is a JSON value or text (JSON Lines), as it stands in a file.
	// On the wire it is that JSON value, or a JSON string that holds the text.
	// It must not change while a result of it is in use.
	Transcript []byte `json:"-"`
	// Text says that Transcript came as a JSON string: places in it are then
	// told by line and column.
	Text bool `json:"-"`

	Format        string           `json:"format,omitempty"` // "" and "auto" detect it
	Conversation  string           `json:"conversation,omitempty"`
	Policy        json.RawMessage  `json:"policy,omitempty"` // absent: the default preset
	Models        map[string]Alias `json:"models,omitempty"`
	Model         *Model           `json:"model,omitempty"`
	PreviousModel *Model           `json:"previous_model,omitempty"`
	Round         *int             `json:"round,omitempty"`
	Phase         string           `json:"phase,omitempty"`   // "pre_turn", "mid_turn", "standalone_turn"
	Trigger       string           `json:"trigger,omitempty"` // "auto", "manual"
	Force         bool             `json:"force,omitempty"`
	Usage         *Usage           `json:"usage,omitempty"`
	State         json.RawMessage  `json:"state,omitempty"`
	Window        *WindowIDs       `json:"window,omitempty"` // the host's names for its windows, which a state carries on
	Now           string           `json:"now,omitempty"`
	Rewrite       bool             `json:"rewrite,omitempty"`
	Repair        bool             `json:"repair,omitempty"`
	Summary       *string          `json:"summary,omitempty"`
	Summarizer    string           `json:"summarizer,omitempty"` // "digest"
	Answers       []Answer         `json:"answers,omitempty"`
	Cassette      Cassette         `json:"cassette,omitempty"`   // answers to replay, instead of Answers
	Record        bool             `json:"record,omitempty"`     // give the answers back as a cassette
	Checkpoint    bool             `json:"checkpoint,omitempty"` // give the whole compaction back, to be looked at later
	Trace         *TraceRequest    `json:"trace,omitempty"`      // give a trace back
}

// nextWindow is the host's name for the window that a compaction opens.
func (req *Request) nextWindow() string {
	if req.Window == nil {
		return ""
	}
	return req.Window.Next
}

// FormatInfo says what the transcript was read as, and why.
type FormatInfo struct {
	Name       string   `json:"name"`
	Confidence float64  `json:"confidence"`
	Evidence   []string `json:"evidence"`
	Shape      string   `json:"shape"` // "array", "request", "jsonl", ...
}

// CounterInfo names the counter of every figure in a result, and its known error.
type CounterInfo struct {
	Name     string  `json:"name"`
	ErrorP95 float64 `json:"error_p95"` // 95 % of texts are off by less, relative; 0: exact
	// Method is "exact" (the model's own encoding), "estimate" (a known model:
	// calibrated on o200k_base, times the factor of its family), "usage" (the
	// estimate, corrected by what the provider reported in this conversation),
	// "fallback" (no model is named, or it is not known: the estimate as it is)
	// or "bytes4" (Codex's measure).
	Method string  `json:"method"`
	Factor float64 `json:"factor,omitempty"` // what the texts' estimates were multiplied by; absent: 1
}

// ModelRequest is a request for the summariser, ready to be posted.
type ModelRequest struct {
	Purpose string          `json:"purpose"` // "summary", or "chunk" and "merge" where the history is larger than the summariser's window
	Attempt int             `json:"attempt"`
	Format  string          `json:"format"`
	Body    json.RawMessage `json:"body"`
	// Implementation is "remote" or "remote_v1" where the provider is asked to
	// compact: the answer is then the payload of its compaction item, as a text, or
	// the output of its response. Path is where such a request is posted, below the
	// base of the API, where that is no ordinary request of the format.
	Implementation string `json:"implementation,omitempty"`
	Path           string `json:"path,omitempty"`
}

// PlanBody is the plan of /v1/plan.
type PlanBody struct {
	Items               []ItemFate    `json:"items"`
	Request             *ModelRequest `json:"request"` // null: nothing to ask
	TokensBefore        int           `json:"tokens_before"`
	TokensAfterEstimate int           `json:"tokens_after_estimate"`
	Fallback            *ModelRequest `json:"fallback"`
	// Unpruned is why nothing would be cleared where the policy clears.
	Unpruned *Unpruned `json:"unpruned,omitempty"`
}

// PlanResult is the answer of /v1/plan.
type PlanResult struct {
	Format   FormatInfo      `json:"format"`
	Counter  CounterInfo     `json:"counter"`
	Decision Decision        `json:"decision"`
	Plan     PlanBody        `json:"plan"`
	State    json.RawMessage `json:"state"`
	Model    *ModelInfo      `json:"model,omitempty"` // absent: none is named
	// Repaired is what a repair changed; fates, places and counts are those of the
	// mended transcript. Aside are the lines that it took out.
	Repaired []Repaired  `json:"repaired,omitempty"`
	Aside    []AsideLine `json:"aside,omitempty"`
}

// The reasons of a result that compacted nothing.
const (
	NotTriggered  = "not_triggered"
	NothingToFold = "nothing_to_fold"
	NoProgress    = "no_progress"
	SummaryFailed = "summary_failed"

	// OpaqueSummary is the cause of no_progress where the history holds a summary
	// that only its provider can read, and no model was asked.
	OpaqueSummary = "opaque_summary"
)

// CompactResult is the answer of /v1/compact. Transcript has the form of the
// request's: the JSON value, or the text (on the wire a JSON string).
type CompactResult struct {
	Format     FormatInfo      `json:"format"`
	Counter    CounterInfo     `json:"counter"`
	Compacted  bool            `json:"compacted"`
	Reason     string          `json:"reason,omitempty"` // not_triggered, nothing_to_fold, no_progress, summary_failed
	Decision   Decision        `json:"decision"`
	Transcript []byte          `json:"-"` // on the wire behind decision, byte for byte
	Text       bool            `json:"-"`
	Summary    string          `json:"summary"` // the text alone, without prefix
	Receipt    Receipt         `json:"receipt"`
	State      json.RawMessage `json:"state"`
	Model      *ModelInfo      `json:"model,omitempty"` // absent: none is named
	// Repaired is what a repair changed; fates, places and counts are those of the
	// mended transcript. Aside are the lines that it took out.
	Repaired   []Repaired  `json:"repaired,omitempty"`
	Aside      []AsideLine `json:"aside,omitempty"`
	Cassette   Cassette    `json:"cassette,omitempty"`
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"`
	Trace      *Trace      `json:"trace,omitempty"` // absent where none was asked for, or no compaction was tried
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
	Write    string       `json:"write"`            // "edit" or "append"
	Edited   []string     `json:"edited,omitempty"` // shapes that are edited though write is "append"
	Rules    []FormatRule `json:"rules"`
}

// FormatRule is one thing that the format's provider refuses.
type FormatRule struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Source string `json:"source"` // a page of the provider's documentation, or its error
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
