package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// piWriter is the writer of what entries say. What an entry is (a summary, a
// message of an extension) does not stand in that, and stays what it was.
type piWriter struct {
	writer
	stamp int64 // of new messages
}

func newPiWriter(p *piLog, opt Options) piWriter {
	w := piWriter{stamp: p.stamp}
	if at, ok := millis(opt.Now); ok {
		w.stamp = at
	}
	w.writer = writer{
		read:    readPi,
		message: w.message,
		content: func(*transcript.Item) (string, string) { return "content", "text" },
		body: func(p *transcript.Part, _ rawjson.Value, text string) []byte {
			if p.Kind == transcript.Result {
				return textParts("text", text)
			}
			return nil
		},
		answer: func(_ *transcript.Item, call *transcript.Part, text string) []byte {
			b := newBody()
			b.str("role", "toolResult")
			b.key("toolCallId")
			b.buf = rawjson.AppendQuote(b.buf, call.ID)
			b.str("toolName", call.Name)
			b.raw("content", textParts("text", text))
			b.raw("isError", []byte("true"))
			b.raw("timestamp", strconv.AppendInt(nil, w.stamp, 10))
			return b.end()
		},
	}
	return w
}

func (w piWriter) message(role transcript.Role, text string) []byte {
	b := newBody()
	b.str("role", string(role))
	b.raw("content", textParts("text", text))
	if role == transcript.Assistant {
		// What pi reads of any answer; it goes by usage and model alone.
		b.str("api", "none")
		b.str("provider", "none")
		b.str("model", "none")
		b.raw("usage", []byte(`{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`))
		b.str("stopReason", "stop")
	}
	b.raw("timestamp", strconv.AppendInt(nil, w.stamp, 10))
	return b.end()
}

// like gives an item that was read alone what its entry makes it.
func (w piWriter) like(was *transcript.Item, now transcript.Item) transcript.Item {
	now = piItem(now, was.Type)
	now.ID, now.Path = was.ID, was.Path
	return now
}

// WithText is the item with nothing but that text. A command that a person ran
// becomes a message.
func (w piWriter) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil {
		return w.Message(it.Role, text)
	}
	switch v.Kind() {
	case rawjson.String:
		return w.like(it, w.item(rawjson.AppendQuote(nil, text), it.Role))
	case rawjson.Array:
		return w.like(it, w.item(textParts("text", text), it.Role))
	default:
	}
	switch v.Get("role").Text() {
	case "user", "assistant", "toolResult", "custom", "hookMessage":
		return w.like(it, w.writer.WithText(it, text))
	}
	return w.like(it, w.Message(it.Role, text))
}

func (w piWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	out, ok := w.writer.WithParts(it, edits)
	return w.like(it, out), ok
}

// Joined is one message, where both are messages of a person or of the model.
func (w piWriter) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	if a.Type != "" || b.Type != "" || a.Fragment || b.Fragment {
		return *a, false
	}
	return w.writer.Joined(a, b)
}
