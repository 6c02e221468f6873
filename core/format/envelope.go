package format

import (
	"bytes"
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// Some loggers put each message into an object of their own: {"log_type": ..,
// "data": {..}} on each line. The message is read in its place, and what the
// logger says around it stays.

// enveloped are the lines with the message that each holds below data as the
// value, and those that broke; nil where no line holds one. Lines with other data
// are the logger's: they stay before the message behind them, as blank lines do.
func (s *source) enveloped(lines []line) []line {
	said := false
	var out []line
	for _, l := range lines {
		data := l.value.get("data")
		role := data.Get("role")
		item := data.Is(rawjson.Object) && s.formats.isItem(data) && (role.Is(rawjson.String) || !role.Exists())
		switch {
		case !l.value.Exists():
			out = append(out, l)
		case item, data.Get("type").Is(rawjson.String): // what says no role is a call, its output, a line of a log
			said = said || item || recordLine(data)
			l.value = data
			out = append(out, l)
		default:
		}
	}
	if !said {
		return nil
	}
	return out
}

// recordLine reports whether a value is a line of an agent's log, which holds its
// message one step deeper.
func recordLine(v value) bool {
	return v.Get("payload").Is(rawjson.Object) || v.Get("message").Get("role").Is(rawjson.String)
}

// bare reports whether a line is itself an item, and none that a logger wrapped.
func (s *source) bare(v value) bool {
	switch {
	case v.Get("type").Is(rawjson.String), v.Get("role").Exists():
		return true
	default:
		return s.formats.isItem(v) && !s.formats.isItem(v.get("data"))
	}
}

// envelope is what a new line has around its item: that of the first line of the
// same role, else of the first. Nothing where items stand on lines of their own.
func (l *list) envelope(src, raw []byte) (before, after []byte) {
	if !l.wrapped {
		return nil, nil
	}
	item, err := rawjson.Parse(raw)
	if err != nil {
		return nil, nil
	}
	role := item.Get("role").Text()
	at := slices.IndexFunc(l.lines, func(l line) bool { return l.value.Exists() && l.value.Get("role").Text() == role })
	if at < 0 {
		at = slices.IndexFunc(l.lines, func(l line) bool { return l.value.Exists() })
	}
	like := &l.lines[at]
	return src[like.start:like.value.from()], src[like.value.to():like.end]
}

// wrap puts the envelope around each of the lines.
func (l *list) wrap(src, lines []byte) []byte {
	if !l.wrapped {
		return lines
	}
	out := make([]byte, 0, 2*len(lines))
	for line := range bytes.Lines(lines) {
		raw := bytes.TrimRight(line, "\r\n")
		before, after := l.envelope(src, raw)
		out = append(append(append(out, before...), raw...), after...)
		out = append(out, line[len(raw):]...)
	}
	return out
}

// unwrapped are the lines without their envelopes.
func (l *list) unwrapped() []line {
	if !l.wrapped {
		return l.lines
	}
	out := slices.Clone(l.lines)
	for i := range out {
		if v := out[i].value; v.Exists() {
			out[i].start, out[i].end = v.from(), v.to()
		}
	}
	return out
}
