package compact

import (
	"fmt"
	"slices"
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
	// One answer is for all that was asked since the last one, and for none of it
	// while the model works on it.
	items = []transcript.Item{text("user", "Fix the lexer."), text("user", "Fix the parser."), text("assistant", "Both are fixed."), text("user", "Push it."), text("user", "And tag it.")}
	tr.Items = items
	if got := line(&policy.Policy{Keep: policy.Keep{UserTokens: 1000}}); !strings.HasSuffix(got, `start: "Fix the lexer.", "Fix the parser."`) {
		t.Errorf("%q", got)
	}
	tr.Items = slices.Concat(items, []transcript.Item{text("assistant", "On it."), call})
	if got := line(&policy.Policy{Keep: policy.Keep{UserTokens: 1000}}); !strings.HasSuffix(got, `start: "Fix the lexer.", "Fix the parser."`) {
		t.Errorf("%q", got)
	}
	tr.Items = slices.Concat(items, []transcript.Item{text("assistant", "Both are done.")})
	if got := line(&policy.Policy{Keep: policy.Keep{UserTokens: 1000}}); !strings.HasSuffix(got, `"Push it.", "And tag it."`) {
		t.Errorf("%q", got)
	}

	// 60 answered requests are all named where a tenth of what goes has room for
	// them, and a few more than the newest four where little goes: 60 answers of a word
	// weigh some 300 tokens, a tenth of that is four names.
	for _, c := range []struct {
		answer      string
		least, most int
	}{{strings.Repeat("The parser reads one more kind of number. ", 40), 60, 60}, {"ok", 4, 8}} {
		tr.Items = nil
		for i := range 60 {
			tr.Items = append(tr.Items, text("user", fmt.Sprintf("Request %d of the list.", i)), text("assistant", c.answer))
		}
		got := line(&policy.Policy{Keep: policy.Keep{UserTokens: 10_000}})
		if n := strings.Count(got, `"Request `); n < c.least || n > c.most {
			t.Errorf("%d of 60 requests are named, want %d to %d: %.200s", n, c.least, c.most, got)
		}
	}
	tr.Items = items
	if got := line(&policy.Policy{Strict: true, Keep: policy.Keep{UserTokens: 1000}}); got != "" {
		t.Errorf("strict: %q", got)
	}
}
