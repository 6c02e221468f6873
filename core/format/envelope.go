package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// Some loggers put each message into an object of their own: {"log_type": ..,
// "data": {..}} on each line. The message is read in its place, and what the
// logger says around it stays.

// enveloped are the lines with the message that each holds below data as the
// value, and those that broke; nil where no line holds one. Lines with other data
// are the logger's: they stay before the message behind them, as blank lines do.
func (s *source) enveloped() []line {
	said := false
	var out []line
	for _, l := range s.lines {
		switch data := l.value.get("data"); {
		case !l.value.Exists():
			out = append(out, l)
		case data.Get("role").Is(rawjson.String):
			said = true
			l.value = data
			out = append(out, l)
		case data.Get("type").Is(rawjson.String): // an item that has no role: a call, its output
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
