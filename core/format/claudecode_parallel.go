package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// Parallel calls fork the tree: each result stands below the line of its own
// call, and the conversation goes on below one of them. The others are on no
// chain of parents, and belong to the history all the same.

// recovered is the chain with the lines of its answers that are not on it, and
// with the results of their calls, each behind what stands before it in the
// file. Lines from before the compaction never come back. Cost: linear.
func (h *session) recovered(chain []int) []int {
	on, first := map[int]bool{}, map[string]int{} // rows of the chain; the place in it where an answer begins
	answered := map[string]bool{}                 // calls whose results are on the chain
	for n, i := range chain {
		r := &h.rows[i]
		on[i] = true
		if _, ok := first[r.answer]; !ok && r.answer != "" {
			first[r.answer] = n
		}
		if r.results {
			for _, id := range resultIDs(r) {
				answered[id] = true
			}
		}
	}
	if len(first) == 0 {
		return chain
	}
	lost := map[int][]int{}   // rows to put back, by the place of their answer in the chain
	owner := map[int]string{} // the answer of a row
	found := false
	put := func(i int, answer string) {
		lost[first[answer]] = append(lost[first[answer]], i)
		on[i], found = true, true
	}
	for i := range h.rows {
		r := &h.rows[i]
		if _, ok := first[r.answer]; !ok || r.elem < h.behind() {
			continue
		}
		owner[i] = r.answer
		if !on[i] {
			put(i, r.answer)
		}
	}
	for i := range h.rows {
		r := &h.rows[i]
		if on[i] || !r.results {
			continue
		}
		if p, ok := h.at[r.parent]; ok && p >= 0 && owner[p] != "" && !repeated(r, answered) {
			put(i, owner[p])
		}
	}
	if !found {
		return chain
	}
	return h.merged(chain, lost)
}

// merged puts rows into the chain behind the place of their answer, in the order
// of the file, before whatever is neither of that answer nor a tool's.
func (h *session) merged(chain []int, lost map[int][]int) []int {
	out := make([]int, 0, len(chain)+len(lost))
	var waiting []int
	answer := ""
	for n, i := range chain {
		r := &h.rows[i]
		if r.said && !r.results && (r.answer == "" || r.answer != answer) {
			out, waiting = append(out, waiting...), nil
		}
		for len(waiting) > 0 && h.rows[waiting[0]].elem < r.elem {
			out, waiting = append(out, waiting[0]), waiting[1:]
		}
		out = append(out, i)
		if r.answer != "" {
			answer = r.answer
		}
		if more := lost[n]; len(more) > 0 {
			waiting = append(waiting, more...)
			slices.SortStableFunc(waiting, func(a, b int) int { return h.rows[a].elem - h.rows[b].elem })
		}
	}
	return append(out, waiting...)
}

func resultIDs(r *row) []string {
	var all []string
	for b := range r.v.Get("message").Get("content").Elems() {
		if id := b.Get("tool_use_id"); id.Is(rawjson.String) {
			all = append(all, id.Text())
		}
	}
	return all
}

// repeated reports whether the results of a row are there already: one of an
// attempt that was taken back. Those that are not are noted.
func repeated(r *row, answered map[string]bool) bool {
	fresh := false
	for _, id := range resultIDs(r) {
		fresh = fresh || !answered[id]
		answered[id] = true
	}
	return !fresh
}
