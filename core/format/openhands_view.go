package format

import (
	"slices"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// A condensation is an event that names the events which the model is shown no
// more, and may hold a summary of them with its place in what is left. The SDK
// carries them out one after the other. The server looks at all of them at once:
// what any of them names is forgotten, and the last summary stands for it all.

// maxCondensations is the longest chain that is followed: each costs a look at
// all events before it. Long sessions have some dozens.
const maxCondensations = 1000

// openhandsEntry is one place of the view.
type openhandsEntry struct {
	item transcript.Item
	id   string
	elem int // -1 for a summary
	gone bool
}

// openhandsView is the effective history.
type openhandsView struct {
	writer        openhandsWriter
	entries       []*openhandsEntry
	byID          map[string][]*openhandsEntry
	condensations int

	// The server's: what its condensations name, and the last summary.
	ids      map[string]bool
	ranges   []span
	summary  *transcript.Item
	offset   int    // -1: at the end
	counted  []bool // events that its offset counts: true is one in entries
	lookedAt []string
}

// openhandsCondenses reports whether an event is a condensation.
func openhandsCondenses(e value) bool {
	switch str(e, "kind") {
	case "Condensation", "CondensationEvent":
		return true
	case "":
		return str(e, "action") == "condensation"
	}
	return false
}

// push adds an item of the history.
func (v *openhandsView) push(it transcript.Item, elem int, e value) {
	entry := &openhandsEntry{item: it, id: openhandsNumber(e.Get("id")), elem: elem}
	v.entries = append(v.entries, entry)
	if v.byID == nil {
		v.byID = map[string][]*openhandsEntry{}
	}
	if entry.id != "" {
		v.byID[entry.id] = append(v.byID[entry.id], entry)
	}
	v.counted, v.lookedAt = append(v.counted, true), append(v.lookedAt, entry.id)
}

// pass notes an event that is no item. What the server recalls for a message
// counts for the place of a summary all the same.
func (v *openhandsView) pass(e value) {
	if str(e, "action") == "recall" || str(e, "observation") == "recall" {
		v.counted, v.lookedAt = append(v.counted, false), append(v.lookedAt, openhandsNumber(e.Get("id")))
	}
}

// condense carries out a condensation. False where there are too many of them.
func (v *openhandsView) condense(e value, elem int, path string) bool {
	v.condensations++
	if v.condensations > maxCondensations {
		return false
	}
	if e.Get("action").Is(rawjson.String) {
		v.server(e.get("args"), path)
		return true
	}
	for id := range e.Get("forgotten_event_ids").Elems() {
		for _, entry := range v.byID[openhandsNumber(id)] {
			entry.gone = true
		}
	}
	v.compact()
	offset, ok := e.Get("summary_offset").Int()
	if text, has := e.Get("summary").Str(); has && ok && offset >= 0 {
		id := openhandsNumber(e.Get("id")) + "-summary"
		it := v.writer.condensed(text, id)
		it.Path = path + ".summary"
		entry := &openhandsEntry{item: it, id: id, elem: -1}
		v.entries = slices.Insert(v.entries, min(offset, len(v.entries)), entry)
		if v.byID == nil {
			v.byID = map[string][]*openhandsEntry{}
		}
		v.byID[id] = append(v.byID[id], entry)
	}
	return true
}

func (v *openhandsView) compact() {
	v.entries = slices.DeleteFunc(v.entries, func(e *openhandsEntry) bool { return e.gone })
}

// server notes a condensation of the server; the first versions say pruned.
func (v *openhandsView) server(args value, path string) {
	if v.ids == nil {
		v.ids = map[string]bool{}
	}
	for _, word := range []string{"forgotten", "pruned"} {
		for id := range args.Get(word + "_event_ids").Elems() {
			v.ids[openhandsNumber(id)] = true
		}
		from, okFrom := args.Get(word + "_events_start_id").Int()
		to, okTo := args.Get(word + "_events_end_id").Int()
		if okFrom && okTo && from <= to {
			v.ranges = append(v.ranges, span{from, to})
		}
	}
	if text, ok := args.Get("summary").Str(); ok {
		it := v.writer.condensed(text, "")
		it.Path = path + ".args.summary"
		v.summary, v.offset = &it, -1
		if n, ok := args.Get("summary_offset").Int(); ok && n >= 0 {
			v.offset = n
		}
	}
}

// finish carries out the server's condensations, and says of the places what is
// gone. It gives the number of events that are forgotten.
func (v *openhandsView) finish(places []openhandsPlace) int {
	if v.ids != nil {
		v.forget()
	}
	stays := make([]bool, len(places))
	for _, e := range v.entries {
		if e.elem >= 0 {
			stays[e.elem] = true
		}
	}
	forgotten := 0
	for i, p := range places {
		if p == openhandsShown && !stays[i] {
			places[i] = openhandsGone
			forgotten++
		}
	}
	return forgotten
}

func (v *openhandsView) forget() {
	ranges := joinedSpans(v.ranges)
	gone := func(id string) bool {
		if v.ids[id] {
			return true
		}
		n, err := strconv.Atoi(id)
		if err != nil {
			return false
		}
		i, _ := slices.BinarySearchFunc(ranges, n, func(s span, n int) int { return s.to - n })
		return i < len(ranges) && ranges[i].from <= n
	}
	// The place of the summary counts recalled knowledge, which is no item here.
	at, before := 0, 0
	for i, shown := range v.counted {
		if gone(v.lookedAt[i]) {
			continue
		}
		if before++; before > v.offset {
			break
		}
		if shown {
			at++
		}
	}
	for _, e := range v.entries {
		e.gone = gone(e.id)
	}
	v.compact()
	if v.summary == nil {
		return
	}
	if v.offset < 0 || at > len(v.entries) {
		at = len(v.entries)
	}
	v.entries = slices.Insert(v.entries, at, &openhandsEntry{item: *v.summary, elem: -1})
}

// joinedSpans are closed ranges in order, those that touch joined.
func joinedSpans(ranges []span) []span {
	slices.SortStableFunc(ranges, func(a, b span) int { return a.from - b.from })
	var out []span
	for _, r := range ranges {
		if n := len(out); n > 0 && r.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, r.to)
			continue
		}
		out = append(out, r)
	}
	return out
}
