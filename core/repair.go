package core

import (
	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
)

// Repaired is one thing that a repair changed, with its path in the request.
type Repaired = compact.Repaired

// AsideLine is a line of the input that is no JSON. A repair takes it out of the
// transcript, but of a log that is only added to, and hands it back here.
type AsideLine struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // invalid bytes are U+FFFD
}

// malformedLine is the code of a line that was kept aside.
const malformedLine = "malformed_line"

// repair mends the transcript before anything looks at it: from here on the
// request is that of the mended one. Where nothing is wrong its bytes stay.
func (j *job) repair(read func(Request) (*format.Document, error)) error {
	entries, told := compact.Repair(j.doc.Transcript)
	for i := range told {
		told[i].Path, told[i].Message = sentPath(told[i].Path, told[i].Message)
	}
	log := j.doc.Verdict.Shape == "log" // its broken lines are skipped as its own program does
	for _, a := range j.doc.Aside {
		what := "is no JSON object and was kept aside"
		if log && !j.req.Rewrite { // it is only added to
			what = "is no JSON object and is left out of the history: it stays in the log"
		}
		j.aside = append(j.aside, AsideLine{a.Line, string(a.Raw)})
		path, message := sentPath(a.Path(), what)
		told = append(told, Repaired{Path: path, Code: malformedLine, Message: message})
	}
	if len(told) == 0 {
		return nil
	}
	if entries == nil && log {
		j.repaired = told // a copy leaves them out, the log itself keeps them: nothing else is to mend
		return nil
	}
	if entries == nil {
		entries = j.doc.Whole()
	}
	src, err := j.doc.Encode(entries)
	if err != nil {
		return err
	}
	j.req.Transcript, j.repaired = src, told
	if j.req.Format == "" || j.req.Format == format.Auto {
		j.req.Format = j.doc.Format // what is left of it may not show that any more
	}
	verdict := j.doc.Verdict
	if j.doc, err = read(j.req); err != nil {
		return err
	}
	j.doc.Verdict = verdict
	return nil
}

// sentPath is a path in the request as it was sent, with a message. The lines of
// a text have no path there, and are told in the message.
func sentPath(path, message string) (string, string) {
	if len(path) > 0 && path[0] == ':' {
		return "transcript", "line " + path[1:] + ": " + message
	}
	return "transcript" + path, message
}

// malformed are the lines of a log that its own program skips, as defects. A
// repair tells of those that are no JSON itself.
func (j *job) malformed() []Defect {
	var out []Defect
	if !j.req.Repair {
		for _, a := range j.doc.Aside {
			out = append(out, Defect{Path: a.Path(), Code: malformedLine, Message: "is no JSON object and is left out of the history"})
		}
	}
	return append(out, j.doc.Left...)
}

// placed are the defects with their paths in the request as it was sent.
func placed(defects []Defect) []Defect {
	out := make([]Defect, len(defects))
	for i, d := range defects {
		d.Path, d.Message = sentPath(d.Path, d.Message)
		out[i] = d
	}
	return out
}
