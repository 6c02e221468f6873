package proxy

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// Each attempt to compact has its one event over HTTP too: beside the error where it
// failed, in the receipt where whoever asked gave up. A plan attempts nothing.
func TestEventOfAFailedAttempt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("It is done. ", 200)
	body := `{"transcript":[{"role":"user","content":"go"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"on"}],` +
		`"policy":{"lait":{"trigger_rounds":6,"keep_last_n":1}},"round":6,"window":{"id":"w-1","next_id":"w-2"},"answers":[`
	type event struct {
		Status, Error, Cause, Reason string
		WindowID                     string `json:"window_id"`
		NextWindowID                 string `json:"next_window_id"`
	}
	failed := &event{Status: "failed", Error: "summary_failed", Cause: "truncated", Reason: "rounds", WindowID: "w-1"}
	interrupted := &event{Status: "interrupted", Error: "summary_failed", Cause: "interrupted", Reason: "rounds", WindowID: "w-1"}
	completed := &event{Status: "completed", Reason: "rounds", WindowID: "w-1", NextWindowID: "w-2"}
	for _, c := range []struct {
		path, answers string
		status        int
		beside, in    *event
	}{
		{"/v1/compact", `{"error":"empty"},{"error":"truncated"}`, http.StatusBadGateway, failed, nil},
		{"/v1/compact", `{"error":"empty"},{"error":"interrupted"}`, http.StatusOK, nil, interrupted},
		{"/v1/compact", `{"error":"empty"},{"text":"All is well."}`, http.StatusOK, nil, completed},
		{"/v1/plan", `{"error":"empty"},{"error":"truncated"}`, http.StatusBadGateway, nil, nil},
	} {
		w := postTo(c.path, body+c.answers+`]}`)
		var got struct {
			Event   *event
			State   json.RawMessage
			Receipt struct{ Event *event }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		same := func(a, b *event) bool { return a == b || a != nil && b != nil && *a == *b }
		if w.Code != c.status || !same(got.Event, c.beside) || !same(got.Receipt.Event, c.in) || len(got.State) == 0 {
			t.Errorf("%s, %s: %d %s", c.path, c.answers, w.Code, w.Body)
		}
		if c.beside != nil && strings.Contains(w.Body.String(), "It is done") {
			t.Errorf("the error quotes the transcript: %s", w.Body)
		}
	}
}
