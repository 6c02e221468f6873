package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Evaluation sets of ADK: each case is a conversation of invocations. One of them
// holds what the user said, the steps of the agent and its answer, so that it is
// several items, and is put together again from those that stay. ADK wants what
// the user said in each of them.

// slot is what of an invocation an item is.
type slot struct {
	elem int // of the conversation; -1: none, the item is new
	kind slotKind
	at   int // a step's place among those of its invocation
	from int // where its value begins in the source
}

type slotKind uint8

const (
	asked slotKind = iota
	stepped
	answered
)

// slotNames are the members of an invocation that hold them.
func slotNames(k slotKind) (camel, snake string) {
	switch k {
	case asked:
		return "userContent", "user_content"
	case stepped:
		return "intermediateData", "intermediate_data"
	default:
		return "finalResponse", "final_response"
	}
}

func inSlot(v rawjson.Value, k slotKind) rawjson.Value {
	camel, snake := slotNames(k)
	return either(v, camel, snake)
}

// isInvocation reports whether v holds any of the three.
func isInvocation(v rawjson.Value) bool {
	if v.Get("role").Exists() || v.Get("parts").Exists() {
		return false
	}
	return inSlot(v, asked).Get("parts").Is(rawjson.Array) || inSlot(v, answered).Get("parts").Is(rawjson.Array) ||
		inSlot(v, stepped).Is(rawjson.Object) && either(v, "invocationId", "invocation_id").Exists()
}

// steps are the values of an invocation's steps: its events, or the one object
// that lists calls and results.
func steps(v rawjson.Value) []rawjson.Value {
	data := inSlot(v, stepped)
	events := either(data, "invocationEvents", "invocation_events")
	if !events.Exists() {
		if isSteps(data) {
			return []rawjson.Value{data}
		}
		return nil
	}
	var all []rawjson.Value
	for e := range events.Elems() {
		if e.Get("content").Get("parts").Len() > 0 {
			all = append(all, e)
		}
	}
	return all
}

// isSteps reports whether v lists calls, results or texts of an agent's steps.
func isSteps(v rawjson.Value) bool {
	return either(v, "toolUses", "tool_uses").Len() > 0 || either(v, "toolResponses", "tool_responses").Len() > 0 ||
		either(v, "intermediateResponses", "intermediate_responses").Len() > 0
}

// readCase reads the value of a slot.
func readCase(v rawjson.Value) (transcript.Item, *fault) {
	if !isSteps(v) {
		return readGemini(v)
	}
	it := transcript.Item{Role: transcript.Assistant}
	r := partReader{it: &it, from: v.Start()}
	for _, list := range []struct {
		v    rawjson.Value
		read func(p, v rawjson.Value) *fault
		name string
	}{
		{either(v, "toolUses", "tool_uses"), r.call, ".tool_uses["},
		{either(v, "toolResponses", "tool_responses"), r.response, ".tool_responses["},
		{either(v, "intermediateResponses", "intermediate_responses"), r.said, ".intermediate_responses["},
	} {
		i := 0
		for e := range list.v.Elems() {
			if f := list.read(e, e); f != nil {
				return it, f.within(list.name + strconv.Itoa(i) + "]")
			}
			i++
		}
	}
	r.done()
	return it, nil
}

// said reads what an agent below said on the way: its name and parts.
func (r *partReader) said(_, v rawjson.Value) *fault {
	i := 0
	for e := range v.Elems() {
		if i == 1 {
			return r.parts(e).within("[1]")
		}
		i++
	}
	return nil
}

func decodeCases(s *sample) (*Document, error) {
	c := &caseCodec{list: s.list, snake: true}
	w := geminiWriter(nil)
	w.read = readCase
	t := &transcript.Transcript{Writer: caseWriter{w}, Rules: geminiHarnessRefusals()}
	for i, e := range s.list.elems {
		if !e.Exists() {
			if !s.repair {
				return nil, s.src.badLine(&s.list.lines[i])
			}
			continue
		}
		if !e.Is(rawjson.Object) {
			return nil, s.src.invalid(s.list.place(i), e.base, wanted(e.Value, "", "an object"))
		}
		c.snake = c.snake && !e.Get("userContent").Exists()
		add := func(v rawjson.Value, at slot, path string) error {
			it, f := readCase(v)
			path = s.list.place(i) + path
			if f != nil {
				return s.src.invalid(path, e.base, f)
			}
			it.Raw, it.Path = v.Raw(), path
			at.elem, at.from = i, e.base+v.Start()
			t.Items, c.slots = append(t.Items, it), append(c.slots, at)
			return nil
		}
		for _, k := range []slotKind{asked, stepped, answered} {
			values := []rawjson.Value{inSlot(e.Value, k)}
			if k == stepped {
				values = steps(e.Value)
			}
			for n, v := range values {
				if !v.Exists() {
					continue
				}
				if err := add(v, slot{kind: k, at: n}, slotPath(e.Value, k, n)); err != nil {
					return nil, err
				}
			}
		}
	}
	namePairs(t.Items)
	return &Document{Transcript: t, codec: c}, nil
}

// slotPath is the place of a slot below its invocation.
func slotPath(v rawjson.Value, k slotKind, n int) string {
	camel, snake := slotNames(k)
	name := "." + snake
	if v.Get(camel).Exists() {
		name = "." + camel
	}
	if k == stepped && either(inSlot(v, k), "invocationEvents", "invocation_events").Exists() {
		return name + ".invocation_events[" + strconv.Itoa(n) + "]"
	}
	return name
}

// caseWriter writes the values of slots.
type caseWriter struct{ listWriter }

// WithText is the value with one text; steps that are lists of calls say it as
// their agent.
func (w caseWriter) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !isSteps(v) {
		return w.listWriter.WithText(it, text)
	}
	raw := append([]byte(`{"intermediate_responses":[["agent",[`), untypedText(text)...)
	out := w.item(append(raw, `]]]}`...), it.Role)
	out.Path = it.Path
	return out
}

// Joined is false for steps, which are no list of parts.
func (w caseWriter) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	for _, it := range []*transcript.Item{a, b} {
		if v, err := rawjson.Parse(it.Raw); err != nil || isSteps(v) {
			return *a, false
		}
	}
	return w.listWriter.Joined(a, b)
}

// Answer is never an item: results stand beside their calls.
func (w caseWriter) Answer(*transcript.Item, int, string) (transcript.Item, bool) {
	return transcript.Item{}, false
}
