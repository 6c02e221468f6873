package format

import (
	"bytes"
	"errors"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// A conversation may stand in JSON that is itself a string of JSON: the body of a
// recorded request, the input of a tracer's span. It is looked for only where a
// source holds no other one, so that what messages quote is never taken for the
// conversation. The string is a source of its own; what is written of it is
// quoted into its place, and every other byte stays.

// maxQuoted is how many strings deep such a source may stand. Each costs a copy of
// what it holds; a recorder within a tracer is two.
const maxQuoted = 2

// quote is a string of JSON.
type quote struct {
	history // the place of the string
	inner   *source
}

// openQuote reads the JSON in a string, nil where there is none, or where it could
// not be written back: an unpaired surrogate has no UTF-8.
func (s *source) openQuote(h history) *quote {
	if s.quoted == maxQuoted || !h.v.Is(rawjson.String) {
		return nil
	}
	text := h.v.Text()
	if start := strings.TrimLeft(strings.TrimPrefix(text, byteOrderMark), " \t\r\n"); start == "" || start[0] != '{' && start[0] != '[' {
		return nil
	}
	if strings.Count(text, "\uFFFD") > bytes.Count(h.v.Raw(), []byte("\uFFFD")) {
		return nil
	}
	inner := &source{raw: []byte(text), from: bomLen([]byte(text)), to: len(text), formats: s.formats, repair: s.repair, named: s.named, quoted: s.quoted + 1}
	if inner.parse() != nil {
		return nil
	}
	return &quote{h, inner}
}

// conversations are those in the string: the place of each in the source.
func (q *quote) conversations() []history {
	var found []history
	s := q.inner
	switch {
	case s.root.Exists():
		for _, f := range s.formats {
			if f.answer != nil && f.answer(s.root) != "" {
				return nil // a single answer, no history
			}
		}
		found = appendHistories(nil, history{formats: s.formats, v: s.root}, 1)
	case s.formats.hasItemLines(s.lines):
		return []history{q.history}
	default:
		found = s.histories()
	}
	if len(found) == 0 {
		found = s.inStrings()
	}
	for i := range found {
		found[i].pointer = q.pointer + found[i].pointer
	}
	return found
}

func (all formats) hasItemLines(lines []line) bool {
	for i := range lines {
		if all.isItem(lines[i].value) {
			return true
		}
	}
	return false
}

// inStrings are the conversations in strings of the source. Cost: linear, with a
// copy of each string that holds JSON.
func (s *source) inStrings() []history {
	if s.request() {
		return nil
	}
	var all []history
	s.eachString(func(h history) {
		if q := s.openQuote(h); q != nil {
			all = append(all, q.conversations()...)
		}
	})
	return all
}

// request reports whether the source is a request to a model, by its model and by
// having nothing that only a record of one has: a text of JSON in it is what
// somebody asks.
func (s *source) request() bool {
	if !s.root.Get("model").Is(rawjson.String) {
		return false
	}
	for _, key := range []string{"output", "outputs", "response", "span_id", "spanId", "trace_id", "traceId", "startTime", "start_time"} {
		if s.root.Get(key).Exists() {
			return false
		}
	}
	return true
}

// eachString visits the strings that are looked into, in order.
func (s *source) eachString(visit func(history)) {
	if s.root.Exists() {
		history{formats: s.formats, v: s.root}.strings(visit, 0)
		return
	}
	for i := range s.lines {
		if s.lines[i].value.Exists() {
			s.lineHistory(i).strings(visit, 0)
		}
	}
}

func (h history) strings(visit func(history), depth int) {
	switch h.v.Kind() {
	case rawjson.String:
		if depth > 0 {
			visit(h)
		}
	case rawjson.Array:
		i := 0
		for e := range h.v.Elems() {
			if depth <= searchDepth && !scalar(e) {
				h.child(value{e, h.v.base}, "", i).strings(visit, depth+1)
			}
			i++
		}
	case rawjson.Object:
		for key, m := range h.v.Members() {
			if depth <= searchDepth && !scalar(m) {
				h.child(value{m, h.v.base}, key, 0).strings(visit, depth+1)
			}
		}
	default:
	}
}

// scalar reports whether a value can hold no JSON: all but lists, objects and
// strings that may begin as one.
func scalar(v rawjson.Value) bool {
	switch v.Kind() {
	case rawjson.Array, rawjson.Object:
		return false
	case rawjson.String:
		raw := v.Raw()
		return !strings.ContainsRune("{[\\ ", rune(raw[1])) && bomLen(raw[1:]) == 0
	default:
		return true
	}
}

// hollow reports whether a sample that could not be read holds nothing that any
// format would take for an item.
func (s *sample) hollow(err error) bool {
	var told *transcript.Error
	if !errors.As(err, &told) || told.Code != "unknown_format" && told.Code != "invalid_request" ||
		s.holder != nil || s.shape == shapeText || s.shape == shapeTree || s.shape == shapeResponse {
		return false
	}
	for _, e := range s.list.elems {
		if s.src.formats.isItem(e) || e.Get("type").Is(rawjson.String) {
			return false
		}
	}
	return true
}

// textOnly reports whether an error says that a text stands where items would.
func textOnly(err error) bool {
	var told *transcript.Error
	return errors.As(err, &told) && told.Code == "not_a_history" && told.Path != "transcript"
}

// quoteAt is the string that a pointer leads to or through, with what of the
// pointer leads on within it; nil for none.
func (s *source) quoteAt(pointer string) (q *quote, rest string) {
	h, rest, err := s.follow(pointer)
	if err != nil {
		return nil, ""
	}
	return s.openQuote(h), rest
}

// document reads the conversation in the string. Its paths lead through the place
// of the string.
func (q *quote) document(s *source, opt Options) (*Document, error) {
	opt.Text = false
	d, err := q.inner.document(opt)
	var told *transcript.Error
	if errors.As(err, &told) && strings.HasPrefix(told.Path, "transcript") {
		return nil, s.told(q, told)
	}
	if err != nil {
		return nil, err
	}
	for i := range d.Items {
		d.Items[i].Path = q.path + d.Items[i].Path
	}
	d.Verdict.Evidence = append(d.Verdict.Evidence, q.sign())
	d.codec = &quotedCodec{codec: d.codec, inner: q.inner.raw, from: q.v.from() + 1, to: q.v.to() - 1}
	d.src = s.raw
	return d, nil
}

// told is an error within a string with the place of that.
func (s *source) told(q *quote, e *transcript.Error) error {
	place := s.invalid(q.path, q.v.base, &fault{q.v.Value, strings.TrimPrefix(e.Path, "transcript"), e.Message})
	var out *transcript.Error
	if errors.As(place, &out) {
		out.Code = e.Code
	}
	return place
}

// sign is the evidence of the string.
func (q *quote) sign() string {
	place := strings.TrimPrefix(q.path, ".")
	if strings.HasPrefix(place, ":") {
		place = "line " + place[1:]
	}
	return place + " is JSON in a string"
}
