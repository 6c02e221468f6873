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
// outputs are objects wrap it ({"type":"text","value":"..."}). placeholderTail is
// how much may stand behind it: the end of such an object, or what a harness adds
// to an output (an exit code, a directory).
const (
	placeholderHead = 100
	placeholderTail = 400
)

// IsPlaceholder reports whether a result, an input or a text in the place of
// media was cleared before, by this version or an older one. It is known by its
// whole form: a tool may give a text that only begins as one. Cost: that of the
// text's first bytes.
func IsPlaceholder(text string) bool {
	head := strings.TrimLeft(text[:min(len(text), placeholderHead)], " \t\r\n")
	if head == "" {
		return false
	}
	var at int // behind the opening
	switch {
	case strings.HasPrefix(head, "{") && strings.HasPrefix(strings.TrimLeft(head[1:], " \t\r\n"), clearedKey):
		at = strings.Index(text, clearedKey) + len(clearedKey)
		rest := strings.TrimLeft(text[at:min(len(text), at+placeholderTail)], ": \t\r\n")
		rest, quoted := strings.CutPrefix(rest, `"`)
		end, ok := cutCount(rest, " tokens")
		return quoted && ok && strings.HasPrefix(end, `"`) && len(text)-at <= placeholderTail
	case strings.HasPrefix(head, clearedOpening), strings.ContainsRune(`{["`, rune(head[0])) && strings.Contains(head, clearedOpening):
		at = strings.Index(text, clearedOpening) + len(clearedOpening)
	default:
		return false
	}
	end, ok := cutCleared(text[at:min(len(text), at+maxName+placeholderTail)])
	return ok && len(text)-at-maxName <= placeholderTail && (end == "" || strings.ContainsRune("\"\r\n \t", rune(end[0])))
}

// cutCleared cuts what was cleared off, with its size: "name, 5 tokens", "image, 3
// KB", and a kind of media alone.
func cutCleared(text string) (rest string, ok bool) {
	n := 0
	for n < len(text) && n < maxName && plainName(text[n:n+1]) {
		n++
	}
	name := text[:n]
	if rest, ok := strings.CutPrefix(text, "tool result"); ok {
		name, n = "tool", len(text)-len(rest)
	}
	if sized, ok := strings.CutPrefix(text[n:], ", "); ok && name != "" {
		for _, unit := range []string{" tokens", " KB"} {
			if rest, ok := cutCount(sized, unit); ok {
				return rest, true
			}
		}
	}
	for _, kind := range []transcript.PartKind{transcript.Image, transcript.Audio, transcript.File} {
		if name == kind.String() {
			return text[n:], true
		}
	}
	return "", false
}

// cutCount cuts a number and its unit off.
func cutCount(text, unit string) (rest string, ok bool) {
	digits := strings.TrimLeft(text, "0123456789")
	rest, ok = strings.CutPrefix(digits, unit)
	return rest, ok && len(digits) < len(text)
}
