package format

import (
	"bytes"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// plainTextWriter writes turns in the style of the text. It implements
// transcript.Writer: items are no JSON here.
type plainTextWriter struct {
	style   markStyle
	learned string                     // the name of a person that only the text gives
	labels  map[transcript.Role]string // the newest mark of each role, as it stands
	crlf    bool                       // lines of the text end with "\r\n"
}

// read makes an item of a turn whose text begins at an offset.
func (w plainTextWriter) read(raw []byte, text int, role transcript.Role) transcript.Item {
	it := transcript.Item{Raw: raw, Role: role}
	said := bytes.TrimRight(raw[text:], " \t\r\n")
	if len(said) > 0 {
		s := strings.ToValidUTF8(string(said), "\uFFFD")
		if w.crlf { // how a line ends is none of what is said
			s = strings.ReplaceAll(s, "\r\n", "\n")
		}
		it.Parts = []transcript.Part{{Kind: transcript.Text, Text: s, Start: text, End: text + len(said)}}
	}
	it.Empty = len(said) == 0
	mark(&it)
	return it
}

// label is the mark of a role, as it stands in the text, else as its style has
// it. A role without a name in any text is the user's.
func (w plainTextWriter) label(role transcript.Role) (string, transcript.Role) {
	if l, ok := w.labels[role]; ok {
		return l, role
	}
	name := "User"
	switch role {
	case transcript.Assistant:
		name = "Assistant"
	case transcript.System:
		name = "System"
	case transcript.Tool:
		name = "Tool"
	default:
		if l, ok := w.labels[transcript.User]; ok {
			return l, transcript.User
		}
		role = transcript.User
	}
	switch w.style {
	case colon:
		return name + ": ", role
	case corner:
		return "【" + name + "】\n", role
	case bold:
		return "**" + name + "**\n\n", role
	default: // a heading
	}
	return strings.Repeat("#", int(w.style-heading1)+1) + " " + name + "\n\n", role
}

// Message is a turn that says text.
func (w plainTextWriter) Message(role transcript.Role, text string) transcript.Item {
	label, role := w.label(role)
	if role == transcript.Assistant && w.learned != "" && w.style >= heading1 {
		label = addressed(label, w.person())
	}
	return w.turn(label, text, role)
}

// person is the name that only the text gives, as it is written there.
func (w plainTextWriter) person() string {
	written := strings.TrimSpace(strings.TrimLeft(w.labels[transcript.User], "#"))
	if fold(written) == w.learned {
		return written
	}
	return w.learned
}

func (w plainTextWriter) turn(label, text string, role transcript.Role) transcript.Item {
	label = w.ended(label)
	return w.read([]byte(label+w.ended(strings.TrimRight(w.safe(text), " \t\r\n"))), len(label), role)
}

// ended is text with the line ends of the whole.
func (w plainTextWriter) ended(text string) string {
	if !w.crlf {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// WithText is the turn with its mark and another text. It answers what it answered,
// and the calls within it stay.
func (w plainTextWriter) WithText(it *transcript.Item, text string) transcript.Item {
	out := w.turn(w.labelOf(it), text, it.Role)
	out.Path = it.Path
	for j := range it.Parts {
		switch it.Parts[j].Kind {
		case transcript.Result:
			if len(out.Parts) > 0 {
				asResult(&out)
			}
		case transcript.Call:
			out.Parts = append(out.Parts, transcript.Part{Kind: transcript.Call})
		default:
		}
	}
	return out
}

// labelOf is what stands before the text of a turn.
func (w plainTextWriter) labelOf(it *transcript.Item) string {
	if len(it.Parts) == 0 || it.Parts[0].End == 0 { // nothing is said
		return w.closed(string(it.Raw))
	}
	return string(it.Raw[:it.Parts[0].Start])
}

// closed is a mark behind which text can stand: one on a line of its own has its
// line end, also where the text ended with it.
func (w plainTextWriter) closed(label string) string {
	if !w.style.inline() && !strings.HasSuffix(label, "\n") {
		label += "\n\n"
	}
	return label
}

// WithoutSummary is the turn as it is: a turn is a summary whole or not at all.
func (w plainTextWriter) WithoutSummary(it *transcript.Item) transcript.Item { return *it }

// WithParts replaces the text of a turn, which has one part.
func (w plainTextWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	if len(edits) != 1 || edits[0].Drop || edits[0].Text == "" || edits[0].ID != "" || it.Parts[0].Kind != transcript.Result {
		return *it, false
	}
	out := w.WithText(it, edits[0].Text)
	return out, len(out.Parts) == 1
}

// Joined is the turn of a with the texts of both, a blank line between them.
func (w plainTextWriter) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	out := w.WithText(a, a.Text()+"\n\n"+b.Text())
	for j := range b.Parts {
		if b.Parts[j].Kind == transcript.Call {
			out.Parts = append(out.Parts, transcript.Part{Kind: transcript.Call})
		}
	}
	return out, true
}

// Answer is never an item: a call in a text is told by its result alone.
func (w plainTextWriter) Answer(*transcript.Item, int, string) (transcript.Item, bool) {
	return transcript.Item{}, false
}

// safe is text in which nothing can be read as a mark: a line that would be one
// is moved in by a blank, and a fence that is open at the end is closed. Among
// headings any name is one, which stays a heading in Markdown behind a blank:
// where no other name of a person is left, the title of a section would be it.
func (w plainTextWriter) safe(text string) string {
	lines := strings.Split(text, "\n")
	fences := 0
	for i, l := range lines {
		if t := strings.TrimLeft(l, " "); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fences++
			continue
		}
		m, ok := readMark([]byte(l[:min(len(l), longestMark)]), len(l) > longestMark)
		if ok && m.style == w.style {
			lines[i] = " " + l
		}
	}
	if fences%2 == 1 {
		lines = append(lines, "```")
	}
	return strings.Join(lines, "\n")
}
