package format

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// geminiTools is a request with parallel calls that have no ids, signatures on a
// thought, on a call and on an empty text, media, and code that the provider ran.
const geminiTools = `{"systemInstruction": {"parts": [{"text": "Be"}, {"text": "brief."}]}, "tools": [{"functionDeclarations": [{"name": "look"}]}], "contents": [
  {"role": "user", "parts": [{"text": "See "}, {"inlineData": {"mimeType": "image/png", "data": "QUJDRA=="}}, {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://v"}}, {"inlineData": {"mimeType": "audio/wav", "data": "QUI="}}]},
  {"role": "model", "parts": [{"text": "Two looks.", "thought": true, "thoughtSignature": "c2ln"}, {"functionCall": {"name": "look", "args": {"at": 1}}}, {"functionCall": {"name": "look", "args": {"at": 2}}}, {"functionCall": {"name": "count"}}]},
  {"role": "user", "parts": [{"functionResponse": {"name": "count", "response": {"error": "no such thing"}}}, {"functionResponse": {"name": "look", "response": {"result": "one"}}}, {"functionResponse": {"name": "look", "response": {"output": {"b": 2}, "ms": 7}, "parts": [{"inlineData": {"mimeType": "image/jpeg", "data": "QUJD"}}]}}]},
  {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {"at": 3}}, "thoughtSignature": "c2lnMg=="}]},
  {"role": "function", "parts": [{"functionResponse": {"name": "look", "response": {"content": [{"type": "text", "text": "three"}, {"type": "text", "text": "lines"}], "isError": true}}}]},
  {"role": "model", "parts": [{"executableCode": {"language": "PYTHON", "code": "print(1)"}}, {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "1"}}, {"text": "Done."}, {"text": "", "thoughtSignature": "c2lnMw=="}, {"novelty": 1}]},
  {"parts": [{"text": "Thanks."}]},
  {"role": "user", "parts": []}
], "generationConfig": {"temperature": 0.0}}
`

// geminiSnake is a bare list as the Python SDK dumps it: every field is named.
// The calls have ids, one answer has none.
const geminiSnake = `[
 {"parts": [{"video_metadata": null, "thought": null, "function_call": null, "text": "Go."}], "role": "user"},
 {"parts": [{"function_call": {"id": "c1", "args": {"n": 1}, "name": "f"}, "text": null, "thought_signature": "c2ln"}, {"function_call": {"id": "c2", "args": null, "name": "g"}, "text": null}, {"thought": null, "text": null}], "role": "model"},
 {"parts": [{"function_response": {"id": null, "name": "g", "response": {"result": "G"}}}, {"function_response": {"id": "c1", "name": "f", "response": {"result": "F"}}}], "role": "user"},
 {"parts": [{"inline_data": {"mime_type": "application/pdf", "data": "QUJDRA=="}}, {"text": "See."}], "role": null}
]`

// adkSession has an event without a content, one that is a piece of another, a
// call that waits for a person with its interim and its final result, and what was
// rewound.
const adkSession = `{"id":"s","app_name":"a","events":[
 {"id":"aaaaaaaa","invocation_id":"i0000001","author":"user","content":{"parts":[{"text":"Ask my boss."}],"role":"user"},"timestamp":1.5},
 {"id":"aaaaaaab","invocation_id":"i0000001","author":"agent","content":{"parts":[{"function_call":{"id":"k","name":"ask","args":{}}}],"role":"model"},"long_running_tool_ids":["k"],"timestamp":2.5},
 {"id":"aaaaaaac","invocation_id":"i0000001","author":"agent","content":{"parts":[{"function_response":{"id":"k","name":"ask","response":{"status":"pending"}}}],"role":"user"},"timestamp":3},
 {"id":"aaaaaaad","invocation_id":"i0000001","author":"agent","actions":{"state_delta":{"x":1}},"timestamp":4},
 {"id":"aaaaaaae","invocation_id":"i0000001","author":"agent","partial":true,"content":{"parts":[{"text":"He"}],"role":"model"},"timestamp":4},
 {"id":"aaaaaaaf","invocation_id":"i0000001","author":"agent","content":{"parts":[{"text":"He is asked."}]},"timestamp":5},
 {"id":"aaaaaaag","invocation_id":"i0000002","author":"user","content":{"parts":[{"text":"Forget it."}],"role":"user"},"timestamp":6},
 {"id":"aaaaaaah","invocation_id":"i0000002","author":"agent","content":{"parts":[{"text":"Forgotten."}],"role":"model"},"timestamp":7},
 {"id":"aaaaaaai","invocation_id":"i0000003","author":"user","actions":{"rewind_before_invocation_id":"i0000002"},"timestamp":8},
 {"id":"aaaaaaaj","invocation_id":"i0000004","author":"user","content":{"parts":[{"function_response":{"id":"k","name":"ask","response":{"status":"approved"}}}],"role":"user"},"timestamp":9}
],"state":{}}`

// adkCompacted has a compaction of the events from 2 on, behind which two more
// came, and one that it does not cover.
const adkCompacted = `{"events":[
 {"id":"e0","invocationId":"e-1","author":"user","content":{"parts":[{"text":"First."}],"role":"user"},"timestamp":1},
 {"id":"e1","invocationId":"e-1","author":"agent","content":{"parts":[{"text":"Second."}],"role":"model"},"timestamp":2},
 {"id":"e2","invocationId":"e-2","author":"user","content":{"parts":[{"text":"Third."}],"role":"user"},"timestamp":3},
 {"id":"e3","invocationId":"e-3","author":"user","actions":{"compaction":{"startTimestamp":2,"endTimestamp":3,"compactedContent":{"role":"model","parts":[{"text":"They spoke."}]}}},"timestamp":4},
 {"id":"e4","invocationId":"e-4","author":"user","content":{"parts":[{"text":"Fourth."}],"role":"user"},"timestamp":5},
 {"id":"e5","invocationId":"e-4","author":"agent","content":{"parts":[{"text":"Fifth."}],"role":"model"},"timestamp":6}
]}`

// adkCases is an evaluation set of two cases: one that lists calls, one of events.
const adkCases = `{"eval_set_id": "s", "eval_cases": [
 {"eval_id": "a", "conversation": [
  {"invocation_id": "1", "user_content": {"parts": [{"text": "Mail it."}], "role": "user"}, "final_response": {"parts": [{"text": "Mailed."}], "role": "model"}, "intermediate_data": {"tool_uses": [{"id": null, "args": {"to": "b"}, "name": "mail"}], "tool_responses": [{"id": null, "name": "mail", "response": {"result": "sent"}}], "intermediate_responses": [["helper", [{"text": "On it."}]]]}},
  {"invocation_id": "2", "user_content": {"parts": [{"text": "Again."}], "role": "user"}, "final_response": null, "intermediate_data": {"tool_uses": [], "intermediate_responses": []}},
  {"invocation_id": "3", "user_content": null}
 ]},
 {"eval_id": "b", "conversation": [
  {"invocationId": "1", "userContent": {"parts": [{"text": "Go."}], "role": "user"}, "intermediateData": {"invocationEvents": [{"author": "agent", "content": {"parts": [{"functionCall": {"name": "f", "args": {}}}], "role": "model"}}, {"author": "agent", "content": null}, {"author": "agent", "content": {"parts": [{"functionResponse": {"name": "f", "response": {"output": "F"}}}], "role": "user"}}]}, "finalResponse": {"parts": [{"text": "Gone."}], "role": "model"}}
 ]}
]}`

func showAll(d *Document) string {
	var b strings.Builder
	for i := range d.Items {
		b.WriteString("\n" + show(&d.Items[i]))
	}
	return b.String()
}

// The expected lines follow from the fixtures and from what core/transcript says
// of each field. Calls without an id are named after their tool, the second and
// the third of a name with a number.
func TestGeminiItems(t *testing.T) {
	for _, c := range []struct {
		name, src string
		opt       Options
		want      string
	}{
		{"request", geminiTools, Options{}, `
.contents[0] user | text "See " | image 8B | file | audio 4B [real]
.contents[1] assistant | thinking "Two looks." signed | call #look look "{\"at\":1}" | call #look#2 look "{\"at\":2}" | call #count count
.contents[2] user | result #count count "no such thing" failed | result #look look "one" | result #look#2 look "{\"output\":{\"b\":2},\"ms\":7}" | image 4B [fragment]
.contents[3] assistant | call #look#3 look "{\"at\":3}" signed
.contents[4] user | result #look#3 look "three\nlines" failed
.contents[5] assistant | call #code_execution code_execution "print(1)" server | result #code_execution code_execution "1" failed server | text "Done." | thinking signed | other
.contents[6] user | text "Thanks." [real]
.contents[7] user [empty] [real]`},
		{"snake case", geminiSnake, Options{}, `
[0] user | text "Go." [real]
[1] assistant | call #c1 f "{\"n\":1}" signed | call #c2 g
[2] user | result #c2 g "G" | result #c1 f "F"
[3] user | file 8B | text "See." [real]`},
		{"events", adkSession, Options{}, `
.events[0] user | text "Ask my boss." [real]
.events[1] assistant | call #k ask "{}"
.events[2] user | result #k ask "{\"status\":\"pending\"}"
.events[5] assistant | text "He is asked."
.events[9] user | result #k ask "{\"status\":\"approved\"}"`},
		{"a compaction of events", adkCompacted, Options{}, `
.events[0] user | text "First." [real]
.events[3] assistant | text "They spoke." [summary]
.events[4] user | text "Fourth." [real]
.events[5] assistant | text "Fifth."`},
		{"a compaction as the JavaScript kit writes it", `{"events":[{"id":"x","invocationId":"i","author":"system","isCompacted":true,"compactedContent":"They spoke.","startTime":1,"endTime":2},{"id":"y","invocationId":"i","author":"user","content":{"role":"user","parts":[{"text":"a"}]}}]}`, Options{}, `
.events[0] user | text "They spoke." [summary]
.events[1] user | text "a" [real]`},
		{"a case of an evaluation", adkCases, Options{Conversation: "/eval_cases/0/conversation"}, `
.eval_cases[0].conversation[0].user_content user | text "Mail it." [real]
.eval_cases[0].conversation[0].intermediate_data assistant | call #mail mail "{\"to\":\"b\"}" | result #mail mail "sent" | text "On it."
.eval_cases[0].conversation[0].final_response assistant | text "Mailed."
.eval_cases[0].conversation[1].user_content user | text "Again." [real]`},
		{"a case of events", adkCases, Options{Conversation: "/eval_cases/1/conversation"}, `
.eval_cases[1].conversation[0].userContent user | text "Go." [real]
.eval_cases[1].conversation[0].intermediateData.invocation_events[0] assistant | call #f f "{}"
.eval_cases[1].conversation[0].intermediateData.invocation_events[1] user | result #f f "F"
.eval_cases[1].conversation[0].finalResponse assistant | text "Gone."`},
		{"lines", `{"role":"user","parts":[{"text":"a"}]}` + "\n" + `{"role":"model","parts":[{"text":"b"}]}`, Options{}, `
:1 user | text "a" [real]
:2 assistant | text "b"`},
		{"a tool of the provider", `[{"role":"model","parts":[{"toolCall":{"id":"t","toolType":"GOOGLE_SEARCH_WEB","args":{"q":"x"}}},{"toolResponse":{"id":"t","toolType":"GOOGLE_SEARCH_WEB","response":{"output":"y"}}}]}]`, Options{}, `
[0] assistant | call #t GOOGLE_SEARCH_WEB "{\"q\":\"x\"}" server | result #t GOOGLE_SEARCH_WEB "y" server`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustDecode(t, c.src, c.opt)
			if got := showAll(d); got != c.want || d.Format != "gemini-contents" {
				t.Errorf("%s, got%s\nwant%s", d.Format, got, c.want)
			}
			holds(t, []byte(c.src), c.opt)
		})
	}
}

// A call that nobody answered does not take the result of a later one of its name:
// each result is looked for in the turn before it.
func TestGeminiPairs(t *testing.T) {
	call, result := `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`, `{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}`
	user := `{"role":"user","parts":[{"text":"u"}]}`
	src := "[" + strings.Join([]string{result, user, call, user, call, result, call, result, call}, ",") + "]"
	p := transcript.Pair(mustDecode(t, src, Options{}).Transcript)
	if want := []int{0, 1, 2, 3, 4, 4, 5, 5, 6}; !slices.Equal(p.Group, want) {
		t.Errorf("groups are %v, want %v", p.Group, want)
	}
	if len(p.Orphans) != 1 || p.Orphans[0].Item != 0 || len(p.Unanswered) != 1 || p.Unanswered[0].Item != 2 || !p.Open[8] {
		t.Errorf("orphans %v, unanswered %v, open %v", p.Orphans, p.Unanswered, p.Open)
	}
}

// Clients drop ids that they were given, or make up some: a name is enough where
// one of the two has none. An id that is the name of a tool is no other call's.
func TestGeminiIDs(t *testing.T) {
	pair := func(call, result string) string {
		return `{"role":"model","parts":[{"functionCall":{` + call + `"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{` + result + `"name":"f","response":{"output":"r"}}}]}`
	}
	for _, c := range []struct {
		src  string
		want []string // of the calls and results, in order
	}{
		{pair("", `"id":"x",`), []string{"f", "f"}},
		{pair(`"id":"x",`, ""), []string{"x", "x"}},
		{pair(`"id":"x",`, `"id":"y",`), []string{"x", "y"}},
		{pair("", "") + "," + pair("", ""), []string{"f", "f", "f#2", "f#2"}},
		{pair(`"id":"f",`, `"id":"f",`) + "," + pair("", ""), []string{"f", "f", "f#2", "f#2"}},
		{pair("", "") + "," + pair(`"id":"f#2",`, `"id":"f#2",`) + "," + pair("", ""), []string{"f", "f", "f#2", "f#2", "f#3", "f#3"}},
	} {
		d := mustDecode(t, "["+c.src+"]", Options{})
		var got []string
		for i := range d.Items {
			got = append(got, d.Items[i].Parts[0].ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: ids are %q, want %q", c.src, got, c.want)
		}
	}
}

// A call that waits for a person has all its results in its group, and is done
// with the last one only.
func TestADKLongRunning(t *testing.T) {
	d := mustDecode(t, adkSession, Options{})
	if !d.Items[1].Parts[0].Pending || !d.Items[2].Parts[0].Pending || d.Items[4].Parts[0].Pending {
		t.Errorf("call %v, interim %v, final %v", d.Items[1].Parts[0].Pending, d.Items[2].Parts[0].Pending, d.Items[4].Parts[0].Pending)
	}
	p := transcript.Pair(d.Transcript)
	if p.Group[2] != p.Group[1] || p.Group[4] != p.Group[1] || p.Open[1] || len(p.Orphans)+len(p.Unanswered) > 0 {
		t.Errorf("groups %v, open %v, orphans %v", p.Group, p.Open, p.Orphans)
	}
	// Without the final one it waits, however long they talk.
	early := mustDecode(t, strings.Replace(adkSession, `,"response":{"status":"approved"}`, `,"response":{"status":"pending"}`, 1), Options{})
	if p := transcript.Pair(early.Transcript); !p.Open[1] {
		t.Error("a call whose results are interim is not open")
	}
}

func TestGeminiDetect(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"request", geminiTools, "gemini-contents 0.98 request: it has contents"},
		{"snake", geminiSnake, "gemini-contents 0.98 array: [0] has parts without types; [1] has a part with functionCall; [2] has a part with functionResponse"},
		{"events", adkSession, "gemini-contents 0.98 request: its events have authors and contents"},
		{"a case", `{"eval_cases":[{"conversation":[{"invocation_id":"i","user_content":{"parts":[{"text":"a"}]}}]}]}`, "gemini-contents 0.98 request: its conversation is of invocations"},
		{"an answer", `{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"}}]}`, "gemini-contents 0.98 response: it has candidates"},
		{"a role", `[{"role":"user"},{"role":"model"}]`, "gemini-contents 0.80 array: [1] has role model"},
		{"no contents", `{"contents":[]}`, "gemini-contents 0.90 request: the items are in contents"},
		{"parts with types are another's", `[{"role":"user","parts":[{"type":"text","text":"a"}]}]`, "ai-sdk-ui 0.98 array: "},
		{"contents of something else", `{"contents":[{"uri":"u","text":"t"}]}`, "transcript: it is an object with 1 item in contents, which is no transcript that is known"},
		{"a wrapper", `{"run":{"request":{"contents":[{"role":"user","parts":[{"text":"a"}]}]}}}`, "gemini-contents 0.98 request: it has contents"},
	} {
		if got := verdict(t, c.src); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func verdict(t *testing.T, src string) string {
	t.Helper()
	v, err := Detect([]byte(src))
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s %.2f %s: %s", v.Name, v.Confidence, v.Shape, strings.Join(v.Evidence, "; "))
}

func wantError(t *testing.T, src string, opt Options, code, msg string) {
	t.Helper()
	_, err := Decode([]byte(src), opt)
	var e *transcript.Error
	if !errors.As(err, &e) || e.Code != code || !strings.HasPrefix(e.Error(), msg) {
		t.Errorf("%.80s: %v\nwant %s\n%s", src, err, code, msg)
	}
}

func TestGeminiErrors(t *testing.T) {
	for _, c := range []struct {
		src, code, msg string
		opt            Options
	}{
		{`{"candidates":[]}`, "not_a_history", "transcript: is a single answer (it has candidates), no history: there is nothing to compact", Options{}},
		{`{"contents":[{"role":"user","parts":{}}]}`, "invalid_request", "transcript.contents[0].parts: is an object, a list of parts is wanted", Options{Format: "gemini-contents"}},
		{`{"contents":[{"role":5,"parts":[{"text":"a"}]}]}`, "invalid_request", "transcript.contents[0].role: is a number, a string is wanted", Options{}},
		{`[{"role":"user","parts":[{"text":"a"},{"text":1}]}]`, "invalid_request", "transcript[0].parts[1].text: is a number, a string is wanted", Options{}},
		{`[{"role":"user","parts":[{"text":"a"},5]}]`, "invalid_request", "transcript[0].parts[1]: is a number, an object is wanted", Options{}},
		{`[{"role":"model","parts":[{"functionCall":{"id":7}}]}]`, "invalid_request", "transcript[0].parts[0].functionCall.id: is a number, a string is wanted", Options{}},
		{`[{"role":"user","parts":[{"functionResponse":[]}]}]`, "invalid_request", "transcript[0].parts[0].functionResponse: is an array, an object is wanted", Options{}},
		{`[{"role":"user","parts":[{"text":"a"}]},7]`, "invalid_request", "transcript[1]: is a number, an object is wanted", Options{}},
		{`{"events":[{"author":"user","content":{"parts":[{"text":2}]}}]}`, "invalid_request", "transcript.events[0].content.parts[0].text: is a number, a string is wanted", Options{}},
		{`{"conversation":[{"user_content":{"parts":[{"text":2}]}}]}`, "invalid_request", "transcript.conversation[0].user_content.parts[0].text: is a number, a string is wanted", Options{}},
		{adkCases, "several_conversations", "transcript: holds 2 conversations, choose one with conversation: /eval_cases/0/conversation (3 items, ", Options{}},
	} {
		wantError(t, c.src, c.opt, c.code, c.msg)
	}
}
