package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// A string of JSON may begin with a byte order mark, as it is or escaped. It stays.
func TestQuotedByteOrderMark(t *testing.T) {
	for _, bom := range []string{byteOrderMark, `\ufeff`} {
		for _, body := range []string{quotedChat} {
			inside := inString(body)
			src := `{"span_id":"1","input":"` + bom + inside[1:] + `}`
			d := mustDecode(t, src, Options{})
			plain := mustDecode(t, `{"span_id":"1","input":`+inside+`}`, Options{})
			if len(d.Items) == 0 || len(d.Items) != len(plain.Items) || d.Format != plain.Format {
				t.Fatalf("%d items, without the mark %d", len(d.Items), len(plain.Items))
			}
			out, err := d.Encode([]transcript.Entry{{From: len(d.Items) - 1}})
			if err != nil || !strings.HasPrefix(string(out), `{"span_id":"1","input":"`+bom) {
				t.Errorf("%v\n%s", err, out)
			}
			if again := mustDecode(t, string(out), Options{}); len(again.Items) != 1 {
				t.Errorf("%d items come back", len(again.Items))
			}
		}
	}
}
