// Package config reads a policy out of another system's own configuration: a whole
// lait.config.yml, or a Codex config.toml. Only what says something about
// compaction is read; a near miss of that is an error, all else is ignored. The
// page reads the same texts in web/static/config.mjs, and the files in testdata
// hold both to the same answers.
package config

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core"
)

// maxText bounds a text, in bytes: the longest honest one that was seen has 20 KB.
const maxText = 256 << 10

// root is the path of the policy in a request.
const root = "policy"

// Policy reads a text, whichever of the two it is: YAML with default.compaction,
// or TOML with keys of Codex's. Every error is a *core.Error with the code
// invalid_policy, the path of the key behind "policy", and the line where that is
// known. Cost: each text is parsed twice.
func Policy(text string) (core.Config, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if len(text) > maxText {
		return core.Config{}, bad(root, 0, "is a text of %d bytes, the limit is %d", len(text), maxText)
	}
	y, yamlErr := parseYAML(text)
	t, tomlErr := parseTOML(text)
	lait := yamlErr == nil && y.isLait()
	codex := tomlErr == nil && isCodex(t)
	switch {
	case lait && codex:
		return core.Config{}, bad(root, 0, "can be read as a lait.config.yml and as a Codex config.toml: send the one that is meant as an object, %s", forms)
	case lait:
		c, err := y.readLait()
		if y.copied > maxCopied { // then what was read is not all that is there
			return core.Config{}, bad(root, 0, "merges (<<) more than %d names", maxCopied)
		}
		return c, err
	case codex:
		return readCodex(t, text)
	case json.Valid([]byte(text)):
		return core.Config{}, bad(root, 0, "is JSON in a string: send the object itself, %s", forms)
	case looksLikeTOML(text) && tomlErr != nil:
		return core.Config{}, tomlErr
	case !looksLikeTOML(text) && yamlErr != nil:
		return core.Config{}, yamlErr
	}
	return core.Config{}, bad(root, 0, "is a text with nothing about compaction: neither default.compaction, as in a lait.config.yml, nor one of %s, as in a Codex config.toml", series(codexKeys()))
}

// forms shows what a policy looks like.
const forms = `{"lait": {..}} or {"codex": {..}}`

// looksLikeTOML judges a text that could not be read by its first line that says
// something: a table, or a name with an equals sign.
func looksLikeTOML(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		equals, colon := strings.IndexByte(line, '='), strings.IndexByte(line, ':')
		return line[0] == '[' || equals > 0 && (colon < 0 || equals < colon)
	}
	return false
}

// bad is an error at a key that stands in a line; 0 is unknown.
func bad(path string, line int, format string, args ...any) *core.Error {
	message := fmt.Sprintf(format, args...)
	if line > 0 {
		message += fmt.Sprintf(" (line %d)", line)
	}
	return &core.Error{Code: "invalid_policy", Path: path, Message: message}
}

// meant is the one of ours that a name was probably meant to be, "" where it is
// one of them or none.
func meant(name string, ours []string) string {
	if slices.Contains(ours, name) {
		return ""
	}
	return core.Nearest(name, ours)
}

// miss is the error of a name that was meant to be near.
func miss(path, name string, line int, near string) error {
	return bad(below(path, name), line, "unknown field, did you mean %s?", near)
}

// below is the path of a member.
func below(path, name string) string {
	if plainName.MatchString(name) {
		return path + "." + name
	}
	return path + "[" + strconv.Quote(clip(name)) + "]"
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// clip is at most 40 letters of s.
func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

// series is a list in prose.
func series(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// kinds of values, as an error names them.
const (
	isNull    = "null"
	isBoolean = "true or false"
	isInteger = "an integer"
	isNumber  = "a number, but no plain integer"
	isString  = "a string"
	isList    = "a list"
	isMap     = "a table of names"
	isOther   = "something else"
)

// maxInteger is the largest integer that JSON carries everywhere.
const maxInteger = 1<<53 - 1

// value is one value of a config, in either language.
type value struct {
	kind   string
	text   string // of a string
	number int64  // of an integer
	yes    bool
	path   string
	line   int
}

func (v value) wrong(want string) error {
	what := v.kind
	if v.kind == isInteger {
		what = strconv.FormatInt(v.number, 10)
	}
	return bad(v.path, v.line, "is %s, must be %s", what, want)
}

func (v value) integer(low int64) (int64, error) {
	switch {
	case v.kind != isInteger || v.number < low:
		return 0, v.wrong(fmt.Sprintf("an integer of at least %d", low))
	case v.number > maxInteger:
		return 0, v.wrong(fmt.Sprintf("an integer of at most %d", maxInteger))
	}
	return v.number, nil
}

// words is a string that is not blank.
func (v value) words(want string) (string, error) {
	if v.kind == isString && strings.TrimSpace(v.text) == "" {
		return "", bad(v.path, v.line, "is blank, must be %s", want)
	}
	if v.kind != isString {
		return "", v.wrong(want)
	}
	return v.text, nil
}

// object is a JSON object whose members keep their order.
type object []byte

func (o *object) add(name string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	*o = append(*o, ","+strconv.Quote(name)+":"...)
	*o = append(*o, raw...)
	return nil
}

// in is the object as the one member of another.
func (o object) in(name string) json.RawMessage {
	return json.RawMessage(`{"` + name + `":{` + strings.TrimPrefix(string(o), ",") + `}}`)
}
