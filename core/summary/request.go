// Package summary makes the text that stands for what was folded: it asks a
// model for it (Request), checks what comes back, or writes it without a model
// (Digest). It also knows every prefix that marks a summary.
package summary

import (
	_ "embed"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

//go:embed prompts/summary.md
var defaultPrompt string

// Purpose of a request that shows all of the history; see Chunk and Merge.
const Purpose = "summary"

// Request is one request to a summariser, before a format makes a body of it:
// the items that it shows, oldest first, and the instruction behind them.
type Request struct {
	Purpose string // Purpose, Chunk or Merge
	Attempt int    // how many requests came before it
	Items   []int
	Prompt  string
	Model   string // "" is the conversation's own
	// MaxTokens is the length that is asked for.
	MaxTokens int
	SendTools string
	// Implementation is "" for a request of a text, else the policy's that asks the
	// provider for an opaque summary.
	Implementation string
	// Instead are items that are shown with other bytes than they have, by index.
	Instead map[int]transcript.Item
}

// modelTokens is how long a model's summary may be where the policy gives no
// number.
const modelTokens = 2000

// NewRequest is the first request: the whole history, so that the provider's
// prompt cache still knows its beginning, and the policy's instruction. items
// are those of the history that the provider takes.
func NewRequest(p *policy.Policy, items []int, model string) *Request {
	r := &Request{
		Purpose:   Purpose,
		Items:     items,
		Prompt:    p.Summary.Prompt,
		Model:     model,
		MaxTokens: p.Summary.MaxTokens,
		SendTools: p.Summary.SendTools,
	}
	if r.Prompt == "" {
		r.Prompt = strings.TrimSpace(defaultPrompt)
	}
	language := "the language that the user writes in"
	if l := p.Summary.Language; l != "" && l != "auto" {
		language = "the language with the tag " + l
		if !strings.Contains(r.Prompt, "{language}") { // a prompt of the policy's own
			r.Prompt += "\n\nWrite in {language}."
		}
	}
	r.Prompt = strings.ReplaceAll(r.Prompt, "{language}", language)
	if r.MaxTokens == 0 {
		r.MaxTokens = modelTokens
	}
	return r
}

// Shrink is the request after the provider said that it was too long: without
// its oldest item and that item's other half (a call goes with its results, a
// result with its call). false: nothing is left to leave out.
func (r *Request) Shrink(p *transcript.Pairing) (*Request, bool) {
	if len(r.Items) <= 1 {
		return nil, false
	}
	out := map[int]bool{}
	leave := []int{r.Items[0]}
	for len(leave) > 0 {
		i := leave[len(leave)-1]
		leave = leave[:len(leave)-1]
		if !out[i] {
			out[i] = true
			leave = append(leave, p.PartnersOf(i)...)
		}
	}
	next := *r
	next.Attempt++
	next.Items = make([]int, 0, len(r.Items)-1)
	for _, i := range r.Items {
		if !out[i] {
			next.Items = append(next.Items, i)
		}
	}
	return &next, len(next.Items) > 0
}

// Again is the same request once more, after an answer that was no summary.
func (r *Request) Again() *Request {
	next := *r
	next.Attempt++
	return &next
}

// InLanguage is the same request once more, after an answer in another language.
func (r *Request) InLanguage() *Request {
	next := r.Again()
	next.Prompt += "\n\nThe last answer was in another language than the conversation. Write all of it, headings too, in the language that the user writes in."
	return next
}

// Shorter is the same request once more, after a summary that made nothing smaller.
func (r *Request) Shorter() *Request {
	next := r.Again()
	next.Prompt += "\n\nThe last answer was longer than what it was to stand for. Answer in a few lines: the goal, what is done, what is open."
	return next
}

// The errors that an answer may be.
const (
	TooLong   = "context_length_exceeded"
	Empty     = "empty"
	Truncated = "truncated"
	ToolCall  = "tool_call"
	Failed    = "failed"
	// NotSmaller: the host saw that the summary makes nothing smaller. It is asked
	// for once more, shorter.
	NotSmaller = "not_smaller"
	// Interrupted: whoever asked gave up waiting. Nobody is asked again, and nothing
	// else is put in the summary's place.
	Interrupted = "interrupted"
)

// Answer is what came back for one request: a text, or an error code.
type Answer struct {
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
	// Output is that of a response, a list of items: an answer to a request to
	// compact, in the place of the payload as a text.
	Output json.RawMessage `json:"output,omitempty"`
	// Usage is what the provider reported for the request, nil is unknown.
	Usage *tokens.Usage `json:"usage,omitempty"`
	// Own says that it is the caller's own summary: its language is their affair.
	Own bool `json:"-"`
}

// Listed reports whether the answer is the output of a response.
func (a Answer) Listed() bool { return len(a.Output) > 0 && string(a.Output) != "null" }

// Check is the error code of the answer, "" for a usable text. A blank text is
// an empty answer.
func (a Answer) Check() string {
	if a.Error == "" && Blank(a.Text) {
		return Empty
	}
	return a.Error
}

// Blank reports whether nobody sees anything of a text: white space and
// characters without width.
func Blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && (r < 0x200B || r > 0x200F) && r != 0x2060 && r != 0xFEFF
	}) < 0
}

// Known reports whether the answer's error is one of the list.
func (a Answer) Known() bool {
	switch a.Error {
	case "", TooLong, Empty, Truncated, ToolCall, Failed, NotSmaller, Interrupted:
		return true
	}
	return false
}
