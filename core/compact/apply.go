package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
	"github.com/tamp-dev/tamp/core/trigger"
)

// Receipt says what became of every item, and what it cost.
type Receipt struct {
	Items          []ItemFate          `json:"items"`
	Inserted       []Inserted          `json:"inserted"`
	OverheadBefore int                 `json:"overhead_before"`
	OverheadAfter  int                 `json:"overhead_after"`
	TokensBefore   int                 `json:"tokens_before"`
	TokensAfter    int                 `json:"tokens_after"`
	Defects        []transcript.Defect `json:"defects"` // of the input as it came; whoever knows how it was sent fills it
	NoProgress     bool                `json:"no_progress"`
	Summary        SummaryBy           `json:"summary"`
	Implementation string              `json:"implementation"`
	Event          *Event              `json:"event"` // null where no compaction was tried
	// Unpruned is why nothing was cleared where the policy clears; absent where
	// something was, where it does not, and where nothing was triggered.
	Unpruned *Unpruned `json:"unpruned,omitempty"`
}

// Inserted is a message that a compaction added.
type Inserted struct {
	To     int    `json:"to"`   // the place of the item that it was joined to, where it was
	Kind   string `json:"kind"` // "summary"; "bridge": it stands only so that two messages of one role do not touch; "returned": the provider gave it back beside its summary
	Role   string `json:"role"`
	Wanted string `json:"wanted,omitempty"` // the policy's role or place ("assistant", "end"), where the provider refuses it
	Tokens int    `json:"tokens"`
}

// SummaryBy says who wrote the summary.
type SummaryBy struct {
	// OtherLanguage: the model's second answer, too, was in another language than
	// the conversation.
	OtherLanguage bool    `json:"other_language,omitempty"`
	By            string  `json:"by"` // "caller", "digest", "model"; "none" where nothing is folded
	Model         *string `json:"model"`
	Calls         int     `json:"calls"`
}

// Untouched is the receipt of a transcript that was left as it is.
func (p *Plan) Untouched() *Receipt {
	r := p.Idle().receipt()
	r.TokensAfter, r.Unpruned = r.TokensBefore, p.Unpruned
	return r
}

func (p *Plan) receipt() *Receipt {
	return &Receipt{
		Items:          p.Items,
		Inserted:       []Inserted{},
		OverheadBefore: p.Measured.Overhead,
		OverheadAfter:  p.Measured.Overhead,
		TokensBefore:   p.Measured.Total(),
		Defects:        []transcript.Defect{},
		Implementation: p.Policy.Implementation,
		Unpruned:       p.Unpruned,
	}
}

// Apply puts the summary in its place; a plan that folds nothing has none, and s
// is not looked at. The receipt's totals are those of the
// entries; NoProgress says that they are not fewer tokens than came in. Cost:
// linear in the items; the text of kept items is not looked at.
func (p *Plan) Apply(s *Step, d *trigger.Decision) ([]transcript.Entry, *Receipt) {
	entries := append([]transcript.Entry(nil), p.Entries...)
	r := p.receipt()
	r.Items = append([]ItemFate{}, p.Items...)
	r.TokensAfter = r.OverheadAfter
	for _, f := range r.Items {
		r.TokensAfter += f.TokensAfter
	}
	if p.Folds() {
		p.drop(r.Items, s.Seen)
		if s.Given != nil {
			entries = p.give(r, s.Given)
		} else {
			it, n := p.summaryItem(s.Text)
			entries[p.SummaryAt].New = &it
			r.Inserted = append(r.Inserted, Inserted{
				To: p.SummaryAt, Kind: "summary", Role: string(p.Role), Wanted: p.Wanted, Tokens: n,
			})
		}
		for _, at := range p.bridges {
			it := entries[at].New
			r.Inserted = append(r.Inserted, Inserted{
				To: at, Kind: "bridge", Role: string(it.Role), Tokens: tokens.Item(p.Transcript, it, p.Counter),
			})
		}
		for _, in := range r.Inserted {
			r.TokensAfter += in.Tokens
		}
	}
	r.NoProgress = r.TokensAfter >= r.TokensBefore
	if r.NoProgress && p.answered != "" {
		bare := *p // better no line than nothing gained
		bare.answered = ""
		return bare.Apply(s, d)
	}
	r.Event = p.event(r, d, entries)
	return entries, r
}

// drop turns folded into dropped where the request that was answered did not
// show the item.
func (p *Plan) drop(items []ItemFate, seen []int) {
	for i := range items {
		if items[i].Fate != Folded {
			continue
		}
		if _, ok := slices.BinarySearch(seen, i); !ok {
			items[i].Fate, items[i].Reason = Dropped, RequestShrunk
			if _, ok := slices.BinarySearch(p.Request.Items, i); !ok {
				items[i].Reason = NotShown
			}
		}
	}
}

// Estimate is what the compacted transcript would count at most: the summary is
// taken at its full length.
func (p *Plan) Estimate(summaryTokens int) int {
	n := p.Measured.Overhead
	for _, f := range p.Items {
		n += f.TokensAfter
	}
	if p.Folds() {
		n += p.SummaryTokens("") + summaryTokens
	}
	for _, at := range p.bridges {
		n += tokens.Item(p.Transcript, p.Entries[at].New, p.Counter)
	}
	return n
}

// SummaryTokens is what a summary of that text counts in its message, with the
// policy's frame.
func (p *Plan) SummaryTokens(text string) int {
	_, n := p.summaryItem(text)
	return n
}

// DigestBudget is the tokens that a digest may have, the frame around it
// included: the policy's number, else a tenth of what is folded, at most 2,000.
// An earlier summary counts whole and not by its tenth: it stands for far more
// than it is, and would shrink away over a few compactions.
func (p *Plan) DigestBudget() int {
	if n := p.Policy.Summary.MaxTokens; n > 0 {
		return n
	}
	folded, earlier := 0, 0
	for _, i := range p.Folded {
		n := p.Measured.Items[i] - p.Items[i].TokensAfter
		it := &p.Transcript.Items[i]
		switch old := 0; {
		case it.Summary:
			earlier += n
		case it.HoldsSummary():
			for j := range it.Parts {
				if it.Parts[j].Summary {
					old += tokens.Part(it, &it.Parts[j], p.Counter)
				}
			}
			earlier += min(old, n)
			folded += n - min(old, n)
		default:
			folded += n
		}
	}
	return min(2000, folded/10+earlier)
}
