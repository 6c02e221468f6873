package policy

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/internal/nearest"
)

func TestNearest(t *testing.T) {
	lait := strings.Fields(laitFields)
	for _, c := range []struct{ name, want string }{
		{"trigger_round", "trigger_rounds"},
		{"triggerRounds", "trigger_rounds"},
		{"TRIGGER-ROUNDS", "trigger_rounds"},
		{"tirgger_tokens", "trigger_tokens"},
		{"keep_last", "keep_last_n"},
		{"mdel", "model"},
		{"trigger", ""}, // six edits from the nearest, with six letters more to guess
		{"temperature", ""},
		{"", ""},
		{strings.Repeat("trigger_rounds", 3), ""}, // 42 bytes: not looked at
	} {
		if got := nearest.Name(c.name, lait, nil); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
	top := strings.Fields(presetFields)
	for _, c := range []struct{ name, want string }{
		{"trigger_rounds", "lait.trigger_rounds"},
		{"last_messages", "keep.last_messages"},
		{"onFailure", "summary.on_failure"},
		{"strict", "strict"}, // this place before deeper ones
	} {
		if got := nearest.Name(c.name, top, deeper()); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}
