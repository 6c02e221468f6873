package format

import (
	"bytes"

	"github.com/tamp-dev/tamp/core/transcript"
)

// bytesOf are the bytes of an entry's item.
func bytesOf(t *transcript.Transcript, e transcript.Entry) []byte {
	if e.New != nil {
		return e.New.Raw
	}
	return t.Items[e.From].Raw
}

// piece is one element of the output: its index in the source, -1 for a new
// one, and its bytes.
type piece struct {
	elem int
	raw  []byte
}

// pieces are the elements that the entries come to. What stands in the list and
// is no item (a harness's notes) stays in its place as long as the item does
// that it belongs to: the one that owner names, else the one before it; what
// stands before the first item always stays.
func (l *list) pieces(t *transcript.Transcript, entries []transcript.Entry) []piece {
	raws := make([][]byte, 0, l.len())
	for _, e := range l.elems {
		raws = append(raws, e.Raw())
	}
	notes := l.notes(t, entries, raws)
	out := make([]piece, 0, len(entries)+len(notes))
	before := func(elem int) { // the notes that stand before an element
		for len(notes) > 0 && notes[0] < elem {
			out = append(out, piece{notes[0], raws[notes[0]]})
			notes = notes[1:]
		}
	}
	for i, e := range entries {
		if e.From < 0 {
			before(l.next(entries[i:], len(raws)))
			out = append(out, piece{-1, e.New.Raw})
			continue
		}
		at := l.at(e.From)
		before(at)
		out = append(out, piece{at, bytesOf(t, e)})
	}
	before(len(raws))
	return out
}

// at is the element of an item.
func (l *list) at(item int) int {
	if l.first == nil {
		return item
	}
	return l.first[item]
}

// next is the element of the first entry that has one, end where none has.
func (l *list) next(entries []transcript.Entry, end int) int {
	for _, e := range entries {
		if e.From >= 0 {
			return l.at(e.From)
		}
	}
	return end
}

// notes are the elements that are no items and stay, ascending. A broken line is
// none: it is kept aside.
func (l *list) notes(t *transcript.Transcript, entries []transcript.Entry, raws [][]byte) []int {
	if l.first == nil {
		return nil
	}
	stays := make([]bool, len(t.Items))
	for _, e := range entries {
		if e.From >= 0 {
			stays[e.From] = true
		}
	}
	var notes []int
	dead, deadStay := l.ignored.elems, l.ignored.stays(entries)
	item := -1
	for e, raw := range raws {
		if len(dead) > 0 && dead[0] == e {
			if dead = dead[1:]; deadStay {
				notes = append(notes, e)
			}
			continue
		}
		if item+1 < len(l.first) && l.first[item+1] == e {
			item++
			continue
		}
		owner := item
		if l.owner != nil && l.owner[e] >= 0 {
			owner = l.owner[e]
		}
		if raw != nil && (owner < 0 || stays[owner]) {
			notes = append(notes, e)
		}
	}
	return notes
}

// splice writes the entries in the place of the list. Everything else of the
// source stays.
func (l *list) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	pieces := l.pieces(t, entries)
	if l.lines != nil {
		return l.spliceLines(src, pieces)
	}
	return l.spliceArray(src, pieces)
}

// spliceArray keeps the white space around each element that stays. What comes
// to stand first or last takes the array's own edges, what is new the white
// space of the second element, so that a pretty-printed list stays one.
func (l *list) spliceArray(src []byte, pieces []piece) []byte {
	open, end := l.array.from()+1, l.array.to()-1
	lead, trail := l.gaps(src, open, end)
	n := len(lead)
	head, tail := src[open:end], []byte(nil)
	if n > 0 {
		head, tail = lead[0], trail[n-1]
	}
	between, before := []byte(nil), []byte(nil) // white space behind a comma, and before it
	switch {
	case n > 1:
		between, before = lead[1], trail[0]
	case bytes.IndexByte(head, '\n') >= 0:
		between = head
	}
	size := open + len(head) + len(tail) + len(src) - end
	for _, p := range pieces {
		size += len(p.raw) + 1
		if p.elem >= 0 {
			size += len(lead[p.elem]) + len(trail[p.elem])
		} else {
			size += len(between) + len(before)
		}
	}
	out := make([]byte, 0, size)
	out = append(out, src[:open]...)
	for i, p := range pieces {
		switch {
		case i == 0:
			out = append(out, head...)
		case p.elem > 0:
			out = append(out, lead[p.elem]...)
		default:
			out = append(out, between...)
		}
		out = append(out, p.raw...)
		switch {
		case i == len(pieces)-1:
			out = append(out, tail...)
		case p.elem >= 0 && p.elem < n-1:
			out = append(append(out, trail[p.elem]...), ',')
		default:
			out = append(append(out, before...), ',')
		}
	}
	if len(pieces) == 0 && n == 0 {
		out = append(out, head...)
	}
	return append(out, src[end:]...)
}

// gaps are the white space before each element (behind the comma) and behind it.
func (l *list) gaps(src []byte, open, end int) (lead, trail [][]byte) {
	at := open
	for _, e := range l.elems {
		if len(lead) > 0 {
			comma := at + bytes.IndexByte(src[at:e.from()], ',')
			trail = append(trail, src[at:comma])
			at = comma + 1
		}
		lead = append(lead, src[at:e.from()])
		at = e.to()
	}
	if len(lead) > 0 {
		trail = append(trail, src[at:end])
	}
	return lead, trail
}

// spliceLines keeps the bytes of the lines that stay, with the blank lines
// before them. New lines end as the first line does, and the end of the file is
// what it was: with a line ending or without one.
func (l *list) spliceLines(src []byte, pieces []piece) []byte {
	ending := lineEnding(src, l.lines[0].end)
	if len(ending) == 0 {
		ending = []byte{'\n'}
	}
	last := &l.lines[len(l.lines)-1]
	closed := lineEnding(src, last.end)
	size := len(src)
	for i := range l.lines { // less what goes, more what is new
		size -= l.lines[i].value.size()
	}
	for _, p := range pieces {
		size += len(p.raw) + len(ending)
	}
	out := make([]byte, 0, size)
	out = append(out, src[:l.from]...)
	for i, p := range pieces {
		end := ending
		if p.elem >= 0 {
			line := &l.lines[p.elem]
			before := l.from
			if p.elem > 0 {
				before = l.lines[p.elem-1].end
				before += len(lineEnding(src, before))
			}
			out = append(out, src[before:line.start]...)
			out = append(out, src[line.start:line.value.from()]...)
			out = append(out, p.raw...)
			out = append(out, src[line.value.to():line.end]...)
			if own := lineEnding(src, line.end); len(own) > 0 {
				end = own
			}
		} else {
			before, after := l.envelope(src, p.raw)
			out = append(append(append(out, before...), p.raw...), after...)
		}
		if i < len(pieces)-1 || len(closed) > 0 {
			out = append(out, end...)
		}
	}
	return append(out, src[last.end+len(closed):]...)
}

func bomLen(src []byte) int {
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return 0
}

// lineEnding is the line ending at an offset: "\n", "\r\n" (a line that ends in
// several carriage returns has all of them in it), "" at the end of the source.
func lineEnding(src []byte, at int) []byte {
	end := at
	for end < len(src) && src[end] == '\r' {
		end++
	}
	if end < len(src) && src[end] == '\n' {
		end++
	}
	return src[at:end]
}

// decodeList reads the items of a list, each with its own bytes. Broken lines
// are an error, but under Options.Repair.
func (s *sample) decodeList(read reader) ([]transcript.Item, error) {
	return s.decodeSome(read, nil)
}

// decodeSome is decodeList for lists that hold more than items: what noise
// names is none, and stays beside the item before it.
func (s *sample) decodeSome(read reader, noise func(value) bool) ([]transcript.Item, error) {
	n := s.list.len()
	items := make([]transcript.Item, 0, n)
	var first []int // of the elements the items', where some are none
	skipped := func() {
		if first == nil {
			first = make([]int, len(items), n)
			for i := range first {
				first[i] = i
			}
		}
	}
	for i, e := range s.list.elems {
		if !e.Exists() {
			if !s.repair {
				return nil, s.src.badLine(&s.list.lines[i])
			}
			skipped()
			continue
		}
		if noise != nil && noise(e) {
			skipped()
			continue
		}
		it, f := read(e.Value)
		path := s.list.place(i)
		if f != nil {
			return nil, s.src.invalid(path, e.base, f)
		}
		it.Raw, it.Path = e.Raw(), path
		items = append(items, it)
		if first != nil {
			first = append(first, i)
		}
	}
	if first != nil {
		s.list.first = first
	}
	return items, nil
}

func (l *list) len() int {
	if l.lines != nil {
		return len(l.lines)
	}
	return l.array.Len()
}
