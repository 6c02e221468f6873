package readme

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every row about the two systems says what tamp does, where the API shows it, and
// names tests that are there.
func TestBehaviours(t *testing.T) {
	const heading = "\n## What tamp does of the two systems\n"
	_, section, ok := strings.Cut(readme(t), heading)
	if !ok {
		t.Fatalf("the README has no section%s", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	api := apiNames(t)
	var systems []string
	rows := 0
	for line := range strings.Lines(section) {
		row, ok := strings.CutPrefix(strings.TrimSpace(line), "| ")
		if !ok || strings.HasPrefix(row, "---") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "|"), " | ")
		if len(cells) != 4 {
			t.Errorf("%d cells, want 4: %s", len(cells), line)
			continue
		}
		behaviour, does, fields, tests := cells[0], cells[1], cells[2], cells[3]
		if does == "tamp" {
			systems = append(systems, behaviour)
			continue
		}
		rows++
		host := strings.HasPrefix(does, "the host's: ")
		if !host && !strings.HasPrefix(does, "same") && !strings.HasPrefix(does, "better: ") {
			t.Errorf("%s: %q says neither same nor better nor the host's", behaviour, does)
		}
		named := regexp.MustCompile("`[^`]+`").FindAllString(fields, -1)
		if len(named) == 0 {
			t.Errorf("%s: no field of the API is named", behaviour)
		}
		for _, f := range named {
			for name := range strings.SplitSeq(strings.Trim(f, "`"), ".") {
				if !slices.Contains(api, name) {
					t.Errorf("%s: %s: the API has no %q", behaviour, f, name)
				}
			}
		}
		links := regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`).FindAllStringSubmatch(tests, -1)
		if len(links) == 0 && (!host || !strings.HasPrefix(tests, "no test: ")) {
			t.Errorf("%s: no test is named, and no reason for that", behaviour)
		}
		for _, l := range links {
			if !holdsTest(t, l[1], l[2]) {
				t.Errorf("%s: %s has no test %s", behaviour, l[2], l[1])
			}
		}
	}
	if !slices.Equal(systems, []string{"Codex", "lait"}) || rows < 40 {
		t.Errorf("%d rows of %q", rows, systems)
	}
}

// holdsTest reports whether a file has a test of that name: a function in Go, words
// of a title in JavaScript.
func holdsTest(t *testing.T, name, path string) bool {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Errorf("%v", err)
		return false
	}
	pattern := `(?m)^\s*test\(.*` + regexp.QuoteMeta(name)
	if strings.HasSuffix(path, "_test.go") {
		pattern = `(?m)^func ` + regexp.QuoteMeta(name) + `\(t \*testing\.T\)`
	}
	return regexp.MustCompile(pattern).Match(src)
}

// apiNames are the names that the API's description has for members.
func apiNames(t *testing.T) []string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "worker/proxy/openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile(`"([a-z_]+)": ?\{`).FindAllSubmatch(src, -1) {
		out = append(out, string(m[1]))
	}
	return out
}
