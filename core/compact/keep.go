package compact

import (
	"strings"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// keeper picks the items that stay. Each step names its reason; an item keeps
// the reason of the first step that took it.
type keeper struct {
	t    *transcript.Transcript
	p    *policy.Policy
	m    tokens.Measured
	pair *transcript.Pairing

	counter tokens.Counter

	pinned   []bool           // by the policy's pins, whatever else they stay for
	cleared  map[int]*cleared // nil: nothing is
	size     []int            // tokens of the items, as they are when that is done
	unpruned *Unpruned

	reason []Reason // "" is not kept
	lead   int      // behind the leading run of system and developer messages
	kind   []string // of initial context that may move, "" for all other items; nil where none does
	text   map[int]transcript.Item
	cut    map[int]Reason // reasons of those in text
	mixed  []int          // hold the newest of a kind of initial context beside results
	over   map[int]bool   // real user messages that the budget had no place for
}

func (k *keeper) keep(i int, why Reason) {
	if k.reason[i] == "" && !k.t.Items[i].Summary {
		k.reason[i] = why
	}
}

// run takes the steps in the order of their claim.
func (k *keeper) run() {
	k.instructions()
	k.context()
	k.open()
	k.pins()
	k.prune()
	if k.p.Keep.All {
		return
	}
	if k.p.Keep.FirstUser {
		for i := range k.t.Items {
			if k.t.Items[i].RealUser() {
				k.keep(i, FirstUser)
				break
			}
		}
	}
	k.tail(k.lastMessages())
	k.tail(k.lastTokens())
	k.tail(k.lastBytes())
	k.tail(k.lastTurns())
	k.groups()
	if k.p.Opaque() {
		k.retain()
	} else {
		k.users()
	}
	k.carry()
	k.stripSummaries()
}

// instructions keeps the leading system messages in place. Developer messages
// among them are initial context where the policy carries that, else
// instructions too.
func (k *keeper) instructions() {
	for ; k.lead < len(k.t.Items); k.lead++ {
		role := k.t.Items[k.lead].Role
		if role != transcript.System && role != transcript.Developer {
			break
		}
		if k.p.Keep.Instructions && (role == transcript.System || !k.p.Keep.InitialContext) {
			k.keep(k.lead, Instructions)
		}
	}
}

// context keeps the newest of each kind of initial context, where the policy
// carries that. One that shares its message with tool results can not move with
// them: where the message goes, its text is carried alone (carry).
func (k *keeper) context() {
	if !k.p.Keep.InitialContext {
		return
	}
	seen := map[string]bool{}
	for i := len(k.t.Items) - 1; i >= 0; i-- {
		it := &k.t.Items[i]
		if it.Context == "" || k.reason[i] != "" || k.attached(i) {
			continue
		}
		if it.Has(transcript.Call, transcript.Result) {
			if !seen[it.Context] {
				k.mixed = append(k.mixed, i)
			}
			seen[it.Context] = true
			continue
		}
		if k.kind == nil {
			k.kind = make([]string, len(k.t.Items))
		}
		k.kind[i] = it.Context
		if !seen[it.Context] {
			seen[it.Context] = true
			k.keep(i, InitialContext)
		}
	}
}

// carry keeps the text of initial context whose message goes.
func (k *keeper) carry() {
	for _, i := range k.mixed {
		if k.gone(i) {
			k.rewrite(i, k.t.Items[i].Text(), InitialContext)
		}
	}
}

func (k *keeper) open() {
	for i, open := range k.pair.Open {
		if open {
			k.keep(i, OpenCall)
		}
	}
}

// pins keeps what any pin names: by index, by the id of the item or of a call
// or result of it, by text that stands in one of its parts.
func (k *keeper) pins() {
	k.pinned = make([]bool, len(k.t.Items))
	for _, pin := range k.p.Keep.Pins {
		for i := range k.t.Items {
			if pinned(&k.t.Items[i], i, pin) {
				k.pinned[i] = true
				k.keep(i, Pinned)
			}
		}
	}
	groups := map[int]bool{} // a pin holds whole groups, against clearing too
	for i, held := range k.pinned {
		if held {
			groups[k.pair.Group[i]] = true
		}
	}
	for i := range k.pinned {
		k.pinned[i] = k.pinned[i] || groups[k.pair.Group[i]]
	}
}

func pinned(it *transcript.Item, i int, pin policy.Pin) bool {
	switch {
	case pin.Index != nil:
		return *pin.Index == i
	case pin.ID != "":
		if it.ID == pin.ID {
			return true
		}
		for j := range it.Parts {
			if it.Parts[j].ID == pin.ID {
				return true
			}
		}
	case pin.Text != "":
		for j := range it.Parts {
			if strings.Contains(it.Parts[j].Text, pin.Text) {
				return true
			}
		}
	}
	return false
}

// tail keeps all from start on, but for earlier summaries, and initial context
// that a newer copy replaces.
func (k *keeper) tail(start int) {
	for i := start; i < len(k.t.Items); i++ {
		if !k.superseded(i) {
			k.keep(i, Recent)
		}
	}
}

// moves reports whether the item is initial context that may move.
func (k *keeper) moves(i int) bool { return k.kind != nil && k.kind[i] != "" }

func (k *keeper) superseded(i int) bool { return k.moves(i) && k.reason[i] == "" }

// ordinary reports whether the item is one of those that a count of the newest
// messages goes over: no instructions, no earlier summary, and no initial
// context where the policy carries that on its own account.
func (k *keeper) ordinary(i int) bool {
	return i >= k.lead && !k.t.Items[i].Summary && !k.moves(i)
}

// lastMessages is where the last n messages start, moved back to a boundary:
// n is a promise of at least n.
func (k *keeper) lastMessages() int {
	n := k.p.Keep.LastMessages
	start := len(k.t.Items)
	for i := start - 1; i >= k.lead && n > 0; i-- {
		if k.ordinary(i) {
			start = i
			n--
		}
	}
	return max(k.lead, k.pair.Boundary(start))
}

// lastTokens is where the newest groups that fit the budget start. The newest
// group stays whatever its size: the model has not answered it yet. Only results
// that no request can hold go: with them the session would be over.
func (k *keeper) lastTokens() int {
	return k.newest(k.p.Keep.LastTokens, func(i int) int { return k.size[i] }, k.unsendable)
}

// lastBytes is the same by bytes of what is sent: pictures weigh few tokens and
// many bytes, and a request that is too large in bytes is refused too.
func (k *keeper) lastBytes() int {
	return k.newest(k.p.Keep.LastBytes, func(i int) int { return len(k.t.Items[i].Sent()) },
		func(int, int, int) bool { return false })
}

// newest is where the newest groups that fit a budget start; hopeless says of the
// newest group of all that it goes nevertheless.
func (k *keeper) newest(budget int, size func(int) int, hopeless func(from, to, size int) bool) int {
	start, used := len(k.t.Items), 0
	if budget <= 0 {
		return start
	}
	for start > k.lead {
		from := k.pair.Boundary(start - 1)
		for i := from; i < start; i++ {
			if k.ordinary(i) {
				used += size(i)
			}
		}
		if used > budget && (start < len(k.t.Items) || hopeless(from, start, used)) {
			break
		}
		start = from
	}
	return max(k.lead, start)
}

// unsendable reports whether a group is larger than the model's whole window. What
// a person wrote is not meant: nothing could stand for that.
func (k *keeper) unsendable(from, to, size int) bool {
	if hard := k.p.Limits.Hard; hard == 0 || size <= hard {
		return false
	}
	for i := from; i < to; i++ {
		if k.t.Items[i].RealUser() {
			return false
		}
	}
	return true
}

// lastTurns is where the last n turns start.
func (k *keeper) lastTurns() int {
	n, start := k.p.Keep.LastTurns, len(k.t.Items)
	for i := start - 1; i >= k.lead && n > 0; i-- {
		if k.t.Items[i].RealUser() {
			start = i
			n--
		}
	}
	if n > 0 && n < k.p.Keep.LastTurns {
		start = k.lead // fewer turns than asked for: all of them
	}
	return k.pair.Boundary(start)
}

// groups keeps every item whose group has a member that stays.
func (k *keeper) groups() {
	stays := map[int]bool{}
	for i, why := range k.reason {
		if why != "" {
			stays[k.pair.Group[i]] = true
		}
	}
	for i := range k.reason {
		if stays[k.pair.Group[i]] {
			k.keep(i, GroupKept)
		}
	}
}
