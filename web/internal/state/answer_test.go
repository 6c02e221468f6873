package state

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// The sentence about the summary says what is true of the result that is shown.
func TestSummaryBy(t *testing.T) {
	want := func(s State, key string) {
		t.Helper()
		if got := s.SummaryBy(); got != key {
			t.Errorf("the page says %s, want %s", got, key)
		}
	}
	// Six messages: with four kept there is something to fold, with 40 nothing.
	text := `[` + strings.TrimSuffix(strings.Repeat(`{"role":"user","content":"`+strings.Repeat("many words ", 60)+`"},`, 12), ",") + `]`
	ask := func(s State) State { s, _ = Reduce(s, Ask(core.Call, s)); return s }
	s := run(t, defaults(Lait), "a.json", []byte(text))
	want(s, "summary.digest")
	s, _ = Reduce(s, Write{"own words"})
	want(s, "summary.waiting")
	s = ask(s)
	if !s.Answer.Compacted {
		t.Fatalf("not compacted: %s", s.Answer.Reason)
	}
	want(s, "summary.caller")
	s, _ = Reduce(s, Write{"own words, more of them"})
	want(s, "summary.waiting")
	s = ask(s)
	want(s, "summary.caller")

	s, _ = Reduce(s, Set{"lait.keep_last_n", "40"})
	s = ask(s)
	if s.Answer.Compacted {
		t.Fatal("there was something to fold")
	}
	want(s, "summary.unused")
	s, _ = Reduce(s, Set{KeyRound, "0"})
	s = ask(s)
	if !s.Stale {
		t.Fatal("a round of 0 was accepted")
	}
	want(s, "summary.waiting")
	s, _ = Reduce(s, Set{KeyRound, ""})
	s, _ = Reduce(s, Reset{})
	want(ask(s), "summary.none")

	own := "own words"
	cleared := State{Answer: &Answer{Compacted: true}}
	cleared.Answer.Receipt.Summary.By = "none"
	want(cleared, "summary.cleared")
	cleared.Summary = &own
	want(cleared, "summary.cleared")
	cleared.Stale = true
	want(cleared, "summary.waiting")
}

func TestMark(t *testing.T) {
	one := 1.0
	for want, r := range map[string]core.RuleMeasure{
		"fired": {Measured: &one, Fired: true}, "quiet": {Measured: &one}, "unknown": {},
		"held": {Measured: &one, Held: true}, // reached, but held back
	} {
		if got := Mark(r); got != want {
			t.Errorf("%+v: %s, want %s", r, got, want)
		}
	}
}

// A defect of a text names its line in the message alone.
func TestDefectPlaceInText(t *testing.T) {
	orphan := `{"role":"tool","tool_call_id":"x","content":"b"}`
	s := run(t, defaults(Lait), "a.jsonl", []byte("{\"role\":\"user\",\"content\":\"a\"}\n"+orphan+"\n"))
	if s.Answer == nil || len(s.Answer.Receipt.Defects) != 1 {
		t.Fatalf("problem %+v, answer %+v", s.Problem, s.Answer)
	}
	at := s.DefectPlace(0)
	if at == nil {
		t.Fatalf("no place for %+v", s.Answer.Receipt.Defects[0])
	}
	if got := s.Source.Text[at.Start:at.End]; got != orphan {
		t.Errorf("the place is %q", got)
	}
}

// A transcript that grew is not said to have saved a negative share.
func TestGrown(t *testing.T) {
	s := settled(t)
	a := *s.Answer
	a.Receipt.TokensBefore, a.Receipt.TokensAfter = 10, 40
	s, _ = s.settle(Settled{Words: s.Words, Answer: &a})
	if s.Notice.Key != "notice.grown" || s.Notice.Args[2] != "300 %" {
		t.Errorf("notice %+v, want grown by 300 %%: 10 tokens became 40", s.Notice)
	}
}

func TestFileName(t *testing.T) {
	for _, c := range []struct {
		source string
		text   bool
		shape  string
		want   string
	}{
		{"", false, "array", "transcript.compacted.json"},
		{"session.jsonl", true, "jsonl", "session.compacted.jsonl"},
		{"run.traj.json", false, "request", "run.traj.compacted.json"},
		{`C:\logs\a.txt`, true, "log", "a.compacted.jsonl"},
		{".jsonl", true, "jsonl", "transcript.compacted.jsonl"},
		{"marked.json", true, "array", "marked.compacted.json"}, // behind a byte order mark
	} {
		s := State{Source: Source{Name: c.source}, Answer: &Answer{Text: c.text, Format: core.FormatInfo{Shape: c.shape}}}
		if got := s.FileName(); got != c.want {
			t.Errorf("%q: %s, want %s", c.source, got, c.want)
		}
	}
}
