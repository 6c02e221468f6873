//go:build js && wasm

package view

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/web/internal/browser"
	"github.com/tamp-dev/tamp/web/internal/source"
	"github.com/tamp-dev/tamp/web/internal/state"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// form shows the fields of the chosen system, and what will be sent.
func (p *Page) form(s state.State, again bool) {
	for _, e := range browser.Find("[data-system]") {
		browser.Flag(e, "hidden", e.GetAttribute("data-system") != s.Values[state.KeySystem])
	}
	browser.Flag(browser.ByID("rewrite-line"), "hidden", !s.ShowRewrite())
	browser.Flag(browser.ByID("conversation-line"), "hidden", !s.Several)
	put(browser.ByID("settings"), s.Settings())
	if again {
		p.formats(s)
	}
}

// marks shows what is wrong with a control, below it, and ties the two.
func (p *Page) marks(s state.State) {
	var marks map[string]string
	if s.Problem != nil {
		marks = s.Problem.Marks
	}
	for _, e := range browser.Find("[data-error]") {
		key := e.GetAttribute("data-error")
		message := marks[key]
		put(e, message)
		attribute(e, "lang", map[bool]string{true: english}[message != ""])
		browser.Flag(e, "hidden", message == "")
		id, invalid := "", ""
		if message != "" {
			id, invalid = "error-"+key, "true"
		}
		attribute(e, "id", id)
		controls := `[data-field="` + key + `"]`
		if key == state.KeySummary {
			controls = "#summary"
		}
		for _, c := range browser.Find(controls) {
			attribute(c, "aria-invalid", invalid)
			attribute(c, "aria-describedby", id)
		}
	}
}

// formats fills the list of formats, once.
func (p *Page) formats(s state.State) {
	list := browser.ByID("format")
	if len(list.GetElementsByTagName("option")) > 1 {
		return
	}
	for _, f := range s.Formats {
		o := words("option", "", f.Title)
		o.SetAttribute("value", f.Name)
		list.AppendChild(o)
	}
	browser.SetValue(list, s.Values[state.KeyFormat])
}

// input says what the transcript was read as, or why it was not.
func (p *Page) input(s state.State, changed bool) {
	if !changed {
		return
	}
	p.detected(s)

	box, general := browser.ByID("input-error"), browser.ByID("general-error")
	browser.Empty(box)
	browser.Empty(general)
	attribute(browser.ByID("source"), "aria-invalid", "")
	switch {
	case s.Problem == nil:
	case s.Problem.Input:
		p.problem(box, s)
		attribute(browser.ByID("source"), "aria-invalid", "true")
	case s.Problem.Loose:
		p.problem(general, s)
	}
}

func (p *Page) problem(box elem, s state.State) {
	if said, ok := text.Lookup(s.Lang, "code."+s.Problem.Code); ok {
		box.AppendChild(words("p", "", said))
	}
	first, rest, more := strings.Cut(s.Problem.Sentence(), "\n")
	message := words("p", "", first)
	message.SetAttribute("lang", english)
	box.AppendChild(message)
	if more {
		box.AppendChild(words("pre", "", rest))
	}
	line := build("p", "quiet", words("span", "", text.Get(s.Lang, "error.code", s.Problem.Code)))
	if at := s.Problem.Place; at != nil {
		b := button("link", "show", place(*at), text.Get(s.Lang, "input.goto"))
		b.SetAttribute("data-testid", "goto")
		line.AppendChild(words("span", "", " "))
		line.AppendChild(b)
	}
	box.AppendChild(line)
}

// detected says what the transcript was read as, and why.
func (p *Page) detected(s state.State) {
	box := browser.ByID("detected")
	if s.Words == nil {
		put(box, text.Get(s.Lang, "format.none"))
		return
	}
	f := s.Words.Format
	how := text.Get(s.Lang, "format.chosen")
	if s.Values[state.KeyFormat] == "" {
		how = text.Get(s.Lang, "format.confidence", text.Percent(f.Confidence))
	}
	browser.Empty(box)
	box.AppendChild(words("span", "", strings.Join([]string{f.Name, f.Shape, how}, " · ")))
	for _, sign := range f.Evidence {
		box.AppendChild(words("span", "", " · "))
		e := apart("", sign)
		e.SetAttribute("lang", english)
		box.AppendChild(e)
	}
}

// supply shows where the transcript came from, and what it took the place of.
func (p *Page) supply(s state.State) {
	browser.SetValue(browser.ByID("sample"), s.Sample)
	note := browser.ByID("input-note")
	browser.Flag(note, "hidden", s.Note.Key == "")
	if s.Note.Key != "" {
		tell(note, text.Pieces(s.Lang, s.Note.Key, s.Note.Args...), "")
	}
	browser.Flag(browser.ByID("undo-line"), "hidden", len(s.Past) == 0)
	if len(s.Past) == 0 {
		return
	}
	was := s.Past[len(s.Past)-1].Source
	name := was.Name
	if name == "" {
		name = text.Get(s.Lang, "input.typed", text.Size(len(was.Text)))
	}
	key := "input.replaced"
	if s.Source.Text == "" {
		key = "input.cleared"
	}
	tell(browser.ByID("undo-what"), text.Pieces(s.Lang, key, name), "")
}

func place(at source.Place) string {
	return strconv.Itoa(at.Start) + "-" + strconv.Itoa(at.End)
}

// hand offers a text to be copied by hand, selected.
func (p *Page) hand(s state.State, last string) {
	box := browser.ByID("hand")
	browser.Flag(box, "hidden", s.Hand == "")
	if s.Hand == last {
		return
	}
	field := browser.ByID("hand-text")
	browser.SetValue(field, s.Hand)
	if s.Hand != "" {
		browser.Reveal(box)
		browser.SelectAll(field)
	}
}
