package tokens

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Encoding is an exact byte-pair encoding of a public vocabulary: what tiktoken
// gives for the same text, token for token. It is a Counter. It is safe for
// concurrent use, and holds all its memory itself: 7 MB for o200k_base, and up to
// 3 MB for each goroutine that counts at the same time, kept for at most eight.
//
// Cost of counting: linear, whatever the text is. Text that was never seen is
// counted at about 100 MB/s natively and 50 in wasm; half as much again where its
// words repeat.
type Encoding struct {
	name  string
	next  func(s string, i int) int
	o200k bool
	// camel has the bit that ends a word where a capital follows a small letter.
	camel uint64
	pairs pairTable

	chars atomic.Pointer[charTable] // made for the first character that is not ASCII

	mu          sync.Mutex
	merged      int        // pieces that were merged until words was made
	words       *wordTable // made when that were many
	left, right halves
	points      string // the planes of the characters
	allowed     string
	idle        []*worker
}

// maxIdle bounds how many workers wait for their next text.
const maxIdle = 8

// vocabulary is what the planes of an encoding must be.
type vocabulary struct {
	name          string
	tokens, chars int
	sum           uint64
}

func (v vocabulary) size() int { return 6*(v.tokens-256) + 4*v.chars }

// NewEncoding makes the encoding of that name, "o200k_base" or "cl100k_base", from
// its planes (package ranks), which must not change afterwards. The error names an
// unknown encoding, or planes of the wrong length or checksum. Cost: about 10 ms
// natively, 50 in wasm.
func NewEncoding(name, planes string) (*Encoding, error) {
	for _, v := range vocabularies {
		if v.name != name {
			continue
		}
		if len(planes) != v.size() {
			return nil, fmt.Errorf("planes of %s have %d bytes, must have %d", name, len(planes), v.size())
		}
		if sum := checksum(planes); sum != v.sum {
			return nil, fmt.Errorf("planes of %s have the checksum %016x, must have %016x: they are damaged or of another version", name, sum, v.sum)
		}
		return newEncoding(v, planes), nil
	}
	return nil, fmt.Errorf("encoding %q is not known, must be o200k_base or cl100k_base", name)
}

func newEncoding(v vocabulary, planes string) *Encoding {
	e := &Encoding{name: v.name, next: nextCl100k}
	if v.name == "o200k_base" {
		e.next, e.o200k, e.camel = nextO200k, true, math.MaxUint64
	}
	var rest string
	e.left, rest = cutHalves(planes, v.tokens-256)
	e.right, rest = cutHalves(rest, v.tokens-256)
	e.pairs.fill(e.left, e.right)
	e.points, e.allowed = rest[:2*v.chars], rest[2*v.chars:]
	return e
}

// characters is the table of characters. Made at first use: a fifth of the time
// that the engine takes to be ready, and text in ASCII never asks for it.
func (e *Encoding) characters() *charTable {
	if t := e.chars.Load(); t != nil {
		return t
	}
	return e.makeCharacters()
}

func (e *Encoding) makeCharacters() *charTable {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.chars.Load()
	if t == nil {
		t = new(charTable)
		t.fill(&e.pairs, e.left, e.right, e.points, e.allowed)
		e.chars.Store(t)
	}
	return t
}

// checksum is for damage in transport alone: eight bytes a step, 0.3 ms.
func checksum(s string) uint64 {
	h := uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = (h ^ word) * hashMul
		h ^= h >> 32
	}
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashMul
		h ^= h >> 32
	}
	return h
}

// Name is "o200k_base" or "cl100k_base".
func (e *Encoding) Name() string { return e.name }

// ErrorP95 is 0: the count is exact for models of this encoding.
func (e *Encoding) ErrorP95() float64 { return 0 }

// Count is the number of tokens of s, as ordinary text: the names of special
// tokens count as what they are written with. Each byte that is no UTF-8 counts
// as U+FFFD, as Go and encoding/json write it.
func (e *Encoding) Count(s string) int {
	w := e.worker()
	defer e.done(w)
	return w.count(s, math.MaxInt)
}

// CountBytes is Count of the same bytes, of which it takes a copy.
func (e *Encoding) CountBytes(b []byte) int { return e.Count(string(b)) }

// CountAtMost counts no further than it must to know whether s has more than
// limit tokens. Within the limit n is the exact count; beyond it n is what had been
// counted by then, which is more than limit.
func (e *Encoding) CountAtMost(s string, limit int) (n int, within bool) {
	w := e.worker()
	defer e.done(w)
	n = w.count(s, limit)
	return n, n <= limit
}

// CountAll counts each text into the place of counts with its index; places
// without a text, and texts without a place, are left alone.
func (e *Encoding) CountAll(texts []string, counts []int) {
	w := e.worker()
	defer e.done(w)
	for i := range min(len(texts), len(counts)) {
		counts[i] = w.count(texts[i], math.MaxInt)
	}
}

// Encode is the tokens of s, as many as Count says, by the rules of Count.
func (e *Encoding) Encode(s string) []int {
	w := e.worker()
	defer e.done(w)
	return w.encode(s)
}

// Forget lets go of all that was remembered of the texts that were counted. The
// next ones are counted as if they were the first.
func (e *Encoding) Forget() {
	e.mu.Lock()
	e.idle = nil
	e.mu.Unlock()
}

// worker is the memory of one count: caches that fill as it goes, and room to
// merge in.
type worker struct {
	e      *Encoding
	short  pieceCache
	long   longCache
	ids    [maxParts]uint32
	ranks  [maxParts]uint32
	wins   [2]merged  // of long pieces: a window, and a seam
	emit   bool       // whether tokens go to out
	out    []int      // of Encode
	steps  int        // parts looked at by merges: the measure of work in the tests
	words  *wordTable // of the encoding, if it was there when the count began
	merged int        // pieces merged, by the encoding as a whole
}

func (e *Encoding) worker() *worker {
	e.mu.Lock()
	var w *worker
	if n := len(e.idle); n > 0 {
		w = e.idle[n-1]
		e.idle = e.idle[:n-1]
	}
	words, merged := e.words, e.merged
	e.mu.Unlock()
	if w == nil {
		w = &worker{e: e, short: newPieceCache(), long: newLongCache()}
	}
	w.words, w.merged = words, merged
	return w
}

func (e *Encoding) done(w *worker) {
	w.out = nil
	e.mu.Lock()
	e.merged = max(e.merged, w.merged)
	if len(e.idle) < maxIdle {
		e.idle = append(e.idle, w)
	}
	e.mu.Unlock()
}

// mend is s with U+FFFD for each byte that is no part of valid UTF-8.
func mend(s string) string {
	b := make([]byte, 0, len(s)+len(s)/8)
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			b = append(b, s[i])
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b = utf8.AppendRune(b, r)
		i += n
	}
	return string(b)
}
