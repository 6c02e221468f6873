package tokens

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

func png(w, h uint32) []byte {
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"), make([]byte, 40)...)
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	return b
}

func gif(w, h uint16) []byte {
	b := append([]byte("GIF89a"), make([]byte, 20)...)
	binary.LittleEndian.PutUint16(b[6:], w)
	binary.LittleEndian.PutUint16(b[8:], h)
	return b
}

// jpeg has segments of the given sizes before the frame.
func jpeg(w, h uint16, before ...int) []byte {
	b := []byte{0xFF, 0xD8}
	for _, n := range before {
		b = append(b, 0xFF, 0xE1, byte((n+2)>>8), byte(n+2))
		b = append(b, make([]byte, n)...)
	}
	b = append(b, 0xFF, 0xFF, 0xC2, 0, 17, 8, byte(h>>8), byte(h), byte(w>>8), byte(w)) // one byte of padding
	return append(b, make([]byte, 20)...)
}

func webp(kind string, tail ...byte) []byte {
	b := append([]byte("RIFF\x00\x00\x00\x00WEBP"+kind+"\x00\x00\x00\x00"), tail...)
	return append(b, make([]byte, 20)...)
}

func TestImageSize(t *testing.T) {
	for _, x := range []struct {
		name string
		data []byte
		w, h int64
	}{
		{"png", png(2304, 864), 2304, 864},
		{"png without size", png(0, 5), 0, 0},
		{"gif", gif(320, 200), 320, 200},
		{"jpeg", jpeg(1920, 1080), 1920, 1080},
		{"jpeg behind segments", jpeg(33, 44, 10, 5000, 61), 33, 44},
		{"jpeg cut off", jpeg(33, 44, 10)[:14], 0, 0},
		{"webp lossy", webp("VP8 ", 0, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0xE0, 0x01), 640, 480},
		// 14 bits each of width-1 and height-1: 639 | 479<<14
		{"webp lossless", webp("VP8L", 0x2F, 0x7F, 0xC2, 0x77, 0x00), 640, 480},
		{"webp extended", webp("VP8X", 0, 0, 0, 0, 0x7F, 0x02, 0, 0xDF, 0x01, 0), 640, 480},
		{"no picture", []byte("hello, this is no picture at all"), 0, 0},
		{"nothing", nil, 0, 0},
	} {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			w, h, ok := imageSize([]byte(e.EncodeToString(x.data)))
			if w != x.w || h != x.h || ok != (x.w > 0) {
				t.Errorf("%s: %d x %d %v, want %d x %d", x.name, w, h, ok, x.w, x.h)
			}
		}
	}
}

func TestBase64AtIsDecoding(t *testing.T) {
	for n := range 12 {
		data := []byte("\x00\xff\x10abcdefg\x80z")[:n]
		text := base64Text(base64.StdEncoding.EncodeToString(data))
		for i := range n + 4 {
			b, ok := text.at(i)
			if ok != (i < n) || ok && b != data[i] {
				t.Errorf("%d bytes: byte %d is %#x %v", n, i, b, ok)
			}
		}
	}
}

// picture is a message with an inline picture.
func picture(data []byte, detail string) transcript.Item {
	payload := base64.StdEncoding.EncodeToString(data)
	part := `{"type":"input_image","image_url":"data:image/png;base64,` + payload + `"}`
	raw := `{"type":"message","role":"user","content":[` + part + `]}`
	start := strings.Index(raw, part)
	return transcript.Item{Raw: []byte(raw), Type: "message", Role: transcript.User, Parts: []transcript.Part{
		{Kind: transcript.Image, Bytes: len(payload), Detail: detail, Start: start, End: start + len(part)},
	}}
}

func TestImageTokens(t *testing.T) {
	for _, x := range []struct {
		w, h   uint32
		detail string
		want   int
	}{
		// OpenAI's own examples for gpt-4o
		{1024, 1024, "high", 765},
		{2048, 4096, "high", 1105},
		{4096, 8192, "low", 85},
		{512, 512, "auto", 85 + 170},
		{513, 512, "", 85 + 2*170},
		{100_000, 1, "", 85 + 4*170}, // fitted into 2,048: four tiles in a row
		{0, 0, "", 765},              // unknown: as 1,024 by 1,024
	} {
		it := picture(png(x.w, x.h), x.detail)
		if got := imageTokens(&it, &it.Parts[0], Estimate()); got != x.want {
			t.Errorf("%d x %d %s: %d, want %d", x.w, x.h, x.detail, got, x.want)
		}
	}
	link := transcript.Item{Raw: []byte(`{"image_url":"https://example.com/a.png"}`), Parts: []transcript.Part{{Kind: transcript.Image, End: 40}}}
	if got := imageTokens(&link, &link.Parts[0], Estimate()); got != 765 {
		t.Errorf("link: %d, want 765", got)
	}
}

func TestImageBytes(t *testing.T) {
	for _, x := range []struct {
		data   []byte
		detail string
		want   int
	}{
		{png(2304, 864), "original", 4 * 72 * 27}, // 1,944 patches
		{png(2304, 864), "high", 7373},
		{png(2304, 864), "", 7373},
		{png(33, 32), "original", 4 * 2},
		{png(100_000, 100_000), "original", 4 * 10_000},
		{png(1<<32-1, 1<<32-1), "original", 4 * 10_000},
		{[]byte("broken"), "original", 7373},
	} {
		it := picture(x.data, x.detail)
		if got := imageBytes(&it, &it.Parts[0]); got != x.want {
			t.Errorf("%q: %d, want %d", x.detail, got, x.want)
		}
	}
}

func TestPayload(t *testing.T) {
	it := picture(png(0xFFFF, 10), "original") // a payload with slashes in it
	p := &it.Parts[0]
	base64, whole := payload(&it, p)
	if len(base64) != p.Bytes || whole != p.Bytes+len("data:image/png;base64,") {
		t.Errorf("%d and %d for a payload of %d", len(base64), whole, p.Bytes)
	}
	it.Raw = []byte(strings.ReplaceAll(string(it.Raw), "/", `\/`))
	p.End = len(it.Raw) - 2
	if base64, _ = payload(&it, p); !strings.Contains(string(base64), `\/`) {
		t.Fatalf("no escaped slash in %q", base64)
	}
	if w, h, ok := imageSize(base64); w != 0xFFFF || h != 10 || !ok {
		t.Errorf("with escaped slashes: %d x %d", w, h)
	}
	for _, place := range [][2]int{{0, 0}, {-1, 5}, {5, 1 << 20}, {9, 3}} {
		p.Start, p.End = place[0], place[1]
		if b, whole := payload(&it, p); b != nil || whole != p.Bytes {
			t.Errorf("place %v: %q, %d", place, b, whole)
		}
	}
}
