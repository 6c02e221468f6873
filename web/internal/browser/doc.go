// Package browser is the one place of the page that touches JavaScript values:
// files, the clipboard, downloads, samples, the selection of a text box, the
// address and the end of the program. Everything that waits for the browser
// returns at once and calls back. The package is empty but for GOOS=js.
package browser
