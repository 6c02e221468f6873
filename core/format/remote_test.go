package format

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// compactRequest is a Responses request with all that may bend an answer.
const compactRequest = `{"model":"gpt-5","instructions":"Be  brief.","stream":true,"store":false,"tool_choice":"required","max_output_tokens":9,
 "previous_response_id":"resp_1","parallel_tool_calls":false,"include":["reasoning.encrypted_content"],"reasoning":{"effort": "high"},
 "service_tier":null,"prompt_cache_key":"k","text":{"verbosity":"low","format":{"type":"json_object"}},"metadata":{"a":"b"},
 "tools":[{"type":"function", "name":"f"}],
 "input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},
  {"type":"compaction","encrypted_content":"OLD","extra": 1},
  {"type":"function_call","name":"f","arguments":"{}","call_id":"c"},
  {"type":"compaction_trigger"}]}`

func members(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return m
}

// The two requests to compact, as codex.md 6.2 and 6.3 have them: the items, an
// output for the call that has none, and the trigger of this request alone. Of the
// request that the history came in only what bears on what the provider reads.
func TestCompactorBody(t *testing.T) {
	d := mustDecode(t, compactRequest, Options{Format: "openai-responses"})
	all := []int{0, 1, 2, 3}
	for _, c := range []struct {
		ask  Compactor
		path string
		want []string
		last string
	}{
		{TriggerItem, "", []string{"include", "input", "instructions", "model", "parallel_tool_calls", "prompt_cache_key", "reasoning", "store", "text", "tools"}, "compaction_trigger"},
		{CompactEndpoint, "responses/compact", []string{"input", "instructions", "model", "parallel_tool_calls", "prompt_cache_key", "reasoning", "text", "tools"}, "function_call_output"},
	} {
		body, err := d.Body(BodyRequest{Items: all, Model: "gpt-5-mini", Prompt: "Sum up.", MaxTokens: 5, SendTools: "never", Compactor: c.ask})
		if err != nil {
			t.Fatal(err)
		}
		m := members(t, body)
		var names []string
		for name := range m {
			names = append(names, name)
		}
		if slices.Sort(names); !slices.Equal(names, c.want) {
			t.Errorf("%q: members %q, want %q", c.path, names, c.want)
		}
		for _, part := range []string{
			`"instructions":"Be  brief."`, `"tools":[{"type":"function", "name":"f"}]`, `"parallel_tool_calls":false`, `"reasoning":{"effort": "high"}`,
			`"text":{"verbosity":"low"}`, `{"type":"compaction","encrypted_content":"OLD","extra": 1}`, `"model":"gpt-5-mini"`,
		} {
			if !strings.Contains(string(body), part) {
				t.Errorf("%q: %s is not in %s", c.path, part, body)
			}
		}
		if strings.Contains(string(body), "Sum up.") || strings.Count(string(body), "compaction_trigger") != strings.Count(c.last, "compaction_trigger") {
			t.Errorf("%q: %s", c.path, body)
		}
		input, _ := m["input"].([]any)
		if last, _ := input[len(input)-1].(map[string]any); last["type"] != c.last || c.ask.Path() != c.path {
			t.Errorf("%q: the last item is %v, the path %q", c.path, last, c.ask.Path())
		}
	}
	// A request for a text has no trigger either: it would be compacted instead.
	if body, err := d.Body(BodyRequest{Items: all, Prompt: "Sum up."}); err != nil || strings.Contains(string(body), "compaction_trigger") {
		t.Errorf("%s, %v", body, err)
	}
}

// A bare list knows no tools and no instructions; those of a rollout stand in it.
func TestCompactorBodyOfOtherShapes(t *testing.T) {
	list := mustDecode(t, `[{"type":"message","role":"user","content":"go"}]`, Options{Format: "openai-responses"})
	rollout := mustDecode(t, `{"type":"session_meta","payload":{"id":"s","base_instructions":{"text":"Be brief."}}}`+"\n"+
		`{"type":"response_item","payload":{"type":"message","role":"user","content":"go"}}`+"\n", Options{Format: "codex-rollout"})
	for _, c := range []struct {
		d    *Document
		want string
	}{
		{list, `{"input":[{"type":"message","role":"user","content":"go"},{"type":"compaction_trigger"}]}`},
		{rollout, `{"instructions":"Be brief.","input":[{"type":"message","role":"user","content":"go"},{"type":"compaction_trigger"}]}`},
	} {
		if body, err := c.d.Body(BodyRequest{Items: []int{0}, Compactor: TriggerItem}); err != nil || string(body) != c.want {
			t.Errorf("%s: %s, %v", c.d.Format, body, err)
		}
	}
	chat := mustDecode(t, `[{"role":"user","content":"go"}]`, Options{Format: "openai-chat"})
	if body, err := chat.Body(BodyRequest{Items: []int{0}, Compactor: TriggerItem}); err == nil {
		t.Errorf("openai-chat: %s", body)
	}
}

// The formats that are named are those whose histories can hold a sealed item.
func TestCompactors(t *testing.T) {
	if got := Compactors(); !reflect.DeepEqual(got, []string{"openai-responses", "codex-rollout"}) {
		t.Errorf("%q", got)
	}
	for _, name := range Compactors() {
		src := `[{"type":"message","role":"user","content":"go"}]`
		if name == "codex-rollout" {
			src = `{"type":"response_item","payload":{"type":"message","role":"user","content":"go"}}`
		}
		d := mustDecode(t, src, Options{Format: name})
		s, ok := d.Writer.(transcript.Sealer)
		if !ok {
			t.Errorf("%s has no such writer", name)
			continue
		}
		it := s.Sealed("a \"b\"\n")
		if string(it.Raw) != `{"type":"compaction","encrypted_content":"a \"b\"\n"}` || !it.Summary || it.Parts[0].Text != "a \"b\"\n" || it.Parts[0].Kind != transcript.Opaque {
			t.Errorf("%s: %s, %+v", name, it.Raw, it)
		}
	}
}

// Items of an answer keep their bytes; what is no item has a place.
func TestGiven(t *testing.T) {
	w := itemsWriter{responsesWriter()}
	items, bad := w.Given([]byte(` [ {"type":"compaction", "encrypted_content":"E"} , {"role":"user","content":"a"},{"type":"context_compaction"} ]`))
	if bad != nil || len(items) != 3 || string(items[0].Raw) != `{"type":"compaction", "encrypted_content":"E"}` || !items[0].Summary || items[1].Role != transcript.User || !items[2].Summary {
		t.Errorf("%+v, %v", items, bad)
	}
	for _, c := range []struct{ list, path string }{
		{`{`, ""},
		{`{"a":1}`, ""},
		{`null`, ""},
		{`[1]`, "[0]"},
		{`[{"type":"compaction","encrypted_content":"E"},{"type":"message","role":7}]`, "[1].role"},
		{`[{"type":"compaction_summary"}]`, "[0].encrypted_content"},
		{`[{"type":"compaction","encrypted_content":null}]`, "[0].encrypted_content"},
	} {
		if _, bad := w.Given([]byte(c.list)); bad == nil || bad.Code != "invalid_request" || bad.Path != c.path {
			t.Errorf("%s: %v", c.list, bad)
		}
	}
	if _, bad := w.Given([]byte("[" + strings.Repeat("{},", MaxItems) + "{}]")); bad == nil {
		t.Error("a list above the limit is read")
	}
}

// Hooks speak for a person where nothing else stands in the message.
func TestHook(t *testing.T) {
	const hook, skill = `<hook_prompt hook_run_id=\"r\">go on</hook_prompt>`, `<skill>x</skill>`
	for _, c := range []struct {
		parts []string
		hook  bool
	}{
		{[]string{hook}, true},
		{[]string{hook, skill}, true},
		{[]string{" " + hook + "\\n"}, true},
		{[]string{skill}, false},
		{[]string{hook, "and this"}, false},
		{[]string{"and this"}, false},
	} {
		var parts []string
		for _, p := range c.parts {
			parts = append(parts, `{"type":"input_text","text":"`+p+`"}`)
		}
		d := mustDecode(t, `[{"type":"message","role":"user","content":[`+strings.Join(parts, ",")+`]}]`, Options{Format: "openai-responses"})
		if it := &d.Items[0]; it.Hook != c.hook || it.Hook && !it.Fragment {
			t.Errorf("%q: hook %v, fragment %v", c.parts, it.Hook, it.Fragment)
		}
	}
	image := mustDecode(t, `[{"type":"message","role":"user","content":[{"type":"input_text","text":"`+hook+`"},{"type":"input_image","image_url":"https://x"}]}]`, Options{Format: "openai-responses"})
	if image.Items[0].Hook {
		t.Error("a message with a picture is a hook's")
	}
}
