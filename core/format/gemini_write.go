package format

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// listWriter writes messages whose content is a list of parts without types, as
// Gemini and Bedrock have them. It implements transcript.Writer.
type listWriter struct {
	writer
	member string
	// of is the object of an item that holds the list.
	of func(v rawjson.Value) rawjson.Value
	// signs: a signature on a part before the first call is that call's (Gemini).
	signs bool
}

// WithText is the message with one part of text. All other members keep their
// bytes.
func (w listWriter) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !w.of(v).Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	return w.withList(it, w.of(v), [][]byte{untypedText(text)}, nil)
}

// withList is the item with another list; left are the parts that it should have.
func (w listWriter) withList(it *transcript.Item, holder rawjson.Value, blocks [][]byte, left []transcript.Part) transcript.Item {
	out := w.item(setMember(it.Raw, holder, w.member, blockList(blocks)), it.Role)
	out.Path = it.Path
	keepIDs(&out, left)
	return out
}

// WithoutSummary is the message without the parts that are marked as an earlier
// summary.
func (w listWriter) WithoutSummary(it *transcript.Item) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !it.HoldsSummary() {
		return *it
	}
	gone := map[int]bool{}
	for i := range it.Parts {
		if it.Parts[i].Summary {
			gone[it.Parts[i].Start] = true
		}
	}
	var blocks [][]byte
	for e := range w.of(v).Get(w.member).Elems() {
		if !gone[e.Start()] {
			blocks = append(blocks, e.Raw())
		}
	}
	left := slices.DeleteFunc(slices.Clone(it.Parts), func(p transcript.Part) bool { return p.Summary })
	return w.withList(it, w.of(v), blocks, left)
}

// WithParts is the item with some of its parts changed. What a signature covers
// stays: a thought whose signature is that of the call beside it goes with that
// only. Media within a result go when the result is cleared.
func (w listWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	dropped := map[int]bool{}
	for _, e := range edits {
		dropped[e.Part] = dropped[e.Part] || e.Drop
	}
	if w.signs && unsigns(it, dropped) {
		return *it, false
	}
	all := make([]transcript.Edit, 0, len(edits))
	for n, e := range edits {
		all = append(all, e)
		p := &it.Parts[e.Part]
		if p.Kind != transcript.Result || e.Text == "" {
			continue
		}
		for j := e.Part + 1; j < len(it.Parts) && besides(&it.Parts[j], p); j++ {
			if n+1 < len(edits) && edits[n+1].Part <= j {
				break // these are named
			}
			all = append(all, transcript.Edit{Part: j, Drop: true})
		}
	}
	out, ok := w.writer.WithParts(it, all)
	if ok {
		ids := map[int]string{}
		for _, e := range edits {
			ids[e.Part] = e.ID
		}
		left := make([]transcript.Part, 0, len(it.Parts))
		for j := range it.Parts {
			if dropped[j] {
				continue
			}
			left = append(left, it.Parts[j])
			if id := ids[j]; id != "" {
				left[len(left)-1].ID = id
			}
		}
		keepIDs(&out, left)
	}
	return out, ok
}

// unsigns reports whether parts that go carry the signature of a call that stays.
func unsigns(it *transcript.Item, gone map[int]bool) bool {
	call := firstCall(it)
	if call < 0 || it.Parts[call].Signed || gone[call] {
		return false
	}
	for j := range it.Parts[:call] {
		if gone[j] && it.Parts[j].Signed {
			return true
		}
	}
	return false
}

// firstCall is the first call of an item that is not the provider's own, -1 where
// it has none.
func firstCall(it *transcript.Item) int {
	return slices.IndexFunc(it.Parts, func(p transcript.Part) bool { return p.Kind == transcript.Call && !p.Server })
}

// besides reports whether a part stands within another one, beside its body.
func besides(p, outer *transcript.Part) bool {
	return p.Start > outer.Start && p.End < outer.End && (p.End <= outer.BodyStart || p.Start >= outer.BodyEnd)
}

// Joined is one message with the parts of both.
func (w listWriter) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	va, errA := rawjson.Parse(a.Raw)
	vb, errB := rawjson.Parse(b.Raw)
	if errA != nil || errB != nil {
		return *a, false
	}
	var blocks [][]byte
	for _, v := range []rawjson.Value{va, vb} {
		list := w.of(v).Get(w.member)
		if !list.Is(rawjson.Array) {
			return *a, false
		}
		for e := range list.Elems() {
			blocks = append(blocks, e.Raw())
		}
	}
	left := append(slices.Clone(a.Parts), b.Parts...)
	if lends(a, b) == b {
		a, va = b, vb
	}
	return w.withList(a, w.of(va), blocks, left), true
}

// Answer is a message of the user with the result of a call.
func (w listWriter) Answer(it *transcript.Item, n int, text string) (transcript.Item, bool) {
	out, ok := w.writer.Answer(it, n, text)
	if ok {
		out.Parts[0].ID = it.Parts[n].ID
	}
	return out, ok
}

// partsHolder is the content of an item: within an event that of its compaction,
// or its own.
func partsHolder(v rawjson.Value) rawjson.Value {
	if !isEvent(v) {
		return v
	}
	if content, _, ok := compaction(v); ok {
		return content
	}
	return v.Get("content")
}

// geminiWriter writes contents, within events where log is not nil.
func geminiWriter(log *events) listWriter {
	wrap := func(_ transcript.Role, content []byte, _ string, _ *transcript.Item) []byte { return content }
	if log != nil {
		wrap = log.event
	}
	return listWriter{
		member: "parts",
		of:     partsHolder,
		signs:  true,
		writer: writer{
			read: readGemini,
			message: func(role transcript.Role, text string) []byte {
				return wrap(role, geminiMessage(role, [][]byte{untypedText(text)}), text, nil)
			},
			text: func(it *transcript.Item, p *transcript.Part, text string) []byte {
				for j := range it.Parts {
					if q := &it.Parts[j]; q.Kind == transcript.Result && besides(p, q) {
						return nil // a result holds media, and no text beside its object
					}
				}
				return untypedText(text)
			},
			body: geminiBody,
			// The signature of a call covers its input.
			fixed: func(_ *transcript.Item, p *transcript.Part, _ rawjson.Value) bool {
				return p.Kind == transcript.Call && p.Signed
			},
			answer: func(it *transcript.Item, p *transcript.Part, text string) []byte {
				content := geminiMessage(transcript.User, [][]byte{geminiAnswer(p, it.Raw[p.Start:p.End], text)})
				return wrap(transcript.Tool, content, text, it)
			},
		},
	}
}

// geminiMessage is a content of these parts.
func geminiMessage(role transcript.Role, parts [][]byte) []byte {
	name := "user"
	switch role {
	case transcript.Assistant:
		name = "model"
	case transcript.System:
		name = string(role) // the API refuses it, and whoever sends it knows
	default:
	}
	return listMessage(name, "parts", parts)
}

// geminiBody is the value that takes the place of a result or of a call's input:
// both are objects, but for the code and the output that the provider ran.
func geminiBody(p *transcript.Part, old rawjson.Value, text string) []byte {
	if old.Is(rawjson.String) {
		return nil
	}
	if p.Kind == transcript.Call {
		return []byte(text)
	}
	key := "output"
	for name, m := range old.Members() {
		if old.Len() == 1 && m.Is(rawjson.String) && (name == "result" || name == "content") {
			key = name
		}
	}
	b := newBody()
	b.key(key)
	b.buf = rawjson.AppendQuote(b.buf, text)
	return b.end()
}

// geminiAnswer is the part that answers a call, which stands in raw: in the
// spelling of its names, and with an id where it has one.
func geminiAnswer(call *transcript.Part, raw []byte, text string) []byte {
	name, id := "functionResponse", ""
	if v, err := rawjson.Parse(raw); err == nil {
		if v.Get("function_call").Is(rawjson.Object) {
			name = "function_response"
		}
		id = either(v, "functionCall", "function_call").Get("id").Text()
	}
	res := newBody()
	res.str("id", id)
	res.key("name")
	res.buf = rawjson.AppendQuote(res.buf, call.Name)
	said := newBody()
	said.str("output", text)
	res.raw("response", said.end())
	b := newBody()
	b.raw(name, res.end())
	return b.end()
}

// event is a new event around a content: the user's, or that of the agent that
// spoke last. Its ids are made from what it says, in the form of those of the
// session; its time is the caller's, else that of the newest event, but never in
// the range of a compaction, whose events are no history. by is the event of the
// call that is answered.
func (log *events) event(role transcript.Role, content []byte, text string, by *transcript.Item) []byte {
	author := "user"
	if role == transcript.Assistant {
		if author = log.spoken.Get("author").Text(); author == "" {
			author = "model"
		}
	}
	key := func(camel, snake string) string {
		if log.snake {
			return snake
		}
		return camel
	}
	id := likeID(log.last.Get("id").Text(), nodeID(role, text))
	belongs := likeID(invocation(log.last), nodeID(role, "invocation\x00"+text))
	if by != nil {
		if v, err := rawjson.Parse(by.Raw); err == nil {
			author, belongs = v.Get("author").Text(), invocation(v)
		}
	}
	b := newBody()
	b.str(key("invocationId", "invocation_id"), belongs)
	b.str("author", author)
	b.raw("content", content)
	if log.last.Get("actions").Exists() {
		b.raw("actions", []byte(`{"`+key("stateDelta", "state_delta")+`":{},"`+key("artifactDelta", "artifact_delta")+`":{}}`))
	}
	b.str("id", id)
	b.raw("timestamp", log.time())
	return b.end()
}

func (log *events) time() []byte {
	if at, ok := epoch(log.now); ok {
		return []byte(at)
	}
	if log.before > 0 {
		return strconv.AppendFloat(nil, math.Nextafter(log.before, 0), 'f', -1, 64)
	}
	if at := log.last.Get("timestamp"); at.Is(rawjson.Number) {
		return at.Raw()
	}
	return nil
}

// likeID is an id in the form of another one: of 8 letters, as ADK's first
// version made them, or a UUID, which has a mark before it in an invocation's.
func likeID(other, uuid string) string {
	switch {
	case len(other) == 8:
		return uuid[:8]
	case strings.HasPrefix(other, "e-"):
		return "e-" + uuid
	}
	return uuid
}
