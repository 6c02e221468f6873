package compact

import (
	"fmt"

	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Step is where a plan stands after some answers: another request, a summary,
// or a failure.
type Step struct {
	// Plan is the one that the step is of: the local plan where the provider was
	// asked to compact and did not.
	Plan    *Plan
	Request *summary.Request // the next one to send, nil where the step is done
	Text    string           // the summary, "" where there is none
	Failure string           // why there is none: the error code of the last answer
	Calls   int              // requests that were answered, errors included
	Model   string           // that the last of them was sent to, "" where it named none
	// OtherLanguage says that the summary is in another language than the
	// conversation, after it was asked for once more.
	OtherLanguage bool
	// Given are the items that take the history's place, where the provider answers
	// with those; Text is then the payload of the last sealed one.
	Given []transcript.Item
	// Seen are the items of the request that was answered with the summary.
	Seen []int
}

// Next works through the answers so far. A request that was too long is sent
// again without its oldest item and that item's other half, as often as it
// takes; any other error, a blank text among them, once more as it is (to the
// other model of a switch, where there is one: the old one may be gone); one that
// was answered in another language than the conversation's once more, saying so,
// and then that must do.
// Cost: linear in the items for each answer.
func (p *Plan) Next(answers []summary.Answer) (*Step, error) {
	if p.Policy.Opaque() && p.Request != nil {
		return p.nextOpaque(answers)
	}
	return p.nextLocal(answers, 0)
}

// nextLocal is Next where the summary is a text. before counts the answers to
// other requests that came first. A history that is larger than the summariser's
// room is asked about in parts, and the records of the parts are merged.
func (p *Plan) nextLocal(answers []summary.Answer, before int) (*Step, error) {
	q := &questions{plan: p, answers: answers, before: before}
	if !p.Policy.Strict && len(answers) > 0 {
		q.language = summary.LanguageOf(p.Policy.Summary.Language, p.Transcript)
	}
	s := &Step{Plan: p}
	parts := p.parts()
	if n := len(answers); n > 0 && answers[n-1].Own {
		parts = nil // the caller's own summary stands for the whole history
	}
	if parts == nil {
		if err := q.ask(s, p.Request, true); err != nil {
			return nil, err
		}
		return s, q.end(s)
	}
	var records []string
	var seen []int
	for _, part := range parts {
		if err := q.ask(s, part, false); err != nil || s.Request != nil {
			return s, err
		}
		switch {
		case s.Failure == "":
			records, seen = append(records, s.Text), append(seen, s.Seen...)
		case s.Failure != summary.TooLong: // what fits nowhere was not seen; all else ends the step
			return s, q.end(s)
		}
	}
	if len(records) == 0 {
		return s, q.end(s)
	}
	for len(records) > 1 {
		var merged []string
		for len(records) > 0 {
			n := p.mergeable(records)
			last := n == len(records) && len(merged) == 0
			if n == 1 { // nothing to merge it with
				merged, records = append(merged, records[0]), nil
				continue
			}
			if err := q.ask(s, p.Request.Merged(records[:n]), last); err != nil || s.Request != nil {
				return s, err
			}
			if s.Failure != "" {
				return s, q.end(s)
			}
			merged, records = append(merged, s.Text), records[n:]
		}
		records = merged
	}
	s.Text, s.Seen, s.Failure = records[0], seen, ""
	return s, q.end(s)
}

// questions is the answers so far, as requests take them up one after another.
type questions struct {
	plan     *Plan
	answers  []summary.Answer
	before   int // answers to other requests, before the first of these
	used     int
	language summary.Language
}

// ask sends one request until it is answered or given up. Where the answers end
// before that, s holds the request that is open; else a text, or a failure. last
// says that the text is the summary: its language is looked at then.
func (q *questions) ask(s *Step, r *summary.Request, last bool) error {
	first := *r
	first.Attempt += q.used
	s.Request, s.Text, s.Seen = &first, "", nil
	asked := false // the same request was sent again already
	for q.used < len(q.answers) && s.Request != nil {
		a, n := q.answers[q.used], q.before+q.used
		if err := takes(a, s.Request, n); err != nil {
			return err
		}
		if a.Listed() {
			return &transcript.Error{
				Code: "invalid_request", Path: fmt.Sprintf("answers[%d].output", n),
				Message: "answers a request to compact, and this one asked for a text",
			}
		}
		q.used++
		s.Calls++
		s.Model = s.Request.Model
		s.Failure = a.Check()
		switch s.Failure {
		case "":
			s.OtherLanguage = last && !a.Own && !q.language.Accepts(a.Text)
			if s.OtherLanguage && !asked {
				s.Request, asked = s.Request.InLanguage(), true
				continue
			}
			s.Text, s.Seen, s.Request = a.Text, s.Request.Items, nil
		case summary.Interrupted:
			s.Request = nil
		case summary.TooLong:
			next, ok := s.Request.Shrink(q.plan.Pairing)
			if !ok {
				next = nil
			}
			s.Request = next
		default:
			switch {
			case asked:
				s.Request = nil
			case s.Failure == summary.NotSmaller:
				s.Request, asked = s.Request.Shorter(), true
			default:
				next := s.Request.Again()
				if other := q.plan.OtherModel(s.Request); other != nil && !q.plan.Policy.Strict {
					next = other
				}
				s.Request, asked = next, true
			}
		}
	}
	return nil
}

// end refuses answers that are left over where the step is done.
func (q *questions) end(s *Step) error {
	if s.Request == nil && q.used < len(q.answers) {
		return takes(q.answers[q.used], nil, q.before+q.used)
	}
	return nil
}

// parts are the requests for a history that is larger than the room, nil where
// one will do.
func (p *Plan) parts() []*summary.Request {
	if p.Room == 0 {
		return nil
	}
	return p.Request.Parts(p.Pairing, func(i int) int { return p.Measured.Items[i] }, p.Room)
}

// mergeable is how many of the records fit in one request, two at least where there
// are two: so every round of merging leaves fewer.
func (p *Plan) mergeable(records []string) int {
	used := 0
	for n, text := range records {
		used += p.Counter.Count(text)
		if n >= 2 && used > p.Room {
			return n
		}
	}
	return len(records)
}

// takes refuses answer n where it is none of the list, or where nothing was asked.
func takes(a summary.Answer, asked *summary.Request, n int) error {
	if !a.Known() {
		return &transcript.Error{
			Code: "invalid_request", Path: fmt.Sprintf("answers[%d].error", n),
			Message: fmt.Sprintf("is %q, must be one of context_length_exceeded, empty, truncated, tool_call, failed, not_smaller, interrupted", transcript.Clip(a.Error)),
		}
	}
	if asked == nil {
		return &transcript.Error{
			Code: "invalid_request", Path: fmt.Sprintf("answers[%d]", n),
			Message: "nothing was asked any more: the answers before it already end the summary step",
		}
	}
	return nil
}

// Answered is the step of a summary that came without a request being sent: a
// caller's or the digest's. It counts as the answer to the first request.
func (p *Plan) Answered(text string) *Step {
	return &Step{Plan: p, Text: text, Seen: p.Request.Items}
}
