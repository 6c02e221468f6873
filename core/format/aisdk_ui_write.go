package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// uiWriter renders UIMessages. Those of AI SDK 4 have their text in content, too.
type uiWriter struct {
	writer
	old  bool   // messages have content
	seed string // of new ids
}

func newUIWriter(items []transcript.Item) uiWriter {
	w := uiWriter{seed: strconv.Itoa(len(items))}
	if n := len(items); n > 0 {
		last := &items[n-1]
		w.seed += last.ID + string(last.Raw[:min(len(last.Raw), sdkSeed)])
		if v, err := rawjson.Parse(items[0].Raw); err == nil {
			w.old = v.Get("content").Exists()
		}
	}
	w.writer = writer{
		read:    readUI,
		message: w.render,
		content: func(it *transcript.Item) (string, string) {
			if v, err := rawjson.Parse(it.Raw); err == nil && !v.Get("parts").Is(rawjson.Array) && v.Get("content").Exists() {
				return "content", "text"
			}
			return "parts", "text"
		},
		text: func(it *transcript.Item, p *transcript.Part, text string) []byte {
			v, err := rawjson.Parse(it.Raw[p.Start:p.End])
			switch {
			case err != nil || v.Is(rawjson.Object) && !v.Get("type").Exists():
				return nil // an attachment, which stands in no list of parts: see attached
			case v.Is(rawjson.String):
				return rawjson.AppendQuote(nil, text)
			}
			b := textParts("text", text)
			return b[1 : len(b)-1]
		},
	}
	return w
}

// sdkSeed is how much of the last message new ids depend on.
const sdkSeed = 1024

func (w uiWriter) render(role transcript.Role, text string) []byte {
	b := newBody()
	b.str("id", sdkID(w.seed, string(role), text))
	b.str("role", string(role))
	if w.old {
		b.raw("content", rawjson.AppendQuote(nil, text))
	}
	b.raw("parts", textParts("text", text))
	return b.end()
}

// WithText is the message with one text part in the place of its parts.
func (w uiWriter) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	parts, content := v.Get("parts"), v.Get("content")
	var changes []change
	if parts.Is(rawjson.Array) {
		changes = append(changes, change{parts.Start(), parts.End(), textParts("text", text)})
		if calls := v.Get("toolInvocations"); calls.Is(rawjson.Array) { // the copies of those that went
			changes = append(changes, change{calls.Start(), calls.End(), []byte("[]")})
		}
	}
	if content.Exists() {
		changes = append(changes, change{content.Start(), content.End(), rawjson.AppendQuote(nil, text)})
	}
	if a := v.Get("experimental_attachments"); a.Is(rawjson.Array) {
		changes = append(changes, change{a.Start(), a.End(), []byte("[]")})
	}
	raw := patch(it.Raw, changes)
	if !parts.Is(rawjson.Array) && !content.Exists() {
		raw = setMember(it.Raw, v, "parts", textParts("text", text))
	}
	out := w.item(raw, it.Role)
	out.Path = it.Path
	return out
}

// WithParts changes parts. A call and its result are one part, which has their
// id: they go together and are renamed together, or not at all.
func (w uiWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || sdkTied(v, "parts", it, edits) {
		return *it, false
	}
	asked := map[int]transcript.Edit{}
	for _, e := range edits {
		asked[e.Part] = e
	}
	kept := make([]transcript.Edit, 0, len(edits))
	for _, e := range edits {
		half := answers(it, e.Part)
		if half < 0 {
			kept = append(kept, e)
			continue
		}
		other := asked[half]
		if e.Drop != other.Drop || e.ID != other.ID {
			return *it, false
		}
		if it.Parts[e.Part].Kind == transcript.Result { // the call's edit does both
			if e.ID = ""; e.Drop || e.Text == "" {
				continue
			}
		}
		kept = append(kept, e)
	}
	told, ok := attached(v, it, kept)
	if !ok {
		return *it, false
	}
	w.also = func(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) ([]change, []int, bool) {
		changes, gone, ok := w.copies(v, it, edits)
		if told != "" {
			c, said := uiSaid(v, told)
			changes, ok = append(changes, c), ok && said
		}
		return changes, gone, ok
	}
	return w.writer.WithParts(it, kept)
}

// attached makes attachments (AI SDK 3 and 4) go whose place a text is to take,
// and gives that text: they stand in a list of their own, which the SDK sends
// behind the texts. False where another part goes as well: the text could stand
// behind that one.
func attached(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) (string, bool) {
	list := v.Get("experimental_attachments")
	if !list.Is(rawjson.Array) {
		return "", true
	}
	var told []string
	dropped := false
	for i := range edits {
		e := &edits[i]
		if p := &it.Parts[e.Part]; e.Text != "" && p.Start >= list.Start() && p.End <= list.End() {
			told = append(told, e.Text)
			e.Drop, e.Text = true, ""
		} else {
			dropped = dropped || e.Drop
		}
	}
	return strings.Join(told, "\n"), !dropped || told == nil
}

// uiSaid is the change that adds a text to what a message says; false for none.
func uiSaid(v rawjson.Value, text string) (change, bool) {
	parts, content := v.Get("parts"), v.Get("content")
	if parts.Is(rawjson.Array) {
		list := textParts("text", text)
		part, at := list[1:len(list)-1], parts.Start()+1
		for p := range parts.Elems() {
			at = p.End()
		}
		if parts.Len() > 0 {
			part = append([]byte{','}, part...)
		}
		return change{at, at, part}, true
	}
	said, ok := content.Str()
	if !ok {
		return change{}, false
	}
	if said != "" {
		text = said + "\n" + text
	}
	return change{content.Start(), content.End(), rawjson.AppendQuote(nil, text)}, true
}

// copies are the changes to what AI SDK 4 repeats of the parts: calls with their
// results in toolInvocations, thoughts in reasoning. What is cleared in one place
// would be sent from the other.
func (w uiWriter) copies(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) ([]change, []int, bool) {
	if !v.Get("parts").Is(rawjson.Array) {
		return nil, nil, true
	}
	var changes []change
	var gone []int
	at := map[string]rawjson.Value{}
	for call := range v.Get("toolInvocations").Elems() {
		if id, ok := call.Get("toolCallId").Str(); ok {
			at[id] = call
		}
	}
	thoughts := 0 // that stay
	for j := range it.Parts {
		if it.Parts[j].Kind == transcript.Thinking {
			thoughts++
		}
	}
	for _, e := range edits {
		p := &it.Parts[e.Part]
		keys := []string{"args", "input"}
		switch p.Kind {
		case transcript.Call:
		case transcript.Result:
			keys = []string{"result", "output"}
		case transcript.Thinking:
			if e.Drop {
				thoughts--
			}
			if r := v.Get("reasoning"); e.Drop && thoughts == 0 && r.Exists() {
				gone = append(gone, r.Start())
			}
			continue
		default:
			continue
		}
		call, ok := at[p.ID]
		if !ok {
			continue
		}
		if e.Drop {
			gone = append(gone, call.Start())
			delete(at, p.ID) // an id may stand twice
			continue
		}
		for _, key := range keys {
			if old := call.Get(key); e.Text != "" && old.Exists() {
				changes = append(changes, change{old.Start(), old.End(), w.bodyOf(p, old, e.Text)})
			}
		}
		if e.ID != "" {
			id := call.Get("toolCallId")
			changes = append(changes, change{id.Start(), id.End(), rawjson.AppendQuote(nil, e.ID)})
		}
	}
	return changes, gone, true
}

// answers is the other half of a call and its result, -1 where there is none.
// They stand side by side.
func answers(it *transcript.Item, n int) int {
	isHalf := func(call, result int) bool {
		return call >= 0 && result < len(it.Parts) && it.Parts[call].Kind == transcript.Call && it.Parts[result].Kind == transcript.Result &&
			it.Parts[result].Start >= it.Parts[call].Start && it.Parts[result].End <= it.Parts[call].End
	}
	switch {
	case isHalf(n, n+1):
		return n + 1
	case isHalf(n-1, n):
		return n - 1
	}
	return -1
}

// Joined is one message with the parts of both.
func (w uiWriter) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	va, errA := rawjson.Parse(a.Raw)
	vb, errB := rawjson.Parse(b.Raw)
	if errA != nil || errB != nil || !va.Get("parts").Is(rawjson.Array) || !vb.Get("parts").Is(rawjson.Array) {
		return *a, false
	}
	out, ok := w.writer.Joined(a, b)
	if old := va.Get("content"); ok && old.Is(rawjson.String) {
		v, err := rawjson.Parse(out.Raw)
		if err != nil {
			return *a, false
		}
		joined := w.item(setMember(out.Raw, v, "content", rawjson.AppendQuote(nil, old.Text()+"\n"+b.Text())), a.Role)
		joined.Path = a.Path
		return joined, true
	}
	return out, ok
}
