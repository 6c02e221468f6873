package format

import (
	"strings"
	"testing"
)

// What a conversation is does not depend on how it was found: alone in its file,
// or named by a pointer to its list or to the object around it.
func TestPointersKeepTheFormat(t *testing.T) {
	const (
		mini  = `{"info":{"mini_version":"2"},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"trajectory_format":"mini-swe-agent-1.1"}`
		cline = `{"sessionId":"s","system_prompt":"S","messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}]}`
		cli   = `{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"a"}]}`
		body  = `{"system":"S","max_tokens":5,"messages":[{"role":"user","content":"a"}]}`
	)
	for _, c := range []struct{ src, list, format string }{
		{mini, "/messages", "mini-swe-agent"},
		{cline, "/messages", "cline"},
		{cli, "/messages", "gemini-cli"},
		{body, "/messages", "anthropic-messages"},
		{`{"instance":` + mini + `}`, "/instance/messages", "mini-swe-agent"},
	} {
		alone := mustDecode(t, c.src, Options{})
		for _, two := range []string{"[" + c.src + "," + c.src + "]", c.src + "\n" + c.src + "\n"} {
			if _, err := Decode([]byte(two), Options{}); err == nil || !strings.Contains(err.Error(), "/1"+c.list) {
				t.Errorf("%s: two are %v", c.format, err)
			}
			for _, pointer := range []string{"/1" + c.list, strings.TrimSuffix("/1"+c.list, "/messages")} {
				d := mustDecode(t, two, Options{Conversation: pointer})
				if d.Format != c.format || d.Format != alone.Format || d.Verdict.Confidence != alone.Verdict.Confidence || d.System != alone.System {
					t.Errorf("%s at %s: %+v, alone %+v", c.format, pointer, d.Verdict, alone.Verdict)
				}
				holds(t, []byte(two), Options{Conversation: pointer})
			}
		}
		if d := mustDecode(t, c.src, Options{Conversation: c.list}); d.Format != c.format {
			t.Errorf("%s: named where it is the only one it is %s", c.format, d.Format)
		}
	}
	// The caller's word for the format holds, and a list beside that of the format
	// is none of its own.
	if d := mustDecode(t, mini, Options{Conversation: "/messages", Format: "openai-chat"}); d.Format != "openai-chat" {
		t.Errorf("read as %s", d.Format)
	}
	beside := strings.Replace(mini, `"info"`, `"other":[{"role":"user","content":"c"}],"info"`, 1)
	if d := mustDecode(t, beside, Options{Conversation: "/other"}); d.Format != "openai-chat" || len(d.Items) != 1 {
		t.Errorf("read as %s of %d items", d.Format, len(d.Items))
	}
}
