package rawjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Place is the line and column (both from 1, columns in characters) of an offset.
func Place(src []byte, offset int) (line, column int) {
	offset = min(offset, len(src))
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	return 1 + bytes.Count(src[:start], []byte{'\n'}), 1 + utf8.RuneCount(src[start:offset])
}

// around is how many bytes of the source an error shows on each side of a
// place: 20 and 20 are the 40 that a message to the caller may quote.
const around = 20

// Describe is a syntax error as a person reads it: line, column, what is wrong,
// and the place with a caret below it.
func Describe(src []byte, e *SyntaxError) string {
	line, column := Place(src, e.Offset)
	at := min(e.Offset, len(src))
	from, to := max(0, at-around), min(len(src), at+around)
	if i := bytes.LastIndexByte(src[from:at], '\n'); i >= 0 {
		from += i + 1
	}
	if i := bytes.IndexByte(src[at:to], '\n'); i >= 0 {
		to = at + i
	}
	for from < at && !utf8.RuneStart(src[from]) {
		from++
	}
	for to > at && to < len(src) && !utf8.RuneStart(src[to]) {
		to--
	}
	show := func(b []byte) string {
		return strings.Map(func(r rune) rune {
			if r < 0x20 || r == 0x7f {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(string(b), "\uFFFD"))
	}
	before := show(src[from:at])
	return fmt.Sprintf("line %d, column %d: %s\n  %s%s\n  %s^", line, column, e.Msg,
		before, show(src[at:to]), strings.Repeat(" ", utf8.RuneCountInString(before)))
}
