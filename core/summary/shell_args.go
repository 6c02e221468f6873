package summary

import (
	"slices"
	"strings"
)

// shellArgs is the arguments of a program, sorted: an option's own argument is
// no operand, so that it never passes for a file.
type shellArgs struct {
	files   []shellWord
	letters string // of its short options
	longs   []string
	values  []optionValue
}

// optionValue is an option with the argument that it takes.
type optionValue struct {
	name string // a letter, or the long name without its dashes
	word shellWord
}

// optionTable is the options of a program that take an argument. A short one
// whose argument can only be attached (sed -i.bak) ends its word: attached.
type optionTable struct {
	short    string
	attached string
	long     string // separated by blanks; Go's flags are long with one dash
}

func optionsOf(program string) optionTable {
	switch program {
	case "truncate":
		return optionTable{short: "sr", long: "size reference"}
	case "install":
		return optionTable{short: "mogtS", long: "mode owner group target-directory suffix strip-program"}
	case "cp", "mv", "ln":
		return optionTable{short: "tS", long: "target-directory suffix"}
	case "touch":
		return optionTable{short: "dtrA", long: "date reference time"}
	case "mkdir":
		return optionTable{short: "m", long: "mode"}
	case "shred":
		return optionTable{short: "ns", long: "iterations size random-source"}
	case "sed":
		return optionTable{short: "efl", attached: "i", long: "expression file line-length"}
	case "perl":
		return optionTable{short: "eEI", attached: "iMmFC"}
	case "head", "tail":
		return optionTable{short: "nc", long: "lines bytes pid sleep-interval"}
	case "sort":
		return optionTable{short: "ktoST", long: "key field-separator output buffer-size temporary-directory"}
	case "uniq":
		return optionTable{short: "fsw"}
	case "cut":
		return optionTable{short: "dfcb", long: "delimiter fields characters bytes output-delimiter"}
	case "diff":
		return optionTable{short: "U"}
	case "stat":
		return optionTable{short: "c", long: "format"}
	case "od", "xxd":
		return optionTable{short: "ANtjlsc"}
	case "grep", "egrep", "fgrep", "rg", "ag":
		return optionTable{short: "efmABCgtT", long: "regexp file max-count after-context before-context context glob type"}
	case "awk":
		return optionTable{short: "Fvf"}
	case "jq":
		return optionTable{short: "fL", long: "from-file indent"}
	case "patch":
		return optionTable{short: "ipdoBDFgrVYz", long: "input strip directory output fuzz prefix suffix"}
	case "git checkout":
		return optionTable{short: "bB", long: "orphan conflict"}
	case "git restore":
		return optionTable{short: "s", long: "source conflict"}
	case "git apply":
		return optionTable{short: "pC", long: "directory exclude include"}
	case "gofmt", "goimports":
		return optionTable{long: "r local srcdir cpuprofile memprofile memrate trace format-only"}
	case "prettier":
		return optionTable{long: "config parser tab-width print-width ignore-path plugin log-level loglevel end-of-line prose-wrap trailing-comma config-precedence cache-location"}
	case "curl":
		return optionTable{short: "oAbcCdDeEFHKmPQrtTuUwxXyYz", long: "output header data request user-agent cookie cookie-jar form user url retry max-time connect-timeout data-raw data-binary referer proxy cacert write-out dump-header"}
	case "wget":
		return optionTable{short: "OoPUaeiBtTQwADRIXl", long: "output-document output-file directory-prefix user-agent header tries timeout post-data"}
	}
	return optionTable{}
}

// readArgs sorts the arguments of a program; behind -- all are operands.
func readArgs(program string, args []shellWord) shellArgs {
	var out shellArgs
	table := optionsOf(program)
	longs := strings.Fields(table.long)
	for i := 0; i < len(args); i++ {
		w := args[i]
		take := func(name, attached string, has bool) {
			v := w
			switch {
			case has:
				v.text = attached
			case i+1 < len(args):
				i++
				v = args[i]
			default:
				return
			}
			out.values = append(out.values, optionValue{name, v})
		}
		name, value, has := strings.Cut(strings.TrimLeft(w.text, "-"), "=")
		switch {
		case w.text == "--" && !w.quoted:
			out.files = append(out.files, args[i+1:]...)
			return out
		case len(w.text) < 2 || w.text[0] != '-':
			out.files = append(out.files, w)
		case slices.Contains(longs, name):
			take(name, value, has)
		case w.text[1] == '-':
			out.longs = append(out.longs, name)
			if has {
				out.values = append(out.values, optionValue{name, shellWord{value, w.opaque, w.quoted}})
			}
		default:
			for k := 1; k < len(w.text); k++ {
				c := w.text[k : k+1]
				out.letters += c
				if strings.Contains(table.short, c) {
					take(c, w.text[k+1:], k+1 < len(w.text))
					break
				}
				if strings.Contains(table.attached, c) {
					break
				}
			}
		}
	}
	return out
}

// flag reports whether one of these options stands among the arguments.
func (a *shellArgs) flag(letters string, longs ...string) bool {
	return strings.ContainsAny(a.letters, letters) || slices.ContainsFunc(a.longs, func(l string) bool { return slices.Contains(longs, l) })
}

// value is the argument of the first of these options that stands there.
func (a *shellArgs) value(names ...string) (shellWord, bool) {
	for _, v := range a.values {
		if slices.Contains(names, v.name) {
			return v.word, true
		}
	}
	return shellWord{}, false
}
