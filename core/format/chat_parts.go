package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// readChat reads one message. What a harness keeps beside it is never sent:
// mini-swe-agent's extra repeats the whole answer, and the API refuses members
// that it does not know.
func readChat(v rawjson.Value) (transcript.Item, *fault) {
	role, f := readRole(v)
	if f != nil {
		return transcript.Item{}, f
	}
	r := chatReader{it: transcript.Item{Role: role, ID: v.Get("id").Text()}, v: v, from: v.Start()}
	it := &r.it
	if role == transcript.Tool || role == "function" {
		f = r.result()
	} else {
		f = r.message()
	}
	if f != nil {
		return transcript.Item{}, f
	}
	it.Empty = len(it.Parts) == 0
	// A refusal is a text, too.
	it.Null = null(v.Get("content")) && !it.Has(transcript.Text, transcript.Call, transcript.Audio)
	it.Shown = without(v, func(key string, m rawjson.Value) bool {
		return key == "extra" || key == "provider_specific_fields" && m.Is(rawjson.Null)
	})
	mark(it)
	return *it, nil
}

// chatReader reads the parts of one message. It holds the item itself: a pointer
// beside v would put each of them on the heap once more.
type chatReader struct {
	it   transcript.Item
	v    rawjson.Value
	from int
}

func (r *chatReader) add(p transcript.Part) { r.it.Parts = append(r.it.Parts, p) }

// part adds a part with the place of the value v.
func (r *chatReader) part(kind transcript.PartKind, v rawjson.Value, text string) {
	r.add(transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
}

// result reads a tool message: its content answers one call. Messages of role
// function are tool results too; what pairs them with their call is the name.
func (r *chatReader) result() *fault {
	res := transcript.Part{Kind: transcript.Result, Name: r.v.Get("name").Text()}
	if r.it.Role == "function" {
		r.it.Role, res.ID = transcript.Tool, res.Name
	}
	if id := r.v.Get("tool_call_id"); id.Exists() && !id.Is(rawjson.Null) {
		s, ok := id.Str()
		if !ok {
			return wanted(id, ".tool_call_id", "a string")
		}
		res.ID = s
	}
	at := len(r.it.Parts)
	r.add(res)
	if f := r.content(); f != nil {
		return f
	}
	content := r.v.Get("content")
	if content.Exists() {
		r.it.Parts[at].Start, r.it.Parts[at].End = content.Start()-r.from, content.End()-r.from
		placeBody(&r.it.Parts[at], content, r.from)
	}
	r.it.Parts = foldText(r.it.Parts, at)
	return nil
}

func (r *chatReader) message() *fault {
	r.reasoning()
	if f := r.content(); f != nil {
		return f
	}
	if v := r.v.Get("refusal"); v.Is(rawjson.String) && r.it.Role == transcript.Assistant {
		r.part(transcript.Text, v, v.Text())
	}
	if v := r.v.Get("audio"); v.Is(rawjson.Object) {
		r.part(transcript.Audio, v, v.Get("transcript").Text())
		r.it.Parts[len(r.it.Parts)-1].Bytes = v.Get("data").TextLen()
	}
	if v := r.v.Get("function_call"); v.Is(rawjson.Object) {
		r.part(transcript.Call, v, arguments(v.Get("arguments")))
		p := &r.it.Parts[len(r.it.Parts)-1]
		p.Name = v.Get("name").Text()
		p.ID = p.Name
		placeBody(p, v.Get("arguments"), r.from)
	}
	return r.calls()
}

// reasoning reads what compatible servers add: the model's thoughts as a text,
// or OpenRouter's list of them, which repeats the text.
func (r *chatReader) reasoning() {
	plain := false
	for _, key := range []string{"reasoning_content", "reasoning"} {
		if v := r.v.Get(key); v.Is(rawjson.String) && !plain {
			if text := v.Text(); text != "" {
				r.part(transcript.Thinking, v, text)
				plain = true
			}
		}
	}
	for d := range r.v.Get("reasoning_details").Elems() {
		text := d.Get("text").Text() + d.Get("summary").Text()
		switch data := d.Get("data").Text(); {
		case data != "":
			r.part(transcript.Opaque, d, data)
		case text != "" && !plain:
			r.part(transcript.Thinking, d, text)
			r.it.Parts[len(r.it.Parts)-1].Signed = d.Get("signature").Text() != ""
		}
	}
	for d := range r.v.Get("reasoning_signature").Elems() {
		r.part(transcript.Opaque, d, d.Text())
	}
}

func (r *chatReader) content() *fault {
	content := r.v.Get("content")
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if text := content.Text(); text != "" {
			r.part(transcript.Text, content, text)
		}
	case rawjson.Array:
		r.it.Parts = roomFor(r.it.Parts, content)
		i := 0
		for p := range content.Elems() {
			if f := r.contentPart(p); f != nil {
				return f.within(".content[" + strconv.Itoa(i) + "]")
			}
			i++
		}
	default:
		return wanted(content, ".content", "a string, a list of parts or null")
	}
	return nil
}

func (r *chatReader) contentPart(p rawjson.Value) *fault {
	if !p.Is(rawjson.Object) {
		return wanted(p, "", "an object")
	}
	switch kind := p.Get("type").Text(); kind {
	case "text", "refusal":
		text := p.Get(kind)
		if text.Exists() && !text.Is(rawjson.String) && !text.Is(rawjson.Null) {
			return wanted(text, "."+kind, "a string")
		}
		r.part(transcript.Text, p, text.Text())
	case "image_url":
		link := p.Get("image_url")
		url := link.Get("url").Text() + link.Text() // an object, or the URL itself
		image := linked(transcript.Image, p, r.from, url)
		image.Detail = link.Get("detail").Text()
		r.add(image)
	case "input_audio":
		audio := media(transcript.Audio, p, r.from)
		audio.Bytes = p.Get("input_audio").Get("data").TextLen()
		r.add(audio)
	case "file":
		r.add(inlineFile(p, r.from, p.Get("file").Get("file_data").Text()))
	default:
		r.part(transcript.Other, p, "")
	}
	return nil
}

func (r *chatReader) calls() *fault {
	calls := r.v.Get("tool_calls")
	switch calls.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.Array:
	default:
		return wanted(calls, ".tool_calls", "a list")
	}
	r.it.Parts = roomFor(r.it.Parts, calls)
	i := 0
	for c := range calls.Elems() {
		if !c.Is(rawjson.Object) {
			return wanted(c, ".tool_calls["+strconv.Itoa(i)+"]", "an object")
		}
		id := c.Get("id")
		if id.Exists() && !id.Is(rawjson.Null) && !id.Is(rawjson.String) {
			return wanted(id, ".tool_calls["+strconv.Itoa(i)+"].id", "a string")
		}
		fn, input := c.Get("function"), "arguments"
		if custom := c.Get("custom"); !fn.Exists() && custom.Exists() {
			fn, input = custom, "input"
		}
		r.part(transcript.Call, c, arguments(fn.Get(input)))
		p := &r.it.Parts[len(r.it.Parts)-1]
		p.ID, p.Name = id.Text(), fn.Get("name").Text()
		placeBody(p, fn.Get(input), r.from)
		i++
	}
	return nil
}
