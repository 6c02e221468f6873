package compact

import (
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
)

// answeredLine is the line that names the requests which stay in the conversation
// and were dealt with, "" where there are none: without it models take up a
// finished request again, for its answer is gone. A policy with a prefix of its
// own, and a strict one, says what it says; nobody can add to an opaque summary.
func (p *Plan) answeredLine(k *keeper) string {
	if p.Policy.Strict || p.Policy.Opaque() || p.Policy.Summary.Prefix != "" {
		return ""
	}
	last, finished := len(k.t.Items)-1, false
	for ; last >= 0 && !k.t.Items[last].RealUser(); last-- {
		// The newest request is dealt with if the model spoke last, and asked for
		// no tool.
		if it := &k.t.Items[last]; last == len(k.t.Items)-1 {
			finished = it.Generated() && !it.Summary && it.Has(transcript.Text) && !it.Has(transcript.Call)
		}
	}
	var texts []string
	for i := range k.t.Items {
		it := &k.t.Items[i]
		if it.RealUser() && !k.gone(i) && (i < last || finished) {
			texts = append(texts, it.Text())
		}
	}
	return summary.Answered(texts)
}
