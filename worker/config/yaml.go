package config

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML is the one document of a text. Names that stand twice are refused,
// since nobody can tell which one counts.
func parseYAML(text string) (doc *document, err error) {
	defer func() { // a parser that gives up on hostile text must not end the server
		if recover() != nil {
			doc, err = nil, bad(root, 0, "cannot be read as YAML")
		}
	}()
	d := yaml.NewDecoder(strings.NewReader(text))
	var n, more yaml.Node
	switch err := d.Decode(&n); {
	case errors.Is(err, io.EOF):
		return &document{}, nil
	case err != nil:
		return nil, badYAML(err)
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, badYAML(err)
		}
		return nil, bad(root, 0, "holds more than one YAML document")
	}
	return &document{top: n.Content[0], seen: map[*yaml.Node][]member{}}, once(n.Content[0])
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// badYAML takes the line out of the parser's words.
func badYAML(err error) error {
	words, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if m := yamlLine.FindStringSubmatch(words); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			words, line = words[len(m[0]):], n
		}
	}
	return bad(root, line, "cannot be read as YAML: %s", words)
}

// once refuses a mapping with a name that stands twice in it.
func once(n *yaml.Node) error {
	seen := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode {
			if seen[child.Value] {
				return bad(root, child.Line, "cannot be read as YAML: %q stands twice", clip(child.Value))
			}
			seen[child.Value] = true
		}
		if err := once(child); err != nil {
			return err
		}
	}
	return nil
}

// follow is the node that an alias stands for.
func follow(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// document is a parsed text. Merges (<<) are followed once for each mapping.
type document struct {
	top    *yaml.Node // nil where the text holds nothing
	seen   map[*yaml.Node][]member
	copied int // members that merges brought in
}

// maxCopied bounds them: a text of 256 KiB can ask for billions.
const maxCopied = 10_000

// member is one name of a mapping with its value.
type member struct{ key, value *yaml.Node }

// members are those of a mapping, its own before those that it merges in.
func (d *document) members(n *yaml.Node) []member {
	n = follow(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	if known, ok := d.seen[n]; ok {
		return known
	}
	d.seen[n] = nil // a mapping that merges itself adds nothing to itself
	var own, merged []member
	has := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], follow(n.Content[i+1])
		switch {
		case key.Kind != yaml.ScalarNode:
		case key.Value != "<<" || !plain(key):
			own = append(own, member{key, value})
			has[key.Value] = true
		case value.Kind == yaml.SequenceNode:
			for _, one := range value.Content {
				merged = d.merge(merged, one)
			}
		default:
			merged = d.merge(merged, value)
		}
	}
	for _, m := range merged {
		if !has[m.key.Value] {
			has[m.key.Value] = true
			own = append(own, m)
		}
	}
	d.seen[n] = own
	return own
}

func (d *document) merge(to []member, n *yaml.Node) []member {
	more := d.members(n)
	if d.copied += len(more); d.copied > maxCopied {
		return to
	}
	return append(to, more...)
}

func (d *document) get(n *yaml.Node, name string) (member, bool) {
	for _, m := range d.members(n) {
		if m.key.Value == name {
			return m, true
		}
	}
	return member{}, false
}

// plain reports whether a scalar was written without quotes and without a tag.
func plain(n *yaml.Node) bool {
	const other = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	return n.Style&other == 0
}

var (
	yamlInteger = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	yamlNumber  = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$|^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$|^0o[0-7]+$|^0x[0-9a-fA-F]+$`)
)

// valueOf is the value of a member at its path. Plain words are read as the core
// schema of YAML 1.2 has them, whatever the parser makes of them: 1.1 takes 014
// for 12.
func valueOf(m member, path string) value {
	n := m.value
	v := value{path: path, line: m.key.Line, kind: isOther}
	switch {
	case n == nil || n.Kind == 0:
	case n.Kind == yaml.MappingNode:
		v.kind = isMap
	case n.Kind == yaml.SequenceNode:
		v.kind = isList
	case n.Kind != yaml.ScalarNode || n.Style&yaml.TaggedStyle != 0:
	case !plain(n):
		v.kind, v.text = isString, n.Value
	default:
		v.read(n.Value)
	}
	return v
}

// read takes a plain word.
func (v *value) read(word string) {
	switch word {
	case "", "~", "null", "Null", "NULL":
		v.kind = isNull
		return
	case "true", "True", "TRUE", "false", "False", "FALSE":
		v.kind, v.yes = isBoolean, word[0] == 't' || word[0] == 'T'
		return
	}
	switch {
	case yamlInteger.MatchString(word):
		n, err := strconv.ParseInt(word, 10, 64)
		v.kind, v.number = isInteger, n
		if err != nil {
			v.kind = fmt.Sprintf("an integer of %d digits", len(strings.TrimLeft(word, "+-")))
		}
	case yamlNumber.MatchString(word):
		v.kind = isNumber
	default:
		v.kind, v.text = isString, word
	}
}
