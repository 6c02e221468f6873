package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// items reads the rows of a history, and says of which rows each item is made.
// Lines of one answer are one item, where only results stand between them. What
// can not be read is counted and left out, as in the CLI. Cost: linear; the
// content of answers is copied once.
func (h *session) items(l *list, chain []int) ([]transcript.Item, [][]int) {
	var groups [][]int
	open := -1 // the group of the newest answer, while further lines of it may come
	for _, i := range chain {
		r := &h.rows[i]
		switch {
		case !r.said || r.side && !h.side:
			continue
		case r.kind == "assistant" && open >= 0 && r.answer != "" && r.answer == h.rows[groups[open][0]].answer:
			groups[open] = append(groups[open], i)
			continue
		case r.kind == "assistant":
			open = len(groups)
		case !r.results:
			open = -1
		}
		groups = append(groups, []int{i})
	}
	items, origin := make([]transcript.Item, 0, len(groups)), make([][]int, 0, len(groups))
	for _, g := range groups {
		r := &h.rows[g[0]]
		var it transcript.Item
		var f *fault
		switch r.kind {
		case "assistant":
			it, g = h.answer(g)
		case "attachment":
			it, f = readPrompt(r.v)
		default:
			it, f = readUser(r.v)
		}
		if f != nil {
			h.malformed++
		}
		if f != nil || len(g) == 0 {
			continue
		}
		if it.ID = r.answer; it.ID == "" {
			it.ID = r.uuid
		}
		it.Path = l.place(r.elem)
		items, origin = append(items, it), append(origin, g)
	}
	return items, origin
}

// model is the newest one that answered. Names in angle brackets are the
// harness's, for messages that it made up.
func (h *session) model(chain []int) string {
	for n := len(chain) - 1; n >= 0; n-- {
		m := h.rows[chain[n]].v.Get("message").Get("model").Text()
		if m != "" && !strings.HasPrefix(m, "<") {
			return m
		}
	}
	return ""
}

// answer puts the lines of one answer together: a message with all of their
// blocks, as the API gave it and takes it. What the line holds beside role and
// content (id, model, usage) is the line's own. The rows that can be read are
// given back.
func (h *session) answer(rows []int) (transcript.Item, []int) {
	size := len(answerHead) + len("]}")
	for _, i := range rows {
		size += len(h.rows[i].v.Get("message").Get("content").Raw()) + 1
	}
	a := answerReader{item: transcript.Item{Role: transcript.Assistant}, buf: append(make([]byte, 0, size), answerHead...)}
	good := rows[:0:0]
	for _, i := range rows {
		parts, begins, filled := a.item.Parts, a.item.Begins, len(a.buf)
		if a.line(h.rows[i].v.Get("message").Get("content")) {
			good = append(good, i)
			continue
		}
		a.item.Parts, a.item.Begins, a.buf = parts, begins, a.buf[:filled]
		h.malformed++
	}
	a.buf = append(a.buf, "]}"...)
	end := blockReader{it: &a.item, list: len(answerHead) - 1, failed: a.failed}
	end.finish(a.buf)
	it := a.item
	it.Raw = a.buf
	if len(good) > 0 {
		it.Summary = it.Summary || h.rows[good[0]].v.Get("isCompactSummary").Bool()
	}
	return it, good
}

// answerReader reads the contents of an answer's lines into one.
type answerReader struct {
	item   transcript.Item
	buf    []byte // the message so far
	failed bool   // it holds a compaction block that says nothing
}

// line adds the content of a line, false where that can not be read.
func (a *answerReader) line(content rawjson.Value) bool {
	if len(a.buf) > len(answerHead) && (content.Len() > 0 || content.Text() != "") {
		a.buf = append(a.buf, ',')
	}
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if text := content.Text(); text != "" {
			at := len(a.buf)
			a.buf = append(a.buf, textBlock(content.Raw())...)
			a.item.Parts = append(a.item.Parts, transcript.Part{Kind: transcript.Text, Text: text, Start: at, End: len(a.buf)})
		}
	case rawjson.Array:
		r := blockReader{it: &a.item, from: content.Start() + 1 - len(a.buf), ignores: true}
		for b := range content.Elems() {
			if r.block(b) != nil {
				return false
			}
		}
		a.failed = a.failed || r.failed
		if content.Len() > 0 {
			a.buf = append(a.buf, content.Raw()[1:content.End()-content.Start()-1]...)
		}
	default:
		return false
	}
	return true
}

const answerHead = `{"role":"assistant","content":[`

// readUser reads a line of type user: what a person wrote, results of tools, or
// what the harness says in the user's name.
func readUser(v value) (transcript.Item, *fault) {
	message := v.Get("message")
	it, f := readMessage(message)
	if f != nil {
		return it, f
	}
	it.Summary = it.Summary || v.Get("isCompactSummary").Bool()
	if it.Summary {
		it.Fragment, it.Context = false, ""
	} else if v.Get("isMeta").Bool() || notHuman(v.Get("origin")) {
		it.Fragment = true
	}
	return it, nil
}

// notHuman reports whether an origin names somebody who is no person.
func notHuman(origin rawjson.Value) bool {
	kind := origin.Get("kind").Text()
	return kind != "" && kind != "human"
}

// readMessage reads a message with its own bytes, where it is nothing but role
// and content, as that of a user is.
func readMessage(v rawjson.Value) (transcript.Item, *fault) {
	if v.Len() == 2 && v.Get("role").Exists() && v.Get("content").Exists() {
		it, f := readAnthropic(v)
		it.Raw = v.Raw()
		return it, f
	}
	return readUserMessage(v.Get("role"), v.Get("content"))
}

// readUserMessage reads a message that is made of a role, the user's where there
// is none, and a content.
func readUserMessage(role, content rawjson.Value) (transcript.Item, *fault) {
	said, by := content.Raw(), role.Raw()
	if said == nil {
		said = []byte("null")
	}
	if by == nil {
		by = []byte(`"user"`)
	}
	b := newBody()
	b.raw("role", by)
	b.raw("content", said)
	raw := b.end()
	v, err := rawjson.Parse(raw)
	if err != nil {
		return transcript.Item{}, &fault{content, ".content", "is nested too deeply"}
	}
	it, f := readAnthropic(v)
	it.Raw = raw
	return it, f
}

// readPrompt reads what was typed while the agent worked. What did not come from
// a person (a task that is done) says so.
func readPrompt(v value) (transcript.Item, *fault) {
	it, f := readUserMessage(rawjson.Value{}, prompt(v))
	a := v.Get("attachment")
	mode := a.Get("commandMode").Text()
	if mode != "" && mode != "prompt" || notHuman(a.Get("origin")) {
		it.Fragment = true
	}
	return it, f
}
