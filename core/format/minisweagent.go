package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// mini-swe-agent trajectories: {info, messages, trajectory_format}. The messages
// are those of the model's own API with an extra member beside them: Chat
// Completions with tool calls, plain texts with the command in a fenced block
// (v1, and the text based models of v2), or answers of the Responses API. A bare
// list of v1 messages says nothing of where it came from and is openai-chat.

func miniFormat() *format {
	rules := miniRefusals()
	return &format{
		Info: Info{
			Name: "mini-swe-agent", Title: "mini-swe-agent trajectory", Provider: rules.Provider,
			Shapes: []string{shapeRequest, shapeArray}, Write: "edit",
		},
		family: transcript.Chat,
		rules:  rules,
		holds:  miniHolds,
		item:   miniItem,
		sniff:  sniffMini,
		decode: decodeMini,
	}
}

// miniRefusals are those of the chat API, which the messages are sent to, and the
// role that the harness has beside that.
func miniRefusals() transcript.Rules {
	r := chatRefusals()
	r.Roles = append(r.Roles, miniExit)
	for i := range r.Listed {
		if r.Listed[i].Code == "known_roles" {
			r.Listed[i] = transcript.Rule{
				Code: "known_roles", Text: "Roles are those of the chat API, and exit for the message that ends a run.",
				Source: "trajectories of mini-swe-agent 2",
			}
		}
	}
	return r
}

// miniExit is the pseudo role of the message that ends a run. It repeats the
// submission, and is sent to nobody.
const miniExit transcript.Role = "exit"

func miniHolds(o object) (member, sign string) {
	if !o.Get("messages").Is(rawjson.Array) {
		return "", ""
	}
	switch {
	case strings.HasPrefix(str(o, "trajectory_format"), "mini-swe-agent"):
		return "messages", "trajectory_format is mini-swe-agent"
	case o.Get("info").Get("mini_version").Is(rawjson.String):
		return "messages", "info has mini_version"
	}
	return "", ""
}

// miniItem reports whether e is a whole answer of the Responses API, which
// stands among the messages and has no role.
func miniItem(e value) bool {
	return str(e, "object") == "response" && e.Get("output").Is(rawjson.Array) && e.Get("extra").Is(rawjson.Object)
}

// sniffMini looks for what a list has without the object around it. The extra of
// a message is also what other loggers call theirs: only what this harness puts
// into it counts.
func sniffMini(s *sample) finding {
	var f finding
	for i, e := range s.telling {
		switch extra := e.Get("extra"); {
		case miniItem(e):
			f.element(s, i, "a whole response and extra")
		case extra.Get("actions").Is(rawjson.Array) && (extra.Get("cost").Exists() || extra.Get("response").Exists()):
			f.element(s, i, "extra with actions and a cost")
		case str(e, "role") == string(miniExit) && extra.Get("exit_status").Exists():
			f.element(s, i, "role exit and an exit_status")
		case extra.Get("returncode").Exists() && extra.Get("raw_output").Exists():
			f.element(s, i, "extra with raw_output and returncode")
		}
	}
	return f
}

func decodeMini(s *sample, _ *format, _ Options) (*Document, error) {
	plain, waits := true, false
	items, err := s.decodeList(func(v rawjson.Value) (transcript.Item, *fault) {
		it, f := readMini(v, waits)
		plain = plain && v.Get("role").Exists() && !v.Get("type").Exists() && !textCall(&it)
		waits = textCall(&it)
		return it, f
	})
	if err != nil {
		return nil, err
	}
	t := &transcript.Transcript{Items: items, Model: s.root.Get("info").Get("config").Get("model").Get("model_name").Text()}
	style := chatWriter()
	style.read = func(v rawjson.Value) (transcript.Item, *fault) { return readMini(v, false) }
	style.answer = miniAnswer
	style.content = func(it *transcript.Item) (string, string) {
		if v, err := rawjson.Parse(it.Raw); err == nil && v.Get("type").Text() == "message" {
			return "content", textType(it.Role)
		}
		return "content", "text"
	}
	t.Writer = miniWriter{style}
	if !plain {
		t.Rules = harnessRefusals() // what these messages become is no message of the chat API
	}
	return &Document{Transcript: t, codec: &miniCodec{chatCodec{s.list}, plain}}, nil
}

// readMini reads one message. answers says that a user message stands behind one
// with a command in its text, whose output it is then.
func readMini(v rawjson.Value, answers bool) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	if v.Get("output").Is(rawjson.Array) && v.Get("object").Text() == "response" {
		return readMiniResponse(v)
	}
	if v.Get("type").Is(rawjson.String) {
		return readMiniTyped(v)
	}
	it, f := readChat(v)
	if f != nil {
		return it, f
	}
	interrupt := v.Get("extra").Get("interrupt_type").Text()
	switch {
	case it.Role == transcript.User && interrupt == "FormatError":
		it.Fragment = true
	case it.Role == transcript.User && answers && interrupt == "":
		r := chatReader{it: transcript.Item{Role: transcript.Tool, Shown: it.Shown}, v: v, from: v.Start()}
		f := r.result()
		return r.it, f
	case it.Role == transcript.Assistant && len(it.Parts) == 1 && it.Parts[0].Kind == transcript.Text:
		if said, script, ok := fencedCommand(it.Parts[0].Text); ok {
			callInText(&it, said, script)
		}
	}
	return it, nil
}

// miniWriter edits items as what they were read: whether a user message is the
// output of a command is not to be seen in it.
type miniWriter struct{ writer }

func (w miniWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	answers := it.Role == transcript.Tool
	w.read = func(v rawjson.Value) (transcript.Item, *fault) { return readMini(v, answers) }
	return w.writer.WithParts(it, edits)
}

func (w miniWriter) Answer(it *transcript.Item, n int, text string) (transcript.Item, bool) {
	w.read = func(v rawjson.Value) (transcript.Item, *fault) { return readMini(v, true) }
	return w.writer.Answer(it, n, text)
}

// miniAnswer is the message that answers a call, in the API of the message that
// holds it.
func miniAnswer(it *transcript.Item, call *transcript.Part, text string) []byte {
	v, err := rawjson.Parse(it.Raw)
	switch {
	case err != nil:
		return nil
	case textCall(it):
		b := newBody()
		b.str("role", string(transcript.User))
		b.str("content", text)
		return b.end()
	case v.Get("output").Is(rawjson.Array):
		b := newBody()
		b.str("type", "function_call_output")
		b.key("call_id")
		b.buf = rawjson.AppendQuote(b.buf, call.ID)
		b.str("output", text)
		return b.end()
	}
	return chatAnswer(it, call, text)
}

// miniCodec makes Chat Completions requests: of the messages themselves where
// they are its own, else of their parts.
type miniCodec struct {
	chatCodec
	plain bool
}

func (c *miniCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	shown := *t
	shown.Items = append([]transcript.Item(nil), t.Items...)
	for i := range shown.Items {
		if it := &shown.Items[i]; it.Role == miniExit {
			// No API knows the role; what was handed in is worth summing up.
			*it = t.Writer.Message(transcript.User, it.Text())
		}
	}
	if c.plain {
		return c.chatCodec.body(&shown, r)
	}
	return converted{}.body(&shown, r)
}
