package state

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/text"
)

const chat = `[{"role":"system","content":"s"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`

// fake is an engine that reads as the real one does, and folds items 1 and 2
// of chat into the summary whatever the policy says.
func fake(t *testing.T, summary string) Engine {
	t.Helper()
	return func(op string, body []byte) ([]byte, error) {
		switch op {
		case "compact":
			return compacted(t, summary), nil
		case "plan":
			return planned(t), nil
		}
		return core.Call(op, body)
	}
}

// refusing is an engine that reads, and refuses to compact.
func refusing(code, path, message string) Engine {
	return func(op string, body []byte) ([]byte, error) {
		if op == "items" {
			return core.Call(op, body)
		}
		return nil, &core.Error{Code: code, Path: path, Message: message}
	}
}

func compacted(t *testing.T, summary string) []byte {
	t.Helper()
	place := func(n int) *int { return &n }
	receipt := core.Receipt{
		Items: []core.ItemFate{
			{Index: 0, To: place(0), Fate: "kept", Reason: "instructions", Role: "system", TokensBefore: 5, TokensAfter: 5},
			{Index: 1, Fate: "folded", Reason: "summarized", Role: "user", TokensBefore: 50},
			{Index: 2, Fate: "folded", Reason: "summarized", Role: "assistant", TokensBefore: 40},
			{Index: 3, To: place(2), Fate: "kept", Reason: "recent", Role: "user", TokensBefore: 5, TokensAfter: 5},
		},
		Inserted:     []core.Inserted{{To: 1, Kind: "summary", Role: "assistant", Tokens: 15}},
		TokensBefore: 100, TokensAfter: 25,
	}
	head, err := json.Marshal(map[string]any{
		"format": core.FormatInfo{Name: "openai-chat", Shape: "array"}, "compacted": true, "summary": summary,
		"decision": core.Decision{}, "receipt": receipt,
	})
	if err != nil {
		t.Fatal(err)
	}
	// Spliced, as the engine does: encoding/json would take the spaces out.
	return []byte(strings.TrimSuffix(string(head), "}") + `,"transcript":` + short(summary) + "}")
}

// short is chat with the summary in it, with odd spaces.
func short(summary string) string {
	return `[{"role":"system","content":"s"}, {"role":"assistant","content":"` + summary + `"},  {"role":"user","content":"c"}]`
}

const requestBody = `{"messages":[{"role":"user","content":"Sum it up."}],"a":1.0}`

func planned(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(core.PlanResult{Plan: core.PlanBody{Request: &core.ModelRequest{Purpose: "summary", Format: "openai-chat", Body: json.RawMessage(requestBody)}}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asked is the state after the engine has been asked about it.
func asked(s State, engine Engine) (State, []Effect) { return Reduce(s, Ask(engine, s)) }

// walk reduces actions one after the other and gives the last effects.
func walk(s State, actions ...Action) (State, []Effect) {
	var effects []Effect
	for _, a := range actions {
		s, effects = Reduce(s, a)
	}
	return s, effects
}

func has(effects []Effect, want Effect) bool {
	for _, e := range effects {
		if reflect.DeepEqual(e, want) {
			return true
		}
	}
	return false
}

func started() State {
	s, _ := Reduce(State{}, Start{Lang: text.English, Values: laitState("").Values})
	return s
}

func settled(t *testing.T) State {
	t.Helper()
	s, _ := walk(started(), Typed{chat})
	s, effects := asked(s, fake(t, "sum"))
	if !has(effects, Plan{}) {
		t.Fatal("a new result needs its plan")
	}
	s, _ = Reduce(s, AskPlan(fake(t, "sum"), s))
	return s
}

func TestAnEditIsEvaluatedOnceItSettles(t *testing.T) {
	s, effects := walk(started(), Typed{chat})
	if !s.Pending || !has(effects, Evaluate{}) {
		t.Fatalf("pending %v, effects %v", s.Pending, effects)
	}
	if _, effects = Reduce(s, Typed{chat}); len(effects) > 0 {
		t.Error("the same text again is no edit")
	}
	if _, effects = Reduce(s, Set{KeyForce, "true"}); len(effects) > 0 {
		t.Error("the same value again is no change")
	}
}

func TestResult(t *testing.T) {
	s := settled(t)
	a := s.Answer
	if s.Pending || s.Stale || s.Problem != nil || a == nil || s.Runs != 1 {
		t.Fatalf("state %+v", s)
	}
	if got, want := string(a.Output), short("sum"); got != want || a.Text {
		t.Errorf("output %s, text %v, want %s", got, a.Text, want)
	}
	if a.Saved() != 0.75 {
		t.Errorf("saved %g, want 0.75: 100 tokens became 25", a.Saved())
	}
	if got, want := a.Count(), map[string]int{"kept": 2, "folded": 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("fates %v, want %v", got, want)
	}
	if item := a.Before[2].Item; item == nil || item.Parts[0].Text != "b" {
		t.Errorf("item 2 has the words %+v", item)
	}
	sum := a.After[1]
	if len(a.After) != 3 || sum.Fate != "summary" || sum.Role != "assistant" || sum.Tokens != 15 || sum.Inserted == nil || sum.Item.Parts[0].Text != "sum" {
		t.Errorf("after %+v", a.After)
	}
	if last := a.After[2]; !reflect.DeepEqual(last.From, []int{3}) || last.Fate != "kept" || last.Role != "user" {
		t.Errorf("last place %+v", last)
	}
	const pretty = `{
  "messages": [
    {
      "role": "user",
      "content": "Sum it up."
    }
  ],
  "a": 1.0
}`
	if r := s.Request; r == nil || string(r.Body) != requestBody || r.Pretty != pretty || r.Prompt != "Sum it up." {
		t.Errorf("request %+v", s.Request)
	}
	if s.Notice.Key != "notice.compacted" || !reflect.DeepEqual(s.Notice.Args, []string{"100", "25", "75 %"}) {
		t.Errorf("notice %+v", s.Notice)
	}
}

// A summary that was joined to a kept message shares its place.
func TestJoinedSummary(t *testing.T) {
	zero := 0
	list := after(core.Receipt{
		Items:    []core.ItemFate{{Index: 0, Fate: "folded"}, {Index: 1, To: &zero, Fate: "truncated", Role: "user", TokensAfter: 7}},
		Inserted: []core.Inserted{{To: 0, Kind: "summary", Role: "user", Tokens: 20}},
	})
	if len(list) != 1 || list[0].Fate != "truncated" || list[0].Inserted == nil || list[0].Tokens != 27 || list[0].Role != "user" {
		t.Errorf("got %+v", list)
	}
}

// Where the page finds other items than the engine, it shows no words at all.
func TestNoWordsRatherThanWrongOnes(t *testing.T) {
	s, _ := walk(started(), Typed{`[{"role":"user","content":"only one"}]`})
	s, _ = asked(s, fake(t, "sum"))
	for _, b := range s.Answer.Before {
		if b.Item != nil {
			t.Errorf("item %d has the words %+v", b.Index, b.Item)
		}
	}
}

func TestRefusalKeepsTheLastResult(t *testing.T) {
	s := settled(t)
	was := s.Answer
	s, _ = Reduce(s, Set{"lait.keep_last_n", "-1"})
	s, effects := asked(s, refusing("invalid_policy", "policy.lait.keep_last_n", "is -1"))
	if s.Answer != was || !s.Stale || s.Problem == nil || s.Problem.Marks["lait.keep_last_n"] != "policy.lait.keep_last_n: is -1" || len(effects) > 0 {
		t.Errorf("stale %v, problem %+v, effects %v", s.Stale, s.Problem, effects)
	}
	s, _ = Reduce(s, Set{"lait.keep_last_n", "4"})
	s, _ = asked(s, fake(t, "sum"))
	if s.Stale || s.Problem != nil {
		t.Errorf("stale %v, problem %+v", s.Stale, s.Problem)
	}
}

// The last result of one transcript is no result of another.
func TestRefusalOfAnotherTranscript(t *testing.T) {
	s, _ := walk(settled(t), Typed{`{"nothing": "that anybody would call a conversation"}`})
	s, _ = asked(s, core.Call)
	if s.Words != nil || s.Answer != nil || s.Request != nil || s.Stale || s.Problem == nil {
		t.Errorf("answer %v, stale %v, problem %v", s.Answer, s.Stale, s.Problem)
	}
}

func TestSummary(t *testing.T) {
	s, effects := walk(settled(t), Write{"own"})
	if s.Summary == nil || *s.Summary != "own" || !has(effects, Evaluate{}) {
		t.Fatalf("summary %v, effects %v", s.Summary, effects)
	}
	s, effects = asked(s, fake(t, "own"))
	if has(effects, Plan{}) {
		t.Error("the request is the same whoever writes the summary")
	}
	s, _ = Reduce(s, Write{""})
	s, _ = asked(s, refusing("empty_summary", "summary", "is empty"))
	if !s.Stale || s.Problem.Marks[KeySummary] != "summary: is empty" {
		t.Errorf("stale %v, problem %+v", s.Stale, s.Problem)
	}
	if s, effects = Reduce(s, Reset{}); s.Summary != nil || !has(effects, Evaluate{Now: true}) {
		t.Errorf("summary %v, effects %v", s.Summary, effects)
	}
	// A small edit of the transcript leaves the summary alone, another
	// transcript needs another.
	s, _ = walk(s, Write{"own"}, Typed{chat[:len(chat)-1] + ",{}]"})
	if s.Summary == nil {
		t.Error("an edit took the summary away")
	}
	if s, _ = Reduce(s, Loaded{Name: "x.json", Data: []byte(chat), Wish: s.wish}); s.Summary != nil {
		t.Error("another transcript kept the summary")
	}
}

func TestReplaced(t *testing.T) {
	for _, c := range []struct {
		last, next string
		want       bool
	}{
		{"abcdefgh", "abcdefghi", false},
		{"abcdefgh", "abXXefgh", false},
		{"abcdefgh", "zzzz", true},
		{"", "anything", true},
		{"abcd", "", true},
		{"", "", false},
		{"aaaa", "aaaaaaaaaa", true},
		{"aaaa", "aaaaaa", false},
	} {
		if got := replaced(c.last, c.next); got != c.want {
			t.Errorf("%q to %q: %v, want %v", c.last, c.next, got, c.want)
		}
	}
}

// A rollout is known as one before it is compacted, and is copied where the box
// says so.
func TestRolloutIsCopied(t *testing.T) {
	rollout := `{"timestamp":"2026-11-02T09:00:01Z","type":"session_meta","payload":{"id":"x"}}
{"timestamp":"2026-11-02T09:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}
`
	s, _ := walk(started(), Typed{rollout})
	if s.ShowRewrite() {
		t.Error("nothing has been read yet")
	}
	var sent string
	s, _ = asked(s, func(op string, body []byte) ([]byte, error) {
		if op == "compact" {
			sent = string(body)
		}
		return core.Call(op, body)
	})
	if !s.ShowRewrite() || !strings.Contains(sent, `"rewrite":true`) || s.Problem != nil {
		t.Errorf("sent %s, problem %+v", sent, s.Problem)
	}
	s, _ = Reduce(s, Set{KeyRewrite, ""})
	s, _ = asked(s, func(op string, body []byte) ([]byte, error) {
		if op == "compact" {
			sent = string(body)
		}
		return core.Call(op, body)
	})
	if strings.Contains(sent, "rewrite") || s.Problem != nil || !s.ShowRewrite() {
		t.Errorf("without the box: sent %s, problem %+v", sent, s.Problem)
	}
}

// A policy that is refused does not make the transcript be read again, and
// neither does a result.
func TestWordsAreReadOnce(t *testing.T) {
	reads := 0
	engine := func(op string, body []byte) ([]byte, error) {
		if op == "items" && strings.HasPrefix(string(body), `{"transcript":`+chat) {
			reads++
		}
		return core.Call(op, body)
	}
	s, _ := walk(started(), Typed{chat}, Set{"lait.keep_last_n", "-1"})
	s, _ = asked(s, engine)
	if s.Words == nil || s.Words.Format.Name != "openai-chat" || s.Problem == nil {
		t.Fatalf("words %+v, problem %+v", s.Words, s.Problem)
	}
	s, _ = Reduce(s, Set{"lait.keep_last_n", "1"})
	s, _ = asked(s, engine)
	if reads != 1 || s.Problem != nil {
		t.Errorf("read %d times, want once; problem %+v", reads, s.Problem)
	}
	s, _ = Reduce(s, Set{KeyFormat, "anthropic-messages"})
	if _, _ = asked(s, engine); reads != 2 {
		t.Errorf("read %d times, want a second time for another format", reads)
	}
}

func TestSeveralConversations(t *testing.T) {
	s, _ := walk(started(), Typed{chat})
	s, _ = asked(s, func(string, []byte) ([]byte, error) {
		return nil, &core.Error{Code: "several_conversations", Path: "conversation", Message: "/0/traj"}
	})
	if !s.Several || s.Problem.Marks[KeyConversation] == "" {
		t.Fatalf("several %v, problem %+v", s.Several, s.Problem)
	}
	s, _ = Reduce(s, Set{KeyConversation, "/3/traj"})
	if got := s.Settings(); got != `{"conversation":"/3/traj","policy":{"lait":{"trigger_rounds":6,"trigger_tokens":60000,"keep_last_n":4}},"force":true}` {
		t.Errorf("settings %s", got)
	}
}

func TestNothing(t *testing.T) {
	s, effects := walk(settled(t), Clear{})
	if s.Answer != nil || s.Request != nil || s.Pending || !has(effects, SetInput{""}) || has(effects, Evaluate{Now: true}) {
		t.Errorf("state %+v, effects %v", s, effects)
	}
	if s, effects = Reduce(started(), Typed{" \n"}); s.Pending || len(effects) > 0 {
		t.Error("blanks are no transcript")
	}
}

func TestCopyAndSave(t *testing.T) {
	s := settled(t)
	for what, want := range map[Copyable]string{CopyResult: string(s.Answer.Output), CopyRequest: requestBody, CopySettings: s.Settings()} {
		if _, effects := Reduce(s, CopyOut{what}); !has(effects, Copy{want}) {
			t.Errorf("%s: %v", what, effects)
		}
	}
	if _, effects := Reduce(started(), CopyOut{CopyResult}); len(effects) > 0 {
		t.Error("there is nothing to copy yet")
	}
	s, _ = Reduce(s, CopyDone{Text: "x", OK: false})
	if s.Hand != "x" {
		t.Error("a refused copy is offered to the hand")
	}
	if s, _ = Reduce(s, CloseHand{}); s.Hand != "" {
		t.Error("the box does not close")
	}
	if _, effects := Reduce(s, Download{}); !has(effects, Save{"transcript.compacted.json", s.Answer.Output}) {
		t.Errorf("effects %v", effects)
	}
}

// A State that was handed out is never changed.
func TestReducePure(t *testing.T) {
	s := settled(t)
	values, shown := len(s.Values), s.Shown
	walk(s, Set{"lait.model", "cheap"}, More{"before-1"}, Speak{text.Japanese})
	if len(s.Values) != values || s.Values["lait.model"] != "" || shown["before-1"] != 0 || s.Lang != text.English {
		t.Error("the old state has changed")
	}
	next, _ := walk(s, More{"before-1"}, More{"before-1"})
	if next.Shown["before-1"] != 2 {
		t.Errorf("shown %d steps, want 2", next.Shown["before-1"])
	}
	if next, _ = Reduce(next, Less{"before-1"}); next.Shown["before-1"] != 0 {
		t.Errorf("shown %d steps, want 0", next.Shown["before-1"])
	}
}

func TestShowSelects(t *testing.T) {
	s, _ := Reduce(started(), Typed{"日本\r\n語"})
	if _, effects := Reduce(s, Show{Start: 8, End: 11}); !has(effects, Select{3, 4}) {
		t.Errorf("effects %v, want the one character behind two and a line end", effects)
	}
}
