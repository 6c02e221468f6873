package core_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// recorded is a request whose summary step took two answers.
func recorded() core.Request {
	long := strings.Repeat("The build log lists every package with its version. ", 30)
	src := `[{"role":"system","content":"Be careful."},{"role":"user","content":"Make it pass."},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"And then?"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"Go on."}]`
	return core.Request{
		Transcript: []byte(src), Policy: json.RawMessage(`{"lait":{"trigger_rounds":1,"keep_last_n":1}}`), Force: true,
		Answers: []core.Answer{{Error: "empty"}, {Text: "The log was read twice, nothing is broken."}},
	}
}

// What was recorded replays byte for byte without a model; another history is a
// miss that says what to do.
func TestCassette(t *testing.T) {
	req := recorded()
	req.Record = true
	first, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	// Both answers belong to the same question, asked once more as it is.
	if len(first.Cassette) != 1 {
		t.Fatalf("%d recordings", len(first.Cassette))
	}
	raw, err := json.Marshal(first.Cassette)
	if err != nil {
		t.Fatal(err)
	}
	var cassette core.Cassette
	if err := json.Unmarshal(raw, &cassette); err != nil {
		t.Fatal(err)
	}
	again := recorded()
	again.Answers, again.Cassette = nil, cassette
	second, err := core.Compact(again)
	if err != nil {
		t.Fatal(err)
	}
	if string(second.Transcript) != string(first.Transcript) || second.Summary != first.Summary || second.Receipt.Summary.By != "model" {
		t.Errorf("replayed\n%s\nrecorded\n%s", second.Transcript, first.Transcript)
	}
	// The receipt too: two calls were made, the first of them for nothing.
	if got, want := second.Receipt.Summary, first.Receipt.Summary; want.Calls != 2 || got.Calls != want.Calls {
		t.Errorf("replayed %+v, recorded %+v", got, want)
	}

	again.Transcript = []byte(strings.Replace(string(again.Transcript), "Make it pass.", "Make it fail.", 1))
	var e *core.Error
	if _, err := core.Compact(again); !errors.As(err, &e) || e.Code != core.CassetteMiss || !strings.Contains(e.Message, "record: true") {
		t.Errorf("a miss is %v", err)
	}
}

// A checkpoint says offline what was folded and what was kept.
func TestCheckpoint(t *testing.T) {
	req := recorded()
	req.Checkpoint = true
	res, err := core.Compact(req)
	if err != nil {
		t.Fatal(err)
	}
	c := res.Checkpoint
	if c == nil || string(c.Before) != string(req.Transcript) || string(c.After) != string(res.Transcript) || len(c.Requests) != 2 || len(c.Answers) != 2 {
		t.Fatalf("%+v", c)
	}
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := core.Inspect(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.Folded) != 4 || len(seen.Kept) != 2 || seen.Folded[0].Parts[0].Text != "Make it pass." || seen.Kept[1].Parts[0].Text != "Go on." || seen.Summary != res.Summary {
		t.Errorf("%d folded, %d kept: %+v", len(seen.Folded), len(seen.Kept), seen)
	}
	if _, err := core.Inspect([]byte(`{"v":2}`)); err == nil {
		t.Error("another version is read")
	}
	// Nothing was compacted: there is nothing to look at.
	req.Force, req.Answers = false, nil
	req.Policy = json.RawMessage(`{"lait":{"trigger_rounds":50}}`)
	if res, err := core.Compact(req); err != nil || res.Checkpoint != nil {
		t.Errorf("%v, %v", res.Checkpoint, err)
	}
}
