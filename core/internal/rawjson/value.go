package rawjson

import (
	"bytes"
	"iter"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of the value, Invalid for the zero Value.
func (v Value) Kind() Kind {
	if v.d == nil {
		return Invalid
	}
	return v.d.kind(v.i)
}

func (d *doc) kind(i int32) Kind {
	switch d.src[d.nodes[i].start] {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	}
	return Number
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
	if key := v.d.nodes[v.i].key; key > 0 {
		return int(key)
	}
	return -1
}

// Raw is the value's own bytes, a part of the source.
func (v Value) Raw() []byte {
	if v.d == nil {
		return nil
	}
	n := &v.d.nodes[v.i]
	return v.d.src[n.start:n.end:n.end]
}

// children are the first node of what is in a value and the end of all of them.
func (d *doc) children(i int32) (from, to int32) {
	to = d.nodes[i].next
	if from = i + 1; d.src[d.nodes[i].start] == '{' {
		from++
	}
	return from, to
}

// Elems are the elements of an array, or the values of an object's members; of
// all others none.
func (v Value) Elems() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.d == nil {
			return
		}
		for i, end := v.d.children(v.i); i < end; i = v.d.nodes[i].next {
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
		for i, end := v.d.children(v.i); i < end; i = v.d.nodes[i].next {
			if !yield(v.d.keyOf(i), Value{v.d, i}) {
				return
			}
		}
	}
}

// keyOf is the decoded key of a member.
func (d *doc) keyOf(i int32) string {
	start := int(d.nodes[i].key)
	end := start + 1
	for d.src[end] != '"' {
		if d.src[end] == '\\' {
			end++
		}
		end++
	}
	return Unquote(d.src[start : end+1])
}

// Len is the number of elements or members. Cost: one step for each element.
func (v Value) Len() int {
	n := 0
	if v.Kind() == Object {
		_, n, _ = v.d.nodes[v.i+1].info()
		return n
	}
	for range v.Elems() {
		n++
	}
	return n
}

// Get is the member with that key, the last one where it is doubled (as
// encoding/json and JavaScript read it); Invalid where there is none. key is
// valid UTF-8. Cost: next to nothing where there is none, as a rule, else one
// look at each member.
func (v Value) Get(key string) Value {
	if v.d == nil || v.d.src[v.d.nodes[v.i].start] != '{' {
		return Value{}
	}
	d := v.d
	keys, _, escaped := d.nodes[v.i+1].info()
	switch {
	case escaped:
		return d.escapedMember(v.i, key)
	case keys&keyBit(key) == 0:
		return Value{}
	}
	return d.member(v.i, key)
}

func (d *doc) member(of int32, key string) Value {
	found := Value{}
	for i, end := of+2, d.nodes[of].next; i < end; i = d.nodes[i].next {
		at := int(d.nodes[i].key) + 1
		// A quote before the value is the key's own: one in the asked key is none.
		if to := at + len(key); to < int(d.nodes[i].start) && d.src[to] == '"' && string(d.src[at:to]) == key {
			found = Value{d, i}
		}
	}
	return found
}

// escapedMember is member where some key is written with an escape. Only one that
// begins as the key does, or with an escape, has to be decoded.
func (d *doc) escapedMember(of int32, key string) Value {
	found := Value{}
	for i, end := of+2, d.nodes[of].next; i < end; i = d.nodes[i].next {
		first := d.src[d.nodes[i].key+1]
		if (first == '\\' || first == '"' || key != "" && first == key[0]) && d.keyOf(i) == key {
			found = Value{d, i}
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

// Head is the beginning of Text, as much of it as the first n bytes of the source
// hold (a pair of surrogates there may be cut in two): whether a text of megabytes
// begins with some word needs no more.
func (v Value) Head(n int) string {
	if v.Kind() != String {
		return ""
	}
	body := v.Raw()
	body = body[1 : len(body)-1]
	if len(body) <= n {
		return decoded(body)
	}
	end := 0
	for size := 0; end+size <= n; {
		end += size
		if body[end] == '\\' {
			size = escapeLen(body[end:])
		} else {
			_, size = utf8.DecodeRune(body[end:])
		}
	}
	return decoded(body[:end])
}

// TextLen is the length of Text in bytes, without making it: a picture is a
// string of a megabyte, of which nobody reads more than its length.
func (v Value) TextLen() int {
	if v.Kind() != String {
		return 0
	}
	raw := v.Raw()
	if body := raw[1 : len(raw)-1]; bytes.IndexByte(body, '\\') < 0 && utf8.Valid(body) {
		return len(body)
	}
	return len(Unquote(raw))
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
	compact(raw, func(piece []byte) { out = append(out, piece...) })
	return out
}

// CompactText is Compact as a string, "" for what is not there.
func (v Value) CompactText() string {
	raw := v.Raw()
	var out strings.Builder
	out.Grow(len(raw))
	compact(raw, func(piece []byte) { out.Write(piece) })
	return out.String()
}

// compact gives the pieces between the white space between the tokens of raw.
func compact(raw []byte, piece func([]byte)) {
	from := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case ' ', '\n', '\t', '\r':
			if i > from {
				piece(raw[from:i])
			}
			from = i + 1
		case '"':
			i++
			for raw[i] != '"' {
				if len(raw)-i >= 8 {
					m := special(load(raw[i:]))
					if m == 0 {
						i += 8
						continue
					}
					i += bits.TrailingZeros64(m) >> 3
				}
				switch raw[i] {
				case '"':
				case '\\':
					i += 2
				default:
					i++
				}
			}
		}
	}
	if from < len(raw) {
		piece(raw[from:])
	}
}
