package tokens

import "math/bits"

// wordTable holds the tokens of 2 to 8 bytes as the words that they fill. A piece
// that is itself a token has one token, whatever merging would do to get there: of
// the words that a text brings for the first time, four in five are found here, at
// a tenth of what merging costs. Making it takes as long as 100,000 such merges, so
// that it waits for many of them.
type wordTable struct {
	slots []uint64 // open addressing, 0 for an empty slot
	shift uint
}

// wordsAfter is how many pieces are merged before the table is made.
const wordsAfter = 20_000

// makeWords makes the table, unless it is there.
func (e *Encoding) makeWords() *wordTable {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.words == nil {
		t := new(wordTable)
		t.fill(&e.pairs, e.left, e.right)
		e.words = t
	}
	return e.words
}

// fill puts in the tokens that are short enough; those that end in NUL are left
// out, since a word does not tell its length but by its last byte.
func (t *wordTable) fill(pairs *pairTable, left, right halves) {
	size := bits.Len(uint(left.len()))
	t.slots = make([]uint64, 1<<size)
	t.shift = uint(64 - size)
	words := make([]uint64, left.len()+256)
	sizes := make([]uint8, left.len()+256)
	for c, id := range pairs.ofByte {
		words[id], sizes[id] = uint64(c), 1
	}
	mask := uint64(len(t.slots) - 1)
	for i := range left.len() {
		l, r, id := left.at(i), right.at(i), i+256
		n := sizes[l] + sizes[r]
		if n > 8 {
			sizes[id] = 9
			continue
		}
		word := words[l] | words[r]<<(8*sizes[l])
		words[id], sizes[id] = word, n
		if word>>(8*(n-1)) == 0 {
			continue
		}
		at := word * hashMul >> t.shift
		for t.slots[at&mask] != 0 {
			at++
		}
		t.slots[at&mask] = word
	}
}

// has reports whether a piece of 2 to 8 bytes is a token.
func (t *wordTable) has(word uint64, size int) bool {
	if word>>(8*uint(size-1)) == 0 {
		return false // it ends in NUL
	}
	mask := uint64(len(t.slots) - 1)
	for at := word * hashMul >> t.shift; ; at++ {
		switch t.slots[at&mask] {
		case word:
			return true
		case 0:
			return false
		}
	}
}
