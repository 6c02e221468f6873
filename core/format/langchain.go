package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// LangChain's serialized messages, in three shapes: what dumps writes (lc, id and
// kwargs), what messages_to_dict writes (type and data), and the fields of a
// message with its type beside them, as tracers and servers write them.

func langchainFormat() *format {
	return &format{
		Info: Info{
			Name: "langchain", Title: "LangChain messages", Provider: "any",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family: transcript.Chat,
		rules: provider{name: "any", again: true, rules: []transcript.Rule{
			{Code: "results_called", Text: "A tool message answers a call of an AI message before it.", Source: "the providers' APIs: LangChain passes orphans on"},
			{Code: "calls_answered", Text: "Each tool call of an AI message has a tool message with its id.", Source: "langgraph, INVALID_CHAT_HISTORY"},
			{Code: "unique_ids", Text: "Two calls of one answer do not share an id.", Source: "the providers' APIs, which are sent them as they are: Anthropic, error 400: `tool_use` ids must be unique; OpenAI, error 400: Duplicate value for 'tool_call_id'"},
		}}.refusals(),
		members: []string{"messages"},
		item:    func(e value) bool { return lcItem(e) != "" },
		sniff:   sniffLangChain,
		answer: func(root object) string {
			for first := range root.Get("generations").Elems() {
				if first.Is(rawjson.Array) {
					return "it has generations"
				}
				break
			}
			return ""
		},
		decode: decodeLangChain,
	}
}

func sniffLangChain(s *sample) finding {
	var f finding
	for i, e := range s.telling {
		switch sign := lcItem(e); {
		case sign != "":
			f.element(s, i, sign)
		case e.Get("additional_kwargs").Is(rawjson.Object):
			f.element(s, i, "additional_kwargs")
		}
	}
	return f
}

// lcItem is the sign that a value without a role is one of the messages, "" if
// there is none. A type alone says it only where no other format has that type.
func lcItem(e value) string {
	if e.Get("role").Exists() {
		return ""
	}
	if kwargs := e.Get("kwargs"); e.Get("lc").Exists() {
		if class := lcClass(e.Value); kwargs.Is(rawjson.Object) && class != "" && strings.HasSuffix(strings.TrimSuffix(class, "Chunk"), "Message") {
			return "lc and the kwargs of a message"
		}
		return ""
	}
	kind := str(e, "type")
	content := e.Get("content")
	if data := e.Get("data"); data.Is(rawjson.Object) && data.Get("content").Exists() && lcRole(kind) != "" {
		return "type " + kind + " and data"
	}
	switch {
	case !content.Exists():
	case kind == "human", kind == "ai", strings.HasSuffix(strings.TrimSuffix(kind, "Chunk"), "Message") && lcRole(kind) != "":
		return "type " + kind
	case kind == "tool" && (e.Get("tool_call_id").Is(rawjson.String) || e.Get("id").Is(rawjson.String) && e.Get("name").Exists()):
		return "type tool and content"
	}
	return ""
}

// lcClass is the class of a serialized object: the last step of its id.
func lcClass(v rawjson.Value) string {
	class := ""
	for step := range v.Get("id").Elems() {
		class = step.Text()
	}
	return class
}

// lcRole is the role that a type or class stands for, "" for what has none.
func lcRole(kind string) transcript.Role {
	switch strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(kind, "Chunk"), "Message")) {
	case "human", "user":
		return transcript.User
	case "ai", "assistant":
		return transcript.Assistant
	case "system":
		return transcript.System
	case "developer":
		return transcript.Developer
	case "tool", "function":
		return transcript.Tool
	}
	return ""
}

// lcShape is how a message is written.
type lcShape uint8

const (
	lcFlat lcShape = iota // the fields, and a type among them
	lcData                // type and data
	lcDump                // lc, id and kwargs
)

// lcFields are the fields of a message, its type or class, and its shape.
func lcFields(v rawjson.Value) (fields rawjson.Value, kind string, shape lcShape) {
	if kwargs := v.Get("kwargs"); kwargs.Is(rawjson.Object) && v.Get("id").Is(rawjson.Array) {
		return kwargs, lcClass(v), lcDump
	}
	kind = v.Get("type").Text()
	if data := v.Get("data"); data.Is(rawjson.Object) && !v.Get("content").Exists() {
		return data, kind, lcData
	}
	if kind == "" || lcRole(kind) == "" && v.Get("role").Is(rawjson.String) {
		kind = v.Get("role").Text()
	}
	return v, kind, lcFlat
}

// lcNoise: a RemoveMessage is an order to a graph's state, no message.
func lcNoise(v value) bool {
	_, kind, _ := lcFields(v.Value)
	return kind == "remove" || kind == "RemoveMessage"
}

func decodeLangChain(s *sample, f *format, opt Options) (*Document, error) {
	read := readLangChain
	if opt.Format == f.Name && sniffLangChain(s).confidence == 0 { // nothing but its name says so
		read = func(v rawjson.Value) (transcript.Item, *fault) {
			if f := notLangChain(v); f != nil {
				return transcript.Item{}, f
			}
			return readLangChain(v)
		}
	}
	items, err := s.decodeSome(read, lcNoise)
	if err != nil {
		return nil, err
	}
	t := &transcript.Transcript{Items: items, Writer: newLCWriter(items), Model: s.root.Get("model").Text()}
	return &Document{Transcript: t, codec: &lcCodec{list: s.list}}, nil
}

type lcCodec struct {
	list
	converted
}
