package format

import (
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// OpenCode sessions, as `opencode export` and its server write them: messages
// {info, parts}. A tool part holds the call and its result. What weighs most in
// them (whole files in info.summary.diffs, state.metadata) is never sent.
//
// An export holds all of a session, the messages before its last compaction
// included, which OpenCode sends no more. They are items all the same: whoever
// compacts an export gives it to a session that begins with what is left.

func opencodeFormat() *format {
	rules := harnessRefusals()
	return &format{
		Info: Info{
			Name: "opencode", Title: "OpenCode session", Provider: rules.Provider,
			Shapes: []string{shapeRequest, shapeArray}, Write: "edit",
		},
		family:  transcript.Chat,
		rules:   rules,
		members: []string{"messages"},
		holds:   opencodeHolder,
		item:    opencodeMessage,
		sniff:   sniffOpencode,
		decode:  decodeOpencode,
	}
}

// opencodeMessage reports whether e is a message with its parts.
func opencodeMessage(e value) bool {
	return e.Get("info").Get("role").Is(rawjson.String) && e.Get("parts").Is(rawjson.Array)
}

// opencodeHolder: an export has the session's info beside its messages.
func opencodeHolder(o object) (member, sign string) {
	info, messages := o.Get("info"), o.get("messages")
	if !info.Is(rawjson.Object) || !messages.Is(rawjson.Array) {
		return "", ""
	}
	for e := range messages.Elems() {
		if opencodeMessage(value{e, messages.base}) {
			return "messages", "it has info, and messages with info and parts"
		}
		return "", ""
	}
	if strings.HasPrefix(info.Get("id").Text(), "ses_") {
		return "messages", "it has messages, and its info is of a session"
	}
	return "", ""
}

func sniffOpencode(s *sample) finding {
	return s.signs(func(e value) string {
		if opencodeMessage(e) {
			return "info and parts"
		}
		return ""
	})
}

func decodeOpencode(s *sample, _ *format, opt Options) (*Document, error) {
	items, err := s.decodeSome(readOpencode, func(v value) bool { return opencodeUnsent(v.Value) })
	if err != nil {
		return nil, err
	}
	session := newOpencodeSession(s, opt)
	c := &opencodeCodec{list: s.list, session: session}
	c.marks()
	t := &transcript.Transcript{Writer: opencodeWriter(session), Model: session.model()}
	c.file = &transcript.Transcript{Items: items}
	t.Items = c.ordered(items)
	d := &Document{Transcript: t, codec: c}
	if n := c.compactions(); n > 0 {
		d.Verdict.Evidence = append(d.Verdict.Evidence, fmt.Sprintf("compactions: %d, and OpenCode sends what stands before the last one no more", n))
	}
	return d, nil
}

// opencodeUnsent reports whether OpenCode never sends a message: one without
// parts, one that only asks for a compaction (it becomes a fixed question before
// the summary), and an answer that failed, unless it was aborted with something
// to show.
func opencodeUnsent(v rawjson.Value) bool {
	info, parts := v.Get("info"), v.Get("parts")
	if !info.Get("role").Is(rawjson.String) || !parts.Is(rawjson.Array) {
		return false // readOpencode tells what is wrong
	}
	only, something := true, false
	for p := range parts.Elems() {
		switch p.Get("type").Text() {
		case "compaction":
		case "step-start", "reasoning":
			only = false
		default:
			only, something = false, true
		}
	}
	switch info.Get("role").Text() {
	case "user":
		return only
	case "assistant":
		failed := info.Get("error")
		if !failed.Exists() || failed.Is(rawjson.Null) {
			return parts.Len() == 0
		}
		return failed.Get("name").Text() != "MessageAbortedError" || !something
	}
	return parts.Len() == 0
}

// opencodeRequest reports whether a message asks for a compaction, and nothing
// else.
func opencodeRequest(v rawjson.Value) bool {
	return v.Get("info").Get("role").Text() == "user" && v.Get("parts").Len() > 0 && opencodeUnsent(v)
}

// opencodeSummary reports whether a message is the summary of a compaction. The
// info of a user message has a summary too: an object, of what changed.
func opencodeSummary(v rawjson.Value) bool {
	return v.Get("info").Get("summary").Bool()
}
