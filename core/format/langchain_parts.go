package format

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

func readLangChain(v rawjson.Value) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	fields, kind, shape := lcFields(v)
	if kind == "" {
		return transcript.Item{}, &fault{v, "", "is no message: it has no type, no role, and no lc with kwargs"}
	}
	it := transcript.Item{Role: lcSpeaker(kind, fields), ID: fields.Get("id").Text()}
	r := lcReader{sdkReader: sdkReader{it: &it, from: v.Start()}, fields: fields}
	var f *fault
	if it.Role == transcript.Tool {
		f = r.result(kind)
	} else {
		f = r.message()
	}
	if f != nil {
		return transcript.Item{}, f.within([...]string{"", ".data", ".kwargs"}[shape])
	}
	it.Shown = lcShown(fields, shape)
	sdkFinish(&it)
	if fields.Get("additional_kwargs").Get("lc_source").Text() == "summarization" {
		it.Summary = true // LangChain's own summarizationMiddleware wrote it
	}
	return it, nil
}

// lcSpeaker is the role of a message: by its type or class, else by the role
// that a ChatMessage names.
func lcSpeaker(kind string, fields rawjson.Value) transcript.Role {
	role := lcRole(kind)
	if role == transcript.System && fields.Get("additional_kwargs").Get("__openai_role__").Text() == "developer" {
		return transcript.Developer
	}
	if own := fields.Get("role").Text(); role == "" && own != "" {
		if role = lcRole(own); role == "" {
			role = transcript.Role(own)
		}
	}
	if role == "" {
		return transcript.Role(kind)
	}
	return role
}

// notLangChain is the fault of what is no message of LangChain.
func notLangChain(v rawjson.Value) *fault {
	_, kind, shape := lcFields(v)
	if shape == lcFlat && kind != "" && lcRole(kind) == "" && !v.Get("role").Exists() {
		at := v.Get("type")
		return &fault{at, ".type", "is " + strconv.Quote(clip(kind, quoted)) + ", which langchain does not have"}
	}
	if parts := v.Get("parts"); parts.Exists() {
		return &fault{parts, ".parts", "stands in no message of langchain"}
	}
	return nil
}

// lcReader reads the fields of one message.
type lcReader struct {
	sdkReader
	fields rawjson.Value
	calls  map[int]*lcCall // those of the content that have no part yet, by where they stand
}

// result reads a tool message. Its id is the call's where it names no call, and
// its content may be any value.
func (r *lcReader) result(kind string) *fault {
	id, f := text(r.fields, "tool_call_id")
	if f != nil {
		return f
	}
	if id == "" {
		id = r.fields.Get("id").Text()
	}
	name := r.fields.Get("name").Text()
	if strings.HasPrefix(kind, "function") || strings.HasPrefix(kind, "Function") {
		id = name // OpenAI's form of old, without ids
	}
	at := len(r.it.Parts)
	res := r.part(transcript.Result, r.fields, "")
	res.ID, res.Name, res.Failed = id, name, r.fields.Get("status").Text() == "error"
	content := r.fields.Get("content")
	placeBody(res, content, r.from)
	if !content.Is(rawjson.Array) {
		res.Text = arguments(content)
		return nil
	}
	if f := r.blocks(content); f != nil {
		return f
	}
	r.it.Parts = foldText(r.it.Parts, at)
	return nil
}

func (r *lcReader) message() *fault {
	calls := &lcCalls{}
	if r.it.Generated() {
		var f *fault
		if calls, f = readLCCalls(r.fields); f != nil {
			return f
		}
	}
	if len(calls.all) > 0 {
		r.calls = map[int]*lcCall{}
	}
	for _, c := range calls.all {
		for _, p := range c.places {
			r.calls[p.whole.Start()] = c
		}
	}
	content := r.fields.Get("content")
	if !hasBlock(content, "reasoning", "thinking") {
		r.reasoning()
	}
	switch content.Kind() {
	case rawjson.Array:
		if f := r.blocks(content); f != nil {
			return f
		}
	default:
		if s := arguments(content); s != "" {
			r.part(transcript.Text, content, s)
		}
	}
	for _, c := range calls.all {
		r.call(c)
	}
	return nil
}

// hasBlock reports whether a content has a block of one of these types.
func hasBlock(content rawjson.Value, kinds ...string) bool {
	for b := range content.Elems() {
		for _, k := range kinds {
			if b.Get("type").Text() == k {
				return true
			}
		}
	}
	return false
}

// call adds the part of a call, once.
func (r *lcReader) call(c *lcCall) {
	first := c.places[0]
	if r.calls[first.whole.Start()] == nil {
		return
	}
	for _, p := range c.places {
		delete(r.calls, p.whole.Start())
	}
	part := r.part(transcript.Call, first.whole, arguments(first.input))
	part.ID, part.Name, part.Server = c.id, c.name, c.server
	placeBody(part, first.input, r.from)
}

// reasoning reads the thoughts that providers' packages keep beside the content.
func (r *lcReader) reasoning() {
	extra := r.fields.Get("additional_kwargs")
	if v := extra.Get("reasoning_content"); v.Text() != "" {
		r.part(transcript.Thinking, v, v.Text())
	}
	if v := extra.Get("reasoning"); v.Is(rawjson.Object) {
		r.thought(v)
	}
}

// thought reads a reasoning block of OpenAI (a summary) or of LangChain itself.
func (r *lcReader) thought(b rawjson.Value) {
	var texts []string
	for _, key := range []string{"reasoning", "text"} {
		if s := b.Get(key).Text(); s != "" {
			texts = append(texts, s)
		}
	}
	for _, key := range []string{"summary", "content"} {
		for e := range b.Get(key).Elems() {
			if s := e.Get("text").Text(); s != "" {
				texts = append(texts, s)
			}
		}
	}
	r.part(transcript.Thinking, b, strings.Join(texts, "\n")).Signed = lcSealed(b)
}

// lcSealed reports whether a block carries what its provider checks.
func lcSealed(b rawjson.Value) bool {
	return b.Get("signature").Text() != "" || b.Get("extras").Get("signature").Text() != "" || b.Get("encrypted_content").Text() != ""
}

func (r *lcReader) blocks(content rawjson.Value) *fault {
	i := 0
	for b := range content.Elems() {
		f := r.block(b)
		if f != nil {
			return f.within(".content[" + strconv.Itoa(i) + "]")
		}
		i++
	}
	return nil
}

func (r *lcReader) block(b rawjson.Value) *fault {
	if b.Is(rawjson.String) {
		r.part(transcript.Text, b, b.Text())
		return nil
	}
	if !b.Is(rawjson.Object) {
		return wanted(b, "", "an object or a string")
	}
	switch kind := b.Get("type").Text(); kind {
	case "text", "text-plain", "input_text", "output_text":
		return r.text(b)
	case "refusal":
		r.part(transcript.Text, b, b.Get("refusal").Text())
	case "compaction":
		r.part(transcript.Text, b, b.Get("content").Text()).Summary = true
	case "thinking":
		s, f := text(b, "thinking")
		if f != nil {
			return f
		}
		r.part(transcript.Thinking, b, s).Signed = lcSealed(b)
	case "redacted_thinking":
		r.part(transcript.Opaque, b, b.Get("data").Text()).Signed = true
	case "reasoning":
		r.thought(b)
	case "image_url", "image", "input_image", "input_audio", "audio", "file", "document", "input_file", "media", "video":
		r.media(kind, b)
	case "tool_result", "server_tool_result", "server_tool_call_result":
		r.blockResult(kind, b)
	default:
		switch c := r.calls[b.Start()]; {
		case c != nil:
			r.call(c)
		case serverBlock(kind):
			r.blockResult(kind, b)
		default:
			if p, _ := lcBlockCall(b); p.whole.Exists() && r.it.Generated() {
				return nil // a call that has its part
			}
			r.part(transcript.Other, b, "")
		}
	}
	return nil
}

// blockResult reads a result that is a block: of a tool that the provider ran, or
// in Anthropic's own form.
func (r *lcReader) blockResult(kind string, b rawjson.Value) {
	content := b.Get("content")
	if !content.Exists() {
		content = b.Get("output")
	}
	res := r.part(transcript.Result, b, arguments(content))
	res.ID = b.Get("tool_use_id").Text() + b.Get("tool_call_id").Text()
	res.Server = kind != "tool_result"
	res.Failed = b.Get("is_error").Bool() || b.Get("status").Text() == "error"
	placeBody(res, content, r.from)
}

// media reads a picture, sound or file, in LangChain's form of today ({type,
// url|base64|data, mime_type}) or in that of a provider.
func (r *lcReader) media(kind string, b rawjson.Value) {
	part := transcript.File
	switch {
	case strings.Contains(kind, "image"), strings.HasPrefix(b.Get("mime_type").Text(), "image/"):
		part = transcript.Image
	case strings.Contains(kind, "audio"), strings.HasPrefix(b.Get("mime_type").Text(), "audio/"):
		part = transcript.Audio
	}
	link, data := "", ""
	for _, v := range []rawjson.Value{b, b.Get("image_url"), b.Get("input_audio"), b.Get("file"), b.Get("source")} {
		link = cmp.Or(link, v.Text(), v.Get("url").Text(), v.Get("file_data").Text())
		data = cmp.Or(data, v.Get("data").Text(), v.Get("base64").Text())
	}
	m := linked(part, b, r.from, link)
	if m.Bytes == 0 && data != "" {
		if m.Bytes = inlineBytes(data); m.Bytes == 0 {
			m.Bytes = len(data)
		}
	}
	m.Detail = b.Get("image_url").Get("detail").Text()
	r.it.Parts = append(r.it.Parts, m)
}
