package format

import (
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// quotedCodec writes what another codec makes of a string of JSON into its place.
type quotedCodec struct {
	codec
	inner    []byte
	from, to int // of the string, without its quotes
}

// splice puts what is new between what the string begins and ends with as before:
// that keeps its bytes, with the escapes that its writer chose.
func (c *quotedCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	inner := c.codec.splice(c.inner, t, entries)
	head, tail := 0, 0
	most := min(len(inner), len(c.inner))
	for head < most && inner[head] == c.inner[head] {
		head++
	}
	for tail < most-head && inner[len(inner)-1-tail] == c.inner[len(c.inner)-1-tail] {
		tail++
	}
	from, head := escapedPlace(src[c.from:c.to], c.inner, head, false)
	to, end := escapedPlace(src[c.from:c.to], c.inner, len(c.inner)-tail, true)
	fresh := rawjson.AppendQuote(nil, string(inner[head:len(inner)-(len(c.inner)-end)]))
	out := make([]byte, 0, len(src)-(to-from)+len(fresh))
	out = append(out, src[:c.from+from]...)
	out = append(out, fresh[1:len(fresh)-1]...)
	return append(out, src[c.from+to:]...)
}

// escapedPlace is where in the body of a string the byte of its text stands, and
// which byte that is: the first of a character, that at the place or the next one
// before it (after it).
func escapedPlace(body, text []byte, place int, after bool) (at, n int) {
	last, lastN := 0, 0
	for at < len(body) && n < place {
		last, lastN = at, n
		width, size := 1, 1 // in the text, in the body
		if body[at] == '\\' {
			if size = 2; body[at+1] == 'u' {
				_, width = utf8.DecodeRune(text[n:])
				if size = 6; width == 4 { // a pair
					size = 12
				}
			}
		} else if _, width = utf8.DecodeRune(text[n:]); width > 1 {
			size = width
		}
		at, n = at+size, n+width
	}
	if n > place && !after {
		return last, lastN
	}
	return at, n
}
