package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
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
	var appended *Document // as what it is written back by default, where that is longer
	opt.Rewrite = false
	if find(d.Format).Write == "append" && d.Verdict.Shape == shapeLog {
		if appended, err = Decode(src, opt); err != nil {
			t.Fatal(err)
		}
	}
	for _, keep := range subsets(len(d.Items)) {
		checkSubset(t, d, src, keep, opt.Conversation)
		if appended != nil {
			checkAppend(t, appended, src, keep, opt)
		}
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
		isJSON := d.Verdict.Shape != shapeText
		if isJSON && !json.Valid(it.Raw) || it.Path == "" {
			t.Fatalf("item %d: path %q, raw %q", i, it.Path, it.Raw)
		}
		for j, p := range it.Parts {
			switch {
			case p.Start < 0 || p.End < p.Start || p.End > len(it.Raw):
				t.Fatalf("item %d, part %d: place %d to %d of %d", i, j, p.Start, p.End, len(it.Raw))
			case isJSON && p.End > 0 && !json.Valid(it.Raw[p.Start:p.End]):
				t.Fatalf("item %d, part %d: %q is no JSON value", i, j, it.Raw[p.Start:p.End])
			}
		}
		if it.Role != transcript.User && (it.Fragment || it.RealUser()) {
			t.Fatalf("item %d: a %s item is the user's", i, it.Role)
		}
		if i%97 == 0 {
			checkWriter(t, d, it)
			checkEdits(t, d, it)
		}
	}
}

// checkWriter: a rewritten message says the text, and what is no content stays.
func checkWriter(t *testing.T, d *Document, it *transcript.Item) {
	t.Helper()
	const text = "a \"text\"\nof two lines \u3042"
	isJSON := d.Verdict.Shape != shapeText
	out := d.Writer.WithText(it, text)
	if isJSON && !json.Valid(out.Raw) {
		t.Fatalf("WithText of %q is %q", it.Raw, out.Raw)
	}
	if it.Role == transcript.User && !it.Summary && (d.Family != transcript.Responses || it.Type == "message") && out.Text() != text {
		t.Fatalf("WithText of %q says %q", it.Raw, out.Text())
	}
	role := transcript.User
	if !d.Rules.Knows(role) {
		return // the log of a program that nobody talks in
	}
	if out := d.Writer.Message(role, text); out.Text() != text || out.Role != role || isJSON && !json.Valid(out.Raw) || !out.RealUser() {
		t.Fatalf("Message is %q", out.Raw)
	}
}

// checkEdits: a part that is changed says so, a part that goes is gone, and all
// other parts stay as they were.
func checkEdits(t *testing.T, d *Document, it *transcript.Item) {
	t.Helper()
	for j := range it.Parts {
		p := &it.Parts[j]
		switch p.Kind {
		case transcript.Result:
			if out, ok := d.Writer.WithParts(it, []transcript.Edit{{Part: j, Text: "[cleared]"}}); ok {
				if q := result(&out, resultsBefore(it, j)); q == nil || q.ID != p.ID || !strings.Contains(q.Text, "[cleared]") || out.Role != it.Role {
					t.Fatalf("cleared result %d of %q is %q", j, it.Raw, out.Raw)
				}
			}
		case transcript.Call:
			if out, ok := d.Writer.WithParts(it, []transcript.Edit{{Part: j, Text: `{"cleared":true}`}}); ok {
				if len(out.Parts) != len(it.Parts) || out.Parts[j].ID != p.ID || out.Parts[j].Name != p.Name || !strings.Contains(out.Parts[j].Text, "cleared") {
					t.Fatalf("cleared call %d of %q is %q", j, it.Raw, out.Raw)
				}
			}
		case transcript.Thinking:
			if out, ok := d.Writer.WithParts(it, []transcript.Edit{{Part: j, Drop: true}}); ok {
				// A message may say one thought twice (reasoning, reasoning_details):
				// the second is seen when the first is gone.
				twice := slices.ContainsFunc(out.Parts, func(q transcript.Part) bool { return q.Kind == p.Kind && q.Text == p.Text })
				if len(out.Parts) != len(it.Parts)-1 && !twice {
					t.Fatalf("%q without its thought %d is %q", it.Raw, j, out.Raw)
				}
			}
		case transcript.Image, transcript.Audio, transcript.File:
			if out, ok := d.Writer.WithParts(it, []transcript.Edit{{Part: j, Text: "[picture]"}}); ok {
				if !strings.Contains(string(out.Raw), "[picture]") || p.Bytes > 0 && len(out.Raw) >= len(it.Raw)+len("[picture]") {
					t.Fatalf("%q with a placeholder for %d is %q", it.Raw, j, out.Raw)
				}
			}
		default:
		}
	}
}

func resultsBefore(it *transcript.Item, j int) int {
	n := 0
	for _, p := range it.Parts[:j] {
		if p.Kind == transcript.Result {
			n++
		}
	}
	return n
}

// result is the nth result of an item: media within one go with its output, so
// that indices of parts move.
func result(it *transcript.Item, n int) *transcript.Part {
	for j := range it.Parts {
		if p := &it.Parts[j]; p.Kind == transcript.Result {
			if n == 0 {
				return p
			}
			n--
		}
	}
	return nil
}

// checkIdentity: all items in order give the source, by way of the splice too
// (but for logs, whose other lines a copy leaves out).
func checkIdentity(t *testing.T, d *Document, src []byte) {
	t.Helper()
	out, err := d.Encode(identity(len(d.Items)))
	if err != nil || !bytes.Equal(out, src) {
		t.Fatalf("encoded: %v\n%q\nwant\n%q", err, out, src)
	}
	if find(d.Format).Write == "append" {
		return
	}
	if len(d.Aside) > 0 {
		return // a copy has no broken lines
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
func checkSubset(t *testing.T, d *Document, src []byte, keep []int, conversation string) {
	t.Helper()
	fresh := d.Writer.Message(transcript.User, "new")
	entries := []transcript.Entry{}
	var want [][]byte
	for n, i := range keep {
		if n == middle(d, keep) {
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
	if c, ok := d.codec.(*plainTextCodec); ok {
		checkTurns(t, out[c.from+c.preamble:], want)
		return
	}
	if l := listOf(d); len(want) == 0 && (l == nil || l.first != nil || l.wrapped) {
		return // without an item nothing may say what it was
	}
	if cutOpen(d, keep) {
		return
	}
	got := reread(t, d, src, out, conversation)
	if len(got) != len(want) {
		t.Fatalf("%d items of %v, want %d:\n%q", len(got), keep, len(want), out)
	}
	for i := range got {
		if !bytes.Equal(got[i], want[i]) && (entries[i].From >= 0 || !placed(d, got[i])) {
			t.Fatalf("item %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// middle is where a new message goes among those that are kept: nothing is put
// before a summary that its provider reads from.
func middle(d *Document, keep []int) int {
	at := len(keep) / 2
	for n := at; n < len(keep); n++ {
		if it := &d.Items[keep[n]]; ends(it) || sealedEnd(it) {
			at = n + 1
		}
	}
	return at
}

// cutOpen reports whether a group is cut open that a compaction item may stand in or
// before: what is read before such an item depends on what answers it behind. No
// compaction cuts groups.
func cutOpen(d *Document, keep []int) bool {
	if d.Format != "openai-responses" || !slices.ContainsFunc(d.Items, func(it transcript.Item) bool { return sealedEnd(&it) }) {
		return false
	}
	group := transcript.Pair(d.Transcript).Group
	whole, kept := map[int]int{}, map[int]int{}
	for _, g := range group {
		whole[g]++
	}
	for _, i := range keep {
		kept[group[i]]++
	}
	for g, n := range kept {
		if n != whole[g] {
			return true
		}
	}
	return false
}

// placed reports whether raw is the message "new" with the ids of the place that
// it was given, or as the format's own mark of a summary.
func placed(d *Document, raw []byte) bool {
	switch d.Format {
	case "opencode", "cline", "pi":
		return bytes.Contains(raw, []byte(`"new"`))
	}
	return false
}

// checkAppend: without Rewrite a log keeps its bytes, and reads as the chosen
// items with a new message between them by what is written behind it.
func checkAppend(t *testing.T, d *Document, src []byte, keep []int, opt Options) {
	t.Helper()
	fresh := d.Writer.Message(transcript.User, "new")
	entries := []transcript.Entry{}
	for n, i := range keep {
		if n == middle(d, keep) {
			entries = append(entries, transcript.Entry{From: -1, New: &fresh})
		}
		entries = append(entries, transcript.Entry{From: i})
	}
	out, err := d.Encode(entries)
	if err != nil {
		t.Fatal(err)
	}
	end := 0 // others may bring old lines up to date
	switch c := d.codec.(type) {
	case *rolloutCodec:
		end = c.to
	case *claudeCodec:
		end = c.to
	}
	if !bytes.HasPrefix(out, src[:end]) {
		t.Fatalf("the log is not what it was:\n%q\nwas\n%q", out, src)
	}
	again, err := Decode(out, opt)
	if err != nil {
		t.Fatalf("what was written can not be read: %v\n%q", err, out)
	}
	if len(again.Items) != len(entries) {
		t.Fatalf("%d items, want %d of %v:\n%q", len(again.Items), len(entries), keep, out)
	}
	for i, e := range entries {
		if want := bytesOf(d.Transcript, e); !bytes.Equal(again.Items[i].Raw, want) && (e.From >= 0 || !placed(d, again.Items[i].Raw)) {
			t.Fatalf("item %d is %q, want %q in\n%q", i, again.Items[i].Raw, want, out)
		}
	}
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
		rules := chatFormat().rules
		switch d.API() {
		case "openai-responses":
			member, read, rules = "input", readResponses, d.Rules
		case "anthropic-messages":
			read, rules = readAnthropic, d.Rules
		case "gemini-contents":
			member, read, rules = "contents", readGemini, geminiRefusals()
		case "bedrock-converse":
			read, rules = readBedrock, d.Rules
		case "openai-chat":
		default:
			t.Fatalf("no reader here for a request in %s", d.API())
		}
		s := &sample{src: &source{raw: body, root: value{root, 0}}, list: list{array: value{root.Get(member), 0}}}
		items, err := s.decodeList(read)
		if err != nil {
			t.Fatalf("%v: %q", err, body)
		}
		if d.API() == "gemini-contents" {
			namePairs(items)
		}
		last := &items[len(items)-1]
		if last.Role != transcript.User || last.Parts[len(last.Parts)-1].Text != "Sum up." {
			t.Fatalf("the prompt is not last: %q", last.Raw)
		}
		shown := &transcript.Transcript{Family: find(d.API()).family, Items: items, Rules: rules}
		shown.NoTools = !root.Get("toolConfig").Exists()
		defects := transcript.Validate(shown, transcript.Pair(shown))
		for _, f := range defects {
			// Doubled and missing ids are the input's own, and break every pairing.
			if f.Code == "unique_ids" || f.Code == "unique_item_ids" || f.Code == "ids_present" {
				return
			}
		}
		if len(defects) > 0 {
			t.Fatalf("%+v in\n%s", defects, body)
		}
	}
}
