// Package trial makes the texts that the encodings of core/tokens are held
// against tiktoken with: the same ones on every machine, in sets of groups, each
// of which can be made alone.
package trial

import (
	"strings"
	"unicode/utf8"
)

// Set is a named list of groups of texts.
type Set struct {
	Name   string
	Groups int
	// Make gives the texts of a group. Some are no valid UTF-8; see Mend.
	Make func(group int) []string
}

// Sets are those that need no files: 300,000 adversarial strings, every code
// point of planes 0 to 3 and 14 (and one in 97 of the others) in ten contexts,
// and 2,000 long texts in many scripts and of many repeats.
func Sets() []Set {
	return []Set{
		{"strings", 300, adversarial},
		{"points", len(pointRanges()), points},
		{"texts", 100, texts},
	}
}

// Hash is what two lists of tokens are compared by: two 32-bit hashes that
// JavaScript can compute as well.
type Hash struct{ a, b uint32 }

// NewHash is the hash of nothing.
func NewHash() Hash { return Hash{0x811C9DC5, 0x9E3779B9} }

// Add is the hash with one more number.
func (h Hash) Add(n uint32) Hash {
	h.a = (h.a ^ n) * 0x01000193
	h.b = (h.b ^ n) * 0x85EBCA6B
	h.b ^= h.b >> 15
	return h
}

// Of is the hash of the tokens of one text.
func Of(tokens []int) Hash {
	h := NewHash()
	for _, id := range tokens {
		h = h.Add(uint32(id))
	}
	return h.Add(uint32(len(tokens)))
}

// With is the hash with another one.
func (h Hash) With(o Hash) Hash { return h.Add(o.a).Add(o.b) }

// Sum is the hash as one number.
func (h Hash) Sum() uint64 { return uint64(h.a)<<32 | uint64(h.b) }

// Mend writes U+FFFD for each byte that is no part of valid UTF-8, as Go does when
// it ranges over a string.
func Mend(s string) string { return string([]rune(s)) }

// random is a splitmix64 generator.
type random uint64

func newRandom(set, group int) *random {
	r := random(uint64(set)<<32 ^ uint64(group)*0x9E3779B97F4A7C15)
	return &r
}

func (r *random) next() uint64 {
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (r *random) below(n int) int { return int(r.next() >> 33 % uint64(n)) }

func (r *random) of(list []string) string { return list[r.below(len(list))] }

// Slices cuts n random slices of up to 600 bytes out of texts, some in the middle
// of a character.
func Slices(texts []string, n int) []string {
	r := newRandom(3, 0)
	out := make([]string, 0, n)
	for len(out) < n {
		s := texts[r.below(len(texts))]
		if s == "" {
			continue
		}
		size := 1 + r.below(1<<(1+r.below(9)))
		from := r.below(len(s))
		out = append(out, s[from:min(len(s), from+size)])
	}
	return out
}

// pointsPerGroup code points in ten contexts make a group.
const pointsPerGroup = 1000

func pointRanges() (ranges [][2]rune) {
	for p := rune(0); p < 0x40000; p += pointsPerGroup {
		ranges = append(ranges, [2]rune{p, min(p+pointsPerGroup, 0x40000)})
	}
	return append(ranges, [2]rune{0xE0000, 0xE0400}, [2]rune{0x40000, utf8.MaxRune + 1})
}

func points(group int) (out []string) {
	r := pointRanges()[group]
	step := rune(1)
	if r[0] == 0x40000 {
		step = 97
	}
	for p := r[0]; p < r[1]; p += step {
		if p >= 0xD800 && p < 0xE000 {
			continue
		}
		c := string(p)
		out = append(out, c, "a"+c, c+"A", " "+c+"b", "B"+c+"c"+c+"D", c+c+c+c, "1"+c+"2", "'"+c+"'s", "\n"+c+" \t"+c, "あ"+c+"漢"+c+"!")
	}
	return out
}

func texts(group int) []string {
	r := newRandom(2, group)
	out := make([]string, 0, 20)
	for range 20 {
		var b strings.Builder
		switch r.below(4) {
		case 0: // one thing again and again
			unit := r.of(atoms)
			if r.below(2) == 0 {
				unit += r.of(atoms)
			}
			b.WriteString(strings.Repeat(unit, 1+r.below(400)))
		case 1: // characters of one script, without a gap
			from, size := scripts[r.below(len(scripts))], 0
			for size = 20 + r.below(600); size > 0; size-- {
				b.WriteRune(from[0] + rune(r.below(int(from[1]-from[0]))))
			}
		case 2: // words
			for n := 20 + r.below(200); n > 0; n-- {
				b.WriteString(r.of(words))
				b.WriteString(r.of(gaps))
			}
		default: // base64, with a long piece now and then
			for n := 20 + r.below(1500); n > 0; n-- {
				b.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[r.below(64)>>(r.below(8)/7)])
			}
		}
		out = append(out, b.String())
	}
	return out
}

func adversarial(group int) []string {
	r := newRandom(1, group)
	out := make([]string, 0, 1000)
	for range 1000 {
		var b strings.Builder
		for n := 1 + r.below(1<<(1+r.below(5))); n > 0; n-- {
			switch r.below(10) {
			case 0:
				b.WriteString(strings.Repeat(r.of(atoms), 1+r.below(12)))
			case 1:
				from := scripts[r.below(len(scripts))]
				b.WriteRune(from[0] + rune(r.below(int(from[1]-from[0]))))
			case 2:
				b.WriteString(r.of(words))
			case 3:
				b.WriteByte(byte(r.below(256)))
			case 4:
				b.WriteByte(byte(r.below(128)))
			default:
				b.WriteString(r.of(atoms))
			}
		}
		out = append(out, b.String())
	}
	return out
}
