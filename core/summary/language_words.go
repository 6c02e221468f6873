package summary

import (
	"strings"
	"unicode"
)

// Languages of the Latin script are told apart by their function words: the
// articles, prepositions and auxiliaries that no text of a few sentences goes
// without. A word that two languages have counts for both.

// tongue is a set of languages, one bit each.
type tongue uint16

const (
	inEnglish tongue = 1 << iota
	inFrench
	inGerman
	inSpanish
	inItalian
	inPortuguese
	inDutch
	inNordic // Danish, Norwegian and Swedish: too near to one another to be told apart
	inPolish
	inTurkish
	inElsewhere // a Latin language without words here
)

const tongues = 10 // those that have words

const (
	fewWords   = 20  // words that say something of a language at least
	fewHits    = 5   // function words of it, at least
	hitShare   = 0.1 // of all words: in prose it is 0.2 to 0.5
	quotedHits = 5   // as many words that only one language has are more than a quoted name
)

// wording is how many words a text has, and of those the function words of each
// language, and those that no other one has.
type wording struct {
	words int
	hits  [tongues]int
	only  [tongues]int
}

// countWords adds a text's prose: fenced code, code in backquotes, paths, names
// with digits, and lines that hold more of those than words are left out.
func (w *wording) countWords(text string) {
	fenced := false
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
			continue
		}
		if !fenced {
			w.countLine(line)
		}
	}
}

func (w *wording) countLine(line string) {
	var own wording
	other, quoted := 0, false
	for field := range strings.FieldsSeq(line) {
		if marks := strings.Count(field, "`"); marks > 0 || quoted {
			quoted = quoted != (marks%2 == 1)
			continue
		}
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && r != '=' && r != '/' && r != '\\' && r != '$' })
		switch {
		case word == "":
			continue
		case strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' }) >= 0,
			strings.HasSuffix(strings.TrimRight(field, ",.;:"), "()"):
			other++
			continue
		}
		own.words++
		for piece := range strings.FieldsFuncSeq(strings.ToLower(word), func(r rune) bool { return r == '\'' || r == '’' || r == '-' }) {
			of := tongueOf(piece)
			for i := range own.hits {
				own.hits[i] += int(of>>i) & 1
				if of == 1<<i {
					own.only[i]++
				}
			}
		}
	}
	if own.words < other {
		return
	}
	w.words += own.words
	for i, n := range own.hits {
		w.hits[i] += n
		w.only[i] += own.only[i]
	}
}

// clear is the language that a text is in, 0 where that is in doubt: a few words,
// few function words, or more than half as many of another language.
func (w *wording) clear() tongue {
	best, second := 0, -1
	for i := 1; i < tongues; i++ {
		switch {
		case w.hits[i] > w.hits[best]:
			best, second = i, best
		case second < 0 || w.hits[i] > w.hits[second]:
			second = i
		}
	}
	n := w.hits[best]
	if w.words < fewWords || n < fewHits || float64(n) < hitShare*float64(w.words) || 2*w.hits[second] > n {
		return 0
	}
	return 1 << best
}

// speaks reports whether a text holds so much of a language that an answer in it
// may be right: people paste long logs in English under a sentence of their own.
func (w *wording) speaks(of tongue) bool {
	most, own := 0, 0
	for i, n := range w.hits {
		most = max(most, n)
		if of == 1<<i {
			own = w.only[i]
		}
	}
	return own >= max(quotedHits, most/16)
}

// tongueOf is the languages that have a function word, 0 for any other word.
func tongueOf(word string) tongue {
	switch word {
	case "the", "and", "that", "with", "were", "are", "this", "from", "not", "have", "has", "been", "which", "would",
		"should", "their", "they", "you", "it", "its", "but", "because", "when", "there", "be", "did", "does", "what":
		return inEnglish
	case "les", "une", "est", "dans", "pour", "pas", "sur", "avec", "sont", "nous", "vous", "elle", "ce", "cette", "ces", "aux",
		"au", "par", "plus", "ont", "été", "être", "où", "qu", "n", "j", "leur", "ne":
		return inFrench
	case "der", "und", "ist", "nicht", "mit", "auf", "für", "von", "dem", "ein", "eine", "einen", "einer", "eines", "zu",
		"wird", "wurde", "wurden", "sind", "auch", "sich", "bei", "nach", "aus", "oder", "aber", "noch", "im", "zum", "zur", "wenn",
		"dass", "kann", "haben", "hat", "ich", "wir", "sie", "über", "bitte", "durch":
		return inGerman
	case "el", "los", "las", "más", "pero", "están", "fue", "fueron", "también", "ya", "hay", "cuando", "sin", "y", "muy",
		"ahora", "donde", "hasta", "ese", "esto":
		return inSpanish
	case "gli", "che", "di", "è", "per", "sono", "della", "dei", "delle", "dello", "nel", "nella", "dal", "dalla", "questo", "questa",
		"anche", "più", "stato", "stata", "stati", "sul", "sulla", "alla", "ed", "perché", "ora":
		return inItalian
	case "os", "uma", "não", "em", "nos", "nas", "com", "foi", "foram", "são", "ao", "pelo", "pela", "isso", "seu", "já",
		"é", "você", "então", "mas":
		return inPortuguese
	case "het", "een", "van", "niet", "voor", "zijn", "wordt", "aan", "ook", "maar", "bij", "uit", "naar", "deze", "dit", "nog",
		"heeft", "hebben", "werd", "moet", "geen", "door", "dat", "worden", "ik":
		return inDutch
	case "och", "att", "det", "som", "på", "är", "av", "för", "inte", "med", "har", "till", "ett", "från", "ikke", "og", "af", "til",
		"jeg", "blev", "eller", "skal", "ska", "efter", "vid", "også", "fra", "være", "jag", "detta", "dette":
		return inNordic
	case "się", "że", "jest", "jak", "przez", "oraz", "dla", "który", "która", "które", "są", "został", "została", "zostały",
		"ale", "tym", "już", "tylko", "być", "przy", "w", "teraz", "po":
		return inPolish
	case "ve", "bir", "bu", "için", "ile", "olarak", "daha", "çok", "gibi", "olan", "değil", "sonra", "ancak", "kadar", "ise", "şimdi":
		return inTurkish
	}
	return sharedTongues(word)
}

// sharedTongues is the same for words of two languages or more.
func sharedTongues(word string) tongue {
	switch word {
	case "was", "will":
		return inEnglish | inGerman
	case "for":
		return inEnglish | inNordic
	case "of", "is", "had":
		return inEnglish | inDutch
	case "to":
		return inEnglish | inPolish
	case "as":
		return inEnglish | inPortuguese
	case "do":
		return inEnglish | inPortuguese | inPolish
	case "la":
		return inFrench | inSpanish | inItalian
	case "un":
		return inFrench | inSpanish | inItalian
	case "by":
		return inEnglish | inPolish
	case "we":
		return inEnglish | inDutch
	case "je":
		return inFrench | inDutch
	case "ai", "ma", "le":
		return inFrench | inItalian
	case "à", "ou":
		return inFrench | inPortuguese
	case "das":
		return inGerman | inPortuguese
	case "dos", "desde", "porque":
		return inSpanish | inPortuguese
	case "sua":
		return inItalian | inPortuguese
	case "om", "nu":
		return inDutch | inNordic
	case "des", "du":
		return inFrench | inGerman
	case "que":
		return inFrench | inSpanish | inPortuguese
	case "qui", "il", "l", "d", "c", "non":
		return inFrench | inItalian
	case "mais":
		return inFrench | inPortuguese
	case "et":
		return inFrench | inNordic
	case "en":
		return inFrench | inSpanish | inDutch | inNordic
	case "son":
		return inFrench | inSpanish
	case "die", "wie", "als", "werden":
		return inGerman | inDutch
	case "den":
		return inGerman | inNordic
	case "um":
		return inGerman | inPortuguese
	case "nie":
		return inGerman | inPolish
	case "para", "por", "como", "está", "esta", "este", "ser", "também":
		return inSpanish | inPortuguese
	case "una", "del", "con", "lo", "su", "al", "si", "ha":
		return inSpanish | inItalian
	case "se":
		return inSpanish | inItalian | inPortuguese
	case "e", "o":
		return inItalian | inPortuguese
	case "na":
		return inPortuguese | inPolish
	case "met", "op", "kan":
		return inDutch | inNordic
	case "var":
		return inNordic | inTurkish
	}
	return 0
}
