package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// readATIF reads one step: thought, message, calls and results, in that order.
func readATIF(v rawjson.Value) (transcript.Item, *fault) {
	if !v.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an object")
	}
	source := v.Get("source")
	if !source.Exists() {
		return transcript.Item{}, &fault{v, ".source", "is missing"}
	}
	name, ok := source.Str()
	if !ok {
		return transcript.Item{}, wanted(source, ".source", "a string")
	}
	it := transcript.Item{Role: transcript.Role(name)}
	if name == "agent" {
		it.Role = transcript.Assistant
	}
	r := atifReader{it: &it, v: v, from: v.Start()}
	if f := r.step(); f != nil {
		return transcript.Item{}, f
	}
	it.Empty = len(it.Parts) == 0
	it.Shown = without(v, func(key string, _ rawjson.Value) bool { return atifOwn(key) })
	mark(&it)
	return it, nil
}

// atifOwn are the members that no model is sent.
func atifOwn(key string) bool {
	switch key {
	case "step_id", "timestamp", "model_name", "reasoning_effort", "metrics", "extra", "llm_call_count", "is_copied_context":
		return true
	}
	return false
}

// atifReader reads the parts of one step.
type atifReader struct {
	it   *transcript.Item
	v    rawjson.Value
	from int
}

func (r *atifReader) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

func (r *atifReader) step() *fault {
	if v := r.v.Get("reasoning_content"); v.Text() != "" {
		r.part(transcript.Thinking, v, v.Text())
	}
	results := r.v.Get("observation").Get("results")
	if r.it.Role != transcript.Assistant {
		return r.told(results)
	}
	if f := r.content(r.v.Get("message")).within(".message"); f != nil {
		return f
	}
	if f := r.calls(); f != nil {
		return f
	}
	return r.results(results)
}

// told reads a step that is not the agent's. What the system saw is a text of
// its own: nobody called for it. Where that is the summary of an earlier
// compaction, the message beside it only says that there was one.
func (r *atifReader) told(results rawjson.Value) *fault {
	summary := r.v.Get("extra").Get("context_management").Get("type").Text() == "compaction"
	at := len(r.it.Parts)
	if f := r.content(r.v.Get("message")).within(".message"); f != nil {
		return f
	}
	seen := len(r.it.Parts)
	i := 0
	for e := range results.Elems() {
		if f := r.content(e.Get("content")); f != nil {
			return f.within(".observation.results[" + strconv.Itoa(i) + "].content")
		}
		i++
	}
	if summary && r.it.Role == transcript.System && len(r.it.Parts) > seen {
		r.it.Parts = append(r.it.Parts[:at], r.it.Parts[seen:]...)
		r.it.Summary = true
	}
	return nil
}

// content reads a text or a list of texts and pictures.
func (r *atifReader) content(v rawjson.Value) *fault {
	switch v.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if s := v.Text(); s != "" {
			r.part(transcript.Text, v, s)
		}
	case rawjson.Array:
		i := 0
		for e := range v.Elems() {
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
			case "image": // a file beside the trajectory, or a data URL
				r.it.Parts = append(r.it.Parts, linked(transcript.Image, e, r.from, e.Get("source").Get("path").Text()))
			default:
				r.part(transcript.Other, e, "")
			}
			i++
		}
	default:
		return wanted(v, "", "a string or a list of parts")
	}
	return nil
}

func (r *atifReader) calls() *fault {
	calls := r.v.Get("tool_calls")
	switch calls.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.Array:
	default:
		return wanted(calls, ".tool_calls", "a list")
	}
	i := 0
	for c := range calls.Elems() {
		path := ".tool_calls[" + strconv.Itoa(i) + "]"
		if !c.Is(rawjson.Object) {
			return wanted(c, path, "an object")
		}
		id, f := text(c, "tool_call_id")
		if f != nil {
			return f.within(path)
		}
		p := r.part(transcript.Call, c, arguments(c.Get("arguments")))
		p.ID, p.Name = id, c.Get("function_name").Text()
		placeBody(p, c.Get("arguments"), r.from)
		i++
	}
	return nil
}

// results reads what the calls gave. A result that names no call is that of the
// first call of the step without one; where the agent has no calls, what it wrote
// is one.
func (r *atifReader) results(results rawjson.Value) *fault {
	switch results.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.Array:
	default:
		return wanted(results, ".observation.results", "a list")
	}
	waiting, unnamed := r.waiting(results)
	if unnamed > len(waiting) {
		r.written(unnamed - len(waiting))
		waiting = append(waiting, make([]string, unnamed-len(waiting))...)
	}
	i := 0
	for e := range results.Elems() {
		path := ".observation.results[" + strconv.Itoa(i) + "]"
		if !e.Is(rawjson.Object) {
			return wanted(e, path, "an object")
		}
		id, f := text(e, "source_call_id")
		if f != nil {
			return f.within(path)
		}
		if id == "" {
			id, waiting = waiting[0], waiting[1:]
		}
		at := len(r.it.Parts)
		p := r.part(transcript.Result, e, "")
		p.ID = id
		placeBody(p, e.Get("content"), r.from)
		if f := r.content(e.Get("content")); f != nil {
			return f.within(path + ".content")
		}
		r.it.Parts = foldText(r.it.Parts, at)
		i++
	}
	return nil
}

// waiting are the ids of the calls that no result of the step names, and the
// number of results that name none.
func (r *atifReader) waiting(results rawjson.Value) (ids []string, unnamed int) {
	named := map[string]bool{}
	for e := range results.Elems() {
		id := e.Get("source_call_id").Text()
		if id == "" {
			unnamed++
		}
		named[id] = true
	}
	for _, p := range r.it.Parts {
		if p.Kind == transcript.Call && !named[p.ID] {
			ids = append(ids, p.ID)
		}
	}
	return ids, unnamed
}

// written makes calls of what the agent wrote instead of some: the keystrokes in
// a JSON message (as Terminus has it), else something without a name.
func (r *atifReader) written(n int) {
	if !r.it.Has(transcript.Call) {
		if said, keys, ok := keystrokes(r.v.Get("message").Text()); ok {
			callInText(r.it, said, keys)
			n--
		}
	}
	for range n {
		r.it.Parts = append(r.it.Parts, transcript.Part{Kind: transcript.Call})
	}
}

// keystrokes splits a message of JSON into what was said and the keys that are
// typed into a terminal.
func keystrokes(message string) (said, keys string, ok bool) {
	v, err := rawjson.Parse([]byte(message))
	if err != nil || !v.Get("commands").Is(rawjson.Array) {
		return "", "", false
	}
	var lines, texts []string
	for c := range v.Get("commands").Elems() {
		if s := strings.TrimRight(c.Get("keystrokes").Text(), "\n"); s != "" {
			lines = append(lines, s)
		}
	}
	for _, key := range []string{"analysis", "plan"} {
		if s := v.Get(key).Text(); s != "" {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, "\n"), strings.Join(lines, "\n"), len(lines) > 0
}
