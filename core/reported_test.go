package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// What the provider reports for its compaction is in the event: its output is the
// size of the summary that only it can read. For the new history it says nothing: the
// context is estimated then, though the host sends those figures as its last ones.
func TestReportedUsage(t *testing.T) {
	answer := func(fields string) core.Answer {
		var a core.Answer
		if err := json.Unmarshal([]byte(fields), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	const usage = `"usage":{"input_tokens":260000,"output_tokens":1234,"total_tokens":261234,"input_tokens_details":{"cached_tokens":250000,"cache_write_tokens":7},"output_tokens_details":{"reasoning_tokens":3}}`
	const codex = `"policy":{"codex":{"implementation":"remote","model_context_window":272000,"model_auto_compact_token_limit":200000}},"usage":{"input_tokens":240000,"output_tokens":10,"total_tokens":240010}`
	req := ask(t, session(), codex)
	res, err := core.Apply(req, []core.Answer{answer(`{"text":"` + strings.Repeat("QUJD", 500) + `",` + usage + `}`)})
	if err != nil || !res.Compacted {
		t.Fatalf("%+v, %v", res, err)
	}
	e := res.Receipt.Event
	if r := e.Reported; r == nil || r.InputTokens != 260000 || r.OutputTokens != 1234 || r.CachedInputTokens != 250000 || r.CacheWriteInputTokens != 7 || e.SummaryTokens != 1234 {
		t.Errorf("%+v of %+v", e.Reported, e)
	}
	if e.TokensBefore != res.Receipt.TokensBefore {
		t.Errorf("%d tokens before by another counter than the receipt's %d", e.TokensBefore, res.Receipt.TokensBefore)
	}
	// The figures of the compaction, sent as the last ones, are over the limit.
	next := req
	next.Transcript, next.State, next.Answers = res.Transcript, res.State, nil
	next.Usage = answer(`{` + usage + `}`).Usage
	again, err := core.Plan(next)
	if err != nil || again.Decision.Fired || *again.Decision.Rules[0].Measured > 10000 {
		t.Errorf("%+v, %v", again.Decision, err)
	}

	// A text is counted here; without figures there are none.
	local := ask(t, session(), strings.Replace(codex, `"remote"`, `"local"`, 1))
	res, err = core.Apply(local, []core.Answer{answer(`{"text":"All is well.",` + usage + `}`)})
	if err != nil || !res.Compacted || res.Receipt.Event.Reported == nil || res.Receipt.Event.SummaryTokens == 1234 {
		t.Errorf("%+v, %v", res.Receipt.Event, err)
	}
	for _, none := range []string{`{"text":"QUJD"}`, `{"text":"QUJD","usage":{}}`, `{"text":"QUJD","usage":null}`} {
		res, err = core.Apply(req, []core.Answer{answer(none)})
		if err != nil || res.Receipt.Event.Reported != nil {
			t.Errorf("%s: %+v, %v", none, res.Receipt.Event, err)
		}
	}
	// Anthropic's cached tokens stand beside the input.
	res, err = core.Apply(local, []core.Answer{answer(`{"text":"All is well.","usage":{"input_tokens":10,"cache_read_input_tokens":900,"cache_creation_input_tokens":90,"output_tokens":5}}`)})
	if err != nil || *res.Receipt.Event.Reported != (core.Reported{InputTokens: 1000, OutputTokens: 5, CachedInputTokens: 900, CacheWriteInputTokens: 90}) {
		t.Errorf("%+v, %v", res.Receipt.Event.Reported, err)
	}
}
