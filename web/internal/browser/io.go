//go:build js && wasm

package browser

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"
)

// File is a file that a person chose or dropped.
type File struct{ v js.Value }

// Name is its name without folders.
func (f File) Name() string { return f.v.Get("name").String() }

// Read gives all bytes of the file to done.
func (f File) Read(done func(data []byte, err error)) {
	buffer(f.v.Call("arrayBuffer"), done)
}

// Chosen is the file that a file control holds. The control is emptied, so
// that the same file can be chosen again after it was changed on the disk.
func Chosen(e dom.Node) (f File, of int) {
	v := e.Underlying()
	f, of = first(v.Get("files"))
	v.Set("value", "")
	return f, of
}

// Dropped is the first of the files that a drop brings, and how many it brings.
func Dropped(ev dom.Event) (f File, of int) {
	data := ev.Underlying().Get("dataTransfer")
	if data.IsNull() || data.IsUndefined() {
		return File{}, 0
	}
	return first(data.Get("files"))
}

func first(files js.Value) (f File, of int) {
	if of = files.Length(); of > 0 {
		f = File{files.Index(0)}
	}
	return f, of
}

// BringsFile says whether what is dragged holds a file: its name and bytes are
// not to be seen before it is dropped.
func BringsFile(ev dom.Event) bool {
	data := ev.Underlying().Get("dataTransfer")
	if data.IsNull() || data.IsUndefined() {
		return false
	}
	return data.Get("types").Call("includes", "Files").Bool()
}

// PastedLength is how long the text of a paste is, in bytes.
func PastedLength(ev dom.Event) int {
	data := ev.Underlying().Get("clipboardData")
	if !data.Truthy() {
		return 0
	}
	return len(data.Call("getData", "text").String())
}

// Inside says whether a drag that leaves an element goes to one within it.
func Inside(ev dom.Event, e dom.Node) bool {
	to := ev.Underlying().Get("relatedTarget")
	return to.Truthy() && e.Underlying().Call("contains", to).Bool()
}

// Fetch reads a file of the page's own origin.
func Fetch(path string, done func(data []byte, err error)) {
	then(js.Global().Call("fetch", path), func(answer js.Value, err error) {
		if err != nil {
			done(nil, err)
			return
		}
		if !answer.Get("ok").Bool() {
			done(nil, fmt.Errorf("%s: HTTP %d", path, answer.Get("status").Int()))
			return
		}
		buffer(answer.Call("arrayBuffer"), done)
	})
}

// ReadConfig asks config.mjs what a text of another system's configuration says.
// An error is that it or its parsers could not be loaded.
func ReadConfig(text string, done func(answer string, err error)) {
	then(js.Global().Call("tampConfig", text), func(v js.Value, err error) {
		if err != nil {
			done("", err)
			return
		}
		done(v.String(), nil)
	})
}

// CopyText puts a text on the clipboard and says whether that was allowed.
func CopyText(s string, done func(ok bool)) {
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() { // not over plain HTTP, but for localhost
		done(false)
		return
	}
	then(clipboard.Call("writeText", s), func(_ js.Value, err error) { done(err == nil) })
}

// Save downloads data under a name.
func Save(name, mediaType string, data []byte) {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	blob := js.Global().Get("Blob").New([]any{bytes}, map[string]any{"type": mediaType})
	urls := js.Global().Get("URL")
	address := urls.Call("createObjectURL", blob)
	link := js.Global().Get("document").Call("createElement", "a")
	link.Set("href", address)
	link.Set("download", name)
	link.Call("click")
	// The browser may read the bytes after this event is over.
	time.AfterFunc(time.Minute, func() { urls.Call("revokeObjectURL", address) })
}

// buffer gives the bytes of a promised ArrayBuffer to done.
func buffer(promise js.Value, done func([]byte, error)) {
	then(promise, func(v js.Value, err error) {
		if err != nil {
			done(nil, err)
			return
		}
		array := js.Global().Get("Uint8Array").New(v)
		data := make([]byte, array.Length())
		js.CopyBytesToGo(data, array)
		done(data, nil)
	})
}

// then waits for a promise. Exactly one of the two functions is called, once,
// and both are released then. A failure in done ends the program like any
// other (see Guard).
func then(promise js.Value, done func(js.Value, error)) {
	var kept, broken js.Func
	settle := func(v js.Value, err error) {
		kept.Release()
		broken.Release()
		Guard(func() { done(v, err) })
	}
	kept = js.FuncOf(func(_ js.Value, args []js.Value) any {
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		settle(v, nil)
		return nil
	})
	broken = js.FuncOf(func(_ js.Value, args []js.Value) any {
		err := errors.New("the browser refused")
		if len(args) > 0 && args[0].Truthy() {
			err = fmt.Errorf("the browser refused: %s", args[0].Call("toString").String())
		}
		settle(js.Undefined(), err)
		return nil
	})
	promise.Call("then", kept, broken)
}
