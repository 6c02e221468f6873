package format

import (
	"slices"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The shapes of a source.
const (
	shapeArray    = "array"    // a list of items
	shapeRequest  = "request"  // an object with the list as a member
	shapeLines    = "jsonl"    // one item on each line
	shapeLog      = "log"      // lines of which some are items
	shapeResponse = "response" // a single answer
	shapeTree     = "tree"     // an object that holds the items as a tree
	shapeText     = "text"     // no JSON
)

// list is where the items stand: in a JSON array, or on lines.
type list struct {
	array value  // Invalid for lines
	lines []line // nil for an array
	path  string // of the array below the transcript: "", ".messages", "[3].traj"
	from  int    // lines: where what was read of the source begins
	to    int    // lines: where it ends
	// first is the element of each item, ascending, where not every element is
	// one; nil: element i is item i.
	first []int
	// owner is, for each element that is no item, the item that it belongs to; -1,
	// and nil for all, is the item before it.
	owner []int
	// wrapped says that each line holds its element within an object of the logger's.
	wrapped bool
	// ignored are the elements that are no items because the provider ignores them.
	ignored ignored
}

// elems are the values of the list; one of a broken line is Invalid.
func (l *list) elems(yield func(int, value) bool) {
	i := 0
	if l.lines != nil {
		for ; i < len(l.lines); i++ {
			if !yield(i, l.lines[i].value) {
				return
			}
		}
		return
	}
	for e := range l.array.Elems() {
		if !yield(i, value{e, l.array.base}) {
			return
		}
		i++
	}
}

// place is the path of element i below the transcript.
func (l *list) place(i int) string {
	if l.lines != nil {
		return ":" + strconv.Itoa(l.lines[i].number)
	}
	return l.path + "[" + strconv.Itoa(i) + "]"
}

// sample is one conversation of a source, as detection and decoding see it.
type sample struct {
	src    *source
	root   object // around the items, Invalid where nothing is
	member string // of root that holds the items
	list   list
	shape  string
	holder *holder // what the object around the items says of its format, nil where that is nothing
	path   string  // of root below the transcript
	repair bool    // broken lines are left out
	plain  []bool  // of the elements that show nothing, see telling; nil until asked for
}

// sample finds the conversation: the one that the pointer names, else the only
// one; first takes the first of several. Content of a format that can not be
// read is refused here where a whole file shows it, unless a format was named.
func (s *source) sample(opt Options, first bool) (*sample, error) {
	detect := opt.Format == "" || opt.Format == Auto
	if opt.Conversation != "" {
		h, err := s.resolve(opt.Conversation)
		if err != nil {
			return nil, err
		}
		if h.v.Is(rawjson.Array) {
			return s.of(h.named(opt.Format)), nil
		}
		return s.within(h, detect, first)
	}
	if s.root.Exists() {
		return s.within(history{formats: s.formats, v: s.root}, detect, first)
	}
	if s.lines == nil {
		return &sample{src: s, shape: shapeText}, nil
	}
	bare := false
	for i := range s.lines {
		bare = bare || s.bare(s.lines[i].value)
	}
	if !bare {
		if lines := s.enveloped(s.lines); lines != nil {
			return s.asWrapped(lines), nil
		}
		if all := s.histories(); len(all) > 0 {
			return s.only(all, first)
		}
	}
	return s.asLines(s.lines), nil
}

// listed reports whether anything was found that can hold items.
func (s *sample) listed() bool {
	return s.list.array.Exists() || s.list.lines != nil || s.shape == shapeTree || s.shape == shapeText
}

func (s *source) asLines(lines []line) *sample {
	return &sample{src: s, list: list{lines: lines, from: s.from, to: s.to}, shape: shapeLines}
}

// asWrapped is the sample of lines within objects of a logger's.
func (s *source) asWrapped(lines []line) *sample {
	smp := s.asLines(lines)
	smp.list.wrapped = true
	return smp
}

// of is the sample of one list.
func (s *source) of(h history) *sample {
	smp := &sample{src: s, root: h.parent, member: h.member, list: list{array: h.v, path: h.path}, shape: shapeArray, holder: h.holder, path: h.path}
	switch {
	case h.v.Is(rawjson.Object):
		smp.root, smp.list, smp.shape = h.v, list{}, shapeTree
	case h.holder != nil || slices.Contains(requestMembers(), h.member):
		smp.shape = shapeRequest
	}
	return smp
}

// within looks for the conversation in one value.
func (s *source) within(h history, detect, first bool) (*sample, error) {
	v := h.v
	switch v.Kind() {
	case rawjson.Array:
		if s.formats.isHistory(v) || v.Len() == 0 {
			return s.of(h), nil
		}
		if name, sign := foreignElement(s.of(h)); name != "" && detect {
			return nil, unsupported(name, sign)
		}
	case rawjson.Object:
		if held, ok := h.held(); ok {
			return s.of(held), nil
		}
		for _, m := range requestMembers() {
			switch list := v.get(m); list.Kind() {
			case rawjson.Array:
				return s.of(history{formats: s.formats, v: list, parent: v, member: m, path: h.path + "." + m}), nil
			case rawjson.String:
				if m == "input" {
					return nil, &transcript.Error{
						Code: "not_a_history", Path: "transcript" + h.path + "." + m,
						Message: "is one text, no list of items: there is nothing to compact",
					}
				}
			default:
			}
		}
		for _, f := range registry() {
			if f.answer != nil && f.answer(v) != "" {
				return &sample{src: s, root: v, shape: shapeResponse}, nil
			}
		}
		if one, ok := s.single(v); ok {
			if s.bare(v) {
				return s.asLines([]line{one}), nil
			}
			if lines := s.enveloped([]line{one}); lines != nil {
				return s.asWrapped(lines), nil
			}
		}
	default:
	}
	all := appendHistories(nil, h, 0)
	if len(all) == 0 {
		// Nothing that anybody knows, or lists that hold no roles: detection
		// says which.
		smp := &sample{src: s, root: v, shape: shapeRequest}
		if v.Is(rawjson.Array) {
			smp = s.of(h)
		}
		return smp, nil
	}
	return s.only(all, first)
}

// single reads an object that is the whole source as JSON Lines of one line:
// which it is when it says what it is and stands on one line.
func (s *source) single(v value) (line, bool) {
	if !s.root.Exists() || v.from() != s.root.from() || !s.bare(v) && !v.Get("data").Is(rawjson.Object) {
		return line{}, false
	}
	lines := splitLines(s.raw, s.from, s.to)
	if len(lines) != 1 || !lines[0].value.Exists() {
		return line{}, false
	}
	return lines[0], true
}

// only is the one conversation; several of them are an error that lists them.
func (s *source) only(all []history, first bool) (*sample, error) {
	if len(all) > 1 && !first {
		return nil, several(all)
	}
	return s.of(all[0]), nil
}

// requestMembers are the members of request bodies that hold items.
func requestMembers() []string {
	var all []string
	for _, f := range registry() {
		all = append(all, f.members...)
	}
	return all
}
