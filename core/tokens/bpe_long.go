package tokens

// merged is a text as tokens: what they are, the rank of each with the one after
// it, and where each ends, from the beginning of what was merged.
type merged struct {
	ids, ranks []uint32
	ends       []int
}

const (
	windowBytes = 16 // the shortest window; it grows where tokens are long
	// windowRounds is after how many rounds a window of many parts is left to the
	// heap. Runs of the same few characters take far fewer.
	windowRounds = 48
)

// windows counts a long piece a window at a time, so that the work is linear in
// its length. A list of tokens is what merging gives if and only if each two
// neighbours are: if no merge across their seam comes before those that made
// them. So a window is merged alone, what is well inside of it is kept, and the
// next one begins behind that. The seam between the two holds if the next window
// begins with the token that already followed in the first, else it is tried.
// Where it does not hold, the first window was too short, and is done again with
// twice the length; that fails nowhere in practice, but then all is merged at once.
func (w *worker) windows(s string) int {
	type place struct {
		from, last, follow int // next window; the token before it; the end of the one after
		total, out         int
	}
	begin := place{out: len(w.out)}
	at, back := begin, begin
	size, failed := windowBytes, 0
	win, before, sound := &w.wins[0], "", twoTokens{}
	for {
		to := min(at.from+size, len(s))
		// What repeats is merged once: the tokens of a window depend on it alone.
		if seen := s[at.from:to]; seen != before {
			w.merges(win, s, at.from, to)
			before = seen
		}
		if at.from > 0 && at.from+win.ends[0] != at.follow && !w.seam(&sound, s[at.last:at.from+win.ends[0]], at.from-at.last) {
			size *= 2
			failed = max(failed, at.from)
			if at == back {
				back, size = begin, len(s)
			}
			at = back
			w.out = w.out[:at.out]
			continue
		}
		n := len(win.ends)
		if to == len(s) {
			if w.emit {
				w.writeAll(win.ids)
			}
			return at.total + n
		}
		keep := 0
		for keep < n-1 && win.ends[keep] <= size-size/4 {
			keep++
		}
		if keep == 0 || win.ends[keep-1] < size/4 {
			size *= 2
			continue
		}
		back = at
		at.last = at.from
		if keep > 1 {
			at.last = at.from + win.ends[keep-2]
		}
		at.from, at.follow = at.from+win.ends[keep-1], at.from+win.ends[keep]
		at.total += keep
		if w.emit {
			w.writeAll(win.ids[:keep])
		}
		at.out = len(w.out)
		// Short tokens again: back to short windows, but not where those failed.
		if keep >= 8 && at.from > failed {
			size = max(windowBytes, size/2)
		}
	}
}

// twoTokens are the bytes of two tokens, and where the first ends.
type twoTokens struct {
	s   string
	mid int
}

// seam reports whether two tokens stay two. It remembers the last that did.
func (w *worker) seam(sound *twoTokens, s string, mid int) bool {
	try := twoTokens{s, mid}
	if *sound == try {
		return true
	}
	win := &w.wins[1]
	w.merges(win, s, 0, len(s))
	if len(win.ends) != 2 || win.ends[0] != mid {
		return false
	}
	*sound = try
	return true
}

// merges merges s[from:to] as if it stood alone.
func (w *worker) merges(m *merged, s string, from, to int) {
	t := &w.e.pairs
	n := to - from
	if cap(m.ids) < n {
		m.ids, m.ranks, m.ends = make([]uint32, 2*n), make([]uint32, 2*n), make([]int, 2*n)
	}
	ids, ranks, ends := m.ids[:n], m.ranks[:n], m.ends[:n]
	left := leftEdge
	var chars *charTable
	n = 0
	for i := from; i < to; {
		c := s[i]
		if c < 0x80 {
			i++
			ids[n], ends[n] = t.ofByte[c], i-from
			n++
			left = 1 << leftShift
			continue
		}
		if chars == nil {
			chars = w.e.characters()
		}
		id, size := chars.at(s, i, to, left)
		if id != 0 {
			ids[n], ends[n] = id, i+size-from
			n++
		} else {
			for k := i; k < i+size; k++ {
				ids[n], ends[n] = t.ofByte[s[k]], k+1-from
				n++
			}
		}
		left = leftBit(c)
		i += size
	}
	for i := 1; i < n; i++ {
		ranks[i-1] = t.join(ids[i-1], ids[i])
	}
	ranks[n-1] = apart
	m.ids, m.ranks, m.ends = ids[:n], ranks[:n], ends[:n]
	for round := 0; len(m.ids) > 1; round++ {
		if round >= windowRounds && len(m.ids) > maxParts {
			w.heapMerge(m)
			return
		}
		w.steps += len(m.ids)
		best, at, last := lowest(m.ranks)
		switch {
		case best == apart:
			return
		case at == last:
			m.joinOne(t, at, best)
		default:
			m.joinAll(t, at, best)
		}
	}
}

// joinOne joins the pair at, the only one of its rank.
func (m *merged) joinOne(t *pairTable, at int, rank uint32) {
	n := len(m.ids) - 1
	ids, ranks, ends := m.ids[:n+1], m.ranks[:n+1], m.ends[:n+1]
	ends[at] = ends[at+1]
	ranks[at] = ranks[at+1]
	for i := at + 1; i < n; i++ { // few as they are, copy takes longer
		ids[i], ranks[i], ends[i] = ids[i+1], ranks[i+1], ends[i+1]
	}
	ids[at] = rank
	if at > 0 {
		ranks[at-1] = t.join(ids[at-1], rank)
	}
	if at+1 < n {
		ranks[at] = t.join(rank, ids[at+1])
	}
	m.ids, m.ranks, m.ends = ids[:n], ranks[:n], ends[:n]
}

// joinAll joins every pair of the given rank, the first of which is at.
func (m *merged) joinAll(t *pairTable, at int, rank uint32) {
	n := len(m.ids)
	ids, ranks, ends := m.ids[:n], m.ranks[:n], m.ends[:n]
	to, fresh := at, false
	for from := at; from < n; to++ {
		id, pair, end := ids[from], ranks[from], ends[from]
		joined := pair == rank
		if joined {
			from++
			id, pair, end = rank, ranks[from], ends[from]
		}
		from++
		if (joined || fresh) && to > 0 {
			ranks[to-1] = t.join(ids[to-1], id)
		}
		ids[to], ranks[to], ends[to] = id, pair, end
		fresh = joined
	}
	m.ids, m.ranks, m.ends = ids[:to], ranks[:to], ends[:to]
}

// heapMerge finishes a merge of many parts with a heap of the pairs, by rank and
// then by place: n log n steps whatever the text is.
func (w *worker) heapMerge(m *merged) {
	t := &w.e.pairs
	n := len(m.ids)
	next, prev := make([]int32, n), make([]int32, n)
	heap := make([]uint64, 0, 2*n)
	for i := range n {
		next[i], prev[i] = int32(i+1), int32(i-1)
		if m.ranks[i] != apart {
			heap = append(heap, uint64(m.ranks[i])<<32|uint64(i))
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		w.sink(heap, i)
	}
	set := func(i int32, rank uint32) {
		m.ranks[i] = rank
		if rank != apart {
			heap = append(heap, uint64(rank)<<32|uint64(i))
			w.rise(heap)
		}
	}
	for len(heap) > 0 {
		rank, i := uint32(heap[0]>>32), int32(heap[0]&0xFFFFFFFF)
		heap[0] = heap[len(heap)-1]
		heap = heap[:len(heap)-1]
		w.sink(heap, 0)
		if m.ranks[i] != rank {
			continue // the pair is no more
		}
		gone := next[i]
		m.ids[i], m.ends[i] = rank, m.ends[gone]
		m.ranks[gone] = apart
		next[i] = next[gone]
		if int(next[i]) < n {
			prev[next[i]] = i
			set(i, t.join(rank, m.ids[next[i]]))
		} else {
			m.ranks[i] = apart
		}
		if p := prev[i]; p >= 0 {
			set(p, t.join(m.ids[p], rank))
		}
	}
	to := 0
	for i := 0; i < n; i = int(next[i]) {
		m.ids[to], m.ends[to], m.ranks[to] = m.ids[i], m.ends[i], apart
		to++
	}
	m.ids, m.ends, m.ranks = m.ids[:to], m.ends[:to], m.ranks[:to]
}

// sink moves the entry at i down to where it belongs.
func (w *worker) sink(heap []uint64, i int) {
	for {
		w.steps++
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] < heap[child] {
			child++
		}
		if heap[i] <= heap[child] {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// rise moves the last entry up to where it belongs.
func (w *worker) rise(heap []uint64) {
	for i := len(heap) - 1; i > 0; {
		w.steps++
		parent := (i - 1) / 2
		if heap[parent] <= heap[i] {
			return
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}
