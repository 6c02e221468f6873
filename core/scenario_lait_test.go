package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// lait's tool loop against a scripted server: the seven integration tests of its
// own, its unit tests, and what follows from its rules in all other cases (the
// specification of lait, section 10, by number and in its words). Requests are
// written as it writes them: r1(U) is the request of round 1, s(U A*1 T U) one for
// a summary; S, U, A, T are the roles, A*2 an assistant message with two calls.
// Where tamp does better on purpose the test says what the original does.

const laitSummary = "The log was read once, nothing failed."

func TestLaitScenario1Rounds(t *testing.T) {
	l := (&laitLoop{
		t: t, policy: `{"lait":{"trigger_rounds":2,"keep_last_n":2}}`,
		script: []reply{calls(1, 0), summarised("summary of r1"), calls(1, 0), final()},
	}).run()
	l.wants("r1(U) s(U A*1 T U) r2(A A*1 T) r3(A A*1 T A*1 T)", "2/3/3")
	if l.err != nil || l.results[1].Summary != "summary of r1" || *l.results[1].Decision.Reason != "rounds" {
		t.Errorf("%v, %+v", l.err, l.results[1])
	}
	// With the word that lait's own test sends, the summary in its frame is longer
	// than what it stands for. lait takes it, tamp does not; the round goes out as it
	// is, and there is one such answer.
	l = (&laitLoop{
		t: t, policy: `{"lait":{"trigger_rounds":2,"keep_last_n":2}}`, prompt: "start",
		script: []reply{calls(1, 0), summarised("summary of r1"), calls(1, 0), final()},
	}).run()
	l.wants("r1(U) s(U A*1 T U) r2(U A*1 T) r3(U A*1 T A*1 T)")
	if l.err != nil || l.results[1].Reason != core.NoProgress || !l.results[1].Receipt.NoProgress {
		t.Errorf("%v, %+v", l.err, l.results[1])
	}
}

// Without compaction in the configuration lait's loop is what it was: the policy
// that says so is the empty list.
func TestLaitScenario2Off(t *testing.T) {
	l := (&laitLoop{
		t: t, policy: `{"preset":"lait","triggers":[]}`,
		script: []reply{calls(1, 100000), calls(1, 100000), final()},
	}).run()
	l.wants("r1(U) r2(U A*1 T) r3(U A*1 T A*1 T)")
	if l.err != nil {
		t.Error(l.err)
	}
}

// Nothing is sent. lait notices at the top of the first round, tamp when it is
// given the policy.
func TestLaitScenario3RoundsOfNought(t *testing.T) {
	l := (&laitLoop{t: t, policy: `{"lait":{"trigger_rounds":0}}`}).run()
	l.wants("")
	var e *core.Error
	if !errors.As(l.err, &e) || e.Code != "invalid_policy" || e.Path != "policy.lait.trigger_rounds" {
		t.Errorf("%v", l.err)
	}
}

func TestLaitScenario4Tokens(t *testing.T) {
	l := (&laitLoop{
		t: t, policy: `{"lait":{"trigger_tokens":100,"keep_last_n":2}}`,
		script: []reply{calls(1, 500), summarised(laitSummary), final()},
	}).run()
	l.wants("r1(U) s(U A*1 T U) r2(A A*1 T)", "2/3/3")
	var body map[string]json.RawMessage
	if err := json.Unmarshal(l.bodies[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if _, has := body["tools"]; has {
		t.Error("the request for the summary has tools")
	}
	if _, has := body["response_format"]; has {
		t.Error("the request for the summary has a response_format")
	}
	if !strings.Contains(l.items[0], laitSummary) || *l.results[1].Decision.Reason != "tokens" {
		t.Errorf("%s, %+v", l.items[0], l.results[1].Decision)
	}
}

func TestLaitScenario5TokensBelow(t *testing.T) {
	l := (&laitLoop{
		t: t, policy: `{"lait":{"trigger_tokens":100}}`,
		script: []reply{calls(1, 50), final()},
	}).run()
	l.wants("r1(U) r2(U A*1 T)")
	if l.err != nil || strings.Contains(strings.ToLower(strings.Join(l.items, "")), "summar") {
		t.Errorf("%v, %s", l.err, l.items)
	}
}

// The alias goes to the summary's request alone. lait's own test keeps four of
// three messages and sends the request all the same, to throw the answer away;
// tamp, as lait's document has it, asks for nothing then.
func TestLaitScenario6Model(t *testing.T) {
	models := map[string]core.Alias{"cheap": {Model: "summary-model"}}
	l := (&laitLoop{
		t: t, policy: `{"lait":{"trigger_rounds":2,"keep_last_n":2,"model":"cheap"}}`, models: models,
		script: []reply{calls(1, 0), summarised(laitSummary), final()},
	}).run()
	l.wants("r1(U) s(U A*1 T U) r2(A A*1 T)", "2/3/3")
	var body struct{ Model string }
	if err := json.Unmarshal(l.bodies[0].Body, &body); err != nil || body.Model != "summary-model" {
		t.Errorf("%v, the model is %q", err, body.Model)
	}
	if by := l.results[1].Receipt.Summary; by.By != "model" || *by.Model != "summary-model" || by.Calls != 1 {
		t.Errorf("%+v", by)
	}
	l = (&laitLoop{
		t: t, policy: `{"lait":{"trigger_rounds":2,"model":"cheap"}}`, models: models,
		script: []reply{calls(1, 0), final()},
	}).run()
	l.wants("r1(U) r2(U A*1 T)")
	if l.err != nil || l.results[1].Reason != core.NothingToFold {
		t.Errorf("%v, %+v", l.err, l.results[1])
	}
	// A name that is no alias is the model's own id.
	l = (&laitLoop{
		t: t, policy: `{"lait":{"trigger_rounds":2,"keep_last_n":2,"model":"raw-id"}}`, models: models,
		script: []reply{calls(1, 0), summarised(laitSummary), final()},
	}).run()
	if err := json.Unmarshal(l.bodies[0].Body, &body); err != nil || body.Model != "raw-id" {
		t.Errorf("%v, the model is %q", err, body.Model)
	}
}

// A streamed loop: the summary's request does not stream, and carries nothing of
// what streaming needs.
func TestLaitScenario7Stream(t *testing.T) {
	plan, err := core.Plan(core.Request{
		Transcript: []byte(`{"model":"m","stream":true,"stream_options":{"include_usage":true},"response_format":{"type":"json_object"},"tools":[{"type":"function","function":{"name":"tool__echo","parameters":{"type":"object"}}}],` +
			fmt.Sprintf(`"messages":[{"role":"user","content":%q},`, loopTask) +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"tool__echo","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}]}`),
		Policy: json.RawMessage(`{"lait":{"trigger_rounds":2,"keep_last_n":2}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !plan.Decision.Fired || plan.Plan.Request == nil {
		t.Fatalf("%+v", plan.Decision)
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(plan.Plan.Request.Body, &body); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stream", "stream_options", "tools", "response_format"} {
		if v, has := body[name]; has {
			t.Errorf("%s is %s", name, v)
		}
	}
}

// The unit tests: what is put together from a history.
func TestLaitSplice(t *testing.T) {
	const said = `{"role":"assistant","content":"[tamp] Record of the earlier part of this conversation, which was compacted. It is not a new request:\nSUM"}`
	message := func(role, name string) string {
		return fmt.Sprintf(`{"role":%q,"content":"%s %s"}`, role, name, strings.Repeat("and so on ", 20))
	}
	sys, u1, a1, u2, a2, u3 := message("system", "sys"), message("user", "u1"), message("assistant", "a1"), message("user", "u2"), message("assistant", "a2"), message("user", "u3")
	for _, c := range []struct {
		keep       int
		have, want []string
	}{
		{2, []string{sys, u1, a1, u2, a2, u3}, []string{sys, said, a2, u3}},
		{1, []string{u1, a1, u2}, []string{said, u2}},
		{2, []string{sys, u1, a1}, nil},
	} {
		summary := "SUM"
		req := core.Request{
			Transcript: []byte("[" + strings.Join(c.have, ",") + "]"), Policy: json.RawMessage(fmt.Sprintf(`{"lait":{"trigger_rounds":1,"keep_last_n":%d}}`, c.keep)),
			Summary: &summary,
		}
		res, err := core.Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		want := "[" + strings.Join(c.want, ",") + "]"
		if c.want == nil {
			want = string(req.Transcript)
		}
		if string(res.Transcript) != want || res.Compacted != (c.want != nil) {
			t.Errorf("keep %d of %d became\n%s\nwant\n%s", c.keep, len(c.have), res.Transcript, want)
		}
		holds(t, req, res)
	}
}

// What follows from lait's rules where none of its own tests looks: the derived
// vectors, a row each. strict runs what the original does where that differs and
// breaks nothing.
func TestLaitDerived(t *testing.T) {
	for _, c := range []struct {
		name     string
		config   string
		system   bool
		max      int
		script   []reply
		requests string
		compacts []string
		err      string
	}{
		{
			name: "rounds2 k2", config: `"trigger_rounds":2,"keep_last_n":2`,
			script:   []reply{calls(1, 0), summarised(laitSummary), calls(1, 0), final()},
			requests: "r1(U) s(U A*1 T U) r2(A A*1 T) r3(A A*1 T A*1 T)", compacts: []string{"2/3/3"},
		},
		{ // lait asks for a summary and throws it away
			name: "k default 4, rounds2, one tool round", config: `"trigger_rounds":2`,
			script:   []reply{calls(1, 0), final()},
			requests: "r1(U) r2(U A*1 T)",
		},
		{ // held: 400 is less than the 500 at which it was compacted
			name: "tokens100 k2, prompt 500,400,90", config: `"trigger_tokens":100,"keep_last_n":2`,
			script:   []reply{calls(1, 500), summarised(laitSummary), calls(1, 400), calls(1, 90), final()},
			requests: "r1(U) s(U A*1 T U) r2(A A*1 T) r3(A A*1 T A*1 T) r4(A A*1 T A*1 T A*1 T)", compacts: []string{"2/3/3"},
		},
		{ // and what lait does: again and again, as long as the answer is over the threshold
			name: "tokens100 k2, prompt 500,400,90, strict", config: `"trigger_tokens":100,"keep_last_n":2,"strict":true`,
			script:   []reply{calls(1, 500), summarised(laitSummary), calls(1, 400), summarised(laitSummary), calls(1, 90), final()},
			requests: "r1(U) s(U A*1 T U) r2(A A*1 T) s(A A*1 T A*1 T U) r3(A A*1 T) r4(A A*1 T A*1 T)", compacts: []string{"2/3/3", "3/5/3"},
		},
		{
			name: "rounds2 + tokens100 both true at 2", config: `"trigger_rounds":2,"trigger_tokens":100,"keep_last_n":2`,
			script:   []reply{calls(1, 500), summarised(laitSummary), calls(1, 90), final()},
			requests: "r1(U) s(U A*1 T U) r2(A A*1 T) r3(A A*1 T A*1 T)", compacts: []string{"2/3/3"},
		},
		{
			name: "system, rounds2 k2", config: `"trigger_rounds":2,"keep_last_n":2`, system: true,
			script:   []reply{calls(1, 0), summarised(laitSummary), final()},
			requests: "r1(S U) s(S U A*1 T U) r2(S A A*1 T)", compacts: []string{"2/4/4"},
		},
		{ // lait: r2(A T), which its provider refuses; strict, too, stays valid
			name: "rounds2 k1", config: `"trigger_rounds":2,"keep_last_n":1,"strict":true`,
			script:   []reply{calls(1, 0), summarised(laitSummary), final()},
			requests: "r1(U) s(U A*1 T U) r2(A A*1 T)", compacts: []string{"2/3/3"},
		},
		{ // lait: r3(A T A*2 T T)
			name: "rounds3, two calls per round, k4", config: `"trigger_rounds":3,"keep_last_n":4`,
			script:   []reply{calls(2, 0), calls(2, 0), summarised(laitSummary), final()},
			requests: "r1(U) r2(U A*2 T T) s(U A*2 T T A*2 T T U) r3(A A*2 T T A*2 T T)", compacts: []string{"3/7/7"},
		},
		{
			name: "rounds1 k0", config: `"trigger_rounds":1,"keep_last_n":0`,
			script:   []reply{summarised(laitSummary), final()},
			requests: "s(U U) r1(A)", compacts: []string{"1/1/1"},
		},
		{ // lait puts an empty summary in the history's place; tamp asks once more, and then changes nothing
			name: "summary content null", config: `"trigger_rounds":2,"keep_last_n":2`,
			script:   []reply{calls(1, 0), summarised(""), {summary: true, fails: "empty"}},
			requests: "r1(U) s(U A*1 T U) s(U A*1 T U)", err: core.SummaryFailed,
		},
		{ // the run fails in lait, too; whether it does here is the host's to say
			name: "summary HTTP 400", config: `"trigger_rounds":2,"keep_last_n":2`,
			script:   []reply{calls(1, 0), {summary: true, fails: "failed"}, {summary: true, fails: "failed"}},
			requests: "r1(U) s(U A*1 T U) s(U A*1 T U)", err: core.SummaryFailed,
		},
		{
			name: "max 2, rounds 3", config: `"trigger_rounds":3`, max: 2,
			script:   []reply{calls(1, 0), calls(1, 0)},
			requests: "r1(U) r2(U A*1 T)", err: "more than 2 rounds",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := (&laitLoop{t: t, policy: `{"lait":{` + c.config + `}}`, system: c.system, max: c.max, script: c.script}).run()
			l.wants(c.requests, c.compacts...)
			var e *core.Error
			switch {
			case errors.As(l.err, &e):
				if e.Code != c.err {
					t.Errorf("%v, want %s", l.err, c.err)
				}
			case l.err != nil && l.err.Error() != c.err, l.err == nil && c.err != "":
				t.Errorf("%v, want %q", l.err, c.err)
			}
		})
	}
}

// A loop whose summariser fails, with a policy that keeps what there is then: the
// loop goes on with its history, and the summariser is left alone for as long as
// the history has not doubled.
func TestLaitSummaryFailsAndTheLoopGoesOn(t *testing.T) {
	l := (&laitLoop{
		t: t, policy: `{"preset":"lait","triggers":[{"tokens":100}],"keep":{"last_messages":2},"summary":{"on_failure":"keep"}}`,
		script: []reply{calls(1, 500), {summary: true, fails: "failed"}, summarised(" "), calls(1, 510), calls(1, 520), final()},
	}).run()
	l.wants("r1(U) s(U A*1 T U) s(U A*1 T U) r2(U A*1 T) r3(U A*1 T A*1 T) r4(U A*1 T A*1 T A*1 T)")
	if l.err != nil || l.results[1].Reason != core.SummaryFailed || l.results[2].Reason != core.NotTriggered {
		t.Errorf("%v, %+v", l.err, l.results[1:])
	}
}
