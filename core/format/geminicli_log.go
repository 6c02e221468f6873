package format

import (
	"slices"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The log of Gemini CLI: a line with the session's data, one for each message,
// and again for each change of a message; {"$set": ..} for changes of the data, of
// which one of messages is a checkpoint that all before it goes by; {"$rewindTo":
// id} for what was taken back.

// cliRecord is a message of the log's history.
type cliRecord struct {
	v    value
	path string
}

// cliLog is what the lines of a log come to.
type cliLog struct {
	records []cliRecord
	at      map[string]int // the place of each message, by its id
	data    []int          // lines of the session's data

	rewound, checkpoints, malformed int
}

// replayCLI reads the lines forward, as the CLI does when it resumes. Cost:
// linear.
func replayCLI(l *list) *cliLog {
	log := &cliLog{at: map[string]int{}}
	for i, v := range l.elems {
		switch path := l.place(i); {
		case !v.Is(rawjson.Object):
			log.malformed++
		case v.Get("$rewindTo").Is(rawjson.String):
			log.rewind(str(v, "$rewindTo"))
		case v.Get("id").Is(rawjson.String):
			log.put(cliRecord{v, path})
		case v.Get("$set").Is(rawjson.Object):
			if list := v.get("$set").get("messages"); list.Is(rawjson.Array) {
				log.checkpoints++
				log.records, log.at = nil, map[string]int{}
				log.list(list, path+".$set.messages")
			} else {
				log.data = append(log.data, i)
			}
		case v.Get("sessionId").Is(rawjson.String) && v.Get("projectHash").Is(rawjson.String):
			log.data = append(log.data, i)
			log.list(v.get("messages"), path+".messages")
		default:
			log.malformed++
		}
	}
	return log
}

func (log *cliLog) list(list value, path string) {
	i := 0
	for e := range list.Elems() {
		if e.Get("id").Is(rawjson.String) {
			log.put(cliRecord{value{e, list.base}, path + "[" + strconv.Itoa(i) + "]"})
		}
		i++
	}
}

// put adds a message; one that is known keeps its place.
func (log *cliLog) put(r cliRecord) {
	id := str(r.v, "id")
	if at, ok := log.at[id]; ok {
		log.records[at] = r
		return
	}
	log.at[id] = len(log.records)
	log.records = append(log.records, r)
}

// rewind takes back a message and all behind it; where it is not known, all.
func (log *cliLog) rewind(id string) {
	from := log.at[id] // 0 where it is not known
	for i := from; i < len(log.records); i++ {
		delete(log.at, str(log.records[i].v, "id"))
	}
	log.rewound += len(log.records) - from
	log.records = log.records[:from]
}

func decodeCLILog(s *sample, opt Options) (*Document, error) {
	c := &cliLogCodec{list: s.list, log: replayCLI(&s.list), now: opt.Now, rewrite: opt.Rewrite}
	if c.log.malformed == len(s.list.lines) {
		first := &s.list.lines[0]
		if !first.value.Exists() {
			return nil, s.src.badLine(first)
		}
		return nil, s.src.invalid("", first.start, &fault{first.value.Value, "", "is no line of gemini-cli: neither a message with an id nor a session with its projectHash"})
	}
	t := &transcript.Transcript{}
	silent := newCLINoise()
	var last, model value
	at := map[int]int{} // the record at each place
	for i, r := range c.log.records {
		at[r.v.from()] = i
		last, model = newestCLI(r.v, last, model)
		if silent.noise(r.v) {
			continue
		}
		it, f := readCLI(r.v.Value)
		if f != nil {
			return nil, s.src.invalid(r.path, r.v.base, f)
		}
		it.Raw, it.Path = r.v.Raw(), r.path
		t.Items, c.origin = append(t.Items, it), append(c.origin, i)
	}
	t.Writer, t.Model = newCLIWriter(opt.Now, last, model), str(model, "model")
	c.last, c.owner = last, silent.owners(len(c.log.records), c.origin, at)
	d := &Document{Transcript: t, codec: c}
	d.Verdict.Evidence = append(d.Verdict.Evidence, told(c.log.checkpoints, "checkpoints: %d, the history starts at the last one")...)
	d.Verdict.Evidence = append(d.Verdict.Evidence, told(c.log.rewound, "messages rewound: %d")...)
	d.Verdict.Evidence = append(d.Verdict.Evidence, told(c.log.malformed, "lines that can not be read: %d")...)
	return d, nil
}

// cliLogCodec writes logs.
type cliLogCodec struct {
	converted
	list
	log     *cliLog
	origin  []int // of each item, its record
	owner   []int // of each record that is no item, the item that it belongs to; -1: the one before
	last    value
	now     string
	rewrite bool
}

// kept are the messages that stand: the entries, and in their places those that
// are no history and belong to an item that stands, or to none.
func (c *cliLogCodec) kept(t *transcript.Transcript, entries []transcript.Entry) [][]byte {
	stays := make([]bool, len(c.origin))
	for _, e := range entries {
		if e.From >= 0 {
			stays[e.From] = true
		}
	}
	var out [][]byte
	at, item := 0, -1 // the next record, and the newest item before it
	notes := func(to int) {
		for ; at < to; at++ {
			if item+1 < len(c.origin) && c.origin[item+1] == at {
				item++
				continue
			}
			owner := item
			if c.owner[at] >= 0 {
				owner = c.owner[at]
			}
			if owner < 0 || stays[owner] {
				out = append(out, c.log.records[at].v.Raw())
			}
		}
	}
	for i, e := range entries {
		next := len(c.log.records)
		for _, later := range entries[i:] {
			if later.From >= 0 {
				next = c.origin[later.From]
				break
			}
		}
		notes(next)
		out = append(out, bytesOf(t, e))
	}
	notes(len(c.log.records))
	return out
}

// splice adds a checkpoint, the mark that the CLI itself leaves when it compresses
// a session: what resumes from it has these messages and no others.
func (c *cliLogCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	messages := c.kept(t, entries)
	if c.rewrite {
		return c.copied(src, messages)
	}
	set := newBody()
	set.raw("messages", blockList(messages))
	set.raw("lastUpdated", c.time())
	b := newBody()
	b.raw("$set", set.end())
	ending := newLine(src, c.lines)
	return c.extended(src, ending, append(b.end(), ending...))
}

func (c *cliLogCodec) time() []byte {
	if c.now != "" {
		return rawjson.AppendQuote(nil, c.now)
	}
	return c.last.Get("timestamp").Raw()
}

// copied is a log of the session's data and these messages.
func (c *cliLogCodec) copied(src []byte, messages [][]byte) []byte {
	ending := newLine(src, c.lines)
	var out []byte
	line := func(b []byte) { out = append(append(out, b...), ending...) }
	for _, i := range c.log.data {
		l := &c.lines[i]
		if bare := without(l.value.Value, func(key string, _ rawjson.Value) bool { return key == "messages" }); bare != nil {
			line(bare)
			continue
		}
		line(l.value.Raw())
	}
	for _, m := range messages {
		line(m)
	}
	return slices.Concat(src[:c.from], c.wrap(src, out), src[c.to:])
}
