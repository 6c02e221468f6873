package summary

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func all(seq func(string, func(string) bool), s string) []string {
	var out []string
	seq(s, func(x string) bool { out = append(out, x); return true })
	return out
}

func TestEachLine(t *testing.T) {
	for text, want := range map[string][]string{
		"a\n\n b \r\nc":                {"a", "b", "c"},
		"a\rb\fc\vd":                   {"a", "b", "c", "d"},
		"a\u2028## Goal\u2029b\u0085c": {"a", "## Goal", "b", "c"},
		"a\x00b\x1b[31mc":              {"a", "b", "[31mc"},
		"a\xffb":                       {"a", "b"},
		"tab\tstays":                   {"tab\tstays"},
		"日本語\n\u3000全角の空白\u3000":       {"日本語", "全角の空白"},
		"a\ufffdb":                     {"a\ufffdb"}, // a replacement character that stands in the text
		"":                             nil,
		" \n\t":                        nil,
	} {
		if got := all(eachLine, text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestEachSentence(t *testing.T) {
	for line, want := range map[string][]string{
		"One. Two! Three?":                         {"One.", "Two!", "Three?"},
		"Use v2.9.1 of x.y, e.g. this. Then stop.": {"Use v2.9.1 of x.y, e.g. this.", "Then stop."},
		`He said "no." Then left.`:                 {`He said "no."`, "Then left."},
		"Wait... What?":                            {"Wait...", "What?"},
		"一つ目。二つ目！「三つ目。」四つ目":                        {"一つ目。", "二つ目！", "「三つ目。」", "四つ目"},
		"no end": {"no end"},
		"":       nil,
	} {
		if got := all(eachSentence, line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestPiecesAreSubstrings(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("word ", 500), strings.Repeat("x", 3000), strings.Repeat("漢字", 800), strings.Repeat("文。", 600),
		strings.Repeat("A sentence of some length. ", 90), strings.Repeat(`{"k": "v1", "n": [1,2,{"a": 3}]}, `, 60),
		strings.Repeat("…", 700), "! " + strings.Repeat(" ", 2000) + "a",
	} {
		line = strings.TrimSpace(line)
		for name, split := range map[string]func(string, func(string) bool){"pieces": eachPiece, "fields": eachField} {
			at, total := 0, 0
			for _, p := range all(split, line) {
				i := strings.Index(line[at:], p)
				if i < 0 || len(p) > quoteBytes || !utf8.ValidString(p) || p != strings.TrimSpace(p) || p == "" {
					t.Fatalf("%s of %.20q: bad piece %q", name, line, p)
				}
				at += i + len(p)
				total += len(strings.ReplaceAll(p, " ", ""))
			}
			if want := len(strings.ReplaceAll(line, " ", "")); total != want {
				t.Errorf("%s of %.20q: %d bytes of %d", name, line, total, want)
			}
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"short", 10, "short"},
		{"One sentence. Another one follows", 20, "One sentence."},
		{"A. b c d e f g h i j k l m", 20, "A. b c d e f g h i"}, // the sentence would give away too much
		{"wordwithoutend", 6, "wordwi"},
		{"漢字漢字", 7, "漢字"},
		{"文が一つ。もう一つ", 20, "文が一つ。"},
		{"x", 0, ""},
	} {
		if got := shorten(c.s, c.n); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

func TestParseJSON(t *testing.T) {
	for _, s := range []string{
		`{"a": "x\ny", "b": [1, {"c": null}], "d": -1.5e3, "e": {}, "f": []}`,
		`["a", true, {"b": "\u00e9\ud83d\ude00\ud800"}]`, `"text"`, `{"\"k\"": "\\\/\b\f\t"}`,
	} {
		n, ok := parseJSON(" " + s + "\n")
		var want any
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatal(err)
		}
		if got := plainValue(n); !ok || !equalJSON(got, want) {
			t.Errorf("%s: %v %v", s, ok, got)
		}
	}
	for _, s := range []string{"", "{", `{"a"}`, `{"a":1,}`, `[1 2]`, `{"a": 1} x`, `{a: 1}`, "text", "7", `"open`, `{"a": "open}`, "[", `{"a":`} {
		if n, ok := parseJSON(s); ok {
			t.Errorf("%q was read as %v", s, n)
		}
	}
	deep := strings.Repeat(`{"a":[`, 100_000)
	if _, ok := parseJSON(deep); ok {
		t.Error("an unclosed nest was read")
	}
	if n, ok := parseJSON(strings.Repeat("[", 50) + strings.Repeat("]", 50)); !ok || n.kind != 'a' {
		t.Error("a deep array was not read")
	}
	if got := unquote(`"a\qb\u12"`); got != `a\qb\u12` {
		t.Errorf("broken escapes: %q", got)
	}
}

// plainValue is a node as encoding/json would give it, numbers as their text.
func plainValue(n jsonNode) any {
	switch n.kind {
	case 's':
		return n.str()
	case 'o':
		m := map[string]any{}
		for _, k := range n.kids {
			m[k.key] = plainValue(k)
		}
		return m
	case 'a':
		a := []any{}
		for _, k := range n.kids {
			a = append(a, plainValue(k))
		}
		return a
	}
	var v any
	if json.Unmarshal([]byte(n.raw), &v) != nil {
		return n.raw
	}
	return v
}

func equalJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func TestCues(t *testing.T) {
	for s, want := range map[string]cue{
		"You must not touch it.":            cueRule,
		"Please DON'T rename it":            cueRule,
		"please don’t rename it":            cueRule,
		"Do not commit":                     cueRule,
		"Fix it without a new dependency":   cueLimit,
		"mustard and neverland":             0,
		"必ずテストしてください":                       cueRule,
		"コメントは日本語のみ":                        cueRule,
		"ファイルを消さないでください":                    cueRule,
		"All tests pass now.":               cueDone,
		"Fixed the parser.":                 cueDone,
		"I will make sure it is added next": cueDoubt | cueRule | cueDone | cueNext,
		"Remaining: the docs":               cueNext,
		"We still need to rename it":        cueNext,
		"修正しました。":                           cueDone,
		"次にテストを書きます":                        cueNext,
		"":                                  0,
	} {
		if got := readCues(s); got != want {
			t.Errorf("%q: %05b, want %05b", s, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	line := fill("- % of %, %:", "50%", "a%b", "c")
	if line != "- 50% of a%b, c:" {
		t.Fatal(line)
	}
	got, ok := unfill("- % of %, %:", line)
	if !ok || !slices.Equal(got, []string{"50%", "a%b", "c"}) {
		t.Errorf("%q %v", got, ok)
	}
	for _, s := range []string{"- 1 of 2, 3", "x - 1 of 2, 3:", "- 1, 3:", ""} {
		if v, ok := unfill("- % of %, %:", s); ok {
			t.Errorf("%q gave %q", s, v)
		}
	}
}
