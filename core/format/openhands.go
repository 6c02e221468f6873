package format

import (
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// OpenHands events: what the server and its evaluations write (V0: {source,
// action | observation}), and what the SDK does (V1: by kind). A list of them,
// one on each line, or the history of a row of results. Not every event is the
// model's: those of state and statistics stay beside the event before them.

func openhandsFormat() *format {
	rules := harnessRefusals()
	return &format{
		Info: Info{
			Name: "openhands", Title: "OpenHands events", Provider: rules.Provider,
			Shapes: []string{shapeArray, shapeRequest, shapeLines}, Write: "edit",
		},
		family: transcript.Chat,
		rules:  rules,
		holds:  openhandsHolds,
		item:   openhandsItem,
		sniff:  sniffOpenhands,
		decode: decodeOpenhands,
	}
}

// openhandsHolds knows the rows of an evaluation. The oldest of them hold pairs
// of an action and its observation, and events without a source.
func openhandsHolds(o object) (member, sign string) {
	history := o.get("history")
	for e := range history.Elems() {
		if e.Is(rawjson.Array) {
			for inner := range e.Elems() {
				if e = inner; e.Is(rawjson.Object) {
					break
				}
			}
		}
		if !e.Is(rawjson.Object) {
			continue
		}
		if v := (value{e, history.base}); openhandsItem(v) || openhandsOld(v) != "" && !v.Get("role").Exists() {
			return "history", "its history has events"
		}
		break
	}
	return "", ""
}

// openhandsOld is which of action and observation an event of the server has, ""
// for neither or both.
func openhandsOld(e value) string {
	action, observation := e.Get("action").Is(rawjson.String), e.Get("observation").Is(rawjson.String)
	switch {
	case action == observation:
		return ""
	case action:
		return "action"
	}
	return "observation"
}

func openhandsItem(e value) bool { return openhandsSign(e) != "" }

// openhandsSign is what only an event has.
func openhandsSign(e value) string {
	if e.Get("role").Exists() || !e.Get("source").Is(rawjson.String) {
		return ""
	}
	if kind := str(e, "kind"); strings.HasSuffix(kind, "Event") || openhandsKind(kind) {
		return "source and the kind of an event"
	}
	if key := openhandsOld(e); key != "" {
		return "source and " + key
	}
	return ""
}

func sniffOpenhands(s *sample) finding {
	return s.signs(openhandsSign)
}

// openhandsPlace is what an element of the list is to the history.
type openhandsPlace uint8

const (
	openhandsNoise openhandsPlace = iota // state, statistics, what no model sees
	openhandsShown                       // an item
	openhandsGone                        // forgotten by a condensation, or one itself
)

// openhandsCodec writes the events that are left.
type openhandsCodec struct {
	list
	converted
	places    []openhandsPlace // of each element
	elem      []int            // the element of each item, -1 for the summary of a condensation
	condensed bool
}

func decodeOpenhands(s *sample, _ *format, opt Options) (*Document, error) {
	w := newOpenhandsWriter(s, opt)
	r := openhandsReader{sample: s, view: openhandsView{writer: w}, calls: map[string]string{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	c := &openhandsCodec{list: s.list, places: r.places}
	t := &transcript.Transcript{Writer: w, Tools: r.tools, Model: r.model}
	forgotten := r.view.finish(r.places)
	for _, e := range r.view.entries {
		t.Items, c.elem = append(t.Items, e.item), append(c.elem, e.elem)
	}
	c.condensed = r.view.condensations > 0
	if !c.condensed && len(t.Items) < s.list.len() {
		c.first = append([]int{}, c.elem...) // not nil, which would say that each element is an item
	}
	d := &Document{Transcript: t, codec: c}
	if c.condensed {
		d.Verdict.Evidence = append(d.Verdict.Evidence, fmt.Sprintf("condensations: %d, %s of the history forgotten", r.view.condensations, count(forgotten, "event")))
	}
	return d, nil
}

// openhandsReader reads the elements of a list, and links what only the events
// before tell.
type openhandsReader struct {
	*sample
	view   openhandsView
	places []openhandsPlace
	calls  map[string]string // the id of a call, by the id of its event
	loose  int               // calls without any id since the last result
	tools  []byte
	model  string
}

func (r *openhandsReader) read() error {
	n := r.list.len()
	r.places = make([]openhandsPlace, n)
	for i, e := range r.list.elems {
		if !e.Exists() {
			if !r.repair {
				return r.src.badLine(&r.list.lines[i])
			}
			continue
		}
		path := r.list.place(i)
		if openhandsCondenses(e) {
			r.places[i] = openhandsGone
			if !r.view.condense(e, i, path) {
				return r.src.invalid(path, e.base, &fault{e.Value, "", fmt.Sprintf("is condensation %d, the limit is %d", r.view.condensations, maxCondensations)})
			}
			continue
		}
		it, f := readOpenhands(e.Value)
		switch {
		case f != nil:
			return r.src.invalid(path, e.base, f)
		case it == nil:
			r.view.pass(e)
			continue
		}
		r.link(it, e)
		it.Raw, it.Path = e.Raw(), path
		r.places[i] = openhandsShown
		r.view.push(*it, i, e)
	}
	return nil
}

// link names the call of a result. The server names the event that caused it; an
// observation that no call caused is what a person did, or the server itself.
func (r *openhandsReader) link(it *transcript.Item, e value) {
	r.beside(e)
	for j := range it.Parts {
		p := &it.Parts[j]
		switch {
		case p.Kind == transcript.Call:
			if it.ID != "" {
				r.calls[it.ID] = p.ID
			}
			if p.ID == "" {
				r.loose++
			}
		case p.Kind != transcript.Result || it.Role != transcript.Tool:
		case p.ID != "":
			cause := openhandsNumber(e.Get("cause"))
			if id, ok := r.calls[cause]; ok {
				p.ID = id
			} else if p.ID == cause {
				openhandsTold(it, e.Value)
			}
		case r.loose > 0:
			r.loose--
		default:
			openhandsTold(it, e.Value)
		}
	}
}

// openhandsTold makes an observation without a call a message of the harness.
func openhandsTold(it *transcript.Item, event rawjson.Value) {
	for j := range it.Parts {
		if p := &it.Parts[j]; p.Kind == transcript.Result {
			p.Kind, p.ID, p.Text = transcript.Text, "", event.Get("content").Text()
			p.Failed, p.BodyStart, p.BodyEnd = false, 0, 0
		}
	}
	it.Role, it.Fragment = transcript.User, true
}

// beside notes what an event says of the request: the tools, and the model.
func (r *openhandsReader) beside(e value) {
	for _, tools := range []rawjson.Value{e.Get("tools"), e.Get("args").Get("tools")} {
		if r.tools == nil && tools.Is(rawjson.Array) && tools.Len() > 0 {
			r.tools = tools.Raw()
		}
	}
	if model := e.Get("tool_call_metadata").Get("model_response").Get("model").Text(); model != "" {
		r.model = model
	}
}

// readOpenhands reads one event; nil is one that no model sees.
func readOpenhands(v rawjson.Value) (*transcript.Item, *fault) {
	switch {
	case v.Is(rawjson.Array):
		return readOpenhandsPair(v)
	case !v.Is(rawjson.Object):
		return nil, wanted(v, "", "an object")
	case v.Get("kind").Is(rawjson.String):
		return readOpenhandsSDK(v)
	case v.Get("action").Is(rawjson.String):
		return readOpenhandsAction(v)
	case v.Get("observation").Is(rawjson.String):
		return readOpenhandsObservation(v)
	}
	return nil, &fault{v, "", "is no event: kind, action and observation are missing"}
}

// readOpenhandsPair reads an action with its observation, as one item.
func readOpenhandsPair(v rawjson.Value) (*transcript.Item, *fault) {
	var out *transcript.Item
	i := 0
	for e := range v.Elems() {
		it, f := readOpenhands(e)
		if f != nil {
			return nil, f.within(fmt.Sprintf("[%d]", i))
		}
		i++
		switch {
		case it == nil:
		case out == nil:
			out = it
			out.Parts = shifted(out.Parts, e.Start()-v.Start())
		default:
			called := ""
			for _, p := range out.Parts {
				if p.Kind == transcript.Call {
					called = p.ID
				}
			}
			if it.Role == transcript.Tool && !out.Has(transcript.Call) {
				openhandsTold(it, e)
			}
			for _, p := range shifted(it.Parts, e.Start()-v.Start()) {
				if p.Kind == transcript.Result {
					p.ID = called
				}
				out.Parts = append(out.Parts, p)
			}
		}
	}
	if out != nil {
		out.Shown = nil
	}
	return out, nil
}
