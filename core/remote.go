package core

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// Compaction by the provider itself: where it may be asked for, and what stands
// in for it.

// opaqueFits refuses a remote policy where the history can not hold what the
// provider would give. To compact locally instead would hide that from the caller
// for as long as nobody reads a receipt.
func (j *job) opaqueFits() error {
	if _, ok := j.doc.Writer.(transcript.Sealer); ok || !j.policy.Opaque() {
		return nil
	}
	return &Error{
		Code: "invalid_policy", Path: "policy.codex.implementation",
		Message: fmt.Sprintf("is %q, which gives an item that only its provider can read: %s can not hold one, %s can; use \"local\"",
			j.policy.Implementation, j.doc.Format, strings.Join(format.Compactors(), " and ")),
	}
}

// hardest is the window that a request to the summariser must fit in.
func (j *job) hardest(s *trigger.Switch) int {
	if j.switching() { // the old model is asked
		return s.FromHard
	}
	return j.policy.Limits.Hard
}

// fallback is the request for when the provider does not compact: for a switch of
// the model the same one to the model ahead, then the local one; nil with strict,
// since the original has none, and where the local plan folds nothing.
func (j *job) fallback(step *compact.Step) (*ModelRequest, error) {
	if !step.Plan.Policy.Opaque() || step.Request == nil {
		return nil, nil
	}
	if other := step.Plan.OtherModel(step.Request); other != nil {
		return j.request(other)
	}
	if j.policy.Strict {
		return nil, nil
	}
	local := step.Plan.Local()
	if !local.Folds() {
		return nil, nil
	}
	local.Request.Attempt = step.Calls + 1
	return j.request(local.Request)
}

// withoutAnswers is the plan that a digest can be the summary of. No digest is
// what only the provider can read, so that it stands for the local plan's. But
// not with strict, where there is none; and not for a history that holds an
// opaque summary already: no digest reads that, and all that it stands for would
// be gone.
func (j *job) withoutAnswers() (*compact.Plan, error) {
	if !j.policy.Opaque() {
		return j.plan, nil
	}
	refuse := func(why string) (*compact.Plan, error) {
		return nil, &Error{Code: "invalid_request", Path: "answers", Message: "are missing: " + why + "; post plan.request of /v1/plan to the provider and send its answer"}
	}
	if j.policy.Strict {
		return refuse("a remote compaction with strict has no digest to stand in for the provider's")
	}
	for i := range j.doc.Items {
		if it := &j.doc.Items[i]; it.Summary && it.Has(transcript.Opaque) {
			return refuse("the history holds a summary that only the provider can read (" + "transcript" + it.Path + "), and a digest would lose it")
		}
	}
	return j.plan.Local(), nil
}

// request is the body of a summary request in the transcript's format.
func (j *job) request(r *summary.Request) (*ModelRequest, error) {
	doc, ask := j.doc, format.NoCompactor
	switch r.Implementation {
	case policy.Remote:
		ask = format.TriggerItem
	case policy.RemoteV1:
		ask = format.CompactEndpoint
	}
	if r.Instead != nil {
		copied, t := *doc, *doc.Transcript
		t.Items = slices.Clone(t.Items)
		for i, it := range r.Instead {
			t.Items[i] = it
		}
		copied.Transcript, doc = &t, &copied
	}
	body, err := doc.Body(format.BodyRequest{
		Items: r.Items, Prompt: r.Prompt, Model: r.Model, MaxTokens: r.MaxTokens, SendTools: r.SendTools, Compactor: ask,
	})
	if err != nil {
		return nil, err
	}
	return &ModelRequest{
		Purpose: r.Purpose, Attempt: r.Attempt, Format: doc.API(), Body: json.RawMessage(body),
		Implementation: r.Implementation, Path: ask.Path(),
	}, nil
}

// longest is what a plan's summary may count at most.
func (j *job) longest(p *compact.Plan) int {
	if p.Policy.Opaque() {
		return asked(p)
	}
	return p.DigestBudget()
}
