package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const piHead = `{"type":"session","version":3,"id":"S","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}` + "\n"

// piLine is an entry: "b<a" is b below a, "a<" a root; a time counts up with the
// first letter.
func piLine(kind, link string, members ...string) string {
	id, parent, _ := strings.Cut(link, "<")
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	at := fmt.Sprintf(`"timestamp":"2026-01-01T00:00:%02d.000Z"`, 1+id[0]%32)
	return `{"type":"` + kind + `","id":"` + id + `","parentId":` + up + `,` + strings.Join(append([]string{at}, members...), ",") + "}\n"
}

// piSays is a message of text: of the user, or of the model where it is large.
func piSays(link, text string) string {
	m := `{"role":"user","content":[{"type":"text","text":"` + text + `"}],"timestamp":1000}`
	if text != strings.ToLower(text) {
		m = `{"role":"assistant","content":[{"type":"text","text":"` + text + `"}],"api":"x","provider":"p","model":"m1","usage":{"input":7,"output":3,"totalTokens":10},"stopReason":"stop","timestamp":1001}`
	}
	return piLine("message", link, `"message":`+m)
}

// piFold is a compaction of pi's own.
func piFold(link, summary, first string) string {
	return piLine("compaction", link, `"summary":"`+summary+`"`, `"firstKeptEntryId":"`+first+`"`, `"tokensBefore":9`)
}

var piAll = piHead +
	piLine("model_change", "a<", `"provider":"p"`, `"modelId":"m0"`) +
	piLine("thinking_level_change", "b<a", `"thinkingLevel":"high"`) +
	piLine("message", "c<b", `"message":{"role":"user","content":"Do it","timestamp":1000}`) +
	piLine("message", "d<c", `"message":{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","data":"QUJDRA==","mimeType":"image/png"}],"timestamp":1001}`) +
	piLine("message", "e<d", `"message":{"role":"assistant","content":[{"type":"thinking","thinking":"Hm","thinkingSignature":"sig"},{"type":"text","text":"Yes"},{"type":"toolCall","id":"t1","name":"bash","arguments":{"c":1}},{"type":"toolCall","id":"t2","name":"read","arguments":{},"thoughtSignature":"s"},{"type":"novelty"}],"api":"x","provider":"p","model":"m1","usage":{"input":7,"output":3},"stopReason":"toolUse","timestamp":1002}`) +
	piLine("message", "f<e", `"message":{"role":"toolResult","toolCallId":"t1","toolName":"bash","content":[{"type":"text","text":"one"},{"type":"image","data":"QUJD","mimeType":"image/png"}],"details":{"LONG":1},"isError":false,"timestamp":1003}`) +
	piLine("message", "g<f", `"message":{"role":"toolResult","toolCallId":"t2","toolName":"read","content":[{"type":"text","text":"no"},{"type":"text","text":"such"}],"isError":true,"timestamp":1004}`) +
	piLine("message", "h<g", `"message":{"role":"bashExecution","command":"ls","output":"x","exitCode":2,"cancelled":false,"timestamp":1005}`) +
	piLine("message", "i<h", `"message":{"role":"bashExecution","command":"pwd","output":"y","excludeFromContext":true,"timestamp":1006}`) +
	piLine("message", "j<i", `"message":{"role":"bashExecution","command":"q","output":"","cancelled":true,"timestamp":1007}`) +
	piLine("custom", "k<j", `"customType":"ext","data":{"LONG":1}`) +
	piLine("custom_message", "l<k", `"customType":"ext","content":"Note","display":true`) +
	piLine("custom_message", "m<l", `"customType":"ext","content":[{"type":"text","text":"Notes"}],"display":false`) +
	piLine("branch_summary", "n<m", `"fromId":"z","summary":"Left a branch"`) +
	piLine("session_info", "t<n", `"name":"An older name"`) +
	piLine("label", "o<t", `"targetId":"c","label":"x"`) +
	piLine("session_info", "p<o", `"name":"A session"`) +
	piLine("message", "q<p", `"message":{"role":"custom","customType":"y","content":"Old note","timestamp":1008}`) +
	piLine("message", "r<q", `"message":{"role":"compactionSummary","summary":"Old sum","timestamp":1009}`) +
	piLine("message", "s<r", `"message":{"role":"assistant","content":[],"provider":"p","model":"m2","usage":{"input":40,"output":1,"cacheRead":2,"cacheWrite":3},"stopReason":"error","timestamp":1010}`)

func TestPiItems(t *testing.T) {
	d := mustDecode(t, piAll, Options{})
	want := `
:4 user | text "Do it" [real]
:5 user | text "See" | image 8B [real]
:6 assistant | thinking "Hm" signed | text "Yes" | call #t1 bash "{\"c\":1}" | call #t2 read "{}" signed | other
:7 tool | result #t1 bash "one" | image 4B
:8 tool | result #t2 read "no\nsuch" failed
:9 user | text "Ran ` + "`ls`\\n```\\nx\\n```" + `\n\nCommand exited with code 2" [fragment]
:11 user | text "Ran ` + "`q`" + `\n(no output)\n\n(command cancelled)" [fragment]
:13 user custom_message | text "Note" [fragment]
:14 user custom_message | text "Notes" [fragment]
:15 user branch_summary | text "Left a branch" [fragment]
:19 user | text "Old note" [fragment]
:20 user | text "Old sum" [fragment] [summary]
:21 assistant [empty]`
	if got := showAll(d); d.Format != "pi" || got != want {
		t.Errorf("%s is%s\nwant%s", d.Format, got, want)
	}
	if d.Items[0].ID != "c" || d.Model != "m2" || d.Verdict.Shape != shapeLog || d.Verdict.Confidence != certain {
		t.Errorf("id %q, model %q, %+v", d.Items[0].ID, d.Model, d.Verdict)
	}
	for i := range d.Items {
		if s := string(d.Items[i].Sent()); strings.Contains(s, "LONG") || strings.Contains(s, "usage") || strings.Contains(s, "timestamp") {
			t.Errorf("item %d sends %s", i, s)
		}
	}
	holds(t, []byte(piAll), Options{})
	// Only answers say which model is in use, only failures how a command ended.
	d = mustDecode(t, piHead+piSays("b<", "B")+piLine("message", "c<b", `"message":{"role":"custom","customType":"x","content":"n","model":"other"}`)+
		piLine("message", "d<c", `"message":{"role":"bashExecution","command":"ls","output":"x","exitCode":0}`), Options{})
	if d.Model != "m1" || d.Items[2].Text() != "Ran `ls`\n```\nx\n```" {
		t.Errorf("model %q, %q", d.Model, d.Items[2].Text())
	}
}

// piSees is what pi sends, as its own code has it: the way from the newest entry
// to the root, the summary of the last compaction on it, what stands before that
// from its first kept entry on, and what stands behind it.
func piSees(t *testing.T, src []byte) string {
	t.Helper()
	type message struct {
		Role    string
		Content json.RawMessage
		Exclude bool `json:"excludeFromContext"`
	}
	type entry struct {
		Type, ID, Summary string
		Parent            string `json:"parentId"`
		First             string `json:"firstKeptEntryId"`
		Index             *int   `json:"firstKeptEntryIndex"`
		Version           int
		Content           json.RawMessage
		Message           *message
	}
	var all []*entry
	byID := map[string]*entry{}
	for _, line := range strings.Split(string(src), "\n") {
		e := &entry{}
		if json.Unmarshal([]byte(line), e) == nil {
			all = append(all, e)
		}
	}
	old, last := all[0].Type == "session" && all[0].Version < 2, ""
	for i, e := range all {
		if e.Type == "session" {
			continue
		}
		if old { // the update of version 1
			e.ID, e.Parent = fmt.Sprint("#", i), last
			if e.Index != nil && *e.Index < i {
				e.First = all[*e.Index].ID
			}
		}
		last = e.ID
		byID[e.ID] = e
	}
	var path []*entry
	for e := byID[last]; e != nil; e = byID[e.Parent] {
		path = append([]*entry{e}, path...)
	}
	text := func(content json.RawMessage) string {
		var s string
		var blocks []struct{ Text string }
		if json.Unmarshal(content, &s) == nil || json.Unmarshal(content, &blocks) != nil {
			return s
		}
		var all strings.Builder
		for _, b := range blocks {
			all.WriteString(b.Text)
		}
		return all.String()
	}
	var said []string
	boundary := -1
	for i, e := range path {
		if e.Type == "compaction" {
			boundary = i
		}
	}
	kept := boundary < 0
	if boundary >= 0 {
		said = append(said, path[boundary].Summary+"!")
	}
	for i, e := range path {
		kept = kept || i > boundary || e.ID == path[boundary].First
		switch {
		case !kept:
		case e.Type == "message" && !e.Message.Exclude:
			said = append(said, text(e.Message.Content))
		case e.Type == "custom_message":
			said = append(said, text(e.Content))
		case e.Type == "branch_summary" && e.Summary != "":
			said = append(said, "("+e.Summary+")")
		}
	}
	return strings.Join(said, " ")
}

func TestPiHistory(t *testing.T) {
	turns := piSays("a<", "a") + piSays("b<a", "B") + piSays("c<b", "c") + piSays("d<c", "D")
	note := func(link, more string) string { // an entry that says nothing to the model
		return piLine("custom", link, `"customType":"x"`, more)
	}
	leaf := func(link, target, more string) string {
		return piLine("leaf", link, `"targetId":`+target+more)
	}
	old := strings.ReplaceAll(strings.Replace(piHead, `"version":3,`, "", 1)+turns, `"parentId"`, `"was"`)
	old = strings.NewReplacer(`"id":"a",`, "", `"id":"b",`, "", `"id":"c",`, "", `"id":"d",`, "").Replace(old)
	oldFold := func(n int) string {
		return fmt.Sprintf(`{"type":"compaction","timestamp":"2026-01-01T00:00:09.000Z","summary":"S","firstKeptEntryIndex":%d,"tokensBefore":9}`+"\n", n)
	}
	oldTurn := strings.NewReplacer(`"id":"e","parentId":null,`, "").Replace(piSays("e<", "e"))
	for _, c := range []struct {
		name, src, want, evidence string
		sees                      bool // pi itself has such files; the others are OpenClaw's
	}{
		{"a way", piHead + turns, "a B c D", "", true},
		{"a branch", piHead + turns + piSays("e<b", "e"), "a B e", "entries on other branches: 2", true},
		{"a new root", piHead + turns + piSays("e<", "e"), "e", "entries on other branches: 4", true},
		{"a parent that is not there", piHead + turns + piSays("e<x", "e") + piSays("f<e", "F"), "e F", "entries on other branches: 4", true},
		{"a compaction", piHead + turns + piFold("e<d", "S", "c") + piSays("f<e", "f"), "S! c D f", "compactions: 1, the history starts at the last one", true},
		{"a compaction that kept nothing", piHead + turns + piFold("e<d", "S", "zz") + piSays("f<e", "f"), "S! f", "compactions: 1, the history starts at the last one", true},
		{"a compaction without words", piHead + turns + piFold("e<d", "", "c") + piSays("f<e", "f"), "c D f", "compactions: 1, the history starts at the last one", false},
		{"two compactions", piHead + turns + piFold("e<d", "S", "c") + piSays("f<e", "f") + piFold("g<f", "T", "d"), "T! D f", "compactions: 2, the history starts at the last one", true},
		{"a compaction on another branch", piHead + turns + piFold("e<d", "S", "c") + piSays("f<c", "f"), "a B c f", "entries on other branches: 2", true},
		{"what was kept begins with a note", piHead + turns + note("e<d", `"data":1`) + piSays("f<e", "f") + piFold("g<f", "S", "e"), "S! f", "compactions: 1, the history starts at the last one", true},
		{"a branch was left", piHead + turns + piLine("branch_summary", "e<b", `"fromId":"d"`, `"summary":"left"`) + piLine("branch_summary", "f<e", `"fromId":"d"`, `"summary":""`), "a B (left)", "entries on other branches: 2", true},
		{"no head", turns, "a B c D", "", true},
		{"broken lines", piHead + piSays("a<", "a") + "{\"broken\n[1]\n" + piSays("b<a", "B") + `{"note":1}` + "\n", "a B", "lines that are no entry: 1; lines that can not be read: 2", false},
		{"an entry without an id", piHead + turns + strings.Replace(piSays("e<d", "e"), `"id":"e"`, `"id":""`, 1), "a B c D", "lines that are no entry: 1", false},
		{"a circle", piHead + piSays("a<c", "a") + piSays("b<a", "B") + piSays("c<b", "c"), "a B c", "", false},
		{"version 2", strings.Replace(piHead, `"version":3`, `"version":2`, 1) + turns + piSays("e<b", "e"), "a B e", "entries on other branches: 2", true},
		{"neither head nor ids", old[strings.Index(old, "\n")+1:], "a B c D", "", false},
		{"version 1", old, "a B c D", "", true},
		{"version 1, compacted", old + oldFold(3) + oldTurn, "S! c D e", "compactions: 1, the history starts at the last one", true},
		{"version 1, all was kept", old + oldFold(0) + oldTurn, "S! e", "compactions: 1, the history starts at the last one", true},
		{"version 1, twice", old + oldFold(3) + oldTurn + oldFold(4), "S! D e", "compactions: 2, the history starts at the last one", true},

		{"a leaf", piHead + turns + leaf("e<d", `"b"`, ""), "a B", "entries on other branches: 2", false},
		{"a leaf and what came since", piHead + turns + leaf("e<d", `"b"`, "") + piSays("f<b", "f"), "a B f", "entries on other branches: 2", false},
		{"no leaf", piHead + turns + leaf("e<d", "null", ""), "", "entries on other branches: 4", false},
		{"a side entry", piHead + turns + note("e<d", `"appendMode":"side"`) + piSays("f<e", "f"), "a B c D f", "entries on other branches: 1", false},
		{"behind a leaf, where it is appended", piHead + turns + leaf("e<d", `"b"`, `,"appendParentId":"d"`) + piSays("f<d", "f"), "a B f", "entries on other branches: 2", false},
		{"behind a leaf, below another entry", piHead + turns + leaf("e<d", `"b"`, "") + piSays("f<d", "f"), "a B c D f", "", false},
		{"a reset", piHead + turns + note("e<d", `"data":1`) + piLine("custom_message", "f<e", `"customType":"x"`, `"content":"n"`) + piLine("reset", "g<f", `"firstKeptEntryId":"d"`) + piSays("h<g", "h"), "D h", "", false},
		{"a reset that kept nothing", piHead + turns + piLine("reset", "e<d") + piSays("f<e", "f"), "f", "", false},
	} {
		d := holds(t, []byte(c.src), Options{})
		if d == nil || d.Format != "pi" {
			t.Errorf("%s: %+v", c.name, d)
			continue
		}
		var got []string
		for i := range d.Items {
			s := d.Items[i].Text()
			switch {
			case d.Items[i].Summary:
				s += "!"
			case d.Items[i].Type == "branch_summary":
				s = "(" + s + ")"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
		seen := slices.DeleteFunc(d.Verdict.Evidence, func(e string) bool { return strings.HasPrefix(e, "line ") })
		if s := strings.Join(seen, "; "); s != c.evidence {
			t.Errorf("%s: evidence %q, want %q", c.name, s, c.evidence)
		}
		if c.sees {
			if s := piSees(t, []byte(c.src)); s != c.want {
				t.Errorf("%s: pi itself sees %s", c.name, s)
			}
		}
	}
}

func TestPiErrors(t *testing.T) {
	message := func(m string) string { return piHead + piLine("message", "a<", `"message":`+m) }
	for _, c := range []struct {
		src, code, msg string
		opt            Options
	}{
		{`[{"role":"user","content":"a"}]`, "invalid_request", "transcript: is not pi: ", Options{Format: "pi"}},
		{"{\"type\":\"session\",\"id\":\"S\"}\n{\"type\":\"x\"}\n", "unknown_format", "transcript: ", Options{}},
		{"{\"note\":1}\n{\"note\":2}\n", "invalid_request", "transcript: line 1, column 1: the item is no entry of a session of pi", Options{Format: "pi"}},
	} {
		wantError(t, c.src, c.opt, c.code, c.msg)
	}
	// What pi can not read either is passed over, and said.
	for _, m := range []string{
		`{"role":"user","content":5}`, `{"role":"user","content":[5]}`, `{"role":"user","content":[{"type":"text","text":5}]}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":5}]}`, `{"role":"assistant","content":[{"type":"toolCall","id":5}]}`, `{"role":"toolResult","toolCallId":5}`,
	} {
		d := mustDecode(t, message(m)+piSays("b<a", "b"), Options{})
		if e := d.Verdict.Evidence; len(d.Items) != 1 || e[len(e)-1] != "lines that can not be read: 1" {
			t.Errorf("%s: %d items, %q", m, len(d.Items), e)
		}
	}
}

func FuzzPi(f *testing.F) {
	fuzz(f, "pi", piAll, piHead+piSays("a<", "a")+piSays("b<a", "B")+piFold("c<b", "S", "b")+piSays("d<c", "d"), piSays("a<", "a")+piLine("leaf", "b<a", `"targetId":"a"`)+piLine("reset", "c<b"),
		`{"type":"session","id":"S","cwd":"/"}`+"\n"+`{"type":"message","timestamp":"T","message":{"role":"user","content":"a"}}`+"\n"+`{"type":"compaction","timestamp":"T","summary":"s","firstKeptEntryIndex":1}`+"\n")
}
