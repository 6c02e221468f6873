//go:build js && wasm

// Command js is the engine for JavaScript, built with GOOS=js: it puts a
// function on globalThis, tampCall(op, Uint8Array) -> Uint8Array, and stays.
package main

import (
	"syscall/js"

	"github.com/tamp-dev/tamp/wasm/abi"
)

func main() {
	js.Global().Set("tampCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var op string
		var body []byte
		if len(args) > 0 && args[0].Type() == js.TypeString {
			op = args[0].String()
		}
		if len(args) > 1 && args[1].InstanceOf(js.Global().Get("Uint8Array")) {
			body = make([]byte, args[1].Get("length").Int())
			js.CopyBytesToGo(body, args[1])
		}
		answer := abi.Call(op, body)
		out := js.Global().Get("Uint8Array").New(len(answer))
		js.CopyBytesToJS(out, answer)
		return out
	}))
	select {}
}
