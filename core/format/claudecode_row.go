package format

import (
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// lineEdit collects changes to the bytes of a line.
type lineEdit struct {
	v       rawjson.Value
	changes []change
	lead    []byte // new members, before all others
}

// set gives a member of the line a value; one that is not there is added.
func (e *lineEdit) set(key string, b []byte) {
	if !e.replace(e.v.Get(key), b) {
		e.lead = append(append(append(rawjson.AppendQuote(e.lead, key), ':'), b...), ',')
	}
}

// replace puts bytes in the place of a value, false where there is none.
func (e *lineEdit) replace(old rawjson.Value, b []byte) bool {
	if !old.Exists() {
		return false
	}
	e.changes = append(e.changes, change{old.Start(), old.End(), b})
	return true
}

// drop takes a member of the line away.
func (e *lineEdit) drop(key string) {
	if m := e.v.Get(key); m.Exists() {
		if cuts, ok := removals(e.v, []int{m.Start()}); ok {
			e.changes = append(e.changes, cuts...)
		}
	}
}

// line is the changed line.
func (e *lineEdit) line() []byte {
	at := e.v.Start()
	if len(e.lead) > 0 {
		e.changes = append(e.changes, change{at + 1, at + 1, e.lead})
	}
	for i := range e.changes {
		e.changes[i].from -= at
		e.changes[i].to -= at
	}
	return patch(e.v.Raw(), e.changes)
}

// begin says which item the next rows are of: an answer gets an id of its own,
// in a copy only where another one has the same, so that the two stay two.
func (w *sessionWriter) begin(r *row) {
	w.answer = nil
	if r.answer == "" {
		return
	}
	if !w.c.rewrite || w.used[r.answer] {
		w.answer = rawjson.AppendQuote(nil, w.ids.message())
	}
	w.used[r.answer] = true
}

// row writes a line of the session below the line before, with another content
// where that is not nil. All other bytes stay.
func (w *sessionWriter) row(r *row, edited *transcript.Item) {
	e := &lineEdit{v: r.v.Value}
	uuid := r.uuid
	if at, ok := w.c.tree.at[uuid]; !w.c.rewrite || !ok || at < 0 {
		uuid = w.ids.uuid()
		w.uuids[r.uuid] = uuid
		e.set("uuid", rawjson.AppendQuote(nil, uuid))
	}
	e.set("parentUuid", quotedOrNull(w.parent))
	if !w.c.rewrite && w.now != nil {
		e.set("timestamp", w.now)
	}
	if source := r.v.Get("sourceToolAssistantUUID"); w.uuids[source.Text()] != "" {
		e.replace(source, rawjson.AppendQuote(nil, w.uuids[source.Text()]))
	}
	message := r.v.Get("message")
	if w.answer != nil {
		e.replace(message.Get("id"), w.answer)
	}
	for _, key := range usageKeys() {
		if n := message.Get("usage").Get(key); n.Is(rawjson.Number) {
			e.replace(n, []byte{'0'})
		}
	}
	if edited != nil {
		w.edit(e, message, r, edited)
	}
	w.add(e.line(), uuid)
}

// edit gives a line the content of an item. What the line repeats of the old one
// for the screen goes.
func (w *sessionWriter) edit(e *lineEdit, message rawjson.Value, r *row, edited *transcript.Item) {
	e.drop("toolUseResult")
	if r.kind != "assistant" {
		e.replace(message, edited.Raw)
		return
	}
	v, err := rawjson.Parse(edited.Raw)
	if err != nil {
		return
	}
	content := v.Get("content").Raw()
	if !e.replace(message.Get("content"), content) {
		lead := append(append([]byte(`"content":`), content...), ',')
		e.changes = append(e.changes, change{message.Start() + 1, message.Start() + 1, lead})
	}
}

// claudeWriter writes messages of role and content. That of an answer is a list
// of blocks always: the CLI reads no other.
func claudeWriter() writer {
	w := anthropicWriter()
	plain := w.message
	w.message = func(role transcript.Role, text string) []byte {
		if role != transcript.Assistant {
			return plain(role, text)
		}
		return append(append([]byte(answerHead), textBlock(rawjson.AppendQuote(nil, text))...), "]}"...)
	}
	return w
}

// body is a Messages request: the items are what the API takes.
func (c *claudeCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	return (&anthropicCodec{}).body(t, r)
}

func (c *claudeCodec) api() string { return "anthropic-messages" }
