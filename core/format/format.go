// Package format reads transcripts from the formats that they are written in
// and writes them back: what is kept with its own bytes, everything around the
// conversation untouched. It detects a format from its content, never from a
// name. Each format is one noun in a file of its own, listed in registry.
package format

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Options says how a source is read. The zero value detects everything.
type Options struct {
	// Format is a name of GET /v1/formats; "" and "auto" detect it.
	Format string
	// Conversation is the JSON Pointer of one conversation in a file that holds
	// several: "/3/traj". In JSON Lines its first step counts the lines that
	// are not blank, from 0.
	Conversation string
	// Rewrite writes a log (codex-rollout, claude-code) as a copy that holds
	// the compacted history only; else lines are added behind it.
	Rewrite bool
	// Now is the caller's time (RFC 3339) for the lines that a log is given; ""
	// repeats the time of its last line.
	Now string
	// WindowID names the window that a compacted line of a rollout opens; "" makes an
	// id of the log's own shape.
	WindowID string
	// Text says that the source came as a JSON string: places in it are then
	// told by line and column, since no path of the request leads into it.
	Text bool
	// Repair lets JSON Lines have lines that are no JSON: they are kept aside
	// (Document.Aside). Logs always may.
	Repair bool
}

// Aside is a line that is no JSON.
type Aside struct {
	Line int // from 1
	Raw  []byte
}

// Reported is the tokens of a request and its answer, as a provider reported them.
type Reported struct {
	Prompt, Output int // 0 is unknown
	Total          int
	Behind         int // items that came after it
}

// Verdict is what a source was read as, and why.
type Verdict struct {
	Name       string
	Confidence float64 // 0 to 1; 0.5 for a text-only list of {role, content}
	// Evidence is for people: "[3] has tool_calls". It holds codes and places,
	// no text of the transcript.
	Evidence []string
	// Shape is "array", "request", "jsonl", "log" or "response" (a single
	// answer, which holds no history to compact).
	Shape string
}

// Info describes one format.
type Info struct {
	Name     string
	Title    string
	Provider string
	Shapes   []string
	Write    string            // "edit": in the input's shape; "append": the input and our lines
	Edited   []string          // the shapes that are edited though Write is "append", nil for none
	Rules    []transcript.Rule // as All gives them: those that Validate checks
}

// BodyRequest asks for the body of a request to a summariser.
type BodyRequest struct {
	Items     []int  // what it shows: indices into the transcript's items, ascending
	Prompt    string // the instruction, as the last user message
	Model     string // "" leaves the model out
	MaxTokens int    // length of the answer; 0 is the provider's own limit (Anthropic demands one: 2,000)
	SendTools string // "auto" (and ""): only where the provider demands them; "always", "never"
	// Compactor asks the provider to compact by itself, in formats of Compactors:
	// Prompt, MaxTokens and SendTools are not looked at then.
	Compactor Compactor
}

// Path is the place of the line as items of lines have it.
func (a Aside) Path() string { return ":" + strconv.Itoa(a.Line) }

// Document is a decoded source: the transcript, and what it takes to write it
// back. It keeps the source, which must not be changed while it is in use.
type Document struct {
	*transcript.Transcript
	Verdict Verdict
	// Aside are the lines that can not be read, nil where there are none.
	Aside []Aside
	// Left are the lines of a log that are JSON and nothing that its program reads.
	Left []transcript.Defect
	// Reported is the provider's last count that a log holds, nil for none.
	Reported *Reported

	src   []byte
	codec codec
	cut   bool // lines that were kept aside are missing in what is written
}

// codec is the part of a document that its format knows.
type codec interface {
	// splice writes the entries, whatever they are; all items in order give
	// the source for every format but logs, which lose their other lines.
	splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte
	// body is a request to the format's API, or to the one that api names.
	body(t *transcript.Transcript, r BodyRequest) []byte
	// api is the format of the request: that of the transcript where it is a
	// provider's own, openai-chat for what harnesses write.
	api() string
}

// format is one format of the registry.
type format struct {
	Info
	family transcript.Family
	rules  transcript.Rules
	// members are those of a request body that hold its items.
	members []string
	// holds looks at an object that may stand around a conversation: the member
	// with its items ("" where the object is one itself), and the sign by which
	// that is known, "" for every other object. It wins over what the items look
	// like. A look at a few members, nil where the format has no such object.
	holds func(o object) (member, sign string)
	// count is how many items an object has that is a conversation itself, nil
	// where items stand in a list.
	count func(o object) int
	// item reports whether e is an item of the format, for items that have no
	// role. A look at a few members; nil where all of them have one.
	item func(e value) bool
	// sniff looks for signs of the format.
	sniff func(*sample) finding
	// answer is the sign by which an object is a single answer of the
	// provider, "" if it is none. nil: the format has no answers.
	answer func(root object) string
	// decode reads the sample. Its verdict is already known.
	decode func(*sample, *format, Options) (*Document, error)
}

// All describes the formats that can be read and written.
func All() []Info {
	var all []Info
	for _, f := range registry() {
		f.Rules = f.rules.Listed
		all = append(all, f.Info)
	}
	return all
}

// Decode reads a transcript. Errors are *transcript.Error: invalid_json,
// too_large, unknown_format, unsupported_format, ambiguous_format, several_conversations,
// not_a_history, and invalid_request with the path of the first item that can
// not be understood. Unknown fields, parts and item types are no errors. Cost:
// linear in the source; texts are decoded once, bytes are never copied.
func Decode(src []byte, opt Options) (*Document, error) {
	if err := checkName(opt.Format); err != nil {
		return nil, err
	}
	s, err := read(src, opt)
	if err != nil {
		return nil, err
	}
	return s.document(opt)
}

// document reads the conversation that the source holds, else one that stands in
// a string of it.
func (s *source) document(opt Options) (*Document, error) {
	if opt.Conversation != "" {
		if q, rest := s.quoteAt(opt.Conversation); q != nil {
			opt.Conversation = rest
			return q.document(s, opt)
		}
	}
	smp, err := s.sample(opt, false)
	if err == nil {
		var d *Document
		if d, err = smp.document(opt); err == nil || !smp.hollow(err) {
			return d, err
		}
	} else if !textOnly(err) {
		return nil, err
	}
	switch found := s.inStrings(); {
	case len(found) == 0 || opt.Conversation != "":
		return nil, err
	case len(found) > 1:
		return nil, several(found)
	default:
		opt.Conversation = found[0].pointer
		return s.document(opt)
	}
}

// document reads the conversation of the sample.
func (s *sample) document(opt Options) (*Document, error) {
	s.repair = opt.Repair
	f, verdict, err := s.choose(opt)
	if err != nil {
		return nil, err
	}
	if verdict.Shape == shapeResponse {
		return nil, &transcript.Error{
			Code: "not_a_history", Path: "transcript",
			Message: "is a single answer (" + verdict.Evidence[0] + "), no history: there is nothing to compact",
		}
	}
	if n := s.list.len(); n > MaxItems {
		return nil, tooLarge("holds more than " + count(MaxItems, "item"))
	}
	d, err := f.decode(s, f, opt)
	if err != nil {
		return nil, err
	}
	src := s.src.raw
	verdict.Evidence = append(verdict.Evidence, d.Verdict.Evidence...)
	d.Verdict, d.src = verdict, src
	d.Format, d.Family = f.Name, f.family
	if d.Rules.Provider == "" { // a shape of the format may have rules of its own
		d.Rules = f.rules
	}
	if d.Rules.ToolsDeclared {
		d.NoTools = noTools(s.root, d.Transcript)
	}
	for i := range s.list.lines {
		if l := &s.list.lines[i]; !l.value.Exists() {
			d.Aside = append(d.Aside, Aside{l.number, src[l.start:l.end]})
		}
	}
	d.cut = opt.Repair && len(d.Aside) > 0 && verdict.Shape != shapeLog
	return d, nil
}

// Whole are the entries of the transcript as it is.
func (d *Document) Whole() []transcript.Entry {
	entries := make([]transcript.Entry, len(d.Items))
	for i := range entries {
		entries[i].From = i
	}
	return entries
}

// API is the format of the bodies that Body makes.
func (d *Document) API() string { return d.codec.api() }

// Detect says what a source is, without reading its items. A single answer is
// no error here (shape "response"), and of several conversations the first one
// is looked at. Cost: linear.
func Detect(src []byte) (Verdict, error) {
	s, err := read(src, Options{})
	if err != nil {
		return Verdict{}, err
	}
	return s.verdict(Options{})
}

func (s *source) verdict(opt Options) (Verdict, error) {
	if opt.Conversation != "" {
		if q, rest := s.quoteAt(opt.Conversation); q != nil {
			v, err := q.inner.verdict(Options{Conversation: rest})
			v.Evidence = append(v.Evidence, q.sign())
			return v, err
		}
	}
	smp, err := s.sample(opt, true)
	if err == nil {
		var v Verdict
		if _, v, err = smp.choose(opt); err == nil || !smp.hollow(err) {
			return v, err
		}
	} else if !textOnly(err) {
		return Verdict{}, err
	}
	if found := s.inStrings(); len(found) > 0 && opt.Conversation == "" {
		return s.verdict(Options{Conversation: found[0].pointer})
	}
	return Verdict{}, err
}

// Encode writes a compacted transcript. Kept entries have the bytes that came
// in; all of them in order, with nothing new, give the very source. Cost:
// linear in the output.
func (d *Document) Encode(entries []transcript.Entry) ([]byte, error) {
	identity := len(entries) == len(d.Items)
	for i, e := range entries {
		switch {
		case e.From >= len(d.Items) || e.From < -1:
			return nil, fmt.Errorf("entry %d is from item %d of %d", i, e.From, len(d.Items))
		case e.New == nil && e.From < 0, e.New != nil && len(e.New.Raw) == 0:
			return nil, fmt.Errorf("entry %d has no bytes", i)
		}
		identity = identity && e.From == i && e.New == nil
	}
	if identity && !d.cut {
		return slices.Clone(d.src), nil
	}
	return d.codec.splice(d.src, d.Transcript, entries), nil
}

// Body is a request to the summariser in the format's own API, ready to be
// posted: the items of r with their own bytes, and the prompt behind them. What
// the provider would refuse is mended: results without their call are left out,
// calls without a result get one that says so. Cost: linear in the body.
func (d *Document) Body(r BodyRequest) ([]byte, error) {
	for i, n := range r.Items {
		if n < 0 || n >= len(d.Items) || i > 0 && n <= r.Items[i-1] {
			return nil, fmt.Errorf("item %d of the request is %d, %d items must ascend", i, n, len(d.Items))
		}
	}
	if _, ok := d.Writer.(transcript.Sealer); !ok && r.Compactor != NoCompactor {
		return nil, fmt.Errorf("%s holds no compaction of its provider's own", d.Format)
	}
	return d.codec.body(d.Transcript, r), nil
}
