package summary

import (
	"path"
	"slices"
	"strings"
)

// shellDepth is how deep scripts in scripts (bash -c '...') are followed.
const shellDepth = 3

// shellFacts is what a script does to files, as far as its text tells.
type shellFacts struct {
	effects  []fileEffect
	looks    bool // it only looks: every command in it reads or prints
	commands int
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
	var dirs []string // of the shells around a subshell
	scanShell(script, func(c *shellCmd) {
		switch n := len(dirs); {
		case c.scope > 0:
			dirs = append(dirs, dir)
		case c.scope == 0:
			dir = f.run(c, dir, depth)
		case n > 0:
			dir, dirs = dirs[n-1], dirs[:n-1]
		}
	})
}

// run takes one command, and gives the directory that it leaves the shell in.
func (f *shellFacts) run(c *shellCmd, dir string, depth int) string {
	f.redirects(c.redirs, dir)
	words := stripLead(c.words)
	if len(words) == 0 {
		return dir
	}
	f.commands++
	name := path.Base(words[0].text)
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
	if name := w.text; !w.opaque && plausiblePath(name) && !strings.HasPrefix(name, "/dev/") {
		f.effects = append(f.effects, fileEffect{use: use, path: name, dir: dir})
	}
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

// command knows the few programs whose arguments name the files that they read
// or change.
func (f *shellFacts) command(name string, args []shellWord, c *shellCmd, dir string) {
	sub := ""
	if name == "git" {
		args = gitArgs(args)
		if len(args) > 0 {
			sub, args = args[0].text, args[1:]
		}
		name = "git " + sub
	}
	files, flags := operands(args)
	all := func(use fileUse, ws []shellWord) {
		for _, w := range ws {
			f.add(use, dir, w)
		}
	}
	if !looks(name) {
		f.looks = false
	}
	switch name {
	case "rm", "unlink", "rmdir", "shred", "git rm":
		all(useDelete, files)
	case "touch", "mkdir", "truncate", "tee":
		all(useWrite, files)
		f.looks = false
	case "mv", "git mv", "cp", "install", "ln":
		f.transfer(strings.HasSuffix(name, "mv"), files, dir)
	case "sed", "perl":
		f.inPlace(files, flags, dir)
	case "git apply", "patch", "apply_patch", "applypatch":
		for _, e := range patchEffects(c.body + "\n" + bodyArg(args)) {
			e.dir = dir
			f.effects = append(f.effects, e)
		}
	case "git checkout", "git restore":
		if !slices.ContainsFunc(flags, func(w shellWord) bool { return w.text == "--staged" }) {
			all(useWrite, behindDashes(args, sub == "restore", files))
		}
	case "curl", "wget":
		for i, w := range args {
			if (w.text == "-o" || w.text == "-O" && name == "wget" || w.text == "--output") && i+1 < len(args) {
				f.add(useWrite, dir, args[i+1])
			}
		}
	case "cat", "less", "more", "head", "tail", "nl", "wc", "file", "stat", "diff", "cmp", "od", "xxd", "sort", "uniq":
		f.reads(files, dir)
	case "grep", "egrep", "fgrep", "rg", "ag", "awk", "jq", "cut":
		if len(files) > 1 && name != "cut" {
			f.reads(files[1:], dir) // the first is the pattern or the program
		}
	}
}

// reads adds the arguments that look like files: head -n 30 has a 30, too.
func (f *shellFacts) reads(files []shellWord, dir string) {
	for _, w := range files {
		if strings.ContainsAny(w.text, "./") && !strings.ContainsAny(w.text, "*?[") && w.text != "." && w.text != ".." {
			f.add(useRead, dir, w)
		}
	}
}

func (f *shellFacts) transfer(move bool, files []shellWord, dir string) {
	if len(files) < 2 {
		return
	}
	to := files[len(files)-1]
	for _, from := range files[:len(files)-1] {
		dest := to
		if !to.opaque && (len(files) > 2 || strings.HasSuffix(to.text, "/")) {
			dest.text = strings.TrimSuffix(to.text, "/") + "/" + path.Base(from.text)
		}
		switch {
		case !move:
			f.add(useRead, dir, from)
			f.add(useWrite, dir, dest)
		case from.opaque:
			f.add(useWrite, dir, dest)
		case dest.opaque || !plausiblePath(dest.text):
			f.add(useDelete, dir, from)
		case plausiblePath(from.text):
			f.effects = append(f.effects, fileEffect{useMove, from.text, dest.text, dir})
		}
	}
}

// inPlace: sed and perl change their files with -i, else they read them. The
// first operand is the program, unless -e or -f gave one.
func (f *shellFacts) inPlace(files, flags []shellWord, dir string) {
	use, program := useRead, true
	for _, w := range flags {
		switch {
		case strings.HasPrefix(w.text, "--in-place"):
			use = useWrite
		case strings.HasPrefix(w.text, "--expression"), strings.HasPrefix(w.text, "--file"):
			program = false
		case strings.HasPrefix(w.text, "--"):
		case strings.HasSuffix(w.text, "e") || strings.HasSuffix(w.text, "f"):
			// The program of -e is the first operand all the same.
			if strings.Contains(w.text, "i") {
				use = useWrite
			}
		case strings.Contains(w.text, "i"):
			use = useWrite
		}
	}
	if use == useWrite && len(files) > 0 && files[0].text == "" {
		files = files[1:] // sed -i '' of BSD
	}
	if program && len(files) > 0 {
		files = files[1:]
	}
	if use == useRead {
		f.reads(files, dir)
		return
	}
	f.looks = false
	for _, w := range files {
		f.add(useWrite, dir, w)
	}
}

// looks reports whether a program changes nothing, whatever its arguments (a
// redirection is looked at on its own). git stands with its verb.
func looks(program string) bool {
	switch program {
	case "cat", "less", "more", "head", "tail", "nl", "wc", "file", "stat", "diff", "cmp", "od", "xxd", "sort", "uniq",
		"grep", "egrep", "fgrep", "rg", "ag", "awk", "jq", "cut", "tr", "sed", "ls", "tree", "find", "echo", "printf",
		"pwd", "which", "type", "whereis", "test", "[", "[[", "true", "false", ":", "env", "printenv", "date", "whoami",
		"id", "uname", "ps", "df", "du", "basename", "dirname", "realpath", "readlink", "export", "set", "sleep",
		"git status", "git log", "git diff", "git show", "git branch", "git blame", "git grep", "git ls-files",
		"git rev-parse", "git remote", "git describe", "fi", "done", "esac", "for", "case":
		return true
	}
	return false
}

// leads reports whether a word only stands before the command that it runs.
func leads(word string) bool {
	switch word {
	case "sudo", "time", "nohup", "nice", "command", "exec", "builtin", "stdbuf", "timeout", "env", "then", "do", "else",
		"elif", "if", "while", "until", "!", "{":
		return true
	}
	return false
}

// stripLead takes off assignments and the words that only introduce a command.
func stripLead(words []shellWord) []shellWord {
	for len(words) > 0 {
		w := words[0]
		switch {
		case !w.quoted && assignment(w.text):
			words = words[1:]
		case w.text == "xargs":
			return nil // its files come through the pipe
		case leads(w.text) && len(words) > 1:
			words = words[1:]
			for len(words) > 1 && (strings.HasPrefix(words[0].text, "-") || w.text == "timeout" && duration(words[0].text)) {
				words = words[1:]
			}
		case w.text == "}":
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

func assignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return false
	}
	for i := range len(name) {
		c := name[i] | 0x20
		if (c < 'a' || c > 'z') && name[i] != '_' && (i == 0 || name[i] < '0' || name[i] > '9') {
			return false
		}
	}
	return true
}

func duration(s string) bool {
	return digits(strings.TrimRight(s, "smhd"))
}

func changeDir(dir string, args []shellWord) string {
	files, _ := operands(args)
	if len(files) != 1 || files[0].opaque || strings.HasPrefix(files[0].text, "~") || files[0].text == "" {
		return ""
	}
	to := files[0].text
	if !path.IsAbs(to) {
		if dir == "" {
			return ""
		}
		to = dir + "/" + to
	}
	return path.Clean(to)
}

// inner is the script of sh -c and its like.
func inner(name string, args []shellWord) (string, bool) {
	switch name {
	case "bash", "sh", "zsh", "dash", "ash", "ksh":
	default:
		return "", false
	}
	for i, w := range args {
		if !strings.HasPrefix(w.text, "-") {
			return "", false
		}
		if !strings.HasPrefix(w.text, "--") && strings.HasSuffix(w.text, "c") && i+1 < len(args) {
			return args[i+1].text, true
		}
	}
	return "", false
}

// operands sorts arguments into operands and flags; behind -- all are operands.
func operands(args []shellWord) (files, flags []shellWord) {
	for i, w := range args {
		switch {
		case w.text == "--" && !w.quoted:
			return append(files, args[i+1:]...), flags
		case len(w.text) > 1 && w.text[0] == '-':
			flags = append(flags, w)
		default:
			files = append(files, w)
		}
	}
	return files, flags
}

func gitArgs(args []shellWord) []shellWord {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		n := 1
		if args[0].text == "-C" || args[0].text == "-c" {
			n = 2
		}
		args = args[min(n, len(args)):]
	}
	return args
}

func behindDashes(args []shellWord, whole bool, files []shellWord) []shellWord {
	if i := slices.IndexFunc(args, func(w shellWord) bool { return w.text == "--" }); i >= 0 {
		return args[i+1:]
	}
	if whole {
		return files
	}
	return nil
}

// bodyArg is a patch that was given as an argument: apply_patch '*** Begin ..'.
func bodyArg(args []shellWord) string {
	for _, w := range args {
		if strings.Contains(w.text, patchMark) {
			return w.text
		}
	}
	return ""
}

// plausiblePath tells a file's name from what is none. It may hold anything:
// whether a digest can write it on a line is asked elsewhere.
func plausiblePath(s string) bool {
	const longest = 4096 // PATH_MAX
	return len(s) <= longest && strings.TrimSpace(s) != "" && s != "." && s != ".." && s != "/"
}
