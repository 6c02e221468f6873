package core

import (
	"bytes"
	"slices"

	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/summary"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/trigger"
)

// known is what a session knows of its history: the bytes, and the items of those
// that it read, with their counts. Of a JSON array it reads what is new alone.
type known struct {
	src  []byte // a list without its closing bracket, else all of the history
	list bool   // src is a JSON array
	text bool

	doc      *format.Document // nil: to be read
	grown    bool             // doc is not of all of src, items were added to it
	marks    int              // items that were looked at for earlier summaries
	counter  countKey
	measured tokens.Measured // by counter, of the first items
}

// countKey names a counter whose figures are kept.
type countKey struct {
	of     uint32
	factor float64
}

// hold takes another history. It is read when it is needed.
func (k *known) hold(src []byte, text bool) {
	*k = known{src: bytes.Clone(src), text: text}
	if body := bytes.TrimSpace(src); !text && len(body) > 1 && body[0] == '[' && body[len(body)-1] == ']' {
		k.src = bytes.Clone(bytes.TrimRight(body[:len(body)-1], " \t\r\n"))
		k.list = true
	}
}

// bytes is the history.
func (k *known) bytes() []byte {
	if !k.list {
		return k.src
	}
	return append(k.src[:len(k.src):len(k.src)], ']')
}

// mark is what back returns to. Whoever fails pays for all of it once more.
func (k *known) mark() known { return *k }

func (k *known) back(was known) {
	was.doc, was.grown, was.marks, was.counter, was.measured = nil, false, 0, countKey{}, tokens.Measured{}
	*k = was
}

// feed takes what a round brought.
func (k *known) feed(base Request, r Round) error {
	switch {
	case r.Transcript != nil && r.Messages != nil:
		return &Error{Code: "invalid_request", Path: "messages", Message: "stand beside a transcript, a round brings one of them"}
	case r.Transcript != nil:
		if rest, ok := k.after(r); !ok {
			k.hold(r.Transcript, r.Text)
		} else if len(rest) > 0 {
			k.grow(base, rest)
		}
	case r.Messages != nil:
		root, err := rawjson.Parse(r.Messages)
		if err != nil || !root.Is(rawjson.Array) {
			return &Error{Code: "invalid_request", Path: "messages", Message: "are no JSON array"}
		}
		if len(k.src) == 0 && !k.text {
			k.hold([]byte("[]"), false)
		}
		if !k.list {
			return &Error{Code: "invalid_request", Path: "messages", Message: "can only be added to a history that is a JSON array: send all of it as transcript"}
		}
		if root.Len() > 0 {
			inner := bytes.TrimSpace(r.Messages)
			k.grow(base, bytes.TrimSpace(inner[1:len(inner)-1]))
		}
	}
	return nil
}

// after is what a whole history has behind the one that is known: elements of its
// list; none where it is the same. false: it is another.
func (k *known) after(r Round) ([]byte, bool) {
	if !k.list || r.Text {
		return nil, false
	}
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(r.Transcript), k.src)
	if !ok {
		return nil, false
	}
	rest = bytes.TrimSpace(rest)
	if rest, ok = bytes.CutSuffix(rest, []byte{']'}); !ok {
		return nil, false
	}
	if rest = bytes.TrimSpace(rest); len(rest) == 0 || k.empty() {
		return rest, true
	}
	rest, ok = bytes.CutPrefix(rest, []byte{','})
	return bytes.TrimSpace(rest), ok
}

func (k *known) empty() bool { return len(k.src) == 1 }

// grow adds elements to the list, and reads them where they can be read alone. What
// is wrong with them is said when all of it is read.
func (k *known) grow(base Request, elements []byte) {
	if !k.empty() {
		k.src = append(k.src, ',')
	}
	k.src = append(k.src, elements...)
	if k.doc == nil {
		return
	}
	doc := k.doc
	k.doc = nil
	v := doc.Verdict
	if !slices.Contains([]string{"openai-chat", "openai-responses", "anthropic-messages"}, v.Name) || v.Shape != "array" || base.Repair || len(doc.Items) == 0 {
		return
	}
	chunk := slices.Concat([]byte{'['}, elements, []byte{']'})
	if base.Format == "" || base.Format == format.Auto {
		// Signs of another format change what the whole is taken for.
		fresh, err := format.Detect(chunk)
		if err != nil || fresh.Name != v.Name && (fresh.Confidence > 0.5 || v.Confidence <= 0.5) {
			return
		}
	}
	added, err := format.Decode(chunk, format.Options{Format: v.Name})
	if err != nil || len(doc.Items)+len(added.Items) > format.MaxItems {
		return
	}
	for i := range added.Items { // what stands before it is no item any more
		if it := &added.Items[i]; it.Summary || it.HoldsSummary() {
			return
		}
	}
	t := *doc.Transcript
	t.Items = append(t.Items, added.Items...)
	next := *doc
	next.Transcript = &t
	k.doc, k.grown = &next, true
}

// read reads all of the history.
func (k *known) read(req Request) error {
	doc, err := readHistory(req)
	if err != nil {
		return err
	}
	k.doc, k.grown, k.marks, k.counter, k.measured = doc, false, 0, countKey{}, tokens.Measured{}
	return nil
}

// whole is the document of all of src, as a request reads it.
func (k *known) whole(req Request) (*format.Document, error) {
	if req.Repair { // which reads what it mended, too
		return readHistory(req)
	}
	if k.grown {
		if err := k.read(req); err != nil {
			return nil, err
		}
	}
	return k.doc, nil
}

// marked finds the earlier summaries among the items that are new.
func (k *known) marked(p *policy.Policy) {
	t := *k.doc.Transcript
	t.Items = t.Items[k.marks:]
	summary.Mark(p, &t)
	k.marks += len(t.Items)
}

// glance decides a round by what is known, without a plan: nil where that takes
// more. due says that a compaction is called for, whose plan is made from all of
// the history.
func (k *known) glance(e *Engine, req Request, rules *policy.Policy) (j *job, due bool, err error) {
	if req.PreviousModel != nil || req.Force || req.Repair || !k.grown {
		return nil, false, nil
	}
	if err := check(req); err != nil {
		return nil, false, err
	}
	j = &job{req: req, doc: k.doc}
	if j.carried, err = decodeState(req.State); err != nil {
		return nil, false, err
	}
	if h := j.carried.Held; len(h.Failed) > 0 || h.Switch != nil {
		return nil, false, nil
	}
	if err = e.configure(j); err != nil {
		return nil, false, err
	}
	j.knownModel()
	if j.policy, err = policy.Compile(j.req.Policy, j.runs); err != nil {
		return nil, false, err
	}
	k.marked(rules)
	j.anchor()
	if j.first && len(j.carried.Held.Done) > 0 {
		return nil, false, nil // what could be folded must be known
	}
	corrected := false
	j.counts = func(c tokens.Counter) tokens.Measured {
		if corrected = j.measured.Items != nil; corrected { // by another factor at each round
			return j.measured
		}
		return k.count(c, j.modelID)
	}
	if err = j.choose(e); err != nil {
		return nil, false, err
	}
	if !j.reported() && (corrected || j.usage != nil) {
		return nil, false, nil // all of it has to be counted
	}
	t := j.doc.Transcript
	j.carried.Window = j.carried.Window.Named(req.Window).Observe(j.policy, t, j.measured, j.usage)
	j.decision, err = trigger.Evaluate(j.policy, trigger.Input{
		Transcript: t, Measured: j.measured, Counter: j.counter, Usage: j.usage, Round: req.Round,
		Phase: req.Phase, Trigger: req.Trigger, Window: j.runs.Window(), Prefill: j.carried.Window.Prefill,
		Held: j.carried.Held, Counted: j.carried.Compacted.Reported(),
		First: j.first, Full: j.full(),
	})
	if err != nil {
		return nil, false, err
	}
	j.decision.Window = j.window()
	return j, j.decision.Fired, nil
}

// reported says that the usage alone tells what the rules measure.
func (j *job) reported() bool {
	prompt, ok := j.usage.LastPrompt()
	_, also := j.usage.Total()
	for _, r := range j.policy.Triggers {
		if r.ToolOutputShare > 0 {
			return false
		}
	}
	return (ok || also) && (j.policy.Scope != policy.BodyAfterPrefix || prompt > 0 || j.carried.Window.Observed)
}

// count is the counts of all items: those that are known, and what is new.
func (k *known) count(c tokens.Counter, model string) tokens.Measured {
	t := k.doc.Transcript
	key := countKey{tokens.RatioKey(c, model), tokens.Factor(c)}
	if k.counter != key {
		beside := *t
		beside.Items = nil
		k.counter, k.measured = key, tokens.Measure(&beside, c)
	}
	for i := len(k.measured.Items); i < len(t.Items); i++ {
		k.measured.Items = append(k.measured.Items, tokens.Item(t, &t.Items[i], c))
	}
	return k.measured
}
