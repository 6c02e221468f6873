package proxy

import (
	"fmt"
	"net/http"
	"path"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// recorder remembers the status and counts the bytes of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the server.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// logRequest writes the one line of a request. Nothing in it was chosen by the
// caller: the route is ours, and a method that is none of HTTP's is "other".
func (s *server) logRequest(r *http.Request, rt *route, w *recorder, start time.Time) {
	s.opt.Log.Info("request",
		"method", methodLabel(r.Method), "route", rt.label(), "status", w.status,
		"bytes", w.bytes, "ms", time.Since(start).Milliseconds())
}

func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}

// panicAttrs says where a panic was, by function and line. Its value is told
// by type only, since it may quote the transcript.
func panicAttrs(route string, value any) []any {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var where []string
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			where = append(where, path.Base(f.Function)+" "+path.Base(f.File)+":"+strconv.Itoa(f.Line))
		}
		if !more {
			break
		}
	}
	return []any{"route", route, "value_type", typeName(value), "stack", strings.Join(where, " < ")}
}

func typeName(v any) string { return fmt.Sprintf("%T", v) }
