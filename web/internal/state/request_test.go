package state

import (
	"encoding/json"
	"testing"
)

func laitState(text string) State {
	return State{
		Source: Source{Text: text},
		Values: Values{
			KeySystem: Lait, "lait.trigger_rounds": "6", "lait.trigger_tokens": "60000", "lait.keep_last_n": "4",
			"codex.user_message_tokens": "20000", KeyForce: "true", KeyRewrite: "true",
		},
	}
}

// The transcript's bytes stand in the body as they were typed: odd spaces,
// escapes and number forms included.
func TestBodyKeepsTheTranscript(t *testing.T) {
	raw := "[ {\"role\":\"user\", \"content\":\"\\u3042\\/ a\",\"n\":1.50e+1} ]"
	got := string(laitState("\n" + raw + "  \n").Body())
	want := `{"transcript":` + raw + `,"policy":{"lait":{"trigger_rounds":6,"trigger_tokens":60000,"keep_last_n":4}},"force":true}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// All that is not one JSON array or object goes as a string, and comes back
// out of it unchanged.
func TestBodySendsTextAsAString(t *testing.T) {
	for _, text := range []string{
		"{\"role\":\"user\"}\n{\"role\":\"assistant\"}\n", "[1,", "hello <b>&\u2028\"\\", "\"a string\"", "12",
	} {
		var body struct {
			Transcript string `json:"transcript"`
		}
		if err := json.Unmarshal(laitState(text).Body(), &body); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if body.Transcript != text {
			t.Errorf("%q came out as %q", text, body.Transcript)
		}
	}
}

func TestSettings(t *testing.T) {
	for name, c := range map[string]struct {
		set  Values
		want string
	}{
		"empty fields are left out": {
			Values{KeySystem: Lait, "lait.trigger_rounds": " ", "lait.trigger_tokens": "", "lait.model": ""},
			`{"policy":{"lait":{}}}`,
		},
		"what is no number is sent as it is typed, for the engine to refuse": {
			Values{KeySystem: Lait, "lait.trigger_rounds": "six", "lait.trigger_tokens": "60,000", "lait.keep_last_n": "04"},
			`{"policy":{"lait":{"trigger_rounds":"six","trigger_tokens":"60,000","keep_last_n":"04"}}}`,
		},
		"forms of numbers": {
			Values{KeySystem: Lait, "lait.trigger_rounds": "-1", "lait.trigger_tokens": "6e4", "lait.keep_last_n": "1.5"},
			`{"policy":{"lait":{"trigger_rounds":-1,"trigger_tokens":6e4,"keep_last_n":1.5}}}`,
		},
		"codex": {
			Values{
				KeySystem: Codex, "codex.model_context_window": "272000", "codex.user_message_tokens": "0",
				"codex.summary_prefix": "Record:\n", "codex.compact_prompt": "", "lait.trigger_rounds": "6",
			},
			`{"policy":{"codex":{"model_context_window":272000,"user_message_tokens":0,"summary_prefix":"Record:\n"}}}`,
		},
		"balanced": {
			Values{KeySystem: Balanced, "balanced.fraction": "0.5", "balanced.last_tokens": "900", "balanced.context_window": "200000"},
			`{"policy":{"preset":"balanced","triggers":[{"fraction":0.5}],"keep":{"last_tokens":900}},"model":{"context_window":200000}}`,
		},
		"balanced as it is": {
			Values{KeySystem: Balanced},
			`{"policy":{"preset":"balanced"}}`,
		},
		"a model of one's own choice": {
			Values{KeySystem: Lait, KeyModel: " gpt-5 "},
			`{"policy":{"lait":{}},"model":{"id":"gpt-5"}}`,
		},
		"a model and its window": {
			Values{KeySystem: Balanced, KeyModel: "gpt-5", "balanced.context_window": "9000"},
			`{"policy":{"preset":"balanced"},"model":{"id":"gpt-5","context_window":9000}}`,
		},
		"moment": {
			Values{KeySystem: Lait, KeyFormat: "openai-chat", KeyRound: "12", KeyPhase: "pre_turn", KeyPromptTokens: "61000"},
			`{"format":"openai-chat","policy":{"lait":{}},"round":12,"phase":"pre_turn","usage":{"prompt_tokens":61000}}`,
		},
		"a turn of its own is asked for by a person": {
			Values{KeySystem: Lait, KeyPhase: "standalone_turn"},
			`{"policy":{"lait":{}},"phase":"standalone_turn","trigger":"manual"}`,
		},
		"a copy is asked of logs only": {
			Values{KeySystem: Lait, KeyRewrite: "true"},
			`{"policy":{"lait":{}}}`,
		},
		"a rollout by choice": {
			Values{KeySystem: Lait, KeyRewrite: "true", KeyFormat: "codex-rollout"},
			`{"format":"codex-rollout","policy":{"lait":{}},"rewrite":true}`,
		},
		"a session by choice, which is written behind": {
			Values{KeySystem: Lait, KeyFormat: "claude-code"},
			`{"format":"claude-code","policy":{"lait":{}}}`,
		},
	} {
		got := State{Values: c.set}.Settings()
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s: no JSON: %s", name, got)
		}
	}
}

func TestSummaryIsSentToCompactOnly(t *testing.T) {
	s := laitState("[]")
	own := "my \"own\""
	s.Summary = &own
	if got, want := string(s.Body()), `{"transcript":[],"policy":{"lait":{"trigger_rounds":6,"trigger_tokens":60000,"keep_last_n":4}},"force":true,"summary":"my \"own\""}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := string(s.PlanBody()), `{"transcript":[],"policy":{"lait":{"trigger_rounds":6,"trigger_tokens":60000,"keep_last_n":4}},"force":true}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
