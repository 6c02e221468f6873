package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What a harness puts into user messages. The Codex CLI's fragments stand in
// every format, since its sessions are carried from one to another.

// marker is the frame of a fragment: a text that, trimmed, begins and ends so.
type marker struct {
	start, end string
	exact      bool // case matters
	context    bool // initial context, not just a fragment
}

func markers() []marker {
	return []marker{
		{"# AGENTS.md instructions", "</INSTRUCTIONS>", false, true},
		{"<environment_context>", "</environment_context>", false, true},
		{"<skill>", "</skill>", false, false},
		{"<user_shell_command>", "</user_shell_command>", false, false},
		{"<turn_aborted>", "</turn_aborted>", false, false},
		{"<subagent_notification>", "</subagent_notification>", false, false},
		{"<recommended_plugins>", "</recommended_plugins>", false, false},
		{"<goal_context>", "</goal_context>", true, false},
	}
}

// fragment reports whether a text is a contextual fragment, and which kind of
// initial context it is, "" if none. Cost: that of trimming.
func fragment(text string) (kind string, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || !strings.ContainsRune("#<W", rune(text[0])) && text[0] != 'w' {
		return "", false
	}
	for _, m := range markers() {
		if !framed(text, m.start, m.end, m.exact) {
			continue
		}
		if m.context {
			return m.start, true
		}
		return "", true
	}
	return "", external(text) || internalContext(text) || hookPrompt(text) || legacyWarning(text)
}

func framed(text, start, end string, exact bool) bool {
	if len(text) < len(start)+len(end) {
		return false
	}
	head, tail := text[:len(start)], text[len(text)-len(end):]
	if exact {
		return head == start && tail == end
	}
	return equalFold(head, start) && equalFold(tail, end)
}

// equalFold compares without regard to the case of ASCII letters only.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// external is <external_NAME>…</external_NAME>, both names equal.
func external(text string) bool {
	rest, ok := strings.CutPrefix(text, "<external_")
	if !ok {
		return false
	}
	name, _, ok := strings.Cut(rest, ">")
	return ok && name != "" && !strings.ContainsAny(name, " <\n") &&
		framed(text, "<external_"+name+">", "</external_"+name+">", true)
}

// internalContext is <codex_internal_context source="…"> with a source.
func internalContext(text string) bool {
	rest, ok := strings.CutPrefix(text, `<codex_internal_context source="`)
	if !ok || !strings.HasSuffix(text, "</codex_internal_context>") {
		return false
	}
	source, after, ok := strings.Cut(rest, `"`)
	return ok && source != "" && !strings.ContainsAny(source, "<> \n") && strings.HasPrefix(after, ">")
}

// hookPrompt is <hook_prompt hook_run_id="…">…</hook_prompt> with an id that is
// not blank.
func hookPrompt(text string) bool {
	rest, ok := strings.CutPrefix(text, "<hook_prompt")
	if !ok || !strings.HasSuffix(text, "</hook_prompt>") {
		return false
	}
	attributes, _, ok := strings.Cut(rest, ">")
	_, id, found := strings.Cut(attributes, "hook_run_id=")
	if !ok || !found || len(id) < 2 || id[0] != '"' && id[0] != '\'' {
		return false
	}
	id, _, ok = strings.Cut(id[1:], id[:1])
	return ok && strings.TrimSpace(id) != ""
}

// legacyWarning is one of three warnings that older versions of the CLI wrote
// as user messages, known by the words that only they have. The longest is
// below 300 bytes.
func legacyWarning(text string) bool {
	if len(text) > 400 || !framed(text, "Warning: ", "", false) {
		return false
	}
	has := func(words ...string) bool {
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	}
	return has("number of unified exec processes") || has("apply_patch was requested via", "exec_command") ||
		has("high-risk cyber activity", "fallback")
}

// contextKind is the kind of a developer message: the start marker of the
// fragment that it is, else the tag that it opens with, else the text.
func contextKind(text string) string {
	if kind, _ := fragment(text); kind != "" {
		return kind
	}
	text = strings.TrimSpace(text)
	if tag := openingTag(text); tag != "" {
		return tag
	}
	if text == "" {
		return string(transcript.Developer)
	}
	return text
}

// tagBytes is how long an opening tag may be: that of Codex are below 60.
const tagBytes = 120

// openingTag is the tag that a text begins with, without its attributes, whose
// values may change from turn to turn: "<permissions instructions>", "<env>".
func openingTag(text string) string {
	if len(text) < 3 || text[0] != '<' || text[1] == '/' || text[1] == '!' {
		return ""
	}
	end := strings.IndexByte(text[:min(len(text), tagBytes)], '>')
	if end < 2 || strings.ContainsAny(text[1:end], "<\n") || text[1] == ' ' {
		return ""
	}
	tag := text[1:end]
	if i := strings.IndexByte(tag, '='); i >= 0 {
		tag = tag[:i]
		tag = strings.TrimRight(tag[:strings.LastIndexByte(tag, ' ')+1], " ")
	}
	if tag = strings.TrimRight(tag, "/ "); tag == "" {
		return ""
	}
	return "<" + tag + ">"
}

// mark says of a message who wrote it: initial context, a harness or a person.
// A message with one such part is the harness's as a whole, whatever else it says.
func mark(it *transcript.Item) {
	switch it.Role {
	case transcript.Developer:
		it.Context = contextKind(it.Text())
	case transcript.User:
		hook, other := false, false
		for i := range it.Parts {
			if it.Parts[i].Kind != transcript.Text {
				other = true
				continue
			}
			kind, ok := fragment(it.Parts[i].Text)
			it.Fragment = it.Fragment || ok
			hook, other = hook || ok && hookPrompt(strings.TrimSpace(it.Parts[i].Text)), other || !ok
			if it.Context == "" {
				it.Context = kind
			}
		}
		it.Hook = hook && !other
	default:
	}
}

// wrappers are the tags in which Claude Code puts what it says itself in the
// user's name.
func wrappers() []string {
	return []string{
		"system-reminder", "command-name", "command-message", "command-args", "command-contents",
		"local-command-stdout", "local-command-stderr", "local-command-caveat", "user-prompt-submit-hook", "task-notification",
	}
}

// wrapped reports whether a text is nothing but such tags, or the note that a
// request was interrupted. Cost: linear.
func wrapped(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[Request interrupted by user") && strings.HasSuffix(text, "]") && len(text) < 80 {
		return true
	}
	for text != "" {
		rest, ok := cutWrapper(text)
		if !ok {
			return false
		}
		if text = strings.TrimSpace(rest); text == "" {
			return true
		}
	}
	return false
}

// cutWrapper cuts the wrapper off that a text begins with.
func cutWrapper(text string) (rest string, ok bool) {
	for _, name := range wrappers() {
		if strings.HasPrefix(text, "<"+name+">") {
			_, rest, ok = strings.Cut(text, "</"+name+">")
			return rest, ok
		}
	}
	return "", false
}
