package summary

import (
	"path"
	"slices"
	"strings"
)

// command knows the few programs whose arguments name the files that they read
// or change.
func (f *shellFacts) command(name string, args []shellWord, c *shellCmd, dir string) {
	name, args = program(name, args)
	f.progs[len(f.progs)-1].name = name
	a := readArgs(name, args)
	all := func(use fileUse, ws []shellWord) {
		for _, w := range ws {
			f.add(use, dir, w)
		}
	}
	option := func(use fileUse, names ...string) {
		if w, ok := a.value(names...); ok {
			f.add(use, dir, w)
			f.looks = f.looks && use == useRead
		}
	}
	if !looks(name) {
		f.looks = false
	}
	switch name {
	case "rm", "unlink", "rmdir", "shred", "git rm":
		all(useDelete, a.files)
	case "touch", "mkdir", "truncate", "tee":
		all(useWrite, a.files)
		f.looks = false
	case "gofmt", "goimports":
		if a.flag("w") {
			all(useWrite, a.files)
		}
	case "prettier":
		if a.flag("w", "write") {
			all(useWrite, a.files)
		}
	case "dd":
		for _, w := range args {
			if name, ok := strings.CutPrefix(w.text, "of="); ok {
				w.text = name
				f.add(useWrite, dir, w)
			}
		}
	case "mv", "git mv", "cp", "install", "ln":
		f.transfer(name, &a, dir)
	case "sed", "perl":
		f.inPlace(&a, dir)
	case "git apply", "patch", "apply_patch", "applypatch":
		for _, e := range patchEffects(c.body + "\n" + bodyArg(args)) {
			e.dir = dir
			f.put(e)
		}
	case "git checkout", "git restore":
		if !a.flag("", "staged") {
			all(useWrite, behindDashes(args, name == "git restore", a.files))
		}
	case "curl":
		option(useWrite, "o", "output")
	case "wget":
		option(useWrite, "O", "output-document")
	case "sort":
		option(useWrite, "o", "output")
		f.reads(a.files, dir)
	case "cat", "less", "more", "head", "tail", "nl", "wc", "file", "stat", "diff", "cmp", "od", "xxd", "uniq":
		f.reads(a.files, dir)
	case "grep", "egrep", "fgrep", "rg", "ag", "awk", "jq":
		_, given := a.value("e", "f", "regexp", "file", "from-file")
		if !given && len(a.files) > 0 {
			a.files = a.files[1:] // the pattern or the program
		}
		f.reads(a.files, dir)
	}
}

// program is the program that a command runs in the end, and its arguments: git
// stands with its verb, and a runner of JavaScript packages for the package.
func program(name string, args []shellWord) (string, []shellWord) {
	switch name {
	case "git":
		args = gitArgs(args)
		if len(args) == 0 {
			return "git ", nil
		}
		return "git " + args[0].text, args[1:]
	case "npx", "pnpx", "bunx", "yarn", "pnpm", "npm":
		for i, w := range args {
			if pkg, _, _ := strings.Cut(w.text, "@"); pkg == "prettier" {
				return pkg, args[i+1:]
			}
		}
	}
	return name, args
}

// reads adds the arguments that look like files: a lone word may be anything.
func (f *shellFacts) reads(files []shellWord, dir string) {
	for _, w := range files {
		if strings.ContainsAny(w.text, "./") && !strings.ContainsAny(w.text, "*?[") && w.text != "." && w.text != ".." {
			f.add(useRead, dir, w)
		}
	}
}

func (f *shellFacts) transfer(name string, a *shellArgs, dir string) {
	from := a.files
	to, into := a.value("t", "target-directory")
	switch {
	case name == "install" && a.flag("d", "directory"):
		for _, w := range from {
			f.add(useWrite, dir, w)
		}
		return
	case into:
	case len(from) < 2:
		return
	default:
		to, from = from[len(from)-1], from[:len(from)-1]
		into = len(from) > 1 || strings.HasSuffix(to.text, "/")
	}
	for _, w := range from {
		dest := to
		if !to.opaque && into {
			dest.text = strings.TrimSuffix(to.text, "/") + "/" + path.Base(w.text)
		}
		switch {
		case !strings.HasSuffix(name, "mv"):
			f.add(useRead, dir, w)
			f.add(useWrite, dir, dest)
		case w.opaque:
			f.add(useWrite, dir, dest)
		case dest.opaque || !plausiblePath(dest.text):
			f.add(useDelete, dir, w)
		case plausiblePath(w.text):
			f.put(fileEffect{use: useMove, path: w.text, to: dest.text, dir: dir})
		}
	}
}

// inPlace: sed and perl change their files with -i, else they read them. The
// first operand is the program, unless -e or -f gave one.
func (f *shellFacts) inPlace(a *shellArgs, dir string) {
	writes := a.flag("i", "in-place")
	for _, v := range a.values {
		writes = writes || v.name == "in-place" // with a suffix
	}
	files := a.files
	if writes && len(files) > 0 && files[0].text == "" {
		files = files[1:] // sed -i '' of BSD
	}
	if _, given := a.value("e", "E", "f", "expression", "file"); !given && len(files) > 0 {
		files = files[1:]
	}
	if !writes {
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
	files := readArgs("cd", args).files
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
