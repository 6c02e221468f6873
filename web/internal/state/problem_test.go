package state

import (
	"errors"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

func TestMarks(t *testing.T) {
	p := newProblem(&core.Error{
		Code: "invalid_policy", Path: "policy.lait.trigger_rounds",
		Message: "is 0, must be at least 1; also policy.lait.keep_last_n: is -1, must be at least 0; also policy.lait.trigger_round: unknown field",
	}, "[]")
	for key, want := range map[string]string{
		"lait.trigger_rounds": "policy.lait.trigger_rounds: is 0, must be at least 1",
		"lait.keep_last_n":    "policy.lait.keep_last_n: is -1, must be at least 0",
		"lait.trigger_tokens": "",
	} {
		if got := p.Marks[key]; got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if p.Input {
		t.Error("a policy's error is not the transcript's")
	}
	if !p.Loose {
		t.Error("an unknown field belongs to no control")
	}
	if got, want := p.Sentence(), "policy.lait.trigger_rounds: is 0, must be at least 1; also policy.lait.keep_last_n: is -1"; !strings.HasPrefix(got, want) {
		t.Errorf("the sentence is %q, want it to begin %q", got, want)
	}
	for param, key := range map[string]string{
		"policy.codex.user_message_tokens": "codex.user_message_tokens",
		"policy.triggers[0].fraction":      "balanced.fraction",
		"model.context_window":             "balanced.context_window",
		"model.id":                         "model",
		"usage.prompt_tokens":              "prompt_tokens",
		"summary":                          "summary",
		"policy.codex":                     "",
		"policy.lait.unheard":              "",
	} {
		if got := control(param); got != key {
			t.Errorf("%s: control %q, want %q", param, got, key)
		}
	}
}

func TestPlaceByLineAndColumn(t *testing.T) {
	src := "[\n  {\"名\": 1},\n  {\"b\" 2}\n]"
	for _, c := range []struct {
		message, want string
	}{
		{"line 3, column 8: missing colon\n  {\"b\" 2}\n       ^", "2"},
		{"line 2, column 5: x", "名"},
		{"line 2, column 99: x", ","}, // behind the end: the last character of the line
		{"line 1, column 1: x", "["},
	} {
		p := newProblem(&core.Error{Code: "invalid_json", Path: "transcript", Message: c.message}, src)
		if !p.Input || p.Place == nil {
			t.Fatalf("%s: no place", c.message)
		}
		if got := src[p.Place.Start:p.Place.End]; got != c.want {
			t.Errorf("%s: selects %q, want %q", c.message, got, c.want)
		}
	}
	if p := newProblem(&core.Error{Path: "transcript", Message: "line 9, column 1: x"}, src); p.Place != nil {
		t.Error("a line that is not there has no place")
	}
}

func TestPlaceByPath(t *testing.T) {
	src := `{"model":"m","messages":[{"role":"user"},{"role":"assistant","tool_calls":[{"id":""}]}]}`
	for path, want := range map[string]string{
		"transcript.messages[0].role":             `"user"`,
		"transcript.messages[1].tool_calls[0].id": `""`,
		"transcript.messages[0].content":          `{"role":"user"}`, // what should hold it
		`transcript["model"]`:                     `"m"`,
	} {
		p := newProblem(&core.Error{Code: "invalid_request", Path: path, Message: "is wrong"}, src)
		if !p.Input || p.Place == nil {
			t.Errorf("%s: no place", path)
		} else if got := src[p.Place.Start:p.Place.End]; got != want {
			t.Errorf("%s: selects %s, want %s", path, got, want)
		}
	}
	for _, path := range []string{"transcript", "transcript.nothing", "transcript[x]"} {
		if p := newProblem(&core.Error{Path: path, Message: "is wrong"}, src); p.Place != nil {
			t.Errorf("%s: selects %q", path, src[p.Place.Start:p.Place.End])
		}
	}
}

func TestOtherErrors(t *testing.T) {
	if p := newProblem(errors.New("odd"), ""); p.Code != unreadable || p.Message != "odd" {
		t.Errorf("got %+v", p)
	}
	if p := newProblem(&core.Error{Code: "too_large", Message: "too large"}, ""); !p.Input {
		t.Error("an error without a place is shown where the transcript is")
	}
	if p := newProblem(&core.Error{Code: "invalid_policy", Path: "policy.lait", Message: "needs a trigger"}, ""); p.Input || len(p.Marks) > 0 {
		t.Error("an error of a policy without a field is neither the transcript's nor a field's")
	}
}
