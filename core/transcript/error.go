package transcript

import "unicode/utf8"

// Error is bad input that somebody can mend: what is wrong, where, and under
// which of the wire's error codes (invalid_request, invalid_json,
// invalid_policy, unknown_format, not_a_history, ...). Message is lower case
// and names the value and the limit; it may quote at most 40 bytes of the input.
type Error struct {
	Code    string
	Path    string // in the JSON as it was sent: transcript[7].tool_calls[0].id; empty for the whole body
	Message string // without the path
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// maxQuoted is how many bytes of the input one message may quote.
const maxQuoted = 40

// Clip is at most 40 bytes of s, cut between characters: what a message to the
// caller may quote.
func Clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	n := maxQuoted
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
