package format

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core/transcript"
)

const quotedChat = `{"model":"m","messages":[ {"role":"user","content":"a \"b\" é"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}]}`

// inString is JSON as a string of JSON: strconv escapes what these fixtures hold
// as JSON does.
func inString(s string) string { return strconv.Quote(s) }

// JSON in a string is looked through: the string alone changes, and what is kept
// within it keeps its bytes.
func TestQuoted(t *testing.T) {
	list := quotedChat[strings.Index(quotedChat, "[") : len(quotedChat)-1]
	lines := `{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}` + "\n" + `{"role":"tool","tool_call_id":"c","content":"r"}` + "\n"
	for _, c := range []struct{ name, before, inner, after, path, pointer string }{
		{"the body of a cassette", `{ "interactions" : [ {"request":{"method":"POST", "body":`, quotedChat, `},"response":{"body":{"string":"{\"object\":\"chat.completion\",\"choices\":[]}"}}} ], "n":1.0 }`, ".interactions[0].request.body.messages[0]", "/interactions/0/request/body"},
		{"a span's input", `{"span_id":"1","input":`, quotedChat, `,"output":"z"}`, ".input.messages[0]", "/input"},
		{"a span of a model", `{"model":"m","trace_id":"t","input":`, list, `}`, ".input[0]", "/input"},
		{"a list in a list", `[{"name":"x","inputs":`, list, `}]`, "[0].inputs[0]", "/0/inputs"},
		{"lines", `{"id":1,"attributes":{"a/b":`, lines, `}}`, `.attributes["a/b"]:1`, "/attributes/a~1b"},
		{"on a line", "{\"n\":1}\n\n{\"id\":1,\"input\":", quotedChat, "}\n", ":3.input.messages[0]", "/1/input"},
		{"two deep", `{"a":`, inString(`{"request":{"body":` + inString(quotedChat) + `}}`), `}`, ".a.request.body.messages[0]", "/a/request/body"},
	} {
		quoted, deep := inString(c.inner), strings.HasPrefix(c.inner, `"`)
		if deep {
			quoted = c.inner
		}
		src := c.before + quoted + c.after
		for _, opt := range []Options{{}, {Conversation: c.pointer}, {Format: "openai-chat"}} {
			d, err := Decode([]byte(src), opt)
			if err != nil {
				t.Errorf("%s, %+v: %v", c.name, opt, err)
				continue
			}
			if d.Format != "openai-chat" || len(d.Items) != 3 || d.Items[0].Path != c.path || !strings.HasSuffix(d.Verdict.Evidence[len(d.Verdict.Evidence)-1], " is JSON in a string") {
				t.Errorf("%s: %s, %d items, %s, %q", c.name, d.Format, len(d.Items), d.Items[0].Path, d.Verdict.Evidence)
			}
			holds(t, []byte(src), opt)
			m := d.Writer.Message(transcript.User, `n "q"`)
			out, err := d.Encode([]transcript.Entry{{From: -1, New: &m}, {From: 1}, {From: 2}})
			want := strings.Replace(quotedChat, `{"role":"user","content":"a \"b\" é"}`, `{"role":"user","content":"n \"q\""}`, 1)
			switch {
			case strings.HasPrefix(c.inner, "["):
				want = want[strings.Index(want, "[") : len(want)-1]
			case c.inner == lines:
				want = strings.Replace(lines, `"content":"a"`, `"content":"n \"q\""`, 1)
			case deep:
				want = `{"request":{"body":` + inString(want) + `}}`
			}
			if want = c.before + inString(want) + c.after; err != nil || string(out) != want {
				t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, out, want)
			}
		}
		if v, err := Detect([]byte(src)); err != nil || v.Name != "openai-chat" || !strings.Contains(strings.Join(v.Evidence, " "), "is JSON in a string") {
			t.Errorf("%s: detected as %+v, %v", c.name, v, err)
		}
	}
}

// What the string begins and ends with as before keeps the escapes that it has,
// also where characters share bytes; nothing is cut within one.
func TestQuotedEscapes(t *testing.T) {
	const user, kept = `{\"role\":\"user\",\"content\":\"`, `\u00e9\ud83d\ude00\u0041\/é😀\"}`
	src := `{"x":"\u00e9","input":"[` + user + kept + `,` + user + `\u00e9b\"},` + user + kept + ` ]"}`
	d := mustDecode(t, src, Options{})
	if text := d.Items[0].Text(); len(d.Items) != 3 || text != "é😀A/é😀" {
		t.Fatalf("%d items, %q", len(d.Items), text)
	}
	for said, want := range map[string]string{
		"éb":  `\u00e9b`, // as it was
		"éc":  `\u00e9c`,
		"êb":  `êb`, // the first byte of both is one
		"😀":   `😀`,
		"ξ\"": `ξ\\\"`,
		"":    ``,
	} {
		m := d.Items[1]
		m.Raw = []byte(`{"role":"user","content":` + inString(said) + `}`)
		out, err := d.Encode([]transcript.Entry{{From: 0}, {From: 1, New: &m}, {From: 2}})
		if want := strings.Replace(src, `\u00e9b`, want, 1); err != nil || string(out) != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", said, err, out, want)
		}
	}
	out, err := d.Encode([]transcript.Entry{{From: 0}, {From: 2}})
	if want := strings.Replace(src, `,`+user+`\u00e9b\"}`, ``, 1); err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// Strings are looked into only where there is no other conversation, and where
// nobody asks a model for what is in them.
func TestNotQuoted(t *testing.T) {
	q := inString(quotedChat)
	for name, src := range map[string]string{
		"a request of one text":      `{"model":"m","input":` + q + `}`,
		"three deep":                 `{"a":` + inString(`{"b":`+inString(`{"c":`+q+`}`)+`}`) + `}`,
		"a string alone":             q,
		"a single answer in a body":  `{"response":{"body":` + inString(`{"object":"response","output":[{"type":"message","role":"assistant","content":[]}]}`) + `}}`,
		"broken":                     `{"input":` + inString(quotedChat[:len(quotedChat)-2]) + `}`,
		"what could not be put back": `{"input":` + strings.Replace(q, "é", `\ud800`, 1) + `}`,
	} {
		if d, err := Decode([]byte(src), Options{}); err == nil {
			t.Errorf("%s: read as %s", name, d.Format)
		}
	}
	for _, src := range []string{`[{"role":"user","content":` + q + `}]`, `{"messages":[],"x":` + q + `}`, `{"role":"user","content":` + q + `}`} {
		if d := mustDecode(t, src, Options{}); len(d.Items) > 1 || strings.Contains(strings.Join(d.Verdict.Evidence, " "), "string") {
			t.Errorf("%s has %d items: %q", src, len(d.Items), d.Verdict.Evidence)
		}
	}
}

// Several conversations are listed with pointers through the strings, and errors
// name places through them.
func TestQuotedPlaces(t *testing.T) {
	two := `{"interactions":[{"request":{"body":` + inString(quotedChat) + `}},{"request":{"body":` + inString(`{"messages":[{"role":"user","content":5}]}`) + `}}]}`
	all, err := Conversations([]byte(two))
	if err != nil || len(all) != 2 || all[0].Pointer != "/interactions/0/request/body/messages" || all[0].Items != 3 || all[1].Pointer != "/interactions/1/request/body/messages" {
		t.Fatalf("%v, %+v", err, all)
	}
	if _, err = Decode([]byte(two), Options{}); err == nil || !strings.Contains(err.Error(), "holds 2 conversations, choose one with conversation: /interactions/0/request/body/messages (3 items") {
		t.Errorf("%v", err)
	}
	if d := mustDecode(t, two, Options{Conversation: all[0].Pointer}); len(d.Items) != 3 {
		t.Errorf("%d items", len(d.Items))
	}
	for _, c := range []struct {
		opt        Options
		path, told string
	}{
		{Options{Conversation: all[1].Pointer}, "transcript.interactions[1].request.body.messages[0].content", "is a number, a string, a list of parts or null is wanted"},
		{Options{Conversation: all[1].Pointer, Text: true}, "transcript", "line 1, column " + strconv.Itoa(utf8.RuneCountInString(two[:strings.LastIndex(two, `"body":"`)])+len(`"body":`)+1) + ": interactions[1].request.body.messages[0].content is a number"},
		{Options{Conversation: all[0].Pointer + "/9"}, "conversation", "step 2 asks for one of 3 elements"},
		{Options{Conversation: "/interactions/0/request/body/x"}, "conversation", "is not there: step 1 leads nowhere"},
		{Options{Conversation: "/interactions/0/request/body/messages/0/role/x"}, "conversation", "is not there: step 4 leads nowhere"},
	} {
		_, err := Decode([]byte(two), c.opt)
		var told *transcript.Error
		if !errors.As(err, &told) || told.Path != c.path || !strings.Contains(told.Message, c.told) {
			t.Errorf("%+v: %v", c.opt, err)
		}
	}
}

// Messages that a logger put below data are read there: what is kept keeps its
// line, what is new gets the logger's object of its role, and the logger's own
// lines stay with the message behind them.
func TestEnveloped(t *testing.T) {
	line := func(kind, data string) string {
		return `{"log_type": "` + kind + `", "data": ` + data + `,"n":1}` + "\n"
	}
	a, b, c := `{"role":"user","content":"a"}`, `{"role":"assistant","content":"b"}`, `{"role":"user","content":"c"}`
	src := line("in", a) + line("out", b) + line("usage", `{"tokens":5}`) + line("in", c)
	d := mustDecode(t, src, Options{})
	if d.Format != "openai-chat" || len(d.Items) != 3 || d.Items[2].Path != ":4" {
		t.Fatalf("%s, %d items", d.Format, len(d.Items))
	}
	holds(t, []byte(src), Options{})
	m := d.Writer.Message(transcript.Assistant, "N")
	out, err := d.Encode([]transcript.Entry{{From: -1, New: &m}, {From: 2}})
	if want := line("out", `{"role":"assistant","content":"N"}`) + line("usage", `{"tokens":5}`) + line("in", c); err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	if again := mustDecode(t, string(out), Options{}); len(again.Items) != 2 || again.Items[0].Text() != "N" {
		t.Errorf("%d items come back", len(again.Items))
	}
	_, err = Decode([]byte(line("in", a)+line("in", `{"role":5,"content":"x"}`)+line("in", `{"role":"user","content":5}`)), Options{})
	if err == nil || !strings.Contains(err.Error(), "line 3, column 53: content is a number") {
		t.Errorf("%v", err)
	}
}

// Of several fences the one with most of the text is read, the others stay.
func TestSeveralFences(t *testing.T) {
	head, tail := "# Session\n\n```sh\nls\n```\n\n```json\n{\"x\":1}\n```\n\n```jsonl\n", "```\n\nbye\n\n```\nend\n```\n"
	body := strings.Repeat(fencedA+"\n"+fencedB+"\n", 3)
	d := mustDecode(t, head+body+tail, Options{})
	out, err := d.Encode([]transcript.Entry{{From: 4}, {From: 5}})
	if len(d.Items) != 6 || err != nil || string(out) != head+fencedA+"\n"+fencedB+"\n"+tail {
		t.Errorf("%d items, %v\n%s", len(d.Items), err, out)
	}
	if _, err := Decode([]byte(head+fencedA+"\n"+tail), Options{}); err == nil {
		t.Error("a fence with the smaller part of the text is read")
	}
}

func FuzzWrapped(f *testing.F) {
	fuzz(f, "openai-chat", `{"span_id":"1","input":`+inString(quotedChat)+`}`, `{"a":`+inString(`{"b":`+inString(quotedChat)+`}`)+`}`,
		"{\"x\":"+inString(chatLines)+"}\n{\"y\":1}", `{"log_type":"x","data":{"role":"user","content":"a"},"n":1}`+"\n"+`{"data":{"type":"x"}}`+"\n",
		"```\n"+quotedChat+"\n```\n\n```\nx\n```\n", `[{"b":"[{\"role\":\"user\",\"content\":\"\\u00e9\"}]"}]`)
}
