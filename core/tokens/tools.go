package tokens

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// What OpenAI's models are sent for tool definitions is not their JSON, but a
// declaration in a language of types. The OpenAI Cookbook gives its tokens by a
// formula, with constants for each vocabulary that were found by experiment;
// it is "an estimate, not a timeless guarantee".
const (
	funcInit      = 7  // gpt-4o and everything else with o200k_base
	funcInitOlder = 10 // gpt-4, gpt-3.5: cl100k_base
	propInit      = 3
	propKey       = 3
	enumInit      = -3
	enumItem      = 3
	funcEnd       = 12 // once, behind the last one
)

// toolCounter counts definitions by the formula.
type toolCounter struct {
	Counter
	init int
}

// toolTokens is what the request's tools weigh: by the formula for the models
// that it holds for, else by their compact JSON and what the provider adds.
// Cost: linear.
func toolTokens(tools []byte, c Counter) int {
	m := modelOf(c)
	if len(tools) == 0 {
		return 0
	}
	var list rawjson.Value
	v, err := rawjson.Parse(tools)
	if err == nil {
		list = v
	}
	switch {
	case list.Is(rawjson.Null), list.Is(rawjson.Array) && list.Len() == 0:
		return 0
	case m == nil || m.Encoding == "" || !list.Is(rawjson.Array):
		n := c.Count(unspaced(tools))
		if m != nil {
			n += max(0, m.ToolPrompt)
		}
		return n
	}
	tc := toolCounter{Counter: c, init: funcInit}
	if m.Encoding != "o200k_base" {
		tc.init = funcInitOlder
	}
	n, functions := 0, false
	for tool := range list.Elems() {
		f := tool
		if inner := tool.Get("function"); inner.Is(rawjson.Object) {
			f = inner
		}
		if !f.Get("name").Is(rawjson.String) || tool.Is(rawjson.Object) && custom(tool) {
			n += c.Count(unspaced(tool.Raw())) // the provider's own tool, a grammar
			continue
		}
		functions = true
		n += tc.function(f)
	}
	if functions {
		n += funcEnd
	}
	return n
}

// custom says whether a tool is none with parameters by schema.
func custom(tool rawjson.Value) bool {
	switch kind, ok := tool.Get("type").Str(); {
	case !ok, kind == "function":
		return false
	}
	return true
}

func (tc toolCounter) function(f rawjson.Value) int {
	n := tc.init + tc.Count(f.Get("name").Text()+":"+sentence(f.Get("description")))
	schema := f.Get("parameters")
	if !schema.Exists() {
		schema = f.Get("input_schema")
	}
	n += tc.properties(schema)
	for _, more := range []string{"$defs", "definitions"} {
		if defs := schema.Get(more); defs.Exists() {
			n += tc.Count(unspaced(defs.Raw()))
		}
	}
	return n
}

// properties is those of an object's schema. The formula ends at their first
// level; nested ones are taken for the same again.
func (tc toolCounter) properties(schema rawjson.Value) int {
	list := schema.Get("properties")
	if !list.Is(rawjson.Object) || list.Len() == 0 {
		return 0
	}
	n := propInit
	for name, p := range list.Members() {
		n += propKey + tc.Count(name+":"+typeOf(p)+":"+sentence(p.Get("description"))) + tc.schema(p)
	}
	return n
}

// schema is what a schema holds beside its type and description.
func (tc toolCounter) schema(p rawjson.Value) int {
	n := 0
	if enum := p.Get("enum"); enum.Is(rawjson.Array) && enum.Len() > 0 {
		n += enumInit
		for item := range enum.Elems() {
			text, ok := item.Str()
			if !ok {
				text = string(item.Raw())
			}
			n += enumItem + tc.Count(text)
		}
	}
	n += tc.properties(p)
	if items := p.Get("items"); items.Is(rawjson.Object) {
		n += tc.Count(typeOf(items)+":"+sentence(items.Get("description"))) + tc.schema(items)
	}
	for _, more := range []string{"anyOf", "oneOf", "allOf"} {
		if alternatives := p.Get(more); alternatives.Exists() {
			n += tc.Count(unspaced(alternatives.Raw()))
		}
	}
	return n
}

// typeOf is a schema's type as the declaration writes it.
func typeOf(p rawjson.Value) string {
	t := p.Get("type")
	if text, ok := t.Str(); ok {
		return text
	}
	var names []string
	for e := range t.Elems() {
		names = append(names, e.Text())
	}
	return strings.Join(names, "|")
}

// sentence is a description without its full stop, which the declaration does
// not have.
func sentence(v rawjson.Value) string {
	text, _ := v.Str()
	return strings.TrimSuffix(text, ".")
}
