package proxy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Over HTTP, too, a summary step that failed gives its state, beside the error,
// where results have theirs; the next request with it is not asked for a summary.
// No other error has one.
func TestFailedSummaryOverHTTP(t *testing.T) {
	t.Parallel()
	h := New(Options{Call: NewEngine().Call})
	body := func(state json.RawMessage, answers string) *strings.Reader {
		turn := `{"role":"user","content":"go"},{"role":"assistant","content":"` + strings.Repeat("It is done. ", 100) + `"}`
		return strings.NewReader(fmt.Sprintf(`{"transcript":[%s,%s,%s],"policy":{"triggers":[{"tokens":100}],"keep":{"last_tokens":1},"summary":{"on_failure":"error"}},"state":%s,"answers":%s}`,
			turn, turn, turn, state, answers))
	}
	for _, path := range []string{"/v1/plan", "/v1/compact"} {
		w := ask(h, "POST", path, body(json.RawMessage("null"), `[{"error":"failed"},{"error":"empty"}]`), "content-type: application/json")
		var got struct {
			Error struct{ Code, Param string }
			State json.RawMessage
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 502 || got.Error.Code != "summary_failed" || got.Error.Param != "answers" || len(got.State) == 0 {
			t.Fatalf("%s: %d %v %s", path, w.Code, err, w.Body)
		}
		var next struct {
			Decision struct{ Fired bool }
		}
		w = ask(h, "POST", path, body(got.State, `[]`), "content-type: application/json")
		if err := json.Unmarshal(w.Body.Bytes(), &next); err != nil || w.Code != 200 || next.Decision.Fired {
			t.Errorf("%s with the state: %d %v %s", path, w.Code, err, w.Body)
		}
	}
	w := ask(h, "POST", "/v1/plan", body(json.RawMessage(`{"v":2}`), `[]`), "content-type: application/json")
	wantError(t, w, 400, "invalid_state")
}
