package summary

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// callKind sorts tool calls by what a digest says of them.
type callKind uint8

const (
	callAct   callKind = iota // does something that leaves no file name: a booking, an issue, a message
	callLook                  // only looks: a search, a fetch
	callShell                 // runs a script
	callFile                  // reads or changes files that its arguments name
	callPlan                  // writes the to-do list
)

// callFacts is what one tool call says, whatever the tool.
type callFacts struct {
	kind    callKind
	show    string // one line that names the call: the command, or tool and arguments
	short   bool   // show is only the beginning of it
	key     string // calls with one key are runs of one command
	looks   bool
	effects []fileEffect
	progs   []shellProg
	plan    []planItem
	status  bool // a shell script that prints $? itself: what looks like an exit code may be its own text
	root    jsonNode
	text    string // the script or the raw input; "" where root holds the arguments
}

// showBytes is the longest that a command is shown: a screen line or three.
const showBytes = 240

// readCall reads a call by its name and its input, JSON or raw text. Cost:
// linear in the input.
func readCall(name, input string) callFacts {
	c := callFacts{}
	root, ok := parseJSON(input)
	if ok && root.kind == 's' {
		input, ok = root.str(), false
	}
	if ok && root.kind == 'o' {
		c.root = root
	} else {
		c.text = input
	}
	n := readName(name)
	switch {
	case n.any(namePlan) && c.readPlan():
		return c
	case n.any(nameEdit) && c.readEditor():
	case n.any(nameShell) && c.readScript(n):
		return c
	case c.readPatch(n):
	case c.readFiles(n):
	default:
		c.kind = callAct
		if n.any(nameRead | nameThink) {
			c.kind, c.looks = callLook, true
		}
		c.name(name, input)
		return c
	}
	c.kind = callFile
	c.looks = !slices.ContainsFunc(c.effects, func(e fileEffect) bool { return e.use != useRead })
	c.name(name, c.effects[0].path)
	if len(c.effects) > 1 {
		c.short = true
	}
	c.key = fileKey(c.looks, c.effects[0].path)
	return c
}

// fileKey joins the calls that do one thing to one file: an edit that worked
// makes good a write that failed, a read does not.
func fileKey(looks bool, path string) string {
	if looks {
		return "read\x00" + path
	}
	return "write\x00" + path
}

func (c *callFacts) name(tool, args string) {
	line, more := firstLine(args)
	head := shorten(line, showBytes)
	c.show = strings.TrimSpace(oneLine(tool, 64) + " " + head)
	c.short = more || len(head) < len(line)
	c.key = runKey(c.show, c.short)
}

// runKey is the identity of a command: what is shown of it. Two long scripts
// that begin alike are one to the reader, so the last of them tells the outcome.
func runKey(show string, short bool) string {
	if short {
		return show + cutMark
	}
	return show
}

// oneLine is the first line of s, at most n bytes of it.
func oneLine(s string, n int) string {
	s, _ = firstLine(s)
	return shorten(s, n)
}

// The groups of words that tools of one kind have in their names.
type nameSet uint16

const (
	nameShell nameSet = 1 << iota
	nameRaw           // takes a script without JSON around it
	nameEdit
	namePatch
	nameWrite
	nameDelete
	nameMove
	nameCopy
	nameRead
	namePlan
	nameThink
)

func (n nameSet) any(m nameSet) bool { return n&m != 0 }

// readName splits a tool's name into words, at punctuation and at capitals, and
// gathers what they say. What stands before the last "__" is a server's name.
func readName(name string) nameSet {
	if i := strings.LastIndex(name, "__"); i >= 0 && i+2 < len(name) {
		name = name[i+2:]
	}
	var out nameSet
	start := 0
	for i := range len(name) {
		switch c := name[i]; {
		case (c|0x20 < 'a' || c|0x20 > 'z') && c < utf8.RuneSelf:
			out |= nameWord(name[start:i])
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start && name[i-1] >= 'a' && name[i-1] <= 'z':
			out |= nameWord(name[start:i])
			start = i
		}
	}
	return out | nameWord(name[start:])
}

func nameWord(w string) nameSet {
	if w == "" || len(w) > 32 {
		return 0
	}
	switch strings.ToLower(w) {
	case "bash", "shell", "sh", "zsh", "terminal", "powershell", "console":
		return nameShell | nameRaw
	case "exec", "execute", "run", "command", "commands", "cmd", "process":
		return nameShell
	case "edit", "editor", "str", "replace", "multiedit":
		return nameEdit | nameWrite
	case "patch", "applypatch":
		return namePatch | nameWrite
	case "diff":
		return namePatch
	case "apply", "write", "create", "insert", "append", "save", "update", "modify", "overwrite", "put", "touch", "mkdir", "new":
		return nameWrite
	case "delete", "remove", "rm", "unlink":
		return nameDelete
	case "rename", "move", "mv":
		return nameMove
	case "copy", "cp", "duplicate":
		return nameCopy
	case "read", "view", "open", "cat", "grep", "ls", "list", "glob", "search", "find", "get", "fetch", "show", "head",
		"tail", "lookup", "query", "websearch", "webfetch", "calculate", "check", "inspect", "browse":
		return nameRead
	case "plan", "todo", "todos", "todowrite", "tasks":
		return namePlan
	case "think", "thought", "reason":
		return nameThink
	}
	return 0
}

// readEditor is the tool with one name and a command inside: view, create,
// str_replace, insert, undo_edit.
func (c *callFacts) readEditor() bool {
	use := useWrite
	switch c.root.get("command", "cmd", "action", "mode").text() {
	case "view", "read", "open", "show", "list":
		use = useRead
	case "create", "str_replace", "insert", "write", "append", "edit", "replace", "undo_edit":
	case "delete", "remove":
		use = useDelete
	case "rename", "move":
		use = useMove
	default:
		return false
	}
	return c.paths(use)
}

func (n *jsonNode) text() string {
	if n == nil {
		return ""
	}
	return n.str()
}

// readScript finds the script of a shell tool: a string, an argument vector, or
// a list of scripts.
func (c *callFacts) readScript(n nameSet) bool {
	script, argv := c.text, []shellWord(nil)
	if c.root.kind == 'o' {
		node := c.root.get("command", "cmd", "cmdline", "command_line", "commands")
		if node == nil && n.any(nameRaw) {
			node = c.root.get("script", "argv", "args", "input", "code")
		}
		if node == nil {
			return false
		}
		switch {
		case node.kind == 's':
			script = node.str()
		case node.kind == 'a' && node.key == "commands":
			var lines []string
			for i := range node.kids {
				lines = append(lines, node.kids[i].str())
			}
			script = strings.Join(lines, "\n")
		case node.kind == 'a':
			for i := range node.kids {
				argv = append(argv, shellWord{text: node.kids[i].str(), quoted: true})
			}
		}
	} else if !n.any(nameRaw) {
		return false
	}
	dir := c.root.get("workdir", "cwd", "working_directory", "dir").text()
	c.kind = callShell
	c.runs(script, argv, dir)
	return c.text != ""
}

// runs reads a script, or the one command of an argument vector.
func (c *callFacts) runs(script string, argv []shellWord, dir string) {
	f := shellFacts{looks: true}
	if len(argv) > 0 {
		if s, ok := inner(argv[0].text, argv[1:]); ok {
			script, argv = s, nil
		}
	}
	if len(argv) > 0 {
		words := make([]string, len(argv))
		for i, w := range argv {
			words[i] = w.text
		}
		script = strings.Join(words, " ")
		f.run(&shellCmd{words: argv}, dir, shellDepth)
		f.looks = f.looks && f.commands > 0
	} else {
		f = readShell(script, dir)
	}
	c.text, c.effects, c.progs, c.looks = script, f.effects, f.progs, f.looks
	c.status = strings.Contains(script, "$?")
	c.name("", script)
}

// readPatch is a patch as the raw input, or as any argument.
func (c *callFacts) readPatch(n nameSet) bool {
	if c.root.kind != 'o' {
		if n.any(namePatch) || strings.HasPrefix(strings.TrimSpace(c.text), patchMark) {
			c.effects = patchEffects(c.text)
		}
		return len(c.effects) > 0
	}
	for i := range c.root.kids {
		kid := &c.root.kids[i]
		if kid.kind == 's' && (n.any(namePatch) && kid.key != "explanation" || strings.HasPrefix(kid.raw, `"`+patchMark)) {
			c.effects = append(c.effects, patchEffects(kid.str())...)
		}
	}
	return len(c.effects) > 0
}

// readFiles is a tool whose name says what it does and whose arguments name
// files.
func (c *callFacts) readFiles(n nameSet) bool {
	switch {
	case n.any(nameMove):
		return c.fromTo(true) || c.paths(useWrite)
	case n.any(nameCopy):
		return c.fromTo(false)
	case n.any(nameDelete):
		return c.paths(useDelete)
	case n.any(nameWrite):
		return c.paths(useWrite)
	case n.any(nameRead):
		return c.paths(useRead)
	}
	return false
}

func (c *callFacts) fromTo(move bool) bool {
	from := c.root.get("source", "src", "from", "old_path", "oldPath", "source_path", "from_path", "path", "file_path").text()
	to := c.root.get("destination", "dest", "dst", "to", "new_path", "newPath", "destination_path", "to_path", "target_path").text()
	if !plausiblePath(from) || !plausiblePath(to) {
		return false
	}
	if move {
		c.effects = append(c.effects, fileEffect{use: useMove, path: from, to: to})
	} else {
		c.effects = append(c.effects, fileEffect{use: useRead, path: from}, fileEffect{use: useWrite, path: to})
	}
	return true
}

// paths collects the files that the arguments name, in objects and lists too.
func (c *callFacts) paths(use fileUse) bool {
	var to string
	if use == useMove {
		if to = c.root.get("new_path", "newPath", "to", "destination", "new_name").text(); !plausiblePath(to) {
			use = useWrite
		}
	}
	var walk func(n *jsonNode, named bool)
	walk = func(n *jsonNode, named bool) {
		switch n.kind {
		case 's':
			if p := n.str(); named && plausiblePath(p) {
				c.effects = append(c.effects, fileEffect{use: use, path: p, to: to})
			}
		case 'a':
			for i := range n.kids {
				walk(&n.kids[i], named)
			}
		case 'o':
			for i := range n.kids {
				walk(&n.kids[i], pathKey(n.kids[i].key))
			}
		}
	}
	if c.root.kind == 'o' {
		walk(&c.root, false)
	}
	return len(c.effects) > 0
}

// pathKey reports whether an argument of that name holds a file's name:
// file_path, filePath, notebook_path, paths and their like.
func pathKey(key string) bool {
	if len(key) > 32 {
		return false
	}
	key = strings.ToLower(key)
	key = strings.NewReplacer("_", "", "-", "").Replace(key)
	switch key {
	case "path", "filepath", "filename", "file", "targetfile", "targetpath", "notebookpath", "absolutepath", "relativepath",
		"relativeworkspacepath", "outputpath", "outputfile", "paths", "files", "filepaths", "filenames":
		return true
	}
	return false
}
