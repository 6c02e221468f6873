package compact

import (
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Plan is what a compaction would do: the fate of every item, the places of the
// output, and the request to a summariser. It is pure data beside the
// transcript that it was made for, which must not change while it is in use.
type Plan struct {
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
	Folded []int
	// Request is the first request, nil where nothing is folded.
	Request *summary.Request
}

// NewPlan plans a compaction of t. model is what a summary model is called
// upstream, "" for the conversation's own. Cost: linear in the items, and in
// the text of real user messages where they have a budget.
func NewPlan(t *transcript.Transcript, p *policy.Policy, c tokens.Counter, m tokens.Measured, model string) *Plan {
	pair := transcript.Pair(t)
	k := &keeper{
		t: t, p: p, m: m, pair: pair, counter: c,
		reason: make([]Reason, len(t.Items)),
		text:   map[int]transcript.Item{},
		cut:    map[int]Reason{},
		over:   map[int]bool{},
	}
	k.run()
	plan := &Plan{Transcript: t, Policy: p, Counter: c, Measured: m, Pairing: pair, SummaryAt: -1}
	for i := range t.Items {
		if k.gone(i) || k.cut[i] != "" {
			plan.Folded = append(plan.Folded, i)
		}
	}
	if !k.worthwhile() {
		plan.identity(NotCompacted)
		plan.Folded = nil
		return plan
	}
	plan.arrange(k)
	plan.Request = summary.NewRequest(p, shown(t, pair), model)
	return plan
}

// shown are the items that a request to the provider can hold: not those of a
// role that it does not know (a harness's "exit"), nor results without a call.
func shown(t *transcript.Transcript, pair *transcript.Pairing) []int {
	orphans := make([]int, len(t.Items))
	for _, ref := range pair.Orphans {
		orphans[ref.Item]++
	}
	var out []int
	for i := range t.Items {
		it := &t.Items[i]
		if n := len(it.Parts); t.Rules.Knows(it.Role) && (n == 0 || orphans[i] < n) {
			out = append(out, i)
		}
	}
	return out
}

// Foldable is the tokens that the compaction takes out for the first time: an
// earlier summary and an old copy of initial context do not count.
func (p *Plan) Foldable() int {
	n := 0
	for _, f := range p.Items {
		if f.Fate == Folded && f.Reason != EarlierSummary && f.Reason != SupersededContext || f.Fate == Truncated {
			n += f.TokensBefore - f.TokensAfter
		}
	}
	return n
}

// Nothing reports whether there is nothing to fold.
func (p *Plan) Nothing() bool { return p.SummaryAt < 0 }

// Idle is the plan that is not carried out: everything stays as it is.
func (p *Plan) Idle() *Plan {
	idle := &Plan{Transcript: p.Transcript, Policy: p.Policy, Counter: p.Counter, Measured: p.Measured, Pairing: p.Pairing, SummaryAt: -1}
	idle.identity(NotCompacted)
	return idle
}

func (k *keeper) gone(i int) bool { return k.reason[i] == "" && k.cut[i] == "" }

// worthwhile reports whether something goes that is not only an earlier
// summary or an old copy of initial context: to fold those alone would put a
// summary of nothing new in their place.
func (k *keeper) worthwhile() bool {
	for i := range k.t.Items {
		if k.cut[i] != "" || k.gone(i) && !k.t.Items[i].Summary && !k.superseded(i) {
			return true
		}
	}
	return false
}

// identity is the plan that leaves everything as it is.
func (p *Plan) identity(why Reason) {
	p.Entries = make([]transcript.Entry, len(p.Transcript.Items))
	p.Items = make([]ItemFate, len(p.Transcript.Items))
	for i := range p.Entries {
		p.Entries[i].From = i
		p.Items[i] = p.fate(i, Kept, why)
		p.Items[i].To = place(i)
		p.Items[i].TokensAfter = p.Items[i].TokensBefore
	}
}

func (p *Plan) fate(i int, f Fate, why Reason) ItemFate {
	return ItemFate{
		Index: i, Fate: f, Reason: why,
		Group: p.Pairing.Group[i], Role: string(p.Transcript.Items[i].Role),
		TokensBefore: p.Measured.Items[i],
	}
}

func place(i int) *int { return &i }

// arrange puts the output together: what stays in its order, the initial
// context and the summary in their places.
func (p *Plan) arrange(k *keeper) {
	var body, context []int // what stays in order; what may move
	for i := range k.t.Items {
		switch {
		case k.gone(i):
		case k.reason[i] == InitialContext || k.cut[i] == InitialContext:
			context = append(context, i)
		default:
			body = append(body, i)
		}
	}
	lead := 0
	for lead < len(body) && body[lead] < k.lead {
		lead++
	}
	at := p.contextPlace(body, lead)
	summaryAt := lead
	if k.p.Summary.Place == "end" {
		summaryAt = k.end(body, lead)
		first, must := firstOf(body, context, lead, at, summaryAt), p.Transcript.Rules.FirstRole
		if must != "" && first >= 0 && p.Transcript.Items[first].Role != must {
			summaryAt, p.Wanted = lead, "end" // the provider wants the user first, and the summary can be that
		}
	}
	if at < 0 {
		at = summaryAt
	}
	for i := 0; i <= len(body); i++ {
		if i == at {
			for _, c := range context {
				p.Entries = append(p.Entries, k.entry(c))
			}
		}
		if i == summaryAt {
			p.SummaryAt = len(p.Entries)
			p.Entries = append(p.Entries, transcript.Entry{From: -1})
		}
		if i < len(body) {
			p.Entries = append(p.Entries, k.entry(body[i]))
		}
	}
	p.role()
	p.fates(k, body, at)
}

// entry is the place of an item that stays, with its new bytes where it was cut.
func (k *keeper) entry(i int) transcript.Entry {
	e := transcript.Entry{From: i}
	if it, ok := k.text[i]; ok {
		e.New = &it
	}
	return e
}

// contextPlace is the index in body that the initial context stands before: in
// Responses items the last real user message, which models are trained on; in
// chat formats right behind the instructions. -1 is the summary's place.
func (p *Plan) contextPlace(body []int, lead int) int {
	if p.Transcript.Family != transcript.Responses {
		return lead
	}
	for i := len(body) - 1; i >= 0; i-- {
		if p.Transcript.Items[body[i]].RealUser() {
			return i
		}
	}
	return -1
}

// end is the place in body of a summary that the policy wants last: before the
// calls that are still open, and before the groups that reach over them, since a
// result must follow its call and nothing else.
func (k *keeper) end(body []int, lead int) int {
	for _, i := range body {
		if k.pair.Open[i] {
			n, _ := slices.BinarySearch(body, k.pair.Boundary(i))
			return max(lead, n)
		}
	}
	return len(body)
}

// firstOf is the item that stands first behind the instructions, -1 where the
// summary does.
func firstOf(body, context []int, lead, at, summaryAt int) int {
	switch {
	case at == lead && len(context) > 0:
		return context[0]
	case summaryAt == lead || lead == len(body):
		return -1
	}
	return body[lead]
}

// role is the summary's role: the policy's wish, but for Anthropic, where a
// user message must be first and where an assistant message of ours would be
// joined to one that may have to begin with signed thinking.
func (p *Plan) role() {
	p.Role = transcript.Role(p.Policy.Summary.Role)
	if p.Transcript.Family == transcript.Messages && p.Role != transcript.User {
		p.Role, p.Wanted = transcript.User, strings.TrimPrefix(p.Wanted+", "+string(p.Role), ", ")
	}
}

// fates names the fate of every item, in the order of the input.
func (p *Plan) fates(k *keeper, body []int, at int) {
	p.Items = make([]ItemFate, len(k.t.Items))
	to := map[int]int{}
	for i, e := range p.Entries {
		if e.From >= 0 {
			to[e.From] = i
		}
	}
	before := 0 // of body, the items that stood before item i in the input
	for i := range k.t.Items {
		var f ItemFate
		switch why := k.reason[i]; {
		case why == InitialContext && before != at:
			f = p.fate(i, Moved, why)
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
			if e := p.Entries[t]; e.New != nil {
				f.TokensAfter = tokens.Item(p.Transcript, e.New, p.Counter)
			}
		}
		if before < len(body) && body[before] == i {
			before++
		}
		p.Items[i] = f
	}
}
