package tokens

// bpe counts the tokens of a piece by merging it, and writes them to out if w
// emits. It cuts the piece wherever two characters stand side by side that no
// merge brings together.
func (w *worker) bpe(s string) int {
	e := w.e
	if len(s) == 1 {
		return w.write(e.pairs.ofByte[s[0]])
	}
	total, n, start := 0, 0, 0
	many := false       // the part has more tokens than ids has room for
	before := uint32(0) // the token of the character before, 0 where it is not merged yet
	left := leftEdge
	var chars *charTable
	for i := 0; i < len(s); {
		if n > maxParts-4 {
			many, n = true, 0
		}
		c := s[i]
		if c < 0x80 {
			w.ids[n&(maxParts-1)] = e.pairs.ofByte[c]
			n++
			i++
			before, left = 0, 1<<leftShift
			continue
		}
		if chars == nil {
			chars = e.characters()
		}
		id, size := chars.at(s, i, len(s), left)
		if id != 0 {
			if before != 0 && !chars.meets(before, id) {
				total += w.part(n, s[start:i], many)
				n, start, many = 0, i, false
			}
			w.ids[n&(maxParts-1)] = id
			n++
		} else {
			for k := range size {
				w.ids[n&(maxParts-1)] = e.pairs.ofByte[s[i+k]]
				n++
			}
		}
		before, left = id, leftBit(c)
		i += size
	}
	if start == 0 && !many { // the whole piece, which is in no cache
		n = w.merge(n)
		if w.emit {
			w.writeAll(w.ids[:n])
		}
		return total + n
	}
	return total + w.part(n, s[start:], many)
}

// at is the token of the character at s[i], 0 if it must be merged as the bytes
// that it is, and its size. end bounds what may be looked at: a character that is
// cut there, like one that is cut at its front, is bytes.
func (t *charTable) at(s string, i, end int, left uint32) (id uint32, size int) {
	c := s[i]
	var point int
	switch {
	case c < 0xC2:
		return 0, 1
	case c < 0xE0:
		if end-i < 2 {
			return 0, 1
		}
		size, point = 2, int(c&0x1F)<<6|int(s[i+1]&0x3F)
	case c < 0xF0:
		if end-i < 3 {
			return 0, end - i
		}
		size, point = 3, int(c&0x0F)<<12|int(s[i+1]&0x3F)<<6|int(s[i+2]&0x3F)
	default:
		return 0, min(4, end-i)
	}
	right := rightEdge
	if i+size < end {
		right = rightBit(s[i+size])
	}
	if char := t.of[point]; char&left != 0 && char&right != 0 {
		return char & idMask, size
	}
	return 0, size
}

// part counts a part of a piece, whose first n tokens are in ids, unless it has
// too many.
func (w *worker) part(n int, s string, many bool) int {
	switch {
	case many:
		return w.windows(s)
	case n == 1:
		return w.write(w.ids[0])
	case n == 2:
		if id := w.e.pairs.join(w.ids[0], w.ids[1]); id != apart {
			return w.write(id)
		}
		if w.emit {
			w.writeAll(w.ids[:2])
		}
		return 2
	}
	if w.emit {
		n = w.merge(n)
		w.writeAll(w.ids[:n])
		return n
	}
	if len(s) > cachedBytes {
		return w.merge(n)
	}
	low, high := pieceKey(s)
	if known := w.short.find(low, high); known != 0 {
		return known
	}
	n = w.merge(n)
	w.short.put(low, high, n)
	return n
}

func (w *worker) write(id uint32) int {
	if w.emit {
		w.out = append(w.out, int(id))
	}
	return 1
}

func (w *worker) writeAll(ids []uint32) {
	for _, id := range ids {
		w.out = append(w.out, int(id))
	}
}

// piece counts a piece of any length, by the caches if it can.
func (w *worker) piece(s string) int {
	if len(s) <= cachedBytes {
		if w.emit {
			return w.encodeShort(s)
		}
		low, high := pieceKey(s)
		if n := w.short.find(low, high); n != 0 {
			return n
		}
		return w.miss(s, low, high)
	}
	return w.longPiece(s)
}

// miss counts a piece that the cache of short ones does not have. Two and three
// bytes are quicker merged than looked for among the words, eight times in ten.
func (w *worker) miss(s string, low, high uint64) int {
	t := &w.e.pairs
	n := 1
	switch size := len(s); {
	case size == 1:
	case size == 2:
		if t.bytes[t.ofByte[s[0]]<<8|t.ofByte[s[1]]] == apart {
			n = 2
		}
	case size == 3:
		n = t.count3(t.ofByte[s[0]], t.ofByte[s[1]], t.ofByte[s[2]])
	case size > 8 || w.words == nil || !w.words.has(low, size):
		n = w.bpe(s)
		if w.merged++; w.merged == wordsAfter {
			w.words = w.e.makeWords()
		}
	}
	w.short.put(low, high, n)
	return n
}

// count3 is how many tokens three bytes are.
func (t *pairTable) count3(a, b, c uint32) int {
	ab, bc := t.bytes[a<<8|b], t.bytes[b<<8|c]
	var joined uint32
	switch {
	case ab < bc:
		joined = t.join(ab, c)
	case bc < ab:
		joined = t.join(a, bc)
	case ab == apart:
		return 3
	default: // three times the same byte: the first two join first
		joined = t.join(ab, c)
	}
	if joined == apart {
		return 2
	}
	return 1
}

func (w *worker) longPiece(s string) int {
	if len(s) > longMaxBytes || w.emit {
		return w.bpe(s)
	}
	n, hash := w.long.find(s)
	if n == 0 {
		n = w.bpe(s)
		w.long.put(s, hash, n)
	}
	return n
}
