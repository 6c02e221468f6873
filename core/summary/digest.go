package summary

import (
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// DigestOptions says how long a digest may be, and in which language.
type DigestOptions struct {
	// Counter measures the budget.
	Counter tokens.Counter
	// Budget is the tokens of the whole text, its first line and headings
	// included. What stands around the text (a policy's prefix) is the caller's.
	Budget int
	// Language is "auto" (or ""), "en" or "ja"; any other tag is English. auto:
	// that of most real user text of the transcript.
	Language string
	// Earlier are the texts of the summaries that this one replaces, oldest
	// first, without their prefixes. What they hold lives on in the digest.
	Earlier []string
	// Bare says that the first line alone is better than no digest: where the
	// caller insists on a compaction, and so little is folded that a tenth of it
	// holds no more. Files that were written must be counted even then.
	Bare bool
}

// Digest is a summary that no model wrote: what the folded items of t say about
// goal, constraints, work done, files, commands, open errors, the last step and
// the next one, in this order, put together by fixed rules. folded holds
// indices of t.Items, ascending.
//
// Our own words stand at the margin; all that comes from the transcript is
// quoted word for word on indented lines, one line each, so that no text can
// pass for ours. Only names of files stand among our words, and only names that
// cannot be mistaken. Every file that a call writes, moves or deletes is named
// or counted; a command's outcome is that of its last run, and "not recorded"
// where the transcript does not tell. Earlier digests are taken apart and
// merged, so that there is always one.
//
// The text fits the budget by its counter and has no newline at its end. It is
// "" where there is nothing to say (unless Bare), no counter, or a budget too
// small for the first line and the counts of files. Cost: linear in the folded items, the
// kept ones behind them and the user's text; it never fails, and the same input
// gives the same bytes on every platform.
func Digest(t *transcript.Transcript, folded []int, opt DigestOptions) string {
	if t == nil || opt.Counter == nil || opt.Budget <= 0 {
		return ""
	}
	r := gather(t, folded, opt.Earlier)
	return compose(r, choose(opt.Language, t, r), opt)
}
