package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Cline, and Roo Code, which comes from it: Anthropic-like messages. Three
// dialects stand in them. Old tasks call tools in XML within a text. Newer ones
// call them with tool_use blocks. Both give results as texts of the next user
// message, "[read_file for 'x'] Result:", with <environment_details> behind them.
// Sessions of the SDK, and Roo's newest tasks, have real tool_result blocks.

func clineFormat() *format {
	rules := harnessRefusals()
	return &format{
		Info: Info{
			Name: "cline", Title: "Cline and Roo Code history", Provider: rules.Provider,
			Shapes: []string{shapeArray, shapeRequest}, Write: "edit",
		},
		family:  transcript.Messages,
		rules:   rules,
		members: []string{"messages"},
		holds: func(o object) (member, sign string) {
			if o.Get("sessionId").Is(rawjson.String) && o.Get("system_prompt").Is(rawjson.String) && o.Get("messages").Is(rawjson.Array) {
				return "messages", "it has sessionId, system_prompt and messages"
			}
			return "", ""
		},
		sniff:  sniffCline,
		decode: decodeCline,
	}
}

// dialect is how sure a sign makes that only the harness has whose messages are
// otherwise those of a provider: the provider's own signs say nothing against it.
const dialect = 0.99

func sniffCline(s *sample) finding {
	var f finding
	if s.root.Exists() && (s.root.Get("model").Exists() || s.root.Get("max_tokens").Exists()) {
		return f // a request that Cline sent: its API's own
	}
	for i, e := range s.list.elems {
		if sign := clineSign(e); sign != "" {
			f.sign(dialect, func() string { return s.list.where(i) + " has " + sign })
		}
	}
	return f
}

// clineSign is what only a message of Cline or Roo has, "" if e shows nothing
// of it.
func clineSign(e value) string {
	role := str(e, "role")
	if role != "user" && role != "assistant" || e.Get("tool_calls").Exists() {
		return ""
	}
	if e.Get("ts").Is(rawjson.Number) {
		switch {
		case e.Get("modelInfo").Is(rawjson.Object):
			return "ts and modelInfo"
		case e.Get("condenseId").Exists(), e.Get("condenseParent").Exists(), e.Get("truncationId").Exists():
			return "a mark of a condensed history"
		}
	}
	if role != "user" {
		return ""
	}
	content := e.Get("content")
	if sign := clineTextSign(content); sign != "" {
		return sign
	}
	for b := range content.Elems() {
		if sign := clineTextSign(b.Get("text")); sign != "" {
			return sign
		}
	}
	return ""
}

func clineTextSign(text rawjson.Value) string {
	if !text.Is(rawjson.String) {
		return ""
	}
	const blanks = " \t\r\n"
	head := strings.TrimLeft(text.Head(64), blanks) // most texts show there that they are none
	if strings.HasPrefix(head, environmentTag) {
		return environmentTag
	}
	if !strings.HasPrefix(head, "[") {
		return ""
	}
	if name, _, ok := clineHeader(strings.TrimLeft(text.Head(2*headerBytes), blanks)); ok && clineTool(name) {
		return "the result of a tool as a text"
	}
	return ""
}

func decodeCline(s *sample, _ *format, opt Options) (*Document, error) {
	hidden := condensed(&s.list)
	items, err := s.decodeSome(readCline, func(v value) bool { return hidden.hides(v.Value) })
	if err != nil {
		return nil, err
	}
	matchCline(items)
	session := newClineSession(s, opt)
	c := &clineCodec{list: s.list, session: session}
	c.owner = hidden.owners(&c.list, items)
	t := &transcript.Transcript{
		Items: items, Writer: newClineWriter(session),
		System: s.root.Get("system_prompt").Text(), Model: session.model,
	}
	d := &Document{Transcript: t, codec: c}
	if n := hidden.count; n > 0 {
		d.Verdict.Evidence = append(d.Verdict.Evidence, "condensed messages, which are not sent: "+count(n, "message"))
	}
	return d, nil
}

// condensation is which messages of a Roo history are not sent: those that were
// condensed into a summary that is there, or hidden by a mark that is.
type condensation struct {
	marks map[string]int // ids of summaries and marks, with their elements
	count int
}

func condensed(l *list) *condensation {
	h := &condensation{marks: map[string]int{}}
	for i, e := range l.elems {
		if id := str(e, "condenseId"); id != "" && e.Get("isSummary").Bool() {
			h.marks["c"+id] = i
		}
		if id := str(e, "truncationId"); id != "" && e.Get("isTruncationMarker").Bool() {
			h.marks["t"+id] = i
		}
	}
	return h
}

// by is the element that hides a message, -1 for none.
func (h *condensation) by(v rawjson.Value) int {
	for _, key := range [...]string{"condenseParent", "truncationParent"} {
		if id := v.Get(key).Text(); id != "" {
			if at, ok := h.marks[key[:1]+id]; ok {
				return at
			}
		}
	}
	return -1
}

func (h *condensation) hides(v rawjson.Value) bool {
	if h.by(v) < 0 {
		return false
	}
	h.count++
	return true
}

// owners are the items that hidden messages belong to: without what hides them
// they would be sent again. One that is hidden itself (a summary that was
// condensed into a later one) hands them on. Those that hide each other have
// none, and stay and go together, with the first item.
func (h *condensation) owners(l *list, items []transcript.Item) []int {
	if h.count == 0 || len(items) == 0 {
		return nil
	}
	item := map[int]int{}
	for i := range items {
		item[l.at(i)] = i
	}
	elems := make([]rawjson.Value, 0, l.len())
	for _, e := range l.elems {
		elems = append(elems, e.Value)
	}
	owner := make([]int, len(elems))
	known := make([]bool, len(elems))
	for i := range elems {
		at, way := i, []int(nil)
		for !known[at] {
			known[at] = true // those that hide each other end here, too
			way = append(way, at)
			next := h.by(elems[at])
			if next < 0 {
				owner[at] = item[at]
				break
			}
			at = next
		}
		for _, e := range way {
			owner[e] = owner[at]
		}
	}
	return owner
}
