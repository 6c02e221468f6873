package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

type chatCodec struct{ list }

// body is a Chat Completions request. The results of a message stand directly
// behind it; items of a role that the API does not know ("exit"), and messages
// without content, are left out.
func (c *chatCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	b := newBody()
	b.expect(len(r.Items))
	b.str("model", r.Model)
	b.array("messages")
	p := pair(t, r.Items)
	for _, i := range r.Items {
		it := &t.Items[i]
		if it.Role == transcript.Tool || !t.Rules.Knows(it.Role) || it.Null || it.Empty && it.Role == transcript.Assistant {
			continue
		}
		b.element(it.Sent())
		for _, k := range p.behind[i] {
			result := &t.Items[k]
			if result.Null { // without content there is no result, and its call has one
				said := t.Writer.WithText(result, "")
				result = &said
			}
			b.element(result.Sent())
		}
		for j, part := range it.Parts {
			if part.Kind == transcript.Call && !p.answered[transcript.Ref{Item: i, Part: j}] {
				b.element(chatAnswer(it, &part, unanswered))
			}
		}
	}
	b.element(t.Writer.Message(transcript.User, r.Prompt).Raw)
	b.endArray()
	b.num("max_completion_tokens", r.MaxTokens)
	if r.SendTools == "always" && t.Tools != nil {
		b.raw("tools", t.Tools)
		b.str("tool_choice", "none")
	}
	return b.end()
}

// chatAnswer is the message that answers a call. The old function calls are
// answered by name; such a call is the part that says name and has no id.
func chatAnswer(it *transcript.Item, call *transcript.Part, text string) []byte {
	v, err := rawjson.Parse(it.Raw[call.Start:call.End])
	b := newBody()
	if err == nil && !v.Get("id").Exists() && v.Get("name").Exists() {
		b.str("role", "function")
		b.str("name", call.Name)
	} else {
		b.str("role", "tool")
		b.key("tool_call_id")
		b.buf = rawjson.AppendQuote(b.buf, call.ID)
	}
	b.str("content", text)
	return b.end()
}

func (c *chatCodec) api() string { return "openai-chat" }
