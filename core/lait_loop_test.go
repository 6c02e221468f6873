package core_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// loopTask is longer than any summary of a test, so that folding it is a gain: lait
// itself takes a summary however long it is.
var loopTask = "Start. " + strings.Repeat("Read the build log, find the package that fails, and say since when. ", 12)

// laitLoop is the host: lait's loop with the engine in it.
type laitLoop struct {
	t      *testing.T
	policy string
	models map[string]core.Alias
	system bool
	prompt string  // of the user; loopTask if empty
	max    int     // rounds; 8 if 0
	script []reply // in the order in which the server gives them

	items    []string
	requests []string
	bodies   []core.ModelRequest // of the requests for a summary
	compacts []string            // round/before/after
	results  []*core.CompactResult
	err      error
}

// reply is one answer of the server.
type reply struct {
	calls   int    // tool calls; 0 is a final answer
	text    string // of a final answer
	prompt  int    // prompt_tokens; 0: it reports no usage
	summary bool   // it answers a request for a summary, and no other
	fails   string // the code of an error
}

func summarised(text string) reply { return reply{summary: true, text: text} }

func calls(n, prompt int) reply { return reply{calls: n, prompt: prompt} }

func final() reply { return reply{text: "done"} }

func (l *laitLoop) next(summary bool, request string) reply {
	l.t.Helper()
	l.requests = append(l.requests, request)
	if len(l.script) == 0 {
		l.t.Fatalf("the script has no reply to %s", l.requests)
	}
	r := l.script[0]
	l.script = l.script[1:]
	if r.summary != summary {
		l.t.Fatalf("the script does not expect %s", l.requests)
	}
	return r
}

func (l *laitLoop) run() *laitLoop {
	l.t.Helper()
	if l.prompt == "" {
		l.prompt = loopTask
	}
	if l.system {
		l.items = append(l.items, `{"role":"system","content":"You are careful."}`)
	}
	l.items = append(l.items, fmt.Sprintf(`{"role":"user","content":%q}`, l.prompt))
	var state json.RawMessage
	var usage *core.Usage
	for round := 1; ; round++ {
		if l.max == 0 {
			l.max = 8
		}
		if round > l.max {
			l.err = fmt.Errorf("more than %d rounds", l.max)
			return l
		}
		if state, l.err = l.compact(round, usage, state); l.err != nil {
			return l
		}
		r := l.next(false, fmt.Sprintf("r%d(%s)", round, shapeOf(l.t, l.items)))
		usage = nil
		if r.prompt > 0 {
			usage = &core.Usage{PromptTokens: &r.prompt}
		}
		if r.calls == 0 {
			if len(l.script) > 0 {
				l.t.Errorf("%d replies were not asked for", len(l.script))
			}
			return l
		}
		l.tools(round, r.calls)
	}
}

// compact asks the engine before the request of a round, and sends what it wants
// to be sent.
func (l *laitLoop) compact(round int, usage *core.Usage, state json.RawMessage) (json.RawMessage, error) {
	l.t.Helper()
	req := core.Request{
		Transcript: []byte("[" + strings.Join(l.items, ",") + "]"), Format: "openai-chat", Policy: json.RawMessage(l.policy),
		Models: l.models, Model: &core.Model{ID: "workflow-model"}, Round: &round, Usage: usage, State: state,
	}
	var answers []core.Answer
	for {
		plan, err := core.Next(req, answers)
		if err != nil {
			return nil, err
		}
		if plan.Plan.Request == nil {
			break
		}
		r := *plan.Plan.Request
		l.bodies = append(l.bodies, r)
		var body struct{ Messages []json.RawMessage }
		if err := json.Unmarshal(r.Body, &body); err != nil {
			l.t.Fatal(err)
		}
		var sent []string
		for _, m := range body.Messages {
			sent = append(sent, string(m))
		}
		got := l.next(true, fmt.Sprintf("s(%s)", shapeOf(l.t, sent)))
		answers = append(answers, core.Answer{Text: got.text, Error: got.fails})
	}
	res, err := core.Apply(req, answers)
	if err != nil {
		return nil, err
	}
	l.results = append(l.results, res)
	if res.Compacted {
		holds(l.t, req, res)
		e := res.Receipt.Event
		l.compacts = append(l.compacts, fmt.Sprintf("%d/%d/%d", e.Round, e.MessagesBefore, e.MessagesAfter))
		var items []json.RawMessage
		if err := json.Unmarshal(res.Transcript, &items); err != nil {
			l.t.Fatal(err)
		}
		l.items = nil
		for _, it := range items {
			l.items = append(l.items, string(it))
		}
	}
	return res.State, nil
}

func (l *laitLoop) tools(round, n int) {
	var made []string
	for i := range n {
		made = append(made, fmt.Sprintf(`{"id":"r%dc%d","type":"function","function":{"name":"tool__echo","arguments":"{}"}}`, round, i))
	}
	l.items = append(l.items, `{"role":"assistant","content":null,"tool_calls":[`+strings.Join(made, ",")+`]}`)
	for i := range n {
		l.items = append(l.items, fmt.Sprintf(`{"role":"tool","tool_call_id":"r%dc%d","content":"echo %d: %s"}`, round, i, round, strings.Repeat("the log goes on ", 12)))
	}
}

// shapeOf is the letters of messages.
func shapeOf(t *testing.T, items []string) string {
	t.Helper()
	var out []string
	for _, raw := range items {
		var m struct {
			Role      string
			ToolCalls []json.RawMessage `json:"tool_calls"`
		}
		if err := json.Unmarshal([]byte(raw), &m); err != nil {
			t.Fatal(err)
		}
		letter := map[string]string{"system": "S", "user": "U", "assistant": "A", "tool": "T"}[m.Role]
		if n := len(m.ToolCalls); n > 0 {
			letter += fmt.Sprint("*", n)
		}
		out = append(out, letter)
	}
	return strings.Join(out, " ")
}

func (l *laitLoop) wants(requests string, compacts ...string) {
	l.t.Helper()
	if got := strings.Join(l.requests, " "); got != requests {
		l.t.Errorf("requests\n%s\nwant\n%s", got, requests)
	}
	if !slices.Equal(l.compacts, compacts) {
		l.t.Errorf("compactions %v, want %v", l.compacts, compacts)
	}
}
