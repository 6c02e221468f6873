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

// splice writes the entries in the place of the list. Everything else of the
// source stays.
func (l *list) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	if l.lines != nil {
		return l.spliceLines(src, t, entries)
	}
	return l.spliceArray(src, t, entries)
}

// spliceArray keeps the white space around each element that stays. What comes
// to stand first or last takes the array's own edges, what is new the white
// space of the second element, so that a pretty-printed list stays one.
func (l *list) spliceArray(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	open, end := l.array.from()+1, l.array.to()-1
	lead, trail := l.gaps(src, open, end)
	n := len(lead)
	size := len(src)
	for _, e := range entries {
		size += len(bytesOf(t, e)) + 1
	}
	out := make([]byte, 0, size)
	out = append(out, src[:open]...)
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
	for i, e := range entries {
		switch {
		case i == 0:
			out = append(out, head...)
		case e.From > 0:
			out = append(out, lead[e.From]...)
		default:
			out = append(out, between...)
		}
		out = append(out, bytesOf(t, e)...)
		switch {
		case i == len(entries)-1:
			out = append(out, tail...)
		case e.From >= 0 && e.From < n-1:
			out = append(append(out, trail[e.From]...), ',')
		default:
			out = append(append(out, before...), ',')
		}
	}
	if len(entries) == 0 && n == 0 {
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
func (l *list) spliceLines(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	ending := lineEnding(src, l.lines[0].end)
	if len(ending) == 0 {
		ending = []byte{'\n'}
	}
	last := &l.lines[len(l.lines)-1]
	closed := lineEnding(src, last.end)
	out := make([]byte, 0, len(src))
	out = append(out, src[:bomLen(src)]...)
	for i, e := range entries {
		raw, end := bytesOf(t, e), ending
		if e.From >= 0 {
			line := &l.lines[e.From]
			before := bomLen(src)
			if e.From > 0 {
				before = l.lines[e.From-1].end
				before += len(lineEnding(src, before))
			}
			out = append(out, src[before:line.start]...)
			out = append(out, src[line.start:line.value.from()]...)
			out = append(out, raw...)
			out = append(out, src[line.value.to():line.end]...)
			if own := lineEnding(src, line.end); len(own) > 0 {
				end = own
			}
		} else {
			out = append(out, raw...)
		}
		if i < len(entries)-1 || len(closed) > 0 {
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

// decodeList reads the items of a list, each with its own bytes.
func (s *sample) decodeList(read reader) ([]transcript.Item, error) {
	items := make([]transcript.Item, 0, s.list.len())
	for i, e := range s.list.elems {
		if !e.Exists() {
			return nil, s.src.badLine(&s.list.lines[i])
		}
		it, f := read(e.Value)
		path := s.list.place(i)
		if f != nil {
			return nil, s.src.invalid(path, e.base, f)
		}
		it.Raw, it.Path = e.Raw(), path
		items = append(items, it)
	}
	return items, nil
}

func (l *list) len() int {
	if l.lines != nil {
		return len(l.lines)
	}
	return l.array.Len()
}
