package tokens

// charTable knows the characters beyond ASCII whose bytes can be merged to one
// token before anything else is looked at, because no merge with a neighbour can
// come first (scripts/oracle/planes proves it, for each kind of neighbour). Nearly
// all characters that are a token are such: 4,928 of 5,115 in o200k_base. It
// halves the merges of Cyrillic and leaves a third of those of Chinese.
type charTable struct {
	// of holds, for a code point of the Basic Multilingual Plane, the token in the
	// low bits, above it a bit for each kind of neighbour that is allowed to the
	// left, then to the right; 0 where the bytes must be merged as they are.
	of []uint32
	// meet has a bit for the hash of each two characters that some merge brings
	// together. Where two characters stand side by side that none does, no token
	// reaches from one to the other, and the text can be cut there: Chinese falls
	// into parts of two or three characters.
	meet []uint64
}

const (
	leftShift  = idBits
	rightShift = leftShift + 6
	meetBits   = 20
)

// kindOfByte has, for the first byte of a character, its kind as a right
// neighbour (bpe_chars_test.go says which); as a left one 5, 6 and 7 are one.
const kindOfByte = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08" +
	"\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08\x08" +
	"\x08\x08\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02" +
	"\x03\x03\x04\x04\x05\x05\x05\x05\x05\x05\x06\x06\x06\x06\x06\x06\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07"

// anyNeighbour are the bits that an edge of the piece leaves open: nothing stands
// there that could take a byte away.
const (
	leftEdge  = uint32(0x3F) << leftShift
	rightEdge = uint32(0xFF) << rightShift
)

// leftBit is the bit that a left neighbour with the first byte c needs.
func leftBit(c byte) uint32 {
	k := kindOfByte[c]
	if k > 7 {
		return 0 // the rest of a character whose beginning is not known
	}
	return 1 << (leftShift + min(k, 5))
}

// rightBit is the bit that a right neighbour with the first byte c needs.
func rightBit(c byte) uint32 {
	k := kindOfByte[c]
	if k > 7 {
		return 0
	}
	return 1 << (rightShift + k)
}

// fill reads the characters from their planes and, from the pairs, which of them
// meet.
func (t *charTable) fill(pairs *pairTable, left, right halves, points, allowed string) {
	n := len(points) / 2
	t.of = make([]uint32, 1<<16)
	t.meet = make([]uint64, 1<<(meetBits-6))
	// The characters that a token begins and ends with, by their own tokens.
	// As numbers of characters, from 1: they need half the memory of tokens.
	own := make([]uint32, n+1)
	first := make([]uint16, left.len()+256)
	last := make([]uint16, left.len()+256)
	for i := range n {
		point := rune(points[i]) | rune(points[n+i])<<8
		id := pairs.ofChar(point)
		if id == apart {
			continue
		}
		t.of[point] = id | uint32(allowed[i])<<leftShift | uint32(allowed[n+i])<<(leftShift+8)
		own[i+1] = id
		first[id], last[id] = uint16(i+1), uint16(i+1)
	}
	for i := range left.len() {
		l, r, id := left.at(i), right.at(i), i+256
		if first[id] != 0 {
			continue
		}
		first[id], last[id] = first[l], last[r]
		if last[l] != 0 && first[r] != 0 {
			h := meetHash(own[last[l]], own[first[r]])
			t.meet[h>>6] |= 1 << (h & 63)
		}
	}
}

// meets reports whether a token may reach from one character to the next.
func (t *charTable) meets(a, b uint32) bool {
	h := meetHash(a, b)
	return t.meet[h>>6]>>(h&63)&1 != 0
}

func meetHash(a, b uint32) uint64 {
	return (uint64(a)<<idBits | uint64(b)) * hashMul >> (64 - meetBits)
}

// ofChar merges the bytes of a character, apart if they do not become one token.
func (t *pairTable) ofChar(point rune) uint32 {
	var ids [4]uint32
	n := 0
	for _, c := range []byte(string(point)) {
		ids[n] = t.ofByte[c]
		n++
	}
	for n > 1 {
		best, at := uint32(apart), 0
		for i := range n - 1 {
			if id := t.join(ids[i], ids[i+1]); id < best {
				best, at = id, i
			}
		}
		if best == apart {
			return apart
		}
		ids[at] = best
		copy(ids[at+1:], ids[at+2:n])
		n--
	}
	return ids[0]
}
