package tokens

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

func usage(t *testing.T, text string) *Usage {
	t.Helper()
	var u Usage
	if err := json.Unmarshal([]byte(text), &u); err != nil {
		t.Fatal(err)
	}
	return &u
}

const unknown = -1

func TestUsage(t *testing.T) {
	for _, x := range []struct {
		text          string
		prompt, total int
	}{
		{`{}`, unknown, unknown},
		{`{"prompt_tokens":null,"total_tokens":null}`, unknown, unknown},
		{`{"prompt_tokens":100,"completion_tokens":20}`, 100, 120},
		{`{"prompt_tokens":100,"completion_tokens":20,"total_tokens":150}`, 100, 150},
		{`{"prompt_tokens":0,"completion_tokens":0}`, 0, 0},
		{`{"prompt_tokens":100}`, 100, unknown},
		{`{"total_tokens":7}`, unknown, 7},
		{`{"completion_tokens":20}`, unknown, unknown},
		{`{"input_tokens":100,"output_tokens":20}`, 100, 120},
		{`{"input_tokens":5,"cache_read_input_tokens":70,"cache_creation_input_tokens":25,"output_tokens":1}`, 100, 101},
		{`{"cache_read_input_tokens":70}`, unknown, unknown},
		{`{"prompt_tokens":10,"input_tokens":99,"cache_read_input_tokens":70}`, 10, unknown},
		{`{"prompt_tokens":-1,"completion_tokens":20}`, unknown, unknown},
		{`{"prompt_tokens":-1,"input_tokens":8,"cache_read_input_tokens":-3}`, 8, unknown},
		{`{"prompt_tokens":1,"completion_tokens":2,"total_tokens":-5}`, 1, 3},
	} {
		u := usage(t, x.text)
		if n, ok := u.LastPrompt(); ok != (x.prompt >= 0) || ok && n != x.prompt {
			t.Errorf("%s: prompt %d %v, want %d", x.text, n, ok, x.prompt)
		}
		if n, ok := u.Total(); ok != (x.total >= 0) || ok && n != x.total {
			t.Errorf("%s: total %d %v, want %d", x.text, n, ok, x.total)
		}
	}
	huge := math.MaxInt
	if n, ok := (&Usage{PromptTokens: &huge, CompletionTokens: &huge}).Total(); !ok || n != math.MaxInt {
		t.Errorf("huge: %d %v, want the largest number", n, ok)
	}
	var none *Usage
	if _, ok := none.LastPrompt(); ok {
		t.Error("no usage: prompt known")
	}
	if _, ok := none.Total(); ok {
		t.Error("no usage: total known")
	}
}

func message(role transcript.Role, text string) transcript.Item {
	raw := `{"type":"message","role":"` + string(role) + `","content":` + quote(text) + `}`
	return item(raw, "message", role, transcript.Part{Kind: transcript.Text, Text: text})
}

func output(text string) transcript.Item {
	return item(`{"type":"function_call_output","output":`+quote(text)+`}`, "function_call_output", transcript.Tool,
		transcript.Part{Kind: transcript.Result, Text: text})
}

func call() transcript.Item {
	// The role is left as a reader of unknown types might leave it: the type tells.
	return item(`{"type":"function_call","name":"ls","arguments":"{}"}`, "function_call", "",
		transcript.Part{Kind: transcript.Call, Name: "ls", Text: "{}"})
}

func TestActiveTokens(t *testing.T) {
	fragment := message(transcript.User, "<environment_context>x</environment_context>")
	fragment.Fragment = true
	agent := item(`{"type":"agent_message"}`, "agent_message", transcript.Assistant)
	u := message(transcript.User, "do it")
	a := message(transcript.Assistant, "done")
	r := sealed("reasoning", 2000) // 213 tokens
	c, out := call(), output(strings.Repeat("x", 400))
	for _, counter := range []Counter{Bytes4(), Estimate()} {
		tr := &transcript.Transcript{Family: transcript.Responses}
		size := func(items ...transcript.Item) (n int) {
			for i := range items {
				n += Item(tr, &items[i], counter)
			}
			return n
		}
		for _, x := range []struct {
			name  string
			usage string
			items []transcript.Item
			want  int
		}{
			{"nothing after the answer", `{"total_tokens":1000}`, []transcript.Item{u, a}, 1000},
			{"result and message after it", `{"total_tokens":1000}`, []transcript.Item{u, c, out, u}, 1000 + size(out, u)},
			{"reasoning of this turn is in the figure", `{"total_tokens":1000}`, []transcript.Item{u, r, c, out}, 1000 + size(out)},
			{"reasoning of an earlier turn is not", `{"total_tokens":1000}`, []transcript.Item{u, r, a, u, r, c, out}, 1000 + 213 + size(out)},
			{"unless the provider says so", `{"total_tokens":1000,"reasoning_included":true}`, []transcript.Item{u, r, a, u, c, out}, 1000 + size(out)},
			{"a fragment begins no turn", `{"total_tokens":1000}`, []transcript.Item{u, r, a, fragment}, 1000 + size(fragment)},
			{"another agent's message does", `{"total_tokens":1000}`, []transcript.Item{u, r, a, agent}, 1000 + 213 + size(agent)},
			{"compaction items are the model's", `{"total_tokens":1000}`, []transcript.Item{u, sealed("compaction", 4000), u}, 1000 + size(u)},
			{"no item of the model: all is new", `{"total_tokens":1000}`, []transcript.Item{u, u}, 1000 + size(u, u)},
			{"prompt alone: the answer counts", `{"prompt_tokens":900}`, []transcript.Item{u, a, u, r, c, out}, 900 + size(r, c, out)},
			{"prompt and completion", `{"prompt_tokens":900,"completion_tokens":50}`, []transcript.Item{u, c, out}, 950 + size(out)},
		} {
			tr.Items = x.items
			n, from := ActiveTokens(tr, usage(t, x.usage), counter)
			if n != x.want || !from {
				t.Errorf("%s, %s: %d %v, want %d", x.name, counter.Name(), n, from, x.want)
			}
		}
		tr.Items, tr.System = []transcript.Item{u, a, u}, "Be brief."
		for _, text := range []string{`{}`, `{"completion_tokens":3}`} {
			if n, from := ActiveTokens(tr, usage(t, text), counter); n != Measure(tr, counter).Total() || from {
				t.Errorf("%s without usage: %d %v, want the whole transcript", counter.Name(), n, from)
			}
		}
		if n, from := ActiveTokens(tr, nil, counter); n != Measure(tr, counter).Total() || from {
			t.Errorf("%s with nil usage: %d %v, want the whole transcript", counter.Name(), n, from)
		}
	}
}

func TestActiveTokensOfChat(t *testing.T) {
	// Outside the Responses family the role tells, and no reasoning is added.
	r := sealed("reasoning", 2000)
	tool := item(`{"role":"tool","content":"ok"}`, "", transcript.Tool, transcript.Part{Kind: transcript.Result, Text: "ok"})
	tr := &transcript.Transcript{Family: transcript.Chat, Items: []transcript.Item{
		message(transcript.User, "a"), r, message(transcript.User, "b"), message(transcript.Assistant, "c"), tool,
	}}
	n, from := ActiveTokens(tr, usage(t, `{"prompt_tokens":10,"completion_tokens":5}`), Estimate())
	if want := 15 + Item(tr, &tool, Estimate()); n != want || !from {
		t.Errorf("%d %v, want %d", n, from, want)
	}
	huge := math.MaxInt
	if n, _ := ActiveTokens(tr, &Usage{TotalTokens: &huge}, Estimate()); n != math.MaxInt {
		t.Errorf("huge: %d", n)
	}
}
