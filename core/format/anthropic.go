package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Anthropic Messages: content blocks in messages of two roles; tool results
// are blocks of user messages.

func anthropicFormat() *format {
	return &format{
		Info: Info{
			Name: "anthropic-messages", Title: "Anthropic Messages", Provider: "anthropic",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family:  transcript.Messages,
		rules:   anthropicRefusals(),
		members: []string{"messages"},
		sniff:   sniffAnthropic,
		answer: func(root object) string {
			if str(root, "type") == "message" && str(root, "role") == "assistant" && root.Get("content").Is(rawjson.Array) &&
				(root.Get("usage").Exists() || root.Get("stop_reason").Exists()) {
				return "its type is message, with a stop_reason or usage"
			}
			return ""
		},
		decode: decodeAnthropic,
	}
}

func sniffAnthropic(s *sample) finding {
	var f finding
	for i, e := range s.telling {
		if sign := anthropicSign(e); sign != "" {
			f.element(s, i, sign)
		}
	}
	roles := false
	for _, e := range s.list.elems {
		if roles = e.Get("role").Exists(); roles {
			break
		}
	}
	if !s.root.Exists() || s.member != "messages" || !roles {
		return f
	}
	if system := s.root.Get("system"); system.Is(rawjson.String) || system.Is(rawjson.Array) {
		f.sibling("it has system")
	}
	for _, key := range []string{"anthropic_version", "anthropic_beta", "stop_sequences"} {
		if s.root.Get(key).Exists() {
			f.sibling("it has " + key)
		}
	}
	for tool := range s.root.Get("tools").Elems() {
		if tool.Get("input_schema").Exists() {
			f.sibling("tools have input_schema")
		}
		break
	}
	if strings.HasPrefix(str(s.root, "model"), "claude") {
		f.sign(hinted, func() string { return "model begins with claude" })
	}
	return f
}

// anthropicSign is the first block that only this format has.
func anthropicSign(e value) string {
	if !e.Get("role").Exists() {
		return ""
	}
	for p := range e.Get("content").Elems() {
		kind := p.Get("type").Text()
		switch kind {
		case "tool_use", "tool_result", "thinking", "redacted_thinking", "document", "container_upload", "compaction", "search_result":
		case "image":
			if !p.Get("source").Is(rawjson.Object) {
				continue
			}
		default:
			if !serverBlock(kind) {
				continue
			}
		}
		return "a block of type " + kind
	}
	return ""
}

// serverBlock reports whether a block is a call that the provider ran, or the
// result of one: both stand in one assistant message.
func serverBlock(kind string) bool {
	return kind == "server_tool_use" || kind == "mcp_tool_use" || strings.HasSuffix(kind, "_tool_result")
}

func decodeAnthropic(s *sample, _ *format, opt Options) (*Document, error) {
	read := readAnthropic
	if opt.Format == "anthropic-messages" {
		read = func(v rawjson.Value) (transcript.Item, *fault) {
			if f := notAnthropic(v); f != nil {
				return transcript.Item{}, f
			}
			return readAnthropic(v)
		}
	}
	items, err := s.decodeList(read)
	if err != nil {
		return nil, err
	}
	items = s.list.live(items)
	t := &transcript.Transcript{Items: items, Writer: anthropicWriter(), Model: s.root.Get("model").Text(), Thinks: thinks(s.root)}
	c := &anthropicCodec{list: s.list, root: s.root}
	system := s.root.Get("system")
	t.System = system.Text()
	if system.Is(rawjson.Array) {
		t.System = joined(system)
	}
	if tools := s.root.Get("tools"); tools.Is(rawjson.Array) {
		t.Tools = tools.Raw()
	}
	return &Document{Transcript: t, codec: c}, nil
}

// joined are the texts of the text blocks of a list, a line end between them.
func joined(blocks rawjson.Value) string {
	var texts []string
	for b := range blocks.Elems() {
		if text, ok := b.Get("text").Str(); ok {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// notAnthropic is the fault of a message that another format's sign stands in.
func notAnthropic(v rawjson.Value) *fault {
	if role := v.Get("role"); role.Text() == "tool" || role.Text() == "function" {
		return &fault{role, ".role", "is " + role.Text() + ", which anthropic-messages does not have"}
	}
	calls, blocks := v.Get("tool_calls"), false
	i := 0
	for p := range v.Get("content").Elems() {
		switch t := p.Get("type").Text(); t {
		case "tool_use":
			blocks = true
		case "input_text", "output_text", "image_url", "tool-call", "tool-result":
			return &fault{p, ".content[" + strconv.Itoa(i) + "]", "is a " + t + " part, which anthropic-messages does not have"}
		}
		i++
	}
	if calls.Is(rawjson.Array) && calls.Len() > 0 && !blocks {
		return &fault{calls, ".tool_calls", "stands in no message of anthropic-messages"}
	}
	return nil
}

func anthropicWriter() writer {
	w := chatWriter() // {"role", "content"} and text parts have one form in both
	w.read, w.answer, w.fixed = readAnthropic, anthropicAnswer, anthropicFixed
	return w
}

// anthropicFixed: what a server tool gave has a type of its own, and the
// references that a tool search gives declare the tools of later calls.
func anthropicFixed(_ *transcript.Item, p *transcript.Part, old rawjson.Value) bool {
	if p.Server || p.Kind == transcript.Result && old.Is(rawjson.Object) {
		return true
	}
	for e := range old.Elems() {
		switch e.Get("type").Text() {
		case "text", "image", "document", "search_result":
		default:
			return p.Kind == transcript.Result
		}
	}
	return false
}

func readAnthropic(v rawjson.Value) (transcript.Item, *fault) {
	role, f := readRole(v)
	if f != nil {
		return transcript.Item{}, f
	}
	it := transcript.Item{Role: role, ID: v.Get("id").Text()}
	r := blockReader{it: &it, from: v.Start(), ignores: true}
	content := v.Get("content")
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if text := content.Text(); text != "" {
			r.part(transcript.Text, content, text)
			r.wrapped = wrapped(text)
		}
	case rawjson.Array:
		it.Parts, r.list = roomFor(it.Parts, content), content.Start()-v.Start()
		i := 0
		for b := range content.Elems() {
			if f := r.block(b); f != nil {
				return transcript.Item{}, f.within(".content[" + strconv.Itoa(i) + "]")
			}
			i++
		}
	default:
		return transcript.Item{}, wanted(content, ".content", "a string or a list of blocks")
	}
	r.finish(v.Raw())
	mark(&it)
	// Nobody spoke where all texts are a harness's, or where there is nothing
	// but results and the media within them.
	if role == transcript.User && !r.spoke && (r.wrapped || r.inside) {
		it.Fragment = true
	}
	return it, nil
}
