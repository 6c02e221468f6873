package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core"
)

// The names of Codex's that are read.
const (
	keyWindow  = "model_context_window"
	keyLimit   = "model_auto_compact_token_limit"
	keyScope   = "model_auto_compact_token_limit_scope"
	keyPrompt  = "compact_prompt"
	keyFile    = "experimental_compact_prompt_file"
	keyModel   = "model"
	tableFlags = "features"
	flagRemote = "remote_compaction_v2"
)

func codexKeys() []string {
	return []string{keyWindow, keyLimit, keyScope, keyPrompt, keyFile, keyModel}
}

// flagNames has the flag that is read, and the one that it took the place of,
// which is no near miss of it.
func flagNames() []string { return []string{flagRemote, "remote_compaction"} }

// isCodex reports whether a document has a key of ours, or one that is nearly
// called so.
func isCodex(doc map[string]any) bool {
	for name := range doc {
		if core.Nearest(name, codexKeys()) != "" {
			return true
		}
	}
	flags, _ := doc[tableFlags].(map[string]any)
	for name := range flags {
		if core.Nearest(name, flagNames()) == flagRemote {
			return true
		}
	}
	return false
}

// readCodex reads what a config.toml says about compaction.
func readCodex(doc map[string]any, text string) (core.Config, error) {
	none := core.Config{}
	for _, name := range slices.Sorted(maps.Keys(doc)) {
		if near := meant(name, codexKeys()); near != "" {
			return none, miss(root, name, tomlLine(text, name), near)
		}
	}
	flags, _ := doc[tableFlags].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if near := meant(name, flagNames()); near == flagRemote {
			return none, miss(below(root, tableFlags), name, tomlLine(text, tableFlags+"."+name), near)
		}
	}
	if v, ok := tomlValue(doc, text, keyFile); ok {
		return none, bad(v.path, v.line, "names a file, and none is read here: put its text into %s", keyPrompt)
	}
	var policy object
	for _, name := range []string{keyWindow, keyLimit} {
		if v, ok := tomlValue(doc, text, name); ok {
			n, err := v.integer(1)
			if err != nil {
				return none, err
			}
			if err := policy.add(name, n); err != nil {
				return none, err
			}
		}
	}
	if v, ok := tomlValue(doc, text, keyScope); ok {
		if v.kind != isString || v.text != "total" && v.text != "body_after_prefix" {
			return none, v.wrong(`"total" or "body_after_prefix"`)
		}
		if err := policy.add(keyScope, v.text); err != nil {
			return none, err
		}
	}
	if v, ok := tomlValue(doc, text, tableFlags, flagRemote); ok {
		if v.kind != isBoolean {
			return none, v.wrong("true or false")
		}
		if err := policy.add("implementation", implementation(v.yes, compacts(doc))); err != nil {
			return none, err
		}
	}
	if v, ok := tomlValue(doc, text, keyPrompt); ok {
		if v.kind != isString {
			return none, v.wrong("a string")
		}
		if err := policy.add(keyPrompt, v.text); err != nil {
			return none, err
		}
	}
	config := core.Config{Policy: policy.in("codex")}
	if v, ok := tomlValue(doc, text, keyModel); ok {
		var err error
		if config.Model, err = v.words("the id of a model, not blank"); err != nil {
			return none, err
		}
	}
	return config, nil
}

// implementation is how Codex compacts with that flag. Without the flag in the
// text the policy's own default stays, which asks no provider for anything that
// it may not have.
func implementation(flag, able bool) string {
	switch {
	case !able:
		return "local"
	case flag:
		return "remote"
	}
	return "remote_v1"
}

// compacts reports whether Codex would ask the configured provider to compact:
// OpenAI itself, Azure, Bedrock.
func compacts(doc map[string]any) bool {
	id, ok := doc["model_provider"].(string)
	if !ok || id == "openai" || id == "amazon-bedrock" {
		return true
	}
	providers, _ := doc["model_providers"].(map[string]any)
	provider, _ := providers[id].(map[string]any)
	name, _ := provider["name"].(string)
	url, _ := provider["base_url"].(string)
	if name == "OpenAI" || strings.EqualFold(name, "azure") {
		return true
	}
	for _, part := range []string{"openai.azure.", "cognitiveservices.azure.", "aoai.azure.", "azure-api.", "azurefd.", "windows.net/openai"} {
		if strings.Contains(url, part) {
			return true
		}
	}
	return false
}
