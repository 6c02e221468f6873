// Package tiktokens makes any encoding of github.com/pkoukk/tiktoken-go a Counter
// of core/tokens: p50k_base, r50k_base, or one of a caller's own. It is in a module
// of its own, so that no program has to carry that library to use core.
//
// The library counts text by regular expressions, at 1 to 4 MB/s, and takes time
// in the square of the length of a word: 7 s for 100 KB of one letter. For
// o200k_base and cl100k_base use tokens.NewEncoding.
package tiktokens

import (
	"fmt"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/tamp-dev/tamp/core/tokens"
)

// Named is the counter of a public encoding, from the vocabularies that
// tiktoken-go-loader carries: "r50k_base", "p50k_base", "p50k_edit", "cl100k_base",
// "o200k_base". Nothing is fetched. It sets tiktoken-go's loader for the program.
func Named(name string) (tokens.Counter, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	t, err := tiktoken.GetEncoding(name)
	if err != nil {
		return nil, fmt.Errorf("encoding %q: %w", name, err)
	}
	return counter{name, t}, nil
}

// Own is the counter of a vocabulary of the caller's own, by the name that results
// shall bear.
func Own(name string, t *tiktoken.Tiktoken) tokens.Counter { return counter{name, t} }

type counter struct {
	name     string
	encoding *tiktoken.Tiktoken
}

func (c counter) Name() string { return c.name }

// ErrorP95 is 0: the count is the encoding's own.
func (c counter) ErrorP95() float64 { return 0 }

// Count counts special tokens as ordinary text; the library's Encode would panic.
func (c counter) Count(s string) int {
	if s == "" {
		return 0
	}
	return len(c.encoding.EncodeOrdinary(s))
}
