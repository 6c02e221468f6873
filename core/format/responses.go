package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// OpenAI Responses items: messages, reasoning, calls and outputs as items of
// one list. Codex rollouts hold the same items.

func responsesFormat() *format {
	return &format{
		Info: Info{
			Name: "openai-responses", Title: "OpenAI Responses", Provider: "openai",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family:  transcript.Responses,
		rules:   responsesRefusals(),
		members: []string{"input"},
		sniff:   sniffResponses,
		answer: func(root object) string {
			if root.Get("object").Text() == "response" && root.Get("output").Is(rawjson.Array) {
				return "its object is response"
			}
			return ""
		},
		decode: decodeResponses,
	}
}

func sniffResponses(s *sample) finding {
	var f finding
	grok := false
	for _, e := range s.telling {
		grok = grok || grokLine(e, str(e, "type"))
	}
	for i, e := range s.telling {
		if grok && str(e, "type") == "reasoning" {
			continue // Grok logs the reasoning of this very API
		}
		if sign := responsesSign(e); sign != "" {
			f.element(s, i, sign)
		}
	}
	if s.member == "input" && !s.root.Get("output").Exists() { // with an output it is a tracer's span
		f.sibling("the items are in input")
	}
	if s.root.Get("instructions").Is(rawjson.String) {
		f.sibling("it has instructions")
	}
	return f
}

// responsesSign is what only a Responses item has.
func responsesSign(e value) string {
	kind := str(e, "type")
	switch {
	case kind == "message" && e.Get("role").Exists(), kind == "reasoning", kind == "agent_message" && e.Get("content").Exists(),
		summaryItem(kind) && e.Get("encrypted_content").Exists(), strings.HasSuffix(kind, "_call") && !e.Get("role").Exists(),
		strings.HasSuffix(kind, "_call_output"), kind == "item_reference":
		return "type " + kind
	}
	if !e.Get("role").Exists() {
		return ""
	}
	for _, part := range []string{"input_text", "output_text", "input_image", "input_file"} {
		if hasPart(e, part) {
			return "a part of type " + part
		}
	}
	return ""
}

func decodeResponses(s *sample, _ *format, opt Options) (*Document, error) {
	read := readResponses
	if opt.Format == "openai-responses" {
		read = func(v rawjson.Value) (transcript.Item, *fault) {
			if f := notResponses(v); f != nil {
				return transcript.Item{}, f
			}
			return readResponses(v)
		}
	}
	items, err := s.decodeList(read)
	if err != nil {
		return nil, err
	}
	items = s.list.liveSealed(items)
	t := &transcript.Transcript{
		Items: items, Writer: itemsWriter{responsesWriter()},
		Model: s.root.Get("model").Text(), System: s.root.Get("instructions").Text(),
	}
	c := &responsesCodec{list: s.list, root: s.root.Value}
	if v := s.root.Get("instructions"); v.Is(rawjson.String) {
		c.instructions = v.Raw()
	}
	if v := s.root.Get("store"); v.Exists() {
		c.store = v.Raw()
	}
	if tools := s.root.Get("tools"); tools.Is(rawjson.Array) {
		t.Tools = tools.Raw()
	}
	return &Document{Transcript: t, codec: c}, nil
}

// notResponses is the fault of an item that another format's sign stands in.
func notResponses(v rawjson.Value) *fault {
	if role := v.Get("role"); role.Text() == "tool" || role.Text() == "function" {
		return &fault{role, ".role", "is " + role.Text() + ", which openai-responses does not have"}
	}
	if rolloutType(value{v, 0}) != "" {
		return &fault{v, "", "is a line of codex-rollout, no item of openai-responses"}
	}
	if name, _ := foreignItem(value{v, 0}); name != "" {
		return &fault{v, "", "looks like " + name + ", no item of openai-responses"}
	}
	if calls := v.Get("tool_calls"); calls.Is(rawjson.Array) {
		return &fault{calls, ".tool_calls", "stands in no item of openai-responses"}
	}
	i := 0
	for p := range v.Get("content").Elems() {
		if t := p.Get("type").Text(); t == "tool_use" || t == "tool_result" {
			return &fault{p, ".content[" + strconv.Itoa(i) + "]", "is a " + t + " block, which openai-responses does not have"}
		}
		i++
	}
	return nil
}

func responsesWriter() writer {
	return writer{
		read: readResponses,
		message: func(role transcript.Role, text string) []byte {
			b := rawjson.AppendQuote([]byte(`{"type":"message","role":`), string(role))
			b = append(append(b, `,"content":`...), textParts(textType(role), text)...)
			return append(b, '}')
		},
		content: func(it *transcript.Item) (string, string) {
			if strings.HasSuffix(it.Type, "_output") {
				return "output", "input_text"
			}
			return "content", textType(it.Role)
		},
		answer: responsesAnswer,
		fixed:  responsesFixed,
	}
}

// responsesFixed: only functions and custom tools have an input and an output
// that may be any text. All other tools are the provider's own, with types that
// the API checks (an action, an operation, a screenshot, an approval); a string
// among them is one.
func responsesFixed(it *transcript.Item, p *transcript.Part, old rawjson.Value) bool {
	switch it.Type {
	case "function_call", "custom_tool_call", "function_call_output", "custom_tool_call_output":
		return false
	}
	return p.Server || p.Kind == transcript.Call || !old.Is(rawjson.String)
}

// textType is the type of a text part in a message of that role.
func textType(role transcript.Role) string {
	if role == transcript.Assistant {
		return "output_text"
	}
	return "input_text"
}

// summaryItem reports whether a type is that of a compaction item.
func summaryItem(kind string) bool {
	return kind == "compaction" || kind == "compaction_summary" || kind == "context_compaction"
}

// readResponses reads one item. An item of an unknown type is kept as it is; a
// model's answer is what it most likely is.
func readResponses(v rawjson.Value) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	r := responsesReader{v: v, from: v.Start()}
	it := &r.it
	it.ID, it.Role, it.Type = v.Get("id").Text(), transcript.Assistant, "message"
	if kind := v.Get("type"); kind.Exists() {
		s, ok := kind.Str()
		if !ok {
			return transcript.Item{}, wanted(kind, ".type", "a string")
		}
		it.Type = s
	}
	var f *fault
	switch kind := it.Type; {
	case kind == "message":
		f = r.message()
	case kind == "agent_message":
		it.Role, it.Fragment = transcript.User, true
		f = r.content("content", v.Get("content"))
	case kind == "reasoning":
		f = r.reasoning()
	case summaryItem(kind):
		it.Summary = true
		r.opaque(v.Get("encrypted_content"))
	case kind == "compaction_trigger":
		it.Role, it.Fragment = transcript.User, true
		r.whole(transcript.Other)
	case kind == "additional_tools":
		it.Role = transcript.Developer
		r.whole(transcript.Other)
	case kind == "mcp_approval_response":
		f = r.output("approval_request_id", v.Get("approve"))
	case kind == "tool_search_output":
		f = r.output("call_id", v.Get("tools"))
	case strings.HasSuffix(kind, "_output"):
		f = r.output("call_id", v.Get("output"))
	case strings.HasSuffix(kind, "_call"), kind == "program", kind == "mcp_approval_request":
		f = r.call()
	default:
		if role, ok := v.Get("role").Str(); ok {
			it.Role = transcript.Role(role)
		}
		r.whole(transcript.Other)
	}
	if f != nil {
		return transcript.Item{}, f
	}
	return r.it, nil
}
