package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// sweTools is a trajectory of the kind that calls functions: history and steps
// say the same, the steps hold the whole prompt once more.
const sweTools = `{"trajectory":[{"action":"ls","observation":"a.py","response":"Look.","thought":"Look.","state":{"open_file":"n/a"},"messages":[{"role":"system","content":"S","agent":"main"}]}],
"history":[
  {"role":"system","content":"S","agent":"main","message_type":"system_prompt"},
  {"role":"user","content":"An example run.","agent":"main","is_demo":true,"message_type":"demonstration"},
  {"role":"user","content":[{"type":"text","text":"Fix it.","cache_control":{"type":"ephemeral"}}],"agent":"main","message_type":"observation"},
  {"role":"assistant","content":"Look.","thought":"Look.","action":"ls","agent":"main","tool_calls":[{"function":{"arguments":"{\"command\":\"ls\"}","name":"bash"},"id":"c1","type":"function"}],"thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"s1"}],"message_type":"action"},
  {"role":"tool","content":"a.py","agent":"main","message_type":"observation","tool_call_ids":["c1"]},
  {"role":"assistant","content":"Done.","thought":"Done.","action":"submit","agent":"main","tool_calls":[{"function":{"arguments":"{}","name":"submit"},"id":"c2","type":"function"}],"message_type":"action"}
],"info":{"exit_status":"submitted"},"replay_config":{"agent":{"model":{"name":"gpt-4o"}}}}`

// sweText is of the older kind: commands stand in the text, their output comes
// back from the user, and messages have no type.
const sweText = `{"environment":"e","history":[{"role":"system","content":"S","agent":"primary"},{"role":"user","content":"Fix it.","agent":"primary"},` +
	"{\"role\":\"assistant\",\"content\":\"Look.\\n```\\nls -F\\n```\",\"thought\":\"Look.\\n\",\"action\":\"ls -F\\n\",\"agent\":\"primary\"}," +
	`{"role":"user","content":"a.py\nbash-$","agent":"primary"},` +
	"{\"role\":\"assistant\",\"content\":\"```\\nrm a.py\\n```\",\"thought\":\"\",\"action\":\"rm a.py\",\"agent\":\"primary\"}," +
	`{"role":"user","content":"gone","agent":"primary"},{"role":"assistant","content":"All done.","agent":"primary","thought":"All done.","action":""},{"role":"user","content":"Thanks.","agent":"primary"}]}`

// sweStepsOnly has steps and no history.
const sweStepsOnly = `{"trajectory":[
 {"action":"ls\n","observation":"a.py","response":"Look.\nls","state":"{\"open_file\": \"n/a\"}","thought":"Look."},
 {"action":"submit","observation":"","response":"submit","state":"{}","thought":""},
 {"action":"","observation":"Exited","response":"","state":"{}","thought":""}],"info":{}}`

func lines(d *Document) string {
	var b strings.Builder
	for i := range d.Items {
		b.WriteString("\n" + show(&d.Items[i]))
	}
	return b.String()
}

// checkHarness decodes a source of a harness and compares what it says.
func checkHarness(t *testing.T, name, src, evidence, items string) *Document {
	t.Helper()
	d := mustDecode(t, src, Options{})
	if d.Format != name || strings.Join(d.Verdict.Evidence, "; ") != evidence {
		t.Errorf("read as %s: %q, want %s: %q", d.Format, d.Verdict.Evidence, name, evidence)
	}
	if got := lines(d); got != items {
		t.Errorf("%s:%s\nwant%s", name, got, items)
	}
	for _, format := range []string{"", name} {
		holds(t, []byte(src), Options{Format: format})
	}
	return d
}

func TestSWEItems(t *testing.T) {
	d := checkHarness(t, "swe-agent", sweTools, "its history has agent and message_type; trajectory repeats it and stays as it is", `
.history[0] system | text "S"
.history[1] user | text "An example run." [fragment]
.history[2] user | text "Fix it." [real]
.history[3] assistant | thinking "hm" signed | text "Look." | call #c1 bash "{\"command\":\"ls\"}"
.history[4] tool | result #c1 "a.py"
.history[5] assistant | text "Done." | call #c2 submit "{}"`)
	if p := transcript.Pair(d.Transcript); d.Model != "gpt-4o" || p.Group[3] != p.Group[4] || !p.Open[5] || len(p.Orphans)+len(p.Unanswered) > 0 {
		t.Errorf("model %q, pairing %+v", d.Model, p)
	}
	if want := `{"role":"tool","content":"a.py","tool_call_ids":["c1"]}`; string(d.Items[4].Shown) != want {
		t.Errorf("shown is %s, want %s", d.Items[4].Shown, want)
	}

	d = checkHarness(t, "swe-agent", sweText, "its history has agent and action", `
.history[0] system | text "S"
.history[1] user | text "Fix it." [real]
.history[2] assistant | text "Look.\n" | call bash "ls -F"
.history[3] tool | result "a.py\nbash-$"
.history[4] assistant | call bash "rm a.py"
.history[5] tool | result "gone"
.history[6] assistant | text "All done."
.history[7] user | text "Thanks." [real]`)
	if p := transcript.Pair(d.Transcript); p.Group[2] != p.Group[3] || p.Group[4] != p.Group[5] || len(p.Orphans)+len(p.Unanswered) > 0 {
		t.Errorf("pairing %+v", p)
	}

	d = checkHarness(t, "swe-agent", sweStepsOnly, "it has a trajectory of actions and observations, and no history", `
.trajectory[0] assistant | text "Look." | call bash "ls" | result "a.py"
.trajectory[1] assistant | text "submit" | call bash "submit" | result
.trajectory[2] user | text "Exited" [real]`)
	if p := transcript.Pair(d.Transcript); len(p.Orphans)+len(p.Unanswered) > 0 {
		t.Errorf("pairing %+v", p)
	}

	// A list without the object around it, and a history beside steps whose
	// messages name no agent.
	list := sweText[strings.Index(sweText, "[") : len(sweText)-1]
	checkHarness(t, "swe-agent", list, "[2] has agent and action; [4] has agent and action; [6] has agent and action", `
[0] system | text "S"
[1] user | text "Fix it." [real]
[2] assistant | text "Look.\n" | call bash "ls -F"
[3] tool | result "a.py\nbash-$"
[4] assistant | call bash "rm a.py"
[5] tool | result "gone"
[6] assistant | text "All done."
[7] user | text "Thanks." [real]`)
	checkHarness(t, "swe-agent", `{"history":[{"role":"user","content":"u"}],"trajectory":[{"action":"a","observation":"o","response":"r"}]}`,
		"it has a history beside a trajectory of actions and observations, which stays as it is", "\n.history[0] user | text \"u\" [real]")
	checkHarness(t, "swe-agent", `{"history":[{"role":"user","content":"u","message_type":"observation"}]}`, "its history has message_type", "\n.history[0] user | text \"u\" [real]")
	checkHarness(t, "swe-agent", `{"history":[],"trajectory":[{"action":"a","observation":"o","response":"r"}]}`,
		"it has a trajectory of actions and observations, and no history", "\n.trajectory[0] assistant | text \"r\" | call bash \"a\" | result \"o\"")
}

// What is written: messages as the agent writes them, everything around the list
// untouched, outputs cleared in their place, answers in the form of their call.
func TestSWEWrite(t *testing.T) {
	d := mustDecode(t, sweTools, Options{})
	out, err := d.Encode(entriesOf(d, "0 n 5"))
	if err != nil {
		t.Fatal(err)
	}
	from, to := strings.Index(sweTools, `  {"role":"user","content":"An`), strings.Index(sweTools, `  {"role":"assistant","content":"Done."`)
	want := sweTools[:from] + `  {"role":"user","content":"N","agent":"main","message_type":"user"},` + "\n" + sweTools[to:]
	if string(out) != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	for role, want := range map[transcript.Role]string{
		transcript.System:    `{"role":"system","content":"N","agent":"main","message_type":"system_prompt"}`,
		transcript.Assistant: `{"role":"assistant","content":"N","agent":"main","message_type":"thought"}`,
	} {
		if it := d.Writer.Message(role, "N"); string(it.Raw) != want || it.Role != role {
			t.Errorf("%s", it.Raw)
		}
	}
	answer, ok := d.Writer.Answer(&d.Items[5], 1, "none")
	if want := `{"role":"tool","content":"none","agent":"main","message_type":"observation","tool_call_ids":["c2"]}`; !ok || string(answer.Raw) != want || answer.Parts[0].ID != "c2" {
		t.Errorf("%v %s", ok, answer.Raw)
	}

	d = mustDecode(t, sweText, Options{})
	cleared, ok := d.Writer.WithParts(&d.Items[3], []transcript.Edit{{Part: 0, Text: "[gone]"}})
	if want := `{"role":"user","content":"[gone]","agent":"primary"}`; !ok || string(cleared.Raw) != want || cleared.Role != transcript.Tool || cleared.Parts[0].Kind != transcript.Result {
		t.Errorf("%v %s %+v", ok, cleared.Raw, cleared.Parts)
	}
	if _, ok := d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 1, Text: "{}"}}); ok {
		t.Error("a command that is part of a text was cleared")
	}
	answer, ok = d.Writer.Answer(&d.Items[2], 1, "none")
	if want := `{"role":"user","content":"none","agent":"primary"}`; !ok || string(answer.Raw) != want || answer.Role != transcript.Tool {
		t.Errorf("%v %s", ok, answer.Raw)
	}

	d = mustDecode(t, sweStepsOnly, Options{})
	if out, err = d.Encode(entriesOf(d, "n 1")); err != nil {
		t.Fatal(err)
	}
	want = "{\"trajectory\":[\n " + `{"action":"","observation":"N","response":"","thought":"","state":"{}"}` + ",\n " +
		`{"action":"submit","observation":"","response":"submit","state":"{}","thought":""}],"info":{}}`
	if string(out) != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	cleared, ok = d.Writer.WithParts(&d.Items[0], []transcript.Edit{{Part: 2, Text: "[gone]"}})
	if want := strings.Replace(string(d.Items[0].Raw), `"a.py"`, `"[gone]"`, 1); !ok || string(cleared.Raw) != want {
		t.Errorf("%v %s", ok, cleared.Raw)
	}
	if said := d.Writer.WithText(&d.Items[0], "T"); said.Text() != "T" {
		t.Errorf("%s", said.Raw)
	}
	if _, ok := d.Writer.Answer(&d.Items[0], 1, "x"); ok {
		t.Error("a step has no message for a result")
	}
}

// A request to a summariser shows commands and outputs as calls and results.
func TestSWEBody(t *testing.T) {
	d := mustDecode(t, sweText, Options{})
	body, err := d.Body(BodyRequest{Items: []int{1, 2, 3, 6}, Prompt: "P", Model: "m"})
	want := `{"model":"m","messages":[{"role":"user","content":"Fix it."},{"role":"assistant","content":"Look.\n","tool_calls":[{"id":"call_2_1","type":"function","function":{"name":"bash","arguments":"ls -F"}}]},` +
		`{"role":"tool","tool_call_id":"call_2_1","content":"a.py\nbash-$"},{"role":"assistant","content":"All done."},{"role":"user","content":"P"}]}`
	if err != nil || string(body) != want || d.API() != "openai-chat" {
		t.Errorf("%v %s\nwant\n%s", err, body, want)
	}
}

func TestSWEErrors(t *testing.T) {
	for src, want := range map[string]string{
		`{"history":[{"role":"user","agent":"a","thought":"","content":"u"},5]}`:                            "transcript.history[1]: is a number, an object is wanted",
		`{"history":[{"role":"user","agent":"a","thought":"","content":"u"},{"content":"x"}]}`:              "transcript.history[1].role: is missing",
		`{"history":[{"role":"user","agent":"a","thought":"","content":7}]}`:                                "transcript.history[0].content: is a number, a string, a list of parts or null is wanted",
		`{"history":[{"role":"tool","agent":"a","content":"x","tool_call_ids":["c",5]}]}`:                   "transcript.history[0].tool_call_ids[1]: is a number, a string is wanted",
		`{"trajectory":[{"action":"a","observation":"o","response":"r"},{"action":"a","observation":"o"}]}`: "transcript.trajectory[1].role: is missing",
	} {
		if _, err := Decode([]byte(src), Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}

func FuzzSWEAgent(f *testing.F) {
	fuzz(f, "swe-agent", sweTools, sweText, sweStepsOnly, `[{"role":"assistant","agent":"a","action":"ls","content":["x"]}]`,
		`{"history":[{"role":"tool","tool_call_ids":["a","b"],"content":[{"type":"text","text":"t"}]}]}`)
}
