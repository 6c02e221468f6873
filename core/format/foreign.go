package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// What is recognised and not read: sessions of other agents, logs that hold no
// history. Only signs that cost a look at a few members count.

// foreignElement names the format that any element of the list shows.
func foreignElement(s *sample) (name, sign string) {
	for i, e := range s.telling {
		if !e.Is(rawjson.Object) {
			continue
		}
		if name, sign = foreignItem(e); name != "" {
			return name, s.list.where(i) + ": " + sign
		}
	}
	return "", ""
}

func foreignItem(e value) (name, sign string) {
	kind := str(e, "type")
	message := e.get("message")
	switch {
	case strings.HasPrefix(kind, "context.append_"):
		return "a session of Kimi CLI", "type is " + kind
	case e.Get("step_index").Is(rawjson.Number) && e.Get("source").Is(rawjson.String):
		return "a session of Antigravity", "it has step_index and source"
	case e.Get("uuid").Exists() && message.Get("parts").Is(rawjson.Array):
		return "a session of Qwen Code", "its message has parts"
	case e.Get("data").Is(rawjson.Object) && (kind == "assistant.message" || kind == "user.message" || strings.HasPrefix(kind, "tool.execution_")):
		return "a session of Copilot CLI", "type is " + kind
	case e.Get("working_dir").Is(rawjson.String) && !e.Get("role").Exists(), hasPart(e, "toolRequest"), hasPart(e, "toolResponse"):
		return "a session of goose", "it has working_dir, toolRequest or toolResponse"
	case grokLine(e, kind):
		return "a session of Grok", "its lines say who speaks by their type"
	case (str(e, "dir") == "to_tui" || str(e, "dir") == "from_tui") && e.Get("kind").Exists():
		return "the log of the Codex TUI", "dir is to_tui or from_tui"
	case e.Get("sessionID").Is(rawjson.String) && !e.Get("content").Exists() && (e.Get("messageID").Is(rawjson.String) || e.Get("role").Is(rawjson.String)):
		return "the storage of OpenCode, where messages and parts lie apart (opencode export writes what is read here)", "it has sessionID and no content"
	case (kind == "say" || kind == "ask") && e.Get("ts").Exists():
		return "the UI log of Cline", "type is say or ask"
	case !e.Get("role").Exists() && sdkChunk(kind):
		return sdkStream, "type is " + kind
	}
	return "", ""
}

// grokLine is a line whose type is the role, with its text beside it.
func grokLine(e value, kind string) bool {
	switch kind {
	case "user", "assistant", "tool_result":
	default:
		return false
	}
	for _, key := range []string{"role", "message", "uuid", "id", "parts", "data"} {
		if e.Get(key).Exists() {
			return false
		}
	}
	return e.Get("content").Exists() || e.Get("text").Is(rawjson.String)
}
