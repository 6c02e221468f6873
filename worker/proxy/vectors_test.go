package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The expected results of both systems, driven through the handler as the
// README beside them says. So many there were when this was written; fewer
// means that some were not found.
const (
	laitVectors        = 20
	codexLocalVectors  = 13
	codexRemoteVectors = 3
)

type laitVector struct {
	Config   json.RawMessage `json:"config"`
	Round    int             `json:"round"`
	Usage    json.RawMessage `json:"usage"`
	Messages json.RawMessage `json:"messages"`
	Summary  string          `json:"summary"`
	Expect   struct {
		Compact *bool           `json:"compact"`
		After   json.RawMessage `json:"after"`
		Error   string          `json:"error"`
	} `json:"expect"`
}

type codexVector struct {
	Implementation string            `json:"implementation"`
	Phase          string            `json:"phase"`
	Before         json.RawMessage   `json:"before"`
	Retries        []json.RawMessage `json:"retries"`
	After          json.RawMessage   `json:"after"`
	Summary        string            `json:"summary"`
}

// vectors lists the files of one folder. TAMP_SHARED unset skips; set, it must
// lead to them.
func vectors(t *testing.T, folder string) []string {
	t.Helper()
	shared := os.Getenv("TAMP_SHARED")
	if shared == "" {
		t.Skip("TAMP_SHARED is not set: the recorded results are not in this repository")
	}
	entries, err := os.ReadDir(filepath.Join(shared, "vectors", folder))
	if err != nil {
		t.Fatalf("TAMP_SHARED is set, but: %v", err)
	}
	var paths []string
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".json" {
			t.Errorf("%s is no vector, and would be passed over", e.Name())
		}
		paths = append(paths, filepath.Join(shared, "vectors", folder, e.Name()))
	}
	return paths
}

// load reads a vector. Its members must all be known: one that nobody looks at
// might be an expectation.
func load(t *testing.T, path string, into any, aside ...string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatal(err)
	}
	known := append([]string{"name"}, aside...)
	for f := range reflect.TypeOf(into).Elem().Fields() {
		known = append(known, f.Tag.Get("json"))
	}
	for name := range members {
		if !slices.Contains(known, name) {
			t.Errorf("%s: member %q is not looked at", path, name)
		}
	}
}

// raw builds a body whose values keep their bytes; json.Marshal would compact
// the transcript.
func raw(members ...string) string { return "{" + strings.Join(members, ",") + "}" }

func member(name string, value any) string {
	if bytes, ok := value.(json.RawMessage); ok {
		return fmt.Sprintf("%q:%s", name, bytes)
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a test's own string or number
	}
	return fmt.Sprintf("%q:%s", name, text)
}

func postTo(path, body string) *httptest.ResponseRecorder {
	return ask(New(Options{}), "POST", path, strings.NewReader(body), "content-type: application/json")
}

func read(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%v: %.300s", err, data)
	}
}

func TestLaitVectors(t *testing.T) {
	t.Parallel()
	paths := vectors(t, "lait")
	if len(paths) < laitVectors {
		t.Errorf("%d vectors, there were %d", len(paths), laitVectors)
	}
	ran := 0
	for _, path := range paths {
		ran++
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			var v laitVector
			load(t, path, &v, "why")
			body := []string{
				member("transcript", v.Messages), `"policy":` + raw(member("lait", v.Config)),
				member("round", v.Round), member("summary", v.Summary),
			}
			if string(v.Usage) != "null" {
				body = append(body, member("usage", v.Usage))
			}
			checkLait(t, v, postTo("/v1/compact", raw(body...)))
		})
	}
	if ran != len(paths) {
		t.Errorf("%d of %d vectors ran", ran, len(paths))
	}
}

func checkLait(t *testing.T, v laitVector, w *httptest.ResponseRecorder) {
	t.Helper()
	if v.Expect.Error != "" {
		if v.Expect.Error != "config" {
			t.Fatalf("expect.error %q is not known", v.Expect.Error)
		}
		e := wantError(t, w, http.StatusBadRequest, "invalid_policy")
		if e.Param == nil || !strings.HasPrefix(*e.Param, "policy.lait") {
			t.Errorf("param does not begin with policy.lait: %s", w.Body)
		}
		return
	}
	var got struct {
		Compacted  bool            `json:"compacted"`
		Transcript json.RawMessage `json:"transcript"`
	}
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %.500s", w.Code, w.Body)
	}
	read(t, w.Body.Bytes(), &got)
	if v.Expect.Compact == nil || got.Compacted != *v.Expect.Compact {
		t.Fatalf("compacted is %v, expected %v: %.500s", got.Compacted, v.Expect.Compact, w.Body)
	}
	if !got.Compacted {
		if !bytes.Equal(got.Transcript, v.Messages) {
			t.Errorf("nothing was compacted, but other bytes came back: %.300s", got.Transcript)
		}
		return
	}
	var have, want any
	read(t, got.Transcript, &have)
	read(t, v.Expect.After, &want)
	if d := differ("transcript", have, want, v.Summary); d != "" {
		t.Error(d)
	}
	wantKeptBytes(t, got.Transcript, v.Messages)
}

// wantKeptBytes checks that of a lait result every message but one, the
// summary, stands in the input byte for byte.
func wantKeptBytes(t *testing.T, after, before json.RawMessage) {
	t.Helper()
	var out, in []json.RawMessage
	read(t, after, &out)
	read(t, before, &in)
	fresh := 0
	for _, item := range out {
		if !slices.ContainsFunc(in, func(other json.RawMessage) bool { return bytes.Equal(item, other) }) {
			fresh++
		}
	}
	if fresh != 1 {
		t.Errorf("%d messages are not in the input byte for byte, expected only the summary", fresh)
	}
}

func TestCodexVectors(t *testing.T) {
	t.Parallel()
	ran, retries := map[string]int{}, 0
	paths := vectors(t, "codex")
	for _, path := range paths {
		var v codexVector
		load(t, path, &v, "source", "next_user")
		ran[v.Implementation]++
		retries += len(v.Retries)
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			codexCompact(t, v)
			for n := range v.Retries {
				codexRetry(t, v, n+1)
			}
		})
	}
	if ran["local"] < codexLocalVectors || ran["remote"] < codexRemoteVectors || ran["local"]+ran["remote"] != len(paths) {
		t.Errorf("%v vectors ran of %d, there were %d local and %d remote ones", ran, len(paths), codexLocalVectors, codexRemoteVectors)
	}
	if retries == 0 {
		t.Error("no vector holds a retry")
	}
}

func (v codexVector) body(more ...string) string {
	return raw(append([]string{
		member("transcript", v.Before), `"format":"openai-responses"`, member("phase", v.Phase), `"force":true`,
		`"policy":` + raw(`"codex":`+raw(member("implementation", v.Implementation), `"summary_prefix":"{{SUMMARY_PREFIX}}"`)),
	}, more...)...)
}

func codexCompact(t *testing.T, v codexVector) {
	t.Helper()
	w := postTo("/v1/compact", v.body(member("summary", v.Summary)))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %.500s", w.Code, w.Body)
	}
	var got struct {
		Compacted  bool  `json:"compacted"`
		Transcript []any `json:"transcript"`
		Receipt    struct {
			Implementation string `json:"implementation"`
		} `json:"receipt"`
	}
	read(t, w.Body.Bytes(), &got)
	if got.Receipt.Implementation != v.Implementation {
		t.Errorf("the receipt says %q", got.Receipt.Implementation)
	}
	var want []any
	read(t, v.After, &want)
	if !got.Compacted {
		t.Error("compacted is false")
	}
	if d := differ("transcript", plainItems(got.Transcript), plainItems(want), v.Summary); d != "" {
		t.Error(d)
	}
}

// codexRetry asks for the summary request after n answers that it was too long.
func codexRetry(t *testing.T, v codexVector, n int) {
	t.Helper()
	answers := `"answers":[` + strings.TrimSuffix(strings.Repeat(`{"error":"context_length_exceeded"},`, n), ",") + `]`
	w := postTo("/v1/plan", v.body(answers))
	if w.Code != http.StatusOK {
		t.Fatalf("%d answers: status %d: %.500s", n, w.Code, w.Body)
	}
	var got struct {
		Plan struct {
			Request *struct {
				Attempt int `json:"attempt"`
				Body    struct {
					Input []any `json:"input"`
				} `json:"body"`
			} `json:"request"`
		} `json:"plan"`
	}
	read(t, w.Body.Bytes(), &got)
	if got.Plan.Request == nil || len(got.Plan.Request.Body.Input) == 0 {
		t.Fatalf("%d answers: there is no request: %.500s", n, w.Body)
	}
	if got.Plan.Request.Attempt != n {
		t.Errorf("%d answers: attempt is %d", n, got.Plan.Request.Attempt)
	}
	input := got.Plan.Request.Body.Input
	prompt, ok := input[len(input)-1].(map[string]any)
	if !ok || prompt["role"] != "user" {
		t.Errorf("%d answers: the last item is not the prompt: %v", n, input[len(input)-1])
	}
	var want []any
	read(t, v.Retries[n-1], &want)
	if d := differ("plan.request.body.input", plainItems(input[:len(input)-1]), plainItems(want), v.Summary); d != "" {
		t.Errorf("%d answers: %s", n, d)
	}
}
