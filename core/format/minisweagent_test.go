package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// miniTools is a run of v2: native tool calls, the raw answer once more in extra,
// a complaint about the form, and the message that ends the run.
const miniTools = `{"info":{"mini_version":"2.2.7","exit_status":"Submitted","config":{"model":{"model_name":"deepseek/deepseek-chat"}}},"messages":[
  {"role":"system","content":"S"},
  {"role":"user","content":"Fix it."},
  {"content":"Look.","role":"assistant","tool_calls":[{"index":0,"function":{"arguments":"{\"command\":\"ls\"}","name":"bash"},"id":"c1","type":"function"}],"function_call":null,"extra":{"actions":[{"command":"ls"}],"cost":0.1,"response":{"choices":[]}}},
  {"content":"<returncode>0</returncode>","extra":{"raw_output":"","returncode":0},"tool_call_id":"c1","role":"tool"},
  {"role":"user","content":"Tool call error.","extra":{"interrupt_type":"FormatError"}},
  {"role":"assistant","content":"","tool_calls":[{"function":{"arguments":"{}","name":"bash"},"id":"c2","type":"function"}],"extra":{"actions":[]}},
  {"role":"exit","content":"diff","extra":{"exit_status":"Submitted"}}
],"trajectory_format":"mini-swe-agent-1.1","instance_id":"i"}`

const miniText = `{"info":{},"messages":[{"role":"user","content":"Fix it."},` +
	"{\"role\":\"assistant\",\"content\":\"THOUGHT: look\\n\\n```bash\\nls -F\\n```\"}," +
	`{"role":"user","content":"<returncode>0</returncode>"},` +
	"{\"role\":\"assistant\",\"content\":\"```bash\\na\\n``` or ```bash\\nb\\n```\"}," +
	`{"role":"user","content":"One action only."},{"role":"assistant","content":"` + "```mswea_bash_command\\nrm x\\n```" + `","extra":{}},` +
	`{"role":"user","content":"Stop.","extra":{"interrupt_type":"UserInterruption"}}],"trajectory_format":"mini-swe-agent-1"}`

const miniResponses = `{"info":{},"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"user","content":"Fix it."},
{"object":"response","id":"r1","output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"RU5D"},{"type":"function_call","call_id":"c1","name":"bash","arguments":"{\"command\":\"ls\"}"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Look."}]}],"usage":{"input_tokens":9},"extra":{"cost":0.1}},
{"type":"function_call_output","call_id":"c1","output":"a.py","extra":{"returncode":0}},
{"type":"message","role":"user","content":[{"type":"input_text","text":"Error."}],"extra":{"interrupt_type":"FormatError"}}]}`

func TestMiniItems(t *testing.T) {
	d := checkHarness(t, "mini-swe-agent", miniTools, "trajectory_format is mini-swe-agent", `
.messages[0] system | text "S"
.messages[1] user | text "Fix it." [real]
.messages[2] assistant | text "Look." | call #c1 bash "{\"command\":\"ls\"}"
.messages[3] tool | result #c1 "<returncode>0</returncode>"
.messages[4] user | text "Tool call error." [fragment]
.messages[5] assistant | call #c2 bash "{}"
.messages[6] exit | text "diff"`)
	p := transcript.Pair(d.Transcript)
	if d.Model != "deepseek/deepseek-chat" || !p.Open[5] || len(transcript.Validate(d.Transcript, p)) > 0 {
		t.Errorf("model %q, pairing %+v, defects %v", d.Model, p, transcript.Validate(d.Transcript, p))
	}
	if want := `{"content":"<returncode>0</returncode>","tool_call_id":"c1","role":"tool"}`; string(d.Items[3].Sent()) != want {
		t.Errorf("sent is %s", d.Items[3].Sent())
	}

	d = checkHarness(t, "mini-swe-agent", miniText, "trajectory_format is mini-swe-agent", `
.messages[0] user | text "Fix it." [real]
.messages[1] assistant | text "THOUGHT: look" | call bash "ls -F"
.messages[2] tool | result "<returncode>0</returncode>"
.messages[3] assistant | text "`+"```bash\\na\\n``` or ```bash\\nb\\n```"+`"
.messages[4] user | text "One action only." [real]
.messages[5] assistant | call bash "rm x"
.messages[6] user | text "Stop." [real]`)
	// Commands in a text have no ids, and nobody asks for them.
	if p := transcript.Pair(d.Transcript); p.Group[1] != p.Group[2] || len(transcript.Validate(d.Transcript, p)) > 0 {
		t.Errorf("pairing %+v, defects %v", p, transcript.Validate(d.Transcript, p))
	}

	d = checkHarness(t, "mini-swe-agent", miniResponses, "trajectory_format is mini-swe-agent", `
.messages[0] user | text "Fix it." [real]
.messages[1] assistant | thinking "hm" | opaque "RU5D" | call #c1 bash "{\"command\":\"ls\"}" | text "Look."
.messages[2] tool | result #c1 "a.py"
.messages[3] user | text "Error." [fragment]`)
	it := &d.Items[1]
	if got := string(it.Raw[it.Parts[2].BodyStart:it.Parts[2].BodyEnd]); got != `"{\"command\":\"ls\"}"` {
		t.Errorf("the place of the input holds %s", got)
	}

	// Without the object: what the harness puts beside a message.
	checkHarness(t, "mini-swe-agent", `[{"role":"user","content":"u"},{"role":"exit","content":"","extra":{"exit_status":"x"}}]`, "[1] has role exit and an exit_status", `
[0] user | text "u" [real]
[1] exit [empty]`)
	checkHarness(t, "mini-swe-agent", `{"info":{"mini_version":"1.0"},"messages":[]}`, "info has mini_version", "")
	if v, err := Detect([]byte(`[{"role":"user","content":"u","extra":{"id":1}}]`)); err != nil || v.Name != "openai-chat" {
		t.Errorf("an extra of somebody else's: %+v, %v", v, err)
	}
}

func TestMiniWrite(t *testing.T) {
	d := mustDecode(t, miniTools, Options{})
	out, err := d.Encode(entriesOf(d, "0 n 5 6"))
	from, to := strings.Index(miniTools, `  {"role":"user","content":"Fix`), strings.Index(miniTools, `  {"role":"assistant","content":"",`)
	if want := miniTools[:from] + `  {"role":"user","content":"N"},` + "\n" + miniTools[to:]; err != nil || string(out) != want {
		t.Errorf("%v %s\nwant\n%s", err, out, want)
	}
	d = mustDecode(t, miniText, Options{})
	cleared, ok := d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 0, Text: "[gone]"}})
	if !ok || string(cleared.Raw) != `{"role":"user","content":"[gone]"}` || cleared.Role != transcript.Tool {
		t.Errorf("%v %s", ok, cleared.Raw)
	}
	answer, ok := d.Writer.Answer(&d.Items[5], 0, "none")
	if !ok || string(answer.Raw) != `{"role":"user","content":"none"}` || answer.Role != transcript.Tool {
		t.Errorf("%v %s", ok, answer.Raw)
	}
	d = mustDecode(t, miniResponses, Options{})
	cleared, ok = d.Writer.WithParts(&d.Items[1], []transcript.Edit{{Part: 2, Text: `{"cleared":true}`}})
	if want := strings.Replace(string(d.Items[1].Raw), `"{\"command\":\"ls\"}"`, `"{\"cleared\":true}"`, 1); !ok || string(cleared.Raw) != want {
		t.Errorf("%v %s", ok, cleared.Raw)
	}
	answer, ok = d.Writer.Answer(&d.Items[1], 2, "none")
	if !ok || string(answer.Raw) != `{"type":"function_call_output","call_id":"c1","output":"none"}` || answer.Parts[0].ID != "c1" {
		t.Errorf("%v %s", ok, answer.Raw)
	}
	if said := d.Writer.WithText(&d.Items[3], "T"); string(said.Raw) != `{"type":"message","role":"user","content":[{"type":"input_text","text":"T"}],"extra":{"interrupt_type":"FormatError"}}` {
		t.Errorf("%s", said.Raw)
	}
}

// Messages that are the chat API's own are sent as they are, without extra; all
// others are made from their parts. What ends a run is shown as a message.
func TestMiniBody(t *testing.T) {
	for _, c := range []struct {
		src   string
		items []int
		want  string
	}{
		{miniTools, []int{2, 3, 6}, `{"messages":[{"content":"Look.","role":"assistant","tool_calls":[{"index":0,"function":{"arguments":"{\"command\":\"ls\"}","name":"bash"},"id":"c1","type":"function"}],"function_call":null},` +
			`{"content":"<returncode>0</returncode>","tool_call_id":"c1","role":"tool"},{"role":"user","content":"diff"},{"role":"user","content":"P"}]}`},
		{miniResponses, []int{1, 2}, `{"messages":[{"role":"assistant","content":"Look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]},` +
			`{"role":"tool","tool_call_id":"c1","content":"a.py"},{"role":"user","content":"P"}]}`},
	} {
		if body, err := mustDecode(t, c.src, Options{}).Body(BodyRequest{Items: c.items, Prompt: "P"}); err != nil || string(body) != c.want {
			t.Errorf("%v %s\nwant\n%s", err, body, c.want)
		}
	}
}

func TestMiniErrors(t *testing.T) {
	for src, want := range map[string]string{
		`{"trajectory_format":"mini-swe-agent-1.1","messages":[{"content":"x"}]}`:                                              "transcript.messages[0].role: is missing",
		`{"trajectory_format":"mini-swe-agent-1.1","messages":["x"]}`:                                                          "transcript.messages[0]: is a string, an object is wanted",
		`{"trajectory_format":"mini-swe-agent-1.1","messages":[{"object":"response","output":[{"type":"message","role":4}]}]}`: "transcript.messages[0].output[0].role: is a number, a string is wanted",
		`{"trajectory_format":"mini-swe-agent-1.1","messages":[{"type":"function_call_output","call_id":4}]}`:                  "transcript.messages[0].call_id: is a number, a string is wanted",
	} {
		if _, err := Decode([]byte(src), Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}

func TestFencedCommand(t *testing.T) {
	for text, want := range map[string]string{
		"a\n```bash\nls\n```\nb":                           "a\n\nb|ls",
		"```bash \n  ls\n\nrm\n```":                        "|ls\n\nrm",
		"```python\nx\n```\n```mswea_bash_command\ny\n```": "```python\nx\n```|y",
		"```bash\nls":                                      "none",
		"```bash\n```":                                     "none",
		"```bash ls```":                                    "none",
		"```bash\na\n```\n```bash\nb\n```":                 "none",
		"no block":                                         "none",
	} {
		got := "none"
		if said, script, ok := fencedCommand(text); ok {
			got = said + "|" + script
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzMiniSWEAgent(f *testing.F) {
	fuzz(f, "mini-swe-agent", miniTools, miniText, miniResponses, `[{"object":"response","output":[],"extra":{}}]`)
}
