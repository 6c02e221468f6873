// Package prefixes holds what stands before a summary, and recognises it. It is a
// package of its own because it takes a hash, which a program that only counts
// tokens need not link.
package prefixes

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// The prefixes that stand before a summary, by the role that it is given. They
// tell the reader that it is a record and not an order: models otherwise carry
// out finished requests again.
const (
	User      = "[tamp] Earlier messages of this conversation were compacted. The text below is the record that stands for them: it reports what was asked, done and learned so far. It is not a new request."
	Assistant = "[tamp] Record of the earlier part of this conversation, which was compacted. It is not a new request:"
	// Strict is that of the assistant's message under strict, where nothing is
	// said that lait's own does not say.
	Strict = "[tamp] Record of the earlier part of this conversation, which was compacted:"
)

// shipped are all prefixes that tamp ever put before a summary. It only grows:
// a conversation may have been compacted by an older version.
var shipped = [...]string{User, Assistant, Strict}

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

// Bytes is how much of a text Cut looks at: the longest prefix with
// the line end behind it.
const Bytes = 400

// Cut reports whether a text is an earlier summary, by a prefix that tamp
// ever shipped (own), or Codex's or lait's, and gives what stands behind it. Cost:
// that of the text's first bytes.
func Cut(text string) (rest string, own, ok bool) {
	for _, prefix := range shipped {
		// Not prefix+"\n", which would be made anew for each text of a transcript.
		if rest, found := strings.CutPrefix(text, prefix); found && strings.HasPrefix(rest, "\n") {
			return rest[1:], true, true
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
			return strings.TrimSuffix(text[f.bytes+len(f.next):], f.end), false, true
		}
	}
	return "", false, false
}
