package tokens

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// report is a request: what was reported, what was counted.
type report struct{ reported, counted int }

func observed(whole bool, reports ...report) Ratio {
	var r Ratio
	for _, x := range reports {
		r = r.Observe(7, x.reported, x.counted, whole)
	}
	return r
}

func TestRatio(t *testing.T) {
	for _, x := range []struct {
		name    string
		whole   bool
		reports []report
		want    int // thousandths, 0 unknown
	}{
		{"nothing", true, nil, 0},
		{"one report of all that was sent", true, []report{{1300, 1000}}, 1300},
		{"one report, too short", true, []report{{390, 300}}, 0},
		{"one report of a part", false, []report{{9300, 1000}}, 0},
		{"steps drop what is hidden", false, []report{{9300, 1000}, {10600, 2000}}, 1300},
		{"steps add up", true, []report{{1300, 1000}, {2600, 2000}, {3600, 3000}}, 1200},
		{"the same again", true, []report{{1300, 1000}, {1300, 1000}, {1300, 1000}}, 1300},
		{"short steps wait", false, []report{{1000, 1000}, {1150, 1100}, {1300, 1200}, {1900, 1600}}, 1500},
		{"another history: the step is void", false, []report{{9000, 5000}, {9700, 5500}, {2000, 1000}, {3300, 2000}}, 1333}, // (700+1300)/(500+1000)
		{"tools were added: the step is void", false, []report{{1000, 1000}, {9000, 2000}, {10300, 3000}}, 1300},
		{"fewer than possible", true, []report{{100, 1000}}, 0},
		{"no numbers", true, []report{{0, 1000}, {1000, 0}, {-5, 10}, {1 << 40, 1 << 40}}, 0},
	} {
		if got := observed(x.whole, x.reports...).Milli(); got != x.want {
			t.Errorf("%s: %d, want %d (%+v)", x.name, got, x.want, observed(x.whole, x.reports...))
		}
	}
}

func TestRatioForgetsSlowly(t *testing.T) {
	r := Ratio{}
	reported, counted := 1000, 1000
	for range 40 { // 200,000 tokens at 1.2, then as many at 1.6
		reported, counted = reported+6000, counted+5000
		r = r.Observe(7, reported, counted, false)
	}
	if r.Milli() != 1200 || r.SumCounted > ratioMemory {
		t.Errorf("%d of %d", r.Milli(), r.SumCounted)
	}
	for range 40 {
		reported, counted = reported+8000, counted+5000
		r = r.Observe(7, reported, counted, false)
	}
	if r.Milli() < 1500 || r.Milli() > 1600 {
		t.Errorf("%d after as much again at 1,600", r.Milli())
	}
}

func TestRatioIsOfOneModel(t *testing.T) {
	r := observed(true, report{1300, 1000})
	if got := r.Observe(8, 1000, 1000, true).Milli(); got != 1000 {
		t.Errorf("another model takes over: %d", got)
	}
	a, b := RatioKey(Estimate(), "gpt-4o"), RatioKey(Estimate(), "claude")
	if a == b || a == RatioKey(Bytes4(), "gpt-4o") || a != RatioKey(Estimate(), "gpt-4o") {
		t.Error("keys do not tell counters and models apart")
	}
	// A state that nobody here wrote.
	forged := Ratio{Of: 7, Reported: -1, Counted: -1, SumReported: 1 << 40, SumCounted: 600}
	if got := forged.Observe(7, 2600, 2000, true).Milli(); got != 1300 {
		t.Errorf("forged: %d", got)
	}
	if got := (Ratio{SumReported: 1 << 60, SumCounted: 500}).Milli(); got != 3000 {
		t.Errorf("forged sums: %d, want the limit", got)
	}
	again := r.Restart()
	if again.Milli() != 1300 || again.Counted != 0 {
		t.Errorf("behind a compaction: %+v", again)
	}
	// The first report behind it, in a smaller history, opens a new step.
	if got := again.Observe(7, 700, 400, false); got.Milli() != 1300 || got.Counted != 400 {
		t.Errorf("the report behind a compaction: %+v", got)
	}
}

func TestSent(t *testing.T) {
	u, a := message(transcript.User, "do it"), message(transcript.Assistant, "done")
	tr := &transcript.Transcript{Family: transcript.Responses, Items: []transcript.Item{u, sealed("reasoning", 2000), call(), output("x"), a, u}}
	m := Measured{Overhead: 100, Items: []int{1, 2, 4, 8, 16, 32}}
	for _, x := range []struct {
		usage             string
		reported, counted int
	}{
		{`{"input_tokens":500,"output_tokens":9}`, 500, 100 + 1 + 2 + 4 + 8}, // what the last answer, item 4, was to
		{`{"total_tokens":600}`, 600, 100 + 1 + 2 + 4 + 8 + 16},
		{`{"input_tokens":50,"cache_read_input_tokens":450}`, 500, 115},
	} {
		reported, counted, ok := Sent(tr, usage(t, x.usage), m)
		if !ok || reported != x.reported || counted != x.counted {
			t.Errorf("%s: %d for %d, %v; want %d for %d", x.usage, reported, counted, ok, x.reported, x.counted)
		}
	}
	for name, u := range map[string]*Usage{"no usage": nil, "nothing in it": {}, "zero": usage(t, `{"prompt_tokens":0}`)} {
		if _, _, ok := Sent(tr, u, m); ok {
			t.Errorf("%s is compared", name)
		}
	}
	tr.Items = tr.Items[:1]
	if _, _, ok := Sent(tr, usage(t, `{"input_tokens":500}`), Measured{Items: []int{1}}); ok {
		t.Error("a history without an answer is compared")
	}
}

func TestWhole(t *testing.T) {
	text := message(transcript.User, "a")
	for name, x := range map[string]struct {
		tr   transcript.Transcript
		want bool
	}{
		"a bare list":             {transcript.Transcript{Items: []transcript.Item{text}}, false},
		"a body without calls":    {transcript.Transcript{Items: []transcript.Item{text}, Model: "m"}, true},
		"its calls have no tools": {transcript.Transcript{Items: []transcript.Item{text, call()}, Model: "m"}, false},
		"calls without the tools": {transcript.Transcript{Items: []transcript.Item{text, call()}}, false},
		"calls with them":         {transcript.Transcript{Items: []transcript.Item{text, call()}, Tools: []byte(`[{}]`)}, true},
	} {
		if Whole(&x.tr) != x.want {
			t.Errorf("%s: %v", name, !x.want)
		}
	}
}

func TestMark(t *testing.T) {
	u, a := message(transcript.User, "do it"), message(transcript.Assistant, "done")
	history := func(items ...transcript.Item) *transcript.Transcript {
		return &transcript.Transcript{Family: transcript.Responses, Items: items}
	}
	before := usage(t, `{"prompt_tokens":900,"completion_tokens":50}`)
	mark := MarkOf(3, before, nil)
	if *mark != (Mark{Items: 3, Prompt: 900, Total: 950}) {
		t.Fatalf("%+v", mark)
	}
	for _, x := range []struct {
		name  string
		tr    *transcript.Transcript
		usage string
		want  bool
	}{
		{"sent again at once", history(u, a, u), `{"prompt_tokens":900,"completion_tokens":50}`, true},
		{"sent again behind a message", history(u, a, u, u), `{"prompt_tokens":900,"completion_tokens":50}`, true},
		{"another figure, but nobody answered since", history(u, a, u, u), `{"prompt_tokens":901,"completion_tokens":50}`, true},
		{"no answer, and the host says that a request was refused", history(u, a, u, u), `{"total_tokens":1000}`, false},
		{"says it with the other figures at nought", history(u, a, u, u), `{"input_tokens":0,"output_tokens":0,"total_tokens":1000}`, false},
		{"it is not full: the host's own estimate", history(u, a, u, u), `{"total_tokens":999}`, true},
		{"a prompt says that it was answered", history(u, a, u, u), `{"prompt_tokens":990,"completion_tokens":10}`, true},
		{"behind an answer", history(u, a, u, a), `{"prompt_tokens":300,"completion_tokens":20}`, false},
		{"the old one behind an answer", history(u, a, u, a), `{"prompt_tokens":900,"completion_tokens":50}`, true},
		{"the old one, the compaction was not used", history(u, a, u, a, u, a, u), `{"prompt_tokens":900,"completion_tokens":50}`, true},
	} {
		if got := mark.Stale(x.tr, usage(t, x.usage), 1000); got != x.want {
			t.Errorf("%s: %v", x.name, got)
		}
	}
	for _, x := range []struct {
		name  string
		tr    *transcript.Transcript
		usage string
		want  bool
	}{
		{"sent again at once", history(u, a, u), `{"prompt_tokens":900,"completion_tokens":50}`, true},
		{"the same figure behind an answer", history(u, a, u, a), `{"prompt_tokens":900,"completion_tokens":50}`, false},
		{"a request was refused", history(u, a, u), `{"total_tokens":1000}`, false},
	} {
		if got := mark.Unanswered(x.tr, usage(t, x.usage), 1000); got != x.want {
			t.Errorf("%s: unanswered is %v", x.name, got)
		}
	}
	// A request that is refused once more is told in the same figures.
	refused := usage(t, `{"total_tokens":1000}`)
	again := MarkOf(2, refused, nil)
	if !again.Stale(history(u, a), refused, 1000) || again.Stale(history(u, a, u), refused, 1000) || again.Stale(history(u, a, a), refused, 1000) {
		t.Error("refused again: stale is what came with nothing new, and nothing else")
	}
	if !again.Stale(history(u, a, a), refused, 1001) {
		t.Error("what is not full is the figure of before")
	}
	if !mark.Unanswered(history(u), usage(t, `{"total_tokens":1000}`), 0) {
		t.Error("nobody knows what is full, and a total is")
	}
	if mark.Unanswered(history(u), nil, 1000) || (*Mark)(nil).Unanswered(history(u), before, 1000) {
		t.Error("without a usage, or a compaction, nothing is unanswered")
	}
	if mark.Stale(history(u, a), nil, 1000) || (*Mark)(nil).Stale(history(u), before, 1000) {
		t.Error("without a usage, or a compaction, nothing is stale")
	}
	if got := MarkOf(5, nil, mark); *got != (Mark{Items: 5, Prompt: 900, Total: 950}) {
		t.Errorf("the earlier usage is forgotten: %+v", got)
	}
	if got := MarkOf(5, &Usage{}, nil); *got != (Mark{Items: 5}) || got.Stale(history(u, u, u, u, u, a), &Usage{}, 1000) {
		t.Errorf("no numbers are the same as no numbers: %+v", got)
	}
}

// Two texts as one item, and as one text: what joining adds is a frame.
func TestMeasureIsASum(t *testing.T) {
	texts := []string{"", "hello there", strings.Repeat("0123456789abcdef ", 50), "日本語のテキスト", "{\"a\": [1, 2, 3]}\n"}
	for _, m := range []*Model{nil, {Factor: 1.3}, {Encoding: "o200k_base"}} {
		c := m.Counter(Estimate(), 0)
		tr := &transcript.Transcript{System: "Be brief.", Tools: []byte(`[{"type":"function","name":"a","description":"b"}]`)}
		sum := 0
		for _, text := range texts {
			it := message(transcript.User, text)
			tr.Items = append(tr.Items, it)
			sum += Item(tr, &it, c)
		}
		all := Measure(tr, c)
		if got := all.Total() - all.Overhead; got != sum {
			t.Errorf("the items together are %d, one by one %d", got, sum)
		}
		for i := range tr.Items {
			part := *tr
			part.Items = tr.Items[:i]
			rest := *tr
			rest.Items = tr.Items[i:]
			a, b := Measure(&part, c), Measure(&rest, c)
			if a.Total()+b.Total()-a.Overhead != all.Total() {
				t.Errorf("cut at %d: %d and %d, whole %d", i, a.Total(), b.Total(), all.Total())
			}
		}
		for _, a := range texts {
			for _, b := range texts {
				// A dozen tokens is what joining may add to the estimate; a factor adds half a token of rounding.
				if both, apart := c.Count(a+b), c.Count(a)+c.Count(b); both > apart+16 {
					t.Errorf("%q and %q: %d together, %d apart", a, b, both, apart)
				}
			}
		}
	}
}
