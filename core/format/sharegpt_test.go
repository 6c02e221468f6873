package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// shareCalls has calls as JSON texts: one, and two at once that one observation
// answers; a call behind a thought, one that nobody answered.
const shareCalls = `[{"conversations": [
  {"from": "system", "value": "S"},
  {"from": "human", "value": "Look."},
  {"from": "function_call", "value": "{\"name\": \"look\", \"arguments\": {\"at\": 1}}"},
  {"from": "observation", "value": "one"},
  {"from": "function_call", "value": "[{\"name\": \"look\", \"arguments\": {\"at\": 2}}, {\"name\": \"peek\", \"arguments\": \"{}\"}]"},
  {"from": "observation", "value": "[\"two\", \"three\"]"},
  {"from": "gpt", "value": "Seen."},
  {"from": "function_call", "value": "<think>\nhm\n</think>\n\n{\"name\": \"end\", \"arguments\": {}}"}
 ], "system": "Be brief.", "tools": "[{\"name\": \"look\"}]", "id": 1.0}]`

// shareParts is of the new schema: contents are lists of {type, value}.
const shareParts = `{"messages":[{"role":"system","content":[{"type":"text","value":"S"}]},{"role":"user","content":[{"type":"text","value":"Look."},{"type":"image_url","value":"data:image/png;base64,QUJDRA=="}]},` +
	`{"role":"assistant","content":[{"type":"reasoning","value":"hm"},{"type":"tool_call","value":"{\"name\":\"look\",\"arguments\":{\"at\":1}}"},{"type":"tool_call","value":"{\"name\":\"look\",\"arguments\":{\"at\":2}}"}],"loss_weight":1.0},` +
	`{"role":"tool","content":[{"type":"text","value":"one"},{"type":"text","value":"two"}]},{"role":"assistant","content":[{"type":"text","value":"Seen."}]}],"tools":"[]"}` + "\n" +
	`{"messages":[{"role":"user","content":[{"type":"text","value":"Bye."}]}]}`

// shareImages names pictures beside its messages.
const shareImages = `{"messages": [{"role": "user", "content": "<image>Who?"}, {"role": "assistant", "content": "A."}, {"role": "user", "content": "<image><image>And these?"}, {"role": "assistant", "content": "B."}],
 "images": ["1.png", "2.png",  "3.png"]}`

func TestShareItems(t *testing.T) {
	d := checkHarness(t, "sharegpt", shareCalls, "its conversations have from and value", `
[0].conversations[0] system | text "S"
[0].conversations[1] user | text "Look." [real]
[0].conversations[2] assistant | call look "{\"at\":1}"
[0].conversations[3] tool | result "one"
[0].conversations[4] assistant | call look "{\"at\":2}" | call peek "{}"
[0].conversations[5] tool | result "[\"two\", \"three\"]" | result
[0].conversations[6] assistant | text "Seen."
[0].conversations[7] assistant | thinking "hm" | call end "{}"`)
	p := transcript.Pair(d.Transcript)
	if d.System != "Be brief." || string(d.Tools) != `[{"name": "look"}]` || !p.Open[7] || len(p.Orphans)+len(p.Unanswered) > 0 || p.Group[4] != p.Group[5] {
		t.Errorf("system %q, tools %s, pairing %+v", d.System, d.Tools, p)
	}

	all, err := Conversations([]byte(shareParts))
	if err != nil || len(all) != 2 || all[0].Pointer != "/0/messages" {
		t.Fatalf("%v %v", all, err)
	}
	d = mustDecode(t, shareParts, Options{Conversation: "/0/messages"})
	if got := lines(d); got != `
:1.messages[0] system | text "S"
:1.messages[1] user | text "Look." | image 8B [real]
:1.messages[2] assistant | thinking "hm" | call look "{\"at\":1}" | call look "{\"at\":2}"
:1.messages[3] tool | result "one\ntwo" | result
:1.messages[4] assistant | text "Seen."` || d.Format != "sharegpt" || d.Tools != nil {
		t.Errorf("%s: %s", d.Format, got)
	}
	if p := transcript.Pair(d.Transcript); len(p.Orphans)+len(p.Unanswered) > 0 {
		t.Errorf("pairing %+v", p)
	}
	holds(t, []byte(shareParts), Options{Conversation: "/0/messages"})

	checkHarness(t, "sharegpt", shareImages, "it has images beside its messages", `
.messages[0] user | text "<image>Who?" | image [real]
.messages[1] assistant | text "A."
.messages[2] user | text "<image><image>And these?" | image | image [real]
.messages[3] assistant | text "B."`)
	checkHarness(t, "sharegpt", `{"messages":[{"role":"user","content":"a"},{"role":"function_call","content":"{\"name\":\"f\",\"parameters\":{}}"},{"role":"observation","content":"r"}],"tools":"[]"}`,
		"messages[1] has role function_call; messages[2] has role observation", `
.messages[0] user | text "a" [real]
.messages[1] assistant | call f "{}"
.messages[2] tool | result "r"`)
	checkHarness(t, "sharegpt", `{"messages":[{"role":"user","content":"a"}],"tools":"[]"}`, "tools is a text", "\n.messages[0] user | text \"a\" [real]")
	checkHarness(t, "sharegpt", `{"conversations":[{"role":"user","content":"a"}]}`, "its messages are in conversations", "\n.conversations[0] user | text \"a\" [real]")
	// Hermes has its calls in the text, several results in one turn.
	checkHarness(t, "sharegpt", `[{"from":"human","value":"a"},{"from":"gpt","value":"Both.\n<tool_call>\n{\"name\":\"f\",\"arguments\":{\"x\":1}}\n</tool_call><tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call>"},{"from":"tool","value":"<tool_response>1</tool_response>"},{"from":"tool","value":"lost"},{"from":"gpt","value":"<tool_call>none</tool_call>"}]`,
		"[0] has from and value; [1] has from and value; [2] has from and value", `
[0] user | text "a" [real]
[1] assistant | text "Both." | call f "{\"x\":1}" | call g "{}"
[2] tool | result "<tool_response>1</tool_response>"
[3] tool | result "lost"
[4] assistant | text "<tool_call>none</tool_call>"`)
	// Plain rows show nothing of their own; calls of the chat API outweigh a sibling.
	for src, want := range map[string]string{
		`{"messages":[{"role":"user","content":"a"}],"id":1}`:                                                        "openai-chat 0.50",
		`{"messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"c","content":"b"}],"tools":"[]"}`: "openai-chat 0.98",
	} {
		v, err := Detect([]byte(src))
		if got := fmt.Sprintf("%s %.2f", v.Name, v.Confidence); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", src, got, err, want)
		}
	}
}

func TestShareWrite(t *testing.T) {
	d := mustDecode(t, shareCalls, Options{})
	out, err := d.Encode(entriesOf(d, "0 n 6 7"))
	from, to := strings.Index(shareCalls, `  {"from": "human"`), strings.Index(shareCalls, `  {"from": "gpt"`)
	if want := shareCalls[:from] + `  {"from":"human","value":"N"},` + "\n" + shareCalls[to:]; err != nil || string(out) != want {
		t.Errorf("%v %s\nwant\n%s", err, out, want)
	}
	for _, c := range []struct {
		item  int
		edits []transcript.Edit
		want  string
	}{
		{2, []transcript.Edit{{Part: 0, Text: `{"cleared":1}`}}, `{"from": "function_call", "value": "{\"name\": \"look\", \"arguments\": {\"cleared\":1}}"}`},
		{3, []transcript.Edit{{Part: 0, Text: "[gone]"}}, `{"from": "observation", "value": "[gone]"}`},
		{4, []transcript.Edit{{Part: 0, Text: `{"cleared":1}`}, {Part: 1, Text: `{"cleared":2}`}}, `{"from": "function_call", "value": "[{\"name\": \"look\", \"arguments\": {\"cleared\":1}}, {\"name\": \"peek\", \"arguments\": \"{\\\"cleared\\\":2}\"}]"}`},
		{4, []transcript.Edit{{Part: 0, Drop: true}}, `{"from": "function_call", "value": "[{\"name\": \"peek\", \"arguments\": \"{}\"}]"}`},
		{5, []transcript.Edit{{Part: 0, Text: "[gone]"}}, `{"from": "observation", "value": "[gone]"}`},
		{7, []transcript.Edit{{Part: 1, Text: `{"cleared":1}`}}, `{"from": "function_call", "value": "<think>\nhm\n</think>\n\n{\"name\": \"end\", \"arguments\": {\"cleared\":1}}"}`},
	} {
		got, ok := d.Writer.WithParts(&d.Items[c.item], c.edits)
		if !ok || string(got.Raw) != c.want {
			t.Errorf("item %d: %v %s\nwant\n%s", c.item, ok, got.Raw, c.want)
		}
		if c.item == 5 && len(got.Parts) != 2 {
			t.Errorf("a cleared observation answers %d calls, want 2", len(got.Parts))
		}
	}
	if _, ok := d.Writer.WithParts(&d.Items[4], []transcript.Edit{{Part: 0, Drop: true}, {Part: 1, Drop: true}}); ok {
		t.Error("a turn is left without any call")
	}
	answer, ok := d.Writer.Answer(&d.Items[7], 1, "none")
	if !ok || string(answer.Raw) != `{"from":"observation","value":"none"}` {
		t.Errorf("%v %s", ok, answer.Raw)
	}
	if _, ok := d.Writer.Joined(&d.Items[1], &d.Items[1]); ok {
		t.Error("two turns were joined")
	}

	d = mustDecode(t, shareParts, Options{Conversation: "/0/messages"})
	for role, want := range map[transcript.Role]string{
		transcript.User:      `{"role":"user","content":[{"type":"text","value":"N"}]}`,
		transcript.Assistant: `{"role":"assistant","content":[{"type":"text","value":"N"}]}`,
	} {
		if it := d.Writer.Message(role, "N"); string(it.Raw) != want {
			t.Errorf("%s, want %s", it.Raw, want)
		}
	}
	got, ok := d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 0, Drop: true}, {Part: 2, Text: `{"cleared":1}`}})
	if want := `{"role":"assistant","content":[{"type":"tool_call","value":"{\"name\":\"look\",\"arguments\":{\"at\":1}}"},{"type":"tool_call","value":"{\"name\":\"look\",\"arguments\":{\"cleared\":1}}"}],"loss_weight":1.0}`; !ok || string(got.Raw) != want {
		t.Errorf("%v %s", ok, got.Raw)
	}
	got, ok = d.Writer.WithParts(&d.Items[3], []transcript.Edit{{Part: 0, Text: "[gone]"}})
	if !ok || string(got.Raw) != `{"role":"tool","content":[{"type":"text","value":"[gone]"}]}` || len(got.Parts) != 2 {
		t.Errorf("%v %s", ok, got.Raw)
	}
	got, ok = d.Writer.WithParts(&d.Items[1], []transcript.Edit{{Part: 1, Text: "[picture]"}})
	if !ok || string(got.Raw) != `{"role":"user","content":[{"type":"text","value":"Look."},{"type":"text","value":"[picture]"}]}` {
		t.Errorf("%v %s", ok, got.Raw)
	}
}

// The pictures beside the messages are those that the messages still stand for,
// and no new text claims one.
func TestShareMedia(t *testing.T) {
	d := mustDecode(t, shareImages, Options{})
	pictures := func(entries []transcript.Entry) string {
		t.Helper()
		out, err := d.Encode(entries)
		if err != nil {
			t.Fatal(err)
		}
		again := mustDecode(t, string(out), Options{Format: "sharegpt"})
		n := 0
		for i := range again.Items {
			for _, p := range again.Items[i].Parts {
				if p.Kind == transcript.Image {
					n++
				}
			}
		}
		list := string(out[strings.Index(string(out), `"images"`):])
		if strings.Count(list, ".png") != n {
			t.Errorf("%d placeholders in\n%s", n, out)
		}
		return list
	}
	m := d.Writer.Message(transcript.User, "They asked: <image>Who?")
	if want := `{"role":"user","content":"They asked: [image]Who?"}`; string(m.Raw) != want {
		t.Errorf("%s, want %s", m.Raw, want)
	}
	if got, want := pictures([]transcript.Entry{{From: -1, New: &m}, {From: 2}, {From: 3}}), `"images": ["2.png",  "3.png"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := pictures([]transcript.Entry{{From: 0}, {From: 3}}), `"images": ["1.png"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := pictures([]transcript.Entry{{From: 1}}), `"images": []}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	cleared, ok := d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 1, Text: "[a]"}, {Part: 2, Text: "[b]"}})
	// Each stands apart from what stood beside the placeholder, as a word does.
	if want := `{"role": "user", "content": "[a] [b] And these?"}`; !ok || string(cleared.Raw) != want {
		t.Errorf("%v %s", ok, cleared.Raw)
	}
	spaced := mustDecode(t, strings.Replace(shareImages, `"<image>Who?"`, `"Who?<image>\n"`, 1), Options{})
	if out, ok := spaced.Writer.WithParts(&spaced.Items[0], []transcript.Edit{{Part: 1, Text: "[a]"}}); !ok || !strings.Contains(string(out.Raw), `"content": "Who? [a]\n"`) {
		t.Errorf("%v %s", ok, out.Raw) // no space where one stands
	}
	if got, want := pictures([]transcript.Entry{{From: 0}, {From: 1}, {From: 2, New: &cleared}, {From: 3}}), `"images": ["1.png"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, ok := d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 1, Text: "[a]"}}); ok {
		t.Error("nobody knows which of two pictures is left")
	}
	cut := d.Writer.WithText(&d.Items[2], "<image> … these?")
	if want := `{"role": "user", "content": "[image] … these?"}`; string(cut.Raw) != want {
		t.Errorf("%s, want %s", cut.Raw, want)
	}
	if kept := d.Writer.WithText(&d.Items[0], "<image>?"); string(kept.Raw) != `{"role": "user", "content": "<image>?"}` {
		t.Errorf("%s", kept.Raw)
	}
	// A row that names other files than its texts stand for is left alone.
	d = mustDecode(t, strings.Replace(shareImages, `"3.png"`, `"3.png","4.png"`, 1), Options{})
	if out, err := d.Encode([]transcript.Entry{{From: 0}}); err != nil || !strings.Contains(string(out), `["1.png", "2.png",  "3.png","4.png"]`) {
		t.Errorf("%v %s", err, out)
	}
}

func TestShareBody(t *testing.T) {
	d := mustDecode(t, shareCalls, Options{})
	body, err := d.Body(BodyRequest{Items: []int{4, 5}, Prompt: "P"})
	want := `{"messages":[{"role":"system","content":"Be brief."},{"role":"assistant","content":null,"tool_calls":[{"id":"call_4_0","type":"function","function":{"name":"look","arguments":"{\"at\":2}"}},` +
		`{"id":"call_4_1","type":"function","function":{"name":"peek","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_4_0","content":"[\"two\", \"three\"]"},{"role":"tool","tool_call_id":"call_4_1","content":""},{"role":"user","content":"P"}]}`
	if err != nil || string(body) != want {
		t.Errorf("%v %s\nwant\n%s", err, body, want)
	}
}

func TestShareErrors(t *testing.T) {
	const head, tail = `{"conversations":[{"from":"human","value":"a"},`, `]}`
	for src, want := range map[string]string{
		`5`:                        "transcript.conversations[1]: is a number, an object is wanted",
		`{"value":"a"}`:            "transcript.conversations[1].from: is missing",
		`{"from":5,"value":"a"}`:   "transcript.conversations[1].from: is a number, a string is wanted",
		`{"from":"gpt","value":5}`: "transcript.conversations[1].value: is a number, a string or a list of parts is wanted",
		`{"content":"a"}`:          "transcript.conversations[1].role: is missing",
		`{"role":"user","content":[{"type":"text","value":5}]}`: "transcript.conversations[1].content[0].value: is a number, a string is wanted",
		`{"role":"user","content":["x"]}`:                       "transcript.conversations[1].content[0]: is a string, an object is wanted",
	} {
		if _, err := Decode([]byte(head+src+tail), Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}

func FuzzShareGPT(f *testing.F) {
	fuzz(f, "sharegpt", shareCalls, shareParts, shareImages, `[{"from":"gpt","value":"<tool_call>[{\"name\":\"f\"}]</tool_call>"},{"from":"tool","value":["x"]}]`,
		`{"messages":[{"role":"assistant","content":[{"type":"tool_calls","value":"[{},{}]"}]}],"audios":["a"]}`)
}
