package summary

import (
	"strings"
	"unicode"

	"github.com/tamp-dev/tamp/core/transcript"
)

// A summary in another language than the conversation's turns the conversation:
// the model goes on in the language of what it reads first. Scripts tell most
// languages apart, kana Japanese from Chinese, and function words those of the
// Latin script. Only what is clear counts: a doubt accepts the answer.

// script is the script of a language; latin is all that is no other.
type script uint8

const (
	latin script = iota
	kana
	han
	hangul
	cyrillic
	arabic
	hebrew
	greek
	thai
	devanagari
	scripts
)

func scriptOf(r rune) script {
	switch {
	case r < 0x370:
		return latin
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return kana
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic
	case unicode.Is(unicode.Arabic, r):
		return arabic
	case unicode.Is(unicode.Hebrew, r):
		return hebrew
	case unicode.Is(unicode.Greek, r):
		return greek
	case unicode.Is(unicode.Thai, r):
		return thai
	case unicode.Is(unicode.Devanagari, r):
		return devanagari
	}
	return latin
}

const (
	// fewLetters is how many letters say something of a language at least.
	fewLetters = 40
	// spoken is the share of its letters by which a script is a text's own: names,
	// paths and code are Latin in every language.
	spoken = 0.2
	// wanted is the share that an answer must have of it.
	wanted = 0.05
)

// scripted is the letters of a text by script, and those Chinese ones that
// Japanese does not write.
type scripted struct {
	of      [scripts]int
	chinese int
}

func (l *scripted) count(text string) {
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		s := scriptOf(r)
		l.of[s]++
		if s == han && chineseOnly(r) {
			l.chinese++
		}
	}
}

func (l *scripted) all() int {
	n := 0
	for _, x := range l.of {
		n += x
	}
	return n
}

// chineseOnly reports whether a character is frequent in Chinese, in simplified or
// traditional writing, and not in Japanese.
func chineseOnly(r rune) bool {
	return strings.ContainsRune("这這们們还還没沒吗嗎么麼从從将并后对對为為经經时时过過进進说說让讓给給请請您她它哪", r)
}

// Language is what the messages of the user say of the conversation's language,
// or a policy's tag.
type Language struct {
	of    script
	known bool
	in    tongue  // of the Latin script, 0 is unknown
	words wording // of the conversation, none for a tag
}

// LanguageOf is the language that a summary must be in: by tag (BCP 47) or English
// name, or for "auto" and "" by what people wrote: the newest 100,000 bytes of it,
// of each message 4,000 at most.
func LanguageOf(tag string, t *transcript.Transcript) Language {
	if tag != "" && tag != "auto" {
		return named(tag)
	}
	var own scripted
	var words wording
	left := 100_000
	for i := len(t.Items) - 1; i >= 0 && left > 0; i-- {
		if it := &t.Items[i]; it.RealUser() {
			text := it.Text()
			text = text[:min(len(text), 4000)]
			own.count(text)
			words.countWords(text)
			left -= len(text)
		}
	}
	l := own.dominant()
	if l.known && l.of == latin {
		l.in, l.words = words.clear(), words
	}
	return l
}

// dominant is the script that a text is in. Han with a tenth of kana is Japanese,
// with fewer than a fiftieth Chinese, and between the two in doubt.
func (l *scripted) dominant() Language {
	all := l.all()
	if all < fewLetters {
		return Language{}
	}
	best := latin
	for s := latin + 1; s < scripts; s++ {
		if l.of[s] > l.of[best] || best == latin && float64(l.of[s]) >= spoken*float64(all) {
			best = s
		}
	}
	if best == han {
		switch kanas := l.of[kana]; {
		case 10*kanas >= l.of[han]:
			best = kana
		case 50*kanas >= l.of[han]:
			return Language{}
		}
	}
	return Language{of: best, known: true}
}

// Accepts reports whether a text can be in the language: short ones, and those
// of which nobody knows the language, always can.
func (l Language) Accepts(text string) bool {
	if !l.known {
		return true
	}
	var own scripted
	own.count(text)
	all := own.all()
	if all < fewLetters {
		return true
	}
	hans, kanas := own.of[han], own.of[kana]
	if l.of == latin {
		found := own.dominant()
		return !found.known || found.of == latin && l.acceptsWords(text)
	}
	if l.of == kana { // a text of terms has few kana; one of none is Chinese if it writes as only Chinese does
		chinese := hans >= fewLetters && 50*kanas < hans && own.chinese >= 2
		return !chinese && float64(kanas+hans) >= wanted*float64(all)
	}
	if l.of == han {
		japanese := kanas >= fewLetters/2 && 5*kanas >= hans
		return !japanese && float64(hans) >= wanted*float64(all)
	}
	return float64(own.of[l.of]) >= wanted*float64(all)
}

// acceptsWords is Accepts among the languages of the Latin script.
func (l Language) acceptsWords(text string) bool {
	if l.in == 0 {
		return true
	}
	var w wording
	w.countWords(text)
	found := w.clear()
	if l.in == inElsewhere { // its neighbours may look like it, English does not
		return found != inEnglish
	}
	return found == 0 || found == l.in || l.words.speaks(found)
}
