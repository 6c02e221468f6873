package summary

import (
	"slices"
	"strings"
	"testing"
)

// What an exit code of 0 and the output say of each write: + confirmed, ? not.
func TestShellWritesConfirmed(t *testing.T) {
	for _, c := range []struct{ script, output, want string }{
		{"touch a", "", "+a"},
		{"cd /w && touch a && make", "a: cannot open b: Permission denied", "+a"}, // 0 vouches for the whole list
		{"if test -f x; then touch a; fi; touch b", "", "?a +b"},
		{"case $1 in x) touch a;; esac\ntouch b", "", "?a +b"},
		{"while read f; do touch a; done < l\ntouch b", "", "?a +b"},
		{"until make; do touch a; done && touch b", "", "?a +b"},
		{"for i in 1 2; do touch a; done", "", "+a"},
		{"make || touch a", "", "?a"},
		{"make || touch a && touch b; touch c", "", "?a ?b +c"},
		{"false || { touch a; touch b; }; touch c", "", "?a ?b +c"},
		{"false || (touch a; touch b)\ntouch c", "", "?a ?b +c"},
		{"(make || true) && touch a", "", "+a"},
		{"f() { touch a; }; touch b", "", "?a +b"},
		{"function f {\ntouch a\n}\ntouch b", "", "?a +b"},
		{"! touch a", "", "?a"},
		{"[ -f x ] && touch a; echo done", "", "?a"},
		{"[ -f x ] && touch a", "", "+a"},
		{"exit 0; touch a", "", "?a"},
		{"cp a.go b.go || true", "cp: cannot stat 'a.go': No such file or directory", "=a.go ?b.go"},
		{"cp a.go b.go || true", "", "=a.go +b.go"},
		{"cp a.go b.go; cp c.go d.go; ls", "cp: cannot stat 'a.go': No such file or directory", "=a.go ?b.go =c.go +d.go"},
		{"sed -i s/a/b/ x.go; go vet", "sed: can't read x.go: No such file or directory", "?x.go"},
		{"cd /nowhere; touch a; ls", "bash: line 1: cd: /nowhere: No such file or directory", "?a"},
		{"echo x > /etc/a; echo y > b; ls", "bash: line 1: /etc/a: Permission denied", "?/etc/a +b"},
		{"gofmt -w a.go; true", "a.go:3:1: expected declaration", "?a.go"},
		{"touch a | cat", "touch: cannot touch 'a': Permission denied", "?a"},
		{"touch a &", "", "+a"},
		{"bash -c 'make || touch a; touch b'", "", "?a +b"},
		{"make || bash -c 'touch a'", "", "?a"},
		{"cat > a.py <<'E'\nx\nE\npython a.py", "Traceback (most recent call last):\n  File \"a.py\", line 3\nNameError: name 'x' is not defined", "+a.py"},
		{"cat > b.go <<'E'\nx\nE\ngo vet || true", "./b.go:5:2: cannot use x (type int)", "+b.go"},
	} {
		call := readCall("bash", c.script)
		var got []string
		sure := call.confirmed(outcome{ended, 0}, c.output)
		for i, e := range call.effects {
			mark := "?"
			switch {
			case e.use == useRead:
				mark = "="
			case sure[i]:
				mark = "+"
			}
			if mark != "=" || !strings.Contains(c.script, "< l") {
				got = append(got, mark+e.path)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q, %q:\n got %s\nwant %s", c.script, c.output, s, c.want)
		}
		if slices.Contains(call.confirmed(outcome{ended, 1}, c.output), true) {
			t.Errorf("%q: confirmed though it failed", c.script)
		}
	}
	// Without any exit code the complaint alone speaks.
	call := readCall("bash", "touch a")
	for output, want := range map[string]bool{
		"": true, "touch: cannot touch 'a': Read-only file system": false, "aborted by user": false,
		"The user doesn't want to proceed with this tool use.": false, "bash: line 1: touch: command not found": false,
	} {
		if got := call.confirmed(outcome{}, output); got[0] != want {
			t.Errorf("%q: %v", output, got)
		}
	}
}

func TestShellOptionsAreNoFiles(t *testing.T) {
	for src, want := range map[string]string{
		"truncate -s 0 g.txt":                        "+g.txt",
		"truncate --size=0 g.txt":                    "+g.txt",
		"install -m 755 i.sh /usr/bin/i":             "=i.sh +/usr/bin/i",
		"install -Dm644 i.sh /usr/share/i":           "=i.sh +/usr/share/i",
		"install -d -m 700 a b":                      "+a +b",
		"cp -t dir a.txt b.txt":                      "=a.txt +dir/a.txt =b.txt +dir/b.txt",
		"mv --target-directory=dir a.txt":            ">a.txt>dir/a.txt",
		"touch -d '2 days ago' a":                    "+a",
		"touch -r ref.txt a":                         "+a",
		"mkdir -p -m 700 d":                          "+d",
		"shred -n 3 -u key.pem":                      "-key.pem",
		"git restore -s HEAD~1 a.go":                 "+a.go",
		"grep -A 3 -e needle src/a.go":               "=src/a.go",
		"sed -i -e s/a/b/ -e s/c/d/ a.go":            "+a.go",
		"perl -0pi -e 's/a/b/' a.go":                 "+a.go",
		"gofmt -w a.go b.go":                         "+a.go +b.go",
		"gofmt -l a.go":                              "",
		"gofmt -r 'a -> b' -w a.go":                  "+a.go",
		"goimports -local example.com/x -w a.go":     "+a.go",
		"dd if=/dev/zero of=disk.img bs=1M count=4":  "+disk.img",
		"dd if=a of=/dev/null":                       "",
		"curl -fsSL -H 'A: b' -o p.html https://e.x": "+p.html",
		"curl --output=p.html https://e.x":           "+p.html",
		"curl -o- https://e.x":                       "",
		"wget -O p.html https://e.x":                 "+p.html",
		"wget -qO- https://e.x":                      "",
		"wget -qO /dev/null https://e.x":             "",
		"npx prettier --write a.ts src/b.ts":         "+a.ts +src/b.ts",
		"npx prettier@3 --config p.json -w a.ts":     "+a.ts",
		"prettier --check a.ts":                      "",
		"sort -o out.txt -k 2 in.txt":                "+out.txt =in.txt",
	} {
		if got := tell(readShell(src, "").effects); got != want {
			t.Errorf("%q:\n got %s\nwant %s", src, got, want)
		}
	}
	if readShell("gofmt -w a.go", "").looks || readShell("curl -o a b", "").looks {
		t.Error("a writer passes for one that only looks")
	}
}
