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

// compose writes the digest. What the sections need comes first: each stream first gets its best entry, then its
// share, then its part of what the others left; prose and key lines get what no
// section needs.
func compose(r *record, w *words, opt DigestOptions) string {
	p := newPage(w, opt.Counter, opt.Budget, r.files)
	if p == nil {
		return ""
	}
	p.bare = opt.Bare
	// A line costs a token at least: of no kind of line can more stand than this.
	most := p.left
	call, wrote, before := r.lastStep(w, most)
	first := r.firstCounts(w)
	goal, rules, runs, errors := r.goal(w, most), r.constraints(most), r.commands(w), r.errors(w)
	p.could = [sections]int{secGoal: len(r.users) + r.unseen, secRuns: len(runs) + r.runs.more, secErrors: len(errors)}
	// The sections take about half of the budget, so that the rest is for what
	// the next step needs word for word: by the yardstick of future recall, on
	// real transcripts cut at 40, 60 and 80 %, a digest of a fifth of the text
	// keeps .70 of the facts, .59 of the prose and .80 of the typed lines, the
	// best plain tail .54 of the facts.
	streams := []*stream{
		{goal, 9, 4, 64},
		{wrote, 8, 3, 64},
		{call, 4, 0, 64},
		{errors, 6, 5, 110}, // two lines each
		{r.next(w, most), 4, 2, 64},
		{r.carry(w, most), 25, 20, 64},
		{rules, 5, 2, 64},
		{p.fileEntries(r.files, fileChanged, fileDeleted, fileUnsure), 6, 4, 64},
		{runs, 5, 3, 64},
		{r.done(w, most), 3, 2, 64},
	}
	prose := &stream{entries: before, pool: 28}
	reads := &stream{entries: p.fileEntries(r.files, fileRead), share: 1}
	p.fillAll(streams, prose, reads, first)
	p.keyLines(r.lines, p.left)
	text := p.settle(func() {
		for _, s := range append(streams, prose, reads) {
			p.fill(s.entries, p.left)
		}
		p.keyLines(r.lines, p.left)
	})
	return text
}

func (p *page) fillAll(streams []*stream, prose, reads *stream, first *entry) {
	body := p.left
	if first != nil {
		p.add(first, p.left/4)
	}
	for _, s := range streams {
		if len(s.entries) > 0 {
			p.fill(s.entries[:1], min(p.left/2, max(s.least, body*s.share/100)))
		}
	}
	for _, s := range append(streams, reads) {
		p.fill(s.entries, min(p.left, body*s.share/100-p.spent(s.entries)))
	}
	pool := p.left
	for _, s := range append(streams, prose) {
		p.fill(s.entries, min(p.left, pool*s.pool/100))
	}
}

// goal is the real user messages, the first and the newest before the others:
// of each the first lines and the last one, then the rest.
func (r *record) goal(w *words, most int) []*entry {
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
	var begin, rest, told []*entry
	for _, m := range order {
		lines := r.users[m].lines
		for i, line := range lines {
			if i < len(lines)-1 && (i >= most || len(begin)+len(rest) > 2*most) {
				continue
			}
			e := quote(secGoal, w.label(labUser), m, i, line)
			e.of, e.torn = len(lines), r.users[m].cut
			switch {
			case i > 0 && (ruled[line] || !wordy(line)):
				told = append(told, e) // a fence, or told among the constraints
			case i < head || i == len(lines)-1:
				begin = append(begin, e)
			default:
				rest = append(rest, e)
			}
		}
	}
	return slices.Concat(begin, rest, told)
}

// wordy reports whether a line says something: a fence and a lone tag do not.
func wordy(line string) bool {
	if line[0] == '<' && strings.IndexByte(line, '>') == len(line)-1 && !strings.Contains(line, " ") {
		return false
	}
	return strings.IndexFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// constraints: the strict ones first, the newest first.
func (r *record) constraints(most int) []*entry {
	var strict, soft []*entry
	seen := map[string]bool{}
	for i := len(r.rules) - 1; i >= 0 && len(strict) < most && len(soft) < most; i-- {
		if seen[r.rules[i].text] {
			continue
		}
		seen[r.rules[i].text] = true
		e := quote(secRules, "", 0, i, r.rules[i].text)
		if r.rules[i].strong {
			strict = append(strict, e)
		} else {
			soft = append(soft, e)
		}
	}
	return append(strict, soft...)
}

// firstCounts is the line that says how much was done, nil where nothing was.
func (r *record) firstCounts(w *words) *entry {
	changed := r.files.more[fileChanged] + r.files.more[fileDeleted]
	for _, f := range r.files.files {
		if f.state == fileChanged || f.state == fileDeleted {
			changed++
		}
	}
	if r.rounds == 0 && r.runs.total == 0 && changed == 0 {
		return nil
	}
	line := w.label(labCounts, strconv.Itoa(r.rounds), strconv.Itoa(r.runs.total), strconv.Itoa(changed))
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
