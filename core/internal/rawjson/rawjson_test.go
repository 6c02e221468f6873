package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
		if got := v.CompactText(); got != want.String() {
			t.Fatalf("%q compacts to the text %q, want %q", src, got, want.String())
		}
		again, err := new(Parser).Parse(src)
		if err != nil || !bytes.Equal(again.Compact(), v.Compact()) {
			t.Fatalf("%q: a Parser reads %q (%v), want %q", src, again.Raw(), err, v.Raw())
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
		if got := v.Bytes(); string(got) != want {
			t.Fatalf("%q reads as the bytes %q, want %q", v.Raw(), got, want)
		}
		if n := v.TextLen(); n != len(want) {
			t.Fatalf("%q has %d bytes of text, want %d", v.Raw(), n, len(want))
		}
		for _, n := range []int{0, 1, 2, 5, 12, len(v.Raw())} {
			head := v.Head(n)
			whole := strings.TrimSuffix(head, "\uFFFD") // a pair that was cut
			if !strings.HasPrefix(want, whole) || len(v.Raw())-2 <= n && head != want || len(head) > 3*n {
				t.Fatalf("the first %d bytes of %q read as %q, want the beginning of %q", n, v.Raw(), head, want)
			}
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

// Every byte at every place of a string, since eight of them are looked at at once.
func TestBytesInStrings(t *testing.T) {
	for place := range 20 {
		for c := range 256 {
			src := []byte(`["` + strings.Repeat("a", 20) + `","b"]`)
			src[2+place] = byte(c)
			v, err := Parse(src)
			if want := json.Valid(src); (err == nil) != want {
				t.Fatalf("%q: %v, encoding/json says valid: %v", src, err, want)
			}
			if err == nil {
				compare(t, v)
			}
		}
		// An escape there, with what may stand behind it at its end.
		for _, escape := range []string{`\n`, `\u00e9`, `\ud83d\ude00`, `\ud83d\u0041`, `\ud83d`, `\x`, `\u12g4`, `\`} {
			src := []byte(`["` + strings.Repeat("a", place) + escape + strings.Repeat("\xe3\x81\x82", 3) + `","b"]`)
			v, err := Parse(src)
			if want := json.Valid(src); (err == nil) != want {
				t.Fatalf("%q: %v, encoding/json says valid: %v", src, err, want)
			}
			if err == nil {
				compare(t, v)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	beside := "[" + strings.Repeat(`[1],{"a":{}},`, MaxDepth) + "1]" // many, and none of them deep
	if _, err := Parse([]byte(beside)); err != nil {
		t.Fatal(err)
	}

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

// A Parser that read something else before reads the same, and what it read first
// stays what it was.
func TestParserAgain(t *testing.T) {
	var p Parser
	first, err := p.Parse([]byte(`{"a":[1,2,{"b":"x"}],"c":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Parse([]byte(`[[[`)); err == nil {
		t.Fatal("[[[ is JSON")
	}
	second, err := p.Parse([]byte(`["z","y","x",{"k":true}]`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(first.Get("a").Compact()) + first.Get("c").Kind().String() + string(second.Compact()); got != `[1,2,{"b":"x"}]null["z","y","x",{"k":true}]` {
		t.Error(got)
	}
}

// Memory is bounded by the number of values, for one source and for the parts of
// one: core's hostile sources have more than MaxValues.
func TestMaxValues(t *testing.T) {
	const most = 1000
	ones := func(n int) []byte { return []byte("[" + strings.Repeat("1,", n-2) + "1]") } // n values
	if _, err := parse(ones(most), nil, most); err != nil {
		t.Fatal(err)
	}
	_, err := parse(ones(most+1), nil, most)
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || !syntax.Limit || syntax.Offset != 2*most-1 {
		t.Fatalf("%d values: %+v", most+1, err)
	}
	p := Parser{values: MaxValues - most}
	if _, err := p.Parse(ones(most - 10)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Parse(ones(10)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Parse([]byte("1")); !errors.As(err, &syntax) || !syntax.Limit {
		t.Fatalf("one more: %v", err)
	}
	if _, err := Parse([]byte("[1,")); !errors.As(err, &syntax) || syntax.Limit {
		t.Fatalf("an array that ends too early is beyond a limit: %v", err)
	}
}

// What is not there, and the words of the wire, allocate nothing.
func TestAllocations(t *testing.T) {
	v, err := Parse([]byte(`{"role":"assistant","content":[{"type":"tool_use"}],"a":1,"b":2,"c":3}`))
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(100, func() {
		for _, key := range []string{"tool_calls", "parts", "lc", "role", "content", ""} {
			v.Get(key)
		}
		v.Get("role").Text()
		for range v.Members() {
		}
	})
	if n > 3 { // the keys a, b and c
		t.Errorf("%v allocations, want 3 at most", n)
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
	// A backslash of a key is one that is escaped.
	if v, err = Parse([]byte(`{"a\"b":1,"c\\":2,"\u0064":3}`)); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{`a\`: "", `a"b`: "1", `a\"b`: "", `c\`: "2", `c\\`: "", "d": "3", `\u0064`: ""} {
		if got := string(v.Get(key).Raw()); got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
	// A quote in the asked key is none of the source. With so many keys every bit
	// of info is set, and each is looked for.
	var more strings.Builder
	for i := range 26 * 26 {
		fmt.Fprintf(&more, `,"%c%c%d":0`, 'a'+i/26, 'a'+i%26, i)
	}
	if v, err = Parse([]byte(`{"a":"b","c":{"d":1}` + more.String() + `}`)); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`a":"b`, `a":"b","c`, `c":{"d`, `a"`, `"a`, `a":`} {
		if v.Get(key).Exists() {
			t.Errorf("%q is a key", key)
		}
	}
	if v.Get("absent").Exists() || v.Get("absent").Text() != "" || v.Get("absent").Raw() != nil {
		t.Fatal("a member that is not there exists")
	}
}
