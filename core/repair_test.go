package core_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// Each case is something a provider refuses, what a repair makes of it, and the
// codes of what it says it did. Wanted transcripts are written by hand.
func TestRepair(t *testing.T) {
	const user, done = `{"role":"user","content":"go"}`, `{"role":"assistant","content":"done"}`
	for _, c := range []repairCase{
		{
			"nothing to mend", "openai-chat", "[ " + user + ",\n" + done + "]", "[ " + user + ",\n" + done + "]", nil,
		},
		{
			"a result without its call", "openai-chat",
			`[{"role":"tool","tool_call_id":"x","content":"r"}, ` + user + `]`,
			`[` + user + `]`,
			[]string{"results_called"},
		},
		{
			"a call without a result, beside one that has its own", "openai-chat",
			`[` + user + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"b","content":"r"},` + done + `]`,
			`[` + user + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"b","content":"r"},{"role":"tool","tool_call_id":"a","content":"(This call was not answered: no result of it is known.)"},` + done + `]`,
			[]string{"calls_answered"},
		},
		{
			"a result that came late", "openai-chat",
			`[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},` + user + `,{"role":"tool","tool_call_id":"a","content":"r"},` + done + `]`,
			`[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"},` + user + `,` + done + `]`,
			[]string{"results_follow"},
		},
		{
			"an exact copy, as a resumed session has it", "anthropic-messages",
			`[` + user + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}]`,
			`[` + user + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}]`,
			[]string{"unique_ids"},
		},
		{
			"a server that counts its ids anew: nothing is wrong with that", "openai-chat",
			`[` + user + `,{"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"queued"},` +
				`{"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"failed"},` +
				`{"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"f","arguments":"{}"}}]}]`,
			`[` + user + `,{"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"queued"},` +
				`{"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"failed"},` +
				`{"role":"assistant","tool_calls":[{"id":"call_0","function":{"name":"f","arguments":"{}"}}]}]`,
			nil,
		},
		{
			"one id twice in one message: its results are told apart by their order", "anthropic-messages",
			`[` + user + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"a","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"a","content":"2"}]},` + done + `]`,
			`[` + user + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"a_2","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"a_2","content":"2"}]},` + done + `]`,
			[]string{"unique_ids", "unique_ids"},
		},
		{
			"a result before its call", "openai-chat",
			`[` + user + `,{"role":"tool","tool_call_id":"a","content":"r"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},` + done + `]`,
			`[` + user + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"},` + done + `]`,
			[]string{"results_follow"},
		},
		{
			"an empty answer is content", "openai-chat",
			`[` + user + `,{"role":"assistant","content":""},{"role":"user","content":"?"}]`, `[` + user + `,{"role":"assistant","content":""},{"role":"user","content":"?"}]`, nil,
		},
		{
			"anthropic: an orphan beside a text, no first user, one id twice", "anthropic-messages",
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"n":2}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"2"}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"zz","content":"3"}, {"type":"text","text":"and now?"}]}]`,
			`[{"role":"user","content":"(The beginning of this conversation is not shown.)"},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"a_2","name":"f","input":{"n":2}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a_2","content":"2"}]},` +
				`{"role":"user","content":[{"type":"text","text":"and now?"}]}]`,
			[]string{"results_called", "unique_ids", "unique_ids", "first_role"},
		},
		{
			"responses: reasoning alone, an output without a call, a call without an output", "openai-responses",
			`[{"type":"message","role":"user","content":"go"},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","role":"user","content":"?"},` +
				`{"type":"function_call_output","call_id":"q","output":"r"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"message","role":"user","content":"!"}]`,
			`[{"type":"message","role":"user","content":"go"},{"type":"message","role":"user","content":"?"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"(This call was not answered: no result of it is known.)"},` +
				`{"type":"message","role":"user","content":"!"}]`,
			[]string{"results_called", "reasoning_with_item", "calls_answered"},
		},
		{
			"bedrock: two users in a row, and half of the results", "bedrock-converse",
			`{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"user","content":[{"text":"b"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}},{"toolUse":{"toolUseId":"t2","name":"f","input":{}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"t2","content":[{"text":"r"}]}}]},{"role":"assistant","content":[{"text":"ok"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]}}`,
			"",
			[]string{"calls_answered", "alternation", "alternation"},
		},
		{
			"lines that are no JSON", "openai-chat",
			user + "\n{\"role\": \"assi\n" + done + "\n", user + "\n" + done + "\n",
			[]string{"malformed_line"},
		},
	} {
		repairs(t, c)
	}
}

// repairCase is a broken transcript, what a repair makes of it ("" is not looked
// at), and the codes of what it says it did.
type repairCase struct {
	name, format, in, want string
	codes                  []string
}

func repairs(t *testing.T, c repairCase) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		req := core.Request{Transcript: []byte(c.in), Format: c.format, Text: !json.Valid([]byte(c.in)), Repair: true}
		res, err := core.Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		if c.want != "" && string(res.Transcript) != c.want {
			t.Errorf("repaired\n%s\nwant\n%s", res.Transcript, c.want)
		}
		var codes []string
		for _, r := range res.Repaired {
			codes = append(codes, r.Code)
			if !strings.HasPrefix(r.Path, "transcript") || r.Message == "" {
				t.Errorf("%+v", r)
			}
		}
		slices.Sort(codes)
		slices.Sort(c.codes)
		if !slices.Equal(codes, c.codes) {
			t.Errorf("codes %v, want %v", codes, c.codes)
		}
		if len(res.Receipt.Defects) > 0 {
			t.Errorf("defects are left: %+v in\n%s", res.Receipt.Defects, res.Transcript)
		}
		// What is mended stays as it is.
		again, err := core.Compact(core.Request{Transcript: res.Transcript, Format: c.format, Text: req.Text, Repair: true})
		if err != nil || string(again.Transcript) != string(res.Transcript) || len(again.Repaired) > 0 {
			t.Errorf("a second repair: %v, %+v", err, again.Repaired)
		}
	})
}

// Without being asked nothing is mended, and the defect is named.
func TestRepairOnRequest(t *testing.T) {
	src := `[{"role":"tool","tool_call_id":"x","content":"r"},{"role":"user","content":"go"}]`
	res, err := core.Compact(core.Request{Transcript: []byte(src)})
	if err != nil {
		t.Fatal(err)
	}
	if string(res.Transcript) != src || len(res.Receipt.Defects) != 1 || res.Receipt.Defects[0].Code != "results_called" || res.Repaired != nil {
		t.Errorf("%s, %+v", res.Transcript, res.Receipt.Defects)
	}
}

// The lines that were taken out come back beside the result.
func TestRepairAside(t *testing.T) {
	src := "{\"role\":\"user\",\"content\":\"a\"}\n\nnot json\xff\n{\"role\":\"assistant\",\"content\":\"b\"}\n{\"role\":"
	res, err := core.Compact(core.Request{Transcript: []byte(src), Text: true, Repair: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Aside) != 2 || res.Aside[0].Line != 3 || res.Aside[1].Line != 5 || res.Aside[1].Text != `{"role":` {
		t.Errorf("aside %+v", res.Aside)
	}
	if want := "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"assistant\",\"content\":\"b\"}"; strings.TrimSpace(string(res.Transcript)) != want {
		t.Errorf("left is %q", res.Transcript)
	}
}
