package compact

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What stays beside an opaque summary: nobody but the provider knows what it says,
// so what people and other agents asked for stands on its own. The original lets
// media stay for nothing and keeps every one of them, and so loops; here they
// count, but with strict.

// What Codex's agents write at the head of their messages to each other.
const (
	finalAnswerHead = "Message Type: FINAL_ANSWER\n"
	progressHead    = "Message Type: MESSAGE\n"
)

func finalAnswer(p *transcript.Part) bool {
	return p.Kind == transcript.Text && strings.HasPrefix(p.Text, finalAnswerHead)
}

// notice reports whether an item says how the picture above it was scaled: it
// stands and falls with that.
func notice(it *transcript.Item) bool {
	return it.Role == transcript.Developer && it.Context == "<image_resize_notice>" && len(it.Parts) == 1
}

// attached reports whether item i is a notice of the one above it.
func (k *keeper) attached(i int) bool {
	return k.p.Opaque() && i > 0 && notice(&k.t.Items[i]) && !notice(&k.t.Items[i-1])
}

// retain keeps the newest messages that fit the budget, with their notices. The
// first that does not fit is cut; one of which nothing would stand, and one of
// another agent, goes as a whole and leaves its room to older ones.
func (k *keeper) retain() {
	if k.p.Implementation != policy.Remote {
		return // the provider says what stays
	}
	left := k.p.Retain.Tokens
	for i := len(k.t.Items) - 1; i >= 0; i-- {
		if !k.retainable(i) {
			continue
		}
		it, said := k.own(i), 0
		if i+1 < len(k.t.Items) && k.attached(i+1) {
			said = max(1, k.counter.Count(k.t.Items[i+1].Text()))
		}
		switch size := k.messageTokens(i, it); {
		case k.reason[i] != "":
			left = max(0, left-size-said)
		case left > 0 && size+said <= left:
			k.reason[i] = k.why(it)
			left -= size + said
		case left > said && it.Type != "agent_message" && k.cutMessage(i, it, left-said, &left):
		default:
			k.over[i] = it.RealUser()
			continue
		}
		if said > 0 && k.reason[i+1] == "" && k.cut[i] != MessageCut { // what it tells of is gone there
			k.reason[i+1] = Attached
		}
	}
}

// retainable reports whether an item is one of those that the budget is for.
func (k *keeper) retainable(i int) bool {
	switch it := &k.t.Items[i]; {
	case it.Type == "agent_message":
		return k.size[i] <= k.p.Retain.AgentTokens && asks(it)
	case it.Type != "message":
		return false
	case it.Summary && it.Role == transcript.User: // the original takes a text of its own for a person's
		return k.p.Strict
	default:
		return it.RealUser() || it.Hook && it.Context == ""
	}
}

// asks reports whether a message of another agent is a task or an instruction, and
// no answer or news of an agent that this one started. Cost: the item is parsed
// where it may be news.
func asks(it *transcript.Item) bool {
	for j := range it.Parts {
		p := &it.Parts[j]
		if p.Kind != transcript.Text {
			continue
		}
		if finalAnswer(p) {
			return false
		}
		if !strings.HasPrefix(p.Text, progressHead) {
			return true
		}
		v, err := rawjson.Parse(it.Raw)
		return err != nil || !strings.HasPrefix(v.Get("author").Text(), v.Get("recipient").Text()+"/")
	}
	return true
}

// own is the item without an earlier summary that was joined to it.
func (k *keeper) own(i int) *transcript.Item {
	it := &k.t.Items[i]
	if it.HoldsSummary() {
		own := k.t.Writer.WithoutSummary(it)
		return &own
	}
	return it
}

func (k *keeper) why(it *transcript.Item) Reason {
	if it.Type == "agent_message" || it.Hook {
		return AgentBudget
	}
	return UserBudget
}

// messageTokens is what a message takes of the budget, at least 1: each of its
// parts is rounded up on its own.
func (k *keeper) messageTokens(i int, it *transcript.Item) int {
	if it.Type == "agent_message" {
		return k.size[i]
	}
	n := 0
	for j := range it.Parts {
		n += k.partTokens(it, j)
	}
	return max(1, n)
}

func (k *keeper) partTokens(it *transcript.Item, j int) int {
	p := &it.Parts[j]
	switch {
	case p.Kind == transcript.Text, p.Kind == transcript.Other && p.Text != "": // a label of media
		return k.counter.Count(p.Text)
	case k.p.Strict:
		return 0
	case p.Kind == transcript.Other, p.Kind == transcript.Opaque:
		return tokens.Part(it, p, k.counter)
	}
	return tokens.Media(it, p, k.counter)
}

// cutMessage keeps of a message what fits a budget, part by part: a text that does
// not is cut in the middle, and texts behind that go. Media that do not fit go
// with their labels; with strict all stay. left becomes what nothing took. False,
// with left as it was, where nothing would stand.
func (k *keeper) cutMessage(i int, it *transcript.Item, budget int, left *int) bool {
	var edits []transcript.Edit
	stands, media := false, false
	for j := 0; j < len(it.Parts); j++ {
		p := &it.Parts[j]
		if p.Kind == transcript.Text || k.p.Strict && p.Kind == transcript.Other && p.Text != "" {
			switch n := k.partTokens(it, j); {
			case budget == 0:
				edits = append(edits, transcript.Edit{Part: j, Drop: true})
				continue
			case n <= budget:
				budget -= n
			default:
				edits = append(edits, transcript.Edit{Part: j, Text: Middle(p.Text, budget, k.counter)})
				budget = 0
			}
			stands = true
			continue
		}
		if k.p.Strict {
			stands = true
			continue
		}
		end, n := labelled(it.Parts, j), 0
		for m := j; m < end; m++ {
			n += k.partTokens(it, m)
		}
		if n <= budget {
			budget -= n
			stands = true
		} else {
			media = true
			for m := j; m < end; m++ {
				edits = append(edits, transcript.Edit{Part: m, Drop: true})
			}
		}
		j = end - 1
	}
	if !stands {
		return false
	}
	out, ok := k.t.Writer.WithParts(it, edits)
	if !ok {
		return false
	}
	k.text[i], k.cut[i] = out, UserBudgetCut
	if media || it.Hook {
		k.cut[i] = MessageCut
	}
	*left = budget
	return true
}

// labelled is the end of the media part at j and the labels around it, which
// nobody wrote: of that part alone where there are none.
func labelled(parts []transcript.Part, j int) int {
	label := func(j int) bool {
		return j < len(parts) && parts[j].Kind == transcript.Other && parts[j].Text != ""
	}
	if label(j) && j+1 < len(parts) && parts[j+1].Kind.Payload() {
		j++
	}
	if parts[j].Kind.Payload() && label(j+1) && strings.HasPrefix(parts[j+1].Text, "</") {
		j++
	}
	return j + 1
}
