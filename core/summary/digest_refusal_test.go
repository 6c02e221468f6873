package summary

import (
	"strings"
	"testing"
)

// written is the digest without its checks, which log it.
func (k *talk) written() string {
	return Digest(&k.Transcript, k.all(), DigestOptions{Counter: quarter{}, Budget: 500})
}

// A result that says at its beginning that the edit was not made leaves it
// unconfirmed; one that prints what was written does not.
func TestDigestEditsThatFailed(t *testing.T) {
	refusals := []string{
		"No replacement was performed, old_str `x` did not appear verbatim in /w/a.go.",
		"String to replace not found in file.\nString: x", "aborted", "Aborted by user",
		"The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).",
		"apply_patch verification failed: Failed to find expected lines in a.go", "Permission denied", "File does not exist.",
		"Error: EACCES", "ERROR editing file", "failed to write", "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
		"File has been modified since read, either by the user or by a linter.", "Edit rejected", "Access denied for a.go", "Cannot write a.go",
		"Unable to apply the edit", "Invalid path", "❌ Failed", "[Request interrupted by user for tool use]", "The file a.go could not be written.",
		"Found 3 matches of the string to replace, but replace_all is false.", "No changes to make: old_string and new_string are exactly the same.",
		`{"error": "no such file", "output": ""}`, `{"success": false}`, `{"status": "error"}`, `{"message": "String not found in file"}`,
		`{"output": "apply_patch verification failed: x", "metadata": {"exit_code": 1}}`, `{"output": "?", "metadata": {"exit_code": 1}}`,
		"Exit code: 1\nWall time: 0 seconds\nOutput:\nfoo", "Result:\nError: disk full", "エラー: 書き込みできません", "Operation not permitted",
	}
	made := []string{
		"", "ok", "Done!", "The file a.go has been edited. Here's the result of running `cat -n`:\n     1\terror: cannot open\n     2\tPermission denied",
		"     1\treturn errors.New(\"failed to open\")", "12: cannot be nil", "package main\n// Error: not found", "--- a/a.go\n+++ b/a.go\n-failed to\n+cannot",
		"File created successfully at: /w/denied.txt", "error_handler.go has been updated", "Success. Updated the following files:\nM errors/failed.go",
		`{"ok": true, "message": "written"}`, `{"error": null}`, "Edited a.go", "Applied the patch to cannot.go", "Errors.md has been written",
		"// failed to parse is what the caller sees\nfunc f() {}", "Exit code: 0\nOutput:\nSuccess.", "Wrote 14 bytes",
	}
	for _, tool := range []string{"str_replace_editor", "Write", "MultiEdit"} {
		for _, list := range []struct {
			results []string
			want    label
		}{{refusals, labUnsure}, {made, labChanged}} {
			for _, result := range list.results {
				k := (&talk{}).user("Mend it.").call(tool, args{"command": "str_replace", "path": "lib/a.go"}, result)
				if got := block(k.written(), secFiles, list.want); len(got) != 1 || got[0] != "lib/a.go" {
					t.Errorf("%s, %q: not under %q", tool, result, english().labels[list.want])
				}
			}
		}
	}
	k := (&talk{}).user("Mend it.").call("apply_patch", "*** Begin Patch\n*** Update File: lib/a.go\n@@\n-a\n+b\n*** End Patch", "apply_patch verification failed: no such line")
	if got := block(k.digest(t, 500), secFiles, labUnsure); len(got) != 1 || got[0] != "lib/a.go" {
		t.Errorf("a patch: %q", got)
	}
}

func TestExitCodeNeedsAnEnvelope(t *testing.T) {
	for text, want := range map[string]outcome{
		`{"exit_code": 3}`:                         {},
		`{"exit_code": 3, "name": "x"}`:            {},
		`{"exit_code": 3, "output": ""}`:           {ended, 3},
		`{"exit_code": 3, "stderr": "x"}`:          {ended, 3},
		`{"metadata": {"exit_code": 3}}`:           {ended, 3},
		`{"exit_code": 3, "output": ""} and more`:  {},
		`[{"exit_code": 3, "output": ""}]`:         {},
		"{\"exit_code\": 3, \"stdout\": \"a\"}\n ": {ended, 3},
	} {
		if got, _ := readOutcome(text, false, false, &callFacts{kind: callShell}); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// What a deletion takes along, and what it may have.
func TestDigestDeletedDirectories(t *testing.T) {
	for _, c := range []struct {
		name, write, command string
		changed, deleted     string
		unsure               string
	}{
		{"made again", "d/a.txt", "rm -rf d && mkdir d", "d", "d/a.txt", ""},
		{"with a slash", "d/x/a.txt", "rm -rf ./d/", "", "d/x/a.txt, ./d/", ""},
		{"all in it", "d/a.txt", "rm -rf d/*", "", "d/a.txt, d/*", ""},
		{"all in it, deeper", "d/x/a.txt", "rm d/*", "", "d/*", "d/x/a.txt"},
		{"from somewhere", "/w/d/a.txt", "rm -rf d", "", "d", "/w/d/a.txt"},
		{"from the root", "d/a.txt", "rm -rf /w/d", "", "/w/d", "d/a.txt"},
		{"another one", "/w/e/a.txt", "rm -rf d /v/e", "/w/e/a.txt", "/v/e, d", ""},
	} {
		k := (&talk{}).user("Go.").call("write_file", args{"path": c.write}, "ok").bash(c.command, 0, "")
		text := k.digest(t, 500)
		for l, want := range map[label]string{labChanged: c.changed, labDeleted: c.deleted, labUnsure: c.unsure} {
			if got := strings.Join(block(text, secFiles, l), "|"); got != want {
				t.Errorf("%s: %q is %q, want %q", c.name, english().labels[l], got, want)
			}
		}
		again := (&talk{}).say("Yes.").digest(t, 500, text)
		for _, l := range []label{labChanged, labDeleted, labUnsure} {
			if a, b := block(text, secFiles, l), block(again, secFiles, l); strings.Join(a, "|") != strings.Join(b, "|") {
				t.Errorf("%s: read back %q, was %q", c.name, b, a)
			}
		}
	}
	// A file that was only read is gone, too.
	k := (&talk{}).user("Go.").bash("cat d/b.txt", 0, "x").bash("rm -rf d", 0, "")
	if got := block(k.digest(t, 500), secFiles, labRead); len(got) != 0 {
		t.Errorf("read: %q", got)
	}
}
