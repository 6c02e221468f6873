package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// piEntry is one entry of a session.
type piEntry struct {
	value
	n      int    // its number among the entries
	line   int    // its element of the list
	loaded int    // its number among the lines that can be read, from 0
	kind   string // its type
	id     string
	parent string // "" for a root
	// payload is what it says to the model, and item that read: a message, the
	// content of a custom message, a summary. Invalid for all other entries.
	payload rawjson.Value
	item    transcript.Item
	stands  bool // a compaction that says nothing: an empty one, or one of ours
}

// sends reports whether the entry is a message for the model wherever it stands
// on the way: a compaction is one only where it is the last.
func (e *piEntry) sends() bool { return e.payload.Exists() && e.kind != "compaction" }

// piLog is a session as pi loads it.
type piLog struct {
	entries []piEntry
	byID    map[string]int
	linear  bool        // version 1: entries have no ids, each follows the one before
	path    []int       // from the root to the leaf
	place   map[int]int // the place in path of an entry
	// boundary is the place in path of the last compaction or reset, -1 for none.
	boundary int
	loaded   int // lines that can be read

	header                                      int // element of the list, -1 for none
	time                                        rawjson.Value
	stamp                                       int64 // the newest time of a message
	known, unknown, malformed, compactions, off int
}

// readPiLog reads the lines. A line that can not be read is skipped, as pi does.
func readPiLog(l *list) *piLog {
	p := &piLog{byID: map[string]int{}, boundary: -1, header: -1}
	version, headed := 1, false
	for i, v := range l.elems {
		if !v.Exists() {
			p.malformed++
			continue
		}
		p.loaded++
		if piKind(v) != "" {
			p.known++
		}
		if at := v.Get("timestamp"); at.Is(rawjson.String) {
			p.time = at
		}
		kind := str(v, "type")
		if kind == "session" {
			if p.header < 0 {
				p.header, headed = i, true
				if n, ok := v.Get("version").Int(); ok {
					version = n
				}
			}
			continue
		}
		if kind == "" || !v.Is(rawjson.Object) {
			p.unknown++
			continue
		}
		e := piEntry{value: v, n: len(p.entries), line: i, loaded: p.loaded - 1, kind: kind, id: str(v, "id"), parent: str(v, "parentId")}
		p.payload(&e)
		p.entries = append(p.entries, e)
	}
	p.linear = version < 2 && (headed || !slices.ContainsFunc(p.entries, func(e piEntry) bool { return e.id != "" }))
	if p.linear {
		for i := range p.entries {
			p.path = append(p.path, i)
		}
	} else {
		p.tree()
	}
	p.place = make(map[int]int, len(p.path))
	for n, at := range p.path {
		p.place[at] = n
	}
	p.bound()
	return p
}

// payload reads what an entry says to the model.
func (p *piLog) payload(e *piEntry) {
	switch e.kind {
	case "message":
		m := e.Get("message")
		if m.Get("excludeFromContext").Bool() {
			return
		}
		e.payload = m
		if at, ok := m.Get("timestamp").Int(); ok {
			p.stamp = max(p.stamp, int64(at))
		}
	case "custom_message":
		e.payload = e.Get("content")
	case "compaction", "branch_summary":
		if s := e.Get("summary"); s.Is(rawjson.String) && (e.kind == "compaction" || s.Text() != "") {
			e.payload = s
			e.stands = e.kind == "compaction" && (s.Text() == piStands || s.Text() == "")
		}
	}
	if !e.payload.Exists() {
		return
	}
	it, f := readPi(e.payload)
	if f != nil {
		p.malformed++
		e.payload = rawjson.Value{}
		return
	}
	e.item = piItem(it, e.kind)
	if e.kind == "message" {
		e.item.ID = e.id
	}
}

// tree finds the way from the root to the leaf. An entry without an id can not
// be on it. OpenClaw marks the leaf with entries of type leaf, lets side entries
// leave it where it is, and what is appended behind such goes on from the leaf
// whatever its parentId says.
func (p *piLog) tree() {
	parents := make([]int, len(p.entries))
	leaf, last := "", "" // the leaf, and what the next entry is appended to
	for i := range p.entries {
		e := &p.entries[i]
		parents[i] = -1
		if e.id == "" {
			p.unknown++
			continue
		}
		if e.kind != "leaf" {
			p.off++
		}
		p.byID[e.id] = i
	}
	for i := range p.entries {
		e := &p.entries[i]
		if e.id == "" {
			continue
		}
		from := e.parent
		switch {
		case e.kind == "leaf":
			target := str(e.value, "targetId")
			from, leaf, last = target, target, target
			if more := e.Get("appendParentId"); more.Exists() {
				last = more.Text()
			}
		case str(e.value, "appendMode") == "side":
			last = e.id
		default:
			if leaf != last && e.parent == last {
				from = leaf
			}
			leaf, last = e.id, e.id
		}
		if at, ok := p.byID[from]; ok && from != "" {
			parents[i] = at
		}
	}
	at, ok := p.byID[leaf]
	if leaf == "" || !ok {
		at = -1
	}
	seen := make([]bool, len(p.entries))
	for ; at >= 0 && !seen[at]; at = parents[at] {
		seen[at] = true
		if p.entries[at].kind != "leaf" {
			p.path = append(p.path, at)
		}
	}
	slices.Reverse(p.path)
	p.off -= len(p.path)
}

// bound finds the entry that the history starts at.
func (p *piLog) bound() {
	for n, at := range p.path {
		switch e := &p.entries[at]; {
		case e.kind == "compaction" && e.payload.Exists():
			p.compactions++
			p.boundary = n
		case e.kind == "reset":
			p.boundary = n
		}
	}
}

// history is the entries that the model sees: the summary of the last
// compaction, what it kept, and all behind it. A reset of OpenClaw keeps
// messages only, and has no summary.
func (p *piLog) history() []int {
	if p.boundary < 0 {
		return p.sent(p.path)
	}
	b := &p.entries[p.path[p.boundary]]
	var out []int
	if b.kind == "compaction" && !b.stands {
		out = append(out, p.path[p.boundary])
	}
	if from := p.firstKept(b); from >= 0 {
		for _, at := range p.sent(p.path[from:p.boundary]) {
			if b.kind == "compaction" || p.entries[at].kind == "message" {
				out = append(out, at)
			}
		}
	}
	return append(out, p.sent(p.path[p.boundary+1:])...)
}

// sent are the entries of a part of the way that say something to the model.
func (p *piLog) sent(path []int) []int {
	var out []int
	for _, at := range path {
		if p.entries[at].sends() {
			out = append(out, at)
		}
	}
	return out
}

// firstKept is the place in path of the first entry that a boundary kept, -1 for
// none before it.
func (p *piLog) firstKept(b *piEntry) int {
	return slices.IndexFunc(p.path[:p.boundary], func(at int) bool {
		e := &p.entries[at]
		if p.linear {
			n, ok := b.Get("firstKeptEntryIndex").Int()
			return ok && e.loaded == n
		}
		return e.id != "" && e.id == str(b.value, "firstKeptEntryId")
	})
}

// piModel is a model as an entry names it.
type piModel struct{ provider, id string }

// model is the one that a way ends with: of its last change or answer.
func (p *piLog) model(path []int) piModel {
	for _, at := range slices.Backward(path) {
		e := &p.entries[at]
		switch m := e.Get("message"); {
		case e.kind == "model_change":
			return piModel{str(e.value, "provider"), str(e.value, "modelId")}
		case e.kind == "message" && m.Get("role").Text() == "assistant" && m.Get("model").Text() != "":
			return piModel{m.Get("provider").Text(), m.Get("model").Text()}
		}
	}
	return piModel{}
}
