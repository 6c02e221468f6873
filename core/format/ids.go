package format

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// ids makes the ids of new lines in a log: from the log, the plan and the place,
// so that the same input gives the same bytes. What stands for the log is its
// last line with the log's length: a log of 5 MB would take wasm 0.1 s to hash.
type ids struct {
	seed [sha256.Size]byte
	made uint64
}

func newIDs(src []byte, last *line, entries []transcript.Entry) *ids {
	h := sha256.New()
	number := func(n int) {
		h.Write(append(strconv.AppendInt(nil, int64(n), 10), ' '))
	}
	number(len(src))
	h.Write(src[last.start:last.end])
	for _, e := range entries {
		number(e.From)
		if e.New != nil {
			number(len(e.New.Raw))
			h.Write(e.New.Raw)
		}
	}
	d := &ids{}
	h.Sum(d.seed[:0])
	return d
}

// next are the bytes of the next id.
func (d *ids) next() [16]byte {
	d.made++
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(d.seed[:], d.made))
	return [16]byte(sum[:16])
}

// uuid is a random UUID by its form (version 4).
func (d *ids) uuid() string {
	b := d.next()
	return formUUID(b, 4)
}

// after is a UUID of version 7 that was made at the time of another one, whose
// first 48 bits hold that; where that is none, it is of no time at all.
func (d *ids) after(earlier string) string {
	b := d.next()
	copy(b[:6], make([]byte, 6))
	if at, err := hex.DecodeString(strings.ReplaceAll(earlier, "-", "")); err == nil && len(at) == len(b) {
		copy(b[:6], at)
	}
	return formUUID(b, 7)
}

func formUUID(b [16]byte, version byte) string {
	b[6], b[8] = b[6]&0x0F|version<<4, b[8]&0x3F|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// message is the id of an Anthropic message.
func (d *ids) message() string {
	b := d.next()
	return "msg_" + hex.EncodeToString(b[:12])
}
