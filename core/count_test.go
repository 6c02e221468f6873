package core_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// What holds no history to compact can be counted, with the model that it names.
func TestCountOfAnswers(t *testing.T) {
	for _, x := range []struct {
		name, transcript, format string
		same                     string // a history with the same items
		text                     bool
	}{
		{
			"chat", `{"id":"x","object":"chat.completion","model":"gpt-4o","choices":[{"index":0,"message":{"role":"assistant","content":"Two files name it."}}],"usage":{}}`,
			"openai-chat", `[{"role":"assistant","content":"Two files name it."}]`, false,
		},
		{
			"responses", `{"object":"response","model":"gpt-4o","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Two files name it."}]},{"type":"function_call","name":"ls","arguments":"{}","call_id":"c"}]}`,
			"openai-responses", `[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Two files name it."}]},{"type":"function_call","name":"ls","arguments":"{}","call_id":"c"}]`, false,
		},
		{
			"messages", `{"id":"msg_1","type":"message","role":"assistant","model":"gpt-4o","content":[{"type":"text","text":"Two files name it."}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}`,
			"anthropic-messages", `[{"role":"assistant","content":[{"type":"text","text":"Two files name it."}]}]`, false,
		},
		{
			"gemini", `{"candidates":[{"content":{"role":"model","parts":[{"text":"Two files name it."}]},"finishReason":"STOP"}],"modelVersion":"gpt-4o"}`,
			"gemini-contents", `[{"role":"model","parts":[{"text":"Two files name it."}]}]`, false,
		},
		{
			"converse", `{"output":{"message":{"role":"assistant","content":[{"text":"Two files name it."}]}},"stopReason":"end_turn","model":"gpt-4o"}`,
			"bedrock-converse", `[{"role":"assistant","content":[{"text":"Two files name it."}]}]`, false,
		},
		{"a request of one text", `{"model":"gpt-4o","input":"Two \"files\" name it."}`, "openai-responses", `[{"role":"user","content":"Two \"files\" name it."}]`, false},
		{
			"as a text", `{"object":"response","model":"gpt-4o","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Two files name it."}]}]}`,
			"openai-responses", `[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Two files name it."}]}]`, true,
		},
	} {
		e := exact(t)
		got, err := e.Count(core.Request{Transcript: []byte(x.transcript), Text: x.text})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		want, err := e.Count(core.Request{Transcript: []byte(x.same), Format: x.format, Model: &core.Model{ID: "gpt-4o"}})
		if err != nil {
			t.Fatal(err)
		}
		if got.Format.Name != x.format || got.Total != want.Total || !slices.Equal(got.Items, want.Items) || got.Counter != want.Counter {
			t.Errorf("%s: %+v\nwant %+v", x.name, got, want)
		}
		// Compaction refuses it as before.
		_, err = e.Compact(core.Request{Transcript: []byte(x.transcript), Text: x.text, Force: true})
		var bad *core.Error
		if !errors.As(err, &bad) || bad.Code != "not_a_history" {
			t.Errorf("%s: compaction says %v", x.name, err)
		}
	}
}

func TestCountErrors(t *testing.T) {
	const turn = `"transcript":[{"role":"user","content":"hi"}]`
	for _, x := range []struct{ body, want string }{
		{`{}`, "transcript: is missing: send a JSON array, object, or a string of JSON Lines"},
		{`{` + turn + `,"models":{"a":{"model":"","encoding":"o200k"}}}`, `models.a.encoding: is "o200k", must be o200k_base or cl100k_base; for another vocabulary give its factor`},
		{`{` + turn + `,"models":{"a":{"model":"","factor":11}}}`, "models.a.factor: is 11, the limits are 0.1 and 10"},
		{`{` + turn + `,"models":{"a":{"model":"","factor":1.1,"encoding":"o200k_base"}}}`, "models.a: has an encoding and a factor: the one says that counts are exact, the other how far they are off"},
		{`{` + turn + `,"models":{"a":{"model":"","context_window":-1}}}`, "models.a: holds a negative number, tokens are at least 0 (unknown)"},
		{`{` + turn + `,"models":{"a":{"model":"","image":{"rule":"cubes"}}}}`, "models.a.image: is no rule: rule is tiles, patches, visual (with patch), gemini (with tile) or fixed, and no number is negative or above 1,048,576"},
		{`{` + turn + `,"models":{"a":{"model":"","price":{"input":-1}}}}`, "models.a.price: holds a negative number"},
		{`{` + turn + `,"models":{"a":{"widnow":""}}}`, `models.a.widnow: unknown field`},
		{`{` + turn + `,"state":{"v":9}}`, "state: has version 9, this engine knows 1; send the state of the last answer as it came, or leave it out to start anew"},
	} {
		for _, op := range []string{"count", "plan", "compact"} {
			if _, err := core.Call(op, []byte(x.body)); err == nil || err.Error() != x.want {
				t.Errorf("%s %s:\n%v\nwant %s", op, x.body, err, x.want)
			}
		}
	}
}
