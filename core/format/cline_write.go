package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// clineSession is what new messages repeat of a history.
type clineSession struct {
	sdk    bool // messages have ids, and summaries a mark in their metadata
	roo    bool // summaries are marked as Roo marks them
	blocks bool // results are blocks
	times  bool // messages have times
	model  string
	last   int64 // the time of the last message
	now    int64 // the caller's, 0 if it gave none
}

func newClineSession(s *sample, opt Options) *clineSession {
	o := &clineSession{sdk: s.root.Get("sessionId").Exists()}
	o.now, _ = millis(opt.Now)
	for _, e := range s.list.elems {
		if at, ok := e.Get("ts").Int(); ok {
			o.last, o.times = int64(at), true
		}
		if info := e.Get("modelInfo"); info.Exists() {
			for _, key := range [...]string{"id", "modelId"} {
				if id := info.Get(key).Text(); id != "" {
					o.model = id
				}
			}
		}
		o.roo = o.roo || e.Get("isSummary").Exists() || e.Get("condenseParent").Exists() || e.Get("truncationParent").Exists()
		for b := range e.Get("content").Elems() {
			o.blocks = o.blocks || b.Get("type").Text() == "tool_result"
		}
	}
	return o
}

// message is a new message of text. id is that of an SDK message, more what
// marks it.
func (o *clineSession) message(role transcript.Role, text, id string, at int64, more func(*body)) []byte {
	b := newBody()
	if o.sdk {
		b.str("id", id)
	}
	b.str("role", string(role))
	b.raw("content", textParts("text", text))
	if o.times {
		b.raw("ts", strconv.AppendInt(nil, at, 10))
	}
	if more != nil {
		more(b)
	}
	return b.end()
}

// clineWriter is the writer of Cline messages. What reads a message alone knows
// no calls of its results; those stay what they were.
type clineWriter struct {
	writer
}

func newClineWriter(o *clineSession) clineWriter {
	w := writer{
		read: readCline,
		message: func(role transcript.Role, text string) []byte {
			at := o.last
			if o.now > 0 {
				at = o.now
			}
			return o.message(role, text, "msg_00000000", at, nil)
		},
		content: func(*transcript.Item) (string, string) { return "content", "text" },
		body:    clineBody,
	}
	if o.blocks {
		w.answer = clineAnswer
	}
	return clineWriter{w}
}

// clineBody keeps the header of a result that stands in one text with it.
func clineBody(p *transcript.Part, old rawjson.Value, text string) []byte {
	if p.Kind != transcript.Result {
		return nil
	}
	was := old.Text()
	_, size, ok := clineHeader(was)
	if !ok {
		return nil
	}
	head := was[:size]
	if line := strings.IndexByte(was[size:], '\n'); line >= 0 {
		head = was[:size+line]
	}
	return rawjson.AppendQuote(nil, head+"\n"+text)
}

// clineAnswer is the message that answers a tool_use block.
func clineAnswer(_ *transcript.Item, call *transcript.Part, text string) []byte {
	if call.ID == "" {
		return nil
	}
	block := newBody()
	block.str("type", "tool_result")
	block.str("tool_use_id", call.ID)
	block.str("content", text)
	b := newBody()
	b.str("role", string(transcript.User))
	b.array("content")
	b.element(block.end())
	b.endArray()
	return b.end()
}

// WithText is the message with nothing but that text, which is a text whatever
// it looks like.
func (w clineWriter) WithText(it *transcript.Item, text string) transcript.Item {
	out := w.writer.WithText(it, text)
	if it.Role != transcript.Assistant {
		out.Parts = out.Parts[:min(1, len(out.Parts))]
		for j := range out.Parts {
			p := &out.Parts[j]
			*p = transcript.Part{Kind: transcript.Text, Text: text, Start: p.Start, End: p.End}
		}
	}
	return out
}

func (w clineWriter) WithoutSummary(it *transcript.Item) transcript.Item {
	return paired(it, w.writer.WithoutSummary(it), func(j int) bool { return it.Parts[j].Summary })
}

func (w clineWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	gone := map[int]bool{}
	ids := map[int]string{}
	for _, e := range edits {
		gone[e.Part] = e.Drop
		ids[e.Part] = e.ID
	}
	out, ok := w.writer.WithParts(it, edits)
	if !ok {
		return out, false
	}
	return paired(it, out, func(j int) bool { return gone[j] || ids[j] != "" && it.Parts[j].End == 0 }), true
}

// paired gives the parts of an item that was read alone what they were in the
// history: the ids and names of calls and results, and which of them are none. gone says
// which parts are not there any more.
func paired(was *transcript.Item, now transcript.Item, gone func(int) bool) transcript.Item {
	n := 0
	for j := range was.Parts {
		old := &was.Parts[j]
		if gone(j) {
			continue
		}
		if n == len(now.Parts) {
			break
		}
		p := &now.Parts[n]
		n++
		switch {
		case p.Kind != transcript.Call && p.Kind != transcript.Result:
		case old.Kind == transcript.Text:
			plainResult(&now, p)
		case old.Kind == p.Kind:
			p.Name, p.Server = old.Name, old.Server // a block has its id, and seldom the name
			if p.ID == "" {
				p.ID = old.ID
			}
		}
	}
	now.Fragment = was.Fragment
	return now
}

type clineCodec struct {
	converted
	list
	session *clineSession
}

// splice writes the entries in the place of the messages. A summary of ours is
// marked as the harness marks its own, so that it knows it for one: in the SDK
// wherever it stands, in Roo where it comes first, since newer versions of Roo
// send nothing of what stands before one.
func (c *clineCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	d := newIDs(src, c.end(len(src)), entries)
	out := make([]transcript.Entry, len(entries))
	for i, e := range entries {
		out[i] = e
		if e.From >= 0 || e.New.Has(transcript.Result) {
			continue
		}
		it := *e.New
		at := c.timeOf(entries[i:], t)
		text := it.Text()
		b := d.next()
		it.Raw = c.session.message(it.Role, text, "msg_"+shortID(b[:8]), at, func(b *body) {
			switch {
			case c.session.sdk && it.Role == transcript.User:
				b.raw("metadata", clineMark(text, at))
			case c.session.roo && i == 0:
				b.raw("isSummary", []byte("true"))
				b.str("condenseId", d.uuid())
			}
		})
		out[i].New = &it
	}
	return c.list.splice(src, t, out)
}

// clineMark is the metadata of a summary: Cline's next compaction takes its text
// from there.
func clineMark(text string, at int64) []byte {
	m := newBody()
	m.str("kind", "compaction_summary")
	m.key("summary")
	m.buf = rawjson.AppendQuote(m.buf, text)
	m.raw("details", []byte(`{"readFiles":[],"modifiedFiles":[]}`))
	m.raw("tokensBefore", []byte("0"))
	m.raw("generatedAt", strconv.AppendInt(nil, at, 10))
	return m.end()
}

// timeOf is the time of a new message: the caller's, else just before the next
// one that stays (Roo knows messages by their time, so no two have the same),
// else just behind the last.
func (c *clineCodec) timeOf(entries []transcript.Entry, t *transcript.Transcript) int64 {
	if c.session.now > 0 {
		return c.session.now
	}
	for n, e := range entries {
		if e.From < 0 {
			continue
		}
		if v, err := rawjson.Parse(t.Items[e.From].Raw); err == nil {
			if at, ok := v.Get("ts").Int(); ok {
				return int64(at - n)
			}
		}
		break
	}
	return c.session.last + 1
}

// end is the last element as a line, which stands for all of them in new ids.
func (c *clineCodec) end(size int) *line {
	last := &line{start: 0, end: size}
	if c.lines == nil {
		for _, e := range c.elems {
			last = &line{start: e.from(), end: e.to()}
		}
	}
	return last
}

// shortID is bytes as characters of an id.
func shortID(b []byte) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	out := make([]byte, len(b))
	for i := range out {
		out[i] = alphabet[int(b[i])%len(alphabet)]
	}
	return string(out)
}
