package format

import (
	"fmt"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Codex CLI rollouts: a log of lines {timestamp, type, payload}. Only
// response_item and compacted lines make the model's context; event_msg lines
// repeat it for the UI.

func rolloutFormat() *format {
	return &format{
		Info: Info{
			Name: "codex-rollout", Title: "Codex CLI rollout", Provider: "openai",
			Shapes: []string{shapeLog}, Write: "append",
		},
		family: transcript.Responses,
		rules:  responsesRefusals(),
		sniff:  sniffRollout,
		decode: decodeRollout,
	}
}

// rolloutType is the type of a rollout line, "" for any other line.
func rolloutType(v value) string {
	if !v.Get("payload").Is(rawjson.Object) {
		return ""
	}
	switch kind := str(v, "type"); kind {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
		"inter_agent_communication", "inter_agent_communication_metadata", "security_risk_score", "token_usage_record":
		return kind
	}
	return ""
}

func sniffRollout(s *sample) finding {
	var f finding
	if s.list.lines == nil {
		return f
	}
	if i, sign := bareLines(&s.list); sign != "" {
		f.sign(surest, func() string { return s.list.where(i) + " " + sign })
		return f
	}
	return s.signs(func(v value) string {
		if kind := rolloutType(v); kind != "" {
			return "type " + kind + " and a payload"
		}
		return ""
	})
}

func decodeRollout(s *sample, _ *format, opt Options) (*Document, error) {
	if s.list.lines == nil {
		return nil, &transcript.Error{Code: "invalid_request", Path: "transcript", Message: "is not codex-rollout: " + s.seen() + ", JSON Lines are wanted"}
	}
	h := replay(&s.list)
	if h.lines == 0 {
		first := &s.list.lines[0]
		if !first.value.Exists() {
			return nil, s.src.badLine(first)
		}
		return nil, s.src.invalid("", first.start, &fault{first.value.Value, "", "is no line of codex-rollout: type and payload are missing"})
	}
	if f := modeFault(h.meta); f != nil {
		return nil, s.src.invalid("", h.meta.base, f)
	}
	items, origin := h.history()
	t := &transcript.Transcript{Items: items, Writer: itemsWriter{responsesWriter()}}
	c := &rolloutCodec{list: s.list, log: h, now: opt.Now, windowID: opt.WindowID, rewrite: opt.Rewrite, origin: origin}
	d := &Document{Transcript: t, codec: c, Left: h.left, Reported: h.usage()}
	t.Model = h.context.Get("payload").Get("model").Text()
	if base := h.meta.Get("payload").Get("base_instructions"); base.Is(rawjson.Object) {
		t.System = base.Get("text").Text()
	} else {
		t.System = base.Text()
	}
	for _, n := range []struct {
		n    int
		what string
	}{
		{h.compacted, "compacted lines: %d, the history starts at the last one"},
		{h.rolledBack, "user turns rolled back: %d"},
		{h.ghosts, "ghost_snapshot items left out: %d"},
		{h.unkept, "items that Codex keeps in no history left out: %d"},
		{h.unknown, "lines of an unknown type: %d"},
		{h.malformed, "lines that can not be read: %d"},
	} {
		if n.n > 0 {
			d.Verdict.Evidence = append(d.Verdict.Evidence, fmt.Sprintf(n.what, n.n))
		}
	}
	return d, nil
}
