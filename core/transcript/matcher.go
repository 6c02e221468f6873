package transcript

// matcher finds the call that a result answers. Every waiting call is looked at
// a bounded number of times.
type matcher struct {
	waits map[Ref]bool // calls that have an interim result
	later map[string]Ref

	calls   []waiting        // all of them, in order; the lists below are places in it
	ids     map[string][]int // those that wait, by id
	names   map[string][]int // those without an id, by name
	unnamed []int            // those without an id

	// exchange is the number of the exchange between model and tools: it ends
	// where a person speaks, and where the model goes on behind results. A call
	// without an id is answered within its own or not at all.
	exchange int
	results  bool // a result was seen since the model spoke last

	references []Ref           // that stand for no call yet, of this turn of the model
	known      map[string]bool // ids of the first calls, up to named, and of outputs that a reference calls
	named      int
}

// waiting is a call that waits.
type waiting struct {
	at       Ref
	pending  bool
	exchange int
	taken    bool
}

func newMatcher() *matcher {
	return &matcher{
		waits: map[Ref]bool{}, later: map[string]Ref{},
		ids: map[string][]int{}, names: map[string][]int{},
	}
}

// Match tells of each result of the named items, in order, which call of them it
// answers; ok is false where none does. It is how Pair matches a whole transcript.
func Match(t *Transcript, items []int, tell func(result, call Ref, ok bool)) {
	m := newMatcher()
	for _, i := range items {
		m.item(t, i, tell)
	}
}

// item goes over the parts of one item.
func (m *matcher) item(t *Transcript, i int, tell func(result, call Ref, ok bool)) {
	m.enter(&t.Items[i], t.Family)
	if t.Family == Responses {
		m.referTo(&t.Items[i], i)
	}
	for j := range t.Items[i].Parts {
		part := &t.Items[i].Parts[j]
		if part.ID == "" && t.Family == Responses {
			continue // it stands alone
		}
		switch part.Kind {
		case Call:
			m.call(Ref{i, j}, part)
		case Result:
			call, ok := m.result(part)
			if !ok && len(m.references) > 0 {
				call, ok = m.referred(t, part.ID)
			}
			tell(Ref{i, j}, call, ok)
		default:
		}
	}
}

// enter is told of each item before its parts. In Responses items one answer is
// several of them, and results may stand between.
func (m *matcher) enter(it *Item, f Family) {
	switch {
	case it.Generated():
		if m.results && f != Responses {
			m.exchange++
		}
		m.results = false
	case it.RealUser() && !it.Has(Result):
		m.exchange++
		m.results = false
	}
	m.results = m.results || it.Has(Result)
}

// referTo is told of each Responses item: a reference stands for an item that the
// provider has, which may be a call of this turn.
func (m *matcher) referTo(it *Item, i int) {
	switch {
	case it.Role == User:
		m.references = m.references[:0]
	case it.Reference():
		m.references = append(m.references, Ref{Item: i})
	}
}

// referred is the reference that stands for the call of an output: the newest one
// that calls no other. An output whose call is there, or was, has none.
func (m *matcher) referred(t *Transcript, id string) (Ref, bool) {
	if m.known == nil {
		m.known = map[string]bool{}
	}
	for ; m.named < len(m.calls); m.named++ {
		at := m.calls[m.named].at
		m.known[t.Items[at.Item].Parts[at.Part].ID] = true
	}
	if m.known[id] {
		return Ref{}, false
	}
	m.known[id] = true
	last := len(m.references) - 1
	call := m.references[last]
	m.references = m.references[:last]
	return call, true
}

func (m *matcher) call(at Ref, part *Part) {
	n := len(m.calls)
	m.calls = append(m.calls, waiting{at: at, pending: part.Pending, exchange: m.exchange})
	if part.ID == "" {
		m.names[part.Name] = append(m.names[part.Name], n)
		m.unnamed = append(m.unnamed, n)
		return
	}
	q := m.ids[part.ID]
	// An id that is used again means the newer call, once the conversation left
	// the older one behind.
	if len(q) > 0 {
		if old := &m.calls[q[len(q)-1]]; old.exchange < m.exchange && !old.pending && !m.waits[old.at] {
			q = q[:0]
		}
	}
	m.ids[part.ID] = append(q, n)
}

// result is the call that a result answers. Behind an interim result, and behind
// the first one of a call that waited for something outside of the loop, another
// may come.
func (m *matcher) result(part *Part) (Ref, bool) {
	n := -1
	if part.ID == "" {
		n = m.unlabelled(part.Name)
	} else if q := m.ids[part.ID]; len(q) > 0 {
		n = q[0]
	}
	if n < 0 {
		at, ok := m.later[part.ID]
		return at, ok
	}
	c := &m.calls[n]
	if part.Pending {
		m.waits[c.at] = true
		return c.at, true
	}
	c.taken = true
	if part.ID != "" {
		if q := m.ids[part.ID]; len(q) > 1 {
			m.ids[part.ID] = q[1:]
		} else { // the map stays as small as what waits at once
			delete(m.ids, part.ID)
		}
		if c.pending || m.waits[c.at] {
			m.later[part.ID] = c.at
		}
	}
	return c.at, true
}

// unlabelled is the first call of this exchange without an id that waits: of the
// same name, where both have one. -1 is none.
func (m *matcher) unlabelled(name string) int {
	if name == "" {
		m.unnamed = m.waiting(m.unnamed)
		return head(m.unnamed)
	}
	for _, key := range [...]string{name, ""} {
		list := m.waiting(m.names[key])
		m.names[key] = list
		if n := head(list); n >= 0 {
			return n
		}
	}
	return -1
}

// waiting is a list from the first call on that still waits in this exchange.
func (m *matcher) waiting(list []int) []int {
	for len(list) > 0 && (m.calls[list[0]].taken || m.calls[list[0]].exchange < m.exchange) {
		list = list[1:]
	}
	return list
}

func head(list []int) int {
	if len(list) == 0 {
		return -1
	}
	return list[0]
}
