package format

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

func TestDetect(t *testing.T) {
	const text = "the items have roles and texts, and nothing that only one format has"
	for _, c := range []struct{ name, src, want string }{
		{"chat request", chatTools, "openai-chat 0.98 request: messages[2] has a part of type image_url; messages[3] has tool_calls; messages[4] has tool_call_id"},
		{"text alone can be anything", `[{"role":"user","content":"a"}]`, "openai-chat 0.50 array: " + text},
		{"a system prompt beside it", `{"system":"s","messages":[{"role":"user","content":"a"}]}`, "anthropic-messages 0.90 request: it has system"},
		{"a model", `{"model":"claude-x","messages":[{"role":"user","content":"a"}]}`, "anthropic-messages 0.80 request: model begins with claude"},
		{"a model that a chat server gives", `{"model":"claude-x","messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"c","content":"b"}]}`, "openai-chat 0.98 request: messages[1] has tool_call_id"},
		{"a role of two formats", `[{"role":"developer","content":"a"}]`, "openai-chat 0.80 array: [0] has role developer"},
		{"a role of two formats, in input", `{"input":[{"role":"developer","content":"a"}]}`, "openai-responses 0.90 request: the items are in input"},
		{"tools", `{"tools":[{"name":"f","input_schema":{}}],"messages":[{"role":"user","content":"a"}]}`, "anthropic-messages 0.90 request: tools have input_schema"},
		{"tools of chat", `{"tools":[{"function":{}}],"messages":[{"role":"user","content":"a"}]}`, "openai-chat 0.90 request: tools have function"},
		{"mini-swe-agent", `{"info":{"mini_version":"2"},"messages":[{"role":"user","content":"a"},{"role":"exit","content":"b"}],"trajectory_format":"mini-swe-agent-1.1"}`, "mini-swe-agent 0.98 request: trajectory_format is mini-swe-agent"},
		{"lines", chatLines, "openai-chat 0.50 jsonl: " + text},
		{"one line", `{"role":"user","content":"a"}`, "openai-chat 0.50 jsonl: " + text},
		{"empty", `[]`, "openai-chat 0.10 array: the list is empty"},
		{"responses request", `{"input":[{"role":"user","content":"a"}]}`, "openai-responses 0.90 request: the items are in input"},
		{"responses items", `[{"role":"user","content":"a"},{"type":"function_call_output","call_id":"c","output":""}]`, "openai-responses 0.98 array: [1] has type function_call_output"},
		{"the last element decides too", `[{"role":"user","content":"a"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]`, "anthropic-messages 0.98 array: [1] has a block of type tool_result"},
		{
			"signs of two formats", `[{"role":"assistant","content":[{"type":"tool_use","id":"a"}],"tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"a","content":"x"}]`,
			"openai-chat 0.65 array: [0] has tool_calls; [1] has tool_call_id; against it: [0] has a block of type tool_use",
		},
		{"rollout", rolloutBroken, "codex-rollout 0.98 log: line 2 has type response_item and a payload; line 6 has type response_item and a payload; line 7 has type compacted and a payload"},
		{"an answer", `{"object":"response","output":[{"type":"reasoning"}]}`, "openai-responses 0.98 response: its object is response"},
		{"an answer of chat", `{"object":"chat.completion","choices":[]}`, "openai-chat 0.98 response: it has choices"},
		{"an answer of anthropic", `{"type":"message","role":"assistant","content":[],"stop_reason":"end_turn"}`, "anthropic-messages 0.98 response: its type is message, with a stop_reason or usage"},
		{"of several the first", severalChats, "openai-chat 0.50 array: " + text},
		{"one conversation below", `{"run":{"messages":[{"role":"user","content":"a"}]}}`, "openai-chat 0.50 request: " + text},
	} {
		v, err := Detect([]byte(c.src))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := fmt.Sprintf("%s %.2f %s: %s", v.Name, v.Confidence, v.Shape, strings.Join(v.Evidence, "; ")); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	chat := `[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"c"}]},`
	for _, c := range []struct {
		name, src string
		opt       Options
		code, msg string // msg: path and message
	}{
		{"empty", "", Options{}, "invalid_json", "transcript: line 1, column 1: is empty, a JSON value is wanted\n  \n  ^"},
		{"broken", "{\n \"messages\": [1,]\n}", Options{}, "invalid_json", "transcript: line 2, column 17: unexpected ']' after ',': a comma before the end of an array is not JSON\n   \"messages\": [1,]\n                  ^"},
		{"broken behind a byte order mark", "\ufeff[x]", Options{}, "invalid_json", "transcript: line 1, column 2: unexpected 'x', a value is wanted\n  [x]\n   ^"},
		{"a broken line", "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\"content\":}\n", Options{}, "invalid_json", "transcript: line 2, column 26: unexpected '}', a value is wanted (repair: true keeps such lines aside)\n  …e\":\"user\",\"content\":}\n                       ^"},
		{"broken, with a line that is an object", "{\"messages\": [\n{\"role\":\"user\"}\n], }", Options{}, "invalid_json", "transcript: line 3, column 4: unexpected '}' after ',': a comma"},
		{"one message on several lines", "{\n\"role\":\"user\"\n}", Options{}, "unknown_format", "transcript: it is an object of 1 member without a list of messages, which is"},
		{"a scalar", "5", Options{}, "unknown_format", "transcript: it is a number, which is no transcript that is known; accepted are"},
		{"numbers", "[1,2]", Options{}, "unknown_format", "transcript: it is a list of 2 elements, which is"},
		{"an object", `{"a":1}`, Options{}, "unknown_format", "transcript: it is an object of 1 member without a list of messages, which is"},
		{"lines of nothing", "{\"a\":1}\n{\"b\":1}", Options{}, "unknown_format", "transcript: it is 2 lines of JSON, which is"},
		{"plain text of one side", "user: hello\nuser: hi", Options{}, "unknown_format", "transcript: is text in which no person and model speak in turns; lines such as"},
		{"as much of one as of the other", `[{"role":"assistant","content":[{"type":"tool_use","id":"a"}],"tool_calls":[{"id":"a"}]}]`, Options{}, "ambiguous_format", "transcript: has as many signs of one format as of another ([0] has tool_calls; [0] has a block of type tool_use): say which in format"},
		{"an unknown name", "[]", Options{Format: "openai-chatt"}, "unknown_format", `format: unknown format "openai-chatt", did you mean openai-chat?`},
		{"part of a name", "[]", Options{Format: "Anthropic"}, "unknown_format", `format: unknown format "Anthropic", did you mean anthropic-messages?`},
		{"the log of a user interface", `{"ts":"t","dir":"to_tui","kind":"codex_event","payload":{}}` + "\n" + `{"ts":"t","dir":"from_tui","kind":"op"}`, Options{}, "unsupported_format", "transcript: is the log of the Codex TUI (line 1: dir is to_tui or from_tui), which is not supported yet; supported are openai-chat, "},
		{"another agent", `{"type":"context.append_message","message":{"role":"user"}}` + "\n" + `{"type":"turn.prompt"}`, Options{}, "unsupported_format", "transcript: is a session of Kimi CLI (line 1: type is context.append_message), which"},
		{
			"lines of Grok, with reasoning", `{"type":"system","content":"s"}` + "\n" + `{"type":"user","content":"a"}` + "\n" + `{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"RQ=="}` + "\n" +
				`{"type":"assistant","content":"b","tool_calls":[{"id":"c"}]}` + "\n" + `{"type":"tool_result","tool_call_id":"c","content":"d"}`,
			Options{},
			"unsupported_format", "transcript: is a session of Grok (line 2: its lines say who speaks by their type), which",
		},
		{"no such name", "[]", Options{Format: "zzzzzzzzzz"}, "unknown_format", `format: unknown format "zzzzzzzzzz", supported are openai-chat, openai-responses, anthropic-messages, `},
		{"an answer", `{"object":"response","output":[]}`, Options{}, "not_a_history", "transcript: is a single answer (its object is response), no history: there is nothing to compact"},
		{"an answer, named", `{"object":"response","output":[]}`, Options{Format: "openai-responses"}, "not_a_history", "transcript: is a single answer (its object is response)"},
		{"an answer, named wrongly", `{"object":"response","output":[]}`, Options{Format: "openai-chat"}, "invalid_request", "transcript: is not openai-chat: it is a single answer, array or request or jsonl is wanted"},
		{"input of one text", `{"input":"a"}`, Options{}, "not_a_history", "transcript.input: is one text, no list of items: there is nothing to compact"},
		{"several", severalChats, Options{}, "several_conversations", "transcript: holds 2 conversations, choose one with conversation: /0/traj (2 items, 73 bytes), /1/traj (1 item, 36 bytes)"},
		{"several arrays", `[[{"role":"user"}],[{"role":"user"}]]`, Options{}, "several_conversations", "transcript: holds 2 conversations, choose one with conversation: /0 (1 item, 17 bytes), /1 (1 item, 17 bytes)"},
		{"several lines", `{"messages":[{"role":"user"}]}` + "\n" + `{"messages":[{"role":"user"}]}`, Options{}, "several_conversations", "transcript: holds 2 conversations, choose one with conversation: /0/messages (1 item, 17 bytes), /1/messages (1 item, 17 bytes)"},
		{"no pointer", severalChats, Options{Conversation: "1"}, "invalid_request", `conversation: "1" is no JSON Pointer, such as /3/traj`},
		{"a pointer beyond", severalChats, Options{Conversation: "/2/traj"}, "invalid_request", `conversation: "/2/traj" is not there: step 1 asks for one of 2 elements, counted from 0`},
		{"a pointer to nothing", severalChats, Options{Conversation: "/0/trai"}, "invalid_request", `conversation: "/0/trai" is not there: step 2 leads nowhere`},
		{"a pointer to a scalar", severalChats, Options{Conversation: "/0/id"}, "invalid_request", `conversation: "/0/id" is a number, a list of messages is wanted`},
		{"no object", chat + "5]", Options{}, "invalid_request", "transcript[2]: is a number, an object is wanted"},
		{"no role", chat + `{"content":"x"}]`, Options{}, "invalid_request", "transcript[2].role: is missing"},
		{"a role that is none", chat + `{"role":5}]`, Options{}, "invalid_request", "transcript[2].role: is a number, a string is wanted"},
		{"content that is none", chat + `{"role":"user","content":{}}]`, Options{}, "invalid_request", "transcript[2].content: is an object, a string, a list of parts or null is wanted"},
		{"a part that is none", chat + `{"role":"user","content":["x"]}]`, Options{}, "invalid_request", "transcript[2].content[0]: is a string, an object is wanted"},
		{"text that is none", chat + `{"role":"user","content":[{"type":"text","text":1}]}]`, Options{}, "invalid_request", "transcript[2].content[0].text: is a number, a string is wanted"},
		{"a call that is none", `{"messages":` + chat + `{"role":"assistant","tool_calls":[{"id":"a"},true]}]}`, Options{}, "invalid_request", "transcript.messages[2].tool_calls[1]: is true, an object is wanted"},
		{"calls that are none", chat + `{"role":"assistant","tool_calls":{}}]`, Options{}, "invalid_request", "transcript[2].tool_calls: is an object, a list is wanted"},
		{"an id that is none", chat + `{"role":"assistant","tool_calls":[{"id":7}]}]`, Options{}, "invalid_request", "transcript[2].tool_calls[0].id: is a number, a string is wanted"},
		{"an id of a result", chat + `{"role":"tool","tool_call_id":7}]`, Options{}, "invalid_request", "transcript[2].tool_call_id: is a number, a string is wanted"},
		{"a place in text", "[{\"role\":\"user\",\"content\":\"a\"},\n {\"role\":\"assistant\",\"tool_calls\":[{\"id\":7}]}]", Options{Text: true}, "invalid_request", "transcript: line 2, column 42: [1].tool_calls[0].id is a number, a string is wanted"},
		{"a place in a request as text", `{"messages":[{"role":5}]}`, Options{Text: true}, "invalid_request", "transcript: line 1, column 22: messages[0].role is a number, a string is wanted"},
		{"a place in lines", "\ufeff{\"role\":\"user\",\"content\":\"a\"}\n\n{\"role\":\"user\",\"content\":[5]}", Options{}, "invalid_request", "transcript: line 3, column 27: content[0] is a number, an object is wanted"},
		{"a whole line", "{\"role\":\"user\",\"content\":\"a\"}\n[]\n{\"role\":\"user\"}", Options{}, "invalid_request", "transcript: line 2, column 1: the item is an array, an object is wanted (repair: true keeps such lines aside)"},
		{"one line", `{"role":5}`, Options{}, "invalid_request", "transcript.role: is a number, a string is wanted"},
		{"a conversation on a line", `{"messages":[{"role":"user"}]}` + "\n" + `{"messages":[{"role":"user"},{"role":5}]}`, Options{Conversation: "/1/messages"}, "invalid_request", "transcript: line 2, column 38: messages[1].role is a number, a string is wanted"},
		{"a responses type", `[{"type":"reasoning"},{"type":3}]`, Options{}, "invalid_request", "transcript[1].type: is a number, a string is wanted"},
		{"a responses id", `[{"type":"function_call","call_id":3}]`, Options{}, "invalid_request", "transcript[0].call_id: is a number, a string is wanted"},
		{"a responses message", `[{"type":"reasoning"},{"type":"message"}]`, Options{}, "invalid_request", "transcript[1].role: is missing"},
		{"an anthropic block", `[{"role":"user","content":[{"type":"tool_result","tool_use_id":5}]}]`, Options{}, "invalid_request", "transcript[0].content[0].tool_use_id: is a number, a string is wanted"},
		{"within a result", `[{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":5}]}]}]`, Options{}, "invalid_request", "transcript[0].content[0].content[0].text: is a number, a string is wanted"},
		{"named wrongly: chat", anthropicServer, Options{Format: "openai-chat"}, "invalid_request", "transcript[3].content[0]: is a tool_result part, which openai-chat does not have"},
		{"named wrongly: anthropic", chat + `{"role":"user","content":"b"}]`, Options{Format: "anthropic-messages"}, "invalid_request", "transcript[1].tool_calls: stands in no message of anthropic-messages"},
		{"named wrongly: responses", chat + `{"role":"user","content":"b"}]`, Options{Format: "openai-responses"}, "invalid_request", "transcript[1].tool_calls: stands in no item of openai-responses"},
		{"named wrongly: responses of a log", rolloutPlain, Options{Format: "openai-responses"}, "invalid_request", "transcript: line 1, column 1: the item is a line of codex-rollout, no item of openai-responses"},
		{"named wrongly: a log", `[{"role":"user","content":"a"}]`, Options{Format: "codex-rollout"}, "invalid_request", "transcript: is not codex-rollout: it is a list of 1 element, JSON Lines are wanted"},
		{"named wrongly: lines of a log", `{"role":"user","content":"a"}`, Options{Format: "codex-rollout"}, "invalid_request", "transcript: is no line of codex-rollout: type and payload are missing"},
		{"named wrongly: a request", `{"input":[{"role":"user","content":"a"}]}`, Options{Format: "openai-chat"}, "invalid_request", "transcript: is not openai-chat: it is an object with 1 item in input, array or request or jsonl is wanted"},
	} {
		_, err := Decode([]byte(c.src), c.opt)
		var e *transcript.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if e.Code != c.code || !strings.HasPrefix(e.Error(), c.msg) || strings.HasSuffix(c.msg, "wanted") && e.Error() != c.msg {
			t.Errorf("%s: %s\n%s\nwant %s\n%s", c.name, e.Code, e.Error(), c.code, c.msg)
		}
	}
}

// An error that lists conversations names all of them, up to 200.
func TestManyConversations(t *testing.T) {
	src := "[" + strings.TrimSuffix(strings.Repeat(`[{"role":"user"}],`, 203), ",") + "]"
	_, err := Decode([]byte(src), Options{})
	if err == nil || strings.Count(err.Error(), "(1 item") != 200 || !strings.HasSuffix(err.Error(), "/199 (1 item, 17 bytes) and 3 more") {
		t.Fatal(err)
	}
}

// What is not understood, but no reason to refuse.
func TestTolerated(t *testing.T) {
	for _, src := range []string{
		`[{"role":"user","content":[{"type":"novelty"},{}]},{"role":"assistant","tool_calls":[{"id":null}]}]`,
		`[{"role":"robot","content":"a"}]`,
		`[{"type":"function_call","call_id":null,"arguments":null},{"type":"function_call_output","output":5},{"type":"x"}]`,
		`[{"role":"user","content":[{"type":"tool_result"},{"type":"novelty","text":5}]}]`,
		`[{"role":"user","content":[{"type":"image_url","image_url":null},{"type":"file"}]},{"role":"tool","tool_call_id":"x"}]`,
		`{"messages":[{"role":"user","content":"a"}],"response":{"choices":[]}}`,
	} {
		if _, err := Decode([]byte(src), Options{}); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
}
