package tokens

import "unicode/utf8"

// class sorts runes by how o200k_base treats them.
type class byte

const (
	none       class = 0
	blank      class = 's' // space, tab
	newline    class = 'n' // LF, CR
	digit      class = 'd'
	punct      class = 'p' // ASCII punctuation and control characters
	lower      class = 'l'
	upper      class = 'u'
	marked     class = 'm' // Latin letters of two bytes: é, ß, ł
	vietnamese class = 'v' // Latin letters of three bytes, ơ, ư, combining marks
	cyrillic   class = 'c'
	alphabet   class = 'a' // all other letters of two bytes: Greek, Arabic, Hebrew, Armenian
	kana       class = 'k'
	han        class = 'h'
	hangul     class = 'g'
	symbol     class = 'w' // general and CJK punctuation, symbols, full-width forms, U+FFFD
	astral     class = 'e' // emoji and all else beyond the BMP, joiner, variation selectors
	other      class = 'o' // scripts of three bytes: Thai, Devanagari, Georgian, ...
)

// ascii holds the class of each of the 128 ASCII characters.
const ascii = "pppppppppsnppnpp" + "pppppppppppppppp" +
	"sppppppppppppppp" + "ddddddddddpppppp" +
	"puuuuuuuuuuuuuuu" + "uuuuuuuuuuuppppp" +
	"plllllllllllllll" + "lllllllllllppppp"

// classAt is the class, the rune and its length at s[i]. A bad byte is U+FFFD
// of length 1.
func classAt(s string, i int) (class, rune, int) {
	b := s[i]
	if b < utf8.RuneSelf {
		return class(ascii[b]), rune(b), 1
	}
	// Two bytes, and three where the first forbids nothing to the second (East
	// Asia): other texts are rare, and what is malformed rarer.
	if b >= 0xC2 && b < 0xE0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80 {
		r := rune(b&0x1F)<<6 | rune(s[i+1]&0x3F)
		return wideClass(r), r, 2
	}
	if b > 0xE0 && b < 0xED && i+2 < len(s) && s[i+1]&s[i+2]&0xC0 == 0x80 && (s[i+1]|s[i+2])&0x40 == 0 {
		r := rune(b&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F)
		return wideClass(r), r, 3
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return wideClass(r), r, n
}

// wideClass is the class of a rune beyond ASCII, those that fill whole texts
// first.
func wideClass(r rune) class {
	switch {
	case r >= 0x3041 && r <= 0x30FF && r != 0x30FB: // the middle dot stands between the kana
		return kana
	case r >= 0x4E00 && r <= 0x9FFF:
		return han
	case r >= 0xAC00 && r <= 0xD7AF:
		return hangul
	case r >= 0x0400 && r <= 0x052F:
		return cyrillic
	case r < 0xC0:
		return symbol
	case r >= 0x01A0 && r <= 0x01B0, r >= 0x0300 && r <= 0x036F, r >= 0x1E00 && r <= 0x1EFF:
		return vietnamese
	case r < 0x0250:
		return marked
	case r < 0x0800:
		return alphabet
	case r > 0xFFFF, r == 0x200D, r >= 0xFE00 && r <= 0xFE0F:
		return astral
	case r >= 0x3400 && r <= 0x4DBF, r >= 0xF900 && r <= 0xFAFF:
		return han
	case r >= 0x2000 && r <= 0x2BFF, r >= 0x3000 && r <= 0x303F, r == 0x30FB, r >= 0xFF00:
		return symbol
	}
	return other
}

// family joins the classes that stand in one run.
func (c class) family() class {
	switch c {
	case upper, marked, vietnamese:
		return lower
	case han, hangul:
		return kana
	default:
		return c
	}
}

// runWeight and eachWeight are the weights of the classes outside of words and
// white space: of a run, and of each character of it.
var (
	runWeight = [128]milli{
		punct: wPunctRun, cyrillic: wCyrillicRun, kana: wEastAsian, han: wEastAsian, hangul: wEastAsian,
	}
	eachWeight = [128]milli{
		punct: wPunct, cyrillic: wCyrillic, alphabet: wAlphabet, kana: wKana, han: wHan, hangul: wHangul,
		symbol: wSymbol, astral: wAstral, other: wOther,
	}
)
