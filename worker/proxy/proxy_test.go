package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tamp-dev/tamp/core"
)

const here = "127.0.0.1:8787"

// ask sends one request to h as a local caller would. Each header is
// "name: value" and replaces what stood under that name.
func ask(h http.Handler, method, target string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+here+target, body)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		if name == "host" {
			r.Host = value
			continue
		}
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// answering is an engine that always gives the same.
func answering(answer string, err error) Options {
	return Options{Call: func(string, []byte) ([]byte, error) { return []byte(answer), err }}
}

// wantError reads an error body and checks its shape: these four members, as
// OpenAI's SDKs read them.
func wantError(t *testing.T, w *httptest.ResponseRecorder, status int, code string) errorFields {
	t.Helper()
	if w.Code != status {
		t.Errorf("status is %d, want %d; body %s", w.Code, status, w.Body)
	}
	var members map[string]map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &members); err != nil {
		t.Fatalf("the error is not JSON: %v; body %q", err, w.Body)
	}
	for _, name := range []string{"message", "type", "param", "code"} {
		if _, ok := members["error"][name]; !ok {
			t.Errorf("the error has no member %s: %s", name, w.Body)
		}
	}
	if len(members) != 1 || len(members["error"]) != 4 {
		t.Errorf("the error has other members: %s", w.Body)
	}
	var body errorBody
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if body.Error.Code != code {
		t.Errorf("code is %q, want %q; body %s", body.Error.Code, code, w.Body)
	}
	wantHeaders(t, w, "application/json")
	return body.Error
}

func wantHeaders(t *testing.T, w *httptest.ResponseRecorder, mediaType string) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type": mediaType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Access-Control-Allow-Origin": "",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestRoutesReachTheEngine(t *testing.T) {
	t.Parallel()
	// Bytes that any re-encoding would change: spaces, escapes, a member twice.
	const answer = "{ \"a\":1.0,\"a\" : \"\\u00e9<\\/\" }\n"
	const request = "{\"transcript\" : [ ]}"
	for _, c := range []struct{ method, path, op, sent string }{
		{"POST", "/v1/plan", "plan", request},
		{"POST", "/v1/compact", "compact", request},
		{"GET", "/v1/formats", "formats", ""},
		{"GET", "/v1/presets", "presets", ""},
	} {
		t.Run(c.op, func(t *testing.T) {
			t.Parallel()
			var calls []string
			h := New(Options{Call: func(op string, body []byte) ([]byte, error) {
				calls = append(calls, op+" "+string(body))
				return []byte(answer), nil
			}})
			w := ask(h, c.method, c.path, strings.NewReader(c.sent))
			if w.Code != http.StatusOK || w.Body.String() != answer {
				t.Errorf("got %d %q, want 200 %q", w.Code, w.Body, answer)
			}
			if len(calls) != 1 || calls[0] != c.op+" "+c.sent {
				t.Errorf("the engine was called with %q, want once %q", calls, c.op+" "+c.sent)
			}
			wantHeaders(t, w, "application/json")
		})
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	h := New(answering("", errors.New("the engine is not asked")))
	for _, path := range []string{"/health", "/health/live"} {
		want := fmt.Sprintf(`{"status":"ok","version":"%s"}`, core.Version)
		if w := ask(h, "GET", path, nil); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("GET %s gives %d %s, want 200 %s", path, w.Code, w.Body, want)
		}
	}
	wantError(t, ask(h, "GET", "/health/ready", nil), http.StatusServiceUnavailable, "not_ready")
	w := ask(New(answering("{}", nil)), "GET", "/health/ready", nil)
	if want := fmt.Sprintf(`{"status":"ready","version":"%s"}`, core.Version); w.Code != http.StatusOK || w.Body.String() != want {
		t.Errorf("ready gives %d %s, want 200 %s", w.Code, w.Body, want)
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	t.Parallel()
	h := New(answering(`{"formats":[]}`, nil))
	for _, path := range []string{"/", "/health", "/health/live", "/health/ready", "/v1/formats", "/v1/presets", "/openapi.json"} {
		get, head := ask(h, "GET", path, nil), ask(h, "HEAD", path, nil)
		if head.Code != http.StatusOK || head.Body.Len() != 0 {
			t.Errorf("HEAD %s gives %d and %d bytes, want 200 and none", path, head.Code, head.Body.Len())
		}
		if got, want := head.Header().Get("Content-Length"), strconv.Itoa(get.Body.Len()); got != want || want == "0" {
			t.Errorf("HEAD %s announces %s bytes, GET sends %s", path, got, want)
		}
	}
}

func TestIndexNamesTheRoutes(t *testing.T) {
	t.Parallel()
	s := New(Options{}).(*server)
	w := ask(s, "GET", "/", nil)
	wantHeaders(t, w, "text/plain; charset=utf-8")
	for _, rt := range s.routes {
		if rt.path != "/" && !strings.HasPrefix(rt.path, "/health/") && !strings.Contains(w.Body.String(), rt.path) {
			t.Errorf("the text at / does not name %s:\n%s", rt.path, w.Body)
		}
	}
}

func TestEngineErrors(t *testing.T) {
	t.Parallel()
	for code, status := range map[string]int{
		"invalid_request": 400, "invalid_json": 400, "invalid_policy": 400, "unknown_format": 400,
		"unsupported_format": 400, "ambiguous_format": 400, "several_conversations": 400, "not_a_history": 400,
		"empty_summary": 400, "invalid_state": 400, "bad_seal": 400, "some_later_code": 400,
		"too_large": 413, "not_configured": 501, "summary_failed": 502, "upstream_error": 502,
	} {
		e := &core.Error{Code: code, Path: "policy.lait.x", Message: "unknown field <&>"}
		w := ask(New(answering("", e)), "POST", "/v1/compact", nil)
		got := wantError(t, w, status, code)
		if !strings.Contains(w.Body.String(), "<&>") {
			t.Errorf("%s: a person cannot read %s", code, w.Body)
		}
		wantType := "invalid_request_error"
		if status >= 500 {
			wantType = "server_error"
		}
		if got.Type != wantType {
			t.Errorf("%s: type is %q, want %q", code, got.Type, wantType)
		}
		if got.Message != "policy.lait.x: unknown field <&>" || got.Param == nil || *got.Param != "policy.lait.x" {
			t.Errorf("%s: message %q and param %v do not name the place", code, got.Message, got.Param)
		}
	}
	e := fmt.Errorf("wrapped: %w", &core.Error{Code: "invalid_json", Message: "line 1"})
	if got := wantError(t, ask(New(answering("", e)), "POST", "/v1/plan", nil), 400, "invalid_json"); got.Param != nil {
		t.Errorf("param is %q, want null where the whole body is meant", *got.Param)
	}
}

func TestForeignErrorIsInternal(t *testing.T) {
	t.Parallel()
	const secret = "text of the transcript"
	for _, err := range []error{errors.New(secret), &core.Error{Code: "internal", Path: secret, Message: secret}} {
		w := ask(New(answering("", err)), "POST", "/v1/plan", nil)
		if got := wantError(t, w, http.StatusInternalServerError, "internal"); strings.Contains(got.Message, "transcript") || got.Param != nil {
			t.Errorf("the answer tells the error: %s", w.Body)
		}
	}
}

func TestPanicCostsOneRequest(t *testing.T) {
	t.Parallel()
	h := New(Options{Call: func(_ string, body []byte) ([]byte, error) {
		if len(body) == 0 {
			return []byte("{}"), nil
		}
		panic("cannot read " + string(body))
	}})
	w := ask(h, "POST", "/v1/compact", strings.NewReader("a secret"))
	wantError(t, w, http.StatusInternalServerError, "internal")
	if strings.Contains(w.Body.String(), "secret") {
		t.Errorf("the answer quotes the transcript: %s", w.Body)
	}
	if w := ask(h, "GET", "/v1/formats", nil); w.Code != http.StatusOK {
		t.Errorf("the next request gives %d, want 200", w.Code)
	}
}

// brokenWriter panics in the middle of an answer.
type brokenWriter struct{ *httptest.ResponseRecorder }

func (brokenWriter) Write([]byte) (int, error) { panic("the stream is closed") }

func TestPanicAfterTheHeadBreaksTheConnection(t *testing.T) {
	t.Parallel()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // a panic value, compared as net/http does
			t.Errorf("recovered %v, want http.ErrAbortHandler: else half an answer looks whole", p)
		}
	}()
	r := httptest.NewRequest(http.MethodGet, "http://"+here+"/health", nil)
	New(answering("{}", nil)).ServeHTTP(brokenWriter{httptest.NewRecorder()}, r)
}

func TestUnknownPathNamesTheNearest(t *testing.T) {
	t.Parallel()
	h := New(answering("{}", nil))
	for path, nearest := range map[string]string{
		"/v1/plans":                          "POST /v1/plan",
		"/v1/plan/":                          "POST /v1/plan",
		"/v1/compakt":                        "POST /v1/compact",
		"/compact":                           "POST /v1/compact",
		"/v1/format":                         "GET /v1/formats",
		"/healthz":                           "GET /health",
		"/health/readyz":                     "GET /health/ready",
		"/openapi.yaml":                      "GET /openapi.json",
		"//v1/plan":                          "POST /v1/plan",
		"/v1/../v1/plan":                     "POST /v1/plan",
		"/V1/Presets":                        "GET /v1/presets",
		"/index.html?a=b":                    "",
		"/" + strings.Repeat("\u00e9", 5000): "",
	} {
		for _, method := range []string{"GET", "POST"} {
			w := ask(h, method, path, nil)
			got := wantError(t, w, http.StatusNotFound, "not_found")
			if !strings.Contains(got.Message, nearest) || !strings.Contains(got.Message, "/openapi.json") {
				t.Errorf("%s: %q does not name %q", path, got.Message, nearest)
			}
			if len(got.Message) > 200 {
				t.Errorf("%.20s...: the message has %d bytes, it quotes more than 40 of the path", path, len(got.Message))
			}
		}
	}
}

func TestWrongMethod(t *testing.T) {
	t.Parallel()
	s := New(answering("{}", nil)).(*server)
	for _, rt := range s.routes {
		allow := map[string]string{"POST": "POST", "GET": "GET, HEAD"}[rt.method]
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			w := ask(s, method, rt.path, nil)
			if strings.Contains(", "+allow+",", ", "+method+",") {
				if w.Code != http.StatusOK {
					t.Errorf("%s %s gives %d, want 200", method, rt.path, w.Code)
				}
				continue
			}
			if got := w.Header().Get("Allow"); w.Code != http.StatusMethodNotAllowed || got != allow {
				t.Errorf("%s %s gives %d with Allow %q, want 405 with %q", method, rt.path, w.Code, got, allow)
			}
			if method != "HEAD" {
				wantError(t, w, http.StatusMethodNotAllowed, "method_not_allowed")
			}
		}
	}
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	h := New(answering("{}", nil))
	for _, ok := range []string{
		"application/json", "Application/JSON", "application/json; charset=utf-8", `application/json;charset="UTF-8"`,
		"application/json; profile=x",
	} {
		if w := ask(h, "POST", "/v1/plan", strings.NewReader("{}"), "content-type: "+ok); w.Code != http.StatusOK {
			t.Errorf("%s is refused: %d %s", ok, w.Code, w.Body)
		}
	}
	for _, bad := range []string{
		"text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
		"application/jsonl", "application/json5", "json", ";", "application/json; charset=utf-16",
	} {
		w := ask(h, "POST", "/v1/plan", strings.NewReader("{}"), "content-type: "+bad)
		if got := wantError(t, w, http.StatusUnsupportedMediaType, "unsupported_media_type"); !strings.Contains(got.Message, "content-type: application/json") {
			t.Errorf("%s: %q does not say what to send", bad, got.Message)
		}
	}
	w := ask(h, "POST", "/v1/plan", strings.NewReader("{}"), "content-type: application/json", "content-encoding: gzip")
	wantError(t, w, http.StatusUnsupportedMediaType, "unsupported_media_type")
	w = ask(h, "POST", "/v1/plan", strings.NewReader("{}"), "content-encoding: identity")
	if w.Code != http.StatusOK {
		t.Errorf("content-encoding identity is refused: %d %s", w.Code, w.Body)
	}
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	const limit = 1000
	opt := answering("{}", nil)
	opt.MaxBody = limit
	h := New(opt)
	for _, c := range []struct {
		name   string
		bytes  int
		chunks bool // without Content-Length
		status int
	}{
		{"exactly the limit", limit, false, 200},
		{"exactly the limit, length unknown", limit, true, 200},
		{"one more", limit + 1, false, 413},
		{"one more, length unknown", limit + 1, true, 413},
	} {
		var body io.Reader = strings.NewReader(strings.Repeat("x", c.bytes))
		if c.chunks {
			body = iotest.OneByteReader(body)
		}
		w := ask(h, "POST", "/v1/compact", body)
		if c.status == 200 {
			if w.Code != 200 {
				t.Errorf("%s: %d %s, want 200", c.name, w.Code, w.Body)
			}
			continue
		}
		if got := wantError(t, w, c.status, "too_large"); !strings.Contains(got.Message, "1000 bytes") {
			t.Errorf("%s: %q does not name the limit", c.name, got.Message)
		}
	}
	if got := New(Options{}).(*server).opt.MaxBody; got != 64<<20 {
		t.Errorf("the default limit is %d, want 64 MiB", got)
	}
}

func TestBrokenBody(t *testing.T) {
	t.Parallel()
	body := io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(errors.New("connection reset")))
	w := ask(New(answering("{}", nil)), "POST", "/v1/compact", body)
	if got := wantError(t, w, http.StatusBadRequest, "invalid_request"); !strings.Contains(got.Message, "after 5 bytes") {
		t.Errorf("%q does not say how far it came", got.Message)
	}
}
