package policy

import "math"

// defaultPercent is the part of the window that Codex fills at most, in
// percent, where the model says nothing else.
const defaultPercent = 95

// Window is the model's context window in tokens: its context_window, else its
// max_context_window; 0 is unknown. m may be nil.
func (m *Model) Window() int {
	switch {
	case m == nil:
		return 0
	case m.ContextWindow > 0:
		return m.ContextWindow
	}
	return max(m.MaxContextWindow, 0)
}

// limits are Codex's two thresholds in active tokens; 0 is unknown. window is
// the configured model_context_window and limit the configured
// model_auto_compact_token_limit, 0 where not configured.
//
// The configured window replaces the model's, but no further than the model's
// max_context_window. auto is nine tenths of the window, and a configured limit
// can only lower it. hard is the window times the model's percent. Where the
// window is so small that integer division gives 0 (below 2 tokens), the
// threshold is 1: it must fire always, and 0 stands for unknown.
func (m *Model) limits(window, limit int) (auto, hard int) {
	ctx, percent := m.Window(), defaultPercent
	if window > 0 {
		ctx = window
		if m != nil && m.MaxContextWindow > 0 {
			ctx = min(ctx, m.MaxContextWindow)
		}
	}
	if m != nil && m.EffectiveContextWindowPercent > 0 {
		percent = m.EffectiveContextWindowPercent
	}
	if ctx == 0 {
		return limit, 0
	}
	auto = max(1, portion(ctx, 9, 10))
	if limit > 0 {
		auto = min(auto, limit)
	}
	return auto, max(1, portion(ctx, percent, 100))
}

// portion is n*num/den in integers, rounded down, for n and num of at least 0.
// It saturates where n*num alone would overflow: Model comes from a caller who
// may say anything.
func portion(n, num, den int) int {
	whole, rest := n/den, n%den
	if num > math.MaxInt/den || num > 0 && whole >= (math.MaxInt-num)/num {
		return math.MaxInt
	}
	return whole*num + rest*num/den
}
