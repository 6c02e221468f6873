package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/tokens/ranks"
)

// exact is an engine with o200k_base.
func exact(t *testing.T) *core.Engine {
	t.Helper()
	e := core.NewEngine()
	if err := e.AddEncoding("o200k_base", ranks.O200k()); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEngineChoosesTheCounter(t *testing.T) {
	const turn = `"transcript":[{"role":"user","content":"Make the tests pass."},{"role":"assistant","content":"Done."}]`
	for _, x := range []struct {
		name, body               string
		counter, method, method0 string // method0: without encodings
		row                      string
		factor, p95              float64 // with encodings
	}{
		{"no model", `{` + turn + `}`, "estimate", "fallback", "fallback", "", 0, 0.124},
		{"an unknown one", `{` + turn + `,"model":{"id":"mistral-large"}}`, "estimate", "fallback", "fallback", "", 0, 0.124},
		{"an encoding", `{` + turn + `,"model":{"id":"gpt-5-2025-08-07"}}`, "o200k_base", "exact", "estimate", "gpt-5", 0, 0},
		{"an encoding that is not there", `{` + turn + `,"model":{"id":"gpt-4"}}`, "estimate", "estimate", "estimate", "gpt-4", 0, 0.37},
		{"a family", `{` + turn + `,"model":{"id":"claude-sonnet-4-5"}}`, "estimate", "estimate", "estimate", "claude-sonnet-4-5", 1.3, 0.38},
		{"the transcript's own", `{"transcript":{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}}`, "o200k_base", "exact", "estimate", "gpt-4o", 0, 0},
		{"the request's before it", `{"transcript":{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]},"model":{"id":"gemini-2.5-pro"}}`, "estimate", "estimate", "estimate", "gemini", 1.17, 0.62},
		{"Codex's policy", `{` + turn + `,"policy":{"preset":"codex"},"model":{"id":"gpt-5"}}`, "bytes4", "bytes4", "bytes4", "gpt-5", 0, 0.63},
		{"one's own", `{` + turn + `,"model":{"id":"mine"},"models":{"mine":{"model":"","encoding":"o200k_base"}}}`, "o200k_base", "exact", "estimate", "mine", 0, 0},
		{"one's own with a factor", `{` + turn + `,"model":{"id":"mine"},"models":{"mine":{"model":"gpt-4o","factor":1.2}}}`, "estimate", "estimate", "estimate", "mine", 1.2, 0.124},
		{"an alias of a known one", `{` + turn + `,"model":{"id":"cheap"},"models":{"cheap":{"model":"gpt-5-mini"}}}`, "o200k_base", "exact", "estimate", "gpt-5-mini", 0, 0},
	} {
		for _, with := range []bool{true, false} {
			e, method, counter := exact(t), x.method, x.counter
			if !with {
				e, method = core.NewEngine(), x.method0
				if counter == "o200k_base" {
					counter = "estimate"
				}
			}
			raw, err := e.Call("count", []byte(x.body))
			if err != nil {
				t.Fatalf("%s: %v", x.name, err)
			}
			var res core.CountResult
			if err := json.Unmarshal(raw, &res); err != nil {
				t.Fatal(err)
			}
			row := ""
			if res.Model != nil {
				row = res.Model.Row
			}
			if res.Counter.Name != counter || res.Counter.Method != method || row != x.row {
				t.Errorf("%s: %+v, row %q; want %s, %s, %q", x.name, res.Counter, row, counter, method, x.row)
			}
			if with && (res.Counter.Factor != x.factor || res.Counter.ErrorP95 != x.p95) {
				t.Errorf("%s: factor %v and error %v, want %v and %v", x.name, res.Counter.Factor, res.Counter.ErrorP95, x.factor, x.p95)
			}
		}
	}
}

// Every operation says the same of one transcript, and a count is the sum of
// its parts.
func TestCountIsWhatTheOthersSay(t *testing.T) {
	body := []byte(`{"transcript":` + string(toolLoop(20)) + `,"model":{"id":"gpt-4o"},"policy":{"lait":{"trigger_rounds":6}},"force":true}`)
	e := exact(t)
	req, err := core.DecodeRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	count, err := e.Count(req)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := e.Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	done, err := e.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	sum := count.Overhead
	for i, it := range count.Items {
		if it.Index != i || it.Tokens != plan.Plan.Items[i].TokensBefore {
			t.Errorf("item %d: %+v, the plan says %d", i, it, plan.Plan.Items[i].TokensBefore)
		}
		sum += it.Tokens
	}
	if sum != count.Total || count.Total != plan.Plan.TokensBefore || count.Total != done.Receipt.TokensBefore {
		t.Errorf("sum %d, total %d, plan %d, receipt %d", sum, count.Total, plan.Plan.TokensBefore, done.Receipt.TokensBefore)
	}
	if count.Counter != plan.Counter || count.Counter != done.Counter || count.Counter.Method != "exact" {
		t.Errorf("counters %+v, %+v, %+v", count.Counter, plan.Counter, done.Counter)
	}
	// What came out counts what the receipt says.
	again, err := e.Count(core.Request{Transcript: done.Transcript, Format: "openai-chat", Model: &core.Model{ID: "gpt-4o"}})
	if err != nil || again.Total != done.Receipt.TokensAfter {
		t.Errorf("the result counts %d, the receipt says %d (%v)", again.Total, done.Receipt.TokensAfter, err)
	}
	// Exact means exact: 3, and for the system message 4 and its words.
	enc, err := tokens.NewEncoding("o200k_base", ranks.O200k())
	if err != nil {
		t.Fatal(err)
	}
	if count.Overhead != 3 || count.Items[0].Tokens != 4+enc.Count("You are careful.") {
		t.Errorf("overhead %d, first item %d", count.Overhead, count.Items[0].Tokens)
	}
}

// A window that nobody named is the table's, less the longest answer.
func TestWindowOfTheTable(t *testing.T) {
	run := func(model, more string) *core.PlanResult {
		t.Helper()
		raw, err := core.Call("plan", []byte(`{"transcript":[{"role":"user","content":"hi"}],"model":`+model+more+`,"policy":{"preset":"balanced"},"usage":{"prompt_tokens":200000,"completion_tokens":0}}`))
		if err != nil {
			t.Fatal(err)
		}
		var res core.PlanResult
		if err := json.Unmarshal(raw, &res); err != nil {
			t.Fatal(err)
		}
		return &res
	}
	for _, x := range []struct {
		model, more string
		window      int
	}{
		{`{"id":"gpt-5"}`, "", 272000},
		{`{"id":"gpt-5","context_window":250000}`, "", 250000},
		{`{"id":"gpt-5","max_context_window":300000}`, "", 300000},
		{`{"id":"mine"}`, `,"models":{"mine":{"model":"","context_window":400000,"max_output_tokens":20000}}`, 380000},
		{`{"id":"mine"}`, "", 0},
		{`{"id":"claude-opus-4-7"}`, "", 0}, // its window is not in the table's sources
	} {
		res := run(x.model, x.more)
		var share *float64
		if x.window > 0 {
			f := (200000. + 4 + float64(tokens.Estimate().Count("hi"))) / float64(x.window)
			share = &f
		}
		got := res.Decision.Rules[0].Measured
		if res.Model == nil || res.Model.ContextWindow != x.window || (got == nil) != (share == nil) || got != nil && *got != *share {
			t.Errorf("%s%s: %+v, measured %v; want a window of %d", x.model, x.more, res.Model, value(got), x.window)
		}
	}
}

// A stream of requests as a host sends them: the ratio comes from the reported
// usage, goes along in the state, and outlives the compaction; the usage does
// not.
func TestUsageCorrectsTheEstimate(t *testing.T) {
	messages := []string{`{"role":"system","content":"You are careful."}`}
	text := strings.Repeat("The build log lists every package with its version and the time it took. ", 20)
	estimate := func(list []string) int {
		res, err := core.Count(core.Request{Transcript: []byte("[" + strings.Join(list, ",") + "]")})
		if err != nil {
			t.Fatal(err)
		}
		return res.Total
	}
	var state json.RawMessage
	var usage string
	var last core.PlanResult
	for i := range 4 {
		messages = append(messages, fmt.Sprintf(`{"role":"user","content":"%d %s"}`, i, text))
		sent := estimate(messages)
		messages = append(messages, `{"role":"assistant","content":"Done."}`)
		// The model's vocabulary needs 1.5 times as many, and 4,000 tokens of tools are hidden.
		usage = fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":9}`, sent*3/2+4000)
		raw, err := core.Call("plan", []byte(`{"transcript":[`+strings.Join(messages, ",")+`],"model":{"id":"new-model"},"usage":`+usage+`,"state":`+string(append([]byte{}, orNull(state)...))+`}`))
		if err != nil {
			t.Fatal(err)
		}
		last = core.PlanResult{}
		if err := json.Unmarshal(raw, &last); err != nil {
			t.Fatal(err)
		}
		state = last.State
	}
	if last.Counter.Method != "usage" || last.Counter.Factor < 1.45 || last.Counter.Factor > 1.55 || last.Counter.ErrorP95 != 0.124 {
		t.Fatalf("after four reports: %+v, state %s", last.Counter, state)
	}
	body := func(extra string) []byte {
		return []byte(`{"transcript":[` + strings.Join(messages, ",") + `],"model":{"id":"new-model"},"usage":` + usage + `,"state":` + string(state) +
			`,"force":true,"summary":"All done."` + extra + `}`)
	}
	raw, err := core.Call("compact", body(`,"policy":{"lait":{"trigger_tokens":100,"keep_last_n":2}}`))
	if err != nil {
		t.Fatal(err)
	}
	var done struct {
		core.CompactResult
		Transcript []json.RawMessage `json:"transcript"`
	}
	if err := json.Unmarshal(raw, &done); err != nil {
		t.Fatal(err)
	}
	if !done.Compacted || len(done.State) > 2048 {
		t.Fatalf("compacted %v, %s", done.Compacted, done.State)
	}
	after := `[` + join(done.Transcript)
	ask := func(transcript, usage string) (core.PlanResult, *float64) {
		t.Helper()
		raw, err := core.Call("plan", []byte(`{"transcript":`+transcript+`,"model":{"id":"new-model"},"policy":{"lait":{"trigger_tokens":100}},"usage":`+usage+`,"state":`+string(done.State)+`}`))
		if err != nil {
			t.Fatal(err)
		}
		var res core.PlanResult
		if err := json.Unmarshal(raw, &res); err != nil {
			t.Fatal(err)
		}
		return res, res.Decision.Rules[0].Measured
	}
	// The same usage again, right behind and after another message: unknown.
	for _, tail := range []string{"]", `,{"role":"user","content":"go on"}]`, `,{"role":"user","content":"go on"},{"role":"assistant","content":"ok"}]`} {
		res, measured := ask(after+tail, usage)
		if measured != nil || res.Decision.Fired || res.Counter.Method != "usage" {
			t.Errorf("stale usage behind %q: measured %v, %+v", tail, value(measured), res.Counter)
		}
	}
	// A fresh one, behind an answer, is taken; the state forgets the compaction.
	res, measured := ask(after+`,{"role":"user","content":"go on"},{"role":"assistant","content":"ok"}]`, `{"prompt_tokens":321}`)
	if measured == nil || *measured != 321 || strings.Contains(string(res.State), "compacted") {
		t.Errorf("fresh usage: measured %v, state %s", value(measured), res.State)
	}
}

func orNull(raw json.RawMessage) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

func join(list []json.RawMessage) string {
	var all []string
	for _, raw := range list {
		all = append(all, string(raw))
	}
	return strings.Join(all, ",")
}

// An exact count is not corrected, whatever is reported.
func TestUsageLeavesExactCountsAlone(t *testing.T) {
	body := []byte(`{"transcript":` + string(toolLoop(20)) + `,"model":{"id":"gpt-4o"},"usage":{"prompt_tokens":100000}}`)
	e := exact(t)
	raw, err := e.Call("plan", body)
	if err != nil {
		t.Fatal(err)
	}
	var res core.PlanResult
	if err := json.Unmarshal(raw, &res); err != nil {
		t.Fatal(err)
	}
	if res.Counter.Method != "exact" || string(res.State) != `{"v":1}` {
		t.Errorf("%+v, state %s", res.Counter, res.State)
	}
}

func TestEngineBuildsLazily(t *testing.T) {
	calls := 0
	e := core.NewEngine()
	e.Offer("o200k_base", func() string { calls++; return ranks.O200k() })
	e.Offer("cl100k_base", func() string { return "" }) // left out of the build
	count := func(id string) core.CounterInfo {
		t.Helper()
		res, err := e.Count(core.Request{Transcript: []byte(`[{"role":"user","content":"hi"}]`), Model: &core.Model{ID: id}})
		if err != nil {
			t.Error(err)
			return core.CounterInfo{}
		}
		return res.Counter
	}
	if count("claude-3"); calls != 0 {
		t.Error("built for a model of another vocabulary")
	}
	for range 2 {
		if got := count("gpt-4"); got.Name != "estimate" {
			t.Errorf("an encoding that is not there: %+v", got)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := count("gpt-4o"); got.Method != "exact" {
				t.Errorf("%+v", got)
			}
		})
	}
	all.Wait()
	if calls != 1 {
		t.Errorf("the planes were asked for %d times", calls)
	}
	e.Offer("o200k_base", func() string { return "damaged" })
	for range 2 {
		_, err := e.Call("count", []byte(`{"transcript":[{"role":"user","content":"hi"}],"model":{"id":"gpt-4o"}}`))
		var bad *core.Error
		if !errors.As(err, &bad) || bad.Code != "internal" || !strings.Contains(bad.Message, "o200k_base") {
			t.Errorf("damaged planes: %v", err)
		}
	}
	if err := e.AddEncoding("o200k_base", ranks.O200k()[:100]); err == nil {
		t.Error("planes that are cut off are taken")
	}
	if err := e.AddEncoding("o200k_base", ranks.O200k()); err != nil {
		t.Error(err)
	}
	if got := count("gpt-4o"); got.Method != "exact" {
		t.Errorf("mended: %+v", got)
	}
}
