package summary

import (
	"strconv"
	"strings"
)

// A digest is read back by its own lines: headings and labels stand at the
// margin, everything that was taken from the transcript is indented. That is
// how digests are merged without one standing inside the other, and how tests
// check what a digest claims.

// noLabel is that of quotes that stand directly under their heading.
const noLabel label = -1

// digestBlock is one label of a digest with the quotes under it.
type digestBlock struct {
	sec    section
	label  label
	values []string
	out    outcome // of labOutcome and labCalled
	quotes []string
	gap    bool         // something was left out
	cut    map[int]bool // behind these quotes: they may be beginnings only
}

// parsedDigest is a digest, and the lines around and in it that are not ours:
// what a person wrote into it.
type parsedDigest struct {
	words  *words // nil: the text is no digest
	blocks []digestBlock
	loose  []string
}

// labelsOf are the labels that may stand in a section, in the order in which
// they are tried.
func labelsOf(s section) []label {
	switch s {
	case secGoal:
		return []label{labUser, labMoreUsers}
	case secRules:
		return []label{labMore}
	case secDone:
		return []label{labCounts, labPlanDone, labReported, labCarried}
	case secFiles:
		return []label{labRead, labUnsure, labChanged, labDeleted}
	case secRuns:
		return []label{labMore, labOutcome}
	case secErrors:
		return []label{labMore, labError, labOutcome}
	case secLast:
		return []label{labWrote, labCalled, labBefore, labKept}
	case secNext:
		return []label{labPlanOpen, labUpcoming}
	default:
		return nil
	}
}

// parseDigest reads a digest. Text that is none comes back as loose lines.
// Cost: linear.
func parseDigest(text string) parsedDigest {
	var d parsedDigest
	sec := sections
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" {
			continue
		}
		if w := firstOf(line); w != nil {
			d.words, sec = w, sections
			continue
		}
		if d.words == nil {
			d.loose = append(d.loose, line)
			continue
		}
		if s, ok := d.words.heading(line); ok {
			sec = s
			continue
		}
		if sec == sections || !d.line(sec, line) {
			d.loose = append(d.loose, line)
		}
	}
	return d
}

func firstOf(line string) *words {
	switch line {
	case firstEnglish:
		return english()
	case firstJapanese:
		return japanese()
	}
	return nil
}

func (w *words) heading(line string) (section, bool) {
	for s, head := range w.heads {
		if line == head {
			return section(s), true
		}
	}
	return 0, false
}

func (d *parsedDigest) line(sec section, line string) bool {
	n := len(d.blocks) - 1
	inside := n >= 0 && d.blocks[n].sec == sec
	switch {
	case line == gapLine:
		if inside {
			d.blocks[n].tear()
		}
		return true
	case strings.HasPrefix(line, quoteIndent):
		if !inside {
			d.blocks = append(d.blocks, digestBlock{sec: sec, label: noLabel})
			n++
		}
		d.blocks[n].quotes = append(d.blocks[n].quotes, line[len(quoteIndent):])
		return true
	}
	for _, l := range labelsOf(sec) {
		v, ok := unfill(d.words.labels[l], line)
		if !ok {
			continue
		}
		b := digestBlock{sec: sec, label: l, values: v}
		if l == labOutcome || l == labCalled {
			if b.out, ok = d.words.readOutcome(v[0]); !ok {
				continue
			}
		}
		d.blocks = append(d.blocks, b)
		return true
	}
	return false
}

func (b *digestBlock) tear() {
	b.gap = true
	if b.cut == nil {
		b.cut = map[int]bool{}
	}
	b.cut[len(b.quotes)-1] = true
}

// readEarlier takes over what an earlier summary says, so that it lives on: a
// digest goes back to the places that it came from, any other text is quoted.
func (r *record) readEarlier(text string) {
	d := parseDigest(text)
	r.ja = d.words != nil && d.words.first == firstJapanese
	counted := false
	for i := range d.blocks {
		r.take(d.words, &d.blocks[i])
		counted = counted || d.blocks[i].label == labCounts && d.blocks[i].sec == secDone
	}
	r.uncounted = r.uncounted || !counted
	for _, line := range d.loose {
		eachLine(line, func(l string) bool {
			eachPiece(l, func(p string) bool {
				r.carried = append(r.carried, p)
				return true
			})
			return true
		})
	}
}

func (r *record) take(w *words, b *digestBlock) {
	quotes := b.quotes[:0:0]
	for i, q := range b.quotes {
		if q, _ = firstLine(q); q != "" {
			quotes = append(quotes, q)
			if b.sec == secGoal {
				r.rule(q, b.cut[i])
			}
		}
	}
	switch b.sec {
	case secGoal:
		if b.label == labMoreUsers {
			r.unseen += atoi(b.values[0])
		}
		if len(quotes) > 0 {
			r.users = append(r.users, message{quotes, b.gap})
		}
	case secRules:
		if b.label == labMore {
			r.unruled += atoi(b.values[0])
		}
		for _, q := range quotes {
			r.rules = append(r.rules, rule{text: q, strong: readCues(q)&cueRule != 0})
		}
	case secDone:
		r.takeDone(b, quotes)
	case secFiles:
		r.takeFiles(w, b)
	case secRuns:
		if b.label == labMore {
			r.runs.more += atoi(b.values[0])
		}
		for _, q := range quotes {
			r.runs.told(q, b.out, nil, false)
		}
	case secErrors:
		r.takeError(b, quotes)
	case secLast:
		r.takeLast(b, quotes)
	case secNext:
		for _, q := range quotes {
			if b.label == labPlanOpen {
				r.plan = append(r.plan, planItem{q, false})
			} else {
				r.upcoming = append(r.upcoming, sentence{q, q, true})
			}
		}
	default:
	}
}

func (r *record) takeDone(b *digestBlock, quotes []string) {
	switch b.label {
	case labCounts:
		// Digests of the first version had a third number behind the second.
		commands, _ := number(b.values[1])
		r.rounds += atoi(b.values[0])
		r.runs.total += max(commands, 0)
	case labPlanDone:
		for _, q := range quotes {
			r.plan = append(r.plan, planItem{q, true})
		}
	case labReported:
		for _, q := range quotes {
			r.reported = append(r.reported, sentence{q, q, true})
		}
	default:
		r.carried = append(r.carried, quotes...)
	}
}

// takeFiles reads a list back, the oldest (last) name first. Names that were
// only counted stay counted: nobody knows whether a later name is among them.
func (r *record) takeFiles(w *words, b *digestBlock) {
	state := map[label]fileState{labRead: fileRead, labUnsure: fileUnsure, labChanged: fileChanged, labDeleted: fileDeleted}[b.label]
	if len(b.values) == 0 {
		return
	}
	names := strings.Split(b.values[0], listComma)
	for i := len(names) - 1; i >= 0; i-- {
		name := names[i]
		if v, ok := unfill(w.more, name); ok && i == len(names)-1 {
			r.files.more[state] += atoi(v[0])
			continue
		}
		if v, ok := unfill(w.moved, name); ok && state == fileDeleted {
			f := r.files.touch("", v[0], fileDeleted)
			f.to, f.gone = v[1], 0
			continue
		}
		if plausiblePath(name) {
			// What it took along is told there: it takes nothing along again.
			r.files.touch("", name, state).gone = 0
		}
	}
}

func (r *record) takeError(b *digestBlock, quotes []string) {
	if len(quotes) == 0 {
		return
	}
	if b.label == labOutcome {
		r.runs.told(quotes[0], b.out, nil, true)
		return
	}
	if b.label == labError && len(r.runs.runs) > 0 {
		r.runs.runs[r.runs.last].why = quotes // they stand behind their command
	}
}

func (r *record) takeLast(b *digestBlock, quotes []string) {
	switch {
	case len(quotes) == 0:
	case b.label == labKept:
		for _, q := range quotes {
			r.lines.add(q, -2, fromUser) // before all items
		}
	case b.label == labCalled:
		show, short := strings.CutSuffix(quotes[0], cutMark)
		r.last = &runFacts{show: show, short: short, out: b.out}
	default:
		r.said = append(r.said, message{quotes, b.gap})
	}
}

// atoi reads a count of our own writing; what is none counts nothing.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<30 {
		return 0
	}
	return n
}
