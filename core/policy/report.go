package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

const (
	// maxKept bounds what a hostile policy can make us remember: further
	// problems are only counted.
	maxKept = 64
	// maxShown is how many problems one message tells; the longest honest
	// policy has fewer fields that a person could get wrong at once.
	maxShown = 16
	// maxQuoted is how many bytes of the input one problem may quote.
	maxQuoted = 40
)

// problem is one thing that is wrong with a policy.
type problem struct {
	at      int // byte offset in the policy, for the order
	path    string
	message string
}

// report gathers the problems of one policy, so that a person mends them all
// after one try.
type report struct {
	kept []problem
	more int
}

// full says that a further problem is only counted, so its text need not be
// made.
func (r *report) full() bool { return len(r.kept) == maxKept }

func (r *report) add(at int, path, message string) {
	if r.full() {
		r.more++
		return
	}
	r.kept = append(r.kept, problem{at, path, message})
}

// err is nil without problems. Else the problem that stands first in the text
// gives path and message, and each further one follows in the message behind
// "; also ", with its own path.
func (r *report) err() error {
	if len(r.kept) == 0 {
		return nil
	}
	slices.SortStableFunc(r.kept, func(a, b problem) int { return a.at - b.at })
	first := r.kept[0]
	var b strings.Builder
	b.WriteString(first.message)
	for i, p := range r.kept[1:] {
		if i+1 == maxShown {
			break
		}
		b.WriteString("; also " + p.path + ": " + p.message)
	}
	if n := len(r.kept) + r.more - maxShown; n > 0 {
		fmt.Fprintf(&b, "; and %d more", n)
	}
	return &transcript.Error{Code: "invalid_policy", Path: first.path, Message: b.String()}
}

// below is the path of a member. A name that a path cannot show as it is
// (points, blanks, control characters, more than 40 bytes) stands in brackets
// and quotes.
func below(path, name string) string {
	plain := name != "" && len(name) <= maxQuoted
	for i := 0; i < len(name) && plain; i++ {
		c := name[i]
		plain = c == '_' || c == '-' || isAlnum(c)
	}
	if plain {
		return path + "." + name
	}
	return path + "[" + strconv.Quote(transcript.Clip(name)) + "]"
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// series is a list in prose: "a", "a or b", "a, b or c".
func series(words []string, last string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
}
