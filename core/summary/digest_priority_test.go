package summary

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// With next to no room the goal's first line comes before everything but the
// first line and the counts of files.
func TestDigestGoalInATinyBudget(t *testing.T) {
	k := &talk{}
	k.user("Port the billing module from floats to decimals and keep every existing test green while you do it.")
	for i := range 5 {
		k.call("write_file", args{"path": fmt.Sprintf("billing/file%d.go", i), "content": "x"}, "ok")
	}
	k.bash("go test ./billing/", 0, "ok")
	for budget := 60; budget < 90; budget += 3 {
		text := Digest(&k.Transcript, k.all(), DigestOptions{Counter: tokens.Estimate(), Budget: budget})
		for _, b := range CheckDigest(&k.Transcript, k.all(), nil, text, tokens.Estimate(), budget, nil) {
			t.Errorf("budget %d: %s", budget, b)
		}
		goal := block(text, secGoal, labUser)
		if len(goal) != 1 || !strings.HasPrefix(goal[0], "Port the billing") {
			t.Errorf("budget %d: goal %q in\n%s", budget, goal, text)
		}
	}
}

// ruleTalk is a task with rules, and work whose output would fill any budget.
func ruleTalk(rules ...string) *talk {
	k := (&talk{}).user("Port the importer to streams." + "\n" + strings.Join(rules, "\n"))
	return k.noise(0)
}

func (k *talk) noise(seed int) *talk {
	for i := range 30 {
		n := strconv.Itoa(seed*100 + i)
		k.say("Reading module " + n + " of the importer, whose parser keeps state in ctx_" + n + " between calls.")
		k.bash("sed -n 1,80p lib/mod_"+n+".go", 0, strings.Repeat("cfg.Timeout_"+n+" = os.Getenv(\"APP_"+n+"\") // line "+n+"21\n", 4))
		k.call("write_file", args{"path": "lib/out_" + n + ".go", "content": "x"}, "ok")
	}
	return k
}

// says reports whether the goal or the constraints of a digest hold a sentence.
func says(text, sentence string) bool {
	return slices.ContainsFunc(append(block(text, secGoal, labUser), block(text, secRules, noLabel)...), func(q string) bool { return strings.Contains(q, sentence) })
}

// What an earlier digest carries ranks with what was said since: six
// compactions in a row, of which only the first saw the user.
func TestDigestGoalAndConstraintsLiveOn(t *testing.T) {
	for _, budget := range []int{150, 250, 600, 1500} {
		text := ruleTalk("Never push to main.", "Do not add dependencies. The tests live in lib/test.").digest(t, budget)
		for n := 1; n <= 6; n++ {
			text = (&talk{}).noise(n).digest(t, budget, text)
			for _, s := range []string{"Port the importer to streams.", "Never push to main.", "Do not add dependencies."} {
				if !says(text, s) {
					t.Fatalf("budget %d: %q is gone after %d more compactions:\n%s", budget, s, n, text)
				}
			}
		}
	}
}

func TestDigestConstraintsBeforeWhatFills(t *testing.T) {
	var rules []string
	for i := range 7 {
		rules = append(rules, fmt.Sprintf("Never touch the table accounts_%d in any migration.", i))
	}
	k := ruleTalk(rules...)
	text := k.digest(t, 600) // seven of 13 tokens each are less than a third
	for _, r := range rules {
		if !says(text, r) {
			t.Errorf("%q is gone", r)
		}
	}
	// In 240, at most a third is for them; the rest is counted, and comes before
	// all that only fills.
	text = k.digest(t, 240)
	listed := len(block(text, secRules, noLabel))
	if want := fmt.Sprintf("- and %d more\n", 7-listed); listed < 4 || listed == 7 || !strings.Contains(text, want) {
		t.Errorf("%d listed, want at least 4 and %q:\n%s", listed, want, text)
	}
	// The count lives on: what was counted once is counted again.
	again := (&talk{}).say("Waiting.").digest(t, 1000, text)
	if want := fmt.Sprintf("- and %d more\n", 7-listed); !strings.Contains(again, want) || len(block(again, secRules, noLabel)) != listed {
		t.Errorf("want %q in:\n%s", want, again)
	}
}

func TestDigestListsOnlyRules(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"parse パッケージのテストを通してください。生成されたファイルは絶対に変更しないでください。", []string{"生成されたファイルは絶対に変更しないでください。"}},
		{"The import is slow. Never drop the index. It was built last week.", []string{"Never drop the index."}},
		{"Never drop the index.", nil}, // the goal quotes this line whole
		{"Why is it never called?", nil},
		{"I don't know why the file is not found. The build cannot open it.", nil},
		{"Could you please never rename a column? Thanks for all.", []string{"Could you please never rename a column?"}},
		{"Tidy up. Writing outside of src/ is not allowed.", []string{"Writing outside of src/ is not allowed."}},
	} {
		text := (&talk{}).user(c.text).bash("go test ./...", 0, "ok").digest(t, 600)
		if got := block(text, secRules, noLabel); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Half a sentence may say the opposite: a quote that was cut gives no rule.
func TestDigestReadsNoRuleFromAHalf(t *testing.T) {
	earlier := firstEnglish + "\n## Goal\n- user:\n    Keep it small. Never push to main\n" + gapLine + "\n## Next\n- in the assistant's words:\n    Go on."
	r := gather(&transcript.Transcript{}, nil, []string{earlier})
	if len(r.rules) != 1 || r.rules[0].text != "Keep it small." {
		t.Errorf("%+v", r.rules)
	}
	r = gather(&transcript.Transcript{}, nil, []string{strings.Replace(earlier, gapLine+"\n", "", 1)})
	if len(r.rules) != 2 || r.rules[1].text != "Never push to main" {
		t.Errorf("%+v", r.rules)
	}
}

func TestDigestCountsOnlyWhatItKnows(t *testing.T) {
	const counts = "- so far: "
	work := func() *talk { return (&talk{}).user("Go on.").bash("make", 0, "ok") }
	digest := work().digest(t, 400)
	if !strings.Contains(digest, "- so far: rounds 1, commands and actions 1\n") {
		t.Fatal(digest)
	}
	without := strings.Replace(digest, "- so far: rounds 1, commands and actions 1\n", "", 1)
	opaque := work()
	opaque.item(transcript.Assistant, transcript.Part{Kind: transcript.Opaque, Text: "gAAAA"})
	opaque.Items[len(opaque.Items)-1].Summary = true
	for name, text := range map[string]string{
		"a digest without the line": work().digest(t, 400, without),
		"one of two without it":     work().digest(t, 400, digest, without),
		"a model's summary":         work().digest(t, 400, "The user wants X."),
		"an opaque summary":         opaque.digest(t, 400),
	} {
		if strings.Contains(text, counts) {
			t.Errorf("%s: a total that nobody knows:\n%s", name, text)
		}
	}
	if text := work().digest(t, 400, digest, digest); !strings.Contains(text, "- so far: rounds 3, commands and actions 3\n") {
		t.Errorf("three known ones:\n%s", text)
	}
	old := strings.Replace(digest, "actions 1\n", "actions 1, files changed 7\n", 1)
	if text := work().digest(t, 400, old); !strings.Contains(text, "- so far: rounds 2, commands and actions 2\n") {
		t.Errorf("a digest of the first version:\n%s", text)
	}
}

// The estimate is not additive: the whole counts other than the sum of lines.
func TestDigestFitsByTheEstimate(t *testing.T) {
	c := tokens.Estimate()
	for seed := range int64(40) {
		s := newSession(1000 + seed)
		earlier := []string(nil)
		for budget := 10; budget < 420; budget += 1 + int(seed)%7*3 {
			text := Digest(&s.Transcript, s.all(), DigestOptions{Counter: c, Budget: budget, Earlier: earlier, Language: s.pick("en", "ja"), Bare: seed%2 == 0})
			if n := c.Count(text); n > budget {
				t.Fatalf("seed %d: %d tokens, budget %d:\n%s", seed, n, budget, text)
			}
			if text != "" && seed%3 == 0 {
				earlier = []string{text}
			}
		}
	}
}
