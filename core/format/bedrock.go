package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Amazon Bedrock's Converse: messages of blocks without types, one member in each
// that says what it is; results are blocks of user messages.

func bedrockFormat() *format {
	return &format{
		Info: Info{
			Name: "bedrock-converse", Title: "Amazon Bedrock Converse", Provider: "bedrock",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family:  transcript.Messages,
		rules:   bedrockRefusals(),
		members: []string{"messages"},
		sniff:   sniffBedrock,
		answer: func(root object) string {
			message := root.Get("output").Get("message")
			if message.Get("content").Is(rawjson.Array) && root.Get("stopReason").Exists() {
				return "it has output.message and a stopReason"
			}
			return ""
		},
		decode: decodeBedrock,
	}
}

// blockNames are the members that make a block, but for text.
func blockNames() []string {
	return []string{
		"toolUse", "toolResult", "reasoningContent", "image", "document", "video", "audio", "cachePoint", "guardContent",
		"citationsContent", "searchResult", "toolAddition", "toolRemoval",
	}
}

// bedrockSign is the first block that only this format has.
func bedrockSign(e value) string {
	if role := str(e, "role"); role != "user" && role != "assistant" {
		return ""
	}
	text := false
	for b := range e.Get("content").Elems() {
		if !b.Is(rawjson.Object) || b.Get("type").Exists() {
			continue
		}
		for _, name := range blockNames() {
			if b.Get(name).Is(rawjson.Object) {
				return "a block with " + name
			}
		}
		text = text || b.Get("text").Is(rawjson.String)
	}
	if text {
		return "blocks without types"
	}
	return ""
}

// sniffBedrock looks at all elements: Genkit has blocks without types too, and a
// model that speaks among them.
func sniffBedrock(s *sample) finding {
	var f finding
	for i, e := range s.telling {
		switch sign := bedrockSign(e); {
		case sign != "":
			f.element(s, i, sign)
		case str(e, "role") == "model":
			return finding{}
		}
	}
	if !s.root.Exists() || s.member != "messages" {
		return f
	}
	if !bedrockContents(s) {
		return f // other bodies have a modelId, too
	}
	for _, key := range []string{"modelId", "inferenceConfig", "toolConfig", "additionalModelRequestFields"} {
		if s.root.Get(key).Exists() {
			f.sibling("it has " + key)
		}
	}
	return f
}

func decodeBedrock(s *sample, _ *format, _ Options) (*Document, error) {
	items, err := s.decodeList(readBedrock)
	if err != nil {
		return nil, err
	}
	t := &transcript.Transcript{Items: items, Writer: bedrockWriter(), Model: s.root.Get("modelId").Text()}
	c := &bedrockCodec{list: s.list, system: s.root.Get("system"), config: s.root.Get("toolConfig")}
	t.System = joined(c.system)
	if tools := c.config.Get("tools"); tools.Is(rawjson.Array) {
		t.Tools = tools.Raw()
	}
	return &Document{Transcript: t, codec: c}, nil
}

func bedrockWriter() listWriter {
	return listWriter{
		member: "content",
		of:     func(v rawjson.Value) rawjson.Value { return v },
		writer: writer{
			read: readBedrock,
			message: func(role transcript.Role, text string) []byte {
				return bedrockMessage(role, [][]byte{untypedText(text)})
			},
			text: func(_ *transcript.Item, _ *transcript.Part, text string) []byte { return untypedText(text) },
			body: func(p *transcript.Part, _ rawjson.Value, text string) []byte {
				if p.Kind == transcript.Call {
					return []byte(text)
				}
				return blockList([][]byte{untypedText(text)})
			},
			answer: func(_ *transcript.Item, p *transcript.Part, text string) []byte {
				return bedrockMessage(transcript.User, [][]byte{bedrockAnswer(p, nil, text)})
			},
		},
	}
}

// bedrockMessage is a message of these blocks. A role that the API does not know
// is written as it is: it is the caller's.
func bedrockMessage(role transcript.Role, blocks [][]byte) []byte {
	if role == transcript.Tool {
		role = transcript.User
	}
	return listMessage(string(role), "content", blocks)
}

// bedrockAnswer is the block that answers a call.
func bedrockAnswer(call *transcript.Part, _ []byte, text string) []byte {
	res := newBody()
	res.key("toolUseId")
	res.buf = rawjson.AppendQuote(res.buf, call.ID)
	res.raw("content", blockList([][]byte{untypedText(text)}))
	b := newBody()
	b.raw("toolResult", res.end())
	return b.end()
}

type bedrockCodec struct {
	list
	system rawjson.Value // the request's own
	config rawjson.Value // its toolConfig
}

func (c *bedrockCodec) api() string { return "bedrock-converse" }

// body is a Converse request, as SDKs take it: over HTTP the model's name stands
// in the URL. Blocks of tools are refused without a toolConfig, which knows no
// way to forbid a call; where the caller wants to send no tools, calls and
// results are told as text.
func (c *bedrockCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	b := newBody()
	b.str("modelId", r.Model)
	b.raw("system", c.system.Raw())
	b.array("messages")
	d := &turnStyle{
		own: func(it *transcript.Item, _ rawjson.Value) []byte {
			if !t.Rules.Knows(it.Role) {
				return nil
			}
			return it.Raw
		},
		list:    func(v rawjson.Value) rawjson.Value { return v.Get("content") },
		message: bedrockMessage,
		text:    untypedText,
		answer:  bedrockAnswer,
		mute:    true,
		plain:   r.SendTools == "never",
	}
	s := d.turns(t, r.Items)
	s.write(b, r.Prompt)
	b.endArray()
	if r.MaxTokens > 0 {
		config := newBody()
		config.num("maxTokens", r.MaxTokens)
		b.raw("inferenceConfig", config.end())
	}
	if tools := c.tools(s, r.SendTools); tools != nil {
		config := newBody()
		config.raw("tools", tools)
		b.raw("toolConfig", config.end())
	}
	return b.end()
}

// tools are those that the request declares where blocks of tools stand in its
// messages: the transcript's own, else the names that were called.
func (c *bedrockCodec) tools(s *turnWriter, send string) []byte {
	names := s.called()
	switch {
	case send == "never", send != "always" && len(names) == 0:
		return nil
	case declares(s.t.Tools):
		return s.t.Tools
	case len(names) == 0:
		return nil
	}
	var tools [][]byte
	for _, name := range names {
		spec := newBody()
		spec.key("name")
		spec.buf = rawjson.AppendQuote(spec.buf, name)
		spec.raw("inputSchema", []byte(`{"json":{"type":"object"}}`))
		tool := newBody()
		tool.raw("toolSpec", spec.end())
		tools = append(tools, tool.end())
	}
	return blockList(tools)
}

// bedrockContents reports whether the list can be Converse's: each content is a
// list of blocks without types.
func bedrockContents(s *sample) bool {
	for _, e := range s.list.elems {
		content := e.Get("content")
		if content.Exists() && !content.Is(rawjson.Array) {
			return false
		}
		for b := range content.Elems() {
			if b.Get("type").Exists() {
				return false
			}
		}
	}
	return true
}
