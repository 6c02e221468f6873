//go:build js && wasm

// Command empty is the yardstick of what Go itself costs in a wasm module: a
// program that starts and stays.
package main

func main() { select {} }
