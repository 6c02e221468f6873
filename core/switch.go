package core

import (
	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/trigger"
)

// A change of the model between two turns. The history is compacted before the
// switch, with the old model, which can still read all of it.

// modelSwitch is what the request says of the model of the last turn, nil where
// it says nothing.
func (j *job) modelSwitch() (*trigger.Switch, error) {
	if j.req.PreviousModel == nil {
		return nil, nil
	}
	from := j.windowOf(*j.req.PreviousModel)
	before, err := policy.Compile(j.req.Policy, &from)
	if err != nil {
		return nil, err
	}
	s := &trigger.Switch{From: from.ID, To: j.modelID, FromHash: from.CompHash, FromHard: before.Limits.Hard}
	if j.req.Model != nil {
		s.ToHash = j.req.Model.CompHash
	}
	return s, nil
}

// windowOf is the model with the window that the request's models or the table
// know, where it names none itself.
func (j *job) windowOf(m policy.Model) policy.Model {
	if m.Window() > 0 {
		return m
	}
	if row, ok := j.lookup(m.ID); ok {
		m.ContextWindow = row.Prompt()
	}
	return m
}

// switching reports whether the compaction is for a switch of the model.
func (j *job) switching() bool {
	r := j.decision.Reason
	return r != nil && (*r == trigger.ModelDownshift || *r == trigger.CompHashChanged)
}

// tighten plans anew with less to keep until what stands fits the new model: the
// budgets of the newest items are halved, and at last nothing but instructions,
// context, pins and open calls is kept. The request to the summariser shows all
// of the history each time, so that one answer serves however often this takes.
// What the provider counts more than we do is taken to be spread over all of it:
// tools that nobody shows us are not, and then less stays than could.
// Cost: one plan for each halving, 17 at most for a budget of 64,000.
func (j *job) tighten() {
	limit := j.policy.Limits.Auto
	if limit == 0 || j.policy.Scope == policy.BodyAfterPrefix {
		limit = j.policy.Limits.Hard
	}
	if limit == 0 {
		return
	}
	most := float64(limit)
	reported, fromUsage := tokens.ActiveTokens(j.doc.Transcript, j.usage, j.counter)
	if counted := j.measured.Total(); fromUsage && reported > counted {
		most *= float64(counted) / float64(reported)
	}
	for float64(j.plan.Estimate(asked(j.plan))) >= most {
		p := *j.policy
		if !p.Halve() {
			break
		}
		j.policy = &p
		j.plan = compact.NewPlan(j.doc.Transcript, j.policy, j.counter, j.measured, "")
	}
	j.foldable = j.plan.Foldable()
	if j.plan.Request != nil {
		j.plan.Request.Model = j.model()
	}
}

// asked is the longest summary that a plan asks for, in tokens.
func asked(p *compact.Plan) int {
	if p.Request == nil {
		return 0
	}
	return p.Request.MaxTokens
}

// window is the open window, where the policy measures from its prefill or the host
// has a name for it.
func (j *job) window() *trigger.Window {
	if j.policy.Scope != policy.BodyAfterPrefix && j.carried.Window.ID == "" {
		return nil
	}
	w := j.carried.Window
	return &w
}
