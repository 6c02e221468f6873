package format

import (
	"strings"
	"testing"
)

func TestFragment(t *testing.T) {
	const (
		agents = "# AGENTS.md instructions"
		env    = "<environment_context>"
	)
	for _, c := range []struct {
		text string
		kind string
		ok   bool
	}{
		{"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", agents, true},
		{"  # agents.MD Instructions\n</instructions>\n", agents, true}, // trimmed, ASCII case put aside
		{"# AGENTS.md instructions without an end", "", false},
		{"<environment_context>\n  <cwd>/w</cwd>\n</environment_context>", env, true},
		{"<environment_context>x</environment_context> and more", "", false},
		{"say <environment_context>x</environment_context>", "", false},
		{"<environment_context>", "", false},
		{"<SKILL>x</skill>", "", true},
		{"<user_shell_command>ls</user_shell_command>", "", true},
		{"<turn_aborted>x</turn_aborted>", "", true},
		{"<subagent_notification>x</subagent_notification>", "", true},
		{"<recommended_plugins>x</recommended_plugins>", "", true},
		{"<goal_context>x</goal_context>", "", true},
		{"<Goal_context>x</Goal_context>", "", false}, // case matters here
		{"<external_docs>x</external_docs>", "", true},
		{"<external_docs>x</external_doc>", "", false},
		{"<external_>x</external_>", "", false},
		{"<External_docs>x</External_docs>", "", false},
		{`<codex_internal_context source="memory">x</codex_internal_context>`, "", true},
		{`<codex_internal_context>x</codex_internal_context>`, "", false},
		{`<codex_internal_context source="">x</codex_internal_context>`, "", false},
		{`<hook_prompt hook_run_id="r1">go on</hook_prompt>`, "", true},
		{`<hook_prompt hook_run_id=" ">go on</hook_prompt>`, "", false},
		{`<hook_prompt>go on</hook_prompt>`, "", false},
		{"<user_instructions>x</user_instructions>", "", false}, // no longer one
		{"Warning: apply_patch was requested via exec_command.", "", true},
		{"Warning: the build is slow", "", false},
		{"Warning: the number of unified exec processes is " + strings.Repeat("x", 400), "", false},
		{"", "", false},
		{"fix the <skill> tag", "", false},
	} {
		if kind, ok := fragment(c.text); kind != c.kind || ok != c.ok {
			t.Errorf("%.60q is %q, %v; want %q, %v", c.text, kind, ok, c.kind, c.ok)
		}
	}
}

func TestContextKind(t *testing.T) {
	for _, c := range []struct{ text, kind string }{
		{"<permissions instructions>\nx", "<permissions instructions>"},
		{"  <collaboration_mode>x</collaboration_mode>", "<collaboration_mode>"},
		{`<skills version="2" mode="x">y`, "<skills>"}, // values change, the kind does not
		{`<tag a=b c>y`, "<tag>"},
		{"<br/>y", "<br>"},
		{"<environment_context>x</environment_context>", "<environment_context>"},
		{"Answer in French.", "Answer in French."},
		{"a < b", "a < b"},
		{"<= 5 lines", "<= 5 lines"},
		{"</closing>x", "</closing>x"},
		{"<>x", "<>x"},
		{"<" + strings.Repeat("x", 200) + ">", "<" + strings.Repeat("x", 200) + ">"},
		{"", "developer"},
	} {
		if kind := contextKind(c.text); kind != c.kind {
			t.Errorf("%.40q has kind %q, want %q", c.text, kind, c.kind)
		}
	}
}

func TestWrapped(t *testing.T) {
	for text, want := range map[string]bool{
		"<system-reminder>x</system-reminder>":                                            true,
		" <command-name>/init</command-name>\n<command-message>init</command-message>\n ": true,
		"<system-reminder>x</system-reminder> and you?":                                   false,
		"<system-reminder>x":                       false,
		"<div>x</div>":                             false,
		"[Request interrupted by user]":            true,
		"[Request interrupted by user for tool]":   true,
		"[Request interrupted by user]: go on":     false,
		"":                                         false,
		"see <system-reminder>x</system-reminder>": false,
	} {
		if got := wrapped(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Marks of whole messages: one contextual part makes all of it contextual, in
// Claude Code's wrappers all texts must be some.
func TestMarks(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{
			"codex: two fragments in one message", `[{"type":"message","role":"user","content":[{"type":"input_text","text":"<skill>a</skill>"},{"type":"input_text","text":"<environment_context>b</environment_context>"}]}]`,
			`[0] user message | text "<skill>a</skill>" | text "<environment_context>b</environment_context>" [context=<environment_context>] [fragment]`,
		},
		{
			"codex: the first kind names it", `[{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>b</environment_context>"},{"type":"input_text","text":"# AGENTS.md instructions</INSTRUCTIONS>"}]}]`,
			`[0] user message | text "<environment_context>b</environment_context>" | text "# AGENTS.md instructions</INSTRUCTIONS>" [context=<environment_context>] [fragment]`,
		},
		{
			"codex: a fragment and a person's text", `[{"type":"message","role":"user","content":[{"type":"input_text","text":"<skill>a</skill>"},{"type":"input_text","text":"b"}]}]`,
			`[0] user message | text "<skill>a</skill>" | text "b" [fragment]`,
		},
		{"empty content is a person's", `[{"type":"message","role":"user","content":[]}]`, `[0] user message [empty] [real]`},
		{"codex fragments stand in chat too", `[{"role":"user","content":"<environment_context>b</environment_context>"}]`, `[0] user | text "<environment_context>b</environment_context>" [context=<environment_context>] [fragment]`},
		{
			"a reminder beside a person's text", `[{"role":"user","content":[{"type":"text","text":"<system-reminder>a</system-reminder>"},{"type":"text","text":"b"},{"type":"tool_result","tool_use_id":"t"}]}]`,
			`[0] user | text "<system-reminder>a</system-reminder>" | text "b" | result #t [real]`,
		},
		{"wrappers are Claude Code's", `[{"role":"user","content":"<system-reminder>a</system-reminder>","tool_calls":[{"id":"x"}]}]`, `[0] user | text "<system-reminder>a</system-reminder>" | call #x [real]`},
		{"a system message is no initial context", `[{"role":"system","content":"<environment_context>b</environment_context>"}]`, `[0] system | text "<environment_context>b</environment_context>"`},
	} {
		d := mustDecode(t, c.src, Options{})
		if got := show(&d.Items[0]); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
