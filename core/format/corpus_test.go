package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

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

// Real transcripts: each folder is read as one format, under its own name too,
// or refused for the reason that is written here.
func TestCorpus(t *testing.T) {
	dir := shared(t)
	refused := map[string]string{
		"anthropic_messages/vercel-anthropic-compaction.1.json":                "not_a_history",
		"anthropic_messages/vercel-anthropic-programmatic-tool-calling.1.json": "not_a_history",
		"openai_responses/vercel-openai-compaction.1.json":                     "not_a_history",
		"openai_responses/vercel-openai-reasoning-encrypted-content.1.json":    "not_a_history",
		"openai_chat/taubench-airline-24records.json":                          "several_conversations",
	}
	seen := 0
	for _, folder := range []struct{ name, format string }{
		{"openai_chat", "openai-chat"},
		{"mini_swe_agent", "openai-chat"},
		{"openai_responses", "openai-responses"},
		{"anthropic_messages", "anthropic-messages"},
		{"codex_rollout", "codex-rollout"},
	} {
		for _, name := range files(t, dir, folder.name) {
			src := load(t, dir, name)
			_, err := Decode(src, Options{})
			if code := refused[name]; code != "" {
				seen++
				var e *transcript.Error
				if !errors.As(err, &e) || e.Code != code {
					t.Errorf("%s: %v, want %s", name, err, code)
				}
				continue
			}
			for _, opt := range []Options{{}, {Format: Auto}, {Format: folder.format}} {
				d := holds(t, src, opt)
				if d == nil || d.Format != folder.format {
					t.Errorf("%s: not read as %s: %v", name, folder.format, err)
				}
			}
		}
	}
	if seen != len(refused) {
		t.Errorf("%d files were refused, want %d", seen, len(refused))
	}
}

// Each of several conversations can be chosen and cut, and the rest of the file
// stays.
func TestCorpusConversations(t *testing.T) {
	src := load(t, shared(t), "openai_chat/taubench-airline-24records.json")
	for i := range 24 {
		opt := Options{Conversation: fmt.Sprintf("/%d/traj", i)}
		if d := holds(t, src, opt); d == nil || d.Format != "openai-chat" || d.Items[0].Path != fmt.Sprintf("[%d].traj[0]", i) {
			t.Errorf("record %d is not read", i)
		}
	}
}

// What can not be read yet is named where that is cheap, and never misread as
// something else with certainty.
func TestCorpusForeign(t *testing.T) {
	dir := shared(t)
	want := map[string]string{
		"atif": "atif", "chatgpt_export": "chatgpt-export", "claude_code": "claude-code", "cline": "cline", "gemini_cli_session": "gemini-cli",
		"gemini_contents": "gemini-contents", "opencode": "opencode", "openhands": "openhands", "pi_session": "pi", "plain_text": "plain-text",
		"swe_agent": "swe-agent", "codex_tui_log": "the log of the Codex TUI",
	}
	for _, folder := range []string{
		"ai_sdk", "atif", "bug_shapes", "chatgpt_export", "claude_code", "cline", "codex_tui_log", "gemini_cli_session", "gemini_contents",
		"langchain", "opencode", "openhands", "other_agents", "pi_session", "plain_text", "sharegpt", "swe_agent",
	} {
		for _, name := range files(t, dir, folder) {
			src := load(t, dir, name)
			d := holds(t, src, Options{})
			if d != nil && d.Verdict.Confidence >= likely && folder != "bug_shapes" {
				t.Errorf("%s is read as %s: %v", name, d.Format, d.Verdict.Evidence)
			}
			if want[folder] == "" {
				continue
			}
			var e *transcript.Error
			if _, err := Decode(src, Options{}); !errors.As(err, &e) || e.Code != "unsupported_format" || !strings.HasPrefix(e.Message, "is "+want[folder]+" (") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The summary requests that the Codex CLI sent: the same items, prompt aside.
func TestCodexRequests(t *testing.T) {
	dir := filepath.Join(shared(t), "vectors", "codex")
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no vectors (%v)", dir, err)
	}
	requests := 0
	for _, path := range paths {
		var v struct {
			Before  json.RawMessage
			Retries [][]any
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(src, &v); err != nil {
			t.Fatal(err)
		}
		d := mustDecode(t, string(v.Before), Options{Format: "openai-responses"})
		all := v.Retries
		var before []any
		if err := json.Unmarshal(v.Before, &before); err != nil {
			t.Fatal(err)
		}
		for n, want := range append(all, before) {
			requests++
			body, err := d.Body(BodyRequest{Items: choose(t, before, want), Prompt: "P", MaxTokens: 2000, SendTools: "auto"})
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Input []any }
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Input[:len(got.Input)-1], want) {
				t.Errorf("%s: request %d is %s", filepath.Base(path), n, body)
			}
		}
	}
	if requests <= len(paths) {
		t.Errorf("%d requests of %d vectors: no retries were looked at", requests, len(paths))
	}
}

// choose gives the indices of want within before: the newest that match.
func choose(t *testing.T, before, want []any) []int {
	t.Helper()
	items := make([]int, len(want))
	at := len(before) - 1
	for i := len(want) - 1; i >= 0; i-- {
		for at >= 0 && !reflect.DeepEqual(before[at], want[i]) {
			at--
		}
		if at < 0 {
			t.Fatalf("item %d of a request is not in the history", i)
		}
		items[i] = at
		at--
	}
	return items
}

func files(t *testing.T, dir, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "corpus", folder, "*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("corpus/%s: no files (%v)", folder, err)
	}
	for i, p := range paths {
		paths[i] = folder + "/" + filepath.Base(p)
	}
	return paths
}

func load(t *testing.T, dir, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// The newest rollout fixture has every line type and six compactions.
func TestCorpusRollout(t *testing.T) {
	src := load(t, shared(t), "codex_rollout/schema-all-types-compacted.jsonl")
	d := mustDecode(t, string(src), Options{})
	last := -1
	lines := splitLines(src, 0)
	for i := range lines {
		if lines[i].value.Get("type").Text() == "compacted" {
			last = i
		}
	}
	want := 0
	for _, list := range []rawjson.Value{lines[last].value.Get("payload").Get("replacement_history")} {
		for v := range list.Elems() {
			if v.Get("type").Text() != "ghost_snapshot" {
				want++
			}
		}
	}
	for _, l := range lines[last+1:] {
		if l.value.Get("type").Text() == "response_item" && l.value.Get("payload").Get("type").Text() != "ghost_snapshot" {
			want++
		}
	}
	if len(d.Items) != want || want == 0 {
		t.Errorf("%d items, want %d", len(d.Items), want)
	}
}
