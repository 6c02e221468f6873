package compact

import "github.com/tamp-dev/tamp/core/transcript"

// Repaired is one thing that a repair changed.
type Repaired struct {
	Path    string `json:"path"` // below the transcript as sent; of what was added, the place that lacked it
	Code    string `json:"code"` // of the rule that was broken
	Message string `json:"message"`
}

// Repair mends what the transcript's provider refuses, as far as that can be
// done without making anything up but a stub that says so. It gives the places
// of the mended transcript and what was done, nothing where all is well. What it
// can not mend stays, and stays a defect. Cost: linear, for each kind of defect.
func Repair(t *transcript.Transcript) ([]transcript.Entry, []Repaired) {
	m := &mender{t: *t, told: []Repaired{}}
	m.items = make([]mended, len(t.Items))
	for i := range t.Items {
		m.items[i] = mended{Entry: transcript.Entry{From: i}, it: &t.Items[i]}
	}
	for _, step := range []func(*mender){
		(*mender).reasoning, (*mender).doubles, (*mender).copies, (*mender).itemIDs, (*mender).empties, (*mender).early,
		(*mender).orphans, (*mender).servers, (*mender).sharedIDs, (*mender).stubs, (*mender).misplaced,
		(*mender).empties, // what was last may be so no more
		(*mender).first, (*mender).runs,
	} {
		m.look()
		step(m)
		m.settle()
	}
	m.nothing(t)
	if len(m.told) == 0 {
		return nil, nil
	}
	entries := make([]transcript.Entry, len(m.items))
	for i := range m.items {
		entries[i] = m.items[i].Entry
	}
	return entries, m.told
}

// mended is one item of the transcript on its way.
type mended struct {
	transcript.Entry
	it   *transcript.Item
	gone bool
	// behind are items that come to stand behind this one.
	behind []mended
}

type mender struct {
	t     transcript.Transcript // as it stands now
	items []mended
	pair  *transcript.Pairing
	told  []Repaired
}

// look makes the transcript of what stands now.
func (m *mender) look() {
	m.t.Items = make([]transcript.Item, len(m.items))
	for i := range m.items {
		m.t.Items[i] = *m.items[i].it
	}
	m.pair = transcript.Pair(&m.t)
}

// settle takes out what is gone, and the reasoning that led to it, and puts in what
// came.
func (m *mender) settle() {
	m.reasoning()
	out := make([]mended, 0, len(m.items))
	for _, x := range m.items {
		behind := x.behind
		x.behind = nil
		if !x.gone {
			out = append(out, x)
		}
		out = append(out, behind...)
	}
	m.items = out
}

func (m *mender) tell(i int, code, message string) {
	m.told = append(m.told, Repaired{m.t.Items[i].Path, code, message})
}

func (m *mender) drop(i int, code, message string) {
	m.items[i].gone = true
	m.tell(i, code, message)
}

// edit changes parts of item i. False where its format can not do that.
func (m *mender) edit(i int, edits []transcript.Edit) bool {
	out, ok := m.t.Writer.WithParts(&m.t.Items[i], edits)
	if ok {
		m.items[i].it, m.items[i].New = &out, &out
	}
	return ok
}

// insert puts a new item behind item i.
func (m *mender) insert(i int, it *transcript.Item) {
	it.Path = m.t.Items[i].Path
	m.items[i].behind = append(m.items[i].behind, mended{Entry: transcript.Entry{From: -1, New: it}, it: it})
}

// empties takes out the messages that are refused for having no content. Where
// something else stands in them (a result, reasoning) an empty text will do.
func (m *mender) empties() {
	refused := map[string]string{}
	for _, d := range transcript.Validate(&m.t, m.pair) {
		if d.Code == "not_empty" || d.Code == "not_null" {
			refused[d.Path] = d.Code
		}
	}
	for i := range m.t.Items {
		it := &m.t.Items[i]
		code := refused[it.Path]
		switch {
		case code == "":
		case it.Empty && len(it.Parts) == 0:
			m.drop(i, code, "a message without content was taken out")
		case it.Null:
			out := m.t.Writer.WithText(it, "")
			m.items[i].it, m.items[i].New = &out, &out
			m.tell(i, code, "content that was not there became an empty text")
		}
	}
}

// early moves results that stand before their call behind it.
func (m *mender) early() {
	waiting := map[string][]int{} // items of calls without a result, by id
	for _, ref := range m.pair.Unanswered {
		if id := m.t.Items[ref.Item].Parts[ref.Part].ID; id != "" {
			waiting[id] = append(waiting[id], ref.Item)
		}
	}
	for i, open := range m.pair.Open {
		if !open {
			continue
		}
		for j := range m.t.Items[i].Parts {
			if p := &m.t.Items[i].Parts[j]; p.Kind == transcript.Call && p.ID != "" {
				waiting[p.ID] = append(waiting[p.ID], i)
			}
		}
	}
	for _, ref := range m.pair.Orphans {
		it := &m.t.Items[ref.Item]
		calls := waiting[it.Parts[ref.Part].ID]
		if len(calls) == 0 || calls[0] < ref.Item || m.items[ref.Item].gone || !results(it) || count(it, transcript.Result) != 1 {
			continue
		}
		waiting[it.Parts[ref.Part].ID] = calls[1:]
		moved := m.items[ref.Item]
		m.items[ref.Item].gone = true
		m.items[calls[0]].behind = append(m.items[calls[0]].behind, mended{Entry: moved.Entry, it: moved.it})
		m.tell(ref.Item, placeCode(&m.t.Rules), "a result that stood before its call was moved behind it")
	}
}

// orphans takes out results without their call, and with them the items that
// hold nothing else.
func (m *mender) orphans() {
	if !m.t.Rules.ResultsCalled {
		return
	}
	m.takeOut(m.pair.Orphans, "results_called", "a result without its call was taken out")
}

// servers takes out the halves of what the provider's own tools did: nobody else
// can make up the other one.
func (m *mender) servers() {
	r := &m.t.Rules
	if !r.ServerPairs {
		return
	}
	if r.ResultsCalled {
		m.takeOut(m.pair.ServerOrphans, "results_called", "a result of a provider's tool without its call was taken out")
		m.settle()
		m.look()
	}
	if r.CallsAnswered {
		m.takeOut(m.pair.ServerUnanswered, "calls_answered", "a call of a provider's tool without a result was taken out")
	}
}

// takeOut drops parts, in order, and with them the items that hold nothing else.
func (m *mender) takeOut(refs []transcript.Ref, code, message string) {
	parts := map[int][]transcript.Edit{}
	for _, ref := range refs {
		parts[ref.Item] = append(parts[ref.Item], transcript.Edit{Part: ref.Part, Drop: true})
	}
	for i := range m.t.Items {
		edits := parts[i]
		if len(edits) == 0 {
			continue
		}
		it := &m.t.Items[i]
		if nothingElse(it, edits) {
			m.drop(i, code, message)
		} else if m.edit(i, edits) {
			m.tell(i, code, message)
		}
	}
}

// nothingElse reports whether an item holds only parts that go, and what stands
// within them.
func nothingElse(it *transcript.Item, gone []transcript.Edit) bool {
	end, n := 0, 0
	for j := range it.Parts {
		p := &it.Parts[j]
		switch {
		case n < len(gone) && gone[n].Part == j:
			end = max(end, p.End)
			n++
		case p.End > end || p.End == 0:
			return false
		}
	}
	return true
}

// results reports whether an item holds results and nothing else but what stands
// within them.
func results(it *transcript.Item) bool {
	end := 0 // of the results so far
	for j := range it.Parts {
		p := &it.Parts[j]
		switch {
		case p.Kind == transcript.Result:
			end = max(end, p.End)
		case p.End > end || p.End == 0:
			return false
		}
	}
	return len(it.Parts) > 0
}

func count(it *transcript.Item, kind transcript.PartKind) int {
	n := 0
	for j := range it.Parts {
		if it.Parts[j].Kind == kind {
			n++
		}
	}
	return n
}

// reasoning takes out reasoning whose item is not behind it, or goes: what comes to
// stand there then is of another answer. Of what goes within an answer the rest
// stays, and the reasoning with it.
func (m *mender) reasoning() {
	if !m.t.Rules.ReasoningWithItem {
		return
	}
	led := false // the item behind is the model's, and stays, or one behind that
	for i := len(m.items) - 1; i >= 0; i-- {
		x := &m.items[i]
		switch {
		case !x.it.Generated() || x.it.Summary:
			led = false
		case x.gone:
		case led || x.it.Type != "reasoning" || x.it.ID == "":
			led = true
		default:
			m.drop(i, "reasoning_with_item", "reasoning without the item that it led to was taken out")
		}
	}
}

// first puts a user's message before a conversation that begins with another.
func (m *mender) first() {
	r := &m.t.Rules
	for i := range m.t.Items {
		it := &m.t.Items[i]
		if r.FirstRole == "" || r.Side(it) == "" || !r.Knows(it.Role) {
			continue
		}
		if it.Role == r.FirstRole || len(it.Parts) > 0 && it.Parts[0].Summary {
			return
		}
		message := m.t.Writer.Message(r.FirstRole, transcript.Opening)
		message.Path = it.Path
		head := mended{Entry: transcript.Entry{From: -1, New: &message, Plain: true}, it: &message}
		moved := m.items[i]
		m.items[i] = head
		m.items[i].behind = append([]mended{{Entry: moved.Entry, it: moved.it}}, moved.behind...)
		m.tell(i, "first_role", "a message was put before the first, which was of another role than "+string(r.FirstRole))
		return
	}
}

// runs joins messages of one role that stand in a row, where that is refused.
func (m *mender) runs() {
	r := &m.t.Rules
	if !r.Alternate {
		return
	}
	for i := 0; i < len(m.items); {
		side := r.Side(m.items[i].it)
		run := []int{i}
		end := i + 1
		for ; side != "" && end < len(m.items) && r.Side(m.items[end].it) == side; end++ {
			run = append(run, end)
		}
		if out, ok := m.joined(run); ok && len(run) > 1 {
			m.items[i].it, m.items[i].New = out, out
			for _, k := range run[1:] {
				m.drop(k, "alternation", "a message was joined to the one before it, of the same role")
			}
		}
		i = end
	}
}

// joined is one message of several; halves are joined first, so that each byte
// is copied log n times and not n.
func (m *mender) joined(run []int) (*transcript.Item, bool) {
	if len(run) == 1 {
		return m.items[run[0]].it, true
	}
	a, okA := m.joined(run[:len(run)/2])
	b, okB := m.joined(run[len(run)/2:])
	if !okA || !okB {
		return nil, false
	}
	out, ok := m.t.Writer.Joined(a, b)
	return &out, ok
}
