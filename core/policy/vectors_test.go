package policy_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The shared vectors say of each lait config whether it is refused.
func TestLaitVectors(t *testing.T) {
	shared := os.Getenv("TAMP_SHARED")
	if shared == "" {
		t.Skip("TAMP_SHARED is not set: the shared vectors are not here")
	}
	files, err := filepath.Glob(filepath.Join(shared, "vectors", "lait", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no lait vectors: %v", err)
	}
	bad := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			Config json.RawMessage `json:"config"`
			Expect struct {
				Error string `json:"error"`
			} `json:"expect"`
		}
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p, err := policy.Compile([]byte(`{"lait":`+string(v.Config)+`}`), nil)
		if v.Expect.Error == "" {
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(name), err)
			} else if len(p.Triggers) == 0 || p.Usage != policy.LastPrompt {
				t.Errorf("%s: %+v", filepath.Base(name), p)
			}
			continue
		}
		bad++
		var e *transcript.Error
		if !errors.As(err, &e) || e.Code != "invalid_policy" || !strings.HasPrefix(e.Path, "policy.lait") {
			t.Errorf("%s: %v", filepath.Base(name), err)
			continue
		}
		t.Logf("%s: %v", filepath.Base(name), e)
	}
	if bad == 0 {
		t.Error("no vector expects an error")
	}
}
