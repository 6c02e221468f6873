package summary

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/prefixes"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The prefixes of transcript, where all that were ever shipped are known.
const (
	UserPrefix      = prefixes.User
	AssistantPrefix = prefixes.Assistant
	StrictPrefix    = prefixes.Strict
)

// Frame is the text of the message of that role that carries a summary: the
// policy's prefix, else the one that tamp has for the role, the line of Answered
// where there is one, and the text.
func Frame(p *policy.Policy, role transcript.Role, answered, text string) string {
	prefix := p.Summary.Prefix
	switch {
	case prefix != "":
	case role == transcript.Assistant && p.Strict:
		prefix = StrictPrefix
	case role == transcript.Assistant:
		prefix = AssistantPrefix
	default:
		prefix = UserPrefix
	}
	if answered != "" {
		answered += "\n"
	}
	return prefix + "\n" + answered + text
}

// Strip reports whether text is an earlier summary, by the policy's prefix, one
// that tamp ever shipped, or Codex's or lait's own, and gives what stands
// behind the prefix.
func Strip(p *policy.Policy, text string) (string, bool) {
	if rest, ok := cut(text, p.Summary.Prefix); ok {
		return rest, true
	}
	rest, own, ok := prefixes.Cut(text)
	if own {
		rest = withoutAnswered(rest)
	}
	return rest, ok
}

func cut(text, prefix string) (string, bool) {
	if prefix == "" {
		return "", false
	}
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return "", false
	}
	return strings.CutPrefix(rest, "\n")
}

// Mark finds the earlier summaries among the messages of users and models: by
// prefix, beside those that the format marked itself. A message that holds one
// beside another text or media (the two were joined, for a provider that refuses
// two messages of one role in a row) has only that part marked. Bridges are
// marked as nobody's words. Cost: one look at the start of each text.
func Mark(p *policy.Policy, t *transcript.Transcript) {
	for i := range t.Items {
		it := &t.Items[i]
		if it.Summary || it.Role != transcript.User && it.Role != transcript.Assistant || it.Has(transcript.Call, transcript.Result) {
			continue
		}
		if bridges(it) {
			it.Fragment = it.Role == transcript.User
			continue
		}
		found, first := -1, true
		for j := range it.Parts {
			part := &it.Parts[j]
			if part.Kind != transcript.Text {
				continue
			}
			_, ok := Strip(p, part.Text)
			if ok && (first || part.End > 0) {
				found = j
				break
			}
			first = false
		}
		switch {
		case found < 0:
		case len(it.Parts) > 1 && it.Parts[found].End > 0: // it can be told apart
			it.Parts[found].Summary = true
		default:
			it.Summary = true
		}
	}
}

// marked is the text that an item holds as an earlier summary: of one that
// holds other parts too, those that the format marks.
func marked(it *transcript.Item) string {
	if it.Summary {
		return it.Text()
	}
	var b strings.Builder
	for i := range it.Parts {
		if it.Parts[i].Summary {
			b.WriteString(it.Parts[i].Text)
		}
	}
	return b.String()
}

// Earlier is the texts of the earlier summaries, oldest first, without their
// prefixes. Opaque ones, that only their provider can read, are not among them.
func Earlier(p *policy.Policy, t *transcript.Transcript) []string {
	var out []string
	for i := range t.Items {
		if !t.Items[i].Summary && !t.Items[i].HoldsSummary() {
			continue
		}
		text := marked(&t.Items[i])
		if rest, ok := Strip(p, text); ok {
			text = rest
		}
		if strings.TrimSpace(text) != "" {
			out = append(out, text)
		}
	}
	return out
}
