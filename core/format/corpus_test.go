package format

import (
	"encoding/json"
	"errors"
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

// expected is what a file of the corpus is: a format, or the error code that
// refuses it.
type expected struct{ format, code, says string }

// corpusFolders are the formats of whole folders, corpusFiles of single files,
// and with # and its pointer of one conversation of a file.
func corpusFolders() map[string]expected {
	return map[string]expected{
		"ai_sdk":             {format: "ai-sdk-model"},
		"anthropic_messages": {format: "anthropic-messages"},
		"atif":               {format: "atif"},
		"chatgpt_export":     {format: "chatgpt-export"},
		"claude_code":        {format: "claude-code"},
		"cline":              {format: "cline"},
		"codex_rollout":      {format: "codex-rollout"},
		"codex_tui_log":      {code: "unsupported_format", says: "the log of the Codex TUI"},
		"gemini_cli_session": {format: "gemini-cli"},
		"gemini_contents":    {format: "gemini-contents"},
		"langchain":          {format: "langchain"},
		"mini_swe_agent":     {format: "mini-swe-agent"},
		"openai_chat":        {format: "openai-chat"},
		"openai_responses":   {format: "openai-responses"},
		"opencode":           {format: "opencode"},
		"openhands":          {format: "openhands"},
		"pi_session":         {format: "pi"},
		"plain_text":         {format: "plain-text"},
		"sharegpt":           {format: "sharegpt"},
		"swe_agent":          {format: "swe-agent"},
	}
}

func corpusFiles() map[string]expected {
	return map[string]expected{
		"ai_sdk/uimessage-react-agent.json": {format: "ai-sdk-ui"},
		// Roles and text parts: nothing in it says whose.
		"ai_sdk/snapshot-modelmessages-cases.json#/convertToModelMessages > assistant message > should handle conversation with an assistant message that has empty tool invocations 1": {format: "openai-chat"},
		// What the application gave its agent, beside the messages that LangChain made of it.
		"langchain/lingua-langchain-output-messages-wrapper-tool-loop.json#/0/input/messages": {format: "openai-chat"},
		// A bundle of 16 spans, of which /5 holds no list.
		"langchain/lingua-all-small-cases.json#/0/spans/0/input/0":             {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/1/spans/0/input":               {format: "openai-chat"}, // the input of a call to Anthropic: roles and texts
		"langchain/lingua-all-small-cases.json#/2/spans/0/input/0":             {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/3/spans/0/input/0":             {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/4/spans/0/input/0":             {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/6/spans/0/input/messages":      {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/6/spans/0/output/messages":     {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/7/spans/0/input/0":             {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/8/spans/0/input/0":             {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/9/spans/0/input/0":             {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/10/spans/0/input/messages":     {format: "openai-chat"},
		"langchain/lingua-all-small-cases.json#/10/spans/0/output/messages":    {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/11/spans/0/input/0":            {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/12/spans/0/input/0":            {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/13/spans/0/input/0":            {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/14/spans/0/input/0":            {format: "langchain"},
		"langchain/lingua-all-small-cases.json#/15/spans/0/input/0":            {format: "langchain"},
		"anthropic_messages/vercel-anthropic-compaction.1.json":                {code: "not_a_history"},
		"anthropic_messages/vercel-anthropic-programmatic-tool-calling.1.json": {code: "not_a_history"},
		"gemini_contents/lingua-audio-response.json":                           {code: "not_a_history"},
		"openai_responses/vercel-openai-compaction.1.json":                     {code: "not_a_history"},
		"openai_responses/vercel-openai-reasoning-encrypted-content.1.json":    {code: "not_a_history"},
		// v1 of mini-swe-agent: a bare list of roles and texts.
		"mini_swe_agent/github-issue.traj.json":   {format: "openai-chat"},
		"other_agents/antigravity-cli.jsonl":      {code: "unsupported_format", says: "a session of Antigravity"},
		"other_agents/kimi-assistant-tools.jsonl": {code: "unsupported_format", says: "a session of Kimi CLI"},
		"other_agents/pi-small.jsonl":             {format: "pi"},
		"other_agents/qwen-code.jsonl":            {code: "unsupported_format", says: "a session of Qwen Code"},

		"bug_shapes/anthropic-tail-starts-with-tool-result.json":     {format: "anthropic-messages"},
		"bug_shapes/anthropic-thinking-latest-assistant.json":        {format: "anthropic-messages"},
		"bug_shapes/anthropic-tool-use-without-result.json":          {format: "anthropic-messages"},
		"bug_shapes/claude-code-tool-result-after-boundary.jsonl":    {format: "claude-code"},
		"bug_shapes/codex-compacted-encrypted.jsonl":                 {format: "codex-rollout"},
		"bug_shapes/codex-malformed-lines.jsonl":                     {format: "codex-rollout"},
		"bug_shapes/gemini-parallel-unsigned-and-trimmed.json":       {format: "gemini-contents"},
		"bug_shapes/lone-surrogates.jsonl":                           {format: "openai-chat"},
		"bug_shapes/openai-chat-midpoint-splits-pair.json":           {format: "openai-chat"},
		"bug_shapes/openai-chat-null-refusal-audio-multisystem.json": {format: "openai-chat"},
		"bug_shapes/opencode-dangling-running-tool.json":             {format: "opencode"},
		"bug_shapes/responses-function-call-without-output.json":     {format: "openai-responses"},
		"bug_shapes/responses-reasoning-pairs.json":                  {format: "openai-responses"},
	}
}

// Real transcripts, each conversation of each file: read as the format that the
// tables say, under its own name too, or refused for the reason given there.
func TestCorpus(t *testing.T) {
	dir := shared(t)
	folders, single := corpusFolders(), corpusFiles()
	entries, err := os.ReadDir(filepath.Join(dir, "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			for _, name := range files(t, dir, e.Name()) {
				want, ok := single[name]
				if !ok {
					if want, ok = folders[e.Name()]; !ok {
						t.Errorf("%s: no row in the tables", name)
						continue
					}
				}
				corpusFile(t, name, load(t, dir, name), want)
			}
		})
	}
}

func corpusFile(t *testing.T, name string, src []byte, want expected) {
	t.Helper()
	all, err := Conversations(src)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if all == nil {
		all = []Conversation{{}}
	}
	own, met := map[string]expected{}, 0
	for key, row := range corpusFiles() {
		if file, pointer, ok := strings.Cut(key, "#"); ok && file == name {
			own[pointer] = row
		}
	}
	file := want
	for _, c := range all {
		want := file
		if row, ok := own[c.Pointer]; ok {
			want = row
			met++
		}
		_, err := Decode(src, Options{Conversation: c.Pointer})
		if want.code != "" {
			var e *transcript.Error
			if !errors.As(err, &e) || e.Code != want.code || !strings.Contains(e.Message, want.says) {
				t.Errorf("%s%s: %v, want %s with %q", name, c.Pointer, err, want.code, want.says)
			}
			continue
		}
		for _, f := range []string{"", Auto, want.format} {
			d := holds(t, src, Options{Conversation: c.Pointer, Format: f})
			if d == nil || d.Format != want.format {
				got := "nothing"
				if d != nil {
					got = d.Format
				}
				t.Errorf("%s%s: with format %q read as %s, want %s: %v", name, c.Pointer, f, got, want.format, err)
			}
		}
	}
	if met != len(own) {
		t.Errorf("%s: %d of %d conversations of the tables are there", name, met, len(own))
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
	lines := splitLines(src, 0, len(src))
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
