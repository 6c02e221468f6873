package summary

import "strings"

// outcome is how a call ended, as far as the record tells. It is never guessed:
// where nothing is written down, it is unknown.
type outcome struct {
	kind outcomeKind
	code int // of ended
}

type outcomeKind uint8

const (
	unknown outcomeKind = iota
	ended               // with an exit code
	failed              // marked as an error, without a code
	fine                // no error reported, by a tool or format that reports them
)

func (o outcome) bad() bool { return o.kind == failed || o.kind == ended && o.code != 0 }

// edgeBytes is how much of the beginning and of the end of a result is searched
// for an exit code: what stands between is the program's own text.
const edgeBytes = 600

// readOutcome reads how a call ended from its result's text, and gives the
// output without the envelope. flagged: the format marks errors, so that no
// mark says no error.
func readOutcome(text string, marked, flagged bool, c *callFacts) (outcome, string) {
	code, found, output := exitCode(text, c.status)
	edits := c.kind == callFile && !c.looks
	o := outcome{unknown, 0}
	switch {
	case found && c.kind == callShell:
		o = outcome{ended, code}
		if marked && code == 0 {
			o = outcome{failed, 0}
		}
	case marked:
		o.kind = failed
	case c.kind == callShell && !flagged:
	case edits && (found && code != 0 && len(output) < len(text) || complains(text) || refused(output)):
		o.kind = failed // a code counts where it stands in an envelope
	case c.kind != callShell && (!c.looks || !flagged) && complains(output):
		o.kind = failed
	default:
		o.kind = fine
	}
	return o, output
}

// exitCode looks for an exit code where harnesses write one: in the members of
// a JSON envelope, in a tag, in the lines above the output, in a last line.
// own: the script prints a status itself, so a bare line proves nothing.
func exitCode(text string, own bool) (code int, found bool, output string) {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(trimmed, "{") {
		if root, ok := parseJSON(trimmed); ok {
			return envelopeCode(&root, text)
		}
	}
	if rest, ok := strings.CutPrefix(trimmed, "<returncode>"); ok {
		if code, found = number(rest); found {
			if _, body, ok := strings.Cut(rest, "<output>"); ok {
				output = strings.TrimSuffix(strings.TrimSpace(body), "</output>")
			}
			return code, true, output
		}
	}
	head := text[:min(len(text), edgeBytes)]
	code, found, body := headCode(head)
	if body > 0 { // a header closed by "Output:": a code can only stand in it
		return code, found, text[body:]
	}
	if own {
		return 0, false, text
	}
	if !found {
		code, found = tailCode(text[max(0, len(text)-edgeBytes):])
	}
	return code, found, text
}

func envelopeCode(root *jsonNode, text string) (code int, found bool, output string) {
	output = text
	if n := root.get("output", "stdout", "result", "content"); n != nil && n.kind == 's' {
		output = n.str()
		if e := root.get("stderr").text(); e != "" {
			output += "\n" + e
		}
	}
	if root.get("output", "stdout", "stderr", "metadata") == nil {
		return 0, false, output // a file of JSON that was printed
	}
	for _, n := range []*jsonNode{root.get("metadata"), root} {
		if n == nil {
			continue
		}
		if v := n.get("exit_code", "exitCode", "returncode", "return_code", "exit_status"); v != nil {
			if code, found = number(strings.Trim(v.raw, `"`)); found {
				return code, true, output
			}
		}
	}
	return 0, false, output
}

// headCode reads the first lines up to "Output:"; body is where the output
// starts behind such a line, 0 without one.
func headCode(head string) (code int, found bool, body int) {
	at, lines := 0, 0
	for line := range strings.Lines(head) {
		at += len(line)
		l := strings.TrimSpace(line)
		if l == "Output:" {
			return code, found, at
		}
		if lines++; lines > 8 {
			break
		}
		if c, ok := lineCode(l); ok && !found && lines <= 3 {
			code, found = c, true
		} else if ok && !found && strings.HasPrefix(l, "Process exited") {
			code, found = c, true
		}
	}
	return code, found, 0
}

// tailCode reads the last lines, the last one first.
func tailCode(tail string) (int, bool) {
	for range 6 {
		tail = strings.TrimRight(tail, " \t\r\n")
		i := strings.LastIndexByte(tail, '\n')
		if code, ok := lineCode(strings.TrimSpace(tail[i+1:])); ok {
			return code, true
		}
		if i < 0 {
			break
		}
		tail = tail[:i]
	}
	return 0, false
}

// lineCode reads a line that says nothing but an exit code: "Exit code: 1",
// "Process exited with code 0", "[exit code 1]", "exit_code=0".
func lineCode(line string) (int, bool) {
	const longest = 120
	if len(line) == 0 || len(line) > longest {
		return 0, false
	}
	bracket := line[0] == '[' && line[len(line)-1] == ']' || line[0] == '(' && line[len(line)-1] == ')'
	l := strings.ToLower(strings.Trim(line, "[]()"))
	for _, mark := range [...]string{"exit code", "exit_code", "exitcode", "return code", "returncode", "exited with code", "exit status"} {
		i := strings.Index(l, mark)
		if i < 0 {
			continue
		}
		lead := strings.TrimSpace(l[:i])
		switch {
		case bracket:
		case mark == "exit status": // a program's own last words, too
			return 0, false
		case lead != "" && lead != "process" && lead != "command" && lead != "the command" && lead != "shell":
			return 0, false
		}
		rest := strings.TrimLeft(l[i+len(mark):], " \t:=")
		code, ok := number(rest)
		if !ok {
			return 0, false
		}
		end := strings.TrimLeft(strings.TrimPrefix(rest, "-"), "0123456789")
		if !bracket && strings.Trim(end, ". ") != "" {
			return 0, false
		}
		return code, true
	}
	return 0, false
}

// tellingBytes is how much of either end of a failed call's output is searched
// for the line that tells why: longer logs repeat themselves.
const tellingBytes = 32 << 10

// telling is the lines of a failed call's output that say most about why: at
// most two, each a whole line or its beginning.
func telling(output string) []string {
	if len(output) > 2*tellingBytes {
		output = output[:tellingBytes] + "\n" + output[len(output)-tellingBytes:]
	}
	var best, second, last string
	bestScore := 0
	eachLine(plain(output), func(line string) bool {
		last = line
		score := complaint(line)
		// A Python traceback ends with what was raised, a compiler begins with
		// the first error: of the strongest kind the last counts, else the first.
		if score > bestScore || score == raised && bestScore == raised {
			if bestScore > 0 {
				second = best
			}
			best, bestScore = line, score
		} else if score >= 2 && second == "" {
			second = line
		}
		return true
	})
	if bestScore == 0 {
		best = last
	}
	var out []string
	for _, line := range []string{best, second} {
		if line != "" && (len(out) == 0 || line != best) {
			out = append(out, shorten(line, showBytes))
		}
	}
	return out
}

// raised is the complaint of a line that names the exception that was raised.
const raised = 3

// complaint is how much a line says about a failure, 0 to raised.
func complaint(line string) int {
	head := line
	if len(head) > 400 {
		head = head[:400]
	}
	if i := strings.Index(head, ": "); i > 0 && !strings.ContainsAny(head[:i], " \t(") &&
		(strings.HasSuffix(head[:i], "Error") || strings.HasSuffix(head[:i], "Exception")) {
		return raised
	}
	lower := strings.ToLower(head)
	for _, word := range [...]string{"error:", "error[", "error ", "fatal:", "panic:", "--- fail", "assertionerror", "exception:", "エラー"} {
		if strings.Contains(lower, word) {
			return 2
		}
	}
	if strings.HasPrefix(head, "FAILED ") || strings.HasPrefix(head, "E  ") {
		return 2
	}
	for _, word := range [...]string{
		"failed", "failure", "not found", "no such file", "denied", "undefined", "cannot ", "can't ",
		"unexpected", "invalid", "refused", "timed out", "unknown", "失敗",
	} {
		if strings.Contains(lower, word) {
			return 1
		}
	}
	return 0
}
