package core_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core"
)

// The words of a want file, one function for each. Items are numbered as in the
// transcript that came in, from 0; "2-5" are four of them.

// word is an assertion: how it is written, and the function that looks.
type word struct {
	args string // of how many words, as people read it; "..." is any number
	run  func(s *issueStep, args []string) error
}

func issueWords() map[string]word {
	return map[string]word{
		// What came of the request.
		"compacted":     {"true|false", (*issueStep).compacted},
		"reason":        {"CODE", (*issueStep).reason},
		"error":         {"CODE PATH", (*issueStep).failed},
		"fired":         {"true|false", (*issueStep).fired},
		"decision":      {"REASON", (*issueStep).decision},
		"measure":       {"NAME at-least|at-most N", (*issueStep).measure},
		"tokens-before": {"at-least|at-most N", (*issueStep).tokensBefore},
		"tokens-after":  {"at-least|at-most N", (*issueStep).tokensAfter},
		"shrinks-to":    {"PERCENT", (*issueStep).shrinksTo},
		"no-progress":   {"true|false", (*issueStep).noProgress},
		"summary-by":    {"digest|model|caller|none", (*issueStep).summaryBy},
		"calls":         {"N", (*issueStep).calls},
		// What became of the items.
		"fate":     {"ITEMS FATE REASON", (*issueStep).fate},
		"together": {"ITEMS ...", (*issueStep).together},
		"stands":   {"ITEMS ...", (*issueStep).stands},
		"gone":     {"ITEMS ...", (*issueStep).gone},
		"bytes":    {"ITEMS ...", (*issueStep).bytes},
		"order":    {"ITEM|summary ...", (*issueStep).order},
		"prefix":   {"N", (*issueStep).prefix},
		"tokens":   {"ITEM at-least|at-most N", (*issueStep).tokensOf},
		// The transcript that came in, and the one that came out.
		"input-valid":      {"", (*issueStep).inputValid},
		"valid":            {"", (*issueStep).valid},
		"defect":           {"CODE PATH", (*issueStep).defect},
		"no-orphans":       {"", (*issueStep).noOrphans},
		"repaired":         {"CODE PATH", (*issueStep).repaired},
		"utf-8":            {"", (*issueStep).utf8},
		"inputs-json":      {"ITEMS ...", (*issueStep).inputsJSON},
		"roles":            {"ROLE ...", (*issueStep).roles},
		"out-contains":     {"TEXT", (*issueStep).outContains},
		"out-not-contains": {"TEXT", (*issueStep).outLacks},
		"out-count":        {"N TEXT", (*issueStep).outCount},
		"out-before":       {"TEXT TEXT", (*issueStep).outBefore},
		// The summary.
		"summaries":            {"N", (*issueStep).summaries},
		"summary-role":         {"ROLE", (*issueStep).summaryRole},
		"summary-contains":     {"TEXT", (*issueStep).summaryContains},
		"summary-not-contains": {"TEXT", (*issueStep).summaryLacks},
		"summary-tokens":       {"at-least|at-most N", (*issueStep).summaryTokens},
		// The last request to a summariser that the answers led to.
		"request-none":         {"", (*issueStep).requestNone},
		"request-attempt":      {"N", (*issueStep).requestAttempt},
		"request-valid":        {"", (*issueStep).requestValid},
		"request-contains":     {"TEXT", (*issueStep).requestContains},
		"request-not-contains": {"TEXT", (*issueStep).requestLacks},
		"request-tokens":       {"at-least|at-most N", (*issueStep).requestTokens},
		"request-prefix":       {"N", (*issueStep).requestPrefix},
	}
}

// assert looks at one line.
func (s *issueStep) assert(words []string) error {
	w, ok := issueWords()[words[0]]
	if !ok {
		return fmt.Errorf("%q is no word of this language", words[0])
	}
	args := words[1:]
	want := strings.Fields(w.args)
	if n := len(want); n > 0 && want[n-1] == "..." {
		if len(args) == 0 {
			return fmt.Errorf("wants %s", w.args)
		}
	} else if len(args) != n {
		return fmt.Errorf("wants %q, has %d words", w.args, len(args))
	}
	if s.res == nil && words[0] != "error" && words[0] != "request-valid" {
		return errors.New("there is an error and no result")
	}
	return w.run(s, args)
}

func same[T comparable](got, want T) error {
	if got != want {
		return fmt.Errorf("is %v", got)
	}
	return nil
}

func limit(got int, args []string) error {
	n, err := strconv.Atoi(args[1])
	switch {
	case err != nil:
		return err
	case args[0] == "at-least" && got >= n, args[0] == "at-most" && got <= n:
		return nil
	}
	return fmt.Errorf("is %d", got)
}

// numbers are those of ranges.
func (s *issueStep) numbers(args ...string) ([]int, error) {
	var out []int
	for _, a := range args {
		from, to, ranged := strings.Cut(a, "-")
		if !ranged {
			to = from
		}
		i, err1 := strconv.Atoi(from)
		j, err2 := strconv.Atoi(to)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		if i > j || j >= len(s.res.Receipt.Items) {
			return nil, fmt.Errorf("%s: there are %d items", a, len(s.res.Receipt.Items))
		}
		for ; i <= j; i++ {
			out = append(out, i)
		}
	}
	return out, nil
}

// items runs a look at the fate of each item.
func (s *issueStep) items(args []string, look func(f core.ItemFate) error) error {
	all, err := s.numbers(args...)
	if err != nil {
		return err
	}
	for _, i := range all {
		if err := look(s.res.Receipt.Items[i]); err != nil {
			return fmt.Errorf("item %d %w", i, err)
		}
	}
	return nil
}

func (s *issueStep) compacted(a []string) error {
	return same(strconv.FormatBool(s.res.Compacted), a[0])
}
func (s *issueStep) reason(a []string) error { return same(s.res.Reason, a[0]) }
func (s *issueStep) fired(a []string) error {
	return same(strconv.FormatBool(s.res.Decision.Fired), a[0])
}

func (s *issueStep) decision(a []string) error {
	got := "none"
	if r := s.res.Decision.Reason; r != nil {
		got = *r
	}
	return same(got, a[0])
}

func (s *issueStep) failed(a []string) error {
	if s.err == nil {
		return errors.New("there is none")
	}
	return same(s.err.Code+" "+s.err.Path, a[0]+" "+a[1])
}

func (s *issueStep) measure(a []string) error {
	for _, m := range s.res.Decision.Rules {
		if m.Measure == a[0] && m.Measured != nil {
			return limit(int(*m.Measured), a[1:])
		}
	}
	return errors.New("is not known")
}

func (s *issueStep) tokensBefore(a []string) error { return limit(s.res.Receipt.TokensBefore, a) }
func (s *issueStep) tokensAfter(a []string) error  { return limit(s.res.Receipt.TokensAfter, a) }

func (s *issueStep) shrinksTo(a []string) error {
	return limit(100*s.res.Receipt.TokensAfter/s.res.Receipt.TokensBefore, []string{"at-most", a[0]})
}

func (s *issueStep) noProgress(a []string) error {
	return same(strconv.FormatBool(s.res.Receipt.NoProgress), a[0])
}

func (s *issueStep) summaryBy(a []string) error { return same(s.res.Receipt.Summary.By, a[0]) }

func (s *issueStep) calls(a []string) error {
	return same(strconv.Itoa(s.res.Receipt.Summary.Calls), a[0])
}

func (s *issueStep) fate(a []string) error {
	return s.items(a[:1], func(f core.ItemFate) error {
		return same(string(f.Fate)+" "+string(f.Reason), a[1]+" "+a[2])
	})
}

func (s *issueStep) together(a []string) error {
	all, err := s.numbers(a...)
	if err != nil {
		return err
	}
	stands := s.res.Receipt.Items[all[0]].To != nil
	return s.items(a, func(f core.ItemFate) error {
		if (f.To != nil) != stands {
			return fmt.Errorf("is %s, and item %d is %s", f.Fate, all[0], s.res.Receipt.Items[all[0]].Fate)
		}
		return nil
	})
}

func (s *issueStep) stands(a []string) error {
	return s.items(a, func(f core.ItemFate) error {
		if f.To == nil {
			return fmt.Errorf("is %s", f.Fate)
		}
		return nil
	})
}

func (s *issueStep) gone(a []string) error {
	return s.items(a, func(f core.ItemFate) error {
		if f.To != nil {
			return fmt.Errorf("is %s", f.Fate)
		}
		return nil
	})
}

func (s *issueStep) bytes(a []string) error {
	in, out := s.read(s.req.Transcript), s.read(s.res.Transcript)
	return s.items(a, func(f core.ItemFate) error {
		if f.To == nil || !bytes.Equal(in.Items[f.Index].Raw, out.Items[*f.To].Raw) {
			return fmt.Errorf("is %s", f.Fate)
		}
		return nil
	})
}

func (s *issueStep) order(a []string) error {
	last := -1
	for _, name := range a {
		at := -1
		if name == "summary" {
			for _, in := range s.res.Receipt.Inserted {
				if in.Kind == "summary" {
					at = in.To
				}
			}
		} else if i, err := s.numbers(name); err != nil {
			return err
		} else if to := s.res.Receipt.Items[i[0]].To; to != nil {
			at = *to
		}
		if at <= last {
			return fmt.Errorf("%s stands at %d, behind %d", name, at, last)
		}
		last = at
	}
	return nil
}

func (s *issueStep) prefix(a []string) error {
	n, err := strconv.Atoi(a[0])
	if err != nil {
		return err
	}
	in, out := s.read(s.req.Transcript), s.read(s.res.Transcript)
	for i := range n {
		if i >= len(in.Items) || i >= len(out.Items) || !bytes.Equal(in.Items[i].Raw, out.Items[i].Raw) {
			return fmt.Errorf("place %d is not as it was", i)
		}
	}
	return nil
}

func (s *issueStep) tokensOf(a []string) error {
	return s.items(a[:1], func(f core.ItemFate) error { return limit(f.TokensBefore, a[1:]) })
}
