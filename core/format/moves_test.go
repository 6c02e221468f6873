package format

import (
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Results go with their own bytes, and everything else of the message stays: its
// fields, blocks that nobody knows, and the media within the results that go.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		name, format, src string
		item              int
		parts             []int
		results, rest     string
	}{
		{
			"anthropic", "anthropic-messages",
			`[{"x": 1, "role":"user","content":[ {"type":"text","text":"t"} , {"type":"tool_result", "tool_use_id":"a","content":[{"type":"image","source":{"type":"base64","data":"QQ=="}}]}, {"type":"new","v":1}, {"type":"tool_result","tool_use_id":"b"} ] }]`,
			0,
			[]int{1},
			`{"role":"user","content":[{"type":"tool_result", "tool_use_id":"a","content":[{"type":"image","source":{"type":"base64","data":"QQ=="}}]}]}`,
			`{"x": 1, "role":"user","content":[{"type":"text","text":"t"},{"type":"new","v":1},{"type":"tool_result","tool_use_id":"b"}] }`,
		},
		{
			"bedrock", "bedrock-converse",
			`[{"role":"user","content":[{"text":"t"},{"toolResult":{"toolUseId":"a","content":[]}},{"cachePoint":{}}],"x":1}]`,
			0,
			[]int{1},
			`{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[]}}]}`,
			`{"role":"user","content":[{"text":"t"},{"cachePoint":{}}],"x":1}`,
		},
		{
			"gemini, whose results have no ids", "gemini-contents",
			`[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"text":"t"},{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"name":"f","response":{"output":"2"}}}]}]`,
			1,
			[]int{2},
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"2"}}}]}`,
			`{"role":"user","parts":[{"text":"t"},{"functionResponse":{"name":"f","response":{"output":"1"}}}]}`,
		},
		{"a text is none", "anthropic-messages", `[{"role":"user","content":[{"type":"text","text":"t"}]}]`, 0, []int{0}, "", ""},
		{"nor is what stands in a message as a whole", "openai-chat", `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"a","content":"r"}]`, 1, []int{0}, "", ""},
	} {
		d := mustDecode(t, c.src, Options{Format: c.format})
		mover, ok := d.Writer.(transcript.Mover)
		if !ok {
			t.Fatalf("%s: moves nothing", c.name)
		}
		it := &d.Items[c.item]
		results, rest, ok := mover.Apart(it, c.parts)
		if ok != (c.results != "") || string(results.Raw) != c.results || string(rest.Raw) != c.rest {
			t.Errorf("%s: %v\n%s\n%s\nwant\n%s\n%s", c.name, ok, results.Raw, rest.Raw, c.results, c.rest)
		}
		if ok && (results.Parts[0].ID != it.Parts[c.parts[0]].ID || rest.Path != it.Path || results.Path != "") {
			t.Errorf("%s: the result is of %q, was of %q; places %q and %q", c.name, results.Parts[0].ID, it.Parts[c.parts[0]].ID, results.Path, rest.Path)
		}
	}
}

// An item's own id is its own where nothing else names it.
func TestRenamed(t *testing.T) {
	for _, c := range []struct{ src, id, want string }{
		{`{"type":"message", "id": "m" ,"role":"user","content":"m"}`, "n", `{"type":"message", "id": "n" ,"role":"user","content":"m"}`},
		{`{"id":"m", "type":"message","role":"user","content":"m"}`, "", `{"type":"message","role":"user","content":"m"}`},
		{`{"type":"mcp_approval_request","id":"m","name":"f","arguments":"{}"}`, "n", ""}, // a person answers it by that
		{`{"type":"item_reference","id":"m"}`, "n", ""},
		{`{"type":"message","role":"user","content":"m"}`, "n", ""},
		{`{"type":"mcp_call","id":"m","name":"f","arguments":"{}","output":"o"}`, "n", `{"type":"mcp_call","id":"n","name":"f","arguments":"{}","output":"o"}`},
	} {
		d := mustDecode(t, "["+c.src+"]", Options{Format: "openai-responses"})
		out, ok := d.Writer.(transcript.Mover).Renamed(&d.Items[0], c.id)
		if ok != (c.want != "") || ok && (string(out.Raw) != c.want || out.ID != c.id || out.Path != "[0]") {
			t.Errorf("%s: %v %s %q, want %s", c.src, ok, out.Raw, out.ID, c.want)
		}
	}
}
