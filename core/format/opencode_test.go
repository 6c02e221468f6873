package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// opencodeExport has every kind of part. Its ids count up, as OpenCode's do.
const opencodeExport = `{
 "info": {"id": "ses_A", "version": "1.18.33", "directory": "/w", "time": {"created": 1000}},
 "messages": [
  {"info": {"id": "msg_0000003e8001aaaaaaaaaaaaaa", "sessionID": "ses_A", "role": "user", "time": {"created": 1000}, "agent": "build", "model": {"providerID": "p", "modelID": "m1"}, "summary": {"title": "t", "diffs": [{"file": "a", "before": "LONG", "after": "LONGER"}]}},
   "parts": [
    {"id": "prt_1", "type": "text", "text": "See @a.go"},
    {"id": "prt_2", "type": "text", "text": "ignored", "ignored": true},
    {"id": "prt_3", "type": "text", "text": "Called the Read tool", "synthetic": true},
    {"id": "prt_4", "type": "file", "mime": "text/plain", "url": "file:///w/a.go"},
    {"id": "prt_5", "sessionID": "ses_A", "messageID": "msg_0000003e8001aaaaaaaaaaaaaa", "type": "file", "mime": "image/png", "filename": "a.png", "url": "data:image/png;base64,QUJDRA=="},
    {"id": "prt_6", "type": "agent", "name": "x"}, {"id": "prt_7", "type": "subtask", "prompt": "p"}]},
  {"info": {"id": "msg_0000003ea001aaaaaaaaaaaaaa", "sessionID": "ses_A", "role": "assistant", "time": {"created": 1002, "completed": 1003}, "parentID": "msg_0000003e8001aaaaaaaaaaaaaa", "modelID": "m2", "providerID": "p", "mode": "build", "agent": "build", "path": {"cwd": "/w", "root": "/"}, "tokens": {"input": 9}},
   "parts": [
    {"id": "prt_1", "type": "step-start"},
    {"id": "prt_2", "type": "reasoning", "text": "hm", "metadata": {"openai": {"itemId": "rs", "reasoningEncryptedContent": "RU5D"}}},
    {"id": "prt_3", "type": "tool", "callID": "c1", "tool": "bash", "state": {"status": "completed", "input": {"command": "ls"}, "output": "a.go", "title": "ls", "metadata": {"output": "a.go"}, "time": {"start": 1, "end": 2}, "attachments": [{"id": "prt_9", "type": "file", "mime": "application/pdf", "url": "data:application/pdf;base64,QUJD"}]}},
    {"id": "prt_4", "type": "tool", "callID": "c2", "tool": "read", "state": {"status": "error", "input": {}, "error": "no such file", "time": {"start": 1, "end": 2}}},
    {"id": "prt_5", "type": "tool", "callID": "c3", "tool": "read", "state": {"status": "completed", "input": {"n": 1}, "output": "old text", "time": {"start": 1, "end": 2, "compacted": 5}}},
    {"id": "prt_6", "type": "tool", "callID": "c4", "tool": "bash", "state": {"status": "error", "input": {}, "error": "x", "metadata": {"interrupted": true, "output": "half"}}},
    {"id": "prt_7", "type": "text", "text": "Seen."},
    {"id": "prt_8", "type": "step-finish", "tokens": {}}, {"id": "prt_9", "type": "patch", "files": []}, {"id": "prt_a", "type": "novelty"}]},
  {"info": {"id": "msg_0000003ec001aaaaaaaaaaaaaa", "sessionID": "ses_A", "role": "assistant", "time": {"created": 1004}, "error": {"name": "APIError", "data": {}}}, "parts": [{"id": "prt_1", "type": "text", "text": "lost"}]},
  {"info": {"id": "msg_0000003ed001aaaaaaaaaaaaaa", "sessionID": "ses_A", "role": "assistant", "time": {"created": 1005}, "error": {"name": "MessageAbortedError", "data": {}}}, "parts": [{"id": "prt_1", "type": "tool", "callID": "c5", "tool": "bash", "state": {"status": "running", "input": {"command": "sleep"}}}]},
  {"info": {"id": "msg_0000003ee001aaaaaaaaaaaaaa", "sessionID": "ses_A", "role": "user", "time": {"created": 1006}, "agent": "plan", "model": {"providerID": "p", "modelID": "m3"}}, "parts": [{"id": "prt_1", "type": "text", "text": "Go on.", "synthetic": true}]},
  {"info": {"id": "msg_0000003ee801aaaaaaaaaaaaaa", "sessionID": "ses_A", "role": "assistant", "time": {"created": 1006}, "error": {"name": "MessageAbortedError", "data": {}}}, "parts": [{"id": "prt_1", "type": "step-start"}, {"id": "prt_2", "type": "reasoning", "text": "half a thought"}]},
  {"info": {"id": "msg_0000003ef001aaaaaaaaaaaaaa", "sessionID": "ses_A", "role": "assistant", "time": {"created": 1007}, "modelID": "m2"}, "parts": [{"id": "prt_1", "type": "tool", "callID": "c6", "tool": "bash", "state": {"status": "pending", "input": {}, "raw": ""}}]}
 ]
}
`

func TestOpencodeItems(t *testing.T) {
	d := mustDecode(t, opencodeExport, Options{})
	var got strings.Builder
	for i := range d.Items {
		got.WriteString("\n" + show(&d.Items[i]))
	}
	want := `
.messages[0] user | text "See @a.go" | text "Called the Read tool" | image 8B | text "The following tool was executed by the user" [real]
.messages[1] assistant | thinking "hm" signed | call #c1 bash "{\"command\":\"ls\"}" | result #c1 bash "a.go" | file 4B | call #c2 read "{}" | result #c2 read "no such file" failed | call #c3 read "{\"n\":1}" | result #c3 read "[Old tool result content cleared]" | call #c4 bash "{}" | result #c4 bash "half" failed | text "Seen." | other
.messages[3] assistant | call #c5 bash "{\"command\":\"sleep\"}" | result #c5 bash "[Tool execution was interrupted]" failed
.messages[4] user | text "Go on." [fragment]
.messages[6] assistant | call #c6 bash "{}"`
	if got.String() != want {
		t.Errorf("%s\nwant%s", got.String(), want)
	}
	if d.Model != "m2" || d.Verdict.Shape != shapeRequest || d.Verdict.Confidence != certain {
		t.Errorf("model %q, %+v", d.Model, d.Verdict)
	}
	// Only the last call is open: its answer is still under way.
	p := transcript.Pair(d.Transcript)
	if len(p.Orphans)+len(p.Unanswered) > 0 || !p.Open[4] || slices.Contains(p.Open[:4], true) {
		t.Errorf("%+v", p)
	}
	// What is sent has no diffs, no metadata and no usage, and says of a cleared
	// output what OpenCode says.
	sent := string(d.Items[0].Sent()) + string(d.Items[1].Sent())
	for _, hidden := range []string{"LONG", "itemId", "old text", "tokens", "ignored", "synthetic", "title"} {
		if strings.Contains(sent, hidden) {
			t.Errorf("%q is sent in %s", hidden, sent)
		}
	}
	if !strings.Contains(sent, "QUJDRA==") || !strings.Contains(sent, opencodeCleared) {
		t.Errorf("sent is %s", sent)
	}
	holds(t, []byte(opencodeExport), Options{})
}

// What is no export: the session's API gives the messages alone.
func TestOpencodeShapes(t *testing.T) {
	const message = `{"info":{"id":"msg_1","role":"user"},"parts":[{"type":"text","text":"a"}]}`
	for _, c := range []struct{ src, want string }{
		{"[" + message + "]", "opencode 0.98 array: [0] has info and parts"},
		{`{"info":{"id":"ses_1"},"messages":[]}`, "opencode 0.98 request: it has messages, and its info is of a session"},
		{`{"rows":[{"info":{},"messages":[` + message + `]}]}`, "opencode 0.98 request: it has info, and messages with info and parts"},
	} {
		v, err := Detect([]byte(c.src))
		if got := fmt.Sprintf("%s %.2f %s: %s", v.Name, v.Confidence, v.Shape, strings.Join(v.Evidence, "; ")); err != nil || got != c.want {
			t.Errorf("%s: %v %s", c.src, err, got)
		}
		holds(t, []byte(c.src), Options{})
	}
	if d := mustDecode(t, `{"messages":[`+message+`]}`, Options{Format: "opencode"}); len(d.Items) != 1 {
		t.Errorf("%d items of messages alone", len(d.Items))
	}
	// What OpenCode stores has the parts in files of their own.
	for _, src := range []string{
		`{"session":{"id":"ses_A"},"messages":[{"id":"msg_1","sessionID":"ses_A","role":"user","time":{"created":1}}],"parts":[{"id":"prt_1","sessionID":"ses_A","messageID":"msg_1","type":"text","text":"a"}]}`,
		`[{"id":"prt_1","sessionID":"ses_A","messageID":"msg_1","type":"text","text":"a"}]`,
	} {
		wantError(t, src, Options{}, "unsupported_format", "transcript: is the storage of OpenCode, where messages and parts lie apart")
	}
	for _, c := range []struct{ elem, msg string }{
		{`5`, "transcript[1]: is a number, an object is wanted"},
		{`{"parts":[]}`, "transcript[1].info: is missing"},
		{`{"info":{"role":5},"parts":[]}`, "transcript[1].info.role: is a number, a string is wanted"},
		{`{"info":{"role":"user"}}`, "transcript[1].parts: is missing"},
		{`{"info":{"role":"user"},"parts":{}}`, "transcript[1].parts: is an object, a list is wanted"},
		{`{"info":{"role":"user"},"parts":[7]}`, "transcript[1].parts[0]: is a number, an object is wanted"},
		{`{"info":{"role":"user"},"parts":[{"type":7}]}`, "transcript[1].parts[0].type: is a number, a string is wanted"},
		{`{"info":{"role":"user"},"parts":[{"type":"text","text":7}]}`, "transcript[1].parts[0].text: is a number, a string is wanted"},
		{`{"info":{"role":"assistant"},"parts":[{"type":"reasoning","text":7}]}`, "transcript[1].parts[0].text: is a number, a string is wanted"},
		{`{"info":{"role":"assistant"},"parts":[{"type":"tool","callID":7}]}`, "transcript[1].parts[0].callID: is a number, a string is wanted"},
		{`{"info":{"role":"assistant"},"parts":[{"type":"tool"}]}`, "transcript[1].parts[0].state: is missing"},
		{`{"info":{"role":"assistant"},"parts":[{"type":"tool","state":[]}]}`, "transcript[1].parts[0].state: is an array, an object is wanted"},
		{`{"info":{"role":"assistant"},"parts":[{"type":"tool","state":{"status":"completed","output":{}}}]}`, "transcript[1].parts[0].state.output: is an object, a string is wanted"},
	} {
		_, err := Decode([]byte("["+message+","+c.elem+"]"), Options{})
		var e *transcript.Error
		if !errors.As(err, &e) || e.Code != "invalid_request" || e.Error() != c.msg {
			t.Errorf("%s: %v, want %s", c.elem, err, c.msg)
		}
	}
}

// opencodeSession is a session of n user messages and answers, with ids and times
// that count up from 1000.
func opencodeTurns(version string, n int) string {
	var all []string
	for i := range n {
		at := 1000 + 10*i
		role, more := "user", `,"agent":"build","model":{"providerID":"p","modelID":"m"}`
		if i%2 == 1 {
			role, more = "assistant", `,"parentID":"`+opencodeID(at-10)+`","modelID":"m","providerID":"p","mode":"build","agent":"build","path":{"cwd":"/w","root":"/"},"finish":"stop"`
		}
		all = append(all, fmt.Sprintf(`{"info":{"id":"%s","sessionID":"ses_A","role":"%s","time":{"created":%d}%s},"parts":[{"id":"prt_%d","sessionID":"ses_A","messageID":"%[1]s","type":"text","text":"%[6]c"}]}`,
			opencodeID(at), role, at, more, i, 'a'+i))
	}
	return `{"info":{"id":"ses_A","version":"` + version + `"},"messages":[` + strings.Join(all, ",") + `]}`
}

func opencodeID(at int) string { return fmt.Sprintf("msg_%012xAAAAAAAAAAAAAA", at*4096+1) }

// Edits keep a part loadable: an output stays a string, what was attached to it
// goes, a picture becomes a text part with the ids of the picture.
func TestOpencodeEdits(t *testing.T) {
	d := mustDecode(t, opencodeExport, Options{})
	out, ok := d.Writer.WithParts(&d.Items[1], []transcript.Edit{{Part: 0, Drop: true}, {Part: 1, Text: `{"cleared":1}`}, {Part: 2, Text: "[gone]"}, {Part: 5, Text: "[bad]"}})
	raw := string(out.Raw)
	if !ok || !strings.Contains(raw, `"output": "[gone]"`) || strings.Contains(raw, "attachments") || !strings.Contains(raw, `"error": "[bad]"`) ||
		!strings.Contains(raw, `"input": {"cleared":1}`) || strings.Contains(raw, "reasoning") || !json.Valid(out.Raw) {
		t.Errorf("%v %s", ok, raw)
	}
	out, ok = d.Writer.WithParts(&d.Items[0], []transcript.Edit{{Part: 2, Text: "[a picture]"}})
	if want := `{"type":"text","text":"[a picture]","id":"prt_5","sessionID":"ses_A","messageID":"msg_0000003e8001aaaaaaaaaaaaaa"}`; !ok || !strings.Contains(string(out.Raw), want) {
		t.Errorf("%v %s", ok, out.Raw)
	}
	// An attachment of a tool can be no text, an interrupted call has no output.
	if _, ok = d.Writer.WithParts(&d.Items[1], []transcript.Edit{{Part: 3, Text: "[a file]"}}); ok {
		t.Error("a text stands among the attachments")
	}
	if _, ok = d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 1, Text: "[gone]"}}); ok {
		t.Error("an output was written where none is")
	}
	// A new id is one for the call and its result.
	out, ok = d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 0, ID: "c9"}, {Part: 1, ID: "c9"}})
	if !ok || out.Parts[0].ID != "c9" || out.Parts[1].ID != "c9" {
		t.Errorf("%v %s", ok, out.Raw)
	}
	// A text stands in the place of a text.
	if out = d.Writer.WithText(&d.Items[1], "T"); !strings.HasSuffix(string(out.Raw), `"parts": [{"type":"text","text":"T","id":"prt_7"}]}`) {
		t.Errorf("%s", out.Raw)
	}
	if _, ok = d.Writer.Joined(&d.Items[0], &d.Items[3]); ok {
		t.Error("two messages became one")
	}
}

func FuzzOpencode(f *testing.F) {
	fuzz(f, "opencode", opencodeExport, opencodeTurns("1.18.3", 3), opencodeTurns("1.2.5", 2), `[{"info":{"role":"user"},"parts":[{"type":"text","text":"a"}]}]`,
		`[{"info":{"role":"user","id":"msg_1"},"parts":[{"type":"compaction","tail_start_id":"msg_0"}]},{"info":{"role":"assistant","summary":true,"finish":"stop","parentID":"msg_1"},"parts":[{"type":"text","text":"s"}]}]`)
}
