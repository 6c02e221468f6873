package core

import (
	"encoding/json"

	"github.com/tamp-dev/tamp/core/compact"
)

// FailedAttempt is the error of a summary step that failed for good, where the
// policy names no fallback.
type FailedAttempt struct {
	Err *Error
	// Event is the one of the attempt: exactly one stands for each, also for one that
	// has no result. nil where a plan was asked for, which attempts nothing.
	Event *Event
	// State is to be sent with the next request, as that of a result is: without it
	// the rule that fired fires again at once, and asks the model that just failed.
	State json.RawMessage
}

// Error is the text of the error.
func (f *FailedAttempt) Error() string { return f.Err.Error() }

// Unwrap gives the error that the API sends.
func (f *FailedAttempt) Unwrap() error { return f.Err }

// failed is the error of a summary step that failed for good.
func (j *job) failed(step *compact.Step) *FailedAttempt {
	return &FailedAttempt{
		Err: &Error{
			Code: SummaryFailed, Path: "answers",
			Message: "gave no summary, the last one is " + step.Failure + ": nothing was changed; summary.on_failure may name a fallback",
		},
		State: j.failing().encode(),
	}
}

// failedAttempt is failed with the event of a compaction that was tried.
func (j *job) failedAttempt(step *compact.Step) error {
	r := j.plan.Untouched()
	r.Implementation = step.Plan.Policy.Implementation
	f := j.failed(step)
	f.Event = j.plan.Unchanged(r, j.decision, compact.Failed, SummaryFailed, step.Failure)
	j.hosts(f.Event)
	return f
}
