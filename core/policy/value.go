package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// maxInteger is the largest integer that every JSON reader gives back exactly
// (JavaScript's Number.MAX_SAFE_INTEGER, 2^53-1), and that an int can hold.
const maxInteger = min(1<<53-1, math.MaxInt)

// value is one JSON value of a policy with its place. Its readers report what
// is wrong and leave their target as it was. The standard decoder into structs
// is not used: it matches names without case, lets the last of two equal names
// win, takes null for anything, and stops at the first problem.
type value struct {
	raw []byte // valid JSON without blanks around it
	at  int    // byte offset in the policy
	// path is the place in the request: policy.lait.trigger_rounds
	path string
	to   *report
}

func (v value) null() bool { return v.raw[0] == 'n' }

// wrong reports what stands here and what is wanted.
func (v value) wrong(want string) {
	v.to.add(v.at, v.path, "is "+v.describe()+", must be "+want)
}

// describe says what stands here as JSON calls it, so that "6" and 6 differ.
func (v value) describe() string {
	switch v.raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		s, ok := v.decoded()
		if !ok {
			return "a string"
		}
		return "the string " + strconv.Quote(transcript.Clip(s))
	}
	return transcript.Clip(string(v.raw)) // number, true, false, null
}

func (v value) decoded() (string, bool) {
	var s string
	err := json.Unmarshal(v.raw, &s)
	return s, err == nil
}

// integer reads an integer of at least low. 6.0 and 6e0 are refused: lait's
// own loader takes no float for an integer, and one rule for all fields is
// easier to know than a rule for each.
func (v value) integer(low int, to *int) {
	want := fmt.Sprintf("an integer of at least %d", low)
	if !v.number() {
		v.wrong(want)
		return
	}
	if bytes.ContainsAny(v.raw, ".eE") {
		v.wrong(want + ", written without point and exponent")
		return
	}
	n, err := strconv.ParseInt(string(v.raw), 10, 64)
	switch {
	case v.raw[0] == '-', err == nil && n < int64(low): // also -0, and negative ones below int64
		v.wrong(want)
	case err != nil, n > maxInteger: // err: above int64
		v.wrong(fmt.Sprintf("an integer of at most %d", maxInteger))
	default:
		*to = int(n)
	}
}

func (v value) number() bool {
	return v.raw[0] == '-' || '0' <= v.raw[0] && v.raw[0] <= '9'
}

// share reads a part of a whole. 0 would always be reached and stands for "not
// set" in a Rule; more than 1 would never be.
func (v value) share(to *float64) {
	if v.number() {
		f, err := strconv.ParseFloat(string(v.raw), 64)
		if err == nil && f > 0 && f <= 1 {
			*to = f
			return
		}
	}
	v.wrong("a number above 0 and at most 1")
}

func (v value) boolean(to *bool) {
	switch v.raw[0] {
	case 't':
		*to = true
	case 'f':
		*to = false
	default:
		v.wrong("true or false")
	}
}

// text reads a string as it stands.
func (v value) text(to *string) {
	v.stringLike("a string", to, func(string) bool { return true })
}

// named reads a string that holds more than blanks.
func (v value) named(want string, to *string) {
	v.stringLike(want, to, func(s string) bool { return strings.TrimSpace(s) != "" })
}

// trimmed reads a text whose edges carry no meaning: a prompt or a prefix of
// blanks alone is none, which is the default.
func (v value) trimmed(to *string) {
	var s string
	v.text(&s)
	if v.raw[0] == '"' {
		*to = strings.TrimSpace(s)
	}
}

func (v value) stringLike(want string, to *string, legal func(string) bool) {
	if v.raw[0] == '"' {
		if s, ok := v.decoded(); ok && legal(s) {
			*to = s
			return
		}
	}
	v.wrong(want)
}

// choice reads one of the words of legal.
func (v value) choice(legal string, to *string) {
	words := strings.Fields(legal)
	if v.raw[0] == '"' {
		s, ok := v.decoded()
		for _, w := range words {
			if ok && s == w {
				*to = w
				return
			}
		}
	}
	for i := range words {
		words[i] = strconv.Quote(words[i])
	}
	v.wrong(series(words, "or"))
}

// list reads at most limit elements; want says what they are.
func (v value) list(want string, limit int) ([]value, bool) {
	if v.raw[0] != '[' {
		v.wrong(want)
		return nil, false
	}
	var out []value
	n := 0
	err := v.each(func(_ string, raw []byte, at int) {
		if n < limit {
			out = append(out, value{raw, at, fmt.Sprintf("%s[%d]", v.path, n), v.to})
		}
		n++
	})
	switch {
	case err != nil:
		v.to.add(v.at, v.path, "cannot be read: "+err.Error())
	case n > limit:
		v.to.add(v.at, v.path, fmt.Sprintf("holds %d elements, may hold at most %d", n, limit))
	default:
		return out, true
	}
	return nil, false
}

// each calls visit for every member of an object or element of a list (its
// name is then ""), with its bytes and their offset in the policy. One level
// is read at a time and a policy has four, so all of it is linear.
func (v value) each(visit func(name string, raw []byte, at int)) error {
	dec := json.NewDecoder(bytes.NewReader(v.raw))
	if _, err := dec.Token(); err != nil {
		return err
	}
	var raw json.RawMessage // reused: only its length is wanted
	for dec.More() {
		name := ""
		if v.raw[0] == '{' {
			tok, err := dec.Token()
			if err != nil {
				return err
			}
			name, _ = tok.(string) // the grammar has nothing else here
		}
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		end := int(dec.InputOffset())
		start := end - len(raw)
		visit(name, v.raw[start:end], v.at+start)
	}
	return nil
}
