package summary

import (
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// message is the lines of one real user message or one assistant text. cut: an
// earlier digest left some of them out.
type message struct {
	lines []string
	cut   bool
}

// sentence is a sentence with the line that it stands in. plain: it begins with
// what was done ("Fixed ...", "All tests pass"), and is no thought on the way.
type sentence struct {
	text, line string
	plain      bool
}

// record is everything that a digest may say, before any budget: read once
// from the earlier summaries and the folded items, oldest first.
type record struct {
	users    []message // pieces of lines
	unseen   int       // messages that an earlier digest only counted
	rules    []rule
	unruled  int        // constraints that an earlier digest only counted
	said     []message  // assistant texts
	reported []sentence // in which the assistant says that something is done
	upcoming []sentence // and what comes next, of the last text
	plan     []planItem
	carried  []string // lines of earlier summaries that are no digest
	rounds   int
	// uncounted: an earlier summary does not say how much was done before it,
	// so that no total is known.
	uncounted bool
	last      *runFacts // the last call
	files     *fileBook
	runs      *runBook
	lines     *lineBook
	ja        bool // an earlier digest was Japanese
}

// waitingCall is a call whose result has not come yet.
type waitingCall struct {
	facts callFacts
	done  bool
}

// gatherer walks over a transcript once.
type gatherer struct {
	*record
	t       *transcript.Transcript
	calls   []waitingCall
	open    map[string][]int // by id: the calls that wait, oldest first
	answers bool             // the item before was generated, too: the same round
	fence   int              // a call read from a fenced block, -1 without one
}

// gather reads the folded items of t, and of the kept ones behind them what
// they say about calls that were folded.
func gather(t *transcript.Transcript, folded []int, earlier []string) *record {
	r := &record{files: newFileBook(), runs: newRunBook(), lines: newLineBook(len(folded))}
	for _, text := range earlier {
		r.readEarlier(text)
	}
	summaries := 0
	for i := range t.Items {
		if t.Items[i].Summary || t.Items[i].HoldsSummary() {
			summaries++
		}
	}
	r.uncounted = r.uncounted || summaries > len(earlier) // one that only its provider can read
	g := gatherer{record: r, t: t, open: map[string][]int{}, fence: -1}
	next, first := 0, true
	for i := range t.Items {
		for next < len(folded) && folded[next] < i {
			next++
		}
		switch {
		case next < len(folded) && folded[next] == i:
			first = false
			g.item(i)
		case first:
		case next >= len(folded) || folded[next] > i:
			g.keptItem(&t.Items[i])
		}
	}
	for i := range g.calls {
		g.settle(&g.calls[i], outcome{}, "", false)
	}
	r.files.finish()
	return r
}

func (g *gatherer) item(i int) {
	it := &g.t.Items[i]
	if it.Summary || it.Context != "" || bridges(it) {
		return
	}
	if it.Generated() && !g.answers {
		g.rounds++
	}
	g.answers = it.Generated()
	typed := it.RealUser()
	for j := range it.Parts {
		p := &it.Parts[j]
		if p.Summary {
			continue // taken over whole
		}
		switch p.Kind {
		case transcript.Call:
			g.call(i, p)
		case transcript.Result:
			g.result(i, p)
		case transcript.Text:
			switch {
			case typed && g.fence >= 0 && strings.HasPrefix(strings.TrimSpace(p.Text), "<returncode>"):
				g.answer(g.fence, i, p.Text, false)
				g.fence = -1
			case typed:
				g.user(i, p.Text)
			case it.Generated():
				g.text(i, p.Text, it.Has(transcript.Call))
			default:
				g.lines.add(p.Text, i, fromUser)
			}
		default:
		}
	}
}

// keptItem stands behind folded ones and stays: a command that it runs again,
// or a list that it writes anew, is told there.
func (g *gatherer) keptItem(it *transcript.Item) {
	for j := range it.Parts {
		p := &it.Parts[j]
		if p.Kind != transcript.Call {
			continue
		}
		c := readCall(p.Name, p.Text)
		if c.kind == callPlan {
			g.plan = nil
			continue
		}
		g.runs.again(c.key)
	}
}

func (g *gatherer) user(i int, text string) {
	var m message
	eachLine(text, func(line string) bool {
		eachPiece(line, func(piece string) bool {
			m.lines = append(m.lines, piece)
			return true
		})
		g.rule(line, false)
		return true
	})
	if len(m.lines) > 0 {
		g.users = append(g.users, m)
	}
	g.lines.add(text, i, fromUser)
}

// text is what the assistant wrote beside its calls.
func (g *gatherer) text(i int, text string, calls bool) {
	var m message
	var upcoming []sentence
	fenced := false
	eachLine(text, func(line string) bool {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			return true
		}
		eachPiece(line, func(piece string) bool {
			m.lines = append(m.lines, piece)
			return true
		})
		if fenced || line[0] == '|' || line[0] == '#' {
			return true // code, tables and headings report nothing
		}
		eachSentence(line, func(s string) bool {
			if len(s) < 12 || len(s) > 300 {
				return true
			}
			switch c := readCues(s); {
			case c&cueNext != 0:
				upcoming = append(upcoming, sentence{text: s, line: line})
			case c&cueDone != 0 && c&cueDoubt == 0 && !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, ":"):
				g.reported = append(g.reported, sentence{s, line, reports(s)})
			}
			return true
		})
		return true
	})
	if len(m.lines) > 0 {
		g.said = append(g.said, m)
		g.upcoming = upcoming // of the last text alone: what came next before is done or told again
	}
	if list := checklist(text); len(list) > 0 {
		g.plan = list
	}
	g.lines.add(text, i, fromAssistant)
	if !calls {
		g.fenced(text)
	}
}

// reports tells a report from a remark, by its first words.
func reports(s string) bool {
	head := s
	for range 4 {
		i := strings.IndexByte(head, ' ')
		if i < 0 {
			break
		}
		head = head[i+1:]
	}
	return readCues(s[:len(s)-len(head)])&cueDone != 0 || wideCues(s)&cueDone != 0
}

// fenced reads the command that a harness without tool calls takes from the
// text: the one block marked as a shell's.
func (g *gatherer) fenced(text string) {
	g.fence = -1
	_, block, ok := strings.Cut(text, "```")
	if !ok {
		return
	}
	mark, block, ok := strings.Cut(block, "\n")
	if !ok || readName(mark)&nameRaw == 0 {
		return
	}
	script, _, ok := strings.Cut(block, "\n```")
	if ok {
		g.fence = len(g.calls)
		g.calls = append(g.calls, waitingCall{facts: readCall("bash", script), done: true})
	}
}

func (g *gatherer) call(i int, p *transcript.Part) {
	c := readCall(p.Name, p.Text)
	g.lines.addCall(&c, p.Text, i)
	g.open[p.ID] = append(g.open[p.ID], len(g.calls))
	g.calls = append(g.calls, waitingCall{facts: c})
}

func (g *gatherer) result(i int, p *transcript.Part) {
	waiting := g.open[p.ID]
	if len(waiting) == 0 {
		g.lines.add(plain(p.Text), i, fromResult)
		return
	}
	g.open[p.ID] = waiting[1:]
	g.answer(waiting[0], i, p.Text, p.Failed)
}

func (g *gatherer) answer(call, i int, text string, marked bool) {
	w := &g.calls[call]
	w.done = false
	o, output := readOutcome(text, marked, g.t.Family == transcript.Messages, &w.facts)
	g.lines.add(plain(output), i, fromResult)
	g.settle(w, o, output, true)
}

// settle books what a call did, once.
func (g *gatherer) settle(w *waitingCall, o outcome, output string, answered bool) {
	if w.done {
		return
	}
	w.done = true
	c := &w.facts
	if c.kind == callPlan {
		if !o.bad() {
			g.plan = c.plan
		}
		return
	}
	sure := c.confirmed(o, output)
	for i, e := range c.effects {
		g.files.apply(e, answered && sure[i])
	}
	if c.kind == callShell || c.kind == callAct {
		g.runs.total++
	}
	if c.show == "" {
		return // nothing in it can be shown
	}
	var why []string
	if o.bad() {
		why = telling(output)
	}
	g.runs.ran(c, o, why)
	g.last = &runFacts{show: c.show, short: c.short, out: o}
}
