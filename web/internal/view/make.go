//go:build js && wasm

package view

import (
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tamp-dev/tamp/web/internal/browser"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// build makes an element with a class and children.
func build(tag, class string, children ...dom.Node) elem {
	e := browser.New(tag)
	if class != "" {
		e.SetClass(class)
	}
	for _, c := range children {
		e.AppendChild(c)
	}
	return e
}

// words makes an element that holds a text, as text.
func words(tag, class, s string) elem {
	e := build(tag, class)
	e.SetTextContent(s)
	return e
}

// apart makes an element whose text is set apart from the direction of the text
// around it: all that comes from a transcript or a file may hold signs that turn
// what follows. An inline block is a paragraph of its own, so that not even a
// sign which ends an isolation gets out of it.
func apart(class, s string) elem {
	return words("bdi", class, s)
}

// tell writes a sentence with its arguments apart. lang is the
// language of the arguments where it is not the page's.
func tell(e elem, pieces []text.Piece, lang string) {
	browser.Empty(e)
	for _, piece := range pieces {
		if !piece.Arg {
			e.AppendChild(words("span", "", piece.Text))
			continue
		}
		arg := apart("", piece.Text)
		attribute(arg, "lang", lang)
		e.AppendChild(arg)
	}
}

// english is the attribute of the engine's own words, which have one language.
const english = "en"

// icon makes a sign that only the eye needs: a word always stands beside it.
func icon(sign string) elem {
	e := words("i", "", sign)
	e.SetAttribute("aria-hidden", "true")
	return e
}

// button makes a button that does something: see clicked.
func button(class, act, arg, label string) elem {
	b := words("button", class, label)
	b.SetAttribute("type", "button")
	b.SetAttribute("data-act", act)
	b.SetAttribute("data-arg", arg)
	return b
}

// put writes a text, if it is another.
func put(e elem, s string) {
	if e.TextContent() != s {
		e.SetTextContent(s)
	}
}

// attribute sets an attribute, or takes it away where value is "".
func attribute(e elem, name, value string) {
	switch {
	case value == "":
		e.RemoveAttribute(name)
	case e.GetAttribute(name) != value:
		e.SetAttribute(name, value)
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
