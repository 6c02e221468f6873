package format

import (
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Harnesses without tool calls read a command out of the model's text and give
// its output back as the next user message. The two are a call and its result
// all the same: parts of their own, so that they stay together and the output
// can be cleared. The command has no place, since it is part of a text.

// shellTool is what the tool of a command without a name is called.
const shellTool = "bash"

// callInText splits the one text of an item into what was said and the command.
func callInText(it *transcript.Item, said, script string) {
	at := slices.IndexFunc(it.Parts, func(p transcript.Part) bool { return p.Kind == transcript.Text })
	switch {
	case at < 0:
	case strings.TrimSpace(said) == "":
		it.Parts = slices.Delete(it.Parts, at, at+1)
	default:
		it.Parts[at].Text = said
	}
	it.Parts = append(it.Parts, transcript.Part{Kind: transcript.Call, Name: shellTool, Text: script})
}

// textCall reports whether an item holds a command in its text that waits for
// its output.
func textCall(it *transcript.Item) bool {
	return it.Role == transcript.Assistant && !it.Has(transcript.Result) &&
		slices.ContainsFunc(it.Parts, func(p transcript.Part) bool { return p.Kind == transcript.Call && p.End == 0 })
}

// fencedCommand splits a text at its only fenced block of a shell. A text with
// none or with several is an error to the harness, which runs nothing then.
// Cost: linear.
func fencedCommand(text string) (said, script string, ok bool) {
	from, to := 0, 0
	for at := 0; ; {
		i := strings.Index(text[at:], "```")
		if i < 0 {
			break
		}
		open := at + i
		mark, _, lined := strings.Cut(text[open+3:], "\n")
		at = open + 3 + len(mark)
		if name := strings.TrimSpace(mark); !lined || name != "bash" && name != "mswea_bash_command" {
			continue
		}
		end := strings.Index(text[at:], "\n```")
		if end < 0 {
			break
		}
		if ok {
			return "", "", false
		}
		ok, from, to = true, open, at+end+len("\n```")
		script = strings.TrimSpace(text[at : at+end])
		at = to
	}
	if !ok || script == "" {
		return "", "", false
	}
	return strings.TrimSpace(text[:from] + text[to:]), script, true
}
