package core

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Alias is a model behind a name that a policy may use, and what the caller
// knows of it: the fields that are given stand before those of the table of
// models. So a model of one's own is {"mine": {"model": "", "context_window":
// 32768, "encoding": "cl100k_base"}}, used by model.id "mine".
type Alias struct {
	Model         string            `json:"model"` // id upstream; "" is the alias itself
	ContextWindow int               `json:"context_window,omitempty"`
	MaxOutput     int               `json:"max_output_tokens,omitempty"`
	Encoding      string            `json:"encoding,omitempty"` // "o200k_base", "cl100k_base"
	Factor        float64           `json:"factor,omitempty"`   // tokens for one of o200k_base, 0.1 to 10
	ToolPrompt    int               `json:"tool_prompt,omitempty"`
	Image         *tokens.ImageRule `json:"image,omitempty"`
	Price         *tokens.Price     `json:"price,omitempty"`
}

// row is the alias as a row of the table. A factor of its own makes an encoding
// of the table void, for it says that the vocabulary is another.
func (a Alias) row() tokens.Model {
	return tokens.Model{
		ContextWindow: a.ContextWindow, MaxOutput: a.MaxOutput, Encoding: a.Encoding, Factor: a.Factor,
		ToolPrompt: a.ToolPrompt, Image: a.Image, Price: a.Price,
	}
}

// known reports whether the alias says anything but a name.
func (a Alias) known() bool {
	a.Model = ""
	return a != Alias{}
}

// checkModels refuses what no model can be.
func checkModels(models map[string]Alias) error {
	for _, name := range slices.SortedStableFunc(maps.Keys(models), strings.Compare) {
		a := models[name]
		bad := func(field, format string, args ...any) error {
			return &Error{Code: "invalid_request", Path: "models." + transcript.Clip(name) + field, Message: fmt.Sprintf(format, args...)}
		}
		switch {
		case min(a.ContextWindow, a.MaxOutput, a.ToolPrompt) < 0:
			return bad("", "holds a negative number, tokens are at least 0 (unknown)")
		case a.Encoding != "" && a.Encoding != "o200k_base" && a.Encoding != "cl100k_base":
			return bad(".encoding", "is %q, must be o200k_base or cl100k_base; for another vocabulary give its factor", transcript.Clip(a.Encoding))
		case a.Factor != 0 && (a.Factor < 0.1 || a.Factor > 10):
			return bad(".factor", "is %g, the limits are 0.1 and 10", a.Factor)
		case a.Factor != 0 && a.Encoding != "":
			return bad("", "has an encoding and a factor: the one says that counts are exact, the other how far they are off")
		case a.Image != nil && !a.Image.Valid():
			return bad(".image", "is no rule: rule is tiles, patches, visual (with patch), gemini (with tile) or fixed, and no number is negative or above 1,048,576")
		case a.Price != nil && min(a.Price.Input, a.Price.CachedInput, a.Price.Output) < 0:
			return bad(".price", "holds a negative number")
		}
	}
	return nil
}

// knownModel finds what is known of the conversation's model, and what a log says
// of its last request.
func (j *job) knownModel() {
	j.logged()
	j.modelID = cmp.Or(j.doc.Model, j.config.Model)
	if j.req.Model != nil && j.req.Model.ID != "" {
		j.modelID = j.req.Model.ID
	}
	if row, known := j.lookup(j.modelID); known {
		j.row = &row
	}
	j.runs = j.req.Model
	if window := j.row.Prompt(); window > 0 && j.runs.Window() == 0 {
		m := policy.Model{ID: j.modelID}
		if j.runs != nil {
			m = *j.runs
		}
		m.ContextWindow = window
		j.runs = &m
	}
}

// lookup is what is known of a model: the request's own models stand before the
// table.
func (j *job) lookup(id string) (tokens.Model, bool) {
	alias, mine := j.req.Models[id]
	row, known := tokens.LookupModel(cmp.Or(alias.Model, id))
	if !mine || !alias.known() {
		return row, known
	}
	if alias.Factor != 0 {
		row.Encoding = ""
	}
	if alias.Encoding != "" {
		row.Factor, row.ErrorP95 = 0, 0
	}
	row = row.With(alias.row())
	row.ID, row.Source, row.Date = id, "request", ""
	return row, true
}

// choose is the counter of every figure: the policy's, else the model's own
// encoding, else the estimate with the model's factor, corrected by what the
// provider reported in this conversation.
func (j *job) choose(e *Engine) error {
	base, ok := tokens.ByName(j.policy.Counter)
	if !ok {
		return fmt.Errorf("policy names the counter %q, which is none", j.policy.Counter)
	}
	t := j.doc.Transcript
	if base.Name() == tokens.Bytes4().Name() {
		j.counter, j.method = base, "bytes4"
		j.measured = j.measure(base)
		return nil
	}
	if j.row != nil {
		exact, err := e.encoding(j.row.Encoding)
		if err != nil {
			return err
		}
		if exact != nil {
			j.counter, j.method = j.row.Counter(exact, 0), "exact"
			j.measured = j.measure(j.counter)
			return nil
		}
	}
	j.counter, j.method = j.row.Counter(base, 0), "estimate"
	if j.row == nil || j.row.Encoding == "" && j.row.Factor == 0 {
		j.method = "fallback"
	}
	j.measured = j.measure(j.counter)
	// The ratio is of uncorrected counts, so that it never feeds on itself.
	key := tokens.RatioKey(j.counter, j.modelID)
	ratio := tokens.Ratio{Of: key}
	if j.carried.Ratio != nil && j.carried.Ratio.Of == key {
		ratio = *j.carried.Ratio
	}
	if reported, counted, ok := tokens.Sent(t, j.usage, j.measured); ok {
		ratio = ratio.Observe(key, reported, counted, tokens.Whole(t))
	}
	j.carried.Ratio = nil
	if ratio != (tokens.Ratio{Of: key}) {
		j.carried.Ratio = &ratio
	}
	if milli := ratio.Milli(); milli > 0 {
		j.counter, j.method = j.row.Counter(base, milli), "usage"
		j.measured = j.measure(j.counter)
	}
	return nil
}

// measure counts the transcript.
func (j *job) measure(c tokens.Counter) tokens.Measured {
	if j.counts != nil {
		return j.counts(c)
	}
	return tokens.Measure(j.doc.Transcript, c)
}

func (j *job) modelInfo() *ModelInfo {
	if j.modelID == "" {
		return nil
	}
	info := &ModelInfo{ID: transcript.Clip(j.modelID), ContextWindow: j.runs.Window()}
	if m := j.row; m != nil {
		info.Row, info.MaxOutput, info.Encoding, info.Price, info.Source, info.Date = m.ID, m.MaxOutput, m.Encoding, m.Price, m.Source, m.Date
	}
	return info
}
