package tokens

// maxParts is the number of parts up to which a piece is merged at once by
// looking through all pairs for the lowest rank.
const maxParts = 64

// merge joins the first n parts of w.ids until no pair joins, and gives how many
// are left. Each round joins all pairs of the lowest rank, from the left: a join
// only ever makes pairs of a higher rank than its own, so that the next pair of
// the same rank, if it does not overlap, is next in order as well. A run of one
// letter so takes as many rounds as its tokens have doublings.
func (w *worker) merge(n int) int {
	t, ids, ranks := &w.e.pairs, &w.ids, &w.ranks
	if n > maxParts {
		n = maxParts // never: callers keep to it; it tells the compiler
	}
	for i := 0; i+1 < n; i++ {
		ranks[i] = t.join(ids[i], ids[i+1])
	}
	for n > 1 {
		w.steps += n
		ranks[n-1] = apart
		best, at, last := lowest(ranks[:n])
		if best == apart {
			break
		}
		if at != last {
			n = w.joinAll(at, n, best)
			continue
		}
		// One pair alone, as nearly always.
		n--
		for i := at; i < n; i++ {
			ids[i&(maxParts-1)], ranks[i&(maxParts-1)] = ids[(i+1)&(maxParts-1)], ranks[(i+1)&(maxParts-1)]
		}
		ids[at] = best
		if at > 0 {
			ranks[at-1] = t.join(ids[at-1], best)
		}
		if at+1 < n {
			ranks[at] = t.join(best, ids[at+1])
		}
	}
	return n
}

// lowest is the lowest of the ranks, with the first and last place that has it.
func lowest(ranks []uint32) (best uint32, first, last int) {
	best = apart
	for i, r := range ranks {
		if r > best {
			continue
		}
		if r < best {
			best, first = r, i
		}
		last = i
	}
	return best, first, last
}

// joinAll joins every pair of the given rank among the n parts, the first of
// which is at, and gives the number of parts left.
func (w *worker) joinAll(at, n int, rank uint32) int {
	t, ids, ranks := &w.e.pairs, &w.ids, &w.ranks
	to, fresh := at, false // whether the part before to is new, so that its pair is to be looked up
	for from := at; from < n; to++ {
		joined := ranks[from&(maxParts-1)] == rank
		id, pair := ids[from&(maxParts-1)], ranks[from&(maxParts-1)]
		if joined {
			id, pair = rank, ranks[(from+1)&(maxParts-1)]
			from++
		}
		from++
		if (joined || fresh) && to > 0 {
			ranks[(to-1)&(maxParts-1)] = t.join(ids[(to-1)&(maxParts-1)], id)
		}
		ids[to&(maxParts-1)], ranks[to&(maxParts-1)] = id, pair
		fresh = joined
	}
	return to
}
