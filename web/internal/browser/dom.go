//go:build js && wasm

package browser

import (
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// New makes an element. dom's own CreateElement compares the new element with
// the constructors of up to 65 kinds to find its Go type, a call into
// JavaScript each: the rows of a long transcript are 10,000 elements.
func New(tag string) *dom.BasicHTMLElement {
	return wrap(js.Global().Get("document").Call("createElement", tag))
}

// ByID is the element with that id. It panics where there is none: the page's
// frame is static, so the page is not the one that this program belongs to.
func ByID(id string) *dom.BasicHTMLElement {
	v := js.Global().Get("document").Call("getElementById", id)
	if v.IsNull() {
		panic("the page has no element " + id)
	}
	return wrap(v)
}

// Find lists the elements below the document that match a selector.
func Find(selector string) []*dom.BasicHTMLElement {
	list := js.Global().Get("document").Call("querySelectorAll", selector)
	found := make([]*dom.BasicHTMLElement, list.Length())
	for i := range found {
		found[i] = wrap(list.Index(i))
	}
	return found
}

func wrap(v js.Value) *dom.BasicHTMLElement {
	return &dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}}
}

// Empty takes all children out of an element.
func Empty(e dom.Node) { e.Underlying().Call("replaceChildren") }

// Value is what a control holds.
func Value(e dom.Node) string { return e.Underlying().Get("value").String() }

// SetValue fills a control, if it holds something else: writing the same value
// again would move the cursor to its end.
func SetValue(e dom.Node, s string) {
	if v := e.Underlying(); v.Get("value").String() != s {
		v.Set("value", s)
	}
}

// Checked says whether a box or a radio button is on.
func Checked(e dom.Node) bool { return e.Underlying().Get("checked").Bool() }

// Flag sets a boolean property of an element: hidden, open.
func Flag(e dom.Node, name string, on bool) {
	if v := e.Underlying(); v.Get(name).Truthy() != on {
		v.Set(name, on)
	}
}

// IsSet is a boolean property.
func IsSet(e dom.Node, name string) bool { return e.Underlying().Get(name).Truthy() }

// Width sets an element's width as a share of its parent's, 0 to 1.
func Width(e dom.Node, share float64) {
	e.Underlying().Get("style").Set("width", strconv.FormatFloat(share*100, 'f', 2, 64)+"%")
}

// SelectAll marks everything in a text box.
func SelectAll(e dom.Node) {
	e.Underlying().Call("focus")
	e.Underlying().Call("select")
}

// Reveal scrolls no further than it takes for an element to be seen.
func Reveal(e dom.Node) {
	e.Underlying().Call("scrollIntoView", map[string]any{"block": "nearest"})
}

// Target is the nearest element around the one that an event met which matches
// a selector; nil if there is none.
func Target(ev dom.Event, selector string) *dom.BasicHTMLElement {
	t := ev.Underlying().Get("target")
	if t.IsNull() || t.Get("closest").IsUndefined() {
		return nil
	}
	if t = t.Call("closest", selector); t.IsNull() {
		return nil
	}
	return wrap(t)
}

// Language is the language that the person asked for: that of the address
// (?lang=ja, or #lang=ja), else the browser's. bootstrap.js reads it in the
// same way.
func Language() string {
	location := js.Global().Get("location")
	address := location.Get("search").String() + location.Get("hash").String()
	for _, part := range strings.FieldsFunc(address, func(r rune) bool { return r == '?' || r == '#' || r == '&' }) {
		if lang, ok := strings.CutPrefix(part, "lang="); ok {
			return lang
		}
	}
	return js.Global().Get("navigator").Get("language").String()
}

// SetLanguage notes the language on the document, and in the query of the
// address: the fragment belongs to whatever link leads to a part of the page.
func SetLanguage(lang string) {
	root := js.Global().Get("document").Get("documentElement")
	if root.Get("lang").String() == lang {
		return
	}
	root.Set("lang", lang)
	address := js.Global().Get("URL").New(js.Global().Get("location").Get("href"))
	address.Get("searchParams").Call("set", "lang", lang)
	if strings.HasPrefix(address.Get("hash").String(), "#lang=") {
		address.Set("hash", "")
	}
	js.Global().Get("history").Call("replaceState", nil, "", address)
}

// Ready says that the page answers: to tests by data-ready on the document,
// and to bootstrap.js by an event.
func Ready() {
	js.Global().Get("document").Get("documentElement").Get("dataset").Set("ready", "true")
	js.Global().Call("dispatchEvent", js.Global().Get("Event").New("tamp-ready"))
}

// Stopped tells bootstrap.js that the program has come to its end, and the code
// of why.
func Stopped(code string) {
	js.Global().Get("document").Get("documentElement").Get("dataset").Set("stopped", code)
	js.Global().Call("dispatchEvent", js.Global().Get("Event").New("tamp-stopped"))
}
