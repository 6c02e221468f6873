package format

import (
	"math"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Sessions of Google's Agent Development Kit (ADK): events around contents. Not
// all of them are history: a compaction stands for the events before it whose
// time is in its range, a rewind takes those back that came since an invocation.

// isEvent reports whether v is an event: somebody's, with a content or the id of
// the invocation that it belongs to.
func isEvent(v rawjson.Value) bool {
	return v.Get("author").Is(rawjson.String) &&
		(v.Get("content").Get("parts").Is(rawjson.Array) || either(v, "invocationId", "invocation_id").Is(rawjson.String))
}

// compaction is the mark of a compaction in an event: what it says, and since
// when the events before it are covered; ok is false where an event has none.
func compaction(v rawjson.Value) (content rawjson.Value, start float64, ok bool) {
	mark := v.Get("actions").Get("compaction")
	content = either(mark, "compactedContent", "compacted_content")
	start, ok = seconds(either(mark, "startTimestamp", "start_timestamp"))
	return content, start, ok && content.Get("parts").Len() > 0
}

// seconds is a time: seconds since 1970.
func seconds(v rawjson.Value) (float64, bool) {
	if !v.Is(rawjson.Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return f, err == nil && f > 0
}

// readCompaction reads an event that stands for others, as an earlier summary;
// false where it is none. ADK for JavaScript writes the text into the event.
func readCompaction(v rawjson.Value, it *transcript.Item) (bool, *fault) {
	if said := v.Get("compactedContent"); v.Get("isCompacted").Bool() && said.Is(rawjson.String) {
		p := media(transcript.Text, said, v.Start())
		p.Text, p.Summary = said.Text(), true
		it.Role, it.Parts, it.Summary, it.Shown = transcript.User, []transcript.Part{p}, true, said.Raw()
		return true, nil
	}
	content, _, ok := compaction(v)
	if !ok {
		return false, nil
	}
	it.Role, it.Summary, it.Shown = transcript.Assistant, true, content.Raw()
	if content.Get("role").Text() == "user" {
		it.Role = transcript.User
	}
	r := partReader{it: it, from: v.Start()}
	if f := r.parts(content.Get("parts")); f != nil {
		return true, f.within(".actions.compaction.compactedContent.parts")
	}
	for j := range it.Parts {
		it.Parts[j].Summary = it.Parts[j].Kind == transcript.Text
	}
	it.Empty = len(it.Parts) == 0
	return true, nil
}

// events is what the events of a session come to.
type events struct {
	now   string
	gone  map[int]bool    // places of elements that are no history
	waits map[string]bool // ids of calls that wait for something outside of the loop
	// covered are the elements that a compaction stands for, each with that. They
	// go with it: without it they would be history again.
	covered map[int]int

	last, spoken rawjson.Value // the newest event, and the newest of a model
	snake        bool          // its names are those of Python
	before       float64       // the earliest time that a compaction covers, 0: none does
}

// readEvents looks for what is no history. Cost: linear.
func readEvents(l *list, now string) *events {
	log := &events{now: now, gone: map[int]bool{}, waits: map[string]bool{}, covered: map[int]int{}}
	var all []value
	begins := map[string]int{} // where an invocation begins
	for i, e := range l.elems {
		all = append(all, e)
		if id := invocation(e.Value); id != "" {
			if _, ok := begins[id]; !ok {
				begins[id] = i
			}
		}
		if author := e.Get("author"); author.Is(rawjson.String) {
			log.last = e.Value
			log.snake = log.snake || e.Get("invocation_id").Exists()
			if author.Text() != "user" {
				log.spoken = e.Value
			}
		}
	}
	covering, since := -1, math.Inf(1)
	for i := len(all) - 1; i >= 0; i-- {
		e := all[i]
		if !e.Exists() {
			continue
		}
		if to := either(e.Get("actions"), "rewindBeforeInvocationId", "rewind_before_invocation_id").Text(); to != "" {
			start, ok := begins[to]
			if !ok || start > i {
				start = i
			}
			for ; i > start; i-- {
				log.drop(all[i])
			}
			log.drop(all[i])
			continue
		}
		if _, start, ok := compaction(e.Value); ok {
			covering, since = i, math.Min(since, start)
			log.before = since
			continue
		}
		if at, ok := seconds(e.Get("timestamp")); ok && at >= since {
			log.drop(e)
			log.covered[i] = covering
		}
	}
	return log
}

func (log *events) drop(e value) {
	if e.Exists() {
		log.gone[e.from()] = true
	}
}

func invocation(v rawjson.Value) string {
	return either(v, "invocationId", "invocation_id").Text()
}

// noise reports whether an event is no history, or says nothing to a model: it
// has no content, or one without parts, or is a piece of an answer that came
// whole later.
func (log *events) noise(e value) bool {
	if !e.Is(rawjson.Object) {
		return false // that is told as a fault
	}
	if log.gone[e.from()] || e.Get("partial").Bool() {
		return true
	}
	if _, _, ok := compaction(e.Value); ok || e.Get("isCompacted").Bool() {
		return false
	}
	content := e.Get("content")
	parts := content.Get("parts")
	return !content.Exists() || content.Is(rawjson.Null) ||
		content.Is(rawjson.Object) && (!parts.Exists() || parts.Is(rawjson.Null) || parts.Is(rawjson.Array) && parts.Len() == 0)
}

// own gives what a compaction covers to its item.
func (log *events) own(l *list) {
	if len(log.covered) == 0 {
		return
	}
	items := make(map[int]int, len(l.first))
	for item, e := range l.first {
		items[e] = item
	}
	l.owner = make([]int, l.len())
	for e := range l.owner {
		l.owner[e] = -1
		if item, ok := items[log.covered[e]]; ok && log.covered[e] > e {
			l.owner[e] = item
		}
	}
}

// read reads an event, and notes the calls in it that wait for something outside
// of the loop.
func (log *events) read(v rawjson.Value) (transcript.Item, *fault) {
	for id := range either(v, "longRunningToolIds", "long_running_tool_ids").Elems() {
		if s := id.Text(); s != "" {
			log.waits[s] = true
		}
	}
	return readGemini(v)
}

// pending marks these calls. What came back at once is an interim result where
// another one came later, or where it says that it is pending.
func (log *events) pending(items []transcript.Item) {
	later := map[string]bool{}
	for i := len(items) - 1; i >= 0 && len(log.waits) > 0; i-- {
		for j := range items[i].Parts {
			p := &items[i].Parts[j]
			switch {
			case !log.waits[p.ID]:
			case p.Kind == transcript.Call:
				p.Pending = true
			case p.Kind == transcript.Result:
				p.Pending = later[p.ID] || interim(&items[i], p)
				later[p.ID] = true
			}
		}
	}
}

// interim reports whether a result says of itself that it is not the last.
func interim(it *transcript.Item, p *transcript.Part) bool {
	v, err := rawjson.Parse(it.Raw[p.BodyStart:p.BodyEnd])
	return err == nil && v.Get("status").Text() == "pending"
}
