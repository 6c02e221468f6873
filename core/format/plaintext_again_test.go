package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What is written is read again as the turns that it was made of: in every style
// of marks, whoever says the summary and whichever turns are kept. Answers hold
// sections, and a chat in another style that has more turns than are left.
func TestPlainTextReadAgain(t *testing.T) {
	const quoted = "as in\n\nuser: x\nassistant: y\nuser: z\nassistant: w\n"
	const sections = "so:\n\n### Steps\n\n1. a\n"
	head := func(marks, person, model string) func(bool) string {
		return func(user bool) string {
			if user {
				return marks + person + "\n\n"
			}
			return marks + model + "\n\n"
		}
	}
	line := func(person, model string) func(bool) string {
		return func(user bool) string {
			if user {
				return person
			}
			return model
		}
	}
	for name, mark := range map[string]func(bool) string{
		"a name":            head("## ", "Taro", "ChatGPT"),
		"a Japanese name":   head("## ", "山田", "ChatGPT"),
		"a name and a time": head("### ", "Taro (10:01)", "Claude (opus)"),
		"a number":          head("# ", "1. Taro", "2. Assistant"),
		"a name in corners": head("## ", "【山田】", "【アシスタント】"),
		"user":              head("## ", "User", "Assistant"),
		"colon":             line("User: ", "Assistant: "),
		"wide colon":        line("質問：", "回答："),
		"bold colon":        line("**You:** ", "**GPT:** "),
		"corners":           line("【ユーザー】\n", "【アシスタント】\n"),
		"bold":              line("**User**\n\n", "**Model**\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("Notes\n\n")
			for i, said := range []string{"q0", "a0", "q1", quoted, "q2", sections, "q3"} {
				if said == quoted && !strings.HasSuffix(mark(true), "\n") { // of the same style it would be turns
					said = "a1"
				}
				b.WriteString(mark(i%2 == 0) + said + "\n\n")
			}
			src := b.String()
			d := mustDecode(t, src, Options{})
			if len(d.Items) != 7 {
				t.Fatalf("%d turns", len(d.Items))
			}
			for _, role := range []transcript.Role{transcript.User, transcript.Assistant} {
				m := d.Writer.Message(role, plainSummary)
				for kept := range 1 << 7 {
					entries, want := []transcript.Entry{{From: -1, New: &m}}, []string{saidBy(&m)}
					for i := range d.Items {
						if kept>>i&1 == 1 {
							entries, want = append(entries, transcript.Entry{From: i}), append(want, saidBy(&d.Items[i]))
						}
					}
					out, err := d.Encode(entries)
					if err != nil {
						t.Fatal(err)
					}
					again := mustDecode(t, string(out), Options{})
					var got []string
					for i := range again.Items {
						got = append(got, saidBy(&again.Items[i]))
					}
					if strings.Join(got, "\n") != strings.Join(want, "\n") {
						t.Fatalf("%s, kept %b: turns are\n%s\nwant\n%s\nof\n%s", role, kept, strings.Join(got, "\n"), strings.Join(want, "\n"), out)
					}
					if kept == 0 && role == transcript.Assistant { // the name outlives its turns
						next := again.Writer.Message(role, plainSummary)
						if string(next.Raw) != string(m.Raw) && !strings.EqualFold(string(next.Raw), string(m.Raw)) {
							t.Errorf("the next summary is\n%s\nafter\n%s", next.Raw, m.Raw)
						}
					}
				}
			}
		})
	}
	long := strings.Repeat("n", 60)
	d := mustDecode(t, "## "+long+"\n\na\n\n## Assistant (of "+long+")\n\nb\n", Options{})
	if m := d.Writer.Message(transcript.Assistant, "[tamp] S"); !strings.HasPrefix(string(m.Raw), "## Assistant (of "+long+")\n\n") {
		t.Errorf("a mark that is too long to be read:\n%s", m.Raw)
	}
}

func saidBy(it *transcript.Item) string { return fmt.Sprintf("%s|%q", it.Role, it.Text()) }
