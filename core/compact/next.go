package compact

import (
	"fmt"

	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Step is where a plan stands after some answers: another request, a summary,
// or a failure.
type Step struct {
	Request *summary.Request // the next one to send, nil where the step is done
	Text    string           // the summary, "" where there is none
	Failure string           // why there is none: the error code of the last answer
	Calls   int              // requests that were answered, errors included
	// Seen are the items of the request that was answered with the summary.
	Seen []int
}

// Next works through the answers so far. A request that was too long is sent
// again without its oldest item and that item's other half, as often as it
// takes; any other error, a blank text among them, once more as it is.
// Cost: linear in the items for each answer.
func (p *Plan) Next(answers []summary.Answer) (*Step, error) {
	s := &Step{Request: p.Request}
	asked := false // the same request was sent again already
	for i, a := range answers {
		if !a.Known() {
			return nil, &transcript.Error{
				Code: "invalid_request", Path: fmt.Sprintf("answers[%d].error", i),
				Message: fmt.Sprintf("is %q, must be one of context_length_exceeded, empty, truncated, tool_call, failed", transcript.Clip(a.Error)),
			}
		}
		if s.Request == nil {
			return nil, &transcript.Error{
				Code: "invalid_request", Path: fmt.Sprintf("answers[%d]", i),
				Message: "nothing was asked any more: the answers before it already end the summary step",
			}
		}
		s.Calls++
		s.Failure = a.Check()
		switch s.Failure {
		case "":
			s.Text, s.Seen, s.Request = a.Text, s.Request.Items, nil
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
				s.Request, asked = s.Request.Again(), true
			}
		}
	}
	return s, nil
}

// Answered is the step of a summary that came without a request being sent: a
// caller's or the digest's. It counts as the answer to the first request.
func (p *Plan) Answered(text string) *Step {
	return &Step{Text: text, Seen: p.Request.Items}
}
