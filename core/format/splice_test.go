package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// entriesOf reads "0 n 2*": item 0, a new message, item 2 with another text.
func entriesOf(d *Document, plan string) []transcript.Entry {
	entries := []transcript.Entry{}
	for _, word := range strings.Fields(plan) {
		if word == "n" {
			it := d.Writer.Message(transcript.User, "N")
			entries = append(entries, transcript.Entry{From: -1, New: &it})
			continue
		}
		from := int(word[0] - '0')
		e := transcript.Entry{From: from}
		if strings.HasSuffix(word, "*") {
			it := d.Writer.WithText(&d.Items[from], "T")
			e.New = &it
		}
		entries = append(entries, e)
	}
	return entries
}

func TestSplice(t *testing.T) {
	const a, b, c, n = `{"role":"user","content":"a"}`, `{"role":"assistant","content":"b"}`, `{"role":"user","content":"c"}`, `{"role":"user","content":"N"}`
	for _, test := range []struct{ name, src, plan, want string }{
		{"tight", "[" + a + "," + b + "," + c + "]", "n 2", "[" + n + "," + c + "]"},
		{"spaced", "[ " + a + ", " + b + " , " + c + "  ]\n", "1 n 0", "[ " + b + " , " + n + ", " + a + "  ]\n"},
		{"pretty", "[\n  " + a + ",\n  " + b + ",\n  " + c + "\n]\n", "0 n 2", "[\n  " + a + ",\n  " + n + ",\n  " + c + "\n]\n"},
		{"pretty: the edges stay", "[\n  " + a + ",\n  " + b + "\n]", "1", "[\n  " + b + "\n]"},
		{"pretty: one element becomes two", "[\n  " + a + "\n]", "0 n", "[\n  " + a + ",\n  " + n + "\n]"},
		{"the first moves back", "[" + a + ",   " + b + "]", "1 0", "[" + b + ",   " + a + "]"},
		{"nothing stays", "[ " + a + ", " + b + " ]", "", "[]"},
		{"into an empty list", "[ ]", "n", "[ " + n + "]"},
		{"an empty list", "[ ]", "", "[ ]"},
		{"another text", "[" + a + ", " + b + "]", "0* 1", `[{"role":"user","content":"T"}, ` + b + "]"},
		{"a request", `{"x": [1], "messages" : [` + a + "," + b + `], "y": 1.0}` + "\n", "1", `{"x": [1], "messages" : [` + b + `], "y": 1.0}` + "\n"},
		{"a byte order mark", "\ufeff[" + a + "," + b + "]", "1", "\ufeff[" + b + "]"},
		{"lines", a + "\n" + b + "\n" + c + "\n", "n 2", n + "\n" + c + "\n"},
		{"lines without an end", a + "\n" + b, "1 n 0", b + "\n" + n + "\n" + a},
		{"lines: the end moves", a + "\n" + b + "\n" + c, "0 1", a + "\n" + b},
		{"CRLF, blank lines stay with what follows", a + "\r\n\r\n " + b + " \r\n" + c + "\r\n\r\n", "1 n", "\r\n " + b + " \r\n" + n + "\r\n\r\n"},
		{"no lines", a + "\n" + b + "\n", "", ""},
		{"a marked file of lines", "\ufeff" + a + "\n" + b, "n 0", "\ufeff" + n + "\n" + a},
		{"one line", a + "\n", "0 n", a + "\n" + n + "\n"},
		{"one line without an end", a, "n 0", n + "\n" + a},
	} {
		d := mustDecode(t, test.src, Options{})
		got, err := d.Encode(entriesOf(d, test.plan))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", test.name, err, got, test.want)
		}
		holds(t, []byte(test.src), Options{})
	}
}

// One of several conversations is written back into the same file.
func TestSpliceConversation(t *testing.T) {
	d := mustDecode(t, severalChats, Options{Conversation: "/0/traj"})
	got, err := d.Encode(entriesOf(d, "n 1"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(severalChats, `{"role": "user", "content": "a"}`, `{"role":"user","content":"N"}`, 1)
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	rows := `{"id":1,"messages":[{"role":"user","content":"a"}]}` + "\n" + `{"id":2,"messages":[{"role":"user","content":"b"},{"role":"user","content":"c"}]}` + "\n"
	d = mustDecode(t, rows, Options{Conversation: "/1/messages"})
	if got, err = d.Encode(entriesOf(d, "1")); err != nil || string(got) != strings.Replace(rows, `{"role":"user","content":"b"},`, "", 1) {
		t.Errorf("%v: %s", err, got)
	}
	if d.Items[1].Path != ":2.messages[1]" {
		t.Error(d.Items[1].Path)
	}
	// An object that holds one conversation may be named too, and a key that
	// needs escapes.
	for pointer, n := range map[string]int{"/0": 2, "/1": 1, "/0/traj": 2} {
		if d := mustDecode(t, severalChats, Options{Conversation: pointer}); len(d.Items) != n {
			t.Errorf("%s: %d items", pointer, len(d.Items))
		}
	}
	d = mustDecode(t, `{"a/b~c":[{"role":"user"}],"d":[{"role":"user"}]}`, Options{Conversation: "/a~1b~0c"})
	if len(d.Items) != 1 || d.Items[0].Path != `["a/b~c"][0]` {
		t.Error(d.Items)
	}
}

func TestEncodeRefuses(t *testing.T) {
	d := mustDecode(t, chatPretty, Options{})
	for name, entries := range map[string][]transcript.Entry{
		"beyond the items": {{From: 3}}, "below": {{From: -2}}, "nothing new": {{From: -1}}, "empty": {{From: 0, New: &transcript.Item{}}},
	} {
		if out, err := d.Encode(entries); err == nil {
			t.Errorf("%s: %q", name, out)
		}
	}
	for name, items := range map[string][]int{"beyond": {3}, "below": {-1}, "descending": {1, 0}, "doubled": {1, 1}} {
		if out, err := d.Body(BodyRequest{Items: items}); err == nil {
			t.Errorf("%s: %q", name, out)
		}
	}
}
