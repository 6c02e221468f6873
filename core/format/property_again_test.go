package format

import (
	"bytes"
	"testing"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// How what is written is read again, without detection and without the formats.

// checkTurns: a text holds the turns in order, with nothing but white space
// between them. What it reads as is tested where its marks are known: of some
// turns alone nobody can tell who speaks.
func checkTurns(t *testing.T, out []byte, want [][]byte) {
	t.Helper()
	for i, w := range want {
		at := bytes.Index(out, w)
		if at < 0 || i > 0 && len(bytes.TrimSpace(out[:at])) > 0 {
			t.Fatalf("turn %d, %q, is not next in %q", i, w, out)
		}
		out = out[at+len(w):]
	}
}

// reread finds the items of an encoded source without detection: the list
// stands where it stood, the lines are lines.
func reread(t *testing.T, d *Document, src, out []byte, conversation string) [][]byte {
	t.Helper()
	var raws [][]byte
	l := listOf(d)
	if l == nil || l.first != nil || l.wrapped { // not every element is an item, or bare: read it as what it was
		again, err := Decode(out, Options{Format: d.Format, Conversation: conversation, Rewrite: true})
		if err != nil {
			t.Fatalf("what was written can not be read: %v\n%q", err, out)
		}
		for i := range again.Items {
			raws = append(raws, again.Items[i].Raw)
		}
		return raws
	}
	if l.lines != nil {
		lines := splitLines(out, bomLen(out), len(out))
		if _, ok := d.codec.(*rolloutCodec); ok {
			items, _ := replay(&list{lines: lines}).history()
			for i := range items {
				raws = append(raws, items[i].Raw)
			}
			return raws
		}
		for _, line := range lines {
			raws = append(raws, line.value.Raw())
		}
		return raws
	}
	start := l.array.from()
	if !bytes.Equal(out[:start], src[:start]) || !bytes.HasSuffix(out, src[l.array.to()-1:]) {
		t.Fatalf("what stands around the list changed:\n%q\nwas\n%q", out, src)
	}
	root, err := rawjson.Parse(out[bomLen(out):])
	if err != nil {
		lines := splitLines(out, bomLen(out), len(out))
		for i := range lines {
			if lines[i].start <= start && start < lines[i].end {
				root, start = lines[i].value.Value, start-lines[i].start
			}
		}
	} else {
		start -= bomLen(out)
	}
	array := at(root, start)
	if !array.Is(rawjson.Array) {
		t.Fatalf("no list at %d of %q", start, out)
	}
	for e := range array.Elems() {
		raws = append(raws, e.Raw())
	}
	return raws
}

// listOf is the list of a document whose codec holds nothing but one, nil for
// all others.
func listOf(d *Document) *list {
	switch c := d.codec.(type) {
	case *chatCodec:
		return &c.list
	case *responsesCodec:
		return &c.list
	case *anthropicCodec:
		return &c.list
	case *uiCodec:
		return &c.list
	case *modelCodec:
		return &c.list
	case *lcCodec:
		return &c.list
	case *rolloutCodec:
		return &c.list
	case *bedrockCodec:
		return &c.list
	case *geminiCodec:
		return &c.list
	case *cliCodec:
		return &c.list
	}
	return nil
}

// at is the array that starts at an offset.
func at(v rawjson.Value, start int) rawjson.Value {
	for v.Exists() && (v.Start() != start || !v.Is(rawjson.Array)) {
		inner := rawjson.Value{}
		for e := range v.Elems() {
			if e.Start() <= start && start < e.End() {
				inner = e
			}
		}
		v = inner
	}
	return v
}
