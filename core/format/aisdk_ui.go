package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// UIMessages: {id, role, parts}. A tool part is a call with its state, and once
// it was answered its result. One assistant message holds all the steps of a tool
// loop, since the SDK goes on with the message that it has.

func aiSDKUIFormat() *format {
	return &format{
		Info: Info{
			Name: "ai-sdk-ui", Title: "AI SDK UIMessage", Provider: "any",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family:  transcript.Chat,
		rules:   sdkRefusals(transcript.System, transcript.User, transcript.Assistant),
		members: []string{"messages"},
		sniff:   sniffUI,
		decode:  decodeUI,
	}
}

func sniffUI(s *sample) finding {
	return s.signs(uiSign)
}

// uiSign is what only a UIMessage has.
func uiSign(e value) string {
	if !e.Get("role").Is(rawjson.String) {
		return ""
	}
	for p := range e.Get("parts").Elems() {
		if p.Get("type").Is(rawjson.String) {
			return "parts that have types"
		}
	}
	for _, key := range []string{"toolInvocations", "experimental_attachments"} { // AI SDK 3 and 4
		if e.Get(key).Is(rawjson.Array) {
			return key
		}
	}
	return ""
}

func decodeUI(s *sample, f *format, opt Options) (*Document, error) {
	read := readUI
	if opt.Format == f.Name {
		read = func(v rawjson.Value) (transcript.Item, *fault) {
			if f := notUI(v); f != nil {
				return transcript.Item{}, f
			}
			return readUI(v)
		}
	}
	items, err := s.decodeList(read)
	if err != nil {
		return nil, err
	}
	t := &transcript.Transcript{
		Items: items, Writer: newUIWriter(items),
		System: s.root.Get("system").Text(), Model: sdkModel(s.root),
	}
	return &Document{Transcript: t, codec: &uiCodec{list: s.list}}, nil
}

// sdkModel is the model of a request: its name, or an object that has it (in a
// tracer's span).
func sdkModel(root value) string {
	m := root.Get("model")
	if m.Is(rawjson.Object) {
		m = m.Get("modelId")
	}
	if !m.Exists() {
		m = root.Get("modelId")
	}
	return m.Text()
}

// notUI is the fault of a message that another format's sign stands in.
func notUI(v rawjson.Value) *fault {
	if calls := v.Get("tool_calls"); calls.Is(rawjson.Array) {
		return &fault{calls, ".tool_calls", "stands in no message of ai-sdk-ui"}
	}
	if content := v.Get("content"); content.Is(rawjson.Array) && !v.Get("parts").Exists() {
		return &fault{content, ".content", "is an array, messages of ai-sdk-ui have parts"}
	}
	return nil
}

type uiCodec struct {
	list
	converted
}

func readUI(v rawjson.Value) (transcript.Item, *fault) {
	role, f := readRole(v)
	if f != nil {
		return transcript.Item{}, f
	}
	it := transcript.Item{Role: role, ID: v.Get("id").Text()}
	r := uiReader{sdkReader{it: &it, from: v.Start()}}
	switch parts := v.Get("parts"); parts.Kind() {
	case rawjson.Array:
		f = r.parts(parts)
	case rawjson.Invalid, rawjson.Null:
		f = r.flat(v)
	default:
		return transcript.Item{}, wanted(parts, ".parts", "a list")
	}
	if f != nil {
		return transcript.Item{}, f
	}
	for a := range v.Get("experimental_attachments").Elems() {
		if a.Is(rawjson.Object) {
			r.file(a)
		}
	}
	it.Shown = uiShown(v)
	sdkFinish(&it)
	return it, nil
}

// uiReader reads a UIMessage. What is never sent to a model (the marks of steps,
// sources, data for the page) is no part of the item.
type uiReader struct{ sdkReader }

func (r *uiReader) parts(parts rawjson.Value) *fault {
	i := 0
	for p := range parts.Elems() {
		if f := r.one(p); f != nil {
			return f.within(".parts[" + strconv.Itoa(i) + "]")
		}
		i++
	}
	return nil
}

func (r *uiReader) one(p rawjson.Value) *fault {
	if !p.Is(rawjson.Object) {
		return wanted(p, "", "an object")
	}
	kind := p.Get("type").Text()
	switch {
	case unsent(p):
		return nil
	case kind == "text":
		return r.text(p)
	case kind == "reasoning":
		return r.reasoning(p)
	case kind == "file", kind == "reasoning-file":
		r.file(p)
	case kind == "custom":
		r.custom(p)
	case kind == "tool-invocation" && p.Get("toolInvocation").Is(rawjson.Object):
		return r.tool(p.Get("toolInvocation"), p).within(".toolInvocation")
	case kind == "dynamic-tool", strings.HasPrefix(kind, "tool-"):
		return r.tool(p, p)
	case kind == "steering-message": // what the user said between two steps
		return r.parts(p.Get("parts"))
	default:
		r.part(transcript.Other, p, "")
	}
	return nil
}

// unsent reports whether a part is for the page alone: the marks of steps,
// sources, data, and a call whose input never came to its end, which the SDK
// leaves out of what it sends.
func unsent(p rawjson.Value) bool {
	kind := p.Get("type").Text()
	switch {
	case kind == "step-start", kind == "source", strings.HasPrefix(kind, "source-"), strings.HasPrefix(kind, "data-"):
		return true
	case kind == "dynamic-tool", strings.HasPrefix(kind, "tool-"):
		return p.Get("state").Text() == "input-streaming"
	}
	return false
}

// reasoning reads a thought. That of AI SDK 4 has details, some with signatures,
// some redacted.
func (r *uiReader) reasoning(p rawjson.Value) *fault {
	key := "text"
	if !p.Get(key).Exists() {
		key = "reasoning"
	}
	s, f := text(p, key)
	if f != nil {
		return f
	}
	signed := sdkSealed(p)
	for d := range p.Get("details").Elems() {
		signed = signed || d.Get("signature").Text() != "" || d.Get("data").Text() != ""
	}
	r.part(transcript.Thinking, p, s).Signed = signed
	return nil
}

// flat reads a message of AI SDK 3 and 4 without parts.
func (r *uiReader) flat(v rawjson.Value) *fault {
	s, f := text(v, "content")
	if f != nil {
		return f
	}
	if s != "" {
		r.part(transcript.Text, v.Get("content"), s)
	}
	i := 0
	for call := range v.Get("toolInvocations").Elems() {
		at := ".toolInvocations[" + strconv.Itoa(i) + "]"
		if !call.Is(rawjson.Object) {
			return wanted(call, at, "an object")
		}
		if f := r.tool(call, call); f != nil {
			return f.within(at)
		}
		i++
	}
	return nil
}

// uiShown is the message without what is for the page alone, nil where that is
// little. Where there are parts, AI SDK 4 repeats them in other members.
func uiShown(v rawjson.Value) []byte {
	parts := v.Get("parts")
	noise := 0
	for key, m := range v.Members() {
		if uiNoise(key, parts.Exists()) {
			noise += m.End() - m.Start()
		}
	}
	for p := range parts.Elems() {
		if unsent(p) {
			noise += p.End() - p.Start()
		}
	}
	if noise <= noiseBytes {
		return nil
	}
	b := newBody()
	for key, m := range v.Members() {
		switch {
		case uiNoise(key, parts.Exists()):
		case key == "parts":
			b.array(key)
			for p := range m.Elems() {
				if !unsent(p) {
					b.element(p.Raw())
				}
			}
			b.endArray()
		default:
			b.raw(key, m.Raw())
		}
	}
	return b.end()
}

func uiNoise(member string, parts bool) bool {
	switch member {
	case "id", "metadata", "createdAt", "annotations", "revisionId":
		return true
	case "content", "toolInvocations", "reasoning":
		return parts
	}
	return false
}
