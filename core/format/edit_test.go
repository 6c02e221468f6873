package format

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Parts are changed where they stand: the bytes around them stay, odd spacing
// and unknown members included. "" is refused.
func TestWithParts(t *testing.T) {
	type edits = []transcript.Edit
	text := func(part int, s string) edits { return edits{{Part: part, Text: s}} }
	drop := func(part int) edits { return edits{{Part: part, Drop: true}} }
	for _, c := range []struct {
		name, format, item string
		edits              edits
		want               string
	}{
		{"a chat result", "openai-chat", `{ "role":"tool", "x":1.0, "content":"long \u00e9", "tool_call_id":"a" }`, text(0, `s"t`), `{ "role":"tool", "x":1.0, "content":"s\"t", "tool_call_id":"a" }`},
		{"with a list of parts", "openai-chat", `{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"n":0}`, text(0, "t"), `{"role":"tool","tool_call_id":"a","content":"t","n":0}`},
		{"of the old kind", "openai-chat", `{"role":"function","name":"f","content":"long"}`, text(0, "t"), `{"role":"function","name":"f","content":"t"}`},
		{"without content", "openai-chat", `{"role":"tool","tool_call_id":"a","content":null}`, text(0, "t"), ""},
		{"an input", "openai-chat", `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"p\": 1}" },"i":0}]}`, text(0, `{"c":"1"}`), `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"c\":\"1\"}" },"i":0}]}`},
		{"of a custom tool", "openai-chat", `{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"f","input":"raw"}}]}`, text(0, `{"c":"1"}`), `{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"f","input":"{\"c\":\"1\"}"}}]}`},
		{"of two calls the second", "openai-chat", `{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}, {"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}`, text(2, `{"c":"1"}`), `{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}, {"id":"b","type":"function","function":{"name":"f","arguments":"{\"c\":\"1\"}"}}]}`},
		{"a picture", "openai-chat", `{"role":"user","content":[ {"type":"image_url","image_url":{"url":"http://a/b.png"}} , {"type":"text","text":"see"} ]}`, text(0, "t"), `{"role":"user","content":[ {"type":"text","text":"t"} , {"type":"text","text":"see"} ]}`},
		{"sound that is a member and no part", "openai-chat", `{"role":"assistant","content":null,"audio":{"id":"a","data":"AAAA","transcript":"hi"}}`, text(0, "t"), ""},
		{"thinking that stands first", "openai-chat", `{"reasoning_content":"hm", "role":"assistant","content":"so"}`, drop(0), `{"role":"assistant","content":"so"}`},
		{"in the middle", "openai-chat", `{"role":"assistant", "reasoning":"hm", "content":"so"}`, drop(0), `{"role":"assistant", "content":"so"}`},
		{"last", "openai-chat", `{"role":"assistant","content":"so" , "reasoning_content" : "hm" }`, drop(0), `{"role":"assistant","content":"so" }`},
		{"thinking alone", "openai-chat", `{"role":"assistant","content":"","reasoning_content":"hm"}`, drop(0), ""},

		{"a block's result", "anthropic-messages", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"long","cache_control":{}}, {"type":"text","text":"go on"}]}`, text(0, "t"), `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"t","cache_control":{}}, {"type":"text","text":"go on"}]}`},
		{"with a picture in it", "anthropic-messages", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"url","url":"u"}}]}]}`, text(0, "t"), `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"t"}]}`},
		{"or the picture alone", "anthropic-messages", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"url","url":"u"}}]}]}`, text(1, "t"), `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"text","text":"t"}]}]}`},
		{"both: the output as a whole", "anthropic-messages", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"url","url":"u"}}]}]}`, edits{{Part: 0, Text: "t"}, {Part: 1, Text: "p"}}, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"t"}]}`},
		{"without content", "anthropic-messages", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}`, text(0, "t"), ""},
		{"that names tools", "anthropic-messages", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_reference","tool_name":"x"}]}]}`, text(0, "t"), ""},
		{"of a server tool", "anthropic-messages", `{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"a","content":[{"type":"web_search_result","url":"u"}]}]}`, text(0, "t"), ""},
		{"an error of one", "anthropic-messages", `{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"a","content":{"type":"web_search_tool_result_error","error_code":"x"}}]}`, text(0, "t"), ""},
		{"what it was asked", "anthropic-messages", `{"role":"assistant","content":[{"type":"server_tool_use","id":"a","name":"web_search","input":{"query":"q"}}]}`, text(0, `{"c":"1"}`), ""},
		{"an input that is an object", "anthropic-messages", `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"p": 1} , "x":2}]}`, text(0, `{"c":"1"}`), `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"c":"1"} , "x":2}]}`},
		{"signed thinking as a block", "anthropic-messages", `{"role":"assistant","content":[ {"type":"thinking","thinking":"a","signature":"s"}, {"type":"redacted_thinking","data":"AA"},{"type":"text","text":"so"} ]}`, edits{{Part: 0, Drop: true}, {Part: 1, Drop: true}}, `{"role":"assistant","content":[ {"type":"text","text":"so"} ]}`},
		{"between others", "anthropic-messages", `{"role":"assistant","content":[{"type":"text","text":"a"}, {"type":"thinking","thinking":"a","signature":"s"} , {"type":"text","text":"b"}]}`, drop(1), `{"role":"assistant","content":[{"type":"text","text":"a"} , {"type":"text","text":"b"}]}`},
		{"all of it", "anthropic-messages", `{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"s"}]}`, drop(0), ""},

		{"an output", "openai-responses", `{"type":"function_call_output","call_id":"a","output":"long","status":"completed"}`, text(0, "t"), `{"type":"function_call_output","call_id":"a","output":"t","status":"completed"}`},
		{"a list", "openai-responses", `{"type":"custom_tool_call_output","call_id":"a","output":[{"type":"input_text","text":"x"},{"type":"input_image","image_url":"u"}]}`, text(0, "t"), `{"type":"custom_tool_call_output","call_id":"a","output":"t"}`},
		{"a picture in it", "openai-responses", `{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"x"},{"type":"input_image","image_url":"u"}]}`, text(1, "t"), `{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"x"},{"type":"input_text","text":"t"}]}`},
		{"of a shell of the provider's", "openai-responses", `{"type":"local_shell_call_output","call_id":"a","output":"long"}`, text(0, "t"), `{"type":"local_shell_call_output","call_id":"a","output":"t"}`},
		{"a list of the provider's", "openai-responses", `{"type":"shell_call_output","call_id":"a","output":[{"stdout":"x"}]}`, text(0, "t"), ""},
		{"a screenshot", "openai-responses", `{"type":"computer_call_output","call_id":"a","output":{"type":"computer_screenshot","image_url":"u"}}`, text(0, "t"), ""},
		{"the picture of it", "openai-responses", `{"type":"computer_call_output","call_id":"a","output":{"type":"computer_screenshot","image_url":"u"}}`, text(1, "t"), ""},
		{"an approval", "openai-responses", `{"type":"mcp_approval_response","approval_request_id":"a","approve":true}`, text(0, "t"), ""},
		{"an input", "openai-responses", `{"type":"function_call","call_id":"a","name":"f","arguments":"{\"p\":1}"}`, text(0, `{"c":"1"}`), `{"type":"function_call","call_id":"a","name":"f","arguments":"{\"c\":\"1\"}"}`},
		{"of a custom tool", "openai-responses", `{"type":"custom_tool_call","call_id":"a","name":"f","input":"*** raw"}`, text(0, `{"c":"1"}`), `{"type":"custom_tool_call","call_id":"a","name":"f","input":"{\"c\":\"1\"}"}`},
		{"an action", "openai-responses", `{"type":"local_shell_call","call_id":"a","action":{"type":"exec","command":["ls"]}}`, text(0, `{"c":"1"}`), ""},
		{"a picture that was made", "openai-responses", `{"type":"image_generation_call","id":"ig","result":"AAAA"}`, text(1, "t"), ""},
		{"a picture of the user's", "openai-responses", `{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}`, text(0, "t"), `{"role":"user","content":[{"type":"input_text","text":"t"}]}`},
	} {
		d := mustDecode(t, "["+c.item+"]", Options{Format: c.format})
		out, ok := d.Writer.WithParts(&d.Items[0], c.edits)
		switch {
		case ok != (c.want != ""):
			t.Errorf("%s, %s: made %v: %s", c.format, c.name, ok, out.Raw)
		case ok && string(out.Raw) != c.want:
			t.Errorf("%s, %s:\n%s\nwant\n%s", c.format, c.name, out.Raw, c.want)
		case string(d.Items[0].Raw) != c.item:
			t.Errorf("%s, %s: the item was changed to %s", c.format, c.name, d.Items[0].Raw)
		}
	}
}

// Many parts of one item are changed in one walk: 20,000 edits take no longer
// than some milliseconds, and every one lands in its place.
func TestWithPartsMany(t *testing.T) {
	const n = 20_000
	var blocks strings.Builder
	for i := range n {
		if i > 0 {
			blocks.WriteByte(',')
		}
		blocks.WriteString(`{"type":"tool_result","tool_use_id":"a","content":"long"},{"type":"thinking","thinking":"a"}`)
	}
	d := mustDecode(t, `[{"role":"user","content":[`+blocks.String()+`]}]`, Options{Format: "anthropic-messages"})
	edits := make([]transcript.Edit, 0, 2*n)
	for i := range 2 * n {
		edits = append(edits, transcript.Edit{Part: i, Text: "t", Drop: i%2 == 1})
	}
	out, ok := d.Writer.WithParts(&d.Items[0], edits)
	if !ok || !json.Valid(out.Raw) || len(out.Parts) != n {
		t.Fatalf("made %v, %d parts", ok, len(out.Parts))
	}
	for i, p := range out.Parts {
		if p.Text != "t" || p.Kind != transcript.Result {
			t.Fatalf("part %d: %+v", i, p)
		}
	}
}
