package tokens

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// Every line of the table is one model that a look-up can read, and the file as
// a whole is JSON.
func TestModelTable(t *testing.T) {
	all, err := ListModels()
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Sources map[string]string `json:"sources"`
	}
	if err := json.Unmarshal([]byte(modelTable), &table); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(modelTable) {
		if !strings.HasPrefix(line, `{"id":`) {
			continue
		}
		lines++
		d := json.NewDecoder(strings.NewReader(strings.TrimRight(line, ",\n")))
		d.DisallowUnknownFields()
		var m Model
		if err := d.Decode(&m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got, ok := LookupModel(m.ID)
		if !ok || got.ID != m.ID {
			t.Errorf("%s is found as %q", m.ID, got.ID)
		}
		for source := range strings.SplitSeq(m.Source, ", ") {
			if table.Sources[source] == "" {
				t.Errorf("%s: source %q is not described", m.ID, source)
			}
		}
		if len(m.Date) != len("2026-08-16") {
			t.Errorf("%s: date %q", m.ID, m.Date)
		}
		if m.Image != nil && !m.Image.Valid() {
			t.Errorf("%s: image rule %+v", m.ID, *m.Image)
		}
		if m.Encoding != "" && m.Factor != 0 {
			t.Errorf("%s has an encoding and a factor", m.ID)
		}
		if m.ID != plainModel(m.ID) {
			t.Errorf("%s is not spelled as ids are looked up", m.ID)
		}
	}
	if lines != len(all) || lines < 80 {
		t.Errorf("%d lines, %d models", lines, len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b Model) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the table is not sorted by id")
	}
}

func TestLookupModel(t *testing.T) {
	for id, want := range map[string]string{
		"gpt-4o": "gpt-4o", "gpt-4o-2024-08-06": "gpt-4o", "gpt-4o-2024-05-13": "gpt-4o-2024-05-13",
		"gpt-4o-mini-2024-07-18": "gpt-4o-mini", "GPT-4o": "gpt-4o", "openai/gpt-4o": "gpt-4o",
		"ft:gpt-4o-mini-2024-07-18:acme::x": "gpt-4o-mini", "ft:gpt-4o:acme": "gpt-4o",
		"gpt-4": "gpt-4", "gpt-4-0613": "gpt-4", "gpt-4-turbo-2024-04-09": "gpt-4-turbo", "gpt-4.1-mini": "gpt-4.1-mini",
		"gpt-5": "gpt-5", "gpt-5-2025-08-07": "gpt-5", "gpt-5.2-codex": "gpt-5.2", "gpt-5.1-codex-max": "gpt-5.1-codex",
		"gpt-5-mini": "gpt-5-mini", "gpt-35-turbo": "gpt-35-turbo", "gpt-3.5-turbo-0125": "gpt-3.5-turbo", "o3": "o3", "o3-2025-04-16": "o3",
		// A later version is not an earlier one.
		"gpt-5.9": "", "gpt-5.7-mini": "", "gpt-6.2-sol": "", "gpt-50": "", "gpt-4ox": "", "o33": "",
		"claude-sonnet-4-5": "claude-sonnet-4-5", "claude-sonnet-4-5-20250929": "claude-sonnet-4-5", "claude-opus-4-20250514": "claude-opus-4",
		"claude-opus-4-1-20250805": "claude-opus-4", "us.anthropic.claude-opus-4-7-v1:0": "claude-opus-4-7", "anthropic/claude-opus-4.7": "claude-opus-4-7",
		"claude-opus-4-8@20260601": "claude-opus-4-8", "claude-3-5-haiku-latest": "claude-3", "claude-opus-5": "claude", "claude-fable-5": "claude",
		"models/gemini-2.5-pro": "gemini", "gemini-3-flash": "gemini", "meta-llama/Llama-3.3-70B-Instruct": "llama-3.3", "eu.meta.llama3-1-70b-instruct-v1:0": "llama3-1",
		"llama3.1:8b": "llama3.1", "Qwen/Qwen3-Coder": "qwen3", "deepseek-ai/DeepSeek-V3.1": "deepseek-v3.1",
		"": "", "m": "", "mistral-large": "", "llama-4-scout": "", "gpt": "", strings.Repeat("gpt-4o-", 40): "",
	} {
		m, ok := LookupModel(id)
		if m.ID != want || ok != (want != "") {
			t.Errorf("%q is %q, want %q", id, m.ID, want)
		}
	}
}

// The figures of the sources.
func TestModelFigures(t *testing.T) {
	for _, x := range []struct {
		id                                string
		window, output, prompt            int
		encoding                          string
		factor                            float64
		tools                             int
		priceInput, priceOutput, priceHit float64
	}{
		{id: "gpt-4o", window: 128000, output: 16384, prompt: 111616, encoding: "o200k_base"},
		{id: "gpt-5", window: 400000, output: 128000, prompt: 272000, encoding: "o200k_base"},
		{id: "gpt-5.4", window: 1050000, output: 128000, prompt: 922000, encoding: "o200k_base"},
		{id: "gpt-4.1", window: 1047576, output: 32768, prompt: 1014808, encoding: "o200k_base"},
		{id: "gpt-4", window: 8192, output: 8192, prompt: 4096, encoding: "cl100k_base", priceInput: 30, priceOutput: 60},
		{id: "gpt-4-turbo", window: 128000, output: 4096, prompt: 123904, encoding: "cl100k_base", priceInput: 10, priceOutput: 30},
		{id: "gpt-oss-120b", window: 131072, output: 131072, prompt: 65536, encoding: "o200k_base"},
		{id: "o1", window: 200000, output: 100000, prompt: 100000, encoding: "o200k_base", priceInput: 15, priceOutput: 60, priceHit: 7.5},
		{id: "claude-opus-4-1", factor: 1.3, tools: 313},
		{id: "claude-sonnet-4-6", factor: 1.3, tools: 496},
		{id: "claude-opus-4-7", factor: 1.7, tools: 675},
		{id: "claude-opus-4-8", factor: 1.7, tools: 290},
		{id: "claude-sonnet-5", factor: 1.7, tools: 354},
		{id: "claude-opus-9", factor: 1.7},
		{id: "gemini-2.5-pro", factor: 1.17},
		{id: "gemma-3-27b", factor: 1.17},
		{id: "llama-3.1-8b", factor: 1},
		{id: "qwen3-32b", factor: 1.09},
		{id: "deepseek-v3", factor: 1.04},
	} {
		m, ok := LookupModel(x.id)
		price := Price{}
		if m.Price != nil {
			price = *m.Price
		}
		if !ok || m.ContextWindow != x.window || m.MaxOutput != x.output || m.Prompt() != x.prompt || m.Encoding != x.encoding ||
			m.Factor != x.factor || m.ToolPrompt != x.tools || price != (Price{x.priceInput, x.priceHit, x.priceOutput}) {
			t.Errorf("%s: %+v, price %+v, room %d", x.id, m, price, m.Prompt())
		}
	}
	var none *Model
	if none.Prompt() != 0 {
		t.Error("no model has a window")
	}
}

// Tokens of a vocabulary for one of o200k_base: English, Markdown, Go, JS,
// Python, JSON, logs, base64, Japanese (two kinds), Chinese, Russian; emoji are
// left out. Those of Claude are its oldest public vocabulary times 1.1, which
// came within 2 % of its API until 4.6; from 4.7 on the same text is 1.0 to
// 1.35 times as many.
var ratios = map[string][]float64{
	"llama-3":     {1.01, 1.00, 1.01, 1.00, .99, 1.00, .99, 1.05, .95, .93, 1.02, 1.14},
	"qwen3":       {1.01, 1.07, 1.04, 1.00, 1.00, 1.17, 1.36, 1.09, .92, .89, .96, 1.20},
	"gemma-3":     {.99, 1.11, 1.21, 1.16, 1.18, 1.27, 1.42, 1.03, .83, .73, .95, 1.02},
	"deepseek-v3": {1.00, 1.03, 1.08, 1.06, 1.06, 1.02, 1.03, 1.03, .93, .89, .85, 1.13},
	"gpt-4":       {1.01, 1.00, 1.01, 1.00, .99, 1.00, .99, 1.05, 1.28, 1.35, 1.30, 1.52},
	"claude-3":    {1.14, 1.15, 1.3, 1.15, 1.15, 1.13, 1.15, 1.13, 1.43, 1.43, 1.27, 2.0},
}

// The factor of a family is the mean over the first eight, which transcripts are
// made of; Claude's is the largest of them, the one that is safe. The error is
// the furthest of all twelve, with the estimate's own, rounded up.
func TestFactorsComeFromTheRatios(t *testing.T) {
	for id, all := range ratios {
		m, ok := LookupModel(id)
		if !ok {
			t.Fatalf("%s is not there", id)
		}
		sum := 0.0
		for _, r := range all[:8] {
			sum += r / 8
		}
		factor := math.Round(sum*100) / 100
		switch id {
		case "claude-3":
			factor = slices.Max(all[:8])
		case "llama-3", "gpt-4":
			factor = 1 // its mean is 1.01: no news
		}
		if m.Factor != factor && m.Encoding == "" {
			t.Errorf("%s: factor %v, want %v", id, m.Factor, factor)
		}
		worst := 0.0
		for _, r := range all {
			worst = max(worst, math.Abs(factor/r-1))
		}
		if want := math.Ceil(100*math.Hypot(worst, estimateP95)) / 100; math.Abs(m.ErrorP95-want) > 0.001 {
			t.Errorf("%s: error %v, want %v", id, m.ErrorP95, want)
		}
	}
	// The newest: 1.7, between 1.13*1.0 and 2.0*1.35.
	m, _ := LookupModel("claude-opus-4-7")
	if want := math.Ceil(100*math.Hypot(1.7/1.13-1, estimateP95)) / 100; m.ErrorP95 != want {
		t.Errorf("claude-opus-4-7: error %v, want %v", m.ErrorP95, want)
	}
	// Gemini is counted by Gemma's vocabulary in Google's own kit.
	g, _ := LookupModel("gemini")
	if w, _ := LookupModel("gemma-3"); g.Factor != w.Factor || g.ErrorP95 != w.ErrorP95 {
		t.Error("gemini is not gemma")
	}
}

func TestModelWith(t *testing.T) {
	m := Model{ID: "a", ContextWindow: 10, MaxOutput: 2, Factor: 1.3, ErrorP95: 0.4, Source: "s", Date: "d"}
	if got := m.With(Model{}); got != m {
		t.Errorf("nothing said: %+v", got)
	}
	rule := &ImageRule{Rule: "fixed", Base: 7}
	got := m.With(Model{ID: "b", MaxOutput: 3, Factor: 1.1, Image: rule, Price: &Price{Input: 1}})
	want := Model{ID: "b", ContextWindow: 10, MaxOutput: 3, Factor: 1.1, Image: rule, Price: got.Price, Source: "s", Date: "d"}
	if got != want || got.Price.Input != 1 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestModelCounter(t *testing.T) {
	text := "The quick brown fox jumps over the lazy dog, again and again."
	n := Estimate().Count(text)
	claude, _ := LookupModel("claude-3")
	gpt, _ := LookupModel("gpt-4o")
	exact := words{}
	for _, x := range []struct {
		name   string
		m      *Model
		base   Counter
		ratio  int
		count  int
		factor float64
		p95    float64
	}{
		{"no model", nil, Estimate(), 0, n, 1, estimateP95},
		{"no model, with usage", nil, Estimate(), 2000, 2 * n, 2, estimateP95},
		{"factor", &claude, Estimate(), 0, (n*1300 + 500) / 1000, 1.3, 0.38},
		{"factor and usage", &claude, Estimate(), 1100, (n*1430 + 500) / 1000, 1.43, estimateP95},
		{"encoding by estimate", &gpt, Estimate(), 0, n, 1, estimateP95},
		{"exact", &gpt, exact, 0, 12, 1, 0},
		{"exact needs no usage", &gpt, exact, 1500, 12, 1, 0},
		{"bytes4 is Codex's", &claude, Bytes4(), 1500, quarter(len(text)), 1, bytes4P95},
	} {
		c := x.m.Counter(x.base, x.ratio)
		if c.Count(text) != x.count || Factor(c) != x.factor || c.ErrorP95() != x.p95 || c.Name() != x.base.Name() || c.Count("") != 0 {
			t.Errorf("%s: %d tokens of %s, factor %v, error %v; want %d, %v, %v", x.name, c.Count(text), c.Name(), Factor(c), c.ErrorP95(), x.count, x.factor, x.p95)
		}
	}
	if (&Model{Factor: 0.1}).Counter(Estimate(), 0).Count("a") != 1 {
		t.Error("a text counts nothing")
	}
}

// words is an exact counter of a toy encoding: one token a word.
type words struct{}

func (words) Name() string       { return "words" }
func (words) ErrorP95() float64  { return 0 }
func (words) Count(s string) int { return len(strings.Fields(s)) }
