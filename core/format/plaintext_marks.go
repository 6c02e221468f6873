package format

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/prefixes"
	"github.com/tamp-dev/tamp/core/transcript"
)

// A mark is the line, or the beginning of a line, that says who speaks. One
// document has one style of marks: the one that most of them are in, with a
// person and a model among them. Marks stand at the beginning of a line and
// outside of code fences.

type markStyle uint8

const (
	colon    markStyle = iota // "User: text", "**User:** text", "[user] text"
	corner                    // "【ユーザー】", with the text behind it or below
	bold                      // "**User**", "_**User (2026-01-01)**_" on a line of its own
	heading1                  // "# User", and so on to heading1+5
)

// inline reports whether the text may begin on the line of the mark.
func (s markStyle) inline() bool { return s == colon || s == corner }

type turnMark struct {
	style       markStyle
	name        string // as it is written, lower case
	role        transcript.Role
	start, text int // where the line begins, and what is said
	line        int // from 1
	learned     bool
	to          string // the person that a summary in the model's name is told to: see addressed
	ours        bool   // what is said stands for others: see standsForOthers
}

// ownText begins all that tamp puts into a transcript: summaries, and what stands
// for what was cleared.
const ownText = "[tamp] "

// standsForOthers notes which turns say a text of tamp's own, or an earlier
// summary by any prefix that is known: where only one side is left, they show
// that there was another. Texts that begin behind a mark are looked at, whatever
// stands below; cost: some hundred bytes of each.
func standsForOthers(text []byte, marks []turnMark) {
	for i := range marks {
		said := bytes.TrimLeft(text[marks[i].text:], " \t\r\n")
		marks[i].ours = bytes.HasPrefix(said, []byte(ownText))
		if !marks[i].ours {
			head := string(said[:min(len(said), 2*prefixes.Bytes)])
			_, _, marks[i].ours = prefixes.Cut(strings.ReplaceAll(head, "\r\n", "\n"))
		}
	}
}

// summarised reports whether one of the turns stands for others.
func summarised(text []byte, marks []turnMark) bool {
	standsForOthers(text, marks)
	return slices.ContainsFunc(marks, func(m turnMark) bool { return m.ours })
}

// Where a person has a name of their own it shows only before an answer. When no
// such turn is left, a summary in the model's name says whom it is told to:
// "## ChatGPT (to Ken)".
const (
	addressOpen  = " (to "
	addressClose = ")"
)

// addressee is the name that a heading is addressed to, lower case; "" for none.
func addressee(heading string) string {
	rest, ok := strings.CutSuffix(heading, addressClose)
	at := strings.LastIndex(rest, addressOpen)
	if !ok || at < 0 {
		return ""
	}
	return fold(rest[at+len(addressOpen):])
}

// unaddressed is a mark without the name that it is addressed to.
func unaddressed(label string) string {
	line := strings.TrimRight(label, "\r\n")
	if addressee(line) == "" {
		return label
	}
	return line[:strings.LastIndex(line, addressOpen)] + label[len(line):]
}

// addressed is a heading that names a person, as it is where that gets too long.
func addressed(label, person string) string {
	line := strings.TrimRight(label, "\r\n")
	to := line + addressOpen + person + addressClose
	if len(to) >= longestMark || addressee(to) != fold(person) {
		return label
	}
	return to + label[len(line):]
}

// longestMark bounds what is looked at of each line.
const longestMark = 120

// findMarks are the marks of the text's style, nil where nobody speaks to
// anybody. One side is enough where the caller says that this is a transcript
// (named), or where a turn stands for others: of what was compacted no more may
// be left.
func findMarks(text []byte, named bool) []turnMark {
	var byStyle [heading1 + 6][]turnMark
	fences, _ := fenceLines(text)
	inside, line := false, 0
	for at := 0; at < len(text); {
		next := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line++
		if len(fences) > 0 && fences[0] == at {
			fences, inside = fences[1:], !inside
		} else if !inside {
			if m, ok := readMark(text[at:min(next, at+longestMark)], next-at > longestMark); ok {
				m.start, m.line = at, line
				if m.text += at; !m.style.inline() {
					m.text = next
				}
				byStyle[m.style] = append(byStyle[m.style], m)
			}
		}
		at = next
	}
	var best, first []turnMark // first: those that begin first
	for _, marks := range byStyle {
		turns := spoken(text, marks, named)
		if len(turns) > len(best) {
			best = turns
		}
		if turns == nil {
			turns = oneSide(text, [][]turnMark{marks}, false)
		}
		if len(turns) > 0 && (first == nil || turns[0].start < first[0].start) {
			first = turns
		}
	}
	if summarised(text, first) { // few turns are left, and those of a quoted chat may be more
		best = first
	}
	if best == nil {
		best = oneSide(text, byStyle[:], named)
	}
	for i := range best {
		end := len(text)
		if i+1 < len(best) {
			end = best[i+1].start
		}
		for m := &best[i]; m.text < end && (text[m.text] == '\r' || text[m.text] == '\n'); {
			m.text++ // the text begins behind the blank lines
		}
	}
	return best
}

// readMark reads the beginning of a line; cut says that more of it follows.
func readMark(l []byte, cut bool) (turnMark, bool) {
	s := strings.TrimRight(string(l), "\r\n \t")
	if level := len(s) - len(strings.TrimLeft(s, "#")); level > 0 && level <= 6 && !cut {
		name := speakerName(strings.TrimLeft(s, "#"))
		return turnMark{style: heading1 + markStyle(level-1), name: name, role: roleOf(name), to: addressee(s)}, name != ""
	}
	if inner, ok := emphasised(s); ok && !cut {
		name := speakerName(inner)
		if role := roleOf(name); role != "" {
			return turnMark{style: bold, name: name, role: role}, true
		}
	}
	for _, open := range []struct {
		before, after string
		style         markStyle
	}{
		{"【", "】:", corner},
		{"【", "】：", corner},
		{"【", "】", corner},
		{"**", ":**", colon},
		{"**", "**:", colon},
		{"**", "：**", colon},
		{"[", "]", colon},
		{"", ":", colon},
		{"", "：", colon},
	} {
		rest, ok := strings.CutPrefix(s, open.before)
		if !ok {
			continue
		}
		name, _, ok := strings.Cut(rest, open.after)
		if !ok || name == "" || len(name) > 40 || name[0] == ' ' || name[0] == '\t' {
			continue
		}
		name = fold(name)
		if role := roleOf(name); role != "" {
			text := len(open.before) + strings.Index(rest, open.after) + len(open.after)
			for text < len(l) && (l[text] == ' ' || l[text] == '\t') {
				text++
			}
			return turnMark{style: open.style, name: name, role: role, text: text}, true
		}
	}
	return turnMark{}, false
}

// emphasised is what stands in "**..**" or "_**..**_" alone on a line.
func emphasised(s string) (string, bool) {
	s = strings.TrimSuffix(s, ":")
	if inner, ok := strings.CutPrefix(s, "_"); ok {
		s = strings.TrimSuffix(inner, "_")
	}
	inner, ok := strings.CutPrefix(s, "**")
	if !ok || !strings.HasSuffix(inner, "**") {
		return "", false
	}
	return strings.TrimSuffix(inner, "**"), true
}

// speakerName is the name in a heading: without a number before it ("1. user") and
// what stands in brackets behind it (a time, a model), and out of "【】".
func speakerName(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(strings.TrimLeft(s, "0123456789"), ". ")
	if i := strings.IndexAny(s, "(（"); i > 0 {
		s = s[:i]
	}
	return fold(strings.Trim(strings.TrimRight(s, ":： "), "【】"))
}

func fold(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	return strings.TrimSuffix(name, " said")
}

// roleOf is the role of a speaker, "" where the name says none. A number behind
// it ("user1") tells several persons apart.
func roleOf(name string) transcript.Role {
	name = strings.TrimRight(name, "0123456789 ")
	switch name {
	case "user", "human", "you", "me", "question", "q", "ユーザー", "ユーザ", "人間", "私", "自分", "あなた", "利用者", "質問", "質問者":
		return transcript.User
	case "assistant", "ai", "bot", "agent", "model", "answer", "a", "chatgpt", "gpt", "gpt-", "claude", "gemini", "copilot",
		"llm", "アシスタント", "回答", "回答者", "応答":
		return transcript.Assistant
	case "system", "システム":
		return transcript.System
	case "tool", "function", "observation", "ツール":
		return transcript.Tool
	}
	return ""
}
