// Package view draws a state.State into the page and turns what a person does
// there into actions. It writes text as text nodes only, and builds on what is
// in static/index.html. The package is empty but for GOOS=js.
package view
