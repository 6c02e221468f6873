package summary

import (
	"path"
	"slices"
	"strings"
)

// confirmed says of each effect of a call whether the record bears it out. An
// exit code of 0 vouches for the last list of commands joined by && alone: for
// all before it, and where there is no code, the output must show no complaint.
// Cost: linear in the output's ends and the script.
func (c *callFacts) confirmed(o outcome, output string) []bool {
	sure := make([]bool, len(c.effects))
	if o.bad() {
		return sure
	}
	if c.kind != callShell {
		for i := range sure {
			sure[i] = true
		}
		return sure
	}
	if refused(output) && o.kind != ended {
		return sure
	}
	var said []string
	var bad []bool // by command
	for i := range c.effects {
		e := &c.effects[i]
		switch vouched := e.last && o.kind != unknown; {
		case e.doubt == doubtNever:
			continue
		case vouched:
			sure[i] = true
			continue
		case e.doubt == doubtTested:
			continue
		}
		if bad == nil {
			said = shellComplaints(output)
			bad = make([]bool, len(c.progs))
			for k := range c.progs {
				bad[k] = slices.ContainsFunc(said, c.progs[k].complains)
			}
		}
		sure[i] = !bad[e.prog] && !slices.ContainsFunc(said, e.complained)
	}
	return sure
}

// The words of those who could not do what they were told to a file.
var fileTrouble = [...]string{
	"no such file", "permission denied", "not permitted", "read-only file", "is a directory", "not a directory",
	"no space left", "cannot create", "cannot overwrite", "cannot stat", "cannot open", "can't open", "can't read",
	"cannot remove", "cannot move", "cannot touch", "file exists", "failed to open", "couldn't open",
}

// shellComplaints is the lines of an output that could be a complaint of a
// program or a shell: at most 32 of them, and no longer than 300 bytes.
func shellComplaints(output string) []string {
	const most, longest = 32, 300
	if len(output) > 2*tellingBytes {
		output = output[:tellingBytes] + "\n" + output[len(output)-tellingBytes:]
	}
	var out []string
	eachLine(plain(output), func(line string) bool {
		if strings.Contains(line, ": ") || complaint(line) > 0 {
			out = append(out, line[:min(len(line), longest)])
		}
		return len(out) < most
	})
	return out
}

// complains reports whether a line is a complaint of this command: it begins
// with the program's name, behind the shell's, and names no other's argument.
func (p *shellProg) complains(line string) bool {
	for _, shell := range [...]string{"bash: ", "sh: ", "zsh: ", "dash: "} {
		if i := strings.Index(line, shell); i >= 0 && !strings.ContainsAny(line[:i], " ") {
			line = line[i+len(shell):]
			if strings.HasPrefix(line, "cd: ") || strings.Contains(line, " cd: ") || strings.Contains(line, "syntax error") {
				return true // nothing behind it is where it should be
			}
			if rest, ok := strings.CutPrefix(line, "line "); ok {
				_, line, _ = strings.Cut(rest, ": ")
			} else if n, rest, ok := strings.Cut(line, ": "); ok && digits(n) {
				line = rest
			}
			break
		}
	}
	lower := strings.ToLower(line)
	name := p.name
	switch {
	case name == "":
		return false
	case strings.HasPrefix(name, "git "):
		return strings.HasPrefix(lower, "fatal: ") || strings.HasPrefix(lower, "error: ")
	case strings.Contains(name, "patch"):
		return strings.Contains(lower, " failed") || strings.HasPrefix(lower, name+": ") || strings.Contains(lower, "malformed")
	case name == "prettier":
		return strings.HasPrefix(lower, "[error] ")
	case name == "wget":
		return strings.Contains(lower, "error 4") || strings.Contains(lower, "error 5") || strings.HasPrefix(lower, "wget: ") || strings.Contains(lower, "failed:")
	case name == "gofmt", name == "goimports":
		file, _, ok := strings.Cut(line, ".go:")
		return ok && slices.ContainsFunc(p.words, func(w shellWord) bool { return w.text == file+".go" }) || strings.HasPrefix(line, name+": ")
	}
	i := strings.Index(line, name+": ")
	if i != 0 && (i < 1 || line[i-1] != '/' || strings.Contains(line[:i], " ")) {
		return false
	}
	quoted := quotedName(line[i+len(name):])
	return quoted == "" || slices.ContainsFunc(p.words, func(w shellWord) bool { return w.opaque || strings.Contains(w.text, quoted) })
}

// quotedName is what stands between the first quotes of a line.
func quotedName(line string) string {
	for _, q := range [...][2]string{{"'", "'"}, {"‘", "’"}, {"`", "'"}, {"\"", "\""}} {
		if _, rest, ok := strings.Cut(line, q[0]); ok {
			if name, _, ok := strings.Cut(rest, q[1]); ok {
				return name
			}
		}
	}
	return ""
}

// complained reports whether a line says of this very file that something went
// wrong with it.
func (e *fileEffect) complained(line string) bool {
	if !namesFile(line, e.path) && !namesFile(line, path.Base(e.path)) && (e.to == "" || !namesFile(line, e.to)) {
		return false
	}
	lower := strings.ToLower(line)
	return slices.ContainsFunc(fileTrouble[:], func(s string) bool { return strings.Contains(lower, s) })
}

// namesFile reports whether a name stands in a line, and not inside of a word.
func namesFile(line, name string) bool {
	for from := 0; from < len(line); {
		i := strings.Index(line[from:], name)
		if i < 0 || name == "" {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || !idByte(line[i-1]) && line[i-1] != '-') && (end == len(line) || !idByte(line[end]) && line[end] != '-') {
			return true
		}
		from = i + 1
	}
	return false
}
