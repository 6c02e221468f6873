package core

import (
	"math"

	"github.com/tamp-dev/tamp/core/tokens"
)

// logged takes the provider's last count from a log that holds one, where the
// caller sends none: Codex resumes a thread with it, and compacts one that was over
// its limit before the next turn. What the model wrote behind that count (the log
// of a turn that broke off) is added by the counter that Codex uses for it; the
// prompt alone then says nothing of this history, and is left out.
func (j *job) logged() {
	r := j.doc.Reported
	if j.req.Usage != nil || r == nil {
		return
	}
	t := j.doc.Transcript
	more := tokens.Generated(t, len(t.Items)-r.Behind, tokens.Bytes4())
	total := min(r.Total, math.MaxInt-more) + more
	u := &Usage{TotalTokens: &total}
	if more == 0 && r.Prompt > 0 {
		u.InputTokens, u.OutputTokens = &r.Prompt, &r.Output
	}
	j.req.Usage = u
}
