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
	lead, tail := cutMark(from > 0), cutMark(to < len(src))
	if i := bytes.LastIndexByte(src[from:at], '\n'); i >= 0 {
		from += i + 1
		lead = ""
	}
	if i := bytes.IndexByte(src[at:to], '\n'); i >= 0 {
		to = at + i
		tail = ""
	}
	for from < at && !utf8.RuneStart(src[from]) {
		from++
	}
	for to > at && to < len(src) && !utf8.RuneStart(src[to]) {
		to--
	}
	before := lead + shown(src[from:at])
	return fmt.Sprintf("line %d, column %d: %s\n  %s%s%s\n  %s^", line, column, e.Msg,
		before, shown(src[at:to]), tail, strings.Repeat(" ", width(before)))
}

func cutMark(cut bool) string {
	if cut {
		return "…"
	}
	return ""
}

// shown is source text that can stand in a message: control characters are
// blanks, and marks that would turn the direction of the line are U+FFFD.
func shown(b []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20 || r == 0x7f:
			return ' '
		case r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F:
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(string(b), "\uFFFD"))
}

// width is how many columns a text takes in a fixed font: two for each wide
// character of East Asia and each emoji, none for marks and joiners.
func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r >= 0x300 && r <= 0x36F, r >= 0x200B && r <= 0x200D, r >= 0xFE00 && r <= 0xFE0F, r >= 0x1F3FB && r <= 0x1F3FF:
		case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF,
			r >= 0xFE30 && r <= 0xFE6F, r >= 0xFF00 && r <= 0xFF60, r >= 0xFFE0 && r <= 0xFFE6,
			r >= 0x1F300 && r <= 0x1FAFF, r >= 0x20000 && r <= 0x3FFFD:
			n += 2
		default:
			n++
		}
	}
	return n
}
