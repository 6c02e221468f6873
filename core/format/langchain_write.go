package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// lcStyle is how new messages are written: as those that are there.
type lcStyle struct {
	shape  lcShape
	module []byte // lcDump: the id of a class up to its name, as elements of a list
	typed  bool   // lcDump: the fields repeat the type, as Python writes them
}

func newLCWriter(items []transcript.Item) writer {
	style := lcStyle{module: []byte(`"langchain_core","messages"`)}
	for i := range items {
		v, err := rawjson.Parse(items[i].Raw)
		if err != nil {
			continue
		}
		fields, kind, shape := lcFields(v)
		if lcRole(kind) == "" {
			continue
		}
		style.shape = shape
		if shape == lcDump {
			style.module = lcModule(v.Get("id"))
			style.typed = fields.Get("type").Is(rawjson.String)
		}
		break
	}
	return writer{
		read:    readLangChain,
		message: style.message,
		content: func(*transcript.Item) (string, string) { return "content", "text" },
		inside: func(v rawjson.Value) rawjson.Value {
			fields, _, _ := lcFields(v)
			return fields
		},
		also:   lcAlso,
		answer: style.answer,
	}
}

// lcModule is the id of a class without its last step.
func lcModule(id rawjson.Value) []byte {
	var out []byte
	i, last := 0, id.Len()-1
	for step := range id.Elems() {
		if i == last {
			break
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, step.Raw()...)
		i++
	}
	return out
}

// message is a new message of text.
func (s lcStyle) message(role transcript.Role, text string) []byte {
	kind, class, extra := "human", "HumanMessage", []byte("{}")
	switch role {
	case transcript.Assistant:
		kind, class = "ai", "AIMessage"
	case transcript.Developer:
		extra = []byte(`{"__openai_role__":"developer"}`)
		kind, class = "system", "SystemMessage"
	case transcript.System:
		kind, class = "system", "SystemMessage"
	default:
	}
	return s.wrap(kind, class, func(b *body) {
		b.raw("content", rawjson.AppendQuote(nil, text))
		b.raw("additional_kwargs", extra)
		b.raw("response_metadata", []byte("{}"))
	})
}

// answer is the tool message that answers a call.
func (s lcStyle) answer(_ *transcript.Item, call *transcript.Part, text string) []byte {
	return s.wrap("tool", "ToolMessage", func(b *body) {
		b.raw("content", rawjson.AppendQuote(nil, text))
		b.str("name", call.Name)
		b.raw("tool_call_id", rawjson.AppendQuote(nil, call.ID))
		b.str("status", "error")
	})
}

func (s lcStyle) wrap(kind, class string, fields func(*body)) []byte {
	inner := newBody()
	if s.shape == lcFlat || s.typed {
		inner.str("type", kind)
	}
	fields(inner)
	if s.shape == lcFlat {
		return inner.end()
	}
	b := newBody()
	if s.shape == lcData {
		b.str("type", kind)
		b.raw("data", inner.end())
		return b.end()
	}
	b.raw("lc", []byte("1"))
	b.str("type", "constructor")
	b.array("id")
	if len(s.module) > 0 {
		b.element(s.module)
	}
	b.element(rawjson.AppendQuote(nil, class))
	b.endArray()
	b.raw("kwargs", inner.end())
	return b.end()
}

// lcAlso changes the other places of calls with them.
func lcAlso(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) (changes []change, gone []int, ok bool) {
	fields, _, _ := lcFields(v)
	byPart := map[int]transcript.Edit{} // by where the part stands
	thoughts := map[int]bool{}
	for _, e := range edits {
		p := &it.Parts[e.Part]
		switch {
		case p.Kind == transcript.Thinking && e.Drop:
			thoughts[p.Start] = true
		case p.Kind == transcript.Result && e.ID != "":
			// The id that names the call may stand beside an own id that is the same.
			if id := fields.Get("tool_call_id"); id.Is(rawjson.String) && id.Text() == p.ID {
				changes = append(changes, change{id.Start(), id.End(), rawjson.AppendQuote(nil, e.ID)})
			}
		case p.Kind == transcript.Call:
			byPart[p.Start] = e
		}
	}
	if len(thoughts) > 0 {
		if gone, ok = lcThoughts(fields, thoughts); !ok {
			return nil, nil, false
		}
	}
	if len(byPart) == 0 {
		return changes, gone, true
	}
	calls, f := readLCCalls(fields)
	if f != nil {
		return nil, nil, false
	}
	for _, c := range calls.all {
		e, edited := byPart[c.places[0].whole.Start()]
		for i := 1; edited && i < len(c.places); i++ {
			more, lost := c.places[i].edit(e)
			changes, gone = append(changes, more...), append(gone, lost...)
		}
	}
	return changes, gone, true
}

// lcThoughts are the other places of the thoughts that start there: what stands
// beside a content that has thoughts says them again. False where one of them has
// an id of OpenAI's Responses API: then calls and texts of its message have such
// ids, too, and the API refuses those without it.
func lcThoughts(fields rawjson.Value, starts map[int]bool) (again []int, ok bool) {
	extra := fields.Get("additional_kwargs")
	beside := []rawjson.Value{extra.Get("reasoning_content"), extra.Get("reasoning")}
	tied := beside[1].Exists() && starts[beside[1].Start()] && beside[1].Get("id").Text() != ""
	inside := false
	for b := range fields.Get("content").Elems() {
		if starts[b.Start()] {
			inside = true
			tied = tied || b.Get("id").Text() != ""
		}
	}
	if !inside {
		return nil, !tied
	}
	for _, v := range beside {
		if v.Exists() {
			again = append(again, v.Start())
			tied = tied || v.Get("id").Text() != ""
		}
	}
	return again, !tied
}

// edit changes one further place of a call.
func (p *lcPlace) edit(e transcript.Edit) (changes []change, gone []int) {
	if e.Drop {
		return nil, []int{p.whole.Start()}
	}
	if e.Text != "" && p.input.Exists() && !p.input.Is(rawjson.Null) {
		input := rawjson.AppendQuote(nil, e.Text)
		switch {
		case p.rest:
			input = []byte(`""`)
		case p.input.Is(rawjson.Object):
			input = []byte(e.Text)
		}
		changes = append(changes, change{p.input.Start(), p.input.End(), input})
	}
	if e.ID != "" && p.id.Is(rawjson.String) {
		changes = append(changes, change{p.id.Start(), p.id.End(), rawjson.AppendQuote(nil, e.ID)})
	}
	return changes, gone
}

// lcShown is the message without what no model is sent: without the frame of its
// shape, and without metadata where that is much.
func lcShown(fields rawjson.Value, shape lcShape) []byte {
	calls := fields.Get("tool_calls").Len() > 0
	drop := func(key string, m rawjson.Value) bool {
		switch key {
		case "id", "response_metadata", "usage_metadata", "artifact", "example", "metadata":
			return true
		case "tool_call_chunks":
			return calls
		case "additional_kwargs": // calls again, but for thoughts
			return !m.Get("reasoning").Exists() && !m.Get("reasoning_content").Exists() && (calls || m.Len() == 0)
		}
		return false
	}
	noise := 0
	for key, m := range fields.Members() {
		if drop(key, m) {
			noise += m.End() - m.Start()
		}
	}
	switch {
	case noise > noiseBytes:
		return without(fields, drop)
	case shape == lcFlat:
		return nil
	}
	return fields.Raw()
}
