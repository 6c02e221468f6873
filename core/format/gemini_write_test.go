package format

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// edited is an item with edits, "false" where the writer refuses them.
func edited(d *Document, item int, edits ...transcript.Edit) string {
	out, ok := d.Writer.WithParts(&d.Items[item], edits)
	if !ok {
		return "false"
	}
	return string(out.Raw)
}

func TestGeminiEdits(t *testing.T) {
	request, snake := mustDecode(t, geminiTools, Options{}), mustDecode(t, geminiSnake, Options{})
	for _, c := range []struct{ name, got, want string }{
		{
			"a result keeps its key", edited(request, 2, transcript.Edit{Part: 1, Text: "[cleared]"}),
			strings.Replace(string(request.Items[2].Raw), `{"result": "one"}`, `{"result":"[cleared]"}`, 1),
		},
		{
			"media of a result go with it, and an error is none any more",
			edited(request, 2, transcript.Edit{Part: 0, Text: "[cleared]"}, transcript.Edit{Part: 2, Text: "[cleared]"}),
			strings.NewReplacer(`{"error": "no such thing"}`, `{"output":"[cleared]"}`, `{"output": {"b": 2}, "ms": 7}`, `{"output":"[cleared]"}`, `{"inlineData": {"mimeType": "image/jpeg", "data": "QUJD"}}`, "").Replace(string(request.Items[2].Raw)),
		},
		{"an input is an object", edited(request, 1, transcript.Edit{Part: 2, Text: `{"cleared":true}`}), strings.Replace(string(request.Items[1].Raw), `{"at": 2}`, `{"cleared":true}`, 1)},
		{"a call without an input", edited(request, 1, transcript.Edit{Part: 3, Text: `{"cleared":true}`}), "false"},
		{"the input of a signed call stays", edited(request, 3, transcript.Edit{Part: 0, Text: `{"cleared":true}`}), "false"},
		{"a signature stays with the call that it is for", edited(request, 1, transcript.Edit{Part: 0, Drop: true}), "false"},
		{
			"they go together", edited(request, 1, transcript.Edit{Part: 0, Drop: true}, transcript.Edit{Part: 1, Drop: true}, transcript.Edit{Part: 2, Drop: true}),
			`{"role": "model", "parts": [{"functionCall": {"name": "count"}}]}`,
		},
		{"a signature alone goes", edited(request, 5, transcript.Edit{Part: 3, Drop: true}), strings.Replace(string(request.Items[5].Raw), `, {"text": "", "thoughtSignature": "c2lnMw=="}`, "", 1)},
		{"code that was run", edited(request, 5, transcript.Edit{Part: 1, Text: "[cleared]"}), strings.Replace(string(request.Items[5].Raw), `"output": "1"`, `"output": "[cleared]"`, 1)},
		{"media", edited(request, 0, transcript.Edit{Part: 1, Text: "[image]"}), strings.Replace(string(request.Items[0].Raw), `{"inlineData": {"mimeType": "image/png", "data": "QUJDRA=="}}`, `{"text":"[image]"}`, 1)},
		{"media of a result can not be a text", edited(request, 2, transcript.Edit{Part: 3, Text: "[image]"}), "false"},
		{"an id", edited(snake, 2, transcript.Edit{Part: 1, ID: "c9"}), strings.Replace(string(snake.Items[2].Raw), `"id": "c1"`, `"id": "c9"`, 1)},
		{"an id that is not there", edited(request, 1, transcript.Edit{Part: 1, ID: "c9"}), "false"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
	out, _ := request.Writer.WithParts(&request.Items[2], []transcript.Edit{{Part: 1, Text: "x"}})
	if out.Parts[1].ID != "look" || out.Parts[2].ID != "look#2" {
		t.Errorf("the results of an edited item answer %q and %q", out.Parts[1].ID, out.Parts[2].ID)
	}
}

func TestGeminiMessages(t *testing.T) {
	request, snake, session := mustDecode(t, geminiTools, Options{}), mustDecode(t, geminiSnake, Options{}), mustDecode(t, adkSession, Options{Now: "2026-05-15T20:42:07.25+02:00"})
	joined, ok := request.Writer.Joined(&request.Items[0], &request.Items[6])
	answer, answers := request.Writer.Answer(&request.Items[1], 2, "none")
	byID, _ := snake.Writer.Answer(&snake.Items[1], 0, "none")
	for _, c := range []struct{ name, got, want string }{
		{"user", string(request.Writer.Message(transcript.User, "a\n").Raw), `{"role":"user","parts":[{"text":"a\n"}]}`},
		{"model", string(request.Writer.Message(transcript.Assistant, "a").Raw), `{"role":"model","parts":[{"text":"a"}]}`},
		{"another text", string(withText(request, 6, "b").Raw), `{"parts": [{"text":"b"}]}`},
		{"another text for none", string(withText(mustDecode(t, `{"contents":[{"role":"user"}]}`, Options{}), 0, "b").Raw), `{"role":"user","parts":[{"text":"b"}]}`},
		{"another text of an event", string(withText(session, 0, "b").Raw), strings.Replace(string(session.Items[0].Raw), `"Ask my boss."`, `"b"`, 1)},
		{"joined", string(joined.Raw), `{"role": "user", "parts": [{"text": "See "},{"inlineData": {"mimeType": "image/png", "data": "QUJDRA=="}},{"fileData": {"mimeType": "video/mp4", "fileUri": "gs://v"}},{"inlineData": {"mimeType": "audio/wav", "data": "QUI="}},{"text": "Thanks."}]}`},
		{"answer", string(answer.Raw), `{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"none"}}}]}`},
		{"answer in snake case, with the id", string(byID.Raw), `{"role":"user","parts":[{"function_response":{"id":"c1","name":"f","response":{"output":"none"}}}]}`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
	results, _ := request.Writer.Joined(&request.Items[2], &request.Items[4])
	if ids := []string{results.Parts[0].ID, results.Parts[2].ID, results.Parts[4].ID}; !slices.Equal(ids, []string{"count", "look#2", "look#3"}) {
		t.Errorf("joined results answer %q", ids)
	}
	if !ok || !answers || answer.Parts[0].ID != "look#2" {
		t.Errorf("joined %v, answered %v for %q", ok, answers, answer.Parts[0].ID)
	}
}

func withText(d *Document, item int, text string) transcript.Item {
	return d.Writer.WithText(&d.Items[item], text)
}

// A new event has all that one must have, in the forms of the session: ids of 8
// letters or UUIDs, names in its case, the caller's time (18:42:07.25 UTC on
// 2026-05-15 is 20,588 days and 67,327.25 seconds after 1970) or the newest
// event's.
func TestADKMessages(t *testing.T) {
	type event struct {
		ID           string      `json:"id"`
		Author       string      `json:"author"`
		Invocation   string      `json:"invocation_id"`
		InvocationID string      `json:"invocationId"`
		Timestamp    json.Number `json:"timestamp"`
		Content      struct {
			Role  string
			Parts []struct{ Text string }
		}
	}
	read := func(raw []byte) (e event) {
		t.Helper()
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	now := mustDecode(t, adkSession, Options{Now: "2026-05-15T20:42:07.25+02:00"})
	e := read(now.Writer.Message(transcript.User, "S").Raw)
	if len(e.ID) != 8 || len(e.Invocation) != 8 || e.Author != "user" || e.Timestamp != "1778870527.25" || e.Content.Role != "user" || e.Content.Parts[0].Text != "S" {
		t.Errorf("%+v", e)
	}
	if other := read(now.Writer.Message(transcript.User, "T").Raw); other.ID == e.ID || other.Invocation == e.Invocation {
		t.Error("two events share an id")
	}
	if again := now.Writer.Message(transcript.User, "S").Raw; string(again) != string(now.Writer.Message(transcript.User, "S").Raw) {
		t.Error("the same input gives two ids")
	}
	e = read(mustDecode(t, adkSession, Options{}).Writer.Message(transcript.Assistant, "S").Raw)
	if e.Author != "agent" || e.Timestamp != "9" || e.Content.Role != "model" {
		t.Errorf("%+v", e)
	}
	// Within the range of a compaction nothing is history: ours stands before it.
	e = read(mustDecode(t, adkCompacted, Options{}).Writer.Message(transcript.User, "S").Raw)
	if at, err := e.Timestamp.Float64(); err != nil || at >= 2 || at < 1.99 || !strings.HasPrefix(e.InvocationID, "e-") || len(e.InvocationID) != len("e-")+36 {
		t.Errorf("%+v", e)
	}
}

// What a compaction stands for goes with it, and stays with it.
func TestADKCompaction(t *testing.T) {
	d := mustDecode(t, adkCompacted, Options{})
	line := strings.Split(adkCompacted, "\n")
	encode := func(items ...int) string {
		t.Helper()
		var entries []transcript.Entry
		for _, i := range items {
			entries = append(entries, transcript.Entry{From: i})
		}
		out, err := d.Encode(entries)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if got, want := encode(0, 2, 3), strings.Join([]string{line[0], line[1], line[5], line[6], line[7]}, "\n"); got != want {
		t.Errorf("without the compaction:\n%s\nwant\n%s", got, want)
	}
	if got, want := encode(1, 2, 3), strings.Join([]string{line[0], line[2], line[3], line[4], line[5], line[6], line[7]}, "\n"); got != want {
		t.Errorf("with it:\n%s\nwant\n%s", got, want)
	}
}

// Invocations are put together again: the summary asks what a cut off answer
// belongs to, the rest keeps its bytes.
func TestADKCases(t *testing.T) {
	d := mustDecode(t, adkCases, Options{Conversation: "/eval_cases/0/conversation"})
	m, said := d.Writer.Message(transcript.User, "S"), d.Writer.Message(transcript.Assistant, "A")
	for _, c := range []struct {
		name    string
		entries []transcript.Entry
		want    string
	}{
		{
			"the answer alone",
			[]transcript.Entry{{From: -1, New: &m}, {From: 2}, {From: 3}},
			strings.NewReplacer(`{"parts": [{"text": "Mail it."}], "role": "user"}`, `{"role":"user","parts":[{"text":"S"}]}`,
				`, "intermediate_data": {"tool_uses": [{"id": null, "args": {"to": "b"}, "name": "mail"}], "tool_responses": [{"id": null, "name": "mail", "response": {"result": "sent"}}], "intermediate_responses": [["helper", [{"text": "On it."}]]]}`, "").Replace(adkCases),
		},
		{
			"an answer behind another",
			[]transcript.Entry{{From: 0}, {From: 1}, {From: 2}, {From: -1, New: &said}, {From: 3}},
			strings.Replace(adkCases, `{"invocation_id": "2"`, `{"final_response":{"role":"model","parts":[{"text":"A"}]}},`+"\n  "+`{"invocation_id": "2"`, 1),
		},
		{
			"a question of its own",
			[]transcript.Entry{{From: -1, New: &m}, {From: 3}},
			strings.Replace(adkCases, adkCases[strings.Index(adkCases, `{"invocation_id": "1"`):strings.Index(adkCases, `{"invocation_id": "2"`)],
				`{"user_content":{"role":"user","parts":[{"text":"S"}]}},`+"\n  ", 1),
		},
	} {
		out, err := d.Encode(c.entries)
		if err != nil || string(out) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, out, c.want)
		}
	}
}

func TestGeminiBody(t *testing.T) {
	request := mustDecode(t, geminiTools, Options{})
	item := func(d *Document, i int) string { return string(d.Items[i].Sent()) }
	prompt, open := `{"role":"user","parts":[{"text":"P"}]}`, `{"role":"user","parts":[{"text":"`+transcript.Opening+`"}]}`
	noted := `{"role":"model","parts":[{"text":"` + noted + `"}]}`
	system := `"systemInstruction":{"parts": [{"text": "Be"}, {"text": "brief."}]},`
	session := mustDecode(t, adkSession, Options{})
	for _, c := range []struct {
		name string
		d    *Document
		r    BodyRequest
		want string
	}{
		{
			"what is whole has its own bytes", request,
			BodyRequest{Items: []int{0, 1, 2, 3}, Model: "gemini-3", MaxTokens: 9},
			`{"model":"models/gemini-3",` + system + `"contents":[` + item(request, 0) + "," + item(request, 1) + `,{"role":"user","parts":[` +
				`{"functionResponse": {"name": "look", "response": {"result": "one"}}},{"functionResponse": {"name": "look", "response": {"output": {"b": 2}, "ms": 7}, "parts": [{"inlineData": {"mimeType": "image/jpeg", "data": "QUJD"}}]}},{"functionResponse": {"name": "count", "response": {"error": "no such thing"}}}]},` +
				item(request, 3) + `,{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"` + stub + `"}}}]},` + noted + "," + prompt + `],"generationConfig":{"maxOutputTokens":9}}`,
		},
		{
			"the model does not open, results without their call go, the prompt joins the user's text", request,
			BodyRequest{Items: []int{2, 5, 6}},
			`{` + system + `"contents":[` + open + "," + item(request, 5) + `,` +
				`{"role":"user","parts":[{"text": "Thanks."},{"text":"P"}]}]}`,
		},
		{
			"tools where they are wanted", request,
			BodyRequest{Items: []int{6}, SendTools: "always"},
			`{` + system + `"contents":[{"role":"user","parts":[{"text": "Thanks."},{"text":"P"}]}],"tools":[{"functionDeclarations": [{"name": "look"}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`,
		},
		{
			"events are contents", session,
			BodyRequest{Items: []int{0, 1, 2, 3}},
			`{"contents":[` + item(session, 0) + "," + item(session, 1) + "," + item(session, 2) + `,{"role":"model","parts":[{"text":"He is asked."}]},` + prompt + `]}`,
		},
		{
			"parts of nothing but nulls go", mustDecode(t, geminiSnake, Options{}),
			BodyRequest{Items: []int{1}},
			`{"contents":[` + open + `,{"role":"model","parts":[{"function_call": {"id": "c1", "args": {"n": 1}, "name": "f"}, "text": null, "thought_signature": "c2ln"},{"function_call": {"id": "c2", "args": null, "name": "g"}, "text": null}]},` +
				`{"role":"user","parts":[{"function_response":{"id":"c1","name":"f","response":{"output":"` + stub + `"}}},{"function_response":{"id":"c2","name":"g","response":{"output":"` + stub + `"}}}]},` + noted + "," + prompt + `]}`,
		},
		{
			"nothing", session, BodyRequest{}, `{"contents":[` + prompt + `]}`,
		},
		{
			"instructions of an SDK", mustDecode(t, `{"model":"m","config":{"systemInstruction":["Be",{"text":"brief."}]},"contents":[{"role":"user","parts":[{"text":" "}]},{"role":"system","parts":[{"text":"x"}]}]}`, Options{}),
			BodyRequest{Items: []int{0, 1}},
			`{"systemInstruction":{"parts":[{"text":"Be"},{"text":"brief."}]},"contents":[{"role":"user","parts":[{"text":"x"},{"text":"P"}]}]}`,
		},
	} {
		c.r.Prompt = "P"
		got, err := c.d.Body(c.r)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

func TestGeminiSiblings(t *testing.T) {
	for _, c := range []struct{ src, system, tools, model string }{
		{geminiTools, "Be\nbrief.", `[{"functionDeclarations": [{"name": "look"}]}]`, ""},
		{`{"model":"models/gemini-3","system_instruction":{"text":"S"},"contents":[]}`, "S", "", "gemini-3"},
		{`{"model":"gemini-3","config":{"systemInstruction":"S","tools":[{"googleSearch":{}}]},"contents":[]}`, "S", `[{"googleSearch":{}}]`, "gemini-3"},
		{geminiSnake, "", "", ""},
	} {
		d := mustDecode(t, c.src, Options{})
		if d.System != c.system || string(d.Tools) != c.tools || d.Model != c.model {
			t.Errorf("system %q, tools %s, model %q of %.60s", d.System, d.Tools, d.Model, c.src)
		}
	}
}

func TestEpoch(t *testing.T) {
	for stamp, want := range map[string]string{
		"1970-01-01T00:00:00Z":      "0",
		"2000-02-29T12:00:00Z":      "951825600", // a leap day of a year by 400
		"2026-05-15T20:42:07.25Z":   "1778877727.25",
		"2026-05-15t20:42:07+09:00": "1778845327",
		"2024-12-31T23:59:60Z":      "1735689600",
		"1969-12-31T23:59:59Z":      "",
		"2026-05-15 20:42:07Z":      "",
		"2026-05-15T20:42:07":       "",
		"2026-05-15T20:42:07.Z":     "",
		"2026-13-15T20:42:07Z":      "",
		"2026-05-15T24:42:07Z":      "",
		"2026-05-15T20:42:07+9:00":  "",
		"2026-05-15T20:42:07+24:00": "",
		"":                          "",
	} {
		if got, ok := epoch(stamp); got != want || ok != (want != "") {
			t.Errorf("%s is %q, want %q", stamp, got, want)
		}
	}
}
