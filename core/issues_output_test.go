package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The words of a want file that look at the transcripts and the summary.

// read is a transcript with its earlier summaries marked.
func (s *issueStep) read(src []byte) *transcript.Transcript {
	s.t.Helper()
	t := decode(s.t, src, s.req).Transcript
	p, err := policy.Compile(s.req.Policy, s.req.Model)
	if err != nil {
		s.t.Fatal(err)
	}
	summary.Mark(p, t)
	return t
}

func refusals(t *transcript.Transcript) error {
	if d := transcript.Validate(t, transcript.Pair(t)); len(d) > 0 {
		return fmt.Errorf("is refused: %+v", d)
	}
	return nil
}

func (s *issueStep) inputValid([]string) error { return refusals(s.read(s.req.Transcript)) }
func (s *issueStep) valid([]string) error      { return refusals(s.read(s.res.Transcript)) }

func (s *issueStep) defect(a []string) error {
	for _, d := range s.res.Receipt.Defects {
		if d.Code == a[0] && d.Path == a[1] {
			return nil
		}
	}
	return fmt.Errorf("the defects are %+v", s.res.Receipt.Defects)
}

// noOrphans: whatever the provider says of it, no result stands without its call,
// and no call without its result but for those that wait.
func (s *issueStep) noOrphans([]string) error {
	out := s.read(s.res.Transcript)
	if p := transcript.Pair(out); len(p.Orphans)+len(p.Unanswered) > 0 {
		return fmt.Errorf("results without a call: %v, calls without a result: %v", p.Orphans, p.Unanswered)
	}
	return nil
}

func (s *issueStep) repaired(a []string) error {
	for _, r := range s.res.Repaired {
		if r.Code == a[0] && r.Path == a[1] {
			return nil
		}
	}
	return fmt.Errorf("repaired are %+v", s.res.Repaired)
}

func (s *issueStep) utf8([]string) error {
	if !utf8.Valid(s.res.Transcript) {
		return errors.New("the output is no UTF-8")
	}
	return nil
}

func (s *issueStep) inputsJSON(a []string) error {
	out := s.read(s.res.Transcript)
	return s.items(a, func(f core.ItemFate) error {
		if f.To == nil {
			return fmt.Errorf("is %s", f.Fate)
		}
		for _, p := range out.Items[*f.To].Parts {
			if p.Kind == transcript.Call && !json.Valid([]byte(p.Text)) {
				return fmt.Errorf("has the input %s", p.Text)
			}
		}
		return nil
	})
}

func (s *issueStep) roles(a []string) error {
	var got []string
	for _, it := range s.read(s.res.Transcript).Items {
		got = append(got, string(it.Role))
	}
	return same(strings.Join(got, " "), strings.Join(a, " "))
}

// texts is all that can be read in a transcript.
func (s *issueStep) texts(src []byte) string {
	var b strings.Builder
	for _, it := range s.read(src).Items {
		for _, p := range it.Parts {
			b.WriteString(p.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func contains(text, part string) error {
	if !strings.Contains(text, part) {
		return fmt.Errorf("it is not in %s", clip([]byte(text)))
	}
	return nil
}

func lacks(text, part string) error {
	if at := strings.Index(text, part); at >= 0 {
		return fmt.Errorf("it is in %s", clip([]byte(text[at:])))
	}
	return nil
}

// outContains: a person reads it there, or it stands in the bytes.
func (s *issueStep) outContains(a []string) error {
	if contains(string(s.res.Transcript), a[0]) == nil {
		return nil
	}
	return contains(s.texts(s.res.Transcript), a[0])
}

func (s *issueStep) outLacks(a []string) error {
	return errors.Join(lacks(s.texts(s.res.Transcript), a[0]), lacks(string(s.res.Transcript), a[0]))
}

func (s *issueStep) outCount(a []string) error {
	return same(strconv.Itoa(strings.Count(s.texts(s.res.Transcript), a[1])), a[0])
}

// outBefore: behind the first text the second one is read.
func (s *issueStep) outBefore(a []string) error {
	_, rest, ok := strings.Cut(s.texts(s.res.Transcript), a[0])
	if !ok {
		return errors.New("the first is not there")
	}
	return contains(rest, a[1])
}

func (s *issueStep) summaries(a []string) error {
	n := 0
	out := s.read(s.res.Transcript)
	for i := range out.Items {
		if out.Items[i].Summary || out.Items[i].HoldsSummary() {
			n++
		}
	}
	return same(strconv.Itoa(n), a[0])
}

func (s *issueStep) inserted() (core.Inserted, error) {
	i := slices.IndexFunc(s.res.Receipt.Inserted, func(in core.Inserted) bool { return in.Kind == "summary" })
	if i < 0 {
		return core.Inserted{}, errors.New("there is no summary")
	}
	return s.res.Receipt.Inserted[i], nil
}

func (s *issueStep) summaryRole(a []string) error {
	in, err := s.inserted()
	if err != nil {
		return err
	}
	return same(in.Role, a[0])
}

func (s *issueStep) summaryTokens(a []string) error {
	in, err := s.inserted()
	if err != nil {
		return err
	}
	return limit(in.Tokens, a)
}

func (s *issueStep) summaryContains(a []string) error { return contains(s.res.Summary, a[0]) }
func (s *issueStep) summaryLacks(a []string) error    { return lacks(s.res.Summary, a[0]) }
