package format

import (
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// readCline reads one message. Results that are texts have no ids yet: matchCline
// finds their calls.
func readCline(v rawjson.Value) (transcript.Item, *fault) {
	role, f := readRole(v)
	if f != nil {
		return transcript.Item{}, f
	}
	it := transcript.Item{Role: role, ID: v.Get("id").Text()}
	r := clineReader{blocks: blockReader{it: &it, from: v.Start()}, header: -1}
	switch content := v.Get("content"); content.Kind() {
	case rawjson.Invalid, rawjson.Null:
	case rawjson.String:
		if s := content.Text(); s != "" {
			r.text(content, content, s)
		}
	case rawjson.Array:
		i := 0
		for b := range content.Elems() {
			if f := r.block(b); f != nil {
				return transcript.Item{}, f.within(".content[" + strconv.Itoa(i) + "]")
			}
			i++
		}
	default:
		return transcript.Item{}, wanted(content, ".content", "a string or a list of blocks")
	}
	r.blocks.finish(v.Raw())
	metadata := v.Get("metadata").Get("kind").Text()
	it.Summary = v.Get("isSummary").Bool() || metadata == "compaction_summary"
	mark(&it)
	if role == transcript.User && !r.said {
		it.Fragment = it.Fragment || r.harness && !r.spoke || it.Has(transcript.Result)
	}
	it.Shown = without(v, func(key string, _ rawjson.Value) bool {
		switch key {
		case "id", "ts", "modelInfo", "metrics", "metadata", "isSummary", "condenseId", "condenseParent",
			"isTruncationMarker", "truncationId", "truncationParent":
			return true
		}
		return false
	})
	return it, nil
}

// clineReader reads the blocks of one message.
type clineReader struct {
	blocks blockReader
	header int    // the result whose output stands in the next text, -1 for none
	above  string // the text of that header

	said    bool // a person's words, in the tags that mark them
	spoke   bool // a text that nothing marks
	harness bool // a text that the harness wrote
}

func (r *clineReader) block(b rawjson.Value) *fault {
	it := r.blocks.it
	switch kind := b.Get("type").Text(); kind {
	case "text":
		t := b.Get("text")
		if t.Exists() && !t.Is(rawjson.String) {
			return wanted(t, ".text", "a string")
		}
		if t.Is(rawjson.String) {
			r.text(b, t, t.Text())
		}
		return nil
	case "reasoning": // Roo's, for models that think in the open
		s, f := text(b, "text")
		if f != nil {
			return f
		}
		r.blocks.part(transcript.Thinking, b, s)
		return nil
	case "file": // the SDK's: a path and the text of the file
		s, f := text(b, "content")
		if f != nil {
			return f
		}
		r.blocks.part(transcript.File, b, s)
		return nil
	}
	n := len(it.Parts)
	if f := r.blocks.block(b); f != nil {
		return f
	}
	// The name beside a result is that of its tool.
	if len(it.Parts) > n && it.Parts[n].Kind == transcript.Result {
		it.Parts[n].Name = b.Get("name").Text()
	}
	return nil
}

// text reads a text: own is the value that it stands in, a block or the content
// itself, s the value of the text.
func (r *clineReader) text(own, s rawjson.Value, text string) {
	switch r.blocks.it.Role {
	case transcript.Assistant:
		r.answer(own, text)
	case transcript.User:
		r.question(own, s, text)
	default:
		r.blocks.part(transcript.Text, own, text)
	}
}

// answer reads a text of the model: what it says and what it calls in XML.
func (r *clineReader) answer(own rawjson.Value, text string) {
	from, to, name, input, ok := clineCall(text)
	if !ok {
		r.blocks.part(transcript.Text, own, text)
		return
	}
	r.blocks.part(transcript.Text, own, text[:from]+text[to:])
	r.blocks.it.Parts = append(r.blocks.it.Parts, transcript.Part{Kind: transcript.Call, Name: name, Text: input})
}

// question reads a text of a user message.
func (r *clineReader) question(own, value rawjson.Value, text string) {
	if name, size, ok := clineHeader(text); ok {
		rest := text[size:]
		if line := strings.IndexByte(rest, '\n'); line >= 0 {
			rest = rest[line+1:]
		} else { // at most a note behind the header: the output is the next text
			rest = ""
		}
		r.header = -1
		if clineAnswered(name, rest) {
			r.person(own, text)
			return
		}
		p := r.blocks.part(transcript.Result, own, rest)
		p.Name, p.Failed = name, clineFailed(rest)
		placeBody(p, value, r.blocks.from)
		r.harness = true
		if strings.TrimSpace(rest) == "" {
			r.header, r.above = len(r.blocks.it.Parts)-1, text
		}
		return
	}
	if r.header >= 0 && !clineAside(text) {
		r.output(own, value, text)
		return
	}
	r.header = -1
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), environmentTag) {
		// What the editor shows at the moment: no words of the message.
		r.blocks.part(transcript.Other, own, text)
		r.harness = true
		return
	}
	p := r.blocks.part(transcript.Text, own, text)
	switch {
	case strings.HasPrefix(text, clineNotice):
		p.Summary, r.harness = true, true
	case clineAside(text):
		r.harness = true
		r.said = r.said || strings.Contains(text, "<user_message>")
	case clineSaid(text):
		r.said = true
	default:
		r.spoke = true
	}
}

// output reads the text behind a header that stands alone as what the tool said.
// The header itself stays a text, so that the result stays known when its output
// is cleared.
func (r *clineReader) output(own, value rawjson.Value, text string) {
	parts := r.blocks.it.Parts
	name := parts[r.header].Name
	parts[r.header].Kind, parts[r.header].Name = transcript.Text, ""
	parts[r.header].BodyStart, parts[r.header].BodyEnd = 0, 0
	parts[r.header].Text, parts[r.header].Failed = r.above, false
	r.header = -1
	if clineAnswered(name, text) {
		r.person(own, text)
		return
	}
	p := r.blocks.part(transcript.Result, own, text)
	p.Name, p.Failed = name, clineFailed(text)
	placeBody(p, value, r.blocks.from)
}

// person is a text with what a person answered to a question, or said where a
// tool was not let run: no output, but words that count as the person's.
func (r *clineReader) person(own rawjson.Value, text string) {
	r.blocks.part(transcript.Text, own, text)
	r.said = true
}

// matchCline gives each result that is a text the call that it answers: in the
// message before, by name and order. A result without one is a text like any
// other. A call without one was given up (by a person, or by the harness, which
// carries out one call in XML of a message only) and waits for nothing, but for
// those of the last message, and for tool_use blocks where results are blocks,
// too.
func matchCline(items []transcript.Item) {
	blocks := false
	for i := range items {
		for j := range items[i].Parts {
			p := &items[i].Parts[j]
			blocks = blocks || p.Kind == transcript.Result && p.ID != ""
		}
	}
	for i := range items {
		var results *transcript.Item
		if i+1 < len(items) && items[i+1].Role == transcript.User {
			results = &items[i+1]
		}
		if items[i].Role == transcript.Assistant {
			matchCalls(&items[i], results, i+1 == len(items), blocks)
		}
		if items[i].Role == transcript.User && (i == 0 || items[i-1].Role != transcript.Assistant) {
			matchCalls(&transcript.Item{}, &items[i], false, blocks)
		}
	}
}

// matchCalls matches the calls of an answer with the results behind it, nil for
// none.
func matchCalls(answer, results *transcript.Item, last, blocks bool) {
	w := waitingCalls{parts: answer.Parts, done: map[int]bool{}, byID: map[string]int{}, byName: map[string][]int{}}
	for j := range answer.Parts {
		if p := &answer.Parts[j]; p.Kind == transcript.Call && !p.Server {
			w.add(j)
		}
	}
	if results != nil {
		for j := range results.Parts {
			p := &results.Parts[j]
			if p.Kind != transcript.Result {
				continue
			}
			if at := w.take(p); at >= 0 {
				p.ID, p.Name = answer.Parts[at].ID, answer.Parts[at].Name
			} else {
				plainResult(results, p)
			}
		}
	}
	if last {
		return
	}
	for _, j := range w.all {
		if p := &answer.Parts[j]; !w.done[j] && (!blocks || p.ID == "") {
			p.Server = true
		}
	}
}

// waitingCalls are the calls of an answer that have no result yet. An answer may
// hold thousands: each is found without looking at the others.
type waitingCalls struct {
	parts  []transcript.Part
	all    []int // places in parts, in order
	done   map[int]bool
	byID   map[string]int
	byName map[string][]int
}

func (w *waitingCalls) add(j int) {
	p := &w.parts[j]
	w.all = append(w.all, j)
	w.byName[p.Name] = append(w.byName[p.Name], j)
	if _, ok := w.byID[p.ID]; !ok {
		w.byID[p.ID] = j
	}
}

// take is the call that a result answers: that of its id, else the first that
// waits of its name, else the first that waits; -1 for none.
func (w *waitingCalls) take(result *transcript.Part) int {
	at := -1
	if result.ID != "" {
		if j, ok := w.byID[result.ID]; ok && !w.done[j] {
			at = j
		}
	} else {
		named := w.waiting(w.byName[result.Name])
		w.byName[result.Name] = named
		w.all = w.waiting(w.all)
		switch {
		case len(named) > 0:
			at = named[0]
		case len(w.all) > 0:
			at = w.all[0]
		}
	}
	if at >= 0 {
		w.done[at] = true
	}
	return at
}

// waiting is a list without the calls before the first that waits.
func (w *waitingCalls) waiting(list []int) []int {
	for len(list) > 0 && w.done[list[0]] {
		list = list[1:]
	}
	return list
}

// plainResult makes a result that is a text and that nobody called for a text
// like any other: the whole of it, with what looked like a header.
func plainResult(it *transcript.Item, p *transcript.Part) {
	if p.Kind != transcript.Result || p.ID != "" {
		return
	}
	p.Kind, p.Name, p.Failed, p.BodyStart, p.BodyEnd = transcript.Text, "", false, 0, 0
	own, err := rawjson.Parse(it.Raw[p.Start:p.End])
	if err != nil {
		return // it was parsed before
	}
	if t := own.Get("text"); t.Exists() {
		own = t
	}
	p.Text = own.Text()
}
