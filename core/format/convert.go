package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Formats of harnesses have no API of their own: their requests to a summariser
// are Chat Completions, made from the parts that were read.

// converted is the request half of a codec for such formats.
type converted struct{}

func (converted) api() string { return "openai-chat" }

func (converted) body(t *transcript.Transcript, r BodyRequest) []byte {
	b := newBody()
	b.str("model", r.Model)
	b.array("messages")
	w := chatWriter()
	if t.System != "" {
		b.element(w.Message(transcript.System, t.System).Raw)
	}
	c := converter{t: t, body: b, pairs: pair(t, r.Items)}
	for _, i := range r.Items {
		c.item(i)
	}
	b.element(w.Message(transcript.User, r.Prompt).Raw)
	b.endArray()
	b.num("max_completion_tokens", r.MaxTokens)
	return b.end()
}

// converter writes items as chat messages. The results of a message's calls
// stand directly behind it, each with its call's id; calls without an id get one
// from their place.
type converter struct {
	t     *transcript.Transcript
	body  *body
	pairs pairs
}

func (c *converter) item(i int) {
	it := &c.t.Items[i]
	role := it.Role
	switch role {
	case transcript.System, transcript.Developer, transcript.User, transcript.Assistant:
	case transcript.Tool:
		role = transcript.User
	default:
		return // a role that no API knows
	}
	if role != transcript.Assistant {
		if text := said(it.Parts); text != "" {
			c.message(role, text, i, nil, nil)
		}
		return
	}
	for from := 0; from < len(it.Parts); {
		to := step(it.Parts, from)
		c.answer(i, from, to)
		from = to
	}
}

// step is the end of the step that begins with a part: where the model speaks
// again behind results. In many formats one item holds a whole tool loop.
func step(parts []transcript.Part, from int) int {
	results := false
	for j := from; j < len(parts); j++ {
		switch parts[j].Kind {
		case transcript.Result:
			results = true
		case transcript.Text:
			if results {
				return j
			}
		default:
		}
	}
	return len(parts)
}

// answer writes one step of the model, and the results of its calls.
func (c *converter) answer(i, from, to int) {
	parts := c.t.Items[i].Parts[from:to]
	var calls []int
	for j := range parts {
		if parts[j].Kind == transcript.Call {
			calls = append(calls, from+j)
		}
	}
	text := said(parts)
	if text == "" && len(calls) == 0 {
		return
	}
	ids := make([]string, len(calls))
	seen := make(map[string]bool, len(calls))
	for n, j := range calls {
		id := c.t.Items[i].Parts[j].ID
		if seen[id] { // the API takes an id but once in a message
			id = ""
		}
		ids[n] = callID(id, i, j)
		seen[ids[n]] = true
	}
	c.message(transcript.Assistant, text, i, calls, ids)
	for n, j := range calls {
		c.result(i, j, ids[n])
	}
}

func (c *converter) message(role transcript.Role, text string, i int, calls []int, ids []string) {
	m := newBody()
	m.str("role", string(role))
	if text != "" {
		m.str("content", text)
	} else {
		m.raw("content", []byte("null"))
	}
	if len(calls) > 0 {
		m.array("tool_calls")
		for n, j := range calls {
			m.element(c.call(i, j, ids[n]))
		}
		m.endArray()
	}
	c.body.element(m.end())
}

// said is the text of parts without tool items, media named in brackets.
func said(parts []transcript.Part) string {
	var texts []string
	for j := range parts {
		p := &parts[j]
		switch p.Kind {
		case transcript.Text:
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
		case transcript.Image, transcript.Audio, transcript.File:
			texts = append(texts, "["+p.Kind.String()+"]")
		default:
		}
	}
	return strings.Join(texts, "\n")
}

func (c *converter) call(i, j int, id string) []byte {
	p := &c.t.Items[i].Parts[j]
	fn := newBody()
	name := p.Name
	if name == "" {
		name = "tool"
	}
	fn.str("name", name)
	fn.key("arguments")
	fn.buf = rawjson.AppendQuote(fn.buf, p.Text)
	b := newBody()
	b.str("id", id)
	b.str("type", "function")
	b.raw("function", fn.end())
	return b.end()
}

// callID is the id of a call, made from its place where it has none.
func callID(id string, i, j int) string {
	if id != "" {
		return id
	}
	return "call_" + strconv.Itoa(i) + "_" + strconv.Itoa(j)
}

func (c *converter) result(i, j int, id string) {
	text := transcript.Unanswered
	if ref, ok := c.pairs.result[transcript.Ref{Item: i, Part: j}]; ok {
		text = c.t.Items[ref.Item].Parts[ref.Part].Text
	}
	b := newBody()
	b.str("role", "tool")
	b.str("tool_call_id", id)
	b.key("content")
	b.buf = rawjson.AppendQuote(b.buf, text)
	c.body.element(b.end())
}
