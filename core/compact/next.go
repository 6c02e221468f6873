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
// other requests that came first.
func (p *Plan) nextLocal(answers []summary.Answer, before int) (*Step, error) {
	s := &Step{Plan: p, Request: p.Request}
	asked := false // the same request was sent again already
	language := summary.Language{}
	if !p.Policy.Strict && len(answers) > 0 {
		language = summary.LanguageOf(p.Policy.Summary.Language, p.Transcript)
	}
	for i, a := range answers {
		if err := takes(a, s.Request, before+i); err != nil {
			return nil, err
		}
		if a.Listed() {
			return nil, &transcript.Error{
				Code: "invalid_request", Path: fmt.Sprintf("answers[%d].output", before+i),
				Message: "answers a request to compact, and this one asked for a text",
			}
		}
		s.Calls++
		s.Model = s.Request.Model
		s.Failure = a.Check()
		switch s.Failure {
		case "":
			s.OtherLanguage = !a.Own && !language.Accepts(a.Text)
			if s.OtherLanguage && !asked {
				s.Request, asked = s.Request.InLanguage(), true
				continue
			}
			s.Text, s.Seen, s.Request = a.Text, s.Request.Items, nil
		case summary.Interrupted:
			s.Request = nil
		case summary.TooLong:
			next, ok := s.Request.Shrink(p.Pairing)
			if !ok {
				next = nil
			}
			s.Request = next
		default:
			if asked {
				s.Request = nil
			} else {
				next := s.Request.Again()
				if other := p.OtherModel(s.Request); other != nil && !p.Policy.Strict {
					next = other
				}
				s.Request, asked = next, true
			}
		}
	}
	return s, nil
}

// takes refuses answer n where it is none of the list, or where nothing was asked.
func takes(a summary.Answer, asked *summary.Request, n int) error {
	if !a.Known() {
		return &transcript.Error{
			Code: "invalid_request", Path: fmt.Sprintf("answers[%d].error", n),
			Message: fmt.Sprintf("is %q, must be one of context_length_exceeded, empty, truncated, tool_call, failed, interrupted", transcript.Clip(a.Error)),
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
