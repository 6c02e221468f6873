package format

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Plain text: what people copy out of a chat window, and what exporters write as
// Markdown. A turn begins at a mark (see plaintext_marks.go) and goes to the
// next one; its bytes, the mark included, are the item.

func plainTextFormat() *format {
	return &format{
		Info: Info{
			Name: "plain-text", Title: "Plain text", Provider: "any",
			Shapes: []string{shapeText}, Write: "edit",
		},
		family: transcript.Chat,
		rules:  harnessRefusals(),
		sniff:  sniffPlainText,
		decode: decodePlainText,
	}
}

func sniffPlainText(s *sample) finding {
	var f finding
	if s.shape != shapeText {
		return f
	}
	text := s.src.raw[s.src.from:s.src.to]
	if jsonLike(text) {
		return f // JSON that is broken
	}
	marks := findMarks(text, false)
	confidence := hinted
	if len(marks) > 2 {
		confidence = likely
	}
	for _, m := range marks {
		f.sign(confidence, func() string { return fmt.Sprintf("line %d is a mark of the %s", m.line, m.role) })
	}
	return f
}

// jsonLike reports whether a text begins as JSON does: "[10:01] ken" does not.
func jsonLike(text []byte) bool {
	lead := bytes.TrimSpace(text)
	if len(lead) == 0 {
		return true
	}
	if lead[0] != '{' && lead[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(lead[1:], " \t\r\n")
	return len(next) == 0 || bytes.IndexByte([]byte(`"{[]}`), next[0]) >= 0
}

func decodePlainText(s *sample, f *format, opt Options) (*Document, error) {
	text := s.src.raw[s.src.from:s.src.to]
	marks := findMarks(text, opt.Format == f.Name)
	if len(marks) == 0 {
		return nil, &transcript.Error{
			Code: "invalid_request", Path: "transcript",
			Message: "is not plain-text: no line says who speaks, such as \"User: ...\", \"## Assistant\" or \"**User**\"",
		}
	}
	if len(marks) > MaxItems {
		return nil, tooLarge("has more than " + count(MaxItems, "turn"))
	}
	first := bytes.IndexByte(text, '\n')
	c := &plainTextCodec{from: s.src.from, to: s.src.to, preamble: marks[0].start}
	w := plainTextWriter{
		style: marks[0].style, learned: learned(marks), labels: map[transcript.Role]string{},
		crlf: first > 0 && text[first-1] == '\r',
	}
	c.ending = w.ended("\n")
	t := &transcript.Transcript{}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1].start
		}
		turn := text[m.start:end]
		size := len(bytes.TrimRight(turn, " \t\r\n"))
		raw := turn[:size:size]
		c.gaps = append(c.gaps, turn[size:])
		w.labels[m.role] = unaddressed(w.closed(string(turn[:m.text-m.start])))
		it := w.read(raw, min(m.text-m.start, size), m.role)
		it.Path = ":" + strconv.Itoa(m.line+bytes.Count(s.src.raw[:s.src.from], []byte{'\n'}))
		t.Items = append(t.Items, it)
	}
	pairSilentCalls(t.Items)
	t.Writer = w
	return &Document{Transcript: t, codec: c}, nil
}

// pairSilentCalls: a text tells what a tool gave, and mostly not how it was called.
// Each tool's turn behind a word of the model answers a call within that; some
// exporters write "None" for an answer that was nothing but a call.
func pairSilentCalls(items []transcript.Item) {
	calls := -1 // the turn of the model that the tools' turns stand behind
	for i := range items {
		it := &items[i]
		switch {
		case it.Role == transcript.Assistant && !strings.HasPrefix(it.Text(), ownText): // a summary called nothing
			calls = i
		case it.Role != transcript.Tool:
			calls = -1
		case calls >= 0 && len(it.Parts) > 0:
			said := &items[calls]
			if len(said.Parts) == 1 && said.Parts[0].Kind == transcript.Text && said.Parts[0].Text == "None" {
				said.Parts[0].Kind, said.Parts[0].Text = transcript.Call, ""
			} else {
				said.Parts = append(said.Parts, transcript.Part{Kind: transcript.Call})
				said.Empty = false
			}
			asResult(it)
		default:
		}
	}
}

// asResult makes a turn the result of a call.
func asResult(it *transcript.Item) {
	p := &it.Parts[0]
	p.Kind, p.BodyStart, p.BodyEnd = transcript.Result, p.Start, p.End
}

type plainTextCodec struct {
	converted
	ending   string   // of lines
	from, to int      // of the text in the source
	preamble int      // what stands before the first turn, within the text
	gaps     [][]byte // the white space behind each turn
}

// splice writes the turns behind the preamble, each with the white space that
// stood behind it; the last one takes that of the text's end. What is new, and
// one that had no line end behind it, takes that of the first turn.
func (c *plainTextCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	out := append([]byte(nil), src[:c.from+c.preamble]...)
	last := len(c.gaps) - 1
	for i, e := range entries {
		out = append(out, bytesOf(t, e)...)
		gap := c.gaps[0]
		switch {
		case i == len(entries)-1:
			gap = c.gaps[last]
		case e.From >= 0 && e.From < last:
			gap = c.gaps[e.From]
		}
		if i < len(entries)-1 && bytes.IndexByte(gap, '\n') < 0 {
			gap = []byte(c.ending)
		}
		out = append(out, gap...)
	}
	return append(out, src[c.to:]...)
}
