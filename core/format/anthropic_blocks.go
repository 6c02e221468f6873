package format

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// blockReader reads the content blocks of one message.
type blockReader struct {
	it   *transcript.Item
	from int

	spoke   bool // a text that is no wrapper, or media of its own
	wrapped bool // a text that is a wrapper
	inside  bool // media within a result

	list    int  // the place of the content in the item's bytes, where it is a list
	ignores bool // nobody reads what stands before a compaction block
	failed  bool // a compaction block that says nothing
}

func (r *blockReader) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

// text reads a member that must be a string where it is there.
func text(b rawjson.Value, key string) (string, *fault) {
	v := b.Get(key)
	if v.Exists() && !v.Is(rawjson.String) && !v.Is(rawjson.Null) {
		return "", wanted(v, "."+key, "a string")
	}
	return v.Text(), nil
}

func (r *blockReader) block(b rawjson.Value) *fault {
	if !b.Is(rawjson.Object) {
		return wanted(b, "", "an object")
	}
	switch kind := b.Get("type").Text(); kind {
	case "text":
		s, f := text(b, "text")
		if f != nil {
			return f
		}
		r.part(transcript.Text, b, s)
		if wrapped(s) {
			r.wrapped = true
		} else {
			r.spoke = true
		}
	case "image", "document", "container_upload":
		r.media(b)
		r.spoke = true
	case "thinking":
		s, f := text(b, "thinking")
		if f != nil {
			return f
		}
		r.part(transcript.Thinking, b, s).Signed = b.Get("signature").Text() != ""
	case "redacted_thinking":
		r.part(transcript.Opaque, b, b.Get("data").Text()).Signed = true
	case "tool_use", "server_tool_use", "mcp_tool_use":
		id, f := text(b, "id")
		if f != nil {
			return f
		}
		p := r.part(transcript.Call, b, b.Get("input").CompactText())
		p.ID, p.Name, p.Server = id, b.Get("name").Text(), kind != "tool_use"
		placeBody(p, b.Get("input"), r.from)
	case "compaction":
		r.compaction(b)
	default:
		if kind == "tool_result" || serverBlock(kind) {
			return r.result(b, kind)
		}
		r.part(transcript.Other, b, "")
		r.spoke = true
	}
	return nil
}

// compaction reads a compaction block. One without a text is a compaction that
// failed: the API takes it for nothing, and here it is no part.
func (r *blockReader) compaction(b rawjson.Value) {
	said := b.Get("content").Text()
	if said == "" {
		r.failed = true
		return
	}
	dead := r.ignores && len(r.it.Parts) > 0
	if dead { // a slice of its own: whoever held the old parts still has them
		r.it.Parts = r.it.Parts[len(r.it.Parts):]
		r.spoke, r.wrapped, r.inside = false, false, false
	}
	p := r.part(transcript.Text, b, said)
	p.Summary = true
	if dead {
		r.it.Begins = p.Start
	}
}

// finish sets what follows from the blocks of a message, whose bytes are raw.
func (r *blockReader) finish(raw []byte) {
	it := r.it
	if len(it.Parts) == 0 && r.failed { // no empty message either, but nothing that counts
		it.Parts = append(it.Parts, transcript.Part{Kind: transcript.Other})
	}
	it.Empty = len(it.Parts) == 0
	it.Summary = !it.Empty && !slices.ContainsFunc(it.Parts, func(p transcript.Part) bool { return !p.Summary })
	if it.Begins > 0 {
		it.Shown = slices.Concat(raw[:r.list+1], raw[it.Begins:])
	}
}

// media reads an image or a document; that of a text source is its text.
func (r *blockReader) media(b rawjson.Value) {
	kind, source := transcript.File, b.Get("source")
	if b.Get("type").Text() == "image" {
		kind = transcript.Image
	}
	p := r.part(kind, b, "")
	switch source.Get("type").Text() {
	case "base64":
		p.Bytes = source.Get("data").TextLen()
	case "text":
		p.Text = source.Get("data").Text()
	case "content":
		p.Text = joined(source.Get("content"))
	}
}

// result reads a result block: its text, and the media in it as parts of their
// own behind it. What a server tool gave is no list of texts, and stands as it is.
func (r *blockReader) result(b rawjson.Value, kind string) *fault {
	id, f := text(b, "tool_use_id")
	if f != nil {
		return f
	}
	at := len(r.it.Parts)
	p := r.part(transcript.Result, b, "")
	p.ID, p.Server, p.Failed = id, kind != "tool_result", b.Get("is_error").Bool()
	content := b.Get("content")
	placeBody(p, content, r.from)
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.String:
		p.Text = content.Text()
		return nil
	case rawjson.Array:
	case rawjson.Object:
		p.Text = content.CompactText()
		p.Failed = p.Failed || strings.HasSuffix(content.Get("type").Text(), "_error")
		return nil
	default:
		return wanted(content, ".content", "a string or a list of blocks")
	}
	known, i := false, 0
	for e := range content.Elems() {
		if !e.Is(rawjson.Object) {
			return wanted(e, ".content["+strconv.Itoa(i)+"]", "an object")
		}
		switch e.Get("type").Text() {
		case "text":
			s, f := text(e, "text")
			if f != nil {
				return f.within(".content[" + strconv.Itoa(i) + "]")
			}
			r.part(transcript.Text, e, s)
			known = true
		case "image", "document":
			r.media(e)
			known, r.inside = true, true
		default:
			r.part(transcript.Other, e, "")
		}
		i++
	}
	if !known {
		r.it.Parts = r.it.Parts[:at+1]
		r.it.Parts[at].Text = content.CompactText()
		return nil
	}
	r.it.Parts = foldText(r.it.Parts, at)
	return nil
}
