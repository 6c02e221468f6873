//go:build js && wasm

package view

import (
	"github.com/tamp-dev/tamp/web/internal/browser"
	"github.com/tamp-dev/tamp/web/internal/state"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// requestRow is the key under which the request's text is unfolded.
const requestRow = "request"

// summary shows who wrote the summary, and the request for a better one. What
// a person is writing is never written over.
func (p *Page) summary(s state.State) {
	get := func(key string, args ...string) string { return text.Get(s.Lang, key, args...) }
	box := browser.ByID("summary")
	own := s.Summary != nil
	if !own {
		browser.SetValue(box, s.Answer.Summary)
	}
	attribute(box, "data-own", map[bool]string{true: "true"}[own])
	browser.Flag(box, "disabled", !own && !s.Answer.Compacted)
	by := get("summary.digest")
	switch {
	case own && s.Stale:
		by = get("summary.waiting")
	case own:
		by = get("summary.caller")
	case !s.Answer.Compacted:
		by = get("summary.none")
	}
	put(browser.ByID("summary-by"), by)
	browser.Flag(browser.Find("[data-act=reset]")[0], "hidden", !own)

	body, hint, more := "", "", browser.ByID("request-more")
	browser.Empty(more)
	copyIt := browser.Find("[data-act=copy][data-arg=request]")[0]
	browser.Flag(copyIt, "hidden", s.Request == nil)
	browser.Flag(browser.ByID("request-body"), "hidden", s.Request == nil && s.Unasked == nil)
	switch {
	case s.Unasked != nil:
		body = s.Unasked.Message
	case s.Request == nil:
		hint = get("request.none")
	default:
		hint = get("request.hint", text.Size(len(s.Request.Body)), s.Request.Format)
		var rest string
		body, rest = text.Cut(s.Request.Pretty, budget(s, requestRow, firstRequest))
		if rest != "" {
			more.AppendChild(button("link", "more", requestRow, get("row.more", text.Size(len(rest)))))
		}
	}
	put(browser.ByID("request-body"), body)
	put(browser.ByID("request-hint"), hint)
}

// firstRequest is how much of the request is shown at once: its instruction
// and the first items.
const firstRequest = 6_000
