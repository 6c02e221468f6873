package proxy

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func page() fstest.MapFS {
	return fstest.MapFS{
		"index.html":         {Data: []byte("<!doctype html><title>tamp</title>")},
		"main.css":           {Data: []byte(strings.Repeat("a{color:red}\n", 200))},
		"boot.js":            {Data: []byte("void 0")},
		"engine.wasm":        {Data: bytes.Repeat([]byte("\x00asm\x01\x00\x00\x00"), 1000)},
		"icon.png":           {Data: bytes.Repeat([]byte("png"), 1000)},
		"notes.unknown":      {Data: []byte("<script>")},
		"samples/one.jsonl":  {Data: []byte("{}\n")},
		".git/config":        {Data: []byte("secret")},
		"samples/.env":       {Data: []byte("secret")},
		"folder/inner/x.txt": {Data: []byte("x")},
	}
}

func TestFileTypes(t *testing.T) {
	t.Parallel()
	h := New(Options{Web: page()})
	for path, want := range map[string]string{
		"/":                  "text/html; charset=utf-8",
		"/index.html":        "text/html; charset=utf-8",
		"/main.css":          "text/css; charset=utf-8",
		"/boot.js":           "text/javascript; charset=utf-8",
		"/engine.wasm":       "application/wasm", // anything else and compileStreaming refuses it
		"/icon.png":          "image/png",
		"/notes.unknown":     "application/octet-stream", // never sniffed into a page
		"/samples/one.jsonl": "text/plain; charset=utf-8",
	} {
		w := ask(h, "GET", path, nil)
		if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != want {
			t.Errorf("GET %s gives %d %q, want 200 %q", path, w.Code, got, want)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:; style-src 'self'",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestFilesThatAreNotThere(t *testing.T) {
	t.Parallel()
	h := New(Options{Web: page()})
	for _, path := range []string{
		"/missing.html", "/samples", "/samples/", "/folder", "/folder/", "/.git/config", "/samples/.env", "/.git", "//index.html",
		"/../proxy_test.go", "/%2e%2e/proxy_test.go", "/samples/../../proxy_test.go", "/samples/%2e%2e/index.html",
		"/..%2fproxy_test.go", "/..%5cproxy_test.go", "/./index.html", "/index.html/", "/index.html%00.png",
	} {
		w := ask(h, "GET", path, nil)
		wantError(t, w, http.StatusNotFound, "not_found")
		if strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), "inner") {
			t.Errorf("GET %s shows what is hidden: %s", path, w.Body)
		}
	}
}

func TestFileMethods(t *testing.T) {
	t.Parallel()
	h := New(Options{Web: page()})
	for _, path := range []string{"/", "/main.css"} {
		w := ask(h, "POST", path, nil)
		wantError(t, w, http.StatusMethodNotAllowed, "method_not_allowed")
		if got := w.Header().Get("Allow"); got != "GET, HEAD" {
			t.Errorf("Allow is %q", got)
		}
	}
	get, head := ask(h, "GET", "/main.css", nil), ask(h, "HEAD", "/main.css", nil)
	if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("ETag") != get.Header().Get("ETag") || head.Header().Get("Content-Length") != "2600" {
		t.Errorf("HEAD gives %d, %d bytes, %v", head.Code, head.Body.Len(), head.Header())
	}
	// The API keeps its paths beside the page.
	if w := ask(h, "GET", "/health", nil); w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("/health gives %q", w.Header().Get("Content-Type"))
	}
}

func TestGzip(t *testing.T) {
	t.Parallel()
	files := page()
	h := New(Options{Web: files})
	for _, c := range []struct {
		path, accept string
		packed       bool
	}{
		{"/engine.wasm", "gzip, deflate, br", true},
		{"/engine.wasm", "deflate, GZIP;q=0.5", true},
		{"/engine.wasm", "br", false},
		{"/engine.wasm", "", false},
		{"/engine.wasm", "gzip;q=0", false},
		{"/engine.wasm", "gzip; q=0.0, br", false},
		{"/engine.wasm", "xgzip", false},
		{"/main.css", "gzip", true},
		{"/icon.png", "gzip", false}, // is compressed already
		{"/boot.js", "gzip", false},  // would grow
	} {
		w := ask(h, "GET", c.path, nil, "accept-encoding: "+c.accept)
		body := w.Body.Bytes()
		if packed := w.Header().Get("Content-Encoding") == "gzip"; packed != c.packed {
			t.Errorf("%s with %q: packed is %v, want %v", c.path, c.accept, packed, c.packed)
		}
		if c.packed {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if want := files[c.path[1:]].Data; !bytes.Equal(body, want) {
			t.Errorf("%s with %q: %d bytes arrive of %d", c.path, c.accept, len(body), len(want))
		}
		if compressible := c.path == "/engine.wasm" || c.path == "/main.css"; compressible != (w.Header().Get("Vary") == "Accept-Encoding") {
			t.Errorf("%s: Vary is %q", c.path, w.Header().Get("Vary"))
		}
	}
}

func TestETag(t *testing.T) {
	t.Parallel()
	h := New(Options{Web: page()})
	plain := ask(h, "GET", "/engine.wasm", nil).Header().Get("ETag")
	packed := ask(h, "GET", "/engine.wasm", nil, "accept-encoding: gzip").Header().Get("ETag")
	other := ask(h, "GET", "/main.css", nil).Header().Get("ETag")
	if plain == packed || plain == other || plain == "" {
		t.Fatalf("the tags %q, %q, %q must differ: their bytes do", plain, packed, other)
	}
	for _, c := range []struct {
		match, accept string
		status        int
	}{
		{plain, "", 304},
		{"W/" + plain, "", 304},
		{`"x", ` + plain, "", 304},
		{"*", "", 304},
		{other, "", 200},
		{packed, "", 200},
		{packed, "gzip", 304},
		{plain, "gzip", 200},
	} {
		w := ask(h, "GET", "/engine.wasm", nil, "if-none-match: "+c.match, "accept-encoding: "+c.accept)
		if w.Code != c.status || c.status == 304 && w.Body.Len() > 0 || w.Header().Get("ETag") == "" {
			t.Errorf("If-None-Match %s, Accept-Encoding %q: %d, %d bytes, want %d", c.match, c.accept, w.Code, w.Body.Len(), c.status)
		}
	}
}

func TestChangedFileIsReadAgain(t *testing.T) {
	t.Parallel()
	files := page()
	h := New(Options{Web: files})
	before := ask(h, "GET", "/main.css", nil)
	files["main.css"] = &fstest.MapFile{Data: []byte("b{}"), ModTime: time.Unix(1, 0)}
	after := ask(h, "GET", "/main.css", nil)
	if after.Body.String() != "b{}" || after.Header().Get("ETag") == before.Header().Get("ETag") {
		t.Errorf("after a rebuild the page still gets %q", after.Body)
	}
}

// A link inside the folder must not lead out of it.
func TestLinkOutOfTheFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inside := filepath.Join(dir, "web")
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret.txt", filepath.Join(inside, "link.txt")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	})
	w := ask(New(Options{Web: root.FS()}), "GET", "/link.txt", nil)
	if w.Code == http.StatusOK || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("the link was followed: %d %s", w.Code, w.Body)
	}
}
