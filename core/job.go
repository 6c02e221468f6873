package core

import (
	"cmp"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// job is one request on its way: everything that Plan, Compact and Count share.
type job struct {
	req      Request
	policy   *policy.Policy
	doc      *format.Document
	modelID  string        // as the request, the transcript or a config text names it, "" if none does
	config   Config        // what the policy's text said, where it came as one
	row      *tokens.Model // what is known of it, nil if nothing is
	runs     *Model        // the request's model, its window filled from row
	usage    *Usage        // the request's, nil where it is from before a compaction
	carried  state         // the request's, brought up to this usage
	counter  tokens.Counter
	method   string
	measured tokens.Measured
	counts   func(tokens.Counter) tokens.Measured // of the items, nil: they are counted one and all
	first    bool                                 // usage is the first figure from behind the last compaction
	input    trigger.Input                        // of the decision
	decision *trigger.Decision
	plan     *compact.Plan
	foldable int // tokens
	defects  []Defect
	repaired []Repaired
	aside    []AsideLine
}

// open reads a request as far as counting needs.
func (e *Engine) open(req Request, read func(Request) (*format.Document, error)) (*job, error) {
	j := &job{req: req}
	var err error
	if j.carried, err = decodeState(req.State); err != nil {
		return nil, err
	}
	if err = j.carried.check(); err != nil {
		return nil, err
	}
	if err = e.configure(j); err != nil {
		return nil, err
	}
	req = j.req
	if j.policy, err = policy.Compile(req.Policy, req.Model); err != nil {
		return nil, err
	}
	if j.doc, err = read(req); err != nil {
		return nil, err
	}
	if req.Repair {
		if err = j.repair(read); err != nil {
			return nil, err
		}
	}
	j.knownModel()
	if j.runs != req.Model { // thresholds and budgets hang on the window
		if j.policy, err = policy.Compile(req.Policy, j.runs); err != nil {
			return nil, err
		}
	}
	summary.Mark(j.policy, j.doc.Transcript)
	j.anchor()
	return j, j.choose(e)
}

// readHistory decodes what can be compacted.
func readHistory(req Request) (*format.Document, error) {
	return format.Decode(req.Transcript, format.Options{
		Format: req.Format, Conversation: req.Conversation, Rewrite: req.Rewrite, Text: req.Text, Now: req.Now, Repair: req.Repair, WindowID: req.nextWindow(),
	})
}

// anchor takes the request's usage, unless it is from before the compaction that
// the state tells of. A usage from behind it ends that. With strict the same
// figures again, behind an answer, are what they are said to be.
func (j *job) anchor() {
	if j.req.Usage == nil {
		return
	}
	stale := j.carried.Compacted.Stale
	if j.policy.Strict {
		stale = j.carried.Compacted.Unanswered
	}
	if stale(j.doc.Transcript, j.req.Usage, j.policy.Limits.Hard) {
		return
	}
	j.usage = j.req.Usage
	says, _ := j.usage.LastPrompt()
	if j.policy.Usage == policy.Active && says == 0 {
		says, _ = j.usage.Total()
	}
	if says > 0 { // nought, and another figure than the policy's, say nothing of the new history
		j.first, j.carried.Compacted = j.carried.Compacted != nil, nil
	}
}

// full reports whether the usage says that a request was refused as too long.
func (j *job) full() bool { return j.usage.Full(j.policy.Limits.Hard) }

func (e *Engine) prepare(req Request, read func(Request) (*format.Document, error)) (*job, error) {
	if err := check(req); err != nil {
		return nil, err
	}
	j, err := e.open(req, read)
	if err != nil {
		return nil, err
	}
	if err := j.opaqueFits(); err != nil {
		return nil, err
	}
	t := j.doc.Transcript
	j.carried.Window = j.carried.Window.Named(req.Window).Observe(j.policy, t, j.measured, j.usage)
	j.plan = compact.NewPlan(t, j.policy, j.counter, j.measured, j.model())
	j.foldable = j.plan.Foldable()
	in := trigger.Input{
		Transcript: t, Measured: j.measured, Counter: j.counter, Usage: j.usage, Round: req.Round,
		Phase: req.Phase, Trigger: req.Trigger, Force: req.Force, Window: j.runs.Window(), Prefill: j.carried.Window.Prefill,
		Held: j.carried.Held, Foldable: j.foldable, Counted: j.carried.Compacted.Reported(),
		First: j.first, Full: j.full(),
	}
	if in.Switch, err = j.modelSwitch(); err != nil {
		return nil, err
	}
	if j.decision, err = trigger.Evaluate(j.policy, in); err != nil {
		return nil, err
	}
	j.input, j.decision.Window = in, j.window()
	if j.switching() && !j.policy.Keep.All {
		j.tighten()
		if to := j.upstream(j.modelID); j.policy.Summary.Model == "" && to != j.model() {
			j.plan.Other = to
		}
	}
	j.plan.Trim(j.hardest(in.Switch))
	j.plan.Room = j.room(in.Switch)
	j.defects = placed(append(transcript.Validate(t, j.plan.Pairing), j.malformed()...))
	switch {
	case j.decision.Forced:
	case !j.decision.Fired:
		j.plan = j.plan.Rest()
	case j.plan.Folds() && j.plan.Clears():
		return j, j.cheapest(in)
	}
	return j, nil
}

// cheapest folds nothing where clearing alone brings every rule below its
// threshold: that costs no summary. Marks of earlier compactions do not count
// here, for a rule that is held is still reached.
func (j *job) cheapest(in trigger.Input) error {
	in.Transcript, in.Measured = j.plan.Cleared()
	in.Cleared = j.measured.Total() - in.Measured.Total()
	in.Held = trigger.Held{}
	still, err := trigger.Evaluate(j.policy, in)
	if err == nil && !still.Fired {
		j.plan = j.plan.Pruning()
	}
	return err
}

// model is what the summary model is called upstream: the policy's, looked up
// among the aliases, else the conversation's.
func (j *job) model() string {
	if name := j.policy.Summary.Model; name != "" {
		return j.upstream(name)
	}
	if j.decision != nil && j.switching() && j.req.PreviousModel.ID != "" {
		return j.upstream(j.req.PreviousModel.ID)
	}
	return j.upstream(j.modelID)
}

// smallest is the smallest window that a history is asked about in parts for: below
// it prompt and answer alone would fill a request.
const smallest = 4096

// room is the tokens of items that a request to the summariser may show: the window
// of its model, less a tenth (its own count may be another), the answer, the
// prompt and what stands beside the items. 0: the window is not known; then a
// request that is too long is shrunk, as with strict, which has no parts.
func (j *job) room(s *trigger.Switch) int {
	if j.policy.Strict || j.policy.Opaque() || j.plan.Request == nil {
		return 0
	}
	window := j.hardest(s)
	if name := j.policy.Summary.Model; name != "" {
		row, _ := j.lookup(name)
		window = row.Prompt()
	}
	if window < smallest {
		return 0
	}
	return max(window/4, window*9/10-j.plan.Request.MaxTokens-j.counter.Count(j.plan.Request.Prompt)-j.measured.Overhead)
}

// upstream is what a model is called upstream: what its alias names, else its
// own name.
func (j *job) upstream(name string) string { return cmp.Or(j.req.Models[name].Model, name) }
