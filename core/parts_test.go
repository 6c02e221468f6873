package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// longLoop is a tool loop of so many rounds, some 420 tokens each.
func longLoop(rounds int) string {
	items := []string{`{"role":"system","content":"You are careful."}`, `{"role":"user","content":"Fix the build."}`}
	for i := range rounds {
		items = append(
			items,
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"f%d.go\"}"}}]}`, i, i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%q}`, i, fmt.Sprintf("mark%d. ", i)+strings.Repeat("one line of the file that was read, as it is. ", 36)),
		)
	}
	return "[" + strings.Join(items, ",") + "]"
}

// smallReader asks for the summary at a model whose window is known and small.
func smallReader(rounds int) core.Request {
	return core.Request{
		Transcript: []byte(longLoop(rounds)), Force: true,
		Model:  &core.Model{ID: "large", ContextWindow: 1000000},
		Models: map[string]core.Alias{"small": {Model: "tiny-1", ContextWindow: 8000, MaxOutput: 1000}},
		Policy: json.RawMessage(`{"lait":{"trigger_tokens":1,"keep_last_n":2,"model":"small"}}`),
	}
}

// A history that is larger than the summariser's window is asked about in parts:
// every request fits, each item is shown once, calls with their results, and at
// last one request merges the records.
func TestPartsFitTheWindow(t *testing.T) {
	req := smallReader(60)
	var purposes []string
	shown := map[string]int{}
	for range 40 {
		plan := planned(t, req)
		r := plan.Plan.Request
		if r == nil {
			break
		}
		purposes = append(purposes, r.Purpose)
		if r.Attempt != len(purposes)-1 {
			t.Errorf("request %d says that it is attempt %d", len(purposes)-1, r.Attempt)
		}
		// 7,000 of the 8,000 are the prompt's.
		counted, err := core.Count(core.Request{Transcript: r.Body})
		if err != nil || counted.Total > 7000 {
			t.Fatalf("%s: %d tokens, %v", r.Purpose, counted.Total, err)
		}
		for i := range 60 {
			call, result := strings.Contains(string(r.Body), fmt.Sprintf(`"id":"c%d"`, i)), strings.Contains(string(r.Body), fmt.Sprintf("mark%d. ", i))
			if call != result {
				t.Errorf("%s %d shows half of round %d", r.Purpose, len(purposes), i)
			}
			if result {
				shown[strconv.Itoa(i)]++
			}
		}
		if r.Purpose == "merge" && !strings.Contains(string(r.Body), "record of part 0") {
			t.Error("the merge does not hold the records")
		}
		req.Answers = append(req.Answers, core.Answer{Text: fmt.Sprintf("record of part %d", len(purposes)-1)})
	}
	// 60 rounds of some 420 tokens are about 25,000; a request holds about 4,000 to
	// 6,500 of them.
	n := len(purposes)
	if n < 5 || n > 8 || purposes[n-1] != "merge" || slices.Contains(purposes[:n-1], "merge") || slices.Contains(purposes, "summary") {
		t.Fatalf("purposes %q", purposes)
	}
	for i := range 60 {
		if shown[strconv.Itoa(i)] != 1 {
			t.Errorf("round %d was shown %d times", i, shown[strconv.Itoa(i)])
		}
	}
	res := compacted(t, req)
	if !res.Compacted || res.Summary != fmt.Sprintf("record of part %d", n-1) || res.Receipt.Summary.Calls != n {
		t.Errorf("%v %q %+v", res.Compacted, res.Summary, res.Receipt.Summary)
	}
	for _, f := range res.Receipt.Items {
		if f.Fate == "dropped" {
			t.Errorf("item %d is dropped, and was shown", f.Index)
		}
	}
	holds(t, req, res)
}

// A chunk that is too long shrinks as a whole request does, and what no request
// showed is dropped; a chunk that fails twice ends the step.
func TestPartsThatFail(t *testing.T) {
	tooLong := core.Answer{Error: "context_length_exceeded"}
	req := smallReader(40)
	req.Answers = []core.Answer{tooLong}
	again := planned(t, req).Plan.Request
	if again.Purpose != "chunk" || again.Attempt != 1 {
		t.Fatalf("%s, attempt %d", again.Purpose, again.Attempt)
	}
	for planned(t, req).Plan.Request != nil {
		req.Answers = append(req.Answers, core.Answer{Text: "s"})
	}
	dropped := 0
	for _, f := range compacted(t, req).Receipt.Items {
		if f.Fate == "dropped" {
			dropped++
		}
	}
	if dropped != 0 { // the oldest item of the first chunk is the system message, which stays
		t.Errorf("%d dropped", dropped)
	}
	req.Answers = append([]core.Answer{tooLong, tooLong}, req.Answers[1:]...)
	for _, f := range compacted(t, req).Receipt.Items {
		if f.Fate == "dropped" {
			dropped++
		}
	}
	if dropped != 1 { // and the next oldest is the user's, which lait folds
		t.Errorf("%d dropped, want the one item that no request showed", dropped)
	}

	req.Answers = []core.Answer{{Text: "one"}, {Error: "failed"}, {Error: "empty"}}
	if _, err := core.Compact(req); code(err) != "summary_failed" {
		t.Errorf("%v", err)
	}
	req.Answers = append(req.Answers, core.Answer{Text: "more"})
	if _, err := core.Compact(req); code(err) != "invalid_request" {
		t.Errorf("an answer to nothing: %v", err)
	}
}

// More records than fit in one request are merged in rounds, until one is left.
func TestPartsMergeInRounds(t *testing.T) {
	req := smallReader(60)
	long := strings.Repeat("what was found in this part. ", 350) // some 2,450 tokens
	merges := 0
	for range 60 {
		r := planned(t, req).Plan.Request
		if r == nil {
			break
		}
		if r.Purpose == "merge" {
			merges++
			// Two records at least, so the room is not always kept, but never more.
			if n := strings.Count(string(r.Body), "[record "); n != 2 {
				t.Errorf("a merge of %d records of 2,450 tokens, 2 fit", n)
			}
		}
		req.Answers = append(req.Answers, core.Answer{Text: long})
	}
	if merges < 3 {
		t.Fatalf("%d merges", merges)
	}
	if res := compacted(t, req); res.Summary != long {
		t.Errorf("the summary has %d bytes", len(res.Summary))
	}
}

// Where the window is not known, with strict, and where all fits, there is one
// request.
func TestPartsOnlyWhereNeeded(t *testing.T) {
	for name, change := range map[string]func(*core.Request){
		"all fits":       func(r *core.Request) { r.Transcript = []byte(longLoop(5)) },
		"window unknown": func(r *core.Request) { r.Models["small"] = core.Alias{Model: "tiny-1"} },
		"strict": func(r *core.Request) {
			r.Policy = json.RawMessage(`{"lait":{"trigger_tokens":1,"keep_last_n":2,"model":"small","strict":true}}`)
		},
		"the large model itself": func(r *core.Request) {
			r.Policy = json.RawMessage(`{"lait":{"trigger_tokens":1,"keep_last_n":2}}`)
		},
	} {
		req := smallReader(60)
		change(&req)
		if r := planned(t, req).Plan.Request; r.Purpose != "summary" {
			t.Errorf("%s: %s", name, r.Purpose)
		}
	}
}

func code(err error) string {
	var e *core.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// A host that saw that a summary makes nothing smaller says so: it is asked for
// once more, with a sentence that says why, and then the policy's fallback holds.
func TestNotSmaller(t *testing.T) {
	req := smallReader(5)
	first := planned(t, req).Plan.Request
	req.Answers = []core.Answer{{Error: "not_smaller"}}
	second := planned(t, req).Plan.Request
	if second == nil || second.Attempt != 1 || len(second.Body) <= len(first.Body) || !strings.Contains(string(second.Body), "longer than what it was to stand for") {
		t.Fatalf("%+v", second)
	}
	req.Answers = append(req.Answers, core.Answer{Error: "not_smaller"})
	if _, err := core.Compact(req); code(err) != "summary_failed" {
		t.Errorf("%v", err)
	}
	req.Answers[1] = core.Answer{Text: "short"}
	if res := compacted(t, req); res.Summary != "short" {
		t.Errorf("%q", res.Summary)
	}
}

// A caller's own summary stands for the whole of such a history, too: nothing is
// asked, and all that went was seen.
func TestPartsAndTheCallersSummary(t *testing.T) {
	req := smallReader(60)
	own := "All sixty files were read."
	req.Summary = &own
	res, err := core.Compact(req)
	if err != nil || !res.Compacted || res.Summary != own {
		t.Fatalf("%+v, %v", res, err)
	}
	for _, f := range res.Receipt.Items {
		if f.Fate == "dropped" {
			t.Errorf("item %d is dropped: the caller's summary stands for it", f.Index)
		}
	}
}
