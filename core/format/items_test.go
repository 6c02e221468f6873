package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

func mustDecode(t *testing.T, src string, opt Options) *Document {
	t.Helper()
	d, err := Decode([]byte(src), opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// show is an item on one line: who, what it holds, and how it is marked.
func show(it *transcript.Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", it.Path, it.Role)
	if it.Type != "" {
		fmt.Fprintf(&b, " %s", it.Type)
	}
	kinds := [...]string{"text", "thinking", "call", "result", "image", "audio", "file", "opaque", "other"}
	for _, p := range it.Parts {
		fmt.Fprintf(&b, " | %s", kinds[p.Kind])
		if p.ID != "" {
			fmt.Fprintf(&b, " #%s", p.ID)
		}
		if p.Name != "" {
			fmt.Fprintf(&b, " %s", p.Name)
		}
		if p.Text != "" {
			fmt.Fprintf(&b, " %q", p.Text)
		}
		if p.Bytes > 0 {
			fmt.Fprintf(&b, " %dB", p.Bytes)
		}
		for _, f := range []struct {
			on   bool
			name string
		}{{p.Detail != "", "detail=" + p.Detail}, {p.Signed, "signed"}, {p.Failed, "failed"}, {p.Server, "server"}} {
			if f.on {
				b.WriteString(" " + f.name)
			}
		}
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{it.Context != "", "context=" + it.Context}, {it.Fragment, "fragment"}, {it.Summary, "summary"}, {it.Empty, "empty"}, {it.RealUser(), "real"}} {
		if f.on {
			b.WriteString(" [" + f.name + "]")
		}
	}
	return b.String()
}

// The expected lines follow from the fixtures and from what core/transcript
// says of each field.
func TestItems(t *testing.T) {
	for _, c := range []struct {
		name, src string
		opt       Options
		want      string
	}{
		{"chat", chatTools, Options{}, `
.messages[0] system | text "Be brief."
.messages[1] developer | text "<rules v=\"3\">Only tests.</rules>" [context=<rules>]
.messages[2] user | text "See " | image 8B detail=low | audio 4B [real]
.messages[3] assistant | thinking "Two looks." | call #c1 look "{\"at\":1}" | call #c2 patch "raw"
.messages[4] tool | result #c2 "two\nlines"
.messages[5] tool | result #c1 "one"
.messages[6] assistant | text "No."
.messages[7] assistant | call #old old "{}"
.messages[8] tool | result #old old "done"
.messages[9] assistant | text "Done." | audio "spoken" 4B`},
		{"chat oddities", chatOdd, Options{}, `
[0] tool | result #lost "orphan"
[1] assistant | call #a f "{" | call #a f | call
[2] user [empty] [real]
[3] tool | result #a
[4] exit | text "over"
[5] assistant [empty]
[6] user | text "�" [real]`},
		{"lines", chatLines, Options{}, `
:1 user | text "a" [real]
:3 assistant | text "b"
:4 user | text "c" [real]`},
		{"one of several", severalChats, Options{Conversation: "/1/traj"}, `
[1].traj[0] user | text "c" [real]`},
		{"responses", responsesTools, Options{}, `
.input[0] developer message | text "<permissions>All.</permissions>" [context=<permissions>]
.input[1] user message | text "Look." [real]
.input[2] assistant reasoning | thinking "hm" | opaque "RU5D"
.input[3] assistant function_call | call #c1 look "{}"
.input[4] assistant function_call | call #c2 look "{\"x\":2}"
.input[5] tool function_call_output | result #c1 "one"
.input[6] tool function_call_output | result #c2 "two" | image 8B
.input[7] assistant message | text "Seen."`},
		{"all responses items", responsesAll, Options{}, `
[0] user message | text "go" [real]
[1] assistant compaction | opaque "RU5D" [summary]
[2] assistant custom_tool_call | call #p1 apply_patch "*** Begin"
[3] tool custom_tool_call_output | result #p1 "{\"output\":\"ok\"}" failed
[4] assistant local_shell_call | call #s1 local_shell "{\"command\":[\"ls\"]}"
[5] tool function_call_output | result #s1 "a.txt"
[6] assistant web_search_call | call web_search "{\"query\":\"q\"}" server
[7] assistant mcp_call | call fetch "{}" server | result "page" server
[8] assistant code_interpreter_call | call code_interpreter "1+1" server | result "[{\"type\":\"logs\",\"logs\":\"2\"}]" server
[9] assistant image_generation_call | call image_generation server | image 8B
[10] assistant tool_search_call | call #t1 tool_search "{\"query\":\"x\"}"
[11] tool tool_search_output | result #t1 "[]"
[12] assistant mcp_approval_request | call #ar_1 rm "{}"
[13] tool mcp_approval_response | result #ar_1 "true"
[14] assistant shell_call | call #sh shell "{\"commands\":[\"ls\"]}"
[15] tool shell_call_output | result #sh "[{\"stdout\":\"x\",\"outcome\":{\"type\":\"exit\",\"exit_code\":0}}]"
[16] user agent_message | text "report" | opaque "RQ==" [fragment]
[17] assistant item_reference | other
[18] assistant novelty | other
[19] user message | other "<image name=[Image #1]>" | image detail=high | other "</image>" | text "what is it" [real]`},
		{"anthropic", anthropicTools, Options{}, `
.messages[0] user | text "Look twice." [real]
.messages[1] assistant | thinking "hm" signed | opaque "RU5D" signed | text "Looking." | call #t1 look "{\"at\":1}" | call #t2 look "{}"
.messages[2] user | result #t2 "bad" failed | result #t1 "a\nb" | image 8B | text "<system-reminder>Mind the time.</system-reminder>" [fragment]
.messages[3] assistant | text "Both seen."
.messages[4] user | text "And this?" | file 4B [real]`},
		{"anthropic server tools", anthropicServer, Options{}, `
[1] assistant | text "Earlier: searched." [summary]
[2] assistant | call #s1 web_search "{\"query\":\"q\"}" server | result #s1 "[{\"type\":\"web_search_result\",\"title\":\"t\",\"encrypted_content\":\"RU5D\"}]" server | text "Found."
[3] user | result #lost "orphan"
[4] assistant | call #open look "{}"`},
		{"anthropic, media only within a result", `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"url","url":"u"}}]}]}]`, Options{}, `
[0] user | result #a | image [fragment]`},
		{"rollout", rolloutPlain, Options{}, `
:3 user message | text "do it" [real]
:5 assistant function_call | call #c1 sh "{}"
:7 tool function_call_output | result #c1 "ok"
:9 assistant message | text "done"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustDecode(t, c.src, c.opt)
			var got strings.Builder
			for i := range d.Items {
				got.WriteString("\n" + show(&d.Items[i]))
			}
			if got.String() != c.want {
				t.Errorf("got%s\nwant%s", got.String(), c.want)
			}
			holds(t, []byte(c.src), c.opt)
		})
	}
}

// The places of parts: a message's own text is the string, a part of a list the
// part, a call the call, a result what it says.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		src        string
		item, part int
		want       string
	}{
		{`[{"role":"user","content": "a" }]`, 0, 0, `"a"`},
		{chatTools, 2, 1, `{"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJDRA==", "detail": "low"}}`},
		{chatTools, 3, 1, `{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"at\":1}"}}`},
		{chatTools, 5, 0, `"one"`},
		{chatTools, 7, 0, `{"name": "old", "arguments": "{}"}`},
		{responsesTools, 2, 1, `"RU5D"`},
		{responsesTools, 3, 0, `{"type":"function_call","name":"look","arguments":"{}","call_id":"c1"}`},
		{responsesTools, 5, 0, `"one"`},
		{anthropicTools, 2, 0, `{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"bad"}`},
		{anthropicTools, 2, 2, `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJDRA=="}}`},
	} {
		it := &mustDecode(t, c.src, Options{}).Items[c.item]
		p := it.Parts[c.part]
		if got := string(it.Raw[p.Start:p.End]); got != c.want {
			t.Errorf("part %d of %s is %s, want %s", c.part, it.Raw, got, c.want)
		}
	}
}

// What stands beside the items.
func TestSiblings(t *testing.T) {
	for _, c := range []struct{ src, system, tools, model string }{
		{chatTools, "", `[{"type": "function", "function": {"name": "look"}}]`, "gpt-x"},
		{responsesTools, "Be brief.", "", "gpt-x"},
		{anthropicTools, "Be\nbrief.", `[{"name":"look","input_schema":{"type":"object"}}]`, "claude-x"},
		{rolloutPlain, "Base.", "", "gpt-y"},
		{chatPretty, "", "", ""},
	} {
		d := mustDecode(t, c.src, Options{})
		if d.System != c.system || string(d.Tools) != c.tools || d.Model != c.model {
			t.Errorf("system %q, tools %s, model %q of %.60s", d.System, d.Tools, d.Model, c.src)
		}
	}
}

func TestWriter(t *testing.T) {
	anthropic := `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"tool_result","tool_use_id":"t"}],"x":1}]`
	for _, c := range []struct{ name, src, message, with string }{
		{"a string stays one", `[{"role": "user", "content": "a", "x": 1.0}]`, `{"role":"user","content":"T\n\"あ\""}`, `{"role": "user", "content": "T\n\"あ\"", "x": 1.0}`},
		{"parts become one", `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}}]}]`, "", `{"role":"user","content":[{"type":"text","text":"T\n\"あ\""}]}`},
		{"none becomes a string", `[{"role":"user"}]`, "", `{"role":"user","content":"T\n\"あ\""}`},
		{"null becomes a string", `[{"content":null,"role":"user"}]`, "", `{"content":"T\n\"あ\"","role":"user"}`},
		{"the last of doubled keys counts", `[{"role":"user","content":"a","content":"b"}]`, "", `{"role":"user","content":"a","content":"T\n\"あ\""}`},
		{
			"responses", `[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}],"id":"m"}]`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"T\n\"あ\""}]}`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"T\n\"あ\""}],"id":"m"}`,
		},
		{"an output keeps its call", `[{"type":"function_call_output","call_id":"c","output":"x"}]`, "", `{"type":"function_call_output","call_id":"c","output":"T\n\"あ\""}`},
		{"anthropic", anthropic, `{"role":"user","content":"T\n\"あ\""}`, `{"role":"user","content":[{"type":"text","text":"T\n\"あ\""}],"x":1}`},
	} {
		d := mustDecode(t, c.src, Options{})
		const text = "T\n\"あ\""
		if got := d.Writer.Message(transcript.User, text); c.message != "" && string(got.Raw) != c.message {
			t.Errorf("%s: Message is %s, want %s", c.name, got.Raw, c.message)
		}
		got := d.Writer.WithText(&d.Items[0], text)
		if string(got.Raw) != c.with {
			t.Errorf("%s: WithText is %s, want %s", c.name, got.Raw, c.with)
		}
		if got.Path != d.Items[0].Path || got.Role != d.Items[0].Role {
			t.Errorf("%s: WithText is at %q, of %q", c.name, got.Path, got.Role)
		}
	}
	assistant := mustDecode(t, responsesTools, Options{}).Writer.Message(transcript.Assistant, "a")
	if want := `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`; string(assistant.Raw) != want || !assistant.Generated() {
		t.Errorf("%s, want %s", assistant.Raw, want)
	}
}
