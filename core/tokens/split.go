package tokens

// The pre-tokenizers: where o200k_base and cl100k_base cut a text into pieces
// before bytes are merged. The vocabularies state them as regular expressions;
// here they are written out, since a regular expression takes more time than all
// the rest. Each function gives the end of the piece that begins at i, or bad
// where it met a byte that is no UTF-8: then the text must be mended first.
//
// o200k_base, in the order of its alternatives, with U = Lu Lt Lm Lo M and
// L = Ll Lm Lo M:
//
//	[^\r\n\p{L}\p{N}]? U* L+ contraction?
//	[^\r\n\p{L}\p{N}]? U+ L* contraction?
//	\p{N}{1,3}
//	" "? [^\s\p{L}\p{N}]+ [\r\n/]*
//	\s* [\r\n]+
//	\s+ (?!\S)
//	\s+
//
// cl100k_base has the contraction as an alternative of its own before all others,
// \p{L}+ for the words, and no slash behind symbols.

const bad = -1

// nextO200k is the end of o200k_base's piece at s[i].
func nextO200k(s string, i int) int {
	class, n := classAtByte(s, i)
	j := i + n
	switch set := 1 << class; {
	case class == classBad:
		return bad
	case set&setLetter != 0:
		return contracted(s, wordO200k(s, i, false))
	case class == classNumber:
		return numbers(s, j)
	case set&setPrefix != 0 && j < len(s):
		class2, _ := classAtByte(s, j)
		switch {
		case class2 == classBad:
			return bad
		case 1<<class2&setWord != 0:
			return contracted(s, wordO200k(s, j, class == classMark))
		case s[i] == ' ' && class2 == classOther:
			return symbols(s, j, '/')
		}
	}
	switch class {
	case classMark: // a word of its own
		return contracted(s, j)
	case classOther:
		return symbols(s, j, '/')
	}
	return spaces(s, i)
}

// wordO200k is the end of the longest U*L+ at s[i], else of U+. The first takes
// all it can of U and, if no lower-case letter follows, gives back what stands
// behind the last caseless character, for that one is in L too: "あA" is two
// pieces. If there is none either, and the character before s[i] is itself a
// mark, the mark alone is the word.
func wordO200k(s string, i int, afterMark bool) int {
	start, caseless := i, 0
	for i < len(s) {
		class, n := classAtByte(s, i)
		if class == classUpper {
			i += n
			continue
		}
		if 1<<class&setWord == 0 {
			if class == classBad {
				return bad
			}
			break
		}
		i += n
		if class == classLower {
			return lowerO200k(s, i)
		}
		caseless = i
	}
	switch {
	case caseless > 0:
		return caseless
	case afterMark:
		return start
	}
	return i
}

// lowerO200k is the end of the run of L at s[i].
func lowerO200k(s string, i int) int {
	for i < len(s) {
		class, n := classAtByte(s, i)
		if 1<<class&(setWord&^(1<<classUpper)) == 0 {
			if class == classBad {
				return bad
			}
			break
		}
		i += n
	}
	return i
}

// nextCl100k is the end of cl100k_base's piece at s[i].
func nextCl100k(s string, i int) int {
	if n := contraction(s, i); n > 0 {
		return i + n
	}
	class, n := classAtByte(s, i)
	j := i + n
	switch set := 1 << class; {
	case class == classBad:
		return bad
	case set&setLetter != 0:
		return letters(s, j)
	case class == classNumber:
		return numbers(s, j)
	case set&setPrefix != 0 && j < len(s):
		class2, _ := classAtByte(s, j)
		switch {
		case class2 == classBad:
			return bad
		case 1<<class2&setLetter != 0:
			return letters(s, j)
		case s[i] == ' ' && 1<<class2&setSymbol != 0:
			return symbols(s, j, '\n')
		}
	}
	if 1<<class&setSymbol != 0 {
		return symbols(s, j, '\n')
	}
	return spaces(s, i)
}

// letters is the end of the run of letters at s[i].
func letters(s string, i int) int {
	for i < len(s) {
		class, n := classAtByte(s, i)
		if 1<<class&setLetter == 0 {
			if class == classBad {
				return bad
			}
			break
		}
		i += n
	}
	return i
}

// numbers is the end of a group of up to three numbers, the first of which ends
// at s[i].
func numbers(s string, i int) int {
	for range 2 {
		if i == len(s) {
			break
		}
		class, n := classAtByte(s, i)
		if class != classNumber {
			if class == classBad {
				return bad
			}
			break
		}
		i += n
	}
	return i
}

// symbols is the end of the run of symbols at s[i], with the line ends behind it
// and what else may stand between those.
func symbols(s string, i int, also byte) int {
	for i < len(s) {
		class, n := classAtByte(s, i)
		if 1<<class&setSymbol == 0 {
			if class == classBad {
				return bad
			}
			break
		}
		i += n
	}
	for i < len(s) && (s[i] == '\n' || s[i] == '\r' || s[i] == also) {
		i++
	}
	return i
}

// spaces is the end of the white space at s[i]: behind its last line end; without
// one, all of it at the end of the text, else all but its last character, which
// belongs to what follows unless it is the only one.
func spaces(s string, i int) int {
	start, last, newline := i, i, 0
	for i < len(s) {
		class, n := classAtByte(s, i)
		if 1<<class&setSpace == 0 {
			if class == classBad {
				return bad
			}
			if newline == 0 && last > start {
				return last
			}
			break
		}
		last = i
		i += n
		if class == classNewline {
			newline = i
		}
	}
	if newline > 0 {
		return newline
	}
	return i
}

// contracted is the end of a word at end together with a contraction behind it.
func contracted(s string, end int) int {
	if end == bad {
		return bad
	}
	return end + contraction(s, end)
}

// contraction is the length of (?i:'s|'t|'re|'ve|'m|'ll|'d) at s[i], 0 if there
// is none. The long ſ (U+017F) is an s where case does not matter.
func contraction(s string, i int) int {
	if len(s)-i < 2 || s[i] != '\'' {
		return 0
	}
	third := byte(0)
	if len(s)-i > 2 {
		third = s[i+2]
	}
	switch s[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		if third|0x20 == 'e' {
			return 3
		}
	case 'l':
		if third|0x20 == 'l' {
			return 3
		}
	case 0xC5 | 0x20:
		if s[i+1] == 0xC5 && third == 0xBF {
			return 3
		}
	}
	return 0
}
