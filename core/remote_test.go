package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// session is a Responses session of some 3,000 tokens that ends in the middle of
// a turn, with instructions of its own.
func session() string {
	long := strings.Repeat("The build log lists every package with its version. ", 100)
	return `{"model":"gpt-5","instructions":"Be brief.","store":false,"tools":[{"type":"function","name":"exec"}],"input":[` +
		`{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions>all</permissions>"}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Make the tests pass."}]},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + long + `"}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"And the linter."},{"type":"input_image","image_url":"https://example.com/a.png"}]},` +
		`{"type":"function_call","name":"exec","arguments":"{}","call_id":"c"},` +
		`{"type":"function_call_output","call_id":"c","output":"` + long + `"}]}`
}

func remotely(implementation, more string) string {
	return `"policy":{"codex":{"implementation":"` + implementation + `"` + more + `}},"force":true`
}

// kinds are those of the items of a transcript or of a request's input, with the
// role of messages.
func kinds(t *testing.T, src []byte) []string {
	t.Helper()
	var root struct {
		Input []struct{ Type, Role string } `json:"input"`
	}
	if err := json.Unmarshal(src, &root); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, it := range root.Input {
		if it.Type == "message" {
			it.Type = it.Role
		}
		out = append(out, it.Type)
	}
	return out
}

func isError(t *testing.T, err error, code, path string) {
	t.Helper()
	var e *core.Error
	if !errors.As(err, &e) || e.Code != code || e.Path != path {
		t.Errorf("%v, want %s at %s", err, code, path)
	}
}

// The plan asks the provider, and holds the local request for when that fails.
func TestRemoteRequests(t *testing.T) {
	history := []string{"developer", "user", "assistant", "user", "function_call", "function_call_output"}
	for _, c := range []struct{ implementation, path, last string }{
		{"remote", "", "compaction_trigger"}, {"remote_v1", "responses/compact", ""},
	} {
		req := ask(t, session(), remotely(c.implementation, ""))
		p := planned(t, req).Plan
		r, f := p.Request, p.Fallback
		if r == nil || r.Purpose != "summary" || r.Attempt != 0 || r.Format != "openai-responses" || r.Implementation != c.implementation || r.Path != c.path {
			t.Fatalf("%s: %+v", c.implementation, r)
		}
		want := slices.Clone(history)
		if c.last != "" {
			want = append(want, c.last)
		}
		if got := kinds(t, r.Body); !slices.Equal(got, want) || strings.Contains(string(r.Body), "max_output_tokens") || !strings.Contains(string(r.Body), `"model":"gpt-5"`) {
			t.Errorf("%s: %q in %s", c.implementation, got, r.Body)
		}
		if f == nil || f.Attempt != 1 || f.Implementation != "" || f.Path != "" || !slices.Equal(kinds(t, f.Body), append(slices.Clone(history), "user")) {
			t.Fatalf("%s: the fallback is %+v", c.implementation, f)
		}
		// It is what is asked next, whatever the failure is.
		for _, failure := range []string{"failed", "context_length_exceeded", "empty"} {
			next, err := core.Next(req, []core.Answer{{Error: failure}})
			if err != nil || next.Plan.Request == nil || string(next.Plan.Request.Body) != string(f.Body) || next.Plan.Request.Attempt != 1 || next.Plan.Fallback != nil {
				t.Errorf("%s, %s: %+v, %v", c.implementation, failure, next, err)
			}
		}
		req = ask(t, session(), remotely(c.implementation, `,"strict":true`))
		if p := planned(t, req).Plan; p.Fallback != nil || p.Request == nil {
			t.Errorf("%s: strict has the fallback %+v", c.implementation, p.Fallback)
		}
		if _, err := core.Next(req, []core.Answer{tooLong()}); err == nil {
			t.Errorf("%s: strict goes on", c.implementation)
		} else {
			isError(t, err, "summary_failed", "answers")
		}
	}
}

// The receipt says which of the two ran.
func TestRemoteReceipt(t *testing.T) {
	const enc = `{"type":"compaction","encrypted_content":"ENC"}`
	output := core.Answer{Output: json.RawMessage(`[{"type":"message","role":"user","content":[{"type":"input_text","text":"And the linter."}]},` + enc + `]`)}
	for _, c := range []struct {
		name, implementation string
		answers              []core.Answer
		by, ran              string
		items                []string
		images               int
	}{
		{"the payload", "remote", []core.Answer{{Text: "ENC"}}, "model", "remote", []string{"user", "developer", "user", "compaction"}, 1},
		{"the output", "remote", []core.Answer{{Output: json.RawMessage("[" + enc + "]")}}, "model", "remote", []string{"user", "developer", "user", "compaction"}, 1},
		{"the endpoint", "remote_v1", []core.Answer{output}, "model", "remote_v1", []string{"developer", "user", "compaction"}, 0},
		{"the endpoint, the payload alone", "remote_v1", []core.Answer{{Text: "ENC"}}, "model", "remote_v1", []string{"developer", "compaction"}, 0},
		{"it failed", "remote", []core.Answer{{Error: "failed"}, {Text: "All is well."}}, "model", "local", []string{"user", "developer", "user", "user"}, 0},
		{"the endpoint failed", "remote_v1", []core.Answer{{Error: "failed"}, {Text: "All is well."}}, "model", "local", []string{"user", "developer", "user", "user"}, 0},
		{"nothing was asked", "remote", nil, "digest", "local", []string{"user", "developer", "user", "user"}, 0},
	} {
		req := ask(t, session(), remotely(c.implementation, ""))
		res, err := core.Apply(req, c.answers)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		req.Answers = c.answers
		holds(t, req, res)
		r := res.Receipt
		if r.Implementation != c.ran || r.Event.Implementation != c.ran || r.Summary.By != c.by || r.Summary.Calls != len(c.answers) || r.Event.RetainedImages != c.images {
			t.Errorf("%s: %+v, %+v", c.name, r.Summary, r.Event)
		}
		if got := kinds(t, res.Transcript); !slices.Equal(got, c.items) {
			t.Errorf("%s: %q", c.name, got)
		}
		if c.ran != "local" && !strings.Contains(string(res.Transcript), enc) || c.ran == "local" && strings.Contains(string(res.Transcript), "compaction") {
			t.Errorf("%s: %s", c.name, res.Transcript)
		}
		if c.answers != nil && c.ran != "local" && res.Summary != "ENC" {
			t.Errorf("%s: the summary is %q", c.name, res.Summary)
		}
	}
}

// What took over is named also where nothing comes of it: no digest is short
// enough for so little.
func TestRemoteReceiptOfNothing(t *testing.T) {
	src := `[{"type":"message","role":"user","content":"Go."},{"type":"message","role":"assistant","content":"` + strings.Repeat("Gone. ", 20) + `"}]`
	for _, c := range []struct{ answers, reason, ran string }{
		{"", core.NoProgress, "local"},
		{`,"answers":[{"text":"` + strings.Repeat("x", 4000) + `"}]`, core.NoProgress, "remote"},
	} {
		res, err := core.Compact(ask(t, src, `"format":"openai-responses","policy":{"codex":{"implementation":"remote","model_context_window":50}}`+c.answers))
		if err != nil || res.Compacted || res.Reason != c.reason || res.Receipt.Implementation != c.ran {
			t.Errorf("%q: %v %s by %s, %v", c.answers, res.Compacted, res.Reason, res.Receipt.Implementation, err)
		}
	}
}

// A caller's own summary answers what was asked last: the payload, and behind a
// failure the text.
func TestRemoteSummaryOfTheCaller(t *testing.T) {
	for _, c := range []struct{ answers, ran, stands string }{
		{`[]`, "remote", `{"type":"compaction","encrypted_content":"All is well."}`},
		{`[{"error":"failed"}]`, "local", `All is well."}]}`},
	} {
		req := ask(t, session(), remotely("remote", "")+`,"summary":"All is well.","answers":`+c.answers)
		res := compacted(t, req)
		if res.Receipt.Implementation != c.ran || !strings.Contains(string(res.Transcript), c.stands) || res.Receipt.Summary.By != "caller" {
			t.Errorf("%s: %s by %s: %s", c.answers, res.Receipt.Implementation, res.Receipt.Summary.By, res.Transcript)
		}
		if p := planned(t, req).Plan; p.TokensAfterEstimate != res.Receipt.TokensAfter {
			t.Errorf("%s: the plan says %d tokens, there are %d", c.answers, p.TokensAfterEstimate, res.Receipt.TokensAfter)
		}
	}
}

// A digest stands in for the provider only where nothing is lost by that.
func TestRemoteWithoutAnswers(t *testing.T) {
	_, err := core.Compact(ask(t, session(), remotely("remote", `,"strict":true`)))
	isError(t, err, "invalid_request", "answers")
	sealed := strings.Replace(session(), `"input":[`, `"input":[{"type":"compaction","encrypted_content":"OLD"},`, 1)
	_, err = core.Compact(ask(t, sealed, remotely("remote", "")))
	isError(t, err, "invalid_request", "answers")
	if err == nil || !strings.Contains(err.Error(), "transcript.input[0]") {
		t.Errorf("%v does not say where", err)
	}
	// A model reads what the digest can not, and so does the provider.
	for _, answers := range []string{`[{"text":"NEW"}]`, `[{"error":"failed"},{"text":"All is well."}]`} {
		res := compacted(t, ask(t, sealed, remotely("remote", "")+`,"answers":`+answers))
		if f := res.Receipt.Items[0]; f.Fate != "folded" || f.Reason != "earlier_summary" || strings.Contains(string(res.Transcript), "OLD") {
			t.Errorf("%s: %+v", answers, f)
		}
	}
	// Nothing is asked where nothing fires.
	res, err := core.Compact(ask(t, sealed, `"policy":{"codex":{"implementation":"remote","strict":true,"model_context_window":272000}}`))
	if err != nil || res.Compacted || res.Reason != core.NotTriggered {
		t.Errorf("%+v, %v", res, err)
	}
}

// Where the history can hold no compaction item the policy is refused, fired or
// not: to do something else in silence would be found out late.
func TestRemoteRefused(t *testing.T) {
	claude := `"{\"type\":\"user\",\"uuid\":\"1\",\"parentUuid\":null,\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"content\":\"Go.\"}}\n"`
	for name, src := range map[string]string{
		"openai-chat":        `[{"role":"user","content":"Go.","tool_calls":[]},{"role":"assistant","content":"Done."}]`,
		"anthropic-messages": `[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"compaction","content":"x"}]}]`,
		"claude-code":        claude,
	} {
		for _, implementation := range []string{"remote", "remote_v1"} {
			for _, force := range []bool{true, false} {
				req := ask(t, src, fmt.Sprintf(`"format":%q,"policy":{"codex":{"implementation":%q}},"force":%v`, name, implementation, force))
				_, err := core.Compact(req)
				isError(t, err, "invalid_policy", "policy.codex.implementation")
				for _, word := range []string{name, implementation, "openai-responses and codex-rollout"} {
					if err != nil && !strings.Contains(err.Error(), word) {
						t.Errorf("%s: %v does not name %s", name, err, word)
					}
				}
				_, err = core.Plan(req)
				isError(t, err, "invalid_policy", "policy.codex.implementation")
			}
		}
		if _, err := core.Count(ask(t, src, `"policy":{"codex":{"implementation":"remote"}}`)); err != nil {
			t.Errorf("%s is not counted: %v", name, err)
		}
	}
}

// A rollout is compacted as the CLI does it: no text in the line, the history with
// the sealed item last. What was sealed before is replaced.
func TestRemoteRollout(t *testing.T) {
	long := strings.Repeat("The build log lists every package with its version. ", 100)
	line := func(payload string) string {
		return `{"timestamp":"2026-11-30T10:00:00.000Z","type":"response_item","payload":` + payload + "}\n"
	}
	src := `{"timestamp":"2026-11-30T10:00:00.000Z","type":"session_meta","payload":{"id":"s","base_instructions":{"text":"Be brief."}}}` + "\n" +
		line(`{"type":"message","role":"user","content":[{"type":"input_text","text":"Make the tests pass."}]}`) +
		line(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+long+`"}]}`)
	for n, answer := range []core.Answer{
		{Text: "ONE"},
		{Output: json.RawMessage(`[{"type":"message","role":"user","content":[{"type":"input_text","text":"Given back."}]},{"type":"compaction","id":"cmp_1","encrypted_content":"TWO"}]`)},
	} {
		implementation := []string{"remote", "remote_v1"}[n]
		quoted, err := json.Marshal(src)
		if err != nil {
			t.Fatal(err)
		}
		req := ask(t, string(quoted), remotely(implementation, ""))
		req.Answers = []core.Answer{answer}
		res := compacted(t, req)
		lines := strings.Split(strings.TrimSpace(string(res.Transcript)), "\n")
		var last struct {
			Type    string
			Payload struct {
				Message            string            `json:"message"`
				ReplacementHistory []json.RawMessage `json:"replacement_history"`
			}
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
			t.Fatal(err)
		}
		history := last.Payload.ReplacementHistory
		want := []string{`{"type":"compaction","encrypted_content":"ONE"}`, `{"type":"compaction","id":"cmp_1","encrypted_content":"TWO"}`}[n]
		if last.Type != "compacted" || last.Payload.Message != "" || len(history) != 2 || string(history[1]) != want {
			t.Errorf("%s: %s", implementation, lines[len(lines)-1])
		}
		src = string(res.Transcript) + line(`{"type":"message","role":"user","content":[{"type":"input_text","text":"And the linter."}]}`) +
			line(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+long+`"}]}`)
	}
}

// Pictures that survive every compaction for nothing fill the window again at
// once: the original asks for the next compaction right away. Here they count.
func TestRemotePicturesEnd(t *testing.T) {
	const each, pictures = 1844, 200
	image := `{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}]},`
	src := "[" + strings.Repeat(image, pictures) + `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Seen."}]}]`
	for _, c := range []struct {
		strict string
		stay   int
	}{{`,"strict":true`, pictures}, {"", 64000 / each}} {
		res := compacted(t, ask(t, src, `"format":"openai-responses",`+remotely("remote", c.strict)+`,"summary":"ENC"`))
		if n := strings.Count(string(res.Transcript), "input_image"); n != c.stay || res.Receipt.Event.RetainedImages != c.stay {
			t.Errorf("%q: %d pictures stay, the event says %d, want %d", c.strict, n, res.Receipt.Event.RetainedImages, c.stay)
		}
	}
}

// Scenario 13: in a window of 2,000 tokens an output of 3,000 lines at the end is
// left out of the request, and nothing else.
func TestScenario13RemoteTrim(t *testing.T) {
	call := func(id string) string {
		return `{"type":"function_call","name":"exec","arguments":"{}","call_id":"` + id + `"},`
	}
	out := func(id, output string) string {
		return `{"type":"function_call_output","call_id":"` + id + `","output":"` + output + `"}`
	}
	long := strings.Repeat("line of a log\\n", 3000)
	const head = `[{"type":"message","role":"user","content":[{"type":"input_text","text":"Go."}]},`
	const model = `"model":{"id":"m","context_window":2000},`
	req := ask(t, head+call("a")+out("a", "kept")+","+call("b")+out("b", long)+"]", model+remotely("remote", ""))
	p := planned(t, req).Plan
	body := string(p.Request.Body)
	if !strings.Contains(body, out("a", "kept")) || strings.Contains(body, "line of a log") || strings.Count(body, "function_call\"") != 2 || len(body) > 4*2000 {
		t.Errorf("the request is %.600s", body)
	}
	if got, want := fates(p.Items), []string{"kept user_budget 0", "folded summarised -", "folded summarised -", "folded summarised -", "dropped request_trimmed -"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !strings.Contains(string(p.Fallback.Body), "line of a log") {
		t.Error("the local request is trimmed, too: it can be sent with fewer items instead")
	}
	// Several at the end, all of them while it is too much; the history keeps its own.
	req = ask(t, head+call("a")+call("b")+out("a", long)+","+out("b", long)+"]", model+remotely("remote", ""))
	if body := string(planned(t, req).Plan.Request.Body); strings.Contains(body, "line of a log") {
		t.Errorf("the request is %.600s", body)
	}
	// With a window that holds all of it nothing is left out, nor where none is known.
	for _, m := range []string{`"model":{"id":"m","context_window":272000},`, ``} {
		req = ask(t, head+call("b")+out("b", long)+"]", m+remotely("remote", ""))
		if !strings.Contains(string(planned(t, req).Plan.Request.Body), "line of a log") {
			t.Errorf("%q: it is left out", m)
		}
	}
}

// A switch to a smaller model: the provider of the old one is asked, whose window
// decides what the request can hold, and less is retained until the new one can
// read the result.
func TestRemoteDownshift(t *testing.T) {
	question := `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + strings.Repeat("word ", 8000) + `"}]},`
	src := "[" + strings.Repeat(question, 12) + `{"type":"function_call","name":"read","arguments":"{}","call_id":"c"},` +
		`{"type":"function_call_output","call_id":"c","output":"` + strings.Repeat("line ", 8000) + `"}]`
	req := ask(t, src, `"model":{"id":"small","context_window":32000},"previous_model":{"id":"large","context_window":1000000},`+
		`"policy":{"codex":{"implementation":"remote"}},"summary":"ENC"`)
	res := compacted(t, req)
	if r := res.Decision.Reason; r == nil || *r != "model_downshift" || !res.Compacted || res.Receipt.TokensAfter >= 32000*9/10 || res.Receipt.Implementation != "remote" {
		t.Errorf("%+v, %d tokens", res.Decision, res.Receipt.TokensAfter)
	}
	r := planned(t, req).Plan.Request
	if body := string(r.Body); r.Implementation != "remote" || !strings.Contains(body, `"model":"large"`) || strings.Count(body, "word word") < 12*3000 || !strings.Contains(body, "line line") {
		t.Errorf("%s asks %.200s", r.Implementation, body)
	}
}

// A cassette plays a remote step back, its failure and what came then.
func TestRemoteCassette(t *testing.T) {
	for _, answers := range [][]core.Answer{
		{{Text: "ENC"}},
		{{Output: json.RawMessage(`[{"type":"compaction","encrypted_content":"ENC"}]`)}},
		{{Error: "failed"}, {Text: "All is well."}},
	} {
		req := ask(t, session(), remotely("remote", ""))
		req.Answers, req.Record = answers, true
		first := compacted(t, req)
		if len(first.Cassette) != len(answers) {
			t.Fatalf("%d of %d answers are recorded", len(first.Cassette), len(answers))
		}
		req.Answers, req.Record, req.Cassette = nil, false, first.Cassette
		again := compacted(t, req)
		if string(again.Transcript) != string(first.Transcript) || again.Receipt.Implementation != first.Receipt.Implementation {
			t.Errorf("%s became %s", first.Transcript, again.Transcript)
		}
	}
}
