package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Answered is the message in which a tool part says that its call went wrong: its
// state becomes output-error, or "result" in AI SDK 4, which knows no errors and
// may hold the call a second time. Not for a tool that the provider ran, whose
// result only the provider can give.
func (w uiWriter) Answered(it *transcript.Item, n int, text string) (transcript.Item, bool) {
	call := &it.Parts[n]
	v, err := rawjson.Parse(it.Raw)
	if err != nil || call.Kind != transcript.Call || call.Server || call.Pending || answers(it, n) >= 0 {
		return *it, false
	}
	var changes []change
	answer := func(o rawjson.Value, old bool) {
		if o.Get("toolCallId").Text() == call.ID && !o.Get("result").Exists() && !o.Get("output").Exists() {
			changes = append(changes, uiAnswer(o, old, text)...)
		}
	}
	for p := range v.Get("parts").Elems() {
		switch wrapped := p.Get("toolInvocation"); {
		case p.Start() != call.Start:
		case wrapped.Is(rawjson.Object):
			answer(wrapped, true)
		default:
			answer(p, false)
		}
	}
	for o := range v.Get("toolInvocations").Elems() {
		if o.Start() == call.Start || v.Get("parts").Is(rawjson.Array) { // then it repeats them
			answer(o, true)
		}
	}
	if len(changes) == 0 {
		return *it, false
	}
	out := w.item(patch(it.Raw, changes), it.Role)
	out.Path = it.Path
	return out, len(out.Parts) == len(it.Parts)+1
}

// uiAnswer are the changes that give the tool part o a result. One that was still
// streaming may have no input yet, which a part with an output must have.
func uiAnswer(o rawjson.Value, old bool, text string) []change {
	state, key := `"output-error"`, "errorText"
	if old {
		state, key = `"result"`, "result"
	}
	var changes []change
	var added []string
	if s := o.Get("state"); s.Exists() {
		changes = append(changes, change{s.Start(), s.End(), []byte(state)})
	} else {
		added = append(added, `"state":`+state)
	}
	if !old && !o.Get("input").Exists() && !o.Get("rawInput").Exists() {
		added = append(added, `"input":{}`)
	}
	if old && !o.Get("args").Exists() {
		added = append(added, `"args":{}`)
	}
	if e := o.Get(key); e.Exists() { // null, or what is no text
		changes = append(changes, change{e.Start(), e.End(), rawjson.AppendQuote(nil, text)})
	} else {
		added = append(added, `"`+key+`":`+string(rawjson.AppendQuote(nil, text)))
	}
	if len(added) == 0 {
		return changes
	}
	end := o.Start() + 1
	for _, m := range o.Members() {
		end = m.End()
	}
	return append(changes, change{end, end, []byte("," + strings.Join(added, ","))})
}
