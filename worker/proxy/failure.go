package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/tamp-dev/tamp/core"
)

// failure is why a request got no answer, with the HTTP status that says so.
type failure struct {
	status  int
	code    string
	param   string // the place in the request; empty: null on the wire
	message string
	allow   string      // 405: the Allow header
	state   []byte      // summary_failed: what the host carries to its next request
	event   *core.Event // summary_failed: the one of the attempt
	cause   error       // an error that must not be shown, only its type is logged
}

func (f *failure) Error() string { return f.message }

// asFailure gives err its status: the engine's codes by statusOf, and 500
// without a word of its text for a fault of the engine, which may quote
// anything.
func asFailure(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if e, ok := errors.AsType[*core.Error](err); ok && e.Code != "internal" {
		f := &failure{status: statusOf(e.Code), code: e.Code, param: e.Path, message: e.Error()}
		if attempt, ok := errors.AsType[*core.FailedAttempt](err); ok {
			f.state, f.event = attempt.State, attempt.Event
		}
		return f
	}
	f := internal()
	f.cause = err
	return f
}

func statusOf(code string) int {
	switch code {
	case core.CassetteMiss:
		// Not 409: OpenAI's own clients send such a request again.
		return http.StatusNotFound
	case "too_large":
		return http.StatusRequestEntityTooLarge
	case "not_configured":
		return http.StatusNotImplemented
	case "summary_failed", "upstream_error":
		return http.StatusBadGateway
	}
	return http.StatusBadRequest
}

// internal is the answer to a fault of ours. It tells nothing of the request.
func internal() *failure {
	return &failure{
		status: http.StatusInternalServerError, code: "internal",
		message: "internal error: this request failed, nothing was kept of it and others are not affected",
	}
}

// The error object that OpenAI's SDKs read into type, param and code.
type errorBody struct {
	Error errorFields     `json:"error"`
	State json.RawMessage `json:"state,omitempty"` // beside it, where results have theirs
	Event *core.Event     `json:"event,omitempty"`
}

type errorFields struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
}

func writeError(w http.ResponseWriter, r *http.Request, f *failure) {
	fields := errorFields{Message: f.message, Type: "invalid_request_error", Code: f.code}
	if f.status >= http.StatusInternalServerError {
		fields.Type = "server_error" // as OpenAI names what is not the caller's fault
	}
	if f.param != "" {
		fields.Param = &f.param
	}
	if f.allow != "" {
		w.Header().Set("Allow", f.allow)
	}
	writeJSON(w, r, f.status, encode(errorBody{fields, f.state, f.event}))
}

// encode marshals one of this package's own bodies. Structs of strings and
// of the engine's JSON cannot fail to marshal; angle brackets stay readable, since nosniff and the JSON
// type keep a browser from ever parsing them.
func encode(body any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// writeJSON sends body as it stands. HEAD gets the head alone, also where the
// server behind w does not see to that itself.
func writeJSON(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	writeBody(w, r, status, body)
}

func writeBody(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a caller who is gone cannot be told
	}
}
