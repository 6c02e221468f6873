package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// opencodeSession is what new messages repeat of a session: OpenCode loads none
// that lacks a session, a model, an agent or a folder.
type opencodeSession struct {
	id     string
	tails  bool          // the OpenCode that reads it knows tail_start_id
	user   rawjson.Value // info of the newest user message
	answer rawjson.Value // info of the newest answer
	folder rawjson.Value // where the session runs, a string
	newest opencodePlace // behind all messages
	now    int64         // the caller's time, 0 if it gave none
}

func newOpencodeSession(s *sample, opt Options) *opencodeSession {
	o := &opencodeSession{newest: opencodePlace{}}
	info := s.root.Get("info")
	o.id, o.folder = info.Get("id").Text(), info.Get("directory")
	o.tails = opencodeKnowsTails(info.Get("version").Text())
	if at, ok := millis(opt.Now); ok {
		o.now = at
	}
	for _, e := range s.list.elems {
		info := e.Get("info")
		if id := info.Get("sessionID").Text(); id != "" {
			o.id = id
		}
		switch info.Get("role").Text() {
		case "user":
			o.user = info
		case "assistant":
			o.answer = info
		}
		at := placeOf(info)
		o.newest.time, o.newest.hex = max(o.newest.time, at.time), max(o.newest.hex, at.hex)
	}
	return o
}

// opencodeKnowsTails reports whether an OpenCode of that version reads the
// tail_start_id of a compaction: 1.14.34 does, 1.3.2 does not. It is never older
// than the one that made the session.
func opencodeKnowsTails(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	return errA == nil && errB == nil && (a > 1 || a == 1 && b >= 14)
}

// model is the model of the newest answer, else the one that was asked for.
func (o *opencodeSession) model() string {
	if id := o.answer.Get("modelID").Text(); id != "" {
		return id
	}
	return o.user.Get("model").Get("modelID").Text()
}

// opencodePlace is where a message stands. OpenCode sorts messages by the time
// that they were created, then by id, and older versions by id alone; parts by id.
type opencodePlace struct {
	time int64
	hex  uint64 // the first 48 bits of its id: the time with a counter; 0 for an id of another form
	tail string // the rest of its id
}

const (
	opencodeHex  = 12 // digits of an id that hold the time
	opencodeTail = 14 // characters behind them, drawn at random
	opencodeBits = 48
)

func placeOf(info rawjson.Value) opencodePlace {
	var p opencodePlace
	if at, ok := info.Get("time").Get("created").Int(); ok {
		p.time = int64(at)
	}
	id, ok := strings.CutPrefix(info.Get("id").Text(), "msg_")
	if !ok || len(id) != opencodeHex+opencodeTail {
		return p
	}
	if n, err := strconv.ParseUint(id[:opencodeHex], 16, opencodeBits); err == nil {
		p.hex, p.tail = n, id[opencodeHex:]
	}
	return p
}

// id is the id of a message or part there.
func (p opencodePlace) id(prefix string) string {
	digits := strconv.FormatUint(p.hex&(1<<opencodeBits-1), 16)
	return prefix + "_" + strings.Repeat("0", opencodeHex-len(digits)) + digits + p.tail
}

// randomTail is the end of an id.
func randomTail(d *ids) string {
	b := d.next()
	return shortID(b[:opencodeTail])
}

// last is a place behind all messages, n of them apart.
func (o *opencodeSession) last(n uint64, d *ids) opencodePlace {
	return opencodePlace{time: max(o.newest.time, o.now), hex: o.newest.hex + n, tail: randomTail(d)}
}

// before is a place just before p, n of them apart.
func (p opencodePlace) before(n uint64, d *ids) opencodePlace {
	if p.hex < n { // an id of another form: only the time can tell
		return opencodePlace{time: p.time - 1, hex: opencodeClock(p.time - 1), tail: randomTail(d)}
	}
	return opencodePlace{time: p.time, hex: p.hex - n, tail: randomTail(d)}
}

// behind is a place just behind p: of the same moment, with a tail that few ids
// are behind of (of 62 to the power of 4, one).
func (p opencodePlace) behind(d *ids) opencodePlace {
	if p.hex == 0 {
		p.hex = opencodeClock(p.time)
	}
	return opencodePlace{time: p.time, hex: p.hex, tail: "zzzz" + randomTail(d)[4:]}
}

// opencodeClock is the time as an id holds it: 4,096 ids for each millisecond.
func opencodeClock(at int64) uint64 { return uint64(max(at, 0)) << 12 }

// element is a new message of text.
func (o *opencodeSession) element(role transcript.Role, text string, at opencodePlace) []byte {
	info := o.info(role, at)
	if role == transcript.Assistant {
		o.answered(info, "", "", o.user.Get("id"))
	} else {
		o.asked(info)
	}
	part := newBody()
	part.str("type", "text")
	part.key("text")
	part.buf = rawjson.AppendQuote(part.buf, text)
	return o.message(info, part, at)
}

// request is the user message that asks for a compaction. tail is the id of the
// first message that stays beside the summary though it stands before it.
func (o *opencodeSession) request(tail string, at opencodePlace) []byte {
	info := o.info(transcript.User, at)
	o.asked(info)
	part := newBody()
	part.str("type", "compaction")
	part.raw("auto", []byte("false"))
	part.str("tail_start_id", tail)
	return o.message(info, part, at)
}

// summary is the answer to that.
func (o *opencodeSession) summary(text, request string, at opencodePlace) []byte {
	info := o.info(transcript.Assistant, at)
	parent, err := rawjson.Parse(rawjson.AppendQuote(nil, request))
	if err == nil {
		o.answered(info, "compaction", "true", parent)
	}
	part := newBody()
	part.str("type", "text")
	part.key("text")
	part.buf = rawjson.AppendQuote(part.buf, text)
	return o.message(info, part, at)
}

func (o *opencodeSession) info(role transcript.Role, at opencodePlace) *body {
	b := newBody()
	b.str("id", at.id("msg"))
	b.str("sessionID", o.id)
	b.str("role", string(role))
	b.key("time")
	b.buf = strconv.AppendInt(append(b.buf, `{"created":`...), at.time, 10)
	if role == transcript.Assistant {
		b.buf = strconv.AppendInt(append(b.buf, `,"completed":`...), at.time, 10)
	}
	b.buf = append(b.buf, '}')
	return b
}

// asked is what a user message says of who shall answer.
func (o *opencodeSession) asked(b *body) {
	for _, key := range []string{"agent", "model"} {
		v := o.user.Get(key)
		switch {
		case v.Exists():
			b.raw(key, v.Raw())
		case key == "agent":
			b.raw(key, o.answer.Get(key).Raw())
		case o.answer.Get("modelID").Exists():
			m := newBody()
			m.raw("providerID", o.answer.Get("providerID").Raw())
			m.raw("modelID", o.answer.Get("modelID").Raw())
			b.raw(key, m.end())
		}
	}
}

// answered is what an answer says of who gave it: agent is both the mode and the
// agent, "" repeats those of the newest answer.
func (o *opencodeSession) answered(b *body, agent, summary string, parent rawjson.Value) {
	b.raw("parentID", parent.Raw())
	for _, key := range []string{"modelID", "providerID"} {
		v := o.answer.Get(key)
		if !v.Exists() {
			v = o.user.Get("model").Get(key)
		}
		b.raw(key, v.Raw())
	}
	for _, key := range []string{"mode", "agent"} {
		v := o.answer.Get(key)
		if !v.Exists() {
			v = o.user.Get("agent")
		}
		if agent != "" {
			b.str(key, agent)
		} else {
			b.raw(key, v.Raw())
		}
	}
	if path := o.answer.Get("path"); path.Exists() {
		b.raw("path", path.Raw())
	} else if o.folder.Is(rawjson.String) {
		p := newBody()
		p.raw("cwd", o.folder.Raw())
		p.raw("root", o.folder.Raw())
		b.raw("path", p.end())
	}
	if summary != "" {
		b.raw("summary", []byte(summary))
	}
	b.raw("cost", []byte("0"))
	b.raw("tokens", []byte(`{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}`))
	b.str("finish", "stop")
}

// message is a message of one part.
func (o *opencodeSession) message(info, part *body, at opencodePlace) []byte {
	part.str("id", at.id("prt"))
	part.str("sessionID", o.id)
	part.str("messageID", at.id("msg"))
	b := newBody()
	b.raw("info", info.end())
	b.array("parts")
	b.element(part.end())
	b.endArray()
	return b.end()
}
