package summary

import (
	"slices"
	"strings"
)

// runFacts is one command or call and its last outcome.
type runFacts struct {
	show   string
	short  bool
	key    string
	kind   callKind
	looks  bool
	out    outcome
	why    []string // the telling lines of its last failure
	times  int
	at     int
	behind bool // it ran again in what is kept: that tells, not the digest
	calm   bool // an earlier digest did not count it among the open errors
}

// runBook holds the commands, in the order of their first run.
type runBook struct {
	runs  []runFacts
	index map[string]int
	clock int
	total int // runs, of earlier summaries too
	more  int // of earlier summaries: counted, not shown
	last  int // the run that came last, by its place in runs
}

func newRunBook() *runBook { return &runBook{index: map[string]int{}} }

// ran takes the outcome of one run: the last one holds.
func (b *runBook) ran(c *callFacts, o outcome, why []string) {
	i, ok := b.index[c.key]
	if !ok {
		i = len(b.runs)
		b.index[c.key] = i
		b.runs = append(b.runs, runFacts{show: c.show, short: c.short, key: c.key, kind: c.kind, looks: c.looks})
	}
	b.clock++
	b.last = i
	r := &b.runs[i]
	r.out, r.why, r.at, r.behind, r.calm = o, why, b.clock, false, false
	r.times++
}

// told takes a command from an earlier digest. A failure that stood among the
// commands and not among the errors is no open one.
func (b *runBook) told(show string, o outcome, why []string, open bool) {
	show, short := strings.CutSuffix(show, cutMark)
	c := callFacts{kind: callShell, show: show, short: short, key: runKey(show, short)}
	b.ran(&c, o, why)
	r := &b.runs[b.index[c.key]]
	r.calm = !open
	// A call that named a file goes by that file: see readCall.
	if tool, name, ok := strings.Cut(show, " "); ok && plausiblePath(name) {
		n := readName(tool)
		key := fileKey(n.any(nameRead) && !n.any(nameWrite|nameDelete|nameMove), name)
		if _, known := b.index[key]; !known {
			b.index[key] = b.index[c.key]
		}
	}
}

// again says that a kept item runs the command once more.
func (b *runBook) again(key string) {
	if i, ok := b.index[key]; ok {
		b.runs[i].behind = true
	}
}

// open reports whether the run is a failure that nothing made good. A search
// that found nothing exits with 1, too: without a complaint that is no error.
func (r *runFacts) open() bool {
	if r.behind || r.calm || !r.out.bad() {
		return false
	}
	return !r.looks || r.kind != callShell || r.out.code != 1 || slices.ContainsFunc(r.why, func(l string) bool { return complaint(l) > 0 })
}
