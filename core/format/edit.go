package format

import (
	"cmp"
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Changes to single parts of an item. They are splices of its bytes, so that
// whatever nobody asked to change stays as it came.

// change puts bytes in the place of raw[from:to].
type change struct {
	from, to int
	bytes    []byte
}

// patch carries out changes that do not overlap.
func patch(raw []byte, changes []change) []byte {
	slices.SortStableFunc(changes, func(a, b change) int { return a.from - b.from })
	size := len(raw)
	for _, c := range changes {
		size += len(c.bytes)
	}
	out, at := make([]byte, 0, size), 0
	for _, c := range changes {
		out = append(append(out, raw[at:c.from]...), c.bytes...)
		at = c.to
	}
	return append(out, raw[at:]...)
}

// WithParts is the item with some parts changed. False where a part has no
// place of its own, where no text could stand for it (the provider checks the
// shape of what is there, or it is no element of a list), or where the item
// would be left without any part. Cost: linear in the item and the edits.
func (w writer) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	v, err := rawjson.Parse(it.Raw)
	if err != nil {
		return *it, false
	}
	at := valuesAt(v, it, edits)
	var changes []change
	var gone []int // starts of the values that go
	if w.also != nil {
		var ok bool
		if changes, gone, ok = w.also(v, it, edits); !ok {
			return *it, false
		}
	}
	for _, e := range edits {
		p := &it.Parts[e.Part]
		switch {
		case p.End == 0:
			return *it, false
		case e.Drop:
			gone = append(gone, p.Start)
			continue
		case e.Text == "":
		case p.Kind == transcript.Call || p.Kind == transcript.Result:
			if p.BodyEnd == 0 {
				return *it, false
			}
			old := at[span{p.BodyStart, p.BodyEnd}]
			if w.fixed != nil && w.fixed(it, p, old) {
				return *it, false
			}
			changes = append(changes, change{p.BodyStart, p.BodyEnd, w.bodyOf(p, old, e.Text)})
		default:
			b := w.textOf(it, p, at[span{p.Start, p.End}], e.Text)
			if b == nil {
				return *it, false
			}
			changes = append(changes, change{p.Start, p.End, b})
		}
		if e.ID != "" {
			c, ok := renamed(v, at[span{p.Start, p.End}], p, e.ID)
			if !ok {
				return *it, false
			}
			changes = append(changes, c)
		}
	}
	if len(gone) > 0 {
		cuts, ok := removals(v, gone)
		if !ok {
			return *it, false
		}
		changes = append(changes, cuts...)
	}
	out := w.item(patch(it.Raw, outer(changes)), it.Role)
	out.Path = it.Path
	return out, len(out.Parts) > 0
}

// outer leaves out the changes within another one: a picture inside of an output
// that is replaced as a whole goes with it.
func outer(changes []change) []change {
	slices.SortStableFunc(changes, func(a, b change) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var out []change
	for _, c := range changes {
		if n := len(out); n > 0 && c.to <= out[n-1].to && c.from < out[n-1].to {
			continue
		}
		out = append(out, c)
	}
	return out
}

// bodyOf is the JSON value that stands for a call's input or a result's output.
func (w writer) bodyOf(p *transcript.Part, old rawjson.Value, text string) []byte {
	if w.body != nil {
		if b := w.body(p, old, text); b != nil {
			return b
		}
	}
	if p.Kind == transcript.Call && old.Is(rawjson.Object) {
		return []byte(text)
	}
	return rawjson.AppendQuote(nil, text)
}

// textOf is the text part that stands for old, which is media; nil where that is
// a member of the item and no element of a list of parts.
func (w writer) textOf(it *transcript.Item, p *transcript.Part, old rawjson.Value, text string) []byte {
	if w.text != nil {
		return w.text(it, p, text)
	}
	if p.Kind == transcript.Text && len(it.Raw) > p.Start && it.Raw[p.Start] == '"' {
		return rawjson.AppendQuote(nil, text)
	}
	if !old.Exists() || old.KeyStart() >= 0 || w.content == nil {
		return nil
	}
	_, partType := w.content(it)
	b := textParts(partType, text)
	return b[1 : len(b)-1]
}

// span is the place of a value.
type span struct{ from, to int }

// valuesAt are the values of v at the places of the parts to edit and of their
// bodies. One walk over all of v, whatever the number of parts: an item may hold
// 10,000 of them.
func valuesAt(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) map[span]rawjson.Value {
	at := make(map[span]rawjson.Value, 2*len(edits))
	for _, e := range edits {
		p := &it.Parts[e.Part]
		at[span{p.Start, p.End}], at[span{p.BodyStart, p.BodyEnd}] = rawjson.Value{}, rawjson.Value{}
	}
	var walk func(rawjson.Value)
	walk = func(v rawjson.Value) {
		if _, ok := at[span{v.Start(), v.End()}]; ok {
			at[span{v.Start(), v.End()}] = v
		}
		for e := range v.Elems() {
			walk(e)
		}
	}
	walk(v)
	return at
}

// removals cut the values that start at the offsets of gone out of the lists and
// objects that hold them, with their commas. False where one of them is neither
// an element nor a member.
func removals(v rawjson.Value, gone []int) ([]change, bool) {
	slices.SortStableFunc(gone, cmp.Compare[int])
	var changes []change
	found := 0
	var walk func(rawjson.Value)
	walk = func(v rawjson.Value) {
		end, kept := 0, false // of the child before, and whether one stays before
		for e := range v.Elems() {
			from := e.Start()
			if k := e.KeyStart(); k >= 0 {
				from = k
			}
			// Behind one that is gone and has none before it that stays, the comma
			// went with the white space up to this child.
			if n := len(changes); n > 0 && changes[n-1].to < 0 {
				changes[n-1].to = from
			}
			_, goes := slices.BinarySearch(gone, e.Start())
			switch {
			case !goes:
				kept = true
				if e.Is(rawjson.Array) || e.Is(rawjson.Object) {
					walk(e)
				}
			case kept:
				found++
				changes = append(changes, change{from: end, to: e.End()})
			default:
				found++
				changes = append(changes, change{from: from, to: -1})
			}
			end = e.End()
		}
		if n := len(changes); n > 0 && changes[n-1].to < 0 {
			changes[n-1].to = end
		}
	}
	walk(v)
	return changes, found == len(gone)
}

// idKeys are the members that hold the id of a call, in all formats.
func idKeys() []string {
	return []string{"id", "call_id", "tool_call_id", "tool_use_id", "toolUseId", "toolCallId", "callID", "source_call_id"}
}

// wrapperKeys are the members of a part that hold a call or a result whole: those
// of AI SDK 4, Bedrock and Gemini.
func wrapperKeys() []string {
	return []string{"toolInvocation", "toolUse", "toolResult", "functionCall", "function_call", "functionResponse", "function_response"}
}

// renamed is the change that gives a call, or the call that a result names,
// another id: in the part's own value, else in the item's.
func renamed(v, own rawjson.Value, p *transcript.Part, id string) (change, bool) {
	places := []rawjson.Value{own}
	for _, key := range wrapperKeys() {
		places = append(places, own.Get(key))
	}
	for _, o := range append(places, v) {
		for _, key := range idKeys() {
			if m := o.Get(key); m.Is(rawjson.String) && m.Text() == p.ID {
				return change{m.Start(), m.End(), rawjson.AppendQuote(nil, id)}, true
			}
		}
	}
	return change{}, false
}

// Joined is one message with the content of both. A text alone becomes a text
// part where the other has a list of them, or where both are texts.
func (w writer) Joined(a, b *transcript.Item) (transcript.Item, bool) {
	va, errA := rawjson.Parse(a.Raw)
	vb, errB := rawjson.Parse(b.Raw)
	if errA != nil || errB != nil || w.content == nil {
		return *a, false
	}
	member, partType := w.content(a)
	other, _ := w.content(b)
	va, vb = w.holder(va), w.holder(vb)
	content := []byte{'['}
	for _, c := range []rawjson.Value{va.Get(member), vb.Get(other)} {
		switch c.Kind() {
		case rawjson.String:
			one := textParts(partType, c.Text())
			content = comma(content, one[1:len(one)-1])
		case rawjson.Array:
			for e := range c.Elems() {
				content = comma(content, e.Raw())
			}
		default:
			return *a, false
		}
	}
	if lends(a, b) == b {
		a, va, member = b, vb, other
	}
	out := w.item(setMember(a.Raw, va, member, append(content, ']')), a.Role)
	out.Path = a.Path
	return out, true
}

// lends is the one of two messages whose fields beside the content stay when they
// are joined: the first, but what came in goes before what is new.
func lends(a, b *transcript.Item) *transcript.Item {
	if a.Path == "" && b.Path != "" {
		return b
	}
	return a
}

// comma appends an element to a list that was opened.
func comma(list, e []byte) []byte {
	if n := len(list); list[n-1] != '[' {
		list = append(list, ',')
	}
	return append(list, e...)
}

// Answer is the item that answers a call, where the format has such items.
func (w writer) Answer(it *transcript.Item, n int, text string) (transcript.Item, bool) {
	if w.answer == nil {
		return transcript.Item{}, false
	}
	raw := w.answer(it, &it.Parts[n], text)
	if raw == nil {
		return transcript.Item{}, false
	}
	out := w.item(raw, transcript.Tool)
	return out, out.Has(transcript.Result)
}
