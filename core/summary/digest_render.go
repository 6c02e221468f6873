package summary

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// text is the page as it stands.
func (p *page) text() string {
	list := slices.Clone(p.added)
	slices.SortStableFunc(list, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.sec, b.sec), cmp.Compare(a.rank, b.rank), cmp.Compare(a.label, b.label), cmp.Compare(a.seq, b.seq))
	})
	out := []string{p.w.first}
	for s := range sections {
		n := 0
		for n < len(list) && list[n].sec == s {
			n++
		}
		mine := list[:n]
		list = list[n:]
		var body []string
		if s == secFiles {
			body = p.fileLines(mine)
		} else {
			body = p.blocks(mine)
		}
		if n > 0 || len(body) > 0 {
			if hidden := p.could[s] - p.shown(s, mine); hidden > 0 {
				body = append(body, p.moreLine(s, hidden))
			}
			if len(body) > 0 {
				out = append(append(out, p.w.heads[s]), body...)
			}
		}
	}
	return strings.Join(out, "\n")
}

// shown is how many of what a section counts stand in it: messages in the goal,
// each a block of lines, constraints there and in the goal, else entries.
func (p *page) shown(s section, list []*entry) int {
	n := 0
	switch s {
	case secGoal:
		for i := range list {
			if i == 0 || list[i-1].rank != list[i].rank {
				n++
			}
		}
	case secRules:
		for _, e := range p.rules {
			if e.on || p.told(e) {
				n++
			}
		}
	default:
		n = len(list)
	}
	return n
}

// blocks writes entries under their labels, and marks where lines of a message
// are left out.
func (p *page) blocks(list []*entry) []string {
	var out []string
	for i, e := range list {
		opens := i == 0 || list[i-1].label != e.label || list[i-1].rank != e.rank
		if opens && e.label != "" {
			out = append(out, e.label)
		}
		if e.of > 0 && (opens && e.seq > 0 || !opens && list[i-1].seq+1 < e.seq) && out[len(out)-1] != gapLine {
			out = append(out, gapLine)
		}
		if e.frame && e.label == "" {
			continue // a count, which stands at the end
		}
		out = append(out, e.body...)
		closes := i+1 == len(list) || list[i+1].label != e.label || list[i+1].rank != e.rank
		if e.short || e.of > 0 && closes && (e.seq+1 < e.of || e.torn) {
			out = append(out, gapLine)
		}
	}
	return out
}

// fileLines writes the lists: the names that have room, and how many more.
func (p *page) fileLines(list []*entry) []string {
	var out []string
	for _, s := range [...]fileState{fileChanged, fileDeleted, fileUnsure, fileRead} {
		var names []string
		seen := map[string]bool{}
		hidden := p.named[s] + p.files.more[s]
		for _, e := range list {
			if e.file.state != s {
				continue
			}
			hidden--
			// Files of two directories may have one name.
			if name := p.fileName(e.file); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		if s == fileRead && len(names) == 0 {
			continue // what was only read need not be counted
		}
		if hidden > 0 {
			names = append(names, fill(p.w.more, strconv.Itoa(hidden)))
		}
		if len(names) > 0 {
			out = append(out, p.fileLabel(s)+strings.Join(names, listComma))
		}
	}
	return out
}
