package tokens

import "unicode/utf8"

// Each function takes the run that begins at s[i] and gives its cost and its
// end. A run never looks more than one character beyond its end.

// run is the run at s[i], of whatever class, behind one of class before.
func run(s string, i int, before class) (cost milli, c class, end int) {
	c, _, _ = classAt(s, i)
	switch c {
	case lower, upper, marked, vietnamese:
		cost, end = wordRun(s, i)
	case digit:
		cost, end = digitRun(s, i)
	case blank, newline:
		cost, end = spaceRun(s, i, before)
	default:
		cost, end = scriptRun(s, i, c)
	}
	return cost, c, end
}

// wordRun is a run of Latin letters.
func wordRun(s string, i int) (cost milli, end int) {
	var (
		start   = i
		before  = none // class of the letter before
		last    = fresh()
		letters int // in the word, which an upper-case letter may begin anew
	)
	for i < len(s) {
		c, r, n := classAt(s, i)
		if c.family() != lower {
			break
		}
		if before == none || c == upper && before != upper {
			cost, letters = cost+wWord, 0
		}
		letters++
		if last.again(r) {
			cost += wRepeat
		} else {
			cost += letterWeight(c, letters)
		}
		before = c
		i += n
	}
	mixed := 0
	if start > 0 && isDigit(s[start-1]) {
		mixed += mixedReach
	}
	if i < len(s) && isDigit(s[i]) {
		mixed += mixedReach
	}
	return cost + milli(min(mixed, i-start))*wMixed, i
}

// letterWeight is the weight of the nth letter of a word.
func letterWeight(c class, n int) (cost milli) {
	switch c {
	case marked:
		cost = wMarked
	case upper:
		cost = wLetter + wUpper
	case lower:
		cost = wLetter
	default: // Vietnamese
	}
	if n > longWord {
		cost += wLong
	}
	if n > veryLongWord {
		cost += wVeryLong
	}
	return cost
}

// digitRun is a run of ASCII digits.
func digitRun(s string, i int) (cost milli, end int) {
	end = i + 1
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	return milli((end-i+digitGroup-1)/digitGroup) * wDigits, end
}

// spaceRun is a run of white space behind a run of class before. What stands
// before the last line end is part of its token.
func spaceRun(s string, i int, before class) (cost milli, end int) {
	lines, blanks, next := false, 0, none
	for end = i; end < len(s); end++ {
		next = none // of any class beyond ASCII
		if b := s[end]; b < utf8.RuneSelf {
			next = class(ascii[b])
		}
		if next != newline && next != blank {
			break
		}
		blanks++
		if next == newline {
			lines, blanks = true, 0
		}
	}
	if lines {
		cost = wNewline
		if end < len(s) && (before == punct || before == symbol) {
			cost = wNewlineMark
		}
	}
	switch {
	case blanks == 0:
	case end == len(s):
		if !lines {
			cost += wBlanks
		}
	case next == digit:
		cost += wBlankDigit
		if blanks > 1 {
			cost += wBlanks
		}
	default:
		if blanks > 1 {
			cost += wBlanks
		}
		if s[end-1] == '\t' {
			cost += wTab
		}
	}
	return cost, end
}

// scriptRun is a run of one family of classes, c being the first.
func scriptRun(s string, i int, c class) (cost milli, end int) {
	cost = runWeight[c]
	if c == punct { // each is a byte
		for end = i; end < len(s) && s[end] < utf8.RuneSelf && class(ascii[s[end]]) == punct; end++ {
			if end >= i+2 && s[end] == s[end-1] && s[end] == s[end-2] {
				cost += wRepeat
			} else {
				cost += wPunct
			}
		}
		return cost, end
	}
	last := fresh()
	for end = i; end < len(s); {
		var (
			d class
			r rune
			n int
		)
		// The first byte tells most Cyrillic and Chinese characters: they are read
		// here, without a call for each.
		switch b := s[end]; {
		case b >= 0xD0 && b <= 0xD3 && end+1 < len(s) && s[end+1]&0xC0 == 0x80:
			d, r, n = cyrillic, rune(b&0x1F)<<6|rune(s[end+1]&0x3F), 2
		case b >= 0xE5 && b <= 0xE9 && end+2 < len(s) && s[end+1]&0xC0 == 0x80 && s[end+2]&0xC0 == 0x80:
			d, r, n = han, rune(b&0x0F)<<12|rune(s[end+1]&0x3F)<<6|rune(s[end+2]&0x3F), 3
		default:
			d, r, n = classAt(s, end)
		}
		if d != c && d.family() != c.family() {
			break
		}
		if last.again(r) {
			cost += wRepeat
		} else {
			cost += eachWeight[d]
		}
		end += n
	}
	return cost, end
}

// pair is the last two runes of a run.
type pair struct{ one, two rune }

// fresh is the pair at the beginning of a run: no runes.
func fresh() pair { return pair{-1, -1} }

// again takes the next rune and says whether the two before it were the same.
func (p *pair) again(r rune) bool {
	same := p.one == r && p.two == p.one
	p.one, p.two = r, p.one
	return same
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
