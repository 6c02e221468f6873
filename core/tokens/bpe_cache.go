package tokens

// pieceCache remembers how many tokens short pieces have. It is exact: an entry
// holds the piece itself. Texts repeat their words; over 90 % of all pieces of a
// text of 100 KB are found.
type pieceCache struct {
	entries []pieceEntry
	ids     []uint64 // of the entries, made by the first Encode: up to three tokens, and bit 63
	shift   uint
	fresh   int // entries written since the last growth
}

// pieceEntry is a piece of 2 to 15 bytes: low its first eight, high the others
// with the length in bits 56 to 59; bits 60 to 63 are its tokens.
type pieceEntry struct{ low, high uint64 }

const (
	cachedBytes  = 15
	cachedTokens = 3
	lengthShift  = 56
	tokensShift  = 60
	cacheMinBits = 12 // 4,096 entries, 64 KB
	cacheMaxBits = 16 // 65,536 entries, 1 MB
)

func newPieceCache() pieceCache {
	return pieceCache{entries: make([]pieceEntry, 1<<cacheMinBits), shift: 64 - cacheMinBits}
}

// pieceHash spreads a piece over 64 bits, the upper ones best.
func pieceHash(low, high uint64) uint64 {
	h := (low ^ high>>23 ^ high<<41) * hashMul
	return (h ^ h>>32) * hashMul
}

// find is the number of tokens of a piece, 0 if it is not known.
func (c *pieceCache) find(low, high uint64) int {
	e := &c.entries[pieceHash(low, high)>>c.shift]
	if e.low == low && e.high<<(64-tokensShift) == high<<(64-tokensShift) {
		return int(e.high >> tokensShift)
	}
	return 0
}

// put remembers a piece, in place of one that shares its entry. A cache that is
// written over and over is too small: it grows fourfold, up to its limit.
func (c *pieceCache) put(low, high uint64, tokens int) {
	c.fresh++
	if c.fresh > len(c.entries)/2 && len(c.entries) < 1<<cacheMaxBits {
		c.grow()
	}
	at := pieceHash(low, high) >> c.shift
	c.entries[at] = pieceEntry{low, high | uint64(tokens)<<tokensShift}
	if c.ids != nil {
		c.ids[at] = 0
	}
}

func (c *pieceCache) grow() {
	old, oldIDs := c.entries, c.ids
	c.entries = make([]pieceEntry, 4*len(old))
	if oldIDs != nil {
		c.ids = make([]uint64, 4*len(old))
	}
	c.shift -= 2
	c.fresh = 0
	for i, e := range old {
		at := pieceHash(e.low, e.high<<(64-tokensShift)>>(64-tokensShift)) >> c.shift
		c.entries[at] = e
		if oldIDs != nil {
			c.ids[at] = oldIDs[i]
		}
	}
}

// pieceKey is the key of a piece of 1 to 15 bytes.
func pieceKey(s string) (low, high uint64) {
	n := len(s)
	switch {
	case n >= 8:
		low = load(s)
		if n > 8 {
			high = load(s[n-8:]) >> (8 * (16 - uint(n)))
		}
	case n >= 4:
		low = load4(s) | load4(s[n-4:])<<(8*(uint(n)-4))
	default:
		low = uint64(s[0]) | uint64(s[n/2])<<(8*uint(n/2)) | uint64(s[n-1])<<(8*uint(n-1))
	}
	return low, high | uint64(n)<<lengthShift
}

// load is the first eight bytes of s, the first lowest.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load4(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// longCache is the same for pieces of 16 to 256 bytes, whose bytes stand in a ring.
type longCache struct {
	entries []longEntry
	ring    []byte
	head    uint64 // bytes ever written
	fresh   int
}

type longEntry struct {
	hash, at       uint64
	length, tokens uint32
}

const (
	longMaxBytes = 256
	longMinBits  = 9  // 512 entries, 12 KB, and a ring of 16 KB
	longMaxBits  = 15 // 32,768 entries, 786 KB, and a ring of 1 MB
	ringPerEntry = 32
)

func newLongCache() longCache {
	return longCache{entries: make([]longEntry, 1<<longMinBits), ring: make([]byte, ringPerEntry<<longMinBits)}
}

func longHash(s string) uint64 {
	h := uint64(len(s)) * hashMul
	for i := 0; i+8 <= len(s); i += 8 {
		h = (h ^ load(s[i:])) * hashMul
		h ^= h >> 29
	}
	h = (h ^ load(s[len(s)-8:])) * hashMul
	return h ^ h>>32
}

// find is the number of tokens of a piece, 0 if it is not known, and its hash.
func (c *longCache) find(s string) (int, uint64) {
	h := longHash(s)
	e := &c.entries[h&uint64(len(c.entries)-1)]
	if e.hash == h && int(e.length) == len(s) && c.head-e.at <= uint64(len(c.ring)) {
		at := int(e.at & uint64(len(c.ring)-1))
		if string(c.ring[at:at+len(s)]) == s {
			return int(e.tokens), h
		}
	}
	return 0, h
}

func (c *longCache) put(s string, hash uint64, tokens int) {
	c.fresh += len(s)
	if c.fresh > len(c.ring) && len(c.entries) < 1<<longMaxBits {
		size := 4 * len(c.entries)
		*c = longCache{entries: make([]longEntry, size), ring: make([]byte, ringPerEntry*size)}
	}
	size := uint64(len(c.ring))
	if c.head&(size-1)+uint64(len(s)) > size { // a piece stands in one stretch
		c.head += size - c.head&(size-1)
	}
	at := c.head & (size - 1)
	copy(c.ring[at:], s)
	c.entries[hash&uint64(len(c.entries)-1)] = longEntry{hash, c.head, uint32(len(s)), uint32(tokens)}
	c.head += uint64(len(s))
}
