package core

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tamp-dev/tamp/core/compact"
)

// A cassette holds what a summariser answered, by the hash of what it was asked:
// a compaction that is replayed from it needs no model and gives the same bytes.
// It holds texts of the conversation, and nothing of how they were sent: no
// address, no header, no key.

// Cassette is recordings by their keys. Requests that are the same share one.
type Cassette map[string]Recording

// Recording is one request to a summariser and its answer. The request stands
// there for people: only the key is looked at.
type Recording struct {
	Purpose string          `json:"purpose"`
	Format  string          `json:"format"`
	Request json.RawMessage `json:"request"`
	Answer  Answer          `json:"answer"`
	// Earlier are the answers that the same request had before it was sent again,
	// oldest first: with them a replay counts the calls that were made.
	Earlier []Answer `json:"earlier,omitempty"`
}

// take is the answer to the request when it is sent for the nth time, from 0 on:
// what was recorded once answers every time.
func (r *Recording) take(n int) Answer {
	if n < len(r.Earlier) {
		return r.Earlier[n]
	}
	return r.Answer
}

// CassetteMiss is the code of a replay that finds no answer.
const CassetteMiss = "cassette_miss"

// recording is a request as a cassette holds it, without credentials, and its key:
// the SHA-256, in hexadecimal, of purpose, format and that body, byte for byte.
func (r *ModelRequest) recording() (string, Recording) {
	body := cleaned(r.Body)
	h := sha256.New()
	h.Write([]byte(r.Purpose + "\n" + r.Format + "\n"))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil)), Recording{Purpose: r.Purpose, Format: r.Format, Request: body}
}

// replay answers the plan's requests from the request's cassette. Cost: one body
// for each answer.
func (j *job) replay() error {
	if j.req.Cassette == nil || len(j.req.Answers) > 0 || j.req.Summary != nil || !j.plan.Folds() {
		return nil
	}
	var answers []Answer
	sent := map[string]int{}
	for {
		step, err := j.plan.Next(answers)
		if err != nil {
			return err
		}
		if step.Request == nil {
			j.req.Answers = answers
			return nil
		}
		r, err := j.request(step.Request)
		if err != nil {
			return err
		}
		key, _ := r.recording()
		found, ok := j.req.Cassette[key]
		if !ok {
			return &Error{
				Code: CassetteMiss, Path: "cassette",
				Message: fmt.Sprintf("has no recording with the key %s, for attempt %d of the summary step: what is asked depends on transcript, policy and model; record it with record: true and the answers", key, r.Attempt),
			}
		}
		answers = append(answers, found.take(sent[key]))
		sent[key]++
	}
}

// record is the cassette of the answers that the request brought.
func (j *job) record() (Cassette, error) {
	if !j.req.Record {
		return nil, nil
	}
	c := Cassette{}
	for i, a := range j.req.Answers {
		step, err := j.plan.Next(j.req.Answers[:i])
		if err != nil {
			return nil, err
		}
		r, err := j.request(step.Request)
		if err != nil {
			return nil, err
		}
		key, made := r.recording()
		if was, again := c[key]; again {
			made.Earlier = slices.Concat(was.Earlier, []Answer{was.Answer})
		}
		made.Answer = a
		c[key] = made
	}
	return c, nil
}

// Checkpoint is one compaction as it happened, to be looked at later: what was
// asked and answered, the history before and after, and what became of each
// item. It holds the texts of the conversation; the caller keeps it.
type Checkpoint struct {
	V        int             `json:"v"`
	Engine   string          `json:"engine"`
	Format   string          `json:"format"`
	Pointer  string          `json:"conversation,omitempty"` // of the conversation in before
	Policy   json.RawMessage `json:"policy"`
	Decision Decision        `json:"decision"`
	Requests []ModelRequest  `json:"requests"` // in order; the answer to each is in answers
	Answers  []Answer        `json:"answers"`
	Before   json.RawMessage `json:"before"` // the transcript, a string where it is text
	After    json.RawMessage `json:"after"`
	Summary  string          `json:"summary"`
	Receipt  Receipt         `json:"receipt"`
}

// checkpoint is that of a compaction that was carried out.
func (j *job) checkpoint(res *CompactResult) (*Checkpoint, error) {
	if !j.req.Checkpoint || !res.Compacted {
		return nil, nil
	}
	c := &Checkpoint{
		V: 1, Engine: Version, Format: j.doc.Format, Pointer: j.req.Conversation, Policy: j.req.Policy, Decision: res.Decision, Answers: j.req.Answers,
		Before: asJSON(j.req.Transcript, res.Text), After: asJSON(res.Transcript, res.Text),
		Summary: res.Summary, Receipt: res.Receipt, Requests: []ModelRequest{},
	}
	if c.Policy == nil {
		c.Policy = json.RawMessage("null")
	}
	if c.Answers == nil {
		c.Answers = []Answer{}
	}
	if !j.plan.Folds() {
		return c, nil
	}
	for i := range max(1, len(j.req.Answers)) {
		step, err := j.plan.Next(j.req.Answers[:min(i, len(j.req.Answers))])
		if err != nil {
			return nil, err
		}
		if step.Request == nil {
			break
		}
		r, err := j.request(step.Request)
		if err != nil {
			return nil, err
		}
		c.Requests = append(c.Requests, *r)
	}
	return c, nil
}

// asJSON is a transcript as it stands on the wire.
func asJSON(src []byte, text bool) json.RawMessage {
	if !text {
		return src
	}
	raw, err := marshal(string(src))
	if err != nil {
		return json.RawMessage(`""`)
	}
	return raw
}

// Inspected is one item of a checkpoint, as a person reads it.
type Inspected struct {
	ItemFate
	Parts []PartView `json:"parts"`
}

// Inspection is what a checkpoint says, item by item.
type Inspection struct {
	Format  string      `json:"format"`
	Summary string      `json:"summary"`
	Folded  []Inspected `json:"folded"` // and what was dropped: gone from the history
	Kept    []Inspected `json:"kept"`   // all that stands in it, changed or not
}

// Inspect reads a checkpoint without anything else. Errors: invalid_request with
// the path of what is wrong.
func Inspect(raw []byte) (*Inspection, error) {
	var c Checkpoint
	if err := json.Unmarshal(raw, &c); err != nil || c.V != 1 || len(c.Before) == 0 {
		return nil, &Error{Code: "invalid_request", Path: "checkpoint", Message: "is no checkpoint of version 1: send one as /v1/compact gave it for checkpoint: true"}
	}
	req := Request{Transcript: c.Before, Format: c.Format, Conversation: c.Pointer}
	var text string
	if json.Unmarshal(c.Before, &text) == nil {
		req.Transcript, req.Text = []byte(text), true
	}
	read, err := Items(req)
	if err != nil {
		return nil, err
	}
	if len(read.Items) != len(c.Receipt.Items) {
		return nil, &Error{Code: "invalid_request", Path: "checkpoint.receipt.items", Message: fmt.Sprintf("has %d fates for %d items", len(c.Receipt.Items), len(read.Items))}
	}
	out := &Inspection{Format: c.Format, Summary: c.Summary, Folded: []Inspected{}, Kept: []Inspected{}}
	for i, f := range c.Receipt.Items {
		x := Inspected{ItemFate: f, Parts: read.Items[i].Parts}
		if f.Fate == compact.Folded || f.Fate == compact.Dropped {
			out.Folded = append(out.Folded, x)
		} else {
			out.Kept = append(out.Kept, x)
		}
	}
	return out, nil
}
