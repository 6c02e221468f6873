package proxy

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// guard keeps web pages away from a server on someone's own machine. Host must
// be a name of this machine: a page whose domain was pointed at 127.0.0.1
// (DNS rebinding) still asks for its own. Origin, which browsers send with
// every request that matters, must be this server or another local one.
type guard struct {
	off   bool
	ips   bool // any IP address: it cannot be rebound, only names can
	names map[string]bool
}

func newGuard(hosts []string) guard {
	g := guard{names: map[string]bool{"localhost": true}}
	for _, host := range hosts {
		addr, err := netip.ParseAddr(host)
		switch {
		case host == "*":
			g.off = true
		case err == nil && addr.IsUnspecified():
			g.ips = true
			g.names[host] = true
		default:
			g.names[strings.ToLower(host)] = true
		}
	}
	return g
}

func (g guard) check(r *http.Request) error {
	if g.off {
		return nil
	}
	host, ok := hostname(r.Host)
	if !ok || !g.knows(host) {
		return &failure{
			status: http.StatusForbidden, code: "forbidden_host",
			message: fmt.Sprintf("host %s is not this server; ask for 127.0.0.1 or localhost, or start it with HOST set", quote(r.Host)),
		}
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 || len(origins) == 1 && local(origins[0], r.Host) {
		return nil
	}
	return &failure{
		status: http.StatusForbidden, code: "forbidden_origin",
		message: fmt.Sprintf("origin %s may not use this server: only its own page and pages on this machine may", quote(strings.Join(origins, ", "))),
	}
}

func (g guard) knows(host string) bool {
	if g.names[strings.ToLower(host)] || loopback(host) {
		return true
	}
	_, err := netip.ParseAddr(host)
	return g.ips && err == nil
}

// local says whether origin is the server that was asked for, or a page of
// any local one.
func local(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false // "null" too: a sandboxed frame or a file
	}
	if strings.EqualFold(u.Hostname(), "localhost") || loopback(u.Hostname()) {
		return true
	}
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	return strings.EqualFold(strings.TrimSuffix(u.Host, port), strings.TrimSuffix(host, port))
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// hostname takes the port off a Host header: name, name:80, [::1], [::1]:80.
func hostname(host string) (string, bool) {
	if inner, ok := strings.CutPrefix(host, "["); ok && strings.HasSuffix(inner, "]") {
		return strings.TrimSuffix(inner, "]"), true
	}
	if !strings.Contains(host, ":") {
		return host, host != ""
	}
	name, _, err := net.SplitHostPort(host)
	return name, err == nil && name != ""
}
