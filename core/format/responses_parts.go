package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// responsesReader reads the parts of one Responses item. The item stands in it by
// value: a pointer would cost an allocation for each.
type responsesReader struct {
	it   transcript.Item
	v    rawjson.Value
	from int
}

func (r *responsesReader) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

// whole makes one part of the item.
func (r *responsesReader) whole(kind transcript.PartKind) *transcript.Part {
	return r.part(kind, r.v, "")
}

func (r *responsesReader) opaque(v rawjson.Value) {
	if s, ok := v.Str(); ok {
		r.part(transcript.Opaque, v, s)
	}
}

func (r *responsesReader) message() *fault {
	role, f := readRole(r.v)
	if f != nil {
		return f
	}
	r.it.Role = role
	if f := r.content("content", r.v.Get("content")); f != nil {
		return f
	}
	r.it.Empty = len(r.it.Parts) == 0
	mark(&r.it)
	return nil
}

// content reads a text or a list of parts.
func (r *responsesReader) content(key string, v rawjson.Value) *fault {
	switch v.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if text := v.Text(); text != "" {
			r.part(transcript.Text, v, text)
		}
	case rawjson.Array:
		r.it.Parts = roomFor(r.it.Parts, v)
		i := 0
		for p := range v.Elems() {
			if f := r.contentPart(p); f != nil {
				return f.within("." + key + "[" + strconv.Itoa(i) + "]")
			}
			i++
		}
		labels(r.it.Parts)
	default:
		return wanted(v, "."+key, "a string, a list of parts or null")
	}
	return nil
}

func (r *responsesReader) contentPart(p rawjson.Value) *fault {
	if !p.Is(rawjson.Object) {
		return wanted(p, "", "an object")
	}
	add := func(part transcript.Part) { r.it.Parts = append(r.it.Parts, part) }
	switch kind := p.Get("type").Text(); kind {
	case "input_text", "output_text", "text", "refusal", "summary_text", "reasoning_text":
		key := "text"
		if kind == "refusal" {
			key = kind
		}
		text := p.Get(key)
		if text.Exists() && !text.Is(rawjson.String) && !text.Is(rawjson.Null) {
			return wanted(text, "."+key, "a string")
		}
		r.part(transcript.Text, p, text.Text())
	case "input_image", "computer_screenshot":
		image := linked(transcript.Image, p, r.from, p.Get("image_url").Text())
		image.Detail = p.Get("detail").Text()
		add(image)
	case "input_file":
		add(inlineFile(p, r.from, p.Get("file_data").Text()))
	case "input_audio":
		audio := linked(transcript.Audio, p, r.from, p.Get("audio_url").Text())
		audio.Bytes += p.Get("input_audio").Get("data").TextLen()
		add(audio)
	case "encrypted_content":
		r.part(transcript.Opaque, p, p.Get("encrypted_content").Text())
	default:
		r.part(transcript.Other, p, "")
	}
	return nil
}

// labels turns the texts that the Codex CLI puts around media (<image name=..>
// before, </image> behind) into other parts: nobody wrote them.
func labels(parts []transcript.Part) {
	for i := range parts {
		name := ""
		switch parts[i].Kind {
		case transcript.Image:
			name = "image"
		case transcript.Audio:
			name = "audio"
		default:
			continue
		}
		if i > 0 && parts[i-1].Kind == transcript.Text {
			if t := parts[i-1].Text; t == "<"+name+">" || strings.HasPrefix(t, "<"+name+" name=") && strings.HasSuffix(t, ">") {
				parts[i-1].Kind = transcript.Other
			}
		}
		if i+1 < len(parts) && parts[i+1].Kind == transcript.Text && parts[i+1].Text == "</"+name+">" {
			parts[i+1].Kind = transcript.Other
		}
	}
}

func (r *responsesReader) reasoning() *fault {
	for _, key := range []string{"summary", "content"} {
		at := len(r.it.Parts)
		if f := r.content(key, r.v.Get(key)); f != nil {
			return f
		}
		for i := at; i < len(r.it.Parts); i++ {
			if r.it.Parts[i].Kind == transcript.Text {
				r.it.Parts[i].Kind = transcript.Thinking
			}
		}
	}
	r.opaque(r.v.Get("encrypted_content"))
	return nil
}

// id reads an id that may be missing or null.
func (r *responsesReader) id(key string) (string, *fault) {
	v := r.v.Get(key)
	if v.Exists() && !v.Is(rawjson.Null) && !v.Is(rawjson.String) {
		return "", wanted(v, "."+key, "a string")
	}
	return v.Text(), nil
}

// serverRun are the calls that the provider runs itself: no output item follows.
func serverRun(kind string) bool {
	switch kind {
	case "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call", "program":
		return true
	}
	return false
}

// call reads an item that is a call. One without a call_id is answered by
// nobody; what the provider ran itself holds its own result. The item's own id
// pairs nothing: it has another name space.
func (r *responsesReader) call() *fault {
	id, f := r.id("call_id")
	if f != nil {
		return f
	}
	kind := r.it.Type
	p := r.whole(transcript.Call)
	p.Server = id == "" || serverRun(kind) || r.v.Get("execution").Text() == "server"
	p.ID = id
	if kind == "mcp_approval_request" { // a person answers it, in an item that names it by its own id
		p.ID, p.Server, p.Pending = r.it.ID, false, true
	}
	if p.Name = r.v.Get("name").Text(); p.Name == "" {
		p.Name = strings.TrimSuffix(kind, "_call")
	}
	for _, key := range []string{"arguments", "input", "action", "operation", "code", "queries"} {
		if v := r.v.Get(key); v.Exists() && !v.Is(rawjson.Null) {
			p.Text = arguments(v)
			placeBody(p, v, r.from)
			break
		}
	}
	if p.Server {
		r.serverResult(p.ID)
	}
	return nil
}

func (r *responsesReader) serverResult(id string) {
	if v := r.v.Get("result"); v.Is(rawjson.String) && r.it.Type == "image_generation_call" {
		r.part(transcript.Image, v, "").Bytes = len(v.Text())
		return
	}
	for _, key := range []string{"output", "outputs", "results", "error"} {
		if v := r.v.Get(key); v.Exists() && !v.Is(rawjson.Null) {
			p := r.part(transcript.Result, v, arguments(v))
			p.ID, p.Server, p.Failed = id, true, key == "error"
			placeBody(p, v, r.from)
		}
	}
}

// output reads an item that is the result of a call: a text, parts, one part
// as an object, or what only the tool knows.
func (r *responsesReader) output(idKey string, v rawjson.Value) *fault {
	id, f := r.id(idKey)
	if f != nil {
		return f
	}
	r.it.Role = transcript.Tool
	at := len(r.it.Parts)
	p := r.part(transcript.Result, r.v, "")
	p.ID, p.Name = id, r.v.Get("name").Text()
	p.Server = r.it.Type == "program_output" || r.v.Get("execution").Text() == "server"
	status := r.v.Get("status").Text()
	p.Failed = status == "failed" || status == "incomplete"
	if !v.Exists() {
		p.Start, p.End = 0, 0
		return nil
	}
	p.Start, p.End = v.Start()-r.from, v.End()-r.from
	placeBody(p, v, r.from)
	switch v.Kind() {
	case rawjson.String:
		p.Text = v.Text()
		p.Failed = p.Failed || exitFailed(p.Text)
		return nil
	case rawjson.Null:
		return nil
	case rawjson.Object:
		if f := r.contentPart(v); f != nil {
			return f.within(".output")
		}
	case rawjson.Array:
		i := 0
		for e := range v.Elems() {
			if !e.Is(rawjson.Object) {
				r.it.Parts = r.it.Parts[:at+1]
				break
			}
			if f := r.contentPart(e); f != nil {
				return f.within(".output[" + strconv.Itoa(i) + "]")
			}
			i++
		}
	default:
	}
	known := false
	for _, part := range r.it.Parts[at+1:] {
		known = known || part.Kind != transcript.Other
	}
	if !known {
		r.it.Parts = r.it.Parts[:at+1]
		r.it.Parts[at].Text = v.CompactText()
		return nil
	}
	r.it.Parts = foldText(r.it.Parts, at)
	return nil
}
