package core_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The words of a want file that look at the request to a summariser.

// request is the last one that the answers led to, before its own answer where
// the last of them is a text; nil where none was made.
func (s *issueStep) request() (*core.ModelRequest, error) {
	req := s.req
	if n := len(req.Answers) - 1; n >= 0 && req.Answers[n].Error == "" {
		req.Answers = req.Answers[:n]
	}
	res, err := core.Plan(req)
	if err != nil {
		return nil, err
	}
	return res.Plan.Request, nil
}

func (s *issueStep) asked() (*core.ModelRequest, error) {
	r, err := s.request()
	if err == nil && r == nil {
		err = errors.New("nothing is asked")
	}
	return r, err
}

func (s *issueStep) requestNone([]string) error {
	r, err := s.request()
	if err == nil && r != nil {
		err = fmt.Errorf("attempt %d is asked for", r.Attempt)
	}
	return err
}

func (s *issueStep) requestAttempt(a []string) error {
	r, err := s.asked()
	if err != nil {
		return err
	}
	return same(strconv.Itoa(r.Attempt), a[0])
}

// body is the transcript of a request to a summariser.
func (s *issueStep) body() (*transcript.Transcript, *core.ModelRequest, error) {
	r, err := s.asked()
	if err != nil {
		return nil, nil, err
	}
	d, err := format.Decode(r.Body, format.Options{Format: r.Format})
	if err != nil {
		return nil, nil, err
	}
	return d.Transcript, r, nil
}

func (s *issueStep) requestValid([]string) error {
	t, _, err := s.body()
	if err != nil {
		return err
	}
	return refusals(t)
}

func (s *issueStep) requestContains(a []string) error {
	t, r, err := s.body()
	if err != nil {
		return err
	}
	if contains(string(r.Body), a[0]) == nil {
		return nil
	}
	for _, it := range t.Items {
		if contains(it.Text(), a[0]) == nil {
			return nil
		}
	}
	return fmt.Errorf("it is not in %s", clip(r.Body))
}

func (s *issueStep) requestLacks(a []string) error {
	_, r, err := s.body()
	if err != nil {
		return err
	}
	return lacks(string(r.Body), a[0])
}

func (s *issueStep) requestTokens(a []string) error {
	r, err := s.asked()
	if err != nil {
		return err
	}
	n, err := core.Count(core.Request{Transcript: r.Body, Format: r.Format})
	if err != nil {
		return err
	}
	return limit(n.Total, a)
}

// requestPrefix: the first n items of the transcript begin the request, byte for
// byte, so that the provider's cache knows them.
func (s *issueStep) requestPrefix(a []string) error {
	n, err := strconv.Atoi(a[0])
	if err != nil {
		return err
	}
	t, _, err := s.body()
	if err != nil {
		return err
	}
	in := s.read(s.req.Transcript)
	for i := range n {
		if i >= len(in.Items) || i >= len(t.Items) || !bytes.Equal(in.Items[i].Raw, t.Items[i].Raw) {
			return fmt.Errorf("place %d is not as it was", i)
		}
	}
	return nil
}
