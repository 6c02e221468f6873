// Package source knows places in the text of a transcript: a value by its path,
// a character by line and column, an offset as a text box counts. What an item
// is, the engine alone decides.
package source

import (
	"bytes"
	"encoding/json"
)

// Place is a stretch of a text in bytes.
type Place struct{ Start, End int }

// maxNested is how deep brackets may nest in a text that is sent as a value.
// The engine reads 1,000 levels of a body: one is the request's own object, and
// a scalar within the innermost bracket is one more. encoding/json reads 10,000.
const maxNested = 999

// One reports whether src holds exactly one JSON array or object, with nothing
// behind it, that the engine reads within a request: such a text is sent as the
// JSON value that it is. All else is sent as a string, where an error's line
// and column are those of the text and not of the request around it.
func One(src []byte) bool {
	at := skipSpace(src, 0)
	if at == len(src) || src[at] != '[' && src[at] != '{' {
		return false
	}
	return json.Valid(src) && nested(src) <= maxNested
}

// nested is how deep the brackets of a valid JSON text nest.
func nested(src []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// value is one JSON value of a text and where it begins.
type value struct {
	raw   []byte
	start int
}

// elements lists the values of the array that begins at offset at.
func elements(src []byte, at int) []value {
	dec := json.NewDecoder(bytes.NewReader(src[at:]))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return nil
	}
	list := []value{}
	for dec.More() {
		r, err := next(dec, src, at)
		if err != nil {
			return nil
		}
		list = append(list, r)
	}
	return list
}

// field is the value of key in the object that begins at offset at. Of two
// equal keys the last counts, as in encoding/json.
func field(src []byte, at int, key string) (value, bool) {
	dec := json.NewDecoder(bytes.NewReader(src[at:]))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return value{}, false
	}
	var found value
	ok := false
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return value{}, false
		}
		r, err := next(dec, src, at)
		if err != nil {
			return value{}, false
		}
		if name == key {
			found, ok = r, true
		}
	}
	return found, ok
}

// next decodes one value and says where in src it stands.
func next(dec *json.Decoder, src []byte, at int) (value, error) {
	var skip json.RawMessage
	if err := dec.Decode(&skip); err != nil {
		return value{}, err
	}
	end := at + int(dec.InputOffset())
	start := end - len(skip)
	return value{src[start:end:end], start}, nil
}

func skipSpace(src []byte, at int) int {
	for at < len(src) && (src[at] == ' ' || src[at] == '\t' || src[at] == '\r' || src[at] == '\n') {
		at++
	}
	return at
}
