package compact

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// A placeholder is known again by its whole form, also within an output that is an
// object, and nothing else is.
func TestPlaceholders(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{clearedResult("read_file", 5), "[tamp] cleared: read_file, 5 tokens"},
		{clearedResult("", 5), "[tamp] cleared: tool result, 5 tokens"},
		{clearedResult("a\"\n]", 5), "[tamp] cleared: tool result, 5 tokens"},
		{clearedResult(out(65), 5), "[tamp] cleared: tool result, 5 tokens"},
		{clearedResult(out(64), 5), "[tamp] cleared: " + out(64) + ", 5 tokens"},
		{clearedInput(12), `{"tamp_cleared":"12 tokens"}`},
		{clearedMedia(&transcript.Part{Kind: transcript.Image, Bytes: 4000}, 85), "[tamp] cleared: image, 3 KB"}, // 4,000 characters of base64 are 3,000 bytes
		{clearedMedia(&transcript.Part{Kind: transcript.Audio, Bytes: 4}, 85), "[tamp] cleared: audio, 1 KB"},
		{clearedMedia(&transcript.Part{Kind: transcript.Image}, 85), "[tamp] cleared: image"},
		{clearedMedia(&transcript.Part{Kind: transcript.File, Text: "pages"}, 85), "[tamp] cleared: file, 85 tokens"},
	} {
		if c.got != c.want || !IsPlaceholder(c.got) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	for text, want := range map[string]bool{
		"": false, "{}": false, "[tamp] cleared": false, "see [tamp] cleared: x, 5 tokens": false, `{"note":"tamp_cleared"}`: false,
		` {"result":"[tamp] cleared: x, 5 tokens"}`: true, `"[tamp] cleared: x, 5 tokens"`: true, `{"type":"text","value":"[tamp] cleared: tool result, 5 tokens","n":1}`: true,
		`{"a":"` + out(100) + `[tamp] cleared: x, 5 tokens"}`:              false,
		"[tamp] cleared: x, 5 tokens\n[Command finished with exit code 0]": true, // what a harness adds
		"[tamp] cleared: x":                                                      false, // no size, and no media
		"[tamp] cleared: image":                                                  true,
		"[tamp] cleared: images, 3 KB":                                           true, // a tool may have that name
		"[tamp] cleared: the cache, 5 keys":                                      false,
		"[tamp] cleared: x, 5 tokens were":                                       true, // so short that nothing is lost
		"[tamp] cleared: x, 5 tokensx":                                           false,
		"[tamp] cleared: x, tokens":                                              false,
		"[tamp] cleared: " + out(65) + ", 5 tokens":                              false, // longer than a name that is repeated
		"[tamp] cleared: x, 5 tokens\n" + strings.Repeat("a genuine line\n", 40): false,
		`{"tamp_cleared": "5 tokens" }`:                                          true,
		`{"tamp_cleared":true,"text":"of a tool's own"}`:                         false,
		`{"tamp_cleared":"5 tokens","text":"` + out(500) + `"}`:                  false,
	} {
		if IsPlaceholder(text) != want {
			t.Errorf("%q is a placeholder: %v", text, !want)
		}
	}
}
