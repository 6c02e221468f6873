package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/transcript"
)

// writes renders the pieces of a conversation as one provider wants them.
type writes struct {
	format string
	user   func(text string) string // a message of a person
	answer func(text string) string // a message of the model
	// calls is an answer with calls of these ids, results the message or messages
	// that answer them. The model thinks, or signs, in every second one.
	calls     func(thinks bool, ids []string) string
	results   func(ids []string, text string) string
	fragments bool // context may stand in a user message before the user's own
	// What stands around the list.
	open, close string
}

func each(ids []string, sep string, f func(id string) string) string {
	var out []string
	for _, id := range ids {
		out = append(out, f(id))
	}
	return strings.Join(out, sep)
}

func providers() []writes {
	says := func(role, kind string) func(string) string {
		return func(text string) string {
			return fmt.Sprintf(`{"role":%q,"content":[{"type":%q,"text":%q}]}`, role, kind, text)
		}
	}
	return []writes{
		{
			format: "openai-chat", user: says("user", "text"), answer: says("assistant", "text"), fragments: true,
			calls: func(_ bool, ids []string) string {
				return `{"role":"assistant","content":null,"tool_calls":[` + each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":"run","arguments":"{}"}}`, id)
				}) + `]}`
			},
			results: func(ids []string, text string) string {
				return each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":%q}`, id, text)
				})
			},
		},
		{
			format: "openai-responses", user: says("user", "input_text"), answer: says("assistant", "output_text"), fragments: true,
			calls: func(thinks bool, ids []string) string {
				lead := ""
				if thinks {
					lead = fmt.Sprintf(`{"type":"reasoning","id":"rs_%s","summary":[],"encrypted_content":"EEEE"},`, ids[0])
				}
				return lead + each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"type":"function_call","call_id":%q,"name":"run","arguments":"{}"}`, id)
				})
			},
			results: func(ids []string, text string) string {
				return each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, id, text)
				})
			},
		},
		{
			format: "anthropic-messages", user: says("user", "text"), answer: says("assistant", "text"), fragments: true,
			calls: func(thinks bool, ids []string) string {
				lead := ""
				if thinks {
					lead = `{"type":"thinking","thinking":"hm","signature":"c2ln"},`
				}
				return `{"role":"assistant","content":[` + lead + each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"run","input":{}}`, id)
				}) + `]}`
			},
			results: func(ids []string, text string) string {
				return `{"role":"user","content":[` + each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":%q}`, id, text)
				}) + `]}`
			},
		},
		{
			format: "bedrock-converse",
			user:   func(s string) string { return fmt.Sprintf(`{"role":"user","content":[{"text":%q}]}`, s) },
			answer: func(s string) string { return fmt.Sprintf(`{"role":"assistant","content":[{"text":%q}]}`, s) },
			calls: func(thinks bool, ids []string) string {
				lead := ""
				if thinks {
					lead = `{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}},`
				}
				return `{"role":"assistant","content":[` + lead + each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"toolUse":{"toolUseId":%q,"name":"run","input":{}}}`, id)
				}) + `]}`
			},
			results: func(ids []string, text string) string {
				return `{"role":"user","content":[` + each(ids, ",", func(id string) string {
					return fmt.Sprintf(`{"toolResult":{"toolUseId":%q,"content":[{"text":%q}]}}`, id, text)
				}) + `]}`
			},
			open: `{"modelId":"m","toolConfig":{"tools":[{"toolSpec":{"name":"run","inputSchema":{"json":{}}}}]},"messages":`, close: `}`,
		},
		{
			format: "gemini-contents",
			user:   func(s string) string { return fmt.Sprintf(`{"role":"user","parts":[{"text":%q}]}`, s) },
			answer: func(s string) string { return fmt.Sprintf(`{"role":"model","parts":[{"text":%q}]}`, s) },
			// Here a turn either signs all of its steps or none.
			calls: func(thinks bool, ids []string) string {
				sign := ""
				if thinks {
					sign = `,"thoughtSignature":"c2ln"`
				}
				return `{"role":"model","parts":[` + each(ids, ",", func(string) string {
					part := `{"functionCall":{"name":"run","args":{}}` + sign + `}`
					sign = ""
					return part
				}) + `]}`
			},
			results: func(ids []string, text string) string {
				return `{"role":"user","parts":[` + each(ids, ",", func(string) string {
					return fmt.Sprintf(`{"functionResponse":{"name":"run","response":{"output":%q}}}`, text)
				}) + `]}`
			},
		},
	}
}

// conversation is one that the provider takes: turns of a question, some rounds
// of calls with their results, and an answer; it may end anywhere.
func (w writes) conversation(d *dice) []byte {
	var items []string
	calls := 0
	words := func() string { return strings.Repeat("alpha beta gamma ", 1+d.roll(12)) }
	turns := 2 + d.roll(5)
	for turn := range turns {
		last := turn == turns-1
		if d.roll(3) == 0 {
			items = append(items, w.user("<environment_context>"+words()+"</environment_context>"))
			if !w.fragments {
				items = append(items, w.answer(words()))
			}
		}
		items = append(items, w.user(words()))
		if last && d.roll(4) == 0 {
			break
		}
		signs := d.roll(2) == 0
		for range d.roll(4) {
			ids := make([]string, 1+d.roll(3))
			for i := range ids {
				calls++
				ids[i] = fmt.Sprintf("call_%d", calls)
			}
			items = append(items, w.calls(signs, ids), w.results(ids, words()))
		}
		if last && d.roll(3) == 0 {
			break
		}
		items = append(items, w.answer(words()))
	}
	return []byte(w.open + "[" + strings.Join(items, ",") + "]" + w.close)
}

// What a provider takes before a compaction, it takes behind it: under every
// policy, wherever it cuts and puts its summary, and once more when the next
// compaction works on what this one left.
func TestValidStaysValid(t *testing.T) {
	policies := append([]string{
		`{"preset":"balanced","keep":{"last_tokens":60}}`,
		`{"keep":{"first_user":true,"last_messages":1},"summary":{"role":"assistant","place":"after_instructions"}}`,
		`{"keep":{"first_user":true,"last_turns":1},"summary":{"role":"user","place":"end"}}`,
		`{"keep":{"initial_context":true,"first_user":false,"last_messages":3},"summary":{"role":"assistant","place":"end"}}`,
		`{"keep":{"initial_context":false,"first_user":false,"last_tokens":0,"pins":[{"index":1},{"index":4},{"index":7},{"index":8}]}}`,
		`{"keep":{"initial_context":false,"first_user":false,"last_messages":1,"pins":[{"index":2},{"index":5}]},"summary":{"role":"assistant","place":"end"}}`,
	}, fuzzPolicies...)
	for _, w := range providers() {
		t.Run(w.format, func(t *testing.T) {
			d := dice(7)
			compacted, bridges, joins := 0, 0, 0
			for range 150 {
				src := w.conversation(&d)
				req := core.Request{Transcript: src, Format: w.format, Force: true}
				none(t, req, src)
				for _, p := range policies {
					req.Policy, req.Transcript = []byte(p), src
					for pass := range 2 {
						text := fmt.Sprintf("summary %d", pass)
						req.Summary = &text
						res, err := core.Compact(req)
						if err != nil {
							t.Fatalf("%v in %s", err, req.Transcript)
						}
						holds(t, req, res)
						if !res.Compacted {
							break
						}
						compacted++
						for _, in := range res.Receipt.Inserted {
							if in.Kind == "bridge" {
								bridges++
							}
						}
						if len(res.Receipt.Items)+len(res.Receipt.Inserted) > 0 && places(res) < stands(res) {
							joins++
						}
						none(t, req, res.Transcript)
						req.Transcript = res.Transcript
					}
				}
			}
			t.Logf("%d compactions, %d bridges, %d joined", compacted, bridges, joins)
			strict := w.format == "bedrock-converse" || w.format == "gemini-contents"
			merges := w.format == "anthropic-messages" // where a bridge keeps thinking first in its turn
			if compacted < 1000 || strict != (joins > 50) || (strict || merges) != (bridges > 10) {
				t.Errorf("%d compactions, %d bridges, %d joined", compacted, bridges, joins)
			}
		})
	}
}

// stands is how many items and messages of ours stand, wherever.
func stands(res *core.CompactResult) int {
	n := len(res.Receipt.Inserted)
	for _, f := range res.Receipt.Items {
		if f.To != nil {
			n++
		}
	}
	return n
}

// none: the provider refuses nothing of it.
func none(t *testing.T, req core.Request, src []byte) {
	t.Helper()
	doc := decode(t, src, req)
	if defects := transcript.Validate(doc.Transcript, transcript.Pair(doc.Transcript)); len(defects) > 0 {
		t.Fatalf("%s\n%+v\nin %s", req.Policy, defects, src)
	}
}
