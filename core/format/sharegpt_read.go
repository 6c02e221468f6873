package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// sharegptKind is who a label names, and what the text of such a turn is.
func sharegptKind(label string) (role transcript.Role, kind transcript.PartKind) {
	switch label {
	case "human", "user":
		return transcript.User, transcript.Text
	case "gpt", "chatgpt", "assistant", "model", "bot", "bing", "bard":
		return transcript.Assistant, transcript.Text
	case "function_call", "function-call", "tool_call":
		return transcript.Assistant, transcript.Call
	case "observation", "tool", "function", "function_response", "function-response", "tool_response", "ipython":
		return transcript.Tool, transcript.Result
	}
	return transcript.Role(label), transcript.Text
}

// sharegptKeys are the members of a turn that say who speaks and what.
func sharegptKeys(v rawjson.Value) (label, content string) {
	if v.Get("from").Exists() || !v.Get("role").Exists() && v.Get("value").Exists() {
		return "from", "value"
	}
	return "role", "content"
}

// sharegptReader reads the parts of one turn.
type sharegptReader struct {
	it    *transcript.Item
	from  int
	media []sharegptFiles
}

func (r *sharegptReader) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

// readItem reads one turn.
func (w sharegptWriter) readItem(v rawjson.Value) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	key, member := sharegptKeys(v)
	label := v.Get(key)
	if !label.Exists() {
		return transcript.Item{}, &fault{v, "." + key, "is missing"}
	}
	name, ok := label.Str()
	if !ok {
		return transcript.Item{}, wanted(label, "."+key, "a string")
	}
	role, kind := sharegptKind(name)
	it := transcript.Item{Role: role}
	r := sharegptReader{it: &it, from: v.Start(), media: w.media}
	content := v.Get(member)
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		r.text(kind, content)
	case rawjson.Array:
		if f := r.list(kind, content); f != nil {
			return it, f.within("." + member)
		}
	default:
		return it, wanted(content, "."+member, "a string or a list of parts")
	}
	it.Empty = len(it.Parts) == 0
	it.Shown = without(v, func(key string, _ rawjson.Value) bool { return key == "loss_weight" || key == "weight" })
	mark(&it)
	return it, nil
}

// text reads a turn that is one text.
func (r *sharegptReader) text(kind transcript.PartKind, v rawjson.Value) {
	text := v.Text()
	switch {
	case kind == transcript.Call:
		r.calls(v, v, text)
	case kind == transcript.Result:
		placeBody(r.part(kind, v, text), v, r.from)
	case text != "":
		p := r.part(kind, v, text)
		if r.it.Role == transcript.Assistant {
			r.tagged(p)
		}
		r.placeholders(text)
	}
}

// placeholders are the files beside the messages that a text stands for.
func (r *sharegptReader) placeholders(text string) {
	for _, m := range r.media {
		for range strings.Count(text, m.placeholder) {
			r.it.Parts = append(r.it.Parts, transcript.Part{Kind: m.kind})
		}
	}
}

// list reads a content of {type, value}.
func (r *sharegptReader) list(kind transcript.PartKind, content rawjson.Value) *fault {
	at := len(r.it.Parts)
	if kind == transcript.Result {
		placeBody(r.part(kind, content, ""), content, r.from)
	}
	i := 0
	for e := range content.Elems() {
		if !e.Is(rawjson.Object) {
			return wanted(e, "["+strconv.Itoa(i)+"]", "an object")
		}
		if f := r.element(e); f != nil {
			return f.within("[" + strconv.Itoa(i) + "]")
		}
		i++
	}
	if kind == transcript.Result {
		r.it.Parts = foldText(r.it.Parts, at)
	}
	return nil
}

func (r *sharegptReader) element(e rawjson.Value) *fault {
	key := "value"
	if !e.Get(key).Exists() {
		key = "text"
	}
	s, f := text(e, key)
	switch e.Get("type").Text() {
	case "text":
		r.part(transcript.Text, e, s)
		r.placeholders(s)
	case "reasoning":
		r.part(transcript.Thinking, e, s)
	case "tool_call", "tool_calls":
		r.calls(e, e.Get(key), s)
	case "image_url", "image":
		r.it.Parts = append(r.it.Parts, linked(transcript.Image, e, r.from, s))
		return nil // an object may hold the link
	case "audio_url", "audio":
		r.it.Parts = append(r.it.Parts, linked(transcript.Audio, e, r.from, s))
		return nil
	case "video_url", "video":
		r.it.Parts = append(r.it.Parts, linked(transcript.File, e, r.from, s))
		return nil
	default:
		r.part(transcript.Other, e, "")
		return nil
	}
	return f
}

// calls reads the JSON text of one call or of a list of them, all with the place
// of v. A thought in tags may stand before it; what is no JSON is a call whose
// name nobody knows.
func (r *sharegptReader) calls(v, body rawjson.Value, text string) {
	at := sharegptJSON(text)
	if head := strings.TrimSpace(text[:at]); head != "" {
		head = strings.TrimSuffix(strings.TrimPrefix(head, "<think>"), "</think>")
		r.it.Parts = append(r.it.Parts, transcript.Part{Kind: transcript.Thinking, Text: strings.TrimSpace(head)})
	}
	add := func(name, input string) {
		p := r.part(transcript.Call, v, input)
		p.Name = name
		placeBody(p, body, r.from)
	}
	found := false
	for _, c := range sharegptCalls(text[at:]) {
		found = true
		name, input := sharegptCall(c)
		add(name, arguments(input))
	}
	if !found {
		add("", text)
	}
}

// sharegptJSON is where the JSON of a call begins: behind a thought, if there is one.
func sharegptJSON(text string) int {
	if strings.HasPrefix(strings.TrimSpace(text), "<think>") {
		if i := strings.Index(text, "</think>"); i >= 0 {
			return i + len("</think>")
		}
	}
	return 0
}

// sharegptCalls are the objects of calls in a text: one, or a list.
func sharegptCalls(text string) []rawjson.Value {
	v, err := rawjson.Parse([]byte(text))
	if err != nil {
		return nil
	}
	if v.Is(rawjson.Object) {
		return []rawjson.Value{v}
	}
	var all []rawjson.Value
	for e := range v.Elems() {
		if !e.Is(rawjson.Object) {
			return nil
		}
		all = append(all, e)
	}
	return all
}

// sharegptCall is the name and the input of a call. Some sets wrap it as the chat
// API does, some call the input parameters.
func sharegptCall(c rawjson.Value) (name string, input rawjson.Value) {
	if fn := c.Get("function"); fn.Is(rawjson.Object) {
		c = fn
	}
	input = c.Get("arguments")
	if !input.Exists() {
		input = c.Get("parameters")
	}
	return c.Get("name").Text(), input
}

// tagged takes calls out of a text that has them in tags (Hermes), with no place
// of their own.
func (r *sharegptReader) tagged(p *transcript.Part) {
	const open, closing = "<tool_call>", "</tool_call>"
	if !strings.Contains(p.Text, open) {
		return
	}
	var said []string
	var calls []transcript.Part
	rest := p.Text
	for {
		before, after, ok := strings.Cut(rest, open)
		if !ok {
			break
		}
		inner, behind, ok := strings.Cut(after, closing)
		list := sharegptCalls(strings.TrimSpace(inner))
		if !ok || len(list) == 0 {
			break
		}
		said, rest = append(said, before), behind
		for _, c := range list {
			name, input := sharegptCall(c)
			calls = append(calls, transcript.Part{Kind: transcript.Call, Name: name, Text: arguments(input)})
		}
	}
	p.Text = strings.TrimSpace(strings.Join(append(said, rest), ""))
	r.it.Parts = append(r.it.Parts, calls...)
}
