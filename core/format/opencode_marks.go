package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// How a compaction stands in an OpenCode session: a user message with a
// compaction part (the request), then an answer with summary: true. What
// OpenCode does on load (filterCompacted in its message-v2.ts): it walks back
// from the newest message, by creation time and id, and stops at the request of
// the last finished summary, or, where that has a tail_start_id, at the message
// of that id; then request and summary come before that tail.
//
// A summary of ours that comes first is written as such a pair, not as a plain
// user message: so a session that is imported over itself (import only adds
// messages) goes on with the summary, too, OpenCode's own next compaction
// carries it on, and any reader knows it for one. Behind the messages that stay
// it stands (with tail_start_id) because OpenCode goes by the tokens of the
// newest finished answer: where that is one from before the compaction, it would
// take the context for full and compact again at once. An older OpenCode would
// lose that tail, so there the pair stands first.
//
// An answer that stays keeps its parentID, also where the message that it names
// is folded. OpenCode looks no message up by it: filterCompacted reads it of
// summaries alone, and the summary of a question's diffs looks for the answers
// that name the question, never the other way. To name another message there
// would put the answer's changes on that one's account.

type opencodeCodec struct {
	converted
	list
	session *opencodeSession
	values  []rawjson.Value // the elements of the list
	// file are the items in the order of the file; rank is the place in it of each
	// item in the order that the model sees.
	file *transcript.Transcript
	rank []int
	// requests are the elements that ask for a compaction, each with the element of
	// the summary that answered, -1 where none did.
	requests map[int]int
	tailAt   int // the last request that has a summary and a tail_start_id; -1 is none
}

// marks finds the compactions of the session.
func (c *opencodeCodec) marks() {
	c.requests, c.tailAt = map[int]int{}, -1
	asked := map[string]int{}
	for i, e := range c.elems {
		c.values = append(c.values, e.Value)
		switch info := e.Get("info"); {
		case opencodeRequest(e.Value):
			asked[info.Get("id").Text()] = i
			c.requests[i] = -1
		case opencodeSummary(e.Value) && info.Get("finish").Text() != "" && !opencodeUnsent(e.Value):
			at, ok := asked[info.Get("parentID").Text()]
			if !ok || c.requests[at] >= 0 {
				continue
			}
			c.requests[at] = i
			if tailOf(c.values[at]).Text() != "" {
				c.tailAt = at
			}
		}
	}
}

// compactions is how many requests a summary answered.
func (c *opencodeCodec) compactions() int {
	n := 0
	for _, summary := range c.requests {
		if summary >= 0 {
			n++
		}
	}
	return n
}

// tailOf is the tail_start_id of a request.
func tailOf(request rawjson.Value) rawjson.Value {
	for p := range request.Get("parts").Elems() {
		if tail := p.Get("tail_start_id"); tail.Is(rawjson.String) {
			return tail
		}
	}
	return rawjson.Value{}
}

// ordered are the items in the order in which the model sees them: the summary
// of the last compaction before the tail that it left. Requests go where their
// summaries go.
func (c *opencodeCodec) ordered(items []transcript.Item) []transcript.Item {
	if len(c.requests) > 0 {
		item := map[int]int{} // of an element
		for i := range items {
			item[c.at(i)] = i
		}
		c.owner = make([]int, c.len())
		for e := range c.owner {
			c.owner[e] = -1
			if summary, ok := c.requests[e]; ok {
				if i, ok := item[summary]; ok {
					c.owner[e] = i
				}
			}
		}
	}
	c.rank = make([]int, len(items))
	for i := range c.rank {
		c.rank[i] = i
	}
	if c.tailAt < 0 {
		return items
	}
	tail := tailOf(c.values[c.tailAt]).Text()
	to := slices.IndexFunc(items, func(it transcript.Item) bool { return it.ID == tail })
	from := c.owner[c.tailAt]
	if to < 0 || c.at(to) > c.tailAt {
		c.tailAt = -1 // OpenCode finds no tail, too
		return items
	}
	out := slices.Clone(items)
	for _, list := range []func(int, int){func(i, j int) { out[i] = items[j] }, func(i, j int) { c.rank[i] = j }} {
		list(to, from)
		for i := to; i < from; i++ {
			list(i+1, i)
		}
	}
	return out
}

// splice writes the entries in the place of the messages.
func (c *opencodeCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	w := openSplice{c: c, ids: newIDs(src, c.end(len(src)), entries)}
	marked := false
	for _, e := range entries {
		marked = marked || e.From >= 0 && t.Items[e.From].Summary
	}
	w.rows = make([]openRow, 0, len(entries)+1)
	for _, e := range entries {
		row := openRow{entry: e}
		if e.From >= 0 {
			row.entry.From = c.rank[e.From]
			row.id, row.at = t.Items[e.From].ID, placeOf(c.values[c.list.at(row.entry.From)].Get("info"))
			row.known = true
		}
		w.rows = append(w.rows, row)
	}
	summary := ""
	if len(entries) > 0 && entries[0].From < 0 && !marked {
		summary, w.rows = entries[0].New.Text(), w.rows[1:]
	}
	tail, patched := w.moveBack()
	w.fill()
	if summary != "" {
		w.pair(summary)
	}
	out := make([]transcript.Entry, len(w.rows))
	for i := range w.rows {
		out[i] = w.rows[i].entry
	}
	pieces := c.pieces(c.file, out)
	for i := range pieces {
		if patched && pieces[i].elem == c.tailAt {
			pieces[i].raw = withTail(c.values[c.tailAt], w.idOf(tail))
		}
	}
	if c.lines != nil {
		return c.spliceLines(src, pieces)
	}
	return c.spliceArray(src, pieces)
}

// end is the last element as a line, which stands for all of them in new ids.
func (c *opencodeCodec) end(size int) *line {
	if n := len(c.values); n > 0 && c.lines == nil {
		v := value{c.values[n-1], c.array.base}
		return &line{start: v.from(), end: v.to()}
	}
	return &line{start: 0, end: size}
}

// openRow is one message of the output, with its place in the session.
type openRow struct {
	entry transcript.Entry
	id    string
	at    opencodePlace
	known bool // its place is
}

// openSplice puts the messages of the output together.
type openSplice struct {
	c    *opencodeCodec
	ids  *ids
	rows []openRow
	last uint64 // places behind all messages that are given
}

// moveBack puts the summary of the last compaction behind its tail again, where
// both stay. tail is the row that its request must name then, -1 for none;
// changed says that this is not the one that it names.
func (w *openSplice) moveBack() (tail int, changed bool) {
	if w.c.tailAt < 0 {
		return -1, false
	}
	own := w.c.owner[w.c.tailAt]
	from := slices.IndexFunc(w.rows, func(r openRow) bool { return r.known && r.entry.From == own })
	if own < 0 || from < 0 {
		return -1, false
	}
	to := from
	for to+1 < len(w.rows) && (!w.rows[to+1].known || w.c.at(w.rows[to+1].entry.From) < w.c.tailAt) {
		to++
	}
	named := tailOf(w.c.values[w.c.tailAt]).Text()
	if to == from {
		return -1, true
	}
	summary := w.rows[from]
	copy(w.rows[from:to], w.rows[from+1:to+1])
	w.rows[to] = summary
	return from, !w.rows[from].known || w.rows[from].id != named
}

func (w *openSplice) idOf(row int) string {
	if row < 0 {
		return ""
	}
	return w.rows[row].id
}

// fill gives each new message its place: between its neighbours, by time and id.
func (w *openSplice) fill() {
	for i := range w.rows {
		r := &w.rows[i]
		if r.known {
			continue
		}
		next := slices.IndexFunc(w.rows[i:], func(r openRow) bool { return r.known })
		switch {
		case next < 0:
			r.at = w.behindAll()
		case i == 0:
			r.at = w.rows[next].at.before(uint64(next), w.ids)
		default:
			r.at = w.rows[i-1].at.behind(w.ids)
		}
		r.id = r.at.id("msg")
		it := *r.entry.New
		it.Raw = w.c.session.element(it.Role, it.Text(), r.at)
		r.entry.New = &it
	}
}

func (w *openSplice) behindAll() opencodePlace {
	w.last++
	return w.c.session.last(w.last, w.ids)
}

// pair adds a request and its summary.
func (w *openSplice) pair(text string) {
	var request, summary opencodePlace
	tail := ""
	if w.c.session.tails {
		tail = w.idOf(min(0, len(w.rows)-1))
	}
	switch {
	case len(w.rows) == 0 || tail != "":
		request, summary = w.behindAll(), w.behindAll()
	default:
		first := w.rows[0].at
		request, summary = first.before(2, w.ids), first.before(1, w.ids)
	}
	s := w.c.session
	rows := []openRow{
		{entry: transcript.Entry{From: -1, New: &transcript.Item{Raw: s.request(tail, request)}}},
		{entry: transcript.Entry{From: -1, New: &transcript.Item{Raw: s.summary(text, request.id("msg"), summary)}}},
	}
	if tail != "" {
		w.rows = append(w.rows, rows...)
	} else {
		w.rows = append(rows, w.rows...)
	}
}

// withTail is a request with another tail_start_id, "" for none.
func withTail(request rawjson.Value, id string) []byte {
	tail := tailOf(request)
	raw, from := request.Raw(), request.Start()
	if id != "" {
		return patch(raw, []change{{tail.Start() - from, tail.End() - from, rawjson.AppendQuote(nil, id)}})
	}
	v, err := rawjson.Parse(raw)
	if err != nil {
		return raw
	}
	cuts, ok := removals(v, []int{tailOf(v).Start()})
	if !ok {
		return raw
	}
	return patch(raw, cuts)
}
