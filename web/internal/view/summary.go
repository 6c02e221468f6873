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
	browser.Flag(box, "readOnly", !own && !s.Answer.Compacted)
	put(browser.ByID("summary-by"), get(s.SummaryBy()))
	browser.Flag(browser.Find("[data-act=reset]")[0], "hidden", !own)

	body, hint, more := "", "", browser.ByID("request-more")
	browser.Empty(more)
	copyIt := browser.Find("[data-act=copy][data-arg=request]")[0]
	browser.Flag(copyIt, "hidden", s.Request == nil)
	browser.Flag(browser.ByID("request-body"), "hidden", s.Request == nil && s.Unasked == nil)
	switch {
	case s.Unasked != nil:
		body = s.Unasked.Sentence()
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
	prompt := ""
	if s.Request != nil {
		prompt = s.Request.Prompt
	}
	put(browser.ByID("request-prompt"), prompt)
	browser.Flag(browser.ByID("request-instruction"), "hidden", prompt == "")
	put(browser.ByID("request-body"), body)
	put(browser.ByID("request-hint"), hint)
}

// firstRequest is how many characters of the request's body are shown at once:
// the first items. Its instruction stands at the end of the body, so it is shown
// apart, before it.
const firstRequest = 6_000
