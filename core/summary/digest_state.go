package summary

import (
	"path"
	"slices"
	"strings"
)

// fileState is what is known of one file at the end of the folded span.
type fileState uint8

const (
	fileRead    fileState = iota
	fileUnsure            // a call that names it as written failed or has no result
	fileChanged           // written by a call that reported no error
	fileDeleted
	fileStates
)

type fileFacts struct {
	key   string
	name  string // as the calls spell it, the longest spelling
	to    string // where it was moved
	state fileState
	at    int // the last event that touched it
}

// fileBook holds the files, each under the name that it has from the root or,
// where the calls do not say where they stand, under the name they use.
type fileBook struct {
	files []fileFacts
	index map[string]int
	clock int
	more  [fileStates]int // of earlier summaries: counted, not named
}

func newFileBook() *fileBook { return &fileBook{index: map[string]int{}} }

// apply takes one effect. sure: the call reported no error. Later facts replace
// earlier ones; what is not sure never replaces what is.
func (b *fileBook) apply(e fileEffect, sure bool) {
	switch {
	case e.use == useMove && sure:
		b.touch(e.dir, e.path, fileDeleted).to = e.to
		b.touch(e.dir, e.to, fileChanged)
	case e.use == useMove:
		b.unsure(e.dir, e.path)
		b.unsure(e.dir, e.to)
	case e.use == useRead:
		if sure {
			b.read(e.dir, e.path)
		}
	case !sure:
		b.unsure(e.dir, e.path)
	case e.use == useDelete:
		b.touch(e.dir, e.path, fileDeleted)
	default:
		b.touch(e.dir, e.path, fileChanged)
	}
}

func (b *fileBook) find(dir, name string) (f *fileFacts, isNew bool) {
	key := name
	if dir != "" && !path.IsAbs(name) {
		key = dir + "/" + name
	}
	key = path.Clean(key)
	b.clock++
	i, ok := b.index[key]
	if !ok {
		i = len(b.files)
		b.index[key] = i
		b.files = append(b.files, fileFacts{key: key, name: name})
	}
	f = &b.files[i]
	f.at = b.clock
	if len(name) > len(f.name) {
		f.name = name
	}
	return f, !ok
}

func (b *fileBook) touch(dir, name string, s fileState) *fileFacts {
	f, _ := b.find(dir, name)
	f.state, f.to = s, ""
	return f
}

func (b *fileBook) unsure(dir, name string) {
	if f, isNew := b.find(dir, name); isNew || f.state == fileRead {
		f.state = fileUnsure
	}
}

func (b *fileBook) read(dir, name string) {
	if f, isNew := b.find(dir, name); isNew || f.state == fileDeleted {
		f.state, f.to = fileRead, ""
	}
}

// finish carries what became of a directory over to the files that were written
// below it before: they went with it. One that has been written to since is
// there again.
func (b *fileBook) finish() {
	above := func(f *fileFacts, gone bool, do func(dir *fileFacts)) {
		for dir := path.Dir(f.key); len(dir) > 1; dir = path.Dir(dir) {
			if n, ok := b.index[dir]; ok && b.files[n].state == fileDeleted && gone == (b.files[n].at > f.at) {
				do(&b.files[n])
				return
			}
		}
	}
	for i := range b.files {
		f := &b.files[i]
		if f.state == fileChanged || f.state == fileUnsure {
			above(f, true, func(dir *fileFacts) {
				f.state, f.at = fileDeleted, dir.at
				if dir.to != "" {
					f.to = dir.to + strings.TrimPrefix(f.key, dir.key)
				}
			})
		}
	}
	for i := range b.files {
		if f := &b.files[i]; f.state == fileChanged {
			above(f, false, func(dir *fileFacts) { dir.state, dir.to = fileChanged, "" })
		}
	}
}

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
