package policy_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Whatever comes in is a policy that the engine can run, or an error that
// names a place; and the same twice.
func FuzzCompile(f *testing.F) {
	for _, p := range policy.Presets() {
		f.Add([]byte(p.Policy), 272000, 0)
	}
	for _, s := range []string{
		``, `null`, `"default:"`, `[[[`, `{"lait":{"trigger_round":6,"keep_last_n":null}}`, `{"lait":{"trigger_rounds":1},"codex":{}}`,
		`{"codex":{"model_context_window":9007199254740991,"model_auto_compact_token_limit":1}}`,
		`{"codex":{"implementation":"remote"}}`, `{"codex":{"implementation":"remote_v1","strict":true}}`,
		`{"triggers":[{"fraction":0.8,"turns":3},{}],"keep":{"pins":[{"index":0},{"id":"a"},{"text":"b"}]},"summary":{"language":"ja"}}`,
		`{"preset":"prune","tools":{"keep_last":0,"exclude":["a",""],"media":"placeholder"},"keep":{"all":false}}`,
		"{\"\xff\":1,\"\xff\":1}", `{"\ud800":-0}`,
	} {
		f.Add([]byte(s), 0, 100)
	}
	f.Fuzz(func(t *testing.T, raw []byte, window, maximum int) {
		m := &policy.Model{ContextWindow: window, MaxContextWindow: maximum, EffectiveContextWindowPercent: window}
		p, err := policy.Compile(raw, m)
		if again, err2 := policy.Compile(raw, m); !reflect.DeepEqual(p, again) || !reflect.DeepEqual(err, err2) {
			t.Fatalf("twice is not the same: %+v, %v; %+v, %v", p, err, again, err2)
		}
		if err != nil {
			var e *transcript.Error
			if !errors.As(err, &e) || e.Code != "invalid_policy" || !strings.HasPrefix(e.Path, "policy") || e.Message == "" || p != nil {
				t.Fatalf("%#v, %+v", err, p)
			}
			// Path and message hold at most 16 problems, each with at most 40
			// bytes of input in each of name and value, quoted (4 times as long).
			if n := len(e.Error()); n > 16*1000 {
				t.Fatalf("a message of %d bytes", n)
			}
			return
		}
		for _, r := range p.Triggers {
			if r == (policy.Rule{}) || min(r.Rounds, r.Tokens, r.Window, r.Messages, r.Turns, r.Bytes) < 0 ||
				!share(r.Fraction) || !share(r.ToolOutputShare) {
				t.Fatalf("a rule that fires always or never makes sense: %+v", r)
			}
		}
		k := p.Keep
		if min(k.LastMessages, k.LastTokens, k.LastTurns, k.UserTokens, p.Summary.MaxTokens) < 0 {
			t.Fatalf("less than nothing is kept: %+v", k)
		}
		for _, pin := range k.Pins {
			n := 0
			for _, set := range []bool{pin.Index != nil, pin.ID != "", pin.Text != ""} {
				if set {
					n++
				}
			}
			if n != 1 || pin.Index != nil && *pin.Index < 0 {
				t.Fatalf("not a pin: %+v", pin)
			}
		}
		if o := p.Tools; o != nil && (min(o.KeepLast, o.ProtectTokens, o.MinGain) < 0 || o.Reasoning == "" || o.Media == "") {
			t.Fatalf("tools are not whole: %+v", *o)
		}
		if k.All && p.Tools == nil {
			t.Fatal("a policy that never changes anything")
		}
		if p.Opaque() != (p.Retain != policy.Retain{}) || !p.Opaque() && p.Implementation != policy.Local {
			t.Fatalf("implementation %q retains %+v", p.Implementation, p.Retain)
		}
		if p.Usage == "" || p.Counter == "" || p.Summary.Role == "" || p.Summary.Place == "" ||
			p.Summary.Language == "" || p.Summary.SendTools == "" || p.Summary.OnFailure == "" {
			t.Fatalf("not whole: %+v", p)
		}
	})
}

func share(f float64) bool { return f >= 0 && f <= 1 && !math.IsNaN(f) }
