package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/tamp-dev/tamp/core"
)

// logged runs f with a logger that keeps everything at every level.
func logged(f func(*slog.Logger)) string {
	var b bytes.Buffer
	f(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug - 10})))
	return b.String()
}

func TestOneLinePerRequest(t *testing.T) {
	t.Parallel()
	const answer = `{"presets":[]}`
	text := logged(func(log *slog.Logger) {
		opt := answering(answer, nil)
		opt.Log = log
		h := New(opt)
		ask(h, "GET", "/v1/presets", nil)
		ask(h, "DELETE", "/v1/plan", nil)
		ask(h, "GET", "/nowhere", nil)
		ask(h, "HEAD", "/health", nil)
	})
	var got []string
	for line := range strings.Lines(text) {
		var m struct {
			Msg, Method, Route string
			Status, Bytes      int
			MS                 *int
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.MS == nil || *m.MS < 0 {
			t.Fatalf("%v: %s", err, line)
		}
		size := "0"
		switch {
		case m.Bytes == len(answer):
			size = "answer"
		case m.Bytes > 0:
			size = "some"
		}
		got = append(got, strings.Join([]string{m.Msg, m.Method, m.Route, string(rune('0' + m.Status/100)), size}, " "))
	}
	want := []string{
		"request GET /v1/presets 2 answer",
		"request DELETE /v1/plan 4 some",
		"request GET other 4 some",
		"request HEAD /health 2 0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the log says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// canary stands for any word of a transcript, in every place where a caller
// can put one, and in every error and panic that can come out of the engine.
const canary = "xCANARYx"

func TestLogsHoldNoText(t *testing.T) {
	t.Parallel()
	body := `{"transcript":[{"role":"user","content":"` + canary + `"}]}`
	outcomes := []func() ([]byte, error){
		func() ([]byte, error) { return []byte(body), nil },
		func() ([]byte, error) {
			return nil, &core.Error{Code: "invalid_json", Path: canary, Message: canary}
		},
		func() ([]byte, error) { return nil, errors.New(canary) },
		func() ([]byte, error) { panic(canary) },
		func() ([]byte, error) { panic(errors.New(canary)) },
		func() ([]byte, error) { panic(map[string]string{canary: canary}) },
		func() ([]byte, error) {
			var list []int
			i := len(canary)
			return nil, errors.New(string(rune(list[i])))
		},
	}
	var lines int
	text := logged(func(log *slog.Logger) {
		for _, outcome := range outcomes {
			h := New(Options{
				Log: log, Web: fstest.MapFS{canary: {Data: []byte(canary)}},
				Call: func(string, []byte) ([]byte, error) { return outcome() },
			})
			for _, method := range []string{"GET", "POST", canary} {
				for _, path := range []string{"/v1/compact", "/v1/formats", "/health/ready", "/" + canary, "/v1/" + canary + "?" + canary} {
					for _, header := range []string{"x: " + canary, "host: " + canary, "origin: http://" + canary, "content-type: text/" + canary, "accept-encoding: " + canary} {
						ask(h, method, path, strings.NewReader(body), header)
						lines++
					}
				}
			}
		}
	})
	if strings.Contains(strings.ToLower(text), strings.ToLower(canary)) {
		at := strings.Index(strings.ToLower(text), strings.ToLower(canary))
		t.Errorf("the log quotes the caller: ...%s...", text[max(0, at-200):min(len(text), at+50)])
	}
	if got := strings.Count(text, `"msg":"request"`); got != lines {
		t.Errorf("%d requests are logged of %d", got, lines)
	}
	if !strings.Contains(text, `"value_type":"runtime.boundsError"`) || !strings.Contains(text, "log_test.go:") {
		t.Error("a panic is logged without its type or its place")
	}
}

func TestConcurrentRequests(t *testing.T) {
	t.Parallel()
	h := New(Options{
		Web:  fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}},
		Call: func(_ string, body []byte) ([]byte, error) { return body, nil },
	})
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			sent := strings.Repeat(string(rune('a'+i%26)), 1000+i)
			if w := ask(h, "POST", "/v1/compact", strings.NewReader(sent)); w.Body.String() != sent {
				t.Errorf("request %d got another's answer", i)
			}
			if w := ask(h, "GET", "/", nil); w.Code != 200 {
				t.Errorf("the page gives %d", w.Code)
			}
		})
	}
	all.Wait()
}
