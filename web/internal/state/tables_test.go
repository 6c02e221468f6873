package state

import (
	"errors"
	"os"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

const inOwnWords = `[{"role":"user","content":"Which lamps are dim, and since when?"},{"role":"assistant","content":"Lamp 4, since the storm of last week."},{"role":"user","content":"Mend it."}]`

// page is the page with an engine: it does what main does with the effects,
// and file is what the server has for the tables.
type page struct {
	engine  *core.Engine
	file    func() ([]byte, error)
	fetched int
	state   State
}

func (p *page) do(t *testing.T, a Action) {
	t.Helper()
	var effects []Effect
	p.state, effects = Reduce(p.state, a)
	for asked := 0; len(effects) > 0; asked++ {
		if asked == 20 {
			t.Fatal("20 effects, and no end")
		}
		e := effects[0]
		effects = effects[1:]
		var then Action
		switch e := e.(type) {
		case Evaluate:
			then = Ask(p.engine.Call, p.state)
		case Plan:
			then = AskPlan(p.engine.Call, p.state)
		case FetchTables:
			p.fetched++
			data, err := p.file()
			then = Arrived{Data: data, Err: err}
		case AddTables:
			if err := p.engine.AddEncoding(Encoding, string(e.Data)); err != nil {
				then = Arrived{Err: err}
			}
		}
		if then != nil {
			var more []Effect
			p.state, more = Reduce(p.state, then)
			effects = append(effects, more...)
		}
	}
}

func planes() ([]byte, error) { return os.ReadFile("../../../core/tokens/ranks/o200k_base.planes") }

func opened(t *testing.T, model string, file func() ([]byte, error)) *page {
	t.Helper()
	values := defaults(Lait)
	values[KeyModel] = model
	p := &page{engine: core.NewEngine(), file: file}
	p.do(t, Start{Values: values})
	if p.fetched != 0 {
		t.Fatal("the tables were fetched though nothing is to be counted")
	}
	p.do(t, Typed{Text: inOwnWords})
	if p.state.Problem != nil || p.state.Answer == nil {
		t.Fatalf("no answer: %+v", p.state.Problem)
	}
	return p
}

func TestTablesAreFetchedOnceForAModelThatHasThem(t *testing.T) {
	p := opened(t, "gpt-4o", planes)
	if c := p.state.Answer.Counter; p.fetched != 1 || p.state.Tables != TablesHere || c.Name != Encoding || c.ErrorP95 != 0 {
		t.Errorf("fetched %d times, %s, counter %+v", p.fetched, p.state.Tables, c)
	}
	if p.state.Runs != 2 {
		t.Errorf("the engine was asked %d times: once for the estimate, once with the tables", p.state.Runs)
	}
	p.do(t, Typed{Text: inOwnWords + "\n"})
	if p.fetched != 1 || p.state.Runs != 3 {
		t.Errorf("after an edit: fetched %d times, asked %d times", p.fetched, p.state.Runs)
	}
}

func TestTablesAreNotFetchedWhereTheyAreOfNoUse(t *testing.T) {
	// The one has no public vocabulary, the other is not known.
	for _, model := range []string{"claude-opus-4-7", "a-model-of-my-own", ""} {
		p := opened(t, model, planes)
		if p.fetched != 0 || p.state.Tables != TablesUnasked || p.state.Answer.Counter.Name != "estimate" {
			t.Errorf("%q: fetched %d times, %q, counter %+v", model, p.fetched, p.state.Tables, p.state.Answer.Counter)
		}
	}
	p := opened(t, "gpt-4o", planes)
	p.state = State{}
	p.engine, p.fetched = core.NewEngine(), 0
	codex := defaults(Codex)
	codex[KeyModel] = "gpt-4o"
	p.do(t, Start{Values: codex, Text: inOwnWords})
	if p.fetched != 0 || p.state.Answer.Counter.Name != "bytes4" {
		t.Errorf("Codex's own measure: fetched %d times, counter %+v", p.fetched, p.state.Answer.Counter)
	}
}

func TestTablesThatAreMissingOrBrokenLeaveTheEstimate(t *testing.T) {
	for name, file := range map[string]func() ([]byte, error){
		"missing": func() ([]byte, error) { return nil, errors.New("HTTP 404") },
		"empty":   func() ([]byte, error) { return nil, nil },
		"a page":  func() ([]byte, error) { return []byte("<!doctype html>"), nil },
		"cut off": func() ([]byte, error) { data, err := planes(); return data[:len(data)/2], err },
		"one byte is another": func() ([]byte, error) {
			data, err := planes()
			if err == nil {
				data[len(data)/3] ^= 1
			}
			return data, err
		},
	} {
		p := opened(t, "gpt-4o", file)
		if p.state.Tables != TablesAbsent || p.state.Answer.Counter.Name != "estimate" {
			t.Errorf("%s: %s, counter %+v", name, p.state.Tables, p.state.Answer.Counter)
		}
		p.do(t, Typed{Text: inOwnWords + " "})
		if p.fetched != 1 {
			t.Errorf("%s: fetched %d times: what is not there is not asked for with every key", name, p.fetched)
		}
	}
}
