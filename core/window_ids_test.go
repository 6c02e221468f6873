package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// Ids come from the host: it names the open window, or the one that a compaction
// opens, and the state carries both on, with the first.
func TestWindowIDs(t *testing.T) {
	round := 6
	text := "Read."
	req := core.Request{
		Transcript: []byte(longTalk(4)), Format: "openai-chat", Policy: json.RawMessage(`{"lait":{"trigger_rounds":6,"keep_last_n":2}}`), Round: &round, Summary: &text,
		Window: &core.WindowIDs{ID: "w-0", Next: "w-1"},
	}
	type names struct{ id, previous, first string }
	for n, want := range []struct {
		open, next names // as the decision has them, and the state behind
		event      [3]string
		ids        *core.WindowIDs // of the call
	}{
		{names{"w-0", "", "w-0"}, names{"w-1", "w-0", "w-0"}, [3]string{"w-0", "w-1", "w-0"}, &core.WindowIDs{ID: "w-0", Next: "w-1"}},
		// The state names the open one. The next is named once it is open.
		{names{"w-1", "w-0", "w-0"}, names{"", "w-1", "w-0"}, [3]string{"w-1", "", "w-0"}, nil},
		{names{"w-2", "w-1", "w-0"}, names{"w-3", "w-2", "w-0"}, [3]string{"w-2", "w-3", "w-0"}, &core.WindowIDs{ID: "w-2", Next: "w-3"}},
	} {
		req.Window = want.ids
		res, err := core.Compact(req)
		if err != nil || !res.Compacted {
			t.Fatalf("%+v, %v", res, err)
		}
		w := res.Decision.Window
		if w == nil || (names{w.ID, w.Previous, w.First}) != want.open || w.Number != n {
			t.Errorf("%d: the decision is of %+v, want %+v", n, w, want.open)
		}
		e := res.Receipt.Event
		if got := [3]string{e.WindowID, e.NextWindowID, e.FirstWindowID}; got != want.event || e.Window != n {
			t.Errorf("%d: the event is of %v, want %v", n, got, want.event)
		}
		var s struct {
			Window struct {
				Number   int    `json:"number"`
				ID       string `json:"id"`
				Previous string `json:"previous_id"`
				First    string `json:"first_id"`
			} `json:"window"`
		}
		if err := json.Unmarshal(res.State, &s); err != nil {
			t.Fatal(err)
		}
		if got := (names{s.Window.ID, s.Window.Previous, s.Window.First}); got != want.next || s.Window.Number != n+1 {
			t.Errorf("%d: the state has %+v, want %+v", n, s.Window, want.next)
		}
		req.State = res.State
	}
	// Nothing compacted, no other window. And who names none sees none.
	odd := 7
	req.Round, req.Window = &odd, &core.WindowIDs{ID: "w-3", Next: "w-4"}
	if res, err := core.Compact(req); err != nil || res.Compacted || !strings.Contains(string(res.State), `"id":"w-3"`) || strings.Contains(string(res.State), "w-4") {
		t.Errorf("%+v, %v", res, err)
	}
	req.State, req.Window = nil, nil
	if res, err := core.Compact(req); err != nil || res.Decision.Window != nil {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestWindowIDsRefused(t *testing.T) {
	long := strings.Repeat("w", 65)
	for body, path := range map[string]string{
		`"window":{"id":"a b"}`:                                  "window.id",
		`"window":{"next_id":"<w>"}`:                             "window.next_id",
		`"window":{"id":"` + long + `"}`:                         "window.id",
		`"window":{"id":"a","next_id":"a"}`:                      "window.next_id",
		`"window":{"window_id":"a"}`:                             "window.window_id",
		`"window":[]`:                                            "window",
		`"state":{"v":1,"window":{"id":"` + long + `"}}`:         "state",
		`"state":{"v":1,"window":{"first_id":"the whole talk"}}`: "state",
	} {
		_, err := core.Call("plan", []byte(`{"transcript":[{"role":"user","content":"x"}],`+body+`}`))
		code := "invalid_request"
		if path == "state" {
			code = "invalid_state"
		}
		isError(t, err, code, path)
	}
}

// The compacted line of a rollout opens the window that the host names.
func TestWindowIDInARollout(t *testing.T) {
	const first, next = "01a22e19-aebf-7000-8000-000000000001", "01a22e19-aebf-7000-8000-0000000000ff"
	long := strings.Repeat("The build log lists every package with its version. ", 100)
	src := `{"timestamp":"2026-11-30T10:00:00.000Z","type":"session_meta","payload":{"id":"01a22e19-aebf-7000-8000-000000000000","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w","originator":"codex_cli_rs","cli_version":"0.171.0","source":"cli","context_window":{"window_id":"` + first + `"}}}
{"timestamp":"2026-11-30T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Make it pass."}]}}
{"timestamp":"2026-11-30T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + long + `"}]}}
`
	text := "It passes."
	for _, named := range []bool{true, false} {
		req := core.Request{Transcript: []byte(src), Text: true, Policy: json.RawMessage(`{"codex":{}}`), Force: true, Summary: &text}
		if named {
			req.Window = &core.WindowIDs{Next: next}
		}
		res, err := core.Compact(req)
		if err != nil || !res.Compacted {
			t.Fatalf("%+v, %v", res, err)
		}
		line := `"window_number":1,"first_window_id":"` + first + `","previous_window_id":"` + first + `","window_id":"`
		if _, id, ok := strings.Cut(string(res.Transcript), line); !ok || strings.HasPrefix(id, next+`"`) != named {
			t.Errorf("named %v: %s", named, res.Transcript)
		}
	}
}
