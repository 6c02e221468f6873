package policy_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
)

// The arithmetic of Codex: ctx is the configured window clamped to the model's
// maximum, else the model's window, else its maximum; auto = ctx*9/10, lowered
// by a configured limit; hard = ctx*percent/100.
func TestCodexLimits(t *testing.T) {
	both := func(auto, hard int) []policy.Rule { return []policy.Rule{{Tokens: auto}, {Window: hard}} }
	for _, c := range []struct {
		name          string
		model         *policy.Model
		window, limit int // of the policy, 0: not there
		want          []policy.Rule
	}{
		{"documented: 272,000", &policy.Model{ContextWindow: 272000}, 0, 0, both(244800, 258400)},
		{"documented: 128,000", &policy.Model{ContextWindow: 128000}, 0, 0, both(115200, 121600)},
		{"documented: 100 with limit 200", &policy.Model{ContextWindow: 100}, 0, 200, both(90, 95)},
		{"a limit lowers", &policy.Model{ContextWindow: 272000}, 0, 200000, both(200000, 258400)},
		{"a limit of the clamp itself", &policy.Model{ContextWindow: 272000}, 0, 244800, both(244800, 258400)},
		{"a limit one above", &policy.Model{ContextWindow: 272000}, 0, 244801, both(244800, 258400)},
		{"window by policy alone", nil, 272000, 200000, both(200000, 258400)},
		{"the policy's window replaces", &policy.Model{ContextWindow: 128000}, 272000, 0, both(244800, 258400)},
		{"and may be smaller", &policy.Model{ContextWindow: 272000, MaxContextWindow: 400000}, 1000, 0, both(900, 950)},
		{"but not above the maximum", &policy.Model{ContextWindow: 128000, MaxContextWindow: 272000}, 1000000, 0, both(244800, 258400)},
		{"the model's own window is not clamped", &policy.Model{ContextWindow: 272000, MaxContextWindow: 128000}, 0, 0, both(244800, 258400)},
		{"only a maximum", &policy.Model{MaxContextWindow: 128000}, 0, 0, both(115200, 121600)},
		{"percent of the model", &policy.Model{ContextWindow: 272000, EffectiveContextWindowPercent: 90}, 0, 0, both(244800, 244800)},
		{"percent 100", &policy.Model{ContextWindow: 99, EffectiveContextWindowPercent: 100}, 0, 0, both(89, 99)}, // 891/10
		{"integer division", &policy.Model{ContextWindow: 999}, 0, 0, both(899, 949)},                             // 8991/10, 94905/100
		{"nothing but a limit", nil, 0, 5000, []policy.Rule{{Tokens: 5000}}},
		{"a limit and an empty model", &policy.Model{ID: "m"}, 0, 5000, []policy.Rule{{Tokens: 5000}}},
		{"nothing known", &policy.Model{ID: "m"}, 0, 0, []policy.Rule{{Fraction: 0.9}}},
		{"no model", nil, 0, 0, []policy.Rule{{Fraction: 0.9}}},
		{"nonsense is unknown", &policy.Model{ContextWindow: -5, MaxContextWindow: -5, EffectiveContextWindowPercent: -5}, 0, 0, []policy.Rule{{Fraction: 0.9}}},
		{"nonsense percent", &policy.Model{ContextWindow: 100, EffectiveContextWindowPercent: -5}, 0, 0, both(90, 95)},
		// 1*9/10 is 0, always reached; 0 would say that there is no threshold.
		{"a window of 1", &policy.Model{ContextWindow: 1}, 0, 0, both(1, 1)},
		{"percent saturates", &policy.Model{ContextWindow: 1000, EffectiveContextWindowPercent: math.MaxInt}, 0, 0, both(900, math.MaxInt)},
	} {
		raw := `{"codex":{"strict":false`
		if c.window != 0 {
			raw += fmt.Sprintf(`,"model_context_window":%d`, c.window)
		}
		if c.limit != 0 {
			raw += fmt.Sprintf(`,"model_auto_compact_token_limit":%d`, c.limit)
		}
		t.Run(c.name, func(t *testing.T) {
			want(t, raw+"}}", c.model, codex(func(p *policy.Policy) { p.Triggers = c.want }))
		})
	}
}

// The largest window that an int holds: the figures are 9/10 and 95/100 of
// 2^63-1, worked out with unbounded integers.
func TestCodexLimitsDoNotOverflow(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("figures below are for 64 bits")
	}
	var auto, hard int64 = 8301034833169298226, 8762203435012037016
	want(t, `{"codex":{}}`, &policy.Model{ContextWindow: math.MaxInt}, codex(func(p *policy.Policy) {
		p.Triggers = []policy.Rule{{Tokens: int(auto)}, {Window: int(hard)}}
	}))
}

func TestWindow(t *testing.T) {
	var none *policy.Model
	for _, c := range []struct {
		m    *policy.Model
		want int
	}{
		{none, 0},
		{&policy.Model{}, 0},
		{&policy.Model{ContextWindow: 5, MaxContextWindow: 9}, 5},
		{&policy.Model{MaxContextWindow: 9}, 9},
		{&policy.Model{ContextWindow: -1, MaxContextWindow: -1}, 0},
	} {
		if got := c.m.Window(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.m, got, c.want)
		}
	}
}

// The sizes that a switch to the model must stay below: of every form nine
// tenths and 95 % of the window, of Codex' form what it configures, where growth
// is measured its limit as it stands.
func TestLimits(t *testing.T) {
	m := &policy.Model{ContextWindow: 1000}
	for _, c := range []struct {
		raw   string
		model *policy.Model
		want  policy.Limits
	}{
		{`{"preset":"balanced"}`, m, policy.Limits{Auto: 900, Hard: 950}},
		{`{"lait":{"trigger_rounds":6}}`, m, policy.Limits{Auto: 900, Hard: 950}},
		{`{"preset":"balanced"}`, nil, policy.Limits{}},
		{`{"codex":{"model_auto_compact_token_limit":400}}`, m, policy.Limits{Auto: 400, Hard: 950}},
		{`{"codex":{"model_auto_compact_token_limit":5000}}`, m, policy.Limits{Auto: 900, Hard: 950}},
		{`{"codex":{"model_auto_compact_token_limit":5000,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`, m, policy.Limits{Auto: 900, Hard: 950}},
	} {
		got, err := policy.Compile([]byte(c.raw), c.model)
		if err != nil || got.Limits != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.raw, got.Limits, err, c.want)
		}
	}
}

// Growth is not held below nine tenths of the window; the hard window is.
func TestScope(t *testing.T) {
	got, err := policy.Compile([]byte(`{"codex":{"model_auto_compact_token_limit":5000,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`), &policy.Model{ContextWindow: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if got.Scope != policy.BodyAfterPrefix || got.Triggers[0].Tokens != 5000 || got.Triggers[1].Window != 950 {
		t.Errorf("%+v", got)
	}
	got, err = policy.Compile([]byte(`{"preset":"balanced","scope":"body_after_prefix"}`), nil)
	if err != nil || got.Scope != policy.BodyAfterPrefix {
		t.Errorf("%+v, %v", got, err)
	}
}
