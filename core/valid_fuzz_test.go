package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// pieces is a conversation of one provider with one item for each byte that it
// knows, in any order: valid or not.
func (w writes) pieces(shape []byte) []byte {
	var items []string
	var open [][]string
	calls := 0
	for i, b := range shape {
		text := strings.Repeat([...]string{"alpha beta ", "gamma ", "δέλτα ", "日本語 "}[i%4], 1+i%9)
		ids := []string{fmt.Sprintf("call_%d", calls), fmt.Sprintf("call_%d_b", calls)}
		switch b {
		case 'u':
			items = append(items, w.user(text))
		case 'e':
			items = append(items, w.user("<environment_context>"+text+"</environment_context>"))
		case 'a':
			items = append(items, w.answer(text))
		case 'C', 'T', 'D':
			calls++
			if b != 'D' {
				ids = ids[:1]
			}
			items, open = append(items, w.calls(b == 'T', ids)), append(open, ids)
		case 'R', 'r': // of the newest calls, or of the first of them only
			ids = ids[:1]
			if n := len(open); n > 0 {
				ids, open = open[n-1], open[:n-1]
			}
			if b == 'r' {
				ids = ids[:1]
			}
			items = append(items, w.results(ids, text))
		}
	}
	return []byte(w.open + "[" + strings.Join(items, ",") + "]" + w.close)
}

// FuzzProviders runs compactions of any conversation of each provider: the
// output breaks no rule that the input keeps, twice in a row.
func FuzzProviders(f *testing.F) {
	for provider := range uint8(5) {
		f.Add([]byte("uaCRuaTRRaeu"), provider, uint8(0), uint8(3))
		f.Add([]byte("uuCRCRaauDrua"), provider, uint8(4), uint8(1))
		f.Add([]byte("auTRCRTRaueaCR"), provider, uint8(7), uint8(5))
	}
	f.Fuzz(func(t *testing.T, shape []byte, provider, policy, pin uint8) {
		if len(shape) > 200 {
			shape = shape[:200]
		}
		all := providers()
		w := all[int(provider)%len(all)]
		text := "the summary"
		req := core.Request{Transcript: w.pieces(shape), Format: w.format, Force: true, Summary: &text}
		if n := int(policy) % (len(fuzzPolicies) + 2); n < len(fuzzPolicies) {
			req.Policy = []byte(fuzzPolicies[n])
		} else {
			place := [...]string{"end", "after_instructions"}[n-len(fuzzPolicies)]
			req.Policy = fmt.Appendf(nil, `{"keep":{"first_user":true,"last_messages":%d,"pins":[{"index":%d},{"index":%d}]},"summary":{"place":%q,"role":"assistant"}}`, pin%3, pin, pin/2, place)
		}
		for range 2 {
			res, err := core.Compact(req)
			if err != nil {
				t.Fatalf("%s: %v", req.Transcript, err)
			}
			holds(t, req, res)
			if !res.Compacted {
				return
			}
			req.Transcript = res.Transcript
		}
	})
}
