package format

import (
	"bytes"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

type claudeCodec struct {
	list
	tree    *session
	chain   []int
	origin  [][]int // the rows of each item
	now     string  // the caller's time, "" if it gave none
	rewrite bool    // write a copy
}

// splice appends to the session, or writes a copy that holds the history only:
// a boundary, and behind it one line for each row of the entries, each the
// parent of the next.
//
// The lines of kept items stand where they stood, and the CLI never looks above
// the boundary; so they are written once more behind it, under uuids of their
// own. Two things can not stay as they were. The id of an answer: the CLI puts
// every line with that id back into it, those above the boundary, too. And its
// usage: the CLI takes it for the size of the context, and would compact again
// at once. In a copy the lines keep their uuids and ids, and hang together anew.
func (c *claudeCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	w := c.writer(src, entries)
	w.boundary(t)
	for _, e := range entries {
		switch {
		case e.New == nil:
			w.begin(&c.tree.rows[c.origin[e.From][0]])
			for _, i := range c.origin[e.From] {
				w.row(&c.tree.rows[i], nil)
			}
		case e.From < 0:
			w.message(e.New, !e.Plain)
		case c.tree.rows[c.origin[e.From][0]].kind == "attachment":
			w.message(e.New, false)
		default:
			r := &c.tree.rows[c.origin[e.From][0]]
			w.begin(r)
			w.row(r, e.New)
		}
	}
	return c.written(src, w.out)
}

// written puts lines behind those of the session, or in their place.
func (c *claudeCodec) written(src []byte, lines [][]byte) []byte {
	if c.lines == nil {
		var pieces []piece
		if !c.rewrite {
			for i, e := range c.elems {
				pieces = append(pieces, piece{i, e.Raw()})
			}
		}
		for _, l := range lines {
			pieces = append(pieces, piece{-1, l})
		}
		return c.spliceArray(src, pieces)
	}
	ending := newLine(src, c.lines)
	more := append(bytes.Join(lines, ending), ending...)
	if c.rewrite {
		return append(append(append([]byte(nil), src[:c.from]...), c.wrap(src, more)...), src[c.to:]...)
	}
	return c.extended(src, ending, more)
}

// sessionWriter writes lines of a session.
type sessionWriter struct {
	c      *claudeCodec
	ids    *ids
	now    []byte
	common *row // a line whose members of the session new lines repeat
	out    [][]byte
	parent string            // uuid of the line before
	uuids  map[string]string // new uuids by old ones
	answer []byte            // new id of the answer that is written, nil where it keeps its own
	used   map[string]bool   // ids of answers in a copy
}

func (c *claudeCodec) writer(src []byte, entries []transcript.Entry) *sessionWriter {
	w := &sessionWriter{c: c, uuids: map[string]string{}, used: map[string]bool{}}
	last := line{start: 0, end: len(src)}
	if c.lines != nil {
		last = c.lines[len(c.lines)-1]
	}
	w.ids = newIDs(src, &last, entries)
	for i := range c.tree.rows {
		r := &c.tree.rows[i]
		if at := r.v.Get("timestamp"); at.Exists() {
			w.now = at.Raw()
		}
		if r.said && r.side == c.tree.side {
			w.common = r
		}
	}
	if c.now != "" {
		w.now = rawjson.AppendQuote(nil, c.now)
	}
	return w
}

// quotedOrNull is a JSON string, null for "".
func quotedOrNull(s string) []byte {
	if s == "" {
		return []byte("null")
	}
	return rawjson.AppendQuote(nil, s)
}

// add ends a line and makes it the parent of the next one.
func (w *sessionWriter) add(raw []byte, uuid string) {
	w.out = append(w.out, raw)
	w.parent = uuid
}

// shared are the members that all lines of a session have.
func (w *sessionWriter) shared(b *body) {
	if w.common == nil {
		return
	}
	for _, key := range []string{"userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId"} {
		b.raw(key, w.common.v.Get(key).Raw())
	}
}

// boundary begins the history anew. Its type stands near the line's start: in
// long files the CLI looks for it in the first 256 bytes alone.
func (w *sessionWriter) boundary(t *transcript.Transcript) {
	uuid := w.ids.uuid()
	b := newBody()
	b.raw("parentUuid", []byte("null"))
	if n := len(w.c.chain); n > 0 && !w.c.rewrite {
		b.str("logicalParentUuid", w.c.tree.rows[w.c.chain[n-1]].uuid)
	}
	b.raw("isSidechain", strconv.AppendBool(nil, w.c.tree.side))
	b.str("type", "system")
	b.str("subtype", boundarySubtype)
	b.str("content", "Conversation compacted")
	b.raw("isMeta", []byte("false"))
	b.raw("timestamp", w.now)
	b.str("uuid", uuid)
	b.str("level", "info")
	meta := newBody()
	meta.str("trigger", "manual")
	meta.raw("preTokens", strconv.AppendInt(nil, int64(w.c.tokens(t)), 10))
	b.raw("compactMetadata", meta.end())
	w.shared(b)
	w.add(b.end(), uuid)
}

// tokens is what the context held: the newest usage that an answer reports, else
// a quarter of the bytes.
func (c *claudeCodec) tokens(t *transcript.Transcript) int {
	for n := len(c.chain) - 1; n >= 0; n-- {
		usage, sum := c.tree.rows[c.chain[n]].v.Get("message").Get("usage"), 0
		for _, key := range usageKeys() {
			if n, ok := usage.Get(key).Int(); ok && n > 0 && sum < 1<<40 {
				sum += n
			}
		}
		if sum > 0 {
			return sum
		}
	}
	size := 0
	for i := range t.Items {
		size += len(t.Items[i].Raw)
	}
	return size / 4
}

// usageKeys are the members of a usage that make the size of the context.
func usageKeys() []string {
	return []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"}
}

// message writes a line for a new message. A text is the summary, where the entry
// may be one.
func (w *sessionWriter) message(it *transcript.Item, summary bool) {
	uuid := w.ids.uuid()
	b := newBody()
	b.raw("parentUuid", quotedOrNull(w.parent))
	b.raw("isSidechain", strconv.AppendBool(nil, w.c.tree.side))
	if it.Role == transcript.Assistant {
		b.str("type", "assistant")
		b.raw("message", w.madeUp(it))
	} else {
		b.str("type", "user")
		b.raw("message", it.Raw)
	}
	if summary && !it.Has(transcript.Result) {
		b.raw("isVisibleInTranscriptOnly", []byte("true"))
		b.raw("isCompactSummary", []byte("true"))
	}
	b.str("uuid", uuid)
	b.raw("timestamp", w.now)
	w.shared(b)
	w.add(b.end(), uuid)
}

// madeUp is an answer that no model gave, in the form of those that the CLI makes
// up itself.
func (w *sessionWriter) madeUp(it *transcript.Item) []byte {
	content := []byte("[]")
	if v, err := rawjson.Parse(it.Raw); err == nil && v.Get("content").Is(rawjson.Array) {
		content = v.Get("content").Raw()
	}
	b := newBody()
	b.str("id", w.ids.message())
	b.str("type", "message")
	b.str("role", "assistant")
	b.str("model", "<synthetic>")
	b.raw("content", content)
	b.str("stop_reason", "end_turn")
	b.raw("stop_sequence", []byte("null"))
	usage := newBody()
	for _, key := range usageKeys() {
		usage.raw(key, []byte{'0'})
	}
	b.raw("usage", usage.end())
	return b.end()
}
