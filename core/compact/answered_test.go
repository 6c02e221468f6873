package compact

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// A request that the model answered with a question still runs, and so does the
// newest one while tools work on it: neither is named as replied to.
func TestAnsweredLine(t *testing.T) {
	text := func(role transcript.Role, s string) transcript.Item {
		return transcript.Item{Role: role, Raw: []byte(s), Parts: []transcript.Part{{Kind: transcript.Text, Text: s}}}
	}
	call := transcript.Item{Role: transcript.Assistant, Parts: []transcript.Part{{Kind: transcript.Call, ID: "c"}}}
	result := transcript.Item{Role: transcript.Tool, Parts: []transcript.Part{{Kind: transcript.Result, ID: "c"}}}
	items := []transcript.Item{
		text("user", "Refactor it."), text("assistant", "Which style do you want?"), text("user", "Count the files."), text("assistant", "Twelve."),
		text("user", "Push it."), call, result,
	}
	tr := &transcript.Transcript{Items: items, Writer: plain{}}
	counter := tokens.Estimate()
	line := func(p *policy.Policy) string {
		return NewPlan(tr, p, counter, tokens.Measure(tr, counter), "").answered
	}
	for _, s := range []string{"Which one?", "どちらですか？\n", "**Shall I?**", `"Now?"`} {
		if !endsAsking(s) {
			t.Errorf("%q asks nothing", s)
		}
	}
	if endsAsking("Is it? Yes.") {
		t.Error("a text that ends with an answer asks")
	}
	got := line(&policy.Policy{Keep: policy.Keep{UserTokens: 1000}})
	if !strings.Contains(got, `"Count the files."`) || strings.Contains(got, "Refactor") || strings.Contains(got, "Push") {
		t.Errorf("%q", got)
	}
	if got := line(&policy.Policy{Strict: true, Keep: policy.Keep{UserTokens: 1000}}); got != "" {
		t.Errorf("strict: %q", got)
	}
}
