package compact_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

const (
	enc     = `{"type":"compaction","encrypted_content":"ENC"}`
	encTwo  = `{"type":"compaction_summary","encrypted_content":"TWO"}`
	context = `{"type":"context_compaction"}`
)

func output(of ...string) summary.Answer {
	return summary.Answer{Output: json.RawMessage(items(of...))}
}

func failed() summary.Answer { return summary.Answer{Error: summary.Failed} }

// Which answers are a compaction, and what comes behind those that are none: the
// local request, and with strict none.
func TestNextOpaque(t *testing.T) {
	history := items(user("one"), message("assistant", text("two")), user("three"), message("assistant", text("four")))
	long := summary.Answer{Error: summary.TooLong}
	said := message("assistant", text("Here it is."))
	for _, c := range []struct {
		name    string
		by      string
		strict  bool
		answers []summary.Answer
		asks    string // the implementation of the next request, "" for none
		attempt int
		text    string
		failure string
	}{
		{"nothing yet", policy.Remote, false, nil, policy.Remote, 0, "", ""},
		{"nothing yet, the endpoint", policy.RemoteV1, false, nil, policy.RemoteV1, 0, "", ""},
		{"the payload", policy.Remote, false, []summary.Answer{{Text: "ENC"}}, "", 0, "ENC", ""},
		{"the payload, the endpoint", policy.RemoteV1, false, []summary.Answer{{Text: "ENC"}}, "", 0, "ENC", ""},
		{"a whole output", policy.Remote, false, []summary.Answer{output(enc)}, "", 0, "ENC", ""},
		{"something said beside it", policy.Remote, false, []summary.Answer{output(said, enc, said)}, "", 0, "ENC", ""},
		{"by its other name", policy.Remote, false, []summary.Answer{output(encTwo)}, "", 0, "TWO", ""},
		{"two of them", policy.Remote, false, []summary.Answer{output(enc, encTwo)}, policy.Local, 1, "", summary.Failed},
		{"none of them", policy.Remote, false, []summary.Answer{output(said)}, policy.Local, 1, "", summary.Empty},
		{"an item of the context's own is none", policy.Remote, false, []summary.Answer{output(context)}, policy.Local, 1, "", summary.Empty},
		{"nor does it count beside one", policy.Remote, false, []summary.Answer{output(context, enc)}, "", 0, "ENC", ""},
		{"nothing in it", policy.Remote, false, []summary.Answer{output(`{"type":"compaction","encrypted_content":""}`)}, policy.Local, 1, "", summary.Empty},
		{"several, the endpoint", policy.RemoteV1, false, []summary.Answer{output(user("one"), enc, encTwo)}, "", 0, "TWO", ""},
		{"none of them, the endpoint", policy.RemoteV1, false, []summary.Answer{output(user("one"))}, policy.Local, 1, "", summary.Empty},
		{"an item that holds nothing, the endpoint", policy.RemoteV1, false, []summary.Answer{output(user("one"), context)}, policy.Local, 1, "", summary.Empty},
		{"beside one that does", policy.RemoteV1, false, []summary.Answer{output(enc, context)}, "", 0, "ENC", ""},
		{"stopped", policy.Remote, false, []summary.Answer{{Error: summary.Interrupted}}, "", 0, "", summary.Interrupted},
		{"nothing at all, the endpoint", policy.RemoteV1, false, []summary.Answer{output()}, policy.Local, 1, "", summary.Empty},
		{"a blank text", policy.Remote, false, []summary.Answer{{Text: " "}}, policy.Local, 1, "", summary.Empty},
		{"it failed", policy.Remote, false, []summary.Answer{failed()}, policy.Local, 1, "", summary.Failed},
		{"it was too long", policy.Remote, false, []summary.Answer{long}, policy.Local, 1, "", summary.TooLong},
		{"the local one answers", policy.Remote, false, []summary.Answer{failed(), {Text: "All is well."}}, "", 0, "All is well.", ""},
		{"and may shrink", policy.Remote, false, []summary.Answer{failed(), long}, policy.Local, 2, "", summary.TooLong},
		{"and may fail", policy.Remote, false, []summary.Answer{failed(), failed(), failed()}, "", 0, "", summary.Failed},
		{"strict: once more", policy.Remote, true, []summary.Answer{failed()}, policy.Remote, 1, "", summary.Failed},
		{"strict: and no more", policy.Remote, true, []summary.Answer{failed(), {Text: " "}}, "", 0, "", summary.Empty},
		{"strict: the second try", policy.Remote, true, []summary.Answer{failed(), {Text: "ENC"}}, "", 0, "ENC", ""},
		{"strict: what is too long stays so", policy.Remote, true, []summary.Answer{long}, "", 0, "", summary.TooLong},
	} {
		p := planOf(t, history, policy.Policy{Implementation: c.by, Strict: c.strict, Retain: policy.Retain{Tokens: 1}})
		s, err := p.Next(c.answers)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		asks, attempt := "", 0
		if r := s.Request; r != nil {
			if asks, attempt = r.Implementation, r.Attempt; asks == "" {
				asks = policy.Local
			}
			if (r.Prompt == "") != (asks != policy.Local) {
				t.Errorf("%s: a request of %s has the prompt %q", c.name, asks, r.Prompt)
			}
		}
		if asks != c.asks || attempt != c.attempt || s.Text != c.text || s.Failure != c.failure || s.Calls != len(c.answers) {
			t.Errorf("%s: asks %q attempt %d, text %q, failure %q, %d calls", c.name, asks, attempt, s.Text, s.Failure, s.Calls)
		}
		if local := asks == policy.Local || c.name == "the local one answers" || c.name == "and may fail"; local == s.Plan.Policy.Opaque() {
			t.Errorf("%s: it goes on with the plan of %s", c.name, s.Plan.Policy.Implementation)
		}
	}
}

// What an answer may not be, and where.
func TestNextOpaqueErrors(t *testing.T) {
	history := items(user("one"), message("assistant", text("two")))
	for _, c := range []struct {
		answers []summary.Answer
		path    string
	}{
		{[]summary.Answer{{Text: "ENC"}, {Text: "ENC"}}, "answers[1]"},
		{[]summary.Answer{{Error: "no such"}}, "answers[0].error"},
		{[]summary.Answer{failed(), {Error: "no such"}}, "answers[1].error"},
		{[]summary.Answer{failed(), output(enc)}, "answers[1].output"}, // the local request wants a text
		{[]summary.Answer{{Text: "ENC", Output: json.RawMessage("[]")}}, "answers[0].output"},
		{[]summary.Answer{{Output: json.RawMessage("{}")}}, "answers[0].output"},
		{[]summary.Answer{output(enc, "1")}, "answers[0].output[1]"},
		{[]summary.Answer{output(`{"type":"compaction"}`)}, "answers[0].output[0].encrypted_content"},
	} {
		_, err := planOf(t, history, policy.Policy{}).Next(c.answers)
		var e *transcript.Error
		if !errors.As(err, &e) || e.Code != "invalid_request" || e.Path != c.path {
			t.Errorf("%+v: %v, want %s", c.answers, err, c.path)
		}
	}
}

// Where initial context stands among what the provider gave back, and what of that
// may stand (spec, sections 5 and 6.2).
func TestGiven(t *testing.T) {
	env := user("<environment_context>here</environment_context>")
	history := items(message("developer", text("<permissions>all")), env, user("one"), message("assistant", text("two")))
	const own1, own2 = "developer: <permissions>all", "user: <environment_context>here</environment_context>"
	for _, c := range []struct {
		name  string
		given []string
		want  []string
	}{
		{"a message of a person and the compaction", []string{user("one"), enc}, []string{own1, own2, "user: one", "compaction: ENC"}},
		{"before the last of them", []string{user("zero"), user("one"), enc}, []string{"user: zero", own1, own2, "user: one", "compaction: ENC"}},
		{"nothing but the compaction", []string{enc}, []string{own1, own2, "compaction: ENC"}},
		{"before the last compaction", []string{enc, encTwo}, []string{"compaction: ENC", own1, own2, "compaction_summary: TWO"}},
		{
			"the task of an agent counts as a person's message",
			[]string{user("one"), agent("a", "b", "Message Type: TASK\ngo"), enc},
			[]string{"user: one", own1, own2, "agent_message: Message Type: TASK\ngo", "compaction: ENC"},
		},
		{
			"its last word does not",
			[]string{user("one"), agent("a", "b", "Message Type: FINAL_ANSWER\ndone"), enc},
			[]string{own1, own2, "user: one", "agent_message: Message Type: FINAL_ANSWER\ndone", "compaction: ENC"},
		},
		{
			"an old summary is no request",
			[]string{user("one"), user(summary.UserPrefix + "\nold"), enc},
			[]string{own1, own2, "user: one", "user: " + summary.UserPrefix + "\nold", "compaction: ENC"},
		},
		{
			"nor is a hook",
			[]string{user("one"), user(`<hook_prompt hook_run_id="r">x</hook_prompt>`), enc},
			[]string{own1, own2, "user: one", `user: <hook_prompt hook_run_id="r">x</hook_prompt>`, "compaction: ENC"},
		},
		{"what may not stand", []string{
			message("developer", text("<permissions>none")), message("system", text("obey")), env, user("<turn_aborted>x</turn_aborted>"),
			`{"type":"reasoning","summary":[]}`, `{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`,
			`{"type":"function_call_output","call_id":"c","output":"x"}`, message("assistant", text("said")), `{"type":"new_thing"}`, user("one"), enc,
		}, []string{"assistant: said", own1, own2, "user: one", "compaction: ENC"}},
		{"a notice stands and falls with what it is behind", []string{
			env, message("developer", text(resized)), message("user", text("one"), image), message("developer", text(resized)), enc,
		}, []string{own1, own2, "user: one | [image]", "developer: " + resized, "compaction: ENC"}},
	} {
		p := planOf(t, history, policy.Policy{Implementation: policy.RemoteV1})
		s, err := p.Next([]summary.Answer{output(c.given...)})
		if err != nil {
			t.Fatal(err)
		}
		if got := shape(t, p, s); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		entries, r := p.Apply(s, &trigger.Decision{})
		checkPlaces(t, c.name, p, entries, r)
		if images := strings.Count(strings.Join(c.want, ""), "[image]"); r.Event.RetainedImages != images {
			t.Errorf("%s: the event has %d images, %d stand", c.name, r.Event.RetainedImages, images)
		}
	}
}

// checkPlaces: every place of the output is that of one item that came in or of
// one that was inserted.
func checkPlaces(t *testing.T, name string, p *compact.Plan, entries []transcript.Entry, r *compact.Receipt) {
	t.Helper()
	of := make([]int, len(entries))
	for _, f := range r.Items {
		if f.To != nil {
			of[*f.To]++
			if entries[*f.To].From != f.Index {
				t.Errorf("%s: item %d is said to stand at %d", name, f.Index, *f.To)
			}
		}
	}
	sum := r.OverheadAfter
	for _, f := range r.Items {
		sum += f.TokensAfter
	}
	for _, in := range r.Inserted {
		of[in.To]++
		sum += in.Tokens
		if kind := entries[in.To].New.Type; (in.Kind == "summary") != strings.HasPrefix(kind, "compaction") {
			t.Errorf("%s: %s is inserted as %s", name, kind, in.Kind)
		}
	}
	for i, n := range of {
		if n != 1 {
			t.Errorf("%s: place %d is named %d times", name, i, n)
		}
	}
	if sum != r.TokensAfter {
		t.Errorf("%s: %d tokens, the parts have %d", name, r.TokensAfter, sum)
	}
	if r.Implementation != p.Policy.Implementation {
		t.Errorf("%s: the receipt says %s", name, r.Implementation)
	}
}

// A call that is still open stays behind what the provider gave, for its result
// must follow it.
func TestGivenBeforeOpenCalls(t *testing.T) {
	history := items(user("<environment_context>here</environment_context>"), user("one"), message("assistant", text("two")),
		`{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`)
	p := planOf(t, history, policy.Policy{Implementation: policy.RemoteV1})
	s, err := p.Next([]summary.Answer{output(user("one"), enc)})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"user: <environment_context>here</environment_context>", "user: one", "compaction: ENC", "function_call: [call]"}
	if got := shape(t, p, s); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	entries, r := p.Apply(s, &trigger.Decision{})
	checkPlaces(t, "open call", p, entries, r)
}

// Where the local plan folds nothing there is nothing to fall back to.
func TestNoLocalPlan(t *testing.T) {
	p := planOf(t, items(user("one"), user("two")), policy.Policy{Keep: policy.Keep{UserTokens: 100}, Retain: policy.Retain{Tokens: 1}})
	s, err := p.Next([]summary.Answer{failed()})
	if err != nil || s.Request != nil || s.Failure != summary.Failed || p.Local().Folds() {
		t.Errorf("%+v, %v", s, err)
	}
}
