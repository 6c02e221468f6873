package tokens

import (
	"math"

	"github.com/tamp-dev/tamp/core/transcript"
)

// known is the value of a reported number: nil and negative are unknown.
func known(p *int) (int, bool) {
	if p == nil || *p < 0 {
		return 0, false
	}
	return *p, true
}

// plus adds without wrapping round: a provider's number may be anything.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// LastPrompt is the tokens of the last request: prompt_tokens, or input_tokens
// with the cached ones, which are not part of it where a provider reports them
// apart. false: unknown.
func (u *Usage) LastPrompt() (int, bool) {
	if u == nil {
		return 0, false
	}
	if n, ok := known(u.PromptTokens); ok {
		return n, true
	}
	n, ok := known(u.InputTokens)
	if !ok {
		return 0, false
	}
	for _, p := range []*int{u.CacheReadInputTokens, u.CacheCreationInputTokens} {
		if cached, ok := known(p); ok {
			n = plus(n, cached)
		}
	}
	return n, true
}

// Output is the tokens of the answer. false: unknown.
func (u *Usage) Output() (int, bool) {
	if u == nil {
		return 0, false
	}
	if n, ok := known(u.CompletionTokens); ok {
		return n, true
	}
	return known(u.OutputTokens)
}

// Cached is the tokens of the last request that a prompt cache knew, and those that
// were written into one, 0 where that is unknown.
func (u *Usage) Cached() (read, written int) {
	if u == nil {
		return 0, 0
	}
	read, _ = known(u.CacheReadInputTokens)
	written, _ = known(u.CacheCreationInputTokens)
	if d := u.InputTokensDetails; d != nil {
		if n, ok := known(d.CachedTokens); ok {
			read = n
		}
		if n, ok := known(d.CacheWriteTokens); ok {
			written = n
		}
	}
	return read, written
}

// Total is the tokens of the last request and its answer: total_tokens, else
// the prompt and completion_tokens or output_tokens. false: unknown, also where
// only one of the two is known.
func (u *Usage) Total() (int, bool) {
	if u == nil {
		return 0, false
	}
	if n, ok := known(u.TotalTokens); ok {
		return n, true
	}
	prompt, ok := u.LastPrompt()
	if !ok {
		return 0, false
	}
	answer, ok := u.Output()
	return plus(prompt, answer), ok
}

// Mark says where a conversation was compacted last, in numbers, for a state
// that a host carries on: usage from before it says nothing of what the model
// sees now.
type Mark struct {
	Items  int `json:"items"`            // of the compacted history
	Prompt int `json:"prompt,omitempty"` // of the usage that was known then; 0 is unknown
	Total  int `json:"total,omitempty"`
}

// MarkOf is the mark of a compaction that left items, at which u was the last
// usage known; where it is not, an earlier mark's usage still is.
func MarkOf(items int, u *Usage, earlier *Mark) *Mark {
	m := &Mark{Items: items}
	prompt, ok := u.LastPrompt()
	total, also := u.Total()
	switch {
	case ok || also:
		m.Prompt, m.Total = prompt, total
	case earlier != nil:
		m.Prompt, m.Total = earlier.Prompt, earlier.Total
	}
	return m
}

// Reported says that a usage was known at the compaction.
func (m *Mark) Reported() bool { return m != nil && (m.Prompt > 0 || m.Total > 0) }

// Stale reports whether u is from before the compaction, as far as it can be
// told: it is the usage that was known then, number for number, or Unanswered. A
// history that was cut down by other hands since then looks the same; its usage
// goes unused, and the whole of it is counted. What can not be told is an even
// older usage that is sent for the first time behind an answer: hosts send the
// last one. That a request was refused is said in the same numbers each time: with
// something new in the history it is another request.
func (m *Mark) Stale(t *transcript.Transcript, u *Usage, full int) bool {
	if m == nil || u == nil {
		return false
	}
	prompt, _ := u.LastPrompt()
	total, _ := u.Total()
	same := m.Reported() && prompt == m.Prompt && total == m.Total
	if same && u.Full(full) && len(t.Items) > m.Items {
		same = false
	}
	return same || m.Unanswered(t, u, full)
}

// Full reports whether u is no provider's figure but the host's own word that a
// request was refused as too long: a total of at least full, what the model takes
// at most (0 is unknown), without a prompt.
func (u *Usage) Full(full int) bool {
	prompt, _ := u.LastPrompt()
	total, _ := u.Total()
	return full > 0 && prompt == 0 && total >= full
}

// Unanswered reports whether u can not be of an answer to the compacted history,
// because there is none yet. What says that the context is Full is no answer's.
func (m *Mark) Unanswered(t *transcript.Transcript, u *Usage, full int) bool {
	if m == nil || u == nil {
		return false
	}
	return answered(t) <= m.Items && !u.Full(full)
}
