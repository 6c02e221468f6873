package tokens

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tamp-dev/tamp/core/tokens/ranks"
	"github.com/tamp-dev/tamp/scripts/ranks/trial"
)

// vocab is an encoding with what the tests know of it: the bytes of its tokens.
type vocab struct {
	*Encoding
	bytes []string
}

var o200kVocab = sync.OnceValue(func() vocab { return readVocab("o200k_base", ranks.O200k()) })

var cl100kVocab = sync.OnceValue(func() vocab { return readVocab("cl100k_base", ranks.Cl100k()) })

func readVocab(name, planes string) vocab {
	e, err := NewEncoding(name, planes)
	if err != nil {
		panic(err)
	}
	v := vocab{e, make([]string, 256)}
	for c, id := range e.pairs.ofByte {
		v.bytes[id] = string([]byte{byte(c)})
	}
	for _, row := range vocabularies {
		if row.name != name {
			continue
		}
		left, rest := cutHalves(planes, row.tokens-256)
		right, _ := cutHalves(rest, row.tokens-256)
		for i := range left.len() {
			v.bytes = append(v.bytes, v.bytes[left.at(i)]+v.bytes[right.at(i)])
		}
	}
	return v
}

func vocabs(tb testing.TB) []vocab {
	tb.Helper()
	if len(ranks.Cl100k()) == 0 { // built with the tag tamp_o200k
		return []vocab{o200kVocab()}
	}
	return []vocab{o200kVocab(), cl100kVocab()}
}

// TestFrozen holds the tokens against those of npm tiktoken 1.0.22, of which
// scripts/oracle/run.sh has frozen a hash for each group of texts.
func TestFrozen(t *testing.T) {
	raw, err := os.ReadFile("testdata/frozen.json")
	if err != nil {
		t.Fatal(err)
	}
	var frozen map[string]map[string][]string
	if err := json.Unmarshal(raw, &frozen); err != nil {
		t.Fatal(err)
	}
	step := 6 // all of them take 3 s, and 15 under the race detector
	if runtime.GOARCH == "wasm" {
		step = 24
	}
	for _, v := range vocabs(t) {
		for _, set := range trial.Sets() {
			want := frozen[v.Name()][set.Name]
			if len(want) != set.Groups {
				t.Fatalf("%s %s: %d groups are frozen, want %d: scripts/oracle/run.sh freezes them", v.Name(), set.Name, len(want), set.Groups)
			}
			for g := 0; g < set.Groups; g += step {
				sum := trial.NewHash()
				for _, text := range set.Make(g) {
					ids := v.Encode(text)
					if n := v.Count(text); n != len(ids) {
						t.Errorf("%s %s %d: %q counts %d, has %d tokens", v.Name(), set.Name, g, text, n, len(ids))
					}
					sum = sum.With(trial.Of(ids))
				}
				if got := fmt.Sprintf("%016x", sum.Sum()); got != want[g] {
					t.Errorf("%s %s: group %d differs from tiktoken: scripts/oracle/run.sh says where", v.Name(), set.Name, g)
				}
			}
		}
	}
}

func TestEncodeByHand(t *testing.T) {
	for _, x := range []struct {
		text          string
		o200k, cl100k []int
	}{
		{"", []int{}, []int{}},
		{"hello world", []int{24912, 2375}, []int{15339, 1917}},
		// Each bad byte is a U+FFFD of its own, as in Go's strings and encoding/json.
		{"a\xe3\x81b", []int{64, 10123, 65}, nil},
		{"a\ufffd\ufffdb", []int{64, 10123, 65}, nil},
	} {
		for i, want := range [][]int{x.o200k, x.cl100k} {
			if want == nil || i >= len(vocabs(t)) {
				continue
			}
			v := vocabs(t)[i]
			if got := v.Encode(x.text); !slices.Equal(got, want) || got == nil {
				t.Errorf("%s %q: %v, want %v", v.Name(), x.text, got, want)
			}
		}
	}
}

// TestPieces tells the tokens of texts where a cut between pieces shows.
func TestPieces(t *testing.T) {
	for _, x := range []struct {
		text   string
		o200k  string // pieces, a bar between two
		cl100k string
	}{
		{"don't DON'T", "don't| DON'T", "don|'t| DON|'T"},
		{"x'ſt", "x'ſ|t", "x|'ſ|t"},
		{"'ſt", "'ſt", "'ſ|t"},
		{"camelCaseHTTPServer", "camel|Case|HTTPServer", "camelCaseHTTPServer"},
		{"あA", "あ|A", "あA"},
		{"あAb", "あAb", "あAb"},
		{"éAあB C", "é|Aあ|B| C", "éAあB| C"},
		{"Aあb", "Aあb", "Aあb"},
		{"\u0301AB", "\u0301|AB", "\u0301AB"},
		{"e\u0301x", "e\u0301x", "e|\u0301x"},
		{"12345", "123|45", "123|45"},
		{"a  b", "a| | b", "a| | b"},
		{"a \n \n  b", "a| \n \n| | b", "a| \n \n| | b"},
		{"a  ", "a|  ", "a|  "},
		{"x = !/\n/y", "x| =| !/\n/|y", "x| =| !/\n|/y"},
		{"\tif (a)\n", "\tif| (|a|)\n", "\tif| (|a|)\n"},
		{"<|endoftext|>", "<|" + "|" + "endoftext" + "|" + "|>", "<|" + "|" + "endoftext" + "|" + "|>"},
		{"\u0085\ufeff\u3000x", "\u0085|\ufeff|\u3000x", "\u0085|\ufeff|\u3000x"},
	} {
		for i, want := range []string{x.o200k, x.cl100k} {
			if i >= len(vocabs(t)) {
				continue
			}
			v := vocabs(t)[i]
			pieces := v.cut(x.text)
			if got := strings.Join(pieces, "|"); got != want {
				t.Errorf("%s %q: %q, want %q", v.Name(), x.text, got, want)
			}
			// The pad takes the text to the fast path, which must cut the same.
			text := x.text + "\n" + strings.Repeat("z", 2*margin)
			n := 0
			for _, piece := range v.cut(text) {
				n += len(v.plain(piece))
			}
			if got := v.Count(text); got != n {
				t.Errorf("%s %q: %d tokens, its pieces have %d", v.Name(), text, got, n)
			}
		}
	}
}

// cut is the pieces of a text by the general cutters.
func (v vocab) cut(s string) (pieces []string) {
	for at := 0; at < len(s); {
		end := v.next(s, at)
		pieces = append(pieces, s[at:end])
		at = end
	}
	return pieces
}

// plain merges a piece the plain way: the lowest rank first, from the left.
func (v vocab) plain(s string) []uint32 {
	ids := make([]uint32, len(s))
	for i := range len(s) {
		ids[i] = v.pairs.ofByte[s[i]]
	}
	for {
		best, at := uint32(apart), 0
		for i := range len(ids) - 1 {
			if id := v.pairs.join(ids[i], ids[i+1]); id < best {
				best, at = id, i
			}
		}
		if best == apart {
			return ids
		}
		ids[at] = best
		ids = slices.Delete(ids, at+1, at+2)
	}
}

func TestEncodingErrors(t *testing.T) {
	planes := ranks.O200k()
	damaged := planes[:700_000] + string([]byte{planes[700_000] ^ 1}) + planes[700_001:]
	for _, x := range []struct {
		name   string
		planes string
		want   string
	}{
		{"p50k_base", planes, `encoding "p50k_base" is not known, must be o200k_base or cl100k_base`},
		{"o200k_base", "", "planes of o200k_base have 0 bytes, must have 1218164"},
		{"o200k_base", damaged, "planes of o200k_base have the checksum "},
		{"cl100k_base", planes, "planes of cl100k_base have 1218164 bytes, must have 604900"},
	} {
		if _, err := NewEncoding(x.name, x.planes); err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", x.name, err, x.want)
		}
	}
}

func TestCounters(t *testing.T) {
	texts := []string{"", "one", "two words", strings.Repeat("many words ", 1000), "日本語", "\xff"}
	for _, v := range vocabs(t) {
		var c Counter = v.Encoding
		if c.ErrorP95() != 0 || c.Name() != v.name {
			t.Errorf("%s: p95 %v", c.Name(), c.ErrorP95())
		}
		counts := make([]int, len(texts)+1)
		counts[len(texts)] = 7
		v.CountAll(texts, counts)
		for i, text := range texts {
			n := len(v.Encode(text))
			if counts[i] != n || v.Count(text) != n || v.CountBytes([]byte(text)) != n {
				t.Errorf("%s %.20q: %d in all, %d alone, %d of its bytes, want %d", v.name, text, counts[i], v.Count(text), v.CountBytes([]byte(text)), n)
			}
			for _, limit := range []int{math.MaxInt, n, n - 1, n / 2, 0, -1} {
				got, within := v.CountAtMost(text, limit)
				if within != (n <= limit) || within && got != n || !within && (got <= limit || got > n) {
					t.Errorf("%s %.20q at most %d: %d %v, want of %d", v.name, text, limit, got, within, n)
				}
			}
		}
		v.Forget()
		if n := v.Count(texts[3]); n != counts[3] {
			t.Errorf("%s: %d after Forget, want %d", v.name, n, counts[3])
		}
		if counts[len(texts)] != 7 {
			t.Errorf("%s: a place without a text was written", v.name)
		}
		v.CountAll(texts, counts[:1]) // shorter: no panic
		if got, _ := v.CountAtMost(strings.Repeat("word ", 1_000_000), 100); got > 200 {
			t.Errorf("%s: stopped only at %d of a limit of 100", v.name, got)
		}
	}
}

// TestEncodingIsShared counts from several goroutines at a time (make test runs
// it under the race detector).
func TestEncodingIsShared(t *testing.T) {
	texts := trial.Sets()[0].Make(7)
	v := o200kVocab()
	want := make([]int, len(texts))
	v.CountAll(texts, want)
	var group sync.WaitGroup
	for g := range 12 {
		group.Go(func() {
			for i := range texts {
				i = (i + g*83) % len(texts)
				if n := v.Count(texts[i]); n != want[i] {
					t.Errorf("%q: %d, want %d", texts[i], n, want[i])
				}
				if g%2 == 0 && len(v.Encode(texts[i])) != want[i] {
					t.Errorf("%q: encoded otherwise", texts[i])
				}
			}
		})
	}
	group.Wait()
	if n := len(v.idle); n > maxIdle {
		t.Errorf("%d workers wait, the limit is %d", n, maxIdle)
	}
}

func TestEncodingMemory(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	e, err := NewEncoding("o200k_base", ranks.O200k())
	if err != nil {
		t.Fatal(err)
	}
	e.Count("one short text")
	after := heap()
	if used := int64(after) - int64(before); used > 8_000_000 || used < 1_000_000 {
		t.Errorf("o200k_base takes %d bytes, the limit is 8,000,000", used)
	}
	runtime.KeepAlive(e)
}
