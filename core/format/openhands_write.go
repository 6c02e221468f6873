package format

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// openhandsWriter renders events as those of the list are.
type openhandsWriter struct {
	writer
	sdk  bool   // events have a kind
	flat bool   // what an action says stands beside it, not in args
	now  string // time of new events, "" where events have none
	last string // id of the last event: new ids are made from it
}

func newOpenhandsWriter(s *sample, opt Options) openhandsWriter {
	w := openhandsWriter{flat: true}
	for _, e := range s.list.elems {
		w.sdk = w.sdk || e.Get("kind").Is(rawjson.String)
		w.flat = w.flat && !e.Get("args").Exists() && !e.Is(rawjson.Array)
		if at := str(e, "timestamp"); at != "" {
			w.now = at
		}
		if id := openhandsNumber(e.Get("id")); id != "" {
			w.last = id
		}
	}
	if w.now != "" && opt.Now != "" {
		w.now = opt.Now
	}
	w.read = func(v rawjson.Value) (transcript.Item, *fault) {
		it, f := readOpenhands(v)
		if it == nil {
			return transcript.Item{}, f
		}
		return *it, f
	}
	w.message = w.render
	w.content = func(*transcript.Item) (string, string) { return "content", "text" }
	w.body = func(_ *transcript.Part, old rawjson.Value, text string) []byte {
		if old.Is(rawjson.Array) {
			return textParts("text", text)
		}
		return nil
	}
	w.answer = w.result
	w.also = openhandsAlso
	return w
}

// openhandsRepeats is from how many bytes on a text of an action goes with the
// input that it repeats. What is shorter (a path, a command) says what was done.
const openhandsRepeats = 64

// openhandsAlso are the changes to what was carried out: the server and the SDK
// keep that beside the call, in fields of its own, and what the model thought
// beside its answer. The fields stay, their long texts go: an action is read with
// its fields again.
func openhandsAlso(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) ([]change, []int, bool) {
	args := v.Get("args")
	if v.Get("kind").Is(rawjson.String) {
		args = v.Get("action")
	}
	if !args.Is(rawjson.Object) {
		return nil, nil, true
	}
	gone := rawjson.AppendQuote(nil, ownText+"cleared: input")
	var changes []change
	for _, e := range edits {
		switch p := &it.Parts[e.Part]; {
		case p.Kind == transcript.Call && e.Text != "" && (p.Start < args.Start() || p.Start >= args.End()):
			for key, m := range args.Members() {
				if key != "thought" && key != "kind" && m.Is(rawjson.String) && m.End()-m.Start() >= max(openhandsRepeats, len(gone)) {
					changes = append(changes, change{m.Start(), m.End(), gone})
				}
			}
		case p.Kind == transcript.Thinking && e.Drop:
			if said := args.Get("thought"); said.Text() == p.Text && p.Text != "" && p.Start != said.Start() {
				changes = append(changes, change{said.Start(), said.End(), []byte(`""`)})
			}
		default:
		}
	}
	return changes, nil, true
}

// newID is an id in the SDK's shape, made from what the event says: the same
// input gives the same id.
func (w openhandsWriter) newID(role transcript.Role, text string) string {
	sum := sha256.Sum256([]byte(w.last + "\n" + string(role) + "\n" + text))
	sum[6], sum[8] = sum[6]&0x0F|0x40, sum[8]&0x3F|0x80 // a UUID of version 4
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (w openhandsWriter) head(role transcript.Role, text, source string) *body {
	b := newBody()
	if w.sdk {
		b.str("id", w.newID(role, text))
	}
	b.str("timestamp", w.now)
	b.str("source", source)
	return b
}

// render is a new message of text. Events of the server without an id are given
// one when they are loaded.
func (w openhandsWriter) render(role transcript.Role, text string) []byte {
	source := "agent"
	if role == transcript.User || role == transcript.Tool {
		source = "user"
	}
	b := w.head(role, text, source)
	content := rawjson.AppendQuote(nil, text)
	switch {
	case w.sdk && role == transcript.System:
		b.raw("system_prompt", openhandsTextPart(text))
		b.raw("tools", []byte("[]"))
		b.str("kind", "SystemPromptEvent")
	case w.sdk:
		if role != transcript.Assistant {
			role = transcript.User
		}
		m := newBody()
		m.str("role", string(role))
		m.raw("content", textParts("text", text))
		b.raw("llm_message", m.end())
		b.str("kind", "MessageEvent")
	case w.flat:
		b.str("action", openhandsSays(role))
		b.raw("content", content)
	default:
		b.str("action", openhandsSays(role))
		args := newBody()
		args.raw("content", content)
		if role != transcript.System {
			args.raw("image_urls", []byte("null"))
			args.raw("wait_for_response", []byte("false"))
		}
		b.raw("args", args.end())
	}
	return b.end()
}

func openhandsSays(role transcript.Role) string {
	if role == transcript.System {
		return "system"
	}
	return "message"
}

func openhandsTextPart(text string) []byte {
	list := textParts("text", text)
	return list[1 : len(list)-1]
}

// condensed is the event that stands for an earlier summary.
func (w openhandsWriter) condensed(text, id string) transcript.Item {
	b := newBody()
	b.str("id", id)
	b.str("timestamp", w.now)
	content := rawjson.AppendQuote(nil, text)
	if w.sdk {
		b.str("source", "environment")
		b.raw("summary", content)
		b.str("kind", "CondensationSummaryEvent")
	} else {
		b.str("source", "agent")
		b.str("observation", "condense")
		b.raw("content", content)
		b.raw("extras", []byte("{}"))
	}
	return w.item(b.end(), transcript.User)
}

// result is the event that answers a call with an error.
func (w openhandsWriter) result(it *transcript.Item, call *transcript.Part, text string) []byte {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return nil
	}
	if w.sdk {
		b := w.head(transcript.Tool, call.ID+"\n"+text, "agent")
		b.str("tool_name", call.Name)
		b.key("tool_call_id")
		b.buf = rawjson.AppendQuote(b.buf, call.ID)
		b.key("error")
		b.buf = rawjson.AppendQuote(b.buf, text)
		b.str("kind", "AgentErrorEvent")
		return b.end()
	}
	b := w.head(transcript.Tool, text, "environment")
	b.str("observation", "error")
	if id := v.Get("id"); id.Exists() {
		b.raw("cause", id.Raw())
	}
	if metadata := v.Get("tool_call_metadata"); metadata.Is(rawjson.Object) {
		b.raw("tool_call_metadata", metadata.Raw())
	}
	b.key("content")
	b.buf = rawjson.AppendQuote(b.buf, text)
	b.raw("extras", []byte("{}"))
	return b.end()
}

// WithText is the message with its text replaced, wherever in the event it stands.
func (w openhandsWriter) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	var changes []change
	place := func(m rawjson.Value, content []byte) {
		if m.Exists() {
			changes = append(changes, change{m.Start(), m.End(), content})
		}
	}
	quoted := rawjson.AppendQuote(nil, text)
	switch v.Get("kind").Text() {
	case "MessageEvent":
		place(v.Get("llm_message").Get("content"), textParts("text", text))
		place(v.Get("extended_content"), []byte("[]"))
	case "SystemPromptEvent":
		place(v.Get("system_prompt"), openhandsTextPart(text))
		place(v.Get("dynamic_context"), []byte("null"))
	case "CondensationSummaryEvent":
		place(v.Get("summary"), quoted)
	default:
		for i := range it.Parts {
			if p := &it.Parts[i]; p.Kind == transcript.Text && p.End > 0 && it.Raw[p.Start] == '"' && len(changes) == 0 {
				changes = append(changes, change{p.Start, p.End, quoted})
			}
		}
	}
	if len(changes) == 0 {
		return w.Message(it.Role, text)
	}
	out := w.item(patch(it.Raw, changes), it.Role)
	out.Path = it.Path
	w.same(it, &out)
	return out
}

// WithParts is the event with some parts changed. A picture of the server's is an
// address in a list: it goes, and the text says what was there.
func (w openhandsWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	out, ok := w.writer.WithParts(it, w.spoken(it, edits))
	if !ok {
		return out, false
	}
	return out, w.same(it, &out)
}

func (w openhandsWriter) spoken(it *transcript.Item, edits []transcript.Edit) []transcript.Edit {
	if w.sdk {
		return edits
	}
	at := slices.IndexFunc(it.Parts, func(p transcript.Part) bool { return p.Kind == transcript.Text && p.End > 0 })
	if at < 0 || slices.ContainsFunc(edits, func(e transcript.Edit) bool { return e.Part == at }) {
		return edits
	}
	edits = slices.Clone(edits)
	said := transcript.Edit{Part: at, Text: it.Parts[at].Text}
	for i := range edits {
		if e := &edits[i]; it.Parts[e.Part].Kind == transcript.Image && !e.Drop && e.Text != "" {
			said.Text += "\n" + e.Text
			e.Drop, e.Text = true, ""
		}
	}
	if said.Text != it.Parts[at].Text {
		edits = append(edits, said)
		slices.SortStableFunc(edits, func(a, b transcript.Edit) int { return a.Part - b.Part })
	}
	return edits
}

// same gives an event that was edited what only the events before it tell: the
// call that it answers, or that it answers none. False where its parts are others.
func (w openhandsWriter) same(it, out *transcript.Item) bool {
	var ids []string
	for i := range it.Parts {
		if k := it.Parts[i].Kind; k == transcript.Call || k == transcript.Result {
			ids = append(ids, it.Parts[i].ID)
		}
	}
	if v, err := rawjson.Parse(out.Raw); err == nil && len(ids) == 0 && out.Role == transcript.Tool {
		openhandsTold(out, v)
	}
	for i := range out.Parts {
		if k := out.Parts[i].Kind; k == transcript.Call || k == transcript.Result {
			if len(ids) == 0 {
				return false
			}
			out.Parts[i].ID, ids = ids[0], ids[1:]
		}
	}
	return len(ids) == 0
}

// Joined is false: an event has one message.
func (w openhandsWriter) Joined(a, _ *transcript.Item) (transcript.Item, bool) { return *a, false }

// splice writes the events that are left. Where some were forgotten before, those
// and what says so go, so that nothing comes back: a summary then stands as an
// event of its own.
func (c *openhandsCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	switch {
	case !c.condensed:
		return c.list.splice(src, t, entries)
	case untouched(t, entries):
		return src
	}
	raws := make([][]byte, 0, c.len())
	for _, e := range c.elems {
		raws = append(raws, e.Raw())
	}
	var out []piece
	noise := func(from int) {
		for i := from; i < len(raws) && c.places[i] != openhandsShown; i++ {
			if c.places[i] == openhandsNoise && raws[i] != nil {
				out = append(out, piece{i, raws[i]})
			}
		}
	}
	noise(0)
	for _, e := range entries {
		if e.From < 0 || c.elem[e.From] < 0 {
			out = append(out, piece{-1, bytesOf(t, e)})
			continue
		}
		at := c.elem[e.From]
		out = append(out, piece{at, bytesOf(t, e)})
		noise(at + 1)
	}
	if c.lines != nil {
		return c.spliceLines(src, out)
	}
	return c.spliceArray(src, out)
}

// untouched reports whether the entries are all items in order, with nothing new.
func untouched(t *transcript.Transcript, entries []transcript.Entry) bool {
	if len(entries) != len(t.Items) {
		return false
	}
	for i, e := range entries {
		if e.From != i || e.New != nil {
			return false
		}
	}
	return true
}
