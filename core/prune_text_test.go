package core_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
)

// In a text a tool's turn stands for a call that is not written: it is cleared as
// results are everywhere, however the model's turn before it reads. One that
// stands behind a person's word is that person's.
func TestPruneText(t *testing.T) {
	long := strings.Repeat("line of output 17\n", 60) + "end"
	for _, c := range []struct {
		name, before string
		cleared      []int
	}{
		{"behind a word", "user: hi\nassistant: look\ntool: L\n", []int{2}},
		{"behind nothing", "user: hi\nassistant: None\ntool: L\n", []int{2}},
		{"behind an empty turn", "user: hi\nassistant:\ntool: L\n", []int{2}},
		{"two of them", "user: hi\nassistant: look\ntool: L\nTool: L\n", []int{2, 3}},
		{"headings", "## User\nhi\n\n## Assistant\nlook\n\n## Tool\nL\n\n", []int{2}},
		{"behind a summary", "user: hi\nassistant: [tamp] Record of it:\ntool: L\n", nil},
		{"a person's", "user: hi\ntool: L\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rest := "assistant: ok\nuser: next\nassistant: fine\nuser: q"
			if strings.HasPrefix(c.before, "#") {
				rest = "## Assistant\nok\n\n## User\nnext\n\n## Assistant\nfine\n\n## User\nq\n"
			}
			src := strings.ReplaceAll(c.before, "L", long) + rest
			req := core.Request{Transcript: []byte(src), Text: true, Policy: []byte(`{"preset":"prune","tools":{"keep_last":0,"protect_tokens":0,"min_gain":0}}`), Force: true}
			res, err := core.Compact(req)
			if err != nil {
				t.Fatal(err)
			}
			var cleared []int
			for _, it := range res.Receipt.Items {
				if it.Fate == compact.Cleared {
					cleared = append(cleared, it.Index)
				}
			}
			if !slices.Equal(cleared, c.cleared) {
				t.Errorf("cleared %v, want %v", cleared, c.cleared)
			}
			want := src
			if c.cleared != nil {
				want = strings.ReplaceAll(c.before, "L", "CLEARED") + rest
			}
			placeholder := regexp.MustCompile(`\[tamp\] cleared: tool result, \d+ tokens`)
			if got := placeholder.ReplaceAllString(string(res.Transcript), "CLEARED"); got != want || len(res.Receipt.Defects) > 0 {
				t.Errorf("defects %+v in\n%q, want\n%q", res.Receipt.Defects, got, want)
			}
			req.Transcript = res.Transcript
			if again, err := core.Compact(req); err != nil || again.Compacted {
				t.Errorf("a second pass: %v, %v", again != nil && again.Compacted, err)
			}
		})
	}
}
