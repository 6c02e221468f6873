package format

import (
	"bytes"
	"errors"
	"slices"
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

// size is how many bytes the value has; 0 for one that is not there.
func (v value) size() int { return len(v.Raw()) }

// str is the text of a member, "" where it is no string.
func str(v value, key string) string { return v.Get(key).Text() }

// object is a value that may stand around the items: a request, a session.
type object = value

// line is one line of the source that is not blank.
type line struct {
	number     int // from 1, in the whole source
	start, end int // place in the source, line ending left out
	value      value
	err        *rawjson.SyntaxError // why it is no JSON; its offset counts from start
	other      bool                 // it is JSON, but no object: err says what
}

// source is the input after a first look: one JSON value, or lines.
type source struct {
	raw      []byte
	from, to int // what is read: without a byte order mark, inside of a fence
	text     bool
	root     value                // Invalid where the source is no one value
	lines    []line               // nil where it is not lines
	broken   *rawjson.SyntaxError // why it is no JSON value, where it is neither: plain text
	formats  formats
	repair   bool // broken lines are kept aside
	named    bool // the caller says that it is of a format of JSON
	records  bool // it is no JSON Lines for having too many broken lines
	quoted   int  // how many strings deep it stands in another one
}

const byteOrderMark = "\uFEFF"

// read parses the source as one JSON value, else as JSON Lines, else as one of
// the two inside of a Markdown fence, else it is plain text. A source is taken
// for lines when at least half of those that are not blank are objects: logs
// have broken first and last lines, and a broken pretty-printed document has
// some line that is an object by chance. For a repair fewer are enough: see torn.
func read(src []byte, opt Options) (*source, error) {
	s := &source{
		raw: src, text: opt.Text, from: bomLen(src), to: len(src), formats: registry(),
		repair: opt.Repair, named: opt.Format != "" && opt.Format != Auto && opt.Format != "plain-text",
	}
	err := s.parse()
	switch {
	case errors.As(err, &s.broken) && s.broken.Limit:
		return nil, tooLarge(s.broken.Msg)
	case s.broken != nil || s.lines != nil && s.damaged():
		if inner := s.fenced(); inner != nil {
			return inner, nil
		}
	case err != nil:
		return nil, err
	}
	return s, nil
}

// damaged reports whether a line is no JSON.
func (s *source) damaged() bool {
	return slices.ContainsFunc(s.lines, func(l line) bool { return !l.value.Exists() })
}

// parse reads the part from:to as one value or as lines.
func (s *source) parse() error {
	root, err := rawjson.Parse(s.raw[s.from:s.to])
	if err == nil {
		s.root = value{root, s.from}
		return nil
	}
	var syntax *rawjson.SyntaxError
	if errors.As(err, &syntax) && syntax.Limit {
		return err
	}
	lines := splitLines(s.raw, s.from, s.to)
	objects := 0
	for i := range lines {
		if lines[i].value.Is(rawjson.Object) {
			objects++
		} else if e := lines[i].err; e != nil && e.Limit {
			return e
		}
	}
	if objects == 0 {
		return err
	}
	for i := range lines {
		s.objectOnly(&lines[i])
	}
	switch {
	case 2*objects < len(lines) && !s.torn(lines):
		if !s.scattered(lines) {
			return err
		}
		if !s.repair {
			s.records = true
			return s.brokenLine(firstBroken(lines))
		}
	case len(lines) > MaxItems:
		return &rawjson.SyntaxError{Msg: "has more than " + count(MaxItems, "line"), Limit: true}
	}
	s.lines = lines
	return nil
}

// objectOnly makes a line that holds no object a broken one: no writer of items
// makes such a line. A list may be a conversation of its own.
func (s *source) objectOnly(l *line) {
	v := l.value
	if !v.Exists() || v.Is(rawjson.Object) || v.Is(rawjson.Array) && s.formats.hasItem(v) {
		return
	}
	l.value, l.other, l.err = value{}, true, &rawjson.SyntaxError{Offset: v.Start(), Msg: "is " + v.Kind().String() + ", an object is wanted"}
}

// firstBroken is the first line that holds no object.
func firstBroken(lines []line) *line {
	i := slices.IndexFunc(lines, func(l line) bool { return !l.value.Exists() })
	return &lines[max(i, 0)]
}

// scattered reports whether lines of which more than half broke, in whatever way,
// have records among them: at least two that are whole, and half of the lines begin
// as records do. In one value that is written on many lines, as a list with an
// element on each, lines end with a comma or are a bracket; and in a text where
// people speak JSON is what they quote.
func (s *source) scattered(lines []line) bool {
	whole, begun := 0, 0
	for i := range lines {
		l := &lines[i]
		if s.raw[l.start] == '{' {
			begun++
		}
		text := bytes.Trim(s.raw[l.start:l.end], blanks) // not empty: such a line is none
		switch {
		case l.value.Exists():
			if l.value.Is(rawjson.Object) && (s.formats.isItem(l.value) || l.value.Get("type").Is(rawjson.String)) {
				whole++
			}
		case i == 0 && text[0] == '[', bytes.HasSuffix(text, []byte{','}), len(text) == 1:
			return false
		default:
		}
	}
	text := s.raw[s.from:s.to]
	fences, open := fenceLines(text)
	return whole > 1 && 2*begun >= len(lines) && len(fences) == 0 && !open && findMarks(text, false) == nil
}

// torn reports whether lines of which more than half broke are records all the
// same, each cut off at its end, but the first, whose beginning may be missing.
// Where a repair is asked for, or the format was named, that is looked for. Two
// records must be whole, of a format that was named for a repair one: elements of
// a pretty-printed list have a comma between them.
func (s *source) torn(lines []line) bool {
	if !s.repair && !s.named {
		return false
	}
	whole := 0
	for i := range lines {
		l := &lines[i]
		switch {
		case !l.value.Exists():
			if i > 0 && s.raw[l.start] != '{' {
				return false
			}
		case s.formats.isItem(l.value) || l.value.Get("type").Is(rawjson.String):
			whole++
		default:
		}
	}
	return whole > 1 || whole == 1 && s.repair && s.named
}

// MaxItems is how many items a transcript may have, and lines a log. The longest
// sessions that are known have some ten thousand; at the limit a plan takes about
// a gigabyte, whatever stands in them.
const MaxItems = 500_000

func tooLarge(message string) error {
	return &transcript.Error{Code: "too_large", Path: "transcript", Message: message}
}

// blanks are what a line may hold and still be blank: white space of JSON, and NUL.
const blanks = " \t\r\x00"

// splitLines reads the lines that are not blank, one more than MaxItems at most.
// NUL bytes count as blank: a crash leaves runs of them in logs.
func splitLines(src []byte, from, to int) []line {
	var lines []line
	var p rawjson.Parser
	for number := 1 + bytes.Count(src[:from], []byte{'\n'}); from < to && len(lines) <= MaxItems; number++ {
		next := to
		if i := bytes.IndexByte(src[from:to], '\n'); i >= 0 {
			next = from + i + 1
		}
		end := next
		for end > from && (src[end-1] == '\n' || src[end-1] == '\r') {
			end--
		}
		if len(bytes.Trim(src[from:end], blanks)) > 0 {
			l := line{number: number, start: from, end: end}
			v, err := p.Parse(src[from:end])
			if err == nil {
				l.value = value{v, from}
			} else if !errors.As(err, &l.err) {
				l.err = &rawjson.SyntaxError{Msg: err.Error()}
			}
			if have := len(lines); have == cap(lines) { // see rawjson's grow
				want := int(1.02*float64(have)*float64(to)/float64(end)) + 8
				lines = slices.Grow(lines, min(max(want, have+have/2), max(2*have, to/1024)+8)-have)
			}
			lines = append(lines, l)
		}
		from = next
	}
	return lines
}

// notJSON is the error for a source that is neither JSON nor lines of it.
func (s *source) notJSON(e *rawjson.SyntaxError) error {
	bom := bomLen(s.raw)
	told := *e
	told.Offset += s.from - bom // lines count from the source's first, not from that in a fence
	return &transcript.Error{
		Code: "invalid_json", Path: "transcript",
		Message: rawjson.Describe(s.raw[bom:s.to], &told),
	}
}

// noTurns is the error for a source that is no JSON and no plain text with
// turns: what begins like JSON was meant to be some.
func (s *source) noTurns() error {
	text := bytes.TrimSpace(s.raw[s.from:s.to])
	if sdkChunkText(text) {
		return unsupported(sdkStream, "its first event is one")
	}
	if len(text) == 0 || s.records || bytes.IndexByte([]byte(`{["`), text[0]) >= 0 {
		return s.notJSON(s.broken)
	}
	return &transcript.Error{
		Code: "unknown_format", Path: "transcript",
		Message: `is text in which no person and model speak in turns; lines such as "User: ..." and "Assistant: ...", or headings ` +
			`("## User", "## ChatGPT"), say who speaks`,
	}
}

// badLine is the error for a line that holds no object, where that is not tolerated.
func (s *source) badLine(l *line) error {
	told := s.brokenLine(l)
	if l.other {
		return s.invalid(":"+strconv.Itoa(l.number), l.start+l.err.Offset, &fault{msg: told.Msg})
	}
	return s.notJSON(told)
}

// brokenLine is what is wrong with a line, and what to do.
func (s *source) brokenLine(l *line) *rawjson.SyntaxError {
	return &rawjson.SyntaxError{Offset: l.start - s.from + l.err.Offset, Msg: l.err.Msg + " (repair: true keeps such lines aside)"}
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
	bom := bomLen(s.raw)
	offset := base - bom
	if f.at.Exists() {
		offset += f.at.Start()
	}
	line, column := rawjson.Place(s.raw[bom:], offset)
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
