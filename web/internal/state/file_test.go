package state

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

const often = "default:\n  compaction: {trigger_rounds: 1, keep_last_n: 1}\n"

// filing is a page whose policy comes from a file, with what config.mjs would say.
type filing struct {
	t      *testing.T
	state  State
	config Config
	says   map[string]string // answers by text; none: the parsers are not there
	asked  int
}

func newFiling(t *testing.T, says map[string]string) *filing {
	t.Helper()
	f := &filing{t: t, says: says}
	long := strings.Repeat("Lamp 4 is dim since the storm of last week. ", 300)
	talk := `[{"role":"user","content":"Which lamps are dim?"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"Mend it."}]`
	f.state, _ = Reduce(State{}, Start{Values: defaults(FromFile), Text: talk})
	return f
}

// do reduces an action and all that follows from it.
func (f *filing) do(a Action) {
	f.t.Helper()
	engine := core.NewEngine()
	engine.Configs = func(text string) (core.Config, error) { return f.config.Read(text) }
	var effects []Effect
	f.state, effects = Reduce(f.state, a)
	for n := 0; len(effects) > 0; n++ {
		if n == 20 {
			f.t.Fatal("20 effects, and no end")
		}
		e := effects[0]
		effects = effects[1:]
		var then Action
		switch e := e.(type) {
		case ReadConfig:
			f.asked++
			c := Config{Text: e.Text, Err: errors.New("not there")}
			if answer, ok := f.says[e.Text]; ok {
				c.Answer, c.Err = []byte(answer), nil
			}
			then = Configured{c}
		case KeepConfig:
			f.config = e.Config
		case Evaluate:
			then = Ask(engine.Call, f.state)
		}
		if then != nil {
			var more []Effect
			f.state, more = Reduce(f.state, then)
			effects = append(effects, more...)
		}
	}
	if f.state.Pending {
		f.t.Error("still pending")
	}
}

func (f *filing) text(s string) { f.do(Set{KeyFile, s}) }

func TestPolicyFromAFile(t *testing.T) {
	f := newFiling(t, map[string]string{
		often:      `{"policy":{"lait":{"trigger_rounds":1,"keep_last_n":1,"model":"cheap"}},"models":{"cheap":{"model":"vendor/small"}},"model":"gpt-5"}`,
		"defaults": `{"error":{"path":"policy.defaults","message":"unknown field, did you mean default? (line 1)"}}`,
	})
	f.do(Set{KeyForce, ""})
	if a := f.state.Answer; a == nil || a.Reason != core.NotTriggered { // the default preset: nothing is full
		t.Fatalf("an empty file: %+v", f.state.Problem)
	}
	// The text is asked for once, and sent as it is, as to /v1/compact.
	f.text(often)
	a := f.state.Answer
	if a == nil || !a.Compacted || len(a.After) != 2 || a.Decision.Reason == nil || *a.Decision.Reason != "rounds" || a.Model == nil || a.Model.ID != "gpt-5" {
		t.Fatalf("%+v, %+v", f.state.Problem, a)
	}
	if got, want := f.state.Settings(), `{"policy":`+quote(often)+`}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f.do(Set{KeyRound, "7"})
	if f.asked != 1 {
		t.Errorf("the text was asked for %d times", f.asked)
	}
	// What is wrong stands at the file's control, and the last answer stays.
	f.text("defaults")
	p := f.state.Problem
	if p == nil || p.Code != "invalid_policy" || p.Loose || p.Input || !reflect.DeepEqual(p.Marks, map[string]string{KeyFile: "policy.defaults: unknown field, did you mean default? (line 1)"}) || !f.state.Stale {
		t.Errorf("%+v", p)
	}
	// JSON needs no parser; the engine's complaints stand there, too.
	f.text(" {\"lait\": {\"trigger_rounds\": 1, \"keep_last_n\": 1}}\n")
	if f.state.Problem != nil || !f.state.Answer.Compacted || f.asked != 2 || !strings.Contains(f.state.Settings(), `"policy":{"lait": {`) {
		t.Errorf("%+v, asked %d", f.state.Problem, f.asked)
	}
	f.text(`{"lait": {"trigger_rounds": 0}}`)
	if p := f.state.Problem; p == nil || !strings.HasPrefix(p.Marks[KeyFile], "policy.lait.trigger_rounds: ") {
		t.Errorf("%+v", p)
	}
	// Without parsers there is a way out.
	f.text("model = 'gpt-5'")
	if p := f.state.Problem; p == nil || !strings.Contains(p.Marks[KeyFile], "as JSON") {
		t.Errorf("%+v", p)
	}
	// Under another system the file says nothing.
	f.do(Set{KeySystem, Lait})
	if f.state.Problem != nil || strings.Contains(f.state.Settings(), "gpt-5") {
		t.Errorf("%+v, %s", f.state.Problem, f.state.Settings())
	}
}

// What is found out about a text that was typed over meanwhile is not wanted.
func TestAnOldConfigIsDropped(t *testing.T) {
	s, _ := Reduce(State{}, Start{Values: defaults(FromFile), Text: inOwnWords})
	s, effects := Reduce(s, Set{KeyFile, "a = 1"})
	if !reflect.DeepEqual(effects, []Effect{ReadConfig{"a = 1"}}) || !s.Pending {
		t.Fatalf("%+v", effects)
	}
	s, _ = Reduce(s, Set{KeyFile, "a = 12"})
	s, effects = Reduce(s, Configured{Config{Text: "a = 1"}})
	if len(effects) != 0 || !s.Pending {
		t.Errorf("%+v", effects)
	}
	_, effects = Reduce(s, Configured{Config{Text: "a = 12"}})
	if !reflect.DeepEqual(effects, []Effect{KeepConfig{Config{Text: "a = 12"}}, Evaluate{}}) {
		t.Errorf("%+v", effects)
	}
}
