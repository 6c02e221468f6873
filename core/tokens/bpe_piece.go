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
	before := uint32(0) // the token of the character before, 0 where it is not merged yet
	left := leftEdge
	for i := 0; i < len(s); {
		if n > maxParts-4 {
			return total + w.windows(s[start:])
		}
		c := s[i]
		if c < 0x80 {
			w.ids[n&(maxParts-1)] = e.pairs.ofByte[c]
			n++
			i++
			before, left = 0, 1<<leftShift
			continue
		}
		id, size := e.chars.at(s, i, len(s), left)
		if id != 0 {
			if before != 0 && !e.chars.meets(before, id) {
				total += w.part(n, s[start:i])
				n, start = 0, i
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
	if start == 0 {
		n = w.merge(n)
		if w.emit {
			w.writeAll(w.ids[:n])
		}
		return total + n
	}
	return total + w.part(n, s[start:])
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

// part counts a part of a piece, of which the first tokens are in ids.
func (w *worker) part(n int, s string) int {
	switch n {
	case 1:
		return w.write(w.ids[0])
	case 2:
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

// miss counts a piece that the cache of short ones does not have.
func (w *worker) miss(s string, low, high uint64) int {
	n := 1
	if len(s) > 8 || !w.e.words.has(low, len(s)) {
		n = w.bpe(s)
	}
	w.short.put(low, high, n)
	return n
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
