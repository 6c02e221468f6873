package compact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// sparedBy is a plan's reason with what it spares: "among_newest 0/0: among_newest 2x200".
func sparedBy(p *Plan) string {
	u := p.Unpruned
	if u == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d/%d:", u.Reason, u.Gain, u.MinGain)
	for _, s := range u.Spared {
		fmt.Fprintf(&b, " %s %dx%d", s.Reason, s.Parts, s.Tokens)
	}
	return b.String()
}

// A pass that clears nothing says why. A result is 100 tokens and its placeholder
// 32, or 31 where it says a number of two digits (prune_test.go).
func TestUnpruned(t *testing.T) {
	all := policy.Keep{All: true}
	seen := map[Spared]bool{NothingThere: true}
	for _, c := range []struct {
		name  string
		keep  policy.Keep
		tools policy.Tools
		items []transcript.Item
		want  string
	}{
		{"something is cleared", all, policy.Tools{KeepLast: 2}, loop(3), ""},
		{"one less than the minimum", all, policy.Tools{MinGain: 3*68 + 1}, loop(3), "below_min_gain 204/205:"},
		{"with what is protected beside it", all, policy.Tools{MinGain: 1000, KeepLast: 1}, loop(3), "below_min_gain 136/1000: among_newest 1x100"},
		{"no results at all", all, policy.Tools{MinGain: 7}, loop(0), "nothing_there 0/7:"},
		{"all are among the newest", all, policy.Tools{KeepLast: 3}, loop(3), "among_newest 0/0: among_newest 3x300"},
		{"one is, the rest is protected", all, policy.Tools{KeepLast: 1, ProtectTokens: 300}, loop(3), "protected 0/0: among_newest 1x100 protected 2x200"},
		{"nobody answered it", all, policy.Tools{}, loop(1)[:3], "unread 0/0: unread 1x100"},
		{"the tool is excluded", all, policy.Tools{Exclude: []string{"read"}}, loop(2), "excluded 0/0: excluded 2x200"},
		{"both failed", all, policy.Tools{KeepErrors: true}, with(loop(2), func(items []transcript.Item) {
			items[2].Parts[0].Failed, items[4].Parts[0].Failed = true, true
		}), "error_kept 0/0: error_kept 2x200"},
		{"pinned", policy.Keep{All: true, Pins: []policy.Pin{{Text: "ooo"}}}, policy.Tools{}, loop(2), "untouchable 0/0: untouchable 2x200"},
		{"cleared already", all, policy.Tools{}, with(loop(1), func(items []transcript.Item) {
			items[2].Parts[0].Text = clearedResult("read", 100)
		}), "already_cleared 0/0: already_cleared 1x32"},
		{"too short for a placeholder", all, policy.Tools{}, with(loop(1), func(items []transcript.Item) {
			items[2].Parts[0].Text = out(31)
		}), "not_smaller 0/0: not_smaller 1x31"},
		{"the format can not", all, policy.Tools{}, with(loop(1), func(items []transcript.Item) {
			items[2].Parts[0].Name = "fixed"
		}), "not_smaller 0/0: not_smaller 1x100"},
		{"thoughts of the latest turn", all, policy.Tools{Reasoning: "drop"}, []transcript.Item{
			msg(user, word("go")), msg(assistant, thought(false), word("yes")),
		}, "latest_turn 0/0: latest_turn 1x50"},
		{"of two reasons the one that spares more", all, policy.Tools{KeepLast: 1}, with(loop(2), func(items []transcript.Item) {
			items[2].Parts[0].Text = out(30)
		}), "among_newest 0/0: among_newest 1x100 not_smaller 1x30"},
	} {
		p := planPrune(transcript.Chat, "", c.keep, c.tools, c.items...)
		if got := sparedBy(p); got != c.want || (got == "") != p.Clears() {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if u := p.Unpruned; u != nil {
			seen[u.Reason] = true
			if r := p.Untouched(); r.Unpruned != u {
				t.Errorf("%s: the receipt has %+v", c.name, r.Unpruned)
			}
		}
	}
	for _, why := range SparedReasons() {
		if !seen[why] {
			t.Errorf("no case gives %s", why)
		}
	}
	if p := planPrune(transcript.Chat, "", all, policy.Tools{KeepLast: 9}, loop(1)...); p.Idle().Unpruned != nil {
		t.Error("a plan that is not carried out says why it cleared nothing")
	}
}

// Media of the turn that goes on, and of items that are not to be touched.
func TestUnprunedMedia(t *testing.T) {
	tools := policy.Tools{Media: "placeholder"}
	items := []transcript.Item{msg(user, word("go"), image()), msg(assistant, word("done"))}
	p := planPrune(transcript.Chat, "", policy.Keep{All: true}, tools, items...)
	if got := sparedBy(p); !strings.HasPrefix(got, "latest_turn 0/0: latest_turn 1x") {
		t.Errorf("%q", got)
	}
	items = append(items, msg(user, word("on")), msg(assistant, word("done")))
	p = planPrune(transcript.Chat, "", policy.Keep{All: true, Pins: []policy.Pin{{Text: "go"}}}, tools, items...)
	if got := sparedBy(p); !strings.HasPrefix(got, "untouchable 0/0: untouchable 1x") {
		t.Errorf("%q", got)
	}
}
