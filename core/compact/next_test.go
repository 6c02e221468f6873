package compact

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

func (plain) WithoutSummary(it *transcript.Item) transcript.Item { return *it }

func (plain) WithParts(it *transcript.Item, _ []transcript.Edit) (transcript.Item, bool) {
	return *it, false
}

func (plain) Joined(a, _ *transcript.Item) (transcript.Item, bool) { return *a, false }

func (plain) Answer(*transcript.Item, int, string) (transcript.Item, bool) {
	return transcript.Item{}, false
}

func callItem(id string) transcript.Item {
	return transcript.Item{Role: transcript.Assistant, Raw: []byte("call"), Parts: []transcript.Part{{Kind: transcript.Call, ID: id}}}
}

func resultItem(id string) transcript.Item {
	return transcript.Item{Role: transcript.Tool, Raw: []byte("result"), Parts: []transcript.Part{{Kind: transcript.Result, ID: id}}}
}

func planOf(items ...transcript.Item) *Plan {
	tr := &transcript.Transcript{Family: transcript.Responses, Writer: plain{}, Items: items}
	c := tokens.Bytes4()
	return NewPlan(tr, &policy.Policy{Summary: policy.Summary{Role: "user", Place: "end"}}, c, tokens.Measure(tr, c), "")
}

func TestNext(t *testing.T) {
	user := plain{}.Message(transcript.User, "hello")
	// user, two parallel calls and their results, user
	p := planOf(user, callItem("x"), callItem("y"), resultItem("x"), resultItem("y"), user)
	long := summary.Answer{Error: summary.TooLong}
	for _, c := range []struct {
		name    string
		answers []summary.Answer
		request []int // items of the next request, nil for none
		attempt int
		text    string
		failure string
		seen    []int
	}{
		{"the first request shows all", nil, []int{0, 1, 2, 3, 4, 5}, 0, "", "", nil},
		{"too long: without the oldest", []summary.Answer{long}, []int{1, 2, 3, 4, 5}, 1, "", "context_length_exceeded", nil},
		{"a call goes with its result", []summary.Answer{long, long}, []int{2, 4, 5}, 2, "", "context_length_exceeded", nil},
		{"and again", []summary.Answer{long, long, long}, []int{5}, 3, "", "context_length_exceeded", nil},
		{"one item is left: no more", []summary.Answer{long, long, long, long}, nil, 0, "", "context_length_exceeded", nil},
		{"a text ends it", []summary.Answer{long, {Text: "s"}}, nil, 0, "s", "", []int{1, 2, 3, 4, 5}},
		{"a blank text is asked once more", []summary.Answer{{Text: " \n"}}, []int{0, 1, 2, 3, 4, 5}, 1, "", "empty", nil},
		{"and then it failed", []summary.Answer{{Text: " \n"}, {Error: "tool_call"}}, nil, 0, "", "tool_call", nil},
		{"a second try that answers", []summary.Answer{{Error: "truncated"}, {Text: "s"}}, nil, 0, "s", "", []int{0, 1, 2, 3, 4, 5}},
	} {
		s, err := p.Next(c.answers)
		if err != nil {
			t.Fatal(err)
		}
		var items []int
		attempt := 0
		if s.Request != nil {
			items, attempt = s.Request.Items, s.Request.Attempt
		}
		if !reflect.DeepEqual(items, c.request) || attempt != c.attempt || s.Text != c.text || s.Failure != c.failure || !reflect.DeepEqual(s.Seen, c.seen) {
			t.Errorf("%s: items %v attempt %d text %q failure %q seen %v", c.name, items, attempt, s.Text, s.Failure, s.Seen)
		}
	}
	for _, bad := range [][]summary.Answer{{{Error: "no such"}}, {{Text: "s"}, {Text: "again"}}} {
		if _, err := p.Next(bad); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

// Every reason has its sentences, and every fate of a plan a reason of the list.
func TestReasons(t *testing.T) {
	seen := map[Reason]bool{}
	for _, r := range Reasons() {
		if r.En == "" || r.Ja == "" || seen[r.Code] {
			t.Errorf("%+v", r)
		}
		seen[r.Code] = true
	}
	for _, r := range []Reason{
		NotCompacted, Instructions, InitialContext, FirstUser, Recent, UserBudget, Pinned, OpenCall, GroupKept,
		AgentBudget, Attached, UserBudgetCut, MessageCut, TextKept, SummaryRemoved, RequestTrimmed, Summarised, EarlierSummary, SupersededContext, OverUserBudget, RequestShrunk, NotShown,
	} {
		if !seen[r] {
			t.Errorf("%s has no sentences", r)
		}
	}
}

// An answer in another language than the conversation is asked for once more,
// and the request says so; the second one must do, and the step says what it is.
// strict takes the first.
func TestNextLanguage(t *testing.T) {
	const english = "The tests of package parse fail since the last change, and the cause of it is known by now."
	const japanese = "パッケージのテストが前回の変更以降失敗しており、その原因はもう分かっています。次に修正を行い、全部を実行します。"
	items := []transcript.Item{
		{Role: transcript.User, Parts: []transcript.Part{{Kind: transcript.Text, Text: japanese}}},
		{Role: transcript.Assistant, Parts: []transcript.Part{{Kind: transcript.Text, Text: "はい"}}},
	}
	tr := &transcript.Transcript{Items: items, Writer: plain{}}
	counter := tokens.Estimate()
	step := func(strict bool, answers ...summary.Answer) *Step {
		t.Helper()
		s, err := NewPlan(tr, &policy.Policy{Strict: strict}, counter, tokens.Measure(tr, counter), "").Next(answers)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := step(false, summary.Answer{Text: japanese}); s.Text != japanese || s.OtherLanguage || s.Request != nil {
		t.Errorf("%+v", s)
	}
	if s := step(false, summary.Answer{Text: english}); s.Text != "" || s.Request == nil || s.Request.Attempt != 1 || !strings.Contains(s.Request.Prompt, "another language") {
		t.Errorf("%+v", s)
	}
	if s := step(false, summary.Answer{Text: english}, summary.Answer{Text: japanese}); s.Text != japanese || s.OtherLanguage || s.Calls != 2 {
		t.Errorf("%+v", s)
	}
	if s := step(false, summary.Answer{Text: english}, summary.Answer{Text: english}); s.Text != english || !s.OtherLanguage {
		t.Errorf("%+v", s)
	}
	if s := step(true, summary.Answer{Text: english}); s.Text != english {
		t.Errorf("%+v", s)
	}
	if s := step(false, summary.Answer{Text: english, Own: true}); s.Text != english || s.OtherLanguage {
		t.Errorf("%+v", s)
	}
}
