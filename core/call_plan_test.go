package core_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// The JSON of a plan is what encoding/json makes of it, but for the white space
// within the bodies of its requests, whose items keep their bytes.
func TestPlanJSON(t *testing.T) {
	body := `{"model":"m", "messages":[ {"role":"user","content":"a <b> \u0041"} ]}`
	full := core.PlanResult{State: json.RawMessage(`{"v":1}`), Aside: []core.AsideLine{{Line: 1, Text: `"body":null`}}}
	full.Plan.Items = []core.ItemFate{{Index: 1}, {Index: 2}}
	full.Plan.Request = &core.ModelRequest{Purpose: "summary", Attempt: 1, Format: `"body":null`, Body: json.RawMessage(body), Path: "/p"}
	full.Plan.Fallback = &core.ModelRequest{Purpose: "summary", Attempt: 2, Format: "f", Body: json.RawMessage(`{ "n": 2 }`)}
	half := full
	half.Plan.Fallback = nil
	bare := full
	bare.Plan.Request = &core.ModelRequest{Purpose: "summary"} // without a body
	for i, r := range []*core.PlanResult{{}, &full, &half, &bare} {
		got, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var want, compact bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&compact, got); err != nil {
			t.Fatalf("%d: %v in %s", i, err, got)
		}
		if compact.String() != strings.TrimSuffix(want.String(), "\n") {
			t.Errorf("%d:\n%s\nwant\n%s", i, got, want.String())
		}
		if r.Plan.Request != nil && r.Plan.Request.Body != nil && !bytes.Contains(got, []byte(body)) {
			t.Errorf("%d: the body is not as it was in %s", i, got)
		}
	}
}
