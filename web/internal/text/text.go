// Package text holds every sentence of the page, in English and Japanese, and
// writes numbers and sizes. It knows no DOM.
package text

import (
	"strconv"
	"strings"
)

// Lang is a language of the page.
type Lang string

// The languages.
const (
	English  Lang = "en"
	Japanese Lang = "ja"
)

// Of picks the language for a BCP 47 tag: Japanese for ja and its regions,
// English for everything else.
func Of(tag string) Lang {
	tag = strings.ToLower(tag)
	if tag == "ja" || strings.HasPrefix(tag, "ja-") {
		return Japanese
	}
	return English
}

// Entry is one sentence in both languages. {0}, {1} stand for arguments.
type Entry struct {
	En, Ja string
}

// Get is the sentence behind key, its places filled with args. A key that the
// catalogue does not have comes back as it is: a fate or a measure that the
// engine learns before the page does is shown by its code.
func Get(lang Lang, key string, args ...string) string {
	s, ok := Lookup(lang, key)
	if !ok {
		return key
	}
	for i, a := range args {
		s = strings.ReplaceAll(s, "{"+strconv.Itoa(i)+"}", a)
	}
	return s
}

// Piece is a stretch of a sentence: the catalogue's words, or an argument.
type Piece struct {
	Text string
	Arg  bool
}

// Pieces is Get in pieces, so that an argument can be set apart from the words
// around it: one that comes from a file may hold signs that turn the direction
// of what follows.
func Pieces(lang Lang, key string, args ...string) []Piece {
	s, ok := Lookup(lang, key)
	if !ok {
		return []Piece{{Text: key}}
	}
	var list []Piece
	words := 0 // where the words begin that are not in list yet
	for i := 0; i+2 < len(s); i++ {
		n := int(s[i+1] - '0')
		if s[i] != '{' || s[i+2] != '}' || n >= len(args) {
			continue
		}
		if words < i {
			list = append(list, Piece{Text: s[words:i]})
		}
		list = append(list, Piece{Text: args[n], Arg: true})
		words = i + 3
		i += 2
	}
	if words < len(s) {
		list = append(list, Piece{Text: s[words:]})
	}
	return list
}

// Lookup is Get without arguments, and says whether the catalogue has key.
func Lookup(lang Lang, key string) (string, bool) {
	e, ok := entry(key)
	if lang == Japanese {
		return e.Ja, ok
	}
	return e.En, ok
}

func entry(key string) (Entry, bool) {
	for _, table := range []map[string]Entry{shell, outcome, codes} {
		if e, ok := table[key]; ok {
			return e, true
		}
	}
	return Entry{}, false
}

// Number writes n with a comma between thousands, as both languages do.
func Number(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Size writes a length in bytes: "812 B", "12.3 KB", "1.2 MB".
func Size(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " B"
	case n < 999_950:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " KB"
	default:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	}
}

// Percent writes a share of 1 with at most one decimal: "81.4 %", "50 %".
func Percent(share float64) string {
	s := strconv.FormatFloat(share*100, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0") + " %"
}
