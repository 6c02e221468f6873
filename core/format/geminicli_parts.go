package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// readCLI reads one message. Of the model's, newer versions hold all parts in the
// content as they were sent; in older ones the thoughts and the calls that stand
// beside it make them. The results stand beside it in both.
func readCLI(v rawjson.Value) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	kind, f := text(v, "type")
	if f != nil {
		return transcript.Item{}, f
	}
	it := transcript.Item{ID: v.Get("id").Text(), Role: transcript.Role(kind)}
	r := cliReader{partReader: partReader{it: &it, from: v.Start()}}
	content := v.Get("content")
	if kind == "gemini" {
		it.Role = transcript.Assistant
		if r.whole = holdsParts(content); !r.whole {
			r.thoughts(v.Get("thoughts"))
		}
	}
	if f := r.content(content); f != nil {
		return transcript.Item{}, f.within(".content")
	}
	if kind == "gemini" {
		if f := r.toolCalls(v.Get("toolCalls")); f != nil {
			return transcript.Item{}, f.within(".toolCalls")
		}
		it.Shown = shownCLI(v, r.whole)
	} else {
		it.Shown = shownContent(content)
	}
	r.done()
	return it, nil
}

// holdsParts reports whether a content has the model's calls or thoughts in it.
func holdsParts(content rawjson.Value) bool {
	for p := range content.Elems() {
		if p.Get("functionCall").Is(rawjson.Object) || p.Get("thought").Bool() {
			return true
		}
	}
	return false
}

// cliReader reads one message.
type cliReader struct {
	partReader
	whole bool             // the content has all parts
	calls map[string][]int // of those calls, by id, and by name where they have none
}

// content is a text, a part, or a list of both.
func (r *cliReader) content(v rawjson.Value) *fault {
	switch v.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.String:
		if s := v.Text(); s != "" {
			r.add(transcript.Text, v).Text = s
			r.spoke = true
		}
		return nil
	case rawjson.Object:
		return r.part(v)
	case rawjson.Array:
	default:
		return wanted(v, "", "a string, a part or a list of parts")
	}
	i := 0
	for p := range v.Elems() {
		if p.Is(rawjson.String) {
			r.add(transcript.Text, p).Text = p.Text()
			r.spoke = true
		} else if f := r.part(p); f != nil {
			return f.within("[" + strconv.Itoa(i) + "]")
		}
		i++
	}
	if !r.whole {
		return nil
	}
	r.calls = map[string][]int{}
	for j := range r.it.Parts {
		if p := &r.it.Parts[j]; p.Kind == transcript.Call {
			key := "id " + p.ID
			if p.ID == "" {
				key = "name " + p.Name
			}
			r.calls[key] = append(r.calls[key], j)
		}
	}
	return nil
}

// inContent is the call of the content that a call beside it repeats, -1 where
// there is none. One without an id gets it from there.
func (r *cliReader) inContent(id, name string) int {
	for _, key := range []string{"id " + id, "name " + name} {
		if calls := r.calls[key]; len(calls) > 0 {
			r.calls[key] = calls[1:]
			r.it.Parts[calls[0]].ID = id
			return calls[0]
		}
	}
	return -1
}

// thoughts are what the CLI shows of the model's thinking, and sends when it
// resumes.
func (r *cliReader) thoughts(list rawjson.Value) {
	for t := range list.Elems() {
		said := t.Get("description").Text()
		if subject := t.Get("subject").Text(); subject != "" {
			said = "**" + subject + "** " + said
		}
		r.add(transcript.Thinking, t).Text = said
	}
}

// toolCalls are the calls, each with its result behind it.
func (r *cliReader) toolCalls(list rawjson.Value) *fault {
	switch list.Kind() {
	case rawjson.Invalid, rawjson.Null, rawjson.Array:
	default:
		return wanted(list, "", "a list")
	}
	i := 0
	for c := range list.Elems() {
		if f := r.toolCall(c); f != nil {
			return f.within("[" + strconv.Itoa(i) + "]")
		}
		i++
	}
	return nil
}

func (r *cliReader) toolCall(c rawjson.Value) *fault {
	if !c.Is(rawjson.Object) {
		return wanted(c, "", "an object")
	}
	id, f := text(c, "id")
	if f != nil {
		return f
	}
	if r.inContent(id, c.Get("name").Text()) < 0 {
		p := r.add(transcript.Call, c)
		p.ID, p.Name, p.Text = id, c.Get("name").Text(), arguments(c.Get("args"))
		p.Pending = awaits(c.Get("status").Text())
		placeBody(p, c.Get("args"), r.from)
	}
	result := c.Get("result")
	if !result.Exists() || result.Is(rawjson.Null) {
		return nil
	}
	r.result(id, c, result)
	return nil
}

// awaits reports whether a status is that of a call that was not carried out yet:
// it waits for the person, or for its turn.
func awaits(status string) bool {
	switch status {
	case "validating", "scheduled", "awaiting_approval", "executing":
		return true
	}
	return false
}

// result reads what a tool gave: a text, a part, or a list of parts, of which one
// is the response and others are media.
func (r *cliReader) result(id string, call, v rawjson.Value) {
	at := len(r.it.Parts)
	p := r.add(transcript.Result, v)
	p.ID, p.Name, p.Text = id, call.Get("name").Text(), v.Text()
	placeBody(p, v, r.from)
	parts := []rawjson.Value{v}
	if v.Is(rawjson.Array) {
		parts = parts[:0]
		for e := range v.Elems() {
			parts = append(parts, e)
		}
	}
	failed := false
	for _, e := range parts {
		switch response := e.Get("functionResponse"); {
		case response.Is(rawjson.Object):
			said, bad := responseText(response.Get("response"))
			failed = failed || bad
			r.add(transcript.Text, e).Text = said
			if len(parts) == 1 {
				placeBody(&r.it.Parts[at], response.Get("response"), r.from)
			}
			for inner := range response.Get("parts").Elems() {
				r.data(inner)
			}
		case e.Get("text").Is(rawjson.String):
			r.add(transcript.Text, e).Text = e.Get("text").Text()
		case e.Is(rawjson.String) && v.Is(rawjson.Array):
			r.add(transcript.Text, e).Text = e.Text()
		default:
			r.data(e)
		}
	}
	if !v.Is(rawjson.String) {
		r.it.Parts = foldText(r.it.Parts, at)
	}
	status := call.Get("status").Text()
	r.it.Parts[at].Failed = failed || status == "error" || status == "cancelled"
}

// data adds the media of a part within a result.
func (r *cliReader) data(p rawjson.Value) {
	for _, key := range []string{"inlineData", "fileData"} {
		if data := p.Get(key); data.Is(rawjson.Object) {
			r.media(p, data)
			r.inside = true
		}
	}
}

// shownCLI is what of a model's message the model is sent: no counts, and of calls
// neither what the person saw nor what the tool is.
func shownCLI(v rawjson.Value, whole bool) []byte {
	b := newBody()
	if !whole {
		b.raw("thoughts", v.Get("thoughts").Raw())
	}
	b.raw("content", v.Get("content").Raw())
	if calls := v.Get("toolCalls"); calls.Len() > 0 {
		b.array("toolCalls")
		for c := range calls.Elems() {
			one := newBody()
			for _, key := range []string{"id", "name", "args", "result"} {
				if m := c.Get(key); !whole || key != "args" {
					one.raw(key, m.Raw())
				}
			}
			b.element(one.end())
		}
		b.endArray()
	}
	return b.end()
}

func shownContent(content rawjson.Value) []byte {
	b := newBody()
	b.raw("content", content.Raw())
	return b.end()
}
