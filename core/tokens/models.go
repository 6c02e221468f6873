package tokens

import (
	_ "embed" // for the table of models
	"encoding/json"
	"strings"
)

// modelTable is {"sources": {..}, "models": [..]} with one model a line, sorted
// by id, so that a look-up reads lines and parses the one it wants: a table that
// was parsed once would be package state, and parsing 17 KB for each request
// costs more than counting a short one.
//
//go:embed models.json
var modelTable string

// Model is what is known of a model; zero is unknown. The JSON names are those
// of models.json, and of a request's own models.
type Model struct {
	ID            string `json:"id"`
	ContextWindow int    `json:"context_window,omitempty"`    // tokens, the answer's included
	MaxOutput     int    `json:"max_output_tokens,omitempty"` // tokens of the longest answer
	Encoding      string `json:"encoding,omitempty"`          // "o200k_base" or "cl100k_base" where the vocabulary is public and one of them
	// Factor is the model's tokens for one of o200k_base, where its own
	// vocabulary is another: the measure of prose, code and machine text.
	Factor float64 `json:"factor,omitempty"`
	// ErrorP95 is the relative error of an estimate for this model that the
	// families of text stay below (see models_test.go); 0: that of the estimate.
	ErrorP95   float64    `json:"error_p95,omitempty"`
	ToolPrompt int        `json:"tool_prompt,omitempty"` // tokens that the provider adds once where tools are given
	Image      *ImageRule `json:"image,omitempty"`
	Price      *Price     `json:"price,omitempty"`
	Source     string     `json:"source,omitempty"` // keys of the table's sources
	Date       string     `json:"date,omitempty"`   // of the source: 2026-08-16
}

// Price is in US dollars for a million tokens; 0 is unknown.
type Price struct {
	Input       float64 `json:"input,omitempty"`
	CachedInput float64 `json:"cached_input,omitempty"`
	Output      float64 `json:"output,omitempty"`
}

// LookupModel is the row of the table with the longest id that the model's id
// begins with: "gpt-4o-2024-08-06" is gpt-4o, "us.anthropic.claude-opus-4-7-v1:0"
// is claude-opus-4-7. A row's id ends at the end of a word, and not inside of a
// version: gpt-5.7 is not gpt-5. Path, vendor and case count for nothing
// ("openai/GPT-4o", "ft:gpt-4o:x"). false: the model is not known.
//
// Cost: one pass over the table of 17 KB, about 5 µs.
func LookupModel(id string) (Model, bool) {
	id = plainModel(id)
	if id == "" {
		return Model{}, false
	}
	best, length := "", 0
	for line := range strings.Lines(modelTable) {
		row, ok := strings.CutPrefix(line, `{"id":"`)
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(row, `"`)
		if len(name) > length && belongs(id, name) {
			best, length = line, len(name)
		}
	}
	var m Model
	if best == "" || json.Unmarshal([]byte(strings.TrimRight(best, ",\n")), &m) != nil {
		return Model{}, false // a test reads every line
	}
	return m, true
}

// ListModels lists the table, sorted by id. Cost: all of it is parsed anew.
func ListModels() ([]Model, error) {
	var table struct {
		Sources map[string]string `json:"sources"`
		Models  []Model           `json:"models"`
	}
	if err := json.Unmarshal([]byte(modelTable), &table); err != nil {
		return nil, err
	}
	return table.Models, nil
}

// vendors stand before a model's own name, behind a region perhaps, in the ids
// of hosts of many models: "eu.meta.llama3-1-70b-instruct-v1:0".
const vendors = " us eu apac global anthropic meta deepseek qwen openai google "

// plainModel is the id in lower case, without what hosts put before a name.
func plainModel(id string) string {
	const longest = 200 // an id is never that long, and nothing below looks at more
	if len(id) > longest {
		return ""
	}
	id = strings.ToLower(strings.TrimSpace(id))
	id = id[strings.LastIndexByte(id, '/')+1:]
	id = strings.TrimPrefix(id, "ft:")
	for {
		head, rest, ok := strings.Cut(id, ".")
		if !ok || head == "" || !strings.Contains(vendors, " "+head+" ") {
			break
		}
		id = rest
	}
	if strings.HasPrefix(id, "claude") {
		id = strings.ReplaceAll(id, ".", "-") // claude-opus-4.7 is written so by other hosts
	}
	return id
}

// belongs reports whether id is the model of that name, or a variant of it.
func belongs(id, name string) bool {
	if !strings.HasPrefix(id, name) || len(id) == len(name) {
		return id == name
	}
	switch next := id[len(name)]; {
	case next >= 'a' && next <= 'z' || next >= '0' && next <= '9':
		return false
	case next == '.':
		return len(id) == len(name)+1 || id[len(name)+1] < '0' || id[len(name)+1] > '9'
	}
	return true
}

// Prompt is the room for a prompt: the window less the longest answer, but at
// least half of the window, since some models could fill all of theirs with one
// answer and nobody lets them. 0 is unknown.
//
// For the models whose window is the sum of two limits (gpt-5: 400,000 of which
// 272,000 may be sent) it is what the provider admits; for the others it is a
// little too low: too early a compaction costs less than an overflow.
func (m *Model) Prompt() int {
	if m == nil || m.ContextWindow <= 0 {
		return 0
	}
	return max(m.ContextWindow-max(m.MaxOutput, 0), m.ContextWindow/2)
}

// With is m with what o says: every field of o that is known replaces m's.
func (m Model) With(o Model) Model {
	replace := func(to *int, by int) {
		if by != 0 {
			*to = by
		}
	}
	replace(&m.ContextWindow, o.ContextWindow)
	replace(&m.MaxOutput, o.MaxOutput)
	replace(&m.ToolPrompt, o.ToolPrompt)
	if o.ID != "" {
		m.ID = o.ID
	}
	if o.Encoding != "" {
		m.Encoding = o.Encoding
	}
	if o.Factor != 0 {
		m.Factor, m.ErrorP95 = o.Factor, o.ErrorP95
	}
	if o.ErrorP95 != 0 {
		m.ErrorP95 = o.ErrorP95
	}
	if o.Image != nil {
		m.Image = o.Image
	}
	if o.Price != nil {
		m.Price = o.Price
	}
	if o.Source != "" {
		m.Source, m.Date = o.Source, o.Date
	}
	return m
}
