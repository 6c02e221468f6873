package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The test binary is the command itself where this is set, so that signals and
// exit codes are those of a real process.
const asCommand = "TAMP_TEST_AS_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// buffer is a bytes.Buffer for two goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// running is a server inside the test.
type running struct {
	url    string
	stop   context.CancelFunc
	ended  chan error
	stdout *buffer
	stderr *buffer
}

var ready = regexp.MustCompile(`^listening on (http://[^\n]+)\n$`)

func start(t *testing.T, env map[string]string, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &running{stop: stop, ended: make(chan error, 1), stdout: &buffer{}, stderr: &buffer{}}
	announced, out := io.Pipe()
	go func() {
		s.ended <- run(ctx, args, func(name string) string { return env[name] }, io.MultiWriter(s.stdout, out), s.stderr)
		_ = out.Close() // a pipe's never fails
	}()
	line, err := bufio.NewReader(announced).ReadString('\n')
	if err != nil {
		t.Fatalf("it did not start: %v", <-s.ended)
	}
	m := ready.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("it printed %q", line)
	}
	s.url = m[1]
	t.Cleanup(stop)
	return s
}

func (s *running) wait(t *testing.T) {
	t.Helper()
	s.stop()
	select {
	case err := <-s.ended:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(stopTimeout):
		t.Error("it does not end")
	}
}

func closed(t *testing.T, c io.Closer) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func send(t *testing.T, to io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
}

func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, resp.Body)
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestServes(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"PORT": "0"})
	if !strings.HasPrefix(s.url, "http://127.0.0.1:") || strings.HasSuffix(s.url, ":0") {
		t.Errorf("it listens on %s, want a free port of 127.0.0.1", s.url)
	}
	if status, body := fetch(t, s.url+"/health"); status != 200 || !strings.Contains(body, `"status":"ok"`) {
		t.Errorf("/health gives %d %s", status, body)
	}
	if status, body := fetch(t, s.url+"/"); status != 200 || !strings.Contains(body, "POST /v1/compact") {
		t.Errorf("/ gives %d %s", status, body)
	}
	s.wait(t)
	if got := s.stdout.String(); !ready.MatchString(got) {
		t.Errorf("standard output is %q, want the one line", got)
	}
	if got := strings.Count(s.stderr.String(), "msg=request"); got != 2 {
		t.Errorf("%d requests are logged of 2:\n%s", got, s.stderr)
	}
}

func TestServesThePlayground(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "index.html"), "<!doctype html><title>tamp</title>")
	write(t, filepath.Join(dir, "playground.wasm"), "\x00asm")
	s := start(t, map[string]string{"PORT": "0"}, "-web", dir)
	if status, body := fetch(t, s.url+"/"); status != 200 || !strings.HasPrefix(body, "<!doctype html>") {
		t.Errorf("/ gives %d %s", status, body)
	}
	if status, body := fetch(t, s.url+"/playground.wasm"); status != 200 || body != "\x00asm" {
		t.Errorf("the wasm gives %d %q", status, body)
	}
	if status, _ := fetch(t, s.url+"/health"); status != 200 {
		t.Errorf("/health gives %d beside the page", status)
	}
	s.wait(t)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestHostOfTheEnvironment(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"PORT": "0", "HOST": "localhost"})
	if !strings.HasPrefix(s.url, "http://localhost:") {
		t.Errorf("it listens on %s", s.url)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "evil.example"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	closed(t, resp.Body)
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("Host evil.example gives %d, want 403", resp.StatusCode)
	}
	s.wait(t)
}

// A request whose body is still on its way when the stop comes is answered.
func TestStopLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"PORT": "0"})
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, conn)
	const body = "not json at all"
	// Expect: 100-continue makes the server say when the handler reads.
	send(t, conn, fmt.Sprintf("POST /v1/plan HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body)))
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("got %q, %v", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	s.stop()
	waitUntilClosed(t, s.url)
	select {
	case err := <-s.ended:
		t.Fatalf("it ended before the request did: %v", err)
	default:
	}
	send(t, conn, body)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, resp.Body)
	if resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("the answer is %s %v", resp.Status, resp.Header)
	}
	s.wait(t)
}

// waitUntilClosed returns when no new connection is taken.
func waitUntilClosed(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(stopTimeout); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			return
		}
		closed(t, conn)
	}
	t.Fatal("it still takes connections after the stop")
}

func TestSignalsEndTheProcess(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), asCommand+"=1", "PORT=0", "HOST=")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		line, err := lines.ReadString('\n')
		if !ready.MatchString(line) {
			t.Fatalf("it printed %q, %v", line, err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
			t.Errorf("it printed %q more, %v", rest, err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after %v: %v, want exit code 0", signal, err)
		}
	}
}

func TestRefusesToStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, taken)
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for _, c := range []struct {
		env  map[string]string
		args []string
		want string // a part of the error
	}{
		{map[string]string{"PORT": port}, nil, "port " + port + " of 127.0.0.1 is in use"},
		{map[string]string{"PORT": "http"}, nil, `PORT "http" is not a number from 0 to 65535`},
		{map[string]string{"PORT": "65536"}, nil, `PORT "65536"`},
		{map[string]string{"PORT": "-1"}, nil, `PORT "-1"`},
		{map[string]string{"PORT": "0"}, []string{"extra"}, `unexpected argument "extra"`},
		{map[string]string{"PORT": "0"}, []string{"-webb", "x"}, "-webb"},
		{map[string]string{"PORT": "0"}, []string{"-web", filepath.Join(empty, "none")}, "-web"},
		{map[string]string{"PORT": "0"}, []string{"-web", empty}, "index.html"},
	} {
		var stdout bytes.Buffer
		err := run(t.Context(), c.args, func(name string) string { return c.env[name] }, &stdout, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %q: error is %v, want one with %q", c.env, c.args, err, c.want)
		}
		if stdout.Len() > 0 {
			t.Errorf("%v %q: it printed %q", c.env, c.args, &stdout)
		}
	}
	if err := run(t.Context(), []string{"-h"}, os.Getenv, io.Discard, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h gives %v", err)
	}
}
