package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// codex exec --json: what the CLI prints while it runs, one event on each line.
// Items come in item.* events, the last of an id being the whole one; what the
// user asked is not among them. A command, a patch or an MCP call is the call
// and its result in one item.

func codexExecFormat() *format {
	return &format{
		Info: Info{
			Name: "codex-exec", Title: "codex exec --json", Provider: "any",
			Shapes: []string{shapeLines, shapeArray}, Write: "edit",
		},
		family: transcript.Chat,
		rules: onlyRoles(harnessRefusals(), "All items are the agent's: what the user asked is not among the events.",
			"developers.openai.com/codex/noninteractive", transcript.Assistant),
		item: func(e value) bool { return execEvent(e).Exists() },
		sniff: func(s *sample) finding {
			return s.signs(func(e value) string {
				if v := execEvent(e); v.Exists() {
					return "the event " + v.Get("type").Text()
				}
				return ""
			})
		},
		decode: decodeCodexExec,
	}
}

// execEvent is the event of an element, which some loggers put below data;
// Invalid where it is none.
func execEvent(e value) rawjson.Value {
	for _, v := range []rawjson.Value{e.Value, e.Get("data")} {
		switch v.Get("type").Text() {
		case "thread.started":
			if v.Get("thread_id").Exists() {
				return v
			}
		case "turn.started", "turn.completed", "turn.failed":
			if !v.Get("role").Exists() && !v.Get("payload").Exists() {
				return v
			}
		case "item.started", "item.updated", "item.completed":
			if v.Get("item").Get("type").Exists() {
				return v
			}
		}
	}
	return rawjson.Value{}
}

func decodeCodexExec(s *sample, _ *format, _ Options) (*Document, error) {
	newest := map[string]int{} // where the last event of each item stands
	events := 0
	for _, e := range s.list.elems {
		v := execEvent(e)
		if v.Exists() {
			events++
		}
		if id, ok := v.Get("item").Get("id").Str(); ok {
			newest[id] = e.from()
		}
	}
	if events == 0 && s.list.len() > 0 {
		return nil, &transcript.Error{Code: "invalid_request", Path: "transcript", Message: "is not codex-exec: it has no event of a thread, a turn or an item"}
	}
	items, err := s.decodeSome(readExecEvent, func(e value) bool {
		item := execEvent(e).Get("item")
		if !item.Exists() {
			return true
		}
		id, ok := item.Get("id").Str()
		return ok && newest[id] != e.from()
	})
	if err != nil {
		return nil, err
	}
	s.list.owner = execOwners(&s.list, items)
	return &Document{Transcript: &transcript.Transcript{Items: items, Writer: codexExecWriter()}, codec: &codexExecCodec{list: s.list}}, nil
}

// execOwners gives the earlier events of an item to it.
func execOwners(l *list, items []transcript.Item) []int {
	if l.first == nil {
		return nil
	}
	byID := map[string]int{}
	for i := range items {
		if items[i].ID != "" {
			byID[items[i].ID] = i
		}
	}
	owners := make([]int, 0, l.len())
	for _, e := range l.elems {
		owner := -1
		if id, ok := execEvent(e).Get("item").Get("id").Str(); ok {
			if i, known := byID[id]; known {
				owner = i
			}
		}
		owners = append(owners, owner)
	}
	return owners
}

type codexExecCodec struct {
	converted
	list
}

// readExecEvent reads the item of an event.
func readExecEvent(v rawjson.Value) (transcript.Item, *fault) {
	path := ".item"
	event := execEvent(value{v, 0})
	if event.Start() != v.Start() {
		path = ".data.item"
	}
	item := event.Get("item")
	if !item.Is(rawjson.Object) {
		return transcript.Item{}, wanted(v, "", "an event with an item")
	}
	it := transcript.Item{Role: transcript.Assistant, Type: item.Get("type").Text(), ID: item.Get("id").Text()}
	r := execReader{it: &it, v: item, from: v.Start()}
	var f *fault
	switch it.Type {
	case "agent_message":
		f = r.text(transcript.Text, "text")
	case "reasoning":
		f = r.text(transcript.Thinking, "text")
	case "error":
		f = r.text(transcript.Text, "message")
	case "command_execution":
		r.call("command", it.Type)
		r.result("aggregated_output", failedExit(item))
	case "mcp_tool_call":
		name := item.Get("tool").Text()
		if server := item.Get("server").Text(); server != "" {
			name = server + "." + name
		}
		r.call("arguments", name)
		if failure := item.Get("error"); failure.Exists() && !failure.Is(rawjson.Null) {
			r.result("error", true)
		} else {
			r.result("result", false)
		}
	case "file_change":
		r.call("changes", it.Type)
	case "web_search":
		r.call("query", it.Type)
	default: // todo_list and what is to come: its text is all there is
		r.part(transcript.Other, item, "")
	}
	it.Empty = len(it.Parts) == 0
	return it, f.within(path)
}

// failedExit reports whether a command ended with another code than 0.
func failedExit(item rawjson.Value) bool {
	code, ok := item.Get("exit_code").Int()
	return ok && code != 0
}

type execReader struct {
	it   *transcript.Item
	v    rawjson.Value
	from int
}

func (r *execReader) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

func (r *execReader) text(kind transcript.PartKind, key string) *fault {
	v := r.v.Get(key)
	if v.Exists() && !v.Is(rawjson.String) && !v.Is(rawjson.Null) {
		return wanted(v, "."+key, "a string")
	}
	if text := v.Text(); text != "" {
		r.part(kind, v, text)
	}
	return nil
}

// call is the call whose input stands under key. What the CLI ran itself and
// says nothing of the outcome is answered all the same: nobody waits for it.
func (r *execReader) call(key, name string) {
	v := r.v.Get(key)
	if !v.Exists() {
		v = r.v
	}
	p := r.part(transcript.Call, v, arguments(v))
	p.ID, p.Name = r.it.ID, name
	p.Server = name == "file_change" || name == "web_search"
	placeBody(p, r.v.Get(key), r.from)
}

func (r *execReader) result(key string, failed bool) {
	v := r.v.Get(key)
	if !v.Exists() || v.Is(rawjson.Null) {
		return
	}
	p := r.part(transcript.Result, v, arguments(v))
	p.ID, p.Failed = r.it.ID, failed
	placeBody(p, v, r.from)
}

// execMessages writes messages of the agent: no event says what a user does.
type execMessages struct{ writer }

func codexExecWriter() execMessages {
	return execMessages{writer{
		read: readExecEvent,
		message: func(_ transcript.Role, text string) []byte {
			item := newBody()
			item.str("id", "item_"+nodeID(transcript.Assistant, text)[:8])
			item.str("type", "agent_message")
			item.key("text")
			item.buf = rawjson.AppendQuote(item.buf, text)
			b := newBody()
			b.str("type", "item.completed")
			b.raw("item", item.end())
			return b.end()
		},
	}}
}

// WithText is the event with another text; an item that is no text becomes one.
func (w execMessages) WithText(it *transcript.Item, text string) transcript.Item {
	if len(it.Parts) != 1 || it.Parts[0].Kind != transcript.Text {
		return w.Message(it.Role, text)
	}
	p := &it.Parts[0]
	out := w.item(patch(it.Raw, []change{{p.Start, p.End, rawjson.AppendQuote(nil, text)}}), it.Role)
	out.Path = it.Path
	return out
}
