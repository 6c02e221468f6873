//go:build js && wasm

// Command web is the playground: the engine and its page as one program for
// the browser. static/bootstrap.js loads it.
package main

import (
	"encoding/json"
	"time"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/browser"
	"github.com/tamp-dev/tamp/web/internal/state"
	"github.com/tamp-dev/tamp/web/internal/view"
)

const (
	// pause is how long nobody may have typed before the engine is asked.
	pause = 80 * time.Millisecond
	// breath lets the browser draw and answer keys between two batches of rows.
	breath = time.Millisecond
	// tables is a file of 0.73 MB in gzip: too much to wait for before the first
	// answer, and for many transcripts not needed at all.
	tables = state.Encoding + ".planes"
)

// The codes of a program that ends, as bootstrap.js shows them.
const (
	codePanic  = "engine_panic"
	codeAnswer = "engine_answer" // the engine does not know itself
)

func main() {
	browser.Stopped(run())
	// A program that returned would throw whenever one of its timers fires.
	// Without listeners and timers it is collected as it stands here.
	select {}
}

// run is the page until it crashes; it gives the code of why. Only the code
// leaves: what a panic says may hold parts of the transcript.
func run() (code string) {
	defer func() {
		if recover() != nil {
			code = codePanic
		}
	}()
	app := &app{queue: newQueue(), timer: time.NewTimer(0), engine: core.NewEngine()}
	app.engine.Configs = func(text string) (core.Config, error) { return app.config.Read(text) }
	<-app.timer.C
	browser.OnCrash(app.queue.stop)
	formats, err := ask[core.FormatsResult](app.engine, "formats")
	if err != nil {
		return codeAnswer
	}
	reasons, err := ask[[]core.ReasonInfo](app.engine, "reasons")
	if err != nil {
		return codeAnswer
	}
	app.page = view.New(app.queue.push)
	app.queue.push(view.Start(formats.Formats, reasons))
	app.drain()
	browser.Ready()
	app.loop()
	return codePanic
}

// ask reads an answer of the engine about itself.
func ask[T any](engine *core.Engine, op string) (T, error) {
	var to T
	answer, err := engine.Call(op, nil)
	if err != nil {
		return to, err
	}
	return to, json.Unmarshal(answer, &to)
}

// app is the running page. Everything but queue belongs to its one goroutine.
type app struct {
	queue  *queue
	engine *core.Engine
	page   *view.Page
	state  state.State
	config state.Config // what is known of a text of configuration

	timer *time.Timer // runs while an evaluation is due
	due   bool
	plan  bool // a plan is due
	rows  bool // rows are left to draw
}

// loop does the next thing that is due, the person's own doing first. It ends
// when something that the browser called has crashed.
func (a *app) loop() {
	for {
		idle := make(<-chan time.Time)
		if a.rows || a.plan {
			idle = time.After(breath)
		}
		a.page.Settled(!a.due && !a.plan && !a.rows && !a.state.Pending && a.state.Tables != state.TablesLoading)
		select {
		case <-a.queue.wake:
			if a.queue.stopped() {
				return
			}
		case <-a.timer.C:
			a.due = false
			a.queue.push(state.Ask(a.engine.Call, a.state))
		case <-idle:
			if a.rows {
				a.rows = a.page.Step()
			} else {
				a.plan = false
				a.queue.push(state.AskPlan(a.engine.Call, a.state))
			}
		}
		a.drain()
	}
}

// drain takes all that has happened into the state and draws it once.
func (a *app) drain() {
	happened := a.queue.take()
	if len(happened) == 0 {
		return
	}
	for _, action := range happened {
		var effects []state.Effect
		a.state, effects = state.Reduce(a.state, action)
		for _, e := range effects {
			a.perform(e)
		}
	}
	a.page.Render(a.state)
	a.rows = a.page.Step()
}

// arrived takes what was read, whenever that is.
func (a *app) arrived(name string, wish int) func([]byte, error) {
	return func(data []byte, err error) {
		if err != nil {
			a.queue.push(state.Unread{Name: name, Wish: wish})
			return
		}
		a.queue.push(state.Loaded{Name: name, Data: data, Wish: wish})
	}
}

func (a *app) perform(e state.Effect) {
	switch e := e.(type) {
	case state.Evaluate:
		a.due, a.plan = true, false
		if e.Now {
			a.timer.Reset(0)
		} else {
			a.timer.Reset(pause)
		}
	case state.Plan:
		a.plan = true
	case state.Copy:
		browser.CopyText(e.Text, func(ok bool) { a.queue.push(state.CopyDone{Text: e.Text, OK: ok}) })
	case state.Save:
		browser.Save(e.Name, mediaType(e.Name), e.Data)
	case state.Fetch:
		browser.Fetch("samples/"+e.Sample, a.arrived(e.Sample, e.Wish))
	case state.ReadFile:
		e.File.Read(a.arrived(e.Name, e.Wish))
	case state.ReadConfig:
		browser.ReadConfig(e.Text, func(answer string, err error) {
			a.queue.push(state.Configured{Config: state.Config{Text: e.Text, Answer: []byte(answer), Err: err}})
		})
	case state.KeepConfig:
		a.config = e.Config
	case state.FetchTables:
		browser.Fetch(tables, func(data []byte, err error) { a.queue.push(state.Arrived{Data: data, Err: err}) })
	case state.AddTables:
		if err := a.engine.AddEncoding(state.Encoding, string(e.Data)); err != nil {
			a.queue.push(state.Arrived{Err: err})
		}
	case state.SetInput:
		a.page.SetInput(e.Text)
	case state.Select:
		browser.Select(browser.ByID("source"), e.Start, e.End)
	}
}
