//go:build !js && !wasip1

package core_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The arrows between the packages. This file holds them as tables, asks the go
// command what is really imported, and names both packages of every arrow that
// is in no table. It runs natively only: a wasm program starts no process.

const module = "github.com/tamp-dev/tamp"

// everywhere may be imported by every package of core but these themselves,
// which import nothing of ours.
var everywhere = []string{"core/transcript", "core/internal/rawjson", "core/internal/nearest", "core/internal/prefixes"}

// arrows says, for each package of core, which other packages of core it may
// import beside those of everywhere. A package below one of these (core/format/x)
// has its parent's arrows, and may import parent and siblings. A package that is
// in no row is refused until somebody decides on its row.
var arrows = map[string][]string{
	"core/transcript":        {},
	"core/internal/rawjson":  {},
	"core/internal/nearest":  {},
	"core/internal/prefixes": {},
	"core/format":            {},
	"core/tokens":            {},
	"core/policy":            {},
	"core/facts":             {},
	"core/trigger":           {"core/policy", "core/tokens"},
	"core/summary":           {"core/policy", "core/tokens", "core/facts"},
	"core/compact":           {"core/trigger", "core/summary", "core/policy", "core/tokens", "core/facts"},
	"core/fidelity":          {"core/compact", "core/tokens", "core/facts"},
	"core": {
		"core/format", "core/tokens", "core/policy", "core/facts", "core/trigger",
		"core/summary", "core/compact", "core/fidelity",
	},
}

// hosts are the trees around core, with what of it they may import: the facade,
// or (scripts: table generators and measurements) any package. A host imports
// no other host.
var hosts = map[string]func(core string) bool{
	"wasm":    facadeOnly,
	"web":     facadeOnly,
	"worker":  facadeAndRanks,
	"scripts": func(string) bool { return true },
}

func facadeOnly(core string) bool { return core == "core" }

// facadeAndRanks is for the host that carries the tables of the exact encodings
// in its program: package ranks is their bytes and nothing else.
func facadeAndRanks(core string) bool { return facadeOnly(core) || core == "core/tokens/ranks" }

// impure is what no package of core imports itself. (Indirectly some are
// everywhere: fmt stands on os, and os on time.)
var impure = []string{
	"os", "time", "net", "math/rand", "math/rand/v2", "crypto/rand", "syscall",
	"syscall/js", "log", "log/slog", "testing", "plugin",
}

// unreachable is what no package of core may stand on at all, however
// indirectly: a process, a network client, JavaScript.
var unreachable = []string{"net", "net/http", "os/exec", "syscall/js", "plugin"}

// jsHosts may import syscall/js and the DOM.
var jsHosts = []string{"wasm", "web", "worker"}

// platforms are those that the packages are listed for: an import behind a
// build tag counts on the platform that has it.
var platforms = []platform{
	{"native", nil},
	{"js", []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}},
	{"wasip1", []string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0"}},
}

type platform struct {
	name string
	env  []string
}

// listed is what the go command says of a package.
type listed struct {
	ImportPath     string
	Dir            string
	Export         string
	Standard       bool
	GoFiles        []string
	IgnoredGoFiles []string
	Imports        []string
}

func TestArrows(t *testing.T) {
	root := moduleRoot(t)
	touchSources(t, root)
	for _, p := range platforms {
		t.Run(p.name, func(t *testing.T) {
			pkgs := goList(t, root, p, "-e", "./...")
			if len(pkgs) < 3 {
				t.Fatalf("go list ./... gives %d packages in %s: nothing was checked", len(pkgs), root)
			}
			for _, pkg := range pkgs {
				for _, broken := range brokenArrows(pkg) {
					t.Error(broken)
				}
			}
		})
	}
}

// brokenArrows is a sentence for every import of pkg that no table allows.
func brokenArrows(pkg listed) []string {
	var broken []string
	from := local(pkg.ImportPath)
	refuse := func(to, why string) {
		broken = append(broken, fmt.Sprintf("%s imports %s: %s", from, to, why))
	}
	for _, path := range pkg.Imports {
		to := local(path)
		switch ours := to != path; {
		case isBelow(from, "core") && ours:
			if why := refusedInCore(from, to); why != "" {
				refuse(to, why)
			}
		case isBelow(from, "core"):
			if slices.Contains(impure, path) {
				refuse(path, "core is pure: no clock, network, environment, log or random source")
			} else if thirdParty(path) {
				refuse(path, "core stands on Go's own library alone")
			}
		case ours:
			if why := refusedInHost(from, to); why != "" {
				refuse(to, why)
			}
		case path == "syscall/js" || strings.HasPrefix(path, "honnef.co/go/js/"):
			if !slices.ContainsFunc(jsHosts, func(host string) bool { return isBelow(from, host) }) {
				refuse(path, "only web, wasm and worker know that there is JavaScript")
			}
		}
	}
	return broken
}

// refusedInCore says why from may not import to, both of this module, from of
// core; "" if it may.
func refusedInCore(from, to string) string {
	row := rowOf(from)
	switch {
	case row == "":
		return "it has no row in the table of arrows (core/arch_test.go)"
	case !isBelow(to, "core"):
		return "core knows none of its hosts"
	case slices.Contains(everywhere, row):
		return "it is a leaf"
	case rowOf(to) == row && row != "core", slices.Contains(everywhere, to), slices.Contains(arrows[row], rowOf(to)):
		return ""
	}
	return "not an arrow of the layout; it may import " +
		strings.Join(slices.Concat(everywhere, arrows[row]), ", ")
}

// refusedInHost says why from, outside core, may not import to; "" if it may.
func refusedInHost(from, to string) string {
	host, _, _ := strings.Cut(from, "/")
	mayImport, known := hosts[host]
	switch {
	case !known:
		return "its tree has no row in the table of hosts (core/arch_test.go)"
	case isBelow(to, host):
		return ""
	case !isBelow(to, "core"):
		return "a host imports no other host"
	case !mayImport(to):
		return "a host imports the facade, package core, and nothing below it"
	}
	return ""
}

// rowOf is the row of arrows that holds for a package of core: its own, else
// that of the nearest package above it (but for core itself, whose row is the
// facade's alone). "" if there is none.
func rowOf(pkg string) string {
	for p := pkg; p != "core" && p != "."; p = filepath.ToSlash(filepath.Dir(p)) {
		if _, ok := arrows[p]; ok {
			return p
		}
	}
	if pkg == "core" {
		return "core"
	}
	return ""
}

// TestArrowsAreRefused feeds the check itself: were it blind, TestArrows would
// pass on anything.
func TestArrowsAreRefused(t *testing.T) {
	for _, c := range []struct {
		from, to string
		refused  bool
	}{
		{"core/transcript", module + "/core/internal/rawjson", true}, // a leaf
		{"core/format", module + "/core/transcript", false},
		{"core/format", module + "/core/internal/rawjson", false},
		{"core/format", module + "/core/tokens", true},
		{"core/format/chat", module + "/core/format", false}, // family
		{"core/format", module + "/core/format/chat", false},
		{"core/format/chat", module + "/core/tokens", true}, // its parent's arrows
		{"core/trigger", module + "/core/policy", false},
		{"core/trigger", module + "/core/summary", true},
		{"core/policy", module + "/core/compact", true}, // upwards
		{"core/tokens", module + "/core", true},
		{"core/unheardof", module + "/core/transcript", true}, // no row
		{"core/internal/other", module + "/core/transcript", true},
		{"core", module + "/core/compact", false},
		{"core", module + "/core/unheardof", true},
		{"core", module + "/worker/proxy", true},
		{"core/tokens", "time", true},
		{"core/tokens", "math/rand/v2", true},
		{"core/tokens", "strings", false},
		{"core/tokens", "github.com/pkoukk/tiktoken-go", true},
		{"web", module + "/core", false},
		{"web", module + "/web/internal/view", false},
		{"web", module + "/core/policy", true},
		{"web", module + "/worker/proxy", true},
		{"web", "honnef.co/go/js/dom/v2", false},
		{"web", "syscall/js", false},
		{"worker/proxy", module + "/core/format", true},
		{"scripts/table", module + "/core/tokens", false},
		{"scripts/table", "syscall/js", true},
		{"elsewhere", module + "/core", true},
	} {
		got := brokenArrows(listed{ImportPath: module + "/" + c.from, Imports: []string{c.to}})
		if (len(got) > 0) != c.refused {
			t.Errorf("%s -> %s: refused is %v, want %v: %q", c.from, c.to, !c.refused, c.refused, got)
		}
		for _, sentence := range got {
			if !strings.Contains(sentence, c.from) || !strings.Contains(sentence, local(c.to)) {
				t.Errorf("%q does not name both %s and %s", sentence, c.from, local(c.to))
			}
		}
	}
}

// TestCoreStandsOnGoAlone looks at everything that core is linked with.
func TestCoreStandsOnGoAlone(t *testing.T) {
	root := moduleRoot(t)
	touchSources(t, root)
	for _, p := range platforms {
		t.Run(p.name, func(t *testing.T) {
			pkgs := goList(t, root, p, "-e", "-deps", "./core/...")
			importers := map[string]string{}
			for _, pkg := range pkgs {
				for _, path := range pkg.Imports {
					importers[path] = pkg.ImportPath
				}
				if !pkg.Standard && !isBelow(local(pkg.ImportPath), "core") {
					t.Errorf("core is linked with %s, which %s imports: it stands on Go's own library alone",
						pkg.ImportPath, importers[pkg.ImportPath])
				}
			}
			for _, path := range unreachable {
				// Go's own syscall package is made of syscall/js on that platform.
				if p.name == "js" && path == "syscall/js" {
					continue
				}
				if by, ok := importers[path]; ok {
					t.Errorf("core is linked with %s, which %s imports", path, by)
				}
			}
			if importers[module+"/core/transcript"] == "" {
				t.Errorf("nothing in core imports core/transcript on %s: the list of %d packages is not core's", p.name, len(pkgs))
			}
		})
	}
}

// TestCoreIsOneProgram: same input, same bytes out on every platform, so no
// file of core is for one of them. The one file that a build tag chooses leaves
// out data, on any platform.
func TestCoreIsOneProgram(t *testing.T) {
	root := moduleRoot(t)
	touchSources(t, root)
	for _, p := range platforms {
		for _, pkg := range goList(t, root, p, "-e", "./core/...") {
			for _, file := range pkg.IgnoredGoFiles {
				if !strings.HasSuffix(file, "_test.go") && file != "cl100k_absent.go" {
					t.Errorf("%s: %s is left out on %s: core is the same program everywhere",
						local(pkg.ImportPath), file, p.name)
				}
			}
		}
	}
}

// local is the path below the module ("core/policy"), or an import path of
// another module as it is.
func local(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// isBelow reports whether a local path is tree or in it.
func isBelow(path, tree string) bool {
	return path == tree || strings.HasPrefix(path, tree+"/")
}

// thirdParty reports whether an import path is of another module: only Go's own
// library has no dot in its first element.
func thirdParty(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..") // a test runs in its package's directory
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatalf("the module's root is not above core: %v", err)
	}
	return root
}

// touchSources reads every directory of Go code below root. The go command
// keeps the result of a test until a file changes that the test itself looked
// at; what the go command reads in a process of its own is not among them, and
// a broken arrow would be answered with yesterday's "ok".
func touchSources(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone while we walked: an editor's or a build's temporary file
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// goList is `go list -json` in root for a platform.
func goList(t *testing.T, root string, p platform, args ...string) []listed {
	t.Helper()
	fields := "-json=ImportPath,Dir,Export,Standard,GoFiles,IgnoredGoFiles,Imports"
	cmd := exec.Command("go", slices.Concat([]string{"list", fields}, args)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), p.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	byPath := map[string]listed{}
	for dec := json.NewDecoder(&stdout); ; {
		var pkg listed
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", strings.Join(cmd.Args, " "), err)
		}
		byPath[pkg.ImportPath] = pkg
	}
	pkgs := slices.Collect(maps.Values(byPath))
	slices.SortFunc(pkgs, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return pkgs
}
