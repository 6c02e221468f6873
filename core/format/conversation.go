package format

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// history is a list of items somewhere in the source.
type history struct {
	v       value
	parent  object // Invalid where the list stands in no object
	member  string // of parent
	path    string // "[3].traj"
	pointer string // "/3/traj"
}

// child is the value below h under a key or an index.
func (h history) child(v value, key string, index int) history {
	c := history{v: v}
	if h.v.Is(rawjson.Object) {
		c.parent, c.member = h.v, key
		c.pointer = h.pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		if plainKey(key) {
			c.path = h.path + "." + key
		} else {
			c.path = h.path + "[" + strconv.Quote(key) + "]"
		}
		return c
	}
	i := strconv.Itoa(index)
	c.path, c.pointer = h.path+"["+i+"]", h.pointer+"/"+i
	return c
}

func plainKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return key != ""
}

// isHistory reports whether an array holds messages: one of its elements is an
// object with a role, or says its type as Responses items do while none of them
// is a record around lists of messages.
func isHistory(v value) bool {
	typed := false
	for e := range v.Elems() {
		if e.Get("role").Exists() {
			return true
		}
		typed = typed || e.Get("type").Is(rawjson.String)
	}
	return typed && len(appendHistories(nil, history{v: v}, 0)) == 0
}

func hasRole(v value) bool {
	for e := range v.Elems() {
		if e.Get("role").Exists() {
			return true
		}
	}
	return false
}

// searchDepth is how deep conversations are looked for: three steps reach
// those of every harness that we know ([3].traj, runs[3].messages,
// [3].output.response.messages), and no tool argument that looks like one.
const searchDepth = 4

// appendHistories finds the lists of messages below h, in order. It does not
// look into messages. Cost: one look at each value above them.
func appendHistories(all []history, h history, depth int) []history {
	if h.v.Is(rawjson.Array) && hasRole(h.v) && depth > 0 {
		return append(all, h)
	}
	if depth == searchDepth {
		return all
	}
	switch h.v.Kind() {
	case rawjson.Array:
		i := 0
		for e := range h.v.Elems() {
			if e.Is(rawjson.Array) || e.Is(rawjson.Object) {
				all = appendHistories(all, h.child(value{e, h.v.base}, "", i), depth+1)
			}
			i++
		}
	case rawjson.Object:
		for key, m := range h.v.Members() {
			if m.Is(rawjson.Array) || m.Is(rawjson.Object) {
				all = appendHistories(all, h.child(value{m, h.v.base}, key, 0), depth+1)
			}
		}
	default:
	}
	return all
}

// histories are those of all lines.
func (s *source) histories() []history {
	var all []history
	for i := range s.lines {
		if v := s.lines[i].value; v.Exists() {
			all = appendHistories(all, s.lineHistory(i), 0)
		}
	}
	return all
}

func (s *source) lineHistory(i int) history {
	return history{v: s.lines[i].value, path: ":" + strconv.Itoa(s.lines[i].number), pointer: "/" + strconv.Itoa(i)}
}

// listed is how many conversations an error names.
const listed = 200

func several(all []history) error {
	var b strings.Builder
	fmt.Fprintf(&b, "holds %d conversations, choose one with conversation: ", len(all))
	for i, h := range all {
		if i == listed {
			fmt.Fprintf(&b, " and %d more", len(all)-listed)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (%s, %s)", h.pointer, count(h.v.Len(), "item"), count(h.v.to()-h.v.from(), "byte"))
	}
	return &transcript.Error{Code: "several_conversations", Path: "transcript", Message: b.String()}
}

// resolve follows a JSON Pointer (RFC 6901) to a list or an object.
func (s *source) resolve(pointer string) (history, error) {
	bad := func(format string, args ...any) (history, error) {
		return history{}, &transcript.Error{
			Code: "invalid_request", Path: "conversation",
			Message: "\"" + clip(pointer, quoted) + "\" " + fmt.Sprintf(format, args...),
		}
	}
	if pointer[0] != '/' {
		return bad("is no JSON Pointer, such as /3/traj")
	}
	steps := strings.Split(pointer[1:], "/")
	h := history{v: s.root}
	if !s.root.Exists() {
		i, ok := index(steps[0], len(s.lines))
		if !ok {
			return bad("is not there: the transcript has %s, counted from 0", count(len(s.lines), "line"))
		}
		if h, steps = s.lineHistory(i), steps[1:]; !h.v.Exists() {
			return history{}, s.badLine(&s.lines[i])
		}
	}
	for n, step := range steps {
		next := history{}
		switch h.v.Kind() {
		case rawjson.Array:
			i, ok := index(step, h.v.Len())
			if !ok {
				return bad("is not there: step %d asks for one of %s, counted from 0", n+1, count(h.v.Len(), "element"))
			}
			at := 0
			for e := range h.v.Elems() {
				if at == i {
					next = h.child(value{e, h.v.base}, "", i)
					break
				}
				at++
			}
		case rawjson.Object:
			key := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
			if m := h.v.get(key); m.Exists() {
				next = h.child(m, key, 0)
			}
		default:
		}
		if !next.v.Exists() {
			return bad("is not there: step %d leads nowhere", n+1)
		}
		h = next
	}
	if !h.v.Is(rawjson.Array) && !h.v.Is(rawjson.Object) {
		return bad("is %s, a list of messages is wanted", h.v.Kind())
	}
	return h, nil
}

// index reads a step as an index below n.
func index(step string, n int) (int, bool) {
	i, err := strconv.Atoi(step)
	return i, err == nil && i >= 0 && i < n && strconv.Itoa(i) == step
}
