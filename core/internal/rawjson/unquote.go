package rawjson

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes a quoted JSON string that Parse accepted. Lone surrogates
// and each invalid byte become U+FFFD, as encoding/json reads them. The words
// that the wire formats are full of cost no memory.
func Unquote(raw []byte) string { return decoded(raw[1 : len(raw)-1]) }

// decoded is Unquote of what stands between the quotes.
func decoded(body []byte) string {
	if len(body) <= longestWord {
		if w := word(body); w != "" {
			return w
		}
	}
	at := bytes.IndexByte(body, '\\')
	valid := utf8.Valid(body)
	if at < 0 && valid {
		return string(body)
	}
	var out strings.Builder
	out.Grow(len(body))
	if !valid {
		unquoteBad(&out, body)
		return out.String()
	}
	for {
		if at < 0 {
			out.Write(body)
			return out.String()
		}
		out.Write(body[:at])
		body = body[at+unescape(&out, body[at:]):]
		at = nextSlash(body)
	}
}

// nextSlash is the place of the first backslash, -1 if there is none. They stand
// close to each other as a rule, where a loop is faster than a call.
func nextSlash(s []byte) int {
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		x := load(s[i:]) ^ '\\'*ones
		if m := (x - ones) &^ x & highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(s); i++ {
		if s[i] == '\\' {
			return i
		}
	}
	return -1
}

// unescape writes what the escape stands for that s begins with, and gives its
// length: two of them where they are a pair of surrogates.
func unescape(out *strings.Builder, s []byte) int {
	if s[1] != 'u' {
		out.WriteByte(escaped(s[1]))
		return 2
	}
	r, n := codePoint(s)
	out.WriteRune(r)
	return n
}

// escaped is the byte that a letter behind a backslash stands for.
func escaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// codePoint is what the \u escape stands for that s begins with, and its length.
func codePoint(s []byte) (r rune, n int) {
	r, n = hex4(s[2:]), 6
	if utf16.IsSurrogate(r) {
		low := rune(-1)
		if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			low = hex4(s[8:])
		}
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			n = 12
		}
	}
	return r, n
}

// Bytes is Text as bytes of their own: a transcript within a JSON string is
// decoded into the one copy that is read.
func (v Value) Bytes() []byte {
	if v.Kind() != String {
		return nil
	}
	body := v.Raw()
	body = body[1 : len(body)-1]
	out := make([]byte, 0, len(body))
	if !utf8.Valid(body) {
		return append(out, decoded(body)...)
	}
	for at := nextSlash(body); at >= 0; at = nextSlash(body) {
		out = append(out, body[:at]...)
		if c := body[at+1]; c != 'u' {
			out, body = append(out, escaped(c)), body[at+2:]
			continue
		}
		r, n := codePoint(body[at:])
		out, body = utf8.AppendRune(out, r), body[at+n:]
	}
	return append(out, body...)
}

// unquoteBad is the way for strings that are no valid UTF-8.
func unquoteBad(out *strings.Builder, body []byte) {
	for i := 0; i < len(body); {
		if body[i] == '\\' {
			i += unescape(out, body[i:])
			continue
		}
		r, n := utf8.DecodeRune(body[i:])
		out.WriteRune(r)
		i += n
	}
}
