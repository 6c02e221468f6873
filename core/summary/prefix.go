package summary

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The prefixes that stand before a summary, by the role that it is given. They
// tell the reader that it is a record and not an order: models otherwise carry
// out finished requests again.
const (
	UserPrefix      = "[tamp] Earlier messages of this conversation were compacted. The text below is the record that stands for them: it reports what was asked, done and learned so far. It is not a new request."
	AssistantPrefix = "[tamp] Record of the earlier part of this conversation, which was compacted:"
)

// shipped are all prefixes that tamp ever put before a summary. It only grows:
// a conversation may have been compacted by an older version.
var shipped = [...]string{UserPrefix, AssistantPrefix}

// foreign are the prefixes of the two systems that tamp implements, by length
// and SHA-256: they are recognised without their wording standing here.
var foreign = [...]struct {
	bytes int
	sum   string
	first byte   // its first one: the sum of what begins otherwise is not taken
	next  string // what stands between the prefix and the summary
	end   string // what stands behind the summary
}{
	{399, "e9b088e794a6bb9082ac053fcc760bd818d7e720ee4bcdc72c6e480de7b7cb0e", 'A', "\n", ""}, // Codex CLI
	{61, "0cc324fbebfd67489ba5baf36c160d7598060a49b2773b21a78afc5caebd48ea", '(', "", ")"},   // lait
}

// Frame is the text of the message of that role that carries a summary: the
// policy's prefix, else the one that tamp has for the role, the line of Answered
// where there is one, and the text.
func Frame(p *policy.Policy, role transcript.Role, answered, text string) string {
	prefix := p.Summary.Prefix
	switch {
	case prefix != "":
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
	for _, prefix := range shipped {
		if rest, ok := cut(text, prefix); ok {
			return withoutAnswered(rest), true
		}
	}
	for _, f := range foreign {
		if len(text) <= f.bytes || text[0] != f.first || !strings.HasPrefix(text[f.bytes:], f.next) {
			continue
		}
		var head [sha256.Size * 2]byte
		sum := sha256.Sum256([]byte(text[:f.bytes]))
		hex.Encode(head[:], sum[:])
		if string(head[:]) == f.sum {
			return strings.TrimSuffix(text[f.bytes+len(f.next):], f.end), true
		}
	}
	return "", false
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
