package format

import (
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

const stub = `(This call was not answered: no result of it is known.)`

// The bodies are compared as bytes: what is shown has its own.
func TestBody(t *testing.T) {
	all := func(n int) []int {
		items := make([]int, n)
		for i := range items {
			items[i] = i
		}
		return items
	}
	for _, c := range []struct {
		name, src string
		r         BodyRequest
		want      string
	}{
		{
			"chat: text, no model, no limit", chatPretty,
			BodyRequest{Items: []int{1}},
			`{"messages":[{
    "role": "assistant",
    "content": "hi",
    "x": 1.50e0
  },{"role":"user","content":"P"}]}`,
		},
		{
			"chat: results stand behind their message, what is missing is made up, orphans, exit and what is empty go", chatOdd,
			BodyRequest{Items: all(7), Model: "m", MaxTokens: 9},
			`{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}},{"id":"call_1_1","function":{"name":"f"}},{}]},` +
				`{"role":"tool","tool_call_id":"a","content":""},{"role":"tool","tool_call_id":"call_1_1","content":"` + stub + `"},{"role":"tool","tool_call_id":"","content":"` + stub + `"},` +
				`{"content":"\ud800","role":"user"},{"role":"user","content":"P"}],"max_completion_tokens":9}`,
		},
		{
			"chat: legacy calls", `[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"user","content":"u"}]`,
			BodyRequest{Items: all(2)},
			`{"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"` + stub + `"},{"role":"user","content":"u"},{"role":"user","content":"P"}]}`,
		},
		{
			"chat: what a harness keeps beside a message", `[{"role":"user","content":"u","extra":{"a":1},"name":"n"},{"extra":1,"role":"assistant","content":"a","provider_specific_fields":null}]`,
			BodyRequest{Items: all(2)},
			`{"messages":[{"role":"user","content":"u","name":"n"},{"role":"assistant","content":"a"},{"role":"user","content":"P"}]}`,
		},
		{
			"chat: its tools", `{"messages":[{"role":"user","content":"u"}],"tools":[{"function":{"name":"f"}}]}`,
			BodyRequest{Items: all(1), SendTools: "always"},
			`{"messages":[{"role":"user","content":"u"},{"role":"user","content":"P"}],"tools":[{"function":{"name":"f"}}],"tool_choice":"none"}`,
		},
		{
			"responses: instructions and store are carried over", `{"input":[{"role":"user","content":"u"}],"instructions":"I\u0041","store":false,"tools":[{"type":"function"}]}`,
			BodyRequest{Items: all(1), Model: "m", MaxTokens: 7, SendTools: "auto"},
			`{"model":"m","instructions":"I\u0041","input":[{"role":"user","content":"u"},{"type":"message","role":"user","content":[{"type":"input_text","text":"P"}]}],"max_output_tokens":7,"store":false}`,
		},
		{
			"responses: stubs stand behind their call, orphans and lone reasoning go", `[{"type":"reasoning","id":"r1"},{"type":"function_call","call_id":"a"},{"type":"custom_tool_call","call_id":"b"},{"type":"function_call_output","call_id":"lost","output":"x"},` +
				`{"type":"function_call_output","output":"alone"},{"type":"reasoning","id":"r2"},{"role":"user","content":"u"},{"type":"tool_search_call","call_id":"c"},{"type":"apply_patch_call","call_id":"d"},{"type":"computer_call","call_id":"e"},{"type":"reasoning","id":"r3"}]`,
			BodyRequest{Items: all(11)},
			`{"input":[{"type":"reasoning","id":"r1"},{"type":"function_call","call_id":"a"},{"type":"function_call_output","call_id":"a","output":"` + stub + `"},` +
				`{"type":"custom_tool_call","call_id":"b"},{"type":"custom_tool_call_output","call_id":"b","output":"` + stub + `"},{"type":"function_call_output","output":"alone"},{"role":"user","content":"u"},` +
				`{"type":"tool_search_call","call_id":"c"},{"type":"tool_search_output","call_id":"c","status":"completed","execution":"client","tools":[]},` +
				`{"type":"apply_patch_call","call_id":"d"},{"type":"apply_patch_call_output","call_id":"d","status":"failed","output":"` + stub + `"},{"type":"message","role":"user","content":[{"type":"input_text","text":"P"}]}]}`,
		},
		{
			"responses: reasoning whose call is not shown", responsesTools,
			BodyRequest{Items: []int{1, 2, 4, 6}, SendTools: "always"},
			`{"instructions":"Be brief.","input":[{"role":"user","content":"Look."},{"type":"function_call","name":"look","arguments":"{\"x\":2}","call_id":"c2"},` +
				`{"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"two"},{"type":"input_image","image_url":"data:image/png;base64,QUJDRA=="}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"P"}]}],"store":false}`,
		},
		{
			"rollout: a responses body with the base instructions", rolloutPlain,
			BodyRequest{Items: []int{0, 1}},
			`{"instructions":"Base.","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]},{"type":"function_call","name":"sh","arguments":"{}","call_id":"c1"},` +
				`{"type":"function_call_output","call_id":"c1","output":"` + stub + `"},{"type":"message","role":"user","content":[{"type":"input_text","text":"P"}]}]}`,
		},
		{
			"anthropic: blank texts and unsigned thinking go", `[{"role":"user","content":[{"type":"text","text":" "},{"type":"text","text":"u"}]},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"h"},{"type":"text","text":"a"}]},{"role":"user","content":"\n"}]`,
			BodyRequest{Items: all(3)},
			`{"max_tokens":2000,"messages":[{"role":"user","content":[{"type":"text","text":"u"}]},{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":"P"}]}`,
		},
		{
			"anthropic: system and tools are carried over, an open call is answered before the prompt", `{"anthropic_version":"v","system":[{"type":"text","text":"S"}],"tools":[{"name":"f"}],"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]}`,
			BodyRequest{Items: all(2), Model: "m"},
			`{"anthropic_version":"v","model":"m","max_tokens":2000,"system":[{"type":"text","text":"S"}],"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"` + stub + `"},{"type":"text","text":"P"}]}],"tools":[{"name":"f"}],"tool_choice":{"type":"none"}}`,
		},
		{
			"anthropic: the assistant does not open, results without their call go, tools are made up", `[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"g","input":{}}],"x":1},` +
				`{"role":"user","content":[{"type":"text","text":"t"},{"type":"tool_result","tool_use_id":"b","content":"r"},{"type":"tool_result","tool_use_id":"lost"}]},{"role":"assistant","content":""},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b"}]}]`,
			BodyRequest{Items: []int{1, 2, 3, 4}, MaxTokens: 5},
			`{"max_tokens":5,"messages":[{"role":"user","content":"(The beginning of this conversation is not shown.)"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"g","input":{}}],"x":1},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"r"},{"type":"tool_result","tool_use_id":"a","content":"` + stub + `"},{"type":"text","text":"t"}]},{"role":"user","content":"P"}],` +
				`"tools":[{"name":"f","input_schema":{"type":"object"}},{"name":"g","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"}}`,
		},
		{
			"anthropic: results behind another message's text come first", `[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":"wait"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}]`,
			BodyRequest{Items: all(4), SendTools: "never"},
			`{"max_tokens":2000,"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"text","text":"wait"}]},{"role":"user","content":"P"}]}`,
		},
		{
			"anthropic: half of a server tool goes, a system message in the middle is shown", `[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"server_tool_use","id":"s","name":"web_search","input":{}}]},{"role":"system","content":"now"}]`,
			BodyRequest{Items: all(3)},
			`{"max_tokens":2000,"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"t"}]},{"role":"user","content":[{"type":"text","text":"now"}]},{"role":"user","content":"P"}]}`,
		},
		{
			"anthropic: no tool blocks, no tools", `{"tools":[{"name":"f","input_schema":{}}],"messages":[{"role":"user","content":"u"}]}`,
			BodyRequest{Items: all(1), SendTools: "auto"},
			`{"max_tokens":2000,"messages":[{"role":"user","content":"u"},{"role":"user","content":"P"}]}`,
		},
		{
			"anthropic: tools all the same", `{"tools":[{"name":"f","input_schema":{}}],"messages":[{"role":"user","content":"u"}]}`,
			BodyRequest{Items: all(1), SendTools: "always"},
			`{"max_tokens":2000,"messages":[{"role":"user","content":"u"},{"role":"user","content":"P"}],"tools":[{"name":"f","input_schema":{}}],"tool_choice":{"type":"none"}}`,
		},
		{"nothing but the prompt", `[]`, BodyRequest{}, `{"messages":[{"role":"user","content":"P"}]}`},
	} {
		c.r.Prompt = "P"
		got, err := mustDecode(t, c.src, Options{}).Body(c.r)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// What GET /v1/formats tells: every rule that is enforced has its sentence, and
// no other one.
func TestAll(t *testing.T) {
	all := All()
	var got []string
	for i, f := range registry() {
		info := all[i]
		got = append(got, info.Name+" "+info.Write)
		if info.Title == "" || info.Provider != f.rules.Provider && f.rules.Provider != "any" || len(info.Shapes) == 0 {
			t.Errorf("%+v", info)
		}
		listed := map[string]bool{}
		for _, rule := range info.Rules {
			if !f.rules.On(rule.Code) || listed[rule.Code] || !strings.HasSuffix(rule.Text, ".") || rule.Source == "" {
				t.Errorf("%s: rule %+v", info.Name, rule)
			}
			listed[rule.Code] = true
		}
		for _, code := range transcript.Codes() {
			if f.rules.On(code) != listed[code] {
				t.Errorf("%s: %s is checked or listed, not both", info.Name, code)
			}
		}
		found := false
		for _, n := range names() {
			found = found || n == info.Name
		}
		if !found {
			t.Errorf("%s is not a name of the wire", info.Name)
		}
	}
	// Logs are appended to, all else is edited in place.
	var want []string
	for _, n := range names() {
		if find(n) == nil {
			continue
		}
		switch n {
		case "codex-rollout", "claude-code", "gemini-cli", "pi":
			n += " append"
		default:
			n += " edit"
		}
		want = append(want, n)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(names()) != 22 {
		t.Errorf("%d names", len(names()))
	}
}
