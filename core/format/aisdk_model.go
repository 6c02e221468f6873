package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// ModelMessages (CoreMessages in AI SDK 3 and 4): {role, content}. The results
// of parallel calls share one message of role tool.

func aiSDKModelFormat() *format {
	return &format{
		Info: Info{
			Name: "ai-sdk-model", Title: "AI SDK ModelMessage", Provider: "any",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family:  transcript.Chat,
		rules:   modelRefusals(),
		members: []string{"messages"},
		sniff:   sniffModel,
		decode:  decodeModel,
	}
}

// modelRefusals are those of the SDK, and of those that it sends ModelMessages to: a
// result there is told by the id of its call alone. (The tool parts of UIMessages
// hold their own.)
func modelRefusals() transcript.Rules {
	r := sdkRefusals(transcript.System, transcript.User, transcript.Assistant, transcript.Tool)
	r.UniqueIDs, r.AnswerIDs = true, true
	r.Listed = append(r.Listed, transcript.Rule{
		Code: "unique_ids", Text: "Two calls of one answer do not share a toolCallId.",
		Source: "the providers' APIs, which are sent them as they are: Anthropic, error 400: `tool_use` ids must be unique; OpenAI, error 400: Duplicate value for 'tool_call_id'",
	})
	return r
}

func sniffModel(s *sample) finding {
	return s.signs(modelSign)
}

// modelSign is what only a ModelMessage has.
func modelSign(e value) string {
	if !e.Get("role").Is(rawjson.String) {
		return ""
	}
	for p := range e.Get("content").Elems() {
		kind := p.Get("type").Text()
		switch kind {
		case "tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "redacted-reasoning", "reasoning-file":
		case "reasoning":
			if !p.Get("text").Is(rawjson.String) {
				continue
			}
		case "image":
			if !p.Get("image").Exists() {
				continue
			}
		case "file":
			if !p.Get("data").Exists() || !p.Get("mediaType").Exists() && !p.Get("mimeType").Exists() {
				continue
			}
		default:
			if kind == "" || !p.Get("providerOptions").Is(rawjson.Object) {
				continue
			}
			return "a part with providerOptions"
		}
		return "a part of type " + kind
	}
	if e.Get("providerOptions").Is(rawjson.Object) {
		return "providerOptions"
	}
	return ""
}

func decodeModel(s *sample, f *format, opt Options) (*Document, error) {
	read := readModel
	if opt.Format == f.Name {
		read = func(v rawjson.Value) (transcript.Item, *fault) {
			if f := notModel(v); f != nil {
				return transcript.Item{}, f
			}
			return readModel(v)
		}
	}
	items, err := s.decodeList(read)
	if err != nil {
		return nil, err
	}
	t := &transcript.Transcript{
		Items: items, Writer: newModelWriter(),
		System: s.root.Get("system").Text(), Model: sdkModel(s.root),
	}
	return &Document{Transcript: t, codec: &modelCodec{list: s.list}}, nil
}

// notModel is the fault of a message that another format's sign stands in.
func notModel(v rawjson.Value) *fault {
	for _, key := range []string{"tool_calls", "tool_call_id", "parts"} {
		if m := v.Get(key); m.Exists() {
			return &fault{m, "." + key, "stands in no message of ai-sdk-model"}
		}
	}
	i := 0
	for p := range v.Get("content").Elems() {
		switch t := p.Get("type").Text(); t {
		case "tool_use", "tool_result", "input_text", "output_text", "image_url":
			return &fault{p, ".content[" + strconv.Itoa(i) + "]", "is a " + t + " part, which ai-sdk-model does not have"}
		}
		i++
	}
	return nil
}

type modelCodec struct {
	list
	converted
}

func readModel(v rawjson.Value) (transcript.Item, *fault) {
	role, f := readRole(v)
	if f != nil {
		return transcript.Item{}, f
	}
	it := transcript.Item{Role: role, ID: v.Get("id").Text()}
	r := modelReader{sdkReader: sdkReader{it: &it, from: v.Start()}}
	switch content := v.Get("content"); content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if s := content.Text(); s != "" {
			r.part(transcript.Text, content, s)
		}
	case rawjson.Array:
		i := 0
		for p := range content.Elems() {
			if f := r.one(p); f != nil {
				return transcript.Item{}, f.within(".content[" + strconv.Itoa(i) + "]")
			}
			i++
		}
	default:
		return transcript.Item{}, wanted(content, ".content", "a string or a list of parts")
	}
	r.wait()
	sdkFinish(&it)
	return it, nil
}
