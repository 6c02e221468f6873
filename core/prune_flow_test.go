package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
)

// How clearing meets the triggers, the marks, folding and the summariser.

// pruneBody is a chat of one turn with n calls, each with so many words beside
// it and a result of 100.
func pruneBody(n, beside int) string {
	var b strings.Builder
	b.WriteString(`[{"role":"user","content":"go"}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"assistant","content":%q,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c%d","content":%q}`,
			strings.Repeat("look ", beside), i, i, strings.Repeat("word ", 100))
	}
	b.WriteString(`,{"role":"assistant","content":"so far"}]`)
	return b.String()
}

func prunes(t *testing.T, req core.Request) (*core.CompactResult, *core.PlanResult) {
	t.Helper()
	res, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := core.Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	return res, plan
}

// The cheapest comes first: where clearing brings the context below the
// threshold nothing is folded and nobody is asked; where it does not, both
// happen; forced, both happen.
func TestClearingBeforeFolding(t *testing.T) {
	const policy = `{"preset":"balanced","triggers":[{"tokens":%d}],"keep":{"last_tokens":300},"tools":{"keep_last":1}}`
	req := core.Request{Transcript: []byte(pruneBody(10, 60))}
	req.Policy = fmt.Appendf(nil, policy, 1)
	whole, _ := prunes(t, req)
	before := whole.Receipt.TokensBefore // over 1,000: ten results of 100 words
	only := strings.Replace(policy, `"tools"`, `"x"`, 1)
	only = strings.Replace(only, `"last_tokens":300`, `"all":true`, 1)
	only = strings.Replace(only, `"x"`, `"tools"`, 1)
	req.Policy = fmt.Appendf(nil, only, 1)
	pruned, _ := prunes(t, req)
	after := pruned.Receipt.TokensAfter
	if pruned.Receipt.Summary.By != "none" || after >= before-9*80 {
		t.Fatalf("clearing alone: %d to %d tokens by %s", before, after, pruned.Receipt.Summary.By)
	}
	for _, c := range []struct {
		name      string
		threshold int
		force     bool
		usage     int // 0: none
		by        string
	}{
		{"clearing is enough", after + 1, false, 0, "none"},
		{"clearing is not", after, false, 0, "digest"},
		{"forced", after + 1, true, 0, "digest"},
		// What the usage says goes down by what is cleared.
		{"by usage: enough", after + 501, false, before + 500, "none"},
		{"by usage: not enough", after + 500, false, before + 500, "digest"},
	} {
		req.Policy, req.Force, req.Usage = fmt.Appendf(nil, policy, c.threshold), c.force, nil
		if c.usage > 0 {
			req.Usage = &core.Usage{TotalTokens: &c.usage}
		}
		res, plan := prunes(t, req)
		if !res.Compacted || res.Receipt.Summary.By != c.by {
			t.Errorf("%s: compacted %v by %s, want by %s", c.name, res.Compacted, res.Receipt.Summary.By, c.by)
			continue
		}
		if c.usage == 0 {
			holds(t, req, res)
		}
		if (plan.Plan.Request == nil) != (c.by == "none") {
			t.Errorf("%s: the plan's request is %v", c.name, plan.Plan.Request)
		}
		if c.by == "none" && (plan.Plan.TokensAfterEstimate != res.Receipt.TokensAfter || !bytes.Equal(res.Transcript, pruned.Transcript)) {
			t.Errorf("%s: the plan says %d tokens, the receipt %d", c.name, plan.Plan.TokensAfterEstimate, res.Receipt.TokensAfter)
		}
		if c.by == "digest" && !strings.Contains(string(plan.Plan.Request.Body), strings.Repeat("word ", 90)) {
			t.Errorf("%s: the summariser does not see what is cleared", c.name)
		}
	}
}

// Every measure is taken anew on what clearing leaves.
func TestClearingIsMeasured(t *testing.T) {
	const rest = `"keep":{"last_tokens":300},"tools":{"keep_last":1}}`
	// Ten results of 500 bytes among ten texts of 300; nine of them are cleared.
	body := []byte(pruneBody(10, 60))
	by := func(policy string, usage *core.Usage, state json.RawMessage) (string, json.RawMessage) {
		t.Helper()
		res, _ := prunes(t, core.Request{Transcript: body, Policy: []byte(policy), Usage: usage, State: state})
		if !res.Compacted {
			t.Fatalf("%s: %q", policy, res.Reason)
		}
		return res.Receipt.Summary.By, res.State
	}
	want := func(name, policy string, usage *core.Usage, by1 string) {
		t.Helper()
		if got, _ := by(policy, usage, nil); got != by1 {
			t.Errorf("%s: by %s, want by %s", name, got, by1)
		}
	}
	prompt := 5000
	usage := &core.Usage{PromptTokens: &prompt}
	for _, c := range []struct{ name, rule, by string }{
		{"few bytes are left", `{"bytes":6500}`, "none"},
		{"many are", `{"bytes":5000}`, "digest"},
		{"a small share", `{"tool_output_share":0.5}`, "none"},
		{"a large one", `{"tool_output_share":0.2}`, "digest"},
		{"as many messages as before", `{"messages":20}`, "digest"},
		{"the first rule only", `{"bytes":6500},{"messages":20}`, "digest"},
	} {
		want(c.name, `{"preset":"balanced","triggers":[`+c.rule+`],`+rest, nil, c.by)
	}
	// lait looks at the prompt of the last round: 5,000, less 800 or so.
	want("the last prompt", `{"preset":"lait","triggers":[{"tokens":4900}],`+rest, usage, "none")
	want("the last prompt, too large", `{"preset":"lait","triggers":[{"tokens":3500}],`+rest, usage, "digest")

	// A rule that fires above its mark, and is below it when things are cleared,
	// is still reached: there is something to fold.
	policy := `{"preset":"balanced","triggers":[{"tokens":500}],` + rest
	_, state := by(policy, nil, nil)
	var s struct {
		V    int `json:"v"`
		Held struct {
			Done map[string]float64 `json:"done"`
		} `json:"held"`
	}
	if err := json.Unmarshal(state, &s); err != nil || len(s.Held.Done) != 1 {
		t.Fatalf("%v: %s", err, state)
	}
	for key := range s.Held.Done {
		s.Held.Done[key]--
	}
	state, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := by(policy, nil, state); got != "digest" {
		t.Errorf("above the mark: by %s", got)
	}
}

// What a message says twice goes twice, or it would be no smaller.
func TestReasoningSaidTwice(t *testing.T) {
	thought := strings.Repeat("I look at the log. ", 9)
	req := core.Request{
		Transcript: []byte(`[{"role":"user","content":"go"},{"role":"assistant","reasoning":"` + thought + `","content":"so","reasoning_details":[{"type":"reasoning.text","text":"` + thought + `"}],"refusal":null},` +
			`{"role":"user","content":"more"},{"role":"assistant","content":"done"}]`),
		Force: true, Policy: []byte(`{"preset":"prune","tools":{"min_gain":0,"reasoning":"drop"}}`),
	}
	res, _ := prunes(t, req)
	const want = `[{"role":"user","content":"go"},{"role":"assistant","content":"so","reasoning_details":[],"refusal":null},{"role":"user","content":"more"},{"role":"assistant","content":"done"}]`
	if string(res.Transcript) != want {
		t.Errorf("%s\nwant\n%s", res.Transcript, want)
	}
	holds(t, req, res)
	settled(t, req, res)
}

// By bytes/4 the placeholder of a short link is longer than the link: it stays,
// whatever else is cleared.
func TestClearingByBytes4(t *testing.T) {
	req := core.Request{
		Transcript: []byte(`[{"role":"user","content":[{"type":"input_image","image_url":"u"}]},{"type":"function_call","call_id":"a","name":"ls","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"a","output":"` + strings.Repeat("word ", 60) + `"},{"role":"assistant","content":[{"type":"output_text","text":"seen"}]},` +
			`{"role":"user","content":[{"type":"input_text","text":"more"}]},{"role":"assistant","content":[{"type":"output_text","text":"done"}]}]`),
		Format: "openai-responses", Force: true,
		Policy: []byte(`{"preset":"codex","keep":{"all":true},"tools":{"keep_last":0,"media":"placeholder"}}`),
	}
	res, _ := prunes(t, req)
	holds(t, req, res)
	if f := res.Receipt.Items; f[0].Fate != compact.Kept || f[2].Fate != compact.Cleared {
		t.Errorf("%+v", f)
	}
}

// A message that stays without the earlier summary in it is cleared as well: here
// the first of the user, what folds stands behind it, and what the API ignores
// before the block goes with that.
func TestClearingBesideAnEarlierSummary(t *testing.T) {
	long := strings.Repeat("word ", 60)
	req := core.Request{
		Transcript: []byte(`[{"role":"user","content":"dead"},{"role":"assistant","content":"dead"},` +
			`{"role":"user","content":[{"type":"text","text":"dead"},{"type":"compaction","content":"old summary"},{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("QUJD", 500) + `"}}]},` +
			`{"role":"assistant","content":"` + long + long + `"},{"role":"user","content":"go on"},{"role":"assistant","content":"written"}]`),
		Format: "anthropic-messages", Force: true,
		Policy: []byte(`{"preset":"balanced","keep":{"last_messages":2,"last_tokens":0,"first_user":true},"tools":{"keep_last":0,"media":"placeholder"}}`),
	}
	own := "They go."
	req.Summary = &own
	res, _ := prunes(t, req)
	holds(t, req, res)
	out := string(res.Transcript)
	if strings.Contains(out, "compaction") || strings.Contains(out, "dead") || strings.Contains(out, "QUJD") || !strings.Contains(out, `[{"type":"text","text":"look"},{"type":"text","text":"[`) {
		t.Errorf("%s", out)
	}
}

// No loop: a pass that can not get below the threshold is not tried again until
// something grew past it, and one that finds too little to clear not until there
// is enough.
func TestClearingIsHeld(t *testing.T) {
	req := core.Request{
		Transcript: []byte(pruneBody(10, 0)),
		Policy:     []byte(`{"preset":"prune","triggers":[{"tokens":500}],"tools":{"keep_last":5,"protect_tokens":0,"min_gain":0}}`),
	}
	first, _ := prunes(t, req)
	if !first.Compacted || first.Receipt.TokensAfter < 500 {
		t.Fatalf("compacted %v, %d tokens after", first.Compacted, first.Receipt.TokensAfter)
	}
	req.Transcript, req.State = first.Transcript, first.State
	second, _ := prunes(t, req)
	if second.Compacted || second.Reason != core.NotTriggered || !second.Decision.Rules[0].Held {
		t.Errorf("second: %v %q %+v", second.Compacted, second.Reason, second.Decision.Rules)
	}

	// Without enough to clear: one answer, and quiet until the gain is there.
	forced := core.Request{Force: true, Policy: []byte(`{"preset":"prune","tools":{"keep_last":0,"protect_tokens":0,"min_gain":0}}`)}
	req = core.Request{Policy: []byte(`{"preset":"prune","triggers":[{"tokens":100}],"tools":{"keep_last":0,"protect_tokens":0,"min_gain":500}}`)}
	enough := 0
	for n := 2; n <= 12; n++ {
		req.Transcript = []byte(pruneBody(n, 0))
		forced.Transcript = req.Transcript
		all, _ := prunes(t, forced)
		want := core.NotTriggered
		switch {
		case all.Receipt.TokensBefore-all.Receipt.TokensAfter >= 500:
			enough++
			want = ""
		case n == 2:
			want = core.NothingToFold
		}
		res, _ := prunes(t, req)
		if res.Reason != want {
			t.Errorf("%d results: %q, want %q", n, res.Reason, want)
		}
		req.State = res.State
	}
	if enough == 0 || enough > 8 {
		t.Errorf("enough in %d of 11 rounds", enough)
	}
}

// Where no digest fits what is to be folded, what can be cleared still is.
func TestClearingWhereFoldingIsNoProgress(t *testing.T) {
	req := core.Request{
		Transcript: []byte(pruneBody(3, 0)),
		Policy:     []byte(`{"preset":"lait","triggers":[{"rounds":1}],"keep":{"last_messages":6},"tools":{"keep_last":1}}`),
	}
	res, plan := prunes(t, req)
	if !res.Compacted || res.Receipt.Summary.By != "none" || res.Receipt.NoProgress {
		t.Fatalf("compacted %v, %q by %s", res.Compacted, res.Reason, res.Receipt.Summary.By)
	}
	holds(t, req, res)
	if plan.Plan.Request == nil {
		t.Error("a model may be asked: its summary may be shorter")
	}
	// A summary that failed changes nothing, cleared or not.
	req.Policy = []byte(strings.Replace(string(req.Policy), `"tools"`, `"summary":{"on_failure":"keep"},"tools"`, 1))
	req.Answers = []core.Answer{{Error: "failed"}, {Error: "failed"}}
	res, plan = prunes(t, req)
	if res.Compacted || res.Reason != core.SummaryFailed || !bytes.Equal(res.Transcript, req.Transcript) || plan.Plan.TokensAfterEstimate != plan.Plan.TokensBefore {
		t.Errorf("compacted %v, %q", res.Compacted, res.Reason)
	}
	req.Policy = []byte(strings.Replace(string(req.Policy), `"keep"}`, `"digest"}`, 1))
	res, plan = prunes(t, req)
	if !res.Compacted || res.Receipt.Summary.By != "none" || plan.Plan.TokensAfterEstimate != res.Receipt.TokensAfter {
		t.Errorf("compacted %v, %q by %s; the plan says %d, the receipt %d", res.Compacted, res.Reason, res.Receipt.Summary.By, plan.Plan.TokensAfterEstimate, res.Receipt.TokensAfter)
	}
}
