package tokens

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// The name of a chat message counts wherever it stands in the message, and no
// other name does.
func TestNamesOfMessages(t *testing.T) {
	c := Estimate()
	is := named + c.Count("grep_tool")
	for _, x := range []struct {
		name, raw string
		parts     []string // texts of raw that are parts, in their order
		shown     string
		want      int
	}{
		{"first", `{"name":"grep_tool","role":"tool","content":"out"}`, []string{`"out"`}, "", is},
		{"last", `{"role":"tool","content":"out","name":"grep_tool"}`, []string{`"out"`}, "", is},
		{"between parts", `{"role":"user","content":"out","name":"grep_tool","refusal":"no"}`, []string{`"out"`, `"no"`}, "", is},
		{"parts in another order", `{"role":"user","reasoning":"r","name":"grep_tool","content":"out"}`, []string{`"out"`, `"r"`}, "", is},
		{"no parts", `{"role":"user","name":"grep_tool"}`, nil, "", is},
		{"behind what is not sent", `{"role":"tool","extra":{"a":1},"content":"out","name":"grep_tool"}`, []string{`"out"`}, `{"role":"tool","content":"out","name":"grep_tool"}`, is},
		{"not sent", `{"role":"tool","content":"out","extra":{"name":"grep_tool"}}`, []string{`"out"`}, `{"role":"tool","content":"out"}`, 0},
		{"left out of what is sent", `{"role":"tool","content":"out","name":"grep_tool"}`, []string{`"out"`}, `{"role":"tool","content":"out"}`, 0},
		{"of a part", `{"role":"user","content":[{"type":"text","text":"out","name":"grep_tool"}]}`, []string{`{"type":"text","text":"out","name":"grep_tool"}`}, "", 0},
		{"in a text", `{"role":"user","content":"the \"name\": \"grep_tool\""}`, []string{`"the \"name\": \"grep_tool\""`}, "", 0},
		{"of something else", `{"role":"user","content":"out","tool":{"name":"grep_tool"}}`, []string{`"out"`}, "", 0},
		{"no text", `{"role":"user","content":"out","name":7}`, []string{`"out"`}, "", 0},
	} {
		it := transcript.Item{Raw: []byte(x.raw), Role: transcript.User}
		if x.shown != "" {
			it.Shown = []byte(x.shown)
		}
		for _, p := range x.parts {
			at := strings.Index(x.raw, p)
			it.Parts = append(it.Parts, transcript.Part{Kind: transcript.Text, Start: at, End: at + len(p)})
		}
		if got := nameTokens(&it, c); got != x.want {
			t.Errorf("%s: %d, want %d", x.name, got, x.want)
		}
	}
}
