package text

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	family := "👨‍👩‍👧" // three people, two joiners
	for _, c := range []struct {
		s    string
		n    int
		head string
	}{
		{"hello", 3, "hel"},
		{"hello", 5, "hello"},
		{"hello", 9, "hello"},
		{"日本語", 2, "日本"},
		{"a" + family + "b", 3, "a"},
		{"a" + family + "b", 6, "a" + family},
		{"ae\u0301x", 2, "a"},           // e with a combining accent
		{"x🇯🇵🇫🇷", 4, "x🇯🇵"},             // half of the second flag goes
		{"x👍🏽y", 2, "x"},                // thumb without its tone
		{"a\r\nb", 2, "a"},              // CR LF is one break
		{"\xff\xfe\xfd", 2, "\xff\xfe"}, // bad bytes count one each
	} {
		head, tail := Cut(c.s, c.n)
		if head != c.head || head+tail != c.s {
			t.Errorf("%q at %d: %q + %q, want %q", c.s, c.n, head, tail, c.head)
		}
	}
	if head, _ := Cut("e"+strings.Repeat("\u0301", 1000), 500); len(head) == 0 {
		t.Error("an endless cluster must still be cut somewhere")
	}
}

func TestCutLines(t *testing.T) {
	for _, c := range []struct {
		s        string
		n, lines int
		head     string
	}{
		{"a\nb\nc", 99, 2, "a\nb"},
		{"a\nb\nc", 99, 3, "a\nb\nc"},
		{"a\nb\nc", 3, 9, "a\nb"},
		{"a\n\n\n", 99, 2, "a\n"},
		{"", 99, 2, ""},
	} {
		head, tail := CutLines(c.s, c.n, c.lines)
		if head != c.head || head+tail != c.s {
			t.Errorf("%q, %d characters, %d lines: %q + %q, want %q", c.s, c.n, c.lines, head, tail, c.head)
		}
	}
}

func TestFold(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		s    string
		want int // characters shown
	}{
		{long, 100},
		{long + strings.Repeat("y", 20), 120}, // a fifth is let stand
		{long + strings.Repeat("y", 21), 100},
		{"a\nb\nc\nd", 7},           // two lines more are let stand
		{"a\nb\nc\nd\ne", 3},        // three are not
		{"a\nb\n" + long + long, 3}, // nor is a long one
	} {
		head, tail := Fold(c.s, 100, 2)
		if len(head) != c.want || head+tail != c.s {
			t.Errorf("%q: %d characters stand, want %d", c.s, len(head), c.want)
		}
	}
}
