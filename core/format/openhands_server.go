package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Events of the server (V0). The model's own words stand in the answer that
// tool_call_metadata keeps; args are what the server made of them.

// openhandsSilent are the actions and observations that no model sees: changes of
// state, and what is looked up for a message and put beside it by a template.
func openhandsSilent(name string) bool {
	switch name {
	case "change_agent_state", "agent_state_changed", "null", "recall", "condensation_request", "server_ready", "start_server":
		return true
	}
	return false
}

// openhandsEvent reads the parts of one event.
type openhandsEvent struct {
	it   *transcript.Item
	v    rawjson.Value
	from int
}

func newOpenhandsEvent(v rawjson.Value, role transcript.Role) *openhandsEvent {
	return &openhandsEvent{&transcript.Item{Role: role, ID: openhandsNumber(v.Get("id"))}, v, v.Start()}
}

// openhandsNumber is an id: a number of the server, a text of the SDK.
func openhandsNumber(v rawjson.Value) string {
	if v.Is(rawjson.Number) {
		return string(v.Raw())
	}
	return v.Text()
}

func (r *openhandsEvent) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

// said adds a text that is there.
func (r *openhandsEvent) said(kind transcript.PartKind, v rawjson.Value) bool {
	text := v.Text()
	if strings.TrimSpace(text) == "" {
		return false
	}
	r.part(kind, v, text)
	return true
}

func (r *openhandsEvent) end(drop func(string) bool) *transcript.Item {
	r.it.Empty = len(r.it.Parts) == 0
	r.it.Shown = without(r.v, func(key string, _ rawjson.Value) bool { return drop(key) })
	mark(r.it)
	return r.it
}

// openhandsServerOwn are the members that the server keeps for itself.
func openhandsServerOwn(key string) bool {
	switch key {
	case "id", "timestamp", "source", "message", "cause", "llm_metrics", "tool_call_metadata", "extras", "timeout", "success":
		return true
	}
	return false
}

// openhandsArgs are the arguments of an action; the oldest files have them
// beside it.
func openhandsArgs(v rawjson.Value) rawjson.Value {
	if args := v.Get("args"); args.Is(rawjson.Object) {
		return args
	}
	return v
}

func readOpenhandsAction(v rawjson.Value) (*transcript.Item, *fault) {
	action, args := v.Get("action").Text(), openhandsArgs(v)
	if openhandsSilent(action) {
		return nil, nil
	}
	byUser := v.Get("source").Text() == "user"
	role := transcript.Assistant
	if byUser {
		role = transcript.User
	}
	r := newOpenhandsEvent(v, role)
	switch {
	case action == "system":
		r.it.Role = transcript.System
		r.said(transcript.Text, args.Get("content"))
	case action == "message":
		if content := args.Get("content"); content.Exists() && !content.Is(rawjson.String) && !content.Is(rawjson.Null) {
			return nil, wanted(content, ".args.content", "a string")
		}
		r.said(transcript.Text, args.Get("content"))
		for url := range args.Get("image_urls").Elems() {
			r.it.Parts = append(r.it.Parts, linked(transcript.Image, url, r.from, url.Text()))
		}
	case action == "finish" || action == "reject":
		// Nothing answers them: the model is shown a message in their place.
		thought := r.said(transcript.Text, args.Get("thought"))
		if !r.said(transcript.Text, args.Get("final_thought")) && !thought && !byUser {
			r.said(transcript.Text, v.Get("message"))
		}
	case byUser:
		if !r.said(transcript.Text, args.Get("command")) {
			r.part(transcript.Other, args, string(args.Compact()))
		}
		r.it.Fragment = true // done in the interface, not said
	default:
		r.call(action, args)
	}
	it := r.end(openhandsServerOwn)
	it.Fragment = it.Fragment || byUser && action != "message"
	return it, nil
}

// call reads what the model did. Of several calls in one answer the first carries
// what was said beside them.
func (r *openhandsEvent) call(action string, args rawjson.Value) {
	metadata := r.v.Get("tool_call_metadata")
	id := metadata.Get("tool_call_id").Text()
	answer := rawjson.Value{}
	for choice := range metadata.Get("model_response").Get("choices").Elems() {
		answer = choice.Get("message")
		break
	}
	var own rawjson.Value
	at := 0
	for c := range answer.Get("tool_calls").Elems() {
		if id != "" && c.Get("id").Text() == id {
			own = c
			break
		}
		at++
	}
	switch {
	case own.Exists() && at == 0:
		r.answer(answer)
	case !own.Exists():
		r.said(transcript.Text, args.Get("thought"))
	}
	if own.Exists() {
		input := own.Get("function").Get("arguments")
		p := r.part(transcript.Call, own, arguments(input))
		p.ID, p.Name = id, own.Get("function").Get("name").Text()
		placeBody(p, input, r.from)
		return
	}
	// No place for the input: these are what the server would carry out.
	p := r.part(transcript.Call, args, openhandsInput(args))
	if p.ID, p.Name = id, metadata.Get("function_name").Text(); id == "" {
		p.ID = r.it.ID
	}
	if p.Name == "" {
		p.Name = action
	}
}

// answer reads the text of a whole answer.
func (r *openhandsEvent) answer(message rawjson.Value) {
	r.said(transcript.Thinking, message.Get("reasoning_content"))
	content := message.Get("content")
	r.said(transcript.Text, content)
	for e := range content.Elems() {
		if text := e.Get("text"); text.Text() != "" {
			r.part(transcript.Text, e, text.Text())
		}
	}
}

// openhandsInput is what the server made of a call, without the thought.
func openhandsInput(args rawjson.Value) string {
	out := without(args, func(key string, _ rawjson.Value) bool {
		switch key {
		case "thought", "action", "is_confirmed", "confirmation_state", "security_risk", "hidden":
			return true
		}
		return openhandsServerOwn(key)
	})
	if out == nil {
		return string(args.Compact())
	}
	if v, err := rawjson.Parse(out); err == nil {
		return string(v.Compact())
	}
	return string(out)
}

func readOpenhandsObservation(v rawjson.Value) (*transcript.Item, *fault) {
	kind := v.Get("observation").Text()
	if openhandsSilent(kind) {
		return nil, nil
	}
	r := newOpenhandsEvent(v, transcript.Tool)
	content := v.Get("content")
	if content.Exists() && !content.Is(rawjson.String) && !content.Is(rawjson.Null) {
		return nil, wanted(content, ".content", "a string")
	}
	if kind == "condense" {
		r.it.Role, r.it.Summary = transcript.User, true
		r.said(transcript.Text, content)
		return r.end(openhandsServerOwn), nil
	}
	p := transcript.Part{Kind: transcript.Result, Text: content.Text() + openhandsExit(v.Get("extras"))}
	if content.Exists() {
		p.Start, p.End = content.Start()-r.from, content.End()-r.from
		placeBody(&p, content, r.from)
	}
	if p.ID = v.Get("tool_call_metadata").Get("tool_call_id").Text(); p.ID == "" {
		p.ID = openhandsNumber(v.Get("cause"))
	}
	p.Failed = kind == "error" || kind == "user_rejected" || v.Get("success").Is(rawjson.False) || v.Get("extras").Get("error").Bool()
	r.it.Parts = append(r.it.Parts, p)
	return r.end(openhandsServerOwn), nil
}

// openhandsExit is what the model is told behind the output of a command.
func openhandsExit(extras rawjson.Value) string {
	metadata := extras.Get("metadata")
	text := metadata.Get("suffix").Text()
	for _, code := range []rawjson.Value{metadata.Get("exit_code"), extras.Get("exit_code")} {
		if n, ok := code.Int(); ok {
			if n != -1 && !strings.Contains(text, "exit code") {
				text += "\n[Command finished with exit code " + strconv.Itoa(n) + "]"
			}
			break
		}
	}
	return text
}
