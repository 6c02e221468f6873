package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
func Plan(req Request) (*PlanResult, error) {
	j, err := prepare(req)
	if err != nil {
		return nil, err
	}
	res := &PlanResult{Format: j.formatInfo(), Counter: j.counterInfo(), Decision: *j.decision, State: j.state().encode()}
	res.Plan = PlanBody{Items: j.plan.Items, TokensBefore: j.measured.Total(), TokensAfterEstimate: j.plan.Estimate(0)}
	if j.plan.Nothing() {
		return res, nil
	}
	step, err := j.plan.Next(req.Answers)
	if err != nil {
		return nil, err
	}
	switch {
	case step.Failure != "" && step.Request == nil:
		return j.planFailed(res, step)
	case step.Request != nil && req.Summary != nil:
		_, receipt := j.plan.Apply(&compact.Step{Text: *req.Summary, Seen: step.Request.Items}, j.decision)
		res.Plan.TokensAfterEstimate = receipt.TokensAfter
		res.Plan.Request, err = j.request(step.Request)
	case step.Request != nil:
		res.Plan.TokensAfterEstimate = j.plan.Estimate(min(2000, j.plan.DigestBudget()))
		res.Plan.Request, err = j.request(step.Request)
	case step.Text != "":
		_, receipt := j.plan.Apply(step, j.decision)
		res.Plan.Items, res.Plan.TokensAfterEstimate = receipt.Items, receipt.TokensAfter
	}
	return res, err
}

// planFailed is the plan after a summary step that failed, by the policy's
// fallback.
func (j *job) planFailed(res *PlanResult, step *compact.Step) (*PlanResult, error) {
	switch j.policy.Summary.OnFailure {
	case "digest":
		_, receipt := j.plan.Apply(j.plan.Answered(j.digest()), j.decision)
		res.Plan.Items, res.Plan.TokensAfterEstimate = receipt.Items, receipt.TokensAfter
	case "keep":
		res.Plan.Items, res.Plan.TokensAfterEstimate = j.plan.Idle().Items, res.Plan.TokensBefore
	default:
		return nil, failed(step)
	}
	return res, nil
}

func failed(step *compact.Step) error {
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
func Compact(req Request) (*CompactResult, error) {
	j, err := prepare(req)
	if err != nil {
		return nil, err
	}
	if err := j.doc.Writable(); err != nil {
		return nil, err
	}
	res := &CompactResult{
		Format: j.formatInfo(), Counter: j.counterInfo(), Decision: *j.decision,
		Transcript: req.Transcript, Text: req.Text, Receipt: *j.plan.Untouched(), State: j.state().encode(),
	}
	res.Receipt.Summary, res.Receipt.Defects = compact.SummaryBy{By: j.author()}, j.defects
	if !j.decision.Fired && !j.decision.Forced {
		res.Reason = NotTriggered
		return res, nil
	}
	if j.plan.Nothing() {
		return j.leave(res, NothingToFold), nil
	}
	step, by, err := j.summarise()
	if err != nil {
		return nil, err
	}
	res.Receipt.Summary = by
	if step.Text == "" {
		if step.Failure != "" {
			return j.leave(res, SummaryFailed), nil
		}
		res.Receipt.NoProgress = true // no digest fits the budget: nothing shorter can stand for what is folded
		return j.leave(res, NoProgress), nil
	}
	entries, receipt := j.plan.Apply(step, j.decision)
	receipt.Summary, receipt.Defects = by, j.defects
	if receipt.NoProgress && !j.decision.Forced {
		res.Receipt.NoProgress = true
		return j.leave(res, NoProgress), nil
	}
	if res.Transcript, err = j.doc.Encode(entries); err != nil {
		return nil, err
	}
	res.Compacted, res.Summary, res.Receipt = true, step.Text, *receipt
	res.State = j.after(!receipt.NoProgress).encode()
	return res, nil
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
			e.Rules = append(e.Rules, FormatRule{Code: r.Code, Text: r.Text})
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

// job is one request on its way: everything that Plan and Compact share.
type job struct {
	req      Request
	policy   *policy.Policy
	doc      *format.Document
	counter  tokens.Counter
	measured tokens.Measured
	held     trigger.Held
	decision *trigger.Decision
	plan     *compact.Plan
	foldable int // tokens
	defects  []Defect
}

func prepare(req Request) (*job, error) {
	j := &job{req: req}
	if err := check(req); err != nil {
		return nil, err
	}
	s, err := decodeState(req.State)
	if err != nil {
		return nil, err
	}
	j.held = s.Held
	if j.policy, err = policy.Compile(req.Policy, req.Model); err != nil {
		return nil, err
	}
	j.doc, err = format.Decode(req.Transcript, format.Options{
		Format: req.Format, Conversation: req.Conversation, Rewrite: req.Rewrite, Text: req.Text, Now: req.Now,
	})
	if err != nil {
		return nil, err
	}
	t := j.doc.Transcript
	summary.Mark(j.policy, t)
	counter, ok := tokens.ByName(j.policy.Counter)
	if !ok {
		return nil, fmt.Errorf("policy names the counter %q, which is none", j.policy.Counter)
	}
	j.counter = counter
	j.measured = tokens.Measure(t, counter)
	j.plan = compact.NewPlan(t, j.policy, counter, j.measured, j.model())
	j.foldable = j.plan.Foldable()
	j.decision, err = trigger.Evaluate(j.policy, trigger.Input{
		Transcript: t, Measured: j.measured, Counter: counter, Usage: req.Usage, Round: req.Round,
		Phase: req.Phase, Trigger: req.Trigger, Force: req.Force, Window: req.Model.Window(),
		Held: j.held, Foldable: j.foldable,
	})
	if err != nil {
		return nil, err
	}
	j.defects = placed(transcript.Validate(t, j.plan.Pairing))
	if !j.decision.Fired && !j.decision.Forced {
		j.plan = j.plan.Idle()
	}
	return j, nil
}

// placed are the defects with their paths in the request as it was sent; the
// lines of a text have none, and are told in the message.
func placed(defects []Defect) []Defect {
	out := make([]Defect, len(defects))
	for i, d := range defects {
		if line, ok := strings.CutPrefix(d.Path, ":"); ok {
			d.Path, d.Message = "", "line "+line+": "+d.Message
		}
		d.Path = "transcript" + d.Path
		out[i] = d
	}
	return out
}

// check refuses what a request can not mean, before any work.
func check(req Request) error {
	bad := func(code, path, message string) error { return &Error{Code: code, Path: path, Message: message} }
	switch {
	case len(req.Transcript) == 0 && !req.Text:
		return bad("invalid_request", "transcript", "is missing: send a JSON array, object, or a string of JSON Lines")
	case req.Summary != nil && summary.Blank(*req.Summary):
		return bad("empty_summary", "summary", "is blank: send the text that stands for what is folded, or leave it out for the digest")
	case req.Now != "" && !rfc3339(req.Now):
		return bad("invalid_request", "now", fmt.Sprintf("is %q, must be a time as in RFC 3339: 2026-11-30T16:50:00Z", transcript.Clip(req.Now)))
	case req.Summarizer == "model":
		return bad("not_configured", "summarizer", "model needs an upstream, and none is configured here: send summary, or leave summarizer out for the digest")
	case req.Summarizer != "" && req.Summarizer != "digest":
		return bad("invalid_request", "summarizer", fmt.Sprintf("is %q, must be digest or model", transcript.Clip(req.Summarizer)))
	case len(req.Answers) > maxAnswers:
		return bad("invalid_request", "answers", fmt.Sprintf("has %d answers, the limit is %d", len(req.Answers), maxAnswers))
	case req.Model != nil && min(req.Model.ContextWindow, req.Model.MaxContextWindow, req.Model.EffectiveContextWindowPercent) < 0:
		return bad("invalid_request", "model", "holds a negative number, windows and percentages are at least 0 (unknown)")
	case req.Model != nil && req.Model.EffectiveContextWindowPercent > 100:
		return bad("invalid_request", "model.effective_context_window_percent", fmt.Sprintf("is %d, the limit is 100", req.Model.EffectiveContextWindowPercent))
	case req.PreviousModel != nil:
		return bad("invalid_request", "previous_model", "is not read yet: a switch to a smaller model comes with a later version, leave it out")
	case req.Repair:
		return bad("invalid_request", "repair", "is not done yet: it comes with a later version, leave it out; receipt.defects names what it would mend")
	}
	return nil
}

// rfc3339 reports whether s has the form of an RFC 3339 time. The calendar is
// not looked at: core knows no clock, and only repeats what it is given.
func rfc3339(s string) bool {
	date, zone := "0000-00-00T00:00:00", ""
	if len(s) > len(date) {
		s, zone = s[:len(date)], s[len(date):]
	}
	if fraction := strings.TrimLeft(strings.TrimPrefix(zone, "."), "0123456789"); strings.HasPrefix(zone, ".") && len(fraction) < len(zone)-1 {
		zone = fraction
	}
	return shaped(s, date) && (zone == "Z" || shaped(zone, "+00:00") || shaped(zone, "-00:00"))
}

// shaped reports whether s is form with any digits for its zeros.
func shaped(s, form string) bool {
	if len(s) != len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == '0' && (s[i] < '0' || s[i] > '9') || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
}

// maxAnswers bounds the work of one call: each answer that was too long costs
// one pass over the items.
const maxAnswers = 1000

// model is what the summary model is called upstream: the policy's, looked up
// among the aliases, else the conversation's.
func (j *job) model() string {
	if name := j.policy.Summary.Model; name != "" {
		if alias, ok := j.req.Models[name]; ok {
			return alias.Model
		}
		return name
	}
	if j.req.Model != nil && j.req.Model.ID != "" {
		return j.req.Model.ID
	}
	return j.doc.Model
}

// summarise gets the summary: the caller's, the answers', or the digest's. An
// empty text without a failure is a digest that does not fit its budget.
func (j *job) summarise() (*compact.Step, compact.SummaryBy, error) {
	by := compact.SummaryBy{By: j.author()}
	answers := j.req.Answers
	if j.req.Summary != nil { // it answers the request that the answers so far lead to
		answers = append(answers[:len(answers):len(answers)], Answer{Text: *j.req.Summary})
	}
	if len(answers) == 0 {
		return j.plan.Answered(j.digest()), by, nil
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
	if step.Failure == "" {
		return step, by, nil
	}
	switch j.policy.Summary.OnFailure {
	case "digest":
		digest := j.plan.Answered(j.digest())
		return digest, compact.SummaryBy{By: "digest", Calls: step.Calls}, nil
	case "keep":
		return step, by, nil
	}
	return nil, by, failed(step)
}

func (j *job) author() string {
	switch {
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
func (j *job) digest() string {
	budget := j.plan.DigestBudget()
	// What the message costs beside its text is known when it is written: escapes
	// count too, by Codex's counter. Two or three tries close in.
	left := budget - j.plan.SummaryTokens("")
	for range 4 {
		text := j.digestOf(left, false)
		over := j.plan.SummaryTokens(text) - budget
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
	return j.digestOf(budget, true)
}

func (j *job) digestOf(budget int, bare bool) string {
	return summary.Digest(j.doc.Transcript, j.plan.Folded, summary.DigestOptions{
		Counter: j.counter, Budget: budget, Language: j.policy.Summary.Language,
		Earlier: summary.Earlier(j.policy, j.doc.Transcript), Bare: bare,
	})
}

// request is the body of a summary request in the transcript's format.
func (j *job) request(r *summary.Request) (*ModelRequest, error) {
	body, err := j.doc.Body(format.BodyRequest{
		Items: r.Items, Prompt: r.Prompt, Model: r.Model, MaxTokens: r.MaxTokens, SendTools: r.SendTools,
	})
	if err != nil {
		return nil, err
	}
	return &ModelRequest{Purpose: summary.Purpose, Attempt: r.Attempt, Format: j.doc.Format, Body: json.RawMessage(body)}, nil
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
	return state{V: stateVersion, Held: j.held.After(j.policy, j.decision, succeeded, j.foldable)}
}

// state is the state behind a call that tried none.
func (j *job) state() state {
	return state{V: stateVersion, Held: j.held.Without(j.policy, j.decision, j.foldable)}
}

func (j *job) formatInfo() FormatInfo { return infoOf(j.doc.Verdict) }

func infoOf(v format.Verdict) FormatInfo {
	if v.Evidence == nil {
		v.Evidence = []string{}
	}
	return FormatInfo{Name: v.Name, Confidence: v.Confidence, Evidence: v.Evidence, Shape: v.Shape}
}

func (j *job) counterInfo() CounterInfo {
	return CounterInfo{Name: j.counter.Name(), ErrorP95: j.counter.ErrorP95()}
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
