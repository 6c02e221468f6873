package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

const clineEnv = `{"type":"text","text":"<environment_details>\n# Time\n</environment_details>"}`

// clineXML is a task of a model that calls tools in XML: output in the header's
// text or in one of its own, a person's answer, a refusal, a call that is cut off,
// and one that nobody carried out.
const clineXML = `[
 {"role":"user","content":[{"type":"text","text":"<task>\nFix it\n</task>"},` + clineEnv + `]},
 {"role":"assistant","content":[{"type":"text","text":"Look.\n\n<read_file>\n<path>a.go</path>\n</read_file>"}]},
 {"role":"user","content":[{"type":"text","text":"[read_file for 'a.go'] Result:"},{"type":"text","text":"package a"},` + clineEnv + `]},
 {"role":"assistant","content":"<write_to_file>\n<path>b</path>\n<content>\n<p>x</p>\n</write_to_file>\n</content>\n</write_to_file>"},
 {"role":"user","content":[{"type":"text","text":"[write_to_file for 'b'] Result:"},{"type":"text","text":"The user denied this operation.\n<feedback>\nNot there\n</feedback>"},` + clineEnv + `]},
 {"role":"assistant","content":[{"type":"text","text":"<ask_followup_question><question>Where?</question></ask_followup_question>"}]},
 {"role":"user","content":[{"type":"text","text":"[ask_followup_question for 'Where?'] Result:\n<answer>\nHere\n</answer>"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJDRA=="}}]},
 {"role":"assistant","content":[{"type":"text","text":"A <b>word</b>.\n<execute_command>\n<command>ls</command>"}]},
 {"role":"user","content":[{"type":"text","text":"[ERROR] You did not use a tool."},` + clineEnv + `]},
 {"role":"assistant","content":[{"type":"text","text":"<list_files>\n<path>.</path>\n</list_files>"}]},
 {"role":"user","content":[{"type":"text","text":"[list_files for '.'] Result:\nThe tool execution failed with the following error:\n<error>x</error>"},` + clineEnv + `]},
 {"role":"assistant","content":[{"type":"text","text":"<list_files>\n<path>e</path>\n</list_files>"}]},
 {"role":"user","content":[{"type":"text","text":"[list_files for 'e'] Result:"},` + clineEnv + `]},
 {"role":"assistant","content":[{"type":"text","text":"<list_files>\n<path>c</path>\n</list_files>"}]},
 {"role":"user","content":[{"type":"text","text":"[TASK RESUMPTION] Was interrupted.\n<user_message>\nGo on\n</user_message>"}]}
]`

// clineNative calls tools with blocks, whose results are texts: one call is
// carried out after the other, and one was given up.
const clineNative = `[
 {"role":"user","content":[{"type":"text","text":"Hello"}],"ts":1000},
 {"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"s","summary":[]},{"type":"text","text":"See."},{"type":"tool_use","id":"t1","name":"read_file","input":{"path":"a"},"call_id":"x"},{"type":"tool_use","id":"t2","name":"use_subagents","input":{}},{"type":"tool_use","id":"t3","name":"read_file","input":{"path":"b"}}],"modelInfo":{"modelId":"m1","providerId":"p"},"metrics":{"tokens":1},"ts":1010},
 {"role":"user","content":[{"type":"text","text":"[read_file for 'a'] Result:\nA"},{"type":"text","text":"[subagents] Result: 1 of 1\nB"},{"type":"text","text":"[execute_command for 'x'] Result:\nC"},` + clineEnv + `],"ts":1020},
 {"role":"assistant","content":[{"type":"tool_use","id":"t4","name":"read_file","input":{}},{"type":"tool_use","id":"t5","name":"list_files","input":{}}],"ts":1030},
 {"role":"user","content":[{"type":"text","text":"[list_files for 'c'] Result:\nD"},` + clineEnv + `],"ts":1040},
 {"role":"user","content":[{"type":"text","text":"[list_files for 'c'] Result:\nE"}],"ts":1041},
 {"role":"assistant","content":[{"type":"tool_use","id":"t6","name":"read_file","input":{}}],"ts":1050}
]`

// clineSDK is a session of the SDK.
const clineSDK = `{"version":1,"sessionId":"s1","system_prompt":"SYS","messages":[
 {"id":"msg_a","role":"user","content":[{"type":"text","text":"Do"},{"type":"file","path":"/w/a","content":"text of a"}],"ts":1000},
 {"id":"msg_b","role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"s"},{"type":"tool_use","id":"t1","name":"bash","input":{"c":1}},{"type":"tool_use","id":"t2","name":"ask_followup_question","input":{"c":2}}],"ts":1010,"modelInfo":{"id":"m1","provider":"p"}},
 {"id":"msg_c","role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"{\"stdout\":1}","is_error":true},{"type":"tool_result","tool_use_id":"t2","name":"ask_followup_question","content":[{"type":"text","text":"<answer>r2</answer>"}]},` + clineEnv + `],"ts":1020},
 {"id":"msg_d","role":"user","content":"<SYSTEM_NOTICE>\nEarlier context was compacted. Left: x","ts":1030},
 {"id":"msg_e","role":"user","content":[{"type":"text","text":"Context summary:\n\nS"}],"ts":1040,"metadata":{"kind":"compaction_summary","summary":"S","tokensBefore":9}},
 {"id":"msg_f","role":"assistant","content":[{"type":"tool_use","id":"t3","name":"bash","input":{}}],"ts":1050}
]}`

// clineRoo is a history of Roo Code: b and c were condensed into S, S, d and e
// into T, and f is hidden by the mark M. g's summary is not there.
const clineRoo = `[
 {"role":"user","content":"<task>a</task>","ts":1},
 {"role":"assistant","content":"b","ts":2,"condenseParent":"S"},
 {"role":"user","content":"c","ts":3,"condenseParent":"S"},
 {"role":"user","content":[{"type":"text","text":"S"}],"ts":4,"isSummary":true,"condenseId":"S","condenseParent":"T"},
 {"role":"assistant","content":[{"type":"reasoning","text":"why"},{"type":"text","text":"d"}],"ts":5,"condenseParent":"T"},
 {"role":"user","content":"e","ts":6,"condenseParent":"T"},
 {"role":"user","content":[{"type":"text","text":"T"}],"ts":7,"isSummary":true,"condenseId":"T"},
 {"role":"assistant","content":"f","ts":8,"truncationParent":"M"},
 {"role":"user","content":"M","ts":9,"isTruncationMarker":true,"truncationId":"M"},
 {"role":"assistant","content":[{"type":"reasoning","text":"why"},{"type":"text","text":"g"}],"ts":10,"condenseParent":"gone"}
]`

func TestClineItems(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"XML", clineXML, `
[0] user | text "<task>\nFix it\n</task>" | other "<environment_details>\n# Time\n</environment_details>" [real]
[1] assistant | text "Look.\n\n" | call read_file "{\"path\":\"a.go\"}"
[2] user | text "[read_file for 'a.go'] Result:" | result read_file "package a" | other "<environment_details>\n# Time\n</environment_details>" [fragment]
[3] assistant | text | call write_to_file "{\"path\":\"b\",\"content\":\"<p>x</p>\\n</write_to_file>\"}" server
[4] user | text "[write_to_file for 'b'] Result:" | text "The user denied this operation.\n<feedback>\nNot there\n</feedback>" | other "<environment_details>\n# Time\n</environment_details>" [real]
[5] assistant | text | call ask_followup_question "{\"question\":\"Where?\"}" server
[6] user | text "[ask_followup_question for 'Where?'] Result:\n<answer>\nHere\n</answer>" | image 8B [real]
[7] assistant | text "A <b>word</b>.\n<execute_command>\n<command>ls</command>"
[8] user | text "[ERROR] You did not use a tool." | other "<environment_details>\n# Time\n</environment_details>" [fragment]
[9] assistant | text | call list_files "{\"path\":\".\"}"
[10] user | result list_files "The tool execution failed with the following error:\n<error>x</error>" failed | other "<environment_details>\n# Time\n</environment_details>" [fragment]
[11] assistant | text | call list_files "{\"path\":\"e\"}"
[12] user | result list_files | other "<environment_details>\n# Time\n</environment_details>" [fragment]
[13] assistant | text | call list_files "{\"path\":\"c\"}" server
[14] user | text "[TASK RESUMPTION] Was interrupted.\n<user_message>\nGo on\n</user_message>" [real]`},
		{"blocks with texts", clineNative, `
[0] user | text "Hello" [real]
[1] assistant | thinking "Hm" signed | text "See." | call #t1 read_file "{\"path\":\"a\"}" | call #t2 use_subagents "{}" | call #t3 read_file "{\"path\":\"b\"}"
[2] user | result #t1 read_file "A" | result #t2 use_subagents "B" | result #t3 read_file "C" | other "<environment_details>\n# Time\n</environment_details>" [fragment]
[3] assistant | call #t4 read_file "{}" server | call #t5 list_files "{}"
[4] user | result #t5 list_files "D" | other "<environment_details>\n# Time\n</environment_details>" [fragment]
[5] user | text "[list_files for 'c'] Result:\nE" [fragment]
[6] assistant | call #t6 read_file "{}"`},
		{"SDK", clineSDK, `
.messages[0] user | text "Do" | file "text of a" [real]
.messages[1] assistant | thinking "Hm" signed | call #t1 bash "{\"c\":1}" | call #t2 ask_followup_question "{\"c\":2}"
.messages[2] user | result #t1 bash "{\"stdout\":1}" failed | result #t2 ask_followup_question "<answer>r2</answer>" | other "<environment_details>\n# Time\n</environment_details>" [fragment]
.messages[3] user | text "<SYSTEM_NOTICE>\nEarlier context was compacted. Left: x" [fragment]
.messages[4] user | text "Context summary:\n\nS" [summary]
.messages[5] assistant | call #t3 bash "{}"`},
		{"Roo", clineRoo, `
[0] user | text "<task>a</task>" [real]
[6] user | text "T" [summary]
[8] user | text "M" [real]
[9] assistant | thinking "why" | text "g"`},
	} {
		d := mustDecode(t, c.src, Options{})
		if got := showAll(d); d.Format != "cline" || got != c.want {
			t.Errorf("%s: %s is%s\nwant%s", c.name, d.Format, got, c.want)
		}
		// No call is open but one of the last message, and nothing is a defect:
		// that no block answers a block is this harness's way.
		p := transcript.Pair(d.Transcript)
		for i, open := range p.Open {
			if open != (i == len(d.Items)-1 && d.Items[i].Has(transcript.Call)) {
				t.Errorf("%s: item %d is open: %v", c.name, i, open)
			}
		}
		if len(p.Orphans)+len(p.Unanswered) > 0 {
			t.Errorf("%s: %+v", c.name, p)
		}
		holds(t, []byte(c.src), Options{})
	}
	sdk := mustDecode(t, clineSDK, Options{})
	if !sdk.Items[3].Parts[0].Summary || sdk.System != "SYS" || sdk.Model != "m1" || mustDecode(t, clineNative, Options{}).Model != "m1" {
		t.Errorf("notice %v, system %q, model %q", sdk.Items[3].Parts[0].Summary, sdk.System, sdk.Model)
	}
	for i := range sdk.Items { // what only the harness reads is not sent
		for _, hidden := range []string{"msg_", `"ts"`, "modelInfo", "tokensBefore"} {
			if strings.Contains(string(sdk.Items[i].Sent()), hidden) {
				t.Errorf("%s is sent in %s", hidden, sdk.Items[i].Sent())
			}
		}
	}
	// Where results are blocks, a call without one is the defect that it is.
	broken := mustDecode(t, strings.Replace(clineSDK, `"tool_use_id":"t2"`, `"tool_use_id":"t9"`, 1), Options{})
	if p := transcript.Pair(broken.Transcript); len(p.Orphans) != 1 || len(p.Unanswered) != 1 || broken.Items[2].Parts[1].Name != "ask_followup_question" {
		t.Errorf("%+v", p)
	}
	roo := mustDecode(t, clineRoo, Options{})
	if e := roo.Verdict.Evidence; e[len(e)-1] != "condensed messages, which are not sent: 6 messages" {
		t.Errorf("evidence %q", e)
	}
}

// What says that a list is Cline's is a message that only Cline writes; what a
// person reads there, and what Cline sent to an API, is something else.
func TestClineDetected(t *testing.T) {
	for _, more := range []string{`"model":"m"`, `"max_tokens":9`} {
		if d := mustDecode(t, `{`+more+`,"messages":`+clineNative+`}`, Options{}); d.Format != "anthropic-messages" {
			t.Errorf("a request with %s is %s", more, d.Format)
		}
	}
	if d := mustDecode(t, `{"messages":`+clineNative+`}`, Options{Format: "cline"}); len(d.Items) != 7 {
		t.Errorf("%d items of a history in messages", len(d.Items))
	}
	for _, c := range []struct{ src, want string }{
		{`[{"role":"user","content":"` + environmentTag + `x"}]`, "cline 0.99 array: [0] has <environment_details>"},
		{`[{"role":"user","content":"[read_file for 'a'] Result:\nA"}]`, "cline 0.99 array: [0] has the result of a tool as a text"},
		{`[{"role":"user","content":"a"},{"role":"assistant","content":"b","ts":1,"modelInfo":{}}]`, "cline 0.99 array: [1] has ts and modelInfo"},
		{`[{"role":"user","content":"a","ts":1,"condenseId":"x"}]`, "cline 0.99 array: [0] has a mark of a condensed history"},
		{`{"sessionId":"s","system_prompt":"p","messages":[{"role":"user","content":"a"}]}`, "cline 0.98 request: it has sessionId, system_prompt and messages"},
		// Somebody else's results, words about them, and other formats' messages.
		{`[{"role":"user","content":"[grep for 'a'] Result:\nA"}]`, "openai-chat"},
		{`[{"role":"user","content":"A [read_file for 'a'] Result: is what?"}]`, "openai-chat"},
		{`[{"role":"user","content":"[read_file] reads [x] Result: y"}]`, "openai-chat"},
		{`[{"role":"assistant","content":"a","ts":1,"modelInfo":{},"tool_calls":[]},{"role":"tool","content":"<environment_details>","tool_call_id":"x"}]`, "openai-chat"},
	} {
		if got := verdict(t, c.src); got != c.want && !strings.HasPrefix(got, c.want+" ") {
			t.Errorf("%s\n%s, want %s", c.src, got, c.want)
		}
	}
	for _, c := range []struct {
		src, code, msg string
		opt            Options
	}{
		{`[{"ts":1,"type":"say","say":"text","text":"a"},{"ts":2,"type":"ask","ask":"tool","text":"{}"}]`, "unsupported_format", "transcript: is the UI log of Cline", Options{}},
		{`[{"role":5,"content":"a"}]`, "invalid_request", "transcript[0].role: is a number, a string is wanted", Options{Format: "cline"}},
		{`[{"role":"user","content":5}]`, "invalid_request", "transcript[0].content: is a number, a string or a list of blocks is wanted", Options{Format: "cline"}},
		{`[{"role":"user","content":["a"]}]`, "invalid_request", "transcript[0].content[0]: is a string, an object is wanted", Options{Format: "cline"}},
		{`[{"role":"user","content":[{"type":"text","text":5}]}]`, "invalid_request", "transcript[0].content[0].text: is a number, a string is wanted", Options{Format: "cline"}},
		{`[{"role":"user","content":[{"type":"file","content":5}]}]`, "invalid_request", "transcript[0].content[0].content: is a number, a string is wanted", Options{Format: "cline"}},
		{`[{"role":"assistant","content":[{"type":"reasoning","text":5}]}]`, "invalid_request", "transcript[0].content[0].text: is a number, a string is wanted", Options{Format: "cline"}},
		{`[{"role":"assistant","content":[{"type":"tool_use","id":5}]}]`, "invalid_request", "transcript[0].content[0].id: is a number, a string is wanted", Options{Format: "cline"}},
	} {
		wantError(t, c.src, c.opt, c.code, c.msg)
	}
}

// A result that is a text keeps its header: without it the model would not know
// what the text is, nor Decode that it is a result.
func TestClineEdits(t *testing.T) {
	xml, native, sdk := mustDecode(t, clineXML, Options{}), mustDecode(t, clineNative, Options{}), mustDecode(t, clineSDK, Options{})
	for _, c := range []struct{ name, got, want string }{
		{
			"a result of one text", edited(native, 2, transcript.Edit{Part: 0, Text: "[gone]"}, transcript.Edit{Part: 1, Text: "[none]"}, transcript.Edit{Part: 2, Text: "[bad]"}),
			`{"role":"user","content":[{"type":"text","text":"[read_file for 'a'] Result:\n[gone]"},{"type":"text","text":"[subagents] Result: 1 of 1\n[none]"},{"type":"text","text":"[execute_command for 'x'] Result:\n[bad]"},` + clineEnv + `],"ts":1020}`,
		},
		{
			"a result behind its header", edited(xml, 2, transcript.Edit{Part: 1, Text: "[gone]"}),
			`{"role":"user","content":[{"type":"text","text":"[read_file for 'a.go'] Result:"},{"type":"text","text":"[gone]"},` + clineEnv + `]}`,
		},
		{
			"a result that is a block", edited(sdk, 2, transcript.Edit{Part: 1, Text: "[gone]"}),
			`{"id":"msg_c","role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"{\"stdout\":1}","is_error":true},{"type":"tool_result","tool_use_id":"t2","name":"ask_followup_question","content":"[gone]"},` + clineEnv + `],"ts":1020}`,
		},
		{
			"an input, and a thought goes", edited(sdk, 1, transcript.Edit{Part: 0, Drop: true}, transcript.Edit{Part: 2, Text: `{"cleared":1}`}),
			`{"id":"msg_b","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"bash","input":{"c":1}},{"type":"tool_use","id":"t2","name":"ask_followup_question","input":{"cleared":1}}],"ts":1010,"modelInfo":{"id":"m1","provider":"p"}}`,
		},
		{
			"a picture", edited(xml, 6, transcript.Edit{Part: 1, Text: "[a picture]"}),
			`{"role":"user","content":[{"type":"text","text":"[ask_followup_question for 'Where?'] Result:\n<answer>\nHere\n</answer>"},{"type":"text","text":"[a picture]"}]}`,
		},
		{"a call in XML has no place of its own", edited(xml, 1, transcript.Edit{Part: 1, Text: "{}"}), "false"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
	// What a result and a call are, they are in an item that was edited, too.
	out, ok := native.Writer.WithParts(&native.Items[1], []transcript.Edit{{Part: 0, Drop: true}})
	if got := show(&out); !ok || !strings.HasSuffix(got, ` assistant | text "See." | call #t1 read_file "{\"path\":\"a\"}" | call #t2 use_subagents "{}" | call #t3 read_file "{\"path\":\"b\"}"`) {
		t.Errorf("%v %s", ok, got)
	}
	out, ok = native.Writer.WithParts(&native.Items[2], []transcript.Edit{{Part: 1, Text: "[gone]"}})
	if got := show(&out); !ok || !strings.HasSuffix(got, ` user | result #t1 read_file "A" | result #t2 use_subagents "[gone]" | result #t3 read_file "C" | other "<environment_details>\n# Time\n</environment_details>" [fragment]`) {
		t.Errorf("%v %s", ok, got)
	}
	out, ok = xml.Writer.WithParts(&xml.Items[6], []transcript.Edit{{Part: 1, Text: "[a picture]"}})
	if !ok || !out.RealUser() {
		t.Errorf("%v %s", ok, show(&out))
	}
	aside := mustDecode(t, `[{"role":"user","content":[`+clineEnv+`,{"type":"image","source":{"type":"base64","data":"QUJD"}}]}]`, Options{})
	out, ok = aside.Writer.WithParts(&aside.Items[0], []transcript.Edit{{Part: 1, Text: "[a picture]"}})
	if !ok || !aside.Items[0].Fragment || !out.Fragment {
		t.Errorf("%v %s", ok, show(&out))
	}
	// A block says no name of its tool: that is the call's, before and after an edit.
	array := mustDecode(t, `[{"role":"user","content":"Go","ts":1},
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read_file","input":{}}],"ts":2,"modelInfo":{"modelId":"m"}},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"A"}],"ts":3}]`, Options{})
	for _, c := range []struct {
		d          *Document
		item, part int
		want       string
	}{
		{sdk, 2, 0, ` user | result #t1 bash "[gone]" failed | result #t2 ask_followup_question "<answer>r2</answer>" | other "<environment_details>\n# Time\n</environment_details>" [fragment]`},
		{array, 2, 0, ` user | result #t1 read_file "[gone]" [fragment]`},
	} {
		out, ok = c.d.Writer.WithParts(&c.d.Items[c.item], []transcript.Edit{{Part: c.part, Text: "[gone]"}})
		if got := show(&out); !ok || c.d.Format != "cline" || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s %v %s, want %s", c.d.Format, ok, got, c.want)
		}
	}
	// A call that waits for nothing waits for nothing in an item that was edited.
	out, ok = native.Writer.WithParts(&native.Items[3], []transcript.Edit{{Part: 1, Text: `{"x":1}`}})
	if !ok || !out.Parts[0].Server || out.Parts[0].Server != native.Items[3].Parts[0].Server {
		t.Errorf("%v %s", ok, show(&out))
	}
	// A text is one, whatever it looks like.
	out = native.Writer.WithText(&native.Items[2], "[read_file for 'a'] Result:\nA")
	if got := show(&out); !strings.HasSuffix(got, ` user | text "[read_file for 'a'] Result:\nA" [fragment]`) {
		t.Error(got)
	}
	// The note that a compaction without a model left goes with the next summary.
	out = sdk.Writer.WithoutSummary(&sdk.Items[3])
	if len(out.Parts) > 0 && out.Text() != "" {
		t.Errorf("%s", out.Raw)
	}
	// Only where results are blocks can a new one be written.
	if out, ok = sdk.Writer.Answer(&sdk.Items[5], 0, "none"); !ok || string(out.Raw) != `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"none"}]}` {
		t.Errorf("%v %s", ok, out.Raw)
	}
	if _, ok = native.Writer.Answer(&native.Items[6], 0, "none"); ok {
		t.Error("a block answers where Cline writes texts")
	}
}

func FuzzCline(f *testing.F) {
	fuzz(f, "cline", clineXML, clineNative, clineSDK, clineRoo, `{"sessionId":"s","system_prompt":"","messages":[]}`, `[{"role":"user","content":"[read_file] Result:"}]`,
		`[{"role":"assistant","content":"<read_file><a></read_file>"},{"role":"user","content":[{"type":"text","text":"[x] Result:"},{"type":"text","text":"y"}]}]`)
}
