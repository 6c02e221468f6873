package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/internal/prefixes"
	"github.com/tamp-dev/tamp/core/transcript"
)

// plainSummary begins as tamp's summaries do, and has sections as its digest.
const plainSummary = "[tamp] Earlier messages were compacted.\n## Goal\n- a log\n## Last step\n- it was found"

// What was compacted is read again under auto as what was written: one side may be
// left, the person may have a name of their own, and sections of the summary or of
// notes before the first turn are no persons.
func TestPlainTextCompactedAgain(t *testing.T) {
	notes := "# Chat\n\nFree words.\n\n## Notes\n\nKeep me.\n\n"
	for _, c := range []struct {
		name, src string
		role      transcript.Role // of the summary
		keep      []int
		want      []string
	}{
		{"only the user is left", "user: a\nassistant: b\n", transcript.User, nil, []string{"user|S"}},
		{"only the model is left", "user: a\nassistant: b\n", transcript.Assistant, []int{1}, []string{"assistant|S", "assistant|b"}},
		{"headings", notes + "## User\n\na\n\n## Assistant\n\nb\n", transcript.User, nil, []string{"user|S"}},
		{"headings, only the model", notes + "## User\n\na\n\n## Assistant\n\nb\n", transcript.Assistant, []int{1}, []string{"assistant|S", "assistant|b"}},
		{"a name of one's own", notes + "## ken\n\na\n\n## Assistant\n\nb\n\n## ken\n\nc\n\n## Assistant\n\nd\n", transcript.User, []int{3}, []string{"user|S", "assistant|d"}},
		{"a name of one's own, alone", notes + "## ken\n\na\n\n## Assistant\n\nb\n\n## ken\n\nc\n\n## Assistant\n\nd\n", transcript.User, nil, []string{"user|S"}},
		{"the name is gone", notes + "## ken\n\na\n\n## Assistant\n\nb\n\n## ken\n\nc\n\n## Assistant\n\nd\n", transcript.Assistant, []int{3}, []string{"assistant|S", "assistant|d"}},
		{"sections that stand often", "## ken\n\na\n\n## Assistant\n\n## Steps\n\nx\n\n## Steps\n\ny\n\n## ken\n\nc\n\n## Assistant\n\nd\n", transcript.User, []int{1, 3}, []string{"user|S", "assistant|## Steps//x//## Steps//y", "assistant|d"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustDecode(t, c.src, Options{})
			m := d.Writer.Message(c.role, plainSummary)
			entries := []transcript.Entry{{From: -1, New: &m}}
			for _, i := range c.keep {
				entries = append(entries, transcript.Entry{From: i})
			}
			out, err := d.Encode(entries)
			if err != nil {
				t.Fatal(err)
			}
			if before, _, ok := strings.Cut(c.src, string(d.Items[0].Raw)); !ok || !strings.HasPrefix(string(out), before) {
				t.Errorf("what stood before the first turn is not in\n%s", out)
			}
			var got []string
			for _, it := range mustDecode(t, string(out), Options{}).Items {
				text := it.Text()
				if strings.HasPrefix(text, "[tamp] Earlier") && strings.HasSuffix(text, "- it was found") {
					text = "S" // all of it
				}
				got = append(got, string(it.Role)+"|"+strings.ReplaceAll(text, "\n", "/"))
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("turns are\n%s\nwant\n%s\nof\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"), out)
			}
		})
	}
}

// A text that only speaks of tamp is no transcript; one that the caller names is.
func TestPlainTextOneSide(t *testing.T) {
	readme := "## Install\n\nRun it.\n\n## Output\n\nIt writes \"[tamp] cleared: x\".\n"
	if _, err := Decode([]byte(readme), Options{}); err == nil {
		t.Error("a page that quotes tamp is read as a transcript")
	}
	for src, want := range map[string]int{
		"## Ken\n\nb\n\n## Ken\n\nc\n":                      2,
		"## Assistant\n\na\n\n## Ken\n\nb\n":                2, // nobody spoke before an answer
		"## Notes\n\nn\n\n## Assistant\n\n[tamp] Record:\n": 1, // nor before a summary
	} {
		if d := mustDecode(t, src, Options{Format: "plain-text"}); len(d.Items) != want {
			t.Errorf("%q has %d turns, want %d", src, len(d.Items), want)
		}
	}
}

// Summaries of other systems mark a text as a transcript as tamp's own do. Their
// words are not in this project: that of lait is found in its description by its
// length and sum.
func TestPlainTextForeignSummary(t *testing.T) {
	spec, err := os.ReadFile(filepath.Join(shared(t), "spec", "lait.md"))
	if err != nil {
		t.Fatal(err)
	}
	prefix := ""
	for i := range len(spec) - 61 {
		if _, own, ok := prefixes.Cut(string(spec[i:i+61]) + "x)"); ok && !own {
			prefix = string(spec[i : i+61])
		}
	}
	if prefix == "" {
		t.Fatal("the prefix stands nowhere in the description")
	}
	said := prefix + "it was found)"
	for _, src := range []string{
		"user: " + said + "\n", "user: " + said + "\r\nuser: go on\r\n", "assistant: " + said + "\n",
		"## Notes\n\nn\n\n## ken\n\n" + said + "\n", "**Assistant**\n\n" + said + "\n",
	} {
		d, err := Decode([]byte(src), Options{})
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if text := d.Items[0].Text(); text != said {
			t.Errorf("%q: the first turn says %q", src, text)
		}
		if _, err := Decode([]byte(strings.Replace(src, "summary", "Summary", 1)), Options{}); err == nil {
			t.Errorf("%q with another word is read as a transcript", src)
		}
	}
}
