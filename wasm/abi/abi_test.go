package abi

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCall(t *testing.T) {
	// The value is the engine's own bytes: the blanks of a kept message stand.
	kept := `{ "role" : "user",  "content":"hi" }`
	got := string(Call("compact", []byte(`{"transcript":[`+kept+`],"policy":{"lait":{"trigger_rounds":9}}}`)))
	if !strings.HasPrefix(got, `{"ok":true,"value":{"format":`) || !strings.Contains(got, kept) || !json.Valid([]byte(got)) {
		t.Error(got)
	}
	var bad struct {
		OK    bool
		Error Error
	}
	if err := json.Unmarshal(Call("compact", []byte(`{"transcript":[],"policy":{"lait":{"trigger_round":9}}}`)), &bad); err != nil {
		t.Fatal(err)
	}
	if bad.OK || bad.Error.Code != "invalid_policy" || bad.Error.Path != "policy.lait.trigger_round" || !strings.HasPrefix(bad.Error.Message, bad.Error.Path+": ") {
		t.Errorf("%+v", bad)
	}
	if err := json.Unmarshal(Call("sing", nil), &bad); err != nil || bad.Error.Path != "op" {
		t.Errorf("%+v %v", bad, err)
	}
}

// A summary step that failed leaves a state behind.
func TestStateOfAFailure(t *testing.T) {
	long := strings.Repeat("It is done. ", 200)
	var bad struct{ Error Error }
	out := Call("compact", []byte(`{"transcript":[{"role":"user","content":"go"},{"role":"assistant","content":"`+long+`"},{"role":"user","content":"on"}],"force":true,`+
		`"policy":{"keep":{"last_tokens":0,"last_messages":1}},"answers":[{"error":"failed"},{"error":"failed"}]}`))
	if err := json.Unmarshal(out, &bad); err != nil || bad.Error.Code != "summary_failed" || !strings.HasPrefix(string(bad.Error.State), `{"v":1`) {
		t.Errorf("%v %s", err, out)
	}
	if out = Call("sing", nil); strings.Contains(string(out), "state") {
		t.Errorf("%s", out)
	}
}
