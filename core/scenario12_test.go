package core_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// asked are the models of the requests that the answers, all of them that error, lead
// to: an opaque one is marked.
func asked(t *testing.T, req core.Request, failure string) (models []string, last error) {
	t.Helper()
	var answers []core.Answer
	for len(answers) < 8 {
		p, err := core.Next(req, answers)
		if err != nil {
			return models, err
		}
		r := p.Plan.Request
		if r == nil {
			return models, nil
		}
		var body struct{ Model string }
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		if r.Implementation != "" {
			body.Model += " " + r.Implementation
		}
		if r.Attempt != len(answers) {
			t.Errorf("request %d is called attempt %d", len(answers), r.Attempt)
		}
		models = append(models, body.Model)
		answers = append(answers, core.Answer{Error: failure})
	}
	t.Fatalf("asks without end: %q", models)
	return nil, nil
}

// Scenario 12: the previous model is gone (404), so the current one is asked to
// compact. If it fails too, the first error is told (strict, as the original), or the
// local request takes over. Without another model there is no such step; which
// providers have the first model at all is the host's to know.
func TestScenario12Fallback(t *testing.T) {
	long := strings.Repeat("The build log lists every package with its version. ", 100)
	sealed := `{"type":"reasoning","summary":[],"encrypted_content":"QUJD"}`
	src := `[{"type":"message","role":"user","content":[{"type":"input_text","text":"Make it pass."}]},` + sealed +
		`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + long + `"}]}]`
	old := &core.Model{ID: "old", ContextWindow: 100000, CompHash: "A"}
	fresh := &core.Model{ID: "new", ContextWindow: 100000, CompHash: "B"}
	policy := func(implementation, more string) json.RawMessage {
		return json.RawMessage(`{"codex":{"implementation":"` + implementation + `"` + more + `}}`)
	}
	request := func(p json.RawMessage, previous *core.Model) core.Request {
		return core.Request{Transcript: []byte(src), Format: "openai-responses", Policy: p, Model: fresh, PreviousModel: previous, Phase: "pre_turn", Force: previous == nil}
	}
	const strict = `,"strict":true`
	for _, c := range []struct {
		name     string
		policy   json.RawMessage
		previous *core.Model
		want     []string
	}{
		{"remote", policy("remote", ""), old, []string{"old remote", "new remote", "old", "new"}},
		{"remote, strict", policy("remote", strict), old, []string{"old remote", "new remote"}},
		{"the endpoint, strict", policy("remote_v1", strict), old, []string{"old remote_v1", "new remote_v1"}},
		{"local", policy("local", ""), old, []string{"old", "new"}},
		{"local, strict", policy("local", strict), old, []string{"old", "old"}}, // the original's ignores the other model
		{"no switch", policy("remote", ""), nil, []string{"new remote", "new", "new"}},
		{"no switch, strict", policy("remote", strict), nil, []string{"new remote", "new remote"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			models, err := asked(t, request(c.policy, c.previous), "failed")
			if !slices.Equal(models, c.want) {
				t.Errorf("asks %q, want %q", models, c.want)
			}
			isError(t, err, core.SummaryFailed, "answers")
		})
	}

	// The plan says so before; it is told which model answered; a prompt that was too
	// long for the one is tried with the other, and the first error is the one that is
	// told.
	req := request(policy("remote", strict), old)
	p := planned(t, req).Plan
	if p.Fallback == nil || !strings.Contains(string(p.Fallback.Body), `"model":"new"`) || p.Fallback.Implementation != "remote" || p.Fallback.Attempt != 1 {
		t.Errorf("the fallback is %+v", p.Fallback)
	}
	res, err := core.Apply(req, []core.Answer{{Error: "context_length_exceeded"}, {Text: "SEALED"}})
	if err != nil || !res.Compacted || res.Receipt.Summary.Model == nil || *res.Receipt.Summary.Model != "new" || res.Receipt.Summary.Calls != 2 || *res.Decision.Reason != "comp_hash_changed" {
		t.Fatalf("%+v, %v", res, err)
	}
	if res, err = core.Apply(req, []core.Answer{{Text: "SEALED"}}); err != nil || *res.Receipt.Summary.Model != "old" {
		t.Errorf("%+v, %v", res, err)
	}
	_, err = core.Apply(req, []core.Answer{{Error: "truncated"}, {Error: "failed"}})
	if err == nil || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("%v, want the first error", err)
	}
	// Whoever gives up asks nobody else.
	if models, err := asked(t, req, "interrupted"); len(models) != 1 {
		t.Errorf("asks %q, %v", models, err)
	}
}
