package format

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// atifWriter renders new steps.
type atifWriter struct {
	next int    // id of a step behind the last; splice numbers them anew
	now  string // time of a new step, "" where steps have none
}

func (w atifWriter) writer() writer {
	return writer{
		read:    readATIF,
		message: w.message,
		content: func(*transcript.Item) (string, string) { return "message", "text" },
	}
}

func (w atifWriter) message(role transcript.Role, text string) []byte {
	source := "user"
	switch role {
	case transcript.Assistant:
		source = "agent"
	case transcript.System, transcript.Developer:
		source = "system"
	default:
	}
	b := newBody()
	b.num("step_id", w.next)
	b.str("timestamp", w.now)
	b.str("source", source)
	b.key("message")
	b.buf = rawjson.AppendQuote(b.buf, text)
	return b.end()
}

// atifUnnumbered takes the number out of the bytes of an item: it is the place of
// the step in the list, no word of the step itself. Where steps go, all others
// are numbered anew, and each is still the same.
func atifUnnumbered(it *transcript.Item, step rawjson.Value) {
	cuts, ok := removals(step, []int{step.Get("step_id").Start()})
	if !ok {
		return
	}
	cut := cuts[0]
	from, to := cut.from-step.Start(), cut.to-step.Start()
	it.Raw = patch(it.Raw, []change{{from: from, to: to}})
	for i := range it.Parts {
		p := &it.Parts[i]
		for _, at := range []*int{&p.Start, &p.End, &p.BodyStart, &p.BodyEnd} {
			if *at >= to {
				*at -= to - from
			}
		}
	}
}

// atifAppends says of a step that replaced all before it that it is one more
// message: which is what it is in every list that holds only the steps since.
func atifAppends(it *transcript.Item) {
	v, err := rawjson.Parse(it.Raw)
	if err != nil {
		return
	}
	mark := v.Get("extra").Get("context_management").Get("boundary")
	raw := patch(it.Raw, []change{{mark.Start(), mark.End(), []byte(`"append"`)}})
	if v, err = rawjson.Parse(raw); err != nil {
		return
	}
	if read, f := readATIF(v); f == nil {
		read.Raw, read.Path = raw, it.Path
		*it = read
	}
}

// splice writes the steps in the place of the list, each with the number of its
// place: readers of the format refuse ids that do not count from 1. Nothing else
// changes with them, since no field of the format names a step by its id: results
// name calls, and sub-agents name trajectories. Steps before
// one that replaced them go with the first change: they count no more, and
// without it they would count again.
func (c *atifCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	if untouched(t, entries) {
		return src
	}
	changed := map[int]bool{}
	for _, e := range entries {
		if e.From >= 0 && e.New != nil {
			changed[max(c.cut, 0)+e.From] = true
		}
	}
	pieces := c.pieces(t, entries)
	if c.cut >= 0 {
		changed[c.cut] = true // it has other bytes as an item
		pieces = slices.DeleteFunc(pieces, func(p piece) bool { return p.elem >= 0 && p.elem < c.cut })
	}
	for i := range pieces {
		switch p := &pieces[i]; {
		case !c.numbered:
		case p.elem >= 0 && !changed[p.elem]:
			step := c.steps[p.elem]
			old := step.Get("step_id")
			p.raw = patch(step.Raw(), []change{{old.Start() - step.Start(), old.End() - step.Start(), strconv.AppendInt(nil, int64(i+1), 10)}})
		default:
			p.raw = atNumber(p.raw, i+1)
		}
	}
	if c.lines != nil {
		return c.spliceLines(src, pieces)
	}
	return c.spliceArray(src, pieces)
}

// atNumber is a step with its number as the first member, spaced as the next one.
func atNumber(raw []byte, n int) []byte {
	gap := raw[1 : len(raw)-len(bytes.TrimLeft(raw[1:], " \t\r\n"))]
	out := append(append([]byte{'{'}, gap...), `"step_id":`...)
	out = strconv.AppendInt(out, int64(n), 10)
	return append(append(out, ','), raw[1:]...)
}
