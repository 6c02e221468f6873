package tokens

import "math/bits"

// pairTable is a vocabulary as its merges: which two tokens join to which third.
// A token's number is its rank. No string of a token is kept; none is needed,
// since in a vocabulary that was made by merging, every token but a single byte
// comes of one pair alone, and merging a token's own bytes gives that token.
type pairTable struct {
	// slots is an open-addressing table of left<<36 | right<<18 | joined, 0 for an
	// empty slot, less than half full.
	slots []uint64
	shift uint
	// filter has a bit for the high bits of every hash: nine in ten pairs that do
	// not join are refused without a look at slots, which do not fit into a
	// processor's nearer caches.
	filter []uint64
	// bytes holds the joins of two single bytes, by left<<8 | right.
	bytes [1 << 16]uint32
	// ofByte is the number of each single byte.
	ofByte [256]uint32
}

const (
	// apart is the rank of two tokens that do not join: higher than any.
	apart   = 1<<32 - 1
	idBits  = 18
	idMask  = 1<<idBits - 1
	hashMul = 0x9E3779B97F4A7C15
	// filterBits is how much finer the filter is than the slots.
	filterBits = 3
)

// fill puts in the pairs of the tokens from 256 on.
func (t *pairTable) fill(left, right halves) {
	shown, rest := uint32(0), uint32(0)
	for c := range 256 {
		if printable(c) {
			rest++
		}
	}
	for c := range 256 { // the bytes by rank: those that print first
		if printable(c) {
			t.ofByte[c] = shown
			shown++
		} else {
			t.ofByte[c] = rest
			rest++
		}
	}
	n := left.len()
	// Three quarters full for o200k_base: twice the size is 3 % faster, but takes
	// 2 MB more and half as long again to fill.
	size := bits.Len(uint(n))
	t.shift = uint(64 - size)
	t.slots = make([]uint64, 1<<size)
	t.filter = make([]uint64, 1<<(size+filterBits-6))
	for i := range t.bytes {
		t.bytes[i] = apart
	}
	mask := uint64(len(t.slots) - 1)
	for i := range n {
		l, r, id := left.at(i), right.at(i), uint32(i+256)
		if l|r < 256 {
			t.bytes[l<<8|r] = id
			continue
		}
		key := uint64(l)<<idBits | uint64(r)
		h := key * hashMul
		f := h >> (t.shift - filterBits)
		t.filter[f>>6] |= 1 << (f & 63)
		at := h >> t.shift
		for t.slots[at&mask] != 0 {
			at++
		}
		t.slots[at&mask] = key<<idBits | uint64(id)
	}
}

// printable are the bytes that a vocabulary numbers first.
func printable(c int) bool { return c > ' ' && c < 0x7F || c > 0xA0 && c != 0xAD }

// join is the token that two tokens join to, apart if they do not.
func (t *pairTable) join(l, r uint32) uint32 {
	if l|r < 256 {
		return t.bytes[l<<8|r]
	}
	key := uint64(l)<<idBits | uint64(r)
	h := key * hashMul
	f := h >> (t.shift - filterBits)
	if t.filter[f>>6]>>(f&63)&1 == 0 {
		return apart
	}
	return t.find(key, h>>t.shift)
}

// find looks a pair up that passed the filter.
func (t *pairTable) find(key, at uint64) uint32 {
	mask := uint64(len(t.slots) - 1)
	for {
		switch slot := t.slots[at&mask]; {
		case slot>>idBits == key:
			return uint32(slot & idMask)
		case slot == 0:
			return apart
		}
		at++
	}
}

// halves are three byte planes of equal length: the low, middle and high bytes
// of a list of tokens.
type halves struct{ low, mid, high string }

// cutHalves takes the planes of n tokens off the front of b.
func cutHalves(b string, n int) (halves, string) {
	return halves{b[:n], b[n : 2*n], b[2*n : 3*n]}, b[3*n:]
}

func (h halves) len() int { return len(h.low) }

func (h halves) at(i int) uint32 {
	return uint32(h.low[i]) | uint32(h.mid[i])<<8 | uint32(h.high[i])<<16
}
