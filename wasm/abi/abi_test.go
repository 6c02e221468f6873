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
