package format

import "github.com/tamp-dev/tamp/core/internal/rawjson"

// Rollouts from before September 2025 have no payloads: a line is a Responses
// item itself, the first one a header, and between the items stand lines with a
// record_type. The CLI of today does not resume them; they can be read all the
// same.

// surest is for signs of a whole file, beside which those of its items, which
// another format has, too, say nothing.
const surest = 0.99

// bareLines looks for the sign of such a file, and gives the line that it is on.
func bareLines(l *list) (int, string) {
	first := true
	for i, v := range l.elems {
		if !v.Exists() {
			continue
		}
		if first && header(v) {
			return i, "is the header of an old rollout"
		}
		if v.Get("record_type").Is(rawjson.String) && !v.Get("type").Exists() {
			return i, "has a record_type"
		}
		first = false
	}
	return 0, ""
}

// header reports whether a line is the first one of an old rollout.
func header(v value) bool {
	return v.Get("id").Is(rawjson.String) && v.Get("timestamp").Is(rawjson.String) && v.Get("instructions").Exists() &&
		!v.Get("type").Exists() && !v.Get("payload").Exists()
}

// bareType is the type that the line would have today, "" if that is none. The
// first one that is no item tells what the file is, as a session_meta line does.
func bareType(v value) string {
	switch {
	case header(v), v.Get("record_type").Exists():
		return "session_meta"
	case v.Get("type").Is(rawjson.String) && !v.Get("payload").Exists():
		return "response_item"
	}
	return ""
}
