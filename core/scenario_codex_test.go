package core_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// The scenarios of the specification of Codex (section 14) by their numbers, where
// a whole turn goes by: the host asks before the turn, and in it after every answer
// that calls a tool. Numbers 3, 4, 5, 6, 10 and 11 are in window_test.go, 13 in
// remote_test.go. Where tamp does better on purpose the test says what the original
// does, and runs that as well where strict gives it.

// codexTurns is such a host.
type codexTurns struct {
	t       *testing.T
	policy  string
	model   *core.Model
	summary string // of every compaction

	items   []string
	state   json.RawMessage
	usage   *core.Usage
	log     []string // "sample", "compact mid_turn context_limit", "no_progress"
	results []*core.CompactResult
}

func textItem(role, text string) string {
	part := "input_text"
	if role == "assistant" {
		part = "output_text"
	}
	return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, part, text)
}

func (h *codexTurns) request(phase string) core.Request {
	return core.Request{
		Transcript: []byte("[" + strings.Join(h.items, ",") + "]"), Format: "openai-responses", Policy: json.RawMessage(h.policy),
		Model: h.model, Usage: h.usage, State: h.state, Phase: phase, Summary: &h.summary,
	}
}

// check asks, and compacts where that is the answer.
func (h *codexTurns) check(phase string) *core.CompactResult {
	h.t.Helper()
	req := h.request(phase)
	res, err := core.Compact(req)
	if err != nil {
		h.t.Fatal(err)
	}
	h.state = res.State
	h.results = append(h.results, res)
	switch {
	case res.Compacted:
		holds(h.t, req, res)
		h.log = append(h.log, "compact "+res.Decision.Phase+" "+*res.Decision.Reason)
		var items []json.RawMessage
		if err := json.Unmarshal(res.Transcript, &items); err != nil {
			h.t.Fatal(err)
		}
		h.items = nil
		for _, it := range items {
			h.items = append(h.items, string(it))
		}
	case res.Decision.Fired:
		h.log = append(h.log, res.Reason)
	}
	return res
}

// sampled is one answer of the model: what it says or thinks, or a call, and what
// the server reports.
type sampled struct {
	items []string
	call  string // its id; "" ends the turn
	usage core.Usage
}

func (h *codexTurns) turn(says string, answers ...sampled) {
	h.t.Helper()
	h.check("pre_turn")
	h.items = append(h.items, textItem("user", says))
	for _, a := range answers {
		h.log = append(h.log, "sample")
		h.items = append(h.items, a.items...)
		h.usage = &a.usage
		if a.call == "" {
			h.items = append(h.items, textItem("assistant", "Done. "+strings.Repeat("All of it is as it should be. ", 20)))
			continue
		}
		h.items = append(h.items,
			fmt.Sprintf(`{"type":"function_call","name":"exec","arguments":"{\"cmd\":\"go test\"}","call_id":%q}`, a.call),
			fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, a.call, strings.Repeat("the log of the build goes on ", 20)))
		h.check("mid_turn")
	}
}

func (h *codexTurns) wants(log ...string) {
	h.t.Helper()
	if !slices.Equal(h.log, log) {
		h.t.Errorf("%q\nwant\n%q", h.log, log)
	}
}

func total(n int) core.Usage { return core.Usage{TotalTokens: &n} }

func answered(n int) core.Usage {
	prompt, output := n-10, 10
	return core.Usage{InputTokens: &prompt, OutputTokens: &output, TotalTokens: &n}
}

// A turn that ends over the limit is not compacted: the next one is, before its
// first request, and its message is not in what is compacted.
func TestScenario1NextTurn(t *testing.T) {
	h := &codexTurns{t: t, policy: `{"codex":{"model_auto_compact_token_limit":1000}}`, summary: "All is well."}
	h.turn("one", sampled{usage: answered(500)})
	h.turn("two", sampled{usage: answered(1000)})
	h.turn("three", sampled{usage: answered(300)})
	h.wants("sample", "sample", "compact pre_turn context_limit", "sample")
	want := []string{textItem("user", "one"), textItem("user", "two")}
	if !slices.Equal(h.items[:2], want) || !strings.Contains(h.items[2], "All is well.") || h.items[3] != textItem("user", "three") {
		t.Errorf("%q", h.items)
	}
}

const roomy = 272000 // its limit is 244,800

// Three answers in one turn that are over the limit whatever is compacted. The
// original compacts behind each of them, and so does strict.
func TestScenario2MidTurn(t *testing.T) {
	call := func(id string, n int) sampled { return sampled{call: id, usage: answered(n)} }
	run := func(policy, summary string, numbers ...int) *codexTurns {
		h := &codexTurns{t: t, policy: policy, model: &core.Model{ContextWindow: roomy}, summary: summary}
		h.items = []string{
			textItem("developer", "<permissions instructions>all</permissions instructions>"),
			textItem("user", "<environment_context>here</environment_context>"),
		}
		var answers []sampled
		for i, n := range numbers {
			answers = append(answers, call(fmt.Sprint("call_", i), n))
		}
		h.turn("Do it. "+strings.Repeat("And mind what I said. ", 10), append(answers, sampled{usage: answered(900)})...)
		return h
	}
	const compacted, short = "compact mid_turn context_limit", "All is well."

	h := run(`{"codex":{"strict":true}}`, short, 270000, 270000, 270000)
	h.wants("sample", compacted, "sample", compacted, "sample", compacted, "sample")
	// The model is trained to see the summary last; the context stands before the
	// last message of the user.
	if got := roles(h.results[3].Transcript); got != "developer user user user" || !strings.Contains(string(h.results[3].Transcript), "here") {
		t.Errorf("%s: %s", got, h.results[3].Transcript)
	}

	// The same number again is that of before: what stands is counted, and there is
	// room.
	h = run(`{"codex":{}}`, short, 270000, 270000, 270000)
	h.wants("sample", compacted, "sample", "sample", "sample")
	// A smaller one that is still too much is not worth another summary.
	h = run(`{"codex":{}}`, short, 270000, 265000, 260000)
	h.wants("sample", compacted, "sample", "sample", "sample")
	if r := h.results[2].Decision.Rules[0]; !r.Held || r.Fired {
		t.Errorf("%+v", r)
	}
	// Larger ones are, as long as there is something to gain.
	h = run(`{"codex":{}}`, short, 270000, 271000, 272000)
	h.wants("sample", compacted, "sample", compacted, "sample", compacted, "sample")
	for _, res := range h.results[1:] {
		if res.Compacted && res.Receipt.TokensAfter >= res.Receipt.TokensBefore {
			t.Errorf("%d tokens became %d", res.Receipt.TokensBefore, res.Receipt.TokensAfter)
		}
	}
	// Where there is not, one answer says so and the turn goes on, until more than
	// twice as much could be folded: one call then, three calls, seven.
	h = run(`{"codex":{}}`, strings.Repeat("It was a long way, of which much is to be told. ", 400), 270000, 270001, 270002, 270003, 270004, 270005, 270006)
	h.wants("sample", core.NoProgress, "sample", "sample", core.NoProgress, "sample", "sample", "sample", "sample", core.NoProgress, "sample")
}

func roles(items []byte) string {
	var list []struct{ Role, Type string }
	if err := json.Unmarshal(items, &list); err != nil {
		return err.Error()
	}
	var out []string
	for _, it := range list {
		if it.Role == "" {
			it.Role = it.Type
		}
		out = append(out, it.Role)
	}
	return strings.Join(out, " ")
}

// Encrypted reasoning: the server's figure leaves out that of earlier turns, unless
// it says so of its latest answer (x-reasoning-included, usage.reasoning_included).
func TestScenario7EncryptedReasoning(t *testing.T) {
	thought := func(bytes int) []string { // of so many bytes before base64
		return []string{fmt.Sprintf(`{"type":"reasoning","summary":[],"encrypted_content":%q}`, strings.Repeat("QUJD", (bytes+2)/3))}
	}
	for _, c := range []struct {
		name          string
		first, second bool // reasoning_included
		want          []string
	}{
		{"never", false, false, []string{"sample", "sample", "compact pre_turn context_limit", "sample"}},
		{"of the first answer", true, false, []string{"sample", "sample", "compact pre_turn context_limit", "sample"}},
		{"of the second", false, true, []string{"sample", "sample", "sample"}},
	} {
		for _, by := range []string{"local", "remote_v1"} {
			h := &codexTurns{t: t, policy: fmt.Sprintf(`{"codex":{"model_auto_compact_token_limit":300,"implementation":%q}}`, by), summary: "QUJD"}
			one, two := total(10), total(80)
			one.ReasoningIncluded, two.ReasoningIncluded = c.first, c.second
			h.turn("one", sampled{items: thought(2950), usage: one})
			h.turn("two", sampled{items: thought(4550), usage: two})
			h.turn("three", sampled{usage: total(90)})
			h.wants(c.want...)
			// 10 tokens before the second turn: its own reasoning stands behind the last
			// boundary. 2,950 bytes are 3,936 characters, 576 tokens by Codex's measure.
			measured := 80.
			if !c.second {
				measured += 576
			}
			if a, b := *h.results[1].Decision.Rules[0].Measured, *h.results[2].Decision.Rules[0].Measured; a != 10 || b != measured {
				t.Errorf("%s, %s: measured %g and %g, want 10 and %g", c.name, by, a, b, measured)
			}
		}
	}
}

// The request for the summary is too long: the second has exactly one item fewer,
// the oldest, and the same instruction.
func TestScenario8TooLong(t *testing.T) {
	h := &codexTurns{t: t, policy: `{"codex":{"model_auto_compact_token_limit":1000}}`, summary: "All is well."}
	h.turn("one", sampled{usage: answered(500)})
	h.turn("two", sampled{usage: answered(600)})
	req := h.request("")
	req.Summary, req.Trigger, req.Force = nil, "manual", true
	input := func(answers ...core.Answer) []json.RawMessage {
		t.Helper()
		plan, err := core.Next(req, answers)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Plan.Request.Attempt != len(answers) {
			t.Errorf("attempt %d after %d answers", plan.Plan.Request.Attempt, len(answers))
		}
		var body struct{ Input []json.RawMessage }
		if err := json.Unmarshal(plan.Plan.Request.Body, &body); err != nil {
			t.Fatal(err)
		}
		return body.Input
	}
	long := core.Answer{Error: "context_length_exceeded"}
	first, second := input(), input(long)
	if len(first) != 5 || len(second) != 4 {
		t.Fatalf("%d items, then %d", len(first), len(second))
	}
	for i := range second {
		if string(second[i]) != string(first[i+1]) {
			t.Errorf("item %d is %s, want %s", i, second[i], first[i+1])
		}
	}
	res, err := core.Apply(req, []core.Answer{long, {Text: "All is well."}})
	if err != nil {
		t.Fatal(err)
	}
	// The message that the summariser did not see stays where the policy keeps it.
	if !res.Compacted || res.Receipt.Summary.Calls != 2 || !strings.Contains(string(res.Transcript), `"text":"one"`) {
		t.Errorf("%+v: %s", res.Receipt.Summary, res.Transcript)
	}
}

// Compacted by hand after each of two turns: both messages stand, and one summary.
func TestScenario16ManualTwice(t *testing.T) {
	h := &codexTurns{t: t, policy: `{"codex":{}}`, summary: "of no turn's own check"}
	manual := func(summary string) *core.CompactResult {
		t.Helper()
		req := h.request("")
		req.Summary, req.Trigger, req.Force = &summary, "manual", true
		res, err := core.Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, req, res)
		if d := res.Decision; d.Trigger != "manual" || *d.Reason != "user_requested" || d.Phase != "standalone_turn" {
			t.Errorf("%+v", d)
		}
		var items []json.RawMessage
		if err := json.Unmarshal(res.Transcript, &items); err != nil {
			t.Fatal(err)
		}
		h.items, h.state = nil, res.State
		for _, it := range items {
			h.items = append(h.items, string(it))
		}
		return res
	}
	h.turn("first", sampled{usage: answered(500)})
	manual("FIRST")
	h.turn("second", sampled{usage: answered(600)})
	res := manual("SECOND")
	if len(h.items) != 3 || h.items[0] != textItem("user", "first") || h.items[1] != textItem("user", "second") ||
		!strings.HasSuffix(h.items[2], `\nSECOND"}]}`) || strings.Contains(h.items[2], "FIRST") {
		t.Errorf("%q", h.items)
	}
	if res.Receipt.Event.Window != 1 { // the second one is that of the second window
		t.Errorf("%+v", res.Receipt.Event)
	}
}

// A rollout that was compacted reads as the history that it says; a fork of it, and
// one that was rolled back to before its next turn, read the same.
func TestScenario17Rollout(t *testing.T) {
	lines := func(of ...string) string { return strings.Join(of, "\n") + "\n" }
	event := func(payload string) string { return `{"type":"event_msg","payload":` + payload + `}` }
	item := func(it string) string { return `{"type":"response_item","payload":` + it + `}` }
	turn := func(id, says string) string {
		return lines(event(`{"type":"task_started","turn_id":"`+id+`"}`), item(textItem("user", says)), event(`{"type":"user_message","message":"`+says+`"}`),
			item(textItem("assistant", "Done with it. "+strings.Repeat("It is as it should be. ", 30))), event(`{"type":"task_complete","turn_id":"`+id+`"}`))
	}
	const window = "01a22e19-aebf-78d3-9b3a-3bb96bb228ed"
	meta := `{"type":"session_meta","payload":{"id":"S","base_instructions":{"text":"Be brief."},"context_window":{"window_id":"` + window + `"}}}`
	compacted := func(src, summary string) string {
		t.Helper()
		req := core.Request{Transcript: []byte(src), Text: true, Policy: json.RawMessage(`{"codex":{}}`), Force: true, Summary: &summary}
		res, err := core.Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, req, res)
		if !strings.HasPrefix(string(res.Transcript), src) {
			t.Error("lines that were there are not")
		}
		return string(res.Transcript)
	}
	history := func(src string) string {
		t.Helper()
		res, err := core.Items(core.Request{Transcript: []byte(src), Text: true})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, it := range res.Items {
			var texts []string
			for _, p := range it.Parts {
				texts = append(texts, p.Text)
			}
			text := strings.Join(texts, "")
			if i := strings.LastIndex(text, "\n"); i >= 0 { // the summary's frame stands before it
				text = text[i+1:]
			}
			out = append(out, text)
		}
		return strings.Join(out, ", ")
	}
	src := lines(meta) + turn("1", "one") + turn("2", "two")
	once := compacted(src, "FIRST")
	if got := history(once); got != "one, two, FIRST" {
		t.Fatalf("resumed: %s", got)
	}
	if got := history(lines(`{"type":"session_meta","payload":{"id":"F","forked_from_id":"S"}}`) + once); got != "one, two, FIRST" {
		t.Errorf("forked: %s", got)
	}
	next := once + turn("3", "three")
	if got := history(next); !strings.HasPrefix(got, "one, two, FIRST, three, Done") {
		t.Errorf("gone on: %s", got)
	}
	rolled := next + lines(event(`{"type":"thread_rolled_back","num_turns":1}`))
	if got := history(rolled); got != "one, two, FIRST" {
		t.Errorf("rolled back: %s", got)
	}
	twice := compacted(rolled+turn("4", "four"), "SECOND")
	if got := history(twice); got != "one, two, four, SECOND" {
		t.Errorf("compacted again: %s", got)
	}
	if !strings.Contains(once, `"window_number":1,"first_window_id":"`+window) || !strings.Contains(twice, `"window_number":2,"first_window_id":"`+window) {
		t.Error("the windows are not counted on")
	}
}
