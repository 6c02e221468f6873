package format

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// One target per wire family. Whatever the bytes are: no panic, an error with a
// known code, or a document of which everything in holds is true.

func fuzz(f *testing.F, name string, seeds ...string) {
	f.Helper()
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		holds(t, src, Options{})
		holds(t, src, Options{Format: name, Text: true})
	})
}

func FuzzOpenAIChat(f *testing.F) {
	fuzz(f, "openai-chat", chatTools, chatPretty, chatLines, chatOdd, severalChats, `[]`, `{"messages":[]}`, "\ufeff[ ]",
		`[{"role":"user","content":"a"}]`, `{"role":"user","content":"one line"}`, `[{"role":5}]`, `[{"role":"user","content":[1]}]`)
}

func FuzzOpenAIResponses(f *testing.F) {
	fuzz(f, "openai-responses", responsesTools, responsesAll, `{"input":"x"}`, `{"input":[{"role":"user","content":"a"}],"instructions":"b"}`,
		`{"object":"response","output":[]}`, `[{"type":"function_call","call_id":5}]`,
		`[{"type":"function_call_output","output":{"type":"input_text","text":"x"}},{"type":"message","role":"user"}]`)
}

func FuzzAnthropicMessages(f *testing.F) {
	fuzz(f, "anthropic-messages", anthropicTools, anthropicServer, `{"system":"s","messages":[{"role":"user","content":"a"}]}`,
		`{"type":"message","role":"assistant","content":[],"usage":{}}`, `[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"n","input":{}}]}]`,
		`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"base64","data":"QQ=="}}]}]}]`)
}

func FuzzCodexRollout(f *testing.F) {
	fuzz(f, "codex-rollout", rolloutPlain, rolloutCompacted, rolloutLegacy, rolloutTurns, rolloutBroken,
		`{"type":"session_meta","payload":{}}`, "{\"type\":\"compacted\",\"payload\":{}}\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_back\",\"num_turns\":9}}")
}

// Conversations out of parts drawn at random: what byte fuzzing seldom builds,
// since most of its inputs are no JSON. The seed is fixed, so that a failure
// comes again.

func draw(r *rand.Rand, parts []string) string {
	p := parts[r.Intn(len(parts))]
	p = strings.ReplaceAll(p, "ID2", string(rune('a'+r.Intn(4))))
	return strings.ReplaceAll(p, "ID", string(rune('a'+r.Intn(4))))
}

func randomList(r *rand.Rand, parts []string, most int) []string {
	out := make([]string, r.Intn(most))
	for i := range out {
		out[i] = draw(r, parts)
	}
	return out
}

func chatParts() []string {
	return []string{
		`{"role":"user","content":"u"}`, `{"role":"user","content":""}`, `{"role":"system","content":"s"}`, `{"role":"exit","content":"x"}`,
		`{"role":"assistant","content":"a"}`, `{"role":"assistant","content":null}`,
		`{"role":"assistant","tool_calls":[{"id":"ID","function":{"name":"f","arguments":"{}"}}]}`,
		`{"role":"assistant","content":"","tool_calls":[{"id":"ID","function":{"name":"f"}},{"id":"ID2","function":{"name":"g"}}]}`,
		`{"role":"tool","tool_call_id":"ID","content":"r"}`, `{"role":"tool","tool_call_id":"ID","content":"r"}`,
		`{"role":"assistant","function_call":{"name":"ID","arguments":"{}"}}`, `{"role":"function","name":"ID","content":"r"}`,
		`{"role":"user","content":[{"type":"tool_use"},{"type":"text","text":"t"}],"extra":{}}`,
	}
}

func responsesParts() []string {
	return []string{
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]}`, `{"role":"user","content":"u"}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`,
		`{"type":"reasoning","summary":[],"encrypted_content":"RQ=="}`, `{"type":"reasoning","summary":[{"type":"summary_text","text":"t"}]}`,
		`{"type":"function_call","name":"f","arguments":"{}","call_id":"ID"}`, `{"type":"function_call","name":"f","arguments":"{}","call_id":"ID"}`,
		`{"type":"function_call_output","call_id":"ID","output":"r"}`, `{"type":"function_call_output","call_id":"ID","output":[{"type":"input_text","text":"r"}]}`,
		`{"type":"custom_tool_call","name":"f","input":"i","call_id":"ID"}`, `{"type":"custom_tool_call_output","call_id":"ID","output":"r"}`,
		`{"type":"computer_call","call_id":"ID","action":{}}`, `{"type":"computer_call_output","call_id":"ID","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,QQ=="}}`,
		`{"type":"function_call_output","output":"alone"}`, `{"type":"web_search_call","id":"ID"}`, `{"type":"compaction","encrypted_content":"RQ=="}`,
		`{"type":"mcp_call","id":"ID","name":"m","output":"o"}`, `{"type":"mcp_approval_request","id":"ar_ID","name":"n","arguments":"{}"}`, `{"type":"novelty"}`,
	}
}

func anthropicParts(r *rand.Rand) []string {
	blocks := []string{
		`{"type":"text","text":"t"}`, `{"type":"tool_use","id":"ID","name":"f","input":{}}`, `{"type":"tool_use","id":"ID","name":"g","input":{}}`,
		`{"type":"thinking","thinking":"h","signature":"s"}`, `{"type":"server_tool_use","id":"sID","name":"w","input":{}}`,
		`{"type":"web_search_tool_result","tool_use_id":"sID","content":[]}`,
	}
	results := []string{
		`{"type":"text","text":"t"}`, `{"type":"tool_result","tool_use_id":"ID","content":"r"}`, `{"type":"tool_result","tool_use_id":"ID"}`,
		`{"type":"tool_result","tool_use_id":"ID","content":[{"type":"text","text":"r"},{"type":"image","source":{"type":"url"}}]}`,
	}
	return []string{
		`{"role":"user","content":"u"}`, `{"role":"system","content":"s"}`, `{"role":"assistant","content":"a"}`, `{"role":"assistant","content":""}`,
		`{"role":"assistant","content":[` + strings.Join(randomList(r, blocks, 5), ",") + `]}`,
		`{"role":"assistant","content":[` + strings.Join(randomList(r, blocks, 5), ",") + `]}`,
		`{"role":"user","content":[` + strings.Join(randomList(r, results, 5), ",") + `]}`,
		`{"role":"user","content":[` + strings.Join(randomList(r, results, 5), ",") + `]}`,
	}
}

func rolloutParts() []string {
	parts := []string{
		`{"type":"session_meta","payload":{"id":"S"}}`, `{"type":"turn_context","payload":{"model":"m"}}`,
		`{"type":"event_msg","payload":{"type":"task_started"}}`, `{"type":"event_msg","payload":{"type":"task_started"}}`,
		`{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}`, `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":3}}`,
		`{"type":"compacted","payload":{"message":"sum"}}`, `{"type":"compacted","payload":{"message":"","replacement_history":[{"role":"user","content":"kept"},{"type":"compaction","encrypted_content":"RQ=="}]}}`,
		`{"type":"compacted","payload":{"replacement_history":[{"type":"ghost_snapshot"}],"replacement_history_metadata":[]}}`, `{"broken`,
	}
	for n, p := range responsesParts() {
		parts = append(parts, fmt.Sprintf(`{"timestamp":"T","ordinal":%d,"type":"response_item","payload":%s}`, n, p))
	}
	return parts
}

func TestRandomConversations(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 200
	}
	r := rand.New(rand.NewSource(1))
	read := 0
	for n := range rounds {
		separators := []string{",", ", ", ",\n  ", " , "}
		sep := separators[n%len(separators)]
		for _, f := range []struct {
			name  string
			parts []string
		}{{"openai-chat", chatParts()}, {"openai-responses", responsesParts()}, {"anthropic-messages", anthropicParts(r)}} {
			items := randomList(r, f.parts, 12)
			src := "[" + strings.Join(items, sep) + "]"
			switch n % 5 {
			case 1:
				src = strings.Join(items, "\n")
			case 2:
				src = strings.Join(items, "\r\n\r\n") + "\r\n"
			case 3:
				src = "[\n  " + strings.Join(items, sep) + "\n]\n"
			}
			holds(t, []byte(src), Options{})
			if holds(t, []byte(src), Options{Format: f.name}) != nil {
				read++
			}
		}
		lines := randomList(r, rolloutParts(), 14)
		if holds(t, []byte(strings.Join(lines, "\n")), Options{}) != nil {
			read++
		}
	}
	if read < rounds {
		t.Fatalf("%d conversations were read, of %d", read, 4*rounds)
	}
}
