package core

import (
	"cmp"
	"errors"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// Version is the version of the engine.
const Version = "0.1.0"

// Plan says what a compaction would do, and the first request to a summariser;
// with answers, the next request. It changes nothing. Cost: linear in the
// transcript.
func Plan(req Request) (*PlanResult, error) { return new(Engine).Plan(req) }

// Plan is the function of that name, with the engine's encodings.
func (e *Engine) Plan(req Request) (*PlanResult, error) {
	j, err := e.prepare(req)
	if err != nil {
		return nil, err
	}
	res := &PlanResult{Format: j.formatInfo(), Counter: j.counterInfo(), Decision: *j.decision, State: j.state().encode(), Model: j.modelInfo(), Repaired: j.repaired, Aside: j.aside}
	res.Plan = PlanBody{Items: j.plan.Items, TokensBefore: j.measured.Total(), TokensAfterEstimate: j.plan.Estimate(0)}
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
		return nil, failed(step)
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

func failed(step *compact.Step) *Error {
	return &Error{Code: SummaryFailed, Path: "answers", Message: "gave no summary, the last one is " + step.Failure + ": nothing was changed; summary.on_failure may name a fallback"}
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
	j, err := e.prepare(req)
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
		return j.stuck(res) // no digest fits the budget: nothing shorter can stand for what is folded
	}
	entries, receipt := step.Plan.Apply(step, j.decision)
	receipt.Summary, receipt.Defects = by, j.defects
	if receipt.NoProgress && !j.decision.Forced {
		return j.stuck(res)
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
func (j *job) stuck(res *CompactResult) (*CompactResult, error) {
	if only := j.plan.Pruning(); only != nil {
		return j.prune(res, only)
	}
	res.Receipt.NoProgress = true
	return j.tried(res, NoProgress, ""), nil
}

// carryOut writes what a plan came to.
func (j *job) carryOut(res *CompactResult, text string, entries []transcript.Entry, receipt *Receipt) (*CompactResult, error) {
	out, err := j.doc.Encode(entries)
	if err != nil {
		return nil, err
	}
	res.Transcript, res.Compacted, res.Summary, res.Receipt = out, true, text, *receipt
	j.observed(res)
	res.State = j.after(!receipt.NoProgress).compacted(len(entries), j.req.Usage).opened(j.policy, receipt.TokensAfter).encode()
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
		e := FormatEntry{Name: f.Name, Title: f.Title, Provider: f.Provider, Shapes: f.Shapes, Write: f.Write, Rules: []FormatRule{}}
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
		Format: req.Format, Conversation: req.Conversation, Rewrite: req.Rewrite, Text: req.Text, Now: req.Now, Repair: req.Repair,
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
	j.usage, j.carried.Compacted = j.req.Usage, nil
}

func (e *Engine) prepare(req Request) (*job, error) {
	if err := check(req); err != nil {
		return nil, err
	}
	j, err := e.open(req, readHistory)
	if err != nil {
		return nil, err
	}
	if err := j.opaqueFits(); err != nil {
		return nil, err
	}
	t := j.doc.Transcript
	j.carried.Window = j.carried.Window.Observe(j.policy, t, j.measured, j.usage)
	j.plan = compact.NewPlan(t, j.policy, j.counter, j.measured, j.model())
	j.foldable = j.plan.Foldable()
	in := trigger.Input{
		Transcript: t, Measured: j.measured, Counter: j.counter, Usage: j.usage, Round: req.Round,
		Phase: req.Phase, Trigger: req.Trigger, Force: req.Force, Window: j.runs.Window(), Prefill: j.carried.Window.Prefill,
		Held: j.carried.Held, Foldable: j.foldable, Counted: j.carried.Compacted.Reported(),
	}
	if in.Switch, err = j.modelSwitch(); err != nil {
		return nil, err
	}
	if j.decision, err = trigger.Evaluate(j.policy, in); err != nil {
		return nil, err
	}
	j.decision.Window = j.window()
	if j.switching() && !j.policy.Keep.All {
		j.tighten()
	}
	j.plan.Trim(j.hardest(in.Switch))
	j.defects = placed(transcript.Validate(t, j.plan.Pairing))
	switch {
	case j.decision.Forced:
	case !j.decision.Fired:
		j.plan = j.plan.Idle()
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

// upstream is what a model is called upstream: what its alias names, else its
// own name.
func (j *job) upstream(name string) string { return cmp.Or(j.req.Models[name].Model, name) }

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
	if err != nil {
		return nil, by, err
	}
	if step.Request != nil {
		return nil, by, &Error{Code: "invalid_request", Path: "answers", Message: "end before the summary: send the request that /v1/plan gives for them, and add its answer"}
	}
	by.Calls = len(j.req.Answers)
	if model := j.model(); model != "" && by.By == "model" {
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
// frame around it. Where a caller insists and that holds nothing, the frame
// does not count and the bare first line will do.
func (j *job) digest(p *compact.Plan) string {
	budget := p.DigestBudget()
	// What the message costs beside its text is known when it is written: escapes
	// count too, by Codex's counter. Two or three tries close in.
	left := budget - p.SummaryTokens("")
	for range 4 {
		text := j.digestOf(p, left, false)
		over := p.SummaryTokens(text) - budget
		if text == "" || over <= 0 {
			if text == "" && j.decision.Forced {
				break
			}
			return text
		}
		left -= over
	}
	if !j.decision.Forced {
		return ""
	}
	return j.digestOf(p, budget, true)
}

func (j *job) digestOf(p *compact.Plan, budget int, bare bool) string {
	return summary.Digest(j.doc.Transcript, p.Folded, summary.DigestOptions{
		Counter: j.counter, Budget: budget, Language: j.policy.Summary.Language,
		Earlier: summary.Earlier(j.policy, j.doc.Transcript), Bare: bare,
	})
}

// leave ends a compaction that changed nothing: its triggers are held until
// something grows past where they are.
func (j *job) leave(res *CompactResult, reason string) *CompactResult {
	res.Reason = reason
	res.State = j.after(false).encode()
	return res
}

// after is the state behind a compaction that was tried.
func (j *job) after(succeeded bool) state {
	s := j.carried
	s.Held = s.Held.After(j.policy, j.decision, succeeded, j.foldable)
	return s
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

// asError is err as an *Error: anything else is a defect of the engine and says
// so, without a word of the transcript.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: "internal", Message: "the engine failed: " + err.Error()}
}
