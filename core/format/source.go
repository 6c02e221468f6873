package format

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// value is a JSON value that knows its place in the source: rawjson counts from
// the start of what it parsed, which in JSON Lines is a line.
type value struct {
	rawjson.Value
	base int
}

func (v value) get(key string) value { return value{v.Get(key), v.base} }

// from and to are the place of the value's bytes in the source.
func (v value) from() int { return v.base + v.Start() }
func (v value) to() int   { return v.base + v.End() }

// str is the text of a member, "" where it is no string.
func str(v value, key string) string { return v.Get(key).Text() }

// object is a value that may stand around the items: a request, a session.
type object = value

// line is one line of the source that is not blank.
type line struct {
	number     int // from 1
	start, end int // place in the source, line ending left out
	value      value
	err        *rawjson.SyntaxError // why it is no JSON; its offset counts from start
}

// source is the input after a first look: one JSON value, or lines.
type source struct {
	raw   []byte
	bom   int // length of the byte order mark: read past, written back
	text  bool
	root  value  // Invalid where the source is lines
	lines []line // nil where it is one value
}

const byteOrderMark = "\uFEFF"

// read parses the source as one JSON value, else as JSON Lines. A source is
// taken for lines when at least half of those that are not blank are objects:
// logs have broken first and last lines, and a broken pretty-printed document
// has some line that is an object by chance.
func read(src []byte, opt Options) (*source, error) {
	s := &source{raw: src, text: opt.Text}
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		s.bom = len(byteOrderMark)
	}
	root, err := rawjson.Parse(src[s.bom:])
	if err == nil {
		s.root = value{root, s.bom}
		return s, nil
	}
	var syntax *rawjson.SyntaxError
	if !errors.As(err, &syntax) {
		return nil, err
	}
	objects := 0
	s.lines = splitLines(src, s.bom)
	for _, l := range s.lines {
		if l.value.Is(rawjson.Object) {
			objects++
		}
	}
	if objects == 0 || 2*objects < len(s.lines) {
		return nil, s.notJSON(syntax)
	}
	return s, nil
}

// splitLines reads the lines that are not blank. NUL bytes count as blank: a
// crash leaves runs of them in logs.
func splitLines(src []byte, from int) []line {
	var lines []line
	for number := 1; from < len(src); number++ {
		next := len(src)
		if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
			next = from + i + 1
		}
		end := next
		for end > from && (src[end-1] == '\n' || src[end-1] == '\r') {
			end--
		}
		if len(bytes.Trim(src[from:end], " \t\r\x00")) > 0 {
			l := line{number: number, start: from, end: end}
			v, err := rawjson.Parse(src[from:end])
			if err == nil {
				l.value = value{v, from}
			} else if !errors.As(err, &l.err) {
				l.err = &rawjson.SyntaxError{Msg: err.Error()}
			}
			lines = append(lines, l)
		}
		from = next
	}
	return lines
}

// notJSON is the error for a source that is neither JSON nor lines of it.
func (s *source) notJSON(e *rawjson.SyntaxError) error {
	if name, sign := plainText(s.raw[s.bom:]); name != "" {
		return unsupported(name, sign)
	}
	return &transcript.Error{
		Code: "invalid_json", Path: "transcript",
		Message: rawjson.Describe(s.raw[s.bom:], e),
	}
}

// badLine is the error for a line that is no JSON, where that is not tolerated.
func (s *source) badLine(l *line) error {
	return s.notJSON(&rawjson.SyntaxError{Offset: l.start - s.bom + l.err.Offset, Msg: l.err.Msg})
}

// fault is something wrong with an item: where below the item, and what.
type fault struct {
	at   rawjson.Value
	path string // ".tool_calls[0].id"
	msg  string // "is a number, a string is wanted"
}

// within puts the place of a child before that of the fault.
func (f *fault) within(path string) *fault {
	if f != nil {
		f.path = path + f.path
	}
	return f
}

// wanted is the fault of a value of the wrong kind.
func wanted(v rawjson.Value, path, kind string) *fault {
	return &fault{v, path, "is " + v.Kind().String() + ", " + kind + " is wanted"}
}

// invalid is a fault as an error. path is the place of the item below the
// transcript, base what its values' offsets count from. In text no path of the
// request leads to the item, so the message tells line and column.
func (s *source) invalid(path string, base int, f *fault) error {
	path = strings.TrimLeft(path, ":0123456789") + f.path
	e := &transcript.Error{Code: "invalid_request", Path: "transcript"}
	if s.root.Exists() && !s.text {
		e.Path += path
		e.Message = f.msg
		return e
	}
	offset := base - s.bom
	if f.at.Exists() {
		offset += f.at.Start()
	}
	line, column := rawjson.Place(s.raw[s.bom:], offset)
	if path = strings.TrimPrefix(path, "."); path == "" {
		path = "the item"
	}
	e.Message = "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column) + ": " + path + " " + f.msg
	return e
}

// count is a number with what it counts.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
