package core_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// configured is an engine whose texts are "lait" and "codex", or are refused.
func configured() *core.Engine {
	e := core.NewEngine()
	e.Configs = func(text string) (core.Config, error) {
		switch text {
		case "lait":
			return core.Config{
				Policy: json.RawMessage(`{"lait":{"trigger_rounds":6,"keep_last_n":2,"model":"cheap"}}`),
				Models: map[string]core.Alias{"cheap": {Model: "vendor/small"}, "main": {Model: "gpt-5"}}, Model: "main",
			}, nil
		case "codex":
			return core.Config{Policy: json.RawMessage(`{"codex":{"model_auto_compact_token_limit":50}}`), Model: "gpt-5"}, nil
		}
		return core.Config{}, &core.Error{Code: "invalid_policy", Path: "policy.default", Message: "is not what was meant (line 3)"}
	}
	return e
}

func TestPolicyAsText(t *testing.T) {
	round := 12
	ask := func(change func(*core.Request)) core.Request {
		req := core.Request{Transcript: []byte(longTalk(4)), Policy: json.RawMessage(` "lait" `), Round: &round, Answers: []core.Answer{{Text: "Nothing is broken."}}}
		if change != nil {
			change(&req)
		}
		return req
	}
	compact := func(req core.Request) *core.CompactResult {
		t.Helper()
		res, err := configured().Compact(req)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	own := map[string]core.Alias{"cheap": {Model: "mine/other"}}
	for _, c := range []struct {
		name            string
		req             core.Request
		kept            int // messages that stand, the summary among them
		summary, talked string
	}{
		{"the alias is looked up", ask(nil), 4, "vendor/small", "main"},
		{"the request's aliases stand before the text's", ask(func(r *core.Request) { r.Models = own }), 4, "mine/other", "main"},
		{"the request's model does", ask(func(r *core.Request) { r.Model = &core.Model{ID: "o3"} }), 4, "vendor/small", "o3"},
		{"the transcript's does", ask(func(r *core.Request) {
			r.Transcript = []byte(`{"model":"gpt-4.1","messages":` + string(r.Transcript) + `}`)
		}), 4, "vendor/small", "gpt-4.1"},
		// Codex's keeps all user messages; without a model for the summary it is the
		// conversation's.
		{"codex", ask(func(r *core.Request) { r.Policy = json.RawMessage(`"codex"`) }), 7, "gpt-5", "gpt-5"},
	} {
		res := compact(c.req)
		if by := res.Receipt.Summary.Model; !res.Compacted || by == nil || *by != c.summary || res.Model.ID != c.talked || res.Receipt.Event.MessagesAfter != c.kept {
			t.Errorf("%s: %v by %v for %+v, %+v", c.name, res.Reason, by, res.Model, res.Receipt.Event)
		}
	}
	if len(own) != 1 {
		t.Errorf("the caller's map was written to: %v", own)
	}

	var e *core.Error
	if _, err := configured().Compact(ask(func(r *core.Request) { r.Policy = json.RawMessage(`"x"`) })); !errors.As(err, &e) || e.Path != "policy.default" {
		t.Errorf("%v", err)
	}
	if _, err := core.Compact(ask(nil)); !errors.As(err, &e) || e.Path != "policy" || e.Code != "invalid_policy" {
		t.Errorf("without a reader of texts: %v", err)
	}
	if res, err := configured().Count(core.Request{Transcript: []byte(longTalk(1)), Policy: json.RawMessage(`"codex"`)}); err != nil || res.Counter.Name != "bytes4" {
		t.Errorf("%+v, %v", res, err)
	}
}
