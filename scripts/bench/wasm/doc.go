//go:build !(js && wasm)

// Command wasm is the token engine alone, for the benchmark. It is built with
// GOOS=js GOARCH=wasm; natively it does nothing.
package main

func main() {}
