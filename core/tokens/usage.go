package tokens

import "math"

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
	answer, ok := known(u.CompletionTokens)
	if !ok {
		answer, ok = known(u.OutputTokens)
	}
	return plus(prompt, answer), ok
}
