// Package trigger decides when to compact: it measures a transcript against the
// rules of a policy and says every measure behind the decision.
package trigger

import (
	"fmt"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The axes: trigger, reason, phase.
const (
	Auto   = "auto"
	Manual = "manual"

	UserRequested = "user_requested"
	ContextLimit  = "context_limit"

	PreTurn        = "pre_turn"
	MidTurn        = "mid_turn"
	StandaloneTurn = "standalone_turn"
)

// Input is what a decision is made on. Round, Phase and Trigger are derived
// where they are nil or empty.
type Input struct {
	Transcript *transcript.Transcript
	Measured   tokens.Measured
	Counter    tokens.Counter
	Usage      *tokens.Usage // of the last request, nil is unknown
	Round      *int
	Phase      string
	Trigger    string
	Force      bool
	Window     int     // the model's context window, 0 is unknown
	Prefill    *int    // of the window that is open, nil is unknown
	Switch     *Switch // nil: the model is the one of the last turn
	Held       Held
	// Foldable is the tokens that a compaction would fold or clear now.
	Foldable int
	// Counted says that the provider's usage of before the last compaction is known,
	// and none from behind it: the context is counted for the time being.
	Counted bool
	// First says that Usage is the provider's first figure from behind the last
	// compaction.
	First bool
	// Full says that Usage is the host's word for a request that was refused as too
	// long.
	Full bool
	// Cleared is the tokens that were just taken out of the transcript, which the
	// usage still counts.
	Cleared int
}

// Decision says whether to compact now, and every measure behind it.
type Decision struct {
	Fired   bool      `json:"fired"`
	Forced  bool      `json:"forced"`
	Trigger string    `json:"trigger"`
	Reason  *string   `json:"reason"` // null where nothing fired
	Phase   string    `json:"phase"`
	Round   int       `json:"round"`
	Derived []string  `json:"derived,omitempty"` // of round and phase, those that were not given
	Rules   []Measure `json:"rules"`
	Window  *Window   `json:"window,omitempty"` // where a prefill is subtracted

	change    *Measure // of a change of the model, nil where there is none
	switchKey string   // of that change in the marks
	counted   bool     // Input.Counted
	first     bool     // Input.First
	window    int      // Input.Window
	active    *float64 // tokens, nil where no rule asked for them
}

// Measure is one measure of one rule. Measured is null where it is unknown.
type Measure struct {
	Rule      int      `json:"rule"` // -1: a change of the model, which no rule asks for
	Measure   string   `json:"measure"`
	Measured  *float64 `json:"measured"`
	Threshold *float64 `json:"threshold"`
	Scope     string   `json:"scope,omitempty"` // "body_after_prefix": the prefill is subtracted
	Fired     bool     `json:"fired"`
	Held      bool     `json:"held,omitempty"` // reached, but held back: nothing grew past the mark of its last compaction
}

// Evaluate measures every rule, also those behind the first that fired. Cost:
// linear in the items, whatever the number of rules.
func Evaluate(p *policy.Policy, in Input) (*Decision, error) {
	d := &Decision{Trigger: in.Trigger, Phase: in.Phase, Forced: in.Force, Rules: []Measure{}, counted: in.Counted, first: in.First, window: in.Window}
	if err := axes(d, in); err != nil {
		return nil, err
	}
	if in.Round != nil {
		if *in.Round < 1 {
			return nil, &transcript.Error{Code: "invalid_request", Path: "round", Message: fmt.Sprintf("is %d, must be at least 1", *in.Round)}
		}
		d.Round = *in.Round
	} else {
		d.Round = Round(in.Transcript)
		d.Derived = append([]string{"round"}, d.Derived...)
	}
	m := measurer{Input: in, usage: p.Usage, scope: p.Scope, round: d.Round}
	// No rule at all is off, for a switch too.
	if s := in.Switch; s != nil && len(p.Triggers) > 0 && d.Trigger == Auto && (d.Phase == PreTurn || in.Phase == "") {
		d.changed(p, s, in, m.change(p, s))
	}
	for i, rule := range p.Triggers {
		measures := m.measures(rule)
		for j := range measures {
			measures[j].Rule = i
		}
		if reached(measures) {
			if !p.Strict && in.Held.holds(rule, measures, &in) {
				for j := range measures {
					measures[j].Fired, measures[j].Held = false, true
				}
			} else if !d.Fired {
				d.Fired = true
				reason := reasonOf(measures[0].Measure, p.Usage)
				d.Reason = &reason
			}
		}
		d.Rules = append(d.Rules, measures...)
	}
	d.active = m.taken["active"]
	if d.active == nil && d.change != nil && d.change.Measure == ModelDownshift {
		d.active = d.change.Measured
	}
	reason := ContextLimit
	if d.Trigger == Manual { // a person asked, whatever would have fired on its own
		reason = UserRequested
	}
	if in.Force && !d.Fired || d.Fired && d.Trigger == Manual {
		d.Reason = &reason
	}
	return d, nil
}

// changed takes what a switch of the model measured, nil where it has nothing to
// say. It stands between turns, wherever the transcript ends.
func (d *Decision) changed(p *policy.Policy, s *Switch, in Input, m *Measure) {
	if m == nil {
		return
	}
	d.change, d.switchKey = m, s.key(m.Measure)
	if m.Fired && !p.Strict && in.Held.holdsSwitch(d.switchKey, m, &in) {
		m.Fired, m.Held = false, true
	}
	if m.Fired {
		d.Fired, d.Phase = true, PreTurn
		reason := m.Measure
		d.Reason = &reason
	}
	d.Rules = append(d.Rules, *m)
}

// axes fills trigger and phase and refuses what no host can mean.
func axes(d *Decision, in Input) error {
	switch in.Trigger {
	case "":
		d.Trigger = Auto
	case Auto, Manual:
	default:
		return &transcript.Error{Code: "invalid_request", Path: "trigger", Message: fmt.Sprintf("is %q, must be auto or manual", transcript.Clip(in.Trigger))}
	}
	switch in.Phase {
	case "":
		d.Derived = append(d.Derived, "phase")
		switch {
		case d.Trigger == Manual:
			d.Phase = StandaloneTurn
		case midTurn(in.Transcript):
			d.Phase = MidTurn
		default:
			d.Phase = PreTurn
		}
	case PreTurn, MidTurn, StandaloneTurn:
		if manual := d.Trigger == Manual; manual != (in.Phase == StandaloneTurn) {
			return &transcript.Error{Code: "invalid_request", Path: "phase", Message: fmt.Sprintf("is %q, which does not go with trigger %q: manual goes with standalone_turn and nothing else does", in.Phase, d.Trigger)}
		}
	default:
		return &transcript.Error{Code: "invalid_request", Path: "phase", Message: fmt.Sprintf("is %q, must be pre_turn, mid_turn or standalone_turn", transcript.Clip(in.Phase))}
	}
	return nil
}

func midTurn(t *transcript.Transcript) bool {
	n := len(t.Items)
	return n > 0 && t.Items[n-1].Has(transcript.Result)
}

// reasonOf is the reason of a rule whose first measure has that name: lait's
// tokens are a reason of their own, all that measure the context are its limit.
func reasonOf(measure string, usage policy.Usage) string {
	switch measure {
	case "tokens", "fraction", "window":
		if measure == "tokens" && usage == policy.LastPrompt {
			return "tokens"
		}
		return ContextLimit
	}
	return measure
}
