package summary

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/tokens"
)

// entry is one thing that a digest may say: mostly one quoted line.
type entry struct {
	sec    section
	label  string // the line of ours that it stands under
	rank   int    // order of labels in the section
	seq    int    // order under one label
	of     int    // lines in the message that it is from: gaps are marked; 0: not
	torn   bool   // an earlier digest cut that message
	body   []string
	file   *fileFacts
	frame  bool     // the label is all of it
	whole  bool     // never shortened
	brief  []string // the body where the whole does not fit
	once   bool     // not where the digest has that line already
	within string   // nor where it has this line, which holds it
	lead   bool     // the first line of the goal: shortened rather than left out
	after  *entry   // of a line of the goal: the one behind it
	host   *entry   // of a constraint: the line of the goal that holds it
	equal  bool     // and says nothing else
	on     bool
	dead   bool
	short  bool // only the beginning of the quote stands
	cost   int
}

func quote(sec section, label string, rank, seq int, line string) *entry {
	return &entry{sec: sec, label: label, rank: rank, seq: seq, body: []string{quoteIndent + line}}
}

type labelKey struct {
	sec   section
	label string
	rank  int
}

// page is a digest in the making.
type page struct {
	w      *words
	c      tokens.Counter
	budget int
	left   int // tokens, by the sum of the lines
	added  []*entry
	on     [sections]int // entries
	labels map[labelKey]int
	costs  map[string]int // of our own lines
	said   map[string]bool
	files  *fileBook
	named  [fileStates]int // names that a list could show
	could  [sections]int   // messages, commands and errors that could be shown, and that earlier digests counted
	rules  []*entry
	spread bool // there is room to list what a longer line of the goal says, too
	ranked bool
	bare   bool // the first line alone is an answer
}

// newPage sets aside what must stand: the first line, and for each list of
// written files that is not empty its heading, label and count. nil: that is
// more than the budget.
func newPage(w *words, c tokens.Counter, budget int, files *fileBook) *page {
	p := &page{w: w, c: c, budget: budget, files: files, labels: map[labelKey]int{}, costs: map[string]int{}, said: map[string]bool{}}
	for i := range files.files {
		p.named[files.files[i].state]++
	}
	p.left = budget - p.own(w.first)
	for s := fileUnsure; s < fileStates; s++ {
		if n := p.named[s] + files.more[s]; n > 0 {
			if p.on[secFiles] == 0 {
				p.left -= p.own(w.heads[secFiles])
			}
			p.on[secFiles]++
			p.left -= p.own(p.fileLabel(s)) + p.own(fill(w.more, strconv.Itoa(n)))
		}
	}
	if p.left < 0 {
		return nil
	}
	return p
}

// own is the cost of a line of ours.
func (p *page) own(line string) int {
	n, ok := p.costs[line]
	if !ok {
		n = p.c.Count(line + "\n")
		p.costs[line] = n
	}
	return n
}

func (p *page) fileLabel(s fileState) string {
	l := map[fileState]label{fileRead: labRead, fileUnsure: labUnsure, fileChanged: labChanged, fileDeleted: labDeleted}[s]
	return strings.TrimSuffix(p.w.labels[l], "%")
}

// fileEntries is the files of these states that can be named, the newest first.
// A name that could be mistaken for more than a name is only counted.
func (p *page) fileEntries(b *fileBook, states ...fileState) []*entry {
	var out []*entry
	for i := range b.files {
		if f := &b.files[i]; slices.Contains(states, f.state) && nameable(f.name) {
			out = append(out, &entry{sec: secFiles, label: p.fileLabel(f.state), rank: int(fileStates - f.state), seq: -f.at, file: f})
		}
	}
	slices.SortStableFunc(out, func(a, b *entry) int { return a.seq - b.seq })
	return out
}

// nameable: fits on a line among our words and can be read back. 200 bytes is
// more than twice the longest name (86) that calls in the shared corpus use.
func nameable(name string) bool {
	if len(name) > 200 || strings.Contains(name, strings.TrimSpace(listComma)) {
		return false
	}
	line, more := firstLine(name)
	return !more && line == name
}

func (p *page) fileName(f *fileFacts) string {
	if f.to != "" && nameable(f.to) {
		return fill(p.w.moved, f.name, f.to)
	}
	return f.name
}

// price is what an entry adds: its lines, and the label and the heading where
// it is the first.
func (p *page) price(e *entry) int {
	n := e.cost
	if n == 0 {
		if e.file != nil {
			n = p.c.Count(listComma + p.fileName(e.file))
		}
		for _, line := range e.body {
			n += p.c.Count(line + "\n")
		}
		e.cost = n
	}
	if e.label != "" && p.labels[labelKey{e.sec, e.label, e.rank}] == 0 && (e.file == nil || e.file.state == fileRead) {
		n += p.own(e.label)
		if e.of > 1 {
			n += p.own(gapLine)
		}
	}
	if p.on[e.sec] == 0 {
		n += p.own(p.w.heads[e.sec])
		if p.could[e.sec] > 1 || e.frame && e.sec == secRules {
			n += p.own(p.moreLine(e.sec, p.could[e.sec]))
		}
	}
	return n
}

// moreLine says how many of a section's things do not stand in it.
func (p *page) moreLine(s section, n int) string {
	l := labMore
	if s == secGoal {
		l = labMoreUsers
	}
	return p.w.label(l, strconv.Itoa(n))
}

func (p *page) takeOff(e *entry) {
	e.on = false
	p.on[e.sec]--
	p.labels[labelKey{e.sec, e.label, e.rank}]--
	for _, line := range e.body {
		delete(p.said, line)
	}
}

// add puts an entry on the page where it costs at most limit.
func (p *page) add(e *entry, limit int) bool {
	if e.on || e.dead || p.held(e) {
		return false
	}
	if e.once && (p.said[e.body[0]] || e.within != "" && p.said[quoteIndent+e.within]) {
		e.dead = true
		return false
	}
	limit = min(limit, p.left)
	n := p.price(e)
	if n > limit && e.brief != nil {
		whole := e.body
		e.body, e.cost = e.brief, 0
		if n = p.price(e); n > limit {
			e.body, e.cost = whole, 0
		}
	}
	if n > limit {
		return false
	}
	e.on = true
	p.left -= n
	p.on[e.sec]++
	p.labels[labelKey{e.sec, e.label, e.rank}]++
	p.added = append(p.added, e)
	for _, line := range e.body {
		p.said[line] = true
	}
	return true
}

// fill adds entries in their order while the limit lasts. One that is too long
// is shortened, if it can be; a few that do not fit are passed over.
func (p *page) fill(entries []*entry, limit int) {
	const misses = 6
	missed := 0
	for _, e := range entries {
		if limit <= 0 || missed == misses {
			return
		}
		if e.on || e.dead || p.held(e) {
			continue
		}
		before := p.left
		if !p.add(e, limit) && !e.dead && !p.addShort(e, limit) && !e.dead {
			missed++
		}
		limit -= before - p.left
	}
}

// leadBytes is the shortest beginning of the goal that still says something.
const leadBytes = 12

// addShort adds the beginning of a quote.
func (p *page) addShort(e *entry, limit int) bool {
	shortest, least := 40, 80 // bytes: less is no quote
	if e.lead {
		shortest, least = leadBytes, leadBytes
	}
	limit = min(limit, p.left)
	if e.whole || e.frame || e.file != nil || e.on || len(e.body) != 1 || len(e.body[0]) < least {
		return false
	}
	full, cost := e.body[0], e.cost
	rest := limit - (p.price(e) - cost) - p.own(gapLine)
	text := full[len(quoteIndent):]
	for range 6 {
		if rest <= 0 || cost <= 0 {
			break
		}
		text = shorten(text, min(len(text)-1, len(text)*rest/cost))
		if len(text) < shortest {
			break
		}
		e.body[0] = quoteIndent + text
		if cost = p.c.Count(e.body[0] + "\n"); cost <= rest {
			e.cost, e.short = cost+p.own(gapLine), true
			if p.add(e, limit) {
				return true
			}
			break
		}
	}
	e.body[0], e.cost, e.short = full, 0, false
	return false
}

// spent is what the entries cost that are on the page.
func (p *page) spent(entries []*entry) int {
	n := 0
	for _, e := range entries {
		if e.on {
			n += e.cost
		}
	}
	return n
}

// keyLines adds the lines that carry most facts, until limit is spent.
func (p *page) keyLines(b *lineBook, limit int) {
	const misses = 40
	if limit < 16 {
		return // not worth the ranking: no line is that short
	}
	if !p.ranked {
		b.weigh()
		p.ranked = true
	}
	for _, e := range p.added {
		for _, line := range e.body {
			b.cover(line)
		}
	}
	b.rank()
	for missed := 0; missed < misses && limit > 0; {
		n := b.next()
		if n < 0 {
			return
		}
		e := quote(secLast, p.w.label(labKept), 3, int(n), b.lines[n].text)
		e.whole, e.once = true, true
		before := p.left
		if p.add(e, limit) {
			b.take(n)
		} else if !e.dead {
			missed++
		}
		limit -= before - p.left
	}
}

// settle writes the text and makes it fit by the counter's own word: the sum
// over lines is only nearly the count of the whole. What is over is taken off,
// the last added first; what is left is handed to more.
func (p *page) settle(more func()) string {
	text, n := p.fit()
	for range 3 {
		slack := p.budget - n
		if text == "" || slack <= 8+p.budget/100 {
			break
		}
		p.left = slack - 2
		had := len(p.added)
		more()
		if len(p.added) == had {
			break
		}
		text, n = p.fit()
	}
	return text
}

func (p *page) fit() (string, int) {
	for drop := 0; ; {
		text := p.text()
		n := p.c.Count(text)
		if n <= p.budget {
			if len(p.added) == 0 && p.on[secFiles] == 0 || len(p.added) == 1 && p.added[0].frame && p.on[secFiles] == 0 {
				if p.bare {
					return text, n
				}
				return "", 0 // nothing worth saying
			}
			return text, n
		}
		if len(p.added) == 0 {
			return "", 0
		}
		// Twice as much each time: a handful of rounds at most.
		drop = max(2*drop, n-p.budget)
		for taken := 0; taken < drop && len(p.added) > 0; {
			e := p.added[len(p.added)-1]
			if e.lead && p.shrink(e) {
				break
			}
			p.added = p.added[:len(p.added)-1]
			p.takeOff(e)
			taken += max(e.cost, 1)
		}
	}
}

// shrink takes a fifth of the goal's first line away.
func (p *page) shrink(e *entry) bool {
	text := e.body[0][len(quoteIndent):]
	short := shorten(text, len(text)*4/5)
	if len(short) < leadBytes {
		return false
	}
	delete(p.said, e.body[0])
	e.body[0], e.short = quoteIndent+short, true
	p.said[e.body[0]] = true
	return true
}
