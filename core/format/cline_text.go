package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// The texts that Cline writes in the user's name.

const environmentTag = "<environment_details>"

// clineNotice is how the SDK's own compaction without a model begins the note
// that it leaves in a user message.
const clineNotice = "<SYSTEM_NOTICE>\nEarlier context was compacted."

// clineTool reports whether a name is one of the tools of Cline or Roo, by which
// results and calls in XML are known.
func clineTool(name string) bool {
	switch name {
	case "execute_command", "read_command_output", "read_file", "write_to_file", "replace_in_file", "apply_diff", "apply_patch",
		"edit_file", "search_replace", "insert_content", "search_and_replace", "search_files", "list_files", "list_code_definition_names",
		"browser_action", "use_mcp_tool", "access_mcp_resource", "load_mcp_documentation", "ask_followup_question",
		"attempt_completion", "new_task", "switch_mode", "plan_mode_respond", "act_mode_respond", "fetch_instructions",
		"update_todo_list", "focus_chain", "codebase_search", "web_fetch", "web_search", "generate_image", "condense",
		"summarize_task", "report_bug", "new_rule", "run_slash_command", "use_skill", "use_subagents", "subagents", "inspect_site":
		return true
	}
	return false
}

// headerBytes is how far into a text "] Result:" may stand: it quotes a path, a
// command or a question.
const headerBytes = 8192

// clineHeader is the name of the tool whose result a text gives, and the length
// of the header that says so: "[read_file for 'x'] Result:".
func clineHeader(s string) (name string, size int, ok bool) {
	if len(s) < 2 || s[0] != '[' {
		return "", 0, false
	}
	n := 1
	for n < len(s) && (s[n] == '_' || s[n] >= 'a' && s[n] <= 'z' || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	if n == 1 || n == len(s) || s[n] != ' ' && s[n] != ']' {
		return "", 0, false
	}
	const mark = "] Result:"
	end := strings.Index(s[n:min(len(s), headerBytes)], mark)
	if end < 0 || s[n] == ']' && end > 0 {
		return "", 0, false
	}
	return s[1:n], n + end + len(mark), true
}

// clineSaid reports whether a person's words stand in a text: the task, what was
// answered to a question, or said to an approval or a result.
func clineSaid(s string) bool {
	for _, tag := range [...]string{"<task>", "<feedback>", "<answer>", "<user_message>"} {
		if strings.Contains(s, tag) {
			return true
		}
	}
	return false
}

// clineAnswered reports whether a tool's result holds a person's words: the tool
// asks for them, or the person did not let it run.
func clineAnswered(tool, s string) bool {
	switch tool {
	case "ask_followup_question", "attempt_completion", "plan_mode_respond", "act_mode_respond", "new_task", "condense", "summarize_task", "report_bug":
	default:
		if !strings.HasPrefix(strings.TrimLeft(s, " \n"), "The user ") {
			return false
		}
	}
	return clineSaid(s)
}

// clineAside reports whether a text of a user message is the harness's own, by
// how it begins.
func clineAside(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	for _, head := range [...]string{
		environmentTag, "<SYSTEM_NOTICE>", "<explicit_instructions", "<system-reminder>", "<file_content", "[ERROR]", "[TASK RESUMPTION]",
		"[PLAN MODE", "[Response interrupted", "[Sliding window truncation", "# task_progress", "# TODO LIST", "Files attached by the user:",
		"Tool [", "Skipping tool [", "New problems detected",
	} {
		if strings.HasPrefix(s, head) {
			return true
		}
	}
	return false
}

// clineFailed reports whether a tool's result is an error, by the words that
// Cline and Roo put before one.
func clineFailed(s string) bool {
	s = strings.TrimLeft(s, " \r\n")
	return strings.HasPrefix(s, "The tool execution failed with the following error:") || strings.HasPrefix(s, `{"status":"error"`) ||
		strings.HasPrefix(s, "{\n  \"status\": \"error\"")
}

// clineCall finds the first call in XML in a text of the model: the places where
// it begins and ends, its tool, and its parameters as a JSON object. Cost: linear.
func clineCall(s string) (from, to int, name, input string, ok bool) {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 {
			return 0, 0, "", "", false
		}
		from = at + i
		tag, after, isTag := openTag(s, from)
		if isTag && clineTool(tag) {
			end := strings.LastIndex(s[after:], "</"+tag+">")
			if end >= 0 {
				return from, after + end + len("</>") + len(tag), tag, xmlParameters(s[after : after+end]), true
			}
			return 0, 0, "", "", false // cut off: it was not carried out
		}
		at = from + 1
	}
	return 0, 0, "", "", false
}

// openTag reads "<name>" at a place, and gives the place behind it.
func openTag(s string, at int) (name string, after int, ok bool) {
	n := at + 1
	for n < len(s) && (s[n] == '_' || s[n] >= 'a' && s[n] <= 'z' || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	if n == at+1 || n >= len(s) || s[n] != '>' {
		return "", 0, false
	}
	return s[at+1 : n], n + 1, true
}

// xmlParameters are the tags side by side in s as a JSON object of strings. What
// stands within one is its value, whatever it is: contents are not escaped.
func xmlParameters(s string) string {
	b := newBody()
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 {
			break
		}
		tag, after, ok := openTag(s, at+i)
		if !ok {
			at += i + 1
			continue
		}
		end := strings.Index(s[after:], "</"+tag+">")
		if end < 0 {
			break
		}
		b.key(tag)
		b.buf = rawjson.AppendQuote(b.buf, strings.Trim(s[after:after+end], "\r\n"))
		at = after + end + len("</>") + len(tag)
	}
	return string(b.end())
}
