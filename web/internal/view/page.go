//go:build js && wasm

package view

import (
	"maps"
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/browser"
	"github.com/tamp-dev/tamp/web/internal/state"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// elem is an element of the page.
type elem = *dom.BasicHTMLElement

// Page is the page of one document. Its methods are not for concurrent use.
type Page struct {
	send func(state.Action)

	drawn bool // last is what the page shows
	last  state.State

	before, after *column
	flashed       elem
	copied        string // what was to be copied last, as data-arg says it
}

// New takes over the document and sends what happens there.
func New(send func(state.Action)) *Page {
	p := &Page{
		send:   send,
		before: newColumn(browser.ByID("before")),
		after:  newColumn(browser.ByID("after")),
	}
	p.bind()
	return p
}

// Render draws a state: the parts of the page that differ from the last one.
// The rows of the two columns come later, a few with each Step.
func (p *Page) Render(s state.State) {
	last, focused := p.last, browser.Focused()
	defer p.refocus(focused)
	again := !p.drawn || last.Lang != s.Lang
	p.last, p.drawn = s, true
	if again {
		translate(s.Lang)
	}
	p.form(s, again)
	if again || s.Problem != last.Problem {
		p.marks(s)
	}
	p.input(s, again || s.Problem != last.Problem || s.Words != last.Words)
	p.supply(s)
	p.hand(s, last.Hand)
	if again || s.Notice.N != last.Notice.N {
		p.status(s)
	}
	if len(s.Source.Text) > large != (len(last.Source.Text) > large) {
		attribute(browser.ByID("source"), "class", map[bool]string{true: "large"}[len(s.Source.Text) > large])
	}
	browser.Flag(browser.ByID("empty"), "hidden", s.Source.Text != "")
	browser.Flag(browser.ByID("outcome"), "hidden", s.Answer == nil)
	if s.Answer == nil {
		p.before.set(nil)
		p.after.set(nil)
		browser.SetValue(browser.ByID("raw-text"), "")
		return
	}
	if again || s.Answer != last.Answer || s.Stale != last.Stale || s.Tables != last.Tables {
		p.totals(s)
	}
	if again || s.Answer != last.Answer {
		p.triggers(s)
		p.defects(s)
		p.raw()
	}
	p.summary(s)
	if again || s.Answer != last.Answer || !maps.Equal(s.Shown, last.Shown) {
		p.columns(s)
	}
}

// status says the last notice to whoever cannot see the page, too.
func (p *Page) status(s state.State) {
	args := make([]string, len(s.Notice.Args))
	for i, arg := range s.Notice.Args {
		args[i] = firstLine(arg)
	}
	lang := ""
	if s.Notice.Key == "notice.refused" {
		lang = english
	}
	tell(browser.ByID("status"), text.Pieces(s.Lang, s.Notice.Key, args...), lang)
}

// Step draws a few more rows and says whether there are any left.
func (p *Page) Step() bool {
	left := p.before.step()
	return p.after.step() || left
}

// Settled tells tests whether anything is still to be done for the state that
// is drawn, and how often the engine was asked.
func (p *Page) Settled(yes bool) {
	main := browser.Find("main")[0]
	attribute(main, "data-settled", map[bool]string{true: "true", false: "false"}[yes])
	attribute(main, "data-runs", strconv.Itoa(p.last.Runs))
}

// Start is what the page holds before anybody did anything: what its controls
// say, and after a restart what was typed before.
func Start(formats []core.FormatEntry, reasons []core.ReasonInfo) state.Start {
	s := state.Start{
		Lang:    text.Of(browser.Language()),
		Values:  state.Values{},
		Text:    browser.Value(browser.ByID("source")),
		Formats: formats,
		Reasons: reasons,
	}
	for _, e := range browser.Find("[data-field]") {
		if key, value, ok := control(e); ok {
			s.Values[key] = value
		}
	}
	if box := browser.ByID("summary"); box.GetAttribute("data-own") == "true" {
		own := browser.Value(box)
		s.Summary = &own
	}
	browser.SetLanguage(string(s.Lang))
	put(browser.ByID("version"), text.Get(s.Lang, "footer.version", core.Version))
	return s
}

// control is the key of a control and what it holds. A radio button that is
// off says nothing.
func control(e elem) (key, value string, ok bool) {
	key = e.GetAttribute("data-field")
	switch e.GetAttribute("type") {
	case "radio":
		return key, browser.Value(e), browser.Checked(e)
	case "checkbox":
		if browser.Checked(e) {
			return key, "true", true
		}
		return key, "", true
	}
	return key, browser.Value(e), true
}

// translate writes every fixed sentence of the page.
func translate(lang text.Lang) {
	browser.SetLanguage(string(lang))
	for _, e := range browser.Find("[data-text]") {
		e.SetTextContent(text.Get(lang, e.GetAttribute("data-text")))
	}
	for _, e := range browser.Find("[data-hint]") {
		e.SetAttribute("placeholder", text.Get(lang, e.GetAttribute("data-hint")))
	}
	for _, e := range browser.Find("[data-name]") {
		e.SetAttribute("aria-label", text.Get(lang, e.GetAttribute("data-name")))
	}
	for _, e := range browser.Find("[data-act=speak]") {
		pressed := "false"
		if e.GetAttribute("data-arg") == string(lang) {
			pressed = "true"
		}
		e.SetAttribute("aria-pressed", pressed)
	}
	put(browser.ByID("version"), text.Get(lang, "footer.version", core.Version))
}
