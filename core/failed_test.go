package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// failing is a request of a policy without a fallback, whose summary step failed.
func failing(rounds int, state json.RawMessage, answers string) []byte {
	if state == nil {
		state = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"transcript":%s,"policy":{"triggers":[{"tokens":200}],"keep":{"first_user":false,"last_tokens":0,"last_messages":1},`+
		`"summary":{"on_failure":"error"}},"state":%s,"answers":%s}`, toolLoop(rounds), state, answers)
}

const failedTwice = `[{"error":"failed"},{"error":"failed"}]`

// An error for a result carries the state on, as results do: with it the rule is
// left alone until there is twice as much to fold, and without it the same model
// would be asked again each round. A mark that was there stays.
func TestFailedSummaryCarriesTheState(t *testing.T) {
	for _, op := range []string{"plan", "compact"} {
		_, err := core.Call(op, failing(4, nil, failedTwice))
		var attempt *core.FailedAttempt
		var bad *core.Error
		if !errors.As(err, &attempt) || !errors.As(err, &bad) || bad.Code != core.SummaryFailed || bad.Path != "answers" {
			t.Fatalf("%s: %v", op, err)
		}
		if (attempt.Event == nil) != (op == "plan") {
			t.Errorf("%s: the event is %+v", op, attempt.Event)
		}
		for _, c := range []struct {
			rounds int
			state  json.RawMessage
			fires  bool
		}{
			{4, nil, true}, // what a host without the state runs into
			{4, attempt.State, false},
			{6, attempt.State, false},
			{10, attempt.State, true}, // 10 rounds are more than twice of 4
		} {
			var res core.PlanResult
			out, err := core.Call("plan", failing(c.rounds, c.state, `[]`))
			if err == nil {
				err = json.Unmarshal(out, &res)
			}
			if err != nil || res.Decision.Fired != c.fires {
				t.Errorf("%s, %d rounds behind %s: fires %v, %v", op, c.rounds, c.state, res.Decision.Fired, err)
			}
		}
		// The second failure, behind the first.
		_, err = core.Call(op, failing(10, attempt.State, failedTwice))
		var again *core.FailedAttempt
		if !errors.As(err, &again) || string(again.State) == string(attempt.State) || len(again.State) < len(`{"v":1,"held":{`) {
			t.Errorf("%s: %v", op, err)
		}
	}
}

// A state that no engine wrote is refused by its place: every number in it is a
// count, and some of them are added to.
func TestImpossibleState(t *testing.T) {
	for _, c := range []struct{ state, path, message string }{
		{`{"window":{"number":-1}}`, "state.window.number", "is -1, must be at least 0"},
		{`{"window":{"number":9007199254740992}}`, "state.window.number", "is 9007199254740992, the limit is 9007199254740991"},
		{`{"window":{"prefill":-7}}`, "state.window.prefill", "is -7, "},
		{`{"compacted":{"items":-1}}`, "state.compacted.items", "is -1, "},
		{`{"compacted":{"items":1,"prompt":-2}}`, "state.compacted.prompt", "is -2, "},
		{`{"compacted":{"items":1,"total":-3}}`, "state.compacted.total", "is -3, "},
		{`{"ratio":{"reported":-1}}`, "state.ratio.reported", "is -1, "},
		{`{"ratio":{"counted":-1}}`, "state.ratio.counted", "is -1, "},
		{`{"ratio":{"sum_reported":-1}}`, "state.ratio.sum_reported", "is -1, "},
		{`{"ratio":{"sum_counted":-1}}`, "state.ratio.sum_counted", "is -1, "},
		{`{"held":{"failed":{"0a":1,"0b":-4}}}`, "state.held.failed.0b", "is -4, "},
		{`{"held":{"done":{"0b":-0.5}}}`, "state.held.done.0b", "is -0.5, "},
		{`{"held":{"switch":{"key":"k","failed":-1}}}`, "state.held.switch.failed", "is -1, "},
		{`{"held":{"switch":{"key":"k","done":-1}}}`, "state.held.switch.done", "is -1, "},
		{`{"window":{"number":0,"prefill":0},"compacted":{"items":0},"held":{"failed":{"0a":0},"done":{"0b":0.25}}}`, "", ""},
		{`{"window":{"number":9007199254740991}}`, "", ""},
		// What a provider reports may be anything.
		{`{"compacted":{"items":1,"prompt":9223372036854775807},"held":{"done":{"0b":9.223372036854776e18}}}`, "", ""},
	} {
		body := fmt.Appendf(nil, `{"transcript":[{"role":"user","content":"hi"}],"state":{"v":1,%s}`, c.state[1:])
		for _, op := range []string{"plan", "compact", "count"} {
			_, err := core.Call(op, body)
			var bad *core.Error
			switch {
			case c.path == "" && err == nil:
			case !errors.As(err, &bad) || bad.Code != "invalid_request" || bad.Path != c.path || !strings.HasPrefix(bad.Message, c.message):
				t.Errorf("%s %s: %v", op, c.state, err)
			}
		}
	}
}
