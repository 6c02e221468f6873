package compact_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// items are Responses items as a list.
func items(of ...string) string { return "[" + strings.Join(of, ",") + "]" }

func message(role string, parts ...string) string {
	return fmt.Sprintf(`{"type":"message","role":%q,"content":[%s]}`, role, strings.Join(parts, ","))
}

func text(s string) string { return fmt.Sprintf(`{"type":"input_text","text":%q}`, s) }

func user(s string) string { return message("user", text(s)) }

// image is an inline picture: 1,844 tokens, a quarter of Codex's 7,373 bytes.
const (
	image       = `{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}`
	linked      = `{"type":"input_image","image_url":"https://example.com/a.png"}`
	imageTokens = 1844
)

func agent(author, recipient, said string) string {
	return fmt.Sprintf(`{"type":"agent_message","author":%q,"recipient":%q,"content":[%s]}`, author, recipient, text(said))
}

const resized = "<image_resize_notice>scaled to 768 px</image_resize_notice>"

// planOf plans a history under a remote policy with that budget.
func planOf(t *testing.T, list string, p policy.Policy) *compact.Plan {
	t.Helper()
	d, err := format.Decode([]byte(list), format.Options{Format: "openai-responses"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Implementation == "" {
		p.Implementation = policy.Remote
	}
	if p.Retain.AgentTokens == 0 {
		p.Retain.AgentTokens = 10000
	}
	p.Keep.Instructions, p.Keep.InitialContext = true, true
	p.Summary.Role, p.Summary.Place = "user", "end"
	summary.Mark(&p, d.Transcript)
	c := tokens.Bytes4()
	return compact.NewPlan(d.Transcript, &p, c, tokens.Measure(d.Transcript, c), "")
}

// shape is the output in words: who speaks, and each of its parts.
func shape(t *testing.T, p *compact.Plan, s *compact.Step) []string {
	t.Helper()
	entries, _ := p.Apply(s, &trigger.Decision{})
	var out []string
	for _, e := range entries {
		it := e.New
		if it == nil {
			it = &p.Transcript.Items[e.From]
		}
		var parts []string
		for _, part := range it.Parts {
			switch part.Kind {
			case transcript.Text, transcript.Opaque, transcript.Other:
				parts = append(parts, part.Text)
			default:
				parts = append(parts, "["+part.Kind.String()+"]")
			}
		}
		who := it.Type
		if who == "message" {
			who = string(it.Role)
		}
		out = append(out, who+": "+strings.Join(parts, " | "))
	}
	return out
}

// What stays beside an opaque summary. The figures of strict are those of Codex's
// own tests (spec, section 6.3): three bytes or more are a token, a picture is
// none; beside them stands what tamp makes of it.
func TestRetain(t *testing.T) {
	env := user("<environment_context>" + strings.Repeat("x", 400) + "</environment_context>")
	const done = "compaction: SEALED"
	for _, c := range []struct {
		name   string
		budget int
		list   string
		strict []string // the original's
		want   []string // nil: the same
	}{
		{
			"the first that does not fit is cut, older ones go", 3, items(user("old-old"), user("middle1234"), user("new")),
			[]string{"user: midd…1 tokens truncated…1234", "user: new", done},
			nil,
		},
		{
			"texts are cut part by part, the picture costs nothing", 3, items(message("user", text("abcdef"), image, text("uvwxyz"))),
			[]string{"user: abcdef | [image] | uv…1 tokens truncated…yz", done},
			// It does not fit, and what fits is taken in order.
			[]string{"user: abcdef | uv…1 tokens truncated…yz", done},
		},
		{
			"a picture alone takes a token", 2, items(user("old"), message("user", image), user("new")),
			[]string{"user: [image]", "user: new", done},
			// There is no room for it: the older message takes what it leaves.
			[]string{"user: old", "user: new", done},
		},
		{"nothing is left for a picture alone", 1, items(message("user", image), user("new")), []string{"user: new", done}, nil},
		{
			"a picture and what it counts", imageTokens + 1, items(user("old"), message("user", image), user("new")),
			[]string{"user: old", "user: [image]", "user: new", done},
			[]string{"user: [image]", "user: new", done},
		},
		{
			"a link shows a picture, too", imageTokens, items(message("user", linked), user("new")),
			[]string{"user: [image]", "user: new", done},
			[]string{"user: new", done},
		},
		{
			"as many pictures as fit", 2*imageTokens + 2, items(message("user", text("look"), image, image, image), user("new")),
			[]string{"user: look | [image] | [image] | [image]", "user: new", done},
			[]string{"user: look | [image] | [image]", "user: new", done},
		},
		{
			"a label goes with its picture", 4, items(message("user", text("<image name=a>"), image, text("</image>"), text("look")), user("new")),
			// Three tokens are twelve of its 14 bytes, and no text behind it stays.
			[]string{"user: <image…1 tokens truncated…ame=a> | [image]", "user: new", done},
			[]string{"user: look", "user: new", done},
		},
		{
			"context and instructions are no messages of the budget", 2,
			items(user("one"), message("developer", text("<permissions>"+strings.Repeat("x", 400))), env, user("two"), message("assistant", text("ok"))),
			[]string{"user: one", "developer: <permissions>" + strings.Repeat("x", 400), "user: <environment_context>" + strings.Repeat("x", 400) + "</environment_context>", "user: two", done},
			nil,
		},
		{
			"all else goes, an old compaction too", 9,
			items(user("hi"), message("assistant", text("one")), message("assistant", text("two")),
				`{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`, `{"type":"function_call_output","call_id":"c","output":"x"}`,
				`{"type":"compaction","encrypted_content":"OLD"}`, message("assistant", text("three"))),
			[]string{"user: hi", done},
			nil,
		},
		{
			"an old summary of a text", 1000, items(user(summary.UserPrefix+"\nIt went well."), user("hi"), message("assistant", text("one"))),
			// The original takes it for a person's message, for good.
			[]string{"user: " + summary.UserPrefix + "\nIt went well.", "user: hi", done},
			[]string{"user: hi", done},
		},
		{
			"of hooks and agents", 1000, items(
				user(`<hook_prompt hook_run_id="r">run the tests</hook_prompt>`), user("<turn_aborted>x</turn_aborted>"),
				agent("/root", "/root/a", "Message Type: TASK\ndo it"), agent("/root/a", "/root", "Message Type: FINAL_ANSWER\ndone"),
				agent("/root/a", "/root", "Message Type: MESSAGE\nhalf way"), agent("/root/b", "/root/a", "Message Type: MESSAGE\nhelp me"),
				message("assistant", text("one"))),
			[]string{`user: <hook_prompt hook_run_id="r">run the tests</hook_prompt>`, "agent_message: Message Type: TASK\ndo it", "agent_message: Message Type: MESSAGE\nhelp me", done},
			nil,
		},
		{
			"a message of an agent is not cut", 20, items(user("old"), agent("a", "b", strings.Repeat("x", 200)), user("new"), message("assistant", text("one"))),
			[]string{"user: old", "user: new", done},
			nil,
		},
		{
			"notices stay with their message", 1000, items(message("user", text("a"), image), message("developer", text(resized)), user("b"), message("assistant", text("one"))),
			[]string{"user: a | [image]", "developer: " + resized, "user: b", done},
			[]string{"user: a", "user: b", done},
		},
		{
			"and take their part of the budget", 17, items(user("old"), user("abcd"), message("developer", text(resized)), user("new"), message("assistant", text("one"))),
			// 58 bytes are 15 tokens: with "abcd" and "new" that is all.
			[]string{"user: abcd", "developer: " + resized, "user: new", done},
			nil,
		},
		{
			"where there is no room for the notice there is none for it", 16, items(user("old"), user("abcd"), message("developer", text(resized)), user("new"), message("assistant", text("one"))),
			// 15 are left, as many as the notice has: nothing of the message would stand.
			[]string{"user: old", "user: new", done},
			nil,
		},
		{
			"nor where there is less than it needs", 10, items(user("old"), user("abcd"), message("developer", text(resized)), user("new"), message("assistant", text("one"))),
			[]string{"user: old", "user: new", done},
			nil,
		},
		{
			"what is left of a message's room goes to older ones", imageTokens + 3, items(user("old"), message("user", text("look"), image, image), user("new")),
			[]string{"user: old", "user: look | [image] | [image]", "user: new", done},
			[]string{"user: old", "user: look | [image]", "user: new", done},
		},
		{"no budget", 0, items(user("old"), user("new")), []string{done}, nil},
	} {
		for _, strict := range []bool{true, false} {
			want := c.strict
			if !strict && c.want != nil {
				want = c.want
			}
			folds := strings.TrimSuffix(c.list, "]") + "," + message("assistant", text("ok")) + "]"
			p := planOf(t, folds, policy.Policy{Strict: strict, Retain: policy.Retain{Tokens: c.budget}})
			if !p.Folds() {
				t.Errorf("%s: nothing folds", c.name)
				continue
			}
			if got := shape(t, p, p.Answered("SEALED")); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, strict %v:\n got %q\nwant %q", c.name, strict, got, want)
			}
		}
	}
}

// A message of another agent of more than 10,000 tokens goes, whatever is left.
func TestRetainLongAgentMessage(t *testing.T) {
	for _, c := range []struct {
		tokens int
		stays  bool
	}{{10000, true}, {10001, false}} {
		it := agent("a", "b", "")
		it = agent("a", "b", strings.Repeat("x", 4*c.tokens-len(it)))
		p := planOf(t, items(it, message("assistant", text("one"))), policy.Policy{Retain: policy.Retain{Tokens: 64000}})
		if p.Measured.Items[0] != c.tokens {
			t.Fatalf("%d tokens, want %d", p.Measured.Items[0], c.tokens)
		}
		if stays := p.Items[0].Fate == compact.Kept; stays != c.stays {
			t.Errorf("%d tokens: it is %s", c.tokens, p.Items[0].Fate)
		}
	}
}

// The fates say why.
func TestRetainFates(t *testing.T) {
	p := planOf(t, items(user("older"), user("middle1234"), agent("a", "b", "go"), message("user", text("see"), image),
		message("assistant", text("one"))), policy.Policy{Retain: policy.Retain{Tokens: 31}})
	// "see" is a token, and the picture has no place. The message of the agent is 99
	// bytes of JSON, 25 tokens, "middle1234" has 3 and "older" 2.
	var got []string
	for _, f := range p.Items {
		got = append(got, string(f.Fate)+" "+string(f.Reason))
	}
	want := []string{"kept user_budget", "kept user_budget", "kept agent_budget", "truncated message_cut", "folded summarised"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, agent %d", got, p.Measured.Items[2])
	}
	_, r := p.Apply(p.Answered("SEALED"), &trigger.Decision{})
	if len(r.Inserted) != 1 || r.Inserted[0] != (compact.Inserted{To: 4, Kind: "summary", Role: "assistant"}) {
		t.Errorf("%+v: six characters are no token of a sealed item", r.Inserted)
	}
}

// What stays on another account uses the budget up.
func TestRetainBesidePins(t *testing.T) {
	pinned := 1
	p := planOf(t, items(user("old"), user("new"), message("assistant", text("one"))),
		policy.Policy{Keep: policy.Keep{Pins: []policy.Pin{{Index: &pinned}}}, Retain: policy.Retain{Tokens: 1}})
	if p.Items[0].Reason != compact.OverUserBudget || p.Items[1].Reason != compact.Pinned {
		t.Errorf("%+v", p.Items)
	}
}

// With strict an old summary may be all that is retained: the context stands
// before it.
func TestContextBeforeAnOldSummary(t *testing.T) {
	old := summary.UserPrefix + "\nold"
	p := planOf(t, items(message("developer", text("<permissions>all")), user(old), message("assistant", text("one"))),
		policy.Policy{Strict: true, Retain: policy.Retain{Tokens: 1000}})
	want := []string{"developer: <permissions>all", "user: " + old, "compaction: SEALED"}
	if got := shape(t, p, p.Answered("SEALED")); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}
