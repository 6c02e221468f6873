package compact

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Codex's own truncation examples: half of the bytes on each side, whole
// characters, the marker outside of the budget.
func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"middle1234", 2, "midd…1 tokens truncated…1234"},
		{"uvwxyz", 1, "uv…1 tokens truncated…yz"},
		{"example output", 1, "ex…3 tokens truncated…ut"},
		{"abcdef", 0, "…2 tokens truncated…"},
		{"あいうえおかきくけこ", 3, "あい…5 tokens truncated…けこ"},
		{"", 0, ""},
		{"12345678", 2, "12345678"},
	} {
		if got := Middle(c.s, c.n, tokens.Bytes4()); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.s, c.n, got, c.want)
		}
	}
	words := strings.Repeat("word ", 200)
	got := Middle(words, 16, tokens.Bytes4())
	if want := words[:32] + "…234 tokens truncated…" + words[len(words)-32:]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Another counter: both halves fit what it says, and as little as may be is lost.
	for _, s := range []string{words, strings.Repeat("日本語", 200), strings.Repeat("👩‍🚀", 99), strings.Repeat("a", 999)} {
		for _, n := range []int{0, 1, 7, 60} {
			c := tokens.Estimate()
			head, tail, ok := strings.Cut(Middle(s, n, c), " tokens truncated…")
			if !ok {
				t.Fatalf("%d: not cut", n)
			}
			head = head[:strings.LastIndex(head, "…")]
			if used := c.Count(head) + c.Count(tail); used > n || n > 10 && used < n*7/10 {
				t.Errorf("%.9q in %d uses %d", s, n, used)
			}
			if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) {
				t.Errorf("%.9q in %d is not its head and tail", s, n)
			}
		}
	}
}

type plain struct{}

func (plain) Message(role transcript.Role, text string) transcript.Item {
	return transcript.Item{Role: role, Raw: []byte(text), Parts: []transcript.Part{{Kind: transcript.Text, Text: text}}}
}

func (p plain) WithText(it *transcript.Item, text string) transcript.Item {
	return p.Message(it.Role, text)
}

// Codex's own examples of a rebuilt history: newest first into the budget.
func TestUserBudget(t *testing.T) {
	for _, c := range []struct {
		users []string
		limit int
		want  []string
	}{
		{[]string{"old-old", "middle1234", "new"}, 3, []string{"midd…1 tokens truncated…1234", "new"}},
		{[]string{"aaaa", "bbbb", "cccc"}, 2, []string{"bbbb", "cccc"}},
		{[]string{"small", strings.Repeat("x", 100), "tail"}, 4, []string{"xxxxxx…22 tokens truncated…xxxxxx", "tail"}},
		{[]string{"", "hello"}, 2, []string{"hello"}},
		{[]string{"first", "", "hello"}, 3, []string{"fi…1 tokens truncated…st", "", "hello"}},
	} {
		tr := &transcript.Transcript{Family: transcript.Responses, Writer: plain{}}
		for _, u := range c.users {
			tr.Items = append(tr.Items, plain{}.Message(transcript.User, u))
		}
		p := &policy.Policy{Keep: policy.Keep{UserTokens: c.limit}, Summary: policy.Summary{Role: "user", Place: "end"}}
		counter := tokens.Bytes4()
		plan := NewPlan(tr, p, counter, tokens.Measure(tr, counter), "")
		var got []string
		for _, e := range plan.Entries {
			switch {
			case e.New != nil:
				got = append(got, e.New.Text())
			case e.From >= 0:
				got = append(got, tr.Items[e.From].Text())
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.users, c.limit, got, c.want)
		}
		if plan.SummaryAt != len(plan.Entries)-1 {
			t.Errorf("%q: the summary stands at %d of %d", c.users, plan.SummaryAt, len(plan.Entries))
		}
	}
}
