package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// errand is a chat of six items. Its two answers are 10,400 bytes each, some
// 3,900 tokens together, so that a tenth of them holds a digest.
func errand() string {
	long := strings.Repeat("The build log lists every package with its version. ", 200)
	return `[{"role":"system","content":"Be brief."},{"role":"user","content":"Make the tests of package parse pass."},` +
		`{"role":"assistant","content":"` + long + `"},{"role":"user","content":"And the linter, please."},` +
		`{"role":"assistant","content":"` + long + `"},{"role":"user","content":"Go on."}]`
}

// ask is a request for the transcript with the members of rest.
func ask(t *testing.T, transcript, rest string) core.Request {
	t.Helper()
	req, err := core.DecodeRequest([]byte(`{"transcript":` + transcript + "," + rest + "}"))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func compacted(t *testing.T, req core.Request) *core.CompactResult {
	t.Helper()
	res, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, req, res)
	return res
}

func planned(t *testing.T, req core.Request) *core.PlanResult {
	t.Helper()
	res, err := core.Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// fates are those of all items: fate, reason and place.
func fates(items []core.ItemFate) []string {
	var out []string
	for _, f := range items {
		to := "-"
		if f.To != nil {
			to = strconv.Itoa(*f.To)
		}
		out = append(out, string(f.Fate)+" "+string(f.Reason)+" "+to)
	}
	return out
}

func tooLong() core.Answer { return core.Answer{Error: "context_length_exceeded"} }

const keepOne = `"policy":{"lait":{"trigger_rounds":1,"keep_last_n":1}}`

// Next gives the next request for the answers so far, and none behind a text;
// Apply puts that text in its place.
func TestNextAndApply(t *testing.T) {
	req := ask(t, errand(), keepOne)
	first := planned(t, req)
	second, err := core.Next(req, []core.Answer{tooLong()})
	if err != nil {
		t.Fatal(err)
	}
	if first.Plan.Request == nil || first.Plan.Request.Attempt != 0 || second.Plan.Request == nil || second.Plan.Request.Attempt != 1 {
		t.Fatalf("requests %+v and %+v", first.Plan.Request, second.Plan.Request)
	}
	// The prompt stands behind the items: all six, then all but the oldest.
	if a, b := shows(t, first), shows(t, second); len(a) != 7 || !reflect.DeepEqual(b, a[1:]) {
		t.Errorf("the second request shows %d, the first %d", len(b), len(a))
	}
	answers := []core.Answer{tooLong(), {Text: "All done."}}
	done, err := core.Next(req, answers)
	if err != nil {
		t.Fatal(err)
	}
	res, err := core.Apply(req, answers)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, req, res)
	if done.Plan.Request != nil || done.Plan.TokensAfterEstimate != res.Receipt.TokensAfter || !reflect.DeepEqual(done.Plan.Items, res.Receipt.Items) {
		t.Errorf("the plan says %+v, the receipt %+v", done.Plan, res.Receipt)
	}
	if !res.Compacted || res.Summary != "All done." || res.Receipt.Summary.By != "model" || res.Receipt.Summary.Calls != 2 {
		t.Errorf("%v %q %+v", res.Compacted, res.Summary, res.Receipt.Summary)
	}
}

// shows are the messages of a plan's request.
func shows(t *testing.T, res *core.PlanResult) []json.RawMessage {
	t.Helper()
	var body struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(res.Plan.Request.Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Messages
}

// A summary that failed does what the policy says, in compact and in plan:
// nothing but an error, nothing, or the digest. A blank text of a model is one
// too (API.md).
func TestOnFailure(t *testing.T) {
	failed := []core.Answer{{Error: "tool_call"}, {Error: "failed"}}
	blank := []core.Answer{{Text: " \n"}, {Text: ""}}
	for _, answers := range [][]core.Answer{failed, blank} {
		policy := `"policy":{"triggers":[{"rounds":1}],"keep":{"first_user":false,"last_tokens":0,"last_messages":1},"summary":{"on_failure":"%s"}}`
		wish := func(s string) core.Request {
			req := ask(t, errand(), fmt.Sprintf(policy, s))
			req.Answers = answers
			return req
		}
		// error
		for name, call := range map[string]func(core.Request) error{
			"compact": func(r core.Request) error { _, err := core.Compact(r); return err },
			"plan":    func(r core.Request) error { _, err := core.Plan(r); return err },
		} {
			var e *core.Error
			if err := call(wish("error")); !errors.As(err, &e) || e.Code != "summary_failed" || e.Path != "answers" {
				t.Errorf("error: %s gives %v", name, err)
			}
		}
		// keep: the very bytes that came in, and one such answer, not one a round
		req := wish("keep")
		res := compacted(t, req)
		if res.Compacted || res.Reason != "summary_failed" || res.Summary != "" || res.Receipt.Summary.By != "model" || res.Receipt.Summary.Calls != 2 {
			t.Errorf("keep: %v %q %+v", res.Compacted, res.Reason, res.Receipt.Summary)
		}
		req.State = res.State
		if again := compacted(t, req); again.Decision.Fired || again.Reason != "not_triggered" {
			t.Errorf("keep: fires again: %+v", again.Decision)
		}
		p := planned(t, wish("keep")).Plan
		if p.Request != nil || p.TokensAfterEstimate != p.TokensBefore || !reflect.DeepEqual(p.Items, res.Receipt.Items) || p.Items[0].Reason != "not_compacted" {
			t.Errorf("keep: the plan is %+v", p)
		}
		// digest: as if nobody had been asked, but for the calls that it took
		plain := wish("digest")
		plain.Answers = nil
		want, got := compacted(t, plain), compacted(t, wish("digest"))
		if !got.Compacted || got.Summary == "" || got.Summary != want.Summary || got.Receipt.Summary.By != "digest" || got.Receipt.Summary.Calls != 2 || want.Receipt.Summary.Calls != 0 {
			t.Errorf("digest: %v %q %+v", got.Compacted, got.Summary, got.Receipt.Summary)
		}
		p = planned(t, wish("digest")).Plan
		if p.Request != nil || p.TokensAfterEstimate != got.Receipt.TokensAfter || !reflect.DeepEqual(p.Items, got.Receipt.Items) {
			t.Errorf("digest: the plan is %+v", p)
		}
	}
}

// The policy's model is looked up among the request's aliases, and is an id
// itself where there is none; without one it is the conversation's.
func TestModels(t *testing.T) {
	const alias = `"models":{"cheap":{"model":"gpt-5-mini"},"other":{"model":"no"}},`
	for _, c := range []struct{ rest, want string }{
		{alias + `"policy":{"lait":{"trigger_rounds":1,"model":"cheap"}},"model":{"id":"gpt-5"}`, "gpt-5-mini"},
		{alias + `"policy":{"lait":{"trigger_rounds":1,"model":"gpt-4.1"}},"model":{"id":"gpt-5"}`, "gpt-4.1"},
		{alias + `"policy":{"lait":{"trigger_rounds":1}},"model":{"id":"gpt-5"}`, "gpt-5"},
		{alias + `"policy":{"lait":{"trigger_rounds":1}}`, "gpt-3"},
	} {
		req := ask(t, `{"model":"gpt-3","messages":`+errand()+`}`, c.rest)
		var body struct {
			Model string `json:"model"`
		}
		if err := json.Unmarshal(planned(t, req).Plan.Request.Body, &body); err != nil || body.Model != c.want {
			t.Errorf("%s: the request names %q, %v", c.rest, body.Model, err)
		}
		req.Answers = []core.Answer{{Text: "s"}}
		if m := compacted(t, req).Receipt.Summary.Model; m == nil || *m != c.want {
			t.Errorf("%s: the receipt names %v", c.rest, m)
		}
		req.Answers = nil // nobody is asked for a digest
		if m := compacted(t, req).Receipt.Summary.Model; m != nil {
			t.Errorf("%s: a digest by %s", c.rest, *m)
		}
	}
}

// summary.language stands in the prompt, and is the digest's too.
func TestSummaryLanguage(t *testing.T) {
	kana := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r >= 'ぁ' && r <= 'ヿ' })
	}
	const policy = `"force":true,"policy":{"keep":{"first_user":false,"last_tokens":0,"last_messages":1},"summary":{"language":"%s"}}`
	for tag, japanese := range map[string]bool{"ja": true, "en": false, "auto": false} {
		req := ask(t, errand(), fmt.Sprintf(policy, tag))
		all := shows(t, planned(t, req))
		if prompt := string(all[len(all)-1]); strings.Contains(prompt, "tag "+tag) != (tag != "auto") || strings.Contains(prompt, "{language}") {
			t.Errorf("%s: the prompt is %s", tag, prompt)
		}
		if s := compacted(t, req).Summary; s == "" || kana(s) != japanese {
			t.Errorf("%s: the digest is %q", tag, s)
		}
	}
}

// The caller's summary behind answers that were too long is the answer to the
// request that they lead to: what that left out is dropped. Alone it stands for
// all (DESIGN.md section 3).
func TestSummaryWithAnswers(t *testing.T) {
	text, req := "The tests pass now.", ask(t, errand(), keepOne+`,"model":{"id":"gpt-5"}`) // which nobody asked for this text
	req.Summary = &text
	const kept, folded, shrunk = "kept instructions 0", "folded summarised -", "dropped request_shrunk -"
	for _, c := range []struct {
		answers []core.Answer
		want    []string
	}{
		{nil, []string{kept, folded, folded, folded, folded, "kept recent 2"}},
		// The oldest is the system message, which stays in the transcript.
		{[]core.Answer{tooLong()}, []string{kept, folded, folded, folded, folded, "kept recent 2"}},
		{[]core.Answer{tooLong(), tooLong(), tooLong()}, []string{kept, shrunk, shrunk, folded, folded, "kept recent 2"}},
	} {
		req.Answers = c.answers
		res := compacted(t, req)
		if got := fates(res.Receipt.Items); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d answers: %q, want %q", len(c.answers), got, c.want)
		}
		if by := res.Receipt.Summary; res.Summary != text || by.By != "caller" || by.Calls != len(c.answers) || by.Model != nil {
			t.Errorf("%d answers: %q by %+v", len(c.answers), res.Summary, by)
		}
	}
	req.Answers = []core.Answer{{Text: "done already"}}
	if _, err := core.Compact(req); err == nil {
		t.Error("a summary behind a summary is taken")
	}
}

// As many tokens as before is no progress, and holds the trigger until more can
// be folded: where it was refused, and where force returned it. strict holds
// nothing.
func TestNoProgressHolds(t *testing.T) {
	// Summary and folded message are of the same classes of letters in the same
	// places, so that every counter gives both the same.
	const same = `[{"role":"assistant","content":"Nota:\nthe build works"},{"role":"user","content":"Go on."}]`
	const rest = `"summary":"%s","force":%v,"policy":{"triggers":[{"messages":2}],"keep":{"first_user":false,"last_tokens":0,"last_messages":1},"summary":{"prefix":"Note:"},"strict":%v}`
	for _, c := range []struct {
		text          string
		force, strict bool
		compacted     bool
		fires         bool // again
	}{
		{"the build works", false, false, false, false},
		{"the build works", true, false, true, false},
		{"the build works", true, true, true, true},
		{"the build works", false, true, false, true},
		{"yes", true, false, true, false}, // worked, and the two messages are not more than then
		{"yes", true, true, true, true},
	} {
		req := ask(t, same, fmt.Sprintf(rest, c.text, c.force, c.strict))
		res := compacted(t, req)
		none := c.text != "yes"
		if res.Compacted != c.compacted || res.Receipt.NoProgress != none || none && res.Receipt.TokensAfter != res.Receipt.TokensBefore {
			t.Errorf("%+v: compacted %v, %d tokens became %d, no progress %v", c, res.Compacted, res.Receipt.TokensBefore, res.Receipt.TokensAfter, res.Receipt.NoProgress)
		}
		if want := map[bool]string{true: "", false: "no_progress"}[c.compacted]; res.Reason != want {
			t.Errorf("%+v: reason %q", c, res.Reason)
		}
		var state struct {
			Held struct {
				Failed, Done map[string]float64
			} `json:"held"`
		}
		if err := json.Unmarshal(res.State, &state); err != nil || len(state.Held.Failed) != map[bool]int{true: 1}[none] || len(state.Held.Done) != map[bool]int{false: 1}[none] {
			t.Errorf("%+v: state %s %v", c, res.State, err)
		}
		req.Force, req.State = false, res.State
		if again := compacted(t, req); again.Decision.Fired != c.fires || again.Decision.Rules[0].Held == c.fires {
			t.Errorf("%+v: fires again: %+v", c, again.Decision)
		}
	}
}

// Initial context is carried, and superseded, in every family: behind the
// instructions in chat formats, above the last real user message in Responses
// items, before the summary where no such message stays (DESIGN.md section 3).
func TestInitialContext(t *testing.T) {
	long := strings.Repeat("The build log lists every package. ", 40)
	env := func(dir string) string {
		return "<environment_context>\n<cwd>" + dir + "</cwd>\n</environment_context>"
	}
	message := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	chat := func(role, text string) string { return message(map[string]string{"role": role, "content": text}) }
	item := func(role, text string) string {
		return message(map[string]any{"type": "message", "role": role, "content": []map[string]string{{"type": "input_text", "text": text}}})
	}
	list := func(say func(role, text string) string, first ...string) string {
		return "[" + strings.Join(append(first, say("user", env("/old")), say("user", "Make the tests pass."), say("assistant", long),
			say("user", env("/new")), say("user", "And the linter."), say("assistant", long)), ",") + "]"
	}
	const old, gone, rules = "folded superseded_context -", "folded summarised -", "<permissions>all</permissions>"
	for _, c := range []struct {
		format, in string
		users      int
		want       []string
		summary    int
	}{
		{"openai-chat", list(chat, chat("system", "Be brief.")), 20000, []string{"kept instructions 0", old, "kept user_budget 2", gone, "moved initial_context 1", "kept user_budget 3", gone}, 4},
		{"anthropic-messages", list(chat), 20000, []string{old, "kept user_budget 1", gone, "moved initial_context 0", "kept user_budget 2", gone}, 3},
		{"openai-responses", list(item, item("developer", rules)), 20000, []string{"moved initial_context 1", old, "kept user_budget 0", gone, "kept initial_context 2", "kept user_budget 3", gone}, 4},
		{"openai-responses", list(item, item("developer", rules)), 0, []string{"kept initial_context 0", old, gone, gone, "kept initial_context 1", gone, gone}, 2},
	} {
		req := ask(t, c.in, fmt.Sprintf(`"format":"%s","force":true,"summary":"Done.","policy":{"codex":{"user_message_tokens":%d}}`, c.format, c.users))
		res := compacted(t, req)
		if got := fates(res.Receipt.Items); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.format, got, c.want)
		}
		if to := res.Receipt.Inserted[0].To; to != c.summary {
			t.Errorf("%s: the summary stands at %d, want %d", c.format, to, c.summary)
		}
	}
}

// Detect says what a source is; a single answer is recognised and is no history.
func TestDetect(t *testing.T) {
	for _, c := range []struct{ in, name, shape string }{
		{`[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]}]`, "openai-chat", "array"},
		{`{"model":"m","messages":[{"role":"user","content":"hi"}]}`, "openai-chat", "request"},
		{`{"model":"m","input":[{"type":"message","role":"user","content":"hi"}]}`, "openai-responses", "request"},
		{`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}]`, "anthropic-messages", "array"},
		{"{\"role\":\"user\",\"content\":\"hi\"}\n{\"role\":\"assistant\",\"content\":\"ho\"}\n", "openai-chat", "jsonl"},
		{`{"object":"response","output":[{"type":"message","role":"assistant","content":[]}]}`, "openai-responses", "response"},
	} {
		f, err := core.Detect([]byte(c.in))
		if err != nil || f.Name != c.name || f.Shape != c.shape || f.Confidence <= 0 || f.Confidence > 1 || len(f.Evidence) == 0 {
			t.Errorf("%s: %+v %v", c.in, f, err)
		}
	}
	var e *core.Error
	if f, err := core.Detect([]byte(`{"a":1}`)); !errors.As(err, &e) || e.Code != "unknown_format" || f.Evidence == nil {
		t.Errorf("%+v %v", f, err)
	}
}

// Items are the transcript as a person reads it: decoded texts, and the size of
// what nobody reads (4 and 8 characters of base64).
func TestItems(t *testing.T) {
	in := `{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a \"look\""},{"type":"input_image","image_url":"data:image/png;base64,QUJD"}]},` +
		`{"type":"reasoning","summary":[],"encrypted_content":"c2VhbGVk"},{"type":"function_call","call_id":"c1","name":"ls","arguments":"{\"a\":1}"},` +
		`{"type":"function_call_output","call_id":"c1","output":"ok"}]}`
	res, err := core.Items(core.Request{Transcript: []byte(in)})
	if err != nil {
		t.Fatal(err)
	}
	want := []core.ItemView{
		{Index: 0, Path: ".input[0]", Role: "user", Type: "message", Parts: []core.PartView{{Kind: "text", Text: `a "look"`}, {Kind: "image", Bytes: 4}}},
		{Index: 1, Path: ".input[1]", Role: "assistant", Type: "reasoning", Parts: []core.PartView{{Kind: "opaque", Bytes: 8}}},
		{Index: 2, Path: ".input[2]", Role: "assistant", Type: "function_call", Parts: []core.PartView{{Kind: "call", ID: "c1", Name: "ls", Text: `{"a":1}`}}},
		{Index: 3, Path: ".input[3]", Role: "tool", Type: "function_call_output", Parts: []core.PartView{{Kind: "result", ID: "c1", Text: "ok"}}},
	}
	if !reflect.DeepEqual(res.Items, want) {
		t.Errorf("%+v\nwant\n%+v", res.Items, want)
	}
}

// The lists that a page shows. Every preset is a policy that runs; balanced
// keeps a quarter of the window, here 1,000 of the 3,900 tokens.
func TestLists(t *testing.T) {
	presets, ran := core.Presets(), map[string]bool{}
	for _, p := range presets.Presets {
		ran[p.Name] = compacted(t, ask(t, errand(), `"force":true,"summary":"Done.","model":{"context_window":4000},"policy":`+string(p.Policy))).Compacted
	}
	if presets.Default != "balanced" || !ran["balanced"] || !ran["lait"] || !ran["codex"] {
		t.Errorf("%s of %v", presets.Default, ran)
	}
	write := map[string]string{}
	for _, f := range core.Formats().Formats {
		write[f.Name] = f.Write
		if len(f.Rules) == 0 || len(f.Shapes) == 0 || f.Title == "" {
			t.Errorf("%+v", f)
		}
	}
	for name, want := range map[string]string{"openai-chat": "edit", "openai-responses": "edit", "anthropic-messages": "edit", "codex-rollout": "append", "claude-code": "append"} {
		if write[name] != want {
			t.Errorf("%s: %q, want %q", name, write[name], want)
		}
	}
}
