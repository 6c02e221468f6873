package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

func readBedrock(v rawjson.Value) (transcript.Item, *fault) {
	role, f := readRole(v)
	if f != nil {
		return transcript.Item{}, f
	}
	it := transcript.Item{Role: role}
	r := converseReader{partReader{it: &it, from: v.Start()}}
	content := v.Get("content")
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.Array:
		i := 0
		for b := range content.Elems() {
			if f := r.block(b); f != nil {
				return transcript.Item{}, f.within(".content[" + strconv.Itoa(i) + "]")
			}
			i++
		}
	default:
		return transcript.Item{}, wanted(content, ".content", "a list of blocks")
	}
	r.done()
	return it, nil
}

// converseReader reads the blocks of one message.
type converseReader struct{ partReader }

func (r *converseReader) block(b rawjson.Value) *fault {
	if !b.Is(rawjson.Object) {
		return wanted(b, "", "an object")
	}
	if v := b.Get("text"); v.Exists() {
		s, f := text(b, "text")
		if f != nil {
			return f
		}
		r.prose(b, s)
		return nil
	}
	if v := b.Get("toolUse"); v.Is(rawjson.Object) {
		return r.call(b, v).within(".toolUse")
	}
	if v := b.Get("toolResult"); v.Is(rawjson.Object) {
		return r.result(b, v).within(".toolResult")
	}
	if v := b.Get("reasoningContent"); v.Is(rawjson.Object) {
		r.reasoning(b, v)
		return nil
	}
	if r.media(b) {
		r.spoke = true
		return nil
	}
	if v := b.Get("guardContent"); v.Is(rawjson.Object) {
		if said := v.Get("text"); said.Exists() {
			r.prose(b, said.Get("text").Text())
		} else {
			r.spoke = true
			r.add(transcript.Image, b).Bytes = inlined(v.Get("image"))
		}
		return nil
	}
	if v := b.Get("citationsContent"); v.Is(rawjson.Object) {
		r.prose(b, joined(v.Get("content")))
		return nil
	}
	if b.Get("cachePoint").Exists() {
		return nil // a mark for the provider's cache, which the model does not see
	}
	r.add(transcript.Other, b)
	r.spoke = true
	return nil
}

// prose is a text, by whomever.
func (r *converseReader) prose(b rawjson.Value, s string) {
	r.add(transcript.Text, b).Text = s
	if wrapped(s) {
		r.wrapped = true
	} else {
		r.spoke = true
	}
}

func (r *converseReader) call(b, v rawjson.Value) *fault {
	id, f := text(v, "toolUseId")
	if f != nil {
		return f
	}
	p := r.add(transcript.Call, b)
	p.ID, p.Name, p.Text = id, v.Get("name").Text(), arguments(v.Get("input"))
	p.Server = v.Get("type").Text() == "server_tool_use"
	placeBody(p, v.Get("input"), r.from)
	return nil
}

// result reads a result: its texts and JSON values, and the media in it as parts
// of their own behind it. What a server tool gave has a type.
func (r *converseReader) result(b, v rawjson.Value) *fault {
	id, f := text(v, "toolUseId")
	if f != nil {
		return f
	}
	at := len(r.it.Parts)
	p := r.add(transcript.Result, b)
	p.ID, p.Failed = id, v.Get("status").Text() == "error"
	p.Server = strings.HasSuffix(v.Get("type").Text(), "_tool_result")
	content := v.Get("content")
	placeBody(p, content, r.from)
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.Array:
	default:
		return wanted(content, ".content", "a list of blocks")
	}
	i := 0
	for e := range content.Elems() {
		path := ".content[" + strconv.Itoa(i) + "]"
		if !e.Is(rawjson.Object) {
			return wanted(e, path, "an object")
		}
		switch said := e.Get("text"); {
		case said.Exists():
			s, f := text(e, "text")
			if f != nil {
				return f.within(path)
			}
			r.add(transcript.Text, e).Text = s
		case e.Get("json").Exists():
			r.add(transcript.Text, e).Text = string(e.Get("json").Compact())
		case r.media(e):
			r.inside = true
		default:
			r.add(transcript.Other, e)
		}
		i++
	}
	r.it.Parts = foldText(r.it.Parts, at)
	return nil
}

// reasoning reads a thought, or one that only the provider can read.
func (r *converseReader) reasoning(b, v rawjson.Value) {
	if said := v.Get("reasoningText"); said.Exists() {
		p := r.add(transcript.Thinking, b)
		p.Text, p.Signed = said.Get("text").Text(), said.Get("signature").Text() != ""
		return
	}
	p := r.add(transcript.Opaque, b)
	p.Signed = true
	if data := v.Get("redactedContent"); data.Exists() {
		p.Text = arguments(data)
	}
}

// media reads a picture, a document, a video or sound; that of a document made of
// text is its text, and so is that of a search result. False where b is none.
func (r *converseReader) media(b rawjson.Value) bool {
	for _, kind := range []struct {
		name string
		kind transcript.PartKind
	}{{"image", transcript.Image}, {"document", transcript.File}, {"video", transcript.File}, {"audio", transcript.Audio}} {
		if v := b.Get(kind.name); v.Is(rawjson.Object) {
			p := r.add(kind.kind, b)
			p.Bytes = inlined(v)
			p.Text = v.Get("source").Get("text").Text() + joined(v.Get("source").Get("content"))
			return true
		}
	}
	if v := b.Get("searchResult"); v.Is(rawjson.Object) {
		r.add(transcript.File, b).Text = joined(v.Get("content"))
		return true
	}
	return false
}

// inlined is the length of a medium's own bytes: base64, or, as dumps of SDKs
// have them, a list or an object of numbers.
func inlined(v rawjson.Value) int {
	data := v.Get("source").Get("bytes")
	if s, ok := data.Str(); ok {
		return len(s)
	}
	return len(data.Raw())
}
