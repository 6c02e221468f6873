package format

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Anthropic's API drops everything before the last compaction block that says
// something; one with null is no block at all, and an empty text is none either.
// What is dropped is no item, and the places are those of the JSON as sent.
func TestAnthropicEffective(t *testing.T) {
	block := func(text string) string { return `{"type":"compaction","content":` + text + `}` }
	said := func(role string, blocks ...string) string {
		return `{"role":"` + role + `","content":[` + strings.Join(blocks, ",") + `]}`
	}
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	user := func(s string) string { return `{"role":"user","content":"` + s + `"}` }
	for _, c := range []struct {
		name string
		src  []string
		want string
	}{
		{"none", []string{user("a"), said("assistant", text("b"))}, "[0]a [1]b"},
		{"in the middle", []string{user("a"), said("assistant", block(`"S"`), text("b")), user("c")}, "[1]S*b [2]c"},
		{"alone", []string{user("a"), said("assistant", block(`"S"`)), user("c")}, "[1]S! [2]c"},
		{"at the end", []string{user("a"), said("assistant", block(`"S"`))}, "[1]S!"},
		{"twice", []string{said("assistant", block(`"R"`)), user("a"), said("assistant", block(`"S"`), text("b")), user("c")}, "[2]S*b [3]c"},
		{"behind other blocks", []string{user("a"), said("assistant", text("dead"), block(`"S"`), text("b"))}, "[1]S*b"},
		{"twice in a message", []string{user("a"), said("assistant", block(`"R"`), text("dead"), block(`"S"`))}, "[1]S!"},
		{"null is nothing", []string{user("a"), said("assistant", block("null"), text("b")), user("c")}, "[0]a [1]b [2]c"},
		{"null behind one", []string{user("a"), said("assistant", block(`"S"`)), user("c"), said("assistant", block("null"), text("d"))}, "[1]S! [2]c [3]d"},
		{"null beside one", []string{user("a"), said("assistant", block(`"S"`), block("null")), user("c")}, "[1]S! [2]c"},
		{"null alone is no empty message", []string{user("a"), said("assistant", block("null")), user("c")}, "[0]a [1]? [2]c"},
		{"an empty text", []string{user("a"), said("assistant", block(`""`), text("b"))}, "[0]a [1]b"},
		{"instructions stay", []string{`{"role":"system","content":"I"}`, user("a"), said("assistant", block(`"S"`))}, "[0]I [2]S!"},
		{"no instructions in the middle", []string{user("a"), `{"role":"system","content":"I"}`, said("assistant", block(`"S"`))}, "[2]S!"},
	} {
		for _, shape := range []string{"[%s]", "%s\n"} {
			sep := ","
			if shape != "[%s]" {
				sep = "\n"
			}
			src := fmt.Sprintf(shape, strings.Join(c.src, sep))
			d := mustDecode(t, src, Options{Format: "anthropic-messages"})
			var got []string
			for i := range d.Items {
				it := &d.Items[i]
				s := it.Path
				for _, p := range it.Parts {
					switch {
					case it.Summary:
						s += p.Text + "!"
					case p.Summary:
						s += p.Text + "*"
					case p.Kind == transcript.Other:
						s += "?"
					default:
						s += p.Text
					}
				}
				if it.Empty {
					s += " empty"
				}
				got = append(got, s)
			}
			want := c.want
			if sep == "\n" { // a line's place is its number
				for n := range c.src {
					want = strings.Replace(want, fmt.Sprintf("[%d]", n), fmt.Sprintf(":%d", n+1), 1)
				}
			}
			if g := strings.Join(got, " "); g != want {
				t.Errorf("%s:\n%s\nwant\n%s", c.name, g, want)
			}
			holds(t, []byte(src), Options{Format: "anthropic-messages"})
		}
	}
}

// What is ignored stays as it is as long as the block does, so that a pass that
// only clears changes nothing else; and it goes with the block, or it would come
// alive. The same within the message.
func TestIgnoredGoesWithItsBlock(t *testing.T) {
	const head = `{"role":"user","content":"dead one"},  {"role":"assistant","content":[{"type":"text","text":"dead two"}]}`
	const block = `{"role":"assistant","x":1,"content":[ {"type":"text","text":"dead three"}, {"type":"compaction","content":"S"} , {"type":"text","text":"b"}]}`
	const tail = `{"role":"user","content":"c"}`
	src := `{"model":"claude-x","messages":[ ` + head + `, ` + block + `,` + tail + ` ]}`
	d := mustDecode(t, src, Options{})
	if len(d.Items) != 2 || d.Items[0].Path != ".messages[2]" || d.Items[1].Path != ".messages[3]" {
		t.Fatalf("%d items from %s", len(d.Items), d.Items[0].Path)
	}
	it := &d.Items[0]
	if want := `{"role":"assistant","x":1,"content":[{"type":"compaction","content":"S"} , {"type":"text","text":"b"}]}`; string(it.Sent()) != want {
		t.Errorf("shown is %s", it.Sent())
	}
	bare := d.Writer.WithoutSummary(it)
	if want := `{"role":"assistant","x":1,"content":[{"type":"text","text":"b"}]}`; string(bare.Raw) != want {
		t.Errorf("without its summary it is %s", bare.Raw)
	}
	edited, ok := d.Writer.WithParts(it, []transcript.Edit{{Part: 1, Text: "B"}})
	if !ok || edited.Begins == 0 || !bytes.Contains(edited.Raw, []byte("dead three")) {
		t.Fatalf("edited: %v %s", ok, edited.Raw)
	}
	fresh := d.Writer.Message(transcript.User, "N")
	for _, c := range []struct {
		name    string
		entries []transcript.Entry
		dead    bool
	}{
		{"all", d.Whole(), true},
		{"the block's message is changed and keeps it", []transcript.Entry{{From: 0, New: &edited}, {From: 1}}, true},
		{"the rest is changed", []transcript.Entry{{From: 0}, {From: 1, New: &fresh}}, true},
		{"the block goes", []transcript.Entry{{From: -1, New: &fresh}, {From: 0, New: &bare}, {From: 1}}, false},
		{"its message goes", []transcript.Entry{{From: -1, New: &fresh}, {From: 1}}, false},
	} {
		out, err := d.Encode(c.entries)
		if err != nil || bytes.Contains(out, []byte("dead one")) != c.dead || bytes.Contains(out, []byte("dead two")) != c.dead || bytes.Contains(out, []byte("dead three")) != c.dead {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		again := mustDecode(t, string(out), Options{Format: "anthropic-messages"})
		if len(again.Items) != len(c.entries) {
			t.Errorf("%s: %d items\n%s", c.name, len(again.Items), out)
		}
	}
	for _, s := range []string{src, strings.Replace(src, `{"type":"text","text":"b"}`, `{"type":"text","text":" "}`, 1)} { // with a block that the API refuses, too
		body, err := mustDecode(t, s, Options{}).Body(BodyRequest{Items: []int{0, 1}, Prompt: "P"})
		if err != nil || bytes.Contains(body, []byte("dead")) || !bytes.Contains(body, []byte(`{"type":"compaction","content":"S"}`)) || bytes.Contains(body, []byte(`" "`)) {
			t.Errorf("the request to the summariser: %v\n%s", err, body)
		}
	}
}

// A session of Claude Code is sent to the same API.
func TestClaudeCodeIgnores(t *testing.T) {
	line := func(kind, uuid, parent, content string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"s","timestamp":"T","message":{"id":"m` + uuid + `","role":"` + kind + `","content":` + content + `}}` + "\n"
	}
	src := line("user", "1", "null", `"dead"`) + line("assistant", "2", `"1"`, `[{"type":"compaction","content":"S"},{"type":"text","text":"b"}]`) +
		line("user", "3", `"2"`, `"c"`) + line("assistant", "4", `"3"`, `[{"type":"compaction","content":null},{"type":"text","text":"d"}]`)
	d := mustDecode(t, src, Options{})
	if len(d.Items) != 3 || d.Items[0].Path != ":2" || !d.Items[0].HoldsSummary() || d.Items[2].HoldsSummary() {
		t.Fatalf("%d items, the first from %s", len(d.Items), d.Items[0].Path)
	}
	holds(t, []byte(src), Options{})
	alone := mustDecode(t, line("user", "1", "null", `"u"`)+line("assistant", "2", `"1"`, `[{"type":"compaction","content":"S"}]`), Options{})
	if len(alone.Items) != 1 || !alone.Items[0].Summary {
		t.Errorf("a message of nothing but a block: %+v", alone.Items)
	}
}

// Before the last compaction item of Responses the messages of users, developers
// and system and the tools that were declared stay wanted; the rest is dropped.
func TestResponsesEffective(t *testing.T) {
	const enc = `{"type":"compaction","id":"cmp_1","encrypted_content":"RU5D"}`
	user := func(s string) string { return `{"role":"user","content":"` + s + `"}` }
	const (
		tools = `{"type":"additional_tools","role":"developer","tools":[]}`
		dev   = `{"type":"message","role":"developer","content":"D"}`
		said  = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"A"}]}`
		think = `{"type":"reasoning","id":"rs","summary":[]}`
		call  = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
		out   = `{"type":"function_call_output","call_id":"c","output":"o"}`
		ref   = `{"type":"item_reference","id":"msg_7"}`
		agent = `{"type":"agent_message","author":"a","recipient":"b","content":[{"type":"input_text","text":"do"}]}`
	)
	for _, c := range []struct {
		name string
		src  []string
		want string // indices
	}{
		{"none", []string{user("a"), said, user("b")}, "0 1 2"},
		{"Codex", []string{dev, tools, user("a"), agent, enc, said}, "0 1 2 3 4 5"},
		{"appended", []string{dev, user("a"), think, call, out, said, enc, said, user("b")}, "0 1 6 7 8"},
		{"twice", []string{user("a"), said, enc, user("b"), said, strings.Replace(enc, "cmp_1", "cmp_2", 1), user("c")}, "0 3 5 6"},
		{"without a payload", []string{user("a"), said, `{"type":"compaction","id":"cmp_1","encrypted_content":null}`, user("b")}, "0 1 2 3"},
		{"an output behind it", []string{user("a"), said, think, call, enc, out}, "0 2 3 4 5"},
		{"a reference", []string{user("a"), ref, said, user("b"), enc}, "0 1 3 4"},
	} {
		src := "[" + strings.Join(c.src, ", ") + "]"
		d := mustDecode(t, src, Options{Format: "openai-responses"})
		var got []string
		for i := range d.Items {
			got = append(got, strings.Trim(d.Items[i].Path, "[]"))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %s, want %s", c.name, g, c.want)
		}
		holds(t, []byte(src), Options{Format: "openai-responses"})
	}
	d := mustDecode(t, "["+user("a")+", "+said+" ,"+enc+","+user("b")+"]", Options{})
	fresh := d.Writer.Message(transcript.User, "N")
	out1, err := d.Encode([]transcript.Entry{{From: 0}, {From: -1, New: &fresh}, {From: 2}})
	if want := "[" + user("a") + ", " + string(fresh.Raw) + "," + user("b") + "]"; err != nil || string(out1) != want {
		t.Errorf("folded: %v\n%s\nwant\n%s", err, out1, want)
	}
	out2, err := d.Encode([]transcript.Entry{{From: 0, New: &fresh}, {From: 1}, {From: 2}})
	if want := "[" + string(fresh.Raw) + ", " + said + " ," + enc + "," + user("b") + "]"; err != nil || string(out2) != want {
		t.Errorf("changed in its place: %v\n%s\nwant\n%s", err, out2, want)
	}
}
