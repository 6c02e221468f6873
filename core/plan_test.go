package core_test

import (
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
)

// Where the fallback is a digest and none fits, the compaction changes nothing,
// and the plan says the same.
func TestPlanWithoutAnyDigest(t *testing.T) {
	req := core.Request{
		Transcript: []byte(`[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"},{"role":"user","content":"bye"}]`),
		Policy:     []byte(`{"preset":"lait","triggers":[{"rounds":1}],"keep":{"last_messages":1},"summary":{"on_failure":"digest"}}`),
		Answers:    []core.Answer{{Error: "failed"}, {Error: "failed"}},
	}
	res, err := core.Compact(req)
	if err != nil || res.Compacted || res.Reason != core.NoProgress {
		t.Fatalf("%+v %v", res, err)
	}
	plan, err := core.Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range plan.Plan.Items {
		if it.Fate != compact.Kept {
			t.Errorf("item %d is %s", it.Index, it.Fate)
		}
	}
	if plan.Plan.TokensAfterEstimate != plan.Plan.TokensBefore {
		t.Errorf("%d tokens become %d", plan.Plan.TokensBefore, plan.Plan.TokensAfterEstimate)
	}
}
