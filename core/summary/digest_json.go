package summary

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonNode is one value of a tool's arguments or of a result's envelope. The
// keys of an object keep their order: a digest is the same on every run.
type jsonNode struct {
	key  string
	kind byte // 's' string, 'o' object, 'a' array, 'v' any other value
	raw  string
	kids []jsonNode
}

// jsonDepth is how deep a value is looked into; below it everything is one 'v'.
const jsonDepth = 6

// parseJSON reads text as one JSON value. false: it is none (then it is
// ordinary text). It is lenient inside of what it steps over. Cost: one pass.
func parseJSON(text string) (jsonNode, bool) {
	p := jsonParser{src: text}
	p.space()
	if p.i >= len(text) || text[p.i] != '{' && text[p.i] != '[' && text[p.i] != '"' {
		return jsonNode{}, false
	}
	n, ok := p.value(jsonDepth)
	p.space()
	return n, ok && p.i == len(text)
}

type jsonParser struct {
	src string
	i   int
}

func (p *jsonParser) space() {
	for p.i < len(p.src) {
		switch p.src[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

func (p *jsonParser) value(depth int) (jsonNode, bool) {
	p.space()
	if p.i >= len(p.src) {
		return jsonNode{}, false
	}
	start := p.i
	n := jsonNode{kind: 'v'}
	var ok bool
	switch c := p.src[p.i]; {
	case c == '"':
		n.kind = 's'
		ok = p.skipString()
	case (c == '{' || c == '[') && depth == 0:
		ok = p.skipNested()
	case c == '{':
		n.kind = 'o'
		n.kids, ok = p.members('}', depth)
	case c == '[':
		n.kind = 'a'
		n.kids, ok = p.members(']', depth)
	default:
		for p.i < len(p.src) && !strings.ContainsRune(",]} \t\r\n", rune(p.src[p.i])) {
			p.i++
		}
		ok = p.i > start
	}
	n.raw = p.src[start:p.i]
	return n, ok
}

func (p *jsonParser) members(end byte, depth int) ([]jsonNode, bool) {
	var kids []jsonNode
	p.i++
	p.space()
	if p.i < len(p.src) && p.src[p.i] == end {
		p.i++
		return nil, true
	}
	for {
		key := ""
		if end == '}' {
			p.space()
			from := p.i
			if p.i >= len(p.src) || p.src[p.i] != '"' || !p.skipString() {
				return kids, false
			}
			key = unquote(p.src[from:p.i])
			p.space()
			if p.i >= len(p.src) || p.src[p.i] != ':' {
				return kids, false
			}
			p.i++
		}
		n, ok := p.value(depth - 1)
		if !ok {
			return kids, false
		}
		n.key = key
		kids = append(kids, n)
		p.space()
		if p.i >= len(p.src) {
			return kids, false
		}
		c := p.src[p.i]
		p.i++
		if c == end {
			return kids, true
		}
		if c != ',' {
			return kids, false
		}
	}
}

// skipString steps over a string, from its opening quote on.
func (p *jsonParser) skipString() bool {
	for p.i++; p.i < len(p.src); p.i++ {
		switch p.src[p.i] {
		case '\\':
			p.i++
		case '"':
			p.i++
			return true
		}
	}
	p.i = len(p.src)
	return false
}

// skipNested steps over an object or array that is too deep to look into.
func (p *jsonParser) skipNested() bool {
	depth := 0
	for p.i < len(p.src) {
		switch p.src[p.i] {
		case '"':
			if !p.skipString() {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		p.i++
		if depth == 0 {
			return true
		}
	}
	return false
}

// str is the text of a string, "" for any other value.
func (n *jsonNode) str() string {
	if n.kind != 's' {
		return ""
	}
	return unquote(n.raw)
}

// get is the member of that name, nil if there is none.
func (n *jsonNode) get(names ...string) *jsonNode {
	for _, name := range names {
		for i := range n.kids {
			if n.kind == 'o' && n.kids[i].key == name {
				return &n.kids[i]
			}
		}
	}
	return nil
}

// unquote decodes a JSON string with its quotes. A broken escape stays as it is
// written; a lone surrogate becomes U+FFFD.
func unquote(raw string) string {
	s := strings.TrimPrefix(raw, `"`)
	s = strings.TrimSuffix(s, `"`)
	next := strings.IndexByte(s, '\\')
	if next < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for next >= 0 {
		out = append(out, s[:next]...)
		s = s[next:]
		if len(s) < 2 {
			break
		}
		n := 2
		switch s[1] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case '"', '\\', '/':
			out = append(out, s[1])
		case 'u':
			var r rune
			if r, n = unicodeEscape(s); n > 0 {
				out = utf8.AppendRune(out, r)
				break
			}
			n = 2
			out = append(out, s[:2]...)
		default:
			out = append(out, s[:2]...)
		}
		s = s[n:]
		next = strings.IndexByte(s, '\\')
	}
	return string(append(out, s...))
}

// unicodeEscape reads \uXXXX, or a pair of them, at the start of s; n is 0
// where it is broken.
func unicodeEscape(s string) (r rune, n int) {
	r, ok := hex4(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(s[6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
