package summary

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// quarter counts ceil(bytes/4): a counter whose figures a reader can check.
type quarter struct{}

func (quarter) Name() string       { return "quarter" }
func (quarter) ErrorP95() float64  { return 0 }
func (quarter) Count(s string) int { return (len(s) + 3) / 4 }

// CheckDigest is the four promises of a digest, checked without the code that
// makes it: with regular expressions and encoding/json, slow and plain. It
// gives one sentence for each breach. paths are the files that write-like calls
// of the folded items name, where the caller knows them; nil asks WrittenPaths.
func CheckDigest(t *transcript.Transcript, folded []int, earlier []string, text string, c tokens.Counter, budget int, paths []string) []string {
	var bad []string
	breach := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if text == "" {
		return nil
	}
	if n := c.Count(text); n > budget {
		breach("%d tokens, budget %d", n, budget)
	}
	d := parseDigest(text)
	if d.words == nil {
		return append(bad, "the first line does not say that no model wrote it: "+firstText(text))
	}
	if len(d.loose) > 0 {
		breach("a line at the margin is not ours: %q", d.loose[0])
	}
	if n := strings.Count("\n"+text+"\n", "\n"+d.words.first+"\n"); n != 1 {
		breach("%d first lines", n)
	}
	sec := section(-1)
	for line := range strings.Lines(text) {
		if s, ok := d.words.heading(strings.TrimSuffix(line, "\n")); ok {
			if s <= sec {
				breach("heading %q stands behind %q", d.words.heads[s], d.words.heads[sec])
			}
			sec = s
		}
	}
	said := slices.Clone(earlier)
	for i := range t.Items {
		if t.Items[i].RealUser() {
			said = append(said, t.Items[i].Text())
		}
	}
	users := strings.Join(said, "\x00")
	for _, b := range d.blocks {
		for _, q := range b.quotes {
			if (b.sec == secGoal || b.sec == secRules) && !strings.Contains(users, q) {
				breach("no user wrote %q", q)
			}
			if strings.ContainsFunc(q, func(r rune) bool { return r < ' ' && r != '\t' || r == '\u2028' || r == '\u2029' || r == 0x85 }) {
				breach("a quote breaks its line: %q", q)
			}
		}
	}
	if paths == nil {
		paths = WrittenPaths(t, folded)
	}
	bad = append(bad, checkPaths(&d, paths)...)
	return append(bad, checkOutcomes(&d, t, folded)...)
}

func firstText(s string) string { s, _, _ = strings.Cut(s, "\n"); return s }

var moreCount = regexp.MustCompile(`(?:^|, )(?:and (\d+) more|ほか (\d+) 件)$`)

// checkPaths: each path is named in the files section, or the lists there count
// at least as many as are missing.
func checkPaths(d *parsedDigest, paths []string) []string {
	var named []string
	more := 0
	for _, b := range d.blocks {
		if b.sec != secFiles || b.label == labRead {
			continue
		}
		list := b.values[0]
		if m := moreCount.FindStringSubmatch(list); m != nil {
			n, _ := strconv.Atoi(m[1] + m[2])
			more += n
			list = strings.TrimSuffix(list, m[0])
		}
		for _, name := range strings.Split(list, ", ") {
			if before, to, ok := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(name, ")"), "）"), " (moved to "); ok {
				named = append(named, before, to)
			} else if before, to, ok := strings.Cut(strings.TrimSuffix(name, "）"), "（移動先 "); ok {
				named = append(named, before, to)
			} else {
				named = append(named, name)
			}
		}
	}
	var missing []string
	unique := map[string]bool{}
	for _, p := range paths {
		clean := path.Clean(p)
		if unique[clean] {
			continue // ./a and a are one file
		}
		unique[clean] = true
		if !slices.ContainsFunc(named, func(n string) bool {
			return path.Clean(n) == clean || strings.HasSuffix(n, "/"+clean)
		}) {
			missing = append(missing, p)
		}
	}
	if len(missing) > more {
		return []string{fmt.Sprintf("%d paths are neither named nor counted (%d counted): %q", len(missing), more, missing)}
	}
	return nil
}

var writers = regexp.MustCompile(`(?i)^(write_file|write|edit|multiedit|notebookedit|create_file|str_replace_editor|str_replace_based_edit_tool|append_to_file|delete_file|replace)$`)

var patchFile = regexp.MustCompile(`(?m)^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$`)

var shellWrite = regexp.MustCompile(`(?m)(?:^|&& |; )cat > ([\w./-]+) <<|sed -i '[^']*' ([\w./-]+)(?:$| &&)|(?:^|&& |; )rm ([\w./-]+)(?:$| &&)`)

// WrittenPaths is the paths that the folded calls name as written, moved or
// deleted: explicit file tools, patches, and the plainest forms of a shell.
func WrittenPaths(t *transcript.Transcript, folded []int) []string {
	var out []string
	for _, i := range folded {
		for _, p := range t.Items[i].Parts {
			if p.Kind != transcript.Call {
				continue
			}
			for _, m := range patchFile.FindAllStringSubmatch(unescaped(p.Text), -1) {
				out = append(out, m[1])
			}
			var args map[string]any
			if json.Unmarshal([]byte(p.Text), &args) != nil {
				continue
			}
			if cmd, ok := args["command"].(string); ok && !writers.MatchString(p.Name) {
				for _, m := range shellWrite.FindAllStringSubmatch(cmd, -1) {
					if strings.Count(cmd, "<<") == 1 || m[1] == "" { // inside a heredoc nothing is written
						out = append(out, m[1]+m[2]+m[3])
					}
				}
			}
			if !writers.MatchString(p.Name) || args["command"] == "view" {
				continue
			}
			for _, key := range []string{"path", "file_path", "filename", "notebook_path"} {
				if s, ok := args[key].(string); ok && s != "" {
					out = append(out, s)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func unescaped(input string) string {
	var args map[string]string
	if json.Unmarshal([]byte(input), &args) != nil {
		return input
	}
	return args["input"] + "\n" + args["patch"] + "\n" + args["command"]
}

var codeForms = regexp.MustCompile(`(?mi)^\s*<returncode>(-?\d+)</returncode>|^Process exited with code (-?\d+)|^exit code:? (-?\d+)|"exit_code": ?(-?\d+)|^\[[^\]]*exit code (-?\d+)`)

// checkOutcomes: where the digest shows an exit code for a command, the last
// result of that command in the whole transcript holds that code.
func checkOutcomes(d *parsedDigest, t *transcript.Transcript, folded []int) []string {
	var bad []string
	results := map[string]string{}
	for _, i := range folded {
		for _, p := range t.Items[i].Parts {
			if p.Kind == transcript.Result {
				results[p.ID] = p.Text
			}
		}
	}
	for _, b := range d.blocks {
		if b.out.kind != ended || b.label != labOutcome && b.label != labCalled || len(b.quotes) == 0 {
			continue
		}
		shown := b.quotes
		if b.sec == secErrors {
			shown = shown[:1]
		}
		for _, q := range shown {
			last, found := "", false
			for _, i := range folded {
				for _, p := range t.Items[i].Parts {
					if p.Kind == transcript.Call && sameCommand(p.Text, q) {
						last, found = results[p.ID], true
					}
				}
			}
			if !found {
				continue // of an earlier digest
			}
			ok := false
			for _, m := range codeForms.FindAllStringSubmatch(last, -1) {
				ok = ok || strings.Join(m[1:], "") == strconv.Itoa(b.out.code)
			}
			if !ok {
				bad = append(bad, fmt.Sprintf("%q is said to have ended with %d; its last result: %.200q", q, b.out.code, last))
			}
		}
	}
	return bad
}

// sameCommand: the call's command is what the digest shows, or begins with it
// where the digest shows it in part.
func sameCommand(input, shown string) bool {
	var args struct {
		Command any `json:"command"`
		Cmd     any `json:"cmd"`
	}
	if json.Unmarshal([]byte(input), &args) != nil {
		return false
	}
	v := args.Command
	if v == nil {
		v = args.Cmd
	}
	cmd, _ := v.(string)
	if list, ok := v.([]any); ok && len(list) == 3 {
		cmd, _ = list[2].(string)
	}
	cmd = strings.TrimSpace(cmd)
	if prefix, ok := strings.CutSuffix(shown, cutMark); ok {
		return strings.HasPrefix(cmd, prefix) && cmd != prefix
	}
	return cmd == shown
}
