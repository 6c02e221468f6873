package compact

import (
	"reflect"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Calls that wait for something outside of the loop: an approval, a job that
// runs for long. They stay, with what came for them so far, however long the
// conversation went on; what comes last never stands without its call.
func TestPendingCalls(t *testing.T) {
	u, a := says(user, "ask"), says(assistant, "answer")
	pends := func(it transcript.Item) transcript.Item {
		it.Parts[0].Pending = true
		return it
	}
	const gone = Summarised
	for _, c := range []struct {
		name      string
		keep      policy.Keep
		items     []transcript.Item
		want      []Reason
		summaryAt int // of a summary that the policy wants last
	}{
		{"an approval that is still asked for", policy.Keep{LastMessages: 1}, []transcript.Item{u, pends(callItem("x")), u, a, u}, []Reason{gone, OpenCall, gone, gone, Recent}, 2},
		{"an ordinary call that nobody answered folds", policy.Keep{LastMessages: 1}, []transcript.Item{u, callItem("x"), u, a, u}, []Reason{gone, gone, gone, gone, Recent}, 1},
		{"an ordinary one at the end stays, and the summary stands before it", policy.Keep{}, []transcript.Item{u, a, callItem("x")}, []Reason{gone, gone, OpenCall}, 0},
		{"an interim result, the final one is to come", policy.Keep{LastMessages: 1}, []transcript.Item{u, callItem("x"), pends(resultItem("x")), a, u}, []Reason{gone, OpenCall, GroupKept, gone, Recent}, 3},
		{"the final one came: all of it folds", policy.Keep{LastMessages: 1}, []transcript.Item{u, callItem("x"), pends(resultItem("x")), a, resultItem("x"), a, u}, []Reason{gone, gone, gone, gone, gone, gone, Recent}, 1},
		{"the final one stays: so does the call", policy.Keep{LastMessages: 1}, []transcript.Item{u, callItem("x"), pends(resultItem("x")), a, resultItem("x")}, []Reason{gone, Recent, Recent, Recent, Recent}, 4},
	} {
		tr := &transcript.Transcript{Writer: plain{}, Items: c.items}
		pol := &policy.Policy{Keep: c.keep, Summary: policy.Summary{Role: "user", Place: "end"}}
		p := NewPlan(tr, pol, letters{}, tokens.Measure(tr, letters{}), "")
		if got := reasons(p); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if p.SummaryAt != c.summaryAt {
			t.Errorf("%s: the summary stands at %d, want %d", c.name, p.SummaryAt, c.summaryAt)
		}
	}
}
