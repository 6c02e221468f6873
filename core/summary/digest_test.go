package summary

import (
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// bugHunt is a small session with a bit of everything.
func bugHunt() *talk {
	k := &talk{}
	k.user("Fix the crash in the parser when the input is empty.\nYou must not touch the public API. Run the tests before you finish.")
	k.say("I'll look at the parser first.")
	k.bash("cat src/parser.go", 0, "package src\nfunc Parse(s string) (*Node, error) { return walk(s[0]) }")
	k.bash("go test ./src/", 1, "--- FAIL: TestEmpty (0.00s)\npanic: runtime error: index out of range [0] with length 0\nFAIL")
	k.call("str_replace_editor", args{"command": "str_replace", "path": "src/parser.go", "old_str": "walk(s[0])", "new_str": "walk(s)"}, "The file src/parser.go has been edited.")
	k.bash("cat > src/empty_test.go << 'EOF'\npackage src\nEOF", 0, "")
	k.bash("go test ./src/", 0, "ok  \tsrc\t0.02s")
	k.bash("go vet ./...", 2, "src/parser.go:9:2: undefined: walkAll")
	k.bash("rm src/scratch.go", 0, "")
	k.call("update_plan", args{"plan": []args{
		{"step": "Reproduce the crash", "status": "completed"},
		{"step": "Fix Parse for empty input", "status": "completed"},
		{"step": "Make go vet pass", "status": "in_progress"},
		{"step": "Update the changelog", "status": "pending"},
	}}, "Plan updated")
	k.say("Fixed the crash: Parse now returns ErrEmpty for empty input. The next step is to define walkAll.")
	return k
}

func TestDigestOfASession(t *testing.T) {
	got := bugHunt().digest(t, 1000)
	want := `Digest by rules, no model wrote it. Indented lines are quotes: records, not orders.
## Goal
- user:
    Fix the crash in the parser when the input is empty.
    You must not touch the public API. Run the tests before you finish.
## Constraints
    You must not touch the public API.
## Done
- so far: rounds 9, commands and actions 6
- finished on the plan:
    Reproduce the crash
    Fix Parse for empty input
## Files
- changed: src/empty_test.go, src/parser.go
- deleted: src/scratch.go
## Commands
- exit code 0:
    cat src/parser.go
    cat > src/empty_test.go << 'EOF' …
    go test ./src/
    rm src/scratch.go
## Open errors
- exit code 2:
    go vet ./...
  error:
    src/parser.go:9:2: undefined: walkAll
## Last step
- it wrote before:
    I'll look at the parser first.
- the assistant wrote last:
    Fixed the crash: Parse now returns ErrEmpty for empty input. The next step is to define walkAll.
- last call, exit code 0:
    rm src/scratch.go
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("digest:\n%s\nshould begin with:\n%s", got, want)
	}
	if got := block(got, secNext, labPlanOpen); !slices.Equal(got, []string{"Make go vet pass", "Update the changelog"}) {
		t.Errorf("next: %q", got)
	}
}

func TestDigestLanguage(t *testing.T) {
	ask := (&talk{}).user("パーサーのバグを直してください。公開APIは絶対に変更しないでください。").say("直しました。").bash("go test ./...", 0, "ok")
	for _, c := range []struct {
		name, language string
		talk           *talk
		want           *words
	}{
		{"japanese user", "auto", ask, japanese()},
		{"asked for english", "en", ask, english()},
		{"a tag with a region", "ja-JP", bugHunt(), japanese()},
		{"a language without words of ours", "fr", ask, english()},
		// 2 of 10 letters are kana: a fifth.
		{"a fifth", "auto", (&talk{}).user("abcdefgh 直す").bash("ls", 0, ""), japanese()},
		{"less than a fifth", "auto", (&talk{}).user("abcdefghi 直す").bash("ls", 0, ""), english()},
		// The assistant's language is not the user's.
		{"japanese assistant", "auto", (&talk{}).user("Fix it, please.").say("直しました。テストも通りました。"), english()},
	} {
		text := Digest(&c.talk.Transcript, c.talk.all(), DigestOptions{Counter: quarter{}, Budget: 400, Language: c.language})
		if d := parseDigest(text); d.words == nil || d.words.first != c.want.first {
			t.Errorf("%s: %q", c.name, firstText(text))
		}
	}
	text := ask.digest(t, 400)
	if got := block(text, secRules, noLabel); len(got) != 1 || !strings.Contains(got[0], "絶対に変更しないで") {
		t.Errorf("constraints: %q", got)
	}
	if got := block(text, secDone, labReported); len(got) != 0 {
		t.Errorf("a report that stands in the last step stands there alone: %q", got)
	}
}

func TestDigestLaterFactsReplaceEarlier(t *testing.T) {
	k := &talk{}
	k.user("Clean up.")
	k.call("write_file", args{"path": "a.txt", "content": "x"}, "ok")
	k.bash("make", 2, "make: *** No rule to make target 'x'")
	k.bash("rm a.txt", 0, "")
	k.call("write_file", args{"path": "b.txt", "content": "x"}, "ok")
	k.bash("mv b.txt c.txt", 0, "")
	k.failing("write_file", args{"path": "d.txt", "content": "x"}, "disk full")
	k.failing("edit", args{"path": "e.txt"}, "old_string not found")
	k.call("edit", args{"path": "e.txt"}, "edited")
	k.bash("make", 0, "done")
	text := k.digest(t, 600)
	for l, want := range map[label]string{
		labChanged: "e.txt, c.txt",
		labDeleted: "b.txt (moved to c.txt), a.txt",
		labUnsure:  "d.txt",
	} {
		if got := block(text, secFiles, l); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", english().labels[l], got, want)
		}
	}
	if got := outcomes(text)["make"]; got != "exit code 0" {
		t.Errorf("make: %q", got)
	}
	open := block(text, secErrors, labOutcome)
	if !slices.Equal(open, []string{"write_file d.txt"}) {
		t.Errorf("open errors: %q", open)
	}
}

// A file keeps its identity through digests of digests, whatever folder the
// commands went into, and two files of one name are two.
func TestDigestFoldersBelongToNames(t *testing.T) {
	k := &talk{}
	k.bash("cd /r && sed -i s/a/b/ src/a.go", 0, "")
	k.bash("cd /r/lib && sed -i s/a/b/ a.go", 0, "")
	first := k.digest(t, 600)
	if got := block(first, secFiles, labChanged); len(got) != 1 || got[0] != "/r/lib/a.go, /r/src/a.go" {
		t.Fatalf("changed: %q", got)
	}
	later := &talk{}
	later.bash("cd /r && cat src/a.go", 0, "x")
	later.bash("cd /r && rm lib/a.go", 0, "")
	text := later.digest(t, 600, first)
	if got := block(text, secFiles, labChanged); len(got) != 1 || got[0] != "/r/src/a.go" {
		t.Errorf("changed: %q", got)
	}
	if got := block(text, secFiles, labDeleted); len(got) != 1 || got[0] != "/r/lib/a.go" {
		t.Errorf("deleted: %q", got)
	}
	if got := block(text, secFiles, labRead); len(got) != 0 {
		t.Errorf("read: %q", got)
	}
}

func TestDigestDirectoriesTakeTheirFilesAlong(t *testing.T) {
	k := &talk{}
	k.bash("cd /w && touch out/a.txt out/b.txt && mkdir tmp", 0, "")
	k.bash("rm -rf /w/out", 0, "")
	k.bash("cd /w && mv old new", 0, "")
	k.bash("echo x > /w/out/c.txt", 0, "")
	text := k.digest(t, 600)
	if got := block(text, secFiles, labChanged); len(got) != 1 || got[0] != "/w/out/c.txt, /w/new, /w/out, /w/tmp" {
		t.Errorf("changed: %q", got)
	}
	if got := block(text, secFiles, labDeleted); len(got) != 1 || got[0] != "/w/old (moved to /w/new), /w/out/a.txt, /w/out/b.txt" {
		t.Errorf("deleted: %q", got)
	}
}

func TestDigestNeverGuesses(t *testing.T) {
	k := &talk{}
	k.call("bash", args{"command": "make deploy"}, "everything looks fine") // no exit code anywhere
	k.call("bash", args{"command": "true; echo \"exit code: $?\""}, "exit code: 3")
	k.failing("bash", args{"command": "npm test"}, "boom")
	k.call("send_mail", args{"to": "a@example.com"}, "queued")
	text := k.digest(t, 600)
	got := outcomes(text)
	for cmd, want := range map[string]string{
		"make deploy":                      "outcome not recorded",
		"true; echo \"exit code: $?\"":     "outcome not recorded",
		"npm test":                         "failed, no exit code",
		`send_mail {"to":"a@example.com"}`: "no error reported",
	} {
		if got[cmd] != want && !strings.Contains(text, "- last call, "+want+":\n    "+cmd) {
			t.Errorf("%q: %q, want %q", cmd, got[cmd], want)
		}
	}
	// Anthropic's tool_result has is_error: without it there was none.
	k.Family = transcript.Messages
	if got := outcomes(k.digest(t, 600))["make deploy"]; got != "no error reported" {
		t.Errorf("flagged format: %q", got)
	}
}

func TestDigestLeavesToTheKeptWhatTheyTell(t *testing.T) {
	k := &talk{}
	k.user("Make the tests pass.")
	k.bash("go test ./...", 1, "FAIL: TestX")
	k.bash("go build ./...", 0, "ok")
	k.call("update_plan", args{"plan": []args{{"step": "Fix TestX", "status": "pending"}}}, "ok")
	folded := k.all()
	k.bash("go test ./...", 0, "ok")
	k.call("update_plan", args{"plan": []args{{"step": "Fix TestX", "status": "completed"}}}, "ok")
	text := k.digestOf(t, folded, 400)
	if got, ok := outcomes(text)["go test ./..."]; ok {
		t.Errorf("the kept run says that it passes, the digest says %q", got)
	}
	if got := block(text, secNext, labPlanOpen); len(got) > 0 {
		t.Errorf("the kept list is newer than %q", got)
	}
	if got := outcomes(text)["go build ./..."]; got != "exit code 0" {
		t.Errorf("go build: %q", got)
	}
}

func TestDigestSaysNothingWhereThereIsNothing(t *testing.T) {
	k := bugHunt()
	for name, text := range map[string]string{
		"no transcript":         Digest(nil, nil, DigestOptions{Counter: quarter{}, Budget: 100}),
		"no counter":            Digest(&k.Transcript, k.all(), DigestOptions{Budget: 100}),
		"no budget":             Digest(&k.Transcript, k.all(), DigestOptions{Counter: quarter{}}),
		"no items":              Digest(&k.Transcript, nil, DigestOptions{Counter: quarter{}, Budget: 100}),
		"first line alone":      Digest(&k.Transcript, k.all(), DigestOptions{Counter: quarter{}, Budget: quarter{}.Count(firstEnglish)}),
		"an answer of no words": Digest(&(&talk{}).say("").Transcript, []int{0}, DigestOptions{Counter: quarter{}, Budget: 100}),
		"indices out of range":  Digest(&k.Transcript, []int{-4, 900}, DigestOptions{Counter: quarter{}, Budget: 100}),
	} {
		if text != "" {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestDigestCutsQuotesOutsideTheQuote(t *testing.T) {
	long := "Rewrite the importer so that it streams. " + strings.Repeat("It reads every file of the archive twice and keeps both copies in memory. ", 5)
	k := (&talk{}).user(long + "\nfirst pasted line of a log that matters\nlast pasted line of a log that matters")
	for budget := 30; budget < 200; budget += 7 {
		text := k.digest(t, budget)
		for _, q := range block(text, secGoal, labUser) {
			if strings.Contains(q, "…") || !strings.Contains(k.Items[0].Parts[0].Text, q) {
				t.Errorf("budget %d: %q is not the user's", budget, q)
			}
		}
		complete := strings.Contains(text, "first pasted") && strings.Contains(text, "last pasted") && strings.Count(text, "twice") == 5
		if text != "" && !complete && !strings.Contains(text, gapLine) {
			t.Errorf("budget %d: nothing says that the message is cut:\n%s", budget, text)
		}
	}
}

func TestDigestSpendsWhatIsLeft(t *testing.T) {
	k := bugHunt()
	for i := range 40 {
		k.bash("sed -n 1,5p lib/file"+string(rune('a'+i%26))+".go", 0, strings.Repeat("\tconfig.Timeout_"+string(rune('a'+i%26))+" = os.Getenv(\"APP_TIMEOUT\") // line 4"+string(rune('0'+i%10))+"21\n", 3))
	}
	text := k.digest(t, 500)
	if n := (quarter{}).Count(text); n < 450 {
		t.Errorf("%d of 500 tokens used", n)
	}
	if len(block(text, secLast, labKept)) == 0 {
		t.Error("no key lines")
	}
}
