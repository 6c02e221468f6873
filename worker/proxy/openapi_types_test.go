package proxy

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// The schemas and the engine's own types say the same, member for member.
func TestOpenAPIAgreesWithTheTypes(t *testing.T) {
	t.Parallel()
	a := agreement{t: t, schemas: loadDocument(t).Components.Schemas, seen: map[string]bool{}}
	a.check("Request", ref("Request"), reflect.TypeFor[core.Request](), false)
	for name, typ := range map[string]reflect.Type{
		"PlanResult": reflect.TypeFor[core.PlanResult](), "CompactResult": reflect.TypeFor[core.CompactResult](),
		"CountResult": reflect.TypeFor[core.CountResult](), "FormatsResult": reflect.TypeFor[core.FormatsResult](), "PresetsResult": reflect.TypeFor[core.PresetsResult](),
		"Error": reflect.TypeFor[errorBody](), "Health": reflect.TypeFor[health](),
	} {
		a.check(name, ref(name), typ, true)
	}
	// Policies are JSON to the types, so their schemas are reached by none.
	for _, name := range []string{"Policy", "LaitPolicy", "CodexPolicy", "TampPolicy", "Rule", "Keep", "Tools", "Pin", "SummaryPolicy"} {
		a.seen[name] = true
	}
	for name := range a.schemas {
		if !a.seen[name] {
			t.Errorf("schema %s is used by nothing that is sent", name)
		}
	}
}

func ref(name string) map[string]any { return map[string]any{"$ref": "#/components/schemas/" + name} }

type agreement struct {
	t       *testing.T
	schemas map[string]any
	seen    map[string]bool
}

// check walks a type and its schema side by side. The members that the engine
// always writes must be required where the schema is that of an answer.
func (a agreement) check(path string, schema map[string]any, typ reflect.Type, answer bool) {
	if typ == reflect.TypeFor[json.RawMessage]() {
		return // any JSON
	}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	schema = a.resolve(path, schema)
	properties, _ := schema["properties"].(map[string]any)
	want := map[reflect.Kind]string{
		reflect.String: "string", reflect.Int: "integer", reflect.Int64: "integer", reflect.Float64: "number",
		reflect.Bool: "boolean", reflect.Slice: "array", reflect.Map: "object", reflect.Struct: "object",
	}[typ.Kind()]
	if got := fmt.Sprint(schema["type"]); want == "" || got != want && got != "["+want+" null]" {
		a.t.Errorf("%s: the schema says %s, the type is %s", path, got, typ)
	}
	switch typ.Kind() {
	case reflect.Slice:
		a.check(path+"[]", schema["items"].(map[string]any), typ.Elem(), answer)
	case reflect.Map:
		a.check(path+"{}", schema["additionalProperties"].(map[string]any), typ.Elem(), answer)
	case reflect.Struct:
		members := membersOf(typ)
		for name, m := range members {
			child, ok := properties[name].(map[string]any)
			if !ok {
				a.t.Errorf("%s.%s is not described", path, name)
				continue
			}
			required, _ := schema["required"].([]any)
			if answer && slices.Contains(required, any(name)) == m.optional {
				a.t.Errorf("%s.%s: required is %v, but the engine may leave it out: %v", path, name, !m.optional, m.optional)
			}
			a.check(path+"."+name, child, m.typ, answer)
		}
		for name := range properties {
			if _, ok := members[name]; !ok {
				a.t.Errorf("%s.%s is described, but no such member is there", path, name)
			}
		}
	default: // a plain value, compared above
	}
}

// resolve follows references, and takes the alternatives of a oneOf as one
// object with the members of all.
func (a agreement) resolve(path string, schema map[string]any) map[string]any {
	if ref, ok := schema["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		a.seen[name] = true
		found, ok := a.schemas[name].(map[string]any)
		if !ok {
			a.t.Fatalf("%s: %s is not there", path, ref)
		}
		return a.resolve(path, found)
	}
	alternatives, ok := schema["oneOf"].([]any)
	if !ok {
		return schema
	}
	var merged map[string]any
	properties := map[string]any{}
	for _, alternative := range alternatives {
		one := a.resolve(path, alternative.(map[string]any))
		if one["type"] == "null" {
			continue
		}
		merged = maps.Clone(one)
		if p, ok := one["properties"].(map[string]any); ok {
			maps.Copy(properties, p)
		}
	}
	merged["properties"] = properties
	return merged
}

type wireMember struct {
	typ      reflect.Type
	optional bool
}

// membersOf lists what a type writes on the wire. The one member that is
// spliced in by hand is the transcript.
func membersOf(typ reflect.Type) map[string]wireMember {
	out := map[string]wireMember{}
	for f := range typ.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() {
			continue
		}
		if f.Name == "Transcript" {
			out["transcript"] = wireMember{reflect.TypeFor[json.RawMessage](), false}
		} else if name != "-" {
			out[name] = wireMember{f.Type, options == "omitempty"}
		}
	}
	return out
}
