package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// ChatGPT exports: an object whose mapping is a tree of nodes. The conversation
// is the way from current_node up to the root; other branches are answers that
// were made anew. An item is the message of a node, so that it keeps its bytes
// while the node's links change.

func chatgptFormat() *format {
	return &format{
		Info: Info{
			Name: "chatgpt-export", Title: "ChatGPT export", Provider: "any",
			Shapes: []string{shapeTree}, Write: "edit",
		},
		family: transcript.Chat,
		rules:  harnessRefusals(),
		holds: func(o object) (string, string) {
			if o.Get("mapping").Is(rawjson.Object) && (o.Get("current_node").Exists() || o.Get("title").Exists()) {
				return "", "it has mapping"
			}
			return "", ""
		},
		sniff:  func(*sample) finding { return finding{} },
		decode: decodeChatGPT,
	}
}

func decodeChatGPT(s *sample, _ *format, _ Options) (*Document, error) {
	tree, f := readTree(s.root)
	if f != nil {
		return nil, s.src.invalid(s.path, s.root.base, f)
	}
	c := &chatgptCodec{tree: tree}
	t := &transcript.Transcript{Model: s.root.Get("default_model_slug").Text()}
	var newest rawjson.Value // time
	for i, n := range tree.path {
		m := tree.nodes[n].value.Get("message")
		if at := m.Get("create_time"); at.Is(rawjson.Number) {
			newest = at
		}
		path := s.path + ".mapping[" + strconv.Quote(tree.nodes[n].id) + "].message"
		if skipped(m) {
			continue
		}
		it, f := readChatGPT(m)
		if f != nil {
			return nil, s.src.invalid(path, s.root.base, f)
		}
		if len(it.Parts) == 0 {
			continue // the empty system message that a tree begins with
		}
		it.Raw, it.Path = m.Raw(), path
		t.Items = append(t.Items, it)
		c.first = append(c.first, i)
	}
	t.Writer = chatgptWriter(newest)
	return &Document{Transcript: t, codec: c}, nil
}

// skipped reports whether a node holds no message of the conversation: the root
// has none, and a weight of 0 keeps one out of what the model sees.
func skipped(m rawjson.Value) bool {
	if !m.Is(rawjson.Object) {
		return true
	}
	weight := string(m.Get("weight").Raw())
	return weight == "0" || weight == "0.0"
}

// readChatGPT reads the message of a node. A message of the model to anybody but
// "all" is a call of that tool; what the tool says is its result. Neither has an
// id: the tool's name and their order pair them.
func readChatGPT(v rawjson.Value) (transcript.Item, *fault) {
	author := v.Get("author")
	role, f := readRole(author)
	if f != nil {
		return transcript.Item{}, f.within(".author")
	}
	it := transcript.Item{Role: role, ID: v.Get("id").Text()}
	content := v.Get("content")
	if content.Exists() && !content.Is(rawjson.Object) {
		return transcript.Item{}, wanted(content, ".content", "an object")
	}
	r := chatgptReader{it: &it, from: v.Start()}
	to := v.Get("recipient").Text()
	switch {
	case role == transcript.Assistant && to != "" && to != "all":
		r.whole(transcript.Call, content, to)
	case role == transcript.Tool:
		r.whole(transcript.Result, content, author.Get("name").Text())
	default:
		r.content(content)
	}
	mark(&it)
	if role == transcript.User && v.Get("metadata").Get("is_visually_hidden_from_conversation").Bool() {
		it.Fragment = true
	}
	return it, nil
}

type chatgptReader struct {
	it   *transcript.Item
	from int
}

func (r *chatgptReader) part(kind transcript.PartKind, v rawjson.Value, text string) {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
}

// whole makes one part of a content: a call of the tool name, or its result.
func (r *chatgptReader) whole(kind transcript.PartKind, content rawjson.Value, name string) {
	if !content.Exists() {
		return
	}
	r.content(content)
	text := r.it.Text()
	r.it.Parts = nil
	r.part(kind, content, text)
	p := &r.it.Parts[0]
	p.ID, p.Name, p.Failed = name, name, content.Get("content_type").Text() == "system_error"
	placeBody(p, content, r.from)
}

// content reads the texts and pictures of a content of any type.
func (r *chatgptReader) content(content rawjson.Value) {
	for p := range content.Get("parts").Elems() {
		switch p.Kind() {
		case rawjson.String:
			if text := p.Text(); text != "" {
				r.part(transcript.Text, p, text)
			}
		case rawjson.Object:
			switch kind := p.Get("content_type").Text(); kind {
			case "image_asset_pointer":
				r.part(transcript.Image, p, "")
			case "audio_asset_pointer", "real_time_user_audio_video_asset_pointer":
				r.part(transcript.Audio, p, "")
			case "audio_transcription":
				r.part(transcript.Text, p, p.Get("text").Text())
			default:
				r.part(transcript.Other, p, "")
			}
		default:
		}
	}
	for t := range content.Get("thoughts").Elems() {
		r.part(transcript.Thinking, t, t.Get("summary").Text()+"\n"+t.Get("content").Text())
	}
	for _, key := range []string{"text", "result", "content", "user_profile", "user_instructions"} {
		if v := content.Get(key); v.Is(rawjson.String) && v.Text() != "" {
			r.part(transcript.Text, v, v.Text())
		}
	}
}
