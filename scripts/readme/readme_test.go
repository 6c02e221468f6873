// Package readme runs what the README prints: its commands, its program, its
// table.
package readme

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tamp-dev/tamp/core"
)

var update = flag.Bool("update", false, "write the README's table anew")

const root = "../.."

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// block is the only code block of the README in that language that has the
// word in it.
func block(t *testing.T, language, word string) string {
	t.Helper()
	var found []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(readme(t), -1) {
		if strings.Contains(m[1], word) {
			found = append(found, m[1])
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d blocks of %s with %q in the README, want 1", len(found), language, word)
	}
	return found[0]
}

func TestGo(t *testing.T) {
	main := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(main, []byte(block(t, "go", "core.Compact")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", main)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var compacted bool
	var before, after, bytes int
	if _, err := fmt.Sscanf(string(out), "%t %d -> %d tokens, %d bytes", &compacted, &before, &after, &bytes); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !compacted || after >= before || after == 0 || bytes == 0 {
		t.Errorf("%s", out)
	}
}

func TestCurl(t *testing.T) {
	const port = "8787"
	command := block(t, "sh", "curl")
	if !strings.Contains(command, "http://127.0.0.1:"+port+"/") {
		t.Fatalf("the command does not call port %s:\n%s", port, command)
	}
	use := port
	if l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:"+port); err != nil {
		use = "0" // somebody's own server stands there: another port, all else as printed
	} else if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	url := serve(t, use)
	out, err := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(command, "http://127.0.0.1:"+port, url, 1)).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var res struct {
		Compacted  bool
		Transcript []struct{ Role, Content string }
	}
	if err := json.Unmarshal(out, &res); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// By the policy's words: the system message, the summary, the last message.
	if !res.Compacted || len(res.Transcript) != 3 || res.Transcript[1].Role != "assistant" ||
		!strings.HasSuffix(res.Transcript[1].Content, "Package parse fails since run 118 (lexer).") || res.Transcript[2].Content != "Mend it." {
		t.Errorf("%s", out)
	}
}

// serve runs the command that the README names and waits for its ready line.
func serve(t *testing.T, port string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "worker")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./worker")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, bin)
	cmd.Env = append(os.Environ(), "PORT="+port)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // killed: its error says so
	})
	line := make(chan string, 1)
	go func() {
		s, err := bufio.NewReader(pipe).ReadString('\n')
		if err != nil && err != io.EOF {
			s = err.Error()
		}
		line <- s
	}()
	select {
	case s := <-line:
		url, ok := strings.CutPrefix(strings.TrimSpace(s), "listening on ")
		if !ok {
			t.Fatalf("the server says %q", s)
		}
		return url
	case <-time.After(time.Minute):
		t.Fatal("the server does not say that it is ready")
	}
	return ""
}

// The table of the README is a run of this engine.
func TestTable(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(root, "web/static/samples/parallel-calls.json"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := core.Compact(core.Request{Transcript: src, Policy: []byte(`{"lait": {"trigger_rounds": 6, "keep_last_n": 4}}`), Force: true})
	if err != nil {
		t.Fatal(err)
	}
	sentences := map[string]string{}
	for _, r := range core.Reasons() {
		sentences[string(r.Code)] = r.En
	}
	var b strings.Builder
	b.WriteString("| # | role | tokens | becomes | why |\n|---|---|---|---|---|\n")
	for items := res.Receipt.Items; len(items) > 0; {
		n, tokens := 0, 0
		var roles []string
		for n < len(items) && items[n].Fate == items[0].Fate && items[n].Reason == items[0].Reason {
			tokens += items[n].TokensBefore
			if !slices.Contains(roles, items[n].Role) {
				roles = append(roles, items[n].Role)
			}
			n++
		}
		place := strconv.Itoa(items[0].Index)
		if n > 1 {
			place += fmt.Sprintf(" to %d", items[n-1].Index)
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s |\n", place, strings.Join(roles, ", "), tokens, items[0].Fate, sentences[string(items[0].Reason)])
		items = items[n:]
	}
	in := res.Receipt.Inserted[0]
	fmt.Fprintf(&b, "| | %s | %d | new, at place %d | The summary. |\n", in.Role, in.Tokens, in.To)
	fmt.Fprintf(&b, "| | **all** | **%d** | **%d** | by the counter `%s`, %d of overhead included |\n", res.Receipt.TokensBefore, res.Receipt.TokensAfter, res.Counter.Name, res.Receipt.OverheadBefore)
	text := readme(t)
	parts := regexp.MustCompile(`(?s)(<!-- table: parallel-calls -->\n)(.*?)(<!-- end -->)`).FindStringSubmatchIndex(text)
	if parts == nil {
		t.Fatal("the README has no place for the table")
	}
	if *update {
		text = text[:parts[4]] + b.String() + text[parts[5]:]
		if err := os.WriteFile(filepath.Join(root, "README.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := text[parts[4]:parts[5]]; got != b.String() {
		t.Errorf("the README's table is\n%s\nthe engine gives\n%s", got, b.String())
	}
}
