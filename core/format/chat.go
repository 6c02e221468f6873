package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// OpenAI Chat Completions: {role, content, tool_calls}. Harnesses that save
// their messages in this shape (LiteLLM, mini-swe-agent v1) are read as it.

func chatFormat() *format {
	return &format{
		Info: Info{
			Name: "openai-chat", Title: "OpenAI Chat Completions", Provider: "openai",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family:  transcript.Chat,
		rules:   chatRefusals(),
		members: []string{"messages"},
		sniff:   sniffChat,
		answer: func(root object) string {
			if root.Get("choices").Is(rawjson.Array) {
				return "it has choices"
			}
			return ""
		},
		decode: decodeChat,
	}
}

func sniffChat(s *sample) finding {
	f := plainChat(s)
	for i, e := range s.telling {
		if sign := chatSign(e); sign != "" {
			f.element(s, i, sign)
		} else if str(e, "role") == "developer" { // Responses items have it too
			f.sign(hinted, func() string { return s.list.where(i) + " has role developer" })
		}
	}
	if s.root.Exists() {
		for t := range s.root.Get("tools").Elems() {
			if t.Get("function").Is(rawjson.Object) {
				f.sibling("tools have function")
			}
			break
		}
		for _, key := range []string{"max_completion_tokens", "response_format", "frequency_penalty"} {
			if s.root.Get(key).Exists() {
				f.sibling(key + " is set")
			}
		}
	}
	return f
}

// chatSign is what only a chat message has, "" if e shows nothing of it.
func chatSign(e value) string {
	role, ok := e.Get("role").Str()
	if !ok {
		return ""
	}
	if calls := e.Get("tool_calls"); calls.Is(rawjson.Array) && calls.Len() > 0 {
		return "tool_calls"
	}
	if e.Get("function_call").Is(rawjson.Object) {
		return "function_call"
	}
	for _, key := range []string{"tool_call_id", "reasoning_content", "refusal"} {
		if e.Get(key).Exists() {
			return key
		}
	}
	if e.Get("reasoning").Is(rawjson.String) {
		return "reasoning"
	}
	if role == "function" {
		return "role function"
	}
	for _, part := range []string{"image_url", "input_audio", "refusal"} {
		if hasPart(e, part) {
			return "a part of type " + part
		}
	}
	return ""
}

// hasPart reports whether the content of e has a part of a type.
func hasPart(e value, kind string) bool {
	for p := range e.Get("content").Elems() {
		if p.Get("type").Text() == kind {
			return true
		}
	}
	return false
}

func decodeChat(s *sample, _ *format, opt Options) (*Document, error) {
	read := readChat
	if opt.Format == "openai-chat" {
		read = func(v rawjson.Value) (transcript.Item, *fault) {
			if f := notChat(v); f != nil {
				return transcript.Item{}, f
			}
			return readChat(v)
		}
	}
	items, err := s.decodeList(read)
	if err != nil {
		return nil, err
	}
	t := &transcript.Transcript{Items: items, Writer: chatWriter(), Model: s.root.Get("model").Text()}
	if tools := s.root.Get("tools"); tools.Is(rawjson.Array) {
		t.Tools = tools.Raw()
	}
	return &Document{Transcript: t, codec: &chatCodec{s.list}}, nil
}

// notChat is the fault of a message that another format's sign stands in:
// looked for only where the format was named, since mixed dialects exist.
func notChat(v rawjson.Value) *fault {
	if v.Get("tool_calls").Is(rawjson.Array) || v.Get("tool_call_id").Exists() {
		return nil
	}
	i := 0
	for p := range v.Get("content").Elems() {
		switch t := p.Get("type").Text(); t {
		case "tool_use", "tool_result", "input_text", "output_text", "tool-call", "tool-result":
			return &fault{p, ".content[" + strconv.Itoa(i) + "]", "is a " + t + " part, which openai-chat does not have"}
		}
		i++
	}
	return nil
}

func chatWriter() writer {
	return writer{
		read: readChat,
		message: func(role transcript.Role, text string) []byte {
			b := rawjson.AppendQuote([]byte(`{"role":`), string(role))
			b = rawjson.AppendQuote(append(b, `,"content":`...), text)
			return append(b, '}')
		},
		content: func(*transcript.Item) (string, string) { return "content", "text" },
		answer:  chatAnswer,
	}
}

// readRole reads a role that must be there.
func readRole(v rawjson.Value) (transcript.Role, *fault) {
	if !v.Is(rawjson.Object) {
		return "", wanted(v, "", "an object")
	}
	role := v.Get("role")
	if !role.Exists() {
		return "", &fault{v, ".role", "is missing"}
	}
	s, ok := role.Str()
	if !ok {
		return "", wanted(role, ".role", "a string")
	}
	return transcript.Role(s), nil
}
