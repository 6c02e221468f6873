//go:build js && wasm

package browser

import "sync"

// crash holds what to do about a panic; set once by OnCrash.
var crash struct {
	sync.Mutex
	do func()
}

// OnCrash says what to do when something that the browser calls panics.
func OnCrash(do func()) {
	crash.Lock()
	crash.do = do
	crash.Unlock()
}

// Guard runs f and catches its panic: thrown out of a callback, it would end
// the program in the middle of one of the browser's events, with a trace that
// may hold parts of the transcript.
func Guard(f func()) {
	defer func() {
		if recover() == nil {
			return
		}
		crash.Lock()
		do := crash.do
		crash.Unlock()
		if do != nil {
			do()
		}
	}()
	f()
}
