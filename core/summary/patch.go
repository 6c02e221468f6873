package summary

import "strings"

// fileUse is what a call does to a file.
type fileUse uint8

const (
	useRead fileUse = iota
	useWrite
	useDelete
	useMove
)

// fileEffect is one thing that a call does to one file: path as the call
// names it, and for a move the place that it goes to. dir is the directory that
// relative names start from, "" where the call does not say.
type fileEffect struct {
	use      fileUse
	path, to string
	dir      string
	// Of a shell's: which command of the script does it, and how far an exit
	// code of the whole script tells that it was done.
	prog  int
	list  int
	doubt doubt
	last  bool
}

const patchMark = "*** Begin Patch"

// patchEffects reads the files that a patch names: an apply_patch envelope, or
// a unified diff. Text that is neither gives nothing. Cost: one pass.
func patchEffects(text string) []fileEffect {
	if _, envelope, ok := strings.Cut(text, patchMark); ok {
		return envelopeEffects(envelope)
	}
	return unifiedEffects(text)
}

func envelopeEffects(text string) []fileEffect {
	var out []fileEffect
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "*** ")
		if !ok {
			continue
		}
		verb, name, ok := strings.Cut(rest, ": ")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			continue
		}
		switch verb {
		case "Add File", "Update File":
			out = append(out, fileEffect{use: useWrite, path: name})
		case "Delete File":
			out = append(out, fileEffect{use: useDelete, path: name})
		case "Move to":
			if n := len(out) - 1; n >= 0 && out[n].use == useWrite {
				out[n].use, out[n].to = useMove, name
			}
		}
	}
	return out
}

func unifiedEffects(text string) []fileEffect {
	var out []fileEffect
	var old, from string
	var haveOld bool
	oldLeft, newLeft := 0, 0 // lines that the hunk still has
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if oldLeft > 0 || newLeft > 0 {
			switch {
			case strings.HasPrefix(line, "-"):
				oldLeft--
				continue
			case strings.HasPrefix(line, "+"):
				newLeft--
				continue
			case line == "" || line[0] == ' ':
				oldLeft--
				newLeft--
				continue
			case line[0] == '\\': // "\ No newline at end of file"
				continue
			}
			oldLeft, newLeft = 0, 0 // the counts were wrong
		}
		switch {
		case strings.HasPrefix(line, "--- "):
			old, haveOld = diffName(line[4:]), true
			continue
		case strings.HasPrefix(line, "+++ ") && haveOld:
			out = appendDiff(out, old, diffName(line[4:]))
		case strings.HasPrefix(line, "@@ -"):
			oldLeft, newLeft = hunkSize(line)
		case strings.HasPrefix(line, "rename from "):
			from = line[len("rename from "):]
		case strings.HasPrefix(line, "rename to ") && from != "":
			out = append(out, fileEffect{use: useMove, path: from, to: line[len("rename to "):]})
			from = ""
		}
		haveOld = false
	}
	return out
}

// diffName is the name of a --- or +++ line: what follows a tab is its time.
func diffName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	return strings.TrimSpace(s)
}

func appendDiff(out []fileEffect, old, name string) []fileEffect {
	const none = "/dev/null"
	before, hasA := strings.CutPrefix(old, "a/")
	after, hasB := strings.CutPrefix(name, "b/")
	if (hasA || old == none) && (hasB || name == none) {
		old, name = before, after
	}
	switch {
	case name == none && old == none, name == "" || old == "":
		return out
	case name == none:
		return append(out, fileEffect{use: useDelete, path: old})
	}
	if n := len(out) - 1; n >= 0 && out[n].use == useMove && out[n].to == name {
		return out // the rename was told already
	}
	return append(out, fileEffect{use: useWrite, path: name})
}

// hunkSize reads the line counts of "@@ -a,b +c,d @@"; a count left out is 1.
func hunkSize(line string) (oldLines, newLines int) {
	count := func(field string) int {
		_, n, ok := strings.Cut(field, ",")
		if !ok {
			return 1
		}
		v, _ := number(n)
		return v
	}
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0
	}
	return count(fields[1]), count(fields[2])
}

// number reads the decimal number that s begins with, with its sign. Nine
// digits at most: no exit code and no line count is longer.
func number(s string) (int, bool) {
	i, v, sign := 0, 0, 1
	if strings.HasPrefix(s, "-") {
		i, sign = 1, -1
	}
	start := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' && i-start < 9 {
		v = v*10 + int(s[i]-'0')
		i++
	}
	return sign * v, i > start
}
