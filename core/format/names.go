package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/nearest"
	"github.com/tamp-dev/tamp/core/transcript"
)

// names are all names that a format may have on the wire, built or not.
func names() []string {
	return []string{
		"openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse", "gemini-contents", "gemini-cli",
		"ai-sdk-ui", "ai-sdk-model", "langchain", "codex-rollout", "codex-exec", "claude-code", "opencode", "cline", "pi",
		"swe-agent", "mini-swe-agent", "openhands", "atif", "sharegpt", "chatgpt-export", "plain-text",
	}
}

// Auto is the name that asks for detection, as "" does.
const Auto = "auto"

// quoted is how much of a name that somebody sent an error repeats.
const quoted = 40

func checkName(name string) error {
	if name == "" || name == Auto || find(name) != nil {
		return nil
	}
	for _, n := range names() {
		if n == name {
			return &transcript.Error{Code: "unsupported_format", Path: "format", Message: name + " is not supported yet, supported are " + supported()}
		}
	}
	msg := "unknown format \"" + clip(name, quoted) + "\""
	if near := meant(name); near != "" {
		msg += ", did you mean " + near + "?"
	} else {
		msg += ", supported are " + supported()
	}
	return &transcript.Error{Code: "unknown_format", Path: "format", Message: msg}
}

func supported() string {
	var all []string
	for _, f := range registry() {
		all = append(all, f.Name)
	}
	return strings.Join(all, ", ")
}

// unsupported is the error for content that is known but can not be read yet.
func unsupported(name, sign string) error {
	return &transcript.Error{
		Code: "unsupported_format", Path: "transcript",
		Message: "is " + name + " (" + sign + "), which is not supported yet; supported are " + supported(),
	}
}

// clip cuts s to at most n bytes at a character boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// meant is the name that was probably meant, or "": one that holds the word
// ("anthropic", "claude", "codex"), else the nearest. Longer words than 40 bytes
// are not looked at, so the cost is bounded.
func meant(name string) string {
	word := strings.NewReplacer("_", "-", " ", "-", ".", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
	if len(word) > quoted {
		return ""
	}
	for _, n := range names() {
		if n == word || len(word) >= 3 && strings.Contains(n, word) {
			return n
		}
	}
	return nearest.Name(word, names(), nil)
}
