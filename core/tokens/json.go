package tokens

import (
	"strings"
	"unicode/utf8"
)

// compactLen is the length in bytes of a JSON value as a serialiser without
// white space writes it that escapes only what JSON demands: an escaped
// character that need not be escaped counts as its UTF-8 bytes, so the number
// does not depend on who wrote the JSON. Numbers count as they stand. Malformed
// bytes count one each, and a text that is no JSON value counts its length.
// Cost: one pass.
func compactLen(raw []byte) int {
	i := 0
	for i < len(raw) && isSpace(raw[i]) {
		i++
	}
	if i == len(raw) || raw[i] != '{' && raw[i] != '[' && raw[i] != '"' {
		return len(raw)
	}
	n, quoted := 0, false
	for i < len(raw) {
		b := raw[i]
		switch {
		case b == '"':
			quoted = !quoted
			n++
		case quoted && b == '\\':
			size, took := escapeLen(raw[i:])
			n, i = n+size, i+took
			continue
		case quoted || !isSpace(b):
			n++
		}
		i++
	}
	return n
}

// escapeLen is what the escape that raw begins with counts, and how many bytes
// of raw it takes.
func escapeLen(raw []byte) (size, took int) {
	if len(raw) < 2 {
		return len(raw), len(raw)
	}
	switch raw[1] {
	case '/':
		return 1, 2
	case 'u':
	default:
		return 2, 2 // \" \\ \b \f \n \r \t stay escapes; others are malformed
	}
	r, ok := hex4(raw)
	switch {
	case !ok:
		return 2, 2
	case r == '"' || r == '\\' || r == '\b' || r == '\f' || r == '\n' || r == '\r' || r == '\t':
		return 2, 6
	case r < ' ':
		return 6, 6
	case r >= 0xD800 && r < 0xDC00:
		if low, ok := hex4(raw[6:]); ok && low >= 0xDC00 && low < 0xE000 {
			return 4, 12
		}
		return 3, 6
	case r >= 0xDC00 && r < 0xE000:
		return 3, 6 // a lone surrogate is written as U+FFFD
	}
	return utf8.RuneLen(r), 6
}

// hex4 reads \uXXXX.
func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	r := rune(0)
	for _, b := range raw[2:6] {
		switch {
		case b >= '0' && b <= '9':
			b -= '0'
		case b >= 'a' && b <= 'f':
			b -= 'a' - 10
		case b >= 'A' && b <= 'F':
			b -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(b)
	}
	return r, true
}

// unspaced is the JSON value without the white space between its tokens: the
// provider sees the parsed value, so an indented schema costs no more.
func unspaced(raw []byte) string {
	var out strings.Builder
	out.Grow(len(raw))
	quoted := false
	for i := 0; i < len(raw); i++ {
		b := raw[i]
		switch {
		case b == '"':
			quoted = !quoted
		case quoted && b == '\\' && i+1 < len(raw):
			out.WriteByte(b)
			i++
			b = raw[i]
		case !quoted && isSpace(b):
			continue
		}
		out.WriteByte(b)
	}
	return out.String()
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
