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
