package format

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// readSWE reads a message of a history, or a step of a trajectory. answers says
// that a user message stands behind one with a command in its text, whose output
// it is then.
func readSWE(v rawjson.Value, answers bool) (transcript.Item, *fault) {
	if sweStep(value{v, 0}) {
		return readSWEStep(v), nil
	}
	role, f := readRole(v)
	if f != nil {
		return transcript.Item{}, f
	}
	r := chatReader{it: transcript.Item{Role: role}, v: v, from: v.Start()}
	it := &r.it
	if kind := v.Get("message_type").Text(); role == transcript.User && answers && (kind == "" || kind == "observation") {
		it.Role = transcript.Tool
	}
	if it.Role == transcript.Tool {
		f = sweResult(&r)
	} else {
		sweThinking(&r)
		f = r.message()
	}
	if f != nil {
		return transcript.Item{}, f
	}
	if role == transcript.Assistant && !it.Has(transcript.Call) {
		sweAction(it, v)
	}
	it.Empty = len(it.Parts) == 0
	it.Shown = without(v, func(key string, _ rawjson.Value) bool { return sweOwn(key) })
	mark(it)
	if it.Role == transcript.User && v.Get("is_demo").Bool() {
		it.Fragment = true // an example run: nobody asked for it here
	}
	return *it, nil
}

// sweOwn are the members that the agent keeps for itself.
func sweOwn(key string) bool {
	switch key {
	case "agent", "message_type", "thought", "action", "is_demo", "tags", "raw":
		return true
	}
	return false
}

// sweResult reads a tool message: its ids are a list, of one id.
func sweResult(r *chatReader) *fault {
	if f := r.result(); f != nil {
		return f
	}
	ids := r.v.Get("tool_call_ids")
	i := 0
	for id := range ids.Elems() {
		s, ok := id.Str()
		if !ok {
			return wanted(id, ".tool_call_ids["+strconv.Itoa(i)+"]", "a string")
		}
		switch {
		case i > 0: // the one output is that of all of them
			r.add(transcript.Part{Kind: transcript.Result, ID: s})
		case r.it.Parts[0].ID == "":
			r.it.Parts[0].ID = s
		}
		i++
	}
	return nil
}

// sweThinking reads what the provider signed, which stands before the content.
func sweThinking(r *chatReader) {
	for b := range r.v.Get("thinking_blocks").Elems() {
		if data := b.Get("data").Text(); data != "" {
			r.part(transcript.Opaque, b, data)
		} else {
			r.part(transcript.Thinking, b, b.Get("thinking").Text())
		}
		r.it.Parts[len(r.it.Parts)-1].Signed = b.Get("signature").Text() != "" || b.Get("data").Exists()
	}
}

// sweAction takes the command out of the content: the agent keeps it in action,
// and what was said beside it in thought.
func sweAction(it *transcript.Item, v rawjson.Value) {
	script := strings.TrimSpace(v.Get("action").Text())
	if script == "" {
		return
	}
	said, ok := v.Get("thought").Str()
	if !ok {
		said = strings.Replace(it.Text(), script, "", 1)
	}
	if texts := slices.DeleteFunc(slices.Clone(it.Parts), func(p transcript.Part) bool { return p.Kind != transcript.Text }); len(texts) > 1 {
		said = texts[0].Text // a list of texts stays as it is
	}
	callInText(it, said, script)
}

// readSWEStep reads a step: the model's text, the action and its observation. A
// step without an action of its own is what the agent itself had to say.
func readSWEStep(v rawjson.Value) transcript.Item {
	r := chatReader{it: transcript.Item{Role: transcript.Assistant}, v: v, from: v.Start()}
	it := &r.it
	key := sweSaid(v)
	if said := v.Get(key); said.Text() != "" {
		r.part(transcript.Text, said, said.Text())
	}
	observation := v.Get("observation")
	if action := v.Get("action"); strings.TrimSpace(action.Text()) != "" {
		// No place for its input: it is what a replay of the run carries out.
		r.part(transcript.Call, action, strings.TrimSpace(action.Text()))
		it.Parts[len(it.Parts)-1].Name = shellTool
		r.part(transcript.Result, observation, observation.Text())
		placeBody(&it.Parts[len(it.Parts)-1], observation, r.from)
	} else if observation.Text() != "" {
		if len(it.Parts) == 0 {
			it.Role = transcript.User
		}
		r.part(transcript.Text, observation, observation.Text())
	}
	it.Empty = len(it.Parts) == 0
	it.Shown = without(v, func(name string, _ rawjson.Value) bool {
		switch name {
		case "state", "execution_time", "query", "messages", "extra_info":
			return true
		}
		return name == "response" && key != name
	})
	mark(it)
	return *it
}

// sweSaid is the member of a step that holds what the model said: thought, where
// the action was taken out of it, else response.
func sweSaid(v rawjson.Value) string {
	if v.Get("thought").Text() != "" {
		return "thought"
	}
	return "response"
}
