package transcript

// Ref is the place of a part.
type Ref struct{ Item, Part int }

// Pairing is how the items of a transcript belong together.
type Pairing struct {
	// Group is the group of each item, numbered from 0 by first item. A
	// provider accepts the items of a group only together.
	Group []int
	// Start is, for each item, the lowest index within its group.
	Start []int
	// Open says that an item holds a call that is still waiting for its result.
	Open []bool
	// Partners are the items that hold the other half of an item's calls and
	// results.
	Partners [][]int
	// Orphans are results without an earlier call.
	Orphans []Ref
	// Unanswered are calls without a result that are not open: the conversation
	// went on without it.
	Unanswered []Ref

	low []int // lowest Start of the items from here on
}

// Pair matches calls and results by id, in order, and groups the items. In
// Responses items a call or output without an id stands alone; elsewhere a
// missing id is an id like any other, so that a result without one needs such a
// call. A second result for a call that is answered is an orphan. Cost: linear.
func Pair(t *Transcript) *Pairing {
	n := len(t.Items)
	p := &Pairing{Group: make([]int, n), Start: make([]int, n), Open: make([]bool, n), Partners: make([][]int, n)}
	sets := newSets(n)
	waiting := map[string][]Ref{}
	answered := map[Ref]bool{}
	for i := range t.Items {
		for j, part := range t.Items[i].Parts {
			switch part.Kind {
			case Call:
				if part.ID != "" || t.Family != Responses {
					waiting[part.ID] = append(waiting[part.ID], Ref{i, j})
				}
			case Result:
				if part.ID == "" && t.Family == Responses {
					continue // an output without a call_id stands alone
				}
				calls := waiting[part.ID]
				if len(calls) == 0 {
					if !part.Server {
						p.Orphans = append(p.Orphans, Ref{i, j})
					}
					continue
				}
				call := calls[0]
				waiting[part.ID] = calls[1:]
				answered[call] = true
				if call.Item != i {
					sets.join(call.Item, i)
					p.link(call.Item, i)
				}
			default:
			}
		}
	}
	if t.Family == Responses {
		joinReasoning(t, sets)
	}
	p.unanswered(t, answered)
	next := 0
	number := make([]int, n)
	for i := range n {
		root := sets.find(i)
		if root == i {
			number[i] = next
			next++
		}
		p.Group[i], p.Start[i] = number[root], root
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
// either side alone ("provided without its required reasoning item").
func joinReasoning(t *Transcript, sets sets) {
	lead := -1
	for i := range t.Items {
		it := &t.Items[i]
		switch {
		case !it.Generated() || it.Summary:
			lead = -1
		case it.Type == "reasoning":
			if lead >= 0 && t.Items[i-1].Type == "reasoning" {
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
// is several items, so there an answer counts only behind a result).
func (p *Pairing) unanswered(t *Transcript, answered map[Ref]bool) {
	moved := make([]bool, len(t.Items)+1) // the conversation went on after item i-1
	var user, generated, behindResult bool
	for i := len(t.Items) - 1; i >= 0; i-- {
		it := &t.Items[i]
		moved[i] = user || behindResult || generated && t.Family != Responses
		switch {
		case it.Generated():
			generated = true
		case it.Has(Result):
			behindResult = behindResult || generated
			user = user || it.Role == User && it.Has(Text, Image, Audio, File)
		case it.Role == User || it.Role == System || it.Role == Developer:
			user = true
		}
	}
	for i := range t.Items {
		for j, part := range t.Items[i].Parts {
			if part.Kind != Call || part.ID == "" && t.Family == Responses || part.Server || answered[Ref{i, j}] {
				continue
			}
			if moved[i] {
				p.Unanswered = append(p.Unanswered, Ref{i, j})
			} else {
				p.Open[i] = true
			}
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

func newSets(n int) sets {
	s := make(sets, n)
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
