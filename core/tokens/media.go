package tokens

import (
	"bytes"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What Codex counts, in bytes.
const (
	codexImage     = 7373   // an inline picture: 1,844 tokens
	codexPatch     = 32     // pixels of a side, for detail "original"
	codexPatchMost = 10_000 // patches
	codexSeal      = 650    // of encrypted bytes: what is not the model's text
)

// What OpenAI's tile models (gpt-4o, gpt-4.1) count, in tokens: a base and so
// much for each tile of 512 pixels, after the picture was fitted into 2,048 by
// 2,048 and its shorter side brought down to 768.
const (
	tileBase  = 85
	tile      = 170
	tileSide  = 512
	tileLong  = 2048
	tileShort = 768
	// imageUnknown is a picture of unknown size (a link): 1,024 by 1,024.
	imageUnknown = tileBase + 4*tile
)

// audioBytesPerToken: 10 tokens a second, at the 16 KB/s of a 128 kbit/s
// recording. Uncompressed sound counts three times too much, which is the safe
// side.
const audioBytesPerToken = 1600

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

// imageTokens is the estimate of a picture.
func imageTokens(it *transcript.Item, p *transcript.Part) int {
	if p.Detail == "low" {
		return tileBase
	}
	base64, _ := payload(it, p)
	w, h, ok := imageSize(base64)
	if !ok {
		return imageUnknown
	}
	// The picture is scaled by num/den, the smallest of 1, 2048/longer side and
	// 768/shorter side.
	num, den := int64(1), int64(1)
	if long := max(w, h); long > tileLong {
		num, den = tileLong, long
	}
	if short := min(w, h); short*num > tileShort*den {
		num, den = tileShort, short
	}
	return tileBase + tile*int(over(w*num, tileSide*den)*over(h*num, tileSide*den))
}

// over is a/b, rounded up.
func over(a, b int64) int64 { return (a + b - 1) / b }
