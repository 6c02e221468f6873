package format

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// lcDumped is what dumps writes: a call in all five places, parallel calls, a
// failed result, a stream's chunks.
const lcDumped = `[{"lc":1,"type":"constructor","id":["langchain_core","messages","SystemMessage"],"kwargs":{"content":"Be brief.","additional_kwargs":{},"response_metadata":{}}},
{"lc": 1, "type": "constructor", "id": ["langchain_core","messages","HumanMessage"], "kwargs": {"content": [{"type":"text","text":"See "},{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJDRA==","detail":"low"}}], "id": "h1"}},
{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessageChunk"],"kwargs":{"content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"c1","name":"look","input":{"at":1}}],
 "tool_calls":[{"name":"look","args":{"at": 1},"id":"c1","type":"tool_call"},{"name":"fetch","args":{},"id":"c2","type":"tool_call"}],
 "tool_call_chunks":[{"name":"look","args":"{\"at\":","id":"c1","index":0},{"args":"1}","index":0},{"name":"fetch","args":"{}","id":"c2","index":1}],"invalid_tool_calls":[],
 "additional_kwargs":{"reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}}]},
 "response_metadata":{"model_name":"m","output":[{"type":"function_call","id":"fc_1","call_id":"c1","name":"look","arguments":"{\"at\":1}"}]},"usage_metadata":{"input_tokens":1},"id":"run-1"}},
{"lc":1,"type":"constructor","id":["langchain_core","messages","ToolMessage"],"kwargs":{"content":"404","tool_call_id":"c2","name":"fetch","status":"error","id":"t2"}},
{"lc":1,"type":"constructor","id":["langchain_core","messages","ToolMessage"],"kwargs":{"content":[{"type":"text","text":"a"},{"type":"image","base64":"QUJDRA==","mime_type":"image/png"}],"tool_call_id":"c1","name":"look","status":"success","artifact":{"big":1}}},
{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"content":"Seen."}}]`

// lcDicts are the flat form, with what traces have of it: chunks, a number as
// content, the id of a call in id, OpenAI's form of a call.
const lcDicts = `{"messages":[{"content":"Be brief.","type":"SystemMessageChunk"},{"content":"Two looks.","type":"human","additional_kwargs":{},"example":false},
 {"content":"","type":"ai","tool_calls":[{"id":"c1","function":{"name":"look","arguments":"{\"at\":1}"},"type":"function"}],"additional_kwargs":{"tool_calls":[{"id":"c1","function":{"name":"look","arguments":{"at":1}}},{"id":"c2","function":{"name":"count","arguments":"{}"}}]}},
 {"content":7,"type":"tool","id":"c2","name":"count"},
 {"content":{"status":"ok"},"type":"tool","id":"t1","tool_call_id":"c1","name":"look"},
 {"type":"remove","id":"x"},
 {"content":["Seen, ",{"type":"text","text":"both."}],"type":"AIMessageChunk","id":"run-2"}]}`

// lcStored is what messages_to_dict and JS's toDict write.
const lcStored = `[{"type":"human","data":{"content":"Earlier: looked.","additional_kwargs":{"lc_source":"summarization"}}},
{"type":"system","data":{"content":"Mind the tests.","additional_kwargs":{"__openai_role__":"developer"}}},
{"type":"ai","data":{"content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"redacted_thinking","data":"RU5D"},{"type":"reasoning","reasoning":"so"},{"type":"text","text":"On it."},
 {"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]},{"type":"tool_call","id":"c1","name":"look","args":{}},{"type":"compaction","content":"Earlier."},{"type":"novelty"}],
 "invalid_tool_calls":[{"name":"bad","args":"{","id":"c2","error":"Malformed args."}],"tool_calls":[]}},
{"type":"tool","data":{"content":"","tool_call_id":"c1"}},
{"type":"ai","data":{"content":"","additional_kwargs":{"function_call":{"name":"old","arguments":"{}"},"reasoning":{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"one"},{"type":"summary_text","text":"two"}],"encrypted_content":"RU5D"}}}},
{"type":"function","data":{"content":"done","name":"old"}},
{"type":"chat","data":{"content":"x","role":"critic"}},
{"type":"human","data":{"content":[{"type":"audio","data":"QUJD","mime_type":"audio/wav"},{"type":"file","base64":"QUJD","mime_type":"application/pdf"},{"type":"document","source":{"type":"base64","data":"QUJD"}}]}}]`

func TestLangChainItems(t *testing.T) {
	for _, c := range []struct {
		name, src string
		opt       Options
		want      string
	}{
		{"dumped", lcDumped, Options{}, `
[0] system | text "Be brief."
[1] user | text "See " | image 8B detail=low [real]
[2] assistant | thinking "hm" | text "Looking." | call #c1 look "{\"at\":1}" | call #c2 fetch "{}"
[3] tool | result #c2 fetch "404" failed
[4] tool | result #c1 look "a" | image 8B
[5] assistant | text "Seen."`},
		{"dicts", lcDicts, Options{}, `
.messages[0] system | text "Be brief."
.messages[1] user | text "Two looks." [real]
.messages[2] assistant | call #c1 look "{\"at\":1}" | call #c2 count "{}"
.messages[3] tool | result #c2 count "7"
.messages[4] tool | result #c1 look "{\"status\":\"ok\"}"
.messages[6] assistant | text "Seen, " | text "both."`},
		{"stored", lcStored, Options{}, `
[0] user | text "Earlier: looked." [summary]
[1] developer | text "Mind the tests." [context=Mind the tests.]
[2] assistant | thinking "hm" signed | opaque "RU5D" signed | thinking "so" | text "On it." | call #s1 web_search "{\"query\":\"q\"}" server | result #s1 "[]" server | call #c1 look "{}" | text "Earlier." | other | call #c2 bad "{"
[3] tool | result #c1
[4] assistant | thinking "one\ntwo" signed | call #old old "{}"
[5] tool | result #old old "done"
[6] critic | text "x"
[7] user | audio 4B | file 4B | file 4B [real]`},
		{"in a span", `[{"span_id":"s","input":[[{"type":"human","content":"a"}]],"output":{"generations":[[{"message":{"type":"ai","content":"b"}}]]}}]`, Options{}, `
[0].input[0][0] user | text "a" [real]`},
		{"streamed chunks alone", `[{"type":"AIMessageChunk","content":"","tool_call_chunks":[{"id":"c","name":"f","args":"{\"a\":","index":0},{"args":"1}","index":0}]}]`, Options{}, `
[0] assistant | call #c f "{\"a\":"`},
		{"a call that nobody made", `[{"type":"human","content":[{"type":"tool_call","id":"c","name":"f","args":{}}],"tool_calls":[{"id":"d"}]}]`, Options{}, `
[0] user | other [real]`},
		{"a block that a stream left empty", `[{"type":"ai","content":[{"type":"tool_use","id":"c","name":"f","input":""}],"tool_calls":[{"id":"c","name":"f","args":{"a":1}}]}]`, Options{}, `
[0] assistant | call #c f "{\"a\":1}"`},
		{"roles among types", `[{"role":"user","content":"a"},{"type":"ai","content":"b"}]`, Options{}, `
[0] user | text "a" [real]
[1] assistant | text "b"`},
		{"calls that share an id", `[{"type":"ai","content":"","tool_calls":[{"id":"c","name":"f","args":{"n":1}},{"id":"c","name":"f","args":{"n":2}},{"name":"g","args":{}},{"name":"h","args":{}}],"additional_kwargs":{"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}},{"id":"c","function":{"name":"f","arguments":"{}"}}]}}]`, Options{}, `
[0] assistant | call #c f "{\"n\":1}" | call #c f "{\"n\":2}" | call g "{}" | call h "{}"`},
	} {
		t.Run(c.name, func(t *testing.T) { checkShown(t, c.src, c.opt, "langchain", c.want) })
	}
}

// One call, however often it is said, goes with its result.
func TestLangChainPairing(t *testing.T) {
	for src, want := range map[string]string{
		lcDumped: "[0 1 2 2 2 3] [] []", lcDicts: "[0 1 2 2 2 3] [] []", lcStored: "[0 1 2 2 3 3 4 5] [] [{2 9}]",
	} {
		p := transcript.Pair(mustDecode(t, src, Options{}).Transcript)
		if got := fmt.Sprint(p.Group, p.Orphans, p.Unanswered); got != want {
			t.Errorf("%.60s: %s, want %s", src, got, want)
		}
	}
}

// An edit of a call reaches all its places; all other bytes stay.
func TestLangChainEdits(t *testing.T) {
	ids := strings.NewReplacer(`"tool_call_id":"c1"`, `"tool_call_id":"c1"`, `"c1"`, `"n"`) // the result is an item of its own
	all := strings.NewReplacer(`"input":{"at":1}`, `"input":{"x":0}`, `"args":{"at": 1}`, `"args":{"x":0}`, `"args":"{\"at\":"`, `"args":"{\"x\":0}"`,
		`{"args":"1}"`, `{"args":""`, `"arguments":"{\"at\":1}"`, `"arguments":"{\"x\":0}"`)
	type edits = []transcript.Edit
	for _, c := range []struct {
		name, src string
		item      int
		edits     edits
		want      string
	}{
		{"an input", lcDumped, 2, edits{{Part: 2, Text: `{"x":0}`}}, all.Replace(lcDumped)},
		{"an id", lcDumped, 2, edits{{Part: 2, ID: "n"}}, ids.Replace(lcDumped)},
		{
			"a call", `[{"type":"ai","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"c","name":"f","input":{}}],"tool_calls":[{"id":"c","name":"f","args":{}}],"additional_kwargs":{"tool_calls":[{"id":"c"}]}}]`, 0,
			edits{{Part: 1, Drop: true}},
			`[{"type":"ai","content":[{"type":"text","text":"a"}],"tool_calls":[],"additional_kwargs":{"tool_calls":[]}}]`,
		},
		{"an output", lcDumped, 3, edits{{Part: 0, Text: "gone"}}, strings.Replace(lcDumped, `"content":"404"`, `"content":"gone"`, 1)},
		{"an output with a picture", lcDumped, 4, edits{{Part: 0, Text: "gone"}}, strings.Replace(lcDumped, `[{"type":"text","text":"a"},{"type":"image","base64":"QUJDRA==","mime_type":"image/png"}]`, `"gone"`, 1)},
		{"an output that is a number", lcDicts, 3, edits{{Part: 0, Text: "gone"}}, strings.Replace(lcDicts, `"content":7`, `"content":"gone"`, 1)},
		{"the id of an output", lcDicts, 4, edits{{Part: 0, ID: "n"}}, strings.Replace(lcDicts, `"tool_call_id":"c1"`, `"tool_call_id":"n"`, 1)},
		{"the id of an output, in id", lcDicts, 3, edits{{Part: 0, ID: "n"}}, strings.Replace(lcDicts, `"id":"c2","name"`, `"id":"n","name"`, 1)},
		{"an id that is said twice", `[{"type":"tool","content":"x","id":"c","tool_call_id":"c"}]`, 0, edits{{Part: 0, ID: "n"}}, `[{"type":"tool","content":"x","id":"n","tool_call_id":"n"}]`},
		{"a picture", lcDumped, 1, edits{{Part: 1, Text: "[picture]"}}, strings.Replace(lcDumped, `{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJDRA==","detail":"low"}}`, `{"type":"text","text":"[picture]"}`, 1)},
		{"a thought", lcDumped, 2, edits{{Part: 0, Drop: true}}, strings.Replace(lcDumped, `"reasoning_content":"hm",`, "", 1)},
		{"a thought in the content", lcStored, 2, edits{{Part: 2, Drop: true}}, strings.Replace(lcStored, `{"type":"reasoning","reasoning":"so"},`, "", 1)},
		{
			"a thought that is said twice", `[{"type":"ai","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}],"additional_kwargs":{"reasoning_content":"hm"}}]`, 0,
			edits{{Part: 0, Drop: true}},
			`[{"type":"ai","content":[{"type":"text","text":"a"}],"additional_kwargs":{}}]`,
		},
		{"a block that others need", `[{"type":"ai","content":[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"text","text":"a","id":"msg_1"}]}]`, 0, edits{{Part: 0, Drop: true}}, ""},
		{"a thought that others need", lcStored, 4, edits{{Part: 0, Drop: true}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { checkEdit(t, c.src, c.item, c.edits, c.want) })
	}
}

// New messages are written as those that are there.
func TestLangChainMessages(t *testing.T) {
	python := strings.NewReplacer(`["langchain_core","messages"`, `["langchain","schema","messages"`, `"kwargs":{"content"`, `"kwargs":{"type":"x","content"`).Replace(lcDumped)
	for _, c := range []struct {
		src  string
		role transcript.Role
		want string
	}{
		{lcDumped, transcript.User, `{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"a","additional_kwargs":{},"response_metadata":{}}}`},
		{python, transcript.Assistant, `{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"type":"ai","content":"a","additional_kwargs":{},"response_metadata":{}}}`},
		{lcStored, transcript.Developer, `{"type":"system","data":{"content":"a","additional_kwargs":{"__openai_role__":"developer"},"response_metadata":{}}}`},
		{lcDicts, transcript.System, `{"type":"system","content":"a","additional_kwargs":{},"response_metadata":{}}`},
		{lcDicts, transcript.User, `{"type":"human","content":"a","additional_kwargs":{},"response_metadata":{}}`},
	} {
		m := mustDecode(t, c.src, Options{}).Writer.Message(c.role, "a")
		if string(m.Raw) != c.want || m.Role != c.role || m.Text() != "a" {
			t.Errorf("%s: %s\nwant %s", m.Role, m.Raw, c.want)
		}
	}
	d := mustDecode(t, lcDumped, Options{})
	if out := d.Writer.WithText(&d.Items[1], "T"); string(out.Raw) != `{"lc": 1, "type": "constructor", "id": ["langchain_core","messages","HumanMessage"], "kwargs": {"content": [{"type":"text","text":"T"}], "id": "h1"}}` {
		t.Errorf("%s", out.Raw)
	}
	out, ok := d.Writer.Answer(&d.Items[2], 2, "T")
	if want := `{"lc":1,"type":"constructor","id":["langchain_core","messages","ToolMessage"],"kwargs":{"content":"T","name":"look","tool_call_id":"c1","status":"error"}}`; !ok || string(out.Raw) != want {
		t.Errorf("%v %s, want %s", ok, out.Raw, want)
	}
	both, ok := d.Writer.Joined(&d.Items[1], ptr(d.Writer.Message(transcript.User, "b")))
	if want := `"kwargs": {"content": [{"type":"text","text":"See "},{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJDRA==","detail":"low"}},{"type":"text","text":"b"}], "id": "h1"}`; !ok || !strings.Contains(string(both.Raw), want) {
		t.Errorf("%v %s, want %s", ok, both.Raw, want)
	}
	s := mustDecode(t, lcStored, Options{})
	if out := s.Writer.WithoutSummary(&s.Items[2]); strings.Contains(string(out.Raw), "compaction") || !strings.Contains(string(out.Raw), `{"type":"tool_call","id":"c1","name":"look","args":{}},{"type":"novelty"}]`) {
		t.Errorf("%s", out.Raw)
	}
}

func ptr(it transcript.Item) *transcript.Item { return &it }

// What is counted of a message: not what a tracer or a stream left in it.
func TestLangChainShown(t *testing.T) {
	long := `"response_metadata":{"x":"` + strings.Repeat("y", noiseBytes) + `"}`
	for _, c := range []struct{ src, want string }{
		{`[{"type":"ai","content":"a","id":"i",` + long + `}]`, `{"type":"ai","content":"a"}`},
		{`[{"type":"ai","content":"a","id":"i"}]`, `{"type":"ai","content":"a","id":"i"}`},
		{`[{"lc":1,"type":"constructor","id":["m","AIMessage"],"kwargs":{"content":"a","id":"i"}}]`, `{"content":"a","id":"i"}`},
		{`[{"lc":1,"type":"constructor","id":["m","AIMessage"],"kwargs":{"content":"a",` + long + `,"tool_calls":[{}],"tool_call_chunks":[{}],"additional_kwargs":{"tool_calls":[{}]}}}]`, `{"content":"a","tool_calls":[{}]}`},
		{`[{"type":"ai","content":"a",` + long + `,"tool_calls":[{}],"additional_kwargs":{"reasoning_content":"hm"}}]`, `{"type":"ai","content":"a","tool_calls":[{}],"additional_kwargs":{"reasoning_content":"hm"}}`},
	} {
		d := mustDecode(t, c.src, Options{})
		if got := string(d.Items[0].Sent()); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestLangChainDetect(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{lcDumped, "langchain 0.98 array: [0] has lc and the kwargs of a message; [1] has lc and the kwargs of a message; [2] has lc and the kwargs of a message"},
		{lcDicts, "langchain 0.98 request: messages[0] has type SystemMessageChunk; messages[1] has type human; messages[2] has type ai"},
		{lcStored, "langchain 0.98 array: [0] has type human and data; [1] has type system and data; [2] has type ai and data"},
		{`{"type":"human","content":"a"}` + "\n" + `{"type":"ai","content":"b"}`, "langchain 0.98 jsonl: line 1 has type human; line 2 has type ai"},
		{`[[{"type":"tool","content":"x","id":"c","name":"f"}]]`, "langchain 0.98 array: [0][0] has type tool and content"},
		{`[{"role":"user","content":"a","additional_kwargs":{}}]`, "langchain 0.98 array: [0] has additional_kwargs"},
		{`{"generations":[[{"message":{"type":"ai","content":"a"}}]]}`, "langchain 0.98 response: it has generations"},
		{`{"model":{"lc":1,"type":"constructor","id":["langchain","ChatOpenAI"],"kwargs":{}},"messages":[{"role":"user","content":"a"}]}`, "openai-chat 0.50 request: the items have roles and texts, and nothing that only one format has"},
	} {
		v, err := Detect([]byte(c.src))
		if got := fmt.Sprintf("%s %.2f %s: %s", v.Name, v.Confidence, v.Shape, strings.Join(v.Evidence, "; ")); err != nil || got != c.want {
			t.Errorf("%v %s\nwant %s", err, got, c.want)
		}
	}
}

func TestLangChainErrors(t *testing.T) {
	for _, c := range []struct{ src, format, want string }{
		{`[{"type":"human","content":"a"},{"content":"b"}]`, "", "invalid_request transcript[1]: is no message: it has no type, no role, and no lc with kwargs"},
		{`[{"type":"human","content":"a"},5]`, "", "invalid_request transcript[1]: is a number, an object is wanted"},
		{`[{"type":"ai","content":"","tool_calls":[{"id":5}]}]`, "", "invalid_request transcript[0].tool_calls[0].id: is a number, a string is wanted"},
		{`[{"lc":1,"id":["m","ToolMessage"],"kwargs":{"tool_call_id":5}}]`, "", "invalid_request transcript[0].kwargs.tool_call_id: is a number, a string is wanted"},
		{`[{"type":"ai","data":{"content":[{"type":"text","text":5}]}}]`, "", "invalid_request transcript[0].data.content[0].text: is a number, a string is wanted"},
		{`[{"type":"ai","content":[5]}]`, "", "invalid_request transcript[0].content[0]: is a number, an object or a string is wanted"},
		{`[{"type":"function_call","call_id":"c"}]`, "langchain", `invalid_request transcript[0].type: is "function_call", which langchain does not have`},
		{uiTools, "langchain", "invalid_request transcript.messages[0].parts: stands in no message of langchain"},
		{`{"generations":[[{"message":{"type":"ai","content":"a"}}]]}`, "", "not_a_history transcript: is a single answer (it has generations)"},
	} {
		_, err := Decode([]byte(c.src), Options{Format: c.format})
		var e *transcript.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if got := e.Code + " " + e.Error(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// Conversations out of parts drawn at random, with a fixed seed.
func TestLangChainRandom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	content := []string{
		`""`, `"t"`, `7`, `null`, `{"a":1}`, `["t",{"type":"text","text":"u"}]`, `[{"type":"tool_use","id":"ID","name":"f","input":{}}]`,
		`[{"type":"thinking","thinking":"h","signature":"s"},{"type":"tool_call","id":"ID","name":"f","args":{}}]`, `[{"type":"image_url","image_url":"data:image/png;base64,QUJDRA=="}]`,
	}
	calls := []string{`{"id":"ID","name":"f","args":{"a":1}}`, `{"id":"ID","name":"g","args":{}}`, `{"id":null,"name":"f","args":{}}`, `{"id":"ID","function":{"name":"f","arguments":"{}"}}`}
	chunks := []string{`{"id":"ID","name":"f","args":"{}","index":0}`, `{"id":"ID","name":"f","args":"{}","index":1}`, `{"args":"1","index":0}`}
	list := func(parts []string) string { return "[" + strings.Join(randomList(r, parts, 4), ",") + "]" }
	message := func() (class, fields string) {
		switch r.Intn(4) {
		case 0:
			return "human", `"content":` + draw(r, content[:2])
		case 1:
			return "tool", `"content":` + draw(r, content) + `,"name":"f",` + draw(r, []string{`"tool_call_id":"ID"`, `"id":"ID"`})
		}
		return "ai", `"content":` + draw(r, content) + `,"tool_calls":` + list(calls) + `,"tool_call_chunks":` + list(chunks) + `,"additional_kwargs":{"tool_calls":` + list(calls[2:]) + `,"reasoning_content":"h"}`
	}
	read := 0
	for n := range 600 {
		var items []string
		for range r.Intn(7) {
			class, fields := message()
			switch n % 3 {
			case 0:
				items = append(items, `{"type":"`+class+`",`+fields+`}`)
			case 1:
				items = append(items, `{"type":"`+class+`","data":{`+fields+`}}`)
			default:
				items = append(items, `{"lc":1,"type":"constructor","id":["m","`+class+`Message"],"kwargs":{`+fields+`}}`)
			}
		}
		src := []byte("[" + strings.Join(items, ",\n ") + "]")
		holds(t, src, Options{})
		if holds(t, src, Options{Format: "langchain"}) != nil {
			read++
		}
	}
	if read != 600 {
		t.Errorf("%d of 600 were read", read)
	}
}

// A list within a span is what it looks like, whatever member it stands in.
func TestSpanNamed(t *testing.T) {
	src := `[{"spans":[{"input":[{"role":"user","content":"a"}],"output":{"messages":[{"type":"ai","content":"b"}]}}]}]`
	all, err := Conversations([]byte(src))
	if want := "[{/0/spans/0/input 1 31} {/0/spans/0/output/messages 1 29}]"; err != nil || fmt.Sprint(all) != want {
		t.Errorf("%v, %v, want %s", all, err, want)
	}
	for pointer, name := range map[string]string{"/0/spans/0/input": "openai-chat", "/0/spans/0/output/messages": "langchain"} {
		for _, f := range []string{"", name} {
			if d := mustDecode(t, src, Options{Conversation: pointer, Format: f}); d.Format != name {
				t.Errorf("%s as %q: %s", pointer, f, d.Format)
			}
		}
	}
}

func FuzzLangChain(f *testing.F) {
	fuzz(f, "langchain", lcDumped, lcDicts, lcStored, `[{"type":"tool","content":"x","id":"c","tool_call_id":"c"}]`,
		`[{"type":"AIMessageChunk","content":"","tool_call_chunks":[{"id":"c","name":"f","args":"{","index":0},{"args":"}","index":0}]}]`)
}
