package core

import (
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/transcript"
)

// checkRead refuses what no request can mean, before any work.
func checkRead(req Request) error {
	m := req.Model
	switch {
	case len(req.Transcript) == 0 && !req.Text:
		return &Error{Code: "invalid_request", Path: "transcript", Message: "is missing: send a JSON array, object, or a string of JSON Lines"}
	case m != nil && min(m.ContextWindow, m.MaxContextWindow, m.EffectiveContextWindowPercent) < 0:
		return &Error{Code: "invalid_request", Path: "model", Message: "holds a negative number, windows and percentages are at least 0 (unknown)"}
	case m != nil && m.EffectiveContextWindowPercent > 100:
		return &Error{Code: "invalid_request", Path: "model.effective_context_window_percent", Message: fmt.Sprintf("is %d, the limit is 100", m.EffectiveContextWindowPercent)}
	}
	return checkModels(req.Models)
}

// check refuses what a compaction can not mean.
func check(req Request) error {
	if err := checkRead(req); err != nil {
		return err
	}
	bad := func(code, path, message string) error { return &Error{Code: code, Path: path, Message: message} }
	switch {
	case req.Summary != nil && summary.Blank(*req.Summary):
		return bad("empty_summary", "summary", "is blank: send the text that stands for what is folded, or leave it out for the digest")
	case req.Now != "" && !rfc3339(req.Now):
		return bad("invalid_request", "now", fmt.Sprintf("is %q, must be a time as in RFC 3339: 2026-11-30T16:50:00Z", transcript.Clip(req.Now)))
	case req.Summarizer == "model":
		return bad("not_configured", "summarizer", "model needs an upstream, and none is configured here: send summary, or leave summarizer out for the digest")
	case req.Summarizer != "" && req.Summarizer != "digest":
		return bad("invalid_request", "summarizer", fmt.Sprintf("is %q, must be digest or model", transcript.Clip(req.Summarizer)))
	case len(req.Answers) > maxAnswers:
		return bad("invalid_request", "answers", fmt.Sprintf("has %d answers, the limit is %d", len(req.Answers), maxAnswers))
	case req.PreviousModel != nil && req.PreviousModel.ID == "" && req.PreviousModel.CompHash == "":
		return bad("invalid_request", "previous_model.id", "is missing: without it nobody can tell whether the model changed")
	}
	if err := req.Window.Check(); err != nil {
		return err
	}
	return req.Trace.check()
}

// rfc3339 reports whether s has the form of an RFC 3339 time. The calendar is
// not looked at: core knows no clock, and only repeats what it is given.
func rfc3339(s string) bool {
	date, zone := "0000-00-00T00:00:00", ""
	if len(s) > len(date) {
		s, zone = s[:len(date)], s[len(date):]
	}
	if fraction := strings.TrimLeft(strings.TrimPrefix(zone, "."), "0123456789"); strings.HasPrefix(zone, ".") && len(fraction) < len(zone)-1 {
		zone = fraction
	}
	return shaped(s, date) && (zone == "Z" || shaped(zone, "+00:00") || shaped(zone, "-00:00"))
}

// shaped reports whether s is form with any digits for its zeros.
func shaped(s, form string) bool {
	if len(s) != len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == '0' && (s[i] < '0' || s[i] > '9') || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
}

// maxAnswers bounds the work of one call: each answer that was too long costs
// one pass over the items.
const maxAnswers = 1000
