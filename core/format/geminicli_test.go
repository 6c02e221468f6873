package format

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// cliSession is a session of one object: notes of the CLI, a command, two calls
// with their results (a list of one part, and of two), one that a person has to
// approve, one that failed.
const cliSession = `{
  "sessionId": "s",
  "projectHash": "h",
  "startTime": "2026-01-10T02:08:26.108Z",
  "messages": [
    {"id": "m0", "timestamp": "T0", "type": "info", "content": "Welcome."},
    {"id": "m1", "timestamp": "T1", "type": "user", "content": "Read it."},
    {"id": "m2", "timestamp": "T2", "type": "gemini", "content": "Reading.", "thoughts": [{"subject": "Plan", "description": "Read first.", "timestamp": "T"}, {"description": "Then see."}], "tokens": {"input": 10}, "model": "gemini-x",
     "toolCalls": [
       {"id": "c1", "name": "read", "args": {"p": "a"}, "result": [{"functionResponse": {"id": "c1", "name": "read", "response": {"output": "A"}}}], "status": "success", "resultDisplay": "A", "description": "Reads."},
       {"id": "c2", "name": "snap", "args": {}, "result": [{"functionResponse": {"id": "c2", "name": "snap", "response": {"output": "ok"}}}, {"inlineData": {"mimeType": "image/png", "data": "QUJDRA=="}}], "status": "success"}]},
    {"id": "m3", "timestamp": "T3", "type": "error", "content": "Oops."},
    {"id": "m4", "timestamp": "T4", "type": "gemini", "content": "", "toolCalls": [
       {"id": "c3", "name": "rm", "args": {"p": "a"}, "result": "Refused.", "status": "error"},
       {"id": "c4", "name": "rm", "args": {"p": "b"}, "status": "awaiting_approval"}]},
    {"id": "m5", "timestamp": "T5", "type": "user", "content": "/clear"},
    {"id": "m6", "timestamp": "T6", "type": "user", "content": [{"text": "See "}, {"inlineData": {"mimeType": "image/png", "data": "QUI="}}, "this."]}
  ],
  "summary": "x"
}
`

// cliLines is a log: the session's data, messages that change, a rewind, and a
// message whose content has all parts of the model's, with results that stand
// twice.
const cliLines = `{"sessionId":"s","projectHash":"h","startTime":"T","kind":"main"}
{"id":"m1","timestamp":"T1","type":"user","content":[{"text":"Go."}]}
{"id":"m2","timestamp":"T2","type":"gemini","content":"Going."}
{"$set":{"lastUpdated":"T2"}}
{"id":"m2","timestamp":"T2","type":"gemini","content":[{"text":"Plan.","thought":true},{"functionCall":{"id":"c1","name":"f","args":{"n":1}},"thoughtSignature":"c2ln"}],"thoughts":[{"subject":"P","description":"Plan."}],"toolCalls":[{"id":"c1","name":"f","args":{"n":1},"result":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"F"}}}],"status":"success"}],"model":"gemini-y"}
{"id":"m2r","timestamp":"T3","type":"user","content":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"F"}}}]}
{"id":"m3","timestamp":"T4","type":"user","content":"Not this."}
{"id":"m4","timestamp":"T5","type":"gemini","content":"This?"}
{"$rewindTo":"m3"}
{"broken
{"id":"m5","timestamp":"T6","type":"warning","content":"Slow."}
{"id":"m6","timestamp":"T7","type":"user","content":"Thanks."}
`

func TestGeminiCLIItems(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a session of one object", cliSession, `
.messages[1] user | text "Read it." [real]
.messages[2] assistant | thinking "**Plan** Read first." | thinking "Then see." | text "Reading." | call #c1 read "{\"p\":\"a\"}" | result #c1 read "A" | call #c2 snap "{}" | result #c2 snap "ok" | image 8B
.messages[4] assistant | call #c3 rm "{\"p\":\"a\"}" | result #c3 rm "Refused." failed | call #c4 rm "{\"p\":\"b\"}"
.messages[6] user | text "See " | image 4B | text "this." [real]`},
		{"a log", cliLines, `
:2 user | text "Go." [real]
:5 assistant | thinking "Plan." | call #c1 f "{\"n\":1}" signed | result #c1 f "F"
:12 user | text "Thanks." [real]`},
		{"a log from a checkpoint on", cliLines + `{"$set":{"messages":[{"id":"k1","type":"user","content":"They went."},{"id":"k2","type":"gemini","content":"Yes."}],"lastUpdated":"T8"}}` + "\n" + `{"id":"m9","timestamp":"T9","type":"user","content":"On."}`, `
:13.$set.messages[0] user | text "They went." [real]
:13.$set.messages[1] assistant | text "Yes."
:14 user | text "On." [real]`},
		{"a list alone", `[{"id":"a","type":"user","content":"x"},{"id":"b","type":"gemini","content":{"text":"y"}}]`, `
[0] user | text "x" [real]
[1] assistant | text "y"`},
	} {
		d := mustDecode(t, c.src, Options{})
		if got := showAll(d); got != c.want || d.Format != "gemini-cli" {
			t.Errorf("%s: %s, got%s\nwant%s", c.name, d.Format, got, c.want)
		}
		holds(t, []byte(c.src), Options{})
	}
	d := mustDecode(t, cliSession, Options{})
	p := transcript.Pair(d.Transcript)
	if len(p.Orphans)+len(p.Unanswered) > 0 || !p.Open[2] || p.Open[1] {
		t.Errorf("orphans %v, unanswered %v, open %v", p.Orphans, p.Unanswered, p.Open)
	}
	if d.Model != "gemini-x" || !d.Items[2].Parts[2].Pending {
		t.Errorf("model %q, pending %v", d.Model, d.Items[2].Parts[2].Pending)
	}
	want := `{"thoughts":[{"subject": "Plan", "description": "Read first.", "timestamp": "T"}, {"description": "Then see."}],"content":"Reading.","toolCalls":[{"id":"c1","name":"read","args":{"p": "a"},"result":[{"functionResponse": {"id": "c1", "name": "read", "response": {"output": "A"}}}]},` +
		`{"id":"c2","name":"snap","args":{},"result":[{"functionResponse": {"id": "c2", "name": "snap", "response": {"output": "ok"}}}, {"inlineData": {"mimeType": "image/png", "data": "QUJDRA=="}}]}]}`
	if got := string(d.Items[1].Sent()); got != want {
		t.Errorf("the model is sent\n%s\nwant\n%s", got, want)
	}
	// What stands in the content is not sent again from beside it.
	want = `{"content":[{"text":"Plan.","thought":true},{"functionCall":{"id":"c1","name":"f","args":{"n":1}},"thoughtSignature":"c2ln"}],"toolCalls":[{"id":"c1","name":"f","result":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"F"}}}]}]}`
	if got := string(mustDecode(t, cliLines, Options{}).Items[1].Sent()); got != want {
		t.Errorf("the model is sent\n%s\nwant\n%s", got, want)
	}
}

func TestGeminiCLIDetect(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a session", cliSession, "gemini-cli 0.98 request: it has projectHash"},
		{"a log", cliLines, "gemini-cli 0.98 log: line 1 has projectHash; line 3 has type gemini; line 5 has type gemini"},
		{"a log, read", cliLines, ""},
		{"messages", `{"messages":[{"id":"a","type":"user","content":"x"},{"id":"b","type":"gemini","content":"y"}]}`, "gemini-cli 0.98 request: messages[1] has type gemini"},
	} {
		if c.want == "" {
			got := strings.Join(mustDecode(t, c.src, Options{}).Verdict.Evidence[3:], "; ")
			if want := "messages rewound: 2; lines that can not be read: 1"; got != want {
				t.Errorf("%s: %s, want %s", c.name, got, want)
			}
			continue
		}
		if got := verdict(t, c.src); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	for _, c := range []struct{ src, msg string }{
		{`{"projectHash":"h","messages":[{"type":"gemini","content":5}]}`, "transcript.messages[0].content: is a number, a string, a part or a list of parts is wanted"},
		{`{"projectHash":"h","messages":[{"type":"gemini","toolCalls":{}}]}`, "transcript.messages[0].toolCalls: is an object, a list is wanted"},
		{`{"projectHash":"h","messages":[{"type":"gemini","toolCalls":[{"id":"a"},{"id":1}]}]}`, "transcript.messages[0].toolCalls[1].id: is a number, a string is wanted"},
		{`{"projectHash":"h","messages":[{"type":"user","content":[{"text":1},{"functionCall":{}}]}]}`, "transcript.messages[0].content[0].text: is a number, a string is wanted"},
		{`{"projectHash":"h","messages":[5]}`, "transcript.messages[0]: is a number, an object is wanted"},
		{`{"sessionId":"s","projectHash":"h"}` + "\n" + `{"id":"a","type":"gemini","content":5}`, "transcript: line 2, column 37: content is a number"},
	} {
		wantError(t, c.src, Options{}, "invalid_request", c.msg)
	}
	wantError(t, `{"a":1}`+"\n"+`{"b":1}`, Options{Format: "gemini-cli"}, "invalid_request", "transcript: line 1, column 1: the item is no line of gemini-cli")
}

// What the list of formats says of a session of one object is what becomes of it:
// it is edited, since a line behind it would be no JSON. A log is added to.
func TestGeminiCLIWritten(t *testing.T) {
	f := find("gemini-cli")
	for _, c := range []struct{ src, plan string }{{cliSession, "n 3"}, {`[{"id":"a","type":"user","content":"x"},{"id":"b","type":"gemini","content":"y"}]`, "n 1"}, {cliLines, "n 2"}} {
		d := mustDecode(t, c.src, Options{})
		out, err := d.Encode(entriesOf(d, c.plan))
		if err != nil {
			t.Fatal(err)
		}
		edited := slices.Contains(f.Edited, d.Verdict.Shape)
		if edited != json.Valid(out) || edited == strings.HasPrefix(string(out), c.src) || edited == (d.Verdict.Shape == shapeLog) {
			t.Errorf("%s: edited: %v, written as %s", d.Verdict.Shape, edited, out)
		}
	}
	for _, shape := range f.Edited {
		if !slices.Contains(f.Shapes, shape) || f.Write != "append" {
			t.Errorf("%s is no shape of it", shape)
		}
	}
}

func TestGeminiCLIEdits(t *testing.T) {
	d, log := mustDecode(t, cliSession, Options{}), mustDecode(t, cliLines, Options{})
	raw, content := string(d.Items[1].Raw), string(log.Items[1].Raw)
	for _, c := range []struct{ name, got, want string }{
		{"a result", edited(d, 1, transcript.Edit{Part: 4, Text: "[cleared]"}), strings.Replace(raw, `{"output": "A"}`, `{"output":"[cleared]"}`, 1)},
		{
			"a result with a picture", edited(d, 1, transcript.Edit{Part: 6, Text: "[cleared]"}),
			strings.Replace(raw, `[{"functionResponse": {"id": "c2", "name": "snap", "response": {"output": "ok"}}}, {"inlineData": {"mimeType": "image/png", "data": "QUJDRA=="}}]`, `[{"functionResponse":{"id":"c2","name":"snap","response":{"output":"[cleared]"}}}]`, 1),
		},
		{"a picture of a result", edited(d, 1, transcript.Edit{Part: 7, Text: "[image]"}), strings.Replace(raw, `{"inlineData": {"mimeType": "image/png", "data": "QUJDRA=="}}`, `{"text":"[image]"}`, 1)},
		{"a result of text", edited(d, 2, transcript.Edit{Part: 1, Text: "[cleared]"}), strings.Replace(string(d.Items[2].Raw), `"Refused."`, `"[cleared]"`, 1)},
		{"an input", edited(d, 1, transcript.Edit{Part: 3, Text: `{"cleared":true}`}), strings.Replace(raw, `{"p": "a"}`, `{"cleared":true}`, 1)},
		{"a thought", edited(d, 1, transcript.Edit{Part: 0, Drop: true}), strings.Replace(raw, `{"subject": "Plan", "description": "Read first.", "timestamp": "T"}, `, "", 1)},
		{
			"a call and its result", edited(d, 2, transcript.Edit{Part: 0, Drop: true}, transcript.Edit{Part: 1, Drop: true}),
			`{"id": "m4", "timestamp": "T4", "type": "gemini", "content": "", "toolCalls": [` + "\n       " + `{"id": "c4", "name": "rm", "args": {"p": "b"}, "status": "awaiting_approval"}]}`,
		},
		{
			"a call of the content", edited(log, 1, transcript.Edit{Part: 1, Drop: true}),
			strings.NewReplacer(`,{"functionCall":{"id":"c1","name":"f","args":{"n":1}},"thoughtSignature":"c2ln"}`, "", content[strings.Index(content, `{"id":"c1","name":"f","args":{"n":1},"result"`):strings.Index(content, `],"model"`)], "").Replace(content),
		},
		{"the input of a signed call stays", edited(log, 1, transcript.Edit{Part: 1, Text: `{"cleared":true}`}), "false"},
		{"another text", string(withText(d, 0, "b").Raw), strings.Replace(string(d.Items[0].Raw), `"Read it."`, `"b"`, 1)},
		{"another text for parts", string(withText(d, 3, "b").Raw), `{"id": "m6", "timestamp": "T6", "type": "user", "content": [{"text":"b"}]}`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
	joined, ok := d.Writer.Joined(&d.Items[0], &d.Items[3])
	if want := `{"id": "m1", "timestamp": "T1", "type": "user", "content": [{"text":"Read it."},{"text": "See "},{"inlineData": {"mimeType": "image/png", "data": "QUI="}},"this."]}`; !ok || string(joined.Raw) != want {
		t.Errorf("joined %v\n%s\nwant\n%s", ok, joined.Raw, want)
	}
	if _, ok := d.Writer.Joined(&d.Items[1], &d.Items[2]); ok {
		t.Error("two messages with calls were joined")
	}
}

// A new message has what the CLI asks of one: an id, a time, a type, a content.
func TestGeminiCLIMessage(t *testing.T) {
	for _, c := range []struct {
		opt        Options
		role       transcript.Role
		kind, time string
	}{{Options{}, transcript.User, "user", "T6"}, {Options{Now: "2026-02-02T00:00:00Z"}, transcript.Assistant, "gemini", "2026-02-02T00:00:00Z"}} {
		var m struct{ ID, Timestamp, Type, Content, Model string }
		raw := mustDecode(t, cliSession, c.opt).Writer.Message(c.role, "S\n").Raw
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		if len(m.ID) != 36 || m.Timestamp != c.time || m.Type != c.kind || m.Content != "S\n" || (m.Model == "gemini-x") != (c.kind == "gemini") {
			t.Errorf("%s", raw)
		}
	}
}

// A log gets a checkpoint behind it, which is what it reads back as; what belongs
// to a message that stays, stays with it. With rewrite the log is written anew.
func TestGeminiCLILog(t *testing.T) {
	line := strings.Split(strings.TrimSuffix(cliLines, "\n"), "\n")
	for _, rewrite := range []bool{false, true} {
		d := mustDecode(t, cliLines, Options{Rewrite: rewrite})
		m := d.Writer.Message(transcript.User, "S")
		out, err := d.Encode([]transcript.Entry{{From: -1, New: &m}, {From: 1}, {From: 2}})
		if err != nil {
			t.Fatal(err)
		}
		messages := []string{string(m.Raw), line[4], line[5], line[10], line[11]}
		want := cliLines + `{"$set":{"messages":[` + strings.Join(messages, ",") + `],"lastUpdated":"T7"}}` + "\n"
		if rewrite {
			want = line[0] + "\n" + line[3] + "\n" + strings.Join(messages, "\n") + "\n"
		}
		if string(out) != want {
			t.Errorf("rewrite %v:\n%s\nwant\n%s", rewrite, out, want)
		}
		again := mustDecode(t, string(out), Options{})
		if len(again.Items) != 3 || string(again.Items[0].Raw) != string(m.Raw) || string(again.Items[2].Raw) != line[11] {
			t.Errorf("read back as%s", showAll(again))
		}
	}
	unfinished := strings.TrimSuffix(cliLines, "\n")
	d := mustDecode(t, unfinished, Options{})
	out, err := d.Encode([]transcript.Entry{{From: 2}})
	if err != nil || !strings.HasPrefix(string(out), cliLines+`{"$set":`) {
		t.Errorf("%v: %q", err, out)
	}
}

// Elements that are no history stay beside the message before them.
func TestGeminiCLINotes(t *testing.T) {
	d := mustDecode(t, cliSession, Options{})
	out, err := d.Encode([]transcript.Entry{{From: 1}, {From: 3}})
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ Messages []struct{ ID string } }
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range v.Messages {
		ids = append(ids, m.ID)
	}
	if got := strings.Join(ids, " "); got != "m0 m2 m3 m6" {
		t.Errorf("messages %s stay, want m0 m2 m3 m6", got)
	}
}

func FuzzGeminiContents(f *testing.F) {
	fuzz(f, "gemini-contents", geminiTools, geminiSnake, adkSession, adkCompacted, `{"candidates":[]}`, `{"contents":[]}`,
		`{"conversation":[{"invocation_id":"1","user_content":{"parts":[{"text":"a"}]},"intermediate_data":{"tool_uses":[{"name":"f"}],"tool_responses":[{"name":"f","response":{}}]}},{"invocation_id":"2","final_response":{"parts":[{"text":"b"}]}}]}`,
		`[{"conversation":[{"userContent":{"parts":[{"text":"a"}]},"intermediateData":{"invocationEvents":[{"author":"x","content":{"parts":[{"functionCall":{"name":"f"}}]}}]}}]}]`)
}

func FuzzGeminiCLI(f *testing.F) {
	fuzz(f, "gemini-cli", cliSession, cliLines, `{"projectHash":"h","messages":[]}`, `{"sessionId":"s","projectHash":"h"}`,
		`{"sessionId":"s","projectHash":"h","messages":[{"id":"a","type":"user","content":"x"}]}`+"\n"+`{"$set":{"messages":[{"id":"a","type":"user","content":"y"},{"id":"n","type":"info"}]}}`+"\n"+`{"$rewindTo":"n"}`)
}
