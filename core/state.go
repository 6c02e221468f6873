package core

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// stateVersion is the version of the state object. Another one is refused: what
// it means is not known here.
const stateVersion = 1

// state is what a host carries from one call to the next. It holds numbers
// only, never text of a transcript, and stays under 2 KB for the 64 rules that a
// policy may have.
type state struct {
	V int `json:"v"`
	// Held are the marks that keep a trigger from looping.
	Held trigger.Held `json:"held,omitzero"`
	// Compacted is where the last compaction was, until a usage from behind it
	// came: see tokens.Mark.
	Compacted *tokens.Mark `json:"compacted,omitempty"`
	// Window is the stretch since the last compaction: see trigger.Window.
	Window trigger.Window `json:"window,omitzero"`
	// Ratio is what the reported usage says of the estimate: see tokens.Ratio.
	Ratio *tokens.Ratio `json:"ratio,omitempty"`
	// Session is what a Session carries beside all that; no other call looks at it.
	Session *carriedSession `json:"session,omitempty"`
}

func decodeState(raw json.RawMessage) (state, error) {
	s := state{V: stateVersion}
	if len(raw) == 0 || string(raw) == "null" {
		return s, nil
	}
	bad := func(message string) (state, error) {
		return state{}, &Error{Code: "invalid_state", Path: "state", Message: message + "; send the state of the last answer as it came, or leave it out to start anew"}
	}
	var version struct {
		V *int `json:"v"`
	}
	if err := json.Unmarshal(raw, &version); err != nil || version.V == nil {
		return bad("is no state object with a version v")
	}
	if *version.V != stateVersion {
		return bad(fmt.Sprintf("has version %d, this engine knows %d", *version.V, stateVersion))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return bad("is not as this engine wrote it")
	}
	for _, id := range [...]string{s.Window.ID, s.Window.Previous, s.Window.First} {
		if (&WindowIDs{ID: id}).Check() != nil {
			return bad("names a window as no host may")
		}
	}
	if c := s.Session; c != nil && (c.Rounds < 0 || c.Turns < 0) {
		return bad("counts fewer rounds than none")
	}
	return s, nil
}

// compacted is the state behind a compaction that left so many items, with the
// last usage that was known.
func (s state) compacted(items int, u *Usage) state {
	s.Compacted = tokens.MarkOf(items, u, s.Compacted)
	if s.Ratio != nil {
		if r := s.Ratio.Restart(); r.SumCounted > 0 {
			s.Ratio = &r
		} else {
			s.Ratio = nil
		}
	}
	return s
}

// opened is the state in the window behind a compaction that left so many tokens.
func (s state) opened(p *policy.Policy, left int, ids *WindowIDs) state {
	s.Window = s.Window.After(p, left, ids)
	return s
}

func (s state) encode() json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil { // numbers that came out of JSON go back into it
		return json.RawMessage(`{"v":1}`)
	}
	return raw
}

// failing is the state behind a compaction that was tried and changed nothing.
func (j *job) failing() state {
	s := j.carried
	s.Held = s.Held.AfterFailure(j.policy, j.decision, j.foldable)
	return s
}

// behind is the state behind a compaction that was carried out: what its rules
// measure of what it left is what they have to exceed.
func (j *job) behind(entries []transcript.Entry, receipt *Receipt) (state, error) {
	if receipt.NoProgress {
		return j.failing(), nil
	}
	t, m := *j.doc.Transcript, tokens.Measured{Overhead: receipt.OverheadAfter, Items: make([]int, len(entries))}
	t.Items = make([]transcript.Item, len(entries))
	for i, e := range entries {
		if e.New == nil {
			t.Items[i], m.Items[i] = j.doc.Items[e.From], j.measured.Items[e.From]
			continue
		}
		t.Items[i], m.Items[i] = *e.New, tokens.Item(&t, e.New, j.counter)
	}
	summary.Mark(j.policy, &t)
	in := j.input
	in.Transcript, in.Measured, in.Usage, in.Cleared, in.Held = &t, m, nil, 0, trigger.Held{}
	if j.policy.Scope == policy.BodyAfterPrefix {
		in.Prefill = &receipt.TokensAfter
	}
	left, err := trigger.Evaluate(j.policy, in)
	if err != nil {
		return state{}, err
	}
	s := j.carried
	s.Held = s.Held.After(j.policy, j.decision, left, j.foldable)
	return s, nil
}
