package policy_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
)

// want fails unless raw compiles to exactly p.
func want(t *testing.T, raw string, m *policy.Model, p policy.Policy) {
	t.Helper()
	got, err := policy.Compile([]byte(raw), m)
	if err != nil {
		t.Errorf("%s: %v", raw, err)
		return
	}
	p.Limits = got.Limits // TestLimits looks at them
	if !reflect.DeepEqual(*got, p) {
		t.Errorf("%s:\n got %+v\nwant %+v", raw, *got, p)
	}
}

// The expected policies are written out whole: the forms' meanings are those
// of the two systems' documents and of the wire's Policy section.

func lait(f func(*policy.Policy)) policy.Policy {
	p := policy.Policy{
		Triggers:       []policy.Rule{{Rounds: 6}, {Tokens: 60000}},
		Usage:          policy.LastPrompt,
		Scope:          policy.Total,
		Keep:           policy.Keep{Instructions: true, LastMessages: 4},
		Summary:        policy.Summary{Role: "assistant", Place: "after_instructions", Language: "auto", SendTools: "auto", OnFailure: "error"},
		Counter:        "estimate",
		Implementation: "local",
	}
	if f != nil {
		f(&p)
	}
	return p
}

func codex(f func(*policy.Policy)) policy.Policy {
	p := policy.Policy{
		Triggers:       []policy.Rule{{Fraction: 0.9}},
		Usage:          policy.Active,
		Scope:          policy.Total,
		Keep:           policy.Keep{Instructions: true, InitialContext: true, UserTokens: 20000},
		Summary:        policy.Summary{Role: "user", Place: "end", Language: "auto", SendTools: "auto", OnFailure: "error"},
		Counter:        "bytes4",
		Implementation: "local",
	}
	if f != nil {
		f(&p)
	}
	return p
}

func balanced(f func(*policy.Policy)) policy.Policy {
	p := policy.Policy{
		Triggers:       []policy.Rule{{Fraction: 0.8}},
		Usage:          policy.Active,
		Scope:          policy.Total,
		Keep:           policy.Keep{Instructions: true, InitialContext: true, FirstUser: true, LastTokens: 20000},
		Summary:        policy.Summary{Role: "user", Place: "after_instructions", Language: "auto", SendTools: "auto", OnFailure: "error"},
		Counter:        "estimate",
		Implementation: "local",
	}
	if f != nil {
		f(&p)
	}
	return p
}

func TestDefaultIsBalanced(t *testing.T) {
	for _, raw := range []string{"", " \n", "null", " null ", "{}", `{"preset":"balanced"}`} {
		want(t, raw, nil, balanced(nil))
	}
	got, err := policy.Compile(nil, nil)
	if err != nil || !reflect.DeepEqual(*got, balanced(nil)) {
		t.Errorf("nil: %+v, %v", got, err)
	}
}

func TestBalancedKeepsAQuarterOfASmallWindow(t *testing.T) {
	for window, tokens := range map[int]int{
		0: 20000, -1: 20000, // unknown
		80000: 20000, 79999: 19999, 8191: 2047, 3: 0, 1000000: 20000,
	} {
		want(t, "{}", &policy.Model{ContextWindow: window}, balanced(func(p *policy.Policy) { p.Keep.LastTokens = tokens }))
	}
	want(t, "{}", &policy.Model{MaxContextWindow: 40000}, balanced(func(p *policy.Policy) { p.Keep.LastTokens = 10000 }))
	want(t, `{"keep":{"last_tokens":7}}`, &policy.Model{ContextWindow: 8}, balanced(func(p *policy.Policy) { p.Keep.LastTokens = 7 }))
}

func TestLait(t *testing.T) {
	one := func(r policy.Rule) func(*policy.Policy) {
		return func(p *policy.Policy) { p.Triggers = []policy.Rule{r} }
	}
	want(t, `{"lait":{"trigger_rounds":6,"trigger_tokens":60000}}`, nil, lait(nil))
	// Rounds come first whatever the order of the text.
	want(t, `{"lait":{"trigger_tokens":60000,"keep_last_n":4,"trigger_rounds":6}}`, nil, lait(nil))
	want(t, `{"lait":{"trigger_rounds":1}}`, nil, lait(one(policy.Rule{Rounds: 1})))
	want(t, `{"lait":{"trigger_tokens":9007199254740991}}`, nil, lait(one(policy.Rule{Tokens: 1<<53 - 1})))
	// null unsets these three.
	want(t, `{"lait":{"trigger_rounds":null,"trigger_tokens":5,"model":null}}`, nil, lait(one(policy.Rule{Tokens: 5})))
	want(t, `{"lait":{"trigger_rounds":6,"trigger_tokens":60000,"keep_last_n":0,"model":"cheap","strict":true}}`, nil,
		lait(func(p *policy.Policy) {
			p.Keep.LastMessages = 0
			p.Summary.Model = "cheap"
			p.Strict = true
		}))
	// An escape in a name is the same name.
	want(t, `{"lait":{"trigger_\u0072ounds":6,"trigger_tokens":60000}}`, nil, lait(nil))
}

func TestCodexFields(t *testing.T) {
	want(t, `{"codex":{}}`, nil, codex(nil))
	want(t, `{"codex":{"model_context_window":null,"model_auto_compact_token_limit":null,
		"model_auto_compact_token_limit_scope":"total","implementation":"local","strict":false}}`, nil, codex(nil))
	want(t, `{"codex":{"compact_prompt":" \n","summary_prefix":"\t"}}`, nil, codex(nil))
	// The budgets are those of codex.md 0.2; that of user messages stays for the
	// fallback.
	for _, implementation := range []string{"remote", "remote_v1"} {
		want(t, `{"codex":{"implementation":"`+implementation+`","user_message_tokens":7}}`, nil, codex(func(p *policy.Policy) {
			p.Implementation, p.Retain = implementation, policy.Retain{Tokens: 64000, AgentTokens: 10000}
			p.Keep.UserTokens = 7
		}))
	}
	want(t, `{"codex":{"compact_prompt":" Sum up.\n","summary_prefix":"{{SUMMARY_PREFIX}}","user_message_tokens":0,"strict":true}}`, nil,
		codex(func(p *policy.Policy) {
			p.Summary.Prompt, p.Summary.Prefix = "Sum up.", "{{SUMMARY_PREFIX}}"
			p.Keep.UserTokens = 0
			p.Strict = true
		}))
}

func TestPresetOverrides(t *testing.T) {
	want(t, `{"preset":"lait","keep":{"last_messages":2,"first_user":true}}`, nil,
		lait(func(p *policy.Policy) { p.Keep.LastMessages, p.Keep.FirstUser = 2, true }))
	// The order of the text does not matter.
	want(t, `{"keep":{"first_user":true,"last_messages":2},"preset":"lait"}`, nil,
		lait(func(p *policy.Policy) { p.Keep.LastMessages, p.Keep.FirstUser = 2, true }))
	want(t, `{"preset":"codex","scope":"total","strict":true}`, &policy.Model{ContextWindow: 128000},
		codex(func(p *policy.Policy) {
			p.Triggers = []policy.Rule{{Tokens: 115200}, {Window: 121600}}
			p.Strict = true
		}))
	for _, preset := range []string{"lait", "codex", "balanced"} {
		p, err := policy.Compile([]byte(`{"preset":"`+preset+`","triggers":[]}`), &policy.Model{ContextWindow: 100})
		if err != nil || len(p.Triggers) != 0 {
			t.Errorf("%s: off is not off: %+v, %v", preset, p, err)
		}
	}
	want(t, `{"triggers":[{"rounds":6},{"tokens":60000},{"fraction":0.8,"turns":3},
		{"messages":1,"bytes":2,"tool_output_share":1},{"fraction":5e-1}]}`, nil,
		balanced(func(p *policy.Policy) {
			p.Triggers = []policy.Rule{
				{Rounds: 6},
				{Tokens: 60000},
				{Fraction: 0.8, Turns: 3},
				{Messages: 1, Bytes: 2, ToolOutputShare: 1},
				{Fraction: 0.5},
			}
		}))
	seven := 7
	want(t, `{"keep":{"instructions":false,"initial_context":false,"first_user":false,"last_messages":1,"last_tokens":2,
		"last_turns":3,"user_tokens":4,"pins":[{"index":7},{"id":"msg_1"},{"text":"sub string"}]}}`, nil,
		balanced(func(p *policy.Policy) {
			p.Keep = policy.Keep{
				LastMessages: 1, LastTokens: 2, LastTurns: 3, UserTokens: 4,
				Pins: []policy.Pin{{Index: &seven}, {ID: "msg_1"}, {Text: "sub string"}},
			}
		}))
	want(t, `{"keep":{"pins":[]}}`, nil, balanced(nil))
	want(t, `{"summary":{"role":"assistant","place":"end","prefix":" P\n","prompt":"Q ","model":"cheap","language":"pt-BR",
		"max_tokens":9,"send_tools":"never","on_failure":"digest"}}`, nil,
		balanced(func(p *policy.Policy) {
			p.Summary = policy.Summary{
				Role: "assistant", Place: "end", Prefix: "P", Prompt: "Q", Model: "cheap", Language: "pt-BR",
				MaxTokens: 9, SendTools: "never", OnFailure: "digest",
			}
		}))
	want(t, `{"summary":{"model":"","on_failure":"keep","send_tools":"always"}}`, nil,
		balanced(func(p *policy.Policy) { p.Summary.OnFailure, p.Summary.SendTools = "keep", "always" }))
}

func prune(f func(*policy.Policy)) policy.Policy {
	p := balanced(func(p *policy.Policy) {
		p.Triggers = []policy.Rule{{Tokens: 100000}, {Fraction: 0.8}}
		p.Keep.All = true
		p.Tools = &policy.Tools{KeepLast: 3, ProtectTokens: 40000, MinGain: 20000, KeepErrors: true, Reasoning: "keep", Media: "keep"}
	})
	if f != nil {
		f(&p)
	}
	return p
}

func TestPrune(t *testing.T) {
	want(t, `{"preset":"prune"}`, nil, prune(nil))
	// A quarter and an eighth of a window of up to 160,000; both limits meet there.
	for window, c := range map[int]struct{ protect, gain, last int }{
		160000: {40000, 20000, 20000}, 128000: {32000, 16000, 20000}, 8001: {2000, 1000, 2000}, 1000000: {40000, 20000, 20000},
	} {
		want(t, `{"preset":"prune"}`, &policy.Model{ContextWindow: window}, prune(func(p *policy.Policy) {
			p.Tools.ProtectTokens, p.Tools.MinGain, p.Keep.LastTokens = c.protect, c.gain, c.last
		}))
	}
	want(t, `{"preset":"prune","tools":{"keep_last":1,"exclude":["skill","todo"]},"triggers":[]}`, nil, prune(func(p *policy.Policy) {
		p.Triggers = nil
		p.Tools.KeepLast, p.Tools.Exclude = 1, []string{"skill", "todo"}
	}))
}

// A policy that names tools beside what it folds: what it does not say is not
// protected, but for the newest three and failed results.
func TestTools(t *testing.T) {
	with := func(tools policy.Tools) policy.Policy { return balanced(func(p *policy.Policy) { p.Tools = &tools }) }
	want(t, `{"tools":{}}`, nil, with(policy.Tools{KeepLast: 3, KeepErrors: true, Reasoning: "keep", Media: "keep"}))
	want(t, `{"tools":{"keep_last":0,"protect_tokens":1,"min_gain":2,"exclude":["a"],"keep_errors":false,"inputs":true,"reasoning":"drop","media":"placeholder"}}`, nil,
		with(policy.Tools{ProtectTokens: 1, MinGain: 2, Exclude: []string{"a"}, Inputs: true, Reasoning: "drop", Media: "placeholder"}))
	want(t, `{"preset":"lait","tools":{"keep_last":9}}`, nil, lait(func(p *policy.Policy) {
		p.Tools = &policy.Tools{KeepLast: 9, KeepErrors: true, Reasoning: "keep", Media: "keep"}
	}))
	all := with(policy.Tools{KeepLast: 3, KeepErrors: true, Reasoning: "keep", Media: "keep"})
	all.Keep.All = true
	want(t, `{"keep":{"all":true},"tools":{}}`, nil, all)
}

func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range policy.Presets() {
		seen[p.Name] = true
		if p.Title == "" {
			t.Errorf("%s has no title", p.Name)
		}
		for _, m := range []*policy.Model{nil, {ContextWindow: 272000}, {ContextWindow: 4000}, {MaxContextWindow: 128000}} {
			whole, err := policy.Compile(p.Policy, m)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			named, err := policy.Compile([]byte(`{"preset":"`+p.Name+`"}`), m)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if !reflect.DeepEqual(whole, named) {
				t.Errorf("%s, %+v:\nwritten out %+v\nby name     %+v", p.Name, m, whole, named)
			}
		}
	}
	if policy.Presets()[0].Name != policy.Default || len(seen) != 4 || !seen["lait"] || !seen["codex"] || !seen["prune"] {
		t.Errorf("presets are %v", seen)
	}
	want(t, `{"preset":"lait"}`, nil, lait(nil))
	want(t, `{"preset":"codex"}`, nil, codex(nil))

	// A caller may change what it got.
	policy.Presets()[0].Policy[0] = 'x'
	if !json.Valid(policy.Presets()[0].Policy) {
		t.Error("presets share their bytes")
	}
}

// The names of the wire are those that the structs carry; window is the one
// measure that only the codex form sets.
func TestWireNamesAreTheStructs(t *testing.T) {
	for _, c := range []struct {
		of   any
		path string // where an unknown field lists the legal ones
		raw  string
		skip string
	}{
		{policy.Rule{}, "policy.triggers[0].zzzzzzzz", `{"triggers":[{"zzzzzzzz":1}]}`, "window"},
		{policy.Keep{}, "policy.keep.zzzzzzzz", `{"keep":{"zzzzzzzz":1}}`, ""},
		{policy.Tools{}, "policy.tools.zzzzzzzz", `{"tools":{"zzzzzzzz":1}}`, ""},
		{policy.Pin{}, "policy.keep.pins[0].zzzzzzzz", `{"keep":{"pins":[{"zzzzzzzz":1}]}}`, ""},
		{policy.Summary{}, "policy.summary.zzzzzzzz", `{"summary":{"zzzzzzzz":1}}`, ""},
	} {
		_, err := policy.Compile([]byte(c.raw), nil)
		list, ok := strings.CutPrefix(err.Error(), c.path+": unknown field, the fields are ")
		if !ok {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		got := map[string]bool{}
		for _, n := range strings.Split(strings.Replace(list, " and ", ", ", 1), ", ") {
			got[n] = true
		}
		tags := map[string]bool{}
		for f := range reflect.TypeOf(c.of).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(c.of).Field(f).Tag.Get("json"), ",")
			if name != c.skip {
				tags[name] = true
			}
		}
		if !reflect.DeepEqual(got, tags) {
			t.Errorf("%T: wire %v, struct %v", c.of, got, tags)
		}
	}
}
