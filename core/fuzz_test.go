package core_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// The policies that the fuzzer picks from.
var fuzzPolicies = []string{
	`{"lait":{"trigger_rounds":1,"keep_last_n":0}}`,
	`{"lait":{"trigger_rounds":1,"keep_last_n":3}}`,
	`{"codex":{"user_message_tokens":40}}`,
	`{"codex":{"model_context_window":1000,"summary_prefix":"PREFIX"}}`,
	`{"preset":"balanced","keep":{"last_tokens":60}}`,
	`{"preset":"balanced","keep":{"last_turns":1,"first_user":false,"pins":[{"text":"gamma"}]}}`,
	`{"keep":{"last_messages":2,"user_tokens":30},"summary":{"role":"assistant","place":"end"}}`,
	`{"keep":{"instructions":false,"initial_context":false,"first_user":false,"last_tokens":0},"summary":{"place":"end"}}`,
	`{"preset":"prune","tools":{"keep_last":0,"protect_tokens":0,"min_gain":0,"keep_errors":false,"inputs":true,"reasoning":"drop","media":"placeholder"}}`,
	`{"preset":"prune","tools":{"keep_last":2,"protect_tokens":30,"min_gain":20,"exclude":["look"]}}`,
	`{"keep":{"last_tokens":60},"tools":{"keep_last":1,"inputs":true,"reasoning":"drop","media":"placeholder"}}`,
}

// FuzzCompact makes a transcript of each family out of the input's bytes, with
// calls and results in any order, and checks that every compaction holds.
func FuzzCompact(f *testing.F) {
	f.Add([]byte("suCRCRa"), uint8(0), "the summary")
	f.Add([]byte("sduCcRRauCCRRau"), uint8(10), "long enough to stand")
	f.Add([]byte("egCRgaueCRa"), uint8(19), "")
	f.Add([]byte("uTCRuTCR"), uint8(4), "x")
	f.Add([]byte("RRCCuoaSuSaC"), uint8(45), "要約")
	f.Add([]byte("uaCMauKRauKmau"), uint8(2), "s")
	f.Add([]byte("uaKRauCMakuKRa"), uint8(20), "s")
	for family := range uint8(3) {
		for i := range uint8(3) {
			f.Add([]byte("siutIRCFtPRauCCRRtuitIRa"), family+3*(8+i), "")
			f.Add([]byte("uitCCRgtRRFauIRTRtuCR"), family+3*(8+i), "s")
		}
	}
	f.Fuzz(func(t *testing.T, shape []byte, pick uint8, text string) {
		if len(shape) > 200 {
			shape = shape[:200]
		}
		family := int(pick) % 3
		req := core.Request{
			Transcript: makeTranscript(family, shape),
			Format:     [...]string{"openai-chat", "openai-responses", "anthropic-messages"}[family],
			Policy:     []byte(fuzzPolicies[int(pick)/3%len(fuzzPolicies)]),
			Force:      true,
		}
		if text != "" {
			req.Summary = &text
		}
		before := bytes.Clone(req.Transcript)
		res, err := core.Compact(req)
		if !bytes.Equal(before, req.Transcript) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			var bad *core.Error
			if !errors.As(err, &bad) || bad.Code != "empty_summary" || strings.TrimSpace(text) != "" {
				t.Fatalf("%s: %v", req.Transcript, err)
			}
			return
		}
		holds(t, req, res)
		again, err := core.Compact(req)
		if err != nil || !bytes.Equal(again.Transcript, res.Transcript) {
			t.Fatalf("the same input gives other bytes (%v)", err)
		}
		plan, err := core.Plan(req)
		if err != nil {
			t.Fatal(err)
		}
		prunes := strings.Contains(string(req.Policy), `"prune"`)
		// Where nothing folds nobody is asked; clearing alone is nobody's summary.
		cleared := res.Compacted && res.Receipt.Summary.By == "none"
		if plan.Plan.Request == nil && res.Reason != core.NothingToFold && !cleared || plan.Plan.Request != nil && (res.Reason == core.NothingToFold || prunes) {
			t.Fatalf("plan and compaction differ: %v, %q", plan.Plan.Request, res.Reason)
		}
		if prunes {
			settled(t, req, res)
		}
	})
}

// makeTranscript writes one item for each byte that it knows.
func makeTranscript(family int, shape []byte) []byte {
	var items []string
	calls, open := 0, []string{}
	add := func(format string, args ...any) { items = append(items, fmt.Sprintf(format, args...)) }
	words := func(i int) string {
		return strings.Repeat([...]string{"alpha beta ", "gamma ", "δέλτα ", "日本語 "}[i%4], 1+i%9)
	}
	for i, b := range shape {
		role := map[byte]string{'s': "system", 'd': "developer", 'u': "user", 'a': "assistant", 'o': "user", 'e': "user", 'S': "user"}[b]
		text := words(i)
		switch b {
		case 'e':
			text = "<environment_context>\\n" + text + "</environment_context>"
		case 'S':
			text = "[tamp] Earlier messages of this conversation were compacted. The text below is the record that stands for them: it reports what was asked, done and learned so far. It is not a new request.\\nold summary"
		case 'o':
			text = ""
		}
		switch {
		case role != "":
			if family == 2 && (b == 's' || b == 'd') {
				continue
			}
			if family == 1 {
				kind := map[string]string{"assistant": "output_text"}[role]
				if kind == "" {
					kind = "input_text"
				}
				add(`{"type":"message","role":%q,"content":[{"type":%q,"text":"%s"}]}`, role, kind, text)
			} else {
				add(`{"role":%q,"content":"%s"}`, role, text)
			}
		case b == 'i' || b == 't':
			add("%s", richItem(family, b, text))
		case b == 'C' || b == 'c' || b == 'T' || b == 'I':
			input := fmt.Sprintf(`{\"cmd\":\"ls %d\"}`, i)
			if b == 'I' {
				input = `{\"text\":\"` + strings.Repeat("long ", 20) + `\"}`
			}
			calls++
			id := fmt.Sprintf("call_%d", calls)
			open = append(open, id)
			switch family {
			case 0:
				add(`{"role":"assistant","content":null,"tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":"%s"}}]}`, id, toolName(i), input)
			case 1:
				add(`{"type":"function_call","name":%q,"arguments":"%s","call_id":%q}`, toolName(i), input, id)
			default:
				thinking := ""
				if b == 'T' {
					thinking = `{"type":"thinking","thinking":"hm","signature":"c2ln"},`
				}
				add(`{"role":"assistant","content":[%s{"type":"tool_use","id":%q,"name":%q,"input":%s}]}`, thinking, id, toolName(i), strings.ReplaceAll(input, `\`, ""))
			}
		case family == 2 && b == 'k':
			add(`{"role":"assistant","content":[{"type":"compaction","content":"%s"}]}`, text)
		case family == 2 && b == 'K':
			calls++
			id := fmt.Sprintf("call_%d", calls)
			open = append(open, id)
			add(`{"role":"assistant","content":[{"type":"compaction","content":"old"},{"type":"text","text":"%s"},{"type":"tool_use","id":%q,"name":"run","input":{}}]}`, text, id)
		case family == 2 && b == 'M' && len(open) > 0:
			add(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"},{"type":"text","text":"<environment_context>%s</environment_context>"}]}`, open[0], text)
			open = open[1:]
		case family == 2 && b == 'm' && len(open) > 0:
			add(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"},{"type":"text","text":"%s"}]}`, open[0], text)
			open = open[1:]
		case b == 'R' || b == 'F' || b == 'P':
			id := "call_none"
			if len(open) > 0 {
				id, open = open[0], open[1:]
			}
			switch family {
			case 0:
				add(`{"role":"tool","tool_call_id":%q,"content":"%s"}`, id, text)
			case 1:
				add(`{"type":"function_call_output","call_id":%q,"output":"%s"}`, id, text)
			default:
				inside := `"` + text + `"`
				if b == 'P' {
					inside = `[{"type":"text","text":"` + text + `"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]`
				}
				add(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":%s}]}`, id, b == 'F', inside)
			}
		case b == 'g' && family == 1:
			add(`{"type":"reasoning","id":"rs_%d","summary":[],"encrypted_content":"EEEE"}`, i)
		}
	}
	return []byte("[" + strings.Join(items, ",") + "]")
}

func toolName(i int) string { return [...]string{"run", "look"}[i%2] }

// richItem is a user message with a picture, or an answer with thinking before
// its text.
func richItem(family int, b byte, text string) string {
	switch {
	case family == 0 && b == 'i':
		return `{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"text","text":"` + text + `"}]}`
	case family == 0:
		return `{"role":"assistant","reasoning":"` + text + text + `","reasoning_details":[{"type":"reasoning.text","text":"` + text + text + `"}],"content":"` + text + `"}`
	case family == 1 && b == 'i':
		return `{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AAAA"},{"type":"input_text","text":"` + text + `"}]}`
	case family == 1:
		return `{"type":"reasoning","id":"rs_t","summary":[{"type":"summary_text","text":"` + text + `"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + text + `"}]}`
	case b == 'i':
		return `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"` + text + `"}]}`
	}
	return `{"role":"assistant","content":[{"type":"thinking","thinking":"` + text + text + `","signature":"c2ln"},{"type":"text","text":"` + text + `"}]}`
}
