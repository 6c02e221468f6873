package core_test

import (
	"fmt"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
)

// foldable is the tokens that a compaction would fold or clear for the first time,
// as the fates of a plan say it.
func foldable(t *testing.T, req core.Request) int {
	t.Helper()
	res, err := core.Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range res.Plan.Items {
		again := f.Reason == compact.EarlierSummary || f.Reason == compact.SupersededContext || f.Reason == compact.SummaryRemoved
		if !again && (f.Fate == compact.Folded || f.Fate == compact.Truncated || f.Fate == compact.Cleared) {
			n += f.TokensBefore - f.TokensAfter
		}
	}
	return n
}

// watcher knows what each rule came to at its last tries.
type watcher struct{ marks map[string]*tried }

type tried struct {
	failed *int     // the tokens that could be folded when it did not work last
	done   *float64 // the size when it worked last; nil for what goes by rounds alone
	left   *float64 // what it left then, by a count; from the first figure on by that; nil is unknown
	first  bool     // that figure did not come yet
}

// inTokens reports whether a measure is of what the provider counts too.
func inTokens(measure string) bool {
	switch measure {
	case "tokens", "fraction", "window", "model_downshift":
		return true
	}
	return false
}

// see looks at one decision. fresh says that its tokens are from the same source as
// those of the last compaction, the provider or a count: only then can they show a
// size below the threshold, since a count does not hold what nobody shows us. figure
// says that the provider reported since, and another figure than before.
//
// A rule that worked fires again above the size at which it did. Below that it may
// only where what it left was not too much, or doubled, or grew by half of the room
// up to the window; or where the first figure behind it is too much by less than can
// be folded; or where the host says that a request was refused as too long. left measures what a compaction left, without any mark.
func (w *watcher) see(t *testing.T, res *core.CompactResult, fresh, figure, refused bool, window int, foldable func() int, left func() *core.CompactResult) {
	t.Helper()
	could := -1
	now := func() int {
		if could < 0 {
			could = foldable()
		}
		return could
	}
	for _, key := range w.keys(res) {
		measures := of(res, key)
		last := w.marks[key]
		if last == nil {
			last = &tried{}
			w.marks[key] = last
		}
		fired, reached := true, true
		var size *float64
		var sized core.RuleMeasure
		for _, m := range measures {
			fired, reached = fired && m.Fired, reached && (m.Fired || m.Held)
			if m.Measure == "rounds" {
				continue
			}
			if size == nil {
				size, sized = m.Measured, m
			}
			if m.Measured != nil && !m.Fired && !m.Held && (fresh || !inTokens(m.Measure)) {
				last.done = nil
			}
		}
		if last.failed != nil && 2*now() < *last.failed {
			last.failed = nil // another history
		}
		if fired && last.failed != nil && now() <= 2**last.failed {
			t.Fatalf("%s had nothing to gain with %d tokens to fold, and fires again with %d: %+v", key, *last.failed, now(), measures)
		}
		first := last.first && figure && inTokens(sized.Measure)
		if fired && (!refused || !inTokens(sized.Measure)) && last.done != nil && size != nil && *size <= *last.done && !last.may(sized, first, window, now) {
			t.Fatalf("%s worked at %g, left %v, and fires again at %g: %+v", key, *last.done, last.left, *size, measures)
		}
		if first && size != nil {
			last.left, last.first = size, false
		}
		switch {
		case !res.Decision.Fired || !reached:
		case res.Compacted:
			*last = tried{done: size, first: true}
			for _, m := range of(left(), key) {
				if m.Measure == sized.Measure && m.Measured != nil {
					last.left = m.Measured
				}
			}
		default:
			n := now()
			last.failed = &n
		}
	}
}

// may reports whether a rule may fire at a size at which it worked before.
func (l *tried) may(m core.RuleMeasure, first bool, window int, foldable func() int) bool {
	size, room := *m.Measured, float64(window)
	gain := 1.0
	if m.Measure == "fraction" {
		gain, room = room, 1
	}
	if first {
		return size-float64(foldable())/gain < *m.Threshold
	}
	if l.left == nil || *l.left < *m.Threshold || size > 2**l.left {
		return true
	}
	return inTokens(m.Measure) && *l.left < room && size > (*l.left+room)/2
}

func (w *watcher) keys(res *core.CompactResult) []string {
	var out []string
	for _, m := range res.Decision.Rules {
		if key := keyOf(m); len(out) == 0 || out[len(out)-1] != key {
			out = append(out, key)
		}
	}
	return out
}

func keyOf(m core.RuleMeasure) string {
	if m.Rule < 0 {
		return m.Measure
	}
	return fmt.Sprint("rule ", m.Rule)
}

func of(res *core.CompactResult, key string) []core.RuleMeasure {
	var out []core.RuleMeasure
	for _, m := range res.Decision.Rules {
		if keyOf(m) == key {
			out = append(out, m)
		}
	}
	return out
}
