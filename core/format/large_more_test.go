package format

import (
	"fmt"
	"strings"
)

// repeat writes a pattern n times with its number, with a separator between.
func repeat(n int, separator, pattern string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(separator)
		}
		fmt.Fprintf(&b, pattern, i)
	}
	return b.String()
}

// parallelMore is n calls at once, in the formats whose messages are not those
// of a wire family.
func parallelMore(family string, n int) string {
	switch family {
	case "chatgpt-export": // it has none: one tool at a time
		return longMore(family, n)
	case "bedrock-converse":
		return `[{"role":"user","content":[{"text":"u"}]},{"role":"assistant","content":[` + repeat(n, ",", `{"toolUse":{"toolUseId":"c%d","name":"f","input":{}}}`) +
			`]},{"role":"user","content":[` + repeat(n, ",", `{"toolResult":{"toolUseId":"c%d","content":[{"text":"r"}]}}`) + `]}]`
	case "gemini-contents":
		return `[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[` + repeat(n, ",", `{"functionCall":{"name":"f","args":{"n":%d}}}`) +
			`]},{"role":"user","parts":[` + repeat(n, ",", `{"functionResponse":{"name":"f","response":{"n":%d}}}`) + `]}]`
	case "gemini-cli":
		return `{"sessionId":"s","projectHash":"h","messages":[{"id":"u","type":"user","content":"u"},{"id":"g","type":"gemini","content":"","toolCalls":[` +
			repeat(n, ",", `{"id":"c%d","name":"f","args":{},"status":"success","result":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}`) + `]}]}`
	case "opencode":
		return `{"info":{"id":"ses_A","directory":"/w"},"messages":[{"info":{"id":"msg_1","role":"user"},"parts":[{"id":"p","type":"text","text":"u"}]},{"info":{"id":"msg_2","role":"assistant"},"parts":[` +
			repeat(n, ",", `{"id":"prt_%d","type":"tool","callID":"c%[1]d","tool":"f","state":{"status":"completed","input":{},"output":"r"}}`) + `]}]}`
	case "cline":
		return `{"version":1,"sessionId":"s","system_prompt":"S","messages":[{"role":"user","content":"u"},{"role":"assistant","content":[` +
			repeat(n, ",", `{"type":"tool_use","id":"c%d","name":"f","input":{}}`) + `]},{"role":"user","content":[` + repeat(n, ",", `{"type":"tool_result","tool_use_id":"c%d","content":"r"}`) + `]}]}`
	case "pi":
		return piHead + piLine("message", "u<", `"message":{"role":"user","content":"u","timestamp":1}`) +
			piLine("message", "a<u", `"message":{"role":"assistant","content":[`+repeat(n, ",", `{"type":"toolCall","id":"c%d","name":"f","arguments":{}}`)+`],"timestamp":2}`) +
			results(n)
	case "codex-exec":
		return `{"type":"thread.started","thread_id":"t"}` + "\n" + repeat(n, "\n", `{"type":"item.started","item":{"id":"i%d","type":"command_execution","command":"ls"}}`) + "\n" +
			repeat(n, "\n", `{"type":"item.completed","item":{"id":"i%d","type":"command_execution","command":"ls","aggregated_output":"r","exit_code":0}}`)
	case "plain-text":
		return "user: u\nassistant: a\n" + repeat(n, "\n", "```\nuser: %d\n```") + "\nuser: b\n"
	}
	return ""
}

// longMore is n items.
func longMore(family string, n int) string {
	n /= 2
	switch family {
	case "bedrock-converse":
		return "[" + repeat(n, ",", `{"role":"assistant","content":[{"toolUse":{"toolUseId":"c%d","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c%[1]d","content":[{"text":"r"}]}}]}`) + "]"
	case "gemini-contents":
		return "[" + repeat(n, ",", `{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":%d}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}`) + "]"
	case "gemini-cli":
		return `{"sessionId":"s","projectHash":"h","messages":[` + repeat(n, ",", `{"id":"u%d","type":"user","content":"u"},{"id":"g%[1]d","type":"gemini","content":"a"}`) + `]}`
	case "opencode":
		return `{"info":{"id":"ses_A","directory":"/w"},"messages":[` + repeat(n, ",", `{"info":{"id":"msg_u%d","role":"user"},"parts":[{"id":"p","type":"text","text":"u"}]},{"info":{"id":"msg_a%[1]d","role":"assistant"},"parts":[{"id":"p","type":"text","text":"a"}]}`) + `]}`
	case "cline":
		return `{"version":1,"sessionId":"s","system_prompt":"S","messages":[` + repeat(n, ",", `{"role":"user","content":"u%d"},{"role":"assistant","content":[{"type":"text","text":"a"}]}`) + `]}`
	case "pi":
		var b strings.Builder
		b.WriteString(piHead)
		before := ""
		for i := range n {
			u, a := fmt.Sprintf("u%d", i), fmt.Sprintf("a%d", i)
			b.WriteString(piLine("message", u+"<"+before, `"message":{"role":"user","content":"u","timestamp":1}`))
			b.WriteString(piLine("message", a+"<"+u, `"message":{"role":"assistant","content":[{"type":"text","text":"a"}],"timestamp":2}`))
			before = a
		}
		return b.String()
	case "codex-exec":
		return repeat(2*n, "\n", `{"type":"item.completed","item":{"id":"i%d","type":"agent_message","text":"a"}}`)
	case "chatgpt-export":
		return `{"title":"t","mapping":{"n-1":{"id":"n-1","message":null,"parent":null,"children":["n0"]},` + chain(2*n) + fmt.Sprintf(`},"current_node":"n%d"}`, 2*n-1)
	case "plain-text":
		return repeat(n, "\n", "user: u%d\nassistant: a")
	}
	return ""
}

// results are n results of pi, each below the one before it.
func results(n int) string {
	var b strings.Builder
	before := "a"
	for i := range n {
		r := fmt.Sprintf("r%d", i)
		b.WriteString(piLine("message", r+"<"+before, fmt.Sprintf(`"message":{"role":"toolResult","toolCallId":"c%d","toolName":"f","content":[{"type":"text","text":"r"}],"timestamp":3}`, i)))
		before = r
	}
	return b.String()
}

// chain is n nodes of a tree, each below the one before it.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		role := [...]string{"user", "assistant"}[i%2]
		fmt.Fprintf(&b, `"n%d":{"id":"n%[1]d","message":{"id":"n%[1]d","author":{"role":"%[2]s"},"content":{"content_type":"text","parts":["x"]}},"parent":"n%[3]d","children":["n%[4]d"]}`, i, role, i-1, i+1)
	}
	return b.String()
}
