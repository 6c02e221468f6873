package compact

import (
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// The outcomes of an attempt to compact.
const (
	Completed   = "completed"
	Failed      = "failed"
	Interrupted = "interrupted" // whoever asked a model gave up waiting
)

// Event is the one event of an attempt to compact, also of one that changed
// nothing: codes and counts, never text. Tokens are by the result's counter.
type Event struct {
	Operation      string `json:"operation"` // "compact"
	Trigger        string `json:"trigger"`
	Reason         string `json:"reason"`
	Phase          string `json:"phase"`
	Implementation string `json:"implementation"`
	Status         string `json:"status"`          // Completed, Failed, Interrupted
	Error          string `json:"error,omitempty"` // why it is not completed: "no_progress", "summary_failed"
	Cause          string `json:"cause,omitempty"` // of summary_failed: the error of the last answer; of no_progress: opaque_summary
	Round          int    `json:"round"`
	Window         int    `json:"window"` // the compactions before this one
	// The host's names for the window that was full, the one that the compaction
	// opened, and the first; absent where it gave none.
	WindowID       string `json:"window_id,omitempty"`
	NextWindowID   string `json:"next_window_id,omitempty"`
	FirstWindowID  string `json:"first_window_id,omitempty"`
	MessagesBefore int    `json:"messages_before"`
	MessagesAfter  int    `json:"messages_after"`
	TokensBefore   int    `json:"tokens_before"`
	TokensAfter    int    `json:"tokens_after"`
	SummaryTokens  int    `json:"summary_tokens"`
	RetainedImages int    `json:"retained_image_count"`
	// PrefixKept is what a provider's prompt cache still knows of the history: the
	// overhead and the leading items that stand in their places with their bytes.
	// PrefixLost is the rest of TokensBefore, which must be read anew if it stands
	// at all.
	PrefixKept int `json:"cached_prefix_kept"`
	PrefixLost int `json:"cached_prefix_lost"`
	// Reported is what the provider said of the request that gave the summary, absent
	// where the answer came without it. SummaryTokens are its output where the
	// provider compacts: nobody else can count what is sealed.
	Reported *Reported `json:"reported,omitempty"`
	// DurationMS is by the host's clock, nil where the host gave no times.
	DurationMS *int `json:"duration_ms,omitempty"`
}

// Reported is a provider's own figures of one request.
type Reported struct {
	InputTokens           int `json:"input_tokens"` // the cached ones included
	OutputTokens          int `json:"output_tokens"`
	CachedInputTokens     int `json:"cached_input_tokens"`
	CacheWriteInputTokens int `json:"cache_write_input_tokens"`
}

// Report puts a provider's figures into the event.
func (e *Event) Report(u *tokens.Usage) {
	input, ok := u.LastPrompt()
	output, also := u.Output()
	if !ok && !also {
		return
	}
	read, written := u.Cached()
	e.Reported = &Reported{input, output, read, written}
	if also && e.Implementation == policy.Remote && e.Status == Completed {
		e.SummaryTokens = output
	}
}

// event is that of a compaction that came to entries. Cost: a look at each part.
func (p *Plan) event(r *Receipt, d *trigger.Decision, entries []transcript.Entry) *Event {
	kept := p.prefix(entries)
	e := &Event{
		Operation: "compact", Trigger: d.Trigger, Phase: d.Phase, Round: d.Round,
		Implementation: r.Implementation, Status: Completed,
		MessagesBefore: len(p.Items), MessagesAfter: len(entries),
		TokensBefore: r.TokensBefore, TokensAfter: r.TokensAfter,
		RetainedImages: p.images(entries),
		PrefixKept:     kept, PrefixLost: r.TokensBefore - kept,
	}
	for _, in := range r.Inserted {
		if in.Kind == "summary" {
			e.SummaryTokens += in.Tokens
		}
	}
	if d.Reason != nil {
		e.Reason = *d.Reason
	}
	return e
}

// Unchanged is the event of an attempt that left everything as it is; r is the
// receipt that says so.
func (p *Plan) Unchanged(r *Receipt, d *trigger.Decision, status, why, cause string) *Event {
	idle := p.Idle()
	e := idle.event(r, d, idle.Entries)
	e.Status, e.Error, e.Cause = status, why, cause
	return e
}

// prefix is the tokens of the overhead and of the leading items of entries that
// stand where they stood, as they were.
func (p *Plan) prefix(entries []transcript.Entry) int {
	n := p.Measured.Overhead
	for i := range entries {
		if e := &entries[i]; e.From != i || e.New != nil {
			break
		}
		n += p.Measured.Items[i]
	}
	return n
}

// images counts the pictures that stand in entries.
func (p *Plan) images(entries []transcript.Entry) int {
	n := 0
	for _, e := range entries {
		it := e.New
		if it == nil {
			it = &p.Transcript.Items[e.From]
		}
		for j := range it.Parts {
			if it.Parts[j].Kind == transcript.Image {
				n++
			}
		}
	}
	return n
}
