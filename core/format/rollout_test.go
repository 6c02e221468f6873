package format

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

func texts(d *Document) string {
	var all []string
	for i := range d.Items {
		it := &d.Items[i]
		s := it.Text()
		if it.Type != "message" {
			s = it.Type
		}
		if it.Summary {
			s += "!"
		}
		all = append(all, s+" at "+it.Path)
	}
	return strings.Join(all, ", ")
}

func user(text string) string {
	return `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}}` + "\n"
}

func answer(text string) string {
	return `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + text + `"}]}}` + "\n"
}

const (
	started  = `{"type":"event_msg","payload":{"type":"task_started"}}` + "\n"
	back1    = `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}` + "\n"
	back2    = `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":2}}` + "\n"
	checkAt  = `{"type":"compacted","payload":{"replacement_history":[{"role":"user","content":"kept"},{"role":"user","content":"sum"}]}}` + "\n"
	developr = `{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"dev"}]}}` + "\n"
)

// The effective history, as spec/codex.md 9.4 has it.
func TestReplay(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"plain", rolloutPlain, "do it at :3, function_call at :5, function_call_output at :7, done at :9"},
		{"compacted", rolloutCompacted, "first at :3.payload.replacement_history[0], compaction! at :3.payload.replacement_history[1], second at :4"},
		{"the old form", rolloutLegacy, "before compact at :3, legacy summary! at :5.payload.message"},
		{"the old form, twice", rolloutLegacy + user("more") + answer("x") + `{"type":"compacted","payload":{"message":"second summary"}}`, "before compact at :3, more at :6, second summary! at :8.payload.message"},
		{"the old form, without a text", user("a") + answer("b") + `{"type":"compacted","payload":{"message":""}}`, "a at :1"},
		{"broken lines", rolloutBroken, "hello at :2, hi at :8"},
		{"a compaction whose metadata do not fit is not there", user("a") + strings.Replace(checkAt, `"replacement_history"`, `"replacement_history_metadata":[{}],"replacement_history"`, 1), "a at :1"},
		{"a turn that was rolled back takes its compaction with it", rolloutTurns, "one at :3, 1 at :4, three at :10"},
		{"without task_started a turn begins at its message", user("a") + answer("b") + developr + user("c") + answer("d") + back1, "a at :1, b at :2"},
		{"two turns", user("a") + answer("b") + user("c") + user("d") + back2, "a at :1, b at :2"},
		{"steering is no turn of its own", started + user("a") + started + user("b") + user("c") + back1 + user("d"), "a at :2, d at :7"},
		{"steering is no turn of its own, two turns back", started + user("a") + started + user("b") + user("c") + back2 + user("d"), "d at :7"},
		{"after a roll back a turn begins at its message", started + user("a") + started + user("b") + back1 + user("c") + back1, "a at :2"},
		{"beyond the compaction: its user messages", checkAt + answer("x") + back1, "kept at :1.payload.replacement_history[0]"},
		{"more turns than there are", user("a") + back2 + user("b"), "b at :3"},
		{"a roll back to before, then on", started + user("a") + answer("b") + started + user("c") + answer("d") + back1 + started + user("e") + back1 + answer("f"), "a at :2, b at :3, f at :11"},
	} {
		d := mustDecode(t, c.src, Options{})
		if got := texts(d); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		holds(t, []byte(c.src), Options{})
	}
}

func TestRolloutEvidence(t *testing.T) {
	got := strings.Join(mustDecode(t, rolloutBroken, Options{}).Verdict.Evidence[3:], "; ")
	if want := "lines of an unknown type: 1; lines that can not be read: 4"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	got = strings.Join(mustDecode(t, rolloutTurns, Options{}).Verdict.Evidence[3:], "; ")
	if want := "compacted lines: 1, the history starts at the last one; user turns rolled back: 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	got = strings.Join(mustDecode(t, rolloutPlain, Options{}).Verdict.Evidence[3:], "; ")
	if want := "ghost_snapshot items left out: 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A log is written as a copy, and only where that was asked for.
func TestRewrite(t *testing.T) {
	line := func(src string, n int) string { return strings.Split(src, "\n")[n-1] + "\n" }
	d := mustDecode(t, rolloutPlain, Options{Rewrite: true})
	got, err := d.Encode(entriesOf(d, "n 0* 3"))
	if err != nil {
		t.Fatal(err)
	}
	// Lines 1, 8, 3 and 9 of the log; the ordinals of the copy have no gap.
	number := func(line string, from, to string) string {
		return strings.Replace(line, `"ordinal":`+from, `"ordinal":`+to, 1)
	}
	want := line(rolloutPlain, 1) + number(line(rolloutPlain, 8), "7", "1") +
		`{"timestamp":"T8","ordinal":2,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"N"}]}}` + "\n" +
		number(strings.Replace(line(rolloutPlain, 3), "do it", "T", 1), "2", "3") + number(line(rolloutPlain, 9), "8", "4")
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// With the caller's time.
	d = mustDecode(t, rolloutPlain, Options{Rewrite: true, Now: "NOW"})
	if got, err = d.Encode(entriesOf(d, "n")); err != nil || !strings.Contains(string(got), `{"timestamp":"NOW","ordinal":2,"type":"response_item"`) {
		t.Errorf("%v %s", err, got)
	}

	// Items of a compacted line become lines of their own; no ordinals, no end.
	d = mustDecode(t, rolloutCompacted, Options{Rewrite: true})
	if got, err = d.Encode(entriesOf(d, "1 2")); err != nil {
		t.Fatal(err)
	}
	want = line(rolloutCompacted, 1) + `{"timestamp":"T3","type":"response_item","payload":{"type":"compaction","encrypted_content":"RU5D"}}` + "\n" +
		strings.TrimSuffix(line(rolloutCompacted, 4), "\n")
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}

	d = mustDecode(t, rolloutBroken, Options{Rewrite: true})
	if got, err = d.Encode(entriesOf(d, "0 n")); err != nil || strings.Count(string(got), "\r\n") != 1 || strings.HasSuffix(string(got), "\n") {
		t.Errorf("%v: %q", err, got)
	}

	d = mustDecode(t, rolloutPlain, Options{})
	var e *transcript.Error
	if !errors.As(d.Writable(), &e) || e.Code != "invalid_request" || e.Path != "rewrite" {
		t.Error(d.Writable())
	}
	if _, err := d.Encode(entriesOf(d, "0")); !errors.Is(err, d.Writable()) {
		t.Error(err)
	}
	if out, err := d.Encode(identity(len(d.Items))); err != nil || string(out) != rolloutPlain {
		t.Errorf("%v: %s", err, out)
	}
	if fmt.Sprint(mustDecode(t, rolloutPlain, Options{Rewrite: true}).Writable()) != "<nil>" {
		t.Error("a rewrite is refused")
	}
}
