package proxy

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
)

// readBody reads a JSON body of at most limit bytes.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := checkMediaType(r); err != nil {
		return nil, err
	}
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	var b bytes.Buffer
	if r.ContentLength > 0 {
		// One allocation of the size that was announced, which the line above
		// bounds: doubling up to 64 MiB would hold twice of it.
		b.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, limit)); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, tooLarge(limit)
		}
		return nil, &failure{
			status: http.StatusBadRequest, code: "invalid_request",
			message: fmt.Sprintf("the body broke off after %d bytes", b.Len()),
		}
	}
	return b.Bytes(), nil
}

func tooLarge(limit int64) *failure {
	return &failure{
		status: http.StatusRequestEntityTooLarge, code: "too_large",
		message: fmt.Sprintf("the body is larger than %d bytes, the limit of this server", limit),
	}
}

// checkMediaType admits JSON in UTF-8, and a body without a type. Everything
// else is refused: a form or text/plain is what other sites' pages can send
// without asking, and what curl sends where a header was forgotten.
func checkMediaType(r *http.Request) error {
	refuse := func(format string, args ...any) error {
		return &failure{
			status: http.StatusUnsupportedMediaType, code: "unsupported_media_type",
			message: fmt.Sprintf(format, args...),
		}
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return refuse("content-encoding %s is not read here, send the body as it is", quote(encoding))
	}
	sent := r.Header.Get("Content-Type")
	if sent == "" {
		return nil
	}
	kind, params, err := mime.ParseMediaType(sent)
	if err != nil || kind != "application/json" {
		return refuse("content-type %s is not JSON, send the header content-type: application/json", quote(sent))
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return refuse("charset %s: JSON is UTF-8, send the header content-type: application/json", quote(charset))
	}
	return nil
}
