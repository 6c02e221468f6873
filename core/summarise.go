package core

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/summary"
)

// summarise gets the summary: the caller's, the answers', or the digest's. An
// empty text without a failure is a digest that does not fit its budget.
func (j *job) summarise() (*compact.Step, compact.SummaryBy, error) {
	by := compact.SummaryBy{By: j.author()}
	answers := j.req.Answers
	if j.req.Summary != nil { // it answers the request that the answers so far lead to
		answers = append(answers[:len(answers):len(answers)], Answer{Text: *j.req.Summary, Own: true})
	}
	if len(answers) == 0 {
		p, err := j.withoutAnswers()
		if err != nil || !p.Folds() {
			return &compact.Step{Plan: p}, by, err
		}
		return p.Answered(j.digest(p)), by, nil
	}
	step, err := j.plan.Next(answers)
	if bad, ok := errors.AsType[*Error](err); ok && j.req.Summary != nil && bad.Path == fmt.Sprintf("answers[%d]", len(j.req.Answers)) {
		err = &Error{Code: bad.Code, Path: "summary", Message: "stands beside answers that already end the summary step: leave it out, or leave them out"}
	}
	if err != nil {
		return nil, by, err
	}
	if step.Request != nil {
		return nil, by, &Error{Code: "invalid_request", Path: "answers", Message: "end before the summary: send the request that /v1/plan gives for them, and add its answer"}
	}
	by.Calls = len(j.req.Answers)
	if model := cmp.Or(step.Model, j.model()); model != "" && by.By == "model" {
		by.Model = &model
	}
	by.OtherLanguage = step.OtherLanguage
	if step.Failure == "" {
		return step, by, nil
	}
	switch policy := j.policy.Summary.OnFailure; {
	case step.Failure == summary.Interrupted, policy == "keep":
		return step, by, nil
	case policy == "digest":
		digest := step.Plan.Answered(j.digest(step.Plan))
		return digest, compact.SummaryBy{By: "digest", Calls: step.Calls}, nil
	}
	return nil, by, j.failedAttempt(step)
}

func (j *job) author() string {
	switch {
	case j.policy.Keep.All:
		return "none"
	case j.req.Summary != nil:
		return "caller"
	case len(j.req.Answers) > 0:
		return "model"
	}
	return "digest"
}

// digest is the summary without a model, within its budget together with the
// frame around it; "" where that holds nothing, or where it would stand for what
// only a provider can read. Where a caller insists, half of a little that is folded
// may be spent, and at the very last the bare first line will do.
func (j *job) digest(p *compact.Plan) string {
	if p.FoldsOpaque() {
		return ""
	}
	text := j.digestWithin(p, p.DigestBudget())
	if text != "" || !j.decision.Forced {
		return text
	}
	if text = j.digestWithin(p, min(insisted, j.foldedTokens(p)/2)); text != "" {
		return text
	}
	return j.digestOf(p, p.DigestBudget(), true)
}

// insisted is the tokens that a digest may have at most where a caller insists and
// its tenth holds nothing: frame, goal and a few lines. More would let summaries
// grow over forced passes.
const insisted = 200

// digestWithin is the digest whose message fits a budget. What the message costs
// beside its text is known when it is written: escapes count too, by Codex's
// counter. Two or three tries close in.
func (j *job) digestWithin(p *compact.Plan, budget int) string {
	left := budget - p.SummaryTokens("")
	for range 4 {
		text := j.digestOf(p, left, false)
		over := p.SummaryTokens(text) - budget
		if text == "" || over <= 0 {
			return text
		}
		left -= over
	}
	return ""
}

func (j *job) foldedTokens(p *compact.Plan) int {
	n := 0
	for _, i := range p.Folded {
		n += p.Items[i].TokensBefore - p.Items[i].TokensAfter
	}
	return n
}

func (j *job) digestOf(p *compact.Plan, budget int, bare bool) string {
	return summary.Digest(j.doc.Transcript, p.Folded, summary.DigestOptions{
		Counter: j.counter, Budget: budget, Language: j.policy.Summary.Language,
		Earlier: summary.Earlier(j.policy, j.doc.Transcript), Bare: bare,
	})
}
