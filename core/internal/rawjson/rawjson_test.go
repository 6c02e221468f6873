package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// The peer is encoding/json: what it accepts, and how it reads a string, is
// what this package must say too.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, -2.5e+3, true, false, null, "x\u00e9\ud83d\ude00\\\/\b"], "a": {}}`, `[]`, `""`, ` 0 `, `01`, `-`, `1.`, `.5`, `1e`,
		`[1,]`, `{"a":1,}`, `{"a"}`, `{a:1}`, `"\ud800"`, `"\ud800\u0041"`, `"\udc00x"`, "\"\xff\xe3\x81\"", `"\x"`, "\"\n\"", `"abc`, `[`, `{"\u0061": 1}`,
		"\ufeff1", `nul`, `truex`, `1 2`, ``, "\t",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := Parse(src)
		if want := json.Valid(src); (err == nil) != want {
			t.Fatalf("%q: %v, encoding/json says valid: %v", src, err, want)
		}
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(src) {
				t.Fatalf("%q: no place in %v", src, err)
			}
			Describe(src, syntax)
			return
		}
		compare(t, v)
		var want bytes.Buffer
		if err := json.Compact(&want, src); err != nil || !bytes.Equal(v.Compact(), want.Bytes()) {
			t.Fatalf("%q compacts to %q, want %q (%v)", src, v.Compact(), want.Bytes(), err)
		}
	})
}

func compare(t *testing.T, v Value) {
	t.Helper()
	switch v.Kind() {
	case String:
		var want string
		if err := json.Unmarshal(v.Raw(), &want); err != nil {
			t.Fatal(err)
		}
		if got := v.Text(); got != want {
			t.Fatalf("%q reads as %q, want %q", v.Raw(), got, want)
		}
		var back string
		if err := json.Unmarshal(AppendQuote(nil, want), &back); err != nil || back != want {
			t.Fatalf("%q quoted reads as %q (%v)", want, back, err)
		}
	case Array:
		var want []json.RawMessage
		if err := json.Unmarshal(v.Raw(), &want); err != nil {
			t.Fatal(err)
		}
		i := 0
		for e := range v.Elems() {
			if i >= len(want) || !bytes.Equal(e.Raw(), want[i]) {
				t.Fatalf("element %d of %q is %q", i, v.Raw(), e.Raw())
			}
			compare(t, e)
			i++
		}
		if i != len(want) {
			t.Fatalf("%d elements in %q, want %d", i, v.Raw(), len(want))
		}
	case Object:
		var want map[string]json.RawMessage
		if err := json.Unmarshal(v.Raw(), &want); err != nil {
			t.Fatal(err)
		}
		for k, m := range v.Members() {
			if _, ok := want[k]; !ok {
				t.Fatalf("key %q is not in %q", k, v.Raw())
			}
			compare(t, m)
		}
		for k, raw := range want {
			if strings.ContainsRune(k, '\uFFFD') {
				continue // Get looks up keys by their bytes; ours are ASCII
			}
			if got := v.Get(k); !bytes.Equal(got.Raw(), raw) {
				t.Fatalf("%q of %q is %q, want %q", k, v.Raw(), got.Raw(), raw)
			}
		}
	case Invalid, Null, True, False, Number:
	}
}

func TestDepth(t *testing.T) {
	nest := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := Parse(nest(MaxDepth)); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{MaxDepth + 2, 100_000} {
		if _, err := Parse(nest(n)); err == nil || !strings.Contains(err.Error(), "1000") {
			t.Fatalf("%d deep: %v", n, err)
		}
	}
}

func TestDescribe(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"{\n  \"a\": [1,\n  ,2]}", "line 3, column 3: unexpected ',', a value is wanted\n    ,2]}\n    ^"},
		{`[1`, "line 1, column 3: ends where ',' or ']' is wanted\n  [1\n    ^"},
		// Wide characters take two columns, marks and joiners none.
		{`["あ" x]`, "line 1, column 6: unexpected 'x', ',' or ']' is wanted\n  [\"あ\" x]\n        ^"},
		{"[\"e\u0301\" x]", "line 1, column 7: unexpected 'x', ',' or ']' is wanted\n  [\"e\u0301\" x]\n       ^"},
		// 20 bytes on each side; what is cut is marked.
		{`["0123456789012345678901234" x, "0123456789012345678901234"]`, "line 1, column 30: unexpected 'x', ',' or ']' is wanted\n  …789012345678901234\" x, \"0123456789012345…\n                       ^"},
		// Nothing turns the line around.
		{"[\"\u202ex\" y]", "line 1, column 7: unexpected 'y', ',' or ']' is wanted\n  [\"\ufffdx\" y]\n        ^"},
	} {
		_, err := Parse([]byte(c.src))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Fatalf("%q: %v", c.src, err)
		}
		if got := Describe([]byte(c.src), syntax); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	src := []byte(` {"k" : "v" } `)
	v, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	m := v.Get("k")
	if string(src[m.Start():m.End()]) != `"v"` || m.KeyStart() != 2 || v.KeyStart() != -1 {
		t.Fatal(m.Start(), m.End(), m.KeyStart(), v.KeyStart())
	}
	if v.Get("absent").Exists() || v.Get("absent").Text() != "" || v.Get("absent").Raw() != nil {
		t.Fatal("a member that is not there exists")
	}
}
