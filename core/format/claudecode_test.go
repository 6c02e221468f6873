package format

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// What the CLI would go on with (spec/formats.md 2, spec/clients.md, and what
// 2.1.332 sends for such files).
func TestClaudeHistory(t *testing.T) {
	old := ccUser("a<", "one") + ccAnswer("b<a", "m1", ccText("two")) + ccUser("c<b", "three") + ccAnswer("d<c", "m2", ccText("four"))
	for _, c := range []struct{ name, src, want string }{
		{"an answer of four lines, results on two branches", ccFork, "U go at :3, a thinking+both+call x+call y at :5, u out x at :9, u out y at :10, a done at :12"},
		{"the chain runs below the first result", ccUser("a<", "go") + ccAnswer("b<a", "m", ccCall("x")) + ccGave("c<b", "x", "b") + ccAnswer("d<b", "m", ccCall("y")) + ccGave("e<d", "y", "d") + ccAnswer("f<c", "n", ccText("ok")), "U go at :1, a call x+call y at :2, u out x at :3, u out y at :5, a ok at :6"},
		{"a result came before the next call was written", ccUser("a<", "go") + ccAnswer("b<a", "m", ccCall("x")) + ccGave("c<b", "x", "b") + ccAnswer("d<c", "m", ccCall("y")) + ccGave("e<d", "y", "d"), "U go at :1, a call x+call y at :2, u out x at :3, u out y at :5"},
		{"a result that came late stands before what was said since", ccUser("a<", "go") + ccAnswer("b<a", "m", ccCall("x")) + ccUser("c<b", "on") + ccGave("d<b", "x", "b") + ccAnswer("e<c", "n", ccText("ok")), "U go at :1, a call x at :2, u out x at :4, U on at :3, a ok at :5"},
		{"two answers, one id, somebody spoke between them", ccUser("a<", "go") + ccAnswer("b<a", "m", ccText("1")) + ccUser("c<b", "on") + ccAnswer("d<c", "m", ccText("2")), "U go at :1, a 1 at :2, U on at :3, a 2 at :4"},
		{"a message that was taken back", old + ccUser("e<b", "instead") + ccAnswer("f<e", "m3", ccText("five")), "U one at :1, a two at :2, U instead at :5, a five at :6"},
		{"an attempt that was taken back gave a result, too", ccUser("a<", "go") + ccAnswer("b<a", "m", ccCall("x")) + ccGave("c<b", "x", "b") + ccUser("d<b", "["+ccResult("x")+"]") + ccAnswer("e<d", "n", ccText("ok")), "U go at :1, a call x at :2, u out x at :4, a ok at :5"},
		{"what was cleared: a new root", old + ccUser("e<", "anew"), "U anew at :5"},
		{"a sub-agent beside it", old + strings.ReplaceAll(ccUser("e<", "task")+ccAnswer("f<e", "m9", ccText("sub")), `"isSidechain":false`, `"isSidechain":true,"agentId":"A"`), "U one at :1, a two at :2, U three at :3, a four at :4"},
		{"a sub-agent's own file", strings.ReplaceAll(old, `"isSidechain":false`, `"isSidechain":true,"agentId":"A"`), "U one at :1, a two at :2, U three at :3, a four at :4"},
		{"a compaction", old + ccBoundary("e", "") + ccSummary("f<e", "sum") + ccUser("g<f", "on"), "S sum at :6, U on at :7"},
		{"two compactions", old + ccBoundary("e", "") + ccSummary("f<e", "sum") + ccBoundary("g", "") + ccSummary("h<g", "sum2") + ccAnswer("i<h", "m5", ccText("ok")), "S sum2 at :8, a ok at :9"},
		{"a boundary with a parent", old + strings.Replace(ccBoundary("e", ""), `"parentUuid":null`, `"parentUuid":"d"`, 1) + ccSummary("f<e", "sum"), "S sum at :6"},
		{"a boundary at the end", old + ccBoundary("e", ""), ""},
		{"a compaction that preserved messages", old + ccBoundary("e", `,"preservedMessages":{"anchorUuid":"f","uuids":["c","d"],"allUuids":["c","d"]}`) + ccSummary("f<e", "sum") + ccUser("g<f", "on"), "S sum at :6, U three at :3, a four at :4, U on at :7"},
		{"nothing stands behind what was preserved", old + ccBoundary("e", `,"preservedMessages":{"anchorUuid":"f","uuids":["d"]}`) + ccSummary("f<e", "sum"), "S sum at :6, a four at :4"},
		{"the older form: head and tail", old + ccBoundary("e", `,"preservedSegment":{"headUuid":"b","anchorUuid":"f","tailUuid":"d"}`) + ccSummary("f<e", "sum") + ccUser("g<d", "on"), "S sum at :6, a two at :2, U three at :3, a four at :4, U on at :7"},
		{"a message that hangs on a folded one", old + ccBoundary("e", `,"preservedMessages":{"anchorUuid":"f","uuids":["d"]}`) + ccSummary("f<e", "sum") + ccUser("g<b", "late"), "S sum at :6, a four at :4, U late at :7"},
		{"preserved messages that are not there", old + ccBoundary("e", `,"preservedMessages":{"anchorUuid":"f","uuids":["c","zz"]}`) + ccSummary("f<e", "sum"), "S sum at :6"},
		{"preserved messages that stand twice", old + ccBoundary("e", `,"preservedMessages":{"anchorUuid":"f","uuids":["d","d"]}`) + ccSummary("f<e", "sum"), "S sum at :6"},
		{"a segment that does not hang together", old + ccBoundary("e", `,"preservedSegment":{"headUuid":"d","anchorUuid":"f","tailUuid":"b"}`) + ccSummary("f<e", "sum"), "S sum at :6"},
		{"a result behind the boundary", ccUser("a<", "go") + ccAnswer("b<a", "m", ccCall("x")) + ccBoundary("c", "") + ccSummary("d<c", "sum") + ccGave("e<d", "x", "b"), "S sum at :4, u out x at :5"},
		{"lines of an answer above the boundary stay there", ccUser("a<", "go") + ccAnswer("b<a", "m", ccText("above")) + ccBoundary("c", "") + ccSummary("d<c", "sum") + ccAnswer("e<d", "m", ccText("below")), "S sum at :4, a below at :5"},
		{"resumed: the lines stand twice", old + old + ccUser("e<d", "on"), "U one at :1, a two at :2, U three at :3, a four at :4, U on at :9"},
		{"the last of two copies counts", ccUser("a<", "draft") + ccUser("a<", "final"), "U final at :1"},
		{"lines were filtered: their children hang on the line before", ccUser("a<", "one") + ccAnswer("b<gone", "m", ccText("two")) + ccUser("c<b", "three"), "U one at :1, a two at :2, U three at :3"},
		{"no line names its parent", strings.ReplaceAll(ccUser("a<", "one")+ccAnswer("b<", "m", ccText("two"))+ccUser("c", "three"), "T-", ""), "U one at :1, a two at :2, U three at :3"},
		{"a circle", ccUser("a<c", "one") + ccAnswer("b<a", "m", ccText("two")) + ccUser("c<b", "three"), "U one at :1, a two at :2, U three at :3"},
		{"a uuid that is none", ccUser("z<", "one") + ccAnswer("q<q", "m", ccText("two")) + ccUser("q<q", "three"), "U one at :1, a two at :2, U three at :3"},
		{"what was typed meanwhile", ccUser("a<", "go") + ccLine("attachment", "b<a", `"attachment":{"type":"queued_command","prompt":"wait","commandMode":"prompt"}`) + ccLine("attachment", "c<b", `"attachment":{"type":"queued_command","prompt":[{"type":"text","text":"task done"}],"commandMode":"task-notification"}`), "U go at :1, U wait at :2, u task done at :3"},
		{"said in the user's name", ccUser("a<", "Caveat", `"isMeta":true`) + ccUser("b<a", "<command-name>/x</command-name>") + ccUser("c<b", "go", `"origin":{"kind":"human"}`) + ccUser("d<c", "done", `"origin":{"kind":"task-notification"}`), "u Caveat at :1, u <command-name>/x</command-name> at :2, U go at :3, u done at :4"},
		{"what can not be read", ccUser("a<", "go") + "[1]\n{\"broken\n" + ccLine("user", "b<a", `"message":"text"`) + ccLine("user", "c<b", `"message":{"role":"user","content":[5]}`) + ccAnswer("d<c", "m", ccText("ok")) + ccAnswer("e<d", "m", `{"type":"tool_use","id":7}`), "U go at :1, a ok at :6"},
		{"a line of an answer that can not be read", ccAnswer("a<", "m", ccText("one")) + ccLine("assistant", "b<a", `"message":{"id":"m","content":{"type":"text"}}`) + ccAnswer("c<b", "m", ccText("t")+`,{"type":"text","text":5}`) + ccAnswer("d<c", "m", ccText("two")), "a one+two at :1"},
		{"contents of other forms", ccUser("a<", "null") + ccLine("user", "b<a", `"message":{"content":"bare","note":1}`) + ccLine("assistant", "c<b", `"message":{"id":"m","content":"said"}`) + ccLine("assistant", "d<c", `"message":{"id":"m","content":null}`) + ccLine("assistant", "e<d", `"message":{"content":[]}`), "U  at :1, U bare at :2, a said at :3, a  at :5"},
	} {
		d := holds(t, []byte(c.src), Options{Format: "claude-code"})
		if d == nil {
			t.Errorf("%s: not read", c.name)
			continue
		}
		if got := ccShown(d); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if d := holds(t, []byte(c.src), Options{}); d == nil || d.Format != "claude-code" {
			t.Errorf("%s: not detected", c.name)
		}
	}
}

func TestClaudeItems(t *testing.T) {
	d := mustDecode(t, ccFork, Options{})
	if made := mustDecode(t, ccFork+strings.Replace(ccAnswer("l<k", "m3", ccText("made up")), "claude-x", "<synthetic>", 1), Options{}); made.Model != "claude-x" {
		t.Errorf("model %q", made.Model)
	}
	if d.Verdict.Shape != "log" || d.Verdict.Confidence != 0.98 || d.Family != transcript.Messages || d.Model != "claude-x" || d.API() != "anthropic-messages" {
		t.Errorf("%+v, family %v, model %q, api %q", d.Verdict, d.Family, d.Model, d.API())
	}
	// The API's form: no usage, no result that is there for the screen.
	for i, want := range []string{
		`{"role":"user","content":"go"}`,
		`{"role":"assistant","content":[` + ccThought + "," + ccText("both") + "," + ccCall("x") + "," + ccCall("y") + `]}`,
		`{"role":"user","content":[` + ccResult("x") + `]}`,
	} {
		if got := string(d.Items[i].Raw); got != want {
			t.Errorf("item %d is %s, want %s", i, got, want)
		}
	}
	it := &d.Items[1]
	if it.ID != "m1" || d.Items[0].ID != "a" {
		t.Errorf("ids %q and %q", it.ID, d.Items[0].ID)
	}
	for j, want := range []string{ccThought, ccText("both"), ccCall("x"), ccCall("y")} {
		if p := it.Parts[j]; string(it.Raw[p.Start:p.End]) != want {
			t.Errorf("part %d stands at %q", j, it.Raw[p.Start:p.End])
		}
	}
	if p := it.Parts[3]; string(it.Raw[p.BodyStart:p.BodyEnd]) != `{"path":"y"}` || !it.Parts[0].Signed {
		t.Errorf("%+v", it.Parts)
	}
	out, ok := d.Writer.WithParts(it, []transcript.Edit{{Part: 0, Drop: true}, {Part: 2, Text: `{"cleared":true}`}})
	if want := `{"role":"assistant","content":[` + ccText("both") + `,{"type":"tool_use","id":"x","name":"Read","input":{"cleared":true}},` + ccCall("y") + `]}`; !ok || string(out.Raw) != want {
		t.Errorf("%v %s, want %s", ok, out.Raw, want)
	}
	odd := mustDecode(t, ccLine("user", "a<", `"message":{"role":"user","content":"x","id":"msg_9"}`)+ccSummary("b<a", "<environment_context>old</environment_context>"), Options{})
	if got := string(odd.Items[0].Raw); got != `{"role":"user","content":"x"}` {
		t.Errorf("a message with more members is %s", got)
	}
	if it := odd.Items[1]; !it.Summary || it.Context != "" || it.Fragment {
		t.Errorf("a summary that looks like a fragment: %+v", it)
	}
	for _, want := range []string{"compact boundaries: 1", "messages on other branches: 1", "messages of sub-agents: 1", "lines that stand twice: 1", "lines that can not be read: 2"} {
		src := ccUser("z<", "old") + ccBoundary("y", "") + ccUser("a<y", "go") + ccUser("a<y", "go") + ccUser("c<a", "no") + ccUser("b<a", "yes") +
			strings.ReplaceAll(ccUser("s<b", "sub"), `"isSidechain":false`, `"isSidechain":true`) + "{\"cut" + "\n" + ccLine("user", "d<b", `"message":7`)
		if got := strings.Join(mustDecode(t, src, Options{}).Verdict.Evidence, "; "); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestClaudeRefused(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`{"type":"user","message":{"role":"user","content":"x"}}`, "line 1, column 1: the item is no line of claude-code: a uuid is missing"},
		{"{\"cut\n{}\n", "string is not closed"},
	} {
		_, err := Decode([]byte(c.src), Options{Format: "claude-code", Text: true})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func FuzzClaudeCode(f *testing.F) {
	fuzz(f, "claude-code", ccFork, ccUser("a<", "x")+ccBoundary("b", `,"preservedMessages":{"anchorUuid":"c","uuids":["a"]}`)+ccSummary("c<b", "s"),
		ccUser("a<a", "x")+ccUser("a<a", "y"), ccLine("attachment", "a<", `"attachment":{"type":"queued_command","prompt":[]}`),
		"["+strings.ReplaceAll(strings.TrimSpace(ccFork), "\n", ",")+"]")
}

// Sessions out of lines drawn at random: what hangs on what is anybody's guess.
func TestRandomSessions(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 200
	}
	r := rand.New(rand.NewSource(2))
	name := func() string { return string(rune('a' + r.Intn(9))) }
	read := 0
	for range rounds {
		var b strings.Builder
		b.WriteString(ccUser("root<", "root"))
		for range r.Intn(14) {
			id := name() + "<" + slices.Concat([]string{"", "root"}, strings.Split("abcdefghi", ""))[r.Intn(11)]
			answer := "m" + string(rune('0'+r.Intn(3)))
			line := []string{
				ccUser(id, "u"), ccUser(id, "["+ccResult(name())+"]"), ccGave(id, name(), name()), ccAnswer(id, answer, ccText("t")), ccAnswer(id, answer, ccCall(name())),
				ccAnswer(id, answer, ccThought+","+ccCall(name())), ccLine("progress", id, `"data":{}`), ccSummary(id, "s"), ccBoundary(name(), ""),
				ccBoundary(name(), `,"preservedMessages":{"anchorUuid":"`+name()+`","uuids":["`+name()+`","`+name()+`"]}`),
				ccBoundary(name(), `,"preservedSegment":{"anchorUuid":"`+name()+`","headUuid":"`+name()+`","tailUuid":"`+name()+`"}`),
				ccLine("attachment", id, `"attachment":{"type":"queued_command","prompt":"p"}`), ccLine("user", id, `"message":{"role":"user","content":5}`),
				ccLine("assistant", id, `"message":{"id":"`+answer+`","content":{"text":1}}`),
			}[r.Intn(14)]
			if r.Intn(12) == 0 {
				line = strings.Replace(line, `"isSidechain":false`, `"isSidechain":true`, 1)
			}
			b.WriteString(line)
		}
		if holds(t, []byte(b.String()), Options{}) != nil {
			read++
		}
	}
	if read != rounds {
		t.Fatalf("%d of %d sessions were read", read, rounds)
	}
}
