package core_test

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// Where results stand, and what of the provider's own tools is whole.
func TestRepairPlaces(t *testing.T) {
	const (
		user, said = `{"role":"user","content":"go"}`, `{"role":"assistant","content":"done"}`
		text       = `{"type":"text","text":"stop"}`
		useA, useB = `{"type":"tool_use","id":"a","name":"f","input":{}}`, `{"type":"tool_use","id":"b","name":"f","input":{}}`
		gaveA      = `{"type":"tool_result","tool_use_id":"a","content":"1"}`
		gaveB      = `{"type":"tool_result","tool_use_id":"b", "content":[{"type":"text","text":"2"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]}`
		search     = `{"type":"server_tool_use","id":"srv1","name":"web_search","input":{"query":"q"}}`
		found      = `{"type":"web_search_tool_result","tool_use_id":"srv1","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"E"}]}`
	)
	model := func(blocks ...string) string {
		return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
	}
	person := func(blocks ...string) string {
		return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
	}
	list := func(items ...string) string { return "[" + strings.Join(items, ",") + "]" }
	const anthropic, inUser = "anthropic-messages", "results_in_user"
	for _, c := range []repairCase{
		{
			"text before results in one message", anthropic,
			list(user, model(useA, useB), person(text, gaveA, gaveB), said),
			list(user, model(useA, useB), person(gaveA, gaveB, text), said),
			[]string{inUser},
		},
		{
			"a result behind a result and text: the message's own order of results stays", anthropic,
			list(user, model(useA, useB), person(gaveB, text, gaveA), said),
			list(user, model(useA, useB), person(gaveB, gaveA, text), said),
			[]string{inUser},
		},
		{
			"a late result beside text", anthropic,
			list(user, model(useA), user, model(`{"type":"text","text":"hm"}`), person(gaveA, text), said),
			list(user, model(useA), person(gaveA), user, model(`{"type":"text","text":"hm"}`), person(text), said),
			[]string{inUser},
		},
		{
			"of two results one is late", anthropic,
			list(user, model(useA), user, model(useB), person(gaveA, gaveB, text), said),
			list(user, model(useA), person(gaveA), user, model(useB), person(gaveB, text), said),
			[]string{inUser},
		},
		{
			"a result behind a message of text in the same turn", anthropic,
			list(user, model(useA), user, person(text, gaveA), said),
			list(user, model(useA), person(gaveA), user, person(text), said),
			[]string{inUser},
		},
		{
			"results of two messages of one turn: nothing is wrong", anthropic,
			list(user, model(useA), model(useB), person(gaveA), person(gaveB, text), said),
			list(user, model(useA), model(useB), person(gaveA), person(gaveB, text), said),
			nil,
		},
		{
			"a result in the assistant's message", anthropic,
			list(user, model(useA, gaveA, text), user),
			list(user, model(useA, text), person(gaveA), user),
			[]string{inUser},
		},
		{
			"a result in an assistant message of its own", anthropic,
			list(user, model(useA), model(gaveA), user),
			list(user, model(useA), person(gaveA), user),
			[]string{inUser},
		},
		{
			"a turn that was paused goes on with the result", anthropic,
			list(user, model(search), model(found, text), user),
			list(user, model(search), model(found, text), user),
			nil,
		},
		{
			"a search that still runs", anthropic,
			list(user, model(search)),
			list(user, model(search)),
			nil,
		},
		{
			"what a search found, without the search", anthropic,
			list(user, model(found, text), user, model(found), user),
			list(user, model(text), user, user),
			[]string{"results_called", "results_called"},
		},
		{
			"a search that found nothing, and the turn went on", anthropic,
			list(user, model(text, search), user, model(`{"type":"server_tool_use","id":"srv2","name":"web_search","input":{}}`), user),
			list(user, model(text), user, user),
			[]string{"calls_answered", "calls_answered"},
		},
		{
			"bedrock: text before results", "bedrock-converse",
			list(`{"role":"user","content":[{"text":"u"}]}`, `{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}`, `{"x":1,"role":"user","content":[{"text":"t"}, {"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}},{"cachePoint":{"type":"default"}}]}`),
			list(`{"role":"user","content":[{"text":"u"}]}`, `{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}`, `{"x":1,"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}},{"text":"t"},{"cachePoint":{"type":"default"}}]}`),
			[]string{inUser},
		},
		{
			"bedrock: a late result beside text joins the message that follows the call", "bedrock-converse",
			list(`{"role":"user","content":[{"text":"u"}]}`, `{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}`, `{"role":"user","content":[{"text":"v"}]}`, `{"role":"assistant","content":[{"text":"hm"}]}`, `{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}},{"text":"t"}]}`),
			list(`{"role":"user","content":[{"text":"u"}]}`, `{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}`, `{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}},{"text":"v"}]}`, `{"role":"assistant","content":[{"text":"hm"}]}`, `{"role":"user","content":[{"text":"t"}]}`),
			[]string{inUser, "alternation"},
		},
		{
			"chat: a system message between two parallel results", "openai-chat",
			list(user, chatCalls("a", "b"), chatGave("a", "1"), `{"role":"system","content":"s"}`, chatGave("b", "2"), said),
			list(user, chatCalls("a", "b"), chatGave("a", "1"), chatGave("b", "2"), `{"role":"system","content":"s"}`, said),
			[]string{"results_follow"},
		},
		{
			"chat: one message with two calls of one id, and two results", "openai-chat",
			list(user, chatCalls("a", "a"), chatGave("a", "1"), chatGave("a", "2"), said),
			list(user, chatCalls("a", "a_2"), chatGave("a", "1"), chatGave("a_2", "2"), said),
			[]string{"results_called", "results_called"},
		},
	} {
		repairs(t, c)
	}
}

func chatCalls(ids ...string) string {
	var calls []string
	for _, id := range ids {
		calls = append(calls, `{"id":"`+id+`","function":{"name":"f","arguments":"{}"}}`)
	}
	return `{"role":"assistant","tool_calls":[` + strings.Join(calls, ",") + `]}`
}

func chatGave(id, text string) string {
	return `{"role":"tool","tool_call_id":"` + id + `","content":"` + text + `"}`
}

// The ids of Responses items: exact copies go, others get another id, and what is
// bound to its id loses it.
func TestRepairItemIDs(t *testing.T) {
	const name, code = "openai-responses", "unique_item_ids"
	u := `{"type":"message","id":"msg_1","role":"user","content":"u"}`
	for _, c := range []repairCase{
		{
			"messages", name,
			"[" + u + `,{"type":"message", "id":"msg_1","role":"assistant","content":"a"},` + u + `,{"id":"msg_1","role":"user","content":"v"}, {"type":"message","id":"msg_1_2","role":"user","content":"w"}]`,
			"[" + u + `,{"type":"message", "id":"msg_1_3","role":"assistant","content":"a"},{"id":"msg_1_4","role":"user","content":"v"}, {"type":"message","id":"msg_1_2","role":"user","content":"w"}]`,
			[]string{code, code, code},
		},
		{
			"a call keeps the id that its output names", name,
			"[" + u + `,{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"r"},{"type":"function_call","id":"fc_1","call_id":"d","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"d","output":"r"}]`,
			"[" + u + `,{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"r"},{"type":"function_call","id":"fc_1_2","call_id":"d","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"d","output":"r"}]`,
			[]string{code},
		},
		{
			"what only the provider reads", name,
			"[" + u + `,{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"},{"role":"assistant","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"F"},{"role":"assistant","content":"b"}]`,
			"[" + u + `,{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"},{"role":"assistant","content":"a"},{"type":"reasoning","summary":[],"encrypted_content":"F"},{"role":"assistant","content":"b"}]`,
			[]string{code},
		},
		{
			"a reference to an item that is there", name,
			"[" + u + `,{"type":"item_reference","id":"msg_1"},{"role":"assistant","content":"a"}]`,
			"[" + u + `,{"role":"assistant","content":"a"}]`,
			[]string{code},
		},
		{
			"reasoning that has no id leads to nothing that anybody knows", name,
			"[" + u + `,{"type":"reasoning","summary":[],"encrypted_content":"E"},{"role":"user","content":"v"}]`,
			"[" + u + `,{"type":"reasoning","summary":[],"encrypted_content":"E"},{"role":"user","content":"v"}]`,
			nil,
		},
	} {
		repairs(t, c)
	}
}

// The message before a session that begins with an answer is no summary: a
// program that shows the session would hide it, and a later compaction fold it as
// one.
func TestRepairSessionOpening(t *testing.T) {
	line := func(uuid, parent, kind, message string) string {
		return `{"parentUuid":` + parent + `,"isSidechain":false,"type":"` + kind + `","uuid":"` + uuid + `","timestamp":"T","sessionId":"S","message":` + message + "}\n"
	}
	src := line("a", "null", "assistant", `{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hello"}],"usage":{"input_tokens":1,"output_tokens":1}}`) +
		line("b", `"a"`, "user", `{"role":"user","content":"go on"}`)
	for _, rewrite := range []bool{false, true} {
		res, err := core.Compact(core.Request{Transcript: []byte(src), Format: "claude-code", Text: true, Repair: true, Rewrite: rewrite})
		if err != nil {
			t.Fatal(err)
		}
		if out := string(res.Transcript); !strings.Contains(out, "The beginning of this conversation is not shown") || strings.Contains(out, "isCompactSummary") {
			t.Errorf("rewrite %v:\n%s", rewrite, out)
		}
	}
}
