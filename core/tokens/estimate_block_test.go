package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// byRuns is the estimate by its definition, in thousandths: run by run, without
// the fast path.
func byRuns(s string) milli {
	sum, before, cost := milli(0), none, milli(0)
	for i := 0; i < len(s); {
		cost, before, i = run(s, i, before)
		sum += cost
	}
	return sum
}

// The fast path gives the very thousandths of the definition, wherever a text
// changes its class, repeats itself or ends.
func TestBlocks(t *testing.T) {
	alphabet := [...]string{
		"a", "b", "z", "A", "B", "Z", "0", "9", " ", "\t", "\n", "\r", ".", "=", "@", "[", "`", "{", "/", ":", "\x0b", "\x00", "\x7f",
		"é", "ơ", "ж", "あ", "漢", "😀", "\xff", "\xe3\x81", "aaa", "AAA", "===", "   ", "000", "abcdefgh", "aBcDeFgH", "ABCDEFGH", "12345678",
	}
	seed := uint64(1)
	roll := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	for range 50_000 {
		var b strings.Builder
		few, from := 1+roll(len(alphabet)), roll(len(alphabet))
		for range roll(60) {
			b.WriteString(alphabet[(from+roll(few))%len(alphabet)])
		}
		if s := b.String(); sum(s) != byRuns(s) {
			t.Fatalf("%q: %d, by its runs %d", s, sum(s), byRuns(s))
		}
	}
}

// Characters are read as Go reads them, malformed ones included.
func TestClassAtReadsAsUTF8(t *testing.T) {
	edges := []byte{0, 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE3, 0xFF}
	for first := 0x80; first < 0x100; first++ {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges {
					s := string([]byte{byte(first), b, c, d})
					for n := 1; n <= len(s); n++ {
						r, size := utf8.DecodeRuneInString(s[:n])
						if kind, gotR, gotSize := classAt(s[:n], 0); gotR != r || gotSize != size || kind != wideClass(r) {
							t.Fatalf("%q reads as %q, %d bytes, class %c; want %q, %d, %c", s[:n], gotR, gotSize, kind, r, size, wideClass(r))
						}
					}
				}
			}
		}
	}
}

func FuzzBlocks(f *testing.F) {
	for _, s := range []string{"func (s *Server) loadAll(ctx context.Context) {\n\treturn nil // 3 of 12\n}\n", "AAAAbbbbCCCC1111    \n\n", "日本語 and more of it", "aéaéaéaéaéaé"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := sum(s), byRuns(s); got != want {
			t.Fatalf("%q: %d, by its runs %d", s, got, want)
		}
	})
}
