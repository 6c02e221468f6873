// Package bench holds what the token engine must not cost before it counts. What
// it costs in wasm is in tokens.test.mjs.
package bench

import (
	"runtime"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/tokens/ranks"
)

const (
	named   = `{"transcript":[{"role":"user","content":"Mend the lamp."}],"model":{"id":"gpt-4o"}}`
	unnamed = `{"transcript":[{"role":"user","content":"Mend the lamp."}]}`
	foreign = `{"transcript":[{"role":"user","content":"Mend the lamp."}],"model":{"id":"claude-opus-4-7"}}`
)

// allocated is the bytes that run allocates, whoever frees them again.
func allocated(t *testing.T, run func()) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func count(t *testing.T, e *core.Engine, body string) {
	t.Helper()
	if _, err := e.Call("count", []byte(body)); err != nil {
		t.Fatal(err)
	}
}

func TestAnEngineThatCountsNothingPaysNothing(t *testing.T) {
	asked := map[string]int{}
	var e *core.Engine
	offer := func(name string, planes func() string) {
		e.Offer(name, func() string {
			asked[name]++
			return planes()
		})
	}
	// The pairs of o200k_base alone are 2 MB. Offering both encodings takes two
	// closures and a list.
	const least, most = 2 << 20, 16 << 10
	if n := allocated(t, func() {
		e = core.NewEngine()
		offer("o200k_base", ranks.O200k)
		offer("cl100k_base", ranks.Cl100k)
	}); n > most {
		t.Errorf("an engine with both encodings allocates %d bytes before it counts, want at most %d", n, most)
	}
	for what, body := range map[string]string{"no model": unnamed, "a model without a public vocabulary": foreign} {
		if n := allocated(t, func() { count(t, e, body) }); n > least || len(asked) > 0 {
			t.Errorf("%s: %d bytes allocated, planes asked for: %v", what, n, asked)
		}
	}
	// The figures above prove something only if the tables do cost what is said.
	if n := allocated(t, func() { count(t, e, named) }); n < least || asked["o200k_base"] != 1 || len(asked) != 1 {
		t.Errorf("gpt-4o: %d bytes allocated, want at least %d; planes asked for: %v, want o200k_base once", n, least, asked)
	}
	if n := allocated(t, func() { count(t, e, named) }); n > least || asked["o200k_base"] != 1 {
		t.Errorf("gpt-4o again: %d bytes allocated, planes asked for: %v, want no second time", n, asked)
	}
}
