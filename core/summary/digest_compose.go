package summary

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// stream is entries of one kind, the most useful first, and what they may have
// of the budget.
type stream struct {
	entries []*entry
	share   int // percent of the budget, at first
	pool    int // percent of what is left after that
	least   int // tokens that the first entry may cost at least, with heading and label
}

// parts is all that a digest may say, in entries.
type parts struct {
	lead                *entry // the first line of the first message
	goal                []*entry
	heads, firsts       []*entry // of the goal: the lines that each message begins and ends with; the first ones
	rules, errors, next []*entry
	counts, unruled     *entry
	streams             []*stream // what the sections need, these three among them
	spare               []*stream // what only gets what is left
}

// compose writes the digest. What was asked for comes first and goes last: the
// first line of the goal, the constraints, the beginnings of the messages, then
// open errors and what is next. Then each section gets its best entry, its
// share, and its part of what the others left. Prose, reads, commands and key
// lines get what none of them needs.
func compose(r *record, w *words, opt DigestOptions) string {
	p := newPage(w, opt.Counter, opt.Budget, r.files)
	if p == nil {
		return ""
	}
	p.bare = opt.Bare
	s := p.parts(r)
	p.fillAll(s)
	p.keyLines(r.lines, p.left)
	return p.settle(func() {
		for _, list := range [][]*entry{s.rules, s.heads, s.errors, s.next} {
			p.fill(list, min(p.left, max(p.left/2, opt.Budget/3-p.spent(list))))
		}
		for _, x := range append(s.streams, s.spare...) {
			p.fill(x.entries, p.left)
		}
		p.keyLines(r.lines, p.left)
	})
}

func (p *page) parts(r *record) *parts {
	// A line costs a token at least: of no kind of line can more stand than this.
	w, most := p.w, p.left
	s := &parts{counts: r.firstCounts(w), errors: r.errors(w), next: r.next(w, most)}
	s.goal, s.heads = r.goal(w, most)
	for _, e := range s.heads {
		if e.seq == 0 {
			s.firsts = append(s.firsts, e)
		}
	}
	if len(s.heads) > 0 {
		s.lead = s.heads[0]
		s.lead.lead = true
	}
	s.rules = r.constraints(s.goal)
	call, wrote, before := r.lastStep(w, most)
	runs := r.commands(w)
	p.rules = s.rules
	p.could = [sections]int{
		secGoal: len(r.users) + r.unseen, secRules: len(s.rules) + r.unruled,
		secRuns: len(runs) + r.runs.more, secErrors: len(s.errors),
	}
	if p.could[secRules] > 0 {
		s.unruled = &entry{sec: secRules, frame: true}
	}
	// The sections take about half of the budget, so that the rest is for what
	// the next step needs word for word.
	s.streams = []*stream{
		{s.errors, 6, 5, 110}, // two lines each
		{s.next, 4, 2, 64},
		{s.goal, 9, 4, 64},
		{wrote, 8, 3, 64},
		{call, 4, 0, 64},
		{r.carry(w, most), 25, 20, 64},
		{p.fileEntries(r.files, fileChanged, fileDeleted, fileUnsure), 6, 4, 64},
		{r.done(w, most), 3, 2, 64},
		{runs, 5, 3, 64},
	}
	s.spare = []*stream{
		{p.fileEntries(r.files, fileRead), 1, 0, 0},
		{before, 0, 28, 0},
	}
	return s
}

func (p *page) fillAll(s *parts) {
	body, third := p.left, p.budget/3
	if s.lead != nil {
		limit := p.left
		if len(s.rules) > 0 {
			limit = 2 * p.left / 3
		}
		if !p.add(s.lead, limit) && !p.addShort(s.lead, limit) && !p.add(s.lead, p.left) {
			p.addShort(s.lead, p.left)
		}
	}
	if s.unruled != nil {
		p.add(s.unruled, p.left/2)
	}
	p.fill(s.rules, min(p.left, third))
	p.fill(s.heads, min(p.left, body/5-p.spent(s.heads)))
	for i, x := range s.streams {
		if i == 2 && s.counts != nil {
			p.add(s.counts, p.left/4)
		}
		if len(x.entries) > 0 {
			p.fill(x.entries[:1], min(p.left/2, max(x.least, body*x.share/100)))
		}
	}
	for _, x := range append(s.streams, s.spare...) {
		p.fill(x.entries, min(p.left, body*x.share/100-p.spent(x.entries)))
	}
	// What was asked and what is open goes before what was only said or read.
	p.fill(s.firsts, min(p.left, third-p.spent(s.firsts)))
	p.fill(s.errors, min(p.left, third/2-p.spent(s.errors)))
	p.fill(s.next, min(p.left, third/2-p.spent(s.next)))
	p.unrepeat()
	p.spread = true
	p.fill(s.rules, min(p.left, third-p.spent(s.rules)))
	pool := p.left
	for _, x := range append(s.streams, s.spare...) {
		p.fill(x.entries, min(p.left, pool*x.pool/100))
	}
	p.unrepeat()
}

// goal is the real user messages, the first and the newest before the others:
// of each the first lines and the last one (heads), then the rest.
func (r *record) goal(w *words, most int) (all, heads []*entry) {
	const head = 3
	order := make([]int, 0, len(r.users))
	for i := range r.users {
		if i == 0 {
			order = append(order, 0)
		} else {
			order = append(order, len(r.users)-i)
		}
	}
	ruled := map[string]bool{}
	for _, rule := range r.rules {
		ruled[rule.text] = true
	}
	var rest, told []*entry
	for _, m := range order {
		lines := r.users[m].lines
		var last *entry
		for i, line := range lines {
			if i < len(lines)-1 && (i >= most || len(heads)+len(rest) > 2*most) {
				continue
			}
			e := quote(secGoal, w.label(labUser), m, i, line)
			e.of, e.torn = len(lines), r.users[m].cut
			if last != nil {
				last.after = e
			}
			last = e
			switch {
			case i > 0 && (ruled[line] || !wordy(line)):
				e.once = ruled[line]
				told = append(told, e) // a fence, or told among the constraints
			case i < head || i == len(lines)-1:
				heads = append(heads, e)
			default:
				rest = append(rest, e)
			}
		}
	}
	// What was asked first leads, not the tag around it.
	for i, e := range heads {
		if e.rank != 0 {
			break
		}
		if wordy(e.body[0][len(quoteIndent):]) {
			heads = slices.Concat(heads[i:i+1], heads[:i], heads[i+1:])
			break
		}
	}
	return slices.Concat(heads, rest, told), heads
}

// wordy reports whether a line says something: a fence and a lone tag do not.
func wordy(line string) bool {
	if line[0] == '<' && strings.IndexByte(line, '>') == len(line)-1 && !strings.Contains(line, " ") {
		return false
	}
	return strings.IndexFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// firstCounts is the line that says how much was done, nil where nothing was,
// or where it is not known of all that a summary stands for.
func (r *record) firstCounts(w *words) *entry {
	if r.uncounted || r.rounds == 0 && r.runs.total == 0 {
		return nil
	}
	line := w.label(labCounts, strconv.Itoa(r.rounds), strconv.Itoa(r.runs.total))
	return &entry{sec: secDone, label: line, frame: true}
}

func (r *record) done(w *words, most int) []*entry {
	var out []*entry
	for i, item := range r.plan {
		if item.done {
			out = append(out, quote(secDone, w.label(labPlanDone), 1, i, item.text))
		}
	}
	slices.Reverse(out) // the newest first
	var aside []*entry
	for i := len(r.reported) - 1; i >= 0 && len(out) < 2*most && len(aside) < most; i-- {
		e := quote(secDone, w.label(labReported), 2, i, r.reported[i].text)
		e.within, e.once = r.reported[i].line, true
		if r.reported[i].plain {
			out = append(out, e)
		} else {
			aside = append(aside, e)
		}
	}
	return append(out, aside...)
}

func (r *record) carry(w *words, most int) []*entry {
	var out []*entry
	for i, line := range r.carried[:min(len(r.carried), most)] {
		e := quote(secDone, w.label(labCarried), 3, i, line)
		e.of, e.once = len(r.carried), true
		out = append(out, e)
	}
	return out
}

// commands with their last outcome: those that do something before those that
// only look, those that ran more than once first, the newest first. Calls of
// file tools are told by their files.
func (r *record) commands(w *words) []*entry {
	var again, acts, looks, parts []*entry
	for i := len(r.runs.runs) - 1; i >= 0; i-- {
		run := &r.runs.runs[i]
		if run.behind || run.open() || run.kind == callFile {
			continue
		}
		e := run.entry(secRuns, w)
		switch {
		case run.short && len(run.show) < showBytes/4:
			parts = append(parts, e) // python -c " …
		case run.looks:
			looks = append(looks, e)
		case run.times > 1:
			again = append(again, e)
		default:
			acts = append(acts, e)
		}
	}
	byNewest := func(a, b *entry) int { return b.seq - a.seq }
	for _, list := range [][]*entry{again, acts, looks, parts} {
		slices.SortStableFunc(list, byNewest)
	}
	return slices.Concat(again, acts, looks, parts)
}

// entry is a command under its outcome. Ranks put the exit codes in order,
// those without one behind them.
func (run *runFacts) entry(sec section, w *words) *entry {
	const noCode = 1 << 20
	line := run.show
	if run.short {
		line += cutMark
	}
	rank := run.out.code
	if run.out.kind != ended {
		rank = noCode + int(run.out.kind)
	}
	e := quote(sec, w.label(labOutcome, w.outcome(run.out)), rank, run.at, line)
	e.whole = true
	return e
}

// errors that are still open, the newest first: the command and its telling
// lines.
func (r *record) errors(w *words) []*entry {
	var out []*entry
	for i := range r.runs.runs {
		run := &r.runs.runs[i]
		if !run.open() {
			continue
		}
		e := run.entry(secErrors, w)
		e.rank, e.seq = run.at, 0
		if len(run.why) > 0 {
			e.body = append(e.body, w.label(labError))
		}
		for i, line := range run.why {
			if i == 0 {
				e.brief = append(slices.Clone(e.body), quoteIndent+shorten(line, showBytes/2))
			}
			e.body = append(e.body, quoteIndent+line)
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b *entry) int { return b.rank - a.rank })
	return out
}

// lastStep is the last call, what the assistant wrote last, and what it wrote
// before, the newest first.
func (r *record) lastStep(w *words, most int) (call, wrote, before []*entry) {
	if r.last != nil {
		e := r.last.entry(secLast, w)
		e.label, e.rank = w.label(labCalled, w.outcome(r.last.out)), 2
		call = append(call, e)
	}
	seq := 0
	for i := range r.said {
		seq += len(r.said[i].lines)
	}
	for i := len(r.said) - 1; i >= 0 && len(before) < most; i-- {
		lines := r.said[i].lines
		seq -= len(lines)
		for k, line := range lines[:min(len(lines), most)] {
			if i == len(r.said)-1 {
				e := quote(secLast, w.label(labWrote), 1, k, line)
				e.of, e.torn = len(lines), r.said[i].cut
				wrote = append(wrote, e)
				continue
			}
			e := quote(secLast, w.label(labBefore), 0, seq+k, line)
			e.once = true
			before = append(before, e)
		}
	}
	return call, wrote, before
}

func (r *record) next(w *words, most int) []*entry {
	var out []*entry
	for i, item := range r.plan[:min(len(r.plan), most)] {
		if !item.done {
			out = append(out, quote(secNext, w.label(labPlanOpen), 0, i, item.text))
		}
	}
	for i, s := range r.upcoming[:min(len(r.upcoming), most)] {
		e := quote(secNext, w.label(labUpcoming), 1, i, s.text)
		e.once = true
		out = append(out, e)
	}
	return out
}
