package proxy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tamp-dev/tamp/core"
)

var update = flag.Bool("update", false, "write what the engine answers now into the examples of openapi.json")

// The parts of the document that the tests read.
type document struct {
	OpenAPI string `json:"openapi"`
	Info    struct {
		Version string `json:"version"`
	} `json:"info"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas   map[string]any      `json:"schemas"`
		Responses map[string]response `json:"responses"`
	} `json:"components"`
}

type operation struct {
	OperationID string              `json:"operationId"`
	RequestBody response            `json:"requestBody"`
	Responses   map[string]response `json:"responses"`
}

// response is a response or a request body: both hold content by media type.
type response struct {
	Ref     string               `json:"$ref"`
	Content map[string]mediaType `json:"content"`
}

type mediaType struct {
	Schema   map[string]any     `json:"schema"`
	Examples map[string]example `json:"examples"`
}

type example struct {
	Value json.RawMessage `json:"value"`
}

func (doc document) json(r response) mediaType {
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		r = doc.Components.Responses[name]
	}
	return r.Content["application/json"]
}

func loadDocument(t *testing.T) document {
	t.Helper()
	var doc document
	read(t, openAPI, &doc)
	return doc
}

// schemas compiles schemas of the document. What is read here is stricter than
// what is published: an object may hold nothing that is not described, so that
// a new member of an answer cannot stay out of the document.
type schemas struct{ compiler *jsonschema.Compiler }

func newSchemas(t *testing.T) schemas {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		t.Fatal(err)
	}
	closeObjects(doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return schemas{c}
}

func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		_, described := node["properties"].(map[string]any)
		if _, said := node["additionalProperties"]; described && !said {
			node["additionalProperties"] = false
		}
		for _, child := range node {
			closeObjects(child)
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}

// problem says how a JSON text is not as the schema of m; empty: it is.
func (s schemas) problem(t *testing.T, m mediaType, text []byte) string {
	t.Helper()
	ref, ok := m.Schema["$ref"].(string)
	if !ok {
		t.Fatalf("the schema is not a reference: %v", m.Schema)
	}
	schema, err := s.compiler.Compile("openapi.json" + ref)
	if err != nil {
		t.Fatalf("%s: %v", ref, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err.Error()
	}
	if err := schema.Validate(value); err != nil {
		return err.Error()
	}
	return ""
}

func TestOpenAPIDescribesTheRoutes(t *testing.T) {
	t.Parallel()
	doc := loadDocument(t)
	if doc.OpenAPI != "3.1.0" || doc.Info.Version != core.Version {
		t.Errorf("openapi %q of tamp %q, want 3.1.0 of %q", doc.OpenAPI, doc.Info.Version, core.Version)
	}
	var described, served []string
	ids := map[string]bool{}
	for path, operations := range doc.Paths {
		for method, op := range operations {
			described = append(described, strings.ToUpper(method)+" "+path)
			if op.OperationID == "" || ids[op.OperationID] {
				t.Errorf("%s %s: operationId %q is empty or not its own", method, path, op.OperationID)
			}
			ids[op.OperationID] = true
		}
	}
	s := New(Options{}).(*server)
	for _, rt := range s.routes {
		if rt.path != "/" {
			served = append(served, rt.method+" "+rt.path)
		}
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described are %q\nserved are %q", described, served)
	}
	w := ask(s, "GET", "/openapi.json", nil)
	if w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), openAPI) {
		t.Errorf("GET /openapi.json gives %d and %d bytes, not the document", w.Code, w.Body.Len())
	}
}

// Every example of a request is sent; the example of that name among the
// responses is what comes back, under its status. Answers to GET are checked
// by schema, and by their example where there is one.
func TestOpenAPIExamples(t *testing.T) {
	t.Parallel()
	doc := loadDocument(t)
	e := examples{T: t, doc: doc, schemas: newSchemas(t), handler: New(Options{}), answers: map[string][]byte{}}
	for path, operations := range doc.Paths {
		for method, op := range operations {
			sent := doc.json(op.RequestBody).Examples
			if method == "get" {
				sent = map[string]example{op.OperationID: {}}
			} else if len(sent) == 0 {
				t.Errorf("%s %s has no example", method, path)
			}
			for name, ex := range sent {
				e.run(path, method, name, op, ex.Value)
			}
		}
	}
	if shown := countAnswers(doc); shown != len(e.answers) {
		t.Errorf("%d examples of answers belong to no example of a request", shown-len(e.answers))
	}
	// Two of plan, seven of compact, five of count and three of health; a GET of each other route.
	if e.requests < 20 || len(e.answers) < 17 {
		t.Errorf("only %d requests were sent and %d answers compared", e.requests, len(e.answers))
	}
	if *update && !t.Failed() {
		writeExamples(t, e.answers)
	}
}

type examples struct {
	*testing.T
	doc      document
	schemas  schemas
	handler  http.Handler
	requests int
	answers  map[string][]byte // what came back, by the place of its example
}

func (e *examples) run(path, method, name string, op operation, body []byte) {
	e.Helper()
	e.requests++
	at := fmt.Sprintf("%s %s, %s", strings.ToUpper(method), path, name)
	w := ask(e.handler, strings.ToUpper(method), path, bytes.NewReader(body), "content-type: application/json")
	status := strconv.Itoa(w.Code)
	described, ok := op.Responses[status]
	if !ok {
		e.Errorf("%s: status %s is not described: %.300s", at, status, w.Body)
		return
	}
	answer, request := e.doc.json(described), e.doc.json(op.RequestBody)
	if path != "/openapi.json" { // its schema is not ours
		if p := e.schemas.problem(e.T, answer, w.Body.Bytes()); p != "" {
			e.Errorf("%s: the answer is not as described: %s\n%s", at, p, w.Body)
		}
	}
	if w.Code == http.StatusOK && method == "post" {
		if p := e.schemas.problem(e.T, request, body); p != "" {
			e.Errorf("%s: the request is answered, but not as described: %s", at, p)
		}
	}
	want, ok := answer.Examples[name]
	if !ok {
		if method == "post" {
			e.Errorf("%s: there is no example of the answer under %s: %s", at, status, w.Body)
		}
		return
	}
	e.answers[strings.Join([]string{"paths", path, method, "responses", status, "content", "application/json", "examples", name, "value"}, "\n")] = w.Body.Bytes()
	if *update {
		return
	}
	var have, expect any
	read(e.T, w.Body.Bytes(), &have)
	read(e.T, want.Value, &expect)
	if d := differ("answer", have, expect, ""); d != "" {
		e.Errorf("%s: the example is not what comes back (go test ./worker/proxy -run OpenAPI -update writes it): %s", at, d)
	}
}

func countAnswers(doc document) int {
	n := 0
	for _, operations := range doc.Paths {
		for _, op := range operations {
			for _, r := range op.Responses {
				n += len(doc.json(r).Examples)
			}
		}
	}
	return n
}

func writeExamples(t *testing.T, answers map[string][]byte) {
	t.Helper()
	text := openAPI
	for place, answer := range answers {
		var err error
		if text, err = replaceJSON(text, strings.Split(place, "\n"), answer); err != nil {
			t.Fatal(err)
		}
	}
	text, err := layoutJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("openapi.json", text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every error that the handler itself makes is described at every route that
// can give it.
func TestOpenAPIErrors(t *testing.T) {
	t.Parallel()
	doc, all := loadDocument(t), newSchemas(t)
	h := New(Options{Call: func(string, []byte) ([]byte, error) { panic("x") }, MaxBody: 1})
	post, get := "POST", "GET"
	for _, c := range []struct {
		status       int
		methods      []string // of the routes
		method, body string   // what is sent; "": the route's own
		header       string
	}{
		{403, []string{post, get}, "", "", "origin: null"},
		{405, []string{post, get}, "PUT", "", "x: y"},
		{413, []string{post}, "", "{}", "x: y"},
		{415, []string{post}, "", "", "content-type: text/plain"},
		{500, []string{post, get}, "", "", "x: y"},
	} {
		for path, operations := range doc.Paths {
			for method, op := range operations {
				own := strings.ToUpper(method)
				asksNobody := path == "/health" || path == "/health/live" || path == "/openapi.json"
				if !slices.Contains(c.methods, own) || c.status == 500 && asksNobody {
					continue
				}
				w := ask(h, cmp.Or(c.method, own), path, strings.NewReader(c.body), c.header)
				described, ok := op.Responses[strconv.Itoa(c.status)]
				if w.Code != c.status || !ok {
					t.Errorf("%s %s gives %d, want %d; that is described: %v", own, path, w.Code, c.status, ok)
					continue
				}
				if p := all.problem(t, doc.json(described), w.Body.Bytes()); p != "" {
					t.Errorf("%s %s: %d is not as described: %s", own, path, c.status, p)
				}
			}
		}
	}
}
