package compact

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What stands in the place of what was cleared: one short line that says what
// was there. It costs its tokens once for each item, about 12, so it is ASCII and
// of no language but the engine's own. Opening and key tell a later pass what is
// cleared already: a new wording is added to IsPlaceholder, the old ones stay.
const (
	clearedOpening = "[tamp] cleared: "
	clearedKey     = `"tamp_cleared"`
)

// clearedResult stands for a tool's output of n tokens.
func clearedResult(tool string, n int) string {
	if !plainName(tool) {
		tool = "tool result"
	}
	return clearedOpening + tool + ", " + strconv.Itoa(n) + " tokens"
}

// clearedInput stands for a call's input of n tokens. Inputs are JSON objects.
func clearedInput(n int) string {
	return `{` + clearedKey + `:"` + strconv.Itoa(n) + ` tokens"}`
}

// clearedMedia stands for a picture, sound or file: its kind, and its size where
// the transcript holds it.
func clearedMedia(p *transcript.Part, n int) string {
	text := clearedOpening + p.Kind.String()
	switch {
	case p.Bytes > 0:
		return text + ", " + strconv.Itoa((p.Bytes/4*3+999)/1000) + " KB"
	case p.Text != "": // a document that came as its text
		return text + ", " + strconv.Itoa(n) + " tokens"
	}
	return text
}

// maxName is the longest tool name that is repeated in a placeholder; providers
// allow 64 characters, and a longer one would make the placeholder cost more
// than what it says.
const maxName = 64

func plainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && !strings.ContainsRune("_-.:/", rune(c)) {
			return false
		}
	}
	return s != "" && len(s) <= maxName
}

// placeholderHead is how far into a text its opening may stand: formats whose
// outputs are objects wrap it ({"type":"text","value":"..."}).
const placeholderHead = 100

// IsPlaceholder reports whether a result, an input or a text in the place of
// media was cleared before, by this version or an older one.
func IsPlaceholder(text string) bool {
	head := strings.TrimLeft(text[:min(len(text), placeholderHead)], " \t\r\n")
	switch {
	case strings.HasPrefix(head, clearedOpening):
		return true
	case strings.HasPrefix(head, "{") && strings.HasPrefix(strings.TrimLeft(head[1:], " \t\r\n"), clearedKey):
		return true
	}
	return head != "" && strings.ContainsRune(`{["`, rune(head[0])) && strings.Contains(head, clearedOpening)
}
