package format

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What the requests to a summariser have in common in all wire families.

// body builds the object of a request member by member. Long pieces are put in
// their place at the end, when it is known how long the whole is: a request holds
// a history of megabytes, and a buffer that grows would copy it four times.
type body struct {
	buf    []byte   // written since the last long piece
	before [][]byte // what stands before buf
	open   bool     // the last thing written waits for no comma
}

// longPiece is from how many bytes on a piece is not copied at once.
const longPiece = 128

func (b *body) piece(v []byte) {
	if len(v) < longPiece {
		b.buf = append(b.buf, v...)
		return
	}
	if len(b.before) == cap(b.before) {
		b.before = slices.Grow(b.before, 16+len(b.before))
	}
	b.before = append(b.before, b.buf, v)
	if b.buf = b.buf[len(b.buf):]; cap(b.buf) < longPiece {
		b.buf = make([]byte, 0, 8*longPiece)
	}
}

// expect makes room for n long pieces.
func (b *body) expect(n int) { b.before = slices.Grow(b.before, 2*n+2) }

func newBody() *body { return &body{buf: []byte{'{'}, open: true} }

func (b *body) key(name string) {
	if !b.open {
		b.buf = append(b.buf, ',')
	}
	b.open = false
	b.buf = append(rawjson.AppendQuote(b.buf, name), ':')
}

// raw writes a member whose value is JSON; nil is left out.
func (b *body) raw(name string, v []byte) {
	if v != nil {
		b.key(name)
		b.piece(v)
	}
}

// str writes a member that is a string; "" is left out.
func (b *body) str(name, v string) {
	if v != "" {
		b.key(name)
		b.buf = rawjson.AppendQuote(b.buf, v)
	}
}

// num writes a member that is a number; what is not positive is left out.
func (b *body) num(name string, n int) {
	if n > 0 {
		b.key(name)
		b.buf = strconv.AppendInt(b.buf, int64(n), 10)
	}
}

// array starts a member that is a list; element starts each element.
func (b *body) array(name string) {
	b.key(name)
	b.buf, b.open = append(b.buf, '['), true
}

func (b *body) element(v []byte) {
	if !b.open {
		b.buf = append(b.buf, ',')
	}
	b.open = false
	b.piece(v)
}

func (b *body) endArray() { b.buf, b.open = append(b.buf, ']'), false }

func (b *body) end() []byte {
	b.buf = append(b.buf, '}')
	if b.before == nil {
		return b.buf
	}
	return bytes.Join(append(b.before, b.buf), nil)
}

// pairs is which calls and results of a request's items belong together, as
// transcript.Pair finds it for a whole transcript.
type pairs struct {
	answered map[transcript.Ref]bool           // calls that have a result
	called   map[transcript.Ref]bool           // results that have an earlier call
	behind   map[int][]int                     // the items that answer an item's calls, in order
	result   map[transcript.Ref]transcript.Ref // the last result of a call
}

func pair(t *transcript.Transcript, items []int) pairs {
	n := 0
	for _, i := range items {
		for j := range t.Items[i].Parts {
			if t.Items[i].Parts[j].Kind == transcript.Call {
				n++
			}
		}
	}
	p := pairs{
		make(map[transcript.Ref]bool, n), make(map[transcript.Ref]bool, n),
		make(map[int][]int, n), make(map[transcript.Ref]transcript.Ref, n),
	}
	transcript.Match(t, items, func(result, call transcript.Ref, ok bool) {
		if !ok {
			return
		}
		p.answered[call], p.called[result], p.result[call] = true, true, result
		known := p.behind[call.Item]
		if len(known) == 0 || known[len(known)-1] != result.Item {
			p.behind[call.Item] = append(known, result.Item)
		}
	})
	return p
}
