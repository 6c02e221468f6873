package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What must hold of every source that can be read, whatever it is: used by the
// fuzz targets, the corpus and the fixtures.

// codes are the error codes that Decode may give.
var codes = []string{
	"invalid_request", "invalid_json", "unknown_format", "unsupported_format", "ambiguous_format",
	"several_conversations", "not_a_history",
}

func identity(n int) []transcript.Entry {
	entries := make([]transcript.Entry, n)
	for i := range entries {
		entries[i].From = i
	}
	return entries
}

// holds decodes src and checks everything of it. It gives nil where src is
// refused.
func holds(t *testing.T, src []byte, opt Options) *Document {
	t.Helper()
	opt.Rewrite = true
	before := bytes.Clone(src)
	d, err := Decode(src, opt)
	if err != nil {
		var e *transcript.Error
		if !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		if !slices.Contains(codes, e.Code) || e.Message == "" {
			t.Fatalf("code %q, message %q", e.Code, e.Message)
		}
		return nil
	}
	if d.Verdict.Name != d.Format || d.Verdict.Confidence <= 0 || d.Verdict.Confidence > 1 || len(d.Verdict.Evidence) == 0 || d.Verdict.Shape == "" {
		t.Fatalf("verdict %+v", d.Verdict)
	}
	checkItems(t, d)
	checkIdentity(t, d, src)
	for _, keep := range subsets(len(d.Items)) {
		checkSubset(t, d, src, keep)
		checkBody(t, d, keep)
	}
	if !bytes.Equal(src, before) {
		t.Fatal("the source was changed")
	}
	return d
}

func checkItems(t *testing.T, d *Document) {
	t.Helper()
	for i := range d.Items {
		it := &d.Items[i]
		if !json.Valid(it.Raw) || it.Path == "" {
			t.Fatalf("item %d: path %q, raw %q", i, it.Path, it.Raw)
		}
		for j, p := range it.Parts {
			switch {
			case p.Start < 0 || p.End < p.Start || p.End > len(it.Raw):
				t.Fatalf("item %d, part %d: place %d to %d of %d", i, j, p.Start, p.End, len(it.Raw))
			case p.End > 0 && !json.Valid(it.Raw[p.Start:p.End]):
				t.Fatalf("item %d, part %d: %q is no JSON value", i, j, it.Raw[p.Start:p.End])
			}
		}
		if it.Role != transcript.User && (it.Fragment || it.RealUser()) {
			t.Fatalf("item %d: a %s item is the user's", i, it.Role)
		}
		if i%97 == 0 {
			checkWriter(t, d, it)
		}
	}
}

// checkWriter: a rewritten message says the text, and what is no content stays.
func checkWriter(t *testing.T, d *Document, it *transcript.Item) {
	t.Helper()
	const text = "a \"text\"\nof two lines \u3042"
	out := d.Writer.WithText(it, text)
	if !json.Valid(out.Raw) {
		t.Fatalf("WithText of %q is %q", it.Raw, out.Raw)
	}
	if it.Role == transcript.User && !it.Summary && (d.Family != transcript.Responses || it.Type == "message") && out.Text() != text {
		t.Fatalf("WithText of %q says %q", it.Raw, out.Text())
	}
	role := transcript.User
	if out := d.Writer.Message(role, text); out.Text() != text || out.Role != role || !json.Valid(out.Raw) || !out.RealUser() {
		t.Fatalf("Message is %q", out.Raw)
	}
}

// checkIdentity: all items in order give the source, by way of the splice too
// (but for logs, whose other lines a copy leaves out).
func checkIdentity(t *testing.T, d *Document, src []byte) {
	t.Helper()
	out, err := d.Encode(identity(len(d.Items)))
	if err != nil || !bytes.Equal(out, src) {
		t.Fatalf("encoded: %v\n%q\nwant\n%q", err, out, src)
	}
	if d.Verdict.Shape == shapeLog {
		return
	}
	if out := d.codec.splice(src, d.Transcript, identity(len(d.Items))); !bytes.Equal(out, src) {
		t.Fatalf("spliced\n%q\nwant\n%q", out, src)
	}
}

// subsets are some choices out of n items: none, all, every other, all but the
// first and the last, the first half.
func subsets(n int) [][]int {
	all := make([]int, n)
	var odd []int
	for i := range all {
		all[i] = i
		if i%2 == 1 {
			odd = append(odd, i)
		}
	}
	return [][]int{nil, all, odd, all[min(1, n):max(min(1, n), n-1)], all[:n/2]}
}

// checkSubset: chosen items and a new message between them make a source that
// reads as those items, byte for byte.
func checkSubset(t *testing.T, d *Document, src []byte, keep []int) {
	t.Helper()
	fresh := d.Writer.Message(transcript.User, "new")
	entries := []transcript.Entry{}
	var want [][]byte
	for n, i := range keep {
		if n == len(keep)/2 {
			entries = append(entries, transcript.Entry{From: -1, New: &fresh})
			want = append(want, fresh.Raw)
		}
		entries = append(entries, transcript.Entry{From: i})
		want = append(want, d.Items[i].Raw)
	}
	out, err := d.Encode(entries)
	if err != nil {
		t.Fatal(err)
	}
	got := reread(t, d, src, out)
	if len(got) != len(want) {
		t.Fatalf("%d items of %v, want %d:\n%q", len(got), keep, len(want), out)
	}
	for i := range got {
		if !bytes.Equal(got[i], want[i]) {
			t.Fatalf("item %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// reread finds the items of an encoded source without detection: the list
// stands where it stood, the lines are lines.
func reread(t *testing.T, d *Document, src, out []byte) [][]byte {
	t.Helper()
	var raws [][]byte
	l := listOf(d)
	if l.lines != nil {
		lines := splitLines(out, bomLen(out))
		if d.Verdict.Shape == shapeLog {
			for _, e := range replay(&list{lines: lines}).now.entries() {
				raws = append(raws, e.item.Raw)
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
		lines := splitLines(out, bomLen(out))
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

func listOf(d *Document) *list {
	switch c := d.codec.(type) {
	case *chatCodec:
		return &c.list
	case *responsesCodec:
		return &c.list
	case *anthropicCodec:
		return &c.list
	case *rolloutCodec:
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

// checkBody: a summary request is one that the provider accepts.
func checkBody(t *testing.T, d *Document, keep []int) {
	t.Helper()
	for _, tools := range []string{"auto", "always", "never"} {
		body, err := d.Body(BodyRequest{Items: keep, Prompt: "Sum up.", Model: "m", MaxTokens: 100, SendTools: tools})
		if err != nil || !json.Valid(body) {
			t.Fatalf("%v: %q", err, body)
		}
		root, err := rawjson.Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		member, read := "messages", readChat
		switch d.Family {
		case transcript.Responses:
			member, read = "input", readResponses
		case transcript.Messages:
			read = readAnthropic
		case transcript.Chat:
		}
		s := &sample{src: &source{raw: body, root: value{root, 0}}, list: list{array: value{root.Get(member), 0}}}
		items, err := s.decodeList(read)
		if err != nil {
			t.Fatalf("%v: %q", err, body)
		}
		last := &items[len(items)-1]
		if last.Role != transcript.User || last.Parts[len(last.Parts)-1].Text != "Sum up." {
			t.Fatalf("the prompt is not last: %q", last.Raw)
		}
		shown := &transcript.Transcript{Family: d.Family, Items: items, Rules: d.Rules}
		defects := transcript.Validate(shown, transcript.Pair(shown))
		for _, f := range defects {
			// Doubled and missing ids are the input's own, and break every pairing.
			if f.Code == "unique_ids" || f.Code == "ids_present" {
				return
			}
		}
		if len(defects) > 0 {
			t.Fatalf("%+v in\n%s", defects, body)
		}
	}
}
