package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// ohAnswer is an answer of two calls, as each of the two events keeps it.
const ohAnswer = `{"id":"r1","model":"gpt-4o","choices":[{"message":{"content":"Two looks.","role":"assistant","reasoning_content":"hm","tool_calls":[` +
	`{"id":"c1","type":"function","function":{"name":"execute_bash","arguments":"{\"command\":\"ls\"}"}},{"id":"c2","type":"function","function":{"name":"str_replace_editor","arguments":"{\"path\":\"/a\"}"}}]}}]}`

// ohServer are events of the server: what the model sees, and state beside it.
const ohServer = `[
{"id":0,"timestamp":"T0","source":"environment","message":"","observation":"agent_state_changed","content":"","extras":{"agent_state":"loading"}},
{"id":1,"timestamp":"T1","source":"agent","message":"S","action":"system","args":{"content":"S","tools":[{"type":"function"}]}},
{"id":2,"timestamp":"T2","source":"user","message":"Fix it.","action":"message","args":{"content":"Fix it.","image_urls":["data:image/png;base64,QUJDRA=="],"wait_for_response":false}},
{"id":3,"timestamp":"T3","source":"user","message":"Retrieving","action":"recall","args":{"query":"Fix it."}},
{"id":4,"timestamp":"T4","source":"environment","message":"Added","observation":"recall","content":"Added","cause":3,"extras":{}},
{"id":5,"timestamp":"T5","source":"agent","message":"Running","action":"run","args":{"command":"ls","thought":"Two looks."},"tool_call_metadata":{"function_name":"execute_bash","tool_call_id":"c1","model_response":` + ohAnswer + `,"total_calls_in_response":2},"llm_metrics":{}},
{"id":6,"timestamp":"T6","source":"agent","message":"Reading","action":"read","args":{"path":"/a","thought":""},"tool_call_metadata":{"function_name":"str_replace_editor","tool_call_id":"c2","model_response":` + ohAnswer + `,"total_calls_in_response":2}},
{"id":7,"timestamp":"T7","source":"agent","message":"ran","observation":"run","content":"a.py","cause":5,"tool_call_metadata":{"function_name":"execute_bash","tool_call_id":"c1"},"extras":{"command":"ls","metadata":{"exit_code":0,"suffix":""}},"success":true},
{"id":8,"timestamp":"T8","source":"agent","message":"bad","observation":"error","content":"no such file","cause":6,"extras":{}},
{"id":9,"timestamp":"T9","source":"user","message":"ls","action":"run","args":{"command":"pwd"}},
{"id":10,"timestamp":"T10","source":"agent","message":"ran","observation":"run","content":"/w","cause":9,"extras":{}},
{"id":11,"timestamp":"T11","source":"agent","message":"All done!","action":"finish","args":{"final_thought":"Fixed.","thought":""},"tool_call_metadata":{"function_name":"finish","tool_call_id":"c3"}}
]`

// ohLegacy is a row of an evaluation: no ids, arguments beside the action, and a
// pair of an action and its observation.
const ohLegacy = `{"instance_id":"i","history":[{"action":"message","content":"Fix it.","source":"user"},{"source":"agent","action":"run","command":"ls","thought":"Look."},{"source":"agent","observation":"run","content":"a.py","extras":{"exit_code":1}},` +
	`[{"source":"agent","action":"write","args":{"path":"/a","content":"x","thought":"Now."}},{"source":"agent","observation":"write","content":"ok"}]],"metrics":{}}`

// ohSDK are events of the SDK: two actions of one answer, a result that is an
// error, a rejection, and what no model sees.
const ohSDK = `{"kind":"SystemPromptEvent","id":"e0","timestamp":"T0","source":"agent","system_prompt":{"type":"text","text":"S"},"dynamic_context":{"type":"text","text":"D"},"tools":[{"name":"terminal"}]}
{"kind":"ConversationStateUpdateEvent","id":"e1","timestamp":"T1","source":"environment","key":"k","value":"v"}
{"kind":"MessageEvent","id":"e2","timestamp":"T2","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"Fix it."},{"type":"image","image_urls":["data:image/png;base64,QUJDRA=="]}]},"extended_content":[{"type":"text","text":"Rule."}]}
{"kind":"ActionEvent","id":"e3","timestamp":"T3","source":"agent","thought":[{"type":"text","text":"Two."}],"reasoning_content":"hm","thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"s"}],"action":{"kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":"c1","tool_call":{"id":"c1","name":"terminal","arguments":"{\"command\":\"ls\"}"},"llm_response_id":"r1"}
{"kind":"ActionEvent","id":"e4","timestamp":"T4","source":"agent","thought":[],"action":null,"tool_name":"terminal","tool_call_id":"c2","tool_call":{"id":"c2","type":"function","function":{"name":"terminal","arguments":"{}"}},"llm_response_id":"r1"}
{"kind":"ObservationEvent","id":"e5","timestamp":"T5","source":"environment","tool_name":"terminal","tool_call_id":"c1","observation":{"content":[{"type":"text","text":"a.py"}],"is_error":false,"metadata":{"exit_code":1,"suffix":"\n[The command completed with exit code 1.]"},"kind":"TerminalObservation"},"action_id":"e3"}
{"kind":"UserRejectObservation","id":"e6","timestamp":"T6","source":"environment","tool_name":"terminal","tool_call_id":"c2","rejection_reason":"no","action_id":"e4"}
{"kind":"ActionEvent","id":"e7","timestamp":"T7","source":"agent","thought":[],"action":{"kind":"X"},"tool_name":"x","tool_call_id":"c3","tool_call":{"id":"c3","name":"x","arguments":"{}"},"llm_response_id":"r2"}
{"kind":"AgentErrorEvent","id":"e8","timestamp":"T8","source":"agent","tool_name":"x","tool_call_id":"c3","error":"unknown tool"}
`

func TestOpenhandsItems(t *testing.T) {
	d := checkHarness(t, "openhands", ohServer, "[0] has source and observation; [1] has source and action; [2] has source and action", `
[1] system | text "S"
[2] user | text "Fix it." | image 8B [real]
[5] assistant | thinking "hm" | text "Two looks." | call #c1 execute_bash "{\"command\":\"ls\"}"
[6] assistant | call #c2 str_replace_editor "{\"path\":\"/a\"}"
[7] tool | result #c1 "a.py\n[Command finished with exit code 0]"
[8] tool | result #c2 "no such file" failed
[9] user | text "pwd" [fragment]
[10] user | text "/w" [fragment]
[11] assistant | text "Fixed."`)
	p := transcript.Pair(d.Transcript)
	if len(p.Orphans)+len(p.Unanswered) > 0 || p.Group[2] != p.Group[4] || p.Group[3] != p.Group[5] || d.Model != "gpt-4o" || string(d.Tools) != `[{"type":"function"}]` {
		t.Errorf("pairing %+v, model %q, tools %s", p, d.Model, d.Tools)
	}
	if want := `{"action":"run","args":{"command":"ls","thought":"Two looks."}}`; string(d.Items[2].Shown) != want || d.Items[2].ID != "5" {
		t.Errorf("%s is shown of event %s, want %s", d.Items[2].Shown, d.Items[2].ID, want)
	}
	checkHarness(t, "openhands", ohLegacy, "its history has events", `
.history[0] user | text "Fix it." [real]
.history[1] assistant | text "Look." | call run "{\"command\":\"ls\"}"
.history[2] tool | result "a.py\n[Command finished with exit code 1]"
.history[3] assistant | text "Now." | call write "{\"path\":\"/a\",\"content\":\"x\"}" | result "ok"`)

	d = checkHarness(t, "openhands", ohSDK, "line 1 has source and the kind of an event; line 2 has source and the kind of an event; line 3 has source and the kind of an event", `
:1 system | text "S" | text "D"
:3 user | text "Fix it." | image 8B | text "Rule." [real]
:4 assistant | thinking "hm" signed | text "Two." | call #c1 terminal "{\"command\":\"ls\"}"
:5 assistant | call #c2 terminal "{}"
:6 tool | result #c1 "a.py\n[The command completed with exit code 1.]"
:7 tool | result #c2 "no" failed
:8 assistant | call #c3 x "{}"
:9 tool | result #c3 "unknown tool" failed`)
	// A cut never falls between the actions of one answer: their results interleave.
	if p := transcript.Pair(d.Transcript); p.Boundary(3) != 2 || p.Boundary(4) != 2 || p.Boundary(6) != 6 {
		t.Errorf("cuts move to %d, %d and %d", p.Boundary(3), p.Boundary(4), p.Boundary(6))
	}
	// Two rows of results, and events within an answer of the API.
	rows := ohLegacy + "\n" + ohLegacy
	if all, err := Conversations([]byte(rows)); err != nil || len(all) != 2 || all[1].Pointer != "/1/history" {
		t.Errorf("%+v %v", all, err)
	}
	holds(t, []byte(rows), Options{Conversation: "/1/history"})
	if v, err := Detect([]byte(`{"events":` + ohServer + `}`)); err != nil || v.Name != "openhands" {
		t.Errorf("%+v %v", v, err)
	}
	if v, err := Detect([]byte(`[{"action":"a","observation":"o","source":"x"}]`)); err == nil {
		t.Errorf("an action with its observation is no event: %+v", v)
	}
}

// The effective history behind condensations, of the server and of the SDK.
func TestOpenhandsView(t *testing.T) {
	message := func(id, text string) string {
		return fmt.Sprintf(`{"id":%s,"source":"user","action":"message","args":{"content":%q}}`, id, text)
	}
	condense := func(args string) string {
		return `{"id":90,"source":"agent","action":"condensation","args":{` + args + `}}`
	}
	said := func(id string) string {
		return fmt.Sprintf(`{"kind":"MessageEvent","id":%q,"source":"user","llm_message":{"role":"user","content":[{"type":"text","text":%[1]q}]}}`, id)
	}
	compact := func(id, rest string) string {
		return fmt.Sprintf(`{"kind":"Condensation","id":%q,"source":"environment","llm_response_id":"r",%s}`, id, rest)
	}
	recall := `{"id":7,"source":"user","action":"recall","args":{}}`
	state := `{"id":8,"source":"environment","observation":"agent_state_changed","extras":{}}`
	a, b, c := message("1", "a"), message("2", "b"), message("3", "c")
	for _, test := range []struct {
		name   string
		events []string
		want   string // texts; the summary with a mark
	}{
		{"ids and a place", []string{a, b, c, condense(`"forgotten_event_ids":[2],"summary":"s","summary_offset":1`)}, "a s! c"},
		{"a range", []string{a, b, c, condense(`"forgotten_event_ids":null,"forgotten_events_start_id":1,"forgotten_events_end_id":2,"summary":"s","summary_offset":0`)}, "s! c"},
		{"pruned, no summary", []string{a, b, condense(`"pruned_event_ids":[1]`), c}, "b c"},
		{"without a place: at the end", []string{a, condense(`"forgotten_event_ids":[],"summary":"s"`), b}, "a b s!"},
		{"the last summary counts, all that is forgotten goes", []string{a, condense(`"forgotten_event_ids":[1],"summary":"old","summary_offset":0`), b, condense(`"forgotten_event_ids":[2],"summary":"new","summary_offset":0`), c}, "new! c"},
		{"recalled knowledge counts for the place, state does not", []string{a, state, recall, b, c, condense(`"forgotten_event_ids":[3],"summary":"s","summary_offset":2`)}, "a s! b"},
		{"a place beyond", []string{a, condense(`"forgotten_event_ids":[],"summary":"s","summary_offset":9`)}, "a s!"},
		{"the SDK: one after the other", []string{said("a"), said("b"), compact("x", `"forgotten_event_ids":["b"],"summary":"s","summary_offset":1`), said("c"), compact("y", `"forgotten_event_ids":["x-summary","c"],"summary":"t","summary_offset":0`), said("d")}, "t! a d"},
		{"the SDK: without a place no summary", []string{said("a"), said("b"), compact("x", `"forgotten_event_ids":["a"],"summary":"s"`)}, "b"},
		{"the SDK: a later event of that id is no older one", []string{said("a"), compact("x", `"forgotten_event_ids":["b"]`), said("b")}, "a b"},
		{"the SDK: a request for one", []string{said("a"), `{"kind":"CondensationRequest","id":"q","source":"user"}`}, "a"},
	} {
		for _, src := range []string{"[" + strings.Join(test.events, ",\n ") + "]", strings.Join(test.events, "\n"), `{"history":[` + strings.Join(test.events, ",") + `]}`} {
			d := mustDecode(t, src, Options{})
			var got []string
			for i := range d.Items {
				text := d.Items[i].Text()
				if d.Items[i].Summary {
					text += "!"
				}
				got = append(got, text)
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
			holds(t, []byte(src), Options{})
		}
	}
	src := "[" + strings.Join([]string{a, b, c, condense(`"forgotten_event_ids":[2],"summary":"s","summary_offset":1`)}, ",") + "]"
	d := mustDecode(t, src, Options{})
	if got := d.Verdict.Evidence[len(d.Verdict.Evidence)-1]; got != "condensations: 1, 1 event of the history forgotten" {
		t.Error(got)
	}
	if got := d.Items[1].Path; got != "[3].args.summary" {
		t.Errorf("the summary is at %s", got)
	}
	// What is written has neither the forgotten events nor what forgot them.
	out, err := d.Encode(entriesOf(d, "0 2 n"))
	if want := "[" + a + "," + c + `,{"source":"user","action":"message","args":{"content":"N","image_urls":null,"wait_for_response":false}}]`; err != nil || string(out) != want {
		t.Errorf("%v %s\nwant\n%s", err, out, want)
	}
	out, err = d.Encode(entriesOf(d, "1 2"))
	if want := `[{"source":"agent","observation":"condense","content":"s","extras":{}},` + c + "]"; err != nil || string(out) != want {
		t.Errorf("%v %s\nwant\n%s", err, out, want)
	}
	long := strings.Repeat(compact("x", `"summary":"s","summary_offset":0`)+"\n", maxCondensations+1)
	if _, err := Decode([]byte(long), Options{}); err == nil || !strings.Contains(err.Error(), "is condensation 1001, the limit is 1000") {
		t.Error(err)
	}
}

func TestOpenhandsWrite(t *testing.T) {
	d := mustDecode(t, ohServer, Options{Now: "NOW"})
	out, err := d.Encode(entriesOf(d, "0 n 8"))
	rows := strings.Split(ohServer, "\n")
	want := strings.Join([]string{rows[0], rows[1], rows[2], `{"timestamp":"NOW","source":"user","action":"message","args":{"content":"N","image_urls":null,"wait_for_response":false}},`, rows[12], rows[13]}, "\n")
	if err != nil || string(out) != want {
		t.Errorf("%v %s\nwant\n%s", err, out, want)
	}
	for role, want := range map[transcript.Role]string{
		transcript.Assistant: `{"timestamp":"NOW","source":"agent","action":"message","args":{"content":"N","image_urls":null,"wait_for_response":false}}`,
		transcript.System:    `{"timestamp":"NOW","source":"agent","action":"system","args":{"content":"N"}}`,
	} {
		if it := d.Writer.Message(role, "N"); string(it.Raw) != want || it.Role != role {
			t.Errorf("%s, want %s", it.Raw, want)
		}
	}
	edit := func(item int, old, fresh string, edits ...transcript.Edit) {
		t.Helper()
		got, ok := d.Writer.WithParts(&d.Items[item], edits)
		if want := strings.Replace(string(d.Items[item].Raw), old, fresh, 1); !ok || string(got.Raw) != want {
			t.Errorf("%v %s\nwant\n%s", ok, got.Raw, want)
		}
		if got.Role != d.Items[item].Role || got.Parts[len(got.Parts)-1].ID != d.Items[item].Parts[len(d.Items[item].Parts)-1].ID {
			t.Errorf("item %d became %s", item, show(&got))
		}
	}
	edit(4, `"content":"a.py"`, `"content":"[gone]"`, transcript.Edit{Part: 0, Text: "[gone]"})
	edit(5, `"content":"no such file"`, `"content":"[gone]"`, transcript.Edit{Part: 0, Text: "[gone]"})
	edit(2, `"{\"command\":\"ls\"}"`, `"{\"x\":1}"`, transcript.Edit{Part: 2, Text: `{"x":1}`})
	edit(2, `,"reasoning_content":"hm"`, ``, transcript.Edit{Part: 0, Drop: true})
	edit(7, `"content":"/w"`, `"content":"[gone]"`, transcript.Edit{Part: 0, Text: "[gone]"})
	got, ok := d.Writer.WithParts(&d.Items[1], []transcript.Edit{{Part: 1, Text: "[picture]"}})
	if want := strings.NewReplacer(`"content":"Fix it."`, `"content":"Fix it.\n[picture]"`, `["data:image/png;base64,QUJDRA=="]`, `[]`).Replace(string(d.Items[1].Raw)); !ok || string(got.Raw) != want {
		t.Errorf("%v %s\nwant\n%s", ok, got.Raw, want)
	}
	said := d.Writer.WithText(&d.Items[1], "T")
	if want := strings.Replace(string(d.Items[1].Raw), `"content":"Fix it."`, `"content":"T"`, 1); string(said.Raw) != want {
		t.Errorf("%s", said.Raw)
	}
	answer, ok := d.Writer.Answer(&d.Items[3], 0, "none")
	if !ok || answer.Parts[0].ID != "c2" || !strings.HasPrefix(string(answer.Raw), `{"timestamp":"NOW","source":"environment","observation":"error","cause":6,"tool_call_metadata":{"function_name":"str_replace_editor",`) {
		t.Errorf("%v %s", ok, answer.Raw)
	}

	d = mustDecode(t, ohLegacy, Options{})
	if it := d.Writer.Message(transcript.User, "N"); string(it.Raw) != `{"source":"user","action":"message","args":{"content":"N","image_urls":null,"wait_for_response":false}}` {
		t.Errorf("%s", it.Raw) // some events of the row have args
	}
	if _, ok := d.Writer.WithParts(&d.Items[1], []transcript.Edit{{Part: 1, Text: "{}"}}); ok {
		t.Error("what the server carries out was cleared")
	}
	edit(3, `"content":"ok"`, `"content":"[gone]"`, transcript.Edit{Part: 2, Text: "[gone]"})
	d = mustDecode(t, `[{"source":"user","action":"message","content":"a"}]`, Options{})
	if it := d.Writer.Message(transcript.Assistant, "N"); string(it.Raw) != `{"source":"agent","action":"message","content":"N"}` {
		t.Errorf("%s", it.Raw)
	}
}

// What was carried out repeats the input, and what the server calls the thought is
// in some versions the reasoning: both go with what they repeat. Short texts and
// numbers stay, and so does everything of another edit.
func TestOpenhandsRepeats(t *testing.T) {
	long := strings.Repeat("x", 90)
	server := `{"id":1,"source":"agent","action":"edit","args":{"path":"/a","content":"` + long + `","n":1,"thought":"hm"},"tool_call_metadata":{"function_name":"f","tool_call_id":"c",` +
		`"model_response":{"choices":[{"message":{"content":"so","reasoning_content":"hm","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"body\":\"` + long + `\"}"}}]}}]}}}`
	sdk := `{"kind":"ActionEvent","id":"e","source":"agent","thought":[],"action":{"kind":"EditAction","path":"/a","new_str":"` + long + `"},"tool_name":"f","tool_call_id":"c","tool_call":{"id":"c","name":"f","arguments":"{\"body\":\"` + long + `\"}"}}`
	input := []string{`"{\"body\":\"` + long + `\"}"`, `"{}"`}
	for _, c := range []struct {
		src   string
		edit  transcript.Edit
		swaps []string
	}{
		{server, transcript.Edit{Part: 2, Text: "{}"}, append([]string{`"content":"` + long + `"`, `"content":"[tamp] cleared: input"`}, input...)},
		{server, transcript.Edit{Part: 0, Drop: true}, []string{`"thought":"hm"`, `"thought":""`, `,"reasoning_content":"hm"`, ``}},
		{strings.Replace(server, `"thought":"hm"`, `"thought":"so"`, 1), transcript.Edit{Part: 0, Drop: true}, []string{`,"reasoning_content":"hm"`, ``}},
		{sdk, transcript.Edit{Part: 0, Text: "{}"}, append([]string{`"new_str":"` + long + `"`, `"new_str":"[tamp] cleared: input"`}, input...)},
	} {
		d := mustDecode(t, "["+c.src+"]", Options{})
		want := strings.NewReplacer(c.swaps...).Replace(c.src)
		if got, ok := d.Writer.WithParts(&d.Items[0], []transcript.Edit{c.edit}); !ok || string(got.Raw) != want {
			t.Errorf("%v\n%s\nwant\n%s", ok, got.Raw, want)
		}
	}
}

func TestOpenhandsWriteSDK(t *testing.T) {
	d := mustDecode(t, ohSDK, Options{})
	m := d.Writer.Message(transcript.User, "N")
	var event struct {
		ID, Timestamp, Source, Kind string
		Message                     json.RawMessage `json:"llm_message"`
	}
	if err := json.Unmarshal(m.Raw, &event); err != nil {
		t.Fatal(err)
	}
	if len(event.ID) != 36 || event.ID[14] != '4' || event.Timestamp != "T8" || event.Source != "user" || event.Kind != "MessageEvent" ||
		string(event.Message) != `{"role":"user","content":[{"type":"text","text":"N"}]}` {
		t.Errorf("%s", m.Raw)
	}
	if again := d.Writer.Message(transcript.User, "N"); string(again.Raw) != string(m.Raw) {
		t.Error("the same message has other bytes the second time")
	}
	if other := d.Writer.Message(transcript.User, "M"); other.ID == m.ID {
		t.Error("two messages have one id")
	}
	out, err := d.Encode([]transcript.Entry{{From: 0}, {From: -1, New: &m}, {From: 6}, {From: 7}})
	rows := strings.SplitAfter(ohSDK, "\n")
	if want := rows[0] + rows[1] + string(m.Raw) + "\n" + rows[7] + rows[8]; err != nil || string(out) != want {
		t.Errorf("%v %s\nwant\n%s", err, out, want)
	}
	for _, c := range []struct {
		item       int
		old, fresh string
		edits      []transcript.Edit
	}{
		{4, `"content":[{"type":"text","text":"a.py"}]`, `"content":[{"type":"text","text":"[gone]"}]`, []transcript.Edit{{Part: 0, Text: "[gone]"}}},
		{5, `"rejection_reason":"no"`, `"rejection_reason":"[gone]"`, []transcript.Edit{{Part: 0, Text: "[gone]"}}},
		{2, `"{\"command\":\"ls\"}"`, `"{\"x\":1}"`, []transcript.Edit{{Part: 2, Text: `{"x":1}`}}},
		{1, `{"type":"image","image_urls":["data:image/png;base64,QUJDRA=="]}`, `{"type":"text","text":"[picture]"}`, []transcript.Edit{{Part: 1, Text: "[picture]"}}},
	} {
		got, ok := d.Writer.WithParts(&d.Items[c.item], c.edits)
		if want := strings.Replace(string(d.Items[c.item].Raw), c.old, c.fresh, 1); !ok || string(got.Raw) != want || want == string(d.Items[c.item].Raw) {
			t.Errorf("%v %s\nwant\n%s", ok, got.Raw, want)
		}
	}
	said := d.Writer.WithText(&d.Items[1], "T")
	if said.Text() != "T" || !strings.Contains(string(said.Raw), `"content":[{"type":"text","text":"T"}]},"extended_content":[]}`) {
		t.Errorf("%s", said.Raw)
	}
	answer, ok := d.Writer.Answer(&d.Items[6], 0, "none")
	if !ok || answer.Parts[0].ID != "c3" || !answer.Parts[0].Failed || !strings.Contains(string(answer.Raw), `"tool_name":"x","tool_call_id":"c3","error":"none","kind":"AgentErrorEvent"}`) {
		t.Errorf("%v %s", ok, answer.Raw)
	}
}

func TestOpenhandsErrors(t *testing.T) {
	const head, tail = `[{"id":1,"source":"user","action":"message","args":{"content":"a"}},`, `]`
	for src, want := range map[string]string{
		`5`:        "transcript[1]: is a number, an object is wanted",
		`{"id":2}`: "transcript[1]: is no event: kind, action and observation are missing",
		`{"id":2,"source":"agent","action":"message","args":{"content":5}}`:                   "transcript[1].args.content: is a number, a string is wanted",
		`{"id":2,"source":"agent","observation":"run","content":5}`:                           "transcript[1].content: is a number, a string is wanted",
		`[{"source":"agent","observation":"run","content":5}]`:                                "transcript[1][0].content: is a number, a string is wanted",
		`{"kind":"MessageEvent","source":"user","llm_message":{"content":[]}}`:                "transcript[1].llm_message.role: is missing",
		`{"kind":"MessageEvent","source":"user","llm_message":{"role":"user","content":[5]}}`: "transcript[1].llm_message.content[0]: is a number, an object is wanted",
		`{"kind":"ActionEvent","source":"agent","thought":[{"type":"text","text":5}]}`:        "transcript[1].thought[0].text: is a number, a string is wanted",
		`{"kind":"ActionEvent","source":"agent","tool_call_id":5}`:                            "transcript[1].tool_call_id: is a number, a string is wanted",
		`{"kind":"ObservationEvent","source":"environment","observation":"x"}`:                "transcript[1].observation: is a string, an object is wanted",
	} {
		if _, err := Decode([]byte(head+src+tail), Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
	// A broken line is an error, but under Repair.
	broken := strings.Replace(ohSDK, `{"kind":"ConversationStateUpdateEvent"`, `{"kind`, 1)
	if _, err := Decode([]byte(broken), Options{}); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
	if d, err := Decode([]byte(broken), Options{Repair: true}); err != nil || len(d.Items) != 8 || len(d.Aside) != 1 {
		t.Errorf("%v", err)
	}
}

func FuzzOpenHands(f *testing.F) {
	fuzz(f, "openhands", ohServer, ohLegacy, ohSDK,
		`[{"id":1,"source":"user","action":"message","args":{}},{"id":2,"source":"agent","action":"condensation","args":{"forgotten_events_start_id":0,"forgotten_events_end_id":9,"summary":"s"}}]`,
		`{"kind":"Condensation","source":"environment","forgotten_event_ids":[1],"summary":"","summary_offset":0}`)
}
