package compact

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// Smaller means fewer tokens: as many as before is no progress (DESIGN.md
// section 6, 4).
func TestNoProgress(t *testing.T) {
	// What folds is 60 letters; the summary stands behind "p:" and a line end,
	// both have the frame of a message, so 57 letters are as much.
	folds, stays := strings.Repeat("f", 60), says(user, "go on")
	for _, c := range []struct {
		letters int
		none    bool
	}{{1, false}, {56, false}, {57, true}, {58, true}, {600, true}} {
		p := planKeep(transcript.Chat, policy.Policy{
			Keep:    policy.Keep{LastMessages: 1},
			Summary: policy.Summary{Role: "user", Place: "after_instructions", Prefix: "p:"},
		}, says(assistant, folds), stays)
		_, r := p.Apply(p.Answered(strings.Repeat("s", c.letters)), &trigger.Decision{})
		if want := p.Measured.Total() - 57 + c.letters; r.TokensAfter != want {
			t.Errorf("%d letters: %d tokens after, want %d", c.letters, r.TokensAfter, want)
		}
		if r.NoProgress != c.none {
			t.Errorf("%d letters: %d tokens became %d, no progress is %v", c.letters, r.TokensBefore, r.TokensAfter, r.NoProgress)
		}
	}
}

// The receipt names every item once, what was inserted, and totals that add up.
func TestReceipt(t *testing.T) {
	p := planKeep(transcript.Chat, policy.Policy{
		Keep: policy.Keep{Instructions: true, LastMessages: 1}, Implementation: "local",
		Summary: policy.Summary{Role: "assistant", Place: "after_instructions", Prefix: "p:"},
	}, sizedText(system, 10), sizedText(user, 100), sizedText(assistant, 200), sizedText(user, 20))
	reason := "rounds"
	entries, r := p.Apply(p.Answered("short"), &trigger.Decision{Trigger: "auto", Reason: &reason, Phase: "pre_turn", Round: 6})
	// "p:", a line end and "short" are 8 letters, the frame 4; the priming of the
	// answer is 3 tokens of overhead.
	const inserted, overhead = 12, 3
	if len(entries) != 3 || entries[1].New == nil || entries[1].New.Text() != "p:\nshort" || entries[1].New.Role != assistant {
		t.Fatalf("%+v", entries)
	}
	if len(r.Inserted) != 1 || r.Inserted[0] != (Inserted{To: 1, Kind: "summary", Role: "assistant", Tokens: inserted}) {
		t.Errorf("%+v", r.Inserted)
	}
	if r.OverheadBefore != overhead || r.OverheadAfter != overhead || r.TokensBefore != overhead+330 || r.TokensAfter != overhead+10+inserted+20 {
		t.Errorf("totals %d %d %d %d", r.OverheadBefore, r.OverheadAfter, r.TokensBefore, r.TokensAfter)
	}
	if want := (Event{
		Operation: "compact", Trigger: "auto", Reason: "rounds", Phase: "pre_turn", Implementation: "local", Status: "completed", Round: 6,
		MessagesBefore: 4, MessagesAfter: 3, TokensBefore: 333, TokensAfter: 45, SummaryTokens: inserted,
		PrefixKept: overhead + 10, PrefixLost: 320, // the system message stays where it is
	}); *r.Event != want {
		t.Errorf("%+v, want %+v", *r.Event, want)
	}
	// The summary's frame, "p:" and a line end in 4 tokens of a message, is 7;
	// with 5 letters of text it is what stands above.
	if got := p.Estimate(5); got != r.TokensAfter {
		t.Errorf("estimate %d, want %d", got, r.TokensAfter)
	}
	if u := p.Untouched(); u.TokensBefore != 333 || u.TokensAfter != 333 || u.Event != nil || len(u.Inserted) != 0 || u.Items[1].Reason != NotCompacted {
		t.Errorf("untouched: %+v", u)
	}
}

// What is gone and was in no request that got an answer is dropped: left out
// because the request was too long, or never shown to any provider. The two
// have reasons of their own, and a summary that came without a request stands
// for all that the first one shows.
func TestDropped(t *testing.T) {
	items := []transcript.Item{
		says(user, "oldest"), says("exit", "submitted"), resultItem("none"),
		callItem("x"), resultItem("x"), says(user, "newest"), says(assistant, "stays"),
	}
	tr := &transcript.Transcript{Writer: plain{}, Items: items, Rules: transcript.Rules{Roles: []transcript.Role{user, assistant, transcript.Tool}}}
	pol := &policy.Policy{Keep: policy.Keep{LastMessages: 1}, Summary: policy.Summary{Role: "user"}}
	p := NewPlan(tr, pol, letters{}, tokens.Measure(tr, letters{}), "")
	long, done := summary.Answer{Error: summary.TooLong}, summary.Answer{Text: "s"}
	const f, shrunk, hidden, kept = "folded summarised", "dropped request_shrunk", "dropped not_shown", "kept recent"
	for _, c := range []struct {
		name    string
		answers []summary.Answer
		want    []string
	}{
		{"no request", nil, []string{f, hidden, hidden, f, f, f, kept}},
		{"the first request", []summary.Answer{done}, []string{f, hidden, hidden, f, f, f, kept}},
		{"once too long", []summary.Answer{long, done}, []string{shrunk, hidden, hidden, f, f, f, kept}},
		{"twice: the call with its result", []summary.Answer{long, long, done}, []string{shrunk, hidden, hidden, shrunk, shrunk, f, kept}},
	} {
		step := p.Answered("s")
		if c.answers != nil {
			var err error
			if step, err = p.Next(c.answers); err != nil {
				t.Fatal(err)
			}
		}
		_, r := p.Apply(step, &trigger.Decision{})
		for i, item := range r.Items {
			if got := string(item.Fate) + " " + string(item.Reason); got != c.want[i] {
				t.Errorf("%s: item %d is %s, want %s", c.name, i, got, c.want[i])
			}
		}
	}
	if p.Items[0].Fate != Folded {
		t.Error("a receipt changed its plan")
	}
}

// The digest's default is a tenth of what is folded, at most 2,000 tokens.
func TestDigestBudget(t *testing.T) {
	fold := func(n int) transcript.Item { return sizedText(assistant, n) }
	old := func(n int) transcript.Item { return earlier(strings.Repeat("s", n-4)) }
	for _, c := range []struct {
		name  string
		p     policy.Policy
		items []transcript.Item
		want  int
	}{
		{"a tenth", policy.Policy{}, []transcript.Item{fold(1000)}, 100},
		{"of all that folds", policy.Policy{}, []transcript.Item{fold(500), fold(505)}, 100},
		{"not of what stays", policy.Policy{Keep: policy.Keep{LastMessages: 1}}, []transcript.Item{fold(1000), fold(5000)}, 100},
		{"just below the cap", policy.Policy{}, []transcript.Item{fold(19990)}, 1999},
		{"at the cap", policy.Policy{}, []transcript.Item{fold(20000)}, 2000},
		{"above the cap", policy.Policy{}, []transcript.Item{fold(20010)}, 2000},
		{"far above it", policy.Policy{}, []transcript.Item{fold(90000)}, 2000},
		// It stands for far more than it is.
		{"an earlier summary counts whole", policy.Policy{}, []transcript.Item{old(300), fold(1000)}, 300 + 100},
		{"under the same cap", policy.Policy{}, []transcript.Item{old(3000), fold(1000)}, 2000},
		// 996 letters in 100: two halves of 50, and between them the marker "…896
		// tokens truncated…" of 26 bytes. With the frame 130 stand: 870 of 1,000 are cut.
		{"of a cut message only what is cut", policy.Policy{Keep: policy.Keep{UserTokens: 100}}, []transcript.Item{sizedText(user, 1000)}, 87},
		{"the policy's number", policy.Policy{Summary: policy.Summary{Role: "user", MaxTokens: 700}}, []transcript.Item{fold(1000)}, 700},
		{"which has no cap", policy.Policy{Summary: policy.Summary{Role: "user", MaxTokens: 5000}}, []transcript.Item{fold(90000)}, 5000},
	} {
		p := planKeep(transcript.Chat, c.p, c.items...)
		if got := p.DigestBudget(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// Role and place are a wish. Anthropic's API wants the user first, and an
// assistant message of ours would be joined to one with signed thinking: the
// receipt says what was wanted.
func TestWanted(t *testing.T) {
	u, a := sizedText(user, 50), sizedText(assistant, 50)
	env := context(user, "E", "env")
	for _, c := range []struct {
		name        string
		family      transcript.Family
		first       transcript.Role
		role, place string
		items       []transcript.Item // the last one stays
		to          int
		got         string
		wanted      string
	}{
		{"a user's, in front", transcript.Messages, user, "user", "after_instructions", []transcript.Item{u, a}, 0, "user", ""},
		{"an assistant's, in front", transcript.Messages, user, "assistant", "after_instructions", []transcript.Item{u, a}, 0, "user", "assistant"},
		{"last, the user first", transcript.Messages, user, "user", "end", []transcript.Item{u, a, u}, 1, "user", ""},
		{"last, an answer first", transcript.Messages, user, "user", "end", []transcript.Item{u, a}, 0, "user", "end"},
		{"an assistant's, last, the user first", transcript.Messages, user, "assistant", "end", []transcript.Item{u, a, u}, 1, "user", "assistant"},
		{"an assistant's, last, an answer first", transcript.Messages, user, "assistant", "end", []transcript.Item{u, a}, 0, "user", "end, assistant"},
		{"last, initial context first", transcript.Messages, user, "user", "end", []transcript.Item{u, env, a}, 2, "user", ""},
		{"chat takes any", transcript.Chat, "", "assistant", "end", []transcript.Item{u, a}, 1, "assistant", ""},
		{"so do Responses items", transcript.Responses, "", "assistant", "after_instructions", []transcript.Item{u, a}, 0, "assistant", ""},
	} {
		// Who wants the user first joins messages of one role, and wants thinking first in them.
		tr := &transcript.Transcript{Family: c.family, Writer: plain{}, Items: c.items, Rules: transcript.Rules{FirstRole: c.first, ThinkingFirst: c.first != ""}}
		pol := &policy.Policy{
			Keep:    policy.Keep{LastMessages: 1, InitialContext: true},
			Summary: policy.Summary{Role: c.role, Place: c.place},
		}
		p := NewPlan(tr, pol, letters{}, tokens.Measure(tr, letters{}), "")
		_, r := p.Apply(p.Answered("s"), &trigger.Decision{})
		in := r.Inserted[0]
		if in.To != c.to || in.Role != c.got || in.Wanted != c.wanted {
			t.Errorf("%s: %+v, want %s at %d, wanted %q", c.name, in, c.got, c.to, c.wanted)
		}
	}
}
