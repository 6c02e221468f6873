package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// modelReader reads the parts of a ModelMessage.
type modelReader struct {
	sdkReader
	asked map[string]bool // calls that an approval was asked for
}

func (r *modelReader) one(p rawjson.Value) *fault {
	if !p.Is(rawjson.Object) {
		return wanted(p, "", "an object")
	}
	switch p.Get("type").Text() {
	case "text":
		return r.text(p)
	case "reasoning":
		s, f := text(p, "text")
		if f != nil {
			return f
		}
		r.part(transcript.Thinking, p, s).Signed = sdkSealed(p)
	case "redacted-reasoning": // AI SDK 4
		r.part(transcript.Opaque, p, p.Get("data").Text()).Signed = true
	case "image", "file", "reasoning-file":
		r.file(p)
	case "custom":
		r.custom(p)
	case "tool-call":
		return r.call(p)
	case "tool-result":
		return r.result(p)
	case "tool-approval-request":
		return r.approval(p)
	case "tool-approval-response":
		return r.answer(p)
	default:
		r.part(transcript.Other, p, "")
	}
	return nil
}

func (r *modelReader) call(p rawjson.Value) *fault {
	id, f := text(p, "toolCallId")
	if f != nil {
		return f
	}
	input := p.Get("input")
	if !input.Exists() {
		input = p.Get("args") // AI SDK 4
	}
	c := r.part(transcript.Call, p, arguments(input))
	c.ID, c.Name, c.Server = id, p.Get("toolName").Text(), p.Get("providerExecuted").Bool()
	placeBody(c, input, r.from)
	return nil
}

// An approval is a call and a result of its own, under its own id: it has to be
// answered before the tool runs, and an answer without its request is refused.
func (r *modelReader) approval(p rawjson.Value) *fault {
	id, f := text(p, "approvalId")
	if f != nil {
		return f
	}
	c := r.part(transcript.Call, p, "{}")
	if call := p.Get("toolCallId"); call.Is(rawjson.String) {
		c.Text = `{"toolCallId":` + string(call.Raw()) + `}`
	}
	c.ID, c.Name = id, "tool-approval-request"
	if p.Get("isAutomatic").Bool() {
		return nil
	}
	c.Pending = true // a person may take days
	if r.asked == nil {
		r.asked = map[string]bool{}
	}
	r.asked[p.Get("toolCallId").Text()] = true
	return nil
}

// wait marks the calls that an approval was asked for.
func (r *modelReader) wait() {
	for i := 0; i < len(r.it.Parts) && len(r.asked) > 0; i++ {
		if p := &r.it.Parts[i]; p.Kind == transcript.Call && r.asked[p.ID] {
			p.Pending = true
		}
	}
}

func (r *modelReader) answer(p rawjson.Value) *fault {
	id, f := text(p, "approvalId")
	if f != nil {
		return f
	}
	res := r.part(transcript.Result, p, "approved")
	res.ID = id
	if p.Get("approved").Is(rawjson.False) {
		res.Text, res.Failed = denial(p.Get("reason").Text()), true
	}
	return nil
}

// result reads a tool's result. One that stands in an assistant message is of a
// tool that the provider ran itself. Media in it are parts behind it.
func (r *modelReader) result(p rawjson.Value) *fault {
	id, f := text(p, "toolCallId")
	if f != nil {
		return f
	}
	at := len(r.it.Parts)
	res := r.part(transcript.Result, p, "")
	res.ID, res.Name = id, p.Get("toolName").Text()
	res.Server = r.it.Role == transcript.Assistant
	out := p.Get("output")
	if !out.Exists() { // AI SDK 4: any value, and beside it what the model is sent instead
		out = p.Get("result")
		res.Text, res.Failed = arguments(out), p.Get("isError").Bool()
		placeBody(res, out, r.from)
		return nil
	}
	value := out.Get("value")
	switch kind := out.Get("type").Text(); kind {
	case "execution-denied":
		res.Text, res.Failed = denial(out.Get("reason").Text()), true
		return nil // nothing of it can be cleared
	case "error-text", "error-json":
		res.Failed = true
	case "content":
		placeBody(res, out, r.from)
		return r.mixed(at, value)
	case "text", "json":
	default: // a value that nobody wrapped
		value = out
	}
	res.Text = arguments(value)
	placeBody(res, out, r.from)
	return nil
}

// mixed reads the texts and media that a result consists of.
func (r *modelReader) mixed(at int, list rawjson.Value) *fault {
	i := 0
	for e := range list.Elems() {
		if !e.Is(rawjson.Object) {
			return wanted(e, ".output.value["+strconv.Itoa(i)+"]", "an object")
		}
		switch kind := e.Get("type").Text(); {
		case kind == "text":
			if f := r.text(e); f != nil {
				return f.within(".output.value[" + strconv.Itoa(i) + "]")
			}
		case kind == "media", strings.HasPrefix(kind, "file"), strings.HasPrefix(kind, "image"):
			r.file(e)
		default:
			r.part(transcript.Other, e, "")
		}
		i++
	}
	r.it.Parts = foldText(r.it.Parts, at)
	return nil
}
