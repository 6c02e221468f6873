package core_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/trigger"
)

// looking counts the texts that are counted, and their bytes.
type looking struct {
	tokens.Counter
	texts, bytes *int
}

func (l looking) Count(s string) int {
	*l.texts++
	*l.bytes += len(s)
	return l.Counter.Count(s)
}

// A step of a session looks at each item a few times, however many there are and
// however many rules: no clock is asked, the counted texts and the allocations are.
func TestStepsAreLinear(t *testing.T) {
	var rules []string
	for i := range 64 {
		rules = append(rules, fmt.Sprintf(`{"tokens":%d,"messages":3,"turns":1,"bytes":9,"tool_output_share":0.01,"fraction":0.01}`, 100+i))
	}
	all := strings.Join(rules, ",")
	type cost struct{ items, texts, bytes, allocations int }
	step := func(policyText, form string, rounds int) cost {
		t.Helper()
		h := &sessionHost{t: t, course: course{policy: policyText, format: form, window: 1 << 17, usage: "hidden"}, random: rand.New(rand.NewPCG(1, 2))}
		h.add("user", "Make all of it pass.")
		for n := range rounds {
			h.step(n + 1)
		}
		usage := h.report()
		req := h.forced(usage)
		p, err := policy.Compile(req.Policy, req.Model)
		if err != nil {
			t.Fatal(err)
		}
		doc := decode(t, req.Transcript, req)
		c := cost{items: len(doc.Items)}
		counter := looking{tokens.Estimate(), &c.texts, &c.bytes}
		measured := tokens.Measure(doc.Transcript, counter)
		plan := compact.NewPlan(doc.Transcript, p, counter, measured, "")
		decision, err := trigger.Evaluate(p, trigger.Input{
			Transcript: doc.Transcript, Measured: measured, Counter: counter, Usage: usage, Window: 1 << 17, Foldable: plan.Foldable(),
		})
		if err != nil || !decision.Fired || !plan.Folds() {
			t.Fatalf("%v: it fires %v, folds %v", err, decision.Fired, plan.Folds())
		}
		plan.Apply(plan.Answered("All is well."), decision)
		summary := "All is well."
		req.Summary = &summary
		c.allocations = int(testing.AllocsPerRun(1, func() {
			if _, err := core.Compact(req); err != nil {
				t.Fatal(err)
			}
		}))
		return c
	}
	for name, policyText := range map[string]string{
		"balanced": `{"preset":"balanced","triggers":[{"tokens":100}],"keep":{"last_tokens":500}}`,
		"64 rules": `{"preset":"balanced","triggers":[` + all + `],"keep":{"last_tokens":500}}`,
		"codex":    `{"codex":{"model_auto_compact_token_limit":100}}`,
		"lait":     `{"lait":{"trigger_tokens":100}}`,
		"prune":    `{"preset":"prune","triggers":[{"tokens":100}],"keep":{"all":false,"last_tokens":100},"tools":{"min_gain":0,"protect_tokens":0}}`,
	} {
		for _, form := range []string{"openai-chat", "openai-responses", "anthropic-messages"} {
			few, many := step(policyText, form, 100), step(policyText, form, 800)
			grown := float64(many.items) / float64(few.items)
			for _, x := range []struct {
				what      string
				few, many int
			}{{"texts", few.texts, many.texts}, {"bytes", few.bytes, many.bytes}, {"allocations", few.allocations, many.allocations}} {
				if ratio := float64(x.many) / float64(x.few); ratio > 1.25*grown {
					t.Errorf("%s of %s: %d %s for %d items, %d for %d", name, form, x.few, x.what, few.items, x.many, many.items)
				}
			}
			// 3.3 are the most, where results are cleared and then folded: a call has two
			// texts, and what is cleared is counted anew.
			if many.texts > 4*many.items {
				t.Errorf("%s of %s: %d texts are counted for %d items", name, form, many.texts, many.items)
			}
		}
	}
}
