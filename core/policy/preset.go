package policy

import "encoding/json"

// Default is the name of the preset that runs where no policy is given.
const Default = "balanced"

const presetNames = "balanced lait codex prune"

// Preset is a policy under a name. Policy is the whole of it as JSON, one of
// the forms that Compile reads, and compiles to the same Policy as
// {"preset": Name} with any model.
type Preset struct {
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Policy json.RawMessage `json:"policy"`
}

// What prune leaves alone. Clearing breaks the provider's prompt cache, so one
// pass has to be worth a cold prompt; both numbers are those that coding agents
// ship with, and shrink with a small window. The count is the default of
// Anthropic's own clearing of tool uses, and so is the size at which it begins.
const (
	pruneKeep    = 3
	pruneProtect = 40000  // at most a quarter of the window
	pruneGain    = 20000  // at most an eighth of the window
	pruneTokens  = 100000 // or 80 % of a smaller window
)

// balancedTokens bounds the newest messages that balanced keeps: enough for
// the last steps of a task, in a small window at most a quarter of it.
const balancedTokens = 20000

// Presets lists the presets, the default first. Cost: a few hundred bytes,
// made anew each time.
func Presets() []Preset {
	return []Preset{
		{
			Name:  "balanced",
			Title: "Balanced: from 80 % of the context window on; the instructions, the initial context, the first user message and the newest 20,000 tokens (at most a quarter of the window) stay",
			// Without last_tokens, which depends on the model.
			Policy: json.RawMessage(`{"preset":"balanced","triggers":[{"fraction":0.8}],"scope":"total",` +
				`"keep":{"instructions":true,"initial_context":true,"first_user":true,"last_messages":0,"last_bytes":0,"last_turns":0,"user_tokens":0,"pins":[]},` +
				`"summary":{"role":"user","place":"after_instructions","prefix":"","prompt":"","model":"","language":"auto","max_tokens":0,"send_tools":"auto","on_failure":"error"},` +
				`"strict":false}`),
		},
		{
			Name:   "lait",
			Title:  "lait, its documented example: before every 6th round, or once a request had 60,000 prompt tokens; the instructions and the last 4 messages stay",
			Policy: json.RawMessage(`{"lait":{"trigger_rounds":6,"trigger_tokens":60000,"keep_last_n":4,"strict":false}}`),
		},
		{
			Name:  "codex",
			Title: "Codex, its defaults: from 90 % of the context window on; the initial context and the newest 20,000 tokens of user messages stay, the summary comes last",
			Policy: json.RawMessage(`{"codex":{"model_auto_compact_token_limit_scope":"total","implementation":"local",` +
				`"compact_prompt":"","summary_prefix":"","user_message_tokens":20000,"strict":false}}`),
		},
		{
			Name:  "prune",
			Title: "Prune: from 100,000 tokens or 80 % of the context window on; old tool results are cleared where that saves 20,000 tokens (at most an eighth of the window), the newest 3 and the newest 40,000 tokens (at most a quarter of the window) stay; no summary, no model",
			// Without protect_tokens and min_gain, which depend on the model.
			Policy: json.RawMessage(`{"preset":"prune","triggers":[{"tokens":100000},{"fraction":0.8}],"scope":"total",` +
				`"keep":{"all":true},` +
				`"tools":{"keep_last":3,"exclude":[],"keep_errors":true,"inputs":false,"reasoning":"keep","media":"keep"},` +
				`"strict":false}`),
		},
	}
}

// base is what all policies share before a form says more.
func base() Policy {
	return Policy{
		Usage:          Active,
		Scope:          Total,
		Counter:        "estimate",
		Implementation: "local",
		Summary: Summary{
			Role:      "user",
			Place:     "after_instructions",
			Language:  "auto",
			SendTools: "auto",
			OnFailure: "error",
		},
	}
}

// unlessSaid is what tools are cleared where a policy names the object but not
// all of its fields.
func unlessSaid() Tools {
	return Tools{KeepLast: pruneKeep, KeepErrors: true, Reasoning: "keep", Media: "keep"}
}

// preset is the policy that overrides start from.
func preset(name string, m *Model) Policy {
	switch name {
	case "lait":
		return laitConfig{rounds: 6, tokens: 60000, keep: laitKeep}.policy()
	case "codex":
		return codexDefaults().policy(m)
	}
	p := base()
	w := m.Window()
	p.Triggers = []Rule{{Fraction: 0.8}}
	p.Keep = Keep{Instructions: true, InitialContext: true, FirstUser: true, LastTokens: balancedTokens}
	if w > 0 {
		p.Keep.LastTokens = min(balancedTokens, w/4)
	}
	if name != "prune" {
		return p
	}
	// What folds where somebody switches keep.all off is what balanced folds.
	p.Triggers = []Rule{{Tokens: pruneTokens}, {Fraction: 0.8}}
	p.Keep.All = true
	t := unlessSaid()
	t.ProtectTokens, t.MinGain = pruneProtect, pruneGain
	if w > 0 {
		t.ProtectTokens, t.MinGain = min(pruneProtect, w/4), min(pruneGain, w/8)
	}
	p.Tools = &t
	return p
}
