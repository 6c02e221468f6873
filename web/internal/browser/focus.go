//go:build js && wasm

package browser

import (
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Select marks a stretch of a text box, in UTF-16 units, gives the box the
// focus and brings the stretch into view, in the box and in the window.
// Browsers do not scroll to a selection that a program makes, or to its end
// only. Cost: the layout of the text before it, once more.
func Select(e dom.Node, start, end int) {
	v := e.Underlying()
	v.Call("focus", map[string]any{"preventScroll": true})
	v.Call("setSelectionRange", start, end)

	y := height(v, start)
	inside := v.Get("clientHeight").Float()
	v.Set("scrollTop", y-inside/2)

	v.Call("scrollIntoView", map[string]any{"block": "nearest"})
	// A box that is taller than the window is seen in part only.
	window := js.Global().Get("innerHeight").Float()
	at := v.Call("getBoundingClientRect").Get("top").Float() + y - v.Get("scrollTop").Float()
	if at < 0 || at > window-20 {
		js.Global().Call("scrollBy", 0, at-window/2)
	}
}

// height is how far below the top of a text box's text a place stands, in CSS
// pixels: that of a box of the same width that holds the text before it.
func height(box js.Value, start int) float64 {
	twin := box.Call("cloneNode", false)
	for _, name := range []string{"id", "data-testid", "placeholder", "aria-describedby"} {
		twin.Call("removeAttribute", name)
	}
	twin.Call("setAttribute", "aria-hidden", "true")
	twin.Get("classList").Call("add", "twin") // the sheet of the box, whose id it has not
	// Borders and a scrollbar, which the twin has none of.
	edges := box.Get("offsetWidth").Float() - box.Get("clientWidth").Float()
	width := box.Call("getBoundingClientRect").Get("width").Float() - edges
	style := twin.Get("style")
	for name, to := range map[string]string{
		"position": "absolute", "visibility": "hidden", "top": "0", "left": "0", "height": "0", "minHeight": "0",
		"border": "0", "overflow": "hidden", "width": strconv.FormatFloat(width, 'f', 2, 64) + "px",
	} {
		style.Set(name, to)
	}
	twin.Set("value", box.Get("value"))
	twin.Call("setRangeText", "", start, twin.Get("textLength").Int())
	box.Get("parentNode").Call("appendChild", twin)
	y := twin.Get("scrollHeight").Float()
	twin.Call("remove")
	return y
}

// Focused is the element that has the focus; nil where that is the document.
func Focused() *dom.BasicHTMLElement {
	document := js.Global().Get("document")
	v := document.Get("activeElement")
	if !v.Truthy() || v.Equal(document.Get("body")) {
		return nil
	}
	return wrap(v)
}

// Gone says whether an element is no longer on the page, or is in a part of it
// that is hidden. It needs no layout.
func Gone(e dom.Node) bool {
	v := e.Underlying()
	return !v.Get("isConnected").Bool() || v.Call("closest", "[hidden]").Truthy()
}

// Focus gives an element the focus and scrolls no further than it takes.
func Focus(e dom.Node) {
	e.Underlying().Call("focus", map[string]any{"preventScroll": true})
	Reveal(e)
}
