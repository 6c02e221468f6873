package format

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// piChain checks that the entries of new lines hang together, have ids that no
// other has, and gives them.
func piChain(t *testing.T, lines, before, parent string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, line := range strings.Split(strings.TrimSuffix(lines, "\n"), "\n") {
		m := map[string]any{}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, m)
		if m["type"] == "session" {
			continue
		}
		id, _ := m["id"].(string)
		up, _ := m["parentId"].(string)
		if id == "" || up != parent || strings.Contains(before, `"id":"`+id+`"`) || strings.Count(lines, `"id":"`+id+`"`) != 1 || m["timestamp"] == nil {
			t.Errorf("%s does not hang on %q", line, parent)
		}
		parent = id
	}
	return all
}

// What is planned is what pi sees, of a session that goes on as of a copy. A tail
// of the history stays where it is.
func TestPiFold(t *testing.T) {
	turns := piHead + piSays("a<", "a") + piSays("b<a", "B") + piSays("c<b", "c") + piSays("d<c", "D") + piSays("e<d", "e") + piSays("f<e", "F")
	changed := turns + piLine("model_change", "g<f", `"provider":"p9"`, `"modelId":"m9"`)
	folded := turns + piFold("g<f", "S", "e") + piSays("h<g", "h")
	old := strings.Replace(turns, `"version":3,`, "", 1)
	for _, id := range "abcdef" {
		old = strings.Replace(old, `"id":"`+string(id)+`",`, "", 1)
		old = strings.Replace(old, `"parentId":"`+string(id)+`",`, "", 1)
	}
	old = strings.Replace(old, `"parentId":null,`, "", 1)
	const stands = piStands + "! "
	for _, c := range []struct {
		name, src, plan, sees, types string // types: of the new lines
	}{
		{"a tail", turns, "n 4 5", "N! e F", "compaction"},
		{"nothing stays", turns, "n", "N!", "compaction"},
		{"all stays", turns, "n 0 1 2 3 4 5", "N! a B c D e F", "compaction"},
		{"the first message and a tail", turns, "n 0 4 5", "N! a e F", "compaction message message message"},
		{"a head", turns, "n 0 1", "N! a B", "compaction message message"},
		{"a changed tail", turns, "n 4 5*", "N! e T", "compaction message message"},
		{"the summary is not first", turns, "0 n 4 5", stands + "a N e F", "compaction message message message message"},
		{"the summary is last", turns, "0 2 4 n", stands + "a c e N", "compaction message message message message"},
		{"another order", turns, "n 3 2 5", "N! D c F", "compaction message message message"},
		{"two summaries", turns, "n 0 n 5", "N! a N F", "compaction message message message"},
		{"no summary", turns, "2 3 4 5", stands + "c D e F", "compaction"},
		{"a result was cleared", turns, "0 1* 2", stands + "a T c", "compaction message message message"},
		{"nothing", turns, "", strings.TrimSpace(stands), "compaction"},
		{"the model was changed", changed, "n 0 1", "N! a B", "compaction message message model_change"},
		{"the model was changed in what stays", changed, "n 5", "N! F", "compaction"},
		{"folded again", folded, "n 3", "N! h", "compaction"},
		{"what was folded stays", folded, "0 1 2 3", "S! e F h", ""},
		{"a summary stays", folded, "0 3", "S! h", "compaction"},
		{"a summary that is not first", folded, "n 0 3", "N! (S) h", "compaction branch_summary message"},
		{"a summary that was changed", folded, "0* 3", "T! h", "compaction"},
		{"another summary", folded, "n 1 2 3", "N! e F h", "compaction"},
		{"version 1", old, "n 4 5", "N! e F", "compaction"},
		{"version 1, copies", old, "n 0 5", "N! a F", "compaction message message"},
	} {
		for _, rewrite := range []bool{false, true} {
			name := fmt.Sprintf("%s, rewrite %v", c.name, rewrite)
			d := mustDecode(t, c.src, Options{Rewrite: rewrite})
			entries := entriesOf(d, c.plan)
			out, err := d.Encode(entries)
			if err != nil {
				t.Fatal(err)
			}
			if got := piSees(t, out); got != c.sees {
				t.Errorf("%s: pi sees %s, want %s\n%s", name, got, c.sees, out)
			}
			again := mustDecode(t, string(out), Options{})
			want := strings.NewReplacer(stands, "", strings.TrimSpace(stands), "", "(S)", "S").Replace(c.sees)
			if got := texts2(again); got != want {
				t.Errorf("%s: reads as %s, want %s\n%s", name, got, want, out)
			}
			if twice, err := d.Encode(entriesOf(d, c.plan)); err != nil || string(twice) != string(out) {
				t.Errorf("%s: not the same bytes twice", name)
			}
			holds(t, out, Options{})
			if c.types == "" {
				continue
			}
			if rewrite {
				if c.src != old {
					piChain(t, string(out), "", "")
				}
				continue
			}
			fresh, ok := strings.CutPrefix(string(out), c.src)
			if !ok {
				t.Fatalf("%s: the session changed", name)
			}
			if c.src == old {
				if strings.Contains(fresh, `"id"`) || strings.Contains(fresh, `"parentId"`) {
					t.Errorf("%s: version 1 has no ids: %s", name, fresh)
				}
				continue
			}
			last := c.src[strings.LastIndex(c.src, `"id":"`)+6:][:1]
			var types []string
			for _, m := range piChain(t, fresh, c.src, last) {
				types = append(types, m["type"].(string))
			}
			if got := strings.Join(types, " "); got != c.types {
				t.Errorf("%s: lines %s, want %s", name, got, c.types)
			}
		}
	}
}

// The lines themselves: members in pi's order, the time of the last line or the
// caller's, the size of the history as pi counts it (the last answer's usage of
// 10, and a quarter of what is behind it, which is nothing).
func TestPiLines(t *testing.T) {
	turns := piHead + piSays("a<", "a") + piSays("b<a", "B")
	for _, c := range []struct{ now, plan, want string }{
		{"", "n 1", `{"type":"compaction","id":"ID","parentId":"b","timestamp":"2026-01-01T00:00:03.000Z","summary":"N","firstKeptEntryId":"b","tokensBefore":10,"fromHook":true}`},
		{"2026-02-02T00:00:00.000Z", "n 0", `{"type":"compaction","id":"ID","parentId":"b","timestamp":"2026-02-02T00:00:00.000Z","summary":"N","firstKeptEntryId":"ID","tokensBefore":10,"fromHook":true}` + "\n" +
			`{"type":"message","id":"ID","parentId":"ID","timestamp":"2026-02-02T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"a"}],"timestamp":1000}}`},
		{"2026-02-02T00:00:00.000Z", "0 n", `{"type":"compaction","id":"ID","parentId":"b","timestamp":"2026-02-02T00:00:00.000Z","summary":"` + piStands + `","firstKeptEntryId":"ID","tokensBefore":10,"fromHook":true}` + "\n" +
			`{"type":"message","id":"ID","parentId":"ID","timestamp":"2026-02-02T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"a"}],"timestamp":1000}}` + "\n" +
			`{"type":"message","id":"ID","parentId":"ID","timestamp":"2026-02-02T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"N"}],"timestamp":1769990400000}}`},
	} {
		d := mustDecode(t, turns, Options{Now: c.now})
		out, err := d.Encode(entriesOf(d, c.plan))
		got := strings.TrimSpace(strings.TrimPrefix(string(out), turns))
		for _, m := range piChain(t, got, turns, "b") {
			id := m["id"].(string)
			if len(id) != 8 || strings.Trim(id, "0123456789abcdef") != "" {
				t.Errorf("id %s", id)
			}
			got = strings.ReplaceAll(got, `"`+id+`"`, `"ID"`)
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.plan, err, got, c.want)
		}
	}
	// A session that does not end its last line, and one with other line ends.
	for src, end := range map[string]string{strings.TrimSuffix(turns, "\n"): "\n", strings.ReplaceAll(turns, "\n", "\r\n"): "\r\n"} {
		d := mustDecode(t, src, Options{})
		out, err := d.Encode(entriesOf(d, "n 1"))
		if err != nil || !strings.HasPrefix(string(out), src) || strings.Count(string(out), end) != strings.Count(string(out), "\n") || len(mustDecode(t, string(out), Options{}).Items) != 2 {
			t.Errorf("%v %q", err, out)
		}
	}
}

// A copy has the head, the name, the level of thinking and the model of the
// session, its entries as they were but for what they hang on, and what an
// extension noted behind them.
func TestPiRewrite(t *testing.T) {
	d := mustDecode(t, piAll, Options{Rewrite: true})
	out, err := d.Encode(entriesOf(d, "n 0 6 9"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(piHead+
		piLine("session_info", "p<", `"name":"A session"`)+
		piLine("thinking_level_change", "b<p", `"thinkingLevel":"high"`)+
		`{"type":"compaction","id":"NEW","parentId":"b","timestamp":"2026-01-01T00:00:20.000Z","summary":"N","firstKeptEntryId":"NEW","tokensBefore":TOKENS,"fromHook":true}`+"\n"+
		piLine("message", "c<NEW", `"message":{"role":"user","content":"Do it","timestamp":1000}`)+
		piLine("message", "j<c", `"message":{"role":"bashExecution","command":"q","output":"","cancelled":true,"timestamp":1007}`)+
		piLine("custom", "k<j", `"customType":"ext","data":{"LONG":1}`)+
		piLine("branch_summary", "n<k", `"fromId":"z","summary":"Left a branch"`)+
		`{"type":"model_change","id":"NEW2","parentId":"n","timestamp":"2026-01-01T00:00:20.000Z","provider":"p","modelId":"m2"}`+"\n", "\r", "")
	size := 0 // behind the last answer that was not an error, whose usage is 10
	for i := range d.Items[3:] {
		size += len(d.Items[3+i].Sent())
	}
	want = strings.Replace(want, "TOKENS", strconv.Itoa(10+size/4), 1)
	for _, m := range piChain(t, string(out), "", "") {
		if m["type"] == "compaction" || m["type"] == "model_change" {
			want = strings.ReplaceAll(want, map[string]string{"compaction": `"NEW"`, "model_change": `"NEW2"`}[m["type"].(string)], `"`+m["id"].(string)+`"`)
		}
	}
	if string(out) != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
}

// What an entry is stays when its payload is edited; results stay lists.
func TestPiEdits(t *testing.T) {
	d := mustDecode(t, piAll, Options{})
	for _, c := range []struct{ name, got, want string }{
		{"an output", edited(d, 3, transcript.Edit{Part: 0, Text: "[gone]"}), `{"role":"toolResult","toolCallId":"t1","toolName":"bash","content":[{"type":"text","text":"[gone]"}],"details":{"LONG":1},"isError":false,"timestamp":1003}`},
		{"a picture", edited(d, 1, transcript.Edit{Part: 1, Text: "[a picture]"}), `{"role":"user","content":[{"type":"text","text":"See"},{"type":"text","text":"[a picture]"}],"timestamp":1001}`},
		{"an input, and a thought goes", edited(d, 2, transcript.Edit{Part: 0, Drop: true}, transcript.Edit{Part: 2, Text: `{"cleared":1}`}), `{"role":"assistant","content":[{"type":"text","text":"Yes"},{"type":"toolCall","id":"t1","name":"bash","arguments":{"cleared":1}},{"type":"toolCall","id":"t2","name":"read","arguments":{},"thoughtSignature":"s"},{"type":"novelty"}],"api":"x","provider":"p","model":"m1","usage":{"input":7,"output":3},"stopReason":"toolUse","timestamp":1002}`},
		{"a new id", edited(d, 4, transcript.Edit{Part: 0, ID: "t9"}), `{"role":"toolResult","toolCallId":"t9","toolName":"read","content":[{"type":"text","text":"no"},{"type":"text","text":"such"}],"isError":true,"timestamp":1004}`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
	for item, want := range map[int]string{
		5: `:? user | text "T" [real]`, 7: `:? user custom_message | text "T" [fragment]`, 8: `:? user custom_message | text "T" [fragment]`,
		9: `:? user branch_summary | text "T" [fragment]`, 10: `:? user | text "T" [fragment]`, 3: `:? tool | result #t1 bash "T"`,
	} {
		out := d.Writer.WithText(&d.Items[item], "T")
		path := out.Path
		if out.Path = ":?"; show(&out) != want || !strings.Contains(path, strings.SplitN(d.Items[item].Path, ".", 2)[0]) && path != "" {
			t.Errorf("item %d: %s %s, want %s", item, path, show(&out), want)
		}
	}
	out, ok := d.Writer.Answer(&d.Items[2], 2, "none")
	if want := `{"role":"toolResult","toolCallId":"t1","toolName":"bash","content":[{"type":"text","text":"none"}],"isError":true,"timestamp":1010}`; !ok || string(out.Raw) != want {
		t.Errorf("%v %s", ok, out.Raw)
	}
	// Messages of a person become one; what an extension said does not.
	if out, ok = d.Writer.Joined(&d.Items[0], &d.Items[1]); !ok || out.Text() != "Do itSee" && out.Text() != "Do it\n\nSee" {
		t.Errorf("%v %s", ok, out.Raw)
	}
	for _, pair := range [][2]int{{7, 8}, {5, 0}, {0, 9}, {0, 10}, {10, 0}} { // 5: a command that a person ran, 10: an extension
		if _, ok = d.Writer.Joined(&d.Items[pair[0]], &d.Items[pair[1]]); ok {
			t.Errorf("%v became one", pair)
		}
	}
	if m := d.Writer.Message(transcript.Assistant, "x"); !strings.Contains(string(m.Raw), `"usage":{`) || !strings.Contains(string(m.Raw), `"stopReason":"stop"`) {
		t.Errorf("pi reads the usage of every answer, not of %s", m.Raw)
	}
}
