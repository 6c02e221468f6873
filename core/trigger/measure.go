package trigger

import (
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// measurer takes each measure once, when the first rule asks for it.
type measurer struct {
	Input
	usage  policy.Usage
	round  int
	tokens *float64
	known  bool
}

// measures are the measures that the rule sets, in the order of its fields.
func (m *measurer) measures(r policy.Rule) []Measure {
	var out []Measure
	add := func(name string, threshold float64, measured *float64) {
		fired := measured != nil && *measured >= threshold
		if name == "rounds" {
			fired = measured != nil && int(*measured)%int(threshold) == 0
		}
		out = append(out, Measure{Measure: name, Measured: measured, Threshold: &threshold, Fired: fired})
	}
	if r.Rounds > 0 {
		add("rounds", float64(r.Rounds), number(m.round))
	}
	if r.Tokens > 0 {
		add("tokens", float64(r.Tokens), m.active())
	}
	if r.Fraction > 0 {
		var share *float64
		if active := m.active(); active != nil && m.Window > 0 {
			f := *active / float64(m.Window)
			share = &f
		}
		add("fraction", r.Fraction, share)
	}
	if r.Window > 0 {
		add("window", float64(r.Window), m.active())
	}
	if r.Messages > 0 {
		add("messages", float64(r.Messages), number(len(m.Transcript.Items)))
	}
	if r.Turns > 0 {
		add("turns", float64(r.Turns), number(turns(m.Transcript)))
	}
	if r.Bytes > 0 {
		n := 0
		for i := range m.Transcript.Items {
			n += len(m.Transcript.Items[i].Raw)
		}
		add("bytes", float64(r.Bytes), number(n))
	}
	if r.ToolOutputShare > 0 {
		add("tool_output_share", r.ToolOutputShare, m.toolShare())
	}
	return out
}

func number(n int) *float64 {
	f := float64(n)
	return &f
}

// active is the token measure by the policy's source; nil where it is unknown.
func (m *measurer) active() *float64 {
	if m.known {
		return m.tokens
	}
	m.known = true
	if m.usage == policy.LastPrompt {
		if m.Usage != nil {
			if n, ok := m.Usage.LastPrompt(); ok {
				m.tokens = number(n)
			}
		}
		return m.tokens
	}
	if m.Usage == nil {
		m.tokens = number(m.Measured.Total())
		return m.tokens
	}
	n, _ := tokens.ActiveTokens(m.Transcript, m.Usage, m.Counter)
	m.tokens = number(n)
	return m.tokens
}

func (m *measurer) toolShare() *float64 {
	total, tool := m.Measured.Total(), 0
	if total == 0 {
		return nil
	}
	for i := range m.Transcript.Items {
		if m.Transcript.Items[i].Has(transcript.Result) {
			tool += m.Measured.Items[i]
		}
	}
	share := float64(tool) / float64(total)
	return &share
}

func turns(t *transcript.Transcript) int {
	n := 0
	for i := range t.Items {
		if t.Items[i].RealUser() {
			n++
		}
	}
	return n
}

// Round is the round that the next request would be: 1 and the model's answers
// since the last real user message. An answer is one assistant message; in the
// other families, whose answers may be several items, a run of generated items.
func Round(t *transcript.Transcript) int {
	round, inRun := 1, false
	for i := len(t.Items) - 1; i >= 0; i-- {
		it := &t.Items[i]
		if it.RealUser() {
			break
		}
		generated := it.Generated() && !it.Summary
		if generated && (!inRun || t.Family == transcript.Chat) {
			round++
		}
		inRun = generated
	}
	return round
}
