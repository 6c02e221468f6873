package core_test

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// Random sessions of 200 rounds, to show that no host which follows the decisions
// can loop. One kind of host asks before each round. The other, greedy, asks again
// as long as the decision says to compact.
//
// What bounds the tries of a session. Within a round nothing grows: the first try
// marks all rules that are reached. What can still fire is what the new history
// shows (a count that takes the place of a usage from before may be the larger), and
// a rule on rounds alone, which has no mark of a success but finds nothing to fold
// any more. So three tries at most, and then a no. Over the rounds a rule that
// failed fires again at more than twice what could be folded then, so that n tokens
// hold 2+log2(n) failures, however often its size goes below the threshold and
// comes back; one that worked fires again above the size at which it did, or where
// it was below its threshold since, or where what it left doubled or half used up the
// room to the window; and rounds fire at their multiples. A watcher
// that knows the measures and the fates, but none of the engine's marks, checks
// that at each decision.

const sessionRounds = 200

// course is how one of them goes. Numbers in the policies suit messages of some
// 20 tokens: 200 rounds are about 15,000.
type course struct {
	policy, format string
	usage          string // what the provider reports: absent, present, hidden, wild, stale, same, rising
	summary        string // digest, short, long, failing
	greedy         bool
	rounds         bool // the host says which round it is
	window         int
	previous       *core.Model // the host says this in every call, as long as it lives
	sealed         bool        // the model thinks in encrypted items
	never          bool        // nothing can ever be folded with a gain
}

func courses() map[string]course {
	var many []string // as many rules as a policy may have, reached one after the other
	for i := range 64 {
		many = append(many, fmt.Sprintf(`{"messages":%d}`, 5*i+5))
	}
	rules := func(triggers, keep string) string {
		return `{"preset":"balanced","triggers":[` + triggers + `],"keep":{"last_tokens":0,` + keep + `},"summary":{"on_failure":"keep"}}`
	}
	lait := func(fields string) string { return `{"lait":{` + fields + `}}` }
	codex := func(fields string) string { return `{"codex":{"user_message_tokens":200,` + fields + `}}` }
	return map[string]course{
		"off":                  {policy: rules("", `"last_messages":4`), usage: "wild", summary: "short", greedy: true},
		"off, switching":       {policy: rules("", `"last_messages":4`), usage: "hidden", summary: "short", window: 500, greedy: true, previous: &core.Model{ID: "large", ContextWindow: 100000}},
		"lait rounds":          {policy: lait(`"trigger_rounds":3`), usage: "absent", summary: "digest", rounds: true},
		"lait rounds derived":  {policy: lait(`"trigger_rounds":2,"keep_last_n":2`), usage: "absent", summary: "short", greedy: true},
		"lait every round":     {policy: lait(`"trigger_rounds":1`), usage: "wild", summary: "short", rounds: true, greedy: true},
		"lait tokens":          {policy: lait(`"trigger_tokens":800`), usage: "present", summary: "digest"},
		"lait tokens hidden":   {policy: lait(`"trigger_tokens":800`), usage: "hidden", summary: "short", greedy: true},
		"lait tokens stale":    {policy: lait(`"trigger_tokens":800`), usage: "stale", summary: "short"},
		"lait tokens same":     {policy: lait(`"trigger_tokens":800,"keep_last_n":2`), usage: "same", summary: "short", greedy: true},
		"lait tokens rising":   {policy: lait(`"trigger_tokens":800`), usage: "rising", summary: "short"},
		"lait tokens wild":     {policy: lait(`"trigger_tokens":800`), usage: "wild", summary: "digest", greedy: true},
		"lait both":            {policy: lait(`"trigger_rounds":6,"trigger_tokens":800`), usage: "present", summary: "short", rounds: true, format: "anthropic-messages"},
		"lait keeps none":      {policy: lait(`"trigger_tokens":300,"keep_last_n":0`), usage: "hidden", summary: "short", greedy: true},
		"lait keeps all":       {policy: lait(`"trigger_rounds":2,"trigger_tokens":800,"keep_last_n":100000`), usage: "wild", summary: "short", rounds: true, greedy: true, never: true},
		"lait grows":           {policy: lait(`"trigger_rounds":2,"trigger_tokens":800`), usage: "wild", summary: "long", rounds: true, greedy: true, never: true},
		"lait fails":           {policy: `{"preset":"lait","triggers":[{"rounds":2},{"tokens":800}],"summary":{"on_failure":"keep"}}`, usage: "wild", summary: "failing", greedy: true, never: true},
		"codex":                {policy: codex(`"model_auto_compact_token_limit":900`), usage: "present", summary: "short", format: "openai-responses", sealed: true},
		"codex absent":         {policy: codex(`"model_auto_compact_token_limit":900`), usage: "absent", summary: "digest", format: "openai-responses", greedy: true},
		"codex hidden":         {policy: codex(`"model_auto_compact_token_limit":900`), usage: "hidden", summary: "short", format: "openai-responses", greedy: true, window: 4000},
		"codex growth":         {policy: codex(`"model_auto_compact_token_limit":400,"model_auto_compact_token_limit_scope":"body_after_prefix"`), usage: "hidden", summary: "short", format: "openai-responses", window: 20000},
		"codex growth, wild":   {policy: codex(`"model_auto_compact_token_limit":400,"model_auto_compact_token_limit_scope":"body_after_prefix"`), usage: "wild", summary: "short", format: "openai-responses", window: 3000, greedy: true},
		"codex remote":         {policy: codex(`"implementation":"remote"`), usage: "present", summary: "short", format: "openai-responses", window: 2000, greedy: true},
		"codex long summaries": {policy: codex(`"model_auto_compact_token_limit":900`), usage: "rising", summary: "long", format: "openai-responses", greedy: true, never: true},
		"balanced":             {policy: `{"preset":"balanced"}`, usage: "present", summary: "digest", window: 2000, format: "anthropic-messages"},
		"balanced absent":      {policy: `{"preset":"balanced"}`, usage: "absent", summary: "short", window: 1000, greedy: true},
		"balanced tiny":        {policy: `{"preset":"balanced"}`, usage: "wild", summary: "digest", window: 60, greedy: true},
		"prune":                {policy: `{"preset":"prune","triggers":[{"tokens":800}],"tools":{"protect_tokens":100,"min_gain":50}}`, usage: "hidden", summary: "digest", greedy: true},
		"prune and fold":       {policy: `{"preset":"prune","triggers":[{"tokens":800}],"keep":{"all":false,"last_tokens":100},"tools":{"protect_tokens":100,"min_gain":50}}`, usage: "present", summary: "short", greedy: true},
		"bytes":                {policy: rules(`{"bytes":4000}`, `"last_messages":6`), usage: "absent", summary: "short", greedy: true},
		"messages":             {policy: rules(`{"messages":12}`, `"last_messages":8`), usage: "wild", summary: "short", format: "openai-responses"},
		"messages, kept":       {policy: rules(`{"messages":12}`, `"last_messages":20`), usage: "absent", summary: "short", greedy: true},
		"turns":                {policy: rules(`{"turns":3},{"turns":2,"fraction":0.3}`, `"last_turns":2`), usage: "present", summary: "digest", window: 2000, greedy: true},
		"tool output":          {policy: rules(`{"tool_output_share":0.3}`, `"last_messages":4`), usage: "absent", summary: "short", greedy: true},
		"rounds and messages":  {policy: rules(`{"rounds":2,"messages":9},{"tokens":700}`, `"last_messages":4`), usage: "stale", summary: "short", greedy: true, rounds: true},
		"many rules":           {policy: rules(strings.Join(many, ","), `"last_messages":4`), usage: "absent", summary: "short", greedy: true},
		"many rules that fail": {policy: rules(strings.Join(many, ","), `"last_messages":4`), usage: "absent", summary: "failing", greedy: true, never: true},
		"downshift each time": {
			policy: rules(`{"tokens":100000}`, `"last_messages":4`), usage: "hidden", summary: "short", greedy: true, window: 1000,
			previous: &core.Model{ID: "large", ContextWindow: 100000},
		},
		"downshift that keeps all": {
			policy: rules(`{"tokens":100000}`, `"pins":[{"text":"a"},{"text":"e"},{"text":"i"},{"text":"o"}]`), usage: "hidden", summary: "short", greedy: true, window: 1000,
			previous: &core.Model{ID: "large", ContextWindow: 100000}, never: true,
		},
		"another hash each time": {
			policy: codex(`"model_context_window":100000`), usage: "present", summary: "short", greedy: true, format: "openai-responses", sealed: true,
			previous: &core.Model{ID: "old", ContextWindow: 100000, CompHash: "A"},
		},
	}
}

func TestNoSessionLoops(t *testing.T) {
	for name, s := range courses() {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) {
				t.Parallel()
				h := &sessionHost{t: t, course: s, random: rand.New(rand.NewPCG(seed, uint64(len(name)))), watch: watcher{marks: map[string]*tried{}}}
				h.run()
			})
		}
	}
}

// sessionHost is a host with its history.
type sessionHost struct {
	t *testing.T
	course
	random *rand.Rand
	items  []string
	state  json.RawMessage
	round  int // of the tool loop
	calls  int // ever
	sizes  []int
	before [2]int // the last prompt and total that were known at a compaction
	watch  watcher
	live   *core.Session // goes the same way, fed with what is new
	fed    int           // items of it

	tries, compactions, failures int
}

func (h *sessionHost) run() {
	h.t.Helper()
	h.add("user", "Make all of it pass, and say what was wrong. "+h.words(30))
	h.round = 1
	for n := range sessionRounds {
		h.step(n)
		h.follow()
	}
	if h.never { // so that what can be folded only grows
		could := foldable(h.t, h.forced(nil))
		if most := len(h.watch.marks) * (2 + bits.Len(uint(could))); h.failures == 0 || h.failures > most {
			h.t.Errorf("%d answers of no progress, %d is the most for %d tokens", h.failures, most, could)
		}
		if h.compactions > 0 {
			h.t.Errorf("%d compactions of a history that can not shrink: the test shows nothing", h.compactions)
		}
	}
	if off := strings.Contains(h.policy, `"triggers":[]`); off != (h.tries == 0) {
		h.t.Errorf("off is %v, and %d compactions were tried", off, h.tries)
	}
}

// follow does what the decisions say until they say nothing more.
func (h *sessionHost) follow() {
	h.t.Helper()
	usage := h.report()
	for asked := 1; ; asked++ {
		res := h.ask(usage, asked == 1 || !reported(usage))
		if !res.Decision.Fired {
			return
		}
		if !h.greedy {
			return
		}
		if asked > 3 {
			h.t.Fatalf("fires %d times in one round: %s, %+v", asked, res.Reason, res.Decision.Rules)
		}
	}
}

// forced is a request whose plan says what could be folded, and has no summary.
func (h *sessionHost) forced(usage *core.Usage) core.Request {
	req := core.Request{
		Transcript: []byte("[" + strings.Join(h.items, ",") + "]"), Format: h.format, Policy: json.RawMessage(h.policy),
		Usage: usage, State: h.state, PreviousModel: h.previous, Force: true,
	}
	if req.Format == "" {
		req.Format = "openai-chat"
	}
	if h.window > 0 || h.previous != nil {
		req.Model = &core.Model{ID: "small", ContextWindow: h.window, CompHash: "B"}
	}
	if h.rounds {
		req.Round = &h.round
	}
	return req
}

func reported(u *core.Usage) bool {
	prompt, _ := u.LastPrompt()
	total, _ := u.Total()
	return prompt > 0 || total > 0
}

func (h *sessionHost) ask(usage *core.Usage, fresh bool) *core.CompactResult {
	h.t.Helper()
	asks := h.forced(usage)
	req := asks
	req.Force = false
	switch h.summary {
	case "short":
		text := "The lexer was wrong, and then the parser."
		req.Summary = &text
	case "long":
		text := strings.Repeat("It was wrong here and there, which is told again. ", len(req.Transcript)/20)
		req.Summary = &text
	case "failing":
		req.Answers = []core.Answer{{Error: "failed"}, {Error: "empty"}}
	}
	res, err := core.Compact(req)
	if err != nil {
		h.t.Fatal(err)
	}
	conserved(h.t, res)
	h.follows(req, res)
	if len(res.State) >= 2048 {
		h.t.Fatalf("the state has %d bytes: %s", len(res.State), res.State)
	}
	prompt, _ := usage.LastPrompt()
	total, _ := usage.Total()
	refused := h.window > 0 && prompt == 0 && total >= h.window*95/100 // what a model takes of its window
	figure := fresh && reported(usage) && [2]int{prompt, total} != h.before
	h.watch.see(h.t, res, fresh, figure, refused, h.window, func() int { return foldable(h.t, asks) }, func() *core.CompactResult {
		asks := asks
		asks.Transcript, asks.Usage, asks.State = res.Transcript, nil, nil
		plan, err := core.Plan(asks)
		if err != nil {
			h.t.Fatal(err)
		}
		return &core.CompactResult{Decision: plan.Decision}
	})
	h.state = res.State
	if res.Decision.Fired {
		h.tries++
	} else if res.Reason != core.NotTriggered {
		h.t.Fatalf("nothing fired, and the reason is %q", res.Reason)
	}
	switch {
	case res.Compacted:
		if reported(usage) {
			h.before = [2]int{prompt, total}
		}
		h.compactions++
		if res.Receipt.TokensAfter >= res.Receipt.TokensBefore {
			h.t.Fatalf("%d tokens became %d", res.Receipt.TokensBefore, res.Receipt.TokensAfter)
		}
		var items []json.RawMessage
		if err := json.Unmarshal(res.Transcript, &items); err != nil {
			h.t.Fatal(err)
		}
		h.items = nil
		for _, it := range items {
			h.items = append(h.items, string(it))
		}
	case res.Decision.Fired:
		h.failures++
	}
	return res
}
