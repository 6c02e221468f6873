package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// readPi reads what an entry says: a message, or the content of a custom message
// or a summary alone.
func readPi(v rawjson.Value) (transcript.Item, *fault) {
	it := transcript.Item{Role: transcript.User}
	r := piReader{it: &it, from: v.Start()}
	switch v.Kind() {
	case rawjson.String:
		r.part(transcript.Text, v, v.Text())
		return it, nil
	case rawjson.Array:
		f := r.content(v)
		it.Empty = len(it.Parts) == 0
		return it, f
	default:
	}
	role, f := readRole(v)
	if f != nil {
		return it, f
	}
	if it.Role = role; role == "toolResult" {
		it.Role = transcript.Tool
	}
	switch role {
	case "toolResult":
		f = r.result(v)
	case "bashExecution":
		it.Role, it.Fragment = transcript.User, true
		it.Parts = append(it.Parts, transcript.Part{Kind: transcript.Text, Text: piBash(v)})
	case "branchSummary", "compactionSummary":
		it.Role, it.Fragment, it.Summary = transcript.User, true, role == "compactionSummary"
		if s := v.Get("summary"); s.Is(rawjson.String) {
			r.part(transcript.Text, s, s.Text())
		}
	case "custom", "hookMessage":
		it.Role, it.Fragment = transcript.User, true
		f = r.content(v.Get("content"))
	default:
		f = r.content(v.Get("content"))
	}
	if f != nil {
		return it, f
	}
	it.Empty = len(it.Parts) == 0
	it.Shown = without(v, func(key string, _ rawjson.Value) bool {
		switch key {
		case "role", "content", "toolCallId", "toolName", "isError", "command", "output", "exitCode", "summary":
			return false
		}
		return true
	})
	mark(&it)
	return it, nil
}

// piItem is an item as what its entry makes it: summaries and the messages of
// extensions are sent in the user's name.
func piItem(it transcript.Item, kind string) transcript.Item {
	switch kind {
	case "compaction":
		it.Type, it.Summary = kind, true
	case "branch_summary", "custom_message":
		it.Type, it.Fragment = kind, true
	}
	return it
}

// piReader reads the content of one message.
type piReader struct {
	it   *transcript.Item
	from int
}

func (r *piReader) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

// result reads a message that answers a call. What stands in its details is for
// the screen.
func (r *piReader) result(v rawjson.Value) *fault {
	id := v.Get("toolCallId")
	if id.Exists() && !id.Is(rawjson.String) {
		return wanted(id, ".toolCallId", "a string")
	}
	res := transcript.Part{Kind: transcript.Result, ID: id.Text(), Name: v.Get("toolName").Text(), Failed: v.Get("isError").Bool()}
	r.it.Parts = append(r.it.Parts, res)
	content := v.Get("content")
	if f := r.content(content); f != nil {
		return f
	}
	if content.Exists() {
		p := &r.it.Parts[0]
		p.Start, p.End = content.Start()-r.from, content.End()-r.from
		placeBody(p, content, r.from)
	}
	r.it.Parts = foldText(r.it.Parts, 0)
	return nil
}

func (r *piReader) content(content rawjson.Value) *fault {
	path := ".content"
	if content.Exists() && content.Start() == r.from {
		path = ""
	}
	switch content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if s := content.Text(); s != "" {
			r.part(transcript.Text, content, s)
		}
	case rawjson.Array:
		i := 0
		for b := range content.Elems() {
			if f := r.block(b); f != nil {
				return f.within(path + "[" + strconv.Itoa(i) + "]")
			}
			i++
		}
	default:
		return wanted(content, path, "a string or a list of blocks")
	}
	return nil
}

func (r *piReader) block(b rawjson.Value) *fault {
	if !b.Is(rawjson.Object) {
		return wanted(b, "", "an object")
	}
	switch b.Get("type").Text() {
	case "text":
		s, f := text(b, "text")
		if f != nil {
			return f
		}
		r.part(transcript.Text, b, s)
	case "thinking":
		s, f := text(b, "thinking")
		if f != nil {
			return f
		}
		r.part(transcript.Thinking, b, s).Signed = b.Get("thinkingSignature").Text() != ""
	case "toolCall":
		id, f := text(b, "id")
		if f != nil {
			return f
		}
		p := r.part(transcript.Call, b, arguments(b.Get("arguments")))
		p.ID, p.Name, p.Signed = id, b.Get("name").Text(), b.Get("thoughtSignature").Text() != ""
		placeBody(p, b.Get("arguments"), r.from)
	case "image":
		r.part(transcript.Image, b, "").Bytes = b.Get("data").TextLen()
	default:
		r.part(transcript.Other, b, "")
	}
	return nil
}

// piBash is a command that the person ran, as pi tells the model of it.
func piBash(v rawjson.Value) string {
	var b strings.Builder
	b.WriteString("Ran `" + v.Get("command").Text() + "`\n")
	if output := v.Get("output").Text(); output != "" {
		b.WriteString("```\n" + output + "\n```")
	} else {
		b.WriteString("(no output)")
	}
	switch code, ok := v.Get("exitCode").Int(); {
	case v.Get("cancelled").Bool():
		b.WriteString("\n\n(command cancelled)")
	case ok && code != 0:
		b.WriteString("\n\nCommand exited with code " + strconv.Itoa(code))
	}
	return b.String()
}
