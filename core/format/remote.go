package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Compaction by the provider itself: the requests that ask for it, and the items
// that it answers with. Only histories of Responses items can hold one.

// Compactor says which request asks a provider to compact by itself.
type Compactor uint8

// The requests.
const (
	// NoCompactor: a summary is asked for with a prompt.
	NoCompactor Compactor = iota
	// TriggerItem is an ordinary request that ends with a compaction_trigger.
	TriggerItem
	// CompactEndpoint is a request to responses/compact.
	CompactEndpoint
)

// Path is where the request is posted, below the base of the API; "" is the
// place of every other request.
func (c Compactor) Path() string {
	if c == CompactEndpoint {
		return "responses/compact"
	}
	return ""
}

// Compactors names the formats whose histories can hold what such a request
// gives.
func Compactors() []string {
	var names []string
	for _, f := range registry() {
		if f.family == transcript.Responses {
			names = append(names, f.Name)
		}
	}
	return names
}

// itemsWriter writes Responses items, sealed ones too. It implements
// transcript.Sealer.
type itemsWriter struct{ writer }

// Sealed is a compaction item.
func (w itemsWriter) Sealed(payload string) transcript.Item {
	b := newBody()
	b.str("type", "compaction")
	b.key("encrypted_content")
	b.buf = rawjson.AppendQuote(b.buf, payload)
	return w.item(b.end(), transcript.Assistant)
}

// Given reads the output of a response.
func (w itemsWriter) Given(list []byte) ([]transcript.Item, *transcript.Error) {
	bad := func(path, message string) ([]transcript.Item, *transcript.Error) {
		return nil, &transcript.Error{Code: "invalid_request", Path: path, Message: message}
	}
	v, err := rawjson.Parse(list)
	if err != nil || !v.Is(rawjson.Array) {
		return bad("", "is "+v.Kind().String()+", a list of items is wanted")
	}
	if n := v.Len(); n > MaxItems {
		return bad("", "holds "+count(n, "item")+", the limit is "+strconv.Itoa(MaxItems))
	}
	items := make([]transcript.Item, 0, v.Len())
	for e := range v.Elems() {
		it, f := w.read(e)
		if f == nil && summaryItem(it.Type) && it.Type != "context_compaction" && !it.Has(transcript.Opaque) {
			f = wanted(e.Get("encrypted_content"), ".encrypted_content", "a string")
		}
		if f != nil {
			return bad("["+strconv.Itoa(len(items))+"]"+f.path, f.msg)
		}
		it.Raw = e.Raw()
		items = append(items, it)
	}
	return items, nil
}

// Shortened is the output item of a function, a custom tool or a search with less in
// it: all its other members keep their bytes.
func (w itemsWriter) Shortened(it *transcript.Item, text string) (transcript.Item, bool) {
	switch it.Type {
	case "function_call_output", "custom_tool_call_output":
		return w.WithParts(it, []transcript.Edit{{Text: text}})
	case "tool_search_output":
		v, err := rawjson.Parse(it.Raw)
		if err != nil {
			return *it, false
		}
		out := w.item(setMember(it.Raw, v, "tools", []byte("[]")), it.Role)
		out.Path = it.Path
		return out, true
	}
	return *it, false
}

// compactorBody is a request to compact: as the conversation's next request would
// be, so that the provider's prompt cache knows all of it, and the model sees the
// tools that its calls are of. root is the request that the history came in, if
// it came in one. What would bend the answer (an output schema, a tool that must
// be called, a limit of the answer's length) is left out, and so is what leans on
// the provider's own copy of the history.
func compactorBody(t *transcript.Transcript, r BodyRequest, root rawjson.Value, instructions, store []byte) []byte {
	b := newBody()
	b.str("model", r.Model)
	b.raw("instructions", instructions)
	b.array("input")
	for _, s := range responsesShown(t, r.Items) {
		b.element(s.raw)
		if s.stub != nil {
			b.element(s.stub)
		}
	}
	if r.Compactor == TriggerItem {
		b.element([]byte(`{"type":"compaction_trigger"}`))
	}
	b.endArray()
	if t.Tools != nil {
		b.raw("tools", t.Tools)
		if v := root.Get("parallel_tool_calls"); v.Exists() {
			b.raw("parallel_tool_calls", v.Raw())
		} else {
			b.raw("parallel_tool_calls", []byte("true"))
		}
	}
	own := []string{"reasoning", "service_tier", "prompt_cache_key"}
	if r.Compactor == TriggerItem {
		own = append(own, "include")
		b.raw("store", store)
	}
	for _, key := range own {
		b.raw(key, given(root.Get(key)))
	}
	if v := given(root.Get("text").Get("verbosity")); v != nil {
		b.raw("text", append(append([]byte(`{"verbosity":`), v...), '}'))
	}
	return b.end()
}

// given is the JSON of a member; nil where it is not there or null.
func given(v rawjson.Value) []byte {
	if !v.Exists() || v.Is(rawjson.Null) {
		return nil
	}
	return v.Raw()
}
