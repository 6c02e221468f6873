package core_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tamp-dev/tamp/core"
)

// What users of other systems reported, as inputs of our own: what breaks there
// must be right here. A case is an archive in testdata/issues: a comment that
// says what breaks and what is right, and the steps of one session.
//
//	request.json   the request without its transcript
//	in.json        the transcript (in.jsonl: as text)
//	want.txt       what must hold of the result, a line each (issues_words_test.go)
//	request2.json  members that the second request sets anew; null takes one away
//	more2.json     elements that the output of step 1 has grown by (more2.jsonl: lines);
//	               in2.json is another transcript
//	want2.txt      what must hold of the second result: this file makes the step
//
// and so on. A step carries the state of the one before it, as a host does. In
// inputs «3 × text» stands for the text three times; a № in it is the number of
// the copy, from 1.
func TestIssues(t *testing.T) {
	files, err := filepath.Glob("testdata/issues/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata/issues: %v", err)
	}
	told := map[string]bool{}
	for _, r := range reports() {
		for _, name := range strings.Fields(r.cases) {
			told[name] = true
		}
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !told[name] {
			t.Errorf("%s stands for no report", name)
		}
		delete(told, name)
		t.Run(name, func(t *testing.T) { issueCase(t, file) })
	}
	for name := range told {
		t.Errorf("%s is not there", name)
	}
}

// Every report of the list is a case, or says why it is none.
func TestReportsAnswered(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range reports() {
		if seen[r.number] || (r.cases == "") == (r.none == "") || r.breaks == "" || r.from == "" {
			t.Errorf("%s: a report has a number of its own and what breaks, and either cases or a reason for none", r.number)
		}
		seen[r.number] = true
	}
	for n := 1; n <= 30; n++ {
		if !seen[strconv.Itoa(n)] {
			t.Errorf("report %d is missing", n)
		}
	}
}

// issueStep is one request of a session and what came of it.
type issueStep struct {
	t    *testing.T
	req  core.Request
	res  *core.CompactResult // nil where there is an error
	err  *core.Error
	want string // name of the file
}

func issueCase(t *testing.T, file string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(src)
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Error("a case says what breaks")
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		if _, twice := parts[f.Name]; twice {
			t.Fatalf("%s stands twice", f.Name)
		}
		parts[f.Name] = string(f.Data)
	}
	take := func(name string, step int) (string, bool) {
		base, ext, _ := strings.Cut(name, ".")
		if step > 1 {
			base += strconv.Itoa(step)
		}
		text, ok := parts[base+"."+ext]
		delete(parts, base+"."+ext)
		return text, ok
	}
	members := map[string]json.RawMessage{}
	var transcript []byte
	text, steps := false, 0
	for {
		steps++
		want, ok := take("want.txt", steps)
		if !ok {
			break
		}
		set, _ := take("request.json", steps)
		change(t, members, set)
		in, whole := take("in.json", steps)
		lines, isText := take("in.jsonl", steps)
		more, grown := take("more.json", steps)
		moreLines, grownLines := take("more.jsonl", steps)
		lead, want := leadOf(want)
		for pass := range lead {
			switch {
			case isText:
				transcript, text = []byte(spread(lines)), true
			case whole:
				transcript, text = []byte(spread(in)), false
			case grown:
				transcript = grow(t, transcript, spread(more))
			case grownLines:
				transcript = append(transcript[:len(transcript):len(transcript)], spread(moreLines)...)
			}
			name := fmt.Sprintf("step %d, pass %d", steps, pass+1)
			s := runStep(t, members, transcript, text, name)
			s.check(want)
			if s.res != nil {
				transcript, members["state"] = s.res.Transcript, s.res.State
			}
		}
	}
	if steps == 1 {
		t.Error("a case has want.txt")
	}
	for name := range parts {
		t.Errorf("%s belongs to no step", name)
	}
}

// leadOf is how often a step is run: "times 5" in the first line says so.
func leadOf(want string) (times int, rest string) {
	first, rest, _ := strings.Cut(want, "\n")
	if n, ok := strings.CutPrefix(first, "times "); ok {
		if times, err := strconv.Atoi(n); err == nil && times > 0 {
			return times, rest
		}
	}
	return 1, want
}

// change sets the members of a request that a step names.
func change(t *testing.T, members map[string]json.RawMessage, set string) {
	t.Helper()
	if set == "" {
		return
	}
	var named map[string]json.RawMessage
	if err := json.Unmarshal([]byte(spread(set)), &named); err != nil {
		t.Fatalf("request: %v", err)
	}
	for name, v := range named {
		if string(v) == "null" {
			delete(members, name)
		} else {
			members[name] = v
		}
	}
}

var copies = regexp.MustCompile(`«(\d+) × ([^»]*)»`)

// spread writes out the copies of a text.
func spread(text string) string {
	return copies.ReplaceAllStringFunc(text, func(m string) string {
		part := copies.FindStringSubmatch(m)
		n, err := strconv.Atoi(part[1])
		if err != nil {
			return m
		}
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(part[2], "№", strconv.Itoa(i+1)))
		}
		return b.String()
	})
}

// grow appends the elements of more to a transcript that is a list.
func grow(t *testing.T, transcript []byte, more string) []byte {
	t.Helper()
	list := bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSpace(transcript), []byte("]")), " \n")
	more = strings.TrimSpace(more)
	if !json.Valid([]byte(more)) || !strings.HasPrefix(more, "[") || !bytes.HasPrefix(list, []byte("[")) {
		t.Fatal("only a list grows, by the elements of a list")
	}
	return fmt.Appendf(nil, "%s,%s", list, more[1:])
}

func runStep(t *testing.T, members map[string]json.RawMessage, transcript []byte, text bool, name string) *issueStep {
	t.Helper()
	all := maps.Clone(members)
	var err error
	if all["transcript"] = transcript; text {
		if all["transcript"], err = json.Marshal(string(transcript)); err != nil {
			t.Fatal(err)
		}
	}
	var body bytes.Buffer // encoding/json would compact the transcript
	sep := byte('{')
	for _, k := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&body, "%c%q:%s", sep, k, all[k])
		sep = ','
	}
	body.WriteByte('}')
	s := &issueStep{t: t, want: name}
	if s.req, err = core.DecodeRequest(body.Bytes()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if s.res, err = core.Compact(s.req); err != nil {
		if !errors.As(err, &s.err) {
			t.Fatalf("%s: %v", name, err)
		}
		s.res = nil
		return s
	}
	if s.req.Repair { // fates and places are those of the mended transcript
		s.req.Transcript, s.req.Repair = mended(t, s.req), false
	}
	holds(t, s.req, s.res)
	return s
}

// mended is the transcript of a request as a repair leaves it.
func mended(t *testing.T, req core.Request) []byte {
	t.Helper()
	req.Policy, req.Force = []byte(`{"preset":"balanced","triggers":[]}`), false
	res, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	return res.Transcript
}

// check looks at each line of a want file.
func (s *issueStep) check(want string) {
	s.t.Helper()
	checked := 0
	for n, line := range strings.Split(want, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		checked++
		words, err := wordsOf(line)
		if err == nil {
			err = s.assert(words)
		}
		if err != nil {
			s.t.Errorf("%s, line %d: %s: %v", s.want, n+1, line, err)
		}
	}
	if checked == 0 {
		s.t.Errorf("%s: nothing is wanted", s.want)
	}
	if s.t.Failed() && s.res != nil {
		s.t.Logf("%s:\n%s", s.want, planTable(s.res))
	}
	if s.t.Failed() && s.err != nil {
		s.t.Logf("%s: %v", s.want, s.err)
	}
}

// wordsOf are the words of a line; quoted ones are Go strings.
func wordsOf(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '"' {
			word, rest, _ := strings.Cut(line, " ")
			words, line = append(words, word), rest
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, err
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words, line = append(words, word), line[len(quoted):]
	}
	return words, nil
}
