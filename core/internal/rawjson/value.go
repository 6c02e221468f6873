package rawjson

import (
	"bytes"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is the kind of the value, Invalid for the zero Value.
func (v Value) Kind() Kind {
	if v.d == nil {
		return Invalid
	}
	return v.d.nodes[v.i].kind
}

// Is reports whether the value is there and of that kind.
func (v Value) Is(k Kind) bool { return v.Kind() == k }

// Exists reports whether the value is there, null included.
func (v Value) Exists() bool { return v.d != nil }

// Start is the offset of the value's first byte in the source.
func (v Value) Start() int { return int(v.d.nodes[v.i].start) }

// End is the offset behind the value's last byte.
func (v Value) End() int { return int(v.d.nodes[v.i].end) }

// KeyStart is the offset of the member's quoted key; -1 for what is no member.
func (v Value) KeyStart() int {
	if n := v.d.nodes[v.i]; n.kend > 0 {
		return int(n.key)
	}
	return -1
}

// Raw is the value's own bytes, a part of the source.
func (v Value) Raw() []byte {
	if v.d == nil {
		return nil
	}
	n := v.d.nodes[v.i]
	return v.d.src[n.start:n.end:n.end]
}

// Elems are the elements of an array, or the values of an object's members; of
// all others none.
func (v Value) Elems() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.d == nil {
			return
		}
		for i := v.d.nodes[v.i].child; i != 0; i = v.d.nodes[i].next {
			if !yield(Value{v.d, i}) {
				return
			}
		}
	}
}

// Members are the members of an object with their decoded keys, in order,
// doubled keys included.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for i := v.d.nodes[v.i].child; i != 0; i = v.d.nodes[i].next {
			if !yield(v.d.keyOf(i), Value{v.d, i}) {
				return
			}
		}
	}
}

func (d *doc) keyOf(i int32) string { return Unquote(d.src[d.nodes[i].key:d.nodes[i].kend]) }

// Len is the number of elements or members.
func (v Value) Len() int {
	n := 0
	for range v.Elems() {
		n++
	}
	return n
}

// Get is the member with that key, the last one where it is doubled (as
// encoding/json and JavaScript read it); Invalid where there is none. key is
// valid UTF-8. Cost: one look at each member before it.
func (v Value) Get(key string) Value {
	found := Value{}
	if v.Kind() != Object {
		return found
	}
	for i := v.d.nodes[v.i].child; i != 0; i = v.d.nodes[i].next {
		raw := v.d.src[v.d.nodes[i].key+1 : v.d.nodes[i].kend-1]
		if string(raw) == key || len(raw) > len(key) && bytes.IndexByte(raw, '\\') >= 0 && v.d.keyOf(i) == key {
			found = Value{v.d, i}
		}
	}
	return found
}

// Str is the decoded string, "" and false for what is no string.
func (v Value) Str() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return Unquote(v.Raw()), true
}

// Text is the decoded string, "" for what is no string.
func (v Value) Text() string {
	s, _ := v.Str()
	return s
}

// Int is the value of a number without fraction that fits an int.
func (v Value) Int() (int, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.Raw()))
	return n, err == nil
}

// Bool is true for the value true.
func (v Value) Bool() bool { return v.Kind() == True }

// Unquote decodes a quoted JSON string that Parse accepted. Lone surrogates
// and each invalid byte become U+FFFD, as encoding/json reads them.
func Unquote(raw []byte) string {
	body := raw[1 : len(raw)-1]
	if bytes.IndexByte(body, '\\') < 0 && utf8.Valid(body) {
		return string(body)
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		if c := body[i]; c != '\\' {
			if c < utf8.RuneSelf {
				out = append(out, c)
				i++
				continue
			}
			r, n := utf8.DecodeRune(body[i:])
			out = utf8.AppendRune(out, r)
			i += n
			continue
		}
		switch c := body[i+1]; c {
		case 'b':
			out, i = append(out, '\b'), i+2
		case 'f':
			out, i = append(out, '\f'), i+2
		case 'n':
			out, i = append(out, '\n'), i+2
		case 'r':
			out, i = append(out, '\r'), i+2
		case 't':
			out, i = append(out, '\t'), i+2
		case 'u':
			r := hex4(body[i+2:])
			i += 6
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if i+6 <= len(body) && body[i] == '\\' && body[i+1] == 'u' {
					low = hex4(body[i+2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			out, i = append(out, c), i+2
		}
	}
	return string(out)
}

const hexDigits = "0123456789abcdef"

// AppendQuote appends s as a JSON string. Only what must be is escaped: quotes,
// backslashes and control characters; invalid bytes become U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			dst = append(dst, s[from:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			case '\b':
				dst = append(dst, '\\', 'b')
			case '\f':
				dst = append(dst, '\\', 'f')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, s[from:i]...)
			dst = utf8.AppendRune(dst, utf8.RuneError)
			from = i + 1
		}
		i += n
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// Compact is the value's bytes without the white space between its tokens,
// nil for what is not there.
func (v Value) Compact() []byte {
	raw := v.Raw()
	if raw == nil {
		return nil
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case ' ', '\n', '\t', '\r':
		case '"':
			end := i + 1
			for raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, raw[i:end+1]...)
			i = end
		default:
			out = append(out, raw[i])
		}
	}
	return out
}
