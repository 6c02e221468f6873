package format

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// How a history stands in a session of pi: a compaction entry hides all before
// it but for what it names as its first kept entry, and what comes from there on.
// Its summary is sent first. So a tail of the history stays where it is, and
// everything else that stays is copied behind the compaction.
//
// A history that does not begin with a summary (tool results were cleared, the
// policy wants the summary last) stands behind a compaction, too, whose summary
// says that and nothing else. A branch of the tree could say it without, but for
// version 1, which has none; and pi goes by the usage of the newest answer,
// unless that is older than a compaction: it would take the context for full and
// compact again at once.

// piStands is the summary of a compaction that has none.
const piStands = "The messages below stand for it."

type piCodec struct {
	converted
	list
	log     *piLog
	at      []int  // the entry of each item
	now     string // the caller's time, "" if it gave none
	rewrite bool
}

// splice writes the session with the entries as its history: by new lines behind
// it, or as a copy that holds nothing else.
func (c *piCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	w := c.writer(src, t, entries)
	summary, rest := piStands, entries
	if c.summed(t, entries) {
		summary, rest = c.summaryOf(t, entries[0]), entries[1:]
	}
	if c.rewrite {
		w.head()
		w.compaction(summary, 0, rest)
		w.own(rest)
		return slices.Concat(src[:c.from], c.wrap(src, w.out), src[c.to:])
	}
	if n := len(c.log.path); n > 0 {
		w.parent = c.log.entries[c.log.path[n-1]].id
		w.way = slices.Clone(c.log.path)
	}
	kept := c.tail(t, rest)
	w.compaction(summary, kept, rest)
	w.copies(rest[kept:])
	return c.extended(src, w.ending, w.out)
}

// summed reports whether the entries begin with a summary that a compaction can
// say: a new message, or the summary of a compaction that stays.
func (c *piCodec) summed(t *transcript.Transcript, entries []transcript.Entry) bool {
	if len(entries) == 0 {
		return false
	}
	e := entries[0]
	return e.From < 0 || t.Items[e.From].Type == "compaction"
}

func (c *piCodec) summaryOf(t *transcript.Transcript, e transcript.Entry) string {
	if e.New != nil {
		return e.New.Text()
	}
	return t.Items[e.From].Text()
}

// tail is how many of the entries are the end of the history, as it is, and can
// be kept in their place: all that is on the way from the first of them on says
// just that.
func (c *piCodec) tail(t *transcript.Transcript, rest []transcript.Entry) int {
	n := 0
	for n < len(rest) && rest[n].From >= 0 && rest[n].New == nil && (n == 0 || rest[n].From == rest[n-1].From+1) {
		n++
	}
	if n == 0 || rest[n-1].From != len(t.Items)-1 {
		return 0
	}
	first := c.log.place[c.at[rest[0].From]]
	if len(c.log.sent(c.log.path[first:])) != n {
		return 0
	}
	return n
}

// piLines writes lines of a session, each the child of the one before.
type piLines struct {
	c      *piCodec
	t      *transcript.Transcript
	out    []byte
	ending []byte
	time   []byte // of new lines, as JSON
	ids    *ids
	used   map[string]bool
	parent string // "" for a root
	way    []int  // the entries on the way to the leaf that the lines make
}

func (c *piCodec) writer(src []byte, t *transcript.Transcript, entries []transcript.Entry) *piLines {
	w := &piLines{c: c, t: t, ending: newLine(src, c.lines), used: map[string]bool{}}
	w.ids = newIDs(src, &c.lines[len(c.lines)-1], entries)
	if w.time = c.log.time.Raw(); c.now != "" || w.time == nil {
		w.time = rawjson.AppendQuote(nil, c.now)
	}
	for i := range c.log.entries {
		w.used[c.log.entries[i].id] = true
	}
	return w
}

// id is a new id: 8 hexadecimal digits that no entry has.
func (w *piLines) id() string {
	for {
		b := w.ids.next()
		if id := hex.EncodeToString(b[:4]); !w.used[id] {
			w.used[id] = true
			return id
		}
	}
}

func (w *piLines) line(b []byte) { w.out = append(append(w.out, b...), w.ending...) }

// fresh writes a new entry: its type, what links it, and its other members.
func (w *piLines) fresh(kind, id string, more func(*body)) {
	b := newBody()
	b.str("type", kind)
	if !w.c.log.linear {
		b.str("id", id)
		b.raw("parentId", orNull(w.parent))
		w.parent = id
	}
	b.raw("timestamp", w.time)
	more(b)
	w.line(b.end())
}

func orNull(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return rawjson.AppendQuote(nil, id)
}

// compaction writes the entry of a compaction that keeps the first n of the
// entries where they stand. Behind it, nothing has the id that it names then:
// its own, which pi looks for before it only.
func (w *piLines) compaction(summary string, n int, rest []transcript.Entry) {
	log, id := w.c.log, w.id()
	w.fresh("compaction", id, func(b *body) {
		b.key("summary")
		b.buf = rawjson.AppendQuote(b.buf, summary)
		switch {
		case !log.linear && n > 0:
			b.str("firstKeptEntryId", log.entries[w.c.at[rest[0].From]].id)
		case !log.linear:
			b.str("firstKeptEntryId", id)
		case n > 0:
			b.raw("firstKeptEntryIndex", strconv.AppendInt(nil, int64(log.entries[w.c.at[rest[0].From]].loaded), 10))
		default: // pi of version 1 kept all lines from that one to the end
			b.raw("firstKeptEntryIndex", strconv.AppendInt(nil, int64(w.lines()), 10))
		}
		b.raw("tokensBefore", strconv.AppendInt(nil, int64(w.c.tokens(w.t)), 10))
		// Not pi's own: it reads the lists of files in details only where it is.
		b.raw("fromHook", []byte("true"))
	})
}

// lines is the number of the line behind the next one, as pi counts lines.
func (w *piLines) lines() int {
	n := bytes.Count(w.out, w.ending) + 1
	if !w.c.rewrite {
		n += w.c.log.loaded
	}
	return n
}

// copies writes entries anew behind the compaction.
func (w *piLines) copies(entries []transcript.Entry) {
	for _, e := range entries {
		w.entry(e, w.id())
	}
	w.model()
}

// head writes what a copy of a session begins with: its header, the name that it
// was given last, its level of thinking.
func (w *piLines) head() {
	log := w.c.log
	if at := log.header; at >= 0 {
		w.line(w.c.lines[at].value.Raw())
	}
	for _, kind := range [...]string{"session_info", "thinking_level_change"} {
		for _, at := range slices.Backward(log.path) {
			if e := &log.entries[at]; e.kind == kind {
				w.copy(e, nil, e.id)
				break
			}
		}
	}
}

// own writes entries with their own ids, and what extensions noted behind them.
func (w *piLines) own(entries []transcript.Entry) {
	log := w.c.log
	for _, e := range entries {
		if e.From < 0 {
			w.entry(e, w.id())
			continue
		}
		at := w.c.at[e.From]
		w.entry(e, log.entries[at].id)
		for _, n := range log.path[log.place[at]+1:] {
			note := &log.entries[n]
			if note.payload.Exists() {
				break
			}
			if note.kind == "custom" {
				w.copy(note, nil, note.id)
			}
		}
	}
	w.model()
}

// model writes the model that the session was left with, where the new way does
// not end with it: a copied answer names the one that gave it.
func (w *piLines) model() {
	log := w.c.log
	if m := log.model(log.path); m != (piModel{}) && m != log.model(w.way) {
		w.fresh("model_change", w.id(), func(b *body) {
			b.str("provider", m.provider)
			b.str("modelId", m.id)
		})
	}
}

// entry writes an entry of the history: its own line, or a new message.
func (w *piLines) entry(e transcript.Entry, id string) {
	if e.From < 0 {
		w.fresh("message", id, func(b *body) { b.raw("message", e.New.Raw) })
		return
	}
	own := &w.c.log.entries[w.c.at[e.From]]
	if own.kind == "compaction" { // which can only come first
		w.fresh("branch_summary", id, func(b *body) {
			b.str("fromId", "root")
			b.raw("summary", bytesOf(w.t, e))
		})
		return
	}
	var payload []byte
	if e.New != nil {
		payload = e.New.Raw
	}
	w.copy(own, payload, id)
}

// copy writes a line of the session with that id, and with another payload where
// that is not nil. Lines of version 1 have no links to change.
func (w *piLines) copy(e *piEntry, payload []byte, id string) {
	c := lineEdit{v: e.Value}
	w.way = append(w.way, e.n)
	if !w.c.log.linear {
		if id != e.id {
			c.set("id", rawjson.AppendQuote(nil, id))
			c.set("timestamp", w.time)
		}
		c.set("parentId", orNull(w.parent))
		w.parent = id
	}
	if payload != nil {
		c.replace(e.payload, payload)
	}
	w.line(c.line())
}

// tokens is the size of the history, in pi's own measure: the usage of the last
// answer, and a quarter of the bytes behind it.
func (c *piCodec) tokens(t *transcript.Transcript) int {
	size := 0
	for i := len(t.Items) - 1; i >= 0; i-- {
		m := c.log.entries[c.at[i]].Get("message")
		if stop := m.Get("stopReason").Text(); stop != "error" && stop != "aborted" {
			if n := piUsage(m.Get("usage")); n > 0 {
				return n + size/4
			}
		}
		size += len(t.Items[i].Sent())
	}
	return size / 4
}

func piUsage(usage rawjson.Value) int {
	if n, ok := usage.Get("totalTokens").Int(); ok && n > 0 {
		return n
	}
	sum := 0
	for _, key := range [...]string{"input", "output", "cacheRead", "cacheWrite"} {
		if n, ok := usage.Get(key).Int(); ok && n > 0 {
			sum += n
		}
	}
	return sum
}
