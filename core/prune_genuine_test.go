package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// A tool's own output may begin as what tamp puts in the place of one: it is
// cleared as any other, once.
func TestPruneGenuineOpening(t *testing.T) {
	output, err := json.Marshal("[tamp] cleared: the cache\n" + strings.Repeat("removed one more entry of it\n", 80))
	if err != nil {
		t.Fatal(err)
	}
	src := `[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"run","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":` + string(output) + `},{"role":"assistant","content":"ok"},{"role":"user","content":"next"}]`
	req := core.Request{Transcript: []byte(src), Policy: []byte(`{"preset":"prune","tools":{"keep_last":0,"protect_tokens":0,"min_gain":0}}`), Force: true}
	res, err := core.Compact(req)
	if err != nil || !res.Compacted || !strings.Contains(string(res.Transcript), `"content":"[tamp] cleared: run, `) {
		t.Fatalf("%v: %+v", err, res)
	}
	req.Transcript = res.Transcript
	if again, err := core.Compact(req); err != nil || again.Compacted {
		t.Errorf("a second pass: %v", err)
	}
}
