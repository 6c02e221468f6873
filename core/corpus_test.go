package core_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// corpusPolicies are the presets that a forced compaction runs under.
var corpusPolicies = []struct{ name, json string }{
	{"lait", `{"lait": {"trigger_rounds": 6, "trigger_tokens": 60000, "keep_last_n": 4}}`},
	{"codex", `{"codex": {"model_context_window": 272000}}`},
	{"balanced", `{"preset": "balanced"}`},
	{"prune", `{"preset": "prune"}`},
}

// corpusTable gathers what the policies make of each conversation, for people.
type corpusTable struct {
	strings.Builder
	files, conversations int
}

// row adds a line to the table.
func (c *corpusTable) row(format string, args ...any) {
	_, _ = fmt.Fprintf(c, format, args...) // a Builder never fails
}

// On every conversation of every real transcript: what comes in goes out byte
// for byte, and a forced compaction under each preset is valid, conserved, and
// smaller, or says why not. With a window of a quarter of the conversation
// balanced really compacts each one of more than 20 KB.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(shared(t), "corpus")
	var table corpusTable
	table.row("%-62s %8s %6s  %-20s %-20s %-20s %-20s %-20s\n", "conversation", "bytes", "items", "lait", "codex", "balanced", "prune", "a quarter")
	folders, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		paths, err := filepath.Glob(filepath.Join(dir, folder.Name(), "*"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("corpus/%s: no files (%v)", folder.Name(), err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			table.files++
			t.Run(folder.Name()+"/"+filepath.Base(path), func(t *testing.T) { corpusFile(t, &table, src) })
		}
	}
	t.Logf("%d files, %d conversations\n%s", table.files, table.conversations, table.String())
}

func corpusFile(t *testing.T, table *corpusTable, src []byte) {
	t.Helper()
	all, err := format.Conversations(src)
	if err != nil {
		t.Fatal(err)
	}
	if all == nil {
		all = []format.Conversation{{Bytes: len(src)}}
	}
	for _, c := range all {
		corpusConversation(t, table, src, c)
	}
}

func corpusConversation(t *testing.T, table *corpusTable, src []byte, c format.Conversation) {
	t.Helper()
	req := core.Request{Transcript: src, Text: !json.Valid(src), Force: true, Conversation: c.Pointer}
	name := strings.TrimPrefix(t.Name(), "TestCorpus/") + c.Pointer
	if len(name) > 62 {
		name = name[:61] + "…"
	}
	doc, err := format.Decode(src, format.Options{Conversation: c.Pointer, Text: req.Text})
	var refused *transcript.Error
	if errors.As(err, &refused) && (refused.Code == "not_a_history" || refused.Code == "unsupported_format") {
		table.row("%-62s %8d %6s  %s\n", name, c.Bytes, "-", refused.Code)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	table.conversations++
	same := make([]transcript.Entry, len(doc.Items))
	for i := range same {
		same[i].From = i
	}
	out, err := doc.Encode(same)
	if err != nil || !bytes.Equal(out, src) {
		t.Fatalf("%s: decode and encode change the bytes: %v", c.Pointer, err)
	}
	var cells []string
	for _, p := range corpusPolicies {
		req.Policy = []byte(p.json)
		_, cell := corpusCompact(t, req, p.name, len(doc.Items))
		cells = append(cells, cell)
	}
	// The window is a quarter of what the model sees, and everything fires.
	req.Policy, req.Force = []byte(`{"preset": "balanced"}`), false
	count, err := core.Count(core.Request{Transcript: src, Text: req.Text, Conversation: c.Pointer})
	if err != nil {
		t.Fatal(err)
	}
	req.Model = &core.Model{ContextWindow: max(1, count.Total/4)}
	res, cell := corpusCompact(t, req, "a quarter", len(doc.Items))
	cells = append(cells, cell)
	table.row("%-62s %8d %6d  %-20s %-20s %-20s %-20s %-20s\n", name, c.Bytes, len(doc.Items), cells[0], cells[1], cells[2], cells[3], cells[4])
	if said := saidBytes(doc); said > 20_000 && (!res.Compacted || res.Receipt.NoProgress) {
		t.Errorf("%s: balanced with a window of a quarter does not compact %d bytes: %v", c.Pointer, said, cells)
	}
	corpusRepair(t, req)
}

// saidBytes is the size of a conversation: what was said behind the
// instructions. The rest of a file (tool definitions, a harness's notes, an
// earlier history) is not there to be folded.
func saidBytes(d *format.Document) int {
	n, lead := 0, true
	for i := range d.Items {
		it := &d.Items[i]
		lead = lead && (it.Role == transcript.System || it.Role == transcript.Developer)
		if !lead {
			n += len(it.Sent())
		}
	}
	return n
}

// corpusRepair: a repair leaves none of the defects that it can mend, breaks
// nothing, and has nothing to do a second time.
func corpusRepair(t *testing.T, req core.Request) {
	t.Helper()
	req.Model, req.Repair = nil, true
	res, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	before, err := core.Compact(core.Request{Transcript: req.Transcript, Text: req.Text, Conversation: req.Conversation, Policy: req.Policy})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Receipt.Defects {
		switch d.Code {
		case "results_called", "calls_answered", "reasoning_with_item", "unique_ids", "first_role":
			t.Errorf("%s: a repair leaves %+v", req.Conversation, d)
		}
	}
	if a, b := len(res.Receipt.Defects), len(before.Receipt.Defects); a > b {
		t.Errorf("%s: %d defects became %d: %+v", req.Conversation, b, a, res.Receipt.Defects)
	}
	if len(res.Repaired) == 0 {
		if !bytes.Equal(res.Transcript, req.Transcript) {
			t.Errorf("%s: nothing was repaired, and the bytes changed", req.Conversation)
		}
		return
	}
	again := req
	again.Transcript, again.Format = res.Transcript, res.Format.Name
	second, err := core.Compact(again)
	if err != nil {
		t.Fatal(err)
	}
	told := second.Repaired
	if res.Format.Shape == "log" { // it keeps its broken lines: a repair tells of the same ones each time
		told = slices.DeleteFunc(told, func(r core.Repaired) bool { return slices.Contains(res.Repaired, r) && r.Code == "malformed_line" })
	}
	if len(told) > 0 || !bytes.Equal(second.Transcript, res.Transcript) {
		t.Errorf("%s: a second repair does %+v", req.Conversation, second.Repaired)
	}
}

func corpusCompact(t *testing.T, req core.Request, policy string, items int) (*core.CompactResult, string) {
	t.Helper()
	res, err := core.Compact(req)
	if err != nil {
		t.Fatalf("%s: %v", policy, err)
	}
	holds(t, req, res)
	if !res.Compacted {
		return res, res.Reason
	}
	cell := fmt.Sprintf("%d>%d %d>%d", items, places(res), res.Receipt.TokensBefore, res.Receipt.TokensAfter)
	if res.Receipt.NoProgress {
		cell += " np"
	}
	return res, cell
}
