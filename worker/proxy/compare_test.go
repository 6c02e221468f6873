package proxy

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// differ shows the first place where got is not as want. A string
// {{SUMMARY}} stands for any that contains summary.
func differ(path string, got, want any, summary string) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		names := maps.Clone(want)
		maps.Copy(names, got)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			_, inGot := got[name]
			_, inWant := want[name]
			if inGot != inWant {
				return fmt.Sprintf("%s.%s: there is %v, expected is %v", path, name, inGot, inWant)
			}
			if d := differ(path+"."+name, got[name], want[name], summary); d != "" {
				return d
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok {
			break
		}
		for i := range min(len(got), len(want)) {
			if d := differ(fmt.Sprintf("%s[%d]", path, i), got[i], want[i], summary); d != "" {
				return d
			}
		}
		if len(got) != len(want) {
			return fmt.Sprintf("%s has %d elements, expected %d", path, len(got), len(want))
		}
		return ""
	case string:
		if text, ok := got.(string); ok && (text == want || want == "{{SUMMARY}}" && strings.Contains(text, summary)) {
			return ""
		}
	default:
		if reflect.DeepEqual(got, want) {
			return ""
		}
	}
	return fmt.Sprintf("%s is %.200q, expected %.200q", path, fmt.Sprint(got), fmt.Sprint(want))
}

// plainItems takes the ids off and joins the text parts of each message, so
// that a text in three parts equals the same text in one.
func plainItems(items []any) any {
	out := []any{}
	for _, item := range items {
		m, ok := item.(map[string]any)
		if !ok {
			out = append(out, item)
			continue
		}
		delete(m, "id")
		if parts, ok := m["content"].([]any); ok {
			m["content"] = joinText(parts)
		}
		out = append(out, m)
	}
	return out
}

func joinText(parts []any) []any {
	var out []any
	for _, part := range parts {
		p, ok := part.(map[string]any)
		text, isText := p["text"].(string)
		if ok && isText && len(out) > 0 {
			last, _ := out[len(out)-1].(map[string]any)
			if before, ok := last["text"].(string); ok && last["type"] == p["type"] {
				last["text"] = before + text
				continue
			}
		}
		out = append(out, part)
	}
	return out
}

// The comparison itself must be able to fail.
func TestDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		got, want string
		same      bool
	}{
		{`[{"a":1,"b":null}]`, `[{"b":null,"a":1}]`, true},
		{`[{"a":1}]`, `[{"a":1,"b":null}]`, false},
		{`[{"a":1,"b":null}]`, `[{"a":1}]`, false},
		{`[1]`, `[1,2]`, false},
		{`[1,2]`, `[1]`, false},
		{`[1]`, `[2]`, false},
		{`{"a":"x"}`, `["x"]`, false},
		{`["x"]`, `{"a":"x"}`, false},
		{`null`, `"x"`, false},
		{`"<<the work>>"`, `"{{SUMMARY}}"`, true},
		{`"the wor"`, `"{{SUMMARY}}"`, false},
		{`["the work"]`, `"{{SUMMARY}}"`, false},
	} {
		var got, want any
		read(t, []byte(c.got), &got)
		read(t, []byte(c.want), &want)
		if d := differ("x", got, want, "the work"); (d == "") != c.same {
			t.Errorf("%s against %s: %q", c.got, c.want, d)
		}
	}
	var parts []any
	read(t, []byte(`[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"},{"type":"input_image"},{"type":"input_text","text":"c"}]`), &parts)
	if got := fmt.Sprint(joinText(parts)); got != "[map[text:ab type:input_text] map[type:input_image] map[text:c type:input_text]]" {
		t.Errorf("text parts are joined to %s", got)
	}
}
