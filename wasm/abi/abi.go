// Package abi is what every wasm module of tamp exports: one call, JSON in and
// JSON out, in an envelope that can carry an error. It holds no decision.
package abi

import (
	"encoding/json"
	"errors"

	"github.com/tamp-dev/tamp/core"
)

// Error is a failed call.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path"`
	// State is to be sent with the next request, of a summary step that failed.
	State json.RawMessage `json:"state,omitempty"`
}

// Call runs core.Call and never panics: {"ok":true,"value":...} with the
// engine's bytes as they are, or {"ok":false,"error":{code,message,path,state?}}. A
// panic of the engine is the code engine_crashed; its text could quote the
// transcript and is left out.
func Call(op string, body []byte) (out []byte) {
	defer func() {
		if recover() != nil {
			out = failure(Error{Code: "engine_crashed", Message: "the engine stopped on this input: nothing was changed"})
		}
	}()
	value, err := core.Call(op, body)
	var bad *core.Error
	var attempt *core.FailedAttempt
	switch {
	case errors.As(err, &attempt):
		return failure(Error{Code: attempt.Err.Code, Message: attempt.Error(), Path: attempt.Err.Path, State: attempt.State})
	case errors.As(err, &bad):
		return failure(Error{Code: bad.Code, Message: bad.Error(), Path: bad.Path})
	case err != nil:
		return failure(Error{Code: "internal", Message: err.Error()})
	}
	out = append(make([]byte, 0, len(value)+24), `{"ok":true,"value":`...)
	return append(append(out, value...), '}')
}

func failure(e Error) []byte {
	raw, err := json.Marshal(struct {
		OK    bool  `json:"ok"`
		Error Error `json:"error"`
	}{false, e})
	if err != nil { // strings only: can not fail
		return []byte(`{"ok":false,"error":{"code":"internal","message":"","path":""}}`)
	}
	return raw
}
