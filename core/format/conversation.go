package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// formats is the registry. A source keeps the one that it is read with: to make it
// takes far longer than what each format asks of an element.
type formats []*format

// history is a list of items somewhere in the source.
type history struct {
	formats formats
	v       value
	parent  object // Invalid where the list stands in no object
	member  string // of parent
	path    string // "[3].traj"
	pointer string // "/3/traj"
	holder  *holder
	above   *history // the object that the list stands in, where a pointer led through it
}

// holder is what an object says of itself: the format whose conversation it
// holds, and the sign for that. member is where the items stand; "" says that
// the object itself is the conversation, as a tree.
type holder struct {
	format *format
	member string
	sign   string
}

// held is the conversation that the object h holds by its own word, false where
// it says nothing.
func (h history) held() (history, bool) {
	for _, f := range h.formats {
		if f.holds == nil {
			continue
		}
		member, sign := f.holds(h.v)
		if sign == "" {
			continue
		}
		held := h
		if member != "" {
			list := h.v.get(member)
			if !list.Is(rawjson.Array) {
				continue
			}
			held = h.child(list, member, 0)
		}
		held.holder = &holder{f, member, sign}
		return held, true
	}
	return h, false
}

// named is the list h, which a pointer named, with what the object around it says
// of its format. Where the caller says another one, that holds.
func (h history) named(format string) history {
	if h.above == nil {
		return h
	}
	held, ok := h.above.held()
	if !ok || held.pointer != h.pointer || format != "" && format != Auto && format != held.holder.format.Name {
		return h
	}
	return held
}

// isItem reports whether any format takes e for one of its items: it has a role,
// or what a format looks at instead.
func (all formats) isItem(e value) bool {
	if e.Get("role").Exists() {
		return true
	}
	for _, f := range all {
		if f.item != nil && f.item(e) {
			return true
		}
	}
	return false
}

// child is the value below h under a key or an index.
func (h history) child(v value, key string, index int) history {
	c := history{formats: h.formats, v: v}
	if h.v.Is(rawjson.Object) {
		c.parent, c.member = h.v, key
		c.pointer = h.pointer + "/" + pointerStep(key)
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

// pointerStep is a key as a step of a JSON Pointer.
func pointerStep(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
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
// item of some format, or says its type as Responses items do while none of them
// is a record around lists of messages.
func (all formats) isHistory(v value) bool {
	typed := false
	for e := range v.Elems() {
		if all.isItem(value{e, v.base}) {
			return true
		}
		typed = typed || e.Get("type").Is(rawjson.String)
	}
	return typed && len(appendHistories(nil, history{formats: all, v: v}, 0)) == 0
}

func (all formats) hasItem(v value) bool {
	for e := range v.Elems() {
		if all.isItem(value{e, v.base}) {
			return true
		}
	}
	return false
}

// searchDepth is how deep conversations are looked for: three steps reach
// those of every harness that we know ([3].traj, runs[3].messages,
// [3].output.response.messages), five those of tracers ([3].spans[0].input[0]),
// and none the arguments of a tool that look like one: they stand in messages.
const searchDepth = 5

// appendHistories finds the lists of messages below h, in order. It does not
// look into messages. Cost: one look at each value above them.
func appendHistories(all []history, h history, depth int) []history {
	if depth > 0 && h.v.Is(rawjson.Array) && h.formats.hasItem(h.v) {
		return append(all, h)
	}
	if h.v.Is(rawjson.Object) {
		if held, ok := h.held(); ok {
			return append(all, held)
		}
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
	return history{formats: s.formats, v: s.lines[i].value, path: ":" + strconv.Itoa(s.lines[i].number), pointer: "/" + strconv.Itoa(i)}
}

// Conversation is one of several in a file.
type Conversation struct {
	Pointer string // what Options.Conversation takes
	Items   int    // elements of the list; of a tree, those on the way that was taken last
	Bytes   int
}

// Conversations lists the conversations of a source that holds several; nil
// where it holds one, or none that is known. Cost: linear.
func Conversations(src []byte) ([]Conversation, error) {
	s, err := read(src, Options{})
	if err != nil {
		return nil, err
	}
	var found *severalError
	if smp, err := s.sample(Options{}, false); errors.As(err, &found) {
		return found.all, nil
	} else if err == nil {
		if _, _, err = smp.choose(Options{}); !smp.hollow(err) {
			return nil, nil
		}
	} else if !textOnly(err) {
		return nil, nil
	}
	if all := s.inStrings(); len(all) > 1 && errors.As(several(all), &found) {
		return found.all, nil
	}
	return nil, nil
}

// severalError is several_conversations with what it lists.
type severalError struct {
	told *transcript.Error
	all  []Conversation
}

func (e *severalError) Error() string { return e.told.Error() }
func (e *severalError) Unwrap() error { return e.told }

// items is how many items the conversation h has.
func (h history) items() int {
	if h.holder != nil && h.holder.member == "" && h.holder.format.count != nil {
		return h.holder.format.count(h.v)
	}
	return h.v.Len()
}

// named is how many conversations an error names.
const named = 200

func several(all []history) error {
	var b strings.Builder
	fmt.Fprintf(&b, "holds %d conversations, choose one with conversation: ", len(all))
	e := &severalError{}
	for i, h := range all {
		c := Conversation{h.pointer, h.items(), h.v.to() - h.v.from()}
		e.all = append(e.all, c)
		switch {
		case i == named:
			fmt.Fprintf(&b, " and %d more", len(all)-named)
		case i < named:
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s (%s, %s)", c.Pointer, count(c.Items, "item"), count(c.Bytes, "byte"))
		}
	}
	e.told = &transcript.Error{Code: "several_conversations", Path: "transcript", Message: b.String()}
	return e
}

// resolve follows a JSON Pointer (RFC 6901) to a list or an object.
func (s *source) resolve(pointer string) (history, error) {
	h, rest, err := s.follow(pointer)
	switch {
	case err != nil:
		return h, err
	case rest != "":
		return h, badPointer(pointer, "is not there: step %d leads nowhere", strings.Count(pointer, "/")-strings.Count(rest, "/")+1)
	case !h.v.Is(rawjson.Array) && !h.v.Is(rawjson.Object):
		return h, badPointer(pointer, "is %s, a list of messages is wanted", h.v.Kind())
	}
	return h, nil
}

func badPointer(pointer, format string, args ...any) error {
	return &transcript.Error{
		Code: "invalid_request", Path: "conversation",
		Message: "\"" + clip(pointer, quoted) + "\" " + fmt.Sprintf(format, args...),
	}
}

// follow goes the way of a pointer as far as there are lists and objects, and
// gives the rest of it that leads on from a value that is neither.
func (s *source) follow(pointer string) (h history, rest string, err error) {
	bad := func(format string, args ...any) (history, string, error) {
		return history{}, "", badPointer(pointer, format, args...)
	}
	if pointer[0] != '/' {
		return bad("is no JSON Pointer, such as /3/traj")
	}
	steps := strings.Split(pointer[1:], "/")
	h = history{formats: s.formats, v: s.root}
	if !s.root.Exists() {
		i, ok := index(steps[0], len(s.lines))
		if !ok {
			return bad("is not there: the transcript has %s, counted from 0", count(len(s.lines), "line"))
		}
		if h, steps = s.lineHistory(i), steps[1:]; !h.v.Exists() {
			return history{}, "", s.badLine(&s.lines[i])
		}
	}
	for n, step := range steps {
		next, above := history{}, h
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
			return h, "/" + strings.Join(steps[n:], "/"), nil
		}
		if !next.v.Exists() {
			return bad("is not there: step %d leads nowhere", n+1)
		}
		if h = next; above.v.Is(rawjson.Object) {
			h.above = &above
		}
	}
	return h, "", nil
}

// index reads a step as an index below n.
func index(step string, n int) (int, bool) {
	i, err := strconv.Atoi(step)
	return i, err == nil && i >= 0 && i < n && strconv.Itoa(i) == step
}
