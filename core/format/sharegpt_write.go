package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// sharegptWriter renders turns in the words of the conversation at hand.
type sharegptWriter struct {
	writer
	roles  bool // turns are {role, content}, else {from, value}
	parts  bool // contents are lists of {type, value}
	labels map[transcript.Role]string
	media  []sharegptFiles
}

// learn notes how a turn is written.
func (w *sharegptWriter) learn(v rawjson.Value) {
	key, member := sharegptKeys(v)
	w.roles = key == "role"
	w.parts = w.parts || sharegptPart(value{v, 0}) && v.Get(member).Is(rawjson.Array)
	label := v.Get(key).Text()
	role, kind := sharegptKind(label)
	if w.labels[role] == "" && kind != transcript.Call {
		w.labels[role] = label
	}
}

func (w sharegptWriter) ready() sharegptWriter {
	w.read = w.readItem
	w.message = w.render
	w.content = func(it *transcript.Item) (string, string) {
		v, err := rawjson.Parse(it.Raw)
		if err != nil {
			return "value", "text"
		}
		_, member := sharegptKeys(v)
		return member, "text"
	}
	w.text = func(_ *transcript.Item, _ *transcript.Part, text string) []byte { return sharegptValue("text", text) }
	w.body = sharegptBody
	w.fixed = func(_ *transcript.Item, p *transcript.Part, old rawjson.Value) bool {
		if p.Kind != transcript.Call {
			return false
		}
		_, ok := sharegptInputs(old.Text(), []transcript.Edit{{Text: "{}"}})
		return !ok // a text that is no JSON, a call without an input
	}
	w.answer = func(_ *transcript.Item, _ *transcript.Part, text string) []byte {
		return w.render(transcript.Tool, text)
	}
	return w
}

// label is what the conversation calls a role.
func (w sharegptWriter) label(role transcript.Role) string {
	if label := w.labels[role]; label != "" {
		return label
	}
	if !w.roles {
		switch role {
		case transcript.User:
			return "human"
		case transcript.Assistant:
			return "gpt"
		case transcript.Tool:
			return "observation"
		default:
		}
	}
	return string(role)
}

func (w sharegptWriter) render(role transcript.Role, text string) []byte {
	key, member := "from", "value"
	if w.roles {
		key, member = "role", "content"
	}
	b := newBody()
	b.key(key)
	b.buf = rawjson.AppendQuote(b.buf, w.label(role))
	b.raw(member, w.contentOf(w.plain(text)))
	return b.end()
}

// contentOf is a content of one text.
func (w sharegptWriter) contentOf(text string) []byte {
	if w.parts {
		return append(append([]byte{'['}, sharegptValue("text", text)...), ']')
	}
	return rawjson.AppendQuote(nil, text)
}

func sharegptValue(kind, text string) []byte {
	b := newBody()
	b.str("type", kind)
	b.key("value")
	b.buf = rawjson.AppendQuote(b.buf, text)
	return b.end()
}

// sharegptBody writes what stands for an input or an output. A call is a JSON
// text, in which the input changes and the name does not.
func sharegptBody(p *transcript.Part, old rawjson.Value, text string) []byte {
	switch {
	case old.Is(rawjson.Array):
		return append(append([]byte{'['}, sharegptValue("text", text)...), ']')
	case p.Kind != transcript.Call || !old.Is(rawjson.String):
		return nil
	}
	if out, ok := sharegptInputs(old.Text(), []transcript.Edit{{Text: text}}); ok {
		return rawjson.AppendQuote(nil, out)
	}
	return nil
}

// sharegptInputs is the text of calls with edits made: Part counts its calls.
// False where it is no JSON, where a call has no input, or where none would stay.
func sharegptInputs(text string, edits []transcript.Edit) (string, bool) {
	at := sharegptJSON(text)
	src := []byte(text[at:])
	root, err := rawjson.Parse(src)
	calls := sharegptCalls(text[at:])
	if err != nil || len(calls) == 0 {
		return "", false
	}
	if root.Is(rawjson.Array) { // values of one parse, so that their places are those of src
		calls = calls[:0]
		for e := range root.Elems() {
			calls = append(calls, e)
		}
	}
	var changes []change
	var gone []int
	for _, e := range edits {
		if e.Part >= len(calls) || e.ID != "" {
			return "", false
		}
		if e.Drop {
			gone = append(gone, calls[e.Part].Start())
			continue
		}
		_, input := sharegptCall(calls[e.Part])
		switch input.Kind() {
		case rawjson.Object:
			changes = append(changes, change{input.Start(), input.End(), []byte(e.Text)})
		case rawjson.String:
			changes = append(changes, change{input.Start(), input.End(), rawjson.AppendQuote(nil, e.Text)})
		default:
			return "", false
		}
	}
	if len(gone) > 0 {
		cuts, ok := removals(root, gone)
		if !ok || len(gone) == len(calls) {
			return "", false
		}
		changes = append(changes, cuts...)
	}
	return text[:at] + string(patch(src, outer(changes))), true
}

// WithText is the turn with its content replaced. A text that stands for other
// files than before stands for none.
func (w sharegptWriter) WithText(it *transcript.Item, text string) transcript.Item {
	for i := range w.media {
		if m := &w.media[i]; strings.Count(text, m.placeholder) != sharegptCount(it, m) {
			text = w.plain(text)
			break
		}
	}
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	_, member := sharegptKeys(v)
	content := rawjson.AppendQuote(nil, text)
	if v.Get(member).Is(rawjson.Array) {
		content = append(append([]byte{'['}, sharegptValue("text", text)...), ']')
	}
	out := w.item(setMember(it.Raw, v, member, content), it.Role)
	out.Path = it.Path
	return out
}

// WithParts is the turn with some parts changed. Two kinds of parts have no value
// of their own: several calls in one text, and the files that a text stands for.
func (w sharegptWriter) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	if changed, ok := w.inText(it, edits); ok {
		return changed, true
	}
	places := map[int]int{}
	for i := range it.Parts {
		if p := &it.Parts[i]; p.Kind == transcript.Call && p.End > 0 {
			places[p.Start]++
		}
	}
	for _, e := range edits {
		if p := &it.Parts[e.Part]; p.Kind == transcript.Call && places[p.Start] > 1 {
			return *it, false // one of several calls in one part of a list
		}
	}
	out, ok := w.writer.WithParts(it, edits)
	if !ok {
		return out, false
	}
	// The results of further calls, which an observation has no words for.
	for i := range it.Parts {
		if p := &it.Parts[i]; p.Kind == transcript.Result && p.End == 0 {
			out.Parts = append(out.Parts, *p)
		}
	}
	return out, true
}

// inText makes edits within the one text of a turn.
func (w sharegptWriter) inText(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	v, err := rawjson.Parse(it.Raw)
	if err != nil {
		return *it, false
	}
	_, member := sharegptKeys(v)
	old := v.Get(member)
	if !old.Is(rawjson.String) {
		return *it, false
	}
	text, ok := w.withoutFiles(it, old.Text(), edits)
	if !ok {
		text, ok = severalInputs(it, old.Text(), edits)
	}
	if !ok {
		return *it, false
	}
	out := w.item(setMember(it.Raw, v, member, rawjson.AppendQuote(nil, text)), it.Role)
	out.Path = it.Path
	return out, true
}

// severalInputs is the text of a turn of several calls with edits made.
func severalInputs(it *transcript.Item, text string, edits []transcript.Edit) (string, bool) {
	number, calls := map[int]int{}, 0
	for i := range it.Parts {
		if p := &it.Parts[i]; p.Kind == transcript.Call && p.End > 0 {
			number[i] = calls
			calls++
		}
	}
	if calls < 2 {
		return "", false
	}
	inner := make([]transcript.Edit, len(edits))
	for i, e := range edits {
		n, ok := number[e.Part]
		if !ok {
			return "", false
		}
		e.Part = n
		inner[i] = e
	}
	return sharegptInputs(text, inner)
}

// withoutFiles puts texts in the place of the placeholders of a turn, all of them.
func (w sharegptWriter) withoutFiles(it *transcript.Item, text string, edits []transcript.Edit) (string, bool) {
	files := 0
	for i := range it.Parts {
		if p := &it.Parts[i]; p.End == 0 && p.Kind.Payload() {
			files++
		}
	}
	if files == 0 || files != len(edits) {
		return "", false
	}
	for _, e := range edits {
		p := &it.Parts[e.Part]
		if p.End != 0 || !p.Kind.Payload() || e.Drop || e.Text == "" {
			return "", false
		}
		for _, m := range w.media {
			if m.kind == p.Kind {
				if before, after, ok := strings.Cut(text, m.placeholder); ok {
					text = apart(apart(before, w.plain(e.Text)), after)
				}
			}
		}
	}
	return text, true
}

// apart are two texts with white space between them.
func apart(before, after string) string {
	const blanks = " \t\r\n"
	if before == "" || after == "" || strings.ContainsRune(blanks, rune(before[len(before)-1])) || strings.ContainsRune(blanks, rune(after[0])) {
		return before + after
	}
	return before + " " + after
}

// Joined is false: a turn is one text, and two of them in one could not be told
// apart again.
func (w sharegptWriter) Joined(a, _ *transcript.Item) (transcript.Item, bool) { return *a, false }
