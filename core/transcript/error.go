package transcript

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
