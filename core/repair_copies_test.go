package core_test

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

const noResult = "(This call was not answered: no result of it is known.)"

func list(items ...string) string { return "[" + strings.Join(items, ",") + "]" }

// Two calls of one id and one result: the second call gets an id of its own, and
// so does what stands for its result.
func TestRepairSharedIDs(t *testing.T) {
	const user = `{"role":"user","content":"go"}`
	for _, c := range []repairCase{
		{
			"chat", "openai-chat",
			list(user, chatCalls("a", "a"), chatGave("a", "1"), user),
			list(user, chatCalls("a", "a_2"), chatGave("a", "1"), chatGave("a_2", noResult), user),
			[]string{"results_called", "calls_answered"},
		},
		{
			"chat: results may still come for the ids that were given", "openai-chat",
			list(user, chatCalls("a", "a"), chatGave("a", "1")),
			list(user, chatCalls("a", "a"), chatGave("a", "1")), nil,
		},
		{
			"chat: two messages of one answer, which do different things", "openai-chat",
			list(user, chatCalls("a"), chatCalls("a", "b"), chatGave("a", "1"), chatGave("b", "2"), user),
			list(user, chatCalls("a"), chatGave("a", "1"), chatCalls("a_2", "b"), chatGave("a_2", noResult), chatGave("b", "2"), user),
			[]string{"results_called", "results_follow", "calls_answered"},
		},
		{
			"chat: the second of two messages still waits, the first does not any more", "openai-chat",
			list(user, chatCalls("a", "b"), chatCalls("a", "b", "b"), chatGave("a", "1")),
			list(user, chatCalls("a", "b"), chatGave("b", noResult), chatGave("a", "1"), chatCalls("a_2", "b_2", "b_3")),
			[]string{"results_called", "results_follow", "calls_answered"},
		},
		{
			"bedrock", "bedrock-converse",
			list(`{"role":"user","content":[{"text":"go"}]}`, `{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}},{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}`,
				`{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"1"}]}}]}`, `{"role":"assistant","content":[{"text":"done"}]}`),
			list(`{"role":"user","content":[{"text":"go"}]}`, `{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}},{"toolUse":{"toolUseId":"a_2","name":"f","input":{}}}]}`,
				`{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"1"}]}},{"toolResult":{"toolUseId":"a_2","content":[{"text":"`+noResult+`"}]}}]}`, `{"role":"assistant","content":[{"text":"done"}]}`),
			[]string{"unique_ids", "calls_answered", "alternation"},
		},
		{
			"gemini", "gemini-contents",
			list(`{"role":"user","parts":[{"text":"go"}]}`, `{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}},{"functionCall":{"id":"a","name":"f","args":{}}}]}`,
				`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}}]}`, `{"role":"model","parts":[{"text":"done"}]}`),
			list(`{"role":"user","parts":[{"text":"go"}]}`, `{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}},{"functionCall":{"id":"a_2","name":"f","args":{}}}]}`,
				`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}},{"functionResponse":{"id":"a_2","name":"f","response":{"output":"`+noResult+`"}}}]}`, `{"role":"model","parts":[{"text":"done"}]}`),
			[]string{"unique_ids", "calls_answered", "alternation"},
		},
		{
			"gemini: a later turn counts its ids anew", "gemini-contents",
			list(`{"role":"user","parts":[{"text":"go"}]}`, `{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]}`, `{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{}}}]}`,
				`{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]}`, `{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{}}}]}`),
			"", nil,
		},
		{
			"responses: the output that came stays before the one that did not", "openai-responses",
			list(user, `{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"}`, `{"type":"function_call","id":"fc_2","call_id":"a","name":"g","arguments":"{}"}`, `{"type":"function_call_output","call_id":"a","output":"1"}`, user),
			list(user, `{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"}`, `{"type":"function_call","id":"fc_2","call_id":"a_2","name":"g","arguments":"{}"}`, `{"type":"function_call_output","call_id":"a","output":"1"}`,
				`{"type":"function_call_output","call_id":"a_2","output":"`+noResult+`"}`, user),
			[]string{"unique_ids", "calls_answered"},
		},
		{
			"ai sdk", "ai-sdk-model",
			list(user, `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}`,
				`{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"1"}}]}`, user),
			list(user, `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"a_2","toolName":"f","input":{}}]}`,
				`{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"1"}}]}`,
				`{"role":"tool","content":[{"type":"tool-result","toolCallId":"a_2","toolName":"f","output":{"type":"error-text","value":"`+noResult+`"}}]}`, user),
			[]string{"unique_ids", "calls_answered"},
		},
		{
			"langchain", "langchain",
			list(`{"type":"human","content":"go"}`, `{"type":"ai","content":"","tool_calls":[{"name":"f","args":{},"id":"a"},{"name":"f","args":{},"id":"a"}]}`, `{"type":"tool","content":"1","tool_call_id":"a"}`, `{"type":"human","content":"?"}`),
			list(`{"type":"human","content":"go"}`, `{"type":"ai","content":"","tool_calls":[{"name":"f","args":{},"id":"a"},{"name":"f","args":{},"id":"a_2"}]}`, `{"type":"tool","content":"1","tool_call_id":"a"}`,
				`{"type":"tool","content":"`+noResult+`","name":"f","tool_call_id":"a_2","status":"error"}`, `{"type":"human","content":"?"}`),
			[]string{"unique_ids", "calls_answered"},
		},
	} {
		repairs(t, c)
	}
}

// A harness wrote an answer twice, and ran it once: the copy goes, and results that
// came twice go with it.
func TestRepairCopies(t *testing.T) {
	const (
		user, said = `{"role":"user","content":"go"}`, `{"role":"assistant","content":"done"}`
		uses       = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}`
		gaveA      = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}`
		gaveB      = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"2"}]}`

		gu, gsaid = `{"role":"user","parts":[{"text":"go"}]}`, `{"role":"model","parts":[{"text":"done"}]}`
		gcalls    = `{"role":"model","parts":[{"functionCall":{"name":"cat","args":{}},"thoughtSignature":"s"},{"functionCall":{"name":"ls","args":{}}},{"functionCall":{"name":"ls","args":{}}}]}`
		gcall     = `{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}}]}`
		cat       = `{"functionResponse":{"name":"cat","response":{"output":"1"}}}`
		ls        = `{"functionResponse":{"name":"ls","response":{"output":"2"}}}`
		stub      = `{"functionResponse":{"name":"ls","response":{"output":"` + noResult + `"}}}`
	)
	gave := func(parts ...string) string {
		return `{"role":"user","parts":[` + strings.Join(parts, ",") + `]}`
	}
	for _, c := range []repairCase{
		{
			"anthropic, and a result twice", "anthropic-messages",
			list(user, uses, uses, gaveA, gaveA, gaveB, said, user), list(user, uses, gaveA, gaveB, said, user),
			[]string{"calls_answered", "results_called"},
		},
		{
			"gemini: one of the results never came", "gemini-contents",
			list(gu, gcalls, gcalls, gave(cat, ls), gsaid, gu), list(gu, gcalls, gave(cat, ls, stub), gsaid, gu),
			[]string{"calls_answered", "calls_answered", "alternation"},
		},
		{
			"gemini: the same again, with its own result", "gemini-contents",
			list(gu, gcall, gcall, gave(ls, ls), gsaid, gu), list(gu, `{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}},{"functionCall":{"name":"ls","args":{}}}]}`, gave(ls, ls), gsaid, gu),
			[]string{"alternation"},
		},
		{
			"chat", "openai-chat",
			list(user, chatCalls("a", "b"), chatCalls("a", "b"), chatGave("b", "2"), chatGave("a", "1"), said),
			list(user, chatCalls("a", "b"), chatGave("b", "2"), chatGave("a", "1"), said),
			[]string{"calls_answered"},
		},
		{
			"half of what two messages of one turn called: the user's turn is behind both", "anthropic-messages",
			list(user, useOf("a"), useOf("b"), gaveB, said), list(user, useOf("a"), useOf("b"), gaveB, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"`+noResult+`"}]}`, said),
			[]string{"calls_answered"},
		},
		{
			"two results that are not the same are of two calls", "anthropic-messages",
			list(user, useOf("a"), useOf("a"), gaveA, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"other"}]}`, said),
			list(user, useOf("a"), useOf("a_2"), gaveA, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a_2","content":"other"}]}`, said),
			[]string{"unique_ids", "unique_ids"},
		},
		{
			"gemini: what came keeps its call, where name and order say which that is", "gemini-contents",
			list(gu, `{"role":"model","parts":[{"functionCall":{"name":"ls","args":{"n":1}}},{"functionCall":{"name":"ls","args":{"n":2}}}]}`, gave(ls, `{"text":"and"}`), gsaid, gu),
			list(gu, `{"role":"model","parts":[{"functionCall":{"name":"ls","args":{"n":1}}},{"functionCall":{"name":"ls","args":{"n":2}}}]}`, gave(ls, stub), gave(`{"text":"and"}`), gsaid, gu),
			[]string{"calls_answered", "alternation"},
		},
	} {
		repairs(t, c)
	}
}

func useOf(id string) string {
	return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"f","input":{}}]}`
}

// What the Responses API refuses of an answer that is not whole.
func TestRepairResponses(t *testing.T) {
	const (
		user   = `{"role":"user","content":"go"}`
		rs     = `{"type":"reasoning","id":"rs_1","summary":[]}`
		fc     = `{"type":"function_call","id":"fc_2","call_id":"b","name":"f","arguments":"{}"}`
		out    = `{"type":"function_call_output","call_id":"b","output":"1"}`
		orphan = `{"type":"function_call_output","call_id":"a","output":"1"}`
		stub   = `{"type":"function_call_output","call_id":"b","output":"` + noResult + `"}`
		msg    = `{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"done"}]}`
		name   = "openai-responses"
	)
	copied := `{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}`
	for _, c := range []repairCase{
		{"a text behind a call: it did not wait", name, list(user, fc, msg), list(user, fc, stub, msg), []string{"calls_answered"}},
		{"a text between the calls of one answer, which are under way", name, list(user, copied, msg, `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`), "", nil},
		{"reasoning last of all", name, list(user, rs), list(user), []string{"reasoning_with_item"}},
		{"reasoning before what goes", name, list(user, rs, orphan, fc, out), list(user, fc, out), []string{"reasoning_with_item", "results_called"}},
		{"reasoning, its copy, and the item of both", name, list(rs, user, rs, fc, out), list(user, rs, fc, out), []string{"reasoning_with_item"}},
		{"reasoning before the copy of a call, which goes with its output", name, list(user, copied, out, rs, copied, out, msg), list(user, copied, out, msg), []string{"reasoning_with_item", "unique_ids"}},
		{
			"references stand for what an output needs", name,
			list(user, `{"type":"item_reference","id":"rs_1"}`, `{"type":"item_reference","id":"sh_1"}`, `{"type":"shell_call_output","call_id":"a","output":[]}`, `{"type":"item_reference","id":"msg_1"}`, user), "", nil,
		},
		{
			"but for one only", name,
			list(user, `{"type":"item_reference","id":"fc_1"}`, out, out, user), list(user, `{"type":"item_reference","id":"fc_1"}`, out, user),
			[]string{"results_called"},
		},
	} {
		repairs(t, c)
	}
}

// Where nothing is left of a conversation, something has to be: all of them refuse
// an empty list.
func TestRepairNothingLeft(t *testing.T) {
	const opening = `"(The beginning of this conversation is not shown.)"`
	for _, c := range []repairCase{
		{"chat", "openai-chat", list(chatGave("a", "1")), list(`{"role":"user","content":` + opening + `}`), []string{"results_called", "results_called"}},
		{"anthropic", "anthropic-messages", list(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}`), list(`{"role":"user","content":` + opening + `}`), []string{"results_called", "results_called"}},
		{"bedrock", "bedrock-converse", list(`{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[]}}]}`), list(`{"role":"user","content":[{"text":` + opening + `}]}`), []string{"results_called", "results_called"}},
		{"gemini", "gemini-contents", list(`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}`), list(`{"role":"user","parts":[{"text":` + opening + `}]}`), []string{"results_called", "results_called"}},
		{"responses", "openai-responses", list(`{"type":"function_call_output","call_id":"a","output":"1"}`), list(`{"type":"message","role":"user","content":[{"type":"input_text","text":` + opening + `}]}`), []string{"results_called", "results_called"}},
	} {
		repairs(t, c)
	}
}

// What has to hold something, and what may do with an empty text.
func TestRepairEmpty(t *testing.T) {
	const user = `{"role":"user","content":"go"}`
	for _, c := range []repairCase{
		{"bedrock: a last answer", "bedrock-converse", list(`{"role":"user","content":[{"text":"go"}]}`, `{"role":"assistant","content":[]}`), list(`{"role":"user","content":[{"text":"go"}]}`), []string{"not_empty"}},
		{"anthropic: a last answer", "anthropic-messages", list(user, `{"role":"assistant","content":[]}`), list(user, `{"role":"assistant","content":[]}`), nil},
		{"anthropic: it is last no more behind the result of its turn", "anthropic-messages", list(user, useOf("a"), `{"role":"assistant","content":[]}`), list(user, useOf("a"), `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"`+noResult+`"}]}`), []string{"calls_answered", "not_empty"}},
		{"chat: a result", "openai-chat", list(user, chatCalls("a"), `{"role":"tool","tool_call_id":"a"}`), list(user, chatCalls("a"), `{"role":"tool","tool_call_id":"a","content":""}`), []string{"not_null"}},
		{"chat: nothing but reasoning", "openai-chat", list(user, `{"role":"assistant","content":null,"reasoning_content":"h"}`), list(user, `{"role":"assistant","content":"","reasoning_content":"h"}`), []string{"not_null"}},
	} {
		repairs(t, c)
	}
}

// A reference may be reasoning, or a call: a compaction keeps it with what follows.
func TestReferencesStay(t *testing.T) {
	long := strings.Repeat("the lexer fails on line 118 of the parser ", 60)
	for _, c := range []struct {
		name  string
		items []string
		keep  string
		want  string
	}{
		{
			"an output of a call that is a reference",
			[]string{`{"role":"user","content":"` + long + `"}`, `{"type":"item_reference","id":"rs_1"}`, `{"type":"item_reference","id":"sh_1"}`, `{"type":"shell_call_output","call_id":"a","output":[]}`, `{"type":"item_reference","id":"msg_1"}`, `{"role":"user","content":"next"}`},
			"3", `{"type":"item_reference","id":"rs_1"},{"type":"item_reference","id":"sh_1"},{"type":"shell_call_output","call_id":"a","output":[]},{"type":"item_reference","id":"msg_1"},{"role":"user","content":"next"}]`,
		},
		{
			"a call behind a reference",
			[]string{`{"role":"user","content":"` + long + `"}`, `{"type":"item_reference","id":"rs_1"}`, `{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}`, `{"type":"function_call_output","call_id":"a","output":"1"}`, `{"role":"user","content":"next"}`},
			"2", `{"type":"item_reference","id":"rs_1"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"1"},{"role":"user","content":"next"}]`,
		},
	} {
		res, err := core.Compact(core.Request{
			Transcript: []byte(list(c.items...)), Format: "openai-responses", Force: true, Policy: []byte(`{"lait":{"trigger_rounds":1,"keep_last_n":` + c.keep + `}}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Compacted || !strings.HasSuffix(string(res.Transcript), c.want) || len(res.Receipt.Defects) > 0 {
			t.Errorf("%s: %v %+v\n%s", c.name, res.Compacted, res.Receipt.Defects, res.Transcript)
		}
	}
}
