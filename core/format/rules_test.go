package format

import (
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// sound are conversations that their provider takes, as a whole and with all that
// its rules are about: parallel calls, reasoning, a developer in the middle.
func sound() map[string]string {
	return map[string]string{
		"openai-chat": `[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"user","content":""},
			{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"b","content":"r"},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"developer","content":"d"},
			{"role":"assistant","content":null,"refusal":"no"},{"role":"assistant","content":"a"}]`,
		"openai-responses": `[{"role":"developer","content":"d"},{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"u"}]},
			{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"},{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"},
			{"type":"function_call","call_id":"b","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"b","output":"r"},{"role":"user","content":"u"},
			{"type":"reasoning","summary":[],"encrypted_content":"F"},{"type":"function_call_output","call_id":"a","output":"r"},{"role":"assistant","content":"a"},{"type":"web_search_call","id":"ws_1","status":"completed"},{"role":"user","content":"u"},
			{"type":"item_reference","id":"rs_2"},{"type":"item_reference","id":"sh_1"},{"type":"shell_call_output","call_id":"c","output":[]},{"type":"item_reference","id":"msg_2"}]`,
		"anthropic-messages": `{"model":"m","max_tokens":9,"thinking":{"type":"enabled","budget_tokens":5},"messages":[{"role":"user","content":"u"},{"role":"user","content":"u"},
			{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}]},{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"s1","content":[]},{"type":"text","text":"t"}]},{"role":"user","content":"u"},
			{"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"t"},{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"r"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"},{"type":"text","text":"t"}]}]}`,
		"bedrock-converse": `{"modelId":"m","toolConfig":{"tools":[{"toolSpec":{"name":"f"}}]},"messages":[{"role":"user","content":[{"text":"u"}]},
			{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"h","signature":"s"}}},{"toolUse":{"toolUseId":"a","name":"f","input":{}}},{"toolUse":{"toolUseId":"b","name":"f","input":{}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"b","content":[{"text":"r"}]}},{"toolResult":{"toolUseId":"a","content":[]}},{"text":"t"}]},{"role":"assistant","content":[{"text":"a"}]}]}`,
		"gemini-contents": `[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]},{"role":"model","parts":[{"text":"a"}]},
			{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"},{"functionCall":{"name":"g","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"g","response":{}}},{"functionResponse":{"name":"f","response":{}}}]},{"role":"user","parts":[{"text":"and"}]},{"role":"model","parts":[{"text":"a"}]}]`,
		"ai-sdk-model": `[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]},
			{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"r"}}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]},
			{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"r"}}]},{"role":"assistant","content":"a"}]`,
	}
}

// broken are conversations that break one rule and no other. For a code with
// several ways to break it each is a row.
func broken() []struct{ format, code, src string } {
	type row = struct{ format, code, src string }
	const (
		chat, responses, anthropic, bedrock, gemini, sdk = "openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse", "gemini-contents", "ai-sdk-model"

		u    = `{"role":"user","content":"u"}`
		call = `{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f"}}]}`
		use  = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
		gave = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}`

		search = `{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}}`
		found  = `{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`

		bu    = `{"role":"user","content":[{"text":"u"}]}`
		ba    = `{"role":"assistant","content":[{"text":"a"}]}`
		buse  = `{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}`
		bgave = `{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}}]}`

		gu    = `{"role":"user","parts":[{"text":"u"}]}`
		ga    = `{"role":"model","parts":[{"text":"a"}]}`
		guse  = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`
		gsign = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"}]}`
		ggave = `{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}`
	)
	return []row{
		{chat, "known_roles", `[` + u + `,{"role":"critic","content":"c"}]`},
		{chat, "results_follow", `[` + u + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"a","content":"r"},` + u + `,{"role":"tool","tool_call_id":"b","content":"r"}]`},
		{chat, "calls_answered", `[` + u + `,` + call + `,` + u + `]`},
		{chat, "results_called", `[` + u + `,{"role":"tool","tool_call_id":"a","content":"r"}]`},
		{chat, "results_called", `[` + u + `,` + call + `,{"role":"tool","tool_call_id":"a","content":"r"},{"role":"tool","tool_call_id":"a","content":"r"}]`},
		{chat, "results_called", `[` + u + `,{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"a","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"tool","tool_call_id":"a","content":"r"}]`},
		{chat, "ids_present", `[` + u + `,{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]},{"role":"tool","content":"r"}]`},
		{chat, "not_null", `[{"role":"user","content":null}]`},
		{chat, "not_null", `[{"role":"user","content":[]}]`},
		{chat, "not_null", `[` + u + `,{"role":"assistant","content":null}]`},
		{chat, "not_null", `[` + u + `,{"role":"assistant","content":null,"reasoning_content":"h"}]`},
		{chat, "not_null", `[` + u + `,` + call + `,{"role":"tool","tool_call_id":"a"}]`},

		{responses, "known_roles", `[{"type":"message","role":"critic","content":"c"}]`},
		{responses, "calls_answered", `[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"role":"user","content":"u"}]`},
		{responses, "results_called", `[{"type":"function_call_output","call_id":"a","output":"r"}]`},
		{responses, "calls_answered", `[{"role":"user","content":"u"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"message","role":"assistant","content":"a"}]`},
		{responses, "results_called", `[{"type":"item_reference","id":"fc_1"},{"role":"user","content":"u"},{"type":"function_call_output","call_id":"a","output":"r"}]`},
		{responses, "results_called", `[{"type":"item_reference","id":"fc_1"},{"type":"function_call_output","call_id":"a","output":"r"},{"type":"function_call_output","call_id":"b","output":"r"}]`},
		{responses, "reasoning_with_item", `[{"type":"reasoning","id":"rs_1","summary":[]},{"role":"user","content":"u"}]`},
		{responses, "reasoning_with_item", `[{"role":"user","content":"u"},{"type":"reasoning","id":"rs_1","summary":[]}]`},
		{responses, "unique_ids", `[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call","call_id":"a","name":"g","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"r"},{"type":"function_call_output","call_id":"a","output":"r"}]`},
		{responses, "unique_ids", `[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"r"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"r"}]`},
		{responses, "ids_present", `[{"type":"function_call_output","output":"r"}]`},
		{responses, "unique_item_ids", `[{"type":"message","id":"msg_1","role":"user","content":"u"},{"type":"message","id":"msg_1","role":"assistant","content":"a"}]`},

		{anthropic, "known_roles", `[` + u + `,{"role":"critic","content":"c"}]`},
		{anthropic, "first_role", `[{"role":"assistant","content":"a"},` + u + `]`},
		{anthropic, "calls_answered", `[` + u + `,` + use + `,` + u + `]`},
		{anthropic, "results_called", `[` + gave + `]`},
		{anthropic, "results_called", `[` + u + `,` + use + `,` + gave + `,` + gave + `]`},
		{anthropic, "results_in_user", `[` + u + `,` + use + `,{"role":"user","content":[{"type":"text","text":"t"},{"type":"tool_result","tool_use_id":"a"}]}]`},
		{anthropic, "results_in_user", `[` + u + `,` + use + `,` + u + `,` + gave + `]`},
		{anthropic, "results_in_user", `[` + u + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_result","tool_use_id":"a"}]},` + u + `]`},
		{anthropic, "results_in_user", `[` + u + `,` + use + `,{"role":"assistant","content":[{"type":"tool_result","tool_use_id":"a"}]},` + u + `]`},
		{anthropic, "results_in_user", `[` + u + `,{"role":"assistant","content":[` + search + `]},` + u + `,{"role":"assistant","content":[` + found + `]}]`},
		{anthropic, "results_called", `[` + u + `,{"role":"assistant","content":[` + found + `,{"type":"text","text":"t"}]},` + u + `]`},
		{anthropic, "calls_answered", `[` + u + `,{"role":"assistant","content":[` + search + `]},` + u + `]`},
		{anthropic, "not_empty", `[{"role":"user","content":""}]`},
		{anthropic, "text_not_blank", `[{"role":"user","content":[{"type":"text","text":" \n"}]}]`},
		{anthropic, "text_not_blank", `[{"role":"user","content":" "}]`},
		{anthropic, "thinking_first", `[` + u + `,{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"thinking","thinking":"h","signature":"s"},{"type":"text","text":"t"}]}]`},
		{anthropic, "thinking_first", `{"thinking":{"type":"enabled"},"max_tokens":9,"messages":[` + u + `,` + use + `,` + gave + `]}`},
		{anthropic, "thinking_signed", `[` + u + `,{"role":"assistant","content":[{"type":"thinking","thinking":"h"},{"type":"text","text":"t"}]}]`},
		{anthropic, "thinking_not_last", `[` + u + `,{"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"}]}]`},
		{anthropic, "ids_present", `[` + u + `,{"role":"assistant","content":[{"type":"tool_use","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","content":"r"}]}]`},
		{anthropic, "unique_ids", `[` + u + `,` + use + `,` + gave + `,` + use + `,` + gave + `]`},

		{bedrock, "known_roles", `[` + bu + `,{"role":"system","content":[{"text":"s"}]}]`},
		{bedrock, "first_role", `[` + ba + `,` + bu + `]`},
		{bedrock, "alternation", `[` + bu + `,` + bu + `]`},
		{bedrock, "alternation", `[` + bu + `,` + buse + `,` + bgave + `,` + bu + `]`},
		{bedrock, "calls_answered", `[` + bu + `,` + buse + `,` + bu + `]`},
		{bedrock, "results_called", `[` + bgave + `]`},
		{bedrock, "results_in_user", `[` + bu + `,` + buse + `,{"role":"user","content":[{"text":"t"},{"toolResult":{"toolUseId":"a","content":[]}}]}]`},
		{bedrock, "tools_declared", `{"modelId":"m","messages":[` + bu + `,` + buse + `,` + bgave + `]}`},
		{bedrock, "tools_declared", `{"toolConfig":{"tools":[]},"messages":[` + bu + `,` + buse + `,` + bgave + `]}`},
		{bedrock, "not_empty", `[{"role":"user","content":[]},` + ba + `]`},
		{bedrock, "not_empty", `[` + bu + `,{"role":"assistant","content":[]}]`},
		{bedrock, "text_not_blank", `[{"role":"user","content":[{"text":""}]}]`},
		{bedrock, "ids_present", `[` + bu + `,{"role":"assistant","content":[{"toolUse":{"name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"content":[]}}]}]`},
		{bedrock, "unique_ids", `[` + bu + `,` + buse + `,` + bgave + `,` + buse + `,` + bgave + `]`},

		{gemini, "known_roles", `[` + gu + `,{"role":"critic","parts":[{"text":"c"}]}]`},
		{gemini, "first_role", `[` + ga + `,` + gu + `]`},
		{gemini, "alternation", `[` + gu + `,` + gu + `]`},
		{gemini, "alternation", `[` + gu + `,` + ga + `,` + guse + `,` + ggave + `]`},
		{gemini, "calls_answered", `[` + gu + `,` + guse + `,` + gu + `]`},
		{gemini, "calls_answered", `[` + gu + `,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"f","args":{}}}]},` + ggave + `,` + ga + `]`},
		{gemini, "results_called", `[` + gu + `,` + ga + `,` + ggave + `]`},
		{gemini, "results_in_user", `[` + gu + `,` + guse + `,{"role":"user","parts":[{"text":"t"},{"functionResponse":{"name":"f","response":{}}}]}]`},
		{gemini, "signatures", `[` + gu + `,` + gsign + `,` + ggave + `,` + guse + `,` + ggave + `]`},
		{gemini, "not_empty", `[{"role":"user","parts":[]},` + ga + `]`},
		{gemini, "not_empty", `[` + gu + `,{"role":"model","parts":[]}]`},
		{gemini, "unique_ids", `[` + gu + `,{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}},{"functionCall":{"id":"a","name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{}}},{"functionResponse":{"id":"a","name":"f","response":{}}}]}]`},

		{sdk, "known_roles", `[{"role":"critic","content":"c"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}]`},
		{sdk, "calls_answered", `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]},{"role":"user","content":"u"}]`},
		{sdk, "results_called", `[{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"r"}}]}]`},
		{sdk, "unique_ids", `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"g","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"r"}},{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"r"}}]}]`},
		{sdk, "ids_present", `[{"role":"assistant","content":[{"type":"tool-call","toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolName":"f","output":{"type":"text","value":"r"}}]}]`},
	}
}

// Every rule that a format lists is broken by a row for its provider, which then
// has that defect and no other; and what is sound has none.
func TestRules(t *testing.T) {
	defects := func(name, src string) []transcript.Defect {
		t.Helper()
		d, err := Decode([]byte(src), Options{Format: name})
		if err != nil {
			t.Fatalf("%s: %v in %s", name, err, src)
		}
		return transcript.Validate(d.Transcript, transcript.Pair(d.Transcript))
	}
	seen := map[string]bool{} // provider and code
	for _, row := range broken() {
		found := defects(row.format, row.src)
		if len(found) == 0 {
			t.Errorf("%s: %s is not found in %s", row.format, row.code, row.src)
		}
		for _, d := range found {
			if d.Code != row.code || d.Path == "" || d.Message == "" {
				t.Errorf("%s: %+v, want only %s in %s", row.format, d, row.code, row.src)
			}
		}
		seen[find(row.format).rules.Provider+" "+row.code] = true
	}
	compacted := `[{"role":"assistant","content":[{"type":"compaction","content":"s"},{"type":"text","text":"t"}]},{"role":"user","content":"u"}]`
	if found := defects("anthropic-messages", compacted); len(found) > 0 {
		t.Errorf("%+v in %s", found, compacted)
	}
	for name, src := range sound() {
		if found := defects(name, src); len(found) > 0 {
			t.Errorf("%s: %+v in %s", name, found, src)
		}
	}
	for _, f := range registry() {
		for _, rule := range f.rules.Listed {
			if !seen[f.rules.Provider+" "+rule.Code] {
				t.Errorf("%s: nothing breaks %s of %s", f.Name, rule.Code, f.rules.Provider)
			}
		}
	}
}

// A list that stands alone, or beside other things than a request has, says
// nothing of the tools that it was sent with.
func TestToolsDeclared(t *testing.T) {
	const tools = `[{"role":"user","content":[{"text":"u"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[]}}]}]`
	for src, want := range map[string]bool{
		tools:                               false,
		`{"id":7,"messages":` + tools + `}`: false,
		`{"inferenceConfig":{},"messages":` + tools + `}`:                                     true,
		`{"modelId":"m","toolConfig":{"tools":[{"toolSpec":{}}]},"messages":` + tools + `}`:   false,
		`{"modelId":"m","messages":[{"role":"user","content":[{"text":"no tool in here"}]}]}`: true,
	} {
		d, err := Decode([]byte(src), Options{Format: "bedrock-converse"})
		if err != nil {
			t.Fatal(err)
		}
		if d.NoTools != want {
			t.Errorf("%s: no tools is %v", src, d.NoTools)
		}
	}
}

// A message of ours that is joined to one that came in takes its fields, not the
// other way round: what nobody asked to change stays. The parts come in order.
func TestJoinedLends(t *testing.T) {
	for _, c := range []struct{ format, src, want string }{
		{"openai-chat", `[{"x":1,"role":"user","content":"u","name":"n"},{"role":"assistant","content":"a"}]`, `{"x":1,"role":"user","content":[{"type":"text","text":"new"},{"type":"text","text":"u"}],"name":"n"}`},
		{"anthropic-messages", `[{"role":"user","content":[{"type":"text","text":"u","cache_control":{}}],"x":1}]`, `{"role":"user","content":[{"type":"text","text":"new"},{"type":"text","text":"u","cache_control":{}}],"x":1}`},
		{"bedrock-converse", `[{"content":[{"text":"u"},{"cachePoint":{"type":"default"}}],"role":"user","x":1}]`, `{"content":[{"text":"new"},{"text":"u"},{"cachePoint":{"type":"default"}}],"role":"user","x":1}`},
		{"gemini-contents", `[{"x":1,"parts":[{"text":"u"}],"role":"user"}]`, `{"x":1,"parts":[{"text":"new"},{"text":"u"}],"role":"user"}`},
	} {
		d := mustDecode(t, c.src, Options{Format: c.format})
		fresh := d.Writer.Message(transcript.User, "new")
		out, ok := d.Writer.Joined(&fresh, &d.Items[0])
		if !ok || string(out.Raw) != c.want || out.Path != d.Items[0].Path {
			t.Errorf("%s: %v %q\n%s\nwant\n%s", c.format, ok, out.Path, out.Raw, c.want)
		}
		// Behind it, ours lends nothing either.
		if out, ok := d.Writer.Joined(&d.Items[0], &fresh); !ok || len(out.Parts) != 2 || out.Parts[1].Text != "new" || out.Path != d.Items[0].Path {
			t.Errorf("%s: %v %s", c.format, ok, out.Raw)
		}
	}
}
