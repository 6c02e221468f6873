package tokens

import (
	"bytes"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What Codex counts, in bytes.
const (
	codexImage     = 7373   // an inline picture: 1,844 tokens
	codexPatch     = 32     // pixels of a side, for detail "original"
	codexPatchMost = 10_000 // patches
	codexSeal      = 650    // of encrypted bytes: what is not the model's text
)

// audioBytesPerToken: 10 tokens a second, at the 16 KB/s of a 128 kbit/s
// recording. Uncompressed sound counts three times too much, which is the safe
// side.
const audioBytesPerToken = 1600

// linked is what a file or sound counts that is named by a link or an id alone:
// the least that it can be. Gemini takes a page of a document for 258 tokens, and
// a second of a film for some more.
const linked = 258

// sealedBytes is what Codex takes n characters of encrypted reasoning for.
func sealedBytes(n int) int { return max(0, n/4*3+n%4*3/4-codexSeal) }

// decoded is the number of bytes that n characters of base64 hold.
func decoded(n int) int { return n/4*3 + n%4*3/4 }

// payload is the inline base64 of a media part: the longest string of the
// part's bytes, behind the head of its data URL. nil if there is none. whole is
// the length of that string with the head.
func payload(it *transcript.Item, p *transcript.Part) (base64 []byte, whole int) {
	if p.Bytes <= 0 || p.Start < 0 || p.End > len(it.Raw) || p.Start >= p.End {
		return nil, p.Bytes
	}
	s := longestString(it.Raw[p.Start:p.End])
	if len(s) < p.Bytes {
		return nil, p.Bytes
	}
	whole = len(s)
	if len(s) > 5 && bytes.EqualFold(s[:5], []byte("data:")) {
		if i := bytes.IndexByte(s, ','); i >= 0 {
			s = s[i+1:]
		}
	}
	return s, whole
}

// longestString is the longest JSON string in raw, without its quotes.
func longestString(raw []byte) (longest []byte) {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		start := i + 1
		for i = start; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		if end := min(i, len(raw)); end-start > len(longest) {
			longest = raw[start:end]
		}
	}
	return longest
}

// imageBytes is what Codex counts for an inline picture instead of its payload.
func imageBytes(it *transcript.Item, p *transcript.Part) int {
	if p.Detail != "original" {
		return codexImage
	}
	base64, _ := payload(it, p)
	w, h, ok := imageSize(base64)
	if !ok {
		return codexImage
	}
	patches := over(w, codexPatch) * over(h, codexPatch)
	return bytesPerToken * int(min(patches, codexPatchMost))
}

// imageTokens is a picture by the rule of c's model, else by gpt-4o's.
func imageTokens(it *transcript.Item, p *transcript.Part, c Counter) int {
	base64, _ := payload(it, p)
	return imageOf(base64, p.Detail, c)
}

func imageOf(base64 []byte, detail string, c Counter) int {
	rule := defaultImage()
	if m := modelOf(c); m != nil && m.Image != nil {
		rule = *m.Image
	}
	w, h, _ := imageSize(base64) // 0: unknown
	return rule.Tokens(w, h, detail)
}

func audioTokens(payload int) int {
	return (decoded(payload) + audioBytesPerToken - 1) / audioBytesPerToken
}

// rawTokens is JSON of which nothing is known, as text, but for the data URLs in
// it: those count as the media that they are. Cost: one pass.
func rawTokens(raw []byte, c Counter) int {
	n, kept := 0, 0
	var text []byte // nil: nothing was taken out
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		start := i + 1
		for i = start; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		end := min(i, len(raw))
		kind, base64 := dataURL(raw[start:end])
		if base64 == nil {
			continue
		}
		text = append(text, raw[kept:start]...)
		kept = end
		switch kind {
		case "image":
			n += imageOf(base64, "", c)
		case "audio":
			n += audioTokens(len(base64))
		default:
			n += quarter(decoded(len(base64)))
		}
	}
	if text == nil {
		return c.Count(string(raw))
	}
	return n + c.Count(string(append(text, raw[kept:]...)))
}

// dataURL is the kind of media ("image") and the payload of a JSON string that
// is a data URL in base64; nil if it is none.
func dataURL(s []byte) (kind string, base64 []byte) {
	const head = 200 // media type and parameters are never longer
	if len(s) < 5 || !bytes.EqualFold(s[:5], []byte("data:")) {
		return "", nil
	}
	comma := bytes.IndexByte(s[:min(len(s), head)], ',')
	if comma < 0 || !bytes.HasSuffix(bytes.ToLower(s[:comma]), []byte(";base64")) {
		return "", nil
	}
	kind, _, _ = strings.Cut(strings.ReplaceAll(string(s[5:comma]), `\`, ""), "/")
	return strings.ToLower(kind), s[comma+1:]
}
