package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// readGemini reads a content, or the one within an event: what an event has
// beside its content is no model's.
func readGemini(v rawjson.Value) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	it := transcript.Item{}
	content, path := v, ""
	if isEvent(v) {
		it.ID = v.Get("id").Text()
		if is, f := readCompaction(v, &it); is {
			return it, f
		}
		content, path = v.Get("content"), ".content"
		it.Shown = content.Raw()
	}
	role, f := geminiRole(content, v.Get("author").Text())
	if f != nil {
		return transcript.Item{}, f.within(path)
	}
	it.Role = role
	r := partReader{it: &it, from: v.Start()}
	if f := r.parts(content.Get("parts")); f != nil {
		return transcript.Item{}, f.within(path + ".parts")
	}
	r.done()
	return it, nil
}

// geminiRole reads a role; the API takes a content without one for the user's.
// In an event the author tells, where the content does not. The role function,
// of the API's first version, is that of a user turn that holds results.
func geminiRole(content rawjson.Value, author string) (transcript.Role, *fault) {
	role := content.Get("role")
	switch {
	case (!role.Exists() || role.Is(rawjson.Null)) && author != "" && author != "user":
		return transcript.Assistant, nil
	case !role.Exists() || role.Is(rawjson.Null):
		return transcript.User, nil
	case !role.Is(rawjson.String):
		return "", wanted(role, ".role", "a string")
	}
	switch s := role.Text(); s {
	case "model":
		return transcript.Assistant, nil
	case "function", "tool":
		return transcript.User, nil
	default:
		return transcript.Role(s), nil
	}
}

// partReader reads the parts of one content.
type partReader struct {
	it   *transcript.Item
	from int

	spoke   bool // a text that is no wrapper, or media of its own
	wrapped bool // a text that is a wrapper
	inside  bool // media within a result
}

func (r *partReader) add(kind transcript.PartKind, v rawjson.Value) *transcript.Part {
	r.it.Parts = append(r.it.Parts, media(kind, v, r.from))
	return &r.it.Parts[len(r.it.Parts)-1]
}

func (r *partReader) parts(list rawjson.Value) *fault {
	switch list.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.Array:
	default:
		return wanted(list, "", "a list of parts")
	}
	i := 0
	for p := range list.Elems() {
		if f := r.part(p); f != nil {
			return f.within("[" + strconv.Itoa(i) + "]")
		}
		i++
	}
	return nil
}

// done says of the item as a whole what its parts come to. Nobody spoke where
// all texts are a harness's, or where there is nothing but results and the media
// within them.
func (r *partReader) done() {
	r.it.Empty = len(r.it.Parts) == 0
	mark(r.it)
	if r.it.Role == transcript.User && !r.spoke && (r.wrapped || r.inside) {
		r.it.Fragment = true
	}
}

// part reads one part, and what its signature belongs to. A signature without
// anything else, or with an empty text, is a thought that nobody can read.
func (r *partReader) part(p rawjson.Value) *fault {
	if !p.Is(rawjson.Object) {
		return wanted(p, "", "an object")
	}
	signed := either(p, "thoughtSignature", "thought_signature").Text() != ""
	at := len(r.it.Parts)
	f := r.kinds(p, signed)
	if signed && len(r.it.Parts) > at {
		r.it.Parts[at].Signed = true
	}
	return f
}

func (r *partReader) kinds(p rawjson.Value, signed bool) *fault {
	if call := either(p, "functionCall", "function_call"); call.Exists() {
		return r.call(p, call).within(".functionCall")
	}
	if res := either(p, "functionResponse", "function_response"); res.Exists() {
		return r.response(p, res).within(".functionResponse")
	}
	for _, name := range [][2]string{{"inlineData", "inline_data"}, {"fileData", "file_data"}} {
		if data := either(p, name[0], name[1]); data.Exists() {
			r.media(p, data)
			r.spoke = true
			return nil
		}
	}
	if r.server(p) {
		return nil
	}
	text := p.Get("text")
	switch {
	case text.Is(rawjson.String):
	case text.Exists() && !text.Is(rawjson.Null):
		return wanted(text, ".text", "a string")
	case signed:
		r.add(transcript.Thinking, p)
		return nil
	case anySet(p):
		r.add(transcript.Other, p)
		r.spoke = true
		return nil
	default:
		return nil // all of it is null
	}
	s := text.Text()
	switch {
	case p.Get("thought").Bool(), s == "" && signed:
		r.add(transcript.Thinking, p).Text = s
	default:
		r.add(transcript.Text, p).Text = s
		if wrapped(s) {
			r.wrapped = true
		} else {
			r.spoke = true
		}
	}
	return nil
}

// anySet reports whether anything is set in a part.
func anySet(p rawjson.Value) bool {
	for m := range p.Elems() {
		if !m.Is(rawjson.Null) {
			return true
		}
	}
	return false
}

func (r *partReader) call(p, call rawjson.Value) *fault {
	if !call.Is(rawjson.Object) {
		return wanted(call, "", "an object")
	}
	id, f := text(call, "id")
	if f != nil {
		return f
	}
	c := r.add(transcript.Call, p)
	c.ID, c.Name = id, call.Get("name").Text()
	c.Text = arguments(call.Get("args"))
	placeBody(c, call.Get("args"), r.from)
	return nil
}

// response reads a result, and the media in it as parts of their own behind it.
func (r *partReader) response(p, res rawjson.Value) *fault {
	if !res.Is(rawjson.Object) {
		return wanted(res, "", "an object")
	}
	id, f := text(res, "id")
	if f != nil {
		return f
	}
	part := r.add(transcript.Result, p)
	part.ID, part.Name = id, res.Get("name").Text()
	body := res.Get("response")
	part.Text, part.Failed = responseText(body)
	placeBody(part, body, r.from)
	for inner := range res.Get("parts").Elems() {
		for _, name := range [][2]string{{"inlineData", "inline_data"}, {"fileData", "file_data"}} {
			if data := either(inner, name[0], name[1]); data.Exists() {
				r.media(inner, data)
				r.inside = true
			}
		}
	}
	return nil
}

// responseText is what a tool said. The API wants an object, so that clients put
// what they have under one key: output and error are the documented ones, result
// and content are written too. An error is marked by its key, or as MCP does it.
func responseText(v rawjson.Value) (text string, failed bool) {
	if !v.Is(rawjson.Object) {
		return arguments(v), false
	}
	failed = v.Get("isError").Bool() || v.Get("is_error").Bool()
	var said rawjson.Value
	members, only := 0, false
	for key, m := range v.Members() {
		switch key {
		case "isError", "is_error":
			continue
		case "output", "error", "result", "content":
			said, only = m, true
			if key == "error" && !m.Is(rawjson.Null) {
				failed = true
			}
		}
		members++
	}
	if members != 1 || !only {
		return string(v.Compact()), failed
	}
	if said.Is(rawjson.Array) && said.Len() > 0 {
		texts := 0
		for e := range said.Elems() {
			if e.Get("text").Is(rawjson.String) {
				texts++
			}
		}
		if texts == said.Len() {
			return joined(said), failed
		}
	}
	return arguments(said), failed
}

// media reads inline data or a link to a file by its media type; videos are files.
func (r *partReader) media(p, data rawjson.Value) {
	kind := transcript.File
	switch mime, _, _ := strings.Cut(either(data, "mimeType", "mime_type").Text(), "/"); strings.ToLower(mime) {
	case "image":
		kind = transcript.Image
	case "audio":
		kind = transcript.Audio
	}
	r.add(kind, p).Bytes = len(data.Get("data").Text())
}

// server reads what the provider ran itself: code, and its own tools. Call and
// result stand in one content.
func (r *partReader) server(p rawjson.Value) bool {
	if code := either(p, "executableCode", "executable_code"); code.Exists() {
		c := r.add(transcript.Call, p)
		c.Server, c.ID, c.Name = true, code.Get("id").Text(), "code_execution"
		c.Text = code.Get("code").Text()
		placeBody(c, code.Get("code"), r.from)
		return true
	}
	if res := either(p, "codeExecutionResult", "code_execution_result"); res.Exists() {
		part := r.add(transcript.Result, p)
		part.Server, part.ID, part.Name = true, res.Get("id").Text(), "code_execution"
		part.Text = res.Get("output").Text()
		switch res.Get("outcome").Text() {
		case "OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED":
			part.Failed = true
		}
		placeBody(part, res.Get("output"), r.from)
		return true
	}
	if call := either(p, "toolCall", "tool_call"); call.Exists() {
		c := r.add(transcript.Call, p)
		c.Server, c.ID, c.Name = true, call.Get("id").Text(), either(call, "toolType", "tool_type").Text()
		c.Text = arguments(call.Get("args"))
		placeBody(c, call.Get("args"), r.from)
		return true
	}
	if res := either(p, "toolResponse", "tool_response"); res.Exists() {
		part := r.add(transcript.Result, p)
		part.Server, part.ID, part.Name = true, res.Get("id").Text(), either(res, "toolType", "tool_type").Text()
		part.Text, part.Failed = responseText(res.Get("response"))
		placeBody(part, res.Get("response"), r.from)
		return true
	}
	return false
}
