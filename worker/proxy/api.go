package proxy

import (
	_ "embed" // for the OpenAPI document
	"net/http"

	"github.com/tamp-dev/tamp/core"
)

// openAPI describes the routes. Its examples are run and compared by a test,
// which `-update` makes write what the engine answers now.
//
//go:embed openapi.json
var openAPI []byte

// post hands a JSON body to one operation and sends back its bytes.
func (s *server) post(op string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		body, err := readBody(w, r, s.opt.MaxBody)
		if err != nil {
			return err
		}
		return s.call(w, r, op, body)
	}
}

func (s *server) get(op string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		return s.call(w, r, op, nil)
	}
}

func (s *server) call(w http.ResponseWriter, r *http.Request, op string, body []byte) error {
	answer, err := s.opt.Call(op, body)
	if err != nil {
		return err
	}
	writeJSON(w, r, http.StatusOK, answer)
	return nil
}

type health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// serveHealth says that the process answers; it asks nobody.
func serveHealth(w http.ResponseWriter, r *http.Request) error {
	writeJSON(w, r, http.StatusOK, encode(health{"ok", core.Version}))
	return nil
}

// serveReady says whether a request would be answered: the engine is asked for
// its presets, which compiles each of them. No model is called.
func (s *server) serveReady(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.opt.Call("presets", nil); err != nil {
		return &failure{
			status: http.StatusServiceUnavailable, code: "not_ready", cause: err,
			message: "not ready: the engine does not answer",
		}
	}
	writeJSON(w, r, http.StatusOK, encode(health{"ready", core.Version}))
	return nil
}

func serveOpenAPI(w http.ResponseWriter, r *http.Request) error {
	writeJSON(w, r, http.StatusOK, openAPI)
	return nil
}

const index = `tamp ` + core.Version + `: compacts the history of LLM conversations.

POST /v1/plan       what would be kept, what folded, and the summary request
POST /v1/compact    the compacted transcript and a receipt
POST /v1/count      the tokens of every item
GET  /v1/formats    the formats it reads
GET  /v1/presets    the policies it ships
GET  /health        whether it runs
GET  /openapi.json  all of this, with examples
`

func serveIndex(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	writeBody(w, r, http.StatusOK, []byte(index))
	return nil
}
