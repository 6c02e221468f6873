package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// tool reads a tool part: v is the object that has its state, whole the part as
// it stands in the message. The call is the part as a whole; its result is the
// value that the tool gave, where it gave one.
func (r *uiReader) tool(v, whole rawjson.Value) *fault {
	id, f := text(v, "toolCallId")
	if f != nil {
		return f
	}
	name := v.Get("toolName").Text()
	if kind := v.Get("type").Text(); name == "" && len(kind) > len("tool-") && kind != "dynamic-tool" {
		name = kind[len("tool-"):]
	}
	input := rawjson.Value{}
	for _, key := range []string{"input", "args", "rawInput"} {
		if input = v.Get(key); input.Exists() && !input.Is(rawjson.Null) {
			break
		}
	}
	call := r.part(transcript.Call, whole, arguments(input))
	call.ID, call.Name, call.Server = id, name, v.Get("providerExecuted").Bool()
	call.Pending = v.Get("state").Text() == "approval-requested" // a person may take days
	placeBody(call, input, r.from)
	server := call.Server

	out, end := uiOutput(v)
	if !out.Exists() {
		return nil
	}
	res := r.part(transcript.Result, out, arguments(out))
	res.ID, res.Server, res.Failed = id, server, end != uiDone
	res.Pending = v.Get("preliminary").Bool() // the tool is still at work
	if end == uiDenied {
		res.Text = denial(out.Get("reason").Text())
		return nil // nothing of it can be cleared
	}
	placeBody(res, out, r.from)
	return nil
}

// uiEnd is how a call ended.
type uiEnd uint8

const (
	uiDone uiEnd = iota
	uiFailed
	uiDenied
)

// uiOutput is the value that says what became of a call, Invalid while it is
// open: it waits for its tool or for an approval, or (in AI SDK 4) its input is
// still streaming.
func uiOutput(v rawjson.Value) (rawjson.Value, uiEnd) {
	switch v.Get("state").Text() {
	case "input-available", "approval-requested", "partial-call", "call":
		return rawjson.Value{}, uiDone
	case "output-denied":
		return v.Get("approval"), uiDenied
	case "approval-responded":
		if a := v.Get("approval"); a.Get("approved").Is(rawjson.False) {
			return a, uiDenied
		}
		return rawjson.Value{}, uiDone
	case "output-error":
		return v.Get("errorText"), uiFailed
	}
	for _, key := range []string{"output", "result"} {
		if out := v.Get(key); out.Exists() {
			return out, uiDone
		}
	}
	return v.Get("errorText"), uiFailed
}

// denial is what the result of a call says that somebody refused.
func denial(reason string) string {
	if reason == "" {
		return "denied"
	}
	return "denied: " + reason
}
