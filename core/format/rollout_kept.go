package format

import (
	"fmt"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// skippedLine is the code of a line that can be read as JSON and not as what it
// says to be: the CLI skips it without a word, and so that somebody learns of it
// (a compaction that is skipped leaves a thread as full as it was), it is told.
const skippedLine = "malformed_line"

// leave notes a line that is skipped.
func (h *log) leave(at, why string) {
	h.malformed++
	h.left = append(h.left, transcript.Defect{
		Path: at, Code: skippedLine, Message: why + ", and is left out of the history, as Codex leaves it out",
	})
}

// keeps reports whether Codex keeps an item in its history: no system messages, no
// triggers, and nothing of a type that it does not know.
func keeps(v rawjson.Value) bool {
	switch v.Get("type").Text() {
	case "message", "":
		return v.Get("role").Text() != "system"
	case "agent_message", "reasoning", "local_shell_call", "function_call", "function_call_output",
		"custom_tool_call", "custom_tool_call_output", "tool_search_call", "tool_search_output",
		"web_search_call", "image_generation_call", "compaction", "compaction_summary",
		"context_compaction", "additional_tools":
		return true
	}
	return false
}

// agentItem is a message between agents as the item that Codex makes of it; nil
// where the line holds no message.
func agentItem(payload rawjson.Value) []byte {
	content := payload.Get("content")
	if payload.Get("type").Text() == "agent_message" && content.Is(rawjson.Array) {
		return payload.Raw()
	}
	b := newBody()
	b.str("type", "agent_message")
	b.str("author", payload.Get("author").Text())
	b.str("recipient", payload.Get("recipient").Text())
	b.array("content")
	n := 0
	part := func(kind, key, text string) {
		p := newBody()
		p.str("type", kind)
		p.str(key, text)
		b.element(p.end())
		n++
	}
	if text, ok := content.Str(); ok && text != "" {
		part("input_text", "text", text)
	}
	if content.Is(rawjson.Array) {
		for v := range content.Elems() {
			b.element(v.Raw())
			n++
		}
	}
	if sealed := payload.Get("encrypted_content").Text(); sealed != "" {
		part("encrypted_content", "encrypted_content", sealed)
	}
	if n == 0 {
		return nil
	}
	b.endArray()
	return b.end()
}

// agent reads a message between agents. Its bytes stand nowhere in the source: no
// line holds the item.
func (h *log) agent(payload rawjson.Value, path string) {
	raw := agentItem(payload)
	if raw == nil {
		h.leave(path, "is a message between agents without a content")
		return
	}
	v, err := rawjson.Parse(raw)
	if err != nil {
		h.leave(path, "is a message between agents that can not be written as an item")
		return
	}
	h.item(v, -1, path)
}

// modeFault is what is wrong with the way in which the first session_meta says that
// the history is written, nil if nothing is: Codex opens no file of a way that it
// does not know, for its lines may mean something else there.
func modeFault(meta value) *fault {
	mode := meta.get("payload").get("history_mode")
	switch mode.Text() {
	case "legacy", "paginated", "default": // the last is in files that tell of the schema
		return nil
	}
	if !mode.Exists() || mode.Is(rawjson.Null) {
		return nil
	}
	return &fault{mode.Value, ".payload.history_mode", fmt.Sprintf(
		"is %s, must be legacy or paginated: Codex resumes no other", transcript.Clip(string(mode.Raw())))}
}

// usage is the last token_count that speaks of this history: one from before a
// compaction or a roll back does not. nil where there is none.
func (h *log) usage() *Reported {
	last := h.reported.Get("info").Get("last_token_usage")
	total, ok := last.Get("total_tokens").Int()
	if !ok || total <= 0 {
		return nil
	}
	r := &Reported{Total: total}
	if n, ok := last.Get("input_tokens").Int(); ok && n > 0 {
		r.Prompt = n
		if n, ok := last.Get("output_tokens").Int(); ok && n > 0 {
			r.Output = n
		}
	}
	for p := h.now; p != nil && p != h.sized; p = p.before {
		r.Behind++
	}
	return r
}
