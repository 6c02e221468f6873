package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// sweWriter renders messages as the agent writes them, or steps where the
// conversation is a trajectory. It edits an item as what it was read: whether a
// user message is the output of a command is not to be seen in it.
type sweWriter struct {
	writer
	agent  string // of the last message, "" where messages name none
	typed  bool   // messages have a message_type
	steps  bool
	object bool // the state of a step is an object; older ones have it as a text
}

func newSWEWriter(s *sample) sweWriter {
	w := sweWriter{}
	for _, e := range s.list.elems {
		if agent := str(e, "agent"); agent != "" {
			w.agent = agent
		}
		w.typed = w.typed || e.Get("message_type").Exists()
		w.steps = w.steps || sweStep(e)
		w.object = w.object || e.Get("state").Is(rawjson.Object)
	}
	w.read = func(v rawjson.Value) (transcript.Item, *fault) { return readSWE(v, false) }
	w.message, w.content, w.answer = w.render, sweContent, w.result
	return w
}

// render is a new message of text. Its type is none that the agent's processors
// of old observations would cut.
func (w sweWriter) render(role transcript.Role, text string) []byte {
	if w.steps {
		return w.step(role, text)
	}
	b := newBody()
	b.key("role")
	b.buf = rawjson.AppendQuote(b.buf, string(role))
	b.key("content")
	b.buf = rawjson.AppendQuote(b.buf, text)
	b.str("agent", w.agent)
	if w.typed {
		kind := "user"
		switch role {
		case transcript.System:
			kind = "system_prompt"
		case transcript.Assistant:
			kind = "thought"
		default:
		}
		b.str("message_type", kind)
	}
	return b.end()
}

// step is a step in which nothing was done.
func (w sweWriter) step(role transcript.Role, text string) []byte {
	said, seen := "", text
	if role == transcript.Assistant {
		said, seen = text, ""
	}
	b := newBody()
	for _, m := range []struct{ key, text string }{{"action", ""}, {"observation", seen}, {"response", said}, {"thought", said}} {
		b.key(m.key)
		b.buf = rawjson.AppendQuote(b.buf, m.text)
	}
	if w.object {
		b.raw("state", []byte("{}"))
	} else {
		b.raw("state", []byte(`"{}"`))
	}
	return b.end()
}

func sweContent(it *transcript.Item) (member, partType string) {
	if v, err := rawjson.Parse(it.Raw); err == nil && sweStep(value{v, 0}) {
		if it.Role == transcript.User {
			return "observation", "text"
		}
		return sweSaid(v), "text"
	}
	return "content", "text"
}

// result is the message that answers a call; a step holds its own.
func (w sweWriter) result(it *transcript.Item, call *transcript.Part, text string) []byte {
	if w.steps {
		return nil
	}
	b := newBody()
	if textCall(it) {
		b.str("role", string(transcript.User))
	} else {
		b.str("role", string(transcript.Tool))
	}
	b.key("content")
	b.buf = rawjson.AppendQuote(b.buf, text)
	b.str("agent", w.agent)
	if w.typed {
		b.str("message_type", "observation")
	}
	if !textCall(it) {
		b.array("tool_call_ids")
		b.element(rawjson.AppendQuote(nil, call.ID))
		b.endArray()
	}
	return b.end()
}

// reading is the writer that reads a user message as an output, or does not.
func (w sweWriter) reading(answers bool) writer {
	w.read = func(v rawjson.Value) (transcript.Item, *fault) { return readSWE(v, answers) }
	return w.writer
}

// WithParts is the item with some parts changed.
func (w sweWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	return w.reading(it.Role == transcript.Tool).WithParts(it, edits)
}

// Answer is the message that answers a call.
func (w sweWriter) Answer(it *transcript.Item, n int, text string) (transcript.Item, bool) {
	return w.reading(true).Answer(it, n, text)
}
