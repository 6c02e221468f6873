package core_test

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// Messages of the AI SDK hold the results of their own calls: what is made up
// stands there, in the state that the SDK has for a call that went wrong.
func TestRepairWithin(t *testing.T) {
	const (
		stub  = `"(This call was not answered: no result of it is known.)"`
		asked = `{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]}`
		more  = `{"id":"3","role":"user","parts":[{"type":"text","text":"and?"}]}`
	)
	list := func(parts, rest string) string {
		return `[` + asked + `, {"id":"2","role":"assistant","parts":[{"type":"step-start"}, ` + parts + `]` + rest + `}, ` + more + `]`
	}
	for _, c := range []repairCase{
		{
			"two of three calls, one of them answered", "ai-sdk-ui",
			list(`{"type":"tool-look","toolCallId":"a","state":"input-available","input":{"x":1}},{"type":"tool-look","toolCallId":"b","state":"output-available","input":{},"output":"r"},{ "type":"dynamic-tool","toolName":"see","toolCallId":"c","state":"input-available" },{"type":"text","text":"so"}`, ""),
			list(`{"type":"tool-look","toolCallId":"a","state":"output-error","input":{"x":1},"errorText":`+stub+`},{"type":"tool-look","toolCallId":"b","state":"output-available","input":{},"output":"r"},{ "type":"dynamic-tool","toolName":"see","toolCallId":"c","state":"output-error","input":{},"errorText":`+stub+` },{"type":"text","text":"so"}`, ""),
			[]string{"calls_answered", "calls_answered"},
		},
		{
			"an approved call that never ran, and an error without its text", "ai-sdk-ui",
			list(`{"type":"tool-look","toolCallId":"a","state":"approval-responded","input":{},"approval":{"id":"p","approved":true}},{"type":"tool-look","toolCallId":"b","state":"output-error","rawInput":"x"},{"type":"tool-look","toolCallId":"c","state":"input-available","input":{},"errorText":null}`, ""),
			list(`{"type":"tool-look","toolCallId":"a","state":"output-error","input":{},"approval":{"id":"p","approved":true},"errorText":`+stub+`},{"type":"tool-look","toolCallId":"b","state":"output-error","rawInput":"x","errorText":`+stub+`},{"type":"tool-look","toolCallId":"c","state":"output-error","input":{},"errorText":`+stub+`}`, ""),
			[]string{"calls_answered", "calls_answered", "calls_answered"},
		},
		{
			"version 4, which repeats the call", "ai-sdk-ui",
			list(`{"type":"tool-invocation","toolInvocation":{"state":"call","toolCallId":"a","toolName":"look","args":{}}}`, `,"toolInvocations":[{"state":"call","toolCallId":"a","toolName":"look","args":{}}]`),
			list(`{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"a","toolName":"look","args":{},"result":`+stub+`}}`, `,"toolInvocations":[{"state":"result","toolCallId":"a","toolName":"look","args":{},"result":`+stub+`}]`),
			[]string{"calls_answered"},
		},
		{
			"version 3, without parts", "ai-sdk-ui",
			`[{"id":"1","role":"user","content":"go"},{"id":"2","role":"assistant","content":"","toolInvocations":[{"state":"partial-call","toolCallId":"a","toolName":"look"},{"state":"call","toolCallId":"a","toolName":"look","args":{}}]},{"id":"3","role":"user","content":"and?"}]`,
			`[{"id":"1","role":"user","content":"go"},{"id":"2","role":"assistant","content":"","toolInvocations":[{"state":"result","toolCallId":"a","toolName":"look","args":{},"result":` + stub + `},{"state":"result","toolCallId":"a","toolName":"look","args":{},"result":` + stub + `}]},{"id":"3","role":"user","content":"and?"}]`,
			[]string{"calls_answered", "calls_answered"},
		},
		{
			"a call whose input never came to its end, which the SDK does not send", "ai-sdk-ui",
			list(`{"type":"tool-look","toolCallId":"a","state":"input-streaming","input":{"x":1}},{"type":"dynamic-tool","toolName":"see","toolCallId":"c","state":"input-streaming"},{"type":"text","text":"so"}`, ""),
			list(`{"type":"tool-look","toolCallId":"a","state":"input-streaming","input":{"x":1}},{"type":"dynamic-tool","toolName":"see","toolCallId":"c","state":"input-streaming"},{"type":"text","text":"so"}`, ""),
			nil,
		},
		// What still waits is no defect: a person may take days, and the last call may
		// be at work.
		{
			"an approval that nobody gave, and a call at the end", "ai-sdk-ui",
			strings.TrimSuffix(list(`{"type":"tool-look","toolCallId":"a","state":"approval-requested","input":{},"approval":{"id":"p"}}`, ""), "]") + `,{"id":"4","role":"assistant","parts":[{"type":"tool-look","toolCallId":"b","state":"input-available","input":{}}]}]`,
			strings.TrimSuffix(list(`{"type":"tool-look","toolCallId":"a","state":"approval-requested","input":{},"approval":{"id":"p"}}`, ""), "]") + `,{"id":"4","role":"assistant","parts":[{"type":"tool-look","toolCallId":"b","state":"input-available","input":{}}]}]`,
			nil,
		},
		// Logs of harnesses may have calls without results: ATIF's validator wants a
		// call for each result, not the other way round, and a step of SWE-agent with an
		// action has an observation, an empty one at least.
		{
			"a step without observation", "atif",
			`{"schema_version":"ATIF-v1.6","steps":[{"step_id":1,"source":"user","message":"go"},{"step_id":2,"source":"agent","message":"","tool_calls":[{"tool_call_id":"a","function_name":"look","arguments":{}}]},{"step_id":3,"source":"user","message":"and?"}]}`,
			`{"schema_version":"ATIF-v1.6","steps":[{"step_id":1,"source":"user","message":"go"},{"step_id":2,"source":"agent","message":"","tool_calls":[{"tool_call_id":"a","function_name":"look","arguments":{}}]},{"step_id":3,"source":"user","message":"and?"}]}`,
			nil,
		},
		{
			"an empty observation", "swe-agent",
			`{"trajectory":[{"action":"ls","observation":"","response":"ls","thought":""},{"action":"","observation":"","response":"done","thought":"done"}]}`,
			`{"trajectory":[{"action":"ls","observation":"","response":"ls","thought":""},{"action":"","observation":"","response":"done","thought":"done"}]}`,
			nil,
		},
	} {
		repairs(t, c)
	}
}

// A call of a tool that the provider ran has a result that nobody else can give.
func TestRepairWithinLeaves(t *testing.T) {
	src := `[{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"2","role":"assistant","parts":[{"type":"tool-search","toolCallId":"a","state":"input-available","input":{},"providerExecuted":true},{"type":"text","text":"so"}]},{"id":"3","role":"user","parts":[{"type":"text","text":"and?"}]}]`
	res, err := core.Compact(core.Request{Transcript: []byte(src), Repair: true})
	if err != nil {
		t.Fatal(err)
	}
	if string(res.Transcript) != src || len(res.Repaired) > 0 {
		t.Errorf("%+v in\n%s", res.Repaired, res.Transcript)
	}
}
