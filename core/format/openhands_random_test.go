package format

import (
	"math/rand"
	"strings"
	"testing"
)

// Lists of elements of each harness, drawn at random with a fixed seed: what byte
// fuzzing seldom builds.

func harnessParts() map[string][]string {
	return map[string][]string{
		"swe-agent": {
			`{"role":"user","content":"u","agent":"a","message_type":"observation"}`, `{"role":"user","content":"","agent":"a","is_demo":true}`,
			`{"role":"assistant","content":"x ls","thought":"x","action":"ls","agent":"a","message_type":"action"}`,
			`{"role":"assistant","content":[{"type":"text","text":"p"},{"type":"text","text":"q"}],"action":"ls","agent":"a","thought":""}`,
			`{"role":"assistant","content":"","agent":"a","action":null,"tool_calls":[{"id":"ID","function":{"name":"f","arguments":"{}"}},{"id":"ID2","function":{"name":"g"}}],"thinking_blocks":[{"type":"thinking","thinking":"t"}]}`,
			`{"role":"tool","content":"r","agent":"a","tool_call_ids":["ID"]}`, `{"role":"tool","content":null,"agent":"a","tool_call_ids":["ID","ID2"]}`,
			`{"role":"system","content":"s","agent":"a","message_type":"system_prompt"}`, `{"action":"a","observation":"o","response":"r","state":{}}`,
			`{"action":"","observation":"o","response":"","thought":""}`, `{"action":"","observation":"o","response":"r"}`, `{"action":"a","observation":"","thought":"t"}`,
		},
		"mini-swe-agent": {
			`{"role":"user","content":"u","extra":{"raw_output":"","returncode":0}}`, `{"role":"exit","content":"x","extra":{"exit_status":"s"}}`,
			"{\"role\":\"assistant\",\"content\":\"a\\n```bash\\nls\\n```\",\"extra\":{\"actions\":[],\"cost\":1}}", `{"role":"assistant","content":null,"extra":{"actions":[]}}`,
			`{"role":"assistant","content":"","tool_calls":[{"id":"ID","function":{"name":"bash","arguments":"{}"}}]}`, `{"role":"tool","tool_call_id":"ID","content":"r"}`,
			`{"object":"response","output":[{"type":"function_call","call_id":"ID","name":"bash","arguments":"{}"},{"type":"reasoning","summary":[]}],"extra":{}}`,
			`{"type":"function_call_output","call_id":"ID","output":"r","extra":{}}`, `{"type":"message","role":"user","content":[{"type":"input_text","text":"t"}],"extra":{"interrupt_type":"FormatError"}}`,
		},
		"openhands": {
			`{"id":1,"source":"user","action":"message","args":{"content":"ID","image_urls":["data:image/png;base64,QQ=="]}}`, `{"id":2,"source":"agent","action":"message","args":{"content":""}}`,
			`{"id":3,"source":"agent","action":"run","args":{"command":"ls","thought":"t"}}`, `{"id":4,"source":"environment","observation":"run","content":"r","cause":3,"extras":{"exit_code":1}}`,
			`{"id":5,"source":"agent","action":"run","args":{},"tool_call_metadata":{"tool_call_id":"ID","function_name":"f","model_response":{"choices":[{"message":{"content":"c","tool_calls":[{"id":"ID","function":{"name":"f","arguments":"{}"}}]}}]}}}`,
			`{"id":6,"source":"agent","observation":"error","content":"r","cause":5}`, `{"source":"agent","observation":"run","content":"r","tool_call_metadata":{"tool_call_id":"ID"}}`,
			`{"source":"agent","action":"run","args":{"command":"x"}}`, `{"source":"agent","observation":"run","content":"r"}`, `{"id":7,"source":"user","action":"recall","args":{}}`,
			`{"id":8,"source":"agent","action":"condensation","args":{"forgotten_event_ids":[1,3],"summary":"s","summary_offset":1}}`, `{"id":9,"source":"agent","action":"finish","args":{"thought":"t"}}`,
			`{"id":10,"source":"user","action":"run","args":{"command":"ls"}}`, `{"id":11,"source":"agent","action":"system","args":{"content":"S"}}`,
		},
		"atif": {
			`{"step_id":1,"source":"user","message":"u"}`, `{"step_id":2,"source":"system","message":"","observation":{"results":[{"content":"o"}]}}`,
			`{"step_id":3,"source":"agent","message":"a","tool_calls":[{"tool_call_id":"ID","function_name":"f","arguments":{}},{"tool_call_id":"ID2","function_name":"g","arguments":{}}],"observation":{"results":[{"source_call_id":"ID2","content":"r"},{"content":[{"type":"text","text":"t"},{"type":"image","source":{"path":"p"}}]},{"content":"more"}]}}`,
			`{"message":"a","source":"agent","step_id":4,"reasoning_content":"t","metrics":{}}`, `{"step_id":5,"source":"agent","message":[{"type":"image","source":{"path":"p"}}],"observation":{"results":[{"source_call_id":"ID"}]}}`,
			`{"step_id":6,"source":"system","message":"c","observation":{"results":[{"content":"sum"}]},"extra":{"context_management":{"type":"compaction","boundary":"replace"}}}`,
		},
		"sharegpt": {
			`{"from":"human","value":"u"}`, `{"from":"gpt","value":"a"}`, `{"from":"gpt","value":"a<tool_call>{\"name\":\"f\"}</tool_call>"}`, `{"from":"system","value":""}`,
			`{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"}`, `{"from":"function_call","value":"[{\"name\":\"f\",\"arguments\":{}},{\"name\":\"g\",\"arguments\":\"x\"}]"}`,
			`{"from":"function_call","value":"no JSON"}`, `{"from":"observation","value":"r"}`, `{"from":"tool","value":null}`, `{"role":"user","content":[{"type":"text","value":"t"},{"type":"image_url","value":"data:image/png;base64,QQ=="}]}`,
			`{"role":"assistant","content":[{"type":"reasoning","value":"t"},{"type":"tool_calls","value":"[{\"name\":\"f\",\"arguments\":{}},{\"name\":\"f\",\"arguments\":{}}]"}]}`, `{"role":"tool","content":[{"type":"text","value":"r"}]}`,
		},
	}
}

func sdkParts() []string {
	return []string{
		`{"kind":"MessageEvent","id":"ID","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"t"}]}}`, `{"kind":"PauseEvent","id":"ID2","source":"user"}`,
		`{"kind":"ActionEvent","id":"ID","source":"agent","thought":[{"type":"text","text":"t"}],"reasoning_content":"h","tool_name":"f","tool_call_id":"ID2","tool_call":{"id":"ID2","name":"f","arguments":"{}"}}`,
		`{"kind":"ObservationEvent","id":"ID","source":"environment","tool_name":"f","tool_call_id":"ID2","observation":{"content":[{"type":"text","text":"r"},{"type":"image","image_urls":["data:image/png;base64,QQ=="]}],"is_error":true}}`,
		`{"kind":"ObservationEvent","id":"ID","source":"environment","tool_name":"f","tool_call_id":"ID2","observation":{"output":"r"}}`, `{"kind":"AgentErrorEvent","id":"ID","source":"agent","tool_call_id":"ID2","error":"e"}`,
		`{"kind":"Condensation","id":"ID","source":"environment","forgotten_event_ids":["ID2"],"summary":"s","summary_offset":1}`, `{"kind":"CondensationSummaryEvent","id":"ID","source":"environment","summary":"s"}`,
	}
}

func TestRandomHarness(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	r := rand.New(rand.NewSource(1))
	read := 0
	parts := harnessParts()
	for n := range rounds {
		for _, name := range []string{"swe-agent", "mini-swe-agent", "openhands", "atif", "sharegpt"} {
			items := randomList(r, parts[name], 12)
			if name == "openhands" && n%2 == 1 {
				items = randomList(r, sdkParts(), 12)
			}
			src := "[" + strings.Join(items, ", ") + "]"
			switch {
			case n%5 == 1:
				src = "[\n  " + strings.Join(items, ",\n  ") + "\n]\n"
			case n%5 == 2 && name == "openhands":
				src = strings.Join(items, "\n")
			case n%5 == 3 && name == "atif":
				for i := range items { // numbered as the format demands
					items[i] = strings.Replace(items[i], `"step_id":`+items[i][strings.Index(items[i], `"step_id":`)+len(`"step_id":`):][:1], `"step_id":`+string(rune('1'+i)), 1)
				}
				src = `{"schema_version":"ATIF-v1.7","steps":[` + strings.Join(items[:min(9, len(items))], ",") + `]}`
			case n%5 == 3 && name == "sharegpt":
				src = `{"images":["a"],"messages":[` + strings.Join(items, ",") + `],"tools":"[]"}`
			}
			holds(t, []byte(src), Options{})
			if holds(t, []byte(src), Options{Format: name}) != nil {
				read++
			}
		}
	}
	if read < 4*rounds {
		t.Fatalf("%d conversations were read, of %d", read, 5*rounds)
	}
}
