//go:build !js && !wasip1

package core_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestStateIsRefused feeds the check of globals_test.go itself: every breach that
// it promises to see, and the harmless neighbours that it must let pass.
func TestStateIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      string // in the one sentence that is expected, "" for none
	}{
		{"constant in all but name", `var words = []string{"a"}; func f() string { return words[0] }`, ""},
		{"error sentinel", `import "errors"; var ErrX = errors.New("x")`, ""},
		{"error pointer", `type e struct{ s string }; func (*e) Error() string { return "" }; var errX = &e{"x"}`, ""},
		{"regexp", `import "regexp"; var re = regexp.MustCompile("x"); func f() bool { return re.MatchString("x") }`, ""},
		{"array built by a function", `var bits = build(); func build() (b [4]bool) { b[1] = true; return b }`, ""},
		{"shadowed name", `var n = 1; func f() int { n := 2; n++; return n }`, ""},
		{"compile-time check", `type I interface{}; type T struct{}; var _ I = &T{}`, ""},
		{"copy of an element", `var rows = []struct{ n int }{{1}}; func f() int { r := rows[0]; r.n = 2; return r.n }`, ""},
		{"local name set anew", `var words = []string{"a"}; func f(b bool) []string { w := words; if b { w = nil }; return w }`, ""},
		{"source of append and copy", `var words = []string{"a"}; func f() (s []string) { s = append(s, words...); copy(s, words); return s }`, ""},
		{"value method", `type T int; func (T) M() {}; var v T; func f() { v.M() }`, ""},
		{"clone is returned", `import "slices"; var words = []string{"a"}; func F() []string { return slices.Clone(words) }`, ""},
		{"string of a table is returned", `var words = []string{"a"}; func F() string { return words[0] }`, ""},
		{"function literal", `var f = func(n int) int { n++; return n }`, ""},

		{"assignment", `var n = 1; func f() { n = 2 }`, "p.n is assigned"},
		{"assignment in init", `var n = 1; func init() { n = 2 }`, "p.n is assigned"},
		{"assignment in a function literal", `var n = 1; var f = func() { n = 2 }`, "p.n is assigned"},
		{"increment", `var n = 1; func f() { n++ }`, "p.n is assigned"},
		{"range assigns", `var n = 1; func f(s []int) { for n = range s { _ = s } }`, "p.n is assigned"},
		{"element", `var a = [2]int{}; func f() { a[0] = 1 }`, "p.a is assigned"},
		{"field through parentheses", `var s struct{ n int }; func f() { (s).n += 1 }`, "p.s is assigned"},
		{"map entry", `var m = map[string]int{}; func f() { m["a"] = 1 }`, "p.m is assigned"},
		{"through a local name", `var a = []int{1}; func f() { b := a; b[0] = 2 }`, "p.a is assigned"},
		{"through two local names", `var a = []int{1}; func f() { b := a[:]; var c = b; c[0] = 2 }`, "p.a is assigned"},
		{"through a range", `var a = [][]int{{1}}; func f() { for _, b := range a { b[0] = 2 } }`, "p.a is assigned"},
		{"address", `var n = 1; func f() *int { return &n }`, "p.n has its address taken"},
		{"address of an element", `var a = []int{1}; func f() *int { return &a[0] }`, "p.a has its address taken"},
		{"append", `var a = []int{1}; func f() []int { return append(a, 2) }`, "p.a is written to by append"},
		{"copy", `var a = []int{1}; func f() { copy(a[:], []int{2}) }`, "p.a is written to by copy"},
		{"delete", `var m = map[string]int{}; func f() { delete(m, "a") }`, "p.m is written to by delete"},
		{"clear", `var m = map[string]int{}; func f() { clear(m) }`, "p.m is written to by clear"},
		{"sort", `import "slices"; var a = []int{1}; func f() { slices.Sort(a) }`, "p.a is written to by slices.Sort"},
		{"pointer method", `type T struct{ n int }; func (t *T) Inc() { t.n++ }; var v T; func f() { v.Inc() }`, "p.v has its pointer method Inc called"},
		{"mutex", `import "sync"; var mu struct{ sync.Mutex }`, "p.mu holds a sync.Mutex"},
		{"once", `import "sync"; var get = sync.OnceValue(func() int { return 1 })`, "p.get is made with a function that a call returned"},
		{"closure", `var next = func() func() int { n := 0; return func() int { n++; return n } }()`, "p.next is made with a function that a call returned"},
		{"channel", `var c = []chan int{nil}`, "p.c holds a channel"},
		{"pointer", `var p = &struct{ n int }{1}`, "a pointer"},
		{"pointer in an interface", `type T struct{ n int }; var v any = &T{}`, "p.v is made with a pointer, *p.T"},
		{"slice handed out", `var a = []int{1}; func F() []int { return a }`, "p.a is returned by an exported function"},
		{"part of a table handed out", `var m = map[string][]int{}; func F() []int { return m["a"] }`, "p.m is returned by an exported function"},
		{"another package's", `import "io"; func f() { io.EOF = nil }`, "io.EOF is assigned"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p; "+c.src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := mutableState(fset, "p", []*ast.File{file}, importer.Default())
			if err != nil {
				t.Fatal(err)
			}
			switch all := strings.Join(got, "\n"); {
			case c.want == "" && all != "":
				t.Errorf("refused, but it changes nothing:\n%s", all)
			case c.want != "" && !strings.Contains(all, c.want):
				t.Errorf("no sentence with %q in %q", c.want, all)
			}
		})
	}
}
