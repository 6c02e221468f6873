package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// What only a provider can read passes through untouched wherever a format can
// hold it: its odd spacing and the fields that nobody here knows included.

// opaque is a history with such items, and what of its bytes must come out.
type opaque struct {
	name, format string
	src          string // JSON, or text as a JSON string
	stay         []string
	summary      string // of stay, the one that is an earlier summary
	turn         int    // items of the last turn
}

func opaques() []opaque {
	long := strings.Repeat("The build log lists every package with its version. ", 200)
	payload := strings.Repeat("gAAAA", 300)
	reasoning := `{"type":"reasoning", "id":"rs_1","summary":[],"content":null,"encrypted_content":"` + payload + `r","later": {"a":1.0}}`
	compaction := `{"id":"cmp_1" ,"type":"compaction","encrypted_content":"` + payload + `c\/","created_by":"server","v": 1e0}`
	output := `{"type":"function_call_output","call_id":"b","output":[{"type":"encrypted_content","encrypted_content":"` + payload + `o", "x":null}]}`
	agent := `{"type":"agent_message","author":"a","recipient":"b","content":[{"type":"encrypted_content", "encrypted_content":"` + payload + `m"}]}`
	call := func(id string) string {
		return `{"type":"function_call","name":"exec","arguments":"{}","call_id":"` + id + `"}`
	}
	items := []string{
		compaction,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Go."}]}`,
		call("a"), `{"type":"function_call_output","call_id":"a","output":"` + long + `"}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"One."}]}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"On."}]}`,
		reasoning, call("b"), output, agent,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Two."}]}`,
	}
	line := func(kind, body string) string { return `{"type":"` + kind + `","payload":` + body + "}\n" }
	var rollout strings.Builder
	rollout.WriteString(line("session_meta", `{"id":"s"}`) + line("compacted", `{"message":"","replacement_history":[`+items[0]+","+items[1]+`]}`))
	for _, it := range items[2:] {
		rollout.WriteString(line("response_item", it))
	}
	text, err := json.Marshal(rollout.String())
	if err != nil {
		panic(err) // a text is always JSON
	}
	block := `{"type":"compaction", "content":"What was done before.", "signature_of": {"later":1.0}}`
	thinking := `{"type":"redacted_thinking", "data":"` + payload + `t"}`
	messages := `[{"role":"assistant","content":[` + block + `]},{"role":"user","content":"Go."},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"exec","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"` + long + `"}]},` +
		`{"role":"assistant","content":"One."},{"role":"user","content":"On."},` +
		`{"role":"assistant","content":[` + thinking + `,{"type":"tool_use","id":"b","name":"exec","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"ok"}]},{"role":"assistant","content":"Two."}]`
	sealed := []string{compaction, reasoning, output, agent}
	return []opaque{
		{"responses", "openai-responses", "[" + strings.Join(items, ",\n ") + "]", sealed, compaction, 6},
		{"responses, a request", "openai-responses", `{"model":"gpt-5","input":[` + strings.Join(items, ",") + "]}", sealed, compaction, 6},
		{"rollout", "codex-rollout", string(text), sealed, compaction, 6},
		{"anthropic", "anthropic-messages", messages, []string{block, thinking}, block, 4},
	}
}

// found counts the times that part stands in the history of a result; in a log,
// whatever stood in it before stands there still.
func found(t *testing.T, res *core.CompactResult, part string) int {
	t.Helper()
	out := string(res.Transcript)
	if at := strings.LastIndex(out, `"type":"compacted"`); at >= 0 {
		out = out[at:]
	}
	return strings.Count(out, part)
}

func TestOpaqueItemsPassThrough(t *testing.T) {
	for _, o := range opaques() {
		rewrites := []string{""}
		if o.format == "codex-rollout" {
			rewrites = append(rewrites, `"rewrite":true,`)
		}
		for _, rewrite := range rewrites {
			head := rewrite + `"format":"` + o.format + `",`
			// Where an old result is cleared all other items stand as they came.
			res := compacted(t, ask(t, o.src, head+`"force":true,"policy":{"preset":"prune","tools":{"keep_last":1,"protect_tokens":0,"min_gain":0}}`))
			if !res.Compacted {
				t.Fatalf("%s: nothing is cleared: %s", o.name, res.Reason)
			}
			for _, part := range o.stay {
				if n := found(t, res, part); n != 1 {
					t.Errorf("%s %sprune: %.60s stands %d times", o.name, rewrite, part, n)
				}
			}
			// In the kept tail, all but the earlier summary, which the new one replaces.
			res = compacted(t, ask(t, o.src, fmt.Sprintf(`%s"force":true,"policy":{"lait":{"trigger_rounds":1,"keep_last_n":%d}},"summary":"All is well."`, head, o.turn)))
			if !res.Compacted {
				t.Fatalf("%s: nothing is folded: %s", o.name, res.Reason)
			}
			for _, part := range o.stay {
				want := 1
				if part == o.summary {
					want = 0
				}
				if n := found(t, res, part); n != want {
					t.Errorf("%s %slait: %.60s stands %d times, want %d", o.name, rewrite, part, n, want)
				}
			}
		}
		// The summariser is shown them, for it can read them.
		p := planned(t, ask(t, o.src, `"format":"`+o.format+`","force":true,"policy":{"lait":{"trigger_rounds":1,"keep_last_n":1}}`))
		for _, part := range o.stay {
			if n := strings.Count(string(p.Plan.Request.Body), part); n != 1 {
				t.Errorf("%s: %.60s stands %d times in the request", o.name, part, n)
			}
		}
		// A person is not.
		view, err := core.Items(ask(t, o.src, `"format":"`+o.format+`"`))
		if err != nil {
			t.Fatal(err)
		}
		shown, err := json.Marshal(view)
		if err != nil || strings.Contains(string(shown), "gAAAAgAAAA") {
			t.Errorf("%s: the reading view shows a payload, %v", o.name, err)
		}
	}
}

// The provider is shown them as well, and of all of them its new one remains.
func TestOpaqueItemsRemote(t *testing.T) {
	for _, o := range opaques() {
		if o.format == "anthropic-messages" {
			continue // holds no compaction item
		}
		for _, implementation := range []string{"remote", "remote_v1"} {
			req := ask(t, o.src, `"format":"`+o.format+`",`+remotely(implementation, "")+`,"summary":"NEW"`)
			body := string(planned(t, req).Plan.Request.Body)
			for _, part := range o.stay {
				if n := strings.Count(body, part); n != 1 {
					t.Errorf("%s, %s: %.60s stands %d times in the request", o.name, implementation, part, n)
				}
			}
			res := compacted(t, req)
			if found(t, res, o.summary) != 0 || found(t, res, `{"type":"compaction","encrypted_content":"NEW"}`) != 1 {
				t.Errorf("%s, %s: %s", o.name, implementation, res.Transcript)
			}
		}
	}
}

// Without a model nobody can say what an opaque summary says: it stays, with all
// else, and the answer says why. A model that was asked has seen it.
func TestDigestKeepsOpaqueSummary(t *testing.T) {
	src := `[{"type":"message","role":"user","content":[{"type":"input_text","text":"Fix the parser."}]},` +
		`{"type":"compaction","encrypted_content":"gAAAA` + strings.Repeat("QUJD", 3000) + `"},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + strings.Repeat("ok ", 400) + `"}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}]`
	for _, policy := range []string{`{"lait":{"trigger_rounds":1,"keep_last_n":1}}`, `{"codex":{"model_auto_compact_token_limit":100}}`, `{"preset":"balanced","keep":{"last_tokens":5}}`} {
		for _, force := range []bool{false, true} {
			one := 1
			req := core.Request{Transcript: []byte(src), Policy: json.RawMessage(policy), Round: &one, Force: force, Model: &core.Model{ContextWindow: 1000}}
			res, err := core.Compact(req)
			if err != nil {
				t.Fatal(err)
			}
			if res.Compacted || res.Reason != core.NoProgress || !res.Receipt.NoProgress || res.Receipt.Event == nil || res.Receipt.Event.Cause != core.OpaqueSummary || string(res.Transcript) != src {
				t.Errorf("%s, force %v: compacted %v, %s, %+v", policy, force, res.Compacted, res.Reason, res.Receipt.Event)
			}
			req.Answers = []core.Answer{{Text: "The parser is half done."}}
			if res, err = core.Compact(req); err != nil || !res.Compacted {
				t.Errorf("%s: with an answer %v, %v", policy, res, err)
			}
		}
	}
}

// Where somebody insists, a digest may be larger than its tenth: its bare first
// line says nothing of what goes.
func TestForcedDigestSaysSomething(t *testing.T) {
	src := `[{"role":"user","content":"What is a pointer? Tell me in detail, please, with examples."},{"role":"assistant","content":"` + strings.Repeat("A pointer is an address. ", 60) + `"},` +
		`{"role":"user","content":"Thanks and what is a slice? The file is /srv/app/main.go and the error is E1234."},{"role":"assistant","content":"A slice is a view."}]`
	one := 1
	req := core.Request{Transcript: []byte(src), Policy: json.RawMessage(`{"lait":{"trigger_rounds":1,"keep_last_n":1}}`), Round: &one, Force: true}
	res, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Compacted || res.Receipt.NoProgress || !strings.Contains(res.Summary, "E1234") || !strings.Contains(res.Summary, "pointer") {
		t.Errorf("%d tokens became %d: %q", res.Receipt.TokensBefore, res.Receipt.TokensAfter, res.Summary)
	}
	holds(t, req, res)
}
