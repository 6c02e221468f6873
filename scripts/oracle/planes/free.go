package main

import (
	"math"
	"unicode/utf8"
)

// Kinds of neighbours of a character, by their first byte; those to the left are
// told apart less finely. Package tokens has the same numbers (bpe_chars.go).
const (
	rightKinds = 8
	leftKinds  = 6
)

// rightKind of a neighbour that begins with the byte c, -1 if no character does.
func rightKind(c byte) int {
	switch {
	case c < 0x80:
		return 0
	case c < 0xC2:
		return -1
	case c < 0xD0:
		return 1
	case c < 0xE0:
		return 2
	case c < 0xE2:
		return 3
	case c < 0xE4:
		return 4
	case c < 0xEA:
		return 5
	case c < 0xF0:
		return 6
	}
	return 7
}

func leftKind(c byte) int { return min(rightKind(c), leftKinds-1) }

// endsFor are the kinds of left neighbours whose last bytes a token can be, one
// bit each.
func endsFor(token string) (kinds int) {
	for n := 1; n <= len(token); n++ {
		c := token[len(token)-n]
		switch {
		case n > 4, c < 0x80 && n > 1:
			return 0
		case c < 0x80:
			return 1
		case c >= 0xC0:
			if kind := leftKind(c); kind >= 0 {
				return 1 << kind
			}
			return 0
		}
	}
	switch len(token) { // continuation bytes alone: of any character that is long enough
	case 1:
		return 1<<leftKinds - 1 - 1
	case 2:
		return 1<<3 | 1<<4 | 1<<5
	}
	return 1 << (leftKinds - 1)
}

// free are the characters whose bytes may be merged before all else is looked
// at, with the neighbours for which that is so: bits 0 to 5 the kinds to the
// left, 6 to 13 those to the right.
//
// Merges happen in the order of their ranks. While the bytes of a character are
// still apart, let r be the lowest rank of a pair within it. If every pair that
// joins an end of it with a token of a neighbour has a higher rank, r comes first
// whatever the neighbour is; and once the character is one token, every pair with
// it has a higher rank than its own, so nothing else moved in between.
func (v *vocabulary) free() (points, allowed []int) {
	// The lowest rank at which a token is joined with one of a neighbour.
	toLeft := make([][leftKinds]int, len(v.tokens))
	toRight := make([][rightKinds]int, len(v.tokens))
	for id := range v.tokens {
		for k := range toLeft[id] {
			toLeft[id][k] = math.MaxInt
		}
		for k := range toRight[id] {
			toRight[id][k] = math.MaxInt
		}
	}
	for id := 256; id < len(v.tokens); id++ { // ascending: the first is the lowest
		l, r := v.halves[id][0], v.halves[id][1]
		for k := range leftKinds {
			if endsFor(v.tokens[l])>>k&1 == 1 {
				toLeft[r][k] = min(toLeft[r][k], id)
			}
		}
		if k := rightKind(v.tokens[r][0]); k >= 0 {
			toRight[l][k] = min(toRight[l][k], id)
		}
	}
	for point := rune(0x80); point <= 0xFFFF; point++ {
		if _, ok := v.rank[string(point)]; !ok || !utf8.ValidRune(point) {
			continue
		}
		if mask := v.neighbours(string(point), toLeft, toRight); mask != 0 {
			points, allowed = append(points, int(point)), append(allowed, mask)
		}
	}
	return points, allowed
}

// neighbours is the mask of free for one character, 0 if a side allows none.
func (v *vocabulary) neighbours(char string, toLeft [][leftKinds]int, toRight [][rightKinds]int) int {
	var parts []int
	for i := range len(char) {
		parts = append(parts, v.rank[char[i:i+1]])
	}
	left, right := 1<<leftKinds-1, 1<<rightKinds-1
	for len(parts) > 1 {
		best, at := math.MaxInt, -1
		for i := range len(parts) - 1 {
			if id, ok := v.pair[[2]int{parts[i], parts[i+1]}]; ok && id < best {
				best, at = id, i
			}
		}
		if at < 0 {
			return 0 // its own bytes do not merge to it
		}
		for k, rank := range toLeft[parts[0]] {
			if rank < best {
				left &^= 1 << k
			}
		}
		for k, rank := range toRight[parts[len(parts)-1]] {
			if rank < best {
				right &^= 1 << k
			}
		}
		parts[at] = best
		parts = append(parts[:at+1], parts[at+2:]...)
	}
	if left == 0 || right == 0 {
		return 0
	}
	return left | right<<leftKinds
}
