//go:build js && wasm && bare

package main

// planes is nothing: with the tag bare the program is the same without an
// encoding, the yardstick of what one takes in memory and in bytes.
func planes() string { return "" }
