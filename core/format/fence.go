package format

import (
	"bytes"
	"slices"
)

// Markdown's code fences: what is pasted in one, and what a text quotes.

// fenced is what stands in the Markdown fence that holds more than half of a
// source, nil where that is not the whole of it: somebody who speaks around a
// fence quotes what is in it, and JSON outside of all fences says that a fence is
// a line that broke.
func (s *source) fenced() *source {
	all := fences(s.raw[s.from:s.to])
	at := slices.IndexFunc(all, func(f span) bool { return 2*(f.to-f.from) >= s.to-s.from })
	if at < 0 {
		return nil
	}
	inner := *s
	inner.from, inner.to, inner.lines, inner.broken = s.from+all[at].from, s.from+all[at].to, nil, nil
	for i := range s.lines {
		l := &s.lines[i]
		n, _ := slices.BinarySearchFunc(all, l.start-s.from, func(f span, at int) int { return f.to - 1 - at })
		if l.value.Exists() && (n == len(all) || l.start-s.from < all[n].from) {
			return nil
		}
	}
	if len(findMarks(s.raw[s.from:s.to], false)) > 0 || inner.parse() != nil {
		return nil
	}
	return &inner
}

// fences are the places of the texts within the Markdown fences of src, none where
// the last one is not closed.
func fences(src []byte) []span {
	lines, open := fenceLines(src)
	if open {
		return nil
	}
	var all []span
	for i := 0; i < len(lines); i += 2 {
		all = append(all, span{lines[i] + bytes.IndexByte(src[lines[i]:], '\n') + 1, lines[i+1]})
	}
	return all
}

// fenceLines are the offsets of the lines that open and close code fences, by
// turns. One that is not closed is none of them: it would hide all that follows.
func fenceLines(text []byte) (all []int, open bool) {
	var mark []byte // the run that opened it, nil outside
	for at := 0; at < len(text); {
		next := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		switch run := fenceRun(text[at:next]); {
		case run == nil:
		case mark == nil:
			all, mark = append(all, at), run
		case bytes.HasPrefix(run, mark): // a run of the other kind, or a shorter one, closes nothing
			all, mark = append(all, at), nil
		}
		at = next
	}
	return all[:len(all)&^1], mark != nil
}

// fenceRun is the run of three or more backticks or tildes that a line begins
// with, nil for none.
func fenceRun(l []byte) []byte {
	l = bytes.TrimLeft(l, " ")
	if len(l) == 0 || l[0] != '`' && l[0] != '~' {
		return nil
	}
	n := len(l) - len(bytes.TrimLeft(l, string(l[0])))
	if n < 3 {
		return nil
	}
	return l[:n]
}
