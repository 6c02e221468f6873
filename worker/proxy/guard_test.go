package proxy

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hosts []string // Options.Hosts
		host  string
		ok    bool
	}{
		{nil, "127.0.0.1:8787", true},
		{nil, "127.0.0.1", true},
		{nil, "localhost:1", true},
		{nil, "LOCALHOST", true},
		{nil, "[::1]:8787", true},
		{nil, "[::1]", true},
		{nil, "", false},
		{nil, "evil.example:8787", false},
		{nil, "localhost.evil.example", false},
		{nil, "127.0.0.1.evil.example:8787", false},
		{nil, "192.168.1.5:8787", false},
		{nil, "0.0.0.0:8787", false},
		{nil, "[::1", false},
		{nil, "::1", false},
		{nil, "localhost:80:90", false},
		{nil, ":8787", false},
		{[]string{"127.0.0.1"}, "192.168.1.5", false},
		{[]string{"192.168.1.5"}, "192.168.1.5:8787", true},
		{[]string{"192.168.1.5"}, "192.168.1.6:8787", false},
		{[]string{"192.168.1.5"}, "localhost:8787", true},
		{[]string{"Box.lan"}, "box.LAN:8787", true},
		{[]string{"box.lan"}, "evil.example", false},
		{[]string{"0.0.0.0"}, "192.168.1.5:8787", true},
		{[]string{"::"}, "[fe80::1]:8787", true},
		{[]string{"0.0.0.0"}, "evil.example:8787", false}, // a name can be rebound, an address cannot
		{[]string{"*"}, "evil.example", true},
	} {
		h := New(Options{Hosts: c.hosts})
		w := ask(h, "GET", "/health", nil, "host: "+c.host)
		if c.ok != (w.Code == http.StatusOK) {
			t.Errorf("HOST %q, Host %q: %d %s", c.hosts, c.host, w.Code, w.Body)
		}
		if !c.ok {
			wantError(t, w, http.StatusForbidden, "forbidden_host")
		}
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		host, origin string
		ok           bool
	}{
		{here, "http://127.0.0.1:8787", true},
		{here, "http://localhost:3000", true},
		{here, "https://localhost", true},
		{here, "http://[::1]:5173", true},
		{here, "http://evil.example", false},
		{here, "https://127.0.0.1.evil.example:8787", false},
		{here, "http://localhost.evil.example", false},
		{here, "http://evil.example:8787", false},
		{here, "http://192.168.1.9:8787", false},
		{here, "null", false},
		{here, "file://", false},
		{here, "", false},
		{here, "127.0.0.1:8787", false},
		{here, "chrome-extension://127.0.0.1", false},
		{here, "http://127.0.0.1@evil.example", false},
		{"box.lan:8787", "http://box.lan:8787", true},
		{"box.lan:8787", "http://BOX.lan:8787", true},
		{"box.lan:8787", "http://box.lan:3000", false}, // another server of that machine
		{"box.lan", "https://box.lan", true},
		{"box.lan", "http://box.lan:80", true},
	} {
		h := New(Options{Hosts: []string{"box.lan"}, Call: answering("{}", nil).Call})
		w := ask(h, "POST", "/v1/plan", nil, "host: "+c.host, "origin: "+c.origin)
		if c.ok != (w.Code == http.StatusOK) {
			t.Errorf("Host %q, Origin %q: %d %s", c.host, c.origin, w.Code, w.Body)
		}
		if !c.ok {
			wantError(t, w, http.StatusForbidden, "forbidden_origin")
		}
		if allowed := w.Header().Get("Access-Control-Allow-Origin"); allowed != "" {
			t.Errorf("Origin %q: a CORS header %q was sent", c.origin, allowed)
		}
	}
}

func TestTwoOriginsAreRefused(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodGet, "http://"+here+"/health", nil)
	r.Header["Origin"] = []string{"http://localhost", "http://evil.example"}
	w := httptest.NewRecorder()
	New(Options{}).ServeHTTP(w, r)
	wantError(t, w, http.StatusForbidden, "forbidden_origin")
}

// The engine must not run for a caller who is refused, and no route is exempt.
func TestGuardStandsBeforeEveryRoute(t *testing.T) {
	t.Parallel()
	s := New(Options{Call: func(op string, _ []byte) ([]byte, error) {
		t.Errorf("the engine was asked for %s", op)
		return nil, nil
	}}).(*server)
	paths := []string{"/nowhere"}
	for _, rt := range s.routes {
		paths = append(paths, rt.path)
	}
	for _, path := range paths {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			w := ask(s, method, path, strings.NewReader("{}"), "origin: http://evil.example")
			wantError(t, w, http.StatusForbidden, "forbidden_origin")
		}
	}
}
