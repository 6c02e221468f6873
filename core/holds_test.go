package core_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/core/compact"
	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// holds checks what must hold of every compaction (DESIGN.md section 6), by
// reading the output anew: valid, lossless, conserved, smaller, order kept.
func holds(t *testing.T, req core.Request, res *core.CompactResult) {
	t.Helper()
	if !res.Compacted {
		if !bytes.Equal(res.Transcript, req.Transcript) {
			t.Fatal("nothing was compacted, and the bytes changed")
		}
		if res.Reason == "" {
			t.Fatal("nothing was compacted, and no reason is given")
		}
		conserved(t, res)
		return
	}
	in := decode(t, req.Transcript, req)
	out := decode(t, res.Transcript, req)
	conserved(t, res)
	if len(res.Receipt.Items) != len(in.Items) {
		t.Fatalf("%d fates for %d items", len(res.Receipt.Items), len(in.Items))
	}
	if want := len(out.Items); want != stand(res)+len(res.Receipt.Inserted) {
		t.Fatalf("the output has %d items, the receipt names %d and %d inserted", want, stand(res), len(res.Receipt.Inserted))
	}
	last := -1
	for i, f := range res.Receipt.Items {
		switch f.Fate {
		case compact.Kept, compact.Moved:
			if !bytes.Equal(in.Items[i].Raw, out.Items[*f.To].Raw) {
				t.Fatalf("item %d is %s, and its bytes changed from\n%s to\n%s", i, f.Fate, clip(in.Items[i].Raw), clip(out.Items[*f.To].Raw))
			}
		case compact.Truncated:
			if out.Items[*f.To].Role != in.Items[i].Role {
				t.Fatalf("item %d is truncated and changed its role", i)
			}
		case compact.Folded, compact.Dropped:
			if f.To != nil || f.TokensAfter != 0 {
				t.Fatalf("item %d is %s, and stands at %v", i, f.Fate, f.To)
			}
			continue
		}
		if f.Fate != compact.Moved && f.Reason != compact.InitialContext {
			if *f.To <= last {
				t.Fatalf("item %d went to %d, behind a later one at %d", i, *f.To, last)
			}
			last = *f.To
		}
	}
	p, err := policy.Compile(req.Policy, req.Model)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := tokens.ByName(p.Counter)
	var row *tokens.Model // a known model has its family's factor
	if m, ok := tokens.LookupModel(in.Model); ok {
		row = &m
	}
	counter := row.Counter(base, 0)
	if n := tokens.Measure(out.Transcript, counter).Total(); n != res.Receipt.TokensAfter {
		t.Fatalf("the output counts %d tokens, the receipt says %d", n, res.Receipt.TokensAfter)
	}
	if res.Receipt.TokensAfter >= res.Receipt.TokensBefore && !res.Receipt.NoProgress {
		t.Fatalf("%d tokens became %d, and the receipt does not say no_progress", res.Receipt.TokensBefore, res.Receipt.TokensAfter)
	}
	before, after := defects(in.Transcript), defects(out.Transcript)
	for code, n := range after {
		if n > before[code] {
			t.Fatalf("the output breaks %s %d times, the input %d times: %v", code, n, before[code],
				transcript.Validate(out.Transcript, transcript.Pair(out.Transcript)))
		}
	}
	summary.Mark(p, out.Transcript)
	summaries := 0
	for i := range out.Items {
		if out.Items[i].Summary {
			summaries++
		}
	}
	if summaries != 1 {
		t.Fatalf("the output holds %d summaries", summaries)
	}
	if !json.Valid(res.Transcript) && !req.Text {
		t.Fatal("the output is no JSON")
	}
}

func conserved(t *testing.T, res *core.CompactResult) {
	t.Helper()
	r := res.Receipt
	before, after := r.OverheadBefore, r.OverheadAfter
	for i, f := range r.Items {
		if f.Index != i {
			t.Fatalf("fate %d is of item %d", i, f.Index)
		}
		before += f.TokensBefore
		after += f.TokensAfter
	}
	for _, in := range r.Inserted {
		after += in.Tokens
	}
	if before != r.TokensBefore || after != r.TokensAfter {
		t.Fatalf("the parts add up to %d and %d tokens, the totals say %d and %d", before, after, r.TokensBefore, r.TokensAfter)
	}
}

func stand(res *core.CompactResult) int {
	n := 0
	for _, f := range res.Receipt.Items {
		if f.To != nil {
			n++
		}
	}
	return n
}

func decode(t *testing.T, src []byte, req core.Request) *format.Document {
	t.Helper()
	// The output is read by the name of the input's format: a short rest may
	// not show what it is any more.
	name := req.Format
	if name == "" {
		v, err := format.Detect(req.Transcript)
		if err != nil {
			t.Fatal(err)
		}
		name = v.Name
	}
	d, err := format.Decode(src, format.Options{Format: name, Conversation: req.Conversation, Rewrite: req.Rewrite, Text: req.Text})
	if err != nil {
		t.Fatalf("%v in %s", err, clip(src))
	}
	return d
}

func defects(t *transcript.Transcript) map[string]int {
	n := map[string]int{}
	for _, d := range transcript.Validate(t, transcript.Pair(t)) {
		n[d.Code]++
	}
	return n
}

func clip(b []byte) string {
	if len(b) > 300 {
		return string(b[:300]) + "…"
	}
	return string(b)
}
