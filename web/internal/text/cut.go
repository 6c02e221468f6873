package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	joiner      = '\u200d'
	firstFlag   = '\U0001F1E6' // regional indicators: a flag is two of them
	lastFlag    = '\U0001F1FF'
	firstSkin   = '\U0001F3FB'
	lastSkin    = '\U0001F3FF'
	longestStep = 64 // runes; a base with more marks than that is no writing
)

// Cut splits s behind at most n characters, never inside what a person sees as
// one: not before a combining mark, a variation selector or a skin tone, not
// beside a zero-width joiner, not between the halves of a flag. Cost is linear
// in n, not in s.
func Cut(s string, n int) (head, tail string) {
	at, runes := 0, 0
	for at < len(s) && runes < n {
		_, w := utf8.DecodeRuneInString(s[at:])
		at, runes = at+w, runes+1
	}
	if at == len(s) {
		return s, ""
	}
	for steps := 0; at > 0 && steps < longestStep && !boundary(s, at); steps++ {
		_, w := utf8.DecodeLastRuneInString(s[:at])
		at -= w
	}
	if at == 0 { // one endless cluster: it is cut where it was asked
		for ; at < len(s) && n > 0; n-- {
			_, w := utf8.DecodeRuneInString(s[at:])
			at += w
		}
	}
	return s[:at], s[at:]
}

// Fold is CutLines, but for a rest that is hardly longer than the words that
// would offer it: at most a fifth of n, on at most two lines.
func Fold(s string, n, lines int) (head, tail string) {
	head, tail = CutLines(s, n, lines)
	if len(tail) <= n/5 && strings.Count(tail, "\n") <= 2 {
		return s, ""
	}
	return head, tail
}

// CutLines is Cut, but for no more than so many lines.
func CutLines(s string, n, lines int) (head, tail string) {
	head, _ = Cut(s, n)
	end := 0
	for range lines {
		i := strings.IndexByte(head[end:], '\n')
		if i < 0 {
			return head, s[len(head):]
		}
		end += i + 1
	}
	return s[:end-1], s[end-1:]
}

func boundary(s string, at int) bool {
	next, _ := utf8.DecodeRuneInString(s[at:])
	prev, _ := utf8.DecodeLastRuneInString(s[:at])
	switch {
	case prev == '\r' && next == '\n', prev == joiner, next == joiner:
		return false
	case unicode.Is(unicode.M, next), next >= firstSkin && next <= lastSkin:
		return false
	case flag(prev) && flag(next):
		n := 0
		for before := s[:at]; n < longestStep; n++ {
			r, w := utf8.DecodeLastRuneInString(before)
			if !flag(r) {
				break
			}
			before = before[:len(before)-w]
		}
		return n%2 == 0
	}
	return true
}

func flag(r rune) bool { return r >= firstFlag && r <= lastFlag }
