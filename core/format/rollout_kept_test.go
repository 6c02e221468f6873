package format

import (
	"errors"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

func ofKind(kind, payload string) string {
	return `{"timestamp":"T","type":"` + kind + `","payload":` + payload + "}\n"
}

// Messages between agents are items (spec/codex.md 12), in the shapes in which a
// line can hold one, and turns begin with them.
func TestRolloutAgents(t *testing.T) {
	src := user("a") +
		ofKind("inter_agent_communication", `{"author":"root","recipient":"child","other_recipients":[],"content":"plain","trigger_turn":true}`) + answer("b") +
		ofKind("inter_agent_communication", `{"author":"root","recipient":"child","content":[{"type":"input_text","text":"parts"}]}`) +
		ofKind("inter_agent_communication", `{"author":"root","recipient":"child","content":"","encrypted_content":"RU5D"}`) +
		ofKind("inter_agent_communication", `{"author":"root","recipient":"child"}`)
	d := holds(t, []byte(src), Options{})
	if got, want := texts(d), "a at :1, agent_message at :2, b at :3, agent_message at :4, agent_message at :5"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	if got, want := string(d.Items[1].Raw), `{"type":"agent_message","author":"root","recipient":"child","content":[{"type":"input_text","text":"plain"}]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if d.Items[1].Text() != "plain" || d.Items[3].Text() != "parts" || d.Items[4].Parts[0].Kind != transcript.Opaque {
		t.Errorf("%+v", d.Items)
	}
	if len(d.Left) != 1 || d.Left[0].Path != ":6" || d.Left[0].Code != "malformed_line" {
		t.Errorf("left out: %+v", d.Left)
	}
	d = mustDecode(t, src, Options{})
	got, err := d.Encode(entriesOf(d, "1 n"))
	if err != nil || !strings.Contains(string(got), `"replacement_history":[`+string(d.Items[1].Raw)+",") {
		t.Errorf("%v %s", err, got)
	}
	// A copy holds it as the item that it is.
	d = mustDecode(t, src, Options{Rewrite: true})
	if got, err = d.Encode(entriesOf(d, "1")); err != nil || string(got) != ofKind("response_item", string(d.Items[1].Raw)) {
		t.Errorf("%v %s", err, got)
	}
	back := mustDecode(t, src+back1, Options{})
	if got, want := texts(back), "a at :1, agent_message at :2, b at :3, agent_message at :4"; got != want {
		t.Errorf("rolled back: %s, want %s", got, want)
	}
}

// What Codex keeps in no history (spec/codex.md 2.8) is none here, in a line or in
// the list of a compaction, and goes into no list of ours.
func TestRolloutUnkept(t *testing.T) {
	const (
		system  = `{"type":"message","role":"system","content":[{"type":"input_text","text":"SYS"}]}`
		trigger = `{"type":"compaction_trigger"}`
		mystery = `{"type":"mystery","a":1}`
		kept    = `{"type":"message","role":"user","content":[{"type":"input_text","text":"kept"}]}`
	)
	src := ofKind("response_item", system) + user("a") + ofKind("response_item", trigger) + ofKind("response_item", mystery) + answer("b")
	d := holds(t, []byte(src), Options{})
	if got, want := texts(d), "a at :2, b at :5"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := strings.Join(d.Verdict.Evidence, "; "); !strings.Contains(got, "items that Codex keeps in no history left out: 3") {
		t.Error(got)
	}
	d = mustDecode(t, ofKind("compacted", `{"message":"m","replacement_history":[`+system+","+kept+","+trigger+","+mystery+"]}")+answer("b"), Options{})
	if got, want := texts(d), "kept at :1.payload.replacement_history[1], b at :2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	got, err := d.Encode(entriesOf(d, "n 0 1"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(got)), "\n")
	for _, word := range []string{"SYS", "compaction_trigger", "mystery"} {
		if strings.Contains(lines[len(lines)-1], word) {
			t.Errorf("%s stands in %s", word, lines[len(lines)-1])
		}
	}
}

// A compacted line that Codex skips is told, for the thread goes on without it.
func TestRolloutSkippedCompaction(t *testing.T) {
	src := user("a") + strings.Replace(checkAt, `"replacement_history"`, `"replacement_history_metadata":[{}],"replacement_history"`, 1)
	d := mustDecode(t, src, Options{})
	if len(d.Left) != 1 || d.Left[0].Path != ":2" || !strings.Contains(d.Left[0].Message, "1 entries of replacement_history_metadata for 2 items") {
		t.Errorf("%+v", d.Left)
	}
	if d := mustDecode(t, user("a")+checkAt, Options{}); len(d.Left) != 0 {
		t.Errorf("%+v", d.Left)
	}
}

// A way to write histories that Codex does not know is an error, as there; only
// the first session_meta counts.
func TestRolloutHistoryMode(t *testing.T) {
	meta := func(mode string) string { return ofKind("session_meta", `{"id":"S","history_mode":`+mode+`}`) }
	for _, mode := range []string{`"zzz"`, `5`} {
		var e *transcript.Error
		if _, err := Decode([]byte(meta(mode)+user("a")), Options{}); !errors.As(err, &e) || !strings.Contains(e.Message, "line 1, ") || !strings.Contains(e.Message, "history_mode is "+mode) {
			t.Errorf("%s: %v", mode, err)
		}
	}
	for _, src := range []string{meta(`"legacy"`), meta(`"paginated"`), meta("null"), meta(`"legacy"`) + meta(`"zzz"`)} {
		mustDecode(t, src+user("a"), Options{})
	}
}
