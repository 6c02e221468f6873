package summary_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The four promises of a digest, on real transcripts: folded whole, and folded
// in three steps, each with the digest of the one before.
func TestDigestOnCorpus(t *testing.T) {
	dir := os.Getenv("TAMP_SHARED")
	if dir == "" {
		t.Skip("TAMP_SHARED is not set: no real transcripts here")
	}
	digests, written := 0, 0
	for _, folder := range []string{"openai_chat", "openai_responses", "anthropic_messages", "codex_rollout", "mini_swe_agent"} {
		files, err := filepath.Glob(filepath.Join(dir, "corpus", folder, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("corpus/%s: no files (%v)", folder, err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for name, tr := range conversations(t, file, src) {
				t.Run(folder+"/"+name, func(t *testing.T) {
					d, w := checkReal(t, tr)
					digests, written = digests+d, written+w
				})
			}
		}
	}
	// 391 and 33 when this was written: a reader that finds few of them would
	// check nothing.
	if digests < 300 || written < 30 {
		t.Errorf("%d digests with %d written files checked", digests, written)
	}
	t.Logf("%d digests, %d written files", digests, written)
}

func conversations(t *testing.T, file string, src []byte) map[string]*transcript.Transcript {
	t.Helper()
	out := map[string]*transcript.Transcript{}
	opt := format.Options{Rewrite: true, Text: strings.HasSuffix(file, ".jsonl")}
	name := filepath.Base(file)
	doc, err := format.Decode(src, opt)
	var refused *transcript.Error
	switch {
	case err == nil:
		out[name] = doc.Transcript
	case errors.As(err, &refused) && refused.Code == "several_conversations":
		for n := 0; ; n++ {
			opt.Conversation = "/" + strconv.Itoa(n) + "/traj"
			if doc, err = format.Decode(src, opt); err != nil {
				break
			}
			out[name+"#"+strconv.Itoa(n)] = doc.Transcript
		}
		if len(out) < 2 {
			t.Errorf("%s: %d conversations: %v", name, len(out), err)
		}
	case errors.As(err, &refused) && refused.Code == "not_a_history":
	default:
		t.Errorf("%s: %v", name, err)
	}
	return out
}

func checkReal(t *testing.T, tr *transcript.Transcript) (digests, written int) {
	t.Helper()
	var folded []int
	total := 0
	counter := tokens.Estimate()
	for i := range tr.Items {
		if r := tr.Items[i].Role; r != transcript.System && r != transcript.Developer {
			folded = append(folded, i)
			total += tokens.Item(tr, &tr.Items[i], counter)
		}
	}
	check := func(span []int, budget int, earlier ...string) string {
		text := summary.Digest(tr, span, summary.DigestOptions{Counter: counter, Budget: budget, Earlier: earlier})
		for _, breach := range summary.CheckDigest(tr, span, earlier, text, counter, budget, nil) {
			t.Errorf("budget %d: %s", budget, breach)
		}
		if text != "" {
			digests++
		}
		return text
	}
	for _, budget := range []int{min(2000, total/10), total / 20, total / 5, 120, 60, 4000} {
		check(folded, budget)
	}
	written = len(summary.WrittenPaths(tr, folded))
	pairs := transcript.Pair(tr)
	earlier, from := []string(nil), 0
	for third := 1; third <= 3; third++ {
		to := len(folded) * third / 3
		if to < len(folded) { // a cut falls between groups
			for to > from && pairs.Boundary(folded[to]) != folded[to] {
				to--
			}
		}
		if text := check(folded[from:to], 1500, earlier...); text != "" {
			earlier = []string{text}
		}
		from = to
	}
	return digests, written
}
