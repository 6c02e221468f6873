package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Calls of Gemini have no ids in most transcripts: the API pairs them by name
// and order, and takes results in the turn behind the calls only. Everything else
// here pairs by id, so that each such call gets one: its name, with a number
// where another call has that already.

// toolTurn is the calls of a model's turn that can still be answered.
type toolTurn struct {
	calls []waitingCall
	names map[string][]int // of each name, the calls that wait
	ids   map[string][]int
}

type waitingCall struct {
	id       string
	named    bool // the call has no id of its own
	answered bool
}

func newToolTurn() toolTurn {
	return toolTurn{names: map[string][]int{}, ids: map[string][]int{}}
}

func (e *toolTurn) open(p *transcript.Part, named bool) {
	e.names[p.Name] = append(e.names[p.Name], len(e.calls))
	e.ids[p.ID] = append(e.ids[p.ID], len(e.calls))
	e.calls = append(e.calls, waitingCall{id: p.ID, named: named})
}

// answer is the id of the call that a result answers: of the same id; else of the
// same name, where one of the two has no id (clients drop those that they were
// given). Every call is looked at once.
func (e *toolTurn) answer(p *transcript.Part) (id string, ok bool) {
	if p.ID != "" {
		if at, ok := e.next(e.ids, p.ID); ok {
			e.calls[at].answered = true
			return p.ID, true
		}
	}
	at, ok := e.next(e.names, p.Name)
	if !ok || p.ID != "" && !e.calls[at].named {
		return "", false
	}
	e.calls[at].answered = true
	return e.calls[at].id, true
}

// next is the first of some calls that waits; those before it are given up.
func (e *toolTurn) next(of map[string][]int, key string) (at int, ok bool) {
	waiting := of[key]
	for len(waiting) > 0 && e.calls[waiting[0]].answered {
		waiting = waiting[1:]
	}
	of[key] = waiting
	if len(waiting) == 0 {
		return 0, false
	}
	return waiting[0], true
}

// namePairs gives ids to the calls that have none, and to each result that of its
// call. A result whose call is not there keeps what it has. Cost: linear.
func namePairs(items []transcript.Item) {
	used := map[string]int{} // how often a name was taken for an id
	for i := range items {
		for j := range items[i].Parts {
			if p := &items[i].Parts[j]; p.ID != "" && (p.Kind == transcript.Call || p.Kind == transcript.Result) {
				used[p.ID] = max(used[p.ID], 1)
			}
		}
	}
	turn, model := newToolTurn(), false
	for i := range items {
		it := &items[i]
		if it.Role == transcript.Assistant && !model && len(turn.calls) > 0 {
			turn = newToolTurn()
		}
		model = it.Role == transcript.Assistant
		var own toolTurn // what the provider ran: both halves stand in one content
		if it.Has(transcript.Call) {
			own = newToolTurn()
		}
		for j := range it.Parts {
			p := &it.Parts[j]
			e := &turn
			if p.Server {
				e = &own
			}
			switch p.Kind {
			case transcript.Call:
				named := p.ID == ""
				if named {
					p.ID = numbered(p.Name, used)
				}
				e.open(p, named)
			case transcript.Result:
				if e.calls == nil {
					continue
				}
				if id, ok := e.answer(p); ok {
					p.ID = id
				}
			default:
			}
		}
	}
}

// numbered is the id of the next call of a name: one that nothing has yet.
func numbered(name string, used map[string]int) string {
	for id := name; ; {
		used[name]++
		if n := used[name]; n > 1 {
			id = name + "#" + strconv.Itoa(n)
		}
		if id == name || used[id] == 0 {
			return id
		}
	}
}

// keepIDs gives the calls and results of an item that was read anew the ids that
// they had: alone it does not show them. left are the parts that it should have,
// in order.
func keepIDs(it *transcript.Item, left []transcript.Part) {
	at := 0
	for j := range it.Parts {
		p := &it.Parts[j]
		if p.Kind != transcript.Call && p.Kind != transcript.Result {
			continue
		}
		for at < len(left) && left[at].Kind != p.Kind {
			at++
		}
		if at == len(left) {
			return
		}
		p.ID = left[at].ID
		at++
	}
}
