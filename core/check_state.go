package core

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// mostWindows is the largest number of a window: 2^53-1, up to which a host in
// JavaScript reads it and writes it back as it was. All other numbers are of what
// providers report, which may be anything from 0 on.
const mostWindows = 1<<53 - 1

// check refuses a state that no engine wrote: all its numbers are counts or
// measures, and a window below 0 would never come to its second.
func (s *state) check() error {
	if err := s.checkHeld(); err != nil {
		return err
	}
	if err := count("window.number", &s.Window.Number); err != nil {
		return err
	}
	if n := s.Window.Number; n > mostWindows {
		return &Error{Code: "invalid_request", Path: "state.window.number", Message: fmt.Sprintf("is %d, the limit is %d", n, int64(mostWindows))}
	}
	if err := count("window.prefill", s.Window.Prefill); err != nil {
		return err
	}
	if m := s.Compacted; m != nil {
		for _, f := range []named[int]{{"items", &m.Items}, {"prompt", &m.Prompt}, {"total", &m.Total}} {
			if err := count("compacted."+f.name, f.value); err != nil {
				return err
			}
		}
	}
	if r := s.Ratio; r != nil {
		for _, f := range []named[int]{
			{"reported", &r.Reported}, {"counted", &r.Counted}, {"sum_reported", &r.SumReported}, {"sum_counted", &r.SumCounted},
		} {
			if err := count("ratio."+f.name, f.value); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkHeld is check of the marks of rules.
func (s *state) checkHeld() error {
	for _, k := range slices.SortedStableFunc(maps.Keys(s.Held.Failed), strings.Compare) {
		n := s.Held.Failed[k]
		if err := count("held.failed."+transcript.Clip(k), &n); err != nil {
			return err
		}
	}
	for _, k := range slices.SortedStableFunc(maps.Keys(s.Held.Done), strings.Compare) {
		n := s.Held.Done[k]
		if err := count("held.done."+transcript.Clip(k), &n); err != nil {
			return err
		}
	}
	if err := count("held.before", &s.Held.Before); err != nil {
		return err
	}
	m := s.Held.Switch
	if m == nil {
		return nil
	}
	if err := count("held.switch.failed", m.Failed); err != nil {
		return err
	}
	return count("held.switch.done", m.Done)
}

// named is a number of the state by its name.
type named[T int | float64] struct {
	name  string
	value *T
}

// count refuses a number that counts nothing; nil is unknown.
func count[T int | float64](path string, n *T) error {
	if n == nil || *n >= 0 {
		return nil
	}
	return &Error{Code: "invalid_request", Path: "state." + path, Message: fmt.Sprintf("is %v, must be at least 0", *n)}
}
