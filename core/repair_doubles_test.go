package core_test

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// A call that stands twice, byte for byte, with a result of its own each time was
// made twice: the second one gets other ids, and both results stay. Where the result
// is a copy too, both go.
func TestRepairKeepsASecondResult(t *testing.T) {
	const (
		call = `{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"}`
		one  = `{"type":"function_call_output","call_id":"c1","output":"one"}`
	)
	two := strings.Replace(one, `"one"`, `"two"`, 1)
	list := func(items ...string) string { return "[" + strings.Join(items, ",") + "]" }
	a, b, q := `{"role":"user","content":"a"}`, `{"role":"user","content":"b"}`, `{"role":"user","content":"q"}`
	again := strings.NewReplacer("fc_1", "fc_1_2", `"c1"`, `"c1_2"`)
	for _, c := range []struct{ src, want string }{
		{list(a, call, one, b, call, two, q), list(a, call, one, b, again.Replace(call), again.Replace(two), q)},
		{list(a, call, one, b, call, one, q), list(a, call, one, b, q)},
	} {
		res, err := core.Compact(core.Request{Transcript: []byte(c.src), Repair: true})
		if err != nil {
			t.Fatal(err)
		}
		if string(res.Transcript) != c.want || len(res.Receipt.Defects) > 0 {
			t.Errorf("mended to\n%s\nwant\n%s\n%+v", res.Transcript, c.want, res.Receipt.Defects)
		}
	}
}
