package format

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// past is a history, from its newest item back; nil is the empty one. It is
// never changed, so that what a roll back returns to costs one pointer, and the
// old form of compaction, which keeps the user messages only, another one.
type past struct {
	item   int // index in log.items
	line   int // index of the response_item line that holds it, -1 if no line does
	before *past
	users  *past // the real user messages of this history alone
	turn   *past // the newest item that begins a user turn
}

// push is the history p with one more item.
func (h *log) push(p *past, it *transcript.Item, line int) *past {
	next := &past{item: len(h.items), line: line, before: p}
	if p != nil {
		next.users, next.turn = p.users, p.turn
	}
	if startsTurn(it) {
		next.turn = next
	}
	if it.RealUser() && it.Type == "message" {
		u := &past{item: len(h.items), line: line, before: next.users}
		u.users, u.turn = u, u
		next.users = u
	}
	h.items = append(h.items, *it)
	return next
}

// history is the items of the effective history, oldest first, and their lines.
func (h *log) history() (items []transcript.Item, lines []int) {
	n, plain := 0, true
	for p := h.now; p != nil; p = p.before {
		n++
	}
	lines = make([]int, n)
	i := n
	for p := h.now; p != nil; p = p.before {
		i--
		lines[i] = p.line
		plain = plain && p.item == i
	}
	if plain { // no compaction and no roll back: all that was read
		return h.items[:n:n], lines
	}
	items = make([]transcript.Item, n)
	for p := h.now; p != nil; p = p.before {
		n--
		items[n] = h.items[p.item]
	}
	return items, lines
}

// log is what the lines of a rollout come to: the history that the CLI would
// resume with.
type log struct {
	items   []transcript.Item // all that were read
	now     *past             // the effective history
	meta    value             // first session_meta line
	context value             // newest turn_context line
	metaAt  int               // their indices, -1 for none
	ctxAt   int

	window window        // the one that the history is in
	tokens rawjson.Value // the newest token_count with an info, Invalid for none

	turns   []*past // the history before each user turn that can be rolled back
	start   *past   // the history at the last task_started
	started bool    // start is set
	bare    bool    // lines are items themselves
	counted bool    // a user turn was counted since

	reported rawjson.Value // the newest token_count that says something of this history
	sized    *past         // the history at that line

	left []transcript.Defect // lines that are skipped

	lines, compacted, rolledBack, ghosts, unkept, unknown, malformed int
}

// replay reads the lines forward. A line that can not be read, or whose payload
// can not, is counted and skipped, as the CLI does. Cost: linear.
func replay(l *list) *log {
	n := 0
	for _, v := range l.elems {
		if str(v, "type") == "response_item" {
			n++
		}
	}
	h := &log{metaAt: -1, ctxAt: -1, items: make([]transcript.Item, 0, n)}
	_, sign := bareLines(l)
	h.bare = sign != ""
	for i, v := range l.elems {
		if !v.Exists() {
			h.malformed++
			continue
		}
		payload := v.Get("payload")
		kind := rolloutType(v)
		if kind == "" && h.bare {
			kind, payload = bareType(v), v.Value
		}
		if kind != "" {
			h.lines++
		}
		switch kind {
		case "session_meta":
			if h.metaAt < 0 {
				h.meta, h.metaAt = v, i
				h.window.begin(payload)
			}
		case "turn_context":
			h.context, h.ctxAt = v, i
		case "response_item":
			h.item(payload, i, l.place(i))
		case "inter_agent_communication":
			h.agent(payload, l.place(i))
		case "compacted":
			h.compact(payload, l.place(i))
		case "event_msg":
			h.event(payload, l.place(i))
		case "":
			h.unknown++
		}
	}
	return h
}

func (h *log) item(payload rawjson.Value, line int, path string) {
	if payload.Get("type").Text() == "ghost_snapshot" {
		h.ghosts++
		return
	}
	if !keeps(payload) {
		h.unkept++
		return
	}
	it, f := readResponses(payload)
	if f != nil {
		h.leave(path, "is no item that can be read ("+strings.TrimPrefix(f.path, ".")+" "+f.msg+")")
		return
	}
	it.Raw, it.Path = payload.Raw(), path
	if startsTurn(&it) {
		h.turn()
	}
	h.now = h.push(h.now, &it, line)
}

// startsTurn reports whether an item begins a user turn: a message of another
// agent, or a user message that no harness wrote.
func startsTurn(it *transcript.Item) bool {
	return it.Type == "agent_message" || it.Type == "message" && it.RealUser()
}

// turn notes that a user turn begins. With task_started lines a turn is all
// that follows one of them, else it begins at the item, with the contextual
// messages directly above it.
func (h *log) turn() {
	if h.started {
		if !h.counted {
			h.turns = append(h.turns, h.start)
		}
		h.counted = true
		return
	}
	before := h.now
	for before != nil && above(&h.items[before.item]) {
		before = before.before
	}
	h.turns = append(h.turns, before)
}

// above reports whether an item directly above a user message belongs to its
// turn: developer messages and what a harness wrote.
func above(it *transcript.Item) bool {
	return it.Role == transcript.Developer || it.Role == transcript.User && it.Fragment && !startsTurn(it)
}

func (h *log) event(payload rawjson.Value, path string) {
	switch payload.Get("type").Text() {
	case "task_started", "turn_started":
		h.start, h.started, h.counted = h.now, true, false
	case "token_count":
		if payload.Get("info").Is(rawjson.Object) {
			h.tokens, h.reported, h.sized = payload, payload, h.now
		}
	case "thread_rolled_back":
		if n, ok := payload.Get("num_turns").Int(); ok && n > 0 {
			h.rollBack(n)
		} else {
			h.leave(path, "rolls back no number of turns")
		}
	}
}

// rollBack drops the newest n user turns. Where fewer are known, the rest are
// taken off the history itself, from its user messages on.
func (h *log) rollBack(n int) {
	h.started = false
	h.reported, h.sized = rawjson.Value{}, nil
	for ; n > 0 && len(h.turns) > 0; n-- {
		h.now = h.turns[len(h.turns)-1]
		h.turns = h.turns[:len(h.turns)-1]
		h.rolledBack++
	}
	for ; n > 0 && h.now != nil && h.now.turn != nil; n-- {
		h.now = h.now.turn.before
		h.rolledBack++
	}
}

// compact starts the history anew: with the items that the line holds, or, in
// its old form, with the real user messages so far and the summary (all of
// them: the CLI's budget of 20,000 tokens for them is the policy's affair). A
// line whose items or whose metadata can not be read is skipped, so that the
// thread goes on uncompacted, as in the CLI.
func (h *log) compact(payload rawjson.Value, path string) {
	items := payload.Get("replacement_history")
	metadata := payload.Get("replacement_history_metadata")
	if metadata.Is(rawjson.Array) && metadata.Len() != items.Len() {
		h.leave(path, fmt.Sprintf("is a compacted line with %d entries of replacement_history_metadata for %d items", metadata.Len(), items.Len()))
		return
	}
	var fresh *past
	switch items.Kind() {
	case rawjson.Array:
		i := -1
		for v := range items.Elems() {
			i++
			if v.Get("type").Text() == "ghost_snapshot" {
				h.ghosts++
				continue
			}
			if !keeps(v) {
				h.unkept++
				continue
			}
			it, f := readResponses(v)
			if f != nil {
				h.leave(path, fmt.Sprintf("is a compacted line whose replacement_history[%d] can not be read", i))
				return
			}
			it.Raw, it.Path = v.Raw(), path+".payload.replacement_history["+strconv.Itoa(i)+"]"
			fresh = h.push(fresh, &it, -1)
		}
	case rawjson.Invalid, rawjson.Null:
		if h.now != nil {
			fresh = h.now.users
		}
		if text := payload.Get("message").Text(); text != "" {
			it := responsesWriter().Message(transcript.User, text)
			it.Summary, it.Fragment, it.Context = true, false, ""
			it.Path = path + ".payload.message"
			fresh = h.push(fresh, &it, -1)
		}
	default:
		h.leave(path, "is a compacted line whose replacement_history is "+items.Kind().String())
		return
	}
	h.now = fresh
	h.reported, h.sized = rawjson.Value{}, nil
	h.compacted++
	h.window.next(payload)
}
