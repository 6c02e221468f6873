package state

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"strings"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/source"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// Reduce is the next state after an action, and what must be done about it.
func Reduce(s State, a Action) (State, []Effect) {
	switch a := a.(type) {
	case Start:
		return s.start(a)
	case Typed:
		return s.typed(a.Text)
	case Open, Pick, Loaded, Unread, Clear, Undo:
		return s.supply(a)
	case Set:
		if s.Values[a.Key] == a.Value {
			return s, nil
		}
		s.Values = s.Values.with(a.Key, a.Value)
		return s.due(false)
	case Write:
		written := a.Text
		s.Summary = &written
		return s.due(false)
	case Reset:
		s.Summary = nil
		return s.due(true)
	case Speak:
		s.Lang = a.Lang
		return s, nil
	case CopyOut:
		if t, ok := s.copyable(a.What); ok {
			return s, []Effect{Copy{t}}
		}
		return s, nil
	case CopyDone:
		if a.OK {
			s.Hand = ""
			return s.say("notice.copied"), nil
		}
		s.Hand = a.Text
		return s, nil
	case CloseHand:
		s.Hand = ""
		return s, nil
	case Download:
		if s.Answer == nil {
			return s, nil
		}
		name := s.FileName()
		return s.say("notice.downloaded", name), []Effect{Save{name, s.Answer.Output}}
	case Show:
		return s, []Effect{Select{source.Units(s.Source.Text, a.Start), source.Units(s.Source.Text, a.End)}}
	case More:
		s.Shown = step(s.Shown, a.Row, s.Shown[a.Row]+1)
		return s, nil
	case Less:
		s.Shown = step(s.Shown, a.Row, 0)
		return s, nil
	case Settled:
		return s.settle(a)
	case Arrived:
		return s.arrived(a)
	case Configured:
		return s.configured(a.Config)
	case Planned:
		return s.planned(a), nil
	}
	return s, nil
}

func (s State) start(a Start) (State, []Effect) {
	s.Lang, s.Values, s.Summary = a.Lang, a.Values, a.Summary
	s.Formats = a.Formats
	s.Reasons = map[string]core.ReasonInfo{}
	for _, r := range a.Reasons {
		s.Reasons[string(r.Code)] = r
	}
	s.Source = Source{Text: a.Text}
	s = s.say("notice.ready")
	return s.due(true)
}

// typed takes an edit of the transcript. Even one that changes nothing is a
// person's wish for this transcript, and for none that is still on its way.
func (s State) typed(next string) (State, []Effect) {
	s.wish++
	if next == s.Source.Text {
		s.Sample = s.Source.listed()
		return s, nil
	}
	s.Note, s.Sample = Notice{}, ""
	return s.read(Source{Text: next, Name: s.nameAfter(next), edited: true}, false)
}

// read takes a transcript. What was said about the last one, and a summary of
// it, are of no use for another.
func (s State) read(src Source, now bool) (State, []Effect) {
	if now || replaced(s.Source.Text, src.Text) {
		s.Summary = nil
		s.Shown = nil
		s.Several, s.another = false, true
		s.Values = s.Values.with(KeyConversation, "")
	}
	s.Source = src
	return s.due(now)
}

// due asks for an evaluation, or drops the result where there is no transcript.
func (s State) due(now bool) (State, []Effect) {
	if strings.TrimSpace(s.Source.Text) == "" {
		s.Words, s.Answer, s.Request, s.Unasked, s.Problem, s.asked = nil, nil, nil, nil, nil, planID{}
		s.Stale, s.Pending = false, false
		return s, nil
	}
	s.Pending = true
	if text, ok := s.unread(); ok {
		return s, []Effect{ReadConfig{text}}
	}
	return s, []Effect{Evaluate{Now: now}}
}

// configured takes what a text says. Another text that was typed since is on its
// way itself.
func (s State) configured(c Config) (State, []Effect) {
	if c.Text != s.Values[KeyFile] {
		return s, nil
	}
	s.config = c.Text
	s, effects := s.due(false)
	return s, append([]Effect{KeepConfig{c}}, effects...)
}

// replaced says whether next is another transcript than last, not an edit of
// it: less than half of the longer one stayed at its ends.
func replaced(last, next string) bool {
	short := min(len(last), len(next))
	same := 0
	for same < short && last[same] == next[same] {
		same++
	}
	for tail := 1; same < short && last[len(last)-tail] == next[len(next)-tail]; tail++ {
		same++
	}
	return 2*same < max(len(last), len(next))
}

// nameAfter is the name of the source after an edit: another text has none.
func (s State) nameAfter(next string) string {
	if replaced(s.Source.Text, next) {
		return ""
	}
	return s.Source.Name
}

func (s State) settle(a Settled) (State, []Effect) {
	s.Pending = false
	s.Runs++
	s.Words = a.Words
	if a.Err != nil {
		return s.refuse(s.problem(a.Err)), nil
	}
	s.Answer, s.Problem, s.Stale, s.another = a.Answer, nil, false, false
	if a.Answer.Compacted {
		r := a.Answer.Receipt
		key, share := "notice.compacted", a.Answer.Saved()
		if share < 0 {
			key, share = "notice.grown", -share
		}
		s = s.say(key, text.Number(r.TokensBefore), text.Number(r.TokensAfter), text.Percent(share))
	} else {
		s = s.say("notice." + a.Answer.Reason)
	}
	var effects []Effect
	if s.asked != s.planID() { // else only the summary has changed, and the request is for it
		effects = append(effects, Plan{})
	}
	if s.Tables == TablesUnasked && a.Answer.Inexact() {
		s.Tables = TablesLoading
		effects = append(effects, FetchTables{})
	}
	return s, effects
}

// arrived takes the tables, and has everything counted anew with them, once.
func (s State) arrived(a Arrived) (State, []Effect) {
	if a.Err != nil {
		s.Tables = TablesAbsent
		return s, nil
	}
	s.Tables, s.asked = TablesHere, planID{}
	s, effects := s.due(true)
	return s, append([]Effect{AddTables{a.Data}}, effects...)
}

// planID is all that a plan depends on.
type planID struct{ source, settings string }

func (s State) planID() planID { return planID{s.Source.Text, s.Settings()} }

func (s State) refuse(p *Problem) State {
	if p.Code == "several_conversations" {
		s.Several = true
	}
	if s.another {
		s.Answer, s.Request, s.Unasked, s.asked = nil, nil, nil, planID{}
	}
	s.Problem = p
	s.Stale = s.Answer != nil
	return s.say("notice.refused", p.Sentence())
}

func (s State) planned(a Planned) State {
	s.Request, s.Unasked, s.asked = a.Request, nil, s.planID()
	if a.Err != nil {
		s.Unasked = s.problem(a.Err)
	}
	return s
}

func (s State) copyable(what Copyable) (string, bool) {
	switch {
	case what == CopySettings:
		return s.Settings(), true
	case what == CopyResult && s.Answer != nil:
		return string(s.Answer.Output), true
	case what == CopyRequest && s.Request != nil:
		return string(s.Request.Body), true
	}
	return "", false
}

// FileName is the name of the result as a file: that of the transcript with
// what happened to it, and the ending of its shape.
func (s State) FileName() string {
	base := path.Base(strings.ReplaceAll(s.Source.Name, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	if s.Source.Name == "" || base == "" || base == "." {
		base = "transcript"
	}
	if s.Answer != nil && s.Answer.lines() {
		return base + ".compacted.jsonl"
	}
	return base + ".compacted.json"
}

func step(shown map[string]int, row string, n int) map[string]int {
	next := maps.Clone(shown)
	if next == nil {
		next = map[string]int{}
	}
	next[row] = n
	return next
}

// indent is JSON with line breaks; its strings and numbers keep their bytes.
func indent(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
