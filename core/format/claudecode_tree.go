package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// row is a line of a session that has a uuid: a node of its tree.
type row struct {
	elem    int // index in the list
	v       value
	kind    string
	uuid    string
	parent  string
	side    bool   // of a sub-agent
	agent   string // which one
	answer  string // assistant: the id of the API's message
	said    bool   // it holds a message
	results bool   // user: nothing but results of tools
}

// boundary reports whether a compaction begins the history anew here.
func (r *row) boundary() bool {
	return r.kind == "system" && str(r.v, "subtype") == boundarySubtype
}

// session is the tree of a log.
type session struct {
	rows   []row
	at     map[string]int // the row of a uuid; none for a uuid that is no id
	linked bool           // some line names another one as its parent
	side   bool           // it is that of a sub-agent as a whole
	cut    int            // the row of the boundary that the history begins behind, -1 for none

	boundaries, off, sidechain, doubled, malformed int
}

// readSession reads the lines. A line that stands twice (a session that was
// resumed writes its lines anew) counts once; where its copies differ the last
// one counts, as in the CLI. Cost: linear.
func readSession(l *list) *session {
	h := &session{at: map[string]int{}, cut: -1}
	for i, v := range l.elems {
		if !v.Is(rawjson.Object) {
			h.malformed++
			continue
		}
		r := readRow(i, v)
		if (r.kind == "user" || r.kind == "assistant") && (r.uuid == "" || !r.said) {
			h.malformed++
		}
		if r.uuid == "" {
			continue
		}
		if r.uuid == r.parent {
			h.at[r.uuid] = -1 // a line can not stand below itself: what it calls a uuid is none
		}
		if known, ok := h.at[r.uuid]; ok && known >= 0 {
			h.doubled++
			r.elem = h.rows[known].elem
			h.rows[known] = r
			continue
		} else if !ok {
			h.at[r.uuid] = len(h.rows)
		}
		h.rows = append(h.rows, r)
	}
	for i := range h.rows {
		if p, ok := h.at[h.rows[i].parent]; ok && p >= 0 {
			h.linked = true
			break
		}
	}
	return h
}

func readRow(i int, v value) row {
	r := row{elem: i, v: v, kind: str(v, "type"), uuid: str(v, "uuid"), parent: str(v, "parentUuid"), agent: str(v, "agentId"), side: v.Get("isSidechain").Bool()}
	message := v.Get("message")
	switch r.kind {
	case "user":
		r.said = message.Is(rawjson.Object)
		content := message.Get("content")
		r.results = content.Len() > 0
		for b := range content.Elems() {
			r.results = r.results && b.Get("type").Text() == "tool_result"
		}
	case "assistant":
		r.said = message.Is(rawjson.Object)
		r.answer = message.Get("id").Text()
	case "attachment":
		r.said = prompt(v).Exists()
	}
	return r
}

// prompt is what somebody typed while the agent worked, which the CLI sends as
// a message of its own; Invalid for all other attachments.
func prompt(v value) rawjson.Value {
	a := v.Get("attachment")
	if p := a.Get("prompt"); a.Get("type").Text() == "queued_command" && (p.Is(rawjson.String) || p.Is(rawjson.Array)) {
		return p
	}
	return rawjson.Value{}
}

// history are the rows of the effective history, in order: the chain of parents
// from the last message back to the newest boundary, and the parallel calls and
// results beside it. A file of nothing but a sub-agent's lines is that agent's
// session.
func (h *session) history() []int {
	h.side = !slices.ContainsFunc(h.rows, func(r row) bool { return r.said && !r.side })
	leaf, newest := -1, -1
	for i := range h.rows {
		switch r := &h.rows[i]; {
		case r.side && !h.side:
			if r.said {
				h.sidechain++
			}
		case r.boundary():
			h.boundaries++
			leaf, newest = i, i
		case r.said:
			leaf = i
		}
	}
	if leaf < 0 {
		return nil
	}
	links := h.links()
	kept := h.relink(links, newest)
	if n := len(kept); n > 0 && (leaf == newest || leaf == h.anchor(newest)) {
		leaf = kept[n-1]
	}
	chain := h.recovered(h.walk(links, leaf))
	h.off = h.elsewhere(chain)
	return chain
}

// elsewhere counts the messages behind the cut that are not on the chain.
func (h *session) elsewhere(chain []int) int {
	on := make([]bool, len(h.rows))
	for _, i := range chain {
		on[i] = true
	}
	n := 0
	for i := range h.rows {
		if r := &h.rows[i]; r.said && !on[i] && r.elem >= h.behind() && (h.side || !r.side) {
			n++
		}
	}
	return n
}

// behind is where the lines behind the cut begin.
func (h *session) behind() int {
	if h.cut < 0 {
		return 0
	}
	return h.rows[h.cut].elem + 1
}

// links are the parents of all rows, -1 for none. Where a parent is not in the
// file (it was filtered, or it has no uuid of its own), and in a file in which
// no line names its parent, it is the line before.
func (h *session) links() []int {
	type branch struct {
		side  bool
		agent string
	}
	before := map[branch]int{}
	links := make([]int, len(h.rows))
	for i := range h.rows {
		r := &h.rows[i]
		of := branch{r.side, r.agent}
		links[i] = -1
		if p, ok := h.at[r.parent]; ok && p >= 0 && p != i {
			links[i] = p
		} else if at, ok := before[of]; ok && !r.boundary() && (r.parent != "" || !h.linked) {
			links[i] = at
		}
		before[of] = i
	}
	return links
}

// walk is the chain from a leaf back to the boundary, in order, without that.
func (h *session) walk(links []int, leaf int) []int {
	var chain []int
	seen := make([]bool, len(h.rows))
	for i := leaf; i >= 0 && !seen[i]; i = links[i] {
		if h.rows[i].boundary() {
			h.cut = i
			break
		}
		seen[i] = true
		chain = append(chain, i)
	}
	slices.Reverse(chain)
	return chain
}

// anchor is the row below which the messages stand that a compaction preserved,
// -1 where it names none.
func (h *session) anchor(boundary int) int {
	if boundary < 0 {
		return -1
	}
	meta := h.rows[boundary].v.Get("compactMetadata")
	for _, key := range []string{"preservedMessages", "preservedSegment"} {
		if p, ok := h.at[meta.Get(key).Get("anchorUuid").Text()]; ok && p >= 0 {
			return p
		}
	}
	return -1
}

// relink puts the messages that the newest compaction preserved below its
// summary, where the CLI leaves them standing above the boundary: each below
// the one before it, and below the last of them what stood below the summary or
// below a message that is folded. It gives them in order, nil where there are
// none or not all are there.
func (h *session) relink(links []int, newest int) []int {
	anchor := h.anchor(newest)
	if anchor < 0 {
		return nil
	}
	kept := h.preserved(h.rows[newest].v.Get("compactMetadata"), links)
	if len(kept) == 0 {
		return nil
	}
	last := kept[len(kept)-1]
	on := map[int]bool{}
	for _, i := range kept {
		on[i] = true
	}
	folded := func(i int) bool { return i >= 0 && h.rows[i].elem < h.rows[newest].elem && !on[i] }
	for i, p := range links {
		if !on[i] && (p == anchor || folded(p) && h.rows[i].said) {
			links[i] = last
		}
	}
	at := anchor
	for _, i := range kept {
		links[i], at = at, i
	}
	return kept
}

// preserved are the rows that a compaction names: a list of them, or in its
// older form the first and the last of a chain.
func (h *session) preserved(meta rawjson.Value, links []int) []int {
	var kept []int
	if list := meta.Get("preservedMessages").Get("uuids"); list.Is(rawjson.Array) {
		seen := map[int]bool{}
		for u := range list.Elems() {
			i, ok := h.at[u.Text()]
			if !ok || i < 0 || seen[i] {
				return nil
			}
			seen[i] = true
			kept = append(kept, i)
		}
		return kept
	}
	segment := meta.Get("preservedSegment")
	head, okHead := h.at[segment.Get("headUuid").Text()]
	tail, okTail := h.at[segment.Get("tailUuid").Text()]
	if !okHead || !okTail || head < 0 || tail < 0 {
		return nil
	}
	seen := make([]bool, len(h.rows))
	for i := tail; i >= 0 && !seen[i]; i = links[i] {
		seen[i] = true
		kept = append(kept, i)
		if i == head {
			slices.Reverse(kept)
			return kept
		}
	}
	return nil
}
