package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What the models of mini-swe-agent that speak the Responses API leave among the
// messages: a whole answer as one message, and items with a type.

// readMiniResponse reads an answer as one message with the parts of all items of
// its output.
func readMiniResponse(v rawjson.Value) (transcript.Item, *fault) {
	it := transcript.Item{Role: transcript.Assistant, ID: v.Get("id").Text()}
	i := 0
	for e := range v.Get("output").Elems() {
		inner, f := readResponses(e)
		if f != nil {
			return it, f.within(".output[" + strconv.Itoa(i) + "]")
		}
		it.Parts = append(it.Parts, shifted(inner.Parts, e.Start()-v.Start())...)
		i++
	}
	it.Empty = len(it.Parts) == 0
	it.Shown = without(v, func(key string, _ rawjson.Value) bool { return key != "output" })
	return it, nil
}

// readMiniTyped reads an item of the Responses API that stands alone: what a
// command gave, or a message.
func readMiniTyped(v rawjson.Value) (transcript.Item, *fault) {
	it, f := readResponses(v)
	if f != nil {
		return it, f
	}
	it.Type = ""
	it.Shown = without(v, func(key string, _ rawjson.Value) bool { return key == "extra" })
	if it.Role == transcript.User && v.Get("extra").Get("interrupt_type").Text() == "FormatError" {
		it.Fragment = true
	}
	return it, nil
}

// shifted are parts whose places count from an item that begins by bytes earlier.
func shifted(parts []transcript.Part, by int) []transcript.Part {
	for i := range parts {
		p := &parts[i]
		if p.End > 0 {
			p.Start, p.End = p.Start+by, p.End+by
		}
		if p.BodyEnd > 0 {
			p.BodyStart, p.BodyEnd = p.BodyStart+by, p.BodyEnd+by
		}
	}
	return parts
}
