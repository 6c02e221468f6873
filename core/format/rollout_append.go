package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// appended is the log with a compacted line behind it, as the CLI writes one:
// what resumes from it sees the entries and nothing else of what stands above.
//
// A log that counts tokens gets a token_count line, too. The CLI goes on with
// the last count that it finds: where that is the one from before the
// compaction, it takes the window for full and compacts again at once, with a
// summary of its own.
func (c *rolloutCodec) appended(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	w := c.lineWriter(src)
	w.ordinal = c.nextOrdinal()
	b := newBody()
	b.key("message")
	b.buf = rawjson.AppendQuote(b.buf, saidText(entries))
	b.array("replacement_history")
	size := len(t.System)
	for _, e := range entries {
		raw := bytesOf(t, e)
		size += len(raw)
		b.element(raw)
	}
	b.endArray()
	c.log.window.write(b, newIDs(src, &c.lines[len(c.lines)-1], entries), c.windowID)
	w.fresh("compacted", b.end())
	if info := c.log.tokens.Get("info"); info.Is(rawjson.Object) {
		w.fresh("event_msg", tokenCount(info, (size+3)/4))
	}
	return c.extended(src, w.ending, w.out)
}

// saidText is the summary that a compacted line tells beside the history: none of
// one that only the provider can read.
func saidText(entries []transcript.Entry) string {
	for _, e := range entries {
		if e.From < 0 && summaryItem(e.New.Type) {
			return ""
		}
	}
	return summaryText(entries)
}

// nextOrdinal counts on from the last line that has an ordinal: the CLI resumes
// no session in which a line behind others lacks one.
func (c *rolloutCodec) nextOrdinal() int {
	for i := len(c.lines) - 1; i >= 0; i-- {
		if n, ok := c.lines[i].value.Get("ordinal").Int(); ok {
			return n + 1
		}
	}
	return 0
}

// tokenCount is the count behind a compaction, in the CLI's own measure of a
// quarter of the bytes: what the thread has used stays, the context is new.
func tokenCount(info rawjson.Value, tokens int) []byte {
	last := newBody()
	for _, key := range []string{"input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens", "reasoning_output_tokens"} {
		last.raw(key, []byte{'0'})
	}
	last.raw("total_tokens", strconv.AppendInt(nil, int64(tokens), 10))
	fresh := newBody()
	fresh.raw("total_token_usage", info.Get("total_token_usage").Raw())
	fresh.raw("last_token_usage", last.end())
	fresh.raw("model_context_window", info.Get("model_context_window").Raw())
	b := newBody()
	b.str("type", "token_count")
	b.raw("info", fresh.end())
	b.raw("rate_limits", []byte("null"))
	return b.end()
}

// window is what a rollout says of the stretch between two compactions: which
// one it is, counted from 0, and the ids of the first one, the one before and
// this one.
type window struct {
	known       bool
	number      int
	first, last string
}

// begin reads the window that a session begins with.
func (w *window) begin(meta rawjson.Value) {
	own := meta.Get("context_window")
	if own.Is(rawjson.Object) {
		id := own.Get("window_id").Text()
		*w = window{known: true, first: id, last: id}
	}
}

// next reads the window behind a compacted line. An old line has its number
// where the id stands today; one without a number leaves all further ones
// unknown, until a later line has it.
func (w *window) next(payload rawjson.Value) {
	id := payload.Get("window_id")
	n, ok := payload.Get("window_number").Int()
	if !ok {
		n, ok = id.Int()
	}
	if !ok {
		*w = window{}
		return
	}
	fresh := window{known: true, number: n, first: payload.Get("first_window_id").Text(), last: id.Text()}
	if fresh.first == "" {
		fresh.first = w.first
	}
	*w = fresh
}

// write writes the window behind a further compaction, where this one is known or
// the caller names the next.
func (w window) write(b *body, d *ids, next string) {
	if w.known {
		b.raw("window_number", strconv.AppendInt(nil, int64(w.number)+1, 10))
	}
	if w.last != "" {
		b.str("first_window_id", w.first)
		b.str("previous_window_id", w.last)
		if next == "" {
			next = d.after(w.last)
		}
	}
	if next != "" {
		b.str("window_id", next)
	}
}
