package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// The names of models at Bedrock are long. A session asks the old model, whatever it
// is called; one that goes on from a state does so while the state has room for the
// name, and never is a state longer than it may be.
func TestSwitchFromALongName(t *testing.T) {
	arn := "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-20250514-v1:0"
	for _, c := range []struct {
		name             string
		resumed, noticed bool
	}{
		{arn, false, true},
		{arn, true, true},
		{arn + strings.Repeat("0", 2000), false, true},
		{arn + strings.Repeat("0", 2000), true, false},
	} {
		base := core.Request{Policy: json.RawMessage(`{"codex":{}}`), Format: "openai-chat", Model: &core.Model{ID: c.name, ContextWindow: 1000000}}
		s, err := core.NewSession(base)
		if err != nil {
			t.Fatal(err)
		}
		items := []string{`{"role":"user","content":"go"}`}
		for range 40 {
			items = append(items, `{"role":"assistant","content":"`+strings.Repeat("word ", 5000)+`"}`, `{"role":"user","content":"next"}`)
		}
		if _, err := s.Plan(core.Round{Messages: []byte("[" + strings.Join(items, ",") + "]")}); err != nil {
			t.Fatal(err)
		}
		if n := len(s.State()); n >= 2048 {
			t.Errorf("the state has %d bytes", n)
		}
		if c.resumed {
			base.Model, base.State, base.Transcript = nil, s.State(), s.Transcript()
			if s, err = core.NewSession(base); err != nil {
				t.Fatal(err)
			}
		}
		due, err := s.Plan(core.Round{Model: &core.Model{ID: "small", ContextWindow: 100000}})
		if err != nil {
			t.Fatal(err)
		}
		if due.Plan == nil { // 200,000 tokens are too much for it in any case
			t.Fatalf("%d bytes, resumed %v: %+v", len(c.name), c.resumed, due.Decision)
		}
		want, asked := "context_limit", "small"
		if c.noticed {
			want, asked = "model_downshift", c.name
		}
		if got := *due.Decision.Reason; got != want || !strings.Contains(string(due.Plan.Plan.Request.Body), fmt.Sprintf(`"model":%q`, asked)) {
			t.Errorf("%d bytes, resumed %v: %s, want %s, of %.20s", len(c.name), c.resumed, got, want, asked)
		}
	}
}

// No items are a list of none.
func TestNoItems(t *testing.T) {
	req := core.Request{Transcript: []byte(`[]`), Format: "openai-chat", Policy: json.RawMessage(`{"preset":"balanced"}`)}
	for _, force := range []bool{false, true} {
		req.Force = force
		res, err := core.Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := core.Plan(req)
		if err != nil {
			t.Fatal(err)
		}
		if res.Receipt.Items == nil || plan.Plan.Items == nil {
			t.Errorf("force %v: %#v, %#v", force, res.Receipt.Items, plan.Plan.Items)
		}
	}
}

// A summary of the caller's beside answers that gave one already: the summary is too
// much, and no answer that nobody sent is named.
func TestSummaryBesideAnAnswer(t *testing.T) {
	s, err := core.NewSession(core.Request{Policy: json.RawMessage(`{"lait":{"trigger_rounds":2,"keep_last_n":0}}`), Format: "openai-chat"})
	if err != nil {
		t.Fatal(err)
	}
	said := `[{"role":"user","content":"` + strings.Repeat("do it ", 200) + `"},{"role":"assistant","content":"` + strings.Repeat("done ", 200) + `"},{"role":"user","content":"x"}]`
	if _, err := s.Plan(core.Round{Messages: []byte(said), Force: true}); err != nil {
		t.Fatal(err)
	}
	text := "All is well."
	_, err = s.Apply(core.Outcome{Summary: &text, Answers: []core.Answer{{Text: "All is done."}}})
	var bad *core.Error
	if !errors.As(err, &bad) || bad.Code != "invalid_request" || bad.Path != "summary" {
		t.Errorf("%v", err)
	}
	res, err := s.Apply(core.Outcome{Summary: &text, Answers: []core.Answer{tooLong()}}) // the answer to the next request
	if err != nil || !res.Compacted || res.Summary != text {
		t.Errorf("%+v, %v", res, err)
	}
}
