package tokens

// merged is a text as tokens: what they are, the rank of each with the one after
// it, and where each ends.
type merged struct {
	ids, ranks []uint32
	ends       []int
}

const (
	windowBytes = 32 // the first window; it grows where tokens are long
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
	size := windowBytes
	for {
		to := min(at.from+size, len(s))
		win := &w.wins[0]
		w.merges(win, s, at.from, to)
		if at.from > 0 && win.ends[0] != at.follow && !w.seam(s, at.last, at.from, win.ends[0]) {
			size *= 2
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
		for keep < n-1 && win.ends[keep] <= to-size/4 {
			keep++
		}
		if keep == 0 || win.ends[keep-1]-at.from < size/4 {
			size *= 2
			continue
		}
		back = at
		at.last = at.from
		if keep > 1 {
			at.last = win.ends[keep-2]
		}
		at.from, at.follow = win.ends[keep-1], win.ends[keep]
		at.total += keep
		if w.emit {
			w.writeAll(win.ids[:keep])
		}
		at.out = len(w.out)
	}
}

// seam reports whether s[from:mid] and s[mid:to], two tokens, stay two.
func (w *worker) seam(s string, from, mid, to int) bool {
	win := &w.wins[1]
	w.merges(win, s, from, to)
	return len(win.ends) == 2 && win.ends[0] == mid
}

// merges merges s[from:to] as if it stood alone.
func (w *worker) merges(m *merged, s string, from, to int) {
	t := &w.e.pairs
	m.ids, m.ends = m.ids[:0], m.ends[:0]
	left := leftEdge
	for i := from; i < to; {
		c := s[i]
		id, size := uint32(0), 1
		if c >= 0x80 {
			id, size = w.e.chars.at(s, i, to, left)
		}
		if id != 0 {
			m.ids, m.ends = append(m.ids, id), append(m.ends, i+size)
		} else {
			for k := i; k < i+size; k++ {
				m.ids, m.ends = append(m.ids, t.ofByte[s[k]]), append(m.ends, k+1)
			}
		}
		left = leftBit(c)
		i += size
	}
	m.ranks = m.ranks[:0]
	for i := range m.ids {
		rank := uint32(apart)
		if i+1 < len(m.ids) {
			rank = t.join(m.ids[i], m.ids[i+1])
		}
		m.ranks = append(m.ranks, rank)
	}
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
	m.ends[at] = m.ends[at+1]
	copy(m.ids[at:], m.ids[at+1:])
	copy(m.ranks[at:], m.ranks[at+1:])
	copy(m.ends[at:], m.ends[at+1:])
	m.ids, m.ranks, m.ends = m.ids[:n], m.ranks[:n], m.ends[:n]
	m.ids[at] = rank
	if at > 0 {
		m.ranks[at-1] = t.join(m.ids[at-1], rank)
	}
	if at+1 < n {
		m.ranks[at] = t.join(rank, m.ids[at+1])
	}
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
