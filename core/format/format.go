// Package format reads transcripts from the formats that they are written in
// and writes them back: what is kept with its own bytes, everything around the
// conversation untouched. It detects a format from its content, never from a
// name. Each format is one noun in a file of its own, listed in registry.
package format

import (
	"fmt"
	"slices"

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
	// Rewrite allows a log (codex-rollout) to be written as a copy that holds
	// the compacted history only.
	Rewrite bool
	// Now is the caller's time (RFC 3339) for the lines that a log is given; ""
	// repeats the time of its last line.
	Now string
	// Text says that the source came as a JSON string: places in it are then
	// told by line and column, since no path of the request leads into it.
	Text bool
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
	Write    string // "edit": in the input's shape; "append": the input and our lines
	Rules    []transcript.Rule
}

// BodyRequest asks for the body of a request to a summariser.
type BodyRequest struct {
	Items     []int  // what it shows: indices into the transcript's items, ascending
	Prompt    string // the instruction, as the last user message
	Model     string // "" leaves the model out
	MaxTokens int    // length of the answer; 0 is the provider's own limit (Anthropic demands one: 2,000)
	SendTools string // "auto" (and ""): only where the provider demands them; "always", "never"
}

// Document is a decoded source: the transcript, and what it takes to write it
// back. It keeps the source, which must not be changed while it is in use.
type Document struct {
	*transcript.Transcript
	Verdict Verdict

	src    []byte
	refuse error // why it can not be written, nil if it can
	codec  codec
}

// codec is the part of a document that its format knows.
type codec interface {
	// splice writes the entries, whatever they are; all items in order give
	// the source for every format but logs, which lose their other lines.
	splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte
	// body is a request to the format's API.
	body(t *transcript.Transcript, r BodyRequest) []byte
}

// format is one format of the registry.
type format struct {
	Info
	family transcript.Family
	rules  transcript.Rules
	// members are those of a request body that hold its items.
	members []string
	// sniff looks for signs of the format.
	sniff func(*sample) finding
	// answer is the sign by which an object is a single answer of the
	// provider, "" if it is none. nil: the format has no answers.
	answer func(root object) string
	// decode reads the sample. Its verdict is already known.
	decode func(*sample, *format, Options) (*Document, error)
}

// registry is every format that can be read, in the order in which they are
// shown. Adding one is a file and a line here.
func registry() []*format {
	return []*format{chatFormat(), responsesFormat(), anthropicFormat(), rolloutFormat()}
}

func find(name string) *format {
	for _, f := range registry() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// All describes the formats that can be read and written.
func All() []Info {
	var all []Info
	for _, f := range registry() {
		all = append(all, f.Info)
	}
	return all
}

// Decode reads a transcript. Errors are *transcript.Error: invalid_json,
// unknown_format, unsupported_format, ambiguous_format, several_conversations,
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
	smp, err := s.sample(opt, false)
	if err != nil {
		return nil, err
	}
	f, verdict, err := smp.choose(opt)
	if err != nil {
		return nil, err
	}
	if verdict.Shape == shapeResponse {
		return nil, &transcript.Error{
			Code: "not_a_history", Path: "transcript",
			Message: "is a single answer (" + verdict.Evidence[0] + "), no history: there is nothing to compact",
		}
	}
	d, err := f.decode(smp, f, opt)
	if err != nil {
		return nil, err
	}
	verdict.Evidence = append(verdict.Evidence, d.Verdict.Evidence...)
	d.Verdict, d.src = verdict, src
	d.Format, d.Family, d.Rules = f.Name, f.family, f.rules
	return d, nil
}

// Detect says what a source is, without reading its items. A single answer is
// no error here (shape "response"), and of several conversations the first one
// is looked at. Cost: linear.
func Detect(src []byte) (Verdict, error) {
	s, err := read(src, Options{})
	if err != nil {
		return Verdict{}, err
	}
	smp, err := s.sample(Options{}, true)
	if err != nil {
		return Verdict{}, err
	}
	_, verdict, err := smp.choose(Options{})
	return verdict, err
}

// Writable is the error that Encode returns for every change, nil if it takes
// changes: a log is written only with Options.Rewrite.
func (d *Document) Writable() error { return d.refuse }

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
	if identity {
		return slices.Clone(d.src), nil
	}
	if d.refuse != nil {
		return nil, d.refuse
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
	return d.codec.body(d.Transcript, r), nil
}
