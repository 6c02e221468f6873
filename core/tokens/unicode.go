package tokens

// runeClass sorts code points by what the pre-tokenizers of the encodings ask
// of them. The data is Unicode 16, whatever the toolchain's own tables are.
type runeClass = byte

const (
	classOther    runeClass = iota // punctuation, symbols, controls, unassigned
	classUpper                     // Lu, Lt
	classLower                     // Ll
	classCaseless                  // Lm, Lo: a letter that is on both sides of o200k's word
	classMark                      // M: no letter, yet in o200k's words as a caseless one
	classNumber                    // N
	classSpace                     // white space but CR and LF
	classNewline                   // CR, LF
	classBad                       // no character: a byte that is no part of valid UTF-8
)

// Sets of classes, a bit each.
const (
	setLetter = 1<<classUpper | 1<<classLower | 1<<classCaseless
	setWord   = setLetter | 1<<classMark // what o200k's words are made of
	setSymbol = 1<<classOther | 1<<classMark
	setSpace  = 1<<classSpace | 1<<classNewline
	// setPrefix may stand before a word as its first character.
	setPrefix = 1<<classOther | 1<<classMark | 1<<classSpace
)

// classOfRune is the class of a code point from 0 to 10FFFF.
func classOfRune(r rune) runeClass {
	if r < classEnd {
		return classOf[int(classBlock[r>>6&(classEnd>>6-1)])<<6|int(r&63)]
	}
	if r >= 0xE0100 && r <= 0xE01EF {
		return classMark
	}
	return classOther
}

// classEnd is the end of the tables: above it stand the marks of plane 14 alone.
const classEnd = 0x40000

// classAtByte is the class at s[i] and how many bytes it has. A byte that is no part of
// valid UTF-8 is classBad with one byte.
func classAtByte(s string, i int) (runeClass, int) {
	c := s[i]
	if c < 0x80 {
		return classOf[c], 1 // the blocks of ASCII are the first two
	}
	rest := len(s) - i
	switch {
	case c < 0xC2:
	case c < 0xE0:
		if rest >= 2 && s[i+1]^0x80 < 0x40 {
			r := rune(c&0x1F)<<6 | rune(s[i+1]&0x3F)
			return classOf[int(classBlock[r>>6])<<6|int(r&63)], 2
		}
	case c < 0xF0:
		if rest >= 3 && s[i+1]^0x80 < 0x40 && s[i+2]^0x80 < 0x40 {
			r := rune(c&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F)
			if r >= 0x800 {
				if class := classOf[int(classBlock[r>>6])<<6|int(r&63)]; class != classBad {
					return class, 3
				}
			}
		}
	case c < 0xF5:
		if rest >= 4 && s[i+1]^0x80 < 0x40 && s[i+2]^0x80 < 0x40 && s[i+3]^0x80 < 0x40 {
			r := rune(c&0x07)<<18 | rune(s[i+1]&0x3F)<<12 | rune(s[i+2]&0x3F)<<6 | rune(s[i+3]&0x3F)
			if r >= 0x10000 && r <= 0x10FFFF {
				return classOfRune(r), 4
			}
		}
	}
	return classBad, 1
}
