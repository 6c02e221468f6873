package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

const execRun = `{"type":"thread.started","thread_id":"t"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"**Look**"}}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"ls","aggregated_output":"","exit_code":null,"status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"ls","aggregated_output":"a\n","exit_code":1,"status":"failed"}}
{"type":"item.completed","item":{"id":"item_2","type":"mcp_tool_call","server":"s","tool":"t","arguments":{"q": 1},"result":{"content":[]},"error":null}}
{"type":"item.completed","item":{"id":"item_3","type":"file_change","changes":[{"path":"a","kind":"add"}]}}
{"type":"item.started","item":{"id":"item_4","type":"todo_list","items":[]}}
{"type":"item.completed","item":{"id":"item_5","type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{"input_tokens":5}}
`

func TestCodexExec(t *testing.T) {
	d := mustDecode(t, execRun, Options{})
	var got []string
	for _, it := range d.Items {
		line := []byte(it.Type)
		for _, p := range it.Parts {
			line = fmt.Appendf(line, " %s(%s,%s,%t)%s", p.Kind, p.ID, p.Name, p.Failed, p.Text)
		}
		got = append(got, string(line))
	}
	want := []string{
		"reasoning thinking(,,false)**Look**",
		"command_execution call(item_1,command_execution,false)ls result(item_1,,true)a\n",
		`mcp_tool_call call(item_2,s.t,false){"q":1} result(item_2,,false){"content":[]}`,
		`file_change call(item_3,file_change,false)[{"path":"a","kind":"add"}]`,
		"todo_list other(,,false)",
		"agent_message text(,,false)Done.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("items are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p := transcript.Pair(d.Transcript); len(p.Orphans)+len(p.Unanswered) > 0 || slices.Contains(p.Open, true) {
		t.Errorf("orphans %v, unanswered %v, open %v", p.Orphans, p.Unanswered, p.Open)
	}
	if d.Verdict.Confidence != certain {
		t.Errorf("verdict %+v", d.Verdict)
	}
}

// A run below data, as some loggers write it, and one in a list.
func TestCodexExecWrapped(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(execRun), "\n")
	for i := range lines {
		lines[i] = `{"log_type":"x","data":` + lines[i] + `}`
	}
	for _, src := range []string{execRun, strings.Join(lines, "\n"), "[" + strings.Join(lines, ", ") + "]"} {
		if d := holds(t, []byte(src), Options{}); d == nil || d.Format != "codex-exec" || len(d.Items) != 6 {
			t.Errorf("%.80s is not read", src)
		}
	}
}

// What belongs to a command goes with it: the event that it began with.
func TestCodexExecFold(t *testing.T) {
	d := mustDecode(t, execRun, Options{})
	m := d.Writer.Message(transcript.Assistant, "sum")
	out, err := d.Encode([]transcript.Entry{{From: -1, New: &m}, {From: 5}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	source := strings.Split(execRun, "\n")
	want := []string{source[0], source[1], string(m.Raw), source[8], source[9]}
	if !slices.Equal(lines, want) {
		t.Errorf("written\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzCodexExec(f *testing.F) {
	fuzz(f, "codex-exec", execRun, `{"type":"item.completed","item":{"id":1,"type":"agent_message","text":5}}`, `[{"data":{"type":"turn.started"}}]`)
}
