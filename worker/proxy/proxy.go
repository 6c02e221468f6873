// Package proxy is tamp's HTTP API as one plain net/http handler. It holds no
// logic of its own: each route hands its body to core's Call and writes the
// answer's bytes as they came, so that a kept message keeps its bytes over
// HTTP too. Logs hold methods, routes, counts and times, never text.
package proxy

import (
	"io/fs"
	"log/slog"
	"net/http"
	"time"
)

// DefaultMaxBody is the limit of a request's body in bytes where [Options]
// names none: 64 MiB. A body is in memory several times while it is worked on,
// and no session that a person pastes comes near it.
const DefaultMaxBody = 64 << 20

// Options says how the API is served. The zero value serves the routes to
// loopback hosts only, without a page and without a log.
type Options struct {
	// Call answers one operation; nil is that of [NewEngine]. Its errors are
	// *core.Error; any other is answered as an internal error, without its text.
	Call func(op string, body []byte) ([]byte, error)
	// MaxBody is the limit of a request's body in bytes; 0 is DefaultMaxBody.
	MaxBody int64
	// Hosts are the names, without port, under which a request may ask for
	// this server besides the loopback ones. "0.0.0.0" and "::" admit every IP
	// address, "*" switches the checks of Host and Origin off.
	Hosts []string
	// Web holds the files of the page at /; nil: / is a short text.
	Web fs.FS
	// Log gets one line per request; nil: none.
	Log *slog.Logger
}

// New gives the handler, ready for concurrent use. It reads Web lazily and
// keeps what it has served in memory, plain and compressed.
func New(opt Options) http.Handler {
	if opt.Call == nil {
		opt.Call = NewEngine().Call
	}
	if opt.MaxBody == 0 {
		opt.MaxBody = DefaultMaxBody
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{opt: opt, guard: newGuard(opt.Hosts)}
	s.routes = s.table()
	if opt.Web != nil {
		s.files = newFiles(opt.Web)
	}
	return s
}

type server struct {
	opt    Options
	guard  guard
	routes []route
	files  *files // nil: no page
}

// ServeHTTP answers one request: guard, route, and whatever went wrong as one
// JSON error. A panic costs its own request a 500 and nothing else.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	out := &recorder{ResponseWriter: w}
	rt := s.find(r.URL.Path)
	defer func() {
		if p := recover(); p != nil {
			s.opt.Log.Error("panic", panicAttrs(rt.label(), p)...)
			if out.status != 0 {
				// The head has left with another status: break the
				// connection, so that half an answer is not taken for one.
				s.logRequest(r, rt, out, start)
				panic(http.ErrAbortHandler)
			}
			writeError(out, r, internal())
		}
		s.logRequest(r, rt, out, start)
	}()

	head := out.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-store")
	// Keeps other sites from embedding an answer; reading it is refused by
	// the browser anyway, since no CORS header is ever sent.
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	if err := s.answer(out, r, rt); err != nil {
		e := asFailure(err)
		if e.cause != nil {
			s.opt.Log.Error("internal", "route", rt.label(), "error_type", typeName(e.cause))
		}
		writeError(out, r, e)
	}
}

// answer finds who answers and lets them, or says why nobody does.
func (s *server) answer(w http.ResponseWriter, r *http.Request, rt *route) error {
	if err := s.guard.check(r); err != nil {
		return err
	}
	if rt == nil && s.files != nil {
		return s.serveFile(w, r)
	}
	if rt == nil {
		return s.notFound(r)
	}
	if !rt.takes(r.Method) {
		return methodNotAllowed(r, rt.path, rt.method)
	}
	return rt.serve(w, r)
}
