package summary

import "path"

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
	name  string // with the folder that a command went into; else as the calls spell it, the longest spelling
	to    string // where it was moved
	state fileState
	at    int // the last event that touched it
	gone  int // when it was last deleted or moved away; 0: never
	went  string
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
		f := b.touch(e.dir, e.path, fileDeleted)
		f.to = from(e.dir, e.to)
		f.went = f.to
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

// from is the name of a file with the folder that a command went into. The
// folder belongs to the name: a later digest reads it back without the command
// that went there, and two files of one name are two files.
func from(dir, name string) string {
	if dir == "" || path.IsAbs(name) {
		return name
	}
	return path.Clean(dir + "/" + name)
}

func (b *fileBook) find(dir, name string) (f *fileFacts, isNew bool) {
	name = from(dir, name)
	key := path.Clean(name)
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
	if s == fileDeleted {
		f.gone, f.went = f.at, ""
	}
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
