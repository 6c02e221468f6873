package core

import (
	"errors"
	"testing"
)

func TestRFC3339(t *testing.T) {
	for s, want := range map[string]bool{
		"2026-11-30T16:50:00Z": true, "2026-11-30T16:50:00.123456Z": true, "2026-11-30T16:50:00+09:00": true, "2026-11-30T16:50:00.5-03:30": true,
		"2026-11-30 16:50:00Z": false, "2026-11-30T16:50:00": false, "2026-11-30T16:50:00.Z": false, "2026-11-30": false, "now": false, "2026-11-30T16:50:00Zjunk": false,
	} {
		if rfc3339(s) != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
}

// Bad requests name their place, and nothing is done.
func TestRequestErrors(t *testing.T) {
	const turn = `"transcript":[{"role":"user","content":"hi"}]`
	for _, c := range []struct{ body, code, want string }{
		{`{"transcript":[1,]}`, "invalid_json", "the body is no JSON: line 1, column 18: unexpected ']' after ',': a comma before the end of an array is not JSON\n  {\"transcript\":[1,]}\n                   ^"},
		{`[]`, "invalid_request", "the body is an array, must be an object with a transcript"},
		{`{}`, "invalid_request", "transcript: is missing: send a JSON array, object, or a string of JSON Lines"},
		{`{"transcript":7}`, "invalid_request", "transcript: is a number, must be an array, an object or a string"},
		{`{"transcript":null}`, "invalid_request", "transcript: is null, must be an array, an object or a string"},
		{`{` + turn + `,"polcy":{}}`, "invalid_request", "polcy: unknown field, did you mean policy?"},
		{`{` + turn + `,"round":1,"round":2}`, "invalid_request", "round: stands twice"},
		{`{` + turn + `,"round":"6"}`, "invalid_request", "round: is a JSON string, must be an integer"},
		{`{` + turn + `,"round":0}`, "invalid_request", "round: is 0, must be at least 1"},
		{`{` + turn + `,"force":1}`, "invalid_request", "force: is a JSON number, must be true or false"},
		{`{` + turn + `,"usage":{"prompt_tokens":"many"}}`, "invalid_request", "usage.prompt_tokens: is a JSON string, must be an integer"},
		{`{` + turn + `,"model":7}`, "invalid_request", "model: is a number, must be an object or the id of a model"},
		{`{` + turn + `,"model":{"context_windw":1}}`, "invalid_request", "model.context_windw: unknown field, did you mean context_window?"},
		{`{` + turn + `,"models":{"cheap":"x"}}`, "invalid_request", "models.cheap: is a string, must be an object"},
		{`{` + turn + `,"answers":[{"text":"a"},{"txt":"b"}]}`, "invalid_request", "answers[1].txt: unknown field, did you mean text?"},
		{`{` + turn + `,"state":{"v":1,"hold":1}}`, "invalid_state", "state: is not as this engine wrote it; send the state of the last answer as it came, or leave it out to start anew"},
		{"{\"transcript\":[{\"role\":\"user\",\"content\":\"\xff\"}]}", "invalid_json", "the body is no JSON: line 1, column 42: invalid UTF-8 (byte 0xff)\n  …\":\"user\",\"content\":\"\uFFFD\"}]}\n                       ^"},
		{`{` + turn + `,"model":{"context_window":-1}}`, "invalid_request", "model: holds a negative number, windows and percentages are at least 0 (unknown)"},
		{`{` + turn + `,"state":{"v":2}}`, "invalid_state", "state: has version 2, this engine knows 1; send the state of the last answer as it came, or leave it out to start anew"},
		{`{` + turn + `,"state":7}`, "invalid_state", "state: is no state object with a version v; send the state of the last answer as it came, or leave it out to start anew"},
		{`{` + turn + `,"summary":"\t "}`, "empty_summary", "summary: is blank: send the text that stands for what is folded, or leave it out for the digest"},
		{`{` + turn + `,"summarizer":"model"}`, "not_configured", "summarizer: model needs an upstream, and none is configured here: send summary, or leave summarizer out for the digest"},
		{`{` + turn + `,"now":"today"}`, "invalid_request", `now: is "today", must be a time as in RFC 3339: 2026-11-30T16:50:00Z`},
		{`{` + turn + `,"format":"openai-chta"}`, "unknown_format", ""},
		{`{` + turn + `,"policy":{"lait":{"trigger_round":3}}}`, "invalid_policy", "policy.lait.trigger_round: unknown field, did you mean trigger_rounds?"},
	} {
		for _, op := range []string{"plan", "compact"} {
			_, err := Call(op, []byte(c.body))
			var bad *Error
			if !errors.As(err, &bad) || bad.Code != c.code || c.want != "" && err.Error() != c.want {
				t.Errorf("%s %s:\n%v\nwant %s\n%s", op, c.body, err, c.code, c.want)
			}
		}
	}
}

// A model may be named as the providers' own bodies name it.
func TestModelByName(t *testing.T) {
	req, err := DecodeRequest([]byte(`{"transcript":[],"model":"gpt-4o"}`))
	if err != nil || req.Model == nil || req.Model.ID != "gpt-4o" {
		t.Errorf("%+v %v", req.Model, err)
	}
}
