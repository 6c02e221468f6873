package format

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// How sure a sign makes. Signs of elements weigh most: only one format has
// them. A sibling of the list (a system prompt, the form of the tools) may have
// been added by a logger. A list of nothing but roles and texts can be anything.
const (
	certain  = 0.98
	likely   = 0.9
	hinted   = 0.8 // the name of the model, a role
	possible = 0.5
	empty    = 0.1
)

// finding is what a format sees of itself in a sample.
type finding struct {
	confidence float64 // 0: nothing
	signs      int     // how many of the kind that made the confidence
	evidence   []string
}

// shown is how much evidence of one kind is told.
const shown = 3

// sign notes evidence of one kind; what only repeats it is counted.
func (f *finding) sign(confidence float64, evidence func() string) {
	switch {
	case confidence > f.confidence:
		f.confidence, f.signs, f.evidence = confidence, 0, nil
	case confidence < f.confidence:
		return
	}
	f.signs++
	if len(f.evidence) < shown {
		f.evidence = append(f.evidence, evidence())
	}
}

// element notes that element i has what says confidence.
func (f *finding) element(s *sample, i int, what string) {
	f.sign(certain, func() string { return s.list.where(i) + " has " + what })
}

// sibling notes a member around the list.
func (f *finding) sibling(what string) {
	f.sign(likely, func() string { return what })
}

// signs is the finding of all elements in which sign sees what only one format
// has; "" is an element that shows nothing.
func (s *sample) signs(sign func(value) string) finding {
	var f finding
	for i, e := range s.telling {
		if what := sign(e); what != "" {
			f.element(s, i, what)
		}
	}
	return f
}

// telling are the elements that may show a format: all but messages of a known
// role and one text and nothing else. Of a log of 35,000 short messages no more
// need be looked at by each of 22 formats; the rest were 40 % of the time of a plan.
func (s *sample) telling(yield func(int, value) bool) {
	if s.plain == nil {
		s.plain = make([]bool, s.list.len())
		for i, e := range s.list.elems {
			s.plain[i] = plainMessage(e)
		}
	}
	for i, e := range s.list.elems {
		if !s.plain[i] && !yield(i, e) {
			return
		}
	}
}

// plainMessage reports whether a value is a role that most formats have and a text.
func plainMessage(e value) bool {
	role, content := false, false
	for key, v := range e.Members() {
		switch {
		case key == "role" && !role:
			switch string(v.Raw()) {
			case `"user"`, `"assistant"`, `"system"`:
				role = true
			default:
				return false
			}
		case key == "content" && !content && v.Is(rawjson.String):
			content = true
		default:
			return false
		}
	}
	return role && content
}

// where is the place of an element as evidence names it.
func (l *list) where(i int) string {
	if l.lines != nil {
		return "line" + strings.Replace(l.place(i), ":", " ", 1)
	}
	return strings.TrimPrefix(l.place(i), ".")
}

// plainChat is the finding for lists of roles and texts without any sign.
func plainChat(s *sample) finding {
	var f finding
	n := 0
	for _, e := range s.list.elems {
		n++
		if e.Get("role").Exists() {
			f.sign(possible, func() string { return "the items have roles and texts, and nothing that only one format has" })
		}
	}
	if n == 0 {
		f.sign(empty, func() string { return "the list is empty" })
	}
	f.evidence = f.evidence[:min(1, len(f.evidence))]
	return f
}

// choose says which format the sample is in: the one that was named, else the
// one with the strongest signs on all elements together.
func (s *sample) choose(opt Options) (*format, Verdict, error) {
	if opt.Format != "" && opt.Format != Auto {
		return s.named(find(opt.Format))
	}
	if s.shape == shapeResponse {
		for _, f := range registry() {
			if f.answer != nil {
				if sign := f.answer(s.root); sign != "" {
					return f, Verdict{Name: f.Name, Confidence: certain, Evidence: []string{sign}, Shape: s.shape}, nil
				}
			}
		}
	}
	if h := s.holder; h != nil {
		return h.format, Verdict{Name: h.format.Name, Confidence: certain, Evidence: []string{h.sign}, Shape: s.shapeOf(h.format)}, nil
	}
	var best *format
	var second, found finding
	if s.listed() {
		best, second, found = s.sniff()
	}
	if found.confidence < likely {
		if name, sign := foreignElement(s); name != "" {
			return nil, Verdict{}, unsupported(name, sign)
		}
	}
	switch {
	case best == nil && s.shape == shapeText:
		return nil, Verdict{}, s.src.noTurns()
	case best == nil:
		return nil, Verdict{}, &transcript.Error{
			Code: "unknown_format", Path: "transcript",
			Message: s.seen() + ", which is no transcript that is known; accepted are a list of messages or items, " +
				"an object that holds one, JSON Lines of either, sessions of agents (GET /v1/formats lists them), and text in which turns begin with a name",
		}
	case found.confidence >= likely && second.confidence == found.confidence && second.signs == found.signs:
		return nil, Verdict{}, &transcript.Error{
			Code: "ambiguous_format", Path: "transcript",
			Message: fmt.Sprintf("has as many signs of one format as of another (%s; %s): say which in format",
				found.evidence[0], second.evidence[0]),
		}
	}
	v := Verdict{Name: best.Name, Confidence: found.confidence, Evidence: found.evidence, Shape: s.shapeOf(best)}
	if second.confidence == found.confidence && found.confidence >= likely {
		share := float64(found.signs) / float64(found.signs+second.signs)
		v.Confidence = math.Round(100*v.Confidence*share) / 100
		v.Evidence = append(v.Evidence, "against it: "+second.evidence[0])
	}
	return best, v, nil
}

// named is the verdict on a sample whose format somebody named. Whether each
// item fits is seen when it is read.
func (s *sample) named(f *format) (*format, Verdict, error) {
	v := Verdict{Name: f.Name, Confidence: 1, Evidence: []string{"the request names it"}, Shape: s.shape}
	fits := s.listed()
	switch s.shape {
	case shapeResponse:
		fits = f.answer != nil && f.answer(s.root) != ""
		if fits {
			v.Evidence[0] = f.answer(s.root)
		}
	case shapeRequest:
		fits = fits && (slices.Contains(f.members, s.member) || s.holder != nil && s.holder.format.Name == f.Name || s.nested())
	case shapeTree, shapeText:
		fits = slices.Contains(f.Shapes, s.shape)
	case shapeArray, shapeLines:
		fits = fits && f.Shapes[0] != shapeTree && f.Shapes[0] != shapeText
	}
	if !fits {
		return nil, Verdict{}, &transcript.Error{
			Code: "invalid_request", Path: "transcript",
			Message: "is not " + f.Name + ": " + s.seen() + ", " + strings.Join(f.Shapes, " or ") + " is wanted",
		}
	}
	v.Shape = s.shapeOf(f)
	return f, v, nil
}

// nested reports whether the object around the items is a part of the source: a
// span or a row, whose members have names of their own.
func (s *sample) nested() bool {
	return s.root.Exists() && (!s.src.root.Exists() || s.root.from() != s.src.root.from())
}

// shapeOf is the shape of the sample as f: lines of a log are one.
func (s *sample) shapeOf(f *format) string {
	if f.Write == "append" && s.list.lines != nil {
		return shapeLog
	}
	return s.shape
}

// sniff gives the format with the strongest finding, that finding and the next
// strongest of another format. Of two weak ones the first of the registry wins.
func (s *sample) sniff() (best *format, second, found finding) {
	for _, f := range registry() {
		if (s.shape == shapeTree || s.shape == shapeText) && !slices.Contains(f.Shapes, s.shape) {
			continue
		}
		n := f.sniff(s)
		switch {
		case n.confidence == 0:
		case n.confidence > found.confidence, n.confidence == found.confidence && n.confidence >= likely && n.signs > found.signs:
			best, second, found = f, found, n
		case n.confidence > second.confidence, n.confidence == second.confidence && n.signs > second.signs:
			second = n
		}
	}
	return best, second, found
}

// seen says what the source looks like, for errors.
func (s *sample) seen() string {
	switch {
	case s.shape == shapeResponse:
		return "it is a single answer"
	case s.shape == shapeText:
		return "it is no JSON"
	case s.list.lines != nil:
		return "it is " + count(len(s.list.lines), "line") + " of JSON"
	case s.list.array.Exists() && s.shape == shapeRequest:
		return "it is an object with " + count(s.list.array.Len(), "item") + " in " + clip(s.member, quoted)
	case s.list.array.Exists():
		return "it is a list of " + count(s.list.array.Len(), "element")
	case s.root.Is(rawjson.Object):
		return "it is an object of " + count(s.root.Len(), "member") + " without a list of messages"
	case s.root.Exists():
		return "it is " + s.root.Kind().String()
	}
	return "it is empty"
}
