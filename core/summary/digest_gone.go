package summary

import (
	"path"
	"strings"
)

// finish carries what became of a directory over to the files that were listed
// below it before: they went with it, even where the directory was made again.
// One that has a file written to since is there again.
func (b *fileBook) finish() {
	tails := b.tails()
	for i := range b.files {
		f := &b.files[i]
		if f.state == fileDeleted {
			continue
		}
		if dir := b.took(f); dir != nil {
			f.state, f.at, f.to = fileDeleted, dir.gone, ""
			if dir.went != "" && !strings.HasSuffix(dir.key, everything) {
				f.to = dir.went + strings.TrimPrefix(f.key, dir.key)
			}
		} else if f.state == fileChanged && tails.mayTake(f) {
			f.state = fileUnsure
		}
	}
	for i := range b.files {
		f := &b.files[i]
		if f.state != fileChanged {
			continue
		}
		eachAbove(f.key, func(dir string) {
			if n, ok := b.index[dir]; ok && b.files[n].state == fileDeleted && b.files[n].at < f.at {
				b.files[n].state, b.files[n].to = fileChanged, ""
			}
		})
	}
}

// everything is how a shell names what stands in a directory, and not the
// directory itself.
const everything = "/*"

// took is the directory that went first after the file's last event, with the
// file in it; nil where none did.
func (b *fileBook) took(f *fileFacts) *fileFacts {
	var out *fileFacts
	look := func(key string) {
		if n, ok := b.index[key]; ok && b.files[n].gone > f.at && (out == nil || b.files[n].gone < out.gone) {
			out = &b.files[n]
		}
	}
	look(path.Dir(f.key) + everything)
	eachAbove(f.key, look)
	return out
}

// goneTails is when directories went whose place is not known for sure. Where
// one call names a file from the root and another from somewhere, nobody knows
// whether they mean the same; and d/* may or may not take d/e/f along.
type goneTails struct {
	rooted map[string]int // the ends of full names
	loose  map[string]int // names from somewhere
	inside map[string]int // d of d/*
}

// tailDepth is how many names of a path are compared, and treeDepth how many
// directories above a file are looked at: no real path is deeper.
const (
	tailDepth = 8
	treeDepth = 64
)

func (b *fileBook) tails() goneTails {
	out := goneTails{map[string]int{}, map[string]int{}, map[string]int{}}
	for i := range b.files {
		f := &b.files[i]
		if f.gone == 0 {
			continue
		}
		key, all := strings.CutSuffix(f.key, everything)
		if all {
			out.inside[key] = max(out.inside[key], f.gone)
		}
		if !path.IsAbs(key) {
			out.loose[key] = max(out.loose[key], f.gone)
			continue
		}
		eachTail(key, func(tail string) { out.rooted[tail] = max(out.rooted[tail], f.gone) })
	}
	return out
}

// eachTail gives the last names of a full path: w/a/b, a/b, b.
func eachTail(key string, yield func(tail string)) {
	end := len(key)
	for range tailDepth {
		i := strings.LastIndexByte(key[:end], '/')
		if i < 0 {
			return
		}
		yield(key[i+1:])
		end = i
	}
}

// eachAbove gives the directories that a file stands in, the nearest first.
func eachAbove(key string, yield func(dir string)) {
	for range treeDepth {
		i := strings.LastIndexByte(key, '/')
		if i <= 0 {
			return
		}
		key = key[:i]
		yield(key)
	}
}

// mayTake reports whether a directory that went after the file's last event may
// have held it.
func (g *goneTails) mayTake(f *fileFacts) bool {
	found := false
	eachAbove(f.key, func(dir string) {
		found = found || g.inside[dir] > f.at
		switch {
		case found:
		case !path.IsAbs(dir):
			found = g.rooted[dir] > f.at
		case len(g.loose) > 0:
			eachTail(dir, func(tail string) { found = found || g.loose[tail] > f.at })
		}
	})
	return found
}
