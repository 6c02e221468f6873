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
	var asked []int                // kept requests that one answer is for
	spoke, replied := false, false // the model on them, and its last word was no question
	take := func() {
		if replied {
			for _, i := range asked {
				texts = append(texts, said(&k.t.Items[i]))
			}
		}
	}
	for i := range k.t.Items {
		it := &k.t.Items[i]
		switch {
		case it.RealUser():
			if spoke { // else the two wait for the same answer
				take()
				asked = asked[:0]
			}
			spoke, replied = false, false
			if !k.gone(i) {
				asked = append(asked, i)
			}
		case it.Generated() && !it.Summary && it.Has(transcript.Text):
			spoke, replied = true, !endsAsking(it.Text())
		}
	}
	if finished {
		take()
	}
	left := min(answeredMost, k.goneTokens(p.Folded)/answeredShare)
	return summary.Answered(texts, func(quote string) bool {
		left -= p.Counter.Count(quote) + 1 // and the comma
		return left >= 0
	})
}

// What the names of answered requests may take, beside those of the newest: a
// tenth of what the summary saves, and no more than 1,000 tokens, some 80 names.
const (
	answeredShare = 10
	answeredMost  = 1000
)

// goneTokens is what those of the items weigh that go as a whole.
func (k *keeper) goneTokens(items []int) int {
	n := 0
	for _, i := range items {
		if k.gone(i) {
			n += k.size[i]
		}
	}
	return n
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
