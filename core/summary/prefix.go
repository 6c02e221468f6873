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
	next  string // what stands between the prefix and the summary
	end   string // what stands behind the summary
}{
	{399, "e9b088e794a6bb9082ac053fcc760bd818d7e720ee4bcdc72c6e480de7b7cb0e", "\n", ""}, // Codex CLI
	{61, "0cc324fbebfd67489ba5baf36c160d7598060a49b2773b21a78afc5caebd48ea", "", ")"},   // lait
}

// Prefix is what the policy puts before a summary of that role.
func Prefix(p *policy.Policy) string {
	switch {
	case p.Summary.Prefix != "":
		return p.Summary.Prefix
	case p.Summary.Role == string(transcript.Assistant):
		return AssistantPrefix
	}
	return UserPrefix
}

// Frame is the text of the message that carries a summary.
func Frame(p *policy.Policy, text string) string {
	return Prefix(p) + "\n" + text
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
			return rest, true
		}
	}
	for _, f := range foreign {
		if len(text) <= f.bytes || !strings.HasPrefix(text[f.bytes:], f.next) {
			continue
		}
		if sum := sha256.Sum256([]byte(text[:f.bytes])); hex.EncodeToString(sum[:]) == f.sum {
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
	if !ok || rest != "" && rest[0] != '\n' {
		return "", false
	}
	return strings.TrimPrefix(rest, "\n"), true
}

// Mark finds the earlier summaries among the messages of users and models: by
// prefix, beside those that the format marked itself. Cost: one look at the
// start of each message.
func Mark(p *policy.Policy, t *transcript.Transcript) {
	for i := range t.Items {
		it := &t.Items[i]
		if it.Summary || it.Role != transcript.User && it.Role != transcript.Assistant || it.Has(transcript.Call, transcript.Result) {
			continue
		}
		for j := range it.Parts {
			if it.Parts[j].Kind == transcript.Text {
				_, it.Summary = Strip(p, it.Parts[j].Text)
				break
			}
		}
	}
}

// Earlier is the texts of the earlier summaries, oldest first, without their
// prefixes. Opaque ones, that only their provider can read, are not among them.
func Earlier(p *policy.Policy, t *transcript.Transcript) []string {
	var out []string
	for i := range t.Items {
		if !t.Items[i].Summary {
			continue
		}
		text := t.Items[i].Text()
		if rest, ok := Strip(p, text); ok {
			text = rest
		}
		if strings.TrimSpace(text) != "" {
			out = append(out, text)
		}
	}
	return out
}
