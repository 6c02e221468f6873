package summary

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// eachLine gives the lines of text, without the white space around them; empty
// ones are left out. Everything that ends a line somewhere ends it here (NEL,
// U+2028, form feed, a lone carriage return), and so do control characters and
// bytes that are not UTF-8: a quote of one line can then never break into two,
// and each is an exact substring of text.
func eachLine(text string, yield func(line string) bool) {
	start := 0
	emit := func(end, next int) bool {
		line := strings.TrimSpace(text[start:end])
		start = next
		return line == "" || yield(line)
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\t' {
			i++
			continue
		}
		n := 1
		if c >= utf8.RuneSelf {
			var r rune
			r, n = utf8.DecodeRuneInString(text[i:])
			if !breaksLine(r, n) {
				i += n
				continue
			}
		}
		if !emit(i, i+n) {
			return
		}
		i += n
	}
	emit(len(text), len(text))
}

func breaksLine(r rune, n int) bool {
	return r == utf8.RuneError && n == 1 || r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029'
}

// eachSentence splits one line behind its sentences' ends: 。！？ anywhere, and
// . ! ? before white space that is not followed by a lower-case letter ("e.g.
// this" and "2.9.1" stay whole). Closing quotes stay with their sentence.
func eachSentence(line string, yield func(sentence string) bool) {
	start := 0
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		i += n
		switch r {
		case '.', '!', '?':
			for i < len(line) && strings.IndexByte(`.!?"')]`, line[i]) >= 0 {
				i++
			}
			if i < len(line) && line[i] != ' ' && line[i] != '\t' {
				continue
			}
			if rest := strings.TrimLeft(line[i:], " \t"); rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
				continue
			}
		case '。', '！', '？':
			for {
				r, n := utf8.DecodeRuneInString(line[i:])
				if n == 0 || !strings.ContainsRune("。！？」』）)", r) {
					break
				}
				i += n
			}
		default:
			continue
		}
		if s := strings.TrimSpace(line[start:i]); s != "" && !yield(s) {
			return
		}
		start = i
	}
	if s := strings.TrimSpace(line[start:]); s != "" {
		yield(s)
	}
}

// quoteBytes is the length beyond which a line is quoted in pieces, so that a
// budget can take part of it: about 100 tokens of English.
const quoteBytes = 400

// eachPiece splits a line that is too long for one quote, at sentences, then at
// words, then at runes. Each piece is an exact substring.
func eachPiece(line string, yield func(piece string) bool) {
	if len(line) <= quoteBytes {
		yield(line)
		return
	}
	eachSentence(line, func(s string) bool {
		for len(s) > quoteBytes {
			head := shorten(s, quoteBytes)
			if head == "" || !yield(head) {
				return false
			}
			s = strings.TrimSpace(s[len(head):])
		}
		return s == "" || yield(s)
	})
}

// shorten is the longest beginning of s of at most n bytes that ends at a
// sentence, else at a word, else at a rune; a sentence or word that would give
// away more than half of it is cut all the same.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	head := s[:max(n, 0)]
	best := -1
	for i, r := range head {
		switch r {
		case '。', '！', '？':
			best = i + utf8.RuneLen(r)
		case '.', '!', '?':
			if i+1 < len(s) && s[i+1] == ' ' {
				best = i + 1
			}
		}
	}
	if best >= n/2 {
		return head[:best]
	}
	if i := strings.LastIndexFunc(head, unicode.IsSpace); i >= n/2 {
		head = head[:i]
	}
	return strings.TrimSpace(head)
}

// plain is s without the escape sequences that colour a terminal.
func plain(s string) string {
	i := strings.IndexByte(s, 0x1b)
	if i < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i >= 0 {
		out = append(out, s[:i]...)
		s = s[i+1:]
		if strings.HasPrefix(s, "[") {
			n := 1
			for n < len(s) && (s[n] < '@' || s[n] > '~') && s[n] >= ' ' && s[n] < 0x7f {
				n++
			}
			s = s[min(n+1, len(s)):]
		}
		i = strings.IndexByte(s, 0x1b)
	}
	return string(append(out, s...))
}

// firstLine is the first line of text that is not blank, and whether more stands behind it.
func firstLine(text string) (line string, more bool) {
	eachLine(text, func(l string) bool {
		if line == "" {
			line = l
			return true
		}
		more = true
		return false
	})
	return line, more
}

// letters counts the letters of a text, and those of them that are kana or Han.
func letters(text string) (all, japanese int) {
	for _, r := range text {
		if r < utf8.RuneSelf {
			if r |= 0x20; r >= 'a' && r <= 'z' {
				all++
			}
			continue
		}
		if !unicode.IsLetter(r) {
			continue
		}
		all++
		switch {
		case r >= 0x3040 && r <= 0x30ff, r >= 0x31f0 && r <= 0x31ff, r >= 0xff66 && r <= 0xff9d, unicode.Is(unicode.Han, r):
			japanese++
		}
	}
	return all, japanese
}
