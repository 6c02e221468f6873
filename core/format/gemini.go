package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Google's Gemini API: contents of parts without types, of the roles user and
// model, in camelCase (REST) or snake_case (dumps of the Python SDK). Sessions of
// the Agent Development Kit (ADK) hold contents in events, and its evaluation
// sets hold them in invocations.

func geminiFormat() *format {
	return &format{
		Info: Info{
			Name: "gemini-contents", Title: "Google Gemini contents", Provider: "google",
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family:  transcript.Messages,
		rules:   geminiRefusals(),
		members: []string{"contents"},
		holds:   holdsGemini,
		item:    func(e value) bool { return geminiSign(e) != "" },
		sniff:   sniffGemini,
		answer: func(root object) string {
			if root.Get("candidates").Is(rawjson.Array) {
				return "it has candidates"
			}
			return ""
		},
		decode: decodeGemini,
	}
}

// holdsGemini knows ADK's sessions by their events and its cases by their
// invocations.
func holdsGemini(o object) (member, sign string) {
	switch {
	case anyIs(o.get("contents"), isContent):
		return "contents", "it has contents"
	case anyIs(o.get("events"), isEvent):
		return "events", "its events have authors and contents"
	case anyIs(o.get("conversation"), isInvocation):
		return "conversation", "its conversation is of invocations"
	}
	return "", ""
}

// firstIs reports whether the first element of a list is of that kind.
func anyIs(list value, is func(rawjson.Value) bool) bool {
	if !list.Is(rawjson.Array) {
		return false
	}
	for e := range list.Elems() {
		if is(e) {
			return true
		}
	}
	return false
}

// isContent reports whether v looks like a content: other things have contents
// too (resources of MCP servers, folders).
func isContent(v rawjson.Value) bool {
	return v.Get("parts").Is(rawjson.Array) || v.Get("role").Is(rawjson.String)
}

// either is the member of v under its camelCase name, else under the snake_case
// one; null counts as not there, since dumps name every field.
func either(v rawjson.Value, camel, snake string) rawjson.Value {
	for _, key := range []string{camel, snake} {
		if m := v.Get(key); m.Exists() && !m.Is(rawjson.Null) {
			return m
		}
	}
	return rawjson.Value{}
}

// partNames are the members that make a part, but for text and thought.
func partNames() [][2]string {
	return [][2]string{
		{"functionCall", "function_call"},
		{"functionResponse", "function_response"},
		{"inlineData", "inline_data"},
		{"fileData", "file_data"},
		{"executableCode", "executable_code"},
		{"codeExecutionResult", "code_execution_result"},
		{"toolCall", "tool_call"},
		{"toolResponse", "tool_response"},
		{"thoughtSignature", "thought_signature"},
	}
}

// geminiSign is what only a content of this format has, or an event around one.
func geminiSign(e value) string {
	where, content := "", e.Value
	switch {
	case e.Get("author").Is(rawjson.String) && isEvent(e.Value):
		where, content = "an author, and in its content ", e.Get("content")
	case isInvocation(e.Value):
		return "user_content"
	case e.Get("info").Exists():
		return "" // OpenCode
	}
	for p := range content.Get("parts").Elems() {
		if !p.Is(rawjson.Object) || p.Get("type").Exists() || p.Get("kind").Exists() {
			return ""
		}
		for _, name := range partNames() {
			if either(p, name[0], name[1]).Exists() {
				return where + "a part with " + name[0]
			}
		}
		if p.Get("text").Is(rawjson.String) {
			return where + "parts without types"
		}
	}
	return ""
}

func sniffGemini(s *sample) finding {
	var f finding
	alike := s.list.len() == 0
	for i, e := range s.telling {
		alike = alike || isContent(e.Value)
		switch sign := geminiSign(e); {
		case sign != "":
			f.element(s, i, sign)
		case str(e, "role") == "model":
			f.sign(hinted, func() string { return s.list.where(i) + " has role model" })
		}
	}
	if s.root.Exists() && s.member == "contents" && alike {
		f.sibling("the items are in contents")
	}
	return f
}

func decodeGemini(s *sample, _ *format, opt Options) (*Document, error) {
	events, invocations := false, false
	for _, e := range s.list.elems {
		events = events || isEvent(e.Value)
		invocations = invocations || isInvocation(e.Value)
	}
	if invocations && !events {
		return decodeCases(s)
	}
	t := &transcript.Transcript{Writer: geminiWriter(nil), Model: strings.TrimPrefix(s.root.Get("model").Text(), "models/")}
	var err error
	if events {
		log := readEvents(&s.list, opt.Now)
		t.Writer, t.Rules = geminiWriter(log), geminiHarnessRefusals()
		t.Items, err = s.decodeSome(log.read, log.noise)
		log.own(&s.list)
		log.pending(t.Items)
	} else {
		t.Items, err = s.decodeList(readGemini)
	}
	if err != nil {
		return nil, err
	}
	namePairs(t.Items)
	c := &geminiCodec{list: s.list}
	// The JavaScript SDK has the instruction and the tools in config.
	for _, o := range []rawjson.Value{s.root.Value, s.root.Get("config")} {
		if system := either(o, "systemInstruction", "system_instruction"); system.Exists() {
			c.system = system
			t.System = systemText(system)
		}
		if tools := o.Get("tools"); tools.Is(rawjson.Array) {
			t.Tools = tools.Raw()
		}
	}
	return &Document{Transcript: t, codec: c}, nil
}

// geminiHarnessRefusals are those of programs that make requests to the Gemini API
// of what they keep: they join, order and sign as they must, but what stands first
// goes out first.
func geminiHarnessRefusals() transcript.Rules {
	return provider{
		name: "google", first: transcript.User,
		rules: []transcript.Rule{
			{Code: "first_role", Text: "The first message is the user's.", Source: "error 400: Please ensure that function call turn comes immediately after a user turn or after a function response turn"},
			{Code: "results_called", Text: "A tool result has a call before it.", Source: "error 400: Please ensure that function response turn comes immediately after a function call turn"},
		},
	}.refusals()
}

type geminiCodec struct {
	list
	system rawjson.Value // the request's own
}

func (c *geminiCodec) api() string { return "gemini-contents" }
