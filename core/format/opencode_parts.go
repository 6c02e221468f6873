package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What OpenCode says to the model in the place of something else (its
// message-v2.ts): what is read here must count as what is sent.
const (
	opencodeCleared     = "[Old tool result content cleared]"
	opencodeInterrupted = "[Tool execution was interrupted]"
	opencodeSubtask     = "The following tool was executed by the user"
	opencodeQuestion    = "What did we do so far?"
)

// readOpencode reads one message with its parts.
func readOpencode(v rawjson.Value) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	info := v.Get("info")
	if !info.Exists() {
		return transcript.Item{}, &fault{v, ".info", "is missing"}
	}
	role, f := readRole(info)
	if f != nil {
		return transcript.Item{}, f.within(".info")
	}
	parts := v.Get("parts")
	if !parts.Is(rawjson.Array) {
		if !parts.Exists() {
			return transcript.Item{}, &fault{v, ".parts", "is missing"}
		}
		return transcript.Item{}, wanted(parts, ".parts", "a list")
	}
	it := transcript.Item{Role: role, ID: info.Get("id").Text()}
	r := opencodeReader{it: &it, from: v.Start(), open: opencodeRunning(info), shown: newBody()}
	r.shown.str("role", string(role))
	r.shown.array("parts")
	i := 0
	for p := range parts.Elems() {
		if f := r.part(p); f != nil {
			return transcript.Item{}, f.within(".parts[" + strconv.Itoa(i) + "]")
		}
		i++
	}
	r.shown.endArray()
	it.Shown = r.shown.end()
	it.Empty = len(it.Parts) == 0
	it.Summary = opencodeSummary(v)
	mark(&it)
	it.Fragment = it.Fragment || role == transcript.User && r.synthetic && !r.own
	return it, nil
}

// opencodeRunning reports whether an answer is still under way: an abort leaves
// an error or the time it ended.
func opencodeRunning(info rawjson.Value) bool {
	return !info.Get("error").Is(rawjson.Object) && !info.Get("time").Get("completed").Exists()
}

// opencodeReader reads the parts of one message.
type opencodeReader struct {
	it    *transcript.Item
	from  int
	open  bool  // its calls may still be answered
	shown *body // what the model is sent of the message
	// A user message of nothing but synthetic texts is OpenCode's own; own says
	// that a person put something into it.
	synthetic, own bool
}

func (r *opencodeReader) add(p transcript.Part, v rawjson.Value) *transcript.Part {
	p.Start, p.End = v.Start()-r.from, v.End()-r.from
	r.it.Parts = append(r.it.Parts, p)
	return &r.it.Parts[len(r.it.Parts)-1]
}

func (r *opencodeReader) part(v rawjson.Value) *fault {
	if !v.Is(rawjson.Object) {
		return wanted(v, "", "an object")
	}
	kind := v.Get("type")
	if kind.Exists() && !kind.Is(rawjson.String) {
		return wanted(kind, ".type", "a string")
	}
	switch kind.Text() {
	case "text":
		return r.text(v)
	case "reasoning":
		text := v.Get("text")
		if text.Exists() && !text.Is(rawjson.String) {
			return wanted(text, ".text", "a string")
		}
		r.add(transcript.Part{Kind: transcript.Thinking, Text: text.Text(), Signed: opencodeSigned(v.Get("metadata"))}, v)
		r.sent("reasoning", "text", v)
	case "tool":
		return r.tool(v)
	case "file":
		r.file(v)
	case "subtask":
		r.says(v, opencodeSubtask)
	case "compaction": // of a message that says more than that
		r.says(v, opencodeQuestion)
	case "step-start", "step-finish", "snapshot", "patch", "agent", "retry":
		// Never sent.
	default:
		r.add(transcript.Part{Kind: transcript.Other}, v)
		r.shown.element(v.Raw())
	}
	return nil
}

// sent writes what is sent of a part: one of its members.
func (r *opencodeReader) sent(kind, member string, v rawjson.Value) {
	b := newBody()
	b.str("type", kind)
	b.raw(member, v.Get(member).Raw())
	r.shown.element(b.end())
}

// says is a fixed text that stands for a part of a user message.
func (r *opencodeReader) says(v rawjson.Value, text string) {
	if r.it.Role != transcript.User {
		return
	}
	r.synthetic = true
	r.add(transcript.Part{Kind: transcript.Text, Text: text}, v)
	b := newBody()
	b.str("type", "text")
	b.str("text", text)
	r.shown.element(b.end())
}

func (r *opencodeReader) text(v rawjson.Value) *fault {
	text := v.Get("text")
	if text.Exists() && !text.Is(rawjson.String) {
		return wanted(text, ".text", "a string")
	}
	if text.Text() == "" || v.Get("ignored").Bool() && r.it.Role == transcript.User {
		return nil // never sent; what is ignored is shown to people
	}
	if v.Get("synthetic").Bool() {
		r.synthetic = true
	} else {
		r.own = true
	}
	r.add(transcript.Part{Kind: transcript.Text, Text: text.Text()}, v)
	r.sent("text", "text", v)
	return nil
}

// file reads an attachment of a user. Texts and folders were read when they were
// attached, and stand in synthetic texts.
func (r *opencodeReader) file(v rawjson.Value) {
	mime := v.Get("mime").Text()
	if mime == "text/plain" || mime == "application/x-directory" || r.it.Role != transcript.User {
		return
	}
	r.own = true
	r.add(linked(mediaKind(mime), v, r.from, v.Get("url").Text()), v)
	r.attachment(v)
}

func (r *opencodeReader) attachment(v rawjson.Value) {
	b := newBody()
	b.str("type", "file")
	for _, key := range []string{"mime", "filename", "url"} {
		b.raw(key, v.Get(key).Raw())
	}
	r.shown.element(b.end())
}

// mediaKind is the kind of part that a media type makes.
func mediaKind(mime string) transcript.PartKind {
	switch {
	case len(mime) > 6 && mime[:6] == "image/":
		return transcript.Image
	case len(mime) > 6 && mime[:6] == "audio/":
		return transcript.Audio
	}
	return transcript.File
}

// tool reads a call and its result, which stand in one part. What was pending or
// running when the session ended is open as long as its answer is under way;
// later OpenCode tells the model that it was interrupted.
func (r *opencodeReader) tool(v rawjson.Value) *fault {
	id := v.Get("callID")
	if id.Exists() && !id.Is(rawjson.String) {
		return wanted(id, ".callID", "a string")
	}
	state := v.Get("state")
	if !state.Is(rawjson.Object) {
		if !state.Exists() {
			return &fault{v, ".state", "is missing"}
		}
		return wanted(state, ".state", "an object")
	}
	name, input := v.Get("tool").Text(), state.Get("input")
	call := r.add(transcript.Part{Kind: transcript.Call, ID: id.Text(), Name: name, Text: arguments(input)}, v)
	if input.Is(rawjson.Object) {
		placeBody(call, input, r.from)
	}
	b := newBody()
	b.str("type", "tool")
	b.str("callID", id.Text())
	b.str("tool", name)
	b.raw("input", input.Raw())
	res := transcript.Part{Kind: transcript.Result, ID: id.Text(), Name: name}
	switch status := state.Get("status").Text(); status {
	case "completed", "error":
		output, f := opencodeOutput(state, status)
		if f != nil {
			return f.within(".state")
		}
		res.Failed, res.Text = status == "error", output.Text()
		if state.Get("time").Get("compacted").Kind() == rawjson.Number {
			res.Text = opencodeCleared
			b.str("output", res.Text)
			r.result(res, output)
			break
		}
		b.raw("output", output.Raw())
		r.result(res, output)
		for a := range state.Get("attachments").Elems() {
			r.add(linked(mediaKind(a.Get("mime").Text()), a, r.from, a.Get("url").Text()), a)
			r.attachment(a)
		}
	default:
		if r.open {
			break
		}
		res.Failed, res.Text = true, opencodeInterrupted
		b.str("output", res.Text)
		r.it.Parts = append(r.it.Parts, res)
	}
	r.shown.element(b.end())
	return nil
}

// result adds the result whose text is the value output, if that is there.
func (r *opencodeReader) result(res transcript.Part, output rawjson.Value) {
	if !output.Exists() {
		r.it.Parts = append(r.it.Parts, res)
		return
	}
	placeBody(r.add(res, output), output, r.from)
}

// opencodeOutput is the value with what a tool said: of one that a person
// interrupted, what it had said by then.
func opencodeOutput(state rawjson.Value, status string) (rawjson.Value, *fault) {
	key := "output"
	if status == "error" {
		metadata := state.Get("metadata")
		if said := metadata.Get("output"); metadata.Get("interrupted").Bool() && said.Is(rawjson.String) {
			return said, nil
		}
		key = "error"
	}
	output := state.Get(key)
	if output.Exists() && !output.Is(rawjson.String) {
		return output, wanted(output, "."+key, "a string")
	}
	return output, nil
}

// opencodeSigned reports whether a provider checks a thought: its metadata, by
// provider, hold a signature or the thought encrypted.
func opencodeSigned(metadata rawjson.Value) bool {
	for _, provider := range metadata.Members() {
		for _, key := range []string{"signature", "reasoningEncryptedContent", "redactedData", "thoughtSignature"} {
			if provider.Get(key).Text() != "" {
				return true
			}
		}
	}
	return false
}
