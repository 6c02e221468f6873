package compact

import (
	"fmt"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Compaction by the provider itself: its answer is not a text but an item that
// only it can read, or the list of items that take the history's place.

// sealer writes such items. Whoever plans checks first that the format has one.
func (p *Plan) sealer() transcript.Sealer {
	s, _ := p.Transcript.Writer.(transcript.Sealer)
	return s
}

// Local is the plan that takes over where the provider does not compact: the same
// policy, with a text for a summary.
func (p *Plan) Local() *Plan {
	local := *p.Policy
	local.Implementation = policy.Local
	model := ""
	if p.Request != nil {
		model = p.Request.Model
	}
	plan := NewPlan(p.Transcript, &local, p.Counter, p.Measured, model)
	plan.Other, plan.Room = p.Other, p.Room
	return plan
}

// OtherModel is the request once more, to the other model; nil where there is none,
// or it was asked already.
func (p *Plan) OtherModel(r *summary.Request) *summary.Request {
	if p.Other == "" || r.Model == p.Other {
		return nil
	}
	next := r.Again()
	next.Model = p.Other
	return next
}

// nextOpaque works through the answers to a request to the provider. Any error
// leads to the local plan: the provider had its try, and a history that is full
// can not wait. With strict there is no other plan; then a request is sent once
// more as it is, and one that was too long never, since it can not get shorter. A
// switch of the model has one step before all that: the other model is asked, and
// with strict its failure is told as that of the first.
func (p *Plan) nextOpaque(answers []summary.Answer) (*Step, error) {
	s := &Step{Plan: p, Request: p.Request}
	asked, first := false, ""
	for i, a := range answers {
		if err := takes(a, s.Request, i); err != nil {
			return nil, err
		}
		s.Calls++
		s.Model = s.Request.Model
		got, err := p.opened(a, i)
		if err != nil {
			return nil, err
		}
		s.Failure = got.Failure
		switch {
		case s.Failure == "":
			s.Text, s.Given, s.Seen, s.Request = got.Text, got.Given, s.Request.Items, nil
		case s.Failure == summary.Interrupted:
			s.Request = nil
		case first == "" && p.OtherModel(s.Request) != nil:
			s.Request, first = p.OtherModel(s.Request), s.Failure
		case !p.Policy.Strict:
			if local := p.Local(); local.Folds() {
				return local.takeOver(answers[i+1:], s)
			}
			s.Request = nil
		case first != "":
			s.Request, s.Failure = nil, first
		case asked || s.Failure == summary.TooLong:
			s.Request = nil
		default:
			s.Request, asked = s.Request.Again(), true
		}
	}
	return s, nil
}

// takeOver goes on with a local plan behind an opaque step that failed.
func (p *Plan) takeOver(answers []summary.Answer, after *Step) (*Step, error) {
	p.Request.Attempt = after.Calls
	s, err := p.nextLocal(answers, after.Calls)
	if err != nil {
		return nil, err
	}
	if len(answers) == 0 {
		s.Failure = after.Failure
	}
	s.Calls += after.Calls
	return s, nil
}

// opened is what an answer holds: a payload as a text, the output of a response,
// or why it is of no use. What stands for nothing is as an empty text is: a
// history that is replaced by it would be gone.
func (p *Plan) opened(a summary.Answer, n int) (*Step, error) {
	if !a.Listed() {
		return &Step{Text: a.Text, Failure: a.Check()}, nil
	}
	path := fmt.Sprintf("answers[%d].output", n)
	if a.Text != "" || a.Error != "" {
		return nil, &transcript.Error{Code: "invalid_request", Path: path, Message: "stands beside a text or an error, an answer is one of them"}
	}
	items, bad := p.sealer().Given(a.Output)
	if bad != nil {
		bad.Path = path + bad.Path
		return nil, bad
	}
	if p.Policy.Implementation == policy.RemoteV1 {
		return replaced(items), nil
	}
	return compaction(items), nil
}

// compaction is the payload of the one compaction item of an output. What else
// the model said is nobody's business.
func compaction(items []transcript.Item) *Step {
	text, n := "", 0
	for i := range items {
		if it := &items[i]; it.Summary && it.Type != "context_compaction" {
			text = payload(it)
			n++
		}
	}
	switch {
	case n > 1: // nobody can tell which of them stands for the history
		return &Step{Failure: summary.Failed}
	case summary.Blank(text):
		return &Step{Failure: summary.Empty}
	}
	return &Step{Text: text}
}

// replaced is an output that takes the history's place, where something in it
// stands for what is gone.
func replaced(items []transcript.Item) *Step {
	for i := len(items) - 1; i >= 0; i-- {
		if text := payload(&items[i]); items[i].Summary && !summary.Blank(text) {
			return &Step{Text: text, Given: admitted(items)}
		}
	}
	return &Step{Failure: summary.Empty}
}

// payload is what a sealed item carries.
func payload(it *transcript.Item) string {
	for j := range it.Parts {
		if it.Parts[j].Kind == transcript.Opaque {
			return it.Parts[j].Text
		}
	}
	return ""
}

// admitted are the items of an answer that may stand in a history: messages of
// people, hooks, models and other agents, and sealed items, each with the notice
// that stands behind it. Instructions and context of the request come from the
// history itself, and calls without their other half would be refused.
func admitted(items []transcript.Item) []transcript.Item {
	out := make([]transcript.Item, 0, len(items))
	for i := 0; i < len(items); {
		next := i + 1
		if next < len(items) && notice(&items[next]) {
			next++
		}
		if it := &items[i]; it.Type == "agent_message" || it.Summary ||
			it.Type == "message" && (it.Role == transcript.Assistant || it.RealUser() || it.Hook && it.Context == "") {
			out = append(out, items[i:next]...)
		}
		i = next
	}
	return out
}

// give puts the items that the provider answered with in the summary's place, and
// the initial context that stands before it where it belongs among them. The
// receipt gets what was inserted, and the places that all others have now.
func (p *Plan) give(r *Receipt, given []transcript.Item) []transcript.Entry {
	from := p.SummaryAt
	for from > 0 && p.Entries[from-1].From >= 0 && p.Items[p.Entries[from-1].From].Reason == InitialContext {
		from--
	}
	summary.Mark(p.Policy, &transcript.Transcript{Items: given}) // a user's text may be an old summary
	at := p.contextAmong(given)
	out := append([]transcript.Entry(nil), p.Entries[:from]...)
	put := func(items []transcript.Item) {
		for i := range items {
			it := &items[i]
			kind := "returned"
			if it.Summary && it.Type != "message" {
				kind = "summary"
			}
			r.Inserted = append(r.Inserted, Inserted{
				To: len(out), Kind: kind, Role: string(it.Role), Tokens: tokens.Item(p.Transcript, it, p.Counter),
			})
			out = append(out, transcript.Entry{From: -1, New: it})
		}
	}
	put(given[:at])
	out = append(out, p.Entries[from:p.SummaryAt]...)
	put(given[at:])
	out = append(out, p.Entries[p.SummaryAt+1:]...)
	for n, e := range out {
		if e.From >= 0 {
			r.Items[e.From].To = place(n)
		}
	}
	return out
}

// contextAmong is the index in items that initial context stands before.
func (p *Plan) contextAmong(items []transcript.Item) int {
	sealed := len(items)
	for i := len(items) - 1; i >= 0; i-- {
		if p.opensTurn(&items[i]) {
			return i
		}
		if items[i].Summary && sealed == len(items) {
			sealed = i
		}
	}
	return sealed
}

// opensTurn reports whether initial context stands before such an item, where it
// is the last of its kind: a message of a person, or of an agent that asks for
// something.
func (p *Plan) opensTurn(it *transcript.Item) bool {
	if it.Type == "agent_message" {
		return p.Policy.Opaque() && (len(it.Parts) == 0 || !finalAnswer(&it.Parts[0]))
	}
	return it.RealUser()
}
