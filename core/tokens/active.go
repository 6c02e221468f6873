package tokens

import "github.com/tamp-dev/tamp/core/transcript"

// ActiveTokens is what the next request will weigh: the provider's total of the
// last one, the items that came after its answer, and the encrypted reasoning of
// earlier turns, which providers leave out of their figure unless u says
// otherwise. Without usage it is c's total of the whole transcript, and
// fromUsage is false. Where only the prompt is known, the answer is counted too.
//
// Codex takes a history without any item of the model as nothing new, so that
// after a local compaction the restored context and the next message weigh
// nothing until an answer comes. Here all items then count as new: too early a
// compaction costs less than an overflow.
//
// Cost: linear in the items counted.
func ActiveTokens(t *transcript.Transcript, u *Usage, c Counter) (n int, fromUsage bool) {
	from := answered(t)
	n, fromUsage = u.Total()
	if !fromUsage {
		n, fromUsage = u.LastPrompt()
		for from > 0 && generated(t, &t.Items[from-1]) {
			from--
		}
	}
	if !fromUsage {
		return Measure(t, c).Total(), false
	}
	for i := from; i < len(t.Items); i++ {
		n = plus(n, Item(t, &t.Items[i], c))
	}
	if t.Family == transcript.Responses && !u.ReasoningIncluded {
		for i := range min(boundary(t), from) {
			if it := &t.Items[i]; it.Type == "reasoning" && sealedLen(it) > 0 {
				n = plus(n, Item(t, it, c))
			}
		}
	}
	return n, true
}

// Generated is the tokens of the items from one on up to the last that the model
// wrote, that one included; 0 where it wrote none there.
func Generated(t *transcript.Transcript, from int, c Counter) int {
	n := 0
	for i, to := max(0, from), answered(t); i < to; i++ {
		n = plus(n, Item(t, &t.Items[i], c))
	}
	return n
}

// answered is the index behind the last item that the model wrote; 0 if there
// is none.
func answered(t *transcript.Transcript) int {
	for i := len(t.Items); i > 0; i-- {
		if generated(t, &t.Items[i-1]) {
			return i
		}
	}
	return 0
}

// generated says whether the model wrote the item. In the Responses family the
// types tell, since a call's role is not written there.
func generated(t *transcript.Transcript, it *transcript.Item) bool {
	if t.Family != transcript.Responses {
		return it.Generated()
	}
	switch it.Type {
	case "", "message":
		return it.Role == transcript.Assistant
	case "reasoning", "function_call", "tool_search_call", "web_search_call", "image_generation_call",
		"custom_tool_call", "local_shell_call", "compaction", "compaction_summary", "context_compaction":
		return true
	}
	return false
}

// boundary is the index of the last item that begins a turn: a message of
// another agent, or a user message that no harness wrote. An earlier summary is
// one, for Codex writes it as a user message. 0 if there is none.
func boundary(t *transcript.Transcript) int {
	for i := len(t.Items) - 1; i >= 0; i-- {
		it := &t.Items[i]
		if it.Type == "agent_message" ||
			it.Role == transcript.User && (it.Type == "" || it.Type == "message") && !it.Fragment && it.Context == "" {
			return i
		}
	}
	return 0
}
