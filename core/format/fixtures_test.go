package format

// Fixtures of our own: each a small conversation with the shapes that matter.

// chatTools is a request with parallel calls, a result out of order, legacy
// function calls and everything that a message may hold beside its text.
const chatTools = `{"model": "gpt-x", "tools": [{"type": "function", "function": {"name": "look"}}], "messages": [
  {"role": "system", "content": "Be brief."},
  {"role": "developer", "content": "<rules v=\"3\">Only tests.</rules>"},
  {"role": "user", "content": [{"type": "text", "text": "See "}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJDRA==", "detail": "low"}}, {"type": "input_audio", "input_audio": {"data": "QUJD", "format": "wav"}}]},
  {"role": "assistant", "content": null, "reasoning_content": "Two looks.", "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"at\":1}"}},
    {"id": "c2", "type": "custom", "custom": {"name": "patch", "input": "raw"}}]},
  {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "two"}, {"type": "text", "text": "lines"}]},
  {"role": "tool", "tool_call_id": "c1", "content": "one"},
  {"role": "assistant", "content": "", "refusal": "No."},
  {"role": "assistant", "content": null, "function_call": {"name": "old", "arguments": "{}"}},
  {"role": "function", "name": "old", "content": "done"},
  {"role": "assistant", "content": "Done.", "audio": {"id": "a", "data": "QUI=", "transcript": "spoken"}}
], "temperature": 0}
`

// chatPretty is a bare array as a pretty printer writes it, unknown fields,
// escapes and number forms included.
const chatPretty = "[\n  {\n    \"role\": \"user\",\n    \"content\": \"h\\u00e9llo \\/\"\n  },\n  {\n    \"role\": \"assistant\",\n    \"content\": \"hi\",\n    \"x\": 1.50e0\n  } ,\n  {\n    \"role\": \"user\",\n    \"content\": \"bye\"\n  }\n]\n"

// chatLines are JSON Lines with a byte order mark, CRLF, blank lines and no
// line ending at the end.
const chatLines = "\ufeff{\"role\":\"user\",\"content\":\"a\"}\r\n\r\n  {\"role\":\"assistant\",\"content\":\"b\"} \r\n{\"role\":\"user\",\"content\":\"c\"}"

// chatOdd holds what is valid JSON and no valid conversation.
const chatOdd = `[{"role":"tool","tool_call_id":"lost","content":"orphan"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}},{"id":"a","function":{"name":"f"}},{}]},` +
	`{"role":"user","content":[]},{"role":"tool","tool_call_id":"a"},{"role":"exit","content":"over","extra":{"x":1}},{"role":"assistant","content":null},{"content":"\ud800","role":"user"}]`

// severalChats are records with a conversation each.
const severalChats = `[{"id": 1, "traj": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], "a/b": {}},
 {"id": 2, "traj": [ {"role": "user", "content": "c"} ]}]`

const responsesTools = `{"model":"gpt-x","instructions":"Be brief.","store":false,"input":[
{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions>All.</permissions>"}]},
{"role":"user","content":"Look."},
{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"content":null,"encrypted_content":"RU5D"},
{"type":"function_call","name":"look","arguments":"{}","call_id":"c1"},
{"type":"function_call","name":"look","arguments":"{\"x\":2}","call_id":"c2"},
{"type":"function_call_output","call_id":"c1","output":"one"},
{"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"two"},{"type":"input_image","image_url":"data:image/png;base64,QUJDRA=="}]},
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Seen."}]}]}`

// responsesAll has one item of each further type.
const responsesAll = `[{"role":"user","content":"go"},
{"type":"compaction","encrypted_content":"RU5D"},
{"type":"custom_tool_call","call_id":"p1","name":"apply_patch","input":"*** Begin"},
{"type":"custom_tool_call_output","call_id":"p1","output":"{\"output\":\"ok\"}","status":"failed"},
{"type":"local_shell_call","call_id":"s1","status":"completed","action":{"command":["ls"]}},
{"type":"function_call_output","call_id":"s1","output":"a.txt"},
{"type":"web_search_call","id":"ws_1","status":"completed","action":{"query":"q"}},
{"type":"mcp_call","id":"mcp_1","name":"fetch","arguments":"{}","output":"page"},
{"type":"code_interpreter_call","id":"ci_1","code":"1+1","outputs":[{"type":"logs","logs":"2"}]},
{"type":"image_generation_call","id":"ig_1","status":"completed","result":"QUJDRA=="},
{"type":"tool_search_call","call_id":"t1","execution":"client","arguments":{"query":"x"}},
{"type":"tool_search_output","call_id":"t1","execution":"client","tools":[]},
{"type":"mcp_approval_request","id":"ar_1","name":"rm","arguments":"{}"},
{"type":"mcp_approval_response","approval_request_id":"ar_1","approve":true},
{"type":"shell_call","call_id":"sh","action":{"commands":["ls"]}},
{"type":"shell_call_output","call_id":"sh","output":[{"stdout":"x","outcome":{"type":"exit","exit_code":0}}]},
{"type":"agent_message","author":"a","recipient":"b","content":[{"type":"input_text","text":"report"},{"type":"encrypted_content","encrypted_content":"RQ=="}]},
{"type":"item_reference","id":"msg_1"},
{"type":"novelty","deep":{"x":[1]}},
{"type":"message","role":"user","content":[{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"https://x/y.png","detail":"high"},{"type":"input_text","text":"</image>"},{"type":"input_text","text":"what is it"}]}]`

const anthropicTools = `{"model":"claude-x","max_tokens":10,"system":[{"type":"text","text":"Be"},{"type":"text","text":"brief."}],"tools":[{"name":"look","input_schema":{"type":"object"}}],"messages":[
 {"role":"user","content":"Look twice."},
 {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"redacted_thinking","data":"RU5D"},{"type":"text","text":"Looking."},{"type":"tool_use","id":"t1","name":"look","input":{"at":1}},{"type":"tool_use","id":"t2","name":"look","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"bad"},{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJDRA=="}}]},{"type":"text","text":"<system-reminder>Mind the time.</system-reminder>"}]},
 {"role":"assistant","content":[{"type":"text","text":"Both seen."}]},
 {"role":"user","content":[{"type":"text","text":"And this?"},{"type":"document","source":{"type":"base64","data":"QUJD"}}]}]}`

const anthropicServer = `[{"role":"user","content":"Search."},
{"role":"assistant","content":[{"type":"compaction","content":"Earlier: searched."}]},
{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","title":"t","encrypted_content":"RU5D"}]},{"type":"text","text":"Found."}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"lost","content":"orphan"}]},
{"role":"assistant","content":[{"type":"tool_use","id":"open","name":"look","input":{}}]}]`

const rolloutPlain = `{"timestamp":"T0","ordinal":0,"type":"session_meta","payload":{"id":"S","cwd":"/w","base_instructions":{"text":"Base."}}}
{"timestamp":"T1","ordinal":1,"type":"turn_context","payload":{"turn_id":"1","model":"gpt-x"}}
{"timestamp":"T2","ordinal":2,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]}}
{"timestamp":"T3","ordinal":3,"type":"event_msg","payload":{"type":"user_message","message":"do it"}}
{"timestamp":"T4","ordinal":4,"type":"response_item","payload":{"type":"function_call","name":"sh","arguments":"{}","call_id":"c1"}}
{"timestamp":"T5","ordinal":5,"type":"response_item","payload":{"type":"ghost_snapshot","ghost_commit":{}}}
{"timestamp":"T6","ordinal":6,"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"ok"}}
{"timestamp":"T7","ordinal":7,"type":"turn_context","payload":{"turn_id":"2","model":"gpt-y"}}
{"timestamp":"T8","ordinal":8,"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}
`

const rolloutCompacted = `{"timestamp":"T0","type":"session_meta","payload":{"id":"S"}}
{"timestamp":"T1","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"first"}]}}
{"timestamp":"T2","type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"first"}]},{"type":"compaction","encrypted_content":"RU5D"}]}}
{"timestamp":"T3","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"second"}]}}`

const rolloutLegacy = `{"timestamp":"T0","type":"session_meta","payload":{"id":"S"}}
{"timestamp":"T1","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}
{"timestamp":"T1","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"before compact"}]}}
{"timestamp":"T2","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer"}]}}
{"timestamp":"T3","type":"compacted","payload":{"message":"legacy summary"}}
`

const rolloutTurns = `{"timestamp":"T0","type":"session_meta","payload":{"id":"S"}}
{"timestamp":"T1","type":"event_msg","payload":{"type":"task_started","turn_id":"1"}}
{"timestamp":"T2","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}
{"timestamp":"T3","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"1"}]}}
{"timestamp":"T4","type":"event_msg","payload":{"type":"task_started","turn_id":"2"}}
{"timestamp":"T5","type":"compacted","payload":{"message":"s","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"SUMMARY"}]}]}}
{"timestamp":"T6","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"two"}]}}
{"timestamp":"T7","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}
{"timestamp":"T8","type":"event_msg","payload":{"type":"task_started","turn_id":"3"}}
{"timestamp":"T9","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"three"}]}}
`

// rolloutBroken begins and ends within a line, has a run of NUL bytes, an
// unknown line and payloads that can not be read.
const rolloutBroken = "{\"timestamp\":\"T0\",\"type\":\"session_meta\",\"payl\r\n" +
	`{"timestamp":"T1","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}` + "\r\n" +
	"\x00\x00\x00\r\n\r\n" +
	`{"timestamp":"T2","type":"novelty","payload":{}}` + "\r\n" +
	`{"timestamp":"T3","type":"response_item","payload":{"type":"message","role":7}}` + "\r\n" +
	`{"timestamp":"T4","type":"compacted","payload":{"replacement_history":[5]}}` + "\r\n" +
	`{"timestamp":"T5","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}}` + "\r\n" +
	`{"timestamp":"T6","type":"response_`
