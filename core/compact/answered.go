package compact

import (
	"strings"

	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
)

// answeredLine is the line that names the requests which stay in the conversation
// and were dealt with, "" where there are none: without it models take up a
// finished request again, for its answer is gone. A request that the model
// answered with a question is none of them: it still runs. A policy with a prefix
// of its own, and a strict one, says what it says; nobody can add to an opaque
// summary.
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
	asked, replied := -1, false // a kept request, and whether the model's last word on it was no question
	take := func() {
		if asked >= 0 && replied {
			texts = append(texts, said(&k.t.Items[asked]))
		}
	}
	for i := range k.t.Items {
		it := &k.t.Items[i]
		switch {
		case it.RealUser():
			take()
			asked, replied = -1, false
			if !k.gone(i) && (i < last || finished) {
				asked = i
			}
		case it.Generated() && !it.Summary && it.Has(transcript.Text):
			replied = !endsAsking(it.Text())
		}
	}
	take()
	return summary.Answered(texts)
}

// endsAsking reports whether a text ends with a question.
func endsAsking(text string) bool {
	text = strings.TrimRight(text, " \t\r\n*_\"”」)")
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

// said is the text of a message without an earlier summary that was joined to it.
func said(it *transcript.Item) string {
	var texts []string
	for j := range it.Parts {
		if p := &it.Parts[j]; p.Kind == transcript.Text && !p.Summary {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, " ")
}
