package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// ShareGPT and the rows of training sets made after it (LLaMA-Factory):
// {conversations: [{from, value}]}, or {messages: [{role, content}]} with tools as
// a JSON text and pictures in a list beside the messages. Calls are JSON texts
// without ids: what answers them is the next observation.

func sharegptFormat() *format {
	rules := harnessRefusals()
	return &format{
		Info: Info{
			Name: "sharegpt", Title: "ShareGPT and LLaMA-Factory rows", Provider: rules.Provider,
			Shapes: []string{shapeRequest, shapeArray, shapeLines}, Write: "edit",
		},
		family:  transcript.Chat,
		rules:   rules,
		members: []string{"messages"},
		holds:   sharegptHolds,
		item:    sharegptTurn,
		sniff:   sniffSharegpt,
		decode:  decodeSharegpt,
	}
}

func sharegptHolds(o object) (member, sign string) {
	turns := o.get("conversations")
	for e := range turns.Elems() {
		if !e.Is(rawjson.Object) {
			continue
		}
		if sharegptTurn(value{e, turns.base}) {
			return "conversations", "its conversations have from and value"
		}
		break
	}
	return "", ""
}

// sharegptTurn reports whether e is a turn in the terms of ShareGPT itself.
func sharegptTurn(e value) bool {
	return e.Get("from").Is(rawjson.String) && e.Get("value").Exists() && !e.Get("role").Exists()
}

func sniffSharegpt(s *sample) finding {
	var f finding
	roles := false
	for i, e := range s.list.elems {
		switch role := str(e, "role"); {
		case sharegptTurn(e):
			f.element(s, i, "from and value")
		case role == "function_call" || role == "observation":
			f.element(s, i, "role "+role)
		case role != "" && sharegptPart(e):
			f.element(s, i, "a part of type and value")
		default:
			roles = roles || role != ""
		}
	}
	if !roles || !s.root.Exists() {
		return f
	}
	// Rows of plain messages show what they are by what stands beside them.
	if s.root.Get("tools").Is(rawjson.String) {
		f.sibling("tools is a text")
	}
	for _, m := range sharegptMedia() {
		if list := s.root.Get(m.key); list.Is(rawjson.Array) && allStrings(list) {
			f.sibling("it has " + m.key + " beside its messages")
		}
	}
	if s.member == "conversations" {
		f.sign(hinted, func() string { return "its messages are in conversations" })
	}
	return f
}

// sharegptPart reports whether the content of a message is a list of {type,
// value}, as the first version of LLaMA-Factory's new schema has it.
func sharegptPart(e value) bool {
	for p := range e.Get("content").Elems() {
		if p.Get("type").Is(rawjson.String) && p.Get("value").Is(rawjson.String) && !p.Get("text").Exists() {
			return true
		}
	}
	return false
}

func allStrings(list rawjson.Value) bool {
	for e := range list.Elems() {
		if !e.Is(rawjson.String) {
			return false
		}
	}
	return list.Len() > 0
}

func decodeSharegpt(s *sample, _ *format, _ Options) (*Document, error) {
	c := &sharegptCodec{}
	w := sharegptWriter{labels: map[transcript.Role]string{}}
	for _, m := range sharegptMedia() {
		if list := s.root.get(m.key); list.Is(rawjson.Array) && list.Len() > 0 {
			m.list = list
			c.media = append(c.media, m)
			w.media = append(w.media, m)
		}
	}
	for _, e := range s.list.elems {
		w.learn(e.Value)
	}
	items, err := s.decodeList(w.readItem)
	if err != nil {
		return nil, err
	}
	sharegptAnswers(items)
	c.list = s.list
	t := &transcript.Transcript{Items: items, Writer: w.ready(), System: s.root.Get("system").Text()}
	tools := s.root.Get("tools")
	switch tools.Kind() {
	case rawjson.Array:
		t.Tools = tools.Raw()
	case rawjson.String:
		if v, err := rawjson.Parse([]byte(tools.Text())); err == nil && v.Is(rawjson.Array) && v.Len() > 0 {
			t.Tools = v.Raw()
		}
	default:
	}
	return &Document{Transcript: t, codec: c}, nil
}

// sharegptAnswers gives each observation the calls that it answers. Without ids
// that is a matter of order: as many observations as stand behind a run of calls
// take one each, and the last of them all that are left, for tools that ran at
// the same time often give one list. Where nothing was called it is no result
// but a text.
func sharegptAnswers(items []transcript.Item) {
	waiting := 0
	for i := 0; i < len(items); i++ {
		it := &items[i]
		if !it.Has(transcript.Result) {
			if !it.Has(transcript.Call) {
				waiting = 0
			}
			for _, p := range it.Parts {
				if p.Kind == transcript.Call {
					waiting++
				}
			}
			continue
		}
		end := i + 1
		for end < len(items) && items[end].Has(transcript.Result) {
			end++
		}
		for ; waiting > end-i; waiting-- {
			last := &items[end-1]
			last.Parts = append(last.Parts, transcript.Part{Kind: transcript.Result})
		}
		waiting, i = 0, end-1
	}
}
