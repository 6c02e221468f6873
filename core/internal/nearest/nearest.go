// Package nearest finds the name that somebody probably meant, for errors that
// ask "did you mean".
package nearest

import "strings"

// Name is the name that was probably meant, or "": the least edit distance
// after case, underscores and hyphens are put aside, so that triggerRounds and
// trigger-rounds find trigger_rounds. Of equal distances the first wins, names
// of this place before deeper ones. One edit is always near enough, else a
// third of the longer name. A point in a name parts where it stands from what
// it is called. Cost: a name of more than 40 bytes is not looked at, so the work
// for each name is bounded.
func Name(name string, here, deeper []string) string {
	if len(name) > longest {
		return ""
	}
	from := fold(name)
	best, found := len(name)+longest, ""
	for _, list := range [][]string{here, deeper} {
		for _, label := range list {
			word := fold(label[strings.LastIndexByte(label, '.')+1:])
			d := distance(from, word)
			if d < best && (d <= 1 || 3*d <= max(len(from), len(word))) {
				best, found = d, label
			}
		}
	}
	return found
}

// longest is the longest name that is looked at.
const longest = 40

func fold(s string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
}

// distance is the Damerau-Levenshtein distance of two names in bytes, in the
// restricted form (no edit inside a pair that was swapped): insertions,
// deletions, substitutions and swaps of neighbours cost 1 each. Cost: the
// product of the lengths.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
