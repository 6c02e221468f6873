//go:build js && wasm

package view

import (
	"strconv"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tamp-dev/tamp/web/internal/browser"
	"github.com/tamp-dev/tamp/web/internal/state"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// bind listens to the whole page once. Rows come and go by the thousand, and
// a listener of their own would have to be released with each.
func (p *Page) bind() {
	app := browser.ByID("app")
	on := func(typ string, capture bool, do func(dom.Event)) {
		app.AddEventListener(typ, capture, func(ev dom.Event) {
			browser.Guard(func() { do(ev) })
		})
	}
	on("input", false, p.typed)
	on("change", false, p.changed)
	on("click", false, p.clicked)
	on("paste", false, p.pasting)
	// toggle does not bubble.
	on("toggle", true, func(ev dom.Event) {
		if browser.Target(ev, "#raw") != nil {
			p.raw()
		}
	})
	for _, typ := range []string{"dragenter", "dragover", "dragleave", "drop"} {
		on(typ, false, p.dragged)
	}
}

func (p *Page) typed(ev dom.Event) {
	if e := browser.Target(ev, "#source"); e != nil {
		p.send(state.Typed{Text: browser.Value(e)})
	} else if e := browser.Target(ev, "#summary"); e != nil {
		p.send(state.Write{Text: browser.Value(e)})
	} else if e := browser.Target(ev, "[data-field]"); e != nil {
		if key, value, ok := control(e); ok {
			p.send(state.Set{Key: key, Value: value})
		}
	}
}

// large is from how many bytes on the transcript's box breaks its lines
// anywhere: a megabyte on one line takes Chromium 0.1 s so, and 0.6 s when it
// looks for words first, again with every key.
const large = 50_000

// pasting prepares the box for what comes into it next.
func (p *Page) pasting(ev dom.Event) {
	if e := browser.Target(ev, "#source"); e != nil && browser.PastedLength(ev) > large {
		e.Class().Add("large")
	}
}

// SetInput puts a transcript into its box.
func (p *Page) SetInput(s string) {
	box := browser.ByID("source")
	attribute(box, "class", map[bool]string{true: "large"}[len(s) > large])
	browser.SetValue(box, s)
}

func (p *Page) changed(ev dom.Event) {
	if e := browser.Target(ev, "#file"); e != nil {
		p.open(browser.Chosen(e))
	} else if e := browser.Target(ev, "#sample"); e != nil {
		p.send(state.Pick{Sample: browser.Value(e)})
	}
}

func (p *Page) open(f browser.File, of int) {
	if of > 0 {
		p.send(state.Open{Name: f.Name(), File: f, Of: of})
	}
}

// dragged takes a file that is dropped anywhere on the page: beside the box of
// the transcript the browser would leave the page for it. Text that is dropped
// stays with the browser, which puts it at the cursor.
func (p *Page) dragged(ev dom.Event) {
	box := browser.ByID("drop")
	typ := ev.Type()
	if typ == "dragleave" {
		if !browser.Inside(ev, browser.ByID("app")) {
			box.Class().Remove("over")
		}
		return
	}
	if !browser.BringsFile(ev) {
		return
	}
	ev.PreventDefault()
	if typ != "drop" {
		box.Class().Add("over")
		return
	}
	box.Class().Remove("over")
	p.open(browser.Dropped(ev))
}

// clicked does what a button says in data-act, with data-arg.
func (p *Page) clicked(ev dom.Event) {
	e := browser.Target(ev, "[data-act]")
	if e == nil {
		return
	}
	arg := e.GetAttribute("data-arg")
	switch e.GetAttribute("data-act") {
	case "speak":
		p.send(state.Speak{Lang: text.Of(arg)})
	case "pick":
		p.send(state.Pick{Sample: arg})
	case "clear":
		p.send(state.Clear{})
	case "undo":
		p.send(state.Undo{})
	case "copy":
		p.copied = arg
		p.send(state.CopyOut{What: state.Copyable(arg)})
	case "close-hand":
		p.send(state.CloseHand{})
	case "download":
		p.send(state.Download{})
	case "reset":
		p.send(state.Reset{})
	case "more":
		p.send(state.More{Row: arg})
	case "less":
		p.send(state.Less{Row: arg})
	case "show":
		start, end, _ := strings.Cut(arg, "-")
		from, errFrom := strconv.Atoi(start)
		to, errTo := strconv.Atoi(end)
		if errFrom == nil && errTo == nil {
			p.send(state.Show{Start: from, End: to})
		}
	case "jump":
		p.jump(arg)
	}
}

// jump goes to a row of a column, drawing it first if need be.
func (p *Page) jump(arg string) {
	side, index, _ := strings.Cut(arg, "-")
	n, err := strconv.Atoi(index)
	if err != nil {
		return
	}
	c := p.before
	if side == "after" {
		c = p.after
	}
	row := c.reach(n)
	if row == nil {
		return
	}
	if p.flashed != nil {
		p.flashed.Class().Remove("flash")
	}
	p.flashed = row
	row.Class().Add("flash")
	row.SetAttribute("tabindex", "-1")
	row.Focus()
	browser.Reveal(row)
}
