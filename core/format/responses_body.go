package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

type responsesCodec struct {
	list
	root         rawjson.Value // the request, if it is one
	instructions []byte        // the request's own, as JSON
	store        []byte
}

func (c *responsesCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	if r.Compactor != NoCompactor {
		return compactorBody(t, r, c.root, c.instructions, c.store)
	}
	return responsesBody(t, r, c.instructions, c.store)
}

// responsesBody is a Responses request. Order is free there, so that a missing
// output stands directly behind its call and nothing else moves.
func responsesBody(t *transcript.Transcript, r BodyRequest, instructions, store []byte) []byte {
	b := newBody()
	b.expect(len(r.Items))
	b.str("model", r.Model)
	b.raw("instructions", instructions)
	b.array("input")
	for _, s := range responsesShown(t, r.Items) {
		b.element(s.raw)
		if s.stub != nil {
			b.element(s.stub)
		}
	}
	b.element(t.Writer.Message(transcript.User, r.Prompt).Raw)
	b.endArray()
	b.num("max_output_tokens", r.MaxTokens)
	b.raw("store", store)
	if r.SendTools == "always" && t.Tools != nil {
		b.raw("tools", t.Tools)
		b.str("tool_choice", "none")
	}
	return b.end()
}

// shownItem is an item of a request, and the output that its call lacks.
type shownItem struct {
	index     int
	raw, stub []byte
}

// responsesShown are the items that the API takes, without messages of unknown
// roles, outputs whose call is not shown and reasoning whose next item is not.
func responsesShown(t *transcript.Transcript, items []int) []shownItem {
	p := pair(t, items)
	all := make([]shownItem, 0, len(items))
	for _, i := range items {
		it := &t.Items[i]
		if !t.Rules.Knows(it.Role) || it.Type == "compaction_trigger" { // an order to the provider, of an earlier request
			continue
		}
		s := shownItem{index: i, raw: it.Raw}
		if call, open := openCall(it, i, p); open {
			if s.stub = responsesAnswer(it, call, transcript.Unanswered); s.stub == nil {
				continue
			}
		}
		if !orphan(it, i, p) {
			all = append(all, s)
		}
	}
	// Backwards: what follows a reasoning is known before it.
	top := len(all)
	next := -1 // the item behind, if a model wrote it
	for n := len(all) - 1; n >= 0; n-- {
		it := &t.Items[all[n].index]
		if it.Type == "reasoning" && next != all[n].index+1 {
			continue
		}
		next = -1
		if it.Generated() && !it.Summary {
			next = all[n].index
		}
		top--
		all[top] = all[n]
	}
	return all[top:]
}

// openCall is the call of an item that wants an output and has none.
func openCall(it *transcript.Item, i int, p pairs) (*transcript.Part, bool) {
	for j := range it.Parts {
		call := &it.Parts[j]
		if call.Kind == transcript.Call && !call.Server {
			return call, !p.answered[transcript.Ref{Item: i, Part: j}]
		}
	}
	return nil, false
}

// orphan reports whether an item is an output without its call. One without a
// call_id stands alone, and the provider's own outputs need no call.
func orphan(it *transcript.Item, i int, p pairs) bool {
	for j := range it.Parts {
		if r := &it.Parts[j]; r.Kind == transcript.Result && !r.Server && r.ID != "" {
			return !p.called[transcript.Ref{Item: i, Part: j}]
		}
	}
	return false
}

// responsesAnswer is the output of a call that has none, nil for a kind of call
// whose output can not be made up: a screenshot, a person's approval.
func responsesAnswer(it *transcript.Item, call *transcript.Part, text string) []byte {
	b, id := newBody(), call.ID
	said := func(output string) []byte {
		b.str("type", output)
		b.key("call_id")
		b.buf = rawjson.AppendQuote(b.buf, id)
		b.str("output", text)
		return b.end()
	}
	switch it.Type {
	case "function_call", "local_shell_call":
		return said("function_call_output")
	case "custom_tool_call":
		return said("custom_tool_call_output")
	case "tool_search_call":
		b.str("type", "tool_search_output")
		b.key("call_id")
		b.buf = rawjson.AppendQuote(b.buf, id)
		b.str("status", "completed")
		b.str("execution", "client")
		b.raw("tools", []byte("[]"))
		return b.end()
	case "apply_patch_call":
		b.str("type", "apply_patch_call_output")
		b.key("call_id")
		b.buf = rawjson.AppendQuote(b.buf, id)
		b.str("status", "failed")
		b.str("output", text)
		return b.end()
	}
	return nil
}

func (c *responsesCodec) api() string { return "openai-responses" }
