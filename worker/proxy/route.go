package proxy

import (
	"fmt"
	"net/http"
	"strings"
)

// A route is one path of the API with its one method; GET answers HEAD too.
type route struct {
	path   string
	method string
	serve  func(http.ResponseWriter, *http.Request) error
}

// table lists the routes. The OpenAPI document describes the same ones, which
// a test compares.
func (s *server) table() []route {
	routes := []route{
		{"/v1/plan", http.MethodPost, s.post("plan")},
		{"/v1/compact", http.MethodPost, s.post("compact")},
		{"/v1/count", http.MethodPost, s.post("count")},
		{"/v1/formats", http.MethodGet, s.get("formats")},
		{"/v1/presets", http.MethodGet, s.get("presets")},
		{"/health", http.MethodGet, serveHealth},
		{"/health/live", http.MethodGet, serveHealth},
		{"/health/ready", http.MethodGet, s.serveReady},
		{"/openapi.json", http.MethodGet, serveOpenAPI},
	}
	if s.opt.Web == nil {
		routes = append(routes, route{"/", http.MethodGet, serveIndex})
	}
	return routes
}

func (s *server) find(path string) *route {
	for i := range s.routes {
		if s.routes[i].path == path {
			return &s.routes[i]
		}
	}
	return nil
}

func (rt *route) takes(method string) bool {
	return method == rt.method || method == http.MethodHead && rt.method == http.MethodGet
}

// label names a route in logs: its own path, never the caller's.
func (rt *route) label() string {
	if rt == nil {
		return "other"
	}
	return rt.path
}

// notFound names the route that the caller may have meant: that with the
// fewest edits from the path that came.
func (s *server) notFound(r *http.Request) *failure {
	best, least := route{}, -1
	for _, rt := range s.routes {
		if d := edits(r.URL.Path, rt.path); least < 0 || d < least {
			best, least = rt, d
		}
	}
	return &failure{
		status: http.StatusNotFound, code: "not_found",
		message: fmt.Sprintf("no such path %s; the nearest is %s %s, all are in /openapi.json", quote(r.URL.Path), best.method, best.path),
	}
}

// methodNotAllowed refuses a method and names the one that path takes.
func methodNotAllowed(r *http.Request, path, method string) *failure {
	allow := method
	if method == http.MethodGet {
		allow = "GET, HEAD"
	}
	return &failure{
		status: http.StatusMethodNotAllowed, code: "method_not_allowed", allow: allow,
		message: fmt.Sprintf("%s does not take %s, use %s", path, quote(r.Method), method),
	}
}

// edits counts the single-byte changes that turn a into b (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// quote shows what the caller sent, at most 40 bytes of it (an error quotes no
// more), with everything unprintable escaped.
func quote(s string) string {
	const most = 40
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return fmt.Sprintf("%q", s)
}
