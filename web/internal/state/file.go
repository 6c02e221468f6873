package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/source"
)

// A policy from a file: JSON goes to the engine as it is, a text of another
// system's configuration as a string. What such a text says is found out by
// JavaScript, since a parser of YAML would double what the page loads; the engine
// asks for it with the text.

// Config is what was found out about a text.
type Config struct {
	Text   string
	Answer []byte // of config.mjs
	Err    error  // why there is none
}

// filed is the policy of the file's control.
func (v Values) filed() string {
	text := strings.TrimSpace(v[KeyFile])
	switch {
	case text == "":
		return "{}"
	case isObject(text):
		return text
	}
	return quote(v[KeyFile])
}

func isObject(text string) bool { return text[0] == '{' && source.One([]byte(text)) }

// unread is the text that must be read before the engine can be asked.
func (s State) unread() (string, bool) {
	text := s.Values[KeyFile]
	trimmed := strings.TrimSpace(text)
	if s.Values[KeySystem] != FromFile || trimmed == "" || isObject(trimmed) || s.config == text {
		return "", false
	}
	return text, true
}

// Read is what Engine.Configs wants to know. It is asked for that text only.
func (c Config) Read(text string) (core.Config, error) {
	if c.Err != nil || c.Text != text {
		message := "can not be read here: the two parsers for such texts are not there; give the policy as JSON"
		return core.Config{}, &core.Error{Code: "invalid_policy", Path: "policy", Message: message}
	}
	var w struct {
		Policy json.RawMessage       `json:"policy"`
		Models map[string]core.Alias `json:"models"`
		Model  string                `json:"model"`
		Error  *struct {
			Path    string `json:"path"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(c.Answer, &w); err != nil {
		return core.Config{}, fmt.Errorf("what the text says cannot be read: %w", err)
	}
	if w.Error != nil {
		return core.Config{}, &core.Error{Code: "invalid_policy", Path: w.Error.Path, Message: w.Error.Message}
	}
	return core.Config{Policy: w.Policy, Models: w.Models, Model: w.Model}, nil
}

// problem is why the engine refused. All that is wrong with a policy from a file
// belongs to its one control.
func (s State) problem(err error) *Problem {
	p := newProblem(err, s.Source.Text)
	var e *core.Error
	if s.Values[KeySystem] == FromFile && errors.As(err, &e) && (e.Path == "policy" || strings.HasPrefix(e.Path, "policy.") || strings.HasPrefix(e.Path, "policy[")) {
		p.Marks, p.Loose = map[string]string{KeyFile: p.Sentence()}, false
	}
	return p
}
