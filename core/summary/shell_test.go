package summary

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// spell writes commands so that a table can hold them: words in brackets, an
// opaque one as ?, redirections with their targets, a heredoc's body in quotes.
func spell(src string) string {
	var out []string
	scanShell(src, func(c *shellCmd) {
		switch c.scope {
		case 1:
			out = append(out, "(")
			return
		case -1:
			out = append(out, ")")
			return
		}
		var s strings.Builder
		for _, w := range c.words {
			if w.opaque {
				w.text = "?"
			}
			s.WriteString("[" + w.text + "]")
		}
		for _, r := range c.redirs {
			s.WriteString(r.op + r.target.text)
		}
		if c.body != "" {
			s.WriteString(strconv.Quote(c.body))
		}
		out = append(out, s.String())
	})
	return strings.Join(out, " ; ")
}

func TestScanShell(t *testing.T) {
	for src, want := range map[string]string{
		"":                                      "",
		"ls -la":                                "[ls][-la]",
		"cd /w && make test || exit 1; echo ok": "[cd][/w] ; [make][test] ; [exit][1] ; [echo][ok]",
		"a | b |& c & d":                        "[a] ; [b] ; [c] ; [d]",
		`echo 'a; b' "c > d" e\ f`:              "[echo][a; b][c > d][e f]",
		`echo "a \"b\" \$c"`:                    `[echo][a "b" $c]`,
		`rm "$dir/x" ${y} $(ls; rm z) plain`:    "[rm][?][?][?][plain]",
		"echo `rm x; rm y` z":                   "[echo][?][z]",
		"echo '' \"\"":                          "[echo][][]",
		"make > out.log 2>&1":                   "[make]>out.log>&1",
		"make 2>/dev/null >>log < in":           "[make]>/dev/null>>log<in",
		"make &> all.log":                       "[make]>all.log",
		"echo 3 > n":                            "[echo][3]>n",
		"diff <(sort a) <(sort b)":              "[diff][?][?]",
		"# a comment; rm x\nls # and rm y":      "[ls]",
		"echo a#b":                              "[echo][a#b]",
		"cat > f <<EOF\nrm x\nEOF\nls":          `[cat]>f<<EOF"rm x\n" ; [ls]`,
		"cat <<'E' > f && ls\nbody $x\nE\n":     `[cat]<<E>f"body $x\n" ; [ls]`,
		"cat <<-E\n\tx\n\tE\nls":                `[cat]<<-E"\tx\n" ; [ls]`,
		"cat <<A; cat <<B\na\nA\nb\nB\n":        `[cat]<<A"a\n" ; [cat]<<B"b\n"`,
		"cat <<EOF\nnever closed":               `[cat]<<EOF"never closed"`,
		"wc <<< 'text'":                         "[wc]<<<text",
		"(cd sub && rm x); rm y":                "( ; [cd][sub] ; [rm][x] ; ) ; [rm][y]",
		"i=$((i + 1)); ((j > 2)) && rm x":       "[?] ; [rm][x]",
		"[[ a > b ]] && rm x":                   "[[[][a][b][]]] ; [rm][x]",
		"long \\\n  line":                       "[long][line]",
		"echo $'a\\nb' c":                       "[echo][?][c]",
		"echo cost: 5$ \"a$\"":                  "[echo][cost:][5$][a$]",
		"echo 'never closed; rm x":              "[echo][never closed; rm x]",
		"echo \"$(never closed":                 "[echo][?]",
		"x\r\ny":                                "[x] ; [y]",
	} {
		if got := spell(src); got != want {
			t.Errorf("%q:\n got %s\nwant %s", src, got, want)
		}
	}
}

// tell writes effects so that a table can hold them: + written, - deleted,
// > moved, = read.
func tell(effects []fileEffect) string {
	var out []string
	for _, e := range effects {
		s := string("=+->"[e.use]) + e.path
		if e.to != "" {
			s += ">" + e.to
		}
		if e.dir != "" {
			s += "@" + e.dir
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestShellEffects(t *testing.T) {
	for src, want := range map[string]string{
		"cat a.go b.go":                               "=a.go =b.go",
		"head -n 30 a.go | tail -5":                   "=a.go",
		"grep -rn needle src/a.go":                    "=src/a.go",
		"sed -n '1,5p' a.go":                          "=a.go",
		"sed -i 's/a/b/' a.go b.go":                   "+a.go +b.go",
		"sed -i.bak -e 's/a/b/' a.go":                 "+a.go",
		"sed -i '' 's/a/b/' a.go":                     "+a.go",
		"perl -pi -e 's/a/b/' a.go":                   "+a.go",
		"cat > a.py << 'EOF'\nopen('b.py', 'w')\nEOF": "+a.py",
		"echo x >> log.txt 2>/dev/null":               "+log.txt",
		"make | tee -a build.log":                     "+build.log",
		"rm -rf build a.txt":                          "-build -a.txt",
		"git rm --cached a.txt":                       "-a.txt",
		"mv a.txt b.txt":                              ">a.txt>b.txt",
		"mv a.txt b.txt dir/":                         ">a.txt>dir/a.txt >b.txt>dir/b.txt",
		"git mv -f a.txt dir/":                        ">a.txt>dir/a.txt",
		"cp a.txt b.txt":                              "=a.txt +b.txt",
		"touch -c a b":                                "+a +b",
		"mkdir -p x/y":                                "+x/y",
		"cd /w && rm x":                               "-x@/w",
		"cd /w; cd sub; rm x":                         "-x@/w/sub",
		"(cd /w && rm x); rm y":                       "-x@/w -y",
		"cd $HOME && rm x":                            "-x",
		"rm $x \"${y}/z\" *.pyc":                      "-*.pyc",
		"sudo -E rm x":                                "-x",
		"FOO=1 BAR=2 env timeout 5 rm x":              "-x",
		"if test -f x; then rm x; fi":                 "-x",
		"bash -lc 'cd /w && rm x'":                    "-x@/w",
		"sh -c \"bash -c 'rm x'\"":                    "-x",
		"find . -name '*.o' | xargs rm":               "",
		"python -c \"open('x','w')\"":                 "",
		"python - <<EOF\nopen('x','w')\nEOF":          "",
		"git checkout -- a.go":                        "+a.go",
		"git checkout main":                           "",
		"git restore a.go":                            "+a.go",
		"git restore --staged a.go":                   "",
		"curl -sSo page.html https://example.com":     "+page.html",
		"curl -o page.html https://example.com":       "+page.html",
		"apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a.go\n*** End Patch\nE": "-a.go",
		"git apply <<E\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\nE":               "+x.go",
		"> /dev/null rm x": "-x",
	} {
		if got := tell(readShell(src, "").effects); got != want {
			t.Errorf("%q:\n got %s\nwant %s", src, got, want)
		}
	}
}

func TestShellLooks(t *testing.T) {
	for src, want := range map[string]bool{
		"cd /w && git log --oneline | head -5": true,
		"sed -n 1,5p a.go 2>/dev/null":         true,
		"ls > files.txt":                       false,
		"sed -i s/a/b/ a.go":                   false,
		"go test ./...":                        false,
		"cat a.go && rm a.go":                  false,
		"git commit -m x":                      false,
		"cat x | tee y":                        false,
		"for f in a b; do cat $f; done":        true,
		"":                                     false, // nothing was run
		"# only a comment":                     false,
		"bash -c 'rm x'":                       false,
		"bash -c 'cat x'":                      true,
	} {
		if got := readShell(src, "").looks; got != want {
			t.Errorf("%q: looks only: %v, want %v", src, got, want)
		}
	}
}

func TestPatchEffects(t *testing.T) {
	const envelope = `*** Begin Patch
*** Add File: new.go
+package x
+*** Delete File: not/this.go
*** Update File: old/a.go
*** Move to: new/a.go
@@
-a
+b
*** Update File: b.go
@@
 x
*** Delete File: c.go
*** End Patch`
	const unified = `diff --git a/x.go b/x.go
index 1..2 100644
--- a/x.go	2024-01-01
+++ b/x.go	2024-01-02
@@ -1,3 +1,3 @@
 keep
--- a/not/this.go
+++ b/not/this.go
 keep
--- /dev/null
+++ b/new.go
@@ -0,0 +1 @@
+x
--- a/gone.go
+++ /dev/null
@@ -1 +0,0 @@
-x
\ No newline at end of file
diff --git a/o.go b/n.go
rename from o.go
rename to n.go
--- a/o.go
+++ b/n.go
@@ -1 +1 @@
-a
+b
--- plain.txt
+++ plain.txt
@@ -1 +1 @@
-a
+b
`
	for name, c := range map[string]struct{ text, want string }{
		"envelope":        {envelope, "+new.go >old/a.go>new/a.go +b.go -c.go"},
		"unified":         {unified, "+x.go +new.go -gone.go >o.go>n.go +plain.txt"},
		"prose":           {"--- a list\n+++ of nothing in particular", "+of nothing in particular"},
		"a rule":          {"text\n---\nmore", ""},
		"nothing":         {"", ""},
		"counts too high": {"--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n x\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n", "+x +y"},
	} {
		if got := tell(patchEffects(c.text)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestReadCall(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: a.go\n*** End Patch"
	for _, c := range []struct {
		name, input string
		kind        callKind
		show        string
		effects     string
		looks       bool
	}{
		{"bash", `{"command": "rm x"}`, callShell, "rm x", "-x", false},
		{"shell", `{"command": ["bash", "-lc", "cd /w && rm x"]}`, callShell, "cd /w && rm x", "-x@/w", false},
		{"shell", `{"command": ["rm", "a b"], "workdir": "/w"}`, callShell, "rm a b", "-a b@/w", false},
		{"local_shell", `{"type": "exec", "command": ["ls"]}`, callShell, "ls", "", true},
		{"container.exec", `{"cmd": ["cat", "a.go"]}`, callShell, "cat a.go", "=a.go", true},
		{"exec_command", `{"cmd": "touch a"}`, callShell, "touch a", "+a", false},
		{"execute_bash", `{"command": "touch a\nrm b"}`, callShell, "touch a …", "+a -b", false},
		{"run_terminal_cmd", `{"command": "rm x"}`, callShell, "rm x", "-x", false},
		{"run_commands", `{"commands": ["touch a", "rm b"]}`, callShell, "touch a …", "+a -b", false},
		{"mcp__box__terminal", `{"script": "rm x"}`, callShell, "rm x", "-x", false},
		{"bash", "rm x", callShell, "rm x", "-x", false},
		{"bash", `"rm x"`, callShell, "rm x", "-x", false},
		{"bash", `{"restart": true}`, callAct, `bash {"restart": true}`, "", false},
		{"execute_sql", `{"query": "rm x"}`, callAct, `execute_sql {"query": "rm x"}`, "", false},
		{"write_file", `{"path": "a.go", "content": "path: b.go"}`, callFile, "write_file a.go", "+a.go", false},
		{"Write", `{"file_path": "/w/a.go", "content": ""}`, callFile, "Write /w/a.go", "+/w/a.go", false},
		{"MultiEdit", `{"file_path": "a.go", "edits": [{"old_string": "x"}]}`, callFile, "MultiEdit a.go", "+a.go", false},
		{"NotebookEdit", `{"notebook_path": "a.ipynb"}`, callFile, "NotebookEdit a.ipynb", "+a.ipynb", false},
		{"edit", `{"filePath": "a.go"}`, callFile, "edit a.go", "+a.go", false},
		{"create", `{"filename": "a.py"}`, callFile, "create a.py", "+a.py", false},
		{"append_to_file", `{"target_file": "a.py"}`, callFile, "append_to_file a.py", "+a.py", false},
		{"search_replace", `{"file_path": "a.go"}`, callFile, "search_replace a.go", "+a.go", false},
		{"str_replace_editor", `{"command": "view", "path": "a.go"}`, callFile, "str_replace_editor a.go", "=a.go", true},
		{"str_replace_based_edit_tool", `{"command": "insert", "path": "a.go"}`, callFile, "str_replace_based_edit_tool a.go", "+a.go", false},
		{"read_files", `{"files": [{"path": "a.go"}, {"path": "b.go"}]}`, callFile, "read_files a.go", "=a.go =b.go", true},
		{"delete_files", `{"paths": ["a.go", "b.go"]}`, callFile, "delete_files a.go", "-a.go -b.go", false},
		{"move_file", `{"source": "a.go", "destination": "b.go"}`, callFile, "move_file a.go", ">a.go>b.go", false},
		{"renameFile", `{"path": "a.go", "newPath": "b.go"}`, callFile, "renameFile a.go", ">a.go>b.go", false},
		{"copy_file", `{"from": "a.go", "to": "b.go"}`, callFile, "copy_file a.go", "=a.go +b.go", false},
		{"apply_patch", patch, callFile, "apply_patch a.go", "+a.go", false},
		{"apply_patch", `{"input": "` + strings.ReplaceAll(patch, "\n", `\n`) + `"}`, callFile, "apply_patch a.go", "+a.go", false},
		{"apply_diff", `{"path": "a.go", "diff": "<<<<<<< SEARCH"}`, callFile, "apply_diff a.go", "+a.go", false},
		{"Grep", `{"pattern": "x", "path": "src"}`, callFile, "Grep src", "=src", true},
		{"git_diff", `{"target": "main"}`, callAct, `git_diff {"target": "main"}`, "", false},
		{"web_search", `{"query": "x"}`, callLook, `web_search {"query": "x"}`, "", true},
		{"get_user", `{"id": 7}`, callLook, `get_user {"id": 7}`, "", true},
		{"update_booking", `{"id": 7}`, callAct, `update_booking {"id": 7}`, "", false},
		{"delete_issue", `{"id": "ENT-1"}`, callAct, `delete_issue {"id": "ENT-1"}`, "", false},
		{"update_plan", `{"plan": [{"step": "a", "status": "pending"}]}`, callPlan, "", "", true},
		{"TodoWrite", `{"todos": [{"content": "a", "status": "completed"}]}`, callPlan, "", "", true},
		{"think", `{"thought": "x"}`, callLook, `think {"thought": "x"}`, "", true},
		{"write_file", `{"path": "a\nb"}`, callFile, "write_file a", "+a\nb", false},
		{"write_file", `{"path": " "}`, callAct, `write_file {"path": " "}`, "", false},
		{"write_file", `{"path": "broken`, callAct, `write_file {"path": "broken`, "", false},
		{"", "", callAct, "", "", false},
	} {
		got := readCall(c.name, c.input)
		show := got.show
		if got.short && c.kind == callShell {
			show += cutMark
		}
		if got.kind != c.kind || show != c.show || tell(got.effects) != c.effects || got.looks != c.looks {
			t.Errorf("%s %s:\n got %d %q %q looks %v\nwant %d %q %q looks %v", c.name, c.input,
				got.kind, show, tell(got.effects), got.looks, c.kind, c.show, c.effects, c.looks)
		}
	}
}

func TestReadPlan(t *testing.T) {
	c := readCall("TodoWrite", `{"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"},
		{"title": "c", "status": "cancelled"}, {"text": "d", "done": true}, "e", {"content": ""}]}`)
	want := []planItem{{"a", true}, {"b", false}, {"d", true}, {"e", false}}
	if !slices.Equal(c.plan, want) {
		t.Errorf("got %v, want %v", c.plan, want)
	}
	list := checklist("Plan:\n- [x] write it\n* [ ] test it\n- [link](x)\n- [?] odd\n  - [X] nested")
	want = []planItem{{"write it", true}, {"test it", false}, {"nested", true}}
	if !slices.Equal(list, want) {
		t.Errorf("got %v, want %v", list, want)
	}
}
