package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

const (
	fencedA = `{"role":"user","content":"a"}`
	fencedB = `{"role":"assistant","content":"b"}`
)

// A fence is looked through whatever stands in it, by detection and by reading,
// and stays around what is written.
func TestFences(t *testing.T) {
	for _, c := range []struct{ name, open, body, close, shape string }{
		{"lines", "```jsonl\n", fencedA + "\n" + fencedB + "\n", "```\n", shapeLines},
		{"many lines", "```\n", strings.Repeat(fencedA+"\n"+fencedB+"\n", 9), "```", shapeLines},
		{"lines in tildes", "~~~\n", fencedA + "\n" + fencedB + "\n", "~~~\n", shapeLines},
		{"one line in tildes", "~~~json\n", fencedA + "\n", "~~~\n", shapeLines},
		{"a list in tildes", "~~~json\n", "[" + fencedA + ",\n" + fencedB + "]\n", "~~~\n", shapeArray},
		{"with words around it", "My log:\r\n\r\n```json\r\n", fencedA + "\r\n" + fencedB + "\r\n", "```\r\nThanks.\r\n", shapeLines},
		{"a longer run", "````\n", fencedA + "\n" + fencedB + "\n", "````\n", shapeLines},
		{"a shorter run closes nothing", "````\n```\n", fencedA + "\n" + fencedB + "\n" + strings.Repeat(fencedA+"\n", 3), "````\n", ""},
	} {
		src := c.open + c.body + c.close
		v, err := Detect([]byte(src))
		d, bad := Decode([]byte(src), Options{})
		if c.shape == "" { // what is within is lines of which one is broken: told as such
			if bad == nil || !strings.Contains(bad.Error(), "line 2, column 1: unexpected '`'") {
				t.Errorf("%s: %v", c.name, bad)
			}
			continue
		}
		if err != nil || bad != nil || v.Shape != c.shape || d.Verdict.Shape != c.shape || v.Name != "openai-chat" {
			t.Errorf("%s: detected as %+v (%v), read: %v", c.name, v, err, bad)
			continue
		}
		m := d.Writer.Message(transcript.User, "new")
		n := len(d.Items)
		out, err := d.Encode(append(d.Whole()[:n-1:n-1], transcript.Entry{From: -1, New: &m}))
		again := mustDecode(t, string(out), Options{})
		if err != nil || !strings.HasPrefix(string(out), c.open) || !strings.HasSuffix(string(out), c.close) ||
			len(again.Items) != n || again.Items[n-1].Text() != "new" || again.Verdict.Shape != c.shape {
			t.Errorf("%s: %v, written as %s", c.name, err, out)
		}
	}
	// A log in which two lines broke so that they look like a fence is a log: what
	// stands outside of them is a part of it.
	src := fencedA + "\n```\n" + strings.Repeat(fencedB+"\n", 4) + "```\n"
	if _, err := Decode([]byte(src), Options{}); err == nil || !strings.Contains(err.Error(), "line 2, column 1") {
		t.Errorf("the line before the fence is dropped: %v", err)
	}
	if d := mustDecode(t, src, Options{Repair: true}); len(d.Items) != 5 || len(d.Aside) != 2 {
		t.Errorf("%d items, %d lines aside", len(d.Items), len(d.Aside))
	}
}

// Of lines that broke for the most part a repair reads the whole ones, and so does
// a format that was named tell where they broke. What is no record is no reason
// to read the rest as lines.
func TestTornLines(t *testing.T) {
	const cut = `{"role":` + "\n"
	a, b := fencedA+"\n", fencedB+"\n"
	for _, c := range []struct {
		name, src    string
		opt          Options
		items, aside int // 0, 0: refused
		err          string
	}{
		{"two of five", a + cut + cut + cut + b, Options{Repair: true}, 2, 3, ""},
		{"and named", a + cut + cut + cut + b, Options{Repair: true, Format: "openai-chat"}, 2, 3, ""},
		{"the first of them began before", `le":"user"}` + "\n" + a + cut + cut + b, Options{Repair: true}, 2, 3, ""},
		{"one of three, named", cut + a + cut, Options{Repair: true, Format: "openai-chat"}, 1, 2, ""},
		{"one of three", cut + a + cut, Options{Repair: true}, 0, 0, "line 3, column 1: unexpected '{'"},
		{"no repair, named", a + cut + cut + cut + b, Options{Format: "openai-chat"}, 0, 0, "line 2, column 9: ends where a value is wanted (repair: true keeps such lines aside)"},
		{"no repair", a + cut + cut + cut + b, Options{}, 0, 0, "line 2, column 9: ends where a value is wanted (repair: true keeps such lines aside)"},
		{"words between", a + "so\nand so\nand so\n" + b, Options{Repair: true}, 0, 0, "line 2, column 1: unexpected"},
		{"a list that broke", "[\n" + fencedA + ",\n" + fencedB + "\n", Options{Repair: true}, 0, 0, "line 4, column"},
		{"objects of nothing", `{"x":1}` + "\n" + `{"x":2}` + "\n" + cut + cut + cut, Options{Repair: true}, 0, 0, "line 2, column 1: unexpected"},
		{"a text that quotes them", "user: see\n" + a + b + "assistant: I see\nuser: bye\n", Options{Repair: true}, 3, 0, ""},
	} {
		d, err := Decode([]byte(c.src), c.opt)
		switch {
		case c.items == 0 && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v", c.name, err)
		case c.items == 0:
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case len(d.Items) != c.items || len(d.Aside) != c.aside:
			t.Errorf("%s: %d items, %d lines aside", c.name, len(d.Items), len(d.Aside))
		}
	}
}
