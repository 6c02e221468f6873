package summary

import "strings"

// complains reports whether a tool's result says on its first line, or in its
// envelope, that the call failed.
func complains(text string) bool {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(trimmed, "{") {
		root, ok := parseJSON(trimmed)
		if !ok {
			return false
		}
		if n := root.get("error", "isError", "is_error"); n != nil && n.raw != "null" && n.raw != "false" && n.raw != `""` {
			return true
		}
		if n := root.get("success", "ok"); n != nil && n.raw == "false" {
			return true
		}
		switch strings.ToLower(root.get("status").text()) {
		case "error", "failed", "failure", "rejected", "denied", "aborted", "cancelled", "canceled":
			return true
		}
		return false
	}
	line := strings.ToLower(oneLine(trimmed, 80))
	for _, word := range [...]string{
		"error", "failed", "failure", "traceback", "exception", "ran into ", "invalid ", "<error",
		"<tool_use_error", "fatal:", "エラー", "失敗",
	} {
		if rest, ok := strings.CutPrefix(line, word); ok && endsWord(word, rest) {
			return true
		}
	}
	return false
}

// endsWord reports whether a word ends where rest begins: "error: x" and
// "errors: 3", not error_handler.go.
func endsWord(word, rest string) bool {
	last := word[len(word)-1]
	return rest == "" || !idByte(last) || !nameByte(rest) || strings.HasPrefix(rest, "s ") || strings.HasPrefix(rest, "s:")
}

// What a result begins with when an edit was not made.
var refusalStarts = [...]string{
	"error", "failed", "failure", "fail", "fatal", "invalid", "no replacement", "no change", "no match", "no edit", "no such",
	"no occurrence", "nothing was", "string to replace not found", "string not found", "old_str", "old_string", "aborted", "abort",
	"cancelled", "canceled", "interrupted", "rejected", "denied", "declined", "cannot", "can't", "can not", "could not", "couldn't",
	"unable", "not allowed", "not found", "not permitted", "permission denied", "access denied", "operation not permitted",
	"file does not exist", "file not found", "path does not exist", "timed out", "timeout", "refused", "blocked", "skipped",
	"tool_use_error", "patch failed", "read-only file system", "disk full", "exception", "traceback", "eacces", "enoent", "eisdir",
	"enospc", "erofs", "eperm", "unknown tool", "missing", "エラー", "失敗", "拒否", "中断", "キャンセル",
}

// What it says on its first line then: phrases that no file's name holds.
var refusalPhrases = [...]string{
	"no replacement was performed", "did not appear", "not found in", "was not found", "does not exist", "doesn't exist",
	"verification failed", "failed to", " has failed", "failed with", "failed:", "doesn't want to", "does not want to",
	"user rejected", "user denied", "user declined", "user cancelled", "user canceled", "was rejected", "were rejected",
	"was denied", "was aborted", "was cancelled", "was canceled", "was interrupted", "interrupted by user", "permission denied",
	"operation not permitted", "no such file", "read-only file system", "is a directory", "no space left", "not been read yet",
	"modified since", "unexpectedly modified", "no changes", "not applied", "not be applied", "was not", "were not", "not modified",
	"is not unique", "not allowed", "cannot be", "could not", "couldn't", "unable to", "cannot ", "multiple occurrences",
	"replace_all is false", "0 occurrences", "is required", "できません", "見つかりません", "存在しません", "失敗しました", "拒否され",
}

// What a result says of an edit that was made: a name in it (denied.txt, or a
// file of error messages) must not speak against it.
var successPhrases = [...]string{
	"successfully", "has been edited", "has been updated", "has been created", "has been written", "has been modified",
	"has been overwritten", "file created", "file written", "file updated", "created file", "updated file", "wrote ",
}

// refused reports whether the first line of a result says that what was asked
// was not done. A line of a file's contents, numbered or code, says nothing.
func refused(text string) bool {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "{") {
		root, ok := parseJSON(trimmed)
		return ok && refusedLine(root.get("message", "result", "output", "content", "detail").text())
	}
	if head, rest, ok := strings.Cut(trimmed, "\n"); ok && len(head) < 40 && strings.HasSuffix(strings.TrimSpace(head), ":") && refusedLine(rest) {
		return true // "Result:", and the answer below
	}
	return refusedLine(trimmed)
}

func refusedLine(text string) bool {
	line := strings.ToLower(oneLine(strings.TrimPrefix(plain(text[:min(len(text), edgeBytes)]), "\ufeff"), 240))
	lead := strings.TrimLeft(line, "<[(*_`'\"!⚠❌✗✘×️ ")
	for _, s := range refusalStarts {
		if rest, ok := strings.CutPrefix(lead, s); ok && endsWord(s, rest) {
			return true
		}
	}
	for _, s := range [...]string{"no replacement was performed", "verification failed", "modified since", "failed to match"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	if codeLike(line) {
		return false
	}
	for _, s := range successPhrases {
		if i := strings.Index(line, s); i >= 0 && !strings.Contains(line[:i], "not ") && !strings.Contains(line[:i], "n't ") {
			return false
		}
	}
	for _, s := range refusalPhrases {
		if strings.Contains(line, s) {
			return true
		}
	}
	line = strings.TrimRight(line, ".! ")
	for _, s := range [...]string{" rejected", " denied", " declined", " aborted", " failed", " cancelled", " canceled", " blocked", " not found", " interrupted"} {
		if strings.HasSuffix(line, s) {
			return true
		}
	}
	return false
}

// nameByte reports whether a name goes on here: error_handler.go, not "error:".
func nameByte(rest string) bool {
	switch c := rest[0]; c {
	case '.', '/', '-':
		return len(rest) > 1 && idByte(rest[1])
	case '(':
		return true
	default:
		return idByte(c)
	}
}

// codeLike reports whether a line is from a file and no sentence: a numbered
// line, a line of a diff, a comment, or one with the marks of code.
func codeLike(line string) bool {
	if line == "" {
		return false
	}
	if rest := strings.TrimLeft(line, "0123456789"); len(rest) < len(line) && rest != "" && strings.IndexByte("\t|:→ ", rest[0]) >= 0 {
		if rest[0] != ' ' || strings.HasPrefix(strings.TrimLeft(rest, " "), "|") {
			return true
		}
	}
	switch line[0] {
	case '#', '+', '-', '@', '{', '}', ';', '%':
		return true
	}
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "package ") || strings.HasPrefix(line, "import ") ||
		strings.HasPrefix(line, "diff ") || strings.ContainsAny(line, "{};") || strings.Contains(line, ":=") || strings.Contains(line, " = ") || strings.HasSuffix(line, "):")
}
