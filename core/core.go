package core

import (
	"errors"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Version is the version of the engine.
const Version = "0.1.0"

// Plan says what a compaction would do, and the first request to a summariser;
// with answers, the next request. It changes nothing. Cost: linear in the
// transcript.
func Plan(req Request) (*PlanResult, error) { return new(Engine).Plan(req) }

// Plan is the function of that name, with the engine's encodings.
func (e *Engine) Plan(req Request) (*PlanResult, error) {
	j, err := e.prepare(req, readHistory)
	if err != nil {
		return nil, err
	}
	return j.planned()
}

// planned is the answer of Plan.
func (j *job) planned() (*PlanResult, error) {
	req, err := j.req, error(nil)
	res := &PlanResult{Format: j.formatInfo(), Counter: j.counterInfo(), Decision: *j.decision, State: j.state().encode(), Model: j.modelInfo(), Repaired: j.repaired, Aside: j.aside}
	res.Plan = PlanBody{Items: j.plan.Items, TokensBefore: j.measured.Total(), TokensAfterEstimate: j.plan.Estimate(0), Unpruned: j.plan.Unpruned}
	if !j.plan.Folds() {
		return res, nil // cleared at most: nobody is asked
	}
	step, err := j.plan.Next(req.Answers)
	if err != nil {
		return nil, err
	}
	res.Plan.Items = step.Plan.Items
	if res.Plan.Fallback, err = j.fallback(step); err != nil {
		return nil, err
	}
	switch {
	case step.Failure != "" && step.Request == nil:
		return j.planFailed(res, step)
	case step.Request != nil && req.Summary != nil:
		_, receipt := step.Plan.Apply(&compact.Step{Text: *req.Summary, Seen: step.Request.Items}, j.decision)
		res.Plan.TokensAfterEstimate = receipt.TokensAfter
		res.Plan.Request, err = j.request(step.Request)
	case step.Request != nil:
		res.Plan.TokensAfterEstimate = step.Plan.Estimate(j.longest(step.Plan))
		res.Plan.Request, err = j.request(step.Request)
	case step.Text != "":
		_, receipt := step.Plan.Apply(step, j.decision)
		res.Plan.Items, res.Plan.TokensAfterEstimate = receipt.Items, receipt.TokensAfter
	}
	return res, err
}

// planFailed is the plan after a summary step that failed, by the policy's
// fallback.
func (j *job) planFailed(res *PlanResult, step *compact.Step) (*PlanResult, error) {
	text := ""
	switch policy := j.policy.Summary.OnFailure; {
	case step.Failure == summary.Interrupted, policy == "keep":
	case policy == "digest":
		text = j.digest(step.Plan)
	default:
		return nil, j.failed(step)
	}
	if text == "" { // also a digest that does not fit its budget: nothing will be folded
		rest := j.plan.Idle()
		if only := j.plan.Pruning(); only != nil && j.policy.Summary.OnFailure == "digest" && step.Failure != summary.Interrupted {
			rest = only
		}
		res.Plan.Items, res.Plan.TokensAfterEstimate = rest.Items, rest.Estimate(0)
		return res, nil
	}
	_, receipt := step.Plan.Apply(step.Plan.Answered(text), j.decision)
	res.Plan.Items, res.Plan.TokensAfterEstimate = receipt.Items, receipt.TokensAfter
	return res, nil
}

// Next is Plan with the answers so far: the next request, or none where the
// summary step is done.
func Next(req Request, answers []Answer) (*PlanResult, error) {
	req.Answers = answers
	return Plan(req)
}

// Compact compacts the transcript now, if the policy or force says so, with the
// caller's summary, the answers of a summariser, or the digest. What is kept
// keeps its bytes; where nothing was compacted the very bytes come back. Cost:
// linear in the transcript.
func Compact(req Request) (*CompactResult, error) { return new(Engine).Compact(req) }

// Compact is the function of that name, with the engine's encodings.
func (e *Engine) Compact(req Request) (*CompactResult, error) {
	j, err := e.prepare(req, readHistory)
	if err != nil {
		return nil, err
	}
	res := &CompactResult{
		Format: j.formatInfo(), Counter: j.counterInfo(), Decision: *j.decision,
		Transcript: j.req.Transcript, Text: req.Text, Receipt: *j.plan.Untouched(), State: j.state().encode(),
		Model: j.modelInfo(), Repaired: j.repaired, Aside: j.aside,
	}
	res.Receipt.Summary, res.Receipt.Defects = compact.SummaryBy{By: j.author()}, j.defects
	if !j.decision.Fired && !j.decision.Forced {
		res.Reason = NotTriggered
		return res, nil
	}
	if j.plan.Nothing() {
		return j.leave(res, NothingToFold), nil
	}
	if !j.plan.Folds() {
		return j.prune(res, j.plan)
	}
	if err := j.replay(); err != nil {
		return nil, err
	}
	step, by, err := j.summarise()
	if err != nil {
		return nil, err
	}
	res.Receipt.Summary, res.Receipt.Implementation = by, step.Plan.Policy.Implementation
	if res.Cassette, err = j.record(); err != nil {
		return nil, err
	}
	if step.Text == "" {
		if step.Failure != "" {
			return j.tried(res, SummaryFailed, step.Failure), nil
		}
		cause := ""
		if step.Plan.FoldsOpaque() {
			cause = OpaqueSummary
		}
		return j.stuck(res, cause) // no digest fits the budget: nothing shorter can stand for what is folded
	}
	entries, receipt := step.Plan.Apply(step, j.decision)
	receipt.Summary, receipt.Defects = by, j.defects
	if receipt.NoProgress && !j.decision.Forced {
		return j.stuck(res, "")
	}
	return j.carryOut(res, step.Text, entries, receipt)
}

// prune ends a compaction that clears and folds nothing.
func (j *job) prune(res *CompactResult, p *compact.Plan) (*CompactResult, error) {
	entries, receipt := p.Apply(nil, j.decision)
	receipt.Summary, receipt.Defects = compact.SummaryBy{By: "none"}, j.defects
	return j.carryOut(res, "", entries, receipt)
}

// stuck ends a compaction whose folding makes nothing smaller: what can be
// cleared still is.
func (j *job) stuck(res *CompactResult, cause string) (*CompactResult, error) {
	if only := j.plan.Pruning(); only != nil {
		return j.prune(res, only)
	}
	res.Receipt.NoProgress = true
	return j.tried(res, NoProgress, cause), nil
}

// carryOut writes what a plan came to.
func (j *job) carryOut(res *CompactResult, text string, entries []transcript.Entry, receipt *Receipt) (*CompactResult, error) {
	out, err := j.doc.Encode(entries)
	if err != nil {
		return nil, err
	}
	res.Transcript, res.Compacted, res.Summary, res.Receipt = out, true, text, *receipt
	j.observed(res)
	next, err := j.behind(entries, receipt)
	if err != nil {
		return nil, err
	}
	res.State = next.compacted(len(entries), j.req.Usage).opened(j.policy, receipt.TokensAfter, j.req.Window).encode()
	res.Checkpoint, err = j.checkpoint(res)
	return res, err
}

// Apply is Compact with the answers of a summariser.
func Apply(req Request, answers []Answer) (*CompactResult, error) {
	req.Answers = answers
	return Compact(req)
}

// Detect says what a transcript is read as, and why.
func Detect(src []byte) (FormatInfo, error) {
	v, err := format.Detect(src)
	return infoOf(v), err
}

// Formats lists the formats with what their providers refuse.
func Formats() FormatsResult {
	res := FormatsResult{Formats: []FormatEntry{}}
	for _, f := range format.All() {
		e := FormatEntry{Name: f.Name, Title: f.Title, Provider: f.Provider, Shapes: f.Shapes, Write: f.Write, Edited: f.Edited, Rules: []FormatRule{}}
		for _, r := range f.Rules {
			e.Rules = append(e.Rules, FormatRule{Code: r.Code, Text: r.Text, Source: r.Source})
		}
		res.Formats = append(res.Formats, e)
	}
	return res
}

// Presets lists the presets, each as a policy that can be sent.
func Presets() PresetsResult {
	res := PresetsResult{Default: policy.Default, Presets: []PresetEntry{}}
	for _, p := range policy.Presets() {
		res.Presets = append(res.Presets, PresetEntry{Name: p.Name, Title: p.Title, Policy: p.Policy})
	}
	return res
}

// Reasons lists the reasons of fates, with their sentences.
func Reasons() []ReasonInfo { return compact.Reasons() }

// SparedReasons lists why a policy that clears may leave something alone.
func SparedReasons() []Spared { return compact.SparedReasons() }

// leave ends a compaction that changed nothing: its triggers are held until
// something grows past where they are.
func (j *job) leave(res *CompactResult, reason string) *CompactResult {
	res.Reason = reason
	res.State = j.failing().encode()
	return res
}

// state is the state behind a call that tried none.
func (j *job) state() state {
	s := j.carried
	s.Held = s.Held.Without(j.policy, j.decision, j.foldable)
	return s
}

func (j *job) formatInfo() FormatInfo { return infoOf(j.doc.Verdict) }

func infoOf(v format.Verdict) FormatInfo {
	if v.Evidence == nil {
		v.Evidence = []string{}
	}
	return FormatInfo{Name: v.Name, Confidence: v.Confidence, Evidence: v.Evidence, Shape: v.Shape}
}

func (j *job) counterInfo() CounterInfo {
	info := CounterInfo{Name: j.counter.Name(), ErrorP95: j.counter.ErrorP95(), Method: j.method}
	if f := tokens.Factor(j.counter); f != 1 {
		info.Factor = f
	}
	return info
}

// asError is err as a *FailedAttempt or an *Error: anything else is a defect of the
// engine and says so, without a word of the transcript.
func asError(err error) error {
	var f *FailedAttempt
	if errors.As(err, &f) {
		return f
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: "internal", Message: "the engine failed: " + err.Error()}
}
