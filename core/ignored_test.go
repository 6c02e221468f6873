package core_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// What a provider ignores before a compaction of its own: nothing counts it, fires
// on it, folds it or lets it come alive.

const (
	ignoredHead  = `{"role":"user","content":"DEAD %[1]s"},{"role":"assistant","content":"DEAD %[1]s"}`
	ignoredFacts = "Use pgloader 3.6.9 on port 5433 and keep the table invoices_2019."
)

// lines are n sentences of about 15 tokens.
func lines(n int) string {
	return strings.TrimSpace(strings.Repeat("The lexer fails on line 118 of parse, see core/lexer.go for more. ", n))
}

// ignoring is an Anthropic history with a head of two messages, of which the API
// reads the block and the tail.
func ignoring(block, tail string) (whole, read string) {
	read = block + "," + tail
	return "[" + fmt.Sprintf(ignoredHead, lines(100)) + "," + read + "]", "[" + read + "]"
}

func seen(t *testing.T, transcript string) int {
	t.Helper()
	res, err := core.Count(core.Request{Transcript: []byte(transcript)})
	if err != nil {
		t.Fatal(err)
	}
	return res.Total
}

const (
	blockBeside = `{"role":"assistant","content":[{"type":"text","text":"DEAD"},{"type":"compaction","content":"` + ignoredFacts + `"},{"type":"text","text":"I go on."}]}`
	blockAlone  = `{"role":"assistant","content":[{"type":"compaction","content":"` + ignoredFacts + `"}]}`
	blockNull   = `{"role":"assistant","content":[{"type":"compaction","content":null},{"type":"text","text":"still here"}]}`
)

// The model sees the block and what follows: that is what counts, and what the
// triggers measure.
func TestIgnoredIsNotCounted(t *testing.T) {
	tail := `{"role":"user","content":"` + lines(20) + `"},{"role":"assistant","content":"` + lines(20) + `"},{"role":"user","content":"q"}`
	for name, block := range map[string]string{"beside": blockBeside, "alone": blockAlone, "twice": blockAlone + `,{"role":"user","content":"DEAD"},` + blockBeside} {
		whole, _ := ignoring(block, tail)
		live := block
		if i := strings.LastIndex(block, `,{"role":"assistant"`); i >= 0 {
			live = block[i+1:]
		}
		want := seen(t, "["+strings.Replace(live, `{"type":"text","text":"DEAD"},`, "", 1)+","+tail+"]")
		if got := seen(t, whole); got != want {
			t.Errorf("%s: %d tokens count, the model sees %d", name, got, want)
		}
		for _, threshold := range []int{want, want + 1} {
			res := planned(t, ask(t, whole, fmt.Sprintf(`"policy":{"preset":"balanced","triggers":[{"tokens":%d}]}`, threshold)))
			if fired := threshold == want; res.Decision.Fired != fired {
				t.Errorf("%s: %d tokens of %d: fired %v", name, want, threshold, res.Decision.Fired)
			}
		}
	}
	if whole, read := ignoring(blockNull, tail); seen(t, whole) <= seen(t, read)+2*seen(t, `[{"role":"user","content":"`+lines(50)+`"}]`) {
		t.Error("a compaction that failed hides what stands before it")
	}
}

// Fates, places and the summary, with the block in the part that folds, in the part
// that stays, and in both.
func TestIgnoredFates(t *testing.T) {
	long := lines(60)
	tail := `{"role":"user","content":"` + long + `"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"q"},{"role":"assistant","content":"a"}`
	keep := func(n int, pins string) string {
		return fmt.Sprintf(`"force":true,"policy":{"preset":"balanced","triggers":[],"keep":{"last_messages":%d,"last_tokens":0,"first_user":false%s}}`, n, pins)
	}
	lait := func(n int) string {
		return fmt.Sprintf(`"force":true,"policy":{"lait":{"trigger_rounds":1,"keep_last_n":%d}}`, n)
	}
	pin := `,"pins":[{"text":"I go on."}]`
	for _, c := range []struct{ name, block, rest, want string }{
		{"folded", blockBeside, keep(2, ""), "folded summarised -, folded summarised -, folded summarised -, kept recent 1, kept recent 2"},
		{"folded alone", blockAlone, keep(2, ""), "folded earlier_summary -, folded summarised -, folded summarised -, kept recent 1, kept recent 2"},
		{"lait", blockBeside, lait(2), "folded summarised -, folded summarised -, folded summarised -, kept recent 1, kept recent 2"},
		{"twice", blockAlone + `,{"role":"user","content":"DEAD"},` + blockBeside, keep(2, ""), "folded summarised -, folded summarised -, folded summarised -, kept recent 1, kept recent 2"},
		{"in what stays", blockBeside, keep(2, pin), "truncated summary_removed 1, folded summarised -, folded summarised -, kept recent 2, kept recent 3"},
		{"all stays", blockBeside, keep(5, ""), ""},
		{"all of lait's stays", blockBeside, lait(5), ""},
		{"alone before all that stays", blockAlone, keep(4, ""), ""},
		{"null", blockNull, keep(2, ""), "folded summarised -, folded summarised -, folded summarised -, folded summarised -, folded summarised -, kept recent 1, kept recent 2"},
		{"null behind one", blockAlone + "," + blockNull, keep(2, ""), "folded earlier_summary -, folded summarised -, folded summarised -, folded summarised -, kept recent 1, kept recent 2"},
		{"null in what stays", blockAlone + "," + blockNull, keep(2, `,"pins":[{"text":"still here"}]`), "folded earlier_summary -, kept pinned 1, folded summarised -, folded summarised -, kept recent 2, kept recent 3"},
	} {
		whole, _ := ignoring(c.block, tail)
		req := ask(t, whole, c.rest)
		before := seen(t, whole)
		res := compacted(t, req)
		if c.want == "" {
			if res.Compacted || string(res.Transcript) != whole {
				t.Errorf("%s: compacted %v, or other bytes", c.name, res.Compacted)
			}
			continue
		}
		if got := strings.Join(fates(res.Receipt.Items), ", "); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		out := string(res.Transcript)
		held := strings.Contains(c.block, "pgloader")
		for _, fact := range []string{"pgloader 3.6.9", "5433", "invoices_2019"} { // the digest takes an earlier summary over
			if strings.Contains(out, fact) != held {
				t.Errorf("%s: %q is there: %v\n%s", c.name, fact, !held, out)
			}
		}
		if held && (strings.Contains(out, "DEAD") || strings.Contains(out, `"content":"`+ignoredFacts)) {
			t.Errorf("%s: what was ignored came alive, or the block stands\n%s", c.name, out)
		}
		after := seen(t, out)
		if res.Receipt.TokensBefore != before || res.Receipt.TokensAfter != after || after >= before {
			t.Errorf("%s: %d to %d tokens by the receipt, %d to %d by the count", c.name, res.Receipt.TokensBefore, res.Receipt.TokensAfter, before, after)
		}
		shown := planned(t, req).Plan.Request.Body
		if held && (!strings.Contains(string(shown), "pgloader") || strings.Contains(string(shown), "DEAD")) {
			t.Errorf("%s: the request shows\n%s", c.name, shown)
		}
	}
}

// Places are those of the JSON as sent: of a defect behind what is ignored, and of
// an item.
func TestIgnoredPaths(t *testing.T) {
	whole, _ := ignoring(blockBeside, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"r"}]}`)
	res := compacted(t, ask(t, whole, `"force":true,"policy":{"preset":"balanced"}`))
	if d := res.Receipt.Defects; len(d) != 1 || d[0].Path != "transcript[3]" {
		t.Errorf("defects %+v", d)
	}
	items, err := core.Items(core.Request{Transcript: []byte(whole)})
	if err != nil || len(items.Items) != 2 || items.Items[0].Path != "[2]" {
		t.Errorf("%v: %+v", err, items)
	}
}

// A pass that only clears leaves the block, and so what it makes ignored, as it is.
func TestIgnoredStaysWhereNothingFolds(t *testing.T) {
	var calls strings.Builder
	for i := range 4 {
		fmt.Fprintf(&calls, `{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"ls","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%[1]d","content":"%s"}]},`, i, lines(10))
	}
	whole, _ := ignoring(`{"role":"assistant","content":[{"type":"compaction","content":"S"}]},{"role":"user","content":"go"}`, calls.String()+`{"role":"assistant","content":"so far"}`)
	req := ask(t, whole, `"force":true,"policy":{"preset":"balanced","triggers":[],"keep":{"all":true},"tools":{"keep_last":1}}`)
	res := compacted(t, req)
	head, _, _ := strings.Cut(whole, `{"role":"assistant","content":[{"type":"tool_use"`)
	if !res.Compacted || !strings.HasPrefix(string(res.Transcript), head) || strings.Count(string(res.Transcript), "lexer.go") != strings.Count(head, "lexer.go")+10 {
		t.Errorf("%v\n%s", res.Compacted, res.Transcript)
	}
	if res.Receipt.TokensAfter != seen(t, string(res.Transcript)) {
		t.Errorf("%d tokens, %d count", res.Receipt.TokensAfter, seen(t, string(res.Transcript)))
	}
}

// A session that is fed one message at a time decides as one that is sent all of
// it: a block that comes in ends what stood before it.
func TestIgnoredInASession(t *testing.T) {
	s, err := core.NewSession(core.Request{Policy: json.RawMessage(`{"preset":"balanced","triggers":[{"tokens":500}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	user := `{"role":"user","content":[{"type":"text","text":"` + lines(10) + `"}]}`
	thought := `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"a"}]}`
	var all []string
	var fired []bool
	for _, message := range []string{user, thought, user, blockAlone, user, thought, user, thought, user, thought, user} {
		all = append(all, message)
		due, err := s.Plan(core.Round{Messages: json.RawMessage("[" + message + "]")})
		if err != nil {
			t.Fatal(err)
		}
		fired = append(fired, due.Decision.Fired)
		if reached := seen(t, "["+strings.Join(all, ",")+"]") >= 500; due.Decision.Fired != reached {
			t.Fatalf("behind %d messages it fires: %v, %d tokens count", len(all), due.Decision.Fired, seen(t, "["+strings.Join(all, ",")+"]"))
		}
		if due.Decision.Fired {
			break
		}
	}
	// All messages are over 500 tokens two messages of the user earlier.
	if n := len(fired); n < 9 || !fired[n-1] {
		t.Errorf("fired %v", fired)
	}
}

// A share is smaller with what is ignored: it would be missed, where a session only
// added the new messages to those that it knew.
func TestIgnoredInASessionsShare(t *testing.T) {
	s, err := core.NewSession(core.Request{Policy: json.RawMessage(`{"preset":"balanced","triggers":[{"tool_output_share":0.5}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	var fired []string
	for _, message := range []string{
		`{"role":"user","content":[{"type":"text","text":"` + lines(80) + `"}]}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"a"}]}`,
		`{"role":"user","content":"go"}`,
		`{"role":"assistant","content":[{"type":"compaction","content":"S"},{"type":"tool_use","id":"c","name":"ls","input":{}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"` + lines(30) + `"}]}`,
	} {
		due, err := s.Plan(core.Round{Messages: json.RawMessage("[" + message + "]")})
		if err != nil {
			t.Fatal(err)
		}
		fired = append(fired, strconv.FormatBool(due.Decision.Fired))
	}
	// The results are over half of what the API reads, and a quarter of all.
	if got := strings.Join(fired, " "); got != "false false false false true" {
		t.Errorf("fired %s", got)
	}
}

// Of Responses items the users' words before a compaction item stay wanted, and
// what a model wrote and tools gave is dropped.
func TestIgnoredInResponses(t *testing.T) {
	long := lines(60)
	const enc = `{"type":"compaction","id":"cmp_1","encrypted_content":"RU5D"}`
	user := `{"role":"user","content":"keep to port 5433"}`
	dead := `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"DEAD ` + long + `"}]},{"type":"function_call","call_id":"c","name":"ls","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"DEAD ` + long + `"}`
	live := `{"role":"user","content":"` + long + `"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + long + `"}]},{"role":"user","content":"q"}`
	whole := "[" + user + "," + dead + "," + enc + "," + live + "]"
	if got, want := seen(t, whole), seen(t, "["+user+","+enc+","+live+"]"); got != want {
		t.Errorf("%d tokens count, the model sees %d", got, want)
	}
	rest := `"force":true,"summary":"They use port 5433.","policy":{"preset":"balanced","triggers":[],"keep":{"last_messages":1,"last_tokens":0,"first_user":true}}`
	res := compacted(t, ask(t, whole, rest))
	if got, want := strings.Join(fates(res.Receipt.Items), ", "), "kept first_user 1, folded earlier_summary -, folded summarised -, folded summarised -, kept recent 2"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if out := string(res.Transcript); strings.Contains(out, "DEAD") || strings.Contains(out, "RU5D") || !strings.Contains(out, user) {
		t.Errorf("%s", out)
	}
	if res.Receipt.TokensAfter != seen(t, string(res.Transcript)) {
		t.Errorf("%d tokens, %d count", res.Receipt.TokensAfter, seen(t, string(res.Transcript)))
	}
	idle := compacted(t, ask(t, whole, `"force":true,"policy":{"preset":"balanced","triggers":[],"keep":{"last_messages":9}}`))
	if idle.Compacted || string(idle.Transcript) != whole {
		t.Error("nothing folds, and the bytes changed")
	}
}
