package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// openWriter is the writer of OpenCode messages: each part of them repeats the
// ids of its message and session.
type openWriter struct {
	writer
	session *opencodeSession
}

func opencodeWriter(session *opencodeSession) openWriter {
	// Behind all messages; the place it gets is known when it is written.
	at := opencodePlace{time: max(session.newest.time, session.now), hex: session.newest.hex + 1, tail: "00000000000000"}
	return openWriter{session: session, writer: writer{
		read: readOpencode,
		message: func(role transcript.Role, text string) []byte {
			return session.element(role, text, at)
		},
		text: opencodeText,
		also: opencodeAlso,
	}}
}

// WithText is the message with one text part in the place of all its parts.
func (w openWriter) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	own := rawjson.Value{}
	for p := range v.Get("parts").Elems() {
		if !own.Exists() || p.Get("type").Text() == "text" && own.Get("type").Text() != "text" {
			own = p
		}
	}
	b := append([]byte{'['}, opencodeTextPart(own, text)...)
	out := w.item(setMember(it.Raw, v, "parts", append(b, ']')), it.Role)
	out.Path = it.Path
	return out
}

// opencodeTextPart is a text part with the ids of a part, those that it has.
func opencodeTextPart(own rawjson.Value, text string) []byte {
	b := newBody()
	b.str("type", "text")
	b.key("text")
	b.buf = rawjson.AppendQuote(b.buf, text)
	for _, key := range []string{"id", "sessionID", "messageID"} {
		b.raw(key, own.Get(key).Raw())
	}
	return b.end()
}

// opencodeText is the text part that stands for a file. What a tool attached to
// its output can be no text: OpenCode reads files only there.
func opencodeText(it *transcript.Item, p *transcript.Part, text string) []byte {
	v, err := rawjson.Parse(it.Raw[p.Start:p.End])
	if err != nil || it.Role != transcript.User || v.Get("type").Text() != "file" {
		return nil
	}
	return opencodeTextPart(v, text)
}

// opencodeAlso: what a tool attached to its output goes with that.
func opencodeAlso(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) (changes []change, gone []int, ok bool) {
	cleared := map[int]bool{} // starts of outputs
	for _, e := range edits {
		if p := &it.Parts[e.Part]; p.Kind == transcript.Result && p.End > 0 && e.Text != "" {
			cleared[p.Start] = true
		}
	}
	for part := range v.Get("parts").Elems() {
		state := part.Get("state")
		for _, output := range []rawjson.Value{state.Get("output"), state.Get("error"), state.Get("metadata").Get("output")} {
			if files := state.Get("attachments"); output.Exists() && cleared[output.Start()] && files.Exists() {
				gone = append(gone, files.Start())
			}
		}
	}
	return nil, gone, true
}

// WithParts is the message with some parts changed. A call and its result share
// their id, so a new one for the call is one for the result, too.
func (w openWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	edits = slices.Clone(edits)
	for i := range edits {
		if it.Parts[edits[i].Part].Kind == transcript.Result {
			edits[i].ID = ""
		}
	}
	edits = slices.DeleteFunc(edits, func(e transcript.Edit) bool {
		p := &it.Parts[e.Part]
		return p.Kind == transcript.Result && p.End == 0 && !e.Drop && e.Text == "" && e.ID == ""
	})
	return w.writer.WithParts(it, edits)
}

// Joined is not for OpenCode: its messages are one answer or one question each.
func (w openWriter) Joined(a, _ *transcript.Item) (transcript.Item, bool) { return *a, false }
