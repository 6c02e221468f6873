package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
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
	if want := len(out.Items); want != places(res) {
		t.Fatalf("the output has %d items, the receipt names %d places", want, places(res))
	}
	sealed(t, in.Transcript, out.Transcript, res)
	last := -1
	for i, f := range res.Receipt.Items {
		switch f.Fate {
		case compact.Kept, compact.Moved:
			if !bytes.Equal(in.Items[i].Raw, out.Items[*f.To].Raw) {
				t.Fatalf("item %d is %s, and its bytes changed from\n%s to\n%s", i, f.Fate, clip(in.Items[i].Raw), clip(out.Items[*f.To].Raw))
			}
		case compact.Cleared:
			stillSame(t, i, &in.Items[i], &out.Items[*f.To])
			if f.TokensAfter >= f.TokensBefore {
				t.Fatalf("item %d is cleared, and %d tokens became %d", i, f.TokensBefore, f.TokensAfter)
			}
		case compact.Truncated:
			if out.Items[*f.To].Role != in.Items[i].Role {
				t.Fatalf("item %d is truncated and changed its role", i)
			}
			if f.Reason == compact.Joined {
				joined(t, i, &in.Items[i], &out.Items[*f.To])
			}
		case compact.Folded, compact.Dropped:
			if f.To != nil || f.TokensAfter != 0 {
				t.Fatalf("item %d is %s, and stands at %v", i, f.Fate, f.To)
			}
			continue
		}
		if f.Fate != compact.Moved && f.Reason != compact.InitialContext {
			if *f.To < last || *f.To == last && f.Fate != compact.Truncated {
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
	id := in.Model
	if req.Model != nil && req.Model.ID != "" {
		id = req.Model.ID
	}
	if m, ok := tokens.LookupModel(id); ok {
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
		if out.Items[i].Summary || out.Items[i].HoldsSummary() {
			summaries++
		}
	}
	if len(res.Receipt.Inserted) == 0 { // cleared only
		summary.Mark(p, in.Transcript)
		for i := range in.Items {
			if in.Items[i].Summary || in.Items[i].HoldsSummary() {
				summaries--
			}
		}
		if summaries != 0 || res.Summary != "" || res.Receipt.Summary.By != "none" {
			t.Fatalf("nothing is folded, and the output has %d summaries more: %q by %s", summaries, res.Summary, res.Receipt.Summary.By)
		}
	} else if summaries != 1 {
		t.Fatalf("the output holds %d summaries", summaries)
	}
	if !json.Valid(res.Transcript) && !req.Text {
		t.Fatal("the output is no JSON")
	}
}

// stillSame checks a cleared item: who speaks, what is called and what is
// answered are as before, and so are the texts.
func stillSame(t *testing.T, i int, was, is *transcript.Item) {
	t.Helper()
	shape := func(it *transcript.Item) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s %q %v", it.Role, it.Type, it.ID, it.RealUser())
		for _, p := range it.Parts {
			switch {
			case p.Kind == transcript.Call || p.Kind == transcript.Result:
				id := p.ID
				if id == p.Name || !bytes.Contains(it.Raw, []byte(id)) {
					id = "" // the reader's own, where the format has none
				}
				// A Responses item says by its text alone that it failed.
				failed := p.Failed && !strings.HasSuffix(it.Type, "_output")
				fmt.Fprintf(&b, "\n%s %q %q %v", p.Kind, id, p.Name, failed)
			case p.Kind == transcript.Text && !compact.IsPlaceholder(p.Text) && !label(p.Text):
				fmt.Fprintf(&b, "\n%q", p.Text)
			}
		}
		return b.String()
	}
	if a, b := shape(was), shape(is); a != b {
		t.Fatalf("item %d is cleared, and\n%s\nbecame\n%s", i, a, b)
	}
}

// label is what the Codex CLI writes around media: with the picture gone the
// reader takes it for a text.
func label(s string) bool {
	return strings.HasPrefix(s, "<image") || strings.HasPrefix(s, "<audio") || s == "</image>" || s == "</audio>"
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

// places are those of the output that the receipt names: several items, and the
// summary with them, may stand in one.
func places(res *core.CompactResult) int {
	seen := map[int]bool{}
	for _, f := range res.Receipt.Items {
		if f.To != nil {
			seen[*f.To] = true
		}
	}
	for _, in := range res.Receipt.Inserted {
		seen[in.To] = true
	}
	return len(seen)
}

// joined checks that all of an item stands in the one that it was joined to.
func joined(t *testing.T, i int, was, is *transcript.Item) {
	t.Helper()
	for _, p := range was.Parts {
		found := false
		for _, q := range is.Parts {
			found = found || p.Kind == q.Kind && p.Text == q.Text && p.Bytes == q.Bytes
		}
		if !found {
			t.Fatalf("item %d is joined, and its %s %q is gone from %s", i, p.Kind, p.Text, clip(is.Raw))
		}
	}
}

// sealed checks what a signature covers: it stands with the bytes that came in,
// or is gone as a whole.
func sealed(t *testing.T, in, out *transcript.Transcript, res *core.CompactResult) {
	t.Helper()
	came := map[int]map[string]bool{} // by place: the signed parts that may stand there
	signed := map[int][]bool{}        // by place: of its calls, in order
	for i, f := range res.Receipt.Items {
		if f.To == nil {
			continue
		}
		it := &in.Items[i]
		for _, p := range it.Parts {
			if p.Kind == transcript.Call {
				signed[*f.To] = append(signed[*f.To], p.Signed)
			}
			if p.Signed {
				if came[*f.To] == nil {
					came[*f.To] = map[string]bool{}
				}
				came[*f.To][string(it.Raw[p.Start:p.End])] = true
			}
		}
	}
	for i := range out.Items {
		it := &out.Items[i]
		var calls []bool
		for _, p := range it.Parts {
			if p.Kind == transcript.Call {
				calls = append(calls, p.Signed)
			}
			if p.Signed && !came[i][string(it.Raw[p.Start:p.End])] {
				t.Fatalf("place %d holds a signed %s that did not come in: %s", i, p.Kind, clip(it.Raw))
			}
		}
		if len(calls) != len(signed[i]) {
			continue
		}
		for n := range calls {
			if calls[n] != signed[i][n] {
				t.Fatalf("place %d, call %d: signed is %v, was %v: %s", i, n, calls[n], signed[i][n], clip(it.Raw))
			}
		}
	}
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
