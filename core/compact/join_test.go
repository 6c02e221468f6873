package compact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// joins is a writer of a format whose messages are lists of parts: what is
// joined has the parts of both.
type joins struct{ plain }

func (joins) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	out := *a
	out.Raw = append(append([]byte(nil), a.Raw...), b.Raw...)
	out.Parts = append(append([]transcript.Part(nil), a.Parts...), b.Parts...)
	if out.Context == "" {
		out.Context, out.Fragment = b.Context, b.Fragment
	}
	return out, true
}

// strict are the rules of a provider that alternates (Bedrock), apart those of
// one whose results are of no role (Gemini), merging those of one that joins
// messages itself (Anthropic).
func strict() transcript.Rules {
	return transcript.Rules{Roles: []transcript.Role{user, assistant}, FirstRole: user, Alternate: true, ResultsInUser: true, CallsAnswered: true, ResultsCalled: true}
}

func apart() transcript.Rules {
	r := strict()
	r.ResultsApart, r.Signatures = true, true
	return r
}

func merging() transcript.Rules {
	return transcript.Rules{Roles: []transcript.Role{user, assistant}, FirstRole: user, ThinkingFirst: true, ResultsInUser: true, CallsAnswered: true, ResultsCalled: true}
}

// shape is the output of a plan as a person reads it: the summary is S, a bridge
// B, a message its first text, calls and results C and R; joined parts stand
// with a plus between them, and a > stands before what is the assistant's.
func shape(entries []transcript.Entry, t *transcript.Transcript) string {
	var out []string
	for _, e := range entries {
		it := e.New
		if it == nil {
			it = &t.Items[e.From]
		}
		var parts []string
		for _, p := range it.Parts {
			switch {
			case p.Kind == transcript.Call:
				parts = append(parts, "C")
			case p.Kind == transcript.Result:
				parts = append(parts, "R")
			case p.Kind == transcript.Thinking:
				parts = append(parts, "T")
			case strings.HasPrefix(p.Text, "[tamp] Messages"):
				parts = append(parts, "B")
			case strings.HasPrefix(p.Text, "S:"):
				parts = append(parts, "S")
			default:
				parts = append(parts, p.Text)
			}
		}
		word := strings.Join(parts, "+")
		if it.Role == assistant {
			word = ">" + word
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func TestSettle(t *testing.T) {
	at := func(i int) *int { return &i }
	pin := func(places ...int) []policy.Pin {
		var pins []policy.Pin
		for _, i := range places {
			pins = append(pins, policy.Pin{Index: at(i)})
		}
		return pins
	}
	u := func(s string) transcript.Item { return says(user, s) }
	a := func(s string) transcript.Item { return says(assistant, s) }
	result := func(id string) transcript.Item {
		it := resultItem(id)
		it.Role = user
		return it
	}
	signed := func(id string) transcript.Item {
		it := callItem(id)
		it.Parts[0].Signed = true
		return it
	}
	thinks := func(id string) transcript.Item {
		it := callItem(id)
		it.Parts = append([]transcript.Part{{Kind: transcript.Thinking, Text: "hm", Signed: true}}, it.Parts...)
		return it
	}
	env := context(user, "E", "env")
	photo := says(user, "look")
	photo.Parts = append(photo.Parts, transcript.Part{Kind: transcript.Image})
	front, end := "after_instructions", "end"
	for _, c := range []struct {
		name        string
		rules       transcript.Rules
		keep        policy.Keep
		role, place string
		items       []transcript.Item
		want        string
		reasons     string // of the items that do not fold, by index
	}{
		{"an answer comes next", strict(), policy.Keep{LastMessages: 1}, "user", front, []transcript.Item{u("u0"), a("a1")}, "S >a1", "1 kept recent"},
		{"the user comes next: one message", strict(), policy.Keep{LastMessages: 2}, "user", front, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3")}, "S+u2 >a3", "2 truncated joined, 3 kept recent"},
		{"an assistant's summary must be the user's", strict(), policy.Keep{LastMessages: 2}, "assistant", front, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3")}, "S+u2 >a3", "2 truncated joined, 3 kept recent"},
		{"the first user message and the newest", strict(), policy.Keep{FirstUser: true, LastMessages: 2}, "user", front, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3")}, "S+u0+u2 >a3", "0 truncated joined, 2 truncated joined, 3 kept recent"},
		{"pinned answers that touch", strict(), policy.Keep{Pins: pin(1, 3)}, "user", front, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3"), u("u4")}, "S >a1+a3", "1 truncated joined, 3 truncated joined"},
		{"media are joined with their text", strict(), policy.Keep{LastMessages: 2}, "user", front, []transcript.Item{u("u0"), a("a1"), photo, a("a3")}, "S+look+ >a3", "2 truncated joined, 3 kept recent"},

		// Results, thinking and calls are never joined to.
		{"last, behind results", strict(), policy.Keep{LastMessages: 1}, "user", end, []transcript.Item{u("u0"), a("a1"), u("u2"), callItem("x"), result("x")}, "S >C R", "3 kept recent, 4 kept recent"},
		{"last, behind results that a user's message leads to", strict(), policy.Keep{LastMessages: 3}, "user", end, []transcript.Item{u("u0"), a("a1"), u("u2"), callItem("x"), result("x")}, "u2 >C R >B S", "2 kept recent, 3 kept recent, 4 kept recent"},
		{"an answer before a call", strict(), policy.Keep{Pins: pin(1, 4)}, "user", front, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3"), callItem("x"), result("x"), a("a6")}, "S >a1 B >C R", "1 kept pinned, 4 kept pinned, 5 kept group_kept"},
		{"results before the next question", strict(), policy.Keep{Pins: pin(2), LastMessages: 1}, "user", front, []transcript.Item{u("u0"), a("a1"), callItem("x"), result("x"), a("a4"), u("u5")}, "S >C R >B u5", "2 kept pinned, 3 kept group_kept, 5 kept recent"},
		{"which Gemini takes as it is", apart(), policy.Keep{Pins: pin(2), LastMessages: 1}, "user", front, []transcript.Item{u("u0"), a("a1"), callItem("x"), result("x"), a("a4"), u("u5")}, "S >C R u5", "2 kept pinned, 3 kept group_kept, 5 kept recent"},
		{"and the summary there, too", apart(), policy.Keep{LastMessages: 3}, "user", end, []transcript.Item{u("u0"), a("a1"), u("u2"), callItem("x"), result("x")}, "u2 >C R S", "2 kept recent, 3 kept recent, 4 kept recent"},

		// Initial context and a person's words stay apart, or neither would be known again.
		{"context before a question", strict(), policy.Keep{InitialContext: true, LastMessages: 1}, "user", front, []transcript.Item{u("u0"), a("a1"), env, a("a3"), u("u4")}, "env+S >B u4", "2 truncated initial_context, 4 kept recent"},
		{"context before an answer", strict(), policy.Keep{InitialContext: true, LastMessages: 1}, "user", front, []transcript.Item{u("u0"), a("a1"), env, a("a3")}, "env+S >a3", "2 truncated initial_context, 3 kept recent"},

		// What touched in the input is the input's own.
		{"two questions in a row stay two", strict(), policy.Keep{LastMessages: 3}, "user", front, []transcript.Item{u("u0"), a("a1"), u("u2"), u("u3"), a("a4")}, "S+u2 u3 >a4", "2 truncated joined, 3 kept recent, 4 kept recent"},
		{"chat takes any order", transcript.Rules{}, policy.Keep{FirstUser: true, LastMessages: 2}, "user", front, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3")}, "S u0 u2 >a3", "0 kept first_user, 2 kept recent, 3 kept recent"},
		{"so does Anthropic, and joins it itself", merging(), policy.Keep{FirstUser: true, LastMessages: 2}, "assistant", front, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3")}, "S u0 u2 >a3", "0 kept first_user, 2 kept recent, 3 kept recent"},
		{"but thinking must come first in a turn", merging(), policy.Keep{Pins: pin(1), LastMessages: 1}, "user", front, []transcript.Item{u("u0"), a("a1"), u("u2"), thinks("x"), result("x")}, "S >a1 B >T+C R", "1 kept pinned, 3 kept recent, 4 kept recent"},

		// A step that is not signed may not come into the turn of one that is.
		{"another model's call and a signed one", apart(), policy.Keep{Pins: pin(1), LastMessages: 1}, "user", front, []transcript.Item{u("u0"), callItem("x"), result("x"), a("a3"), u("u4"), signed("y"), result("y")}, "S >C R B >C R", "1 kept pinned, 2 kept group_kept, 5 kept recent, 6 kept recent"},
		{"kept whole, but for what ended its turn", apart(), policy.Keep{Pins: pin(1, 3)}, "user", front, []transcript.Item{u("u0"), signed("x"), result("x"), callItem("y"), result("y"), a("a5"), u("u6"), a("a7")}, "S >C R >C R B", "1 kept pinned, 2 kept group_kept, 3 kept pinned, 4 kept group_kept"},
		{"its turn is over as it was", apart(), policy.Keep{Pins: pin(1), LastMessages: 2}, "user", front, []transcript.Item{u("u0"), callItem("x"), result("x"), a("a3"), u("u4"), signed("y"), result("y"), a("a7"), u("u8"), a("a9")}, "S >C R u8 >a9", "1 kept pinned, 2 kept group_kept, 8 kept recent, 9 kept recent"},
		{"of a model that does not sign", apart(), policy.Keep{Pins: pin(1), LastMessages: 1}, "user", front, []transcript.Item{u("u0"), callItem("x"), result("x"), a("a3"), u("u4"), callItem("y"), result("y")}, "S >C R >C R", "1 kept pinned, 2 kept group_kept, 5 kept recent, 6 kept recent"},
		{"two signed ones", apart(), policy.Keep{Pins: pin(1), LastMessages: 1}, "user", front, []transcript.Item{u("u0"), signed("x"), result("x"), a("a3"), u("u4"), signed("y"), result("y")}, "S >C R >C R", "1 kept pinned, 2 kept group_kept, 5 kept recent, 6 kept recent"},

		// Role and place are a wish.
		{"an assistant's summary, last, behind the user", strict(), policy.Keep{LastMessages: 1}, "assistant", end, []transcript.Item{u("u0"), a("a1"), u("u2")}, "u2 >S", "2 kept recent"},
		{"behind an answer it is the user's", strict(), policy.Keep{LastMessages: 2}, "assistant", end, []transcript.Item{u("u0"), a("a1"), u("u2"), a("a3")}, "u2 >a3 S", "2 kept recent, 3 kept recent"},
	} {
		tr := &transcript.Transcript{Family: transcript.Messages, Writer: joins{}, Items: c.items, Rules: c.rules}
		pol := &policy.Policy{Keep: c.keep, Summary: policy.Summary{Role: c.role, Place: c.place, Prefix: "S:"}}
		p := NewPlan(tr, pol, letters{}, tokens.Measure(tr, letters{}), "")
		entries, r := p.Apply(p.Answered("sum"), &trigger.Decision{})
		if got := shape(entries, tr); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		var stays []string
		for i, f := range r.Items {
			if f.To != nil {
				stays = append(stays, fmt.Sprintf("%d %s %s", i, f.Fate, f.Reason))
			}
		}
		if got := strings.Join(stays, ", "); got != c.reasons {
			t.Errorf("%s: %s, want %s", c.name, got, c.reasons)
		}
		adds(t, c.name, tr, p, entries, r)
		valid(t, c.name, tr, entries)
	}
}

// adds checks the receipt against the output, counted anew.
func adds(t *testing.T, name string, tr *transcript.Transcript, p *Plan, entries []transcript.Entry, r *Receipt) {
	t.Helper()
	places := make([]int, len(entries))
	for _, f := range r.Items {
		if f.To != nil {
			places[*f.To] += f.TokensAfter
		}
	}
	for _, in := range r.Inserted {
		places[in.To] += in.Tokens
		it := entries[in.To].New
		if string(it.Role) != in.Role {
			t.Errorf("%s: the %s has role %s, the receipt says %s", name, in.Kind, it.Role, in.Role)
		}
	}
	sum := r.OverheadAfter
	for i, e := range entries {
		it := e.New
		if it == nil {
			it = &tr.Items[e.From]
		}
		if n := tokens.Item(tr, it, p.Counter); n != places[i] {
			t.Errorf("%s: place %d counts %d, the receipt says %d", name, i, n, places[i])
		}
		sum += places[i]
	}
	if sum != r.TokensAfter {
		t.Errorf("%s: %d in all, the receipt says %d", name, sum, r.TokensAfter)
	}
	// "S:", a line end and the text: what the summary adds for its three letters.
	if got := p.Estimate(len("sum")); got != r.TokensAfter {
		t.Errorf("%s: the estimate is %d, it came to %d", name, got, r.TokensAfter)
	}
}

// valid: the output breaks no rule more often than the input.
func valid(t *testing.T, name string, tr *transcript.Transcript, entries []transcript.Entry) {
	t.Helper()
	out := *tr
	out.Items = nil
	for _, e := range entries {
		if e.New != nil {
			out.Items = append(out.Items, *e.New)
		} else {
			out.Items = append(out.Items, tr.Items[e.From])
		}
	}
	count := func(x *transcript.Transcript) map[string]int {
		n := map[string]int{}
		for _, d := range transcript.Validate(x, transcript.Pair(x)) {
			n[d.Code]++
		}
		return n
	}
	before := count(tr)
	for code, n := range count(&out) {
		if n > before[code] {
			t.Errorf("%s: %s %d times, in the input %d times", name, code, n, before[code])
		}
	}
}

// A writer that can join nothing: a bridge does.
func TestSettleWithoutJoining(t *testing.T) {
	tr := &transcript.Transcript{Writer: plain{}, Rules: strict(), Items: []transcript.Item{says(user, "u0"), says(assistant, "a1"), says(user, "u2")}}
	pol := &policy.Policy{Keep: policy.Keep{LastMessages: 1}, Summary: policy.Summary{Role: "user", Prefix: "S:"}}
	p := NewPlan(tr, pol, letters{}, tokens.Measure(tr, letters{}), "")
	entries, r := p.Apply(p.Answered("sum"), &trigger.Decision{})
	if got := shape(entries, tr); got != "S >B u2" {
		t.Errorf("%s", got)
	}
	if len(r.Inserted) != 2 || r.Inserted[1].Kind != "bridge" || r.Inserted[1].To != 1 || r.Inserted[1].Role != "assistant" {
		t.Errorf("%+v", r.Inserted)
	}
	adds(t, "bridge", tr, p, entries, r)
}

// A message that an earlier summary was joined to is a person's: the summary
// goes, the words stay, and where only the summary would go there is nothing to
// fold.
func TestJoinedBefore(t *testing.T) {
	joined := says(user, "S:old")
	joined.Parts[0].Summary = true
	joined.Parts = append(joined.Parts, transcript.Part{Kind: transcript.Text, Text: "ask"})
	items := []transcript.Item{joined, says(assistant, "a1"), says(user, "u2"), says(assistant, "a3")}
	for _, c := range []struct {
		keep policy.Keep
		want string
	}{
		{policy.Keep{LastMessages: 4}, ""},
		{policy.Keep{FirstUser: true, LastMessages: 2}, "S+ask+u2 >a3"},
		{policy.Keep{UserTokens: 5}, "S+ask+u2"}, // three letters and two: the summary takes no room
	} {
		tr := &transcript.Transcript{Writer: strips{}, Rules: strict(), Items: items}
		pol := &policy.Policy{Keep: c.keep, Summary: policy.Summary{Role: "user", Place: "after_instructions", Prefix: "S:"}}
		p := NewPlan(tr, pol, letters{}, tokens.Measure(tr, letters{}), "")
		if p.Folds() == (c.want == "") {
			t.Fatalf("%+v: folds %v", c.keep, p.Folds())
		}
		if c.want == "" {
			continue
		}
		entries, _ := p.Apply(p.Answered("new"), &trigger.Decision{})
		if got := shape(entries, tr); got != c.want {
			t.Errorf("%+v: %s, want %s", c.keep, got, c.want)
		}
		// The old summary is 5 letters and counts whole; of the rest a tenth of
		// less than ten.
		if got := p.DigestBudget(); got < 5 || got > 6 {
			t.Errorf("%+v: the digest may have %d", c.keep, got)
		}
	}
}

// strips takes summaries out of messages, and joins.
type strips struct{ joins }

func (strips) WithoutSummary(it *transcript.Item) transcript.Item {
	out := *it
	out.Parts = nil
	for _, p := range it.Parts {
		if !p.Summary {
			out.Parts = append(out.Parts, p)
		}
	}
	return out
}
