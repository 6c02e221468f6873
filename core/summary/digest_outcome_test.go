package summary

import (
	"slices"
	"strings"
	"testing"
)

func TestReadOutcome(t *testing.T) {
	shell, tool := &callFacts{kind: callShell}, &callFacts{kind: callAct}
	own := &callFacts{kind: callShell, status: true} // prints $? itself
	exit := func(code int) outcome { return outcome{ended, code} }
	for _, c := range []struct {
		name, text string
		marked     bool
		flagged    bool
		call       *callFacts
		want       outcome
		output     string // "" is the text itself
	}{
		{"tag", "<returncode>2</returncode>\n<output>\nboom\n</output>", false, false, shell, exit(2), "boom\n"},
		{"header", "Exit code: 1\nWall time: 1.2 seconds\nOutput:\nFAILED", false, false, shell, exit(1), "FAILED"},
		{"unified exec", "Chunk ID: 7\nWall time: 0.1 s\nProcess exited with code 0\nOriginal token count: 9\nOutput:\nexit code: 4", false, false, shell, exit(0), "exit code: 4"},
		{"still running", "Wall time: 9 s\nProcess running with session ID 12\nOutput:\nexit code: 4", false, false, shell, outcome{}, "exit code: 4"},
		{"envelope", `{"output": "a\nb", "metadata": {"exit_code": 127, "duration_seconds": 0.1}}`, false, false, shell, exit(127), "a\nb"},
		{"flat envelope", `{"stdout": "a", "stderr": "b", "return_code": -9}`, false, false, shell, exit(-9), "a\nb"},
		{"trailer", "lots\nof output\n[The command completed with exit code 1.]\n[Current working directory: /w]", false, false, shell, exit(1), ""},
		{"bracket", "x\n[exit code 3]", false, false, shell, exit(3), ""},
		{"last line", "x\n\nCommand exited with code 3\n", false, false, shell, exit(3), ""},
		{"lines below", "Output: x\nError: (none)\nExit Code: 0\nSignal: 0", false, false, shell, exit(0), ""},
		{"first line and mark", "Exit code 1\nboom", true, true, shell, exit(1), ""},
		{"mark alone", "boom", true, true, shell, outcome{kind: failed}, ""},
		{"mark against code", "Exit code: 0\nOutput:\nx", true, false, shell, outcome{kind: failed}, "x"},
		{"nothing", "all is well", false, false, shell, outcome{}, ""},
		{"nothing, in a format with marks", "all is well", false, true, shell, outcome{kind: fine}, ""},
		{"in prose", "the exit code 7 means x", false, false, shell, outcome{}, ""},
		{"a program's last words", "x\nexit status 1", false, false, shell, outcome{}, ""},
		{"printed by the script", "exit code: 3", false, false, own, outcome{}, ""},
		{"printed by the script, in a tag", "<returncode>0</returncode><output>exit code: 3</output>", false, false, own, exit(0), "exit code: 3"},
		{"in the middle of much", strings.Repeat("line of output\n", 100) + "exit code: 3\n" + strings.Repeat("line of output\n", 100), false, false, shell, outcome{}, ""},
		{"no number", "Exit code: none", false, false, shell, outcome{}, ""},
		{"tool", "done", false, false, tool, outcome{kind: fine}, ""},
		{"tool, a code is no exit code", "exit code: 3", false, false, tool, outcome{kind: fine}, ""},
		{"tool complains", "Error: no such user", false, false, tool, outcome{kind: failed}, ""},
		{"tool complains in JSON", `{"error": "no such user"}`, false, false, tool, outcome{kind: failed}, ""},
		{"no error in JSON", `{"error": null, "id": 7}`, false, false, tool, outcome{kind: fine}, ""},
		{"no success", `{"success": false}`, false, false, tool, outcome{kind: failed}, ""},
		{"an error further down", "Found 1 file\nerror.go", false, false, tool, outcome{kind: fine}, ""},
		{"empty", "", false, false, shell, outcome{}, ""},
	} {
		got, output := readOutcome(c.text, c.marked, c.flagged, c.call)
		want := c.output
		if want == "" {
			want = c.text
		}
		if got != c.want || output != want {
			t.Errorf("%s: got %v %q, want %v %q", c.name, got, output, c.want, want)
		}
	}
}

func TestTelling(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"traceback":  {"Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nKeyError: 'a'\n\nDuring handling:\nValueError: bad id 42", []string{"ValueError: bad id 42", "KeyError: 'a'"}},
		"compiler":   {"src/a.c:3:5: error: 'x' undeclared\nsrc/a.c:9:1: error: expected ';'\nmake: failed", []string{"src/a.c:3:5: error: 'x' undeclared", "src/a.c:9:1: error: expected ';'"}},
		"colours":    {"\x1b[31merror: \x1b[1mboom\x1b[0m", []string{"error: boom"}},
		"no hint":    {"one\ntwo\nthree", []string{"three"}},
		"weak hint":  {"starting\ncat: x: No such file or directory\nbye", []string{"cat: x: No such file or directory"}},
		"nothing":    {"", nil},
		"a long log": {"error: first\n" + strings.Repeat("noise\n", 50_000) + "bye", []string{"error: first"}},
	} {
		if got := telling(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
