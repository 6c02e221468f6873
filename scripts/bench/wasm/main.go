//go:build js && wasm

// Command wasm is the token engine alone, for the benchmark: o200k_base is
// linked into it, and JavaScript writes its texts as UTF-8 straight into the
// module's memory. It is not shipped; the page and the modules of wasm/ reach
// the same code through the engine's call.
//
//	reserve(n) ptr     room for n bytes; ptr is good until the next call of reserve
//	count(n) tokens    of the first n bytes there
//	countAll(n, k)     of k texts in one call. The room begins with k lengths in
//	                   bytes (uint32), then come the n bytes of all texts; each
//	                   length is replaced by its text's tokens
//	estimate(n)        what the estimate says instead
//	forget()           an engine with empty caches, what a new text meets
package main

import (
	"encoding/binary"
	"unsafe"

	"github.com/tamp-dev/tamp/core/tokens"
)

var (
	room   []byte
	engine *tokens.Encoding // nil until something is counted
	texts  []string
	counts []int
)

func main() { select {} }

// built is the engine. Planes that do not check out end the program with the reason.
func built() *tokens.Encoding {
	if engine == nil {
		e, err := tokens.NewEncoding("o200k_base", planes())
		if err != nil {
			panic(err)
		}
		engine = e
	}
	return engine
}

// forget empties the caches, as the peers are made cold: their tables stay, too.
//
//go:wasmexport forget
func forget() { built().Forget() }

//go:wasmexport reserve
func reserve(n int32) unsafe.Pointer {
	if int(n) > cap(room) {
		room = make([]byte, n)
	}
	return unsafe.Pointer(unsafe.SliceData(room))
}

//go:wasmexport count
func count(n int32) int32 { return int32(built().Count(text(room[:n]))) }

//go:wasmexport estimate
func estimate(n int32) int32 { return int32(tokens.Estimate().Count(text(room[:n]))) }

// text is the bytes as a string, without a copy: they do not change while a call
// lasts, and nobody keeps the string.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

//go:wasmexport countAll
func countAll(n, k int32) {
	const size = 4
	e, lengths, all := built(), room[:size*k], text(room[size*k:size*k+n])
	texts, counts = texts[:0], counts[:0]
	for i := range int(k) {
		end := binary.LittleEndian.Uint32(lengths[size*i:])
		texts, counts = append(texts, all[:end]), append(counts, 0)
		all = all[end:]
	}
	e.CountAll(texts, counts)
	for i, count := range counts {
		binary.LittleEndian.PutUint32(lengths[size*i:], uint32(count))
	}
}
