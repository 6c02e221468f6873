package core_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/tamp-dev/tamp/core"
)

// step is one answer of the model, with its tools' results, and now and then a new
// turn.
func (h *sessionHost) step(n int) {
	h.round++
	if n > 0 && h.random.IntN(8) == 0 {
		h.round = 1
		h.add("assistant", "Done so far: "+h.words(5))
		h.add("user", "And now: "+h.words(5+h.random.IntN(20)))
		if h.random.IntN(10) == 0 {
			h.add("user", "A log: "+h.words(300))
		}
		return
	}
	if h.sealed && h.random.IntN(2) == 0 {
		h.items = append(h.items, `{"type":"reasoning","summary":[],"encrypted_content":"`+strings.Repeat("QUJD", 300)+`"}`)
	}
	n = 1 + h.random.IntN(3)
	if h.random.IntN(4) > 0 {
		n = 1
	}
	var ids, results []string
	for range n {
		h.calls++
		ids, results = append(ids, fmt.Sprint("call_", h.calls)), append(results, h.words(1+h.random.IntN(30)))
	}
	h.tools(ids, results)
}

func (h *sessionHost) add(role, text string) {
	switch {
	case h.format != "openai-responses":
		h.items = append(h.items, fmt.Sprintf(`{"role":%q,"content":%q}`, role, text))
	case role == "user":
		h.items = append(h.items, fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, text))
	default:
		h.items = append(h.items, fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":%q}]}`, text))
	}
}

func (h *sessionHost) tools(ids, results []string) {
	var calls, answers []string
	for i, id := range ids {
		switch h.format {
		case "openai-responses":
			h.items = append(h.items, fmt.Sprintf(`{"type":"function_call","name":"read","arguments":"{}","call_id":%q}`, id))
			answers = append(answers, fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, id, results[i]))
		case "anthropic-messages":
			calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"read","input":{}}`, id))
			answers = append(answers, fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":%q}`, id, results[i]))
		default:
			calls = append(calls, fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":"read","arguments":"{}"}}`, id))
			answers = append(answers, fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":%q}`, id, results[i]))
		}
	}
	switch h.format {
	case "openai-responses":
		h.items = append(h.items, answers...)
	case "anthropic-messages":
		h.items = append(h.items, `{"role":"assistant","content":[`+strings.Join(calls, ",")+`]}`, `{"role":"user","content":[`+strings.Join(answers, ",")+`]}`)
	default:
		h.items = append(append(h.items, `{"role":"assistant","content":null,"tool_calls":[`+strings.Join(calls, ",")+`]}`), answers...)
	}
}

func (h *sessionHost) words(n int) string {
	list := strings.Fields("the build log says a package of parser tests failed at line seven because nobody closed its file")
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(list[h.random.IntN(len(list))])
	}
	return b.String()
}

// report is what the provider says of the last request.
func (h *sessionHost) report() *core.Usage {
	size := len(strings.Join(h.items, "")) / 4
	h.sizes = append(h.sizes, size)
	of := func(prompt, answer int) *core.Usage {
		total := prompt + answer
		return &core.Usage{PromptTokens: &prompt, CompletionTokens: &answer, TotalTokens: &total}
	}
	switch h.usage {
	case "present":
		return of(size, 10)
	case "hidden": // more than every threshold, and nobody shows it
		return of(size+1500, 10)
	case "same":
		return of(5000, 10)
	case "rising":
		return of(5000+len(h.sizes), 10)
	case "stale":
		return of(h.sizes[max(0, len(h.sizes)-1-h.random.IntN(3))], 10)
	case "wild":
		list := []int{0, 1, -1, 299, 300, 301, 799, 800, 801, 5000, 1 << 30, math.MaxInt, math.MinInt, size}
		n := list[h.random.IntN(len(list))]
		switch h.random.IntN(5) {
		case 0:
			return nil
		case 1:
			return &core.Usage{TotalTokens: &n}
		case 2:
			return &core.Usage{InputTokens: &n, CacheReadInputTokens: &n, OutputTokens: &n}
		}
		return &core.Usage{PromptTokens: &n, CompletionTokens: &list[0]}
	}
	return nil
}
