package policy

import (
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/nearest"
)

// fields is an object of a policy: its legal members by name.
type fields struct {
	self value
	got  map[string]value
	// meant holds what unknown names were probably meant to be: a missing
	// field that was misspelt is one problem, not two.
	meant map[string]bool
	empty bool
}

// object reads the members that names lists, and reports all others and those
// that are given twice. deeper are names that stand elsewhere (keep.pins):
// never legal here, but what a person may have meant.
func (v value) object(names string, deeper ...string) (fields, bool) {
	f := fields{self: v, got: map[string]value{}, meant: map[string]bool{}, empty: true}
	if v.raw[0] != '{' {
		v.wrong("an object")
		return f, false
	}
	legal := strings.Fields(names)
	err := v.each(func(name string, raw []byte, at int) {
		f.empty = false
		if !slices.Contains(legal, name) {
			f.unknown(name, at, legal, deeper)
			return
		}
		m := value{raw, at, below(v.path, name), v.to}
		if _, twice := f.got[name]; twice {
			v.to.add(at, m.path, "is given twice, must be given once")
			return
		}
		f.got[name] = m
	})
	if err != nil {
		v.to.add(v.at, v.path, "cannot be read: "+err.Error())
		return f, false
	}
	return f, true
}

// unknown reports a name that is not legal here.
func (f fields) unknown(name string, at int, legal, deeper []string) {
	to := f.self.to
	if to.full() {
		// Hostile input may hold very many wrong names, and the search for what
		// they were meant to be is what costs most here.
		to.more++
		return
	}
	message := "unknown field, the fields are " + series(legal, "and")
	if s := nearest.Name(name, legal, deeper); s != "" {
		f.meant[s] = true
		message = "unknown field, did you mean " + s + "?"
	}
	to.add(at, below(f.self.path, name), message)
}

// has says whether the member was given, rightly or misspelt.
func (f fields) has(name string) bool {
	_, ok := f.got[name]
	return ok || f.meant[name]
}

// unset drops the members of these names that are null: null is then the same
// as leaving the field out. For all other fields null is a wrong type.
func (f fields) unset(names ...string) {
	for _, n := range names {
		if v, ok := f.got[n]; ok && v.null() {
			delete(f.got, n)
		}
	}
}

// complain reports a problem of the object as a whole. Its place is the end,
// behind the problems of its members: those are nearer to the cause.
func (f fields) complain(message string) {
	f.self.to.add(f.self.at+len(f.self.raw), f.self.path, message)
}

func (f fields) integer(name string, low int, to *int) {
	if v, ok := f.got[name]; ok {
		v.integer(low, to)
	}
}

func (f fields) share(name string, to *float64) {
	if v, ok := f.got[name]; ok {
		v.share(to)
	}
}

func (f fields) boolean(name string, to *bool) {
	if v, ok := f.got[name]; ok {
		v.boolean(to)
	}
}

func (f fields) text(name string, to *string) {
	if v, ok := f.got[name]; ok {
		v.text(to)
	}
}

func (f fields) trimmed(name string, to *string) {
	if v, ok := f.got[name]; ok {
		v.trimmed(to)
	}
}

func (f fields) named(name, want string, to *string) {
	if v, ok := f.got[name]; ok {
		v.named(want, to)
	}
}

func (f fields) choice(name, legal string, to *string) {
	if v, ok := f.got[name]; ok {
		v.choice(legal, to)
	}
}
