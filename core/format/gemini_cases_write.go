package format

import (
	"bytes"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// caseCodec writes invocations from the items that stay. Requests about them are
// Chat Completions: no API takes an invocation.
type caseCodec struct {
	converted
	list
	slots []slot // of each item
	snake bool   // the names of new members are those of Python
}

// invocationOf is an invocation of the output.
type invocationOf struct {
	elem  int             // of the source, -1: none
	bytes map[slot][]byte // by the slots that stand
	last  slot
}

func (c *caseCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	var all []*invocationOf
	for _, e := range entries {
		at := slot{elem: -1, kind: asked}
		switch {
		case e.From >= 0:
			at = c.slots[e.From]
		case e.New.Role == transcript.Assistant:
			at.kind = answered
		}
		if n := len(all); n == 0 || !all[n-1].takes(at) {
			all = append(all, &invocationOf{elem: -1, bytes: map[slot][]byte{}})
		}
		now := all[len(all)-1]
		if at.elem >= 0 {
			now.elem = at.elem
		}
		now.bytes[at], now.last = bytesOf(t, e), at
	}
	holds := map[int]bool{} // elements with items
	for _, at := range c.slots {
		holds[at.elem] = true
	}
	var elems []value
	for _, e := range c.elems {
		elems = append(elems, e)
	}
	var pieces []piece
	notes := func(from int) { // elements without items stay behind the one before
		for ; from < len(elems) && !holds[from]; from++ {
			if elems[from].Exists() {
				pieces = append(pieces, piece{from, elems[from].Raw()})
			}
		}
	}
	notes(0)
	for n, now := range all {
		if now.elem < 0 {
			pieces = append(pieces, piece{-1, c.fresh(now)})
			continue
		}
		pieces = append(pieces, piece{now.elem, c.rebuilt(elems[now.elem], now)})
		if n+1 == len(all) || all[n+1].elem != now.elem {
			notes(now.elem + 1)
		}
	}
	if c.lines != nil {
		return c.spliceLines(src, pieces)
	}
	return c.spliceArray(src, pieces)
}

// takes reports whether an item can stand in the invocation, behind what it has:
// one of the same invocation, or of the first that follows what is new.
func (v *invocationOf) takes(at slot) bool {
	if at.kind == asked || at.elem >= 0 && v.elem >= 0 && at.elem != v.elem {
		return false
	}
	return at.kind > v.last.kind || at.kind == stepped && v.last.kind == stepped && at.at > v.last.at
}

// fresh is an invocation that is in no part of the source.
func (c *caseCodec) fresh(now *invocationOf) []byte {
	b := newBody()
	for at, raw := range now.bytes { // one, or the user's and the answer
		if at.kind == asked {
			b.raw(c.name(asked), raw)
		}
	}
	for at, raw := range now.bytes {
		if at.kind == answered {
			b.raw(c.name(answered), raw)
		}
	}
	return b.end()
}

func (c *caseCodec) name(k slotKind) string {
	camel, snake := slotNames(k)
	if c.snake {
		return snake
	}
	return camel
}

// rebuilt is an invocation of the source with what of it stays and what is new in
// it; all else keeps its bytes.
func (c *caseCodec) rebuilt(e value, now *invocationOf) []byte {
	base := e.Start()
	raw := e.Raw()
	var changes []change
	var gone []int
	set := func(v rawjson.Value, b []byte) {
		switch {
		case b == nil:
			gone = append(gone, v.Start()-base)
		case !bytes.Equal(v.Raw(), b):
			changes = append(changes, change{v.Start() - base, v.End() - base, b})
		}
	}
	var added [][2][]byte
	for _, k := range []slotKind{asked, answered} {
		var b []byte
		for at, bytes := range now.bytes {
			if at.kind == k {
				b = bytes
			}
		}
		switch v := inSlot(e.Value, k); {
		case v.Exists():
			set(v, b)
		case b != nil:
			added = append(added, [2][]byte{[]byte(c.name(k)), b})
		}
	}
	for n, v := range steps(e.Value) {
		set(v, now.bytes[slot{elem: now.elem, kind: stepped, at: n, from: e.base + v.Start()}])
	}
	if len(changes)+len(gone)+len(added) == 0 {
		return raw
	}
	own, err := rawjson.Parse(raw)
	if err != nil {
		return raw
	}
	if len(gone) > 0 {
		cuts, ok := removals(own, gone)
		if !ok {
			return raw
		}
		changes = append(changes, cuts...)
	}
	raw = patch(raw, changes)
	for _, m := range added {
		v, err := rawjson.Parse(raw)
		if err != nil {
			return raw
		}
		raw = setMember(raw, v, string(m[0]), m[1])
	}
	return raw
}
