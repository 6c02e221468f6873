package tokens

import "bytes"

// base64Text is a base64 payload, read in place: the size of a picture stands
// in a few bytes of what may be megabytes.
type base64Text []byte

// at is byte i of what the payload encodes.
func (t base64Text) at(i int) (byte, bool) {
	var v [4]byte
	g := i / 3 * 4
	for k := range v {
		if g+k >= len(t) || t[g+k] == '=' {
			if k < i%3+2 {
				return 0, false
			}
			break
		}
		x, ok := sextet(t[g+k])
		if !ok {
			return 0, false
		}
		v[k] = x
	}
	switch i % 3 {
	case 0:
		return v[0]<<2 | v[1]>>4, true
	case 1:
		return v[1]<<4 | v[2]>>2, true
	}
	return v[2]<<6 | v[3], true
}

func sextet(b byte) (byte, bool) {
	switch {
	case b >= 'A' && b <= 'Z':
		return b - 'A', true
	case b >= 'a' && b <= 'z':
		return b - 'a' + 26, true
	case b >= '0' && b <= '9':
		return b - '0' + 52, true
	case b == '+' || b == '-':
		return 62, true
	case b == '/' || b == '_':
		return 63, true
	}
	return 0, false
}

// header reads numbers from a payload; bad is set by the first byte that is
// not there.
type header struct {
	t   base64Text
	bad bool
}

func (h *header) byte(i int) int64 {
	b, ok := h.t.at(i)
	if !ok {
		h.bad = true
	}
	return int64(b)
}

func (h *header) big(i, n int) (v int64) {
	for k := range n {
		v = v<<8 | h.byte(i+k)
	}
	return v
}

func (h *header) little(i, n int) (v int64) {
	for k := n - 1; k >= 0; k-- {
		v = v<<8 | h.byte(i+k)
	}
	return v
}

func (h *header) has(i int, magic string) bool {
	for k := range len(magic) {
		if b, ok := h.t.at(i + k); !ok || b != magic[k] {
			return false
		}
	}
	return true
}

// imageSize is the size in pixels of a PNG, GIF, WebP or JPEG, from its header.
// Cost: constant, for JPEG linear in the number of its segments.
func imageSize(payload []byte) (w, h int64, ok bool) {
	if bytes.IndexByte(payload, '\\') >= 0 {
		payload = bytes.ReplaceAll(payload, []byte(`\/`), []byte(`/`))
	}
	d := &header{t: payload}
	switch {
	case d.has(0, "\x89PNG\r\n\x1a\n"):
		w, h = d.big(16, 4), d.big(20, 4)
	case d.has(0, "GIF8"):
		w, h = d.little(6, 2), d.little(8, 2)
	case d.has(0, "RIFF") && d.has(8, "WEBP"):
		w, h = webpSize(d)
	case d.has(0, "\xff\xd8\xff"):
		w, h = jpegSize(d)
	}
	if d.bad || w <= 0 || h <= 0 {
		return 0, 0, false
	}
	return w, h, true
}

func webpSize(d *header) (w, h int64) {
	switch {
	case d.has(12, "VP8 "):
		return d.little(26, 2) & 0x3FFF, d.little(28, 2) & 0x3FFF
	case d.has(12, "VP8L"):
		bits := d.little(21, 4)
		return bits&0x3FFF + 1, bits>>14&0x3FFF + 1
	case d.has(12, "VP8X"):
		return d.little(24, 3) + 1, d.little(27, 3) + 1
	}
	return 0, 0
}

// jpegSize walks the segments to the first that starts a frame.
func jpegSize(d *header) (w, h int64) {
	for i := 2; !d.bad; {
		marker := d.big(i, 2)
		switch {
		case marker == 0xFFFF: // padding
			i++
			continue
		case marker < 0xFFC0:
			return 0, 0
		case marker <= 0xFFCF && marker != 0xFFC4 && marker != 0xFFC8 && marker != 0xFFCC:
			return d.big(i+7, 2), d.big(i+5, 2)
		case marker == 0xFFD9 || marker == 0xFFDA: // the picture itself: too late
			return 0, 0
		}
		i += 2 + int(d.big(i+2, 2))
	}
	return 0, 0
}
