package trigger

import (
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// measurer takes each measure once, when the first rule asks for it.
type measurer struct {
	Input
	usage policy.Usage
	scope policy.Scope
	round int
	taken map[string]*float64
}

// once takes a measure that several rules may ask for.
func (m *measurer) once(name string, take func() *float64) *float64 {
	n, ok := m.taken[name]
	if !ok {
		if m.taken == nil {
			m.taken = map[string]*float64{}
		}
		n = take()
		m.taken[name] = n
	}
	return n
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
	scoped := func() {
		if m.scope == policy.BodyAfterPrefix {
			out[len(out)-1].Scope = string(m.scope)
		}
	}
	if r.Tokens > 0 {
		add("tokens", float64(r.Tokens), m.scoped())
		scoped()
	}
	if r.Fraction > 0 {
		var share *float64
		if active := m.scoped(); active != nil && m.Window > 0 {
			f := *active / float64(m.Window)
			share = &f
		}
		add("fraction", r.Fraction, share)
		scoped()
	}
	if r.Window > 0 {
		add("window", float64(r.Window), m.active())
	}
	if r.Messages > 0 {
		add("messages", float64(r.Messages), number(len(m.Transcript.Items)))
	}
	if r.Turns > 0 {
		add("turns", float64(r.Turns), m.once("turns", m.turns))
	}
	if r.Bytes > 0 {
		add("bytes", float64(r.Bytes), m.once("bytes", m.bytes))
	}
	if r.ToolOutputShare > 0 {
		add("tool_output_share", r.ToolOutputShare, m.once("tool_output_share", m.toolShare))
	}
	return out
}

func number(n int) *float64 {
	f := float64(n)
	return &f
}

// scoped is the active tokens within the policy's scope. Growth since a prefill
// that nobody knows is none; a history that was cut by other hands may have less
// than its prefill, and the difference is told as it is.
func (m *measurer) scoped() *float64 {
	active := m.active()
	if m.scope != policy.BodyAfterPrefix || active == nil {
		return active
	}
	if m.Prefill == nil {
		return number(0)
	}
	grown := *active - float64(*m.Prefill)
	return &grown
}

// active is the token measure by the policy's source; nil where it is unknown.
func (m *measurer) active() *float64 { return m.once("active", m.activeTokens) }

func (m *measurer) activeTokens() *float64 {
	if m.usage == policy.LastPrompt {
		if n, ok := m.Usage.LastPrompt(); ok {
			return number(max(0, n-m.Cleared))
		}
		return nil
	}
	if m.Usage == nil {
		return number(m.Measured.Total())
	}
	n, fromUsage := tokens.ActiveTokens(m.Transcript, m.Usage, m.Counter)
	if fromUsage {
		n = max(0, n-m.Cleared)
	}
	return number(n)
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

func (m *measurer) turns() *float64 {
	n := 0
	for i := range m.Transcript.Items {
		if m.Transcript.Items[i].RealUser() {
			n++
		}
	}
	return number(n)
}

func (m *measurer) bytes() *float64 {
	n := 0
	for i := range m.Transcript.Items {
		n += len(m.Transcript.Items[i].Raw)
	}
	return number(n)
}

// Round is the round that the next request would be: 1 and the model's answers
// since the last real user message. An answer is one assistant message; in the
// other families, whose answers may be several items, a run of generated items.
// A message that holds a whole tool loop is as many answers as it has steps.
func Round(t *transcript.Transcript) int {
	round, inRun := 1, false
	for i := len(t.Items) - 1; i >= 0; i-- {
		it := &t.Items[i]
		if it.RealUser() {
			break
		}
		generated := it.Generated() && !it.Summary
		if generated && (!inRun || t.Family == transcript.Chat) {
			round += it.Answers()
		}
		inRun = generated
	}
	return round
}
