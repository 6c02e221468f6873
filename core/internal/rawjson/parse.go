// Package rawjson reads JSON without copying it: a parsed Value knows the place
// of its bytes in the source, so that what is kept can be written back byte for
// byte. encoding/json can not say where a value stands, and re-marshalling
// loses spacing, key order, number forms and escapes.
//
// Parsing is one pass over the source. It keeps 16 bytes for each value beside
// it, and 16 more for each object.
package rawjson

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
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

// MaxValues is how many values a source may hold, each object counted twice. A
// transcript of 5 MB has 50,000; at the limit the places of the values take
// 160 MB, which without it would be eight times the bytes of "[1,1,1,".
const MaxValues = 10_000_000

// node is one value. The nodes stand in the order of the source, so that the
// first child of a value is the node behind it, and what is not its child starts
// at next. An object's own node has a second one behind it: see info.
type node struct {
	start, end int32
	key        int32 // place of the quoted key where it is a member, else 0
	next       int32 // index behind the last node of the value
}

// info is what an object's second node holds: a bit for the keys that it may
// have, how many members there are, and whether a key is written with escapes.
func (n *node) info() (keys uint64, members int, escaped bool) {
	return uint64(uint32(n.start)) | uint64(uint32(n.end))<<32, int(n.key), n.next != 0
}

// keyBit is the bit of a key. Most keys that somebody asks for are not there,
// and then this is all that the question costs: there are twenty formats that
// each ask every item for some.
func keyBit[T string | []byte](key T) uint64 {
	n := len(key)
	if n == 0 {
		return 1
	}
	return 1 << ((uint(key[0]) + uint(key[n-1])<<2 + uint(key[n/2])<<3 + uint(n)) & 63)
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
	// Limit says that the source may well be JSON, and is more than is read.
	Limit bool
}

func (e *SyntaxError) Error() string { return e.Msg }

// Parse reads one JSON value with only white space around it. The Value keeps
// src, which must not be changed while it is in use.
func Parse(src []byte) (Value, error) {
	// Little at first: of JSON Lines this reads one line and stops. See grow.
	return parse(src, make([]node, 0, 8+len(src)/1024), MaxValues)
}

// Parser reads the parts of a source, one after the other: the room that it reads
// them in is used again, each Value has just what it needs, and all of them may
// hold MaxValues together. The zero Parser is ready.
type Parser struct {
	room   []node
	values int // so far
}

// Parse is the function of that name.
func (p *Parser) Parse(src []byte) (Value, error) {
	v, err := parse(src, p.room[:0], MaxValues-p.values)
	if err == nil {
		p.room = v.d.nodes
		p.values += len(v.d.nodes)
		v.d.nodes = slices.Clone(v.d.nodes)
	}
	return v, err
}

func parse(src []byte, room []node, most int) (Value, error) {
	if len(src) > math.MaxInt32 {
		return Value{}, &SyntaxError{0, fmt.Sprintf("is %d bytes, the limit is %d", len(src), math.MaxInt32), true}
	}
	p := parser{doc: doc{src: src, nodes: room}, most: most}
	p.space()
	if p.pos == len(src) {
		return Value{}, p.fail("is empty, a JSON value is wanted")
	}
	if err := p.value(); err != nil {
		return Value{}, err
	}
	p.space()
	if p.pos < len(src) {
		return Value{}, p.fail("unexpected " + p.seen() + " after the JSON value")
	}
	d := p.doc
	return Value{d: &d}, nil
}

// parser is one run over a source.
type parser struct {
	doc
	pos  int
	most int // nodes
}

func (p *parser) fail(msg string) error { return &SyntaxError{p.pos, msg, false} }

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

// grow makes room for more nodes: as many as the rest of the source will need if
// it is like what was read, so that little is allocated for nothing, but no more
// than twice as many or half of the source's bytes.
func (p *parser) grow() {
	have := len(p.nodes)
	want := int(1.02*float64(have)*float64(len(p.src))/float64(p.pos+1)) + 8
	want = min(max(want, have+have/2), max(2*have, len(p.src)/32)+8)
	room := make([]node, have, want)
	copy(room, p.nodes)
	p.nodes = room
}

// push begins a node for the value at the position.
func (p *parser) push(key, next int32) (int32, error) {
	if len(p.nodes) >= p.most {
		return 0, &SyntaxError{p.pos, fmt.Sprintf("holds more than %d values", MaxValues), true}
	}
	if len(p.nodes) == cap(p.nodes) {
		p.grow()
	}
	id := int32(len(p.nodes))
	p.nodes = append(p.nodes, node{start: int32(p.pos), key: key, next: next})
	return id, nil
}

// value reads the value at the position, and all that is in it. There is no
// recursion: an array or object that is not closed keeps the index of the one
// around it where the end of its nodes will stand.
func (p *parser) value() error {
	within, depth := int32(-1), 0 // the innermost array or object that is open
	key := int32(0)
	for {
		// A value is wanted.
		if depth > MaxDepth {
			return p.fail(fmt.Sprintf("nests deeper than %d", MaxDepth))
		}
		if p.pos >= len(p.src) {
			return p.fail("ends where a value is wanted")
		}
		id, err := p.push(key, within)
		if err != nil {
			return err
		}
		switch c := p.src[p.pos]; {
		case c == '"':
			err = p.string()
		case c == '{' || c == '[':
			p.pos++
			if c == '{' {
				if _, err = p.push(0, 0); err != nil {
					return err
				}
				p.nodes[id+1] = node{}
			}
			p.space()
			if p.pos < len(p.src) && p.src[p.pos] == c+2 { // '}' or ']'
				p.pos++
				break
			}
			within, depth = id, depth+1
			if c == '[' {
				key = 0
			} else if key, err = p.key(id); err != nil {
				return err
			}
			continue
		case c == '-' || c >= '0' && c <= '9':
			err = p.number()
		case c == 't':
			err = p.word("true")
		case c == 'f':
			err = p.word("false")
		case c == 'n':
			err = p.word("null")
		default:
			err = p.fail("unexpected " + p.seen() + ", a value is wanted")
		}
		if err != nil {
			return err
		}
		// A value ends, and with it perhaps what is around it.
		for {
			n := &p.nodes[id]
			n.end, n.next = int32(p.pos), int32(len(p.nodes))
			if within < 0 {
				return nil
			}
			closing := p.src[p.nodes[within].start] + 2
			more, err := p.separator(closing)
			if err != nil {
				return err
			}
			if more {
				p.space()
				if closing == ']' {
					if p.pos < len(p.src) && p.src[p.pos] == ']' {
						return p.fail("unexpected ']' after ',': a comma before the end of an array is not JSON")
					}
					key = 0
				} else if key, err = p.key(within); err != nil {
					return err
				}
				break
			}
			id = within
			within = p.nodes[id].next
			depth--
		}
	}
}

// key reads a key of the object id and all up to its value, and gives its place.
func (p *parser) key(id int32) (int32, error) {
	if p.pos >= len(p.src) || p.src[p.pos] != '"' {
		if p.pos < len(p.src) && p.src[p.pos] == '}' {
			return 0, p.fail("unexpected '}' after ',': a comma before the end of an object is not JSON")
		}
		return 0, p.fail("unexpected " + p.seen() + ", a quoted key is wanted")
	}
	start := p.pos
	if err := p.string(); err != nil {
		return 0, err
	}
	info := &p.nodes[id+1]
	raw := p.src[start+1 : p.pos-1]
	set := keyBit(raw)
	info.start |= int32(uint32(set))
	info.end |= int32(uint32(set >> 32))
	info.key++
	if slices.Contains(raw, '\\') {
		info.next = 1
	}
	p.space()
	if p.pos >= len(p.src) || p.src[p.pos] != ':' {
		return 0, p.fail("unexpected " + p.seen() + ", ':' is wanted after a key")
	}
	p.pos++
	p.space()
	return int32(start), nil
}

func (p *parser) word(w string) error {
	if len(p.src)-p.pos < len(w) || string(p.src[p.pos:p.pos+len(w)]) != w {
		return p.fail("unexpected " + p.seen() + ", a value is wanted")
	}
	p.pos += len(w)
	return nil
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

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// load is the first eight bytes of s, the first one lowest.
func load(s []byte) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// special has a high bit for bytes of x that do not stand for themselves within
// a string: the lowest one is right, those above it may not be.
func special(x uint64) uint64 {
	quote, slash := x^'"'*ones, x^'\\'*ones
	return ((quote-ones)&^quote | (slash-ones)&^slash | (x-0x20*ones)&^x) & highs
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
		for len(src)-i >= 8 {
			if m := special(load(src[i:])); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
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
