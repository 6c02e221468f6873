package compact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// call is a call of a function and out its output of so many bytes.
func call(id string) string {
	return fmt.Sprintf(`{"type":"function_call","name":"exec","arguments":"{}","call_id":%q}`, id)
}

func out(id string, bytes int) string {
	return fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q,"success":false}`, id, strings.Repeat("o", bytes))
}

// Of the outputs at the end of a request that would not fit, newest first, only
// what they were is shown, until it fits; what stands before them is not touched.
func TestTrim(t *testing.T) {
	search := `{"type":"tool_search_output","call_id":"s","execution":"client","status":"completed","tools":[` + strings.Repeat(`{"name":"t"},`, 400) + `{"name":"t"}]}`
	for _, c := range []struct {
		name    string
		list    []string
		hard    int
		shorter []int // indices of the items that are shown shorter
		gone    []int // and of those that are not shown
	}{
		{"it fits", []string{user("a"), call("x"), out("x", 4000)}, 5000, nil, nil},
		{"nothing is known of the window", []string{user("a"), call("x"), out("x", 4000)}, 0, nil, nil},
		{"the newest is enough", []string{user("a"), call("x"), call("y"), out("x", 4000), out("y", 4000)}, 1500, []int{4}, nil},
		{"all of the last batch", []string{user("a"), call("x"), call("y"), out("x", 4000), out("y", 4000)}, 500, []int{3, 4}, nil},
		{"not one behind a call", []string{user("a"), call("x"), out("x", 4000), call("y"), out("y", 4000)}, 500, []int{4}, nil},
		{"not one behind a message", []string{user("a"), call("x"), out("x", 4000), user("b")}, 500, nil, nil},
		{"a short one stays, those before it do not", []string{user("a"), call("x"), call("y"), out("x", 4000), out("y", 1)}, 500, []int{3}, nil},
		{"the notice of a picture goes with it", []string{user("a"), call("x"), out("x", 4000), message("developer", text(resized))}, 500, []int{2}, []int{3}},
		{"a custom tool", []string{user("a"), `{"type":"custom_tool_call","name":"p","input":"i","call_id":"x"}`, strings.ReplaceAll(out("x", 4000), "function_call_output", "custom_tool_call_output")}, 500, []int{2}, nil},
		{"the tools that a search found", []string{user("a"), `{"type":"tool_search_call","call_id":"s","execution":"client","status":"completed","arguments":{}}`, search}, 500, []int{2}, nil},
	} {
		p := planOf(t, items(c.list...), policy.Policy{Retain: policy.Retain{Tokens: 100}})
		all := slices.Clone(p.Request.Items)
		p.Trim(c.hard)
		for i := range c.list {
			short, ok := p.Request.Instead[i]
			if ok != slices.Contains(c.shorter, i) {
				t.Errorf("%s: item %d is shortened: %v", c.name, i, ok)
			}
			gone := slices.Contains(c.gone, i)
			if shown := slices.Contains(p.Request.Items, i); shown == gone || !slices.Contains(all, i) {
				t.Errorf("%s: item %d is shown: %v", c.name, i, shown)
			}
			trimmed := p.Items[i].Fate == compact.Dropped && p.Items[i].Reason == compact.RequestTrimmed
			if trimmed != (ok || gone) {
				t.Errorf("%s: item %d is %s, %s", c.name, i, p.Items[i].Fate, p.Items[i].Reason)
			}
			if !ok {
				continue
			}
			raw := string(short.Raw)
			if strings.Contains(raw, "oooo") || strings.Contains(raw, `"name":"t"`) || !short.Has(transcript.Result) {
				t.Errorf("%s: item %d became %s", c.name, i, raw)
			}
			if it := &p.Transcript.Items[i]; strings.Contains(string(it.Raw), "success") != strings.Contains(raw, `"success":false`) {
				t.Errorf("%s: item %d lost what it says beside its output: %s", c.name, i, raw)
			}
		}
	}
	local := planOf(t, items(user("a"), call("x"), out("x", 4000)), policy.Policy{Implementation: policy.Local})
	if local.Trim(500); local.Request.Instead != nil {
		t.Error("a local request is trimmed: it can be sent with fewer items")
	}
}
