package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Events of the SDK (V1). Actions of one answer follow each other; the first of
// them carries what was said and thought.

// openhandsKind reports whether a kind is that of an event which the model is
// shown, or which changes what it is shown.
func openhandsKind(kind string) bool {
	switch kind {
	case "SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent", "UserRejectObservation", "AgentErrorEvent",
		"CondensationSummaryEvent", "Condensation", "CondensationEvent", "CondensationRequest":
		return true
	}
	return false
}

// openhandsSDKOwn are the members that the SDK keeps for itself.
func openhandsSDKOwn(key string) bool {
	switch key {
	case "id", "timestamp", "source", "kind", "action", "llm_response_id", "security_risk", "critic_result", "summary",
		"tool_name", "tool_call_id", "action_id", "tools", "activated_skills", "activated_microagents", "sender", "rejection_source", "parent_id":
		return true
	}
	return false
}

func readOpenhandsSDK(v rawjson.Value) (*transcript.Item, *fault) {
	r := newOpenhandsEvent(v, transcript.Tool)
	var f *fault
	switch v.Get("kind").Text() {
	case "SystemPromptEvent":
		r.it.Role = transcript.System
		for _, key := range []string{"system_prompt", "dynamic_context"} {
			if part := v.Get(key); part.Get("text").Text() != "" {
				r.part(transcript.Text, part, part.Get("text").Text())
			}
		}
	case "MessageEvent":
		f = r.message(v.Get("llm_message"))
	case "ActionEvent":
		r.it.Role = transcript.Assistant
		f = r.action()
	case "ObservationEvent":
		f = r.observation(v.Get("observation"))
	case "UserRejectObservation":
		r.rejected("rejection_reason")
	case "AgentErrorEvent":
		r.rejected("error")
	case "CondensationSummaryEvent":
		r.it.Role, r.it.Summary = transcript.User, true
		r.said(transcript.Text, v.Get("summary"))
		return r.end(func(key string) bool { return key != "summary" }), nil
	default:
		return nil, nil
	}
	if f != nil {
		return nil, f
	}
	return r.end(openhandsSDKOwn), nil
}

func (r *openhandsEvent) message(m rawjson.Value) *fault {
	role, f := readRole(m)
	if f != nil {
		return f.within(".llm_message")
	}
	r.it.Role = role
	r.thoughts(m)
	if f := r.contents(m.Get("content")); f != nil {
		return f.within(".llm_message.content")
	}
	return r.contents(r.v.Get("extended_content")).within(".extended_content")
}

// thoughts reads reasoning: blocks that the provider signed, else its text; and
// what only the provider can read.
func (r *openhandsEvent) thoughts(m rawjson.Value) {
	blocks := m.Get("thinking_blocks")
	for b := range blocks.Elems() {
		if data := b.Get("data").Text(); data != "" {
			r.part(transcript.Opaque, b, data).Signed = true
		} else {
			r.part(transcript.Thinking, b, b.Get("thinking").Text()).Signed = b.Get("signature").Text() != ""
		}
	}
	if blocks.Len() == 0 {
		r.said(transcript.Thinking, m.Get("reasoning_content"))
	}
	if item := m.Get("responses_reasoning_item"); item.Get("encrypted_content").Text() != "" {
		r.part(transcript.Opaque, item, item.Get("encrypted_content").Text())
	}
}

// contents reads a list of texts and pictures.
func (r *openhandsEvent) contents(list rawjson.Value) *fault {
	switch list.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.String:
		r.said(transcript.Text, list)
		return nil
	case rawjson.Array:
	default:
		return wanted(list, "", "a list of parts")
	}
	i := 0
	for e := range list.Elems() {
		if !e.Is(rawjson.Object) {
			return wanted(e, "["+strconv.Itoa(i)+"]", "an object")
		}
		switch e.Get("type").Text() {
		case "text":
			s, f := text(e, "text")
			if f != nil {
				return f.within("[" + strconv.Itoa(i) + "]")
			}
			r.part(transcript.Text, e, s)
		case "image":
			p := media(transcript.Image, e, r.from)
			for url := range e.Get("image_urls").Elems() {
				p.Bytes += inlineBytes(url.Text())
			}
			r.it.Parts = append(r.it.Parts, p)
		default:
			r.part(transcript.Other, e, "")
		}
		i++
	}
	return nil
}

func (r *openhandsEvent) action() *fault {
	r.thoughts(r.v)
	if f := r.contents(r.v.Get("thought")); f != nil {
		return f.within(".thought")
	}
	call := r.v.Get("tool_call")
	fn := call
	if inner := call.Get("function"); inner.Is(rawjson.Object) {
		fn = inner // as the chat API has it, in the first versions
	}
	id, f := text(r.v, "tool_call_id")
	if f != nil {
		return f
	}
	if id == "" {
		id = call.Get("id").Text()
	}
	name := r.v.Get("tool_name").Text()
	if name == "" {
		name = fn.Get("name").Text()
	}
	input := fn.Get("arguments")
	if !call.Is(rawjson.Object) {
		call, input = r.v.Get("action"), rawjson.Value{}
	}
	p := transcript.Part{Kind: transcript.Call, ID: id, Name: name, Text: arguments(input)}
	if call.Is(rawjson.Object) {
		p.Start, p.End = call.Start()-r.from, call.End()-r.from
		if !input.Exists() {
			p.Text = string(call.Compact())
		}
	}
	placeBody(&p, input, r.from)
	r.it.Parts = append(r.it.Parts, p)
	return nil
}

// observation reads what a tool gave: a list of parts, or in older versions
// members that each tool names as it likes.
func (r *openhandsEvent) observation(o rawjson.Value) *fault {
	if !o.Is(rawjson.Object) {
		return wanted(o, ".observation", "an object")
	}
	id, f := text(r.v, "tool_call_id")
	if f != nil {
		return f
	}
	p := r.part(transcript.Result, o, "")
	p.ID, p.Failed = id, o.Get("is_error").Bool() || o.Get("error").Bool() || o.Get("error").Text() != ""
	for _, key := range []string{"content", "output"} {
		content := o.Get(key)
		if !content.Is(rawjson.Array) && !content.Is(rawjson.String) {
			continue
		}
		placeBody(p, content, r.from)
		if f := r.contents(content); f != nil {
			return f.within(".observation." + key)
		}
		r.it.Parts = foldText(r.it.Parts, 0)
		r.it.Parts[0].Text += openhandsExit(o)
		return r.contents(r.v.Get("extended_content")).within(".extended_content")
	}
	p.Text = string(o.Compact())
	return nil
}

// rejected reads what stands for a result that there is none of.
func (r *openhandsEvent) rejected(key string) {
	why := r.v.Get(key)
	p := transcript.Part{Kind: transcript.Result, ID: r.v.Get("tool_call_id").Text(), Text: why.Text(), Failed: true}
	if why.Is(rawjson.String) {
		p.Start, p.End = why.Start()-r.from, why.End()-r.from
		placeBody(&p, why, r.from)
	}
	r.it.Parts = append(r.it.Parts, p)
}
