package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What the requests to a summariser have in common in all wire families.

// body builds the object of a request member by member.
type body struct {
	buf  []byte
	open bool // the last thing written waits for no comma
}

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
		b.buf = append(b.buf, v...)
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
	b.buf = append(b.buf, v...)
}

func (b *body) endArray() { b.buf, b.open = append(b.buf, ']'), false }

func (b *body) end() []byte { return append(b.buf, '}') }

// pairs is which calls and results of a request's items belong together: by
// id, in order, as transcript.Pair finds it for a whole transcript. Parts
// without an id pair in order too.
type pairs struct {
	answered map[transcript.Ref]bool // calls that have a result
	called   map[transcript.Ref]bool // results that have an earlier call
	behind   map[int][]int           // the items that answer an item's calls, in order
}

func pair(t *transcript.Transcript, items []int) pairs {
	p := pairs{map[transcript.Ref]bool{}, map[transcript.Ref]bool{}, map[int][]int{}}
	waiting := map[string][]transcript.Ref{}
	for _, i := range items {
		for j, part := range t.Items[i].Parts {
			at := transcript.Ref{Item: i, Part: j}
			switch part.Kind {
			case transcript.Call:
				waiting[part.ID] = append(waiting[part.ID], at)
			case transcript.Result:
				calls := waiting[part.ID]
				if len(calls) == 0 {
					continue
				}
				waiting[part.ID] = calls[1:]
				p.answered[calls[0]], p.called[at] = true, true
				known := p.behind[calls[0].Item]
				if len(known) == 0 || known[len(known)-1] != i {
					p.behind[calls[0].Item] = append(known, i)
				}
			default:
			}
		}
	}
	return p
}

// unanswered is what the result of a call says that has none among the items
// that the summariser sees.
const unanswered = "(This call was not answered: no result of it is known.)"
