package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What a provider ignores of a history that came in: all that stands before a
// summary of its own making. It is no item, so that nothing counts it or folds it
// once more.

// ignored are elements of a list that the provider ignores as long as an item
// stands with its summary.
type ignored struct {
	elems []int // ascending, nil for none
	by    int   // that item
}

// ends reports whether an item holds a summary of its provider's own making.
func ends(it *transcript.Item) bool {
	return slices.ContainsFunc(it.Parts, func(p transcript.Part) bool { return p.Summary })
}

// dead are the items from:to, before the last one with a compaction block. The
// leading system messages stay: where a history has any, they are what becomes the
// request's own system.
func dead(items []transcript.Item) (from, to int) {
	to = len(items) - 1
	for to > 0 && !ends(&items[to]) {
		to--
	}
	for from < to && items[from].Role == transcript.System {
		from++
	}
	return from, max(from, to)
}

// live leaves out the items that are dead.
func (l *list) live(items []transcript.Item) []transcript.Item {
	from, to := dead(items)
	return l.ignore(items, to, func(i int) bool { return from <= i && i < to })
}

// liveSealed leaves out what a model wrote and what tools gave before the last
// compaction item: clients that append send all of it again, and the item stands
// for it. What others said (users, developers, tools that were declared) stays: it
// is what Codex keeps there, and the item does not hold it. So does a group that
// reaches behind the item, and whatever a reference may stand for.
func (l *list) liveSealed(items []transcript.Item) []transcript.Item {
	last := len(items) - 1
	for last > 0 && !sealedEnd(&items[last]) {
		last--
	}
	if last <= 0 {
		return items
	}
	group := transcript.Pair(&transcript.Transcript{Family: transcript.Responses, Items: items}).Group
	reaches := make([]bool, len(items)) // by group
	for _, g := range group[last:] {
		reaches[g] = true
	}
	return l.ignore(items, last, func(i int) bool {
		it := &items[i]
		return i < last && (it.Generated() || it.Role == transcript.Tool) && !it.Reference() && !reaches[group[i]]
	})
}

// sealedEnd reports whether an item is a compaction item that says something.
func sealedEnd(it *transcript.Item) bool {
	return (it.Type == "compaction" || it.Type == "compaction_summary") &&
		slices.ContainsFunc(it.Parts, func(p transcript.Part) bool { return p.Text != "" })
}

// ignore leaves out the items that gone names, all of them before item by.
func (l *list) ignore(items []transcript.Item, by int, gone func(i int) bool) []transcript.Item {
	var live []transcript.Item
	var first []int
	for i := range items {
		switch {
		case gone(i):
			if l.ignored.elems == nil {
				live = slices.Clone(items[:i])
				for j := range i {
					first = append(first, l.at(j))
				}
			}
			l.ignored.elems = append(l.ignored.elems, l.at(i))
		case l.ignored.elems != nil:
			if i == by {
				l.ignored.by = len(live)
			}
			live, first = append(live, items[i]), append(first, l.at(i))
		}
	}
	if l.ignored.elems == nil {
		return items
	}
	l.first = first
	return live
}

// stays reports whether the elements that are ignored stay so: where the item that
// makes it so goes, or its summary alone, they would come alive, and they go too.
func (g *ignored) stays(entries []transcript.Entry) bool {
	for i := range entries {
		if e := &entries[i]; e.From == g.by {
			return e.New == nil || ends(e.New) || e.New.Summary
		}
	}
	return false
}
