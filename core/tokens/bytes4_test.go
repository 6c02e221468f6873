package tokens

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestBytes4(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 3: 1, 4: 1, 5: 2, 8: 2, 9: 3, 4000: 1000} {
		if got := Bytes4().Count(strings.Repeat("x", n)); got != want {
			t.Errorf("%d bytes: %d, want %d", n, got, want)
		}
	}
	if got := Bytes4().Count("日本"); got != 2 { // six bytes
		t.Errorf("日本: %d, want 2", got)
	}
}

func TestByName(t *testing.T) {
	for name, want := range map[string]string{"": "estimate", "estimate": "estimate", "bytes4": "bytes4"} {
		c, ok := ByName(name)
		if !ok || c.Name() != want {
			t.Errorf("%q: %v %v, want %s", name, c, ok, want)
		}
	}
	if c, ok := ByName("o200k"); ok {
		t.Errorf("o200k: %v, want none", c)
	}
	if Estimate().ErrorP95() != 0.124 || Bytes4().ErrorP95() != 0.63 {
		t.Errorf("errors %v and %v", Estimate().ErrorP95(), Bytes4().ErrorP95())
	}
}

func TestCompactLen(t *testing.T) {
	for _, x := range []struct {
		raw  string
		want int
	}{
		{`{}`, 2},
		{" {\n\t\"a\" : [ 1 , 2 ] }\r\n", len(`{"a":[1,2]}`)},
		{`{"a":"x  y"}`, len(`{"a":"x  y"}`)},
		{`"\"\\\b\f\n\r\t"`, 2 + 14},
		{`"a\/b"`, len(`"a/b"`)},
		{`"\u0041\u00e9\u3042"`, 2 + 1 + 2 + 3},
		{`"\u0022\u005C\u000a\u0008\u000C\u000D\u0009"`, 2 + 14},
		{`"\u0000\u001f"`, 2 + 12},
		{`"\u007f\u2028"`, 2 + 1 + 3},
		{`"\ud83d\ude00"`, 2 + 4},
		{`"\ud83d"`, 2 + 3},
		{`"\ude00\ud83d"`, 2 + 6},
		{`"\ud83d\u0041"`, 2 + 3 + 1},
		{`"日本"`, 2 + 6},
		// malformed: what is there counts
		{`"\u12`, 5},
		{`"\`, 2},
		{`"\x41"`, 6},
		{`{"a":`, 5},
		{"  plain text, no JSON", 21},
		{"", 0},
		{"  ", 2},
	} {
		if got := compactLen([]byte(x.raw)); got != x.want {
			t.Errorf("%s: %d, want %d", x.raw, got, x.want)
		}
	}
}

// written is the length of v as Go writes it, but for the two characters that
// Go alone escapes.
func written(t *testing.T, v any) int {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	s := strings.TrimSuffix(b.String(), "\n")
	return len(s) - 3*(strings.Count(s, "\u2028")+strings.Count(s, `\u2028`)+strings.Count(s, `\u2029`))
}

func TestCompactLenWhateverTheSpacing(t *testing.T) {
	v := map[string]any{
		"role": "user", "n": json.Number("12.50"), "none": nil, "yes": true,
		"content": []any{
			map[string]any{"type": "input_text", "text": "tab\t, line\n, \"quote\", back\\slash, <b>&amp;</b> \x01\x7f"},
			map[string]any{"text": "日本語 é 😀 \u2028 end", "empty": map[string]any{}, "list": []any{}},
		},
	}
	want := written(t, v)
	var spellings []string
	plain, err := json.Marshal(v) // escapes <, > and &
	if err != nil {
		t.Fatal(err)
	}
	wide, err := json.MarshalIndent(v, "\t", "    ")
	if err != nil {
		t.Fatal(err)
	}
	var escaped strings.Builder // every character beyond ASCII as \uXXXX
	for _, r := range string(plain) {
		switch {
		case r < 0x80:
			escaped.WriteRune(r)
		case r < 0x10000:
			escaped.WriteString(`\u` + hex(r))
		default:
			escaped.WriteString(`\u` + hex(0xD800+(r-0x10000)>>10) + `\u` + hex(0xDC00+(r-0x10000)&0x3FF))
		}
	}
	spellings = append(spellings, string(plain), string(wide), escaped.String(), strings.ReplaceAll(string(plain), "/", `\/`))
	for _, s := range spellings {
		if !json.Valid([]byte(s)) {
			t.Fatalf("the test's own spelling is no JSON: %s", s)
		}
		if got := compactLen([]byte(s)); got != want {
			t.Errorf("%d, want %d: %s", got, want, s)
		}
	}
}

func hex(r rune) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
}

func FuzzCompactLen(f *testing.F) {
	for _, s := range []string{`{"a": "b\u00e9\/"}`, `[1, "\ud83d\ude00"]`, `"\`, `"x`, "\xff", ` {"k" : [ ] }`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		n := compactLen(raw)
		if n < 0 || n > 3*len(raw) {
			t.Fatalf("%d for %d bytes", n, len(raw))
		}
		if !json.Valid(raw) {
			return
		}
		var wide bytes.Buffer
		if err := json.Indent(&wide, raw, "", "\t"); err != nil {
			t.Fatal(err)
		}
		if first := bytes.TrimLeft(raw, " \t\r\n")[0]; first != '{' && first != '[' && first != '"' {
			return // a bare number or word counts its length
		}
		if got := compactLen(wide.Bytes()); got != n {
			t.Fatalf("%q: %d, indented %d", raw, n, got)
		}
		if got := compactLen([]byte(unspaced(raw))); got != n {
			t.Fatalf("%q: %d, without space %d", raw, n, got)
		}
	})
}
