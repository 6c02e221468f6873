package core_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/transcript"
)

// shared is the folder of vectors and real transcripts, where it is there.
func shared(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TAMP_SHARED")
	if dir == "" {
		t.Skip("TAMP_SHARED is not set: no real transcripts here")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("TAMP_SHARED: %v", err)
	}
	return dir
}

var corpusPolicies = []struct{ name, json string }{
	{"lait", `{"lait": {"trigger_rounds": 6, "trigger_tokens": 60000, "keep_last_n": 4}}`},
	{"codex", `{"codex": {"model_context_window": 272000}}`},
	{"balanced", `{"preset": "balanced"}`},
}

// On every real transcript: what comes in goes out byte for byte, and a forced
// compaction under each policy holds, or is refused with a documented reason.
func TestCorpus(t *testing.T) {
	dir := shared(t)
	var table strings.Builder
	fmt.Fprintf(&table, "%-62s %8s %6s  %-22s %-22s %-22s\n", "file", "bytes", "items", "lait", "codex", "balanced")
	files := 0
	for _, folder := range []string{"openai_chat", "openai_responses", "anthropic_messages", "codex_rollout", "mini_swe_agent"} {
		paths, err := filepath.Glob(filepath.Join(dir, "corpus", folder, "*"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("corpus/%s: no files (%v)", folder, err)
		}
		for _, path := range paths {
			files++
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := folder + "/" + filepath.Base(path)
			t.Run(name, func(t *testing.T) { corpusFile(t, &table, name, src) })
		}
	}
	t.Logf("%d files\n%s", files, table.String())
}

func corpusFile(t *testing.T, table *strings.Builder, name string, src []byte) {
	t.Helper()
	req := core.Request{Transcript: src, Text: strings.HasSuffix(name, ".jsonl"), Force: true, Rewrite: strings.HasPrefix(name, "codex_rollout/")}
	doc, err := format.Decode(src, format.Options{Rewrite: req.Rewrite, Text: req.Text})
	var refused *transcript.Error
	if errors.As(err, &refused) {
		switch refused.Code {
		case "not_a_history":
			fmt.Fprintf(table, "%-62s %8d %6s  %s\n", name, len(src), "-", refused.Code)
			return
		case "several_conversations":
			fmt.Fprintf(table, "%-62s %8d %6s  %s\n", name, len(src), "-", refused.Code)
			// Each of them is read by its pointer, and written back into the file.
			req.Conversation = "/0/traj"
			if doc, err = format.Decode(src, format.Options{Conversation: req.Conversation}); err != nil {
				t.Fatal(err)
			}
			name += "#" + req.Conversation
		default:
			t.Fatal(err)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	same := make([]transcript.Entry, len(doc.Items))
	for i := range same {
		same[i].From = i
	}
	out, err := doc.Encode(same)
	if err != nil || string(out) != string(src) {
		t.Fatalf("decode and encode change the bytes: %v", err)
	}
	var cells [3]string
	compacted := false
	for i, p := range corpusPolicies {
		req.Policy = []byte(p.json)
		res, err := core.Compact(req)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		holds(t, req, res)
		if !res.Compacted {
			cells[i] = res.Reason
			continue
		}
		cells[i] = fmt.Sprintf("%d>%d %d>%d", len(doc.Items), stand(res)+1, res.Receipt.TokensBefore, res.Receipt.TokensAfter)
		if res.Receipt.NoProgress {
			cells[i] += " np"
		} else {
			compacted = true
		}
	}
	fmt.Fprintf(table, "%-62s %8d %6d  %-22s %-22s %-22s\n", name, len(src), len(doc.Items), cells[0], cells[1], cells[2])
	if !compacted && len(src) > 20_000 {
		t.Errorf("no policy compacts this file of %d bytes: %v", len(src), cells)
	}
}
