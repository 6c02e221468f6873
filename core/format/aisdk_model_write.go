package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// modelWriter renders ModelMessages.
type modelWriter struct{ writer }

func newModelWriter() modelWriter {
	return modelWriter{writer{
		read:    readModel,
		message: chatWriter().message, // {"role", "content"}
		content: func(*transcript.Item) (string, string) { return "content", "text" },
		body:    modelBody,
		answer:  modelAnswer,
	}}
}

// modelBody is the value that stands for a result: since AI SDK 5 one that says
// its type. A failure stays one.
func modelBody(p *transcript.Part, old rawjson.Value, text string) []byte {
	if p.Kind != transcript.Result {
		return nil
	}
	kind := "text"
	switch old.Get("type").Text() {
	case "text", "json", "content":
	case "error-text", "error-json":
		kind = "error-text"
	default:
		return nil
	}
	return modelOutput(kind, text)
}

func modelOutput(kind, text string) []byte {
	b := newBody()
	b.str("type", kind)
	b.raw("value", rawjson.AppendQuote(nil, text))
	return b.end()
}

// modelAnswer is the message that answers a call, in the words of AI SDK 4 where
// the call is in those.
func modelAnswer(it *transcript.Item, call *transcript.Part, text string) []byte {
	v, err := rawjson.Parse(it.Raw[call.Start:call.End])
	if err != nil {
		return nil
	}
	part := newBody()
	if v.Get("approvalId").Exists() {
		part.str("type", "tool-approval-response")
		part.raw("approvalId", rawjson.AppendQuote(nil, call.ID))
		part.raw("approved", []byte("false"))
		part.str("reason", text)
	} else {
		part.str("type", "tool-result")
		part.raw("toolCallId", rawjson.AppendQuote(nil, call.ID))
		part.raw("toolName", rawjson.AppendQuote(nil, call.Name))
		if v.Get("args").Exists() && !v.Get("input").Exists() {
			part.raw("result", rawjson.AppendQuote(nil, text))
		} else {
			part.raw("output", modelOutput("error-text", text))
		}
	}
	b := newBody()
	b.str("role", string(transcript.Tool))
	b.array("content")
	b.element(part.end())
	b.endArray()
	return b.end()
}

// WithParts changes parts. What AI SDK 4 sends in the place of a result goes with
// the result that is cleared.
func (w modelWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || sdkTied(v, "content", it, edits) {
		return *it, false
	}
	out, ok := w.writer.WithParts(it, edits)
	if !ok {
		return out, false
	}
	cleared := map[string]bool{}
	for _, e := range edits {
		if p := &it.Parts[e.Part]; p.Kind == transcript.Result && e.Text != "" {
			id := p.ID
			if e.ID != "" {
				id = e.ID
			}
			cleared[id] = true
		}
	}
	if v, err = rawjson.Parse(out.Raw); err != nil || len(cleared) == 0 {
		return out, true
	}
	var gone []int
	for p := range v.Get("content").Elems() {
		if m := p.Get("experimental_content"); m.Exists() && cleared[p.Get("toolCallId").Text()] {
			gone = append(gone, m.Start())
		}
	}
	if cuts, found := removals(v, gone); found && len(cuts) > 0 {
		again := w.item(patch(out.Raw, cuts), it.Role)
		again.Path = out.Path
		return again, true
	}
	return out, true
}
