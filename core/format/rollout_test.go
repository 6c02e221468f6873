package format

import (
	"strings"
	"testing"
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

// Rollouts from before September 2025: a header, items without payloads, states
// between them (spec/codex.md 12).
const rolloutBare = `{"id":"S","timestamp":"2025-05-07T17:24:21.597Z","instructions":null,"git":{}}
{"record_type":"state"}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"do it"}]}
{"record_type":"state"}
{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"RU5D"}
{"type":"function_call","id":"fc_1","name":"shell","arguments":"{}","call_id":"c1"}
{"type":"function_call_output","call_id":"c1","output":"ok"}
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}
`

func TestBareRollout(t *testing.T) {
	d := holds(t, []byte(rolloutBare), Options{})
	if d == nil || d.Format != "codex-rollout" || d.Verdict.Confidence != 0.99 || d.Verdict.Evidence[0] != "line 1 is the header of an old rollout" {
		t.Fatalf("%+v", d)
	}
	if got, want := texts(d), "do it at :3, reasoning at :5, function_call at :6, function_call_output at :7, done at :8"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	holds(t, []byte(rolloutBare), Options{Format: "codex-rollout"})
	_, headless, _ := strings.Cut(rolloutBare, "\n")
	if d := holds(t, []byte(headless), Options{}); d == nil || d.Format != "codex-rollout" || d.Verdict.Evidence[0] != "line 1 has a record_type" {
		t.Errorf("%+v", d)
	}
	// A copy of one is one.
	line := strings.SplitAfter(rolloutBare, "\n")
	d = mustDecode(t, rolloutBare, Options{Rewrite: true})
	got, err := d.Encode(entriesOf(d, "n 0* 4"))
	if want := line[0] + `{"type":"message","role":"user","content":[{"type":"input_text","text":"N"}]}` + "\n" + strings.Replace(line[2], "do it", "T", 1) + line[7]; err != nil || string(got) != want {
		t.Errorf("%v %s\nwant\n%s", err, got, want)
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

// A log is written as a copy where that was asked for.
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

	if out, err := d.Encode(identity(len(d.Items))); err != nil || string(out) != rolloutBroken {
		t.Errorf("%v: %s", err, out)
	}
}

// Without Rewrite a compacted line stands behind the log, with the ordinal that
// comes next, and what resumes from it are the entries.
func TestAppend(t *testing.T) {
	d := mustDecode(t, rolloutPlain, Options{})
	got, err := d.Encode(entriesOf(d, "n 0* 3"))
	if err != nil {
		t.Fatal(err)
	}
	item := func(n int) string {
		_, payload, _ := strings.Cut(strings.Split(rolloutPlain, "\n")[n-1], `"payload":`)
		return strings.TrimSuffix(payload, "}")
	}
	want := rolloutPlain + `{"timestamp":"T8","ordinal":9,"type":"compacted","payload":{"message":"N","replacement_history":[` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"N"}]},` + strings.Replace(item(3), "do it", "T", 1) + "," + item(9) + "]}}\n"
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	again := mustDecode(t, string(got), Options{})
	if got, want := texts(again), "N at :10.payload.replacement_history[0], T at :10.payload.replacement_history[1], done at :10.payload.replacement_history[2]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}

	// The caller's time; no ordinals; a last line without an end gets one, and so
	// do ours: the CLI writes its next line behind them.
	d = mustDecode(t, rolloutCompacted, Options{Now: "NOW"})
	if got, err = d.Encode(entriesOf(d, "1 n")); err != nil || string(got) != rolloutCompacted+"\n"+
		`{"timestamp":"NOW","type":"compacted","payload":{"message":"N","replacement_history":[{"type":"compaction","encrypted_content":"RU5D"},{"type":"message","role":"user","content":[{"type":"input_text","text":"N"}]}]}}`+"\n" {
		t.Errorf("%v: %s", err, got)
	}
	// Nothing new, nothing left.
	if got, err = d.Encode(nil); err != nil || !strings.HasSuffix(string(got), `"payload":{"message":"","replacement_history":[]}}`+"\n") {
		t.Errorf("%v: %s", err, got)
	}

	d = mustDecode(t, rolloutBroken, Options{})
	if got, err = d.Encode(entriesOf(d, "0 n")); err != nil || !strings.HasPrefix(string(got), rolloutBroken+"\r\n{") || !strings.HasSuffix(string(got), "}\r\n") {
		t.Errorf("%v: %q", err, got)
	}
}

// A window is counted on, and a token count from before the compaction does not
// stand: the CLI would compact again at once.
func TestAppendWindow(t *testing.T) {
	const id = "01a22e19-aebf-78d3-9b3a-3bb96bb228ed"
	head := `{"type":"session_meta","payload":{"id":"S","base_instructions":{"text":"12345678"},"context_window":{"window_id":"` + id + `"}}}` + "\n"
	counted := `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":900},"last_token_usage":{"total_tokens":800},"model_context_window":1000},"rate_limits":{}}}` + "\n"
	limits := `{"type":"event_msg","payload":{"type":"token_count","info":null,"rate_limits":{}}}` + "\n"
	d := mustDecode(t, head+user("a")+counted+limits+answer("b"), Options{})
	got, err := d.Encode(entriesOf(d, "0 n"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(got)), "\n")
	_, window, _ := strings.Cut(lines[5], `"window_number":`)
	if !strings.HasPrefix(window, `1,"first_window_id":"`+id+`","previous_window_id":"`+id+`","window_id":"01a22e19-aebf-7`) {
		t.Errorf("window %s", window)
	}
	// 8 bytes of instructions and two messages of 78 bytes: 41 tokens.
	want := `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":900},"last_token_usage":{"input_tokens":0,` +
		`"cached_input_tokens":0,"cache_write_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":41},"model_context_window":1000},"rate_limits":null}}`
	if len(lines) != 7 || lines[6] != want {
		t.Errorf("%s\nwant\n%s", lines[len(lines)-1], want)
	}
	second := window[strings.LastIndex(window, `"window_id":"`)+13:][:36]
	d = mustDecode(t, string(got), Options{})
	if got, err = d.Encode(entriesOf(d, "n")); err != nil {
		t.Fatal(err)
	}
	if want := `"window_number":2,"first_window_id":"` + id + `","previous_window_id":"` + second + `","window_id":"01a22e19-aebf-7`; !strings.Contains(string(got), want) || second == id {
		t.Errorf("%s\nwant %s", got, want)
	}

	// An old line has the number where the id stands today; after one without a
	// number nobody knows the window, whatever the session began with.
	for meta, want := range map[string]string{
		`{"message":"x","replacement_history":[],"window_id":4}`:     `"window_number":5}`,
		`{"message":"x","replacement_history":[],"window_number":2}`: `"window_number":3}`,
		`{"message":"x","replacement_history":[]}`:                   `]}`,
	} {
		d := mustDecode(t, head+`{"type":"compacted","payload":`+meta+"}\n"+user("a"), Options{})
		if got, err := d.Encode(entriesOf(d, "n")); err != nil || !strings.HasSuffix(string(got), want+"}\n") {
			t.Errorf("%s: %v %s", meta, err, got)
		}
	}
}
