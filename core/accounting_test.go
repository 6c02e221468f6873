package core_test

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// A request that was refused as too long: the host says that the context is full,
// a total of the whole window. The original takes that from the total of the whole
// thread, which in a long one leaves nothing, and runs into the same error again.
func TestContextErrorSetsFull(t *testing.T) {
	full := total(roomy)
	zero := 0
	host := total(roomy)
	host.InputTokens, host.OutputTokens = &zero, &zero
	for name, says := range map[string]*core.Usage{"a total": &full, "as Codex writes it": &host} {
		for _, limit := range []string{"", `"model_auto_compact_token_limit_scope":"body_after_prefix"`} {
			h := &codexTurns{t: t, policy: `{"codex":{` + limit + `}}`, model: &core.Model{ContextWindow: roomy}, summary: "All is well."}
			h.turn("one", sampled{usage: answered(100000)})
			h.turn("two") // refused: there is no answer
			h.usage = says
			if res := h.check("pre_turn"); !res.Compacted {
				t.Errorf("%s, %s: %s, %+v", name, limit, res.Reason, res.Decision.Rules)
			}
			// And a request that is refused behind a compaction, before any answer.
			h = &codexTurns{t: t, policy: `{"codex":{` + limit + `}}`, model: &core.Model{ContextWindow: roomy}, summary: "All is well."}
			h.turn("one", sampled{usage: answered(250000)})
			h.turn("two", sampled{call: "c", usage: answered(260000)})
			if len(h.log) < 3 {
				t.Fatalf("%q", h.log)
			}
			h.items = append(h.items, textItem("user", "three"), textItem("user", strings.Repeat("A log that I paste. ", 40)))
			h.usage = says
			if res := h.check("pre_turn"); !res.Decision.Fired {
				t.Errorf("%s, %s, behind a compaction: %+v", name, limit, res.Decision.Rules)
			}
			// Refused once more, in the same words: the history grew, with answers
			// that nobody reported on and without any. The same call again says
			// nothing.
			for i, answer := range []string{"Done. ", ""} {
				if h.usage = says; h.check("pre_turn").Decision.Fired {
					t.Errorf("%s, %s: fires without growth", name, limit)
				}
				if answer != "" {
					h.items = append(h.items, textItem("assistant", answer+strings.Repeat("It is as it should be. ", 400)))
				}
				h.items = append(h.items, textItem("user", "four. "+strings.Repeat("And a log that I paste. ", 400)))
				// (What a person says stays: without an answer there is nothing to fold.)
				if res := h.check("pre_turn"); !res.Decision.Fired || answer != "" && !res.Compacted {
					t.Errorf("%s, %s, refused again, %d: %s, %+v", name, limit, i, res.Reason, res.Decision.Rules)
				}
			}
		}
	}
}

// Behind a compaction the whole history is counted, until an answer brings a figure
// of it; the figure of before, sent once more, says nothing.
func TestEstimateBehindACompaction(t *testing.T) {
	h := &codexTurns{t: t, policy: `{"codex":{"model_auto_compact_token_limit":1000}}`, summary: "All is well."}
	h.turn("one", sampled{usage: answered(2000)})
	res := h.check("pre_turn")
	if !res.Compacted {
		t.Fatalf("%s", res.Reason)
	}
	left := float64(res.Receipt.TokensAfter)
	measured := func(u *core.Usage) float64 {
		t.Helper()
		h.usage = u
		res := h.check("pre_turn")
		return *res.Decision.Rules[0].Measured
	}
	again := answered(2000)
	if n := measured(&again); n != left {
		t.Errorf("with the figure of before: %g, want %g", n, left)
	}
	if n := measured(nil); n != left {
		t.Errorf("with none: %g, want %g", n, left)
	}
	said := textItem("user", "two")
	h.items = append(h.items, said) // the original counts nothing before the next answer
	if n, want := measured(&again), left+float64((len(said)+3)/4); n != want {
		t.Errorf("with a message: %g, want %g", n, want)
	}
	h.items = append(h.items, textItem("assistant", "Done."))
	fresh := answered(321)
	if n := measured(&fresh); n != 321 {
		t.Errorf("with a figure of its own: %g", n)
	}
}

// Without any figure the prefill is what stands before the first message of a
// person. The original knows none then and measures no growth; so does strict.
func TestPrefillWithoutAFigure(t *testing.T) {
	h := &codexTurns{t: t, items: []string{
		textItem("developer", "<permissions instructions>all</permissions instructions>"), textItem("user", "<environment_context>here</environment_context>"),
		textItem("user", "Do it."), textItem("assistant", "Done."),
	}}
	size := func(items []string) (n float64) {
		for _, it := range items {
			n += float64((len(it) + 3) / 4)
		}
		return n
	}
	for strict, want := range map[string]float64{"false": size(h.items[2:]), "true": 0} {
		h.policy = `{"codex":{"model_auto_compact_token_limit":1000,"model_auto_compact_token_limit_scope":"body_after_prefix","strict":` + strict + `}}`
		h.summary = "of no compaction"
		h.state = nil
		d := h.check("pre_turn").Decision
		if got := *d.Rules[0].Measured; got != want || d.Window.Observed {
			t.Errorf("strict %s: growth %g, want %g; window %+v", strict, got, want, d.Window)
		}
		if strict == "false" && *d.Window.Prefill != int(size(h.items[:2])) {
			t.Errorf("prefill %d, want %g", *d.Window.Prefill, size(h.items[:2]))
		}
	}
}

// What a host says of itself has a total and no prompt: that is no request whose
// prompt is the prefill of the window. Codex's own estimate behind a compaction is
// one, too, and counts for no more than tamp's.
func TestPrefillIsOfAPrompt(t *testing.T) {
	h := &codexTurns{
		t: t, policy: `{"codex":{"model_auto_compact_token_limit":1000,"model_auto_compact_token_limit_scope":"body_after_prefix"}}`,
		model: &core.Model{ContextWindow: roomy}, summary: "All is well.",
	}
	h.turn("one", sampled{call: "c", usage: answered(500)}, sampled{usage: answered(2000)})
	res := h.check("pre_turn") // a prefill of 490, and 1,510 since
	if !res.Compacted {
		t.Fatalf("%+v", res.Decision)
	}
	zero := 0
	for n, fires := range map[int]bool{5000: false, roomy: true} {
		estimate := total(n)
		estimate.InputTokens, estimate.OutputTokens = &zero, &zero
		h.usage = &estimate
		plan, err := core.Plan(h.request("pre_turn"))
		if err != nil {
			t.Fatal(err)
		}
		if d := plan.Decision; d.Window.Observed || *d.Window.Prefill != res.Receipt.TokensAfter || d.Fired != fires {
			t.Errorf("%d: window %+v, fires %v", n, d.Window, d.Fired)
		}
	}
}
