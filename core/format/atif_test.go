package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// atifRun has a step of each kind: parallel calls with results out of order, a
// result that names no call, pictures, a Terminus step, a sub-agent.
const atifRun = `{"schema_version": "ATIF-v1.6", "agent": {"name": "a", "version": "1", "model_name": "gpt-4o", "tool_definitions": [{"type": "function", "function": {"name": "look"}}]}, "steps": [
    {"step_id": 1, "source": "system", "message": "S"},
    {"step_id": 2, "timestamp": "T2", "source": "user", "message": [{"type": "text", "text": "See"}, {"type": "image", "source": {"media_type": "image/png", "path": "images/1.png"}}]},
    {"step_id": 3, "source": "agent", "model_name": "m", "message": "Two looks.", "reasoning_content": "hm", "tool_calls": [{"tool_call_id": "c1", "function_name": "look", "arguments": {"at": 1}}, {"tool_call_id": "c2", "function_name": "look", "arguments": {}}],
     "observation": {"results": [{"source_call_id": "c2", "content": "two"}, {"source_call_id": "c1", "content": [{"type": "text", "text": "o"}, {"type": "text", "text": "ne"}]}]}, "metrics": {"prompt_tokens": 9}},
    {"step_id": 4, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "c3", "function_name": "look", "arguments": {}}], "observation": {"results": [{"content": "three"}]}},
    {"step_id": 5, "source": "agent", "message": "{\"analysis\":\"A\",\"plan\":\"P\",\"commands\":[{\"keystrokes\":\"ls\\n\"},{\"keystrokes\":\"\"}]}", "observation": {"results": [{"content": "a.py"}]}},
    {"step_id": 6, "source": "agent", "message": "free", "observation": {"results": [{"content": "seen", "subagent_trajectory_ref": []}]}},
    {"step_id": 7, "source": "system", "message": "Reset.", "observation": {"results": [{"content": "clean"}]}}
  ], "final_metrics": {"total_steps": 7}}
`

// atifCut is a run whose context was replaced by a summary.
const atifCut = `{"schema_version":"ATIF-v1.7","steps":[{"step_id":1,"source":"user","message":"old"},{"step_id":2,"source":"agent","message":"older"},` +
	`{"step_id":3,"source":"system","message":"Compacted.","observation":{"results":[{"content":"What was done."}]},"extra":{"context_management":{"type":"compaction","boundary":"replace"}}},` +
	`{"step_id":4,"source":"user","message":"On."}]}`

func TestATIFItems(t *testing.T) {
	d := checkHarness(t, "atif", atifRun, "schema_version is ATIF", `
.steps[0] system | text "S"
.steps[1] user | text "See" | image [real]
.steps[2] assistant | thinking "hm" | text "Two looks." | call #c1 look "{\"at\":1}" | call #c2 look "{}" | result #c2 "two" | result #c1 "o\nne"
.steps[3] assistant | call #c3 look "{}" | result #c3 "three"
.steps[4] assistant | text "A\nP" | call bash "ls" | result "a.py"
.steps[5] assistant | text "free" | call | result "seen"
.steps[6] system | text "Reset." | text "clean"`)
	p := transcript.Pair(d.Transcript)
	if len(p.Orphans)+len(p.Unanswered) > 0 || d.Model != "gpt-4o" || string(d.Tools) != `[{"type": "function", "function": {"name": "look"}}]` {
		t.Errorf("pairing %+v, model %q, tools %s", p, d.Model, d.Tools)
	}
	if want := `{"source": "system", "message": "S"}`; string(d.Items[0].Raw) != want {
		t.Errorf("%s, want %s", d.Items[0].Raw, want)
	}
	it := &d.Items[2]
	for j, want := range map[int]string{0: `"hm"`, 2: `{"tool_call_id": "c1", "function_name": "look", "arguments": {"at": 1}}`, 4: `{"source_call_id": "c2", "content": "two"}`} {
		if got := string(it.Raw[it.Parts[j].Start:it.Parts[j].End]); got != want {
			t.Errorf("part %d has the place of %s, want %s", j, got, want)
		}
	}
	if shown := string(it.Shown); strings.Contains(shown, "metrics") || strings.Contains(shown, "model_name") || !strings.Contains(shown, "Two looks") {
		t.Errorf("shown is %s", shown)
	}
}

// The ids of the steps count from 1 in what is written, and nothing else changes.
func TestATIFWrite(t *testing.T) {
	d := mustDecode(t, atifRun, Options{Now: "NOW"})
	out, err := d.Encode(entriesOf(d, "0 n 6"))
	if err != nil {
		t.Fatal(err)
	}
	from, to := strings.Index(atifRun, `    {"step_id": 2,`), strings.Index(atifRun, `    {"step_id": 7,`)
	want := atifRun[:from] + `    {"step_id":2,"timestamp":"NOW","source":"user","message":"N"},` + "\n" + strings.Replace(atifRun[to:], `"step_id": 7`, `"step_id": 3`, 1)
	if string(out) != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	cleared, ok := d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 2, Text: `{"cleared":true}`}, {Part: 5, Text: "[gone]"}})
	want = strings.NewReplacer(`{"at": 1}`, `{"cleared":true}`, `[{"type": "text", "text": "o"}, {"type": "text", "text": "ne"}]`, `"[gone]"`).Replace(string(d.Items[2].Raw))
	if !ok || string(cleared.Raw) != want {
		t.Errorf("%v %s\nwant\n%s", ok, cleared.Raw, want)
	}
	entries := identity(7)
	entries[2].New = &cleared
	if out, err = d.Encode(entries); err != nil {
		t.Fatal(err)
	}
	if want := strings.NewReplacer(`{"step_id": 3, "source"`, `{"step_id":3,"source"`, `{"at": 1}`, `{"cleared":true}`, `[{"type": "text", "text": "o"}, {"type": "text", "text": "ne"}]`, `"[gone]"`).Replace(atifRun); string(out) != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	picture, ok := d.Writer.WithParts(&d.Items[1], []transcript.Edit{{Part: 1, Text: "[picture]"}})
	if !ok || !strings.Contains(string(picture.Raw), `{"type":"text","text":"[picture]"}`) || picture.Text() != "See[picture]" {
		t.Errorf("%v %s", ok, picture.Raw)
	}
	if _, ok := d.Writer.Answer(&d.Items[3], 0, "x"); ok {
		t.Error("a step has no message for a result")
	}

	// Ids that do not count from 1 are left alone; new steps follow the highest.
	odd := `{"schema_version":"ATIF-v1.4","steps":[{"step_id":7,"source":"user","message":"a"},{"step_id":3,"source":"agent","message":"b"}]}`
	d = mustDecode(t, odd, Options{Now: "NOW"})
	if out, err = d.Encode(entriesOf(d, "n 1")); err != nil || string(out) != `{"schema_version":"ATIF-v1.4","steps":[{"step_id":8,"source":"user","message":"N"},{"step_id":3,"source":"agent","message":"b"}]}` {
		t.Errorf("%v %s", err, out)
	}
}

func TestATIFCut(t *testing.T) {
	d := checkHarness(t, "atif", atifCut, "schema_version is ATIF; steps[2] replaces the context: 2 steps before it no longer count", `
.steps[2] system | text "What was done." [summary]
.steps[3] user | text "On." [real]`)
	for plan, want := range map[string]string{
		"n 1": `{"schema_version":"ATIF-v1.7","steps":[{"step_id":1,"source":"user","message":"N"},{"step_id":2,"source":"user","message":"On."}]}`,
		"1":   `{"schema_version":"ATIF-v1.7","steps":[{"step_id":1,"source":"user","message":"On."}]}`,
		"n 0": `{"schema_version":"ATIF-v1.7","steps":[{"step_id":1,"source":"user","message":"N"},{"step_id":2,"source":"system","message":"Compacted.","observation":{"results":[{"content":"What was done."}]},"extra":{"context_management":{"type":"compaction","boundary":"append"}}}]}`,
	} {
		if out, err := d.Encode(entriesOf(d, plan)); err != nil || string(out) != want {
			t.Errorf("%s: %v %s\nwant\n%s", plan, err, out, want)
		}
	}
	// A sub-agent's own run is chosen by its pointer; the rest of the file stays.
	nested := atifRun[:len(atifRun)-2] + `, "subagent_trajectories": [` + atifCut + "]}"
	d = mustDecode(t, nested, Options{Conversation: "/subagent_trajectories/0"})
	out, err := d.Encode(entriesOf(d, "1"))
	if want := strings.Replace(nested, atifCut, `{"schema_version":"ATIF-v1.7","steps":[{"step_id":1,"source":"user","message":"On."}]}`, 1); err != nil || string(out) != want {
		t.Errorf("%v %s\nwant\n%s", err, out, want)
	}
	// One that observed nothing has the summary in the user's step behind it.
	next := strings.Replace(atifCut, `"observation":{"results":[{"content":"What was done."}]},`, ``, 1)
	checkHarness(t, "atif", next, "schema_version is ATIF; steps[2] replaces the context: 2 steps before it no longer count", `
.steps[2] system | text "Compacted."
.steps[3] user | text "On." [real]`)
	// The format knows no such step of the agent's, nor one with nothing behind it.
	for _, same := range []string{
		strings.Replace(next, `"source":"system"`, `"source":"agent"`, 1),
		strings.Replace(next, `,{"step_id":4,"source":"user","message":"On."}`, ``, 1),
		strings.Replace(next, `"step_id":4,"source":"user"`, `"step_id":4,"source":"agent"`, 1),
	} {
		if d := mustDecode(t, same, Options{}); d.Items[0].Text() != "old" {
			t.Errorf("%s begins with %s", same, show(&d.Items[0]))
		}
	}
	// A step that only says that the run goes on elsewhere replaces nothing.
	empty := strings.Replace(atifCut, `"content":"What was done."`, `"subagent_trajectory_ref":[{"session_id":"s"}]`, 1)
	checkHarness(t, "atif", empty, "schema_version is ATIF", `
.steps[0] user | text "old" [real]
.steps[1] assistant | text "older"
.steps[2] system | text "Compacted."
.steps[3] user | text "On." [real]`)
}

func TestATIFErrors(t *testing.T) {
	const head, tail = `{"schema_version":"ATIF-v1.5","steps":[{"step_id":1,"source":"user","message":"a"},`, `]}`
	for src, want := range map[string]string{
		`5`:                                  "transcript.steps[1]: is a number, an object is wanted",
		`{"message":"a"}`:                    "transcript.steps[1].source: is missing",
		`{"source":5}`:                       "transcript.steps[1].source: is a number, a string is wanted",
		`{"source":"agent","message":5}`:     "transcript.steps[1].message: is a number, a string or a list of parts is wanted",
		`{"source":"agent","message":[5]}`:   "transcript.steps[1].message[0]: is a number, an object is wanted",
		`{"source":"agent","tool_calls":{}}`: "transcript.steps[1].tool_calls: is an object, a list is wanted",
		`{"source":"agent","tool_calls":[{"tool_call_id":5}]}`:                         "transcript.steps[1].tool_calls[0].tool_call_id: is a number, a string is wanted",
		`{"source":"agent","observation":{"results":{}}}`:                              "transcript.steps[1].observation.results: is an object, a list is wanted",
		`{"source":"agent","observation":{"results":[{"source_call_id":5}]}}`:          "transcript.steps[1].observation.results[0].source_call_id: is a number, a string is wanted",
		`{"source":"agent","observation":{"results":[{"content":"a"},{"content":7}]}}`: "transcript.steps[1].observation.results[1].content: is a number, a string or a list of parts is wanted",
	} {
		if _, err := Decode([]byte(head+src+tail), Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}

func FuzzATIF(f *testing.F) {
	fuzz(f, "atif", atifRun, atifCut, `[{"step_id":1,"source":"user","message":""},{"step_id":2.5,"source":"agent","message":[]}]`)
}
