package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core/internal/nearest"
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Call runs an operation on the JSON of API.md and gives JSON back: "plan",
// "compact", "count", "items", "formats", "presets", "reasons". Kept items keep
// their bytes in the answer. Every error is an *Error, or a *FailedAttempt that
// holds one. It is what the HTTP handler, the page and the wasm modules call.
func Call(op string, body []byte) ([]byte, error) { return new(Engine).Call(op, body) }

// Call is the function of that name, with the engine's encodings.
func (e *Engine) Call(op string, body []byte) ([]byte, error) {
	out, err := e.call(op, body)
	if err != nil {
		return nil, asError(err)
	}
	return out, nil
}

func (e *Engine) call(op string, body []byte) ([]byte, error) {
	switch op {
	case "plan":
		return answer(body, e.Plan, (*PlanResult).JSON)
	case "compact":
		return answer(body, e.Compact, (*CompactResult).JSON)
	case "count":
		return answer(body, e.Count, marshal[*CountResult])
	case "items":
		return answer(body, Items, marshal[*ItemsResult])
	case "formats":
		return marshal(Formats())
	case "presets":
		return marshal(Presets())
	case "reasons":
		return marshal(Reasons())
	}
	return nil, &Error{Code: "invalid_request", Path: "op", Message: fmt.Sprintf("is %q, must be plan, compact, count, items, formats, presets or reasons", transcript.Clip(op))}
}

// answer decodes a request, runs it and writes its result.
func answer[T any](body []byte, run func(Request) (T, error), write func(T) ([]byte, error)) ([]byte, error) {
	req, err := DecodeRequest(body)
	if err != nil {
		return nil, err
	}
	res, err := run(req)
	if err != nil {
		return nil, err
	}
	return write(res)
}

// JSON is the result as the wire has it: the transcript's bytes stand in it as
// they are, which encoding/json would compact.
func (r *CompactResult) JSON() ([]byte, error) {
	out, err := marshal(r)
	if err != nil {
		return nil, err
	}
	// The transcript goes behind decision: where the result stops being the same
	// as its own beginning alone.
	head, err := marshal(struct {
		Format    FormatInfo  `json:"format"`
		Counter   CounterInfo `json:"counter"`
		Compacted bool        `json:"compacted"`
		Reason    string      `json:"reason,omitempty"`
		Decision  Decision    `json:"decision"`
	}{r.Format, r.Counter, r.Compacted, r.Reason, r.Decision})
	if err != nil {
		return nil, err
	}
	at := len(head) - 1 // without the closing brace
	value := r.Transcript
	if r.Text {
		value = rawjson.AppendQuote(nil, string(r.Transcript))
	}
	b := make([]byte, 0, len(out)+len(value)+16)
	b = append(b, out[:at]...)
	b = append(b, `,"transcript":`...)
	b = append(b, value...)
	return append(b, out[at:]...), nil
}

// JSON is the result as the wire has it. The bodies of requests stand in it as
// they are: encoding/json would read them once more, and each may be as long as
// the transcript.
func (r *PlanResult) JSON() ([]byte, error) {
	// What is long is left out, and put where its place is found to be.
	frame := *r
	frame.Plan.Items = nil
	frame.Plan.Request, frame.Plan.Fallback = r.Plan.Request.bare(), r.Plan.Fallback.bare()
	out, err := marshal(&frame)
	if err != nil {
		return nil, err
	}
	root, err := rawjson.Parse(out)
	if err != nil {
		return nil, err
	}
	items, err := marshal(r.Plan.Items)
	if err != nil {
		return nil, err
	}
	plan := root.Get("plan")
	pieces := []piece{{plan.Get("items"), items}}
	for _, q := range []struct {
		name    string
		request *ModelRequest
	}{{"request", r.Plan.Request}, {"fallback", r.Plan.Fallback}} {
		if q.request != nil && q.request.Body != nil {
			pieces = append(pieces, piece{plan.Get(q.name).Get("body"), q.request.Body})
		}
	}
	size := len(out)
	for _, p := range pieces {
		size += len(p.bytes)
	}
	b, at := make([]byte, 0, size), 0
	for _, p := range pieces {
		b = append(append(b, out[at:p.place.Start()]...), p.bytes...)
		at = p.place.End()
	}
	return append(b, out[at:]...), nil
}

// piece is bytes for the place of a value.
type piece struct {
	place rawjson.Value
	bytes []byte
}

// bare is the request without its body.
func (q *ModelRequest) bare() *ModelRequest {
	if q == nil {
		return nil
	}
	out := *q
	out.Body = nil
	return &out
}

// marshal is JSON without the escapes that HTML would need and without the
// newline of an encoder.
func marshal[T any](v T) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// requestFields are the members of a request, as a person may mistype them.
var requestFields = [...]string{
	"transcript", "format", "conversation", "policy", "models", "model", "previous_model", "round", "phase", "trigger",
	"force", "usage", "state", "window", "now", "rewrite", "repair", "summary", "summarizer", "answers", "cassette", "record", "checkpoint", "trace",
}

// DecodeRequest reads the body of /v1/plan, /v1/compact and /v1/count. The transcript's
// bytes are a part of body, which must not change while the request is in use.
// Unknown members are refused by name. Cost: one pass over body.
func DecodeRequest(body []byte) (Request, error) {
	var req Request
	root, err := rawjson.Parse(body)
	if err != nil {
		return req, syntaxError(body, err)
	}
	if at := invalidUTF8(body); at >= 0 {
		return req, syntaxError(body, &rawjson.SyntaxError{Offset: at, Msg: fmt.Sprintf("invalid UTF-8 (byte 0x%02x)", body[at])})
	}
	if !root.Is(rawjson.Object) {
		return req, &Error{Code: "invalid_request", Message: "the body is " + root.Kind().String() + ", must be an object with a transcript"}
	}
	seen := map[string]bool{}
	for name, v := range root.Members() {
		if seen[name] {
			return req, &Error{Code: "invalid_request", Path: transcript.Clip(name), Message: "stands twice"}
		}
		seen[name] = true
		if err := req.set(name, v); err != nil {
			return req, err
		}
	}
	return req, nil
}

// invalidUTF8 is the place of the first byte that is not UTF-8, -1 if all is.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func syntaxError(body []byte, err error) error {
	var syntax *rawjson.SyntaxError
	if errors.As(err, &syntax) {
		return &Error{Code: "invalid_json", Message: "the body is no JSON: " + rawjson.Describe(body, syntax)}
	}
	return err
}

func (req *Request) set(name string, v rawjson.Value) error {
	if v.Is(rawjson.Null) && name != "transcript" {
		return nil // as if it were not there; transcript must be
	}
	var to any
	switch name {
	case "transcript":
		switch v.Kind() {
		case rawjson.Array, rawjson.Object:
			req.Transcript = v.Raw()
		case rawjson.String:
			req.Transcript, req.Text = v.Bytes(), true
		default:
			return &Error{Code: "invalid_request", Path: name, Message: "is " + v.Kind().String() + ", must be an array, an object or a string"}
		}
		return nil
	case "policy":
		req.Policy = v.Raw()
		return nil
	case "state":
		req.State = v.Raw()
		return nil
	case "format":
		to = &req.Format
	case "conversation":
		to = &req.Conversation
	case "models":
		to = &req.Models
	case "model":
		if id, ok := v.Str(); ok { // as /v1/count and the providers' own bodies have it
			req.Model = &Model{ID: id}
			return nil
		}
		to = &req.Model
	case "previous_model":
		to = &req.PreviousModel
	case "round":
		to = &req.Round
	case "phase":
		to = &req.Phase
	case "trigger":
		to = &req.Trigger
	case "force":
		to = &req.Force
	case "usage":
		to = &req.Usage
	case "window":
		to = &req.Window
	case "now":
		to = &req.Now
	case "rewrite":
		to = &req.Rewrite
	case "repair":
		to = &req.Repair
	case "cassette":
		to = &req.Cassette
	case "record":
		to = &req.Record
	case "checkpoint":
		to = &req.Checkpoint
	case "trace":
		to = &req.Trace
	case "summary":
		to = &req.Summary
	case "summarizer":
		to = &req.Summarizer
	case "answers":
		to = &req.Answers
	default:
		return unknown(transcript.Clip(name), name, requestFields[:])
	}
	if err := members(name, v); err != nil {
		return err
	}
	return decodeField(name, v.Raw(), to)
}

// membersOf are the legal members of the request's own objects. Usage is not
// among them: providers put more into it than is read here.
func membersOf(field string) []string {
	switch field {
	case "model", "previous_model":
		return []string{"id", "context_window", "max_context_window", "effective_context_window_percent", "comp_hash"}
	case "models":
		return []string{"model", "context_window", "max_output_tokens", "encoding", "factor", "tool_prompt", "image", "price"}
	case "trace":
		return []string{"seq", "label", "start", "end", "usage"}
	case "window":
		return []string{"id", "next_id"}
	case "answers":
		return []string{"text", "error", "output", "usage"}
	}
	return nil
}

// members refuses unknown members below a field, by their place.
func members(field string, v rawjson.Value) error {
	legal := membersOf(field)
	check := func(path string, object rawjson.Value) error {
		if !object.Is(rawjson.Object) {
			want := "an object"
			if field == "model" {
				want += " or the id of a model"
			}
			return &Error{Code: "invalid_request", Path: path, Message: "is " + object.Kind().String() + ", must be " + want}
		}
		for name := range object.Members() {
			if !slices.Contains(legal, name) {
				return unknown(path+"."+transcript.Clip(name), name, legal)
			}
		}
		return nil
	}
	switch {
	case legal == nil:
	case field == "answers" && v.Is(rawjson.Array):
		i := 0
		for e := range v.Elems() {
			if err := check(field+"["+strconv.Itoa(i)+"]", e); err != nil {
				return err
			}
			i++
		}
	case field == "models" && v.Is(rawjson.Object):
		for name, e := range v.Members() {
			if err := check(field+"."+transcript.Clip(name), e); err != nil {
				return err
			}
		}
	case field == "model" || field == "previous_model" || field == "trace" || field == "window":
		return check(field, v)
	}
	return nil
}

func unknown(path, name string, legal []string) error {
	message := "unknown field"
	if near := nearest.Name(name, legal, nil); near != "" {
		message += ", did you mean " + near + "?"
	}
	return &Error{Code: "invalid_request", Path: path, Message: message}
}

func decodeField(name string, raw []byte, to any) error {
	err := json.Unmarshal(raw, to)
	if err == nil {
		return nil
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		path := name
		if wrong.Field != "" {
			path += "." + wrong.Field
		}
		return &Error{Code: "invalid_request", Path: path, Message: fmt.Sprintf("is a JSON %s, must be %s", transcript.Clip(wrong.Value), kindOf(wrong))}
	}
	return &Error{Code: "invalid_request", Path: name, Message: strings.TrimPrefix(err.Error(), "json: ")}
}

// kindOf names a Go type as JSON does.
func kindOf(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "bool":
		return "true or false"
	case "string":
		return "a string"
	case "int":
		return "an integer"
	case "float64":
		return "a number"
	case "slice", "array":
		return "an array"
	}
	return "an object"
}
