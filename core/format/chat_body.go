package format

import (
	"slices"

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
		if it := &t.Items[i]; it.Role == transcript.Tool || !t.Rules.Knows(it.Role) || it.Null || it.Empty && it.Role == transcript.Assistant {
			continue
		}
		it, ids := distinct(t, i)
		b.element(it.Sent())
		for _, k := range p.behind[i] {
			result := p.answering(t, k, ids)
			if result.Null { // without content there is no result, and its call has one
				said := t.Writer.WithText(result, "")
				result = &said
			}
			b.element(result.Sent())
		}
		for j, part := range it.Parts {
			if part.Kind == transcript.Call && !p.answered[transcript.Ref{Item: i, Part: j}] {
				b.element(chatAnswer(it, &part, transcript.Unanswered))
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

// distinct is an item whose calls do not share an id, which the API refuses, and
// the new ids, by the part of the call; nil where they are as they came.
func distinct(t *transcript.Transcript, i int) (*transcript.Item, map[transcript.Ref]string) {
	it := &t.Items[i]
	var seen map[string]bool
	var edits []transcript.Edit
	for j := range it.Parts {
		p := &it.Parts[j]
		if p.Kind != transcript.Call || p.ID == "" {
			continue
		}
		if seen[p.ID] {
			edits = append(edits, transcript.Edit{Part: j, ID: callID("", i, j)})
			continue
		}
		if seen == nil {
			seen = map[string]bool{}
		}
		seen[p.ID] = true
	}
	if len(edits) == 0 {
		return it, nil
	}
	out, ok := t.Writer.WithParts(it, edits)
	if !ok {
		return it, nil
	}
	if it.Shown != nil && out.Shown == nil { // what nobody sends stays out of it
		return it, nil
	}
	ids := make(map[transcript.Ref]string, len(edits))
	for _, e := range edits {
		ids[transcript.Ref{Item: i, Part: e.Part}] = e.ID
	}
	return &out, ids
}

// answering is an item of results with the new ids of the calls that they answer.
func (p *pairs) answering(t *transcript.Transcript, k int, ids map[transcript.Ref]string) *transcript.Item {
	it := &t.Items[k]
	var edits []transcript.Edit
	for call, id := range ids {
		if at, ok := p.result[call]; ok && at.Item == k {
			edits = append(edits, transcript.Edit{Part: at.Part, ID: id})
		}
	}
	if len(edits) == 0 {
		return it
	}
	slices.SortStableFunc(edits, func(a, b transcript.Edit) int { return a.Part - b.Part })
	out, ok := t.Writer.WithParts(it, edits)
	if !ok {
		return it
	}
	return &out
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
