package summary

import (
	"strings"
	"unicode"

	"github.com/tamp-dev/tamp/core/transcript"
)

// A summary in another language than the conversation's turns the conversation:
// the model goes on in the language of what it reads first. Languages are told
// apart by their script, which needs no table of words: a Japanese conversation
// that gets an English summary is seen, a German one is not.

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

// countScripts counts the letters of a text by script.
func countScripts(count *[scripts]int, text string) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			count[scriptOf(r)]++
		}
	}
}

// Language is what the messages of the user say of the conversation's language,
// or a policy's tag.
type Language struct {
	of    script
	known bool
}

// LanguageOf is the language that a summary must be in: by tag (BCP 47), or for
// "auto" and "" by what people wrote: the newest 100,000 bytes of it, of each
// message 4,000 at most.
func LanguageOf(tag string, t *transcript.Transcript) Language {
	if tag != "" && tag != "auto" {
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		switch primary {
		case "ja":
			return Language{kana, true}
		case "zh":
			return Language{han, true}
		case "ko":
			return Language{hangul, true}
		case "ru", "uk", "bg", "be", "sr", "mk":
			return Language{cyrillic, true}
		case "ar", "fa", "ur":
			return Language{arabic, true}
		case "he":
			return Language{hebrew, true}
		case "el":
			return Language{greek, true}
		case "th":
			return Language{thai, true}
		case "hi", "mr", "ne":
			return Language{devanagari, true}
		}
		return Language{latin, true}
	}
	var count [scripts]int
	left := 100_000
	for i := len(t.Items) - 1; i >= 0 && left > 0; i-- {
		if it := &t.Items[i]; it.RealUser() {
			text := it.Text()
			text = text[:min(len(text), 4000)]
			countScripts(&count, text)
			left -= len(text)
		}
	}
	return dominant(&count)
}

// dominant is the script that a text is in. Han with kana is Japanese.
func dominant(count *[scripts]int) Language {
	all := 0
	for _, n := range count {
		all += n
	}
	if all < fewLetters {
		return Language{}
	}
	best := latin
	for s := latin + 1; s < scripts; s++ {
		if count[s] > count[best] || best == latin && float64(count[s]) >= spoken*float64(all) {
			best = s
		}
	}
	if best == han && count[kana] > 0 {
		best = kana
	}
	return Language{best, true}
}

// Accepts reports whether a text can be in the language: short ones, and those
// of which nobody knows the language, always can.
func (l Language) Accepts(text string) bool {
	if !l.known {
		return true
	}
	var count [scripts]int
	countScripts(&count, text)
	all := 0
	for _, n := range count {
		all += n
	}
	if all < fewLetters {
		return true
	}
	if l.of == latin {
		return dominant(&count).of == latin
	}
	own := count[l.of]
	if l.of == kana {
		own += count[han] // a text of terms has few kana
	}
	return float64(own) >= wanted*float64(all)
}
