// Package tokens counts: text, items and whole transcripts, by a calibrated
// estimate or by Codex's bytes/4, with the overheads that a provider adds.
package tokens

// Counter counts the tokens of a text. Counting an empty text gives 0; cost is
// linear in its bytes.
type Counter interface {
	// Name is the counter's name in results: "estimate", "bytes4".
	Name() string
	// ErrorP95 is the relative error that 95 % of texts stay below, measured
	// against o200k_base; 0 where the counter is exact by definition.
	ErrorP95() float64
	// Count is the tokens of s; invalid UTF-8 counts as U+FFFD per bad byte.
	Count(s string) int
}

// Usage is what the provider reported for the last request, in any of the
// shapes that providers use. nil pointers are unknown.
type Usage struct {
	PromptTokens             *int `json:"prompt_tokens,omitempty"`
	CompletionTokens         *int `json:"completion_tokens,omitempty"`
	InputTokens              *int `json:"input_tokens,omitempty"`
	OutputTokens             *int `json:"output_tokens,omitempty"`
	TotalTokens              *int `json:"total_tokens,omitempty"`
	CacheReadInputTokens     *int `json:"cache_read_input_tokens,omitempty"`
	CacheCreationInputTokens *int `json:"cache_creation_input_tokens,omitempty"`
	ReasoningIncluded        bool `json:"reasoning_included,omitempty"`
	// InputTokensDetails says how InputTokens come about: the Responses API counts
	// cached ones among them.
	InputTokensDetails *InputDetails `json:"input_tokens_details,omitempty"`
}

// InputDetails are parts of InputTokens.
type InputDetails struct {
	CachedTokens     *int `json:"cached_tokens,omitempty"`
	CacheWriteTokens *int `json:"cache_write_tokens,omitempty"`
}
