package format

import "strings"

// exitFailed reports whether the output of a command says that it ended with
// another code than 0. Responses items have no mark of failure; Codex writes the
// code into the head of the text, or as JSON behind the output.
func exitFailed(text string) bool {
	head := text[:min(len(text), 400)]
	for _, words := range []string{"Process exited with code ", "Exit code: "} {
		if i := strings.Index(head, words); i >= 0 && (i == 0 || head[i-1] == '\n') {
			return code(head[i+len(words):])
		}
	}
	if strings.HasPrefix(text, "{") {
		tail := text[max(0, len(text)-200):]
		if i := strings.LastIndex(tail, `"exit_code":`); i >= 0 {
			return code(strings.TrimLeft(tail[i+len(`"exit_code":`):], " "))
		}
	}
	return false
}

// code reports whether a number stands here that is not 0.
func code(s string) bool {
	n := len(s) - len(strings.TrimLeft(s, "-0123456789"))
	return n > 0 && strings.Trim(s[:n], "-0") != ""
}
