package core_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/format"
)

// remoteAnswers are what a provider may give for a history: a payload, an output,
// that of the endpoint, and a failure that the local request makes good.
var remoteAnswers = []struct {
	implementation string
	answers        []core.Answer
}{
	{"remote", []core.Answer{{Text: "ENC"}}},
	{"remote", []core.Answer{{Output: json.RawMessage(`[{"type":"compaction","id":"cmp_new","encrypted_content":"ENC"}]`)}}},
	{"remote_v1", []core.Answer{{Output: json.RawMessage(`[{"type":"message","role":"user","content":[{"type":"input_text","text":"Given back."}]},{"type":"reasoning","summary":[]},{"type":"compaction","encrypted_content":"ENC"}]`)}}},
	{"remote", []core.Answer{{Error: "failed"}, {Text: "All is well."}}},
}

// remoteHolds checks what must hold of every compaction, for all of them.
func remoteHolds(t *testing.T, req core.Request) (compacted int) {
	t.Helper()
	for _, a := range remoteAnswers {
		req.Policy, req.Answers = []byte(`{"codex":{"implementation":"`+a.implementation+`"}}`), nil
		p, err := core.Plan(req)
		if err != nil {
			t.Fatal(err)
		}
		if p.Plan.Request == nil {
			continue // nothing to fold
		}
		if !json.Valid(p.Plan.Request.Body) {
			t.Fatalf("the request is no JSON: %s", clip(p.Plan.Request.Body))
		}
		req.Answers = a.answers
		res, err := core.Compact(req)
		if err != nil {
			t.Fatalf("%s: %v", a.implementation, err)
		}
		holds(t, req, res)
		if res.Compacted {
			compacted++
		}
	}
	return compacted
}

// Any history of Responses items, valid or not, twice in a row.
func TestRemoteOnAnyHistory(t *testing.T) {
	w := providers()[1]
	if w.format != "openai-responses" {
		t.Fatal(w.format)
	}
	r, compacted := rand.New(rand.NewSource(1)), 0
	for range 300 {
		shape := make([]byte, 1+r.Intn(40))
		for i := range shape {
			shape[i] = "uuaaeCTDRRr"[r.Intn(11)]
		}
		req := core.Request{Transcript: w.pieces(shape), Format: w.format, Force: true}
		compacted += remoteHolds(t, req)
		req.Policy, req.Answers = []byte(`{"codex":{"implementation":"remote"}}`), remoteAnswers[1].answers
		p, err := core.Plan(req)
		if err != nil {
			t.Fatal(err)
		}
		if p.Plan.Request != nil || p.Plan.Fallback != nil {
			t.Fatalf("%s: an answer came, and more is asked", shape)
		}
		res, err := core.Compact(core.Request{Transcript: req.Transcript, Format: w.format, Force: true, Policy: req.Policy, Answers: answersOf(t, req)})
		if err != nil {
			t.Fatal(err)
		}
		req.Transcript = res.Transcript
		remoteHolds(t, req)
	}
	if compacted < 600 {
		t.Errorf("%d compactions were carried out: the histories show little", compacted)
	}
}

// answersOf are a provider's where the plan asks for something, none where it does
// not: an answer to nothing is refused.
func answersOf(t *testing.T, req core.Request) []core.Answer {
	t.Helper()
	req.Answers = nil
	p, err := core.Plan(req)
	if err != nil {
		t.Fatal(err)
	}
	if p.Plan.Request == nil {
		return nil
	}
	return []core.Answer{{Text: fmt.Sprint("ENC ", len(req.Transcript))}}
}

// Every real history of Responses items.
func TestRemoteCorpus(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared(t), "corpus", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	ran, compacted := map[string]int{}, 0
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		v, err := format.Detect(src)
		if err != nil || v.Name != "openai-responses" && v.Name != "codex-rollout" || v.Shape == "response" {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			all, err := format.Conversations(src)
			if err != nil {
				t.Fatal(err)
			}
			if all == nil {
				all = []format.Conversation{{}}
			}
			for _, c := range all {
				ran[v.Name]++
				compacted += remoteHolds(t, core.Request{Transcript: src, Text: !json.Valid(src), Force: true, Conversation: c.Pointer})
			}
		})
	}
	if ran["openai-responses"] == 0 || ran["codex-rollout"] == 0 || compacted == 0 {
		t.Errorf("%v ran, %d compactions were carried out", ran, compacted)
	}
	t.Log(strings.TrimPrefix(fmt.Sprint(ran), "map"), compacted)
}
