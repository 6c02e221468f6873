package format

import (
	"bytes"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// What is recognised, but can not be read yet. A format that gets built takes
// its lines out of here. Only signs that cost a look at a few members count.

// foreignObject names the format that an object around the items is in, with
// the sign for it.
func foreignObject(v value) (name, sign string) {
	has := func(key string, k rawjson.Kind) bool { return v.Get(key).Is(k) }
	switch {
	case strings.HasPrefix(str(v, "schema_version"), "ATIF"):
		return "atif", "schema_version is ATIF"
	case has("mapping", rawjson.Object):
		return "chatgpt-export", "it has mapping"
	case has("trajectory", rawjson.Array) && has("history", rawjson.Array):
		return "swe-agent", "it has trajectory and history"
	case has("history", rawjson.Array) && firstHas(v.get("history"), "role", "agent"):
		return "swe-agent", "its history has agents"
	case has("projectHash", rawjson.String):
		return "gemini-cli", "it has projectHash"
	case has("sessionId", rawjson.String) && has("system_prompt", rawjson.String):
		return "cline", "it has sessionId and system_prompt"
	case has("contents", rawjson.Array):
		return "gemini-contents", "it has contents"
	case has("candidates", rawjson.Array):
		return "gemini-contents", "it has candidates"
	case has("eval_cases", rawjson.Array), has("events", rawjson.Array) && firstHas(v.get("events"), "author", "content"):
		return "gemini-contents", "it has the events of an agent kit"
	case has("history", rawjson.Array) && (firstHas(v.get("history"), "source", "action") || firstHas(v.get("history"), "source", "observation")):
		return "openhands", "its history has sources and actions"
	case has("conversations", rawjson.Array) && firstHas(v.get("conversations"), "from", "value"):
		return "sharegpt", "its conversations have from and value"
	}
	return "", ""
}

// firstHas reports whether the first element that is an object has both keys.
func firstHas(list value, a, b string) bool {
	for e := range list.Elems() {
		if e.Is(rawjson.Object) {
			return e.Get(a).Exists() && e.Get(b).Exists()
		}
	}
	return false
}

// foreignElement names the format that any element of the list shows.
func foreignElement(s *sample) (name, sign string) {
	for i, e := range s.list.elems {
		if !e.Is(rawjson.Object) {
			continue
		}
		if name, sign = foreignObject(e); name == "" {
			name, sign = foreignItem(e)
		}
		if name != "" {
			return name, s.list.where(i) + ": " + sign
		}
	}
	return "", ""
}

func foreignItem(e value) (name, sign string) {
	kind := str(e, "type")
	message := e.get("message")
	switch {
	case str(e, "sessionId") != "" && e.Get("uuid").Exists() && message.Get("role").Exists() && !message.Get("parts").Exists():
		return "claude-code", "it has sessionId, uuid and a message"
	case (str(e, "dir") == "to_tui" || str(e, "dir") == "from_tui") && e.Get("kind").Exists():
		return "the log of the Codex TUI", "dir is to_tui or from_tui"
	case kind == "thread.started" && e.Get("thread_id").Exists(), (kind == "item.started" || kind == "item.completed") && e.Get("item").Exists():
		return "codex-exec", "type is that of a thread's events"
	case kind == "session" && e.Get("cwd").Exists(), kind == "message" && message.Get("role").Exists() && e.Get("timestamp").Exists():
		return "pi", "it is a line of a session"
	case (kind == "say" || kind == "ask") && e.Get("ts").Exists():
		return "cline", "type is say or ask"
	case e.Get("source").Exists() && (e.Get("action").Exists() || e.Get("observation").Exists()), strings.HasSuffix(str(e, "kind"), "Event"):
		return "openhands", "it is an event"
	case e.Get("lc").Exists() && e.Get("kwargs").Exists():
		return "langchain", "it has lc and kwargs"
	case !e.Get("role").Exists() && (kind == "human" || kind == "ai" || strings.HasSuffix(kind, "MessageChunk")):
		return "langchain", "type is human or ai"
	case e.Get("info").Exists() && e.Get("parts").Exists():
		return "opencode", "it has info and parts"
	}
	if parts := e.get("parts"); e.Get("role").Exists() && parts.Is(rawjson.Array) {
		for p := range parts.Elems() {
			if p.Get("type").Exists() {
				return "ai-sdk-ui", "its parts have types"
			}
			return "gemini-contents", "its parts have no types"
		}
	}
	for p := range e.get("content").Elems() {
		switch str(value{p, e.base}, "type") {
		case "tool-call", "tool-result":
			return "ai-sdk-model", "it has a tool-call or tool-result part"
		case "":
			if p.Get("text").Exists() || p.Get("toolUse").Exists() || p.Get("toolResult").Exists() {
				return "bedrock-converse", "its content blocks have no types"
			}
		}
	}
	return "", ""
}

// plainText recognises transcripts that are no JSON by what stands before the
// turns: "user:", a heading or a bold line that names the speaker.
func plainText(src []byte) (name, sign string) {
	if text := bytes.TrimSpace(src); len(text) == 0 || text[0] == '{' || text[0] == '[' {
		return "", ""
	}
	for l := range bytes.Lines(src) {
		l = bytes.ToLower(bytes.TrimRight(l[:min(len(l), quoted)], "\r\n"))
		l = bytes.TrimLeft(l, "#*_ 0123456789.")
		for _, speaker := range []string{"user", "human", "assistant"} {
			rest, ok := bytes.CutPrefix(l, []byte(speaker))
			if ok && (len(rest) == 0 || bytes.ContainsRune([]byte(":*_ ("), rune(rest[0])) || rest[0] >= '0' && rest[0] <= '9') {
				return "plain-text", "a line begins with " + speaker
			}
		}
	}
	return "", ""
}
