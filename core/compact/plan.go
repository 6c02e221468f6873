package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Plan is what a compaction would do: the fate of every item, the places of the
// output, and the request to a summariser. It is pure data beside the
// transcript that it was made for, which must not change while it is in use.
type Plan struct {
	// Other is the model that is asked where the request's own gives no summary: the
	// one that the conversation goes on with, where the history is compacted for a
	// switch and the old one may be gone. "" is none.
	Other      string
	Transcript *transcript.Transcript
	Policy     *policy.Policy
	Counter    tokens.Counter
	Measured   tokens.Measured
	Pairing    *transcript.Pairing

	// Items are the fates, as if the first request is answered.
	Items []ItemFate
	// Entries are the places of the output, the summary's among them with no
	// message yet.
	Entries []transcript.Entry
	// SummaryAt is the summary's place in Entries, -1 where nothing is folded.
	SummaryAt int
	// Role is the summary's. Wanted is the policy's wish of role and place where
	// the provider refuses that: "assistant", "end", "end, assistant".
	Role   transcript.Role
	Wanted string
	// Folded are the items that the summary stands for, those that are cut
	// included.
	Folded   []int
	answered string // the line of the summary's frame that names dealt-with requests
	// Request is the first request, nil where nothing is folded. It shows the
	// items as they came, those too that are cleared in the output.
	Request *summary.Request
	// Room is the tokens of items that a request to the summariser may show, 0
	// where that is not known: a larger history is asked about in parts.
	Room int

	// Unpruned is why nothing is cleared where the policy clears; nil where something
	// is, or where it does not.
	Unpruned *Unpruned

	cleared map[int]*cleared         // by index; nil where nothing is
	stands  map[int]*transcript.Item // items that stand with other bytes, as they do before they are joined
	joined  map[int]*shared          // by place, where several items stand
	bridges []int                    // places of bridges
}

// NewPlan plans a compaction of t. model is what a summary model is called
// upstream, "" for the conversation's own. Cost: linear in the items, and in
// the text of real user messages where they have a budget.
func NewPlan(t *transcript.Transcript, p *policy.Policy, c tokens.Counter, m tokens.Measured, model string) *Plan {
	pair := transcript.Pair(t)
	k := &keeper{
		t: t, p: p, m: m, pair: pair, counter: c,
		reason: make([]Reason, len(t.Items)),
		size:   m.Items,
		text:   map[int]transcript.Item{},
		cut:    map[int]Reason{},
		over:   map[int]bool{},
	}
	k.run()
	plan := &Plan{Transcript: t, Policy: p, Counter: c, Measured: m, Pairing: pair, SummaryAt: -1, cleared: k.cleared, Unpruned: k.unpruned}
	gone := 0
	for i := range t.Items {
		if k.gone(i) {
			gone++
		}
	}
	plan.Folded = make([]int, 0, gone+len(k.cut))
	for i := range t.Items {
		if k.gone(i) || k.cut[i] != "" {
			plan.Folded = append(plan.Folded, i)
		}
	}
	if p.Keep.All || !k.worthwhile() {
		plan.stay()
		return plan
	}
	plan.answered = plan.answeredLine(k)
	plan.arrange(k)
	if p.Opaque() {
		plan.Request = summary.NewOpaque(p, shown(t, pair), model)
	} else {
		plan.Request = summary.NewRequest(p, shown(t, pair), model)
	}
	return plan
}

// shown are the items that a request to the provider can hold: not those of a
// role that it does not know (a harness's "exit"), nor results without a call.
func shown(t *transcript.Transcript, pair *transcript.Pairing) []int {
	orphans := map[int]int{}
	for _, ref := range pair.Orphans {
		orphans[ref.Item]++
	}
	out := make([]int, 0, len(t.Items))
	for i := range t.Items {
		it := &t.Items[i]
		if n := len(it.Parts); t.Rules.Knows(it.Role) && (n == 0 || orphans[i] < n) {
			out = append(out, i)
		}
	}
	return out
}

// Foldable is the tokens that the compaction folds or clears for the first time: an
// earlier summary and an old copy of initial context do not count.
func (p *Plan) Foldable() int {
	n := 0
	for _, f := range p.Items {
		switch f.Reason {
		case EarlierSummary, SupersededContext, SummaryRemoved:
			continue
		default:
		}
		if f.Fate == Folded || f.Fate == Truncated || f.Fate == Cleared {
			n += f.TokensBefore - f.TokensAfter
		}
	}
	return n
}

// Folds reports whether a summary will stand for something.
func (p *Plan) Folds() bool { return p.SummaryAt >= 0 }

// Clears reports whether something of an item is cleared.
func (p *Plan) Clears() bool { return p.cleared != nil }

// FoldsOpaque reports whether an earlier summary goes that only its provider can
// read: no text made here could stand for it.
func (p *Plan) FoldsOpaque() bool {
	return slices.ContainsFunc(p.Folded, func(i int) bool { return opaque(&p.Transcript.Items[i]) })
}

func opaque(it *transcript.Item) bool { return it.Summary && it.Has(transcript.Opaque) }

// Nothing reports whether there is nothing to fold and nothing to clear.
func (p *Plan) Nothing() bool { return !p.Folds() && !p.Clears() }

// Pruning is the plan that clears what this one does and folds nothing; nil
// where that is nothing.
func (p *Plan) Pruning() *Plan {
	if !p.Clears() {
		return nil
	}
	only := p.Idle()
	only.cleared = p.cleared
	only.stay()
	return only
}

// Idle is the plan that is not carried out: everything stays as it is.
func (p *Plan) Idle() *Plan {
	idle := &Plan{Transcript: p.Transcript, Policy: p.Policy, Counter: p.Counter, Measured: p.Measured, Pairing: p.Pairing, SummaryAt: -1}
	idle.stay()
	return idle
}

// Rest is Idle in the room of p, which is no plan any more: most plans come to
// nothing, and their lists are as long as the transcript.
func (p *Plan) Rest() *Plan {
	idle := &Plan{
		Transcript: p.Transcript, Policy: p.Policy, Counter: p.Counter, Measured: p.Measured, Pairing: p.Pairing, SummaryAt: -1,
		Items: p.Items[:0], Entries: p.Entries[:0],
	}
	idle.stay()
	return idle
}

func (k *keeper) gone(i int) bool { return k.reason[i] == "" && k.cut[i] == "" }

// worthwhile reports whether something goes that is not only an earlier
// summary or an old copy of initial context: to fold those alone would put a
// summary of nothing new in their place.
func (k *keeper) worthwhile() bool {
	for i := range k.t.Items {
		if k.cut[i] != "" && k.cut[i] != SummaryRemoved || k.gone(i) && !k.t.Items[i].Summary && !k.superseded(i) {
			return true
		}
	}
	return false
}

// stay is the plan that folds nothing: all items stay in their places, with what
// is cleared in them.
func (p *Plan) stay() {
	why := NotCompacted
	if p.Clears() {
		why = NotFolded
	}
	p.Folded = nil
	n := len(p.Transcript.Items)
	p.Entries = slices.Grow(p.Entries, n)[:n]
	p.Items = slices.Grow(p.Items, n)[:n]
	if p.Items == nil { // none is [] in JSON, and not null
		p.Items = []ItemFate{}
	}
	places := make([]int, n)
	for i := range p.Entries {
		places[i] = i
		p.Entries[i] = transcript.Entry{From: i}
		p.Items[i] = p.fate(i, Kept, why)
		p.Items[i].To = &places[i]
		p.Items[i].TokensAfter = p.Items[i].TokensBefore
		if c := p.cleared[i]; c != nil {
			p.Entries[i].New = &c.item
			p.Items[i].Fate, p.Items[i].Reason, p.Items[i].TokensAfter = Cleared, c.why, c.tokens
		}
	}
}

// Cleared is the transcript with what is cleared, before anything is folded, and
// what it measures.
func (p *Plan) Cleared() (*transcript.Transcript, tokens.Measured) {
	t, m := *p.Transcript, p.Measured
	t.Items, m.Items = slices.Clone(t.Items), slices.Clone(m.Items)
	for i, c := range p.cleared {
		t.Items[i], m.Items[i] = c.item, c.tokens
	}
	return &t, m
}

func (p *Plan) fate(i int, f Fate, why Reason) ItemFate {
	return ItemFate{
		Index: i, Fate: f, Reason: why,
		Group: p.Pairing.Group[i], Role: string(p.Transcript.Items[i].Role),
		TokensBefore: p.Measured.Items[i],
	}
}

func place(i int) *int { return &i }

// fates names the fate of every item, in the order of the input.
func (p *Plan) fates(k *keeper, body []int, at int) {
	p.Items = make([]ItemFate, len(k.t.Items))
	to := map[int]int{}
	for i, e := range p.Entries {
		if e.From >= 0 {
			to[e.From] = i
		}
		if place := p.joined[i]; place != nil {
			for _, j := range place.of {
				if j != ours {
					to[j] = i
				}
			}
		}
	}
	before := 0 // of body, the items that stood before item i in the input
	for i := range k.t.Items {
		var f ItemFate
		switch why := k.reason[i]; {
		case why == InitialContext && before != at:
			f = p.fate(i, Moved, why)
		case why != "" && k.cleared[i] != nil:
			f = p.fate(i, Cleared, k.cleared[i].why)
		case why != "":
			f = p.fate(i, Kept, why)
		case k.cut[i] != "":
			f = p.fate(i, Truncated, k.cut[i])
		case k.t.Items[i].Summary:
			f = p.fate(i, Folded, EarlierSummary)
		case k.superseded(i):
			f = p.fate(i, Folded, SupersededContext)
		case k.over[i]:
			f = p.fate(i, Folded, OverUserBudget)
		default:
			f = p.fate(i, Folded, Summarised)
		}
		if t, ok := to[i]; ok {
			f.To = place(t)
			f.TokensAfter = f.TokensBefore
			it := p.Entries[t].New
			if p.joined[t] != nil {
				it = p.stands[i]
			}
			if it != nil {
				f.TokensAfter = tokens.Item(p.Transcript, it, p.Counter)
			}
		}
		if before < len(body) && body[before] == i {
			before++
		}
		p.Items[i] = f
	}
	for _, place := range p.joined {
		p.share(place)
	}
}
