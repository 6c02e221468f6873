package state

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// run does what the page does with a file: it reads it, and asks the engine as
// often as the state wants.
func run(t *testing.T, values Values, name string, data []byte) State {
	t.Helper()
	s, _ := Reduce(State{}, Start{Values: values})
	s, effects := Reduce(s, Loaded{Name: name, Data: data})
	for asked := 0; len(effects) > 0; asked++ {
		if asked == 9 {
			t.Fatalf("%s: the engine was asked %d times, and again", name, asked)
		}
		next := effects
		effects = nil
		for _, e := range next {
			switch e.(type) {
			case Evaluate:
				s, effects = Reduce(s, Ask(core.Call, s))
			case Plan:
				s, effects = Reduce(s, AskPlan(core.Call, s))
			}
		}
	}
	return s
}

func defaults(system string) Values {
	return Values{
		KeySystem: system, "lait.trigger_rounds": "6", "lait.trigger_tokens": "60000", "lait.keep_last_n": "4",
		"codex.model_context_window": "272000", "codex.user_message_tokens": "20000",
		"balanced.fraction": "0.8", "balanced.context_window": "2000", KeyForce: "true", KeyRewrite: "true",
	}
}

// words checks that the page found the words of every item, before and after.
func words(t *testing.T, name string, a *Answer) {
	t.Helper()
	for _, b := range a.Before {
		if b.Item == nil {
			t.Errorf("%s: item %d of %d has no words", name, b.Index, len(a.Before))
			return
		}
	}
	for _, b := range a.After {
		if b.Item == nil {
			t.Errorf("%s: place %d of %d has no words", name, b.To, len(a.After))
			return
		}
	}
}

// Every sample that the page offers is there, is read as what its title says,
// and shows a real compaction under both systems.
func TestSamples(t *testing.T) {
	index, err := os.ReadFile("../../static/index.html")
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]string{
		"OpenAI Chat": "openai-chat", "OpenAI Responses": "openai-responses",
		"Anthropic Messages": "anthropic-messages", "Codex rollout": "codex-rollout",
	}
	offered := regexp.MustCompile(`<option value="([a-z-]+\.jsonl?)"[^>]*>[^(<]*\(([^)]+)\)`).FindAllStringSubmatch(string(index), -1)
	files, err := filepath.Glob("../../static/samples/*")
	if err != nil || len(files) != len(offered) || len(offered) < 8 {
		t.Fatalf("%d samples are offered, %d are there (%v)", len(offered), len(files), err)
	}
	for _, m := range offered {
		data, err := os.ReadFile("../../static/samples/" + m[1])
		if err != nil {
			t.Error(err)
			continue
		}
		for _, system := range []string{Lait, Codex, Balanced} {
			name := m[1] + " under " + system
			s := run(t, defaults(system), m[1], data)
			if s.Problem != nil {
				t.Errorf("%s: %+v", name, s.Problem)
				continue
			}
			a := s.Answer
			if want := formats[m[2]]; a.Format.Name != want {
				t.Errorf("%s: read as %s, want %s", name, a.Format.Name, want)
			}
			words(t, name, a)
			if system == Balanced {
				continue // keeps most of what is as short as a sample
			}
			if !a.Compacted || a.Saved() <= 0 || s.Request == nil {
				t.Fatalf("%s: compacted %v, saved %g, request %v (%+v)", name, a.Compacted, a.Saved(), s.Request != nil, s.Unasked)
			}
			if len(a.Receipt.Defects) > 0 {
				t.Errorf("%s: defects %+v", name, a.Receipt.Defects)
			}
			if whole := len(a.Output) > 0 && (a.Text || json.Valid(a.Output)); !whole {
				t.Errorf("%s: the output is neither text nor JSON", name)
			}
		}
	}
}

// The instruction is found in the request of every format. Under Codex it is the
// person's own, so the test knows its words.
func TestPromptOfTheRequest(t *testing.T) {
	const prompt = "Write it down,\nin \"few\" words."
	files, err := filepath.Glob("../../static/samples/*")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d samples, %v", len(files), err)
	}
	behind := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := run(t, defaults(Codex).with("codex.compact_prompt", prompt), filepath.Base(file), data)
		if s.Request == nil || s.Request.Prompt != prompt {
			t.Errorf("%s: request %+v, %+v", file, s.Request, s.Unasked)
			continue
		}
		if strings.Index(s.Request.Pretty, "Write it down") > 6000 {
			behind++
		}
	}
	if behind == 0 {
		t.Error("the instruction stands within the first 6,000 bytes of every body: it could be seen there")
	}
}

// The sample's title promises a cut among parallel calls: of the last four
// messages two are results of five calls, which must then all stay.
func TestParallelSample(t *testing.T) {
	data, err := os.ReadFile("../../static/samples/parallel-calls.json")
	if err != nil {
		t.Fatal(err)
	}
	a := run(t, defaults(Lait), "parallel-calls.json", data).Answer
	var kept []string
	for _, b := range a.Before {
		if b.To != nil && b.Role != "system" {
			kept = append(kept, b.Role)
		}
	}
	if got, want := strings.Join(kept, " "), "assistant tool tool tool tool tool assistant user"; got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
}

// The earlier summary is folded into the new one: there is one afterwards.
func TestEarlierSummarySample(t *testing.T) {
	data, err := os.ReadFile("../../static/samples/earlier-summary.json")
	if err != nil {
		t.Fatal(err)
	}
	a := run(t, defaults(Lait), "earlier-summary.json", data).Answer
	i := slices.IndexFunc(a.Before, func(b Before) bool { return b.Reason == "earlier_summary" })
	if i != 1 || a.Before[i].Fate != "folded" {
		t.Errorf("item %d is the earlier summary, want item 1, folded", i)
	}
	if n := strings.Count(string(a.Output), "[tamp]"); n != 1 {
		t.Errorf("%d summaries in the output, want one", n)
	}
}

// Own words replace the digest's, and nothing else changes.
func TestOwnSummary(t *testing.T) {
	data, err := os.ReadFile("../../static/samples/japanese.json")
	if err != nil {
		t.Fatal(err)
	}
	digest := run(t, defaults(Lait), "japanese.json", data)
	s, _ := Reduce(digest, Write{"私の要約です。"})
	s, _ = Reduce(s, Ask(core.Call, s))
	if s.Problem != nil || s.Answer.Summary != "私の要約です。" || !strings.Contains(string(s.Answer.Output), "私の要約です。") {
		t.Errorf("summary %q", s.Answer.Summary)
	}
	for i, b := range s.Answer.Before {
		if was := digest.Answer.Before[i]; was.Fate != b.Fate {
			t.Errorf("item %d was %s and is %s", i, was.Fate, b.Fate)
		}
	}
	s, _ = Reduce(s, Write{" "})
	s, _ = Reduce(s, Ask(core.Call, s))
	if s.Problem == nil || s.Problem.Marks[KeySummary] == "" || !s.Stale {
		t.Errorf("problem %+v, stale %v", s.Problem, s.Stale)
	}
}

// Errors of the engine find their place on the page: the control by its key,
// the transcript by its line and column.
func TestEngineErrors(t *testing.T) {
	chat := []byte(`[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`)
	for key, value := range map[string]string{
		"lait.trigger_rounds": "0", "lait.trigger_tokens": "many", "lait.keep_last_n": "-1", "lait.model": " ",
		KeyRound: "0", KeyPromptTokens: "x", KeyFormat: "no-such-format",
	} {
		s := run(t, defaults(Lait).with(key, value), "a.json", chat)
		if s.Problem == nil || s.Problem.Marks[key] == "" {
			t.Errorf("%s = %q: problem %+v", key, value, s.Problem)
		}
	}
	for key, value := range map[string]string{"codex.model_context_window": "-5", "codex.user_message_tokens": "1.5"} {
		s := run(t, defaults(Codex).with(key, value), "a.json", chat)
		if s.Problem == nil || s.Problem.Marks[key] == "" {
			t.Errorf("%s = %q: problem %+v", key, value, s.Problem)
		}
	}
	for key, value := range map[string]string{"balanced.fraction": "1.5", "balanced.last_tokens": "-1", "balanced.context_window": "big"} {
		s := run(t, defaults(Balanced).with(key, value), "a.json", chat)
		if s.Problem == nil || s.Problem.Marks[key] == "" {
			t.Errorf("%s = %q: problem %+v", key, value, s.Problem)
		}
	}
	broken := "[{\"role\":\"user\",\"content\":\"日本\"},\n {\"role\":\"assistant\" \"content\":\"b\"}]"
	s := run(t, defaults(Lait), "a.json", []byte(broken))
	if s.Problem == nil || s.Problem.Code != "invalid_json" || s.Problem.Place == nil {
		t.Fatalf("problem %+v", s.Problem)
	}
	if at := s.Problem.Place; broken[at.Start:] != `"content":"b"}]` {
		t.Errorf("the place is before %q", broken[at.Start:])
	}
}

// The page finds the words of every item of real transcripts.
func TestCorpus(t *testing.T) {
	shared := os.Getenv("TAMP_SHARED")
	if shared == "" {
		t.Skip("TAMP_SHARED is not set: no corpus")
	}
	seen := 0
	for _, dir := range []string{"openai_chat", "openai_responses", "anthropic_messages", "codex_rollout", "mini_swe_agent"} {
		files, err := filepath.Glob(filepath.Join(shared, "corpus", dir, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(files), err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := dir + "/" + filepath.Base(file)
			s := run(t, defaults(Lait), filepath.Base(file), data)
			if s.Problem != nil {
				if c := s.Problem.Code; c != "several_conversations" && c != "not_a_history" {
					t.Errorf("%s: refused: %+v", name, s.Problem)
				}
				continue
			}
			seen++
			words(t, name, s.Answer)
		}
	}
	if seen < 20 {
		t.Errorf("only %d files were read", seen)
	}
}
