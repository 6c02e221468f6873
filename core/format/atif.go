package format

import (
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// ATIF, the Agent Trajectory Interchange Format: {schema_version, agent, steps}.
// A step of the agent holds its calls and their results.

func atifFormat() *format {
	rules := harnessRefusals()
	return &format{
		Info: Info{
			Name: "atif", Title: "ATIF trajectory", Provider: rules.Provider,
			Shapes: []string{shapeRequest, shapeArray}, Write: "edit",
		},
		family: transcript.Chat,
		rules:  rules,
		holds:  atifHolds,
		item:   atifStep,
		sniff:  sniffATIF,
		decode: decodeATIF,
	}
}

func atifHolds(o object) (member, sign string) {
	if strings.HasPrefix(str(o, "schema_version"), "ATIF") && o.Get("steps").Is(rawjson.Array) {
		return "steps", "schema_version is ATIF"
	}
	return "", ""
}

// atifStep reports whether e is a step: numbered, and of one of three sources.
func atifStep(e value) bool {
	if !e.Get("step_id").Is(rawjson.Number) || e.Get("role").Exists() {
		return false
	}
	switch str(e, "source") {
	case "system", "user", "agent":
		return e.Get("message").Exists()
	}
	return false
}

func sniffATIF(s *sample) finding {
	return s.signs(func(e value) string {
		if atifStep(e) {
			return "step_id, source and message"
		}
		return ""
	})
}

// atifCodec writes the steps, numbered anew where they were numbered.
type atifCodec struct {
	list
	converted
	numbered bool // the ids of the steps count from 1, as the format demands
	cut      int  // the step that replaces all before it, -1 for none
	steps    []value
}

func decodeATIF(s *sample, _ *format, opt Options) (*Document, error) {
	c := &atifCodec{numbered: true, cut: -1}
	w := atifWriter{now: opt.Now}
	last := ""
	for i, e := range s.list.elems {
		id, ok := e.Get("step_id").Int()
		c.numbered = c.numbered && ok && id == i+1
		c.steps = append(c.steps, e)
		w.next = max(w.next, id)
		if at := str(e, "timestamp"); at != "" {
			last = at
		}
		if i > 0 && atifReplaces(c.steps[i-1], e) {
			c.cut = i - 1
		}
	}
	if n := len(c.steps); n > 0 && atifReplaces(c.steps[n-1], value{}) {
		c.cut = n - 1
	}
	w.next++
	if c.numbered {
		w.next = 0 // splice gives the number
	}
	if w.now == "" || last == "" {
		w.now = last // no times where no step has one
	}
	at := -1
	items, err := s.decodeSome(readATIF, func(value) bool {
		at++
		return at < c.cut
	})
	if err != nil {
		return nil, err
	}
	c.list = s.list
	if c.numbered {
		for i := range items {
			atifUnnumbered(&items[i], c.steps[max(c.cut, 0)+i].Value)
		}
	}
	if c.cut >= 0 {
		atifAppends(&items[0])
	}
	t := &transcript.Transcript{Items: items, Writer: w.writer()}
	agent := s.root.Get("agent")
	t.Model = agent.Get("model_name").Text()
	if tools := agent.Get("tool_definitions"); tools.Is(rawjson.Array) {
		t.Tools = tools.Raw()
	}
	d := &Document{Transcript: t, codec: c}
	if c.cut > 0 {
		d.Verdict.Evidence = append(d.Verdict.Evidence, fmt.Sprintf("%s replaces the context: %s before it no longer count",
			strings.TrimPrefix(s.list.place(c.cut), "."), count(c.cut, "step")))
	}
	return d, nil
}

// atifReplaces reports whether a step stands for everything before it: the format
// says so of steps of the system alone, whose observation, with all that follows,
// is the context from there on. One without a text of its own has it in the next
// step where that is the user's and nothing was observed; else it says nothing
// that could stand for what was (the run goes on in another file), and replaces
// nothing.
func atifReplaces(e, next value) bool {
	if str(e, "source") != "system" || e.Get("extra").Get("context_management").Get("boundary").Text() != "replace" {
		return false
	}
	results := e.Get("observation").Get("results")
	for r := range results.Elems() {
		if content := r.Get("content"); content.Text() != "" || content.Len() > 0 {
			return true
		}
	}
	return results.Len() == 0 && str(next, "source") == "user"
}
