package format

import (
	"bytes"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

type rolloutCodec struct {
	list
	log      *log
	now      string // the caller's time, "" if it gave none
	windowID string // the caller's, "" if it gave none
	rewrite  bool   // write a copy
	origin   []int  // index of the line that holds an item, -1 if no line does
}

// splice appends to the log, or writes a copy that holds the history only.
func (c *rolloutCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	if !c.rewrite {
		return c.appended(src, t, entries)
	}
	return c.copied(src, t, entries)
}

// copied is a copy that holds the history only: the first session_meta line,
// the newest turn_context line, and one response_item line for each entry. A line that holds a kept item keeps its bytes, but for its ordinal:
// where lines have one, those of the copy count up without a gap from that of
// its first line (the CLI resumes no session whose lines have it in part). New
// lines have the time that the caller gave, else repeat that of the last line.
func (c *rolloutCodec) copied(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	w := c.lineWriter(src)
	lines := c.unwrapped()
	w.out = append(w.out, src[:c.from]...)
	for _, at := range []int{c.log.metaAt, c.log.ctxAt} {
		if at >= 0 {
			w.kept(src, &lines[at], nil)
		}
	}
	for _, e := range entries {
		if e.From >= 0 && c.origin[e.From] >= 0 {
			var payload []byte
			if e.New != nil {
				payload = e.New.Raw
			}
			w.kept(src, &lines[c.origin[e.From]], payload)
			continue
		}
		w.item(bytesOf(t, e))
	}
	if end := c.lines[len(c.lines)-1].end; len(lineEnding(src, end)) == 0 {
		w.out = bytes.TrimSuffix(w.out, w.ending)
	}
	return c.wrap(src, w.out)
}

func (c *rolloutCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	var instructions []byte
	if t.System != "" {
		instructions = rawjson.AppendQuote(nil, t.System)
	}
	if r.Compactor != NoCompactor {
		return compactorBody(t, r, rawjson.Value{}, instructions, nil)
	}
	return responsesBody(t, r, instructions, nil)
}

// lineWriter is a writer of lines that end as those of the log do, with the
// caller's time or that of the last line.
func (c *rolloutCodec) lineWriter(src []byte) *lineWriter {
	w := &lineWriter{ending: newLine(src, c.lines), bare: c.log.bare}
	w.last(c.lines)
	if c.now != "" {
		w.timestamp = rawjson.AppendQuote(nil, c.now)
	}
	return w
}

// lineWriter writes the lines of a rollout.
type lineWriter struct {
	out       []byte
	ending    []byte
	timestamp []byte // of new lines, as JSON
	numbered  bool   // some line has an ordinal
	bare      bool   // items are lines themselves
	started   bool
	ordinal   int // the next
}

// last looks for the time that new lines repeat, and for ordinals.
func (w *lineWriter) last(lines []line) {
	for i := range lines {
		v := lines[i].value
		if at := v.Get("timestamp"); at.Is(rawjson.String) {
			w.timestamp = at.Raw()
		}
		if _, ok := v.Get("ordinal").Int(); ok {
			w.numbered = true
		}
	}
}

func (w *lineWriter) line(b []byte) {
	w.out = append(append(w.out, b...), w.ending...)
}

// next is the ordinal of the next line.
func (w *lineWriter) next() int {
	w.started = true
	w.ordinal++
	return w.ordinal - 1
}

// kept writes a line of the source with its bytes, but for its ordinal and,
// where that is not nil, its payload.
func (w *lineWriter) kept(src []byte, l *line, payload []byte) {
	var changes []change
	put := func(v value, bytes []byte) {
		changes = append(changes, change{v.from() - l.start, v.to() - l.start, bytes})
	}
	if own := l.value.get("ordinal"); own.Exists() && w.numbered {
		if n, ok := own.Int(); ok && !w.started {
			w.ordinal = n
		}
		put(own, strconv.AppendInt(nil, int64(w.next()), 10))
	}
	if payload != nil {
		p := l.value.get("payload")
		if !p.Exists() { // an old line is the item itself
			p = l.value
		}
		put(p, payload)
	}
	w.line(patch(src[l.start:l.end], changes))
}

// item writes a new response_item line.
func (w *lineWriter) item(raw []byte) {
	if w.bare {
		w.line(raw)
		return
	}
	w.fresh("response_item", raw)
}

// fresh writes a new line.
func (w *lineWriter) fresh(kind string, payload []byte) {
	b := newBody()
	b.raw("timestamp", w.timestamp)
	if w.numbered {
		b.raw("ordinal", strconv.AppendInt(nil, int64(w.next()), 10))
	}
	b.str("type", kind)
	b.raw("payload", payload)
	w.line(b.end())
}

func (c *rolloutCodec) api() string { return "openai-responses" }
