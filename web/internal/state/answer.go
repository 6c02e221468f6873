package state

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/source"
)

// Answer is what /v1/compact said, and the words of the items before and
// after.
type Answer struct {
	Format    core.FormatInfo
	Counter   core.CounterInfo
	Model     *core.ModelInfo // nil: neither the request nor the transcript names one
	Compacted bool
	Reason    string // why nothing was compacted
	Decision  core.Decision
	Summary   string
	Receipt   core.Receipt

	// Output is the compacted transcript as it goes back where it came from:
	// the bytes of the JSON value, or the text. Text says which.
	Output []byte
	Text   bool

	Before []Before
	After  []After

	own string // the caller's summary that it was made with
}

// Before is one item of the effective history with its fate.
type Before struct {
	core.ItemFate
	Item *core.ItemView // nil: its words are not known
}

// After is one place of the compacted transcript.
type After struct {
	To       int
	From     []int          // the items that stand here, by index
	Inserted *core.Inserted // the summary, if it stands here
	Role     string
	Fate     string // of the item; "summary" where nothing but the summary stands
	Tokens   int
	Item     *core.ItemView
}

// readAnswer reads what /v1/compact said.
func readAnswer(answer []byte) (*Answer, error) {
	var w struct {
		Format     core.FormatInfo  `json:"format"`
		Counter    core.CounterInfo `json:"counter"`
		Model      *core.ModelInfo  `json:"model"`
		Compacted  bool             `json:"compacted"`
		Reason     string           `json:"reason"`
		Decision   core.Decision    `json:"decision"`
		Transcript json.RawMessage  `json:"transcript"`
		Summary    string           `json:"summary"`
		Receipt    core.Receipt     `json:"receipt"`
	}
	if err := json.Unmarshal(answer, &w); err != nil {
		return nil, fmt.Errorf("the engine's answer cannot be read: %w", err)
	}
	a := &Answer{
		Format: w.Format, Counter: w.Counter, Model: w.Model, Compacted: w.Compacted, Reason: w.Reason,
		Decision: w.Decision, Summary: w.Summary, Receipt: w.Receipt, Output: w.Transcript,
	}
	var text string
	if json.Unmarshal(w.Transcript, &text) == nil {
		a.Output, a.Text = []byte(text), true
	}
	a.Before = make([]Before, len(a.Receipt.Items))
	for i, f := range a.Receipt.Items {
		a.Before[i].ItemFate = f
	}
	a.After = after(a.Receipt)
	return a, nil
}

// lines says whether the output is one JSON value a line. Text may hold a single
// value as well: behind a byte order mark, for one.
func (a *Answer) lines() bool {
	return a.Text && (a.Format.Shape == "jsonl" || a.Format.Shape == "log")
}

// speak gives the items the words that the engine read for them, if there are
// as many: words that stand at the wrong item are worse than none.
func (a *Answer) speak(before, after *Words) {
	if before != nil && len(before.Items) == len(a.Before) {
		for i := range a.Before {
			a.Before[i].Item = &before.Items[i]
		}
	}
	if after != nil && len(after.Items) == len(a.After) {
		for i := range a.After {
			a.After[i].Item = &after.Items[i]
		}
	}
}

// after lists the places of the result in order: items by their to, the
// summary by its own. Two may share one place, where they were joined.
func after(r core.Receipt) []After {
	n := 0
	for _, f := range r.Items {
		if f.To != nil {
			n = max(n, *f.To+1)
		}
	}
	for _, in := range r.Inserted {
		n = max(n, in.To+1)
	}
	if limit := len(r.Items) + len(r.Inserted); n > limit {
		n = limit // a place that nothing can have
	}
	list := make([]After, n)
	for i := range list {
		list[i].To = i
	}
	for _, f := range r.Items {
		if f.To == nil || *f.To < 0 || *f.To >= n {
			continue
		}
		a := &list[*f.To]
		a.From = append(a.From, f.Index)
		a.Tokens += f.TokensAfter
		if a.Fate == "" {
			a.Fate, a.Role = string(f.Fate), f.Role
		}
	}
	for i := range r.Inserted {
		in := &r.Inserted[i]
		if in.To < 0 || in.To >= n {
			continue
		}
		a := &list[in.To]
		a.Inserted = in
		a.Tokens += in.Tokens
		if len(a.From) == 0 {
			a.Fate, a.Role = in.Kind, in.Role
		}
	}
	return list
}

// DefectPlace is where the defect with that number stands in the transcript;
// nil if that is not known. In text the message begins with its line.
func (s State) DefectPlace(i int) *source.Place {
	d := s.Answer.Receipt.Defects[i]
	path := strings.TrimPrefix(d.Path, "transcript")
	if rest, ok := strings.CutPrefix(d.Message, "line "); ok && path == "" {
		if line, _, ok := strings.Cut(rest, ": "); ok {
			path = ":" + line
		}
	}
	at, ok := source.Locate([]byte(s.Source.Text), path)
	if !ok {
		return nil
	}
	return &at
}

// SummaryBy is the key of the sentence that says whose words the summary is,
// and whether they are in the result that is shown.
func (s State) SummaryBy() string {
	a := s.Answer
	switch {
	case a == nil:
		return "summary.none"
	case s.Summary == nil && !a.Compacted:
		return "summary.none"
	case !s.Stale && a.Compacted && a.Receipt.Summary.By == "none":
		return "summary.cleared"
	case s.Summary == nil:
		return "summary.digest"
	case s.Stale, a.Receipt.Summary.By != "caller", a.own != *s.Summary:
		return "summary.waiting"
	case !a.Compacted:
		return "summary.unused"
	}
	return "summary.caller"
}

// Mark is how a measure stands to its threshold: fired, held (reached, but held
// back), quiet or unknown.
func Mark(r core.RuleMeasure) string {
	switch {
	case r.Held:
		return "held"
	case r.Fired:
		return "fired"
	case r.Measured == nil:
		return "unknown"
	}
	return "quiet"
}

// Saved is the share of tokens that went; below 0 the transcript grew.
func (a *Answer) Saved() float64 {
	if a.Receipt.TokensBefore == 0 {
		return 0
	}
	return 1 - float64(a.Receipt.TokensAfter)/float64(a.Receipt.TokensBefore)
}

// Inexact says whether the figures are estimates only because the tables of the
// model's encoding are not there. A model without a public vocabulary has none,
// and what Codex counts in bytes is what Codex's thresholds mean.
func (a *Answer) Inexact() bool {
	return a.Counter.Name == "estimate" && a.Model != nil && a.Model.Encoding == Encoding
}

// Count is how many items met each fate.
func (a *Answer) Count() map[string]int {
	n := map[string]int{}
	for _, b := range a.Before {
		n[string(b.Fate)]++
	}
	return n
}

// Request is what would be sent to a model.
type Request struct {
	Purpose string
	Format  string
	Body    []byte // the exact bytes
	Pretty  string // the same, indented
	Prompt  string // the instruction: what its last item says at its end
}

// readRequest reads the request of an answer of /v1/plan; nil if there is none.
func readRequest(answer []byte) (*Request, error) {
	var w struct {
		Plan core.PlanBody `json:"plan"`
	}
	if err := json.Unmarshal(answer, &w); err != nil {
		return nil, fmt.Errorf("the engine's plan cannot be read: %w", err)
	}
	if w.Plan.Request == nil {
		return nil, nil
	}
	r := w.Plan.Request
	return &Request{Purpose: r.Purpose, Format: r.Format, Body: r.Body, Pretty: indent(r.Body)}, nil
}
