package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// reader reads one item. Raw and Path are set by the caller.
type reader func(rawjson.Value) (transcript.Item, *fault)

// writer renders messages in one format. It implements transcript.Writer for
// formats whose items are JSON values; functions that are nil do what most
// formats do.
type writer struct {
	read reader
	// message is a new message of text.
	message func(role transcript.Role, text string) []byte
	// content is the member of an item that holds its text, and the type of a
	// text part of it.
	content func(it *transcript.Item) (member, partType string)
	// inside is the object within an item that has that member, and the name and
	// speaker of the message. nil: the item itself.
	inside func(v rawjson.Value) rawjson.Value
	// also is what edits change beside the parts' own places, where an item says
	// things twice: changes, and the starts of the values that go. False where they
	// can not be made. nil: nothing.
	also func(v rawjson.Value, it *transcript.Item, edits []transcript.Edit) (changes []change, gone []int, ok bool)
	// text is the part that says a text in the place of part p, which is media;
	// nil: {"type": .., "text": ..}, with the type that content names.
	text func(it *transcript.Item, p *transcript.Part, text string) []byte
	// body is the value that takes the place of old as the input of a call or the
	// output of a result. nil, and a nil result: a string, but for the input of a
	// call that was an object, which becomes the object that text is.
	body func(p *transcript.Part, old rawjson.Value, text string) []byte
	// fixed reports whether the provider checks the shape of old, the input of a
	// call or the output of a result, so that no text can stand for it. nil: none
	// is checked.
	fixed func(it *transcript.Item, p *transcript.Part, old rawjson.Value) bool
	// answer is the item that answers the call p of it. nil: results are no items
	// of their own.
	answer func(it *transcript.Item, p *transcript.Part, text string) []byte
}

// Message is a new message of text. Invalid UTF-8 becomes U+FFFD.
func (w writer) Message(role transcript.Role, text string) transcript.Item {
	return w.item(w.message(role, text), role)
}

// item reads bytes that this package rendered.
func (w writer) item(raw []byte, role transcript.Role) transcript.Item {
	it := transcript.Item{Role: role}
	if v, err := rawjson.Parse(raw); err == nil {
		if read, f := w.read(v); f == nil {
			it = read
		}
	}
	it.Raw = raw
	return it
}

// WithText is the message with its content replaced: a string stays a string, a
// list of parts becomes one text part. All other members keep their bytes.
func (w writer) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	member, partType := w.content(it)
	v = w.holder(v)
	old := v.Get(member)
	var content []byte
	if old.Is(rawjson.Array) {
		content = textParts(partType, text)
	} else {
		content = rawjson.AppendQuote(nil, text)
	}
	out := w.item(setMember(it.Raw, v, member, content), it.Role)
	out.Path = it.Path
	return out
}

// WithoutSummary is the message without the elements of its content that are
// marked as an earlier summary. All else keeps its bytes.
func (w writer) WithoutSummary(it *transcript.Item) transcript.Item {
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
	member, _ := w.content(it)
	v = w.holder(v)
	content := []byte{'['}
	for e := range v.Get(member).Elems() {
		if gone[e.Start()] || e.Start() < it.Begins { // what was ignored must not come alive
			continue
		}
		if len(content) > 1 {
			content = append(content, ',')
		}
		content = append(content, e.Raw()...)
	}
	out := w.item(setMember(it.Raw, v, member, append(content, ']')), it.Role)
	out.Path = it.Path
	return out
}

// holder is the object of an item that has its content.
func (w writer) holder(v rawjson.Value) rawjson.Value {
	if w.inside != nil {
		return w.inside(v)
	}
	return v
}

// textParts is a list of one text part.
func textParts(partType, text string) []byte {
	b := append([]byte(`[{"type":"`), partType...)
	b = append(b, `","text":`...)
	b = rawjson.AppendQuote(b, text)
	return append(b, `}]`...)
}

// setMember replaces the value of a member of the object v, whose source is
// raw; a member that is not there is added at the end.
func setMember(raw []byte, v rawjson.Value, member string, content []byte) []byte {
	var from, to int
	var lead []byte
	if old := v.Get(member); old.Exists() {
		from, to = old.Start(), old.End()
	} else {
		last := v.Start() + 1
		for _, m := range v.Members() {
			last = m.End()
		}
		if last > v.Start()+1 {
			lead = append(lead, ',')
		}
		from, to = last, last
		lead = append(rawjson.AppendQuote(lead, member), ':')
	}
	out := make([]byte, 0, len(raw)+len(lead)+len(content))
	out = append(out, raw[:from]...)
	out = append(out, lead...)
	out = append(out, content...)
	return append(out, raw[to:]...)
}

// without is the object v with its members left out that drop names; nil where
// there are none of them.
func without(v rawjson.Value, drop func(key string, v rawjson.Value) bool) []byte {
	found := false
	for key, m := range v.Members() {
		found = found || drop(key, m)
	}
	if !found {
		return nil
	}
	out := []byte{'{'}
	for key, m := range v.Members() {
		if drop(key, m) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, v.Raw()[m.KeyStart()-v.Start():m.End()-v.Start()]...)
	}
	return append(out, '}')
}
