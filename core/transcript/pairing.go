package transcript

import "slices"

// Ref is the place of a part.
type Ref struct{ Item, Part int }

// Pairing is how the items of a transcript belong together.
type Pairing struct {
	// Group is the group of each item, numbered from 0 by first item. A
	// provider accepts the items of a group only together.
	Group []int
	// Start is, for each item, the lowest index within its group.
	Start []int
	// Open says that an item holds a call that is still waiting for its result,
	// Outlived that the conversation went on meanwhile.
	Open, Outlived []bool
	// Partners are the items that hold the other half of an item's calls and
	// results; nil where no item has one.
	Partners [][]int
	// Orphans are results without an earlier call.
	Orphans []Ref
	// Unanswered are calls without a result that are not open: the conversation
	// went on without it.
	Unanswered []Ref
	// ServerOrphans and ServerUnanswered are those of the provider's own tools
	// (Part.Server): results without an earlier call, and calls that the turn went
	// on without a result of. Their items stand alone all the same.
	ServerOrphans, ServerUnanswered []Ref

	low []int // lowest Start of the items from here on
}

// PartnersOf are the partners of an item.
func (p *Pairing) PartnersOf(item int) []int {
	if p.Partners == nil {
		return nil
	}
	return p.Partners[item]
}

// Pair matches calls and results, in order, and groups the items: by id, and
// where a format has no ids by name and order within one exchange. In Responses
// items a call or output without an id stands alone; elsewhere a result without
// one needs a call without one. A second result for a call that is answered is
// an orphan, but where the call waits for something outside of the loop (Part.
// Pending): then all its results are in its group. Cost: linear.
func Pair(t *Transcript) *Pairing {
	n := len(t.Items)
	p := &Pairing{Group: make([]int, n), Start: make([]int, n), Open: make([]bool, n), Outlived: make([]bool, n)}
	sets := newSets(p.Start)
	m := newMatcher()
	for i := range t.Items {
		m.item(t, i, func(result, call Ref, ok bool) {
			switch {
			case !ok && t.Items[i].Parts[result.Part].Server:
				p.ServerOrphans = append(p.ServerOrphans, result)
			case !ok:
				p.Orphans = append(p.Orphans, result)
			case ok && call.Item != i:
				if p.Partners == nil {
					p.Partners = make([][]int, n)
				}
				sets.join(call.Item, i)
				p.link(call.Item, i)
			}
		})
	}
	if t.Family == Responses {
		joinReasoning(t, sets)
	}
	p.unanswered(t, m)
	next := 0
	for i := range n { // a root stands before its set, and has its number by then
		root := sets.find(i)
		if root == i {
			p.Group[i] = next
			next++
		}
		p.Group[i], p.Start[i] = p.Group[root], root
	}
	p.low = make([]int, n)
	for i := n - 1; i >= 0; i-- {
		p.low[i] = p.Start[i]
		if i+1 < n {
			p.low[i] = min(p.low[i], p.low[i+1])
		}
	}
	return p
}

// link makes two items partners. A message of several results links the same
// call item again and again, but always as its newest partner.
func (p *Pairing) link(call, result int) {
	if known := p.Partners[call]; len(known) > 0 && known[len(known)-1] == result {
		return
	}
	p.Partners[call] = append(p.Partners[call], result)
	p.Partners[result] = append(p.Partners[result], call)
}

// joinReasoning groups a reasoning item with the generated items that follow it
// up to the next reasoning: they came in one answer, and a provider refuses
// either side alone ("provided without its required reasoning item"). A reference
// may stand for reasoning, and for what followed some.
func joinReasoning(t *Transcript, sets sets) {
	lead := -1
	for i := range t.Items {
		it := &t.Items[i]
		switch {
		case !it.Generated() || it.Summary:
			lead = -1
		case it.Type == "reasoning", it.Reference() && lead < 0:
			if lead >= 0 && (t.Items[i-1].Type == "reasoning" || t.Items[i-1].Reference()) {
				sets.join(lead, i) // several reasoning items before one answer
			} else {
				lead = i
			}
		case lead >= 0:
			sets.join(lead, i)
		}
	}
}

// unanswered sorts the calls without a result into open ones and forgotten
// ones. A call is open while nobody but the tools spoke after it: no user, and
// no further answer of the model (in Responses items a batch of parallel calls
// is several items, so there an answer counts only behind a result, and a text
// where no call of its batch follows). One that waits for something outside of
// the loop is open whatever was said since.
//
// A tool of the provider's own may wait for results of the user's tools, several
// times (code that calls them): only a user's word, and a text of the model in a
// later message, say that it is done.
func (p *Pairing) unanswered(t *Transcript, m *matcher) {
	moved := make([]bool, len(t.Items)) // the conversation went on after item i
	spoken := make([]bool, len(t.Items))
	var user, generated, behindResult, spoke, ended bool
	batch := false // a call stands behind: of the same answer, else behindResult says it
	for i := len(t.Items) - 1; i >= 0; i-- {
		it := &t.Items[i]
		moved[i], spoken[i] = user || behindResult || ended || generated && t.Family != Responses, spoke
		spoke = spoke || it.Generated() && it.Has(Text) || it.Role == User && !it.Has(Result)
		switch {
		case it.Generated():
			generated = true
			ended = ended || it.Has(Text) && !batch
			batch = batch || slices.ContainsFunc(it.Parts, func(p Part) bool { return p.Kind == Call && !p.Server })
		case it.Has(Result):
			behindResult = behindResult || generated
			user = user || it.Role == User && it.Has(Text, Image, Audio, File)
		case it.Role == User || it.Role == System || it.Role == Developer:
			user = true
		}
	}
	for _, c := range m.calls {
		part := &t.Items[c.at.Item].Parts[c.at.Part]
		switch i := c.at.Item; {
		case c.taken:
		case part.Server:
			if spoken[i] && !part.Pending {
				p.ServerUnanswered = append(p.ServerUnanswered, c.at)
			}
		case moved[i] && !part.Pending && !m.waits[c.at]:
			p.Unanswered = append(p.Unanswered, c.at)
		default:
			p.Open[i], p.Outlived[i] = true, moved[i]
		}
	}
}

// Boundary moves a cut back until no group has items on both sides of it.
// Cost: one step for each group that reaches over a cut.
func (p *Pairing) Boundary(cut int) int {
	for cut < len(p.low) && p.low[cut] < cut {
		cut = p.low[cut]
	}
	return cut
}

// sets is a union-find whose root is always the lowest index.
type sets []int

// newSets are sets of one each, in the room of s.
func newSets(s sets) sets {
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(a, b int) {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
}
