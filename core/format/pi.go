package format

import (
	"fmt"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Sessions of pi and of OpenClaw, which grew out of it: a log of entries that
// hang together as a tree. The history is what pi builds from its newest entry
// (its session-manager.ts, documented in docs/session-format.md).

func piFormat() *format {
	rules := harnessRefusals()
	return &format{
		Info: Info{
			Name: "pi", Title: "pi and OpenClaw session", Provider: rules.Provider,
			Shapes: []string{shapeLog}, Write: "append",
		},
		family: transcript.Chat,
		rules:  rules,
		sniff:  sniffPi,
		decode: decodePi,
	}
}

// piKind is the type of an entry of a session, "" for any other line.
func piKind(v value) string {
	switch kind := str(v, "type"); kind {
	case "session":
		if v.Get("cwd").Is(rawjson.String) && v.Get("id").Is(rawjson.String) {
			return kind
		}
	case "message":
		if v.Get("message").Get("role").Is(rawjson.String) && v.Get("timestamp").Is(rawjson.String) {
			return kind
		}
	case "compaction":
		if v.Get("summary").Is(rawjson.String) {
			return kind
		}
	case "branch_summary":
		if v.Get("summary").Is(rawjson.String) && v.Get("fromId").Exists() {
			return kind
		}
	case "custom_message":
		if v.Get("customType").Exists() && v.Get("content").Exists() {
			return kind
		}
	case "model_change":
		if v.Get("modelId").Exists() {
			return kind
		}
	case "thinking_level_change":
		if v.Get("thinkingLevel").Exists() {
			return kind
		}
	}
	return ""
}

func sniffPi(s *sample) finding {
	if s.list.lines == nil {
		return finding{}
	}
	return s.signs(func(v value) string {
		if kind := piKind(v); kind != "" {
			return "type " + kind + " with what an entry of a session has"
		}
		return ""
	})
}

func decodePi(s *sample, _ *format, opt Options) (*Document, error) {
	if s.list.lines == nil {
		return nil, &transcript.Error{Code: "invalid_request", Path: "transcript", Message: "is not pi: " + s.seen() + ", JSON Lines are wanted"}
	}
	p := readPiLog(&s.list)
	if p.known == 0 {
		first := &s.list.lines[0]
		if !first.value.Exists() {
			return nil, s.src.badLine(first)
		}
		return nil, s.src.invalid("", first.start, &fault{first.value.Value, "", "is no entry of a session of pi"})
	}
	c := &piCodec{list: s.list, log: p, now: opt.Now, rewrite: opt.Rewrite}
	t := &transcript.Transcript{Writer: newPiWriter(p, opt), Model: p.model(p.path).id}
	for _, at := range p.history() {
		e := &p.entries[at]
		e.item.Raw, e.item.Path = e.payload.Raw(), s.list.place(e.line)
		t.Items, c.at = append(t.Items, e.item), append(c.at, at)
	}
	d := &Document{Transcript: t, codec: c}
	for _, n := range []struct {
		n    int
		what string
	}{
		{p.compactions, "compactions: %d, the history starts at the last one"},
		{p.off, "entries on other branches: %d"},
		{p.unknown, "lines that are no entry: %d"},
		{p.malformed, "lines that can not be read: %d"},
	} {
		if n.n > 0 {
			d.Verdict.Evidence = append(d.Verdict.Evidence, fmt.Sprintf(n.what, n.n))
		}
	}
	return d, nil
}
