package format

import (
	"bytes"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

type rolloutCodec struct {
	list
	log    *log
	origin []int // index of the line that holds an item, -1 if no line does
}

// splice writes a copy that holds the history only: the first session_meta
// line, the newest turn_context line, and one response_item line for each
// entry. A line that holds a kept item keeps its bytes; new lines repeat the
// time of the last line, and count on from its ordinal where lines have one
// (the CLI resumes no session whose lines have it in part).
func (c *rolloutCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	ending := lineEnding(src, c.lines[0].end)
	if len(ending) == 0 {
		ending = []byte{'\n'}
	}
	w := lineWriter{out: append([]byte(nil), src[:bomLen(src)]...), ending: ending}
	w.last(c.lines)
	for _, at := range []int{c.log.metaAt, c.log.ctxAt} {
		if at >= 0 {
			w.line(src[c.lines[at].start:c.lines[at].end])
		}
	}
	for _, e := range entries {
		if e.From >= 0 && c.origin[e.From] >= 0 {
			l := &c.lines[c.origin[e.From]]
			if e.New == nil {
				w.line(src[l.start:l.end])
				continue
			}
			payload := l.value.get("payload")
			line := append([]byte(nil), src[l.start:payload.from()]...)
			line = append(line, e.New.Raw...)
			w.line(append(line, src[payload.to():l.end]...))
			continue
		}
		w.item(bytesOf(t, e))
	}
	if end := c.lines[len(c.lines)-1].end; len(lineEnding(src, end)) == 0 {
		w.out = bytes.TrimSuffix(w.out, ending)
	}
	return w.out
}

func (c *rolloutCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	var instructions []byte
	if t.System != "" {
		instructions = rawjson.AppendQuote(nil, t.System)
	}
	return responsesBody(t, r, instructions, nil)
}

// lineWriter writes the lines of a rollout.
type lineWriter struct {
	out       []byte
	ending    []byte
	timestamp []byte // of the last line that has one, as JSON
	ordinal   int    // the highest
	numbered  bool   // some line has an ordinal
}

// last looks for the time and the number that new lines go on from.
func (w *lineWriter) last(lines []line) {
	for i := range lines {
		v := lines[i].value
		if at := v.Get("timestamp"); at.Is(rawjson.String) {
			w.timestamp = at.Raw()
		}
		if n, ok := v.Get("ordinal").Int(); ok {
			w.ordinal, w.numbered = max(w.ordinal, n), true
		}
	}
}

func (w *lineWriter) line(b []byte) {
	w.out = append(append(w.out, b...), w.ending...)
}

// item writes a new response_item line.
func (w *lineWriter) item(raw []byte) {
	b := newBody()
	b.raw("timestamp", w.timestamp)
	if w.numbered {
		w.ordinal++
		b.num("ordinal", w.ordinal)
	}
	b.str("type", "response_item")
	b.raw("payload", raw)
	w.line(b.end())
}
