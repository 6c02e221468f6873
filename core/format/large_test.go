package format

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Sizes at which anything quadratic takes minutes: 10,000 calls at once, and
// 100,000 items.

func parallel(family string, n int) string {
	list := func(format string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	switch family {
	case "openai-chat":
		return `[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[` + list(`{"id":"c%d","function":{"name":"f","arguments":"{}"}}`) + `]},` +
			list(`{"role":"tool","tool_call_id":"c%d","content":"r"}`) + `]`
	case "openai-responses":
		return `[{"role":"user","content":"u"},` + list(`{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`) + `,` +
			list(`{"type":"function_call_output","call_id":"c%d","output":"r"}`) + `]`
	case "anthropic-messages":
		return `[{"role":"user","content":"u"},{"role":"assistant","content":[` + list(`{"type":"tool_use","id":"c%d","name":"f%[1]d","input":{}}`) + `]},` +
			`{"role":"user","content":[` + list(`{"type":"tool_result","tool_use_id":"c%d","content":"r"}`) + `]}]`
	case "ai-sdk-ui":
		return `[{"id":"u","role":"user","parts":[{"type":"text","text":"u"}]},{"id":"a","role":"assistant","parts":[` + list(`{"type":"tool-f","toolCallId":"c%d","state":"output-available","input":{},"output":"r"}`) + `]}]`
	case "ai-sdk-model":
		return `[{"role":"user","content":"u"},{"role":"assistant","content":[` + list(`{"type":"tool-call","toolCallId":"c%d","toolName":"f","input":{}},{"type":"tool-approval-request","approvalId":"p%[1]d","toolCallId":"c%[1]d"}`) + `]},` +
			`{"role":"tool","content":[` + list(`{"type":"tool-approval-response","approvalId":"p%d","approved":true},{"type":"tool-result","toolCallId":"c%[1]d","toolName":"f","output":{"type":"text","value":"r"}}`) + `]}]`
	case "langchain":
		return `[{"type":"human","content":"u"},{"type":"ai","content":[` + list(`{"type":"tool_use","id":"c%d","name":"f","input":{}}`) + `],"tool_calls":[` + list(`{"id":"c%d","name":"f","args":{}}`) +
			`],"tool_call_chunks":[` + list(`{"id":"c%d","name":"f","args":"{}","index":%[1]d}`) + `]},` + list(`{"type":"tool","content":"r","tool_call_id":"c%d"}`) + `]`
	case "swe-agent":
		return `[{"role":"user","content":"u","agent":"a","message_type":"observation"},{"role":"assistant","content":"","agent":"a","action":"","tool_calls":[` +
			list(`{"id":"c%d","function":{"name":"f","arguments":"{}"}}`) + `]},` + list(`{"role":"tool","content":"r","agent":"a","tool_call_ids":["c%d"]}`) + `]`
	case "mini-swe-agent":
		return `[{"role":"user","content":"u"},{"object":"response","extra":{},"output":[` + list(`{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`) + `]},` +
			list(`{"type":"function_call_output","call_id":"c%d","output":"r","extra":{"raw_output":"","returncode":0}}`) + `]`
	case "openhands":
		return `[` + list(`{"kind":"ActionEvent","id":"a%d","source":"agent","thought":[],"tool_name":"f","tool_call_id":"c%[1]d","tool_call":{"id":"c%[1]d","name":"f","arguments":"{}"}}`) + `,` +
			list(`{"kind":"ObservationEvent","id":"o%d","source":"environment","tool_call_id":"c%[1]d","observation":{"content":[]}}`) + `,` +
			`{"kind":"Condensation","id":"x","source":"environment","forgotten_event_ids":[` + list(`"a%d"`) + `,` + list(`"o%d"`) + `]},{"kind":"MessageEvent","source":"user","llm_message":{"role":"user","content":"u"}}]`
	case "atif":
		return `[{"step_id":1,"source":"user","message":"u"},{"step_id":2,"source":"agent","message":"","tool_calls":[` + list(`{"tool_call_id":"c%d","function_name":"f","arguments":{}}`) +
			`],"observation":{"results":[` + list(`{"source_call_id":"c%d","content":"r"}`) + `]}}]`
	case "sharegpt":
		return `[{"from":"human","value":"u"},{"from":"function_call","value":"[` + list(`{\"name\":\"f%d\",\"arguments\":{}}`) + `]"},` + list(`{"from":"observation","value":"r%d"}`) + `]`
	case "codex-rollout":
		var b strings.Builder
		b.WriteString(started)
		for range n {
			b.WriteString(started + user("u") + answer("a") + back1)
		}
		for range n { // each keeps all user messages
			b.WriteString(user("u") + `{"type":"compacted","payload":{"message":"sum"}}` + "\n")
		}
		return b.String()
	case "claude-code": // each result on a branch of its own
		var b strings.Builder
		b.WriteString(ccUser("c<", "u"))
		for i := range n {
			b.WriteString(ccAnswer(fmt.Sprintf("c%d<c%s", i, strings.TrimPrefix(strconv.Itoa(i-1), "-1")), "m", ccCall(fmt.Sprintf("t%d", i))))
		}
		for i := range n {
			b.WriteString(ccGave(fmt.Sprintf("r%d<c%d", i, i), fmt.Sprintf("t%d", i), fmt.Sprintf("c%d", i)))
		}
		return b.String()
	}
	return parallelMore(family, n)
}

func long(family string, n int) string {
	if src := longMore(family, n); src != "" {
		return src
	}
	var b strings.Builder
	for i := range n / 2 {
		switch family {
		case "openai-chat":
			fmt.Fprintf(&b, `,{"role":"user","content":"u%d"},{"role":"assistant","content":null,"tool_calls":[{"id":"c"}]}`, i)
		case "openai-responses":
			fmt.Fprintf(&b, `,{"type":"reasoning","id":"r%d"},{"type":"reasoning"}`, i)
		case "anthropic-messages":
			fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"%d"}]},{"role":"assistant","content":[{"type":"tool_use","id":"%[1]d"}]}`, i)
		case "ai-sdk-ui":
			fmt.Fprintf(&b, `,{"id":"u%d","role":"user","parts":[{"type":"text","text":"u"}]},{"id":"a%[1]d","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"a"}]}`, i)
		case "ai-sdk-model":
			fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c%d","toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c%[1]d","output":{"type":"text","value":"r"}}]}`, i)
		case "langchain":
			fmt.Fprintf(&b, `,{"type":"ai","content":"","tool_calls":[{"id":"c%d","name":"f","args":{}}]},{"lc":1,"type":"constructor","id":["m","ToolMessage"],"kwargs":{"content":"r","tool_call_id":"c%[1]d"}}`, i)
		case "swe-agent":
			fmt.Fprintf(&b, `,{"role":"assistant","content":"x%d","thought":"x","action":"ls","agent":"a"},{"role":"user","content":"r","agent":"a"}`, i)
		case "mini-swe-agent":
			fmt.Fprintf(&b, `,{"role":"assistant","content":"x%d\n`+"```bash\\nls\\n```"+`","extra":{"actions":[],"cost":1}},{"role":"user","content":"r"}`, i)
		case "openhands":
			fmt.Fprintf(&b, `,{"id":%d,"source":"agent","action":"run","args":{"command":"ls"}},{"id":%d,"source":"agent","observation":"run","content":"r","cause":%[1]d}`, 2*i, 2*i+1)
		case "atif":
			fmt.Fprintf(&b, `,{"step_id":%d,"source":"user","message":"u"},{"step_id":%d,"source":"agent","message":"a","observation":{"results":[{"content":"r"}]}}`, 2*i+1, 2*i+2)
		case "sharegpt":
			fmt.Fprintf(&b, `,{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{\"x\":%d}}"},{"from":"observation","value":"r"}`, i)
		case "codex-rollout":
			b.WriteString(user("u") + answer("a"))
		case "claude-code":
			b.WriteString(ccUser(fmt.Sprintf("u%d<a%d", i, i-1), "u") + ccAnswer(fmt.Sprintf("a%d<u%d", i, i), fmt.Sprintf("m%d", i), ccText("a")))
		}
	}
	if family == "codex-rollout" || family == "claude-code" {
		return b.String()
	}
	return "[" + b.String()[1:] + "]"
}

func TestLarge(t *testing.T) {
	calls, size := 10_000, 100_000
	if runtime.GOARCH == "wasm" { // the same code in a memory that never shrinks
		calls, size = calls/10, size/10
	}
	for _, f := range registry() {
		for _, src := range []string{parallel(f.Name, calls), long(f.Name, size)} {
			d := mustDecode(t, src, Options{Rewrite: true})
			n := len(d.Items)
			out, err := d.Encode(identity(n)[n/2:])
			if err != nil || len(out) >= len(src) && n > 1 {
				t.Fatalf("%s: %d bytes of %d, %v", f.Name, len(out), len(src), err)
			}
			items := make([]int, n)
			for i := range items {
				items[i] = i
			}
			body, err := d.Body(BodyRequest{Items: items, Prompt: "P"})
			if err != nil || !bytes.Contains(body, []byte(`"P"`)) {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	}
	// Deep nesting, many conversations, a long text of wrappers.
	for _, src := range []string{
		strings.Repeat(`{"a":`, 900) + "[]" + strings.Repeat("}", 900),
		"[" + strings.Repeat(`{"traj":[{"role":"user"}]},`, 50_000) + `{"traj":[]}]`,
		`[{"role":"user","content":[{"type":"tool_result"},{"type":"text","text":"` + strings.Repeat("<system-reminder>", 100_000) + `"}]}]`,
		`[{"role":"user","content":"` + strings.Repeat("<external_a>", 100_000) + `"}]`,
		strings.Repeat("\n", 1_000_000) + "[" + strings.Repeat("[],", 300_000) + "1]",
	} {
		for _, opt := range []Options{{}, {Format: "openai-chat"}} {
			if d, err := Decode([]byte(src), opt); err == nil && len(d.Items) != 1 {
				t.Errorf("%d items in %.40q", len(d.Items), src)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, f := range registry() {
		for _, n := range []int{10_000, 100_000} {
			src := []byte(long(f.Name, n))
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Decode(src, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkBody(b *testing.B) {
	for _, f := range registry() {
		for _, n := range []int{10_000, 100_000} {
			d, err := Decode([]byte(long(f.Name, n)), Options{})
			if err != nil {
				b.Fatal(err)
			}
			var items []int
			for i := range d.Items {
				items = append(items, i)
			}
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := d.Body(BodyRequest{Items: items, Prompt: "P"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
