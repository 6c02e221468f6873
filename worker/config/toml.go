package config

import (
	"errors"
	"math"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// parseTOML reads a text into tables.
func parseTOML(text string) (doc map[string]any, err error) {
	defer func() { // a parser that gives up on hostile text must not end the server
		if recover() != nil {
			doc, err = nil, bad(root, 0, "cannot be read as TOML")
		}
	}()
	err = toml.Unmarshal([]byte(text), &doc)
	if err == nil {
		return doc, nil
	}
	line := 0
	var where *toml.DecodeError
	if errors.As(err, &where) {
		line, _ = where.Position()
	}
	return nil, bad(root, line, "cannot be read as TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
}

// tomlValue is what stands at a path of tables.
func tomlValue(doc map[string]any, text string, path ...string) (value, bool) {
	v := value{path: root}
	var at any = doc
	for _, name := range path {
		table, ok := at.(map[string]any)
		if !ok {
			return v, false
		}
		if at, ok = table[name]; !ok {
			return v, false
		}
		v.path = below(v.path, name)
	}
	v.line = tomlLine(text, strings.Join(path, "."))
	switch x := at.(type) {
	case string:
		v.kind, v.text = isString, x
	case int64:
		v.kind, v.number = isInteger, x
	case bool:
		v.kind, v.yes = isBoolean, x
	case float64:
		v.kind = isNumber
	case []any:
		v.kind = isList
	case map[string]any:
		v.kind = isMap
	default:
		v.kind = isOther // a date or a time
	}
	return v, true
}

// tomlLine is the line in which a key is set, by its dotted path; 0 where it is
// not found, as in inline tables. Neither parser tells it.
func tomlLine(text, path string) int {
	table, open, number := "", "", 0
	for line := range strings.Lines(text) {
		number++
		if open != "" {
			if strings.Contains(line, open) {
				open = ""
			}
			continue
		}
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(strings.TrimPrefix(name, "["), "]")
			table = dotted(name) + "."
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && line[0] != '#' && strings.TrimPrefix(table, ".")+dotted(name) == path {
			return number
		}
		first := math.MaxInt
		for _, quotes := range []string{`"""`, `'''`} {
			if at := strings.Index(line, quotes); at >= 0 && at < first && strings.Count(line, quotes)%2 == 1 {
				first, open = at, quotes
			}
		}
	}
	return 0
}

// dotted is a key without blanks and quotes.
func dotted(key string) string {
	return strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(key)
}
