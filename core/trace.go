package core

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// How a compaction is seen from outside: its event, as lait's trace has it and as
// a span of OpenTelemetry. None of it holds a word of the transcript. The times
// are the host's: there is no clock here.

// TraceRequest asks for a trace and says what only the host knows.
type TraceRequest struct {
	Seq   int    `json:"seq,omitempty"`   // place among the host's events, from 0
	Label string `json:"label,omitempty"` // the host's name for the run or step
	Start string `json:"start"`           // RFC 3339: when the compaction began, summary requests included
	End   string `json:"end"`
	Usage *Usage `json:"usage,omitempty"` // what the provider reported for the summary requests, added up
}

// maxLabel is the longest label, in bytes.
const maxLabel = 200

// check refuses what no trace can be made of.
func (r *TraceRequest) check() error {
	if r == nil {
		return nil
	}
	bad := func(field, format string, args ...any) error {
		return &Error{Code: "invalid_request", Path: "trace." + field, Message: fmt.Sprintf(format, args...)}
	}
	const form = "is %q, must be a time as in RFC 3339, from 1970 to 2261: 2026-11-30T16:50:00Z"
	start, begins := readInstant(r.Start)
	end, ends := readInstant(r.End)
	switch {
	case r.Seq < 0:
		return bad("seq", "is %d, must be at least 0", r.Seq)
	case len(r.Label) > maxLabel:
		return bad("label", "has %d bytes, the limit is %d", len(r.Label), maxLabel)
	case !begins:
		return bad("start", form, transcript.Clip(r.Start))
	case !ends:
		return bad("end", form, transcript.Clip(r.End))
	case end.nanos() < start.nanos():
		return bad("end", "is %q, which is before the start, %q", transcript.Clip(r.End), transcript.Clip(r.Start))
	}
	return nil
}

// duration is the milliseconds from start to end, rounded down.
func (r *TraceRequest) duration() int {
	start, _ := readInstant(r.Start)
	end, _ := readInstant(r.End) // both were checked
	return (end.nanos() - start.nanos()) / 1_000_000
}

// Trace is a compaction as two systems write it.
type Trace struct {
	Lait *LaitTrace `json:"lait"` // null where nothing was compacted: lait has no line for that
	OTel Span       `json:"otel"`
}

// LaitTrace is a line of lait's trace file.
type LaitTrace struct {
	Seq        int            `json:"seq"`
	Operation  string         `json:"operation"` // "compact"
	Label      string         `json:"label"`
	Start      string         `json:"start"` // RFC 3339, UTC
	End        string         `json:"end"`
	DurationMS int            `json:"duration_ms"`
	Attributes LaitAttributes `json:"attributes"`
}

// LaitAttributes are those of a compaction.
type LaitAttributes struct {
	Round          int `json:"lait.compaction.round"`
	MessagesBefore int `json:"lait.compaction.messages_before"`
	MessagesAfter  int `json:"lait.compaction.messages_after"`
}

// Span is a span in the JSON of OpenTelemetry's protocol (OTLP), whose names are
// not in snake case. The ids are the host's to add.
type Span struct {
	Name       string      `json:"name"`
	Kind       int         `json:"kind"` // 1: internal
	Start      string      `json:"startTimeUnixNano"`
	End        string      `json:"endTimeUnixNano"`
	Attributes []Attribute `json:"attributes"`
	Status     SpanStatus  `json:"status"`
}

// SpanStatus says whether the operation went well: 0 unset, 2 error.
type SpanStatus struct {
	Code int `json:"code,omitempty"`
}

// Attribute is one attribute of a span.
type Attribute struct {
	Key   string         `json:"key"`
	Value AttributeValue `json:"value"`
}

// AttributeValue holds exactly one of them. Integers are strings in OTLP.
type AttributeValue struct {
	String *string `json:"stringValue,omitempty"`
	Int    *string `json:"intValue,omitempty"`
	Bool   *bool   `json:"boolValue,omitempty"`
}

// tried ends an attempt that changed nothing, for that reason; cause is the error
// of the last answer.
func (j *job) tried(res *CompactResult, reason, cause string) *CompactResult {
	status := compact.Failed
	if cause == summary.Interrupted {
		status = compact.Interrupted
	}
	res.Receipt.Event = j.plan.Unchanged(&res.Receipt, j.decision, status, reason, cause)
	j.observed(res)
	return j.leave(res, reason)
}

// observed adds to the event of a result what the plan does not know, and makes
// the trace.
func (j *job) observed(res *CompactResult) {
	if n := len(j.req.Answers); n > 0 && res.Receipt.Summary.By == "model" {
		res.Receipt.Event.Report(j.req.Answers[n-1].Usage)
	}
	j.hosts(res.Receipt.Event)
	if r := j.req.Trace; r != nil {
		res.Trace = r.trace(&res.Receipt, j.summaryModel(&res.Receipt), res.Counter.Name)
	}
}

// hosts adds what the caller said: the window and the time.
func (j *job) hosts(e *Event) {
	w := j.carried.Window
	e.Window, e.WindowID, e.FirstWindowID = w.Number, w.ID, w.First
	if e.Status == compact.Completed {
		e.NextWindowID = j.req.nextWindow()
	}
	if r := j.req.Trace; r != nil {
		ms := r.duration()
		e.DurationMS = &ms
	}
}

// summaryModel is the model that wrote the summary, "" where none did. One that
// only the transcript names is told as the table of models has it, or not at all:
// what stands in a transcript may be anything.
func (j *job) summaryModel(r *Receipt) string {
	switch {
	case r.Summary.By != "model":
		return ""
	case r.Summary.Model != nil && *r.Summary.Model == j.plan.Other: // the request's own model
		return transcript.Clip(j.plan.Other)
	case j.policy.Summary.Model != "", j.switching() && j.req.PreviousModel.ID != "", j.req.Model != nil && j.req.Model.ID != "":
		return transcript.Clip(j.model())
	case j.row != nil:
		return transcript.Clip(j.row.ID)
	}
	return ""
}

func (r *TraceRequest) trace(receipt *Receipt, model, counter string) *Trace {
	e := receipt.Event
	start, _ := readInstant(r.Start)
	end, _ := readInstant(r.End) // both were checked
	t := &Trace{OTel: Span{
		Name: "compact", Kind: 1,
		Start: strconv.Itoa(start.nanos()), End: strconv.Itoa(end.nanos()),
		Attributes: attributes(e, receipt.Summary, r.Usage, model, counter),
	}}
	if model != "" {
		t.OTel.Name += " " + model
	}
	if e.Status != compact.Completed {
		t.OTel.Status.Code = 2
		return t
	}
	t.Lait = &LaitTrace{
		Seq: r.Seq, Operation: e.Operation, Label: r.Label, Start: start.utc(), End: end.utc(), DurationMS: r.duration(),
		Attributes: LaitAttributes{e.Round, e.MessagesBefore, e.MessagesAfter},
	}
	return t
}

// attributes are those of the semantic conventions for generative AI where they
// have one, and tamp's own. Of the operations that they name none is this one.
// Their flag of a compacted conversation is only ever true.
func attributes(e *Event, by compact.SummaryBy, u *tokens.Usage, model, counter string) []Attribute {
	var list []Attribute
	text := func(key, v string) {
		if v != "" {
			list = append(list, Attribute{key, AttributeValue{String: &v}})
		}
	}
	number := func(key string, n int) {
		v := strconv.Itoa(n)
		list = append(list, Attribute{key, AttributeValue{Int: &v}})
	}
	text("gen_ai.operation.name", e.Operation)
	if e.Status == compact.Completed {
		yes := true
		list = append(list, Attribute{"gen_ai.conversation.compacted", AttributeValue{Bool: &yes}})
	}
	text("gen_ai.request.model", model)
	if u != nil {
		if n, ok := u.LastPrompt(); ok {
			number("gen_ai.usage.input_tokens", n)
		}
		for _, c := range []struct {
			key   string
			value *int
		}{
			{"gen_ai.usage.output_tokens", cmp.Or(u.OutputTokens, u.CompletionTokens)},
			{"gen_ai.usage.cache_read.input_tokens", u.CacheReadInputTokens},
			{"gen_ai.usage.cache_write.input_tokens", u.CacheCreationInputTokens},
		} {
			if c.value != nil && *c.value >= 0 {
				number(c.key, *c.value)
			}
		}
	}
	text("error.type", e.Error)
	for _, own := range []struct {
		key   string
		value any
	}{
		{"cause", e.Cause},
		{"trigger", e.Trigger},
		{"reason", e.Reason},
		{"phase", e.Phase},
		{"implementation", e.Implementation},
		{"status", e.Status},
		{"counter", counter},
		{"summary_by", by.By},
		{"summary_calls", by.Calls},
		{"round", e.Round},
		{"window", e.Window},
		{"window_id", e.WindowID},
		{"next_window_id", e.NextWindowID},
		{"first_window_id", e.FirstWindowID},
		{"messages_before", e.MessagesBefore},
		{"messages_after", e.MessagesAfter},
		{"tokens_before", e.TokensBefore},
		{"tokens_after", e.TokensAfter},
		{"summary_tokens", e.SummaryTokens},
		{"retained_image_count", e.RetainedImages},
		{"cached_prefix_kept", e.PrefixKept},
		{"cached_prefix_lost", e.PrefixLost},
	} {
		switch v := own.value.(type) {
		case string:
			text("tamp.compaction."+own.key, v)
		case int:
			number("tamp.compaction."+own.key, v)
		}
	}
	return list
}
