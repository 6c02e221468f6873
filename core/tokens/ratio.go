package tokens

import (
	"hash/fnv"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Ratio is what the provider's own numbers say of an estimate, along one
// conversation: the tokens that it reported for those that were counted. It is
// carried from call to call as numbers. The zero value knows nothing.
//
// Steps are compared, not totals, where two reports are known: what nobody shows
// us stands in both (the tools of a bare list of messages), and drops out.
type Ratio struct {
	Of       uint32 `json:"of"`       // whose: see RatioKey
	Reported int    `json:"reported"` // of the last request
	Counted  int    `json:"counted"`  // of the same, without a correction
	// The steps so far. Beyond ratioMemory both are halved, so that the newest
	// text weighs most.
	SumReported int `json:"sum_reported"`
	SumCounted  int `json:"sum_counted"`
}

const (
	ratioStep   = 200     // tokens: a shorter step waits for the next, its rounding is no measure
	ratioFirst  = 500     // tokens to be known before the ratio is used
	ratioMemory = 100_000 // tokens
	// Beyond these the numbers are not of the text that was counted (tools were
	// added, a part was cut away): no two vocabularies of today are further
	// apart than 2 on any class of text.
	ratioLeast = one / 2
	ratioMost  = 3 * one
	// reportMost bounds what a provider may claim, so that no product overflows.
	reportMost = 1 << 30
)

// RatioKey names a counter for a model, in a number: a ratio holds for no other.
func RatioKey(c Counter, model string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(c.Name() + "\x00" + model)) // never fails
	return h.Sum32()
}

// Milli is the ratio in thousandths, 500 to 3,000; 0 is unknown: fewer than 500
// tokens were compared.
func (r Ratio) Milli() int {
	if r.SumCounted < ratioFirst || r.SumReported <= 0 {
		return 0
	}
	reported, counted := min(r.SumReported, reportMost), min(r.SumCounted, reportMost)
	return int(min(max(int64(reported)*one/int64(counted), ratioLeast), ratioMost))
}

// Observe is the ratio after one more report of the counter and model of that
// key. whole says that everything which was sent was also counted, so that even
// a first report tells. The same report again changes nothing.
func (r Ratio) Observe(key uint32, reported, counted int, whole bool) Ratio {
	if reported <= 0 || counted <= 0 || reported > reportMost || counted > reportMost {
		return r
	}
	if r.Of != key || r.Reported < 0 || r.Counted < 0 || min(r.SumReported, r.SumCounted) < 0 ||
		max(r.SumReported, r.SumCounted) > reportMost {
		r = Ratio{Of: key}
	}
	dr, dc := reported-r.Reported, counted-r.Counted
	switch {
	case r.Counted == 0 && (!whole || counted < ratioStep):
	case r.Counted > 0 && dc >= 0 && dc < ratioStep && dr >= 0:
		return r // the same again, or too little: the step goes on from where it began
	case dc > 0 && plausible(dr, dc):
		r.SumReported, r.SumCounted = r.SumReported+dr, r.SumCounted+dc
		for r.SumCounted > ratioMemory {
			r.SumReported, r.SumCounted = r.SumReported/2, r.SumCounted/2
		}
	}
	r.Reported, r.Counted = reported, counted
	return r
}

func plausible(reported, counted int) bool {
	milli := int64(reported) * one / int64(counted)
	return milli >= ratioLeast && milli <= ratioMost
}

// Restart is the ratio behind a compaction: what it knows stays, and the next
// step begins at the next report.
func (r Ratio) Restart() Ratio {
	r.Reported, r.Counted = 0, 0
	return r
}

// Sent compares a report with what it is of: the reported tokens of the last
// request, and those of m that it held. Where only a total is known both hold
// the answer too. false: nothing can be compared.
func Sent(t *transcript.Transcript, u *Usage, m Measured) (reported, counted int, ok bool) {
	to := answered(t)
	if to == 0 || len(m.Items) != len(t.Items) {
		return 0, 0, false
	}
	reported, ok = u.LastPrompt()
	if ok {
		for to > 0 && generated(t, &t.Items[to-1]) {
			to--
		}
	} else if reported, ok = u.Total(); !ok {
		return 0, 0, false
	}
	counted = m.Overhead
	for _, n := range m.Items[:to] {
		counted = plus(counted, n)
	}
	return reported, counted, reported > 0
}

// Whole reports whether the transcript shows all that a request of it sends: it
// is the body of one, which names its model, with the tools that it calls. A
// bare list may have instructions and tools beside it, called or not.
func Whole(t *transcript.Transcript) bool {
	if len(t.Tools) > 0 {
		return true
	}
	for i := range t.Items {
		if t.Items[i].Has(transcript.Call, transcript.Result) {
			return false
		}
	}
	return t.Model != ""
}
