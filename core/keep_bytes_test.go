package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// A policy that counts the tail in bytes needs to say nothing else: 18 MB of
// pictures weigh 4,653 tokens, and the 20,000 that balanced keeps would hold them
// all. Named beside it, last_tokens holds what it says.
func TestKeepBytesAlone(t *testing.T) {
	picture := `{"type":"input_image","image_url":"data:image/png;base64,` + strings.Repeat("A", 300_000) + `"}`
	turn := `{"type":"message","role":"user","content":[{"type":"input_text","text":"look"},` + picture + `]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"seen"}]}`
	src := "[" + strings.Repeat(turn+",", 5) + turn + "]" // 6 pictures, 1.8 MB
	for _, c := range []struct {
		keep   string
		folded int // items
	}{
		{`{"last_bytes":400000}`, 8}, // all but the first request, and the newest picture with the answers around it
		{`{"last_bytes":400000,"last_tokens":20000}`, 0},
		{`{"last_bytes":0}`, 0},
		{`{}`, 0},
	} {
		summary := "Six pictures were looked at."
		res, err := core.Compact(core.Request{
			Transcript: []byte(src), Format: "openai-responses", Summary: &summary,
			Policy: json.RawMessage(`{"preset":"balanced","triggers":[{"bytes":100000}],"keep":` + c.keep + `}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		folded := 0
		for _, it := range res.Receipt.Items {
			if it.Fate == "folded" {
				folded++
			}
		}
		if folded != c.folded || res.Compacted != (c.folded > 0) {
			t.Errorf("%s: %d items are folded, want %d (%s)", c.keep, folded, c.folded, res.Reason)
		}
	}
}
