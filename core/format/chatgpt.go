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
		count:  countChatGPT,
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
		it, said, f := readNode(m)
		if f != nil {
			return nil, s.src.invalid(path, s.root.base, f)
		}
		if !said {
			continue
		}
		it.Raw, it.Path = m.Raw(), path
		t.Items = append(t.Items, it)
		c.first = append(c.first, i)
	}
	joinAnswers(t.Items)
	t.Writer = chatgptWriter(newest)
	return &Document{Transcript: t, codec: c}, nil
}

// countChatGPT is how many items a conversation has; one that can not be read
// has none.
func countChatGPT(o object) int {
	tree, f := readTree(o)
	if f != nil {
		return 0
	}
	n := 0
	for _, at := range tree.path {
		if _, said, f := readNode(tree.nodes[at].value.Get("message")); said || f != nil {
			n++
		}
	}
	return n
}

// readNode reads the message of a node; said is false where that is none of the
// conversation, or says nothing, as the system message that a tree begins with.
func readNode(m rawjson.Value) (it transcript.Item, said bool, f *fault) {
	if skipped(m) {
		return it, false, nil
	}
	it, f = readChatGPT(m)
	return it, f == nil && len(it.Parts) > 0, f
}

// joinAnswers: a tool may answer one call with several messages (a search with a
// page of hits and quotes from them). All but the last leave the call waiting.
func joinAnswers(items []transcript.Item) {
	calls := map[string]int{} // those of the answer before, by tool
	for from := 0; from < len(items); {
		if items[from].Role != transcript.Tool {
			if items[from].Role != transcript.Assistant {
				clear(calls)
			}
			for _, p := range items[from].Parts {
				if p.Kind == transcript.Call {
					calls[p.ID]++
				}
			}
			from++
			continue
		}
		to := from
		results := map[string][]*transcript.Part{}
		for ; to < len(items) && items[to].Role == transcript.Tool; to++ {
			for j := range items[to].Parts {
				p := &items[to].Parts[j]
				results[p.ID] = append(results[p.ID], p)
			}
		}
		for id, n := range calls {
			// Each call but the last has one of its own.
			for j := n - 1; j < len(results[id])-1; j++ {
				results[id][j].Pending = true
			}
		}
		clear(calls)
		from = to
	}
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
