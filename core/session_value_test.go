package core_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// follows feeds the host's session with what is new and wants of it what the whole
// history came to: decision, state, transcript. Sessions tell a switch of the model by
// themselves, so that the courses with one stand in tests of their own.
func (h *sessionHost) follows(req core.Request, want *core.CompactResult) {
	h.t.Helper()
	if h.previous != nil {
		return
	}
	var err error
	if h.live == nil {
		if h.live, err = core.NewSession(core.Request{Policy: req.Policy, Format: h.format, Model: req.Model}); err != nil {
			h.t.Fatal(err)
		}
	}
	r := core.Round{Usage: req.Usage, Round: &want.Decision.Round}
	if whole := h.random.IntN(4) == 0; whole {
		r.Transcript = req.Transcript
	} else if h.fed < len(h.items) {
		r.Messages = []byte("[" + strings.Join(h.items[h.fed:], ", ") + "\n]")
	}
	given := slices.Concat(r.Transcript, r.Messages)
	h.fed = len(h.items)
	due, err := h.live.Plan(r)
	if err != nil {
		h.t.Fatal(err)
	}
	if decided(h.t, due.Decision) != decided(h.t, want.Decision) || (due.Plan != nil) != want.Decision.Fired {
		h.t.Fatalf("the session says %s\nwant %s", decided(h.t, due.Decision), decided(h.t, want.Decision))
	}
	if due.Plan != nil {
		res, err := h.live.Apply(core.Outcome{Answers: req.Answers, Summary: req.Summary})
		if err != nil {
			h.t.Fatal(err)
		}
		if res.Compacted != want.Compacted || res.Reason != want.Reason || res.Summary != want.Summary || !sameItems(h.t, res.Transcript, want.Transcript) {
			h.t.Fatalf("the session compacts to %s, %s\nwant %s, %s", res.Reason, res.Transcript, want.Reason, want.Transcript)
		}
		if res.Compacted {
			var items []json.RawMessage
			if err := json.Unmarshal(res.Transcript, &items); err != nil {
				h.t.Fatal(err)
			}
			h.fed = len(items)
		}
	}
	if got := carried(h.t, h.live.State()); got != carried(h.t, want.State) {
		h.t.Fatalf("the session carries %s\nwant %s", got, want.State)
	}
	if !bytes.Equal(given, slices.Concat(r.Transcript, r.Messages)) {
		h.t.Fatal("what a round brought was written into")
	}
	if h.random.IntN(10) == 0 { // dropped at any time
		if h.live, err = core.NewSession(core.Request{Policy: req.Policy, Format: h.format, Model: req.Model, State: h.live.State(), Transcript: h.live.Transcript()}); err != nil {
			h.t.Fatal(err)
		}
	}
}

func decided(t *testing.T, d core.Decision) string {
	t.Helper()
	d.Derived = nil // a session is told its round here
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// carried is a state without what only a session carries.
func carried(t *testing.T, state []byte) string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(state, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "session")
	if string(m["held"]) == "{}" { // marks that went, which say nothing
		delete(m, "held")
	}
	return fmt.Sprintf("%s", m)
}

func sameItems(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y []json.RawMessage
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatal(err)
	}
	return slices.EqualFunc(x, y, func(p, q json.RawMessage) bool { return bytes.Equal(p, q) })
}

// A round costs what is new in it: the 901st to 1000th take no more memory than the
// 101st to 200th, with some room for the counts of a growing history.
func TestSessionPaysForWhatIsNew(t *testing.T) {
	round := func(n int) []byte {
		return fmt.Appendf(nil, `[{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{}"}}]},`+
			`{"role":"tool","tool_call_id":"c%d","content":%q}]`, n, n, strings.Repeat("one more line of the log, ", 40))
	}
	for name, usage := range map[string]*core.Usage{"counted": nil, "reported": {PromptTokens: new(int), CompletionTokens: new(int)}} {
		s, err := core.NewSession(core.Request{
			Policy: json.RawMessage(`{"preset":"balanced","triggers":[{"tokens":100000000},{"messages":1000000},{"turns":50}]}`),
			Format: "openai-chat", Transcript: []byte(`[{"role":"user","content":"Make it pass."}]`),
		})
		if err != nil {
			t.Fatal(err)
		}
		var at [11]uint64
		for n := range 1001 {
			if n%100 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				at[n/100] = m.TotalAlloc
			}
			if usage != nil {
				*usage.PromptTokens, *usage.CompletionTokens = 300*(n+1), 20
			}
			due, err := s.Plan(core.Round{Messages: round(n), Usage: usage})
			if err != nil || due.Plan != nil {
				t.Fatalf("%s, round %d: %+v, %v", name, n, due, err)
			}
		}
		early, late := at[2]-at[1], at[10]-at[9]
		t.Logf("%s: %d bytes, then %d", name, early, late)
		if float64(late) > 1.5*float64(early) {
			t.Errorf("%s: rounds 101 to 200 took %d bytes, 901 to 1000 %d", name, early, late)
		}
	}
}

// lait's rounds go on over a compaction, whatever became of the answers; a new turn
// begins at 1. A session that is dropped in between counts on.
func TestSessionCountsRounds(t *testing.T) {
	base := core.Request{Policy: json.RawMessage(`{"lait":{"trigger_rounds":3,"keep_last_n":2}}`), Format: "openai-chat"}
	s, err := core.NewSession(base)
	if err != nil {
		t.Fatal(err)
	}
	text := "Read."
	var fired []int
	feed := func(messages string) int {
		t.Helper()
		due, err := s.Plan(core.Round{Messages: []byte(messages)})
		if err != nil {
			t.Fatal(err)
		}
		if due.Plan != nil {
			fired = append(fired, due.Decision.Round)
			if res, err := s.Apply(core.Outcome{Summary: &text}); err != nil || !res.Compacted {
				t.Fatalf("round %d: %+v, %v", due.Decision.Round, res, err)
			}
			again := base
			again.State, again.Transcript = s.State(), s.Transcript()
			if s, err = core.NewSession(again); err != nil {
				t.Fatal(err)
			}
		}
		return due.Decision.Round
	}
	long := strings.Repeat("a line of the log, ", 60)
	for turn := range 2 {
		if got := feed(fmt.Sprintf(`[{"role":"user","content":"Go on, %d."}]`, turn)); got != 1 {
			t.Errorf("turn %d begins with round %d", turn, got)
		}
		for n := range 8 {
			got := feed(fmt.Sprintf(`[{"role":"assistant","content":null,"tool_calls":[{"id":"c%d-%d","type":"function","function":{"name":"read","arguments":"{}"}}]},`+
				`{"role":"tool","tool_call_id":"c%d-%d","content":%q}]`, turn, n, turn, n, long))
			if got != n+2 {
				t.Errorf("turn %d: round %d, want %d", turn, got, n+2)
			}
		}
	}
	if want := []int{3, 6, 9, 3, 6, 9}; !slices.Equal(fired, want) {
		t.Errorf("compacted before the rounds %v, want %v", fired, want)
	}
}

// A session tells by itself that the model is another, also one that went on from the
// state of an earlier one, and asks the old model.
func TestSessionNoticesTheSwitch(t *testing.T) {
	long := strings.Repeat("The build log lists every package with its version. ", 400)
	history := `[{"role":"user","content":"Make it pass."},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"And now?"}]`
	large, small := &core.Model{ID: "large", ContextWindow: 100000}, &core.Model{ID: "small", ContextWindow: 4000}
	base := core.Request{Policy: json.RawMessage(`{"preset":"balanced","triggers":[{"tokens":1000000}]}`), Format: "openai-chat", Model: large}
	for _, dropped := range []bool{false, true} {
		s, err := core.NewSession(base)
		if err != nil {
			t.Fatal(err)
		}
		if due, err := s.Plan(core.Round{Transcript: []byte(history)}); err != nil || due.Plan != nil {
			t.Fatalf("%+v, %v", due, err)
		}
		if dropped {
			again := base
			again.State, again.Transcript, again.Model = s.State(), []byte(history), nil
			if s, err = core.NewSession(again); err != nil {
				t.Fatal(err)
			}
		}
		due, err := s.Plan(core.Round{Model: small})
		if err != nil || due.Plan == nil || due.Decision.Reason == nil || *due.Decision.Reason != "model_downshift" || !strings.Contains(string(due.Plan.Plan.Request.Body), `"model":"large"`) {
			t.Fatalf("dropped %v: %+v, %v", dropped, due, err)
		}
		res, err := s.Apply(core.Outcome{})
		if err != nil || !res.Compacted || res.Receipt.TokensAfter >= 4000 {
			t.Fatalf("%+v, %v", res, err)
		}
		if due, err = s.Plan(core.Round{}); err != nil || due.Plan != nil || len(due.Decision.Rules) != 1 {
			t.Errorf("the switch is made, and still: %+v, %v", due, err)
		}
	}
}

// An error leaves a session as it was, and a summary step that failed holds the rule.
func TestSessionErrors(t *testing.T) {
	s, err := core.NewSession(core.Request{Policy: json.RawMessage(`{"lait":{"trigger_tokens":100,"keep_last_n":1}}`), Format: "openai-chat"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(core.Outcome{}); err == nil {
		t.Error("applied what nobody planned")
	}
	prompt := 500
	r := core.Round{Transcript: []byte(longTalk(2)), Usage: &core.Usage{PromptTokens: &prompt}}
	if due, err := s.Plan(r); err != nil || due.Plan == nil {
		t.Fatalf("%+v, %v", due, err)
	}
	was := string(s.Transcript())
	for _, bad := range []core.Round{
		{Messages: []byte(`[{"role":`)},
		{Messages: []byte(`{}`)},
		{Messages: []byte(`[{"role":"clown","content":[7]},3]`)},
		{Messages: []byte(`[]`), Transcript: []byte(`[]`)},
		{Messages: []byte(`[{"role":"user","content":"x"}]`), Phase: "never"},
		{Transcript: []byte(strings.TrimSuffix(was, "]") + ` {"role":"user","content":"no comma"}]`)},
	} {
		if _, err := s.Plan(bad); err == nil {
			t.Errorf("%s%s is taken", bad.Messages, bad.Transcript)
		}
		if string(s.Transcript()) != was {
			t.Fatalf("%s was taken in", bad.Messages)
		}
	}
	_, err = s.Apply(core.Outcome{Answers: []core.Answer{{Error: "failed"}, {Error: "failed"}}})
	var attempt *core.FailedAttempt
	if !errors.As(err, &attempt) || attempt.Event == nil {
		t.Fatal(err)
	}
	r.Transcript = nil
	if due, err := s.Plan(r); err != nil || due.Plan != nil || !due.Decision.Rules[0].Held {
		t.Errorf("asks again at once: %+v, %v", due, err)
	}
	if _, err := core.NewSession(core.Request{Policy: json.RawMessage(`{"lait":{}}`)}); err == nil {
		t.Error("a policy without a trigger")
	}
	if _, err := core.NewSession(core.Request{State: json.RawMessage(`{"v":7}`)}); err == nil {
		t.Error("a state of another version")
	}
}
