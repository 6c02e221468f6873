//go:build !(js && wasm)

// Command js is the engine for JavaScript. It is built with GOOS=js
// GOARCH=wasm; natively it does nothing.
package main

func main() {}
