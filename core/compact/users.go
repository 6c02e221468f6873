package compact

import (
	"fmt"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// users keeps the newest real user messages that fit the budget, as their text:
// the first that does not fit is cut in the middle, older ones are folded. Of a
// message that also holds media or tool results only the text stays: their
// bytes would escape the budget, and the calls of the results are folded.
// Messages that stay on another account use the budget up as well.
func (k *keeper) users() {
	budget := k.p.Keep.UserTokens
	if budget <= 0 {
		return
	}
	counter, left := k.counter, budget
	for i := len(k.t.Items) - 1; i >= 0; i-- {
		it := &k.t.Items[i]
		if !it.RealUser() {
			continue
		}
		if it.HoldsSummary() { // joined to it by an earlier compaction
			own := k.t.Writer.WithoutSummary(it)
			it = &own
		}
		text := it.Text()
		size := counter.Count(text)
		switch plain := onlyText(it); {
		case k.reason[i] != "":
			left = max(0, left-size)
		case text == "" && !plain:
			// Media alone: without its bytes nothing would stand.
		case left == 0:
			k.over[i] = true
		case size <= left && plain:
			k.keep(i, UserBudget)
			left -= size
		case size <= left:
			k.rewrite(i, text, TextKept)
			left -= size
		default:
			k.rewrite(i, Middle(text, left, counter), UserBudgetCut)
			left = 0
		}
	}
}

func (k *keeper) rewrite(i int, text string, why Reason) {
	k.text[i] = k.t.Writer.WithText(&k.t.Items[i], text)
	k.cut[i] = why
}

// stripSummaries takes an earlier summary out of the messages that stay beside
// it: after any number of compactions there is one summary, and Anthropic's API
// reads nothing that stands before a compaction block.
func (k *keeper) stripSummaries() {
	for i := range k.t.Items {
		if k.reason[i] != "" && k.t.Items[i].HoldsSummary() {
			it := &k.t.Items[i]
			if c := k.cleared[i]; c != nil {
				it = &c.item
			}
			k.text[i] = k.t.Writer.WithoutSummary(it)
			k.reason[i], k.cut[i] = "", SummaryRemoved
		}
	}
}

func onlyText(it *transcript.Item) bool {
	for i := range it.Parts {
		if it.Parts[i].Kind != transcript.Text {
			return false
		}
	}
	return true
}

// Middle cuts the middle out of s so that what is left is at most n tokens by
// the counter; a marker that says how many tokens are gone stands in the gap,
// outside of the budget. Both halves end at character boundaries. An empty s,
// and one that fits, come back as they are.
func Middle(s string, n int, c tokens.Counter) string {
	size := c.Count(s)
	if size <= n {
		return s
	}
	// bytes/4 gives the place at once, and is exact for the counter of that
	// name; others start from their own ratio and close in.
	most := 4 * n
	if c.Name() != tokens.Bytes4().Name() {
		most = int(int64(len(s)) * int64(n) / int64(size))
	}
	for {
		head, tail := halves(s, most)
		if n == 0 || c.Count(head)+c.Count(tail) <= n || c.Name() == tokens.Bytes4().Name() {
			gone := size - n
			if c.Name() == tokens.Bytes4().Name() {
				gone = (len(s) - most + 3) / 4
			}
			return fmt.Sprintf("%s…%d tokens truncated…%s", head, gone, tail)
		}
		most = most * 9 / 10
	}
}

// halves are the first most/2 bytes of s and the last of what is left of most,
// each cut back to whole characters.
func halves(s string, most int) (head, tail string) {
	left := most / 2
	for left > 0 && left < len(s) && !utf8.RuneStart(s[left]) {
		left--
	}
	right := len(s) - (most - most/2)
	for right < len(s) && !utf8.RuneStart(s[right]) {
		right++
	}
	return s[:left], s[max(left, right):]
}
