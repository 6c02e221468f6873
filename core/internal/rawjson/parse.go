// Package rawjson reads JSON without copying it: a parsed Value knows the place
// of its bytes in the source, so that what is kept can be written back byte for
// byte. encoding/json can not say where a value stands, and re-marshalling
// loses spacing, key order, number forms and escapes.
//
// Parsing is linear in the source and keeps 28 bytes for each value beside it.
package rawjson

import (
	"fmt"
	"math"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds. Invalid is the kind of a value that is not there.
const (
	Invalid Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// String is the kind as an error message names it.
func (k Kind) String() string {
	return [...]string{"nothing", "null", "false", "true", "a number", "a string", "an array", "an object"}[k]
}

// MaxDepth is how deep arrays and objects may nest. Real transcripts stay
// below 40 (tool schemas); the limit keeps hostile input off the stack.
const MaxDepth = 1000

// node is one value. key is the place of the quoted key where it is a member.
type node struct {
	start, end int32
	next       int32 // next sibling, 0 for none (0 is the root, nobody's sibling)
	child      int32 // first child, 0 for none
	key, kend  int32
	kind       Kind
}

type doc struct {
	src   []byte
	nodes []node
}

// Value is one value of a parsed source. The zero Value is Invalid.
type Value struct {
	d *doc
	i int32
}

// SyntaxError is where a source stops being JSON.
type SyntaxError struct {
	Offset int
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }

// Parse reads one JSON value with only white space around it. The Value keeps
// src, which must not be changed while it is in use.
func Parse(src []byte) (Value, error) {
	if len(src) > math.MaxInt32 {
		return Value{}, &SyntaxError{0, fmt.Sprintf("is %d bytes, the limit is %d", len(src), math.MaxInt32)}
	}
	p := parser{doc: &doc{src: src, nodes: make([]node, 0, 16+len(src)/64)}}
	p.space()
	if p.pos == len(src) {
		return Value{}, p.fail("is empty, a JSON value is wanted")
	}
	if _, err := p.value(0); err != nil {
		return Value{}, err
	}
	p.space()
	if p.pos < len(src) {
		return Value{}, p.fail("unexpected " + p.seen() + " after the JSON value")
	}
	return Value{d: p.doc}, nil
}

type parser struct {
	*doc
	pos int
}

func (p *parser) fail(msg string) error { return &SyntaxError{p.pos, msg} }

// seen names the byte at the position.
func (p *parser) seen() string {
	if p.pos >= len(p.src) {
		return "end"
	}
	c := p.src[p.pos]
	if c < 0x20 || c >= 0x7f {
		return fmt.Sprintf("byte 0x%02x", c)
	}
	return "'" + string(rune(c)) + "'"
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\n', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (int32, error) {
	if depth > MaxDepth {
		return 0, p.fail(fmt.Sprintf("nests deeper than %d", MaxDepth))
	}
	if p.pos >= len(p.src) {
		return 0, p.fail("ends where a value is wanted")
	}
	id := int32(len(p.nodes))
	p.nodes = append(p.nodes, node{start: int32(p.pos)})
	var kind Kind
	var err error
	switch c := p.src[p.pos]; {
	case c == '{':
		kind, err = Object, p.object(id, depth)
	case c == '[':
		kind, err = Array, p.array(id, depth)
	case c == '"':
		kind, err = String, p.string()
	case c == '-' || c >= '0' && c <= '9':
		kind, err = Number, p.number()
	case c == 't':
		kind, err = True, p.word("true")
	case c == 'f':
		kind, err = False, p.word("false")
	case c == 'n':
		kind, err = Null, p.word("null")
	default:
		err = p.fail("unexpected " + p.seen() + ", a value is wanted")
	}
	if err != nil {
		return 0, err
	}
	p.nodes[id].kind = kind
	p.nodes[id].end = int32(p.pos)
	return id, nil
}

func (p *parser) word(w string) error {
	if len(p.src)-p.pos < len(w) || string(p.src[p.pos:p.pos+len(w)]) != w {
		return p.fail("unexpected " + p.seen() + ", a value is wanted")
	}
	p.pos += len(w)
	return nil
}

func (p *parser) array(id int32, depth int) error {
	p.pos++
	last := int32(0)
	for {
		p.space()
		if p.pos < len(p.src) && p.src[p.pos] == ']' {
			if last != 0 {
				return p.fail("unexpected ']' after ',': a comma before the end of an array is not JSON")
			}
			p.pos++
			return nil
		}
		child, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		p.link(id, last, child)
		last = child
		more, err := p.separator(']')
		if err != nil || !more {
			return err
		}
	}
}

func (p *parser) object(id int32, depth int) error {
	p.pos++
	last := int32(0)
	for {
		p.space()
		if p.pos < len(p.src) && p.src[p.pos] == '}' {
			if last != 0 {
				return p.fail("unexpected '}' after ',': a comma before the end of an object is not JSON")
			}
			p.pos++
			return nil
		}
		if p.pos >= len(p.src) || p.src[p.pos] != '"' {
			return p.fail("unexpected " + p.seen() + ", a quoted key is wanted")
		}
		key := p.pos
		if err := p.string(); err != nil {
			return err
		}
		kend := p.pos
		p.space()
		if p.pos >= len(p.src) || p.src[p.pos] != ':' {
			return p.fail("unexpected " + p.seen() + ", ':' is wanted after a key")
		}
		p.pos++
		p.space()
		child, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		p.nodes[child].key, p.nodes[child].kend = int32(key), int32(kend)
		p.link(id, last, child)
		last = child
		more, err := p.separator('}')
		if err != nil || !more {
			return err
		}
	}
}

func (p *parser) link(parent, last, child int32) {
	if last == 0 {
		p.nodes[parent].child = child
	} else {
		p.nodes[last].next = child
	}
}

// separator reads ',' (more follows) or the closing byte.
func (p *parser) separator(closing byte) (bool, error) {
	p.space()
	if p.pos >= len(p.src) {
		return false, p.fail("ends where ',' or '" + string(rune(closing)) + "' is wanted")
	}
	switch p.src[p.pos] {
	case ',':
		p.pos++
		return true, nil
	case closing:
		p.pos++
		return false, nil
	}
	return false, p.fail("unexpected " + p.seen() + ", ',' or '" + string(rune(closing)) + "' is wanted")
}

// plain marks the bytes that stand for themselves within a string.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 256; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

func (p *parser) string() error {
	src, i := p.src, p.pos+1
	for {
		for i < len(src) && plain[src[i]] {
			i++
		}
		if i >= len(src) {
			return p.fail("string is not closed")
		}
		switch src[i] {
		case '"':
			p.pos = i + 1
			return nil
		case '\\':
			n := escapeLen(src[i:])
			if n == 0 {
				p.pos = i
				return p.fail("invalid escape in a string")
			}
			i += n
		default:
			p.pos = i
			return p.fail("unexpected " + p.seen() + " in a string, control characters must be escaped")
		}
	}
}

// escapeLen is the length of the escape that s starts with, 0 if it is none.
func escapeLen(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(s) >= 6 && hex4(s[2:6]) >= 0 {
			return 6
		}
	}
	return 0
}

// hex4 is the value of four hex digits, -1 if they are not.
func hex4(s []byte) rune {
	var r rune
	for _, c := range s[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

func (p *parser) number() error {
	src, i := p.src, p.pos
	if i < len(src) && src[i] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(src) && src[i] >= '0' && src[i] <= '9' {
			i++
		}
		return i > from
	}
	zero := i < len(src) && src[i] == '0'
	if zero {
		i++
	} else if !digits() {
		return p.fail("invalid number")
	}
	if i < len(src) && src[i] == '.' {
		i++
		if !digits() {
			return p.fail("invalid number")
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if !digits() {
			return p.fail("invalid number")
		}
	}
	if zero && i == p.pos+1 && i < len(src) && src[i] >= '0' && src[i] <= '9' {
		return p.fail("invalid number, it starts with 0")
	}
	p.pos = i
	return nil
}
