package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// cliMessages writes messages of a session. It implements transcript.Writer.
type cliMessages struct{ writer }

// newCLIWriter writes messages of the caller's time, else of that of the newest
// one.
func newCLIWriter(now string, last, model value) cliMessages {
	at := last.Get("timestamp").Raw()
	if now != "" {
		at = rawjson.AppendQuote(nil, now)
	}
	return cliMessages{writer{
		read: readCLI,
		message: func(role transcript.Role, text string) []byte {
			b := newBody()
			b.str("id", nodeID(role, text))
			b.raw("timestamp", at)
			if role == transcript.Assistant {
				b.str("type", "gemini")
			} else {
				b.str("type", "user")
			}
			b.key("content")
			b.buf = rawjson.AppendQuote(b.buf, text)
			if role == transcript.Assistant {
				b.raw("model", model.Get("model").Raw())
			}
			return b.end()
		},
		text: func(_ *transcript.Item, _ *transcript.Part, text string) []byte { return untypedText(text) },
		body: cliBody,
		fixed: func(_ *transcript.Item, p *transcript.Part, _ rawjson.Value) bool {
			return p.Kind == transcript.Call && p.Signed
		},
	}}
}

// cliBody is the value that takes the place of a result or of a call's input. A
// list of parts becomes the one that the CLI itself writes.
func cliBody(p *transcript.Part, old rawjson.Value, text string) []byte {
	if !old.Is(rawjson.Array) {
		return geminiBody(p, old, text)
	}
	res := newBody()
	res.str("id", p.ID)
	res.str("name", p.Name)
	said := newBody()
	said.str("output", text)
	res.raw("response", said.end())
	b := newBody()
	b.raw("functionResponse", res.end())
	return blockList([][]byte{b.end()})
}

// WithText is the message with its content replaced: a list of parts becomes one
// of one text, anything else the text.
func (w cliMessages) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	content := rawjson.AppendQuote(nil, text)
	if v.Get("content").Is(rawjson.Array) {
		content = blockList([][]byte{untypedText(text)})
	}
	out := w.item(setMember(it.Raw, v, "content", content), it.Role)
	out.Path = it.Path
	return out
}

// WithParts is the message with some of its parts changed. A call that goes takes
// its result with it: both are one value, or, where the call stands in the
// content, the value beside it goes too.
func (w cliMessages) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	gone, dropped := map[string]bool{}, map[int]bool{}
	for _, e := range edits {
		dropped[e.Part] = dropped[e.Part] || e.Drop
		if p := &it.Parts[e.Part]; e.Drop && p.Kind == transcript.Call {
			gone[p.ID] = true
		}
	}
	if unsigns(it, dropped) {
		return *it, false
	}
	var rest []transcript.Edit
	for _, e := range edits {
		if p := &it.Parts[e.Part]; p.Kind != transcript.Result || !gone[p.ID] {
			rest = append(rest, e)
		}
	}
	w.also = func(v rawjson.Value, it *transcript.Item, _ []transcript.Edit) ([]change, []int, bool) {
		calls := map[int]bool{} // that are values of their own
		for j := range it.Parts {
			calls[it.Parts[j].Start] = calls[it.Parts[j].Start] || it.Parts[j].Kind == transcript.Call
		}
		var starts []int
		for c := range v.Get("toolCalls").Elems() {
			if gone[c.Get("id").Text()] && !calls[c.Start()] {
				starts = append(starts, c.Start())
			}
		}
		return nil, starts, true
	}
	return w.writer.WithParts(it, rest)
}

// Joined is one message with the contents of both, where neither holds calls: a
// result belongs to the message of its call.
func (w cliMessages) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	va, errA := rawjson.Parse(a.Raw)
	vb, errB := rawjson.Parse(b.Raw)
	if errA != nil || errB != nil || a.Has(transcript.Call, transcript.Result) || b.Has(transcript.Call, transcript.Result) {
		return *a, false
	}
	var parts [][]byte
	for _, v := range []rawjson.Value{va.Get("content"), vb.Get("content")} {
		switch v.Kind() {
		case rawjson.String:
			parts = append(parts, untypedText(v.Text()))
		case rawjson.Object:
			parts = append(parts, v.Raw())
		case rawjson.Array:
			for e := range v.Elems() {
				parts = append(parts, e.Raw())
			}
		default:
			return *a, false
		}
	}
	out := w.item(setMember(a.Raw, va, "content", blockList(parts)), a.Role)
	out.Path = a.Path
	return out, true
}

// WithoutSummary is the message as it is: the CLI marks no summary.
func (w cliMessages) WithoutSummary(it *transcript.Item) transcript.Item { return *it }
