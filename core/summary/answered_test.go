package summary

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

func TestAnswered(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  string // behind the fixed words
	}{
		{"none", nil, ""},
		{"blank", []string{" \n"}, ""},
		{"one, on one line", []string{"push\nit  to main"}, `"push it to main"`},
		{"a long one is cut between characters", []string{strings.Repeat("あ", 41)}, `"` + strings.Repeat("あ", 40) + `…"`},
		{"many: the newest are named, and as many more as fit", []string{"a", "b", "c", "d", "e", "f", "g", "h"}, `2 older ones, "c", "d", "e", "f", "g", "h"`},
	} {
		room := 2
		got := Answered(c.texts, func(string) bool { room--; return room >= 0 })
		if _, rest, _ := strings.Cut(got, "from the start: "); rest != c.want || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", c.name, rest, c.want)
		}
	}
}

// The line goes with the prefix when the summary is read again, so that it never
// becomes part of the next one.
func TestAnsweredIsStripped(t *testing.T) {
	p := &policy.Policy{}
	text := Frame(p, transcript.User, Answered([]string{"push it"}, nil), "all\ndone")
	if got, ok := Strip(p, text); !ok || got != "all\ndone" {
		t.Errorf("%q, %v", got, ok)
	}
	if got, ok := Strip(p, Frame(p, transcript.User, "", "[answer] x")); !ok || got != "[answer] x" {
		t.Errorf("%q, %v", got, ok)
	}
}
