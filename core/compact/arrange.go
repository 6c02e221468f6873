package compact

import (
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

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
	p.settle()
	p.fates(k, body, at)
}

// entry is the place of an item that stays, with its new bytes where it was cut.
func (k *keeper) entry(i int) transcript.Entry {
	e := transcript.Entry{From: i}
	if it, ok := k.text[i]; ok {
		e.New = &it
	} else if c := k.cleared[i]; c != nil {
		e.New = &c.item
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
		if p.opensTurn(&p.Transcript.Items[body[i]]) {
			return i
		}
	}
	// Earlier summaries that strict keeps are the next best.
	for i := len(body) - 1; i >= 0; i-- {
		if it := &p.Transcript.Items[body[i]]; it.Summary && it.Role == transcript.User {
			return i
		}
	}
	return -1
}

// end is the place in body of a summary that the policy wants last: before the
// calls that are still open, and before the groups that reach over them, since a
// result must follow its call and nothing else. That of a call that waits while
// the conversation goes on comes wherever it comes.
func (k *keeper) end(body []int, lead int) int {
	for _, i := range body {
		if k.pair.Open[i] && !k.pair.Outlived[i] {
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

// role is the summary's role: the policy's wish, the user's where the provider
// refuses that, and in formats that know no user whatever they know.
func (p *Plan) role() {
	wish := transcript.Role(p.Policy.Summary.Role)
	if p.Policy.Opaque() {
		wish = transcript.Assistant // whoever reads a sealed item, a model wrote it
	}
	switch r := &p.Transcript.Rules; {
	case p.takes(wish):
		p.Role = wish
	case r.Knows(transcript.User):
		p.Role = transcript.User
	default:
		p.Role = r.Roles[0]
	}
	if p.Role != wish {
		p.Wanted = strings.TrimPrefix(p.Wanted+", "+string(wish), ", ")
	}
}

// takes reports whether the provider takes the summary in its place with that
// role. A user's is joined to a user's text beside it, where that must be; an
// assistant's is not, and where messages of one role are joined by the provider
// it would stand before thinking that must come first.
func (p *Plan) takes(role transcript.Role) bool {
	r := &p.Transcript.Rules
	before, after := p.beside(-1), p.beside(1)
	switch {
	case !r.Knows(role):
		return false
	case role == transcript.User:
		return true
	case r.ThinkingFirst, before == "" && r.FirstRole != "" && r.FirstRole != role:
		return false
	}
	return !r.Alternate || before != role && after != role
}

// beside is the side of the nearest item before the summary (-1) or behind it
// (1) that has one.
func (p *Plan) beside(step int) transcript.Role {
	for i := p.SummaryAt + step; i >= 0 && i < len(p.Entries); i += step {
		if side := p.Transcript.Rules.Side(&p.Transcript.Items[p.Entries[i].From]); side != "" {
			return side
		}
	}
	return ""
}
