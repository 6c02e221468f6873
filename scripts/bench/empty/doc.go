//go:build !(js && wasm)

// Command empty is the yardstick of what Go itself costs in a wasm module, built with
// GOOS=js GOARCH=wasm; natively it does nothing.
package main

func main() {}
