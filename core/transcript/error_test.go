package transcript

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	for in, want := range map[string]string{
		strings.Repeat("a", 40): strings.Repeat("a", 40),
		strings.Repeat("a", 41): strings.Repeat("a", 40) + "…",
		strings.Repeat("圧", 14): strings.Repeat("圧", 13) + "…", // 42 bytes; 13 characters are 39
	} {
		if got := Clip(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
