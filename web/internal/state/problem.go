package state

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/source"
)

// Problem is a refusal of the engine: what is wrong, and where.
type Problem struct {
	Code    string
	Param   string
	Message string // may have several lines: a caret below the place

	// Marks are the parts of the message that belong to a control, by its key,
	// each with its path before it.
	Marks map[string]string
	// Loose says that a part of the message belongs to no control.
	Loose bool
	// Input says that the transcript itself is at fault.
	Input bool
	// Place is where in the transcript; nil if it is not known.
	Place *source.Place
}

// unreadable is the code of an answer that the page does not understand.
const unreadable = "unreadable_answer"

// newProblem reads an error of the engine about a transcript.
func newProblem(err error, text string) *Problem {
	e, ok := errors.AsType[*core.Error](err)
	if !ok {
		return &Problem{Code: unreadable, Message: err.Error()}
	}
	p := &Problem{Code: e.Code, Param: e.Path, Message: e.Message, Marks: map[string]string{}}
	p.mark(e.Path, e.Message)
	switch {
	case e.Path == "transcript" || strings.HasPrefix(e.Path, "transcript.") || strings.HasPrefix(e.Path, "transcript["):
		p.Input = true
		p.Place = find(text, e)
	case e.Path == "" && len(p.Marks) == 0:
		// About the whole request, which is little more than the transcript.
		p.Input = true
	}
	return p
}

// Sentence is the message with its subject, as the API says it.
func (p *Problem) Sentence() string {
	if p.Param == "" {
		return p.Message
	}
	return p.Param + ": " + p.Message
}

// mark gives each control its part of the message. The engine tells all
// problems of a policy at once, each further one behind "; also ", with its
// own path.
func (p *Problem) mark(param, message string) {
	first := true
	for part := range strings.SplitSeq(message, "; also ") {
		at := param
		if !first {
			var ok bool
			if at, part, ok = strings.Cut(part, ": "); !ok {
				continue
			}
		}
		first = false
		switch key := control(at); {
		case key == "":
			p.Loose = true
		case p.Marks[key] == "":
			p.Marks[key] = at + ": " + part
		}
	}
}

// lineColumn reads the first "line 3, column 5" of a message.
func lineColumn(message string) (line, column int, ok bool) {
	_, rest, ok := strings.Cut(message, "line ")
	if !ok {
		return 0, 0, false
	}
	first, rest, ok := strings.Cut(rest, ", column ")
	if !ok {
		return 0, 0, false
	}
	end := 0
	for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
		end++
	}
	line, errLine := strconv.Atoi(first)
	column, errColumn := strconv.Atoi(rest[:end])
	return line, column, errLine == nil && errColumn == nil
}

// find says where in text the error is: by line and column where the message
// names them, else by its path. The whole transcript is no place.
func find(text string, e *core.Error) *source.Place {
	var place source.Place
	line, column, ok := lineColumn(e.Message)
	switch {
	case ok:
		place, ok = source.At(text, line, column)
	default:
		place, ok = source.Locate([]byte(text), strings.TrimPrefix(e.Path, "transcript"))
	}
	if !ok {
		return nil
	}
	return &place
}
