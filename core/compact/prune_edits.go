package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// How what pruning chose is carried out, item by item.

// finish makes the new items, and forgets all of them where they save too little.
func (pr *pruner) finish() {
	done := map[int]*cleared{}
	size := slices.Clone(pr.m.Items)
	gain := 0
	for i, edits := range pr.edits {
		if len(edits) == 0 {
			continue
		}
		slices.SortStableFunc(edits, func(a, b edit) int { return a.Part - b.Part })
		c := pr.carryOut(&pr.t.Items[i], edits)
		if c == nil || c.tokens >= size[i] {
			for _, e := range edits {
				pr.spare(NotSmaller, e.tokens)
			}
			continue
		}
		gain += size[i] - c.tokens
		done[i], size[i] = c, c.tokens
	}
	if gain > 0 && gain >= pr.tools.MinGain {
		pr.cleared, pr.size = done, size
		return
	}
	pr.unpruned = pr.idle(gain)
}

// carryOut makes the edits of one item. Where the format can not make all of
// them, those of one reason after the other, as many as it can.
func (pr *pruner) carryOut(it *transcript.Item, edits []edit) *cleared {
	out, ok := pr.change(it, edits)
	if !ok {
		if out, edits = pr.some(it, edits); len(edits) == 0 {
			return nil
		}
	}
	c := &cleared{item: out, why: foremost(edits)}
	// What a message says twice (reasoning, and reasoning_details with the same
	// text) is seen once, and the second when the first is gone.
	for range 3 {
		if !slices.ContainsFunc(edits, func(e edit) bool { return e.why == ReasoningDropped }) {
			break
		}
		if edits = pr.thoughts(&c.item); len(edits) == 0 {
			break
		}
		next, ok := pr.change(&c.item, edits)
		if !ok {
			break
		}
		c.item = next
	}
	c.tokens = tokens.Item(pr.t, &c.item, pr.counter)
	return c
}

// some makes the edits of as many reasons as the format can, and gives those.
func (pr *pruner) some(it *transcript.Item, edits []edit) (out transcript.Item, done []edit) {
	var made []Reason
	for _, why := range []Reason{ResultCleared, InputCleared, MediaCleared, ReasoningDropped} {
		try := make([]edit, 0, len(edits))
		for _, e := range edits {
			if e.why == why || slices.Contains(made, e.why) {
				try = append(try, e)
			}
		}
		if len(try) == len(done) {
			continue
		}
		if next, ok := pr.change(it, try); ok {
			out, done, made = next, try, append(made, why)
		}
	}
	return out, done
}

// foremost is the reason that the item is told by.
func foremost(edits []edit) Reason {
	for _, why := range []Reason{ResultCleared, InputCleared, MediaCleared} {
		if slices.ContainsFunc(edits, func(e edit) bool { return e.why == why }) {
			return why
		}
	}
	return ReasoningDropped
}

// change is the item with the edits made; false where the format can not make
// them, or where the item would be another one then: who speaks in it, what it
// calls and what it answers must stay.
func (pr *pruner) change(it *transcript.Item, edits []edit) (transcript.Item, bool) {
	list := make([]transcript.Edit, len(edits))
	for n, e := range edits {
		list[n] = e.Edit
	}
	out, ok := pr.t.Writer.WithParts(it, list)
	if !ok || out.Role != it.Role || out.RealUser() != it.RealUser() || out.Context != it.Context || out.Summary != it.Summary {
		return out, false
	}
	return out, slices.Equal(halvesOf(&out), halvesOf(it))
}

// half is a call or a result as its other half sees it.
type half struct {
	kind transcript.PartKind
	id   string
	name string
}

func halvesOf(it *transcript.Item) []half {
	var out []half
	for j := range it.Parts {
		if p := &it.Parts[j]; p.Kind == transcript.Call || p.Kind == transcript.Result {
			out = append(out, half{p.Kind, p.ID, p.Name})
		}
	}
	return out
}
