package compact

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// letters counts a token for every byte, so that a test can add up by hand: an
// item of prose is its length and the four tokens of a message's frame.
type letters struct{}

func (letters) Name() string       { return "letters" }
func (letters) ErrorP95() float64  { return 0 }
func (letters) Count(s string) int { return len(s) }

func says(role transcript.Role, text string) transcript.Item { return plain{}.Message(role, text) }

// sizedText is a message that letters counts as n tokens.
func sizedText(role transcript.Role, n int) transcript.Item {
	return says(role, strings.Repeat("x", n-4))
}

func named(id string, it transcript.Item) transcript.Item {
	it.ID = id
	return it
}

func earlier(text string) transcript.Item {
	it := says(transcript.User, text)
	it.Summary = true
	return it
}

func context(role transcript.Role, kind, text string) transcript.Item {
	it := says(role, text)
	it.Context = kind
	it.Fragment = role == transcript.User
	return it
}

const (
	system    = transcript.System
	developer = transcript.Developer
	user      = transcript.User
	assistant = transcript.Assistant
)

func planKeep(family transcript.Family, p policy.Policy, items ...transcript.Item) *Plan {
	tr := &transcript.Transcript{Family: family, Writer: plain{}, Items: items}
	if p.Summary.Role == "" {
		p.Summary.Role, p.Summary.Place = "user", "after_instructions"
	}
	return NewPlan(tr, &p, letters{}, tokens.Measure(tr, letters{}), "")
}

// reasons are those of all items, in order.
func reasons(p *Plan) []Reason {
	out := make([]Reason, len(p.Items))
	for i, f := range p.Items {
		out[i] = f.Reason
	}
	return out
}

// order is where every place of the output comes from, -1 for the summary.
func order(p *Plan) []int {
	out := make([]int, len(p.Entries))
	for i, e := range p.Entries {
		out[i] = e.From
	}
	return out
}

// What each line of keep names stays, widened to whole groups; all else folds.
func TestKeep(t *testing.T) {
	at := func(i int) *int { return &i }
	u, a := says(user, "ask"), says(assistant, "answer")
	talk := []transcript.Item{u, a, u, a, u, a}
	work := []transcript.Item{u, named("msg_1", a), callItem("x"), resultItem("x"), u, says(assistant, "The secret is 42.")}
	long := func(n int) transcript.Item { return sizedText(assistant, n) }
	const gone = Summarised
	for _, c := range []struct {
		name  string
		keep  policy.Keep
		items []transcript.Item
		want  []Reason // nil: nothing is to fold
	}{
		{"nothing", policy.Keep{}, talk, []Reason{gone, gone, gone, gone, gone, gone}},
		{"the last turn", policy.Keep{LastTurns: 1}, talk, []Reason{gone, gone, gone, gone, Recent, Recent}},
		{"two turns", policy.Keep{LastTurns: 2}, talk, []Reason{gone, gone, Recent, Recent, Recent, Recent}},
		{"as many turns as there are", policy.Keep{LastTurns: 3}, talk, nil},
		{"more turns than there are", policy.Keep{LastTurns: 9}, talk, nil},
		{"a turn begins with a person, and there is none", policy.Keep{LastTurns: 2}, []transcript.Item{a, a}, []Reason{gone, gone}},
		{"a fragment begins no turn", policy.Keep{LastTurns: 1}, []transcript.Item{u, a, u, context(user, "E", "env")}, []Reason{gone, gone, Recent, Recent}},
		// The call of the result in the last turn stands before it.
		{"a turn takes its groups whole", policy.Keep{LastTurns: 1}, []transcript.Item{u, a, callItem("x"), u, resultItem("x")}, []Reason{gone, gone, Recent, Recent, Recent}},

		// The summary goes whatever happens, so with it among the three only two would stay.
		{"an earlier summary is none of the last n", policy.Keep{LastMessages: 3}, []transcript.Item{u, a, earlier("s"), u, a}, []Reason{gone, Recent, EarlierSummary, Recent, Recent}},
		{"nor is initial context that is carried", policy.Keep{LastMessages: 2, InitialContext: true}, []transcript.Item{u, a, context(user, "E", "old"), context(user, "E", "new"), u}, []Reason{gone, Recent, SupersededContext, InitialContext, Recent}},
		{"at least n: back to the call", policy.Keep{LastMessages: 1}, []transcript.Item{u, callItem("x"), resultItem("x")}, []Reason{gone, Recent, Recent}},

		// 10 tokens each.
		{"tokens: exactly what fits", policy.Keep{LastTokens: 20}, []transcript.Item{long(10), long(10), long(10), long(10)}, []Reason{gone, gone, Recent, Recent}},
		{"one less does not", policy.Keep{LastTokens: 19}, []transcript.Item{long(10), long(10), long(10), long(10)}, []Reason{gone, gone, gone, Recent}},
		{"one below the next is no more", policy.Keep{LastTokens: 29}, []transcript.Item{long(10), long(10), long(10), long(10)}, []Reason{gone, gone, Recent, Recent}},
		{"the newest stays whatever its size", policy.Keep{LastTokens: 1}, []transcript.Item{long(10), long(10)}, []Reason{gone, Recent}},
		{"an earlier summary takes no room", policy.Keep{LastTokens: 30}, []transcript.Item{long(10), long(10), earlier("summary of 100 tokens"), long(10), long(10)}, []Reason{gone, Recent, EarlierSummary, Recent, Recent}},
		// A call without name and input is 8 for its header and 4 for its frame, an empty result 4: 16 together, 26 with the newest.
		{"a group that fits whole", policy.Keep{LastTokens: 26}, []transcript.Item{long(10), callItem("x"), resultItem("x"), long(10)}, []Reason{gone, Recent, Recent, Recent}},
		{"a group that does not", policy.Keep{LastTokens: 25}, []transcript.Item{long(10), callItem("x"), resultItem("x"), long(10)}, []Reason{gone, gone, gone, Recent}},

		{"a pin by index", policy.Keep{Pins: []policy.Pin{{Index: at(4)}}}, work, []Reason{gone, gone, gone, gone, Pinned, gone}},
		{"index 0 is a place like any other", policy.Keep{Pins: []policy.Pin{{Index: at(0)}}}, work, []Reason{Pinned, gone, gone, gone, gone, gone}},
		{"a pin by index brings the group", policy.Keep{Pins: []policy.Pin{{Index: at(3)}}}, work, []Reason{gone, gone, GroupKept, Pinned, gone, gone}},
		{"a pin by the item's id", policy.Keep{Pins: []policy.Pin{{ID: "msg_1"}}}, work, []Reason{gone, Pinned, gone, gone, gone, gone}},
		{"a pin by a call's id", policy.Keep{Pins: []policy.Pin{{ID: "x"}}}, work, []Reason{gone, gone, Pinned, Pinned, gone, gone}},
		{"a pin by text", policy.Keep{Pins: []policy.Pin{{Text: "secret is"}}}, work, []Reason{gone, gone, gone, gone, gone, Pinned}},
		{"pins that name nothing", policy.Keep{Pins: []policy.Pin{{Index: at(6)}, {ID: "msg"}, {Text: "Secret"}}}, work, []Reason{gone, gone, gone, gone, gone, gone}},
		{"an earlier summary can not be pinned: there is one", policy.Keep{Pins: []policy.Pin{{Index: at(0)}}}, []transcript.Item{earlier("s"), u, a}, []Reason{EarlierSummary, gone, gone}},

		{"instructions stay", policy.Keep{Instructions: true}, []transcript.Item{says(system, "be brief"), u, says(system, "later"), a}, []Reason{Instructions, gone, gone, gone}},
		{"instructions: false folds them", policy.Keep{}, []transcript.Item{says(system, "be brief"), u, a}, []Reason{gone, gone, gone}},
		{"without initial context a leading developer message is one", policy.Keep{Instructions: true}, []transcript.Item{context(developer, "D", "d"), says(system, "s"), u, a}, []Reason{Instructions, Instructions, gone, gone}},
		{"with it, it is that", policy.Keep{Instructions: true, InitialContext: true}, []transcript.Item{context(developer, "D", "d"), says(system, "s"), u, a}, []Reason{InitialContext, Instructions, gone, gone}},
		{"instructions are not among the last n", policy.Keep{LastMessages: 2}, []transcript.Item{says(system, "s"), u}, []Reason{gone, Recent}},
		{"the first user message", policy.Keep{FirstUser: true}, []transcript.Item{context(user, "E", "env"), earlier("s"), u, a, u}, []Reason{gone, EarlierSummary, FirstUser, gone, gone}},
	} {
		p := planKeep(transcript.Chat, policy.Policy{Keep: c.keep}, c.items...)
		want := c.want
		if want == nil {
			want = slices.Repeat([]Reason{NotCompacted}, len(c.items))
		}
		if p.Nothing() != (c.want == nil) || !reflect.DeepEqual(reasons(p), want) {
			t.Errorf("%s:\n%v\nwant\n%v", c.name, reasons(p), want)
		}
	}
}

// A call that waits for its result stays in every family, with what belongs to
// it, and nothing may come between it and the result: a summary that is placed
// last stands before it.
func TestOpenCall(t *testing.T) {
	two := transcript.Item{Role: assistant, Raw: []byte("calls"), Parts: []transcript.Part{{Kind: transcript.Call, ID: "y"}, {Kind: transcript.Call, ID: "z"}}}
	items := []transcript.Item{says(user, "ask"), callItem("x"), resultItem("x"), two, resultItem("y")}
	for _, family := range []transcript.Family{transcript.Chat, transcript.Responses, transcript.Messages} {
		p := planKeep(family, policy.Policy{Summary: policy.Summary{Role: "user", Place: "end"}}, items...)
		if want := []Reason{Summarised, Summarised, Summarised, OpenCall, GroupKept}; !reflect.DeepEqual(reasons(p), want) {
			t.Errorf("family %d: %v, want %v", family, reasons(p), want)
		}
		if want := []int{-1, 3, 4}; !reflect.DeepEqual(order(p), want) {
			t.Errorf("family %d: output %v, want %v", family, order(p), want)
		}
	}
}

// The newest of each kind of initial context is carried as one run, older
// copies fold: above the last real user message in Responses items, behind the
// instructions in the chat formats (DESIGN.md section 3).
func TestInitialContext(t *testing.T) {
	s, d := says(system, "be brief"), context(developer, "D", "rules")
	old, fresh := context(user, "E", "old place"), context(user, "E", "new place")
	u, a := says(user, "ask"), says(assistant, "answer")
	const responses, chat, messages = transcript.Responses, transcript.Chat, transcript.Messages
	talk := []transcript.Item{s, d, old, u, a, fresh, a, u, a}
	for _, c := range []struct {
		name   string
		family transcript.Family
		place  string
		users  int // budget
		last   int // messages
		items  []transcript.Item
		order  []int
		fates  string // of the contexts in order
	}{
		// In order and in one run: D and the new E.
		{"chat", chat, "end", 100, 0, talk, []int{0, 1, 5, 3, 7, -1}, "kept folded moved"},
		{"messages", messages, "end", 100, 0, talk, []int{0, 1, 5, 3, 7, -1}, "kept folded moved"},
		{"responses", responses, "end", 100, 0, talk, []int{0, 3, 1, 5, 7, -1}, "moved folded kept"},
		{"chat, the summary behind the context", chat, "after_instructions", 0, 0, talk, []int{0, 1, 5, -1}, "kept folded kept"},
		// codex.md section 5, step 3: without a real user message before the last
		// message of a user or summary, and that is the summary.
		{"responses, no real user message stays", responses, "end", 0, 0, talk, []int{0, 1, 5, -1}, "kept folded kept"},
		{"responses, a last answer stays", responses, "end", 0, 1, talk, []int{0, 8, 1, 5, -1}, "moved folded moved"},
		{"responses, the summary before it", responses, "after_instructions", 0, 1, talk, []int{0, 1, 5, -1, 8}, "kept folded kept"},
		{"responses, nobody ever spoke", responses, "end", 100, 0, []transcript.Item{d, a, a}, []int{0, -1}, "kept"},
		{"responses, the summary first", responses, "after_instructions", 0, 0, talk, []int{0, 1, 5, -1}, "kept folded kept"},
	} {
		p := planKeep(c.family, policy.Policy{
			Keep:    policy.Keep{Instructions: true, InitialContext: true, UserTokens: c.users, LastMessages: c.last},
			Summary: policy.Summary{Role: "user", Place: c.place},
		}, c.items...)
		if !reflect.DeepEqual(order(p), c.order) {
			t.Errorf("%s: output %v, want %v", c.name, order(p), c.order)
		}
		var fates []string
		for i, f := range p.Items {
			if c.items[i].Context == "" {
				continue
			}
			fates = append(fates, string(f.Fate))
			if want := map[Fate]Reason{Kept: InitialContext, Moved: InitialContext, Folded: SupersededContext}[f.Fate]; f.Reason != want {
				t.Errorf("%s: context %d is %s by %s", c.name, i, f.Fate, f.Reason)
			}
		}
		if got := strings.Join(fates, " "); got != c.fates {
			t.Errorf("%s: contexts are %s, want %s", c.name, got, c.fates)
		}
	}
	// Not carried by the policy: ordinary history.
	p := planKeep(chat, policy.Policy{Keep: policy.Keep{Instructions: true}}, s, old, u, fresh, a)
	if want := []Reason{Instructions, Summarised, Summarised, Summarised, Summarised}; !reflect.DeepEqual(reasons(p), want) {
		t.Errorf("not carried: %v, want %v", reasons(p), want)
	}
}

// The budget of user messages is for all that a person wrote, on whatever
// account it stays: else it would be as much again beside a tail.
func TestUserBudgetIsShared(t *testing.T) {
	at := func(i int) *int { return &i }
	a := says(assistant, "answer")
	u := func(n int) transcript.Item { return says(user, strings.Repeat("u", n)) }
	talk := []transcript.Item{u(10), a, u(10), a, u(10), a, u(20)}
	for _, c := range []struct {
		name string
		keep policy.Keep
		want []Reason // of the user messages
	}{
		{"alone", policy.Keep{UserTokens: 30}, []Reason{OverUserBudget, OverUserBudget, UserBudget, UserBudget}},
		{"the tail uses it up", policy.Keep{UserTokens: 30, LastMessages: 1}, []Reason{OverUserBudget, OverUserBudget, UserBudget, Recent}},
		{"the tail is over it", policy.Keep{UserTokens: 15, LastMessages: 1}, []Reason{OverUserBudget, OverUserBudget, OverUserBudget, Recent}},
		// 40 less 20 and 10 leaves 10, which the pinned one takes.
		{"so does a pin", policy.Keep{UserTokens: 40, Pins: []policy.Pin{{Index: at(2)}}}, []Reason{OverUserBudget, Pinned, UserBudget, UserBudget}},
		{"the first user message stays where nothing is left", policy.Keep{UserTokens: 20, FirstUser: true}, []Reason{FirstUser, OverUserBudget, OverUserBudget, UserBudget}},
		{"room for a part", policy.Keep{UserTokens: 25, LastMessages: 1}, []Reason{OverUserBudget, OverUserBudget, UserBudgetCut, Recent}},
	} {
		p := planKeep(transcript.Chat, policy.Policy{Keep: c.keep}, talk...)
		var got []Reason
		for i, f := range p.Items {
			if talk[i].Role == user {
				got = append(got, f.Reason)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A request shows no item that its provider refuses: a role that it does not
// know, nothing but results without a call. Without any rules all roles are
// known.
func TestShown(t *testing.T) {
	exit := says("exit", "submitted")
	mixed := transcript.Item{Role: user, Raw: []byte("mixed"), Parts: []transcript.Part{{Kind: transcript.Result, ID: "lost"}, {Kind: transcript.Text, Text: "but go on"}}}
	lost := transcript.Item{Role: user, Raw: []byte("lost"), Parts: []transcript.Part{{Kind: transcript.Result, ID: "lost"}, {Kind: transcript.Result, ID: "gone"}}}
	empty := transcript.Item{Role: assistant, Raw: []byte("{}"), Empty: true}
	items := []transcript.Item{says(user, "ask"), exit, resultItem("none"), callItem("x"), resultItem("x"), resultItem("x"), mixed, lost, empty, says(user, "again")}
	for _, c := range []struct {
		name  string
		roles []transcript.Role
		want  []int
	}{
		// 1 is of no role that is known; 2 and 7 answer nothing; 5 answers x a second time.
		{"known roles", []transcript.Role{user, assistant, transcript.Tool}, []int{0, 3, 4, 6, 8, 9}},
		{"any role", nil, []int{0, 1, 3, 4, 6, 8, 9}},
	} {
		tr := &transcript.Transcript{Writer: plain{}, Items: items, Rules: transcript.Rules{Roles: c.roles}}
		p := NewPlan(tr, &policy.Policy{Summary: policy.Summary{Role: "user"}}, letters{}, tokens.Measure(tr, letters{}), "")
		if !reflect.DeepEqual(p.Request.Items, c.want) {
			t.Errorf("%s: shows %v, want %v", c.name, p.Request.Items, c.want)
		}
	}
}

// The newest groups that fit by bytes: a picture of few tokens is as large as it
// is. The newest group of all stays whatever it is.
func TestKeepLastBytes(t *testing.T) {
	items := []transcript.Item{
		{Role: transcript.User, Raw: make([]byte, 100)},
		{Role: transcript.Assistant, Raw: make([]byte, 10)},
		{Role: transcript.User, Raw: make([]byte, 50)},
		{Role: transcript.Assistant, Raw: make([]byte, 40)},
	}
	for i := range items {
		items[i].Parts = []transcript.Part{{Kind: transcript.Text, Text: "x"}}
	}
	for _, c := range []struct{ budget, from int }{{0, 4}, {1, 3}, {40, 3}, {89, 3}, {90, 2}, {100, 1}, {199, 1}, {200, 0}} {
		tr := &transcript.Transcript{Items: items, Writer: plain{}}
		counter := tokens.Estimate()
		plan := NewPlan(tr, &policy.Policy{Keep: policy.Keep{LastBytes: c.budget}}, counter, tokens.Measure(tr, counter), "")
		for i, f := range plan.Items {
			if kept := f.Fate == Kept; kept != (i >= c.from) {
				t.Errorf("budget %d: item %d is %s", c.budget, i, f.Fate)
			}
		}
	}
}
