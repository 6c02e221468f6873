package core_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// longTalk is a history of a system message, a question and so many answers of
// about 150 tokens, each followed by another question.
func longTalk(answers int) string {
	long := strings.Repeat("The build log lists every package with its version. ", 15)
	more := strings.Repeat(`,{"role":"assistant","content":"`+long+`"},{"role":"user","content":"And then?"}`, answers)
	return `[{"role":"system","content":"Be careful."},{"role":"user","content":"Make it pass."}` + more + "]"
}

// observed compacts the history with lait's policy, keep the last two.
func observed(t *testing.T, change func(*core.Request)) *core.CompactResult {
	t.Helper()
	round := 12
	req := core.Request{
		Transcript: []byte(longTalk(4)), Policy: json.RawMessage(`{"lait":{"trigger_rounds":6,"keep_last_n":2}}`), Round: &round,
	}
	if change != nil {
		change(&req)
	}
	res, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Ten messages in; out come the system message, one summary and the last two. A
// prompt cache knows the overhead and the system message, nothing behind them.
func TestEventOfACompaction(t *testing.T) {
	res := observed(t, func(r *core.Request) {
		text := "Nothing is broken."
		r.Summary = &text
	})
	r, e := res.Receipt, res.Receipt.Event
	summary := 0
	for _, in := range r.Inserted {
		summary += in.Tokens
	}
	want := core.Event{
		Operation: "compact", Trigger: "auto", Reason: "rounds", Phase: "pre_turn", Implementation: "local", Status: "completed",
		Round: 12, Window: 0, MessagesBefore: 10, MessagesAfter: 4,
		TokensBefore: r.TokensBefore, TokensAfter: r.TokensAfter, SummaryTokens: summary,
		PrefixKept: r.OverheadBefore + r.Items[0].TokensBefore,
	}
	want.PrefixLost = r.TokensBefore - want.PrefixKept
	if !res.Compacted || *e != want || want.PrefixLost <= 0 || summary == 0 {
		t.Errorf("%+v\nwant %+v", *e, want)
	}
	if res.Trace != nil {
		t.Error("a trace that nobody asked for")
	}
	// The next one is of the window behind this one.
	again := observed(t, func(r *core.Request) { r.State = res.State })
	if again.Receipt.Event == nil || again.Receipt.Event.Window != 1 {
		t.Errorf("window of the second: %+v", again.Receipt.Event)
	}
}

// Clearing one old result leaves all that stands before it where it was.
func TestEventOfAPruning(t *testing.T) {
	long := strings.Repeat("line of the log ", 300)
	src := `[{"role":"user","content":"Look."},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"a","content":"` + long + `"},{"role":"assistant","content":"Seen."},{"role":"user","content":"Go on."}]`
	res, err := core.Compact(core.Request{
		Transcript: []byte(src), Force: true,
		Policy: json.RawMessage(`{"preset":"prune","tools":{"keep_last":0,"protect_tokens":0,"min_gain":0}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	r := res.Receipt
	kept := r.OverheadBefore + r.Items[0].TokensBefore + r.Items[1].TokensBefore
	if e := r.Event; r.Items[2].Fate != "cleared" || e.PrefixKept != kept || e.PrefixLost != r.TokensBefore-kept || e.SummaryTokens != 0 || e.MessagesAfter != 5 {
		t.Errorf("%+v, want %d kept", e, kept)
	}
}

// An attempt that changed nothing is an event too: everything stays known to the
// cache. What was not tried is none.
func TestEventOfAFailure(t *testing.T) {
	answers := func(codes ...string) func(*core.Request) {
		return func(r *core.Request) {
			for _, c := range codes {
				r.Answers = append(r.Answers, core.Answer{Error: c})
			}
		}
	}
	keep := json.RawMessage(`{"preset":"lait","triggers":[{"rounds":6}],"summary":{"on_failure":"keep"}}`)
	for _, c := range []struct {
		name                        string
		change                      func(*core.Request)
		reason, status, why, caused string
	}{
		{"no progress", func(r *core.Request) {
			text := strings.Repeat("a summary that is longer than what it stands for ", 500)
			r.Summary = &text
		}, "no_progress", "failed", "no_progress", ""},
		{"failed twice, kept", func(r *core.Request) {
			answers("truncated", "tool_call")(r)
			r.Policy = keep
		}, "summary_failed", "failed", "summary_failed", "tool_call"},
		// Whoever gives up does not want a digest, and needs no error either.
		{"interrupted", answers("interrupted"), "summary_failed", "interrupted", "summary_failed", "interrupted"},
		{"interrupted with a digest at hand", func(r *core.Request) {
			answers("empty", "interrupted")(r)
			r.Policy = json.RawMessage(`{"preset":"lait","triggers":[{"rounds":6}],"summary":{"on_failure":"digest"}}`)
		}, "summary_failed", "interrupted", "summary_failed", "interrupted"},
		{"not due", func(r *core.Request) {
			round := 13
			r.Round = &round
		}, "not_triggered", "", "", ""},
		{"nothing to fold", func(r *core.Request) {
			r.Policy = json.RawMessage(`{"lait":{"trigger_rounds":6,"keep_last_n":100}}`)
		}, "nothing_to_fold", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := observed(t, c.change)
			e := res.Receipt.Event
			if res.Compacted || res.Reason != c.reason || (e == nil) != (c.status == "") {
				t.Fatalf("%q, %+v", res.Reason, e)
			}
			if e == nil {
				return
			}
			n := res.Receipt.TokensBefore
			if e.Status != c.status || e.Error != c.why || e.Cause != c.caused || e.TokensAfter != n || e.PrefixKept != n || e.PrefixLost != 0 || e.MessagesAfter != 10 || e.SummaryTokens != 0 {
				t.Errorf("%+v", e)
			}
		})
	}

	// With an error for a result there still is the event.
	round := 12
	_, err := core.Compact(core.Request{
		Transcript: []byte(longTalk(4)), Policy: json.RawMessage(`{"lait":{"trigger_rounds":6}}`), Round: &round,
		Answers: []core.Answer{{Error: "failed"}, {Error: "failed"}},
	})
	var attempt *core.FailedAttempt
	var e *core.Error
	if !errors.As(err, &attempt) || !errors.As(err, &e) || e.Code != core.SummaryFailed || attempt.Event.Status != "failed" || attempt.Event.Cause != "failed" || attempt.Event.Reason != "rounds" {
		t.Errorf("%v, %+v", err, attempt)
	}
}

// Whoever gives up on the provider does not want the local plan either.
func TestEventOfAnInterruptedRemoteCompaction(t *testing.T) {
	long := strings.Repeat("The build log lists every package with its version. ", 60)
	src := `[{"type":"message","role":"user","content":[{"type":"input_text","text":"Make it pass."}]},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + long + `"}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}]`
	for answer, want := range map[string]string{"interrupted": "interrupted by remote", "": "completed by remote"} {
		a := core.Answer{Error: answer}
		if answer == "" {
			a.Text = "gAAAAABopaque"
		}
		res, err := core.Compact(core.Request{
			Transcript: []byte(src), Format: "openai-responses", Force: true,
			Policy: json.RawMessage(`{"codex":{"implementation":"remote"}}`), Answers: []core.Answer{a},
		})
		if err != nil {
			t.Fatal(err)
		}
		if e := res.Receipt.Event; e.Status+" by "+e.Implementation != want {
			t.Errorf("%q: %+v", answer, e)
		}
	}
}

// The times are turned into UTC, the duration is rounded down: 1.2345 s.
func TestTrace(t *testing.T) {
	prompt, cached, output := 900, 100, 30
	ask := &core.TraceRequest{
		Seq: 7, Label: "step 'fix'", Start: "2026-12-01T01:50:00.5+09:00", End: "2026-11-30T16:50:01.7345Z",
		Usage: &core.Usage{InputTokens: &prompt, CacheReadInputTokens: &cached, OutputTokens: &output},
	}
	withModel := func(r *core.Request) {
		r.Trace = ask
		r.Policy = json.RawMessage(`{"lait":{"trigger_rounds":6,"keep_last_n":2,"model":"cheap"}}`)
		r.Models = map[string]core.Alias{"cheap": {Model: "gpt-5-mini"}}
		r.Answers = []core.Answer{{Text: "Nothing is broken."}}
	}
	res := observed(t, withModel)
	line, err := json.Marshal(res.Trace.Lait)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"seq":7,"operation":"compact","label":"step 'fix'","start":"2026-11-30T16:50:00.5Z","end":"2026-11-30T16:50:01.7345Z","duration_ms":1234,` +
		`"attributes":{"lait.compaction.round":12,"lait.compaction.messages_before":10,"lait.compaction.messages_after":4}}`
	if string(line) != want {
		t.Errorf("%s\nwant %s", line, want)
	}
	if ms := res.Receipt.Event.DurationMS; ms == nil || *ms != 1234 {
		t.Errorf("duration %v", ms)
	}

	span := res.Trace.OTel
	// 2026-11-30T16:50:00Z is day 20,787 since 1970: 20,787 * 86,400 + 60,600 s.
	if span.Name != "compact gpt-5-mini" || span.Start != "1796057400500000000" || span.End != "1796057401734500000" || span.Status.Code != 0 {
		t.Errorf("%+v", span)
	}
	got := flat(t, span)
	for key, want := range map[string]string{
		"gen_ai.operation.name": "compact", "gen_ai.conversation.compacted": "true", "gen_ai.request.model": "gpt-5-mini",
		// What is cached is a part of the input by the conventions, and is not by
		// the provider whose usage this is.
		"gen_ai.usage.input_tokens": "1000", "gen_ai.usage.cache_read.input_tokens": "100", "gen_ai.usage.output_tokens": "30",
		"tamp.compaction.trigger": "auto", "tamp.compaction.reason": "rounds", "tamp.compaction.phase": "pre_turn", "tamp.compaction.status": "completed",
		"tamp.compaction.round": "12", "tamp.compaction.messages_before": "10", "tamp.compaction.messages_after": "4",
		"tamp.compaction.summary_by": "model", "tamp.compaction.summary_calls": "1", "tamp.compaction.counter": res.Counter.Name,
	} {
		if got[key] != want {
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
	if _, ok := got["error.type"]; ok {
		t.Error("a success with an error.type")
	}

	failed := observed(t, func(r *core.Request) {
		withModel(r)
		r.Answers = []core.Answer{{Error: "interrupted"}}
	})
	got = flat(t, failed.Trace.OTel)
	if _, ok := got["gen_ai.conversation.compacted"]; ok || got["error.type"] != "summary_failed" || got["tamp.compaction.cause"] != "interrupted" || failed.Trace.OTel.Status.Code != 2 || failed.Trace.Lait != nil {
		t.Errorf("%v", got)
	}
	if quiet := observed(t, func(r *core.Request) { r.Trace, r.Round = ask, nil }); quiet.Trace != nil {
		t.Error("a trace of what was not tried")
	}
}

func flat(t *testing.T, s core.Span) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, a := range s.Attributes {
		if _, twice := out[a.Key]; twice {
			t.Errorf("%s stands twice", a.Key)
		}
		switch v := a.Value; {
		case v.String != nil:
			out[a.Key] = *v.String
		case v.Int != nil:
			out[a.Key] = *v.Int
		case v.Bool != nil && *v.Bool:
			out[a.Key] = "true"
		}
	}
	return out
}

func TestTraceRefuses(t *testing.T) {
	const early, late = "2026-11-30T16:50:00Z", "2026-11-30T16:50:01Z"
	for path, c := range map[string]core.TraceRequest{
		"trace.seq":   {Seq: -1, Start: early, End: late},
		"trace.label": {Label: strings.Repeat("x", 201), Start: early, End: late},
		"trace.start": {End: late},
		"trace.end":   {Start: late, End: early},
	} {
		_, err := core.Compact(core.Request{Transcript: []byte(longTalk(1)), Trace: &c})
		var e *core.Error
		if !errors.As(err, &e) || e.Code != "invalid_request" || e.Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	_, err := core.Call("compact", []byte(`{"transcript":[],"trace":{"start":"`+early+`","ends":"`+late+`"}}`))
	var e *core.Error
	if !errors.As(err, &e) || e.Path != "trace.ends" || !strings.Contains(e.Message, "did you mean end?") {
		t.Errorf("%v", err)
	}
}

// Nothing of a transcript gets into an event or a trace: not its text, not the
// names of its tools, not its keys, and not what it says that its model is.
func TestTraceIsPrivate(t *testing.T) {
	const secret = "QUOKKA"
	long := strings.Repeat(secret+" of the log ", 200)
	src := `{"model":"` + secret + `-9","` + secret + `":1,"messages":[{"role":"user","content":"` + secret + `"},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"` + secret + `","type":"function","function":{"name":"` + secret + `","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"` + secret + `","content":"` + long + `"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"Go on."}]}`
	res, err := core.Compact(core.Request{
		Transcript: []byte(src), Force: true, Policy: json.RawMessage(`{"lait":{"trigger_rounds":6,"keep_last_n":1}}`),
		Answers: []core.Answer{{Text: "All of " + secret + " was read."}},
		Trace:   &core.TraceRequest{Start: "2026-11-30T16:50:00Z", End: "2026-11-30T16:50:00Z"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{res.Receipt.Event, res.Trace} {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) < 100 || strings.Contains(string(raw), secret) {
			t.Errorf("%s", raw)
		}
	}
	if !res.Compacted || !strings.Contains(string(res.Transcript), secret) {
		t.Error("the secret was not in the transcript: nothing was checked")
	}
}
