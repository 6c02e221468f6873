package proxy

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The page runs its own script and the engine's wasm, and nothing else from
// anywhere: a transcript is hostile text, and this is the second wall.
const contentSecurityPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; " +
	"base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:; style-src 'self'"

// A kind is how files of one ending are sent. The system's own table is not
// asked: it differs from machine to machine, and wasm under any other type
// than its own does not compile while it streams.
type kind struct {
	mediaType string
	text      bool // worth compressing
}

var kinds = map[string]kind{
	".html":        {"text/html; charset=utf-8", true},
	".js":          {"text/javascript; charset=utf-8", true},
	".mjs":         {"text/javascript; charset=utf-8", true},
	".css":         {"text/css; charset=utf-8", true},
	".planes":      {"application/octet-stream", true}, // to about 60 %
	".wasm":        {"application/wasm", true},         // gzip takes a Go program to about 30 %
	".json":        {"application/json", true},
	".jsonl":       {"text/plain; charset=utf-8", true},
	".txt":         {"text/plain; charset=utf-8", true},
	".svg":         {"image/svg+xml", true},
	".png":         {"image/png", false},
	".ico":         {"image/x-icon", false},
	".woff2":       {"font/woff2", false},
	".webmanifest": {"application/manifest+json", true},
}

// files serves a folder from memory: each file is read once, and once more
// when its time or size changed. It costs the folder's size and its compressed
// size, a few MB for the playground.
type files struct {
	fs fs.FS

	mu   sync.Mutex
	kept map[string]*place
}

// A place holds one file. Its lock is held while the file is read and packed:
// two requests for a new wasm do not both spend half a second on it, and those
// for the style sheet do not wait.
type place struct {
	mu   sync.Mutex
	file *file
}

// A file as it is sent. It is never changed after it was made.
type file struct {
	time    time.Time
	size    int64
	kind    kind
	etag    string // of plain; packed has its own, since its bytes differ
	plain   []byte
	packed  []byte // gzip, nil where it does not pay
	packTag string
}

func newFiles(root fs.FS) *files {
	return &files{fs: root, kept: map[string]*place{}}
}

// get gives the file at a URL path; a folder is its index.html, without one it
// is not there. A name that begins with a dot is not there either.
func (f *files) get(urlPath string) (*file, error) {
	name := strings.TrimPrefix(urlPath, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if !fs.ValidPath(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return nil, fs.ErrNotExist
	}
	info, err := fs.Stat(f.fs, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	p := f.place(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.file; old != nil && old.time.Equal(info.ModTime()) && old.size == info.Size() {
		return old, nil
	}
	data, err := fs.ReadFile(f.fs, name)
	if err != nil {
		return nil, err
	}
	fresh := pack(path.Ext(name), data)
	fresh.time, fresh.size = info.ModTime(), info.Size()
	p.file = fresh
	return fresh, nil
}

func (f *files) place(name string) *place {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.kept[name]
	if p == nil {
		p = &place{}
		f.kept[name] = p
	}
	return p
}

func pack(ext string, data []byte) *file {
	k, ok := kinds[strings.ToLower(ext)]
	if !ok {
		k = kind{"application/octet-stream", false}
	}
	sum := sha256.Sum256(data)
	tag := hex.EncodeToString(sum[:12])
	out := &file{kind: k, plain: data, etag: `"` + tag + `"`, packTag: `"` + tag + `-gzip"`}
	if !k.text {
		return out
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b) // level 6: level 9 takes three times as long for 1 % of a wasm
	_, err := z.Write(data)
	if err = errors.Join(err, z.Close()); err == nil && b.Len() < len(data) {
		out.packed = b.Bytes()
	}
	return out
}

// serveFile answers everything that is no route of the API.
func (s *server) serveFile(w http.ResponseWriter, r *http.Request) error {
	f, err := s.files.get(r.URL.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.notFound(r)
	}
	if err != nil {
		return err
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return methodNotAllowed(r, "the page", http.MethodGet)
	}
	head := w.Header()
	head.Set("Content-Type", f.kind.mediaType)
	head.Set("Content-Security-Policy", contentSecurityPolicy)
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cache-Control", "no-cache") // keep it, and ask with the ETag before using it
	body, tag := f.plain, f.etag
	if f.packed != nil {
		head.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header) {
			body, tag = f.packed, f.packTag
			head.Set("Content-Encoding", "gzip")
		}
	}
	head.Set("ETag", tag)
	if hasTag(r.Header, tag) {
		head.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	writeBody(w, r, http.StatusOK, body)
	return nil
}

// headerList splits a list header. Values are joined first: syumai/workers
// hands out each member as a value of its own.
func headerList(h http.Header, name string) []string {
	list := strings.Split(strings.Join(h.Values(name), ","), ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

func acceptsGzip(h http.Header) bool {
	for _, member := range headerList(h, "Accept-Encoding") {
		coding, weight, _ := strings.Cut(member, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q, found := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(weight, " ", "")), "q=")
		if !found {
			return true
		}
		value, err := strconv.ParseFloat(q, 64)
		return err == nil && value > 0
	}
	return false
}

// hasTag compares as If-None-Match asks for: weakly, and * is any.
func hasTag(h http.Header, tag string) bool {
	for _, member := range headerList(h, "If-None-Match") {
		if member == "*" || strings.TrimPrefix(member, "W/") == tag {
			return true
		}
	}
	return false
}
