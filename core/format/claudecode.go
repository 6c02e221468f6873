package format

import (
	"fmt"
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Claude Code sessions: a log of lines that hang together as a tree. Lines of
// type user and assistant hold an Anthropic message each; one answer of the API
// is spread over several of them. All other lines are the harness's own.

func claudeFormat() *format {
	return &format{
		Info: Info{
			Name: "claude-code", Title: "Claude Code session", Provider: "anthropic",
			Shapes: []string{shapeLog, shapeArray}, Write: "append",
		},
		family: transcript.Messages,
		rules:  claudeRefusals(),
		sniff:  sniffClaude,
		decode: decodeClaude,
	}
}

// claudeRefusals are those of the API that a session is sent to, and the types
// that a line of a message can have.
func claudeRefusals() transcript.Rules {
	r := anthropicRefusals()
	r.Roles = []transcript.Role{transcript.User, transcript.Assistant}
	for i := range r.Listed {
		if r.Listed[i].Code == "known_roles" {
			r.Listed[i] = transcript.Rule{Code: "known_roles", Text: "Lines of messages are of type user or assistant.", Source: "sessions of the CLI"}
		}
	}
	return r
}

// claudeSign is what shows that a line is one of Claude Code, "" for all others.
func claudeSign(v value) string {
	if str(v, "sessionId") == "" || !v.Get("uuid").Is(rawjson.String) {
		return ""
	}
	kind := str(v, "type")
	switch message := v.Get("message"); {
	case message.Is(rawjson.Object) && !message.Get("parts").Exists() && message.Get("role").Exists():
		return "type " + clip(kind, quoted) + ", uuid, sessionId and a message"
	case kind == "system" && str(v, "subtype") == boundarySubtype:
		return "a " + boundarySubtype
	}
	return ""
}

const boundarySubtype = "compact_boundary"

func sniffClaude(s *sample) finding {
	return s.signs(claudeSign)
}

func decodeClaude(s *sample, _ *format, opt Options) (*Document, error) {
	h := readSession(&s.list)
	if len(h.rows) == 0 {
		i := 0
		for _, v := range s.list.elems {
			if !v.Exists() {
				return nil, s.src.badLine(&s.list.lines[i])
			}
			return nil, s.src.invalid(s.list.place(i), v.base, &fault{v.Value, "", "is no line of claude-code: a uuid is missing"})
		}
	}
	history := h.history()
	items, origin := h.items(&s.list, history)
	if from, to := dead(items); from < to {
		items, origin = slices.Delete(items, from, to), slices.Delete(origin, from, to)
	}
	t := &transcript.Transcript{Items: items, Writer: claudeWriter(), Model: h.model(history)}
	c := &claudeCodec{list: s.list, tree: h, chain: history, origin: origin, now: opt.Now, rewrite: opt.Rewrite}
	d := &Document{Transcript: t, codec: c}
	for _, n := range []struct {
		n    int
		what string
	}{
		{h.boundaries, "compact boundaries: %d, the history starts at the last one"},
		{h.off, "messages on other branches: %d"},
		{h.sidechain, "messages of sub-agents: %d"},
		{h.doubled, "lines that stand twice: %d"},
		{h.malformed, "lines that can not be read: %d"},
	} {
		if n.n > 0 {
			d.Verdict.Evidence = append(d.Verdict.Evidence, fmt.Sprintf(n.what, n.n))
		}
	}
	return d, nil
}
