package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tamp-dev/tamp/core"
)

// want is what a golden expects: a policy, or an error. Syntax names the language
// whose parser refuses the text, in words of its own.
type want struct {
	Policy  json.RawMessage       `json:"policy"`
	Models  map[string]core.Alias `json:"models"`
	Model   string                `json:"model"`
	Path    string                `json:"path"`
	Message string                `json:"message"`
	Line    int                   `json:"line"`
	Syntax  string                `json:"syntax"`
}

// goldens are the texts of testdata and what they come to. scripts/config.test.mjs
// runs them through what the page reads them with.
func goldens(tb testing.TB) map[string][2][]byte {
	tb.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string][2][]byte{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		a := txtar.Parse(raw)
		for i := 0; i+1 < len(a.Files); i += 2 {
			text, wants := a.Files[i], a.Files[i+1]
			base := strings.TrimSuffix(strings.TrimSuffix(text.Name, ".yml"), ".toml")
			if wants.Name != base+".want" {
				tb.Fatalf("%s: behind %s stands %s", name, text.Name, wants.Name)
			}
			all[filepath.Base(name)+"/"+base] = [2][]byte{text.Data, wants.Data}
		}
	}
	if len(all) < 50 {
		tb.Fatalf("only %d goldens", len(all))
	}
	return all
}

func TestGoldens(t *testing.T) {
	for name, g := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			var w want
			if err := json.Unmarshal(g[1], &w); err != nil {
				t.Fatal(err)
			}
			check(t, string(g[0]), w)
			// A mark before the text changes nothing.
			if w.Syntax == "" {
				check(t, "\ufeff"+string(g[0]), w)
			}
		})
	}
}

func check(t *testing.T, text string, w want) {
	t.Helper()
	got, err := Policy(text)
	if w.Path == "" {
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, got.Policy, w.Policy) || got.Model != w.Model || !reflect.DeepEqual(got.Models, w.Models) {
			t.Errorf("%s\n%v\n%q", got.Policy, got.Models, got.Model)
		}
		compiles(t, got)
		return
	}
	var e *core.Error
	if !errors.As(err, &e) || e.Code != "invalid_policy" || e.Path != w.Path {
		t.Fatalf("%v", err)
	}
	if w.Line > 0 {
		w.Message += fmt.Sprintf(" (line %d)", w.Line)
	}
	if w.Syntax != "" && !strings.HasPrefix(e.Message, "cannot be read as "+w.Syntax+": ") || w.Syntax == "" && e.Message != w.Message {
		t.Errorf("%s", e.Message)
	}
}

// compiles lets the engine judge: what is read here must be a policy to it.
func compiles(t *testing.T, c core.Config) {
	t.Helper()
	_, err := core.Plan(core.Request{Transcript: []byte(`[{"type":"message","role":"user","content":"Hello."}]`), Format: "openai-responses", Policy: c.Policy, Models: c.Models})
	if err != nil {
		t.Errorf("the engine refuses %s: %v", c.Policy, err)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		t.Fatalf("no JSON: %s, %s", a, b)
	}
	return reflect.DeepEqual(x, y)
}

// What other systems call their settings is no near miss of ours: Codex's
// documented names at the top of its file, and lait's by its own schema.
func TestNeighboursAreNoNearMiss(t *testing.T) {
	var codex, lait strings.Builder
	codex.WriteString("model = 'gpt-5'\nmodel_providers = {}\nmcp_servers = {}\n")
	for _, name := range strings.Fields(`review_model model_provider model_max_output_tokens model_reasoning_effort model_reasoning_summary
		model_supports_reasoning_summaries model_verbosity model_instructions_file model_catalog_json personality service_tier
		approval_policy sandbox_mode notify profile history file_opener tui hide_agent_reasoning show_raw_agent_reasoning
		chatgpt_base_url experimental_instructions_file tool_output_token_limit project_doc_max_bytes projects instructions
		developer_instructions web_search tools shell_environment_policy otel skills memories agents apps plugins`) {
		codex.WriteString(name + " = 1\n")
	}
	if c, err := Policy(codex.String()); err != nil || string(c.Policy) != `{"codex":{}}` {
		t.Errorf("%s, %v", c.Policy, err)
	}
	lait.WriteString("default:\n  compaction: {trigger_rounds: 6}\n")
	for _, name := range strings.Fields("reasoning_effort system temperature top_p max_tokens mcp max_tool_rounds skills subagents tools render history cache cache_ttl") {
		lait.WriteString("  " + name + ": 1\n")
	}
	for _, name := range strings.Fields("base_url api_key api_key_cmd mcp_servers skills agents prompts workflows tool_policy tools") {
		lait.WriteString(name + ": 1\n")
	}
	if _, err := Policy(lait.String()); err != nil {
		t.Error(err)
	}
}

// A hostile text costs little and ends in an error of ours.
func TestHostileTexts(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 {x: 1, y: 2}\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d\n  <<: [%s*a%d]\n  k%d: 1\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 200), i-1, i)
	}
	for name, text := range map[string]string{
		"too long":        "model = '" + strings.Repeat("x", maxText) + "'",
		"deep flow":       "default: " + strings.Repeat("[", 100_000),
		"deep list":       "model = " + strings.Repeat("[", 200_000),
		"deep table":      "model = " + strings.Repeat("{a=", 50_000),
		"many near names": strings.Repeat("modell = 1\n", 20_000),
		"merges":          bomb.String() + "default:\n  <<: *a39\n  compaction: {trigger_rounds: 1}\n",
		"no UTF-8":        "model = '\xff'",
		"zero byte":       "default:\n  compaction: \x00",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Policy(text)
			var e *core.Error
			if !errors.As(err, &e) || e.Code != "invalid_policy" || len(e.Message) > 1000 {
				t.Errorf("%.300v", err)
			}
		})
	}
}

// Merges of merges add up to more than anybody can hold: 4,000 mappings, each with
// all names of the one before, are 8 million members.
func TestMergesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 {k0: 1}\n")
	for i := 1; i < 4000; i++ {
		fmt.Fprintf(&b, "a%d: &a%d {<<: *a%d, k%d: 1}\n", i, i, i-1, i)
	}
	b.WriteString("default: {<<: *a3999, compaction: {trigger_rounds: 1}}\n")
	d, err := parseYAML(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.readLait(); err != nil || d.copied <= maxCopied || d.copied > 2*maxCopied {
		t.Errorf("%d members were copied, %v", d.copied, err)
	}
	var e *core.Error
	if _, err := Policy(b.String()); !errors.As(err, &e) || e.Message != "merges (<<) more than 10000 names" {
		t.Errorf("%v", err)
	}
}

// Whatever comes: no panic, and an error of ours or a policy.
func FuzzPolicy(f *testing.F) {
	for _, g := range goldens(f) {
		f.Add(string(g[0]))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Policy(text)
		var e *core.Error
		switch {
		case err != nil && (!errors.As(err, &e) || e.Code != "invalid_policy" || !strings.HasPrefix(e.Path, root)):
			t.Errorf("%v", err)
		case err == nil && !json.Valid(c.Policy):
			t.Errorf("%s", c.Policy)
		}
	})
}
