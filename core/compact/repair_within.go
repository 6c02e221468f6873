package compact

import "github.com/tamp-dev/tamp/core/transcript"

// answerWithin answers a call in its own message, where that holds its results.
// Results that were put there before moved the parts behind them, but of the
// calls the same one is still the nth.
func (m *mender) answerWithin(ref transcript.Ref) bool {
	w, ok := m.t.Writer.(transcript.Answerer)
	if !ok {
		return false
	}
	nth := 0
	for _, p := range m.t.Items[ref.Item].Parts[:ref.Part] {
		if p.Kind == transcript.Call {
			nth++
		}
	}
	it := m.items[ref.Item].it
	at := -1
	for j := range it.Parts {
		if it.Parts[j].Kind == transcript.Call {
			if nth == 0 {
				at = j
				break
			}
			nth--
		}
	}
	if at < 0 {
		return false
	}
	out, ok := w.Answered(it, at, transcript.Unanswered)
	if !ok {
		return false
	}
	m.items[ref.Item].it, m.items[ref.Item].New = &out, &out
	m.tell(ref.Item, "calls_answered", "a call without a result got one that says so, in its own message")
	return true
}
