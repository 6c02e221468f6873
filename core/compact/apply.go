package compact

import (
	"slices"

	"github.com/tamp-dev/tamp/core/summary"
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
	Event          *Event              `json:"event"` // null where nothing was compacted
}

// Inserted is a message that a compaction added.
type Inserted struct {
	To     int    `json:"to"`
	Kind   string `json:"kind"` // "summary"
	Role   string `json:"role"`
	Wanted string `json:"wanted,omitempty"` // the policy's role or place ("assistant", "end"), where the provider refuses it
	Tokens int    `json:"tokens"`
}

// SummaryBy says who wrote the summary.
type SummaryBy struct {
	By    string  `json:"by"` // "caller", "digest", "model"
	Model *string `json:"model"`
	Calls int     `json:"calls"`
}

// Event is the one event of a compaction: codes and counts, never text.
type Event struct {
	Operation      string `json:"operation"` // "compact"
	Trigger        string `json:"trigger"`
	Reason         string `json:"reason"`
	Phase          string `json:"phase"`
	Implementation string `json:"implementation"`
	Status         string `json:"status"` // "completed"
	Round          int    `json:"round"`
	MessagesBefore int    `json:"messages_before"`
	MessagesAfter  int    `json:"messages_after"`
	TokensBefore   int    `json:"tokens_before"`
	TokensAfter    int    `json:"tokens_after"`
	SummaryTokens  int    `json:"summary_tokens"`
}

// Untouched is the receipt of a transcript that was left as it is.
func (p *Plan) Untouched() *Receipt {
	r := p.Idle().receipt()
	r.TokensAfter = r.TokensBefore
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
	}
}

// Apply puts the summary in its place. The receipt's totals are those of the
// entries; NoProgress says that they are not fewer tokens than came in. Cost:
// linear in the items; the text of kept items is not looked at.
func (p *Plan) Apply(s *Step, d *trigger.Decision) ([]transcript.Entry, *Receipt) {
	entries := append([]transcript.Entry(nil), p.Entries...)
	message := p.Transcript.Writer.Message(p.Role, summary.Frame(p.Policy, p.Role, s.Text))
	entries[p.SummaryAt].New = &message

	r := p.receipt()
	r.Items = append([]ItemFate(nil), p.Items...)
	p.drop(r.Items, s.Seen)
	r.TokensAfter = r.OverheadAfter
	for _, f := range r.Items {
		r.TokensAfter += f.TokensAfter
	}
	tokensOf := tokens.Item(p.Transcript, &message, p.Counter)
	r.TokensAfter += tokensOf
	r.Inserted = append(r.Inserted, Inserted{
		To: p.SummaryAt, Kind: "summary", Role: string(p.Role), Wanted: p.Wanted, Tokens: tokensOf,
	})
	r.NoProgress = r.TokensAfter >= r.TokensBefore
	r.Event = &Event{
		Operation: "compact", Trigger: d.Trigger, Phase: d.Phase, Round: d.Round,
		Implementation: r.Implementation, Status: "completed",
		MessagesBefore: len(p.Items), MessagesAfter: len(entries),
		TokensBefore: r.TokensBefore, TokensAfter: r.TokensAfter, SummaryTokens: tokensOf,
	}
	if d.Reason != nil {
		r.Event.Reason = *d.Reason
	}
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
	if !p.Nothing() {
		n += p.SummaryTokens("") + summaryTokens
	}
	return n
}

// SummaryTokens is what a summary of that text counts in its message, with the
// policy's frame.
func (p *Plan) SummaryTokens(text string) int {
	m := p.Transcript.Writer.Message(p.Role, summary.Frame(p.Policy, p.Role, text))
	return tokens.Item(p.Transcript, &m, p.Counter)
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
		if p.Transcript.Items[i].Summary {
			earlier += n
		} else {
			folded += n
		}
	}
	return min(2000, folded/10+earlier)
}
