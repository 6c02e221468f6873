package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
)

// A policy that clears and did not says why, in the plan and in the receipt, and
// only there.
func TestUnprunedOnTheWire(t *testing.T) {
	for _, c := range []struct{ more, want string }{
		{`"min_gain":1000000,"keep_last":0,"protect_tokens":0`, `"unpruned":{"reason":"below_min_gain","gain":`},
		{`"keep_last":3`, `"unpruned":{"reason":"among_newest","gain":0,"min_gain":20000,"spared":[{"reason":"among_newest","parts":3,"tokens":`},
		{`"keep_last":0,"protect_tokens":0,"min_gain":0`, ""}, // cleared
	} {
		body := fmt.Appendf(nil, `{"transcript":%s,"force":true,"policy":{"preset":"prune","tools":{%s}}}`, toolLoop(3), c.more)
		for _, op := range []string{"plan", "compact"} {
			out, err := core.Call(op, body)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(out), `"unpruned":`); got != (c.want != "") || !strings.Contains(string(out), c.want) {
				t.Errorf("%s %s: %s", op, c.more, out)
			}
		}
	}
	req := core.Request{Transcript: toolLoop(3), Policy: []byte(`{"preset":"prune","tools":{"keep_last":9}}`)}
	if res := compacted(t, req); res.Reason != core.NotTriggered || res.Receipt.Unpruned != nil {
		t.Errorf("what nothing triggered says %+v", res.Receipt.Unpruned)
	}
	req.Force = true
	if u := compacted(t, req).Receipt.Unpruned; u == nil || u.Reason != compact.AmongNewest || u.Spared[0].Parts != 3 {
		t.Errorf("%+v", u)
	}
}
