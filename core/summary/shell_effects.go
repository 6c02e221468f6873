package summary

import (
	"path"
	"strings"
)

// shellDepth is how deep scripts in scripts (bash -c '...') are followed.
const shellDepth = 3

// shellFacts is what a script does to files, as far as its text tells.
type shellFacts struct {
	effects  []fileEffect
	progs    []shellProg // the commands that the effects belong to
	looks    bool        // it only looks: every command in it reads or prints
	commands int
}

// shellProg is one command of a script, for reading its complaints.
type shellProg struct {
	name  string
	words []shellWord
}

// readShell derives the effects of a script that starts in dir ("" where that
// is not known). Names that hold expansions are left out: nobody knows them.
// Cost: linear in the script.
func readShell(script, dir string) shellFacts {
	f := shellFacts{looks: true}
	f.script(script, dir, shellDepth)
	f.looks = f.looks && f.commands > 0
	return f
}

func (f *shellFacts) script(script, dir string, depth int) {
	first := len(f.effects)
	flow := shellFlow{dir: dir}
	scanShell(script, func(c *shellCmd) {
		if c.scope != 0 {
			flow.paren(c)
			return
		}
		flow.enter(c.words)
		level := flow.level()
		from := len(f.effects)
		flow.dir = f.run(c, flow.dir, depth)
		for i := from; i < len(f.effects); i++ {
			e := &f.effects[i]
			e.doubt, e.list = max(e.doubt, level), flow.list
			if c.op == "|" || c.op == "&" {
				e.list = -1 // its exit code is nobody's
			}
		}
		flow.leave(c)
	})
	for i := first; i < len(f.effects); i++ {
		e := &f.effects[i]
		e.last = e.last && e.list == flow.lastList
	}
}

// run takes one command, and gives the directory that it leaves the shell in.
func (f *shellFacts) run(c *shellCmd, dir string, depth int) string {
	words := stripLead(c.words)
	f.progs = append(f.progs, shellProg{words: words})
	f.redirects(c.redirs, dir)
	if len(words) == 0 {
		return dir
	}
	f.commands++
	name := path.Base(words[0].text)
	f.progs[len(f.progs)-1].name = name
	args := words[1:]
	if name == "cd" || name == "pushd" {
		return changeDir(dir, args)
	}
	if script, ok := inner(name, args); ok {
		if depth > 0 {
			f.script(script, dir, depth-1)
		}
		return dir
	}
	f.command(name, args, c, dir)
	return dir
}

func (f *shellFacts) add(use fileUse, dir string, w shellWord) {
	if name := w.text; !w.opaque && name != "-" && plausiblePath(name) && !strings.HasPrefix(name, "/dev/") {
		f.put(fileEffect{use: use, path: name, dir: dir})
	}
}

func (f *shellFacts) put(e fileEffect) {
	e.prog, e.last = len(f.progs)-1, true
	f.effects = append(f.effects, e)
}

func (f *shellFacts) redirects(redirs []shellRedir, dir string) {
	for _, r := range redirs {
		switch r.op {
		case ">", ">>", ">|", "<>":
			f.looks = f.looks && strings.HasPrefix(r.target.text, "/dev/")
			f.add(useWrite, dir, r.target)
		case ">&":
			if !digits(r.target.text) && r.target.text != "-" {
				f.looks = false
				f.add(useWrite, dir, r.target)
			}
		case "<":
			f.add(useRead, dir, r.target)
		}
	}
}
