package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

const (
	plainColon = "user: Where is the log?\nassistant: In /var/log.\nIt says:\n```\nuser: root\n```\ntool: not mine\nuser: Thanks\n  user: (indented, no mark)\n"
	plainHeads = "# A title\n\nSome words before.\n\n## ken\n\nこんにちは\n\n## ChatGPT\n\n### Steps\n\nOne.\n\n## ken\n\nDone?\n\n## ChatGPT\n\nYes."
	plainBold  = "<!-- made by an exporter -->\n\n_**User (2026-02-11 14:35:11Z)**_\n\nPlan it.\n\n---\n\n_**Agent (model-x 2026-02-11)**_\n\n<details>\nTool use\n</details>\n"
	plainTool  = "user: my id is u1\nassistant: None\ntool: {\"name\": \"A\"}\nassistant: Found.\n"
	plainJa    = "ユーザー：テストは？\nアシスタント：通りました。\n続けます。\nユーザー: はい\n"
)

// turns shows the items of a text as "role|text".
func turns(t *testing.T, src string) []string {
	t.Helper()
	var out []string
	for _, it := range mustDecode(t, src, Options{}).Items {
		var kind []byte
		for _, p := range it.Parts {
			kind = append(kind, p.Kind.String()...)
		}
		out = append(out, fmt.Sprintf("%s|%s|%s", it.Role, kind, strings.ReplaceAll(it.Text(), "\n", "/")))
	}
	return out
}

func TestPlainText(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"a name and a colon", plainColon, []string{
			"user|text|Where is the log?",
			"assistant|textcall|In /var/log./It says:/```/user: root/```", // a mark within a fence is none
			"tool|result|", // of a call that the text does not tell
			"user|text|Thanks/  user: (indented, no mark)",
		}},
		{"headings, one of them a name that only this text has", plainHeads, []string{
			"user|text|こんにちは", "assistant|text|### Steps//One.", "user|text|Done?", "assistant|text|Yes.",
		}},
		{"an exporter's bold lines", plainBold, []string{"user|text|Plan it.//---", "assistant|text|<details>/Tool use/</details>"}},
		{"an answer that is nothing but a call", plainTool, []string{"user|text|my id is u1", "assistant|call|", "tool|result|", "assistant|text|Found."}},
		{"Japanese names", plainJa, []string{"user|text|テストは？", "assistant|text|通りました。/続けます。", "user|text|はい"}},
		{"a fence of the other kind within one", "User: see\n```\n~~~\nAssistant: quoted\n```\nAssistant: ok\n", []string{"user|text|see/```/~~~/Assistant: quoted/```", "assistant|text|ok"}},
		{"names of a person", "あなた: やあ\nChatGPT: はい\n利用者：次\nChatGPT: どうぞ\n", []string{"user|text|やあ", "assistant|text|はい", "user|text|次", "assistant|text|どうぞ"}},
		{
			"names in corners", "前書き\n【ユーザー】\nテストは？\n\n【アシスタント】通りました。\n【回路】図\nQ: 例\n【ユーザー】：はい\n【アシスタント】: 了解\n",
			[]string{"user|text|テストは？", "assistant|text|通りました。/【回路】図/Q: 例", "user|text|はい", "assistant|text|了解"},
		},
		{"headings in corners", "## 【ユーザー】\nやあ\n## 【アシスタント】\nはい", []string{"user|text|やあ", "assistant|text|はい"}},
		// In a text whose marks are names with a colon they are headings of an answer.
		{"corners within an answer", "User: どう？\nAssistant: こう。\n【回答】\nはい\nUser: 次\n", []string{"user|text|どう？", "assistant|text|こう。/【回答】/はい", "user|text|次"}},
		{"lines that end in CRLF", "user: a\r\nb\r\nassistant: c\r\n\r\nd\r\n", []string{"user|text|a/b", "assistant|text|c//d"}},
		{"what a web page gives", "You said:\nhi\nChatGPT said:\nhello\nYou said:\nbye\n", []string{"user|text|hi", "assistant|text|hello", "user|text|bye"}},
		{"numbered headings", "### 1. user (2026)\nhi\n### 2. assistant\nhello\n### 3. user (2026)\nok", []string{"user|text|hi", "assistant|text|hello", "user|text|ok"}},
		{"a fence that nobody closes hides nothing", "user: see ```\n```\nassistant: ok\nuser: bye\n", []string{"user|text|see ```/```", "assistant|text|ok", "user|text|bye"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := turns(t, c.src); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("turns are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			holds(t, []byte(c.src), Options{})
		})
	}
}

// A heading of the marks' level within an answer is no speaker: another name
// stands more often, and before the model.
func TestPlainTextHeadingInAnswer(t *testing.T) {
	src := strings.ReplaceAll(plainHeads, "### Steps", "## Steps")
	if got := turns(t, src); len(got) != 4 || got[1] != "assistant|text|## Steps//One." {
		t.Errorf("turns are %q", got)
	}
}

// A result in a text has its call before it, so that both go or stay together.
func TestPlainTextPairs(t *testing.T) {
	d := mustDecode(t, plainTool, Options{})
	if p := transcript.Pair(d.Transcript); p.Group[1] != p.Group[2] || len(p.Orphans) > 0 {
		t.Errorf("groups %v, orphans %v", p.Group, p.Orphans)
	}
}

// What is said can not be read as a mark or hide the marks behind it.
func TestPlainTextSafe(t *testing.T) {
	d := mustDecode(t, plainColon, Options{})
	m := d.Writer.Message(transcript.User, "assistant: no\n```\nopen")
	out, err := d.Encode([]transcript.Entry{{From: -1, New: &m}, {From: 1}, {From: 3}})
	if err != nil {
		t.Fatal(err)
	}
	want := "user:  assistant: no\n```\nopen\n```\n" + "assistant: In /var/log.\nIt says:\n```\nuser: root\n```\n" + "user: Thanks\n  user: (indented, no mark)\n"
	if string(out) != want {
		t.Errorf("written\n%s\nwant\n%s", out, want)
	}
	if n := len(mustDecode(t, string(out), Options{}).Items); n != 3 {
		t.Errorf("%d turns come back, want 3", n)
	}
}

// What is new has the line ends of the text: in what is said, in marks that it has
// none of, and behind a turn that had none.
func TestPlainTextLineEnds(t *testing.T) {
	for _, c := range []struct {
		src  string
		role transcript.Role
		want string
	}{
		{"user: a\nb\nassistant: c", transcript.User, "assistant: c\nuser: N\nM\r\nL\nassistant: c"},
		{"user: a\nb\nassistant: c", transcript.Tool, "assistant: c\nTool: N\nM\r\nL\nassistant: c"},
		{"## User\n\na\n\n## Assistant\n\nc", transcript.System, "## Assistant\n\nc\n\n## System\n\nN\nM\r\nL\n\n## Assistant\n\nc"},
		{"**User**\na\n**Assistant**\nc", transcript.User, "**Assistant**\nc\n**User**\nN\nM\r\nL\n**Assistant**\nc"},
		{"【User】\na\n【Assistant】\nc", transcript.Tool, "【Assistant】\nc\n【Tool】\nN\nM\r\nL\n【Assistant】\nc"},
	} {
		for _, ending := range []string{"\n", "\r\n"} {
			src, want := c.src, c.want
			if ending == "\r\n" { // a text has one kind of line end
				src, want = strings.ReplaceAll(src, "\n", ending), strings.ReplaceAll(strings.ReplaceAll(want, "\r\n", "\n"), "\n", ending)
			}
			d := mustDecode(t, src, Options{})
			m := d.Writer.Message(c.role, "N\nM\r\nL")
			out, err := d.Encode([]transcript.Entry{{From: 1}, {From: -1, New: &m}, {From: 1}})
			if err != nil || string(out) != want {
				t.Errorf("%v: written %q, want %q", err, out, want)
			}
			text := "N\nM\nL"
			if ending == "\n" {
				text = "N\nM\r\nL" // nothing of it is known to be a line end
			}
			if got := m.Text(); got != text {
				t.Errorf("the new turn says %q, want %q", got, text)
			}
		}
	}
}

// Text in which nobody is named, or only one side, is no transcript.
func TestPlainTextRefused(t *testing.T) {
	for _, src := range []string{"Just a note.\nWith two lines.", "user: a\nuser: b\n", "Note: this\nWarning: that\n", "## Steps\n\n## More\n", `{"role": "user", `} {
		if _, err := Decode([]byte(src), Options{}); err == nil {
			t.Errorf("%q is read", src)
		}
	}
	if _, err := Decode([]byte(`[]`), Options{Format: "plain-text"}); err == nil {
		t.Error("JSON is read as text")
	}
}

func FuzzPlainText(f *testing.F) {
	fuzz(f, "plain-text", plainColon, plainHeads, plainBold, plainTool, plainJa, "user:\nassistant:\n", "user: a\r\nassistant: b\r\n", "【ユーザー】\r\na\r\n【アシスタント】b\r\n", "```\n[{\"role\":\"user\",\"content\":\"a\"}]\n```")
}
