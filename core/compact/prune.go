package compact

import (
	"strings"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Pruning takes out what old items hold and the model does not need again, by
// the policy's tools and without a model: the item stays in its place with a
// placeholder. What counts as old depends only on what stands behind it, and a
// pass clears all of it or nothing, so a second pass over the result finds
// nothing: the provider's prompt cache breaks once.

// cleared is an item with some of its parts cleared.
type cleared struct {
	item   transcript.Item
	tokens int
	why    Reason
}

// edit is one change of a part, and why.
type edit struct {
	transcript.Edit
	why    Reason
	tokens int // of the part as it came
}

// pruner finds what a pass clears.
type pruner struct {
	*keeper
	tools    *policy.Tools
	excluded map[string]bool
	open     map[int]bool // groups with a call that waits for its result
	read     transcript.Ref
	turn     int // where the latest turn that the model answered in begins
	edits    map[int][]edit
	spared   map[Spared]SparedParts
}

// prune fills k.cleared, and k.size with what the items count then.
func (k *keeper) prune() {
	if k.p.Tools == nil {
		return
	}
	pr := &pruner{keeper: k, tools: k.p.Tools, excluded: map[string]bool{}, open: map[int]bool{}, edits: map[int][]edit{}, spared: map[Spared]SparedParts{}}
	for _, name := range pr.tools.Exclude {
		pr.excluded[name] = true
	}
	for i, open := range k.pair.Open {
		if open {
			pr.open[k.pair.Group[i]] = true
		}
	}
	pr.read = answered(k.t)
	pr.turn = latestTurn(k.t, pr.read.Item)
	pr.results()
	pr.media()
	pr.reasoning()
	pr.finish()
}

// answered is the first part that the model has not answered yet: all before it
// stood in a request that it answered. In formats whose answers hold the results
// of their own calls, only a word behind a result shows that it was read.
func answered(t *transcript.Transcript) transcript.Ref {
	for i := len(t.Items) - 1; i >= 0; i-- {
		it := &t.Items[i]
		if !it.Generated() || it.Summary {
			continue
		}
		if it.Has(transcript.Result) {
			for j := len(it.Parts) - 1; j > 0; j-- {
				if k := it.Parts[j].Kind; k == transcript.Text || k == transcript.Thinking {
					return transcript.Ref{Item: i, Part: j}
				}
			}
		}
		return transcript.Ref{Item: i}
	}
	return transcript.Ref{}
}

// latestTurn is the real user message that the item at the end belongs to, 0
// where there is none: then all is one turn. A message that holds results as
// well goes on with the tool loop that it stands in.
func latestTurn(t *transcript.Transcript, end int) int {
	for i := min(end, len(t.Items)-1); i > 0; i-- {
		if it := &t.Items[i]; it.RealUser() && !it.Has(transcript.Result) {
			return i
		}
	}
	return 0
}

// touchable reports whether anything of the item may be cleared: not where the
// policy pins it, and not while one of its calls waits.
func (pr *pruner) touchable(i int) bool {
	return !pr.pinned[i] && !pr.open[pr.pair.Group[i]] && !pr.t.Items[i].Summary
}

func (pr *pruner) add(i, part int, text string, why Reason, size int) {
	pr.edits[i] = append(pr.edits[i], edit{transcript.Edit{Part: part, Text: text, Drop: text == ""}, why, size})
}

// results clears the outputs of tools, and the inputs of their calls. All
// results count for the newest that stay, those too that stay on another account
// and those that are cleared: else the next pass would reach further.
func (pr *pruner) results() {
	calls := transcript.Calls(pr.t)
	seen := map[transcript.Ref]bool{} // a call may have an interim result and another
	rank, sum := 0, 0
	for i := len(pr.t.Items) - 1; i >= 0; i-- {
		it := &pr.t.Items[i]
		for j := len(it.Parts) - 1; j >= 0; j-- {
			p := &it.Parts[j]
			if p.Kind != transcript.Result || p.Server {
				continue
			}
			size := pr.resultSize(it, j)
			rank++
			sum += size
			call, called := calls[transcript.Ref{Item: i, Part: j}]
			name := p.Name
			if called {
				name = pr.t.Items[call.Item].Parts[call.Part].Name
			}
			if why := pr.stays(i, j, name, rank, sum); why != "" {
				pr.spare(why, size)
				continue
			}
			if IsPlaceholder(p.Text) {
				pr.spare(AlreadyCleared, size)
			} else if text := clearedResult(name, size); pr.counter.Count(text) < size {
				pr.add(i, j, text, ResultCleared, size)
			} else {
				pr.spare(NotSmaller, size)
			}
			if called && pr.tools.Inputs && !seen[call] {
				seen[call] = true
				pr.input(call)
			}
		}
	}
}

// stays is why a result stays, "" where it does not: rank and sum are its place
// among the results and their tokens, counted from the newest.
func (pr *pruner) stays(i, j int, name string, rank, sum int) Spared {
	switch {
	case rank <= pr.tools.KeepLast:
		return AmongNewest
	case pr.tools.ProtectTokens > 0 && sum <= pr.tools.ProtectTokens:
		return Protected
	case i > pr.read.Item, i == pr.read.Item && j >= pr.read.Part:
		return Unread
	case pr.excluded[name]:
		return Excluded
	case pr.tools.KeepErrors && pr.t.Items[i].Parts[j].Failed:
		return ErrorKept
	case !pr.touchable(i):
		return Untouchable
	}
	return ""
}

func (pr *pruner) input(at transcript.Ref) {
	it := &pr.t.Items[at.Item]
	p := &it.Parts[at.Part]
	if p.Server || p.Signed || pr.sealed(it) || !pr.touchable(at.Item) || IsPlaceholder(p.Text) {
		return
	}
	size := pr.counter.Count(p.Text)
	if text := clearedInput(size); pr.counter.Count(text) < size {
		pr.add(at.Item, at.Part, text, InputCleared, size)
	} else {
		pr.spare(NotSmaller, size)
	}
}

// sealed reports whether a signature in the item stands for all of its calls: of
// parallel ones Gemini signs the first alone, or a thought before them.
func (pr *pruner) sealed(it *transcript.Item) bool {
	signed, _ := it.SignedStep()
	return signed && pr.t.Rules.Signatures
}

// resultSize is the tokens of a result with the media in it.
func (pr *pruner) resultSize(it *transcript.Item, j int) int {
	res := &it.Parts[j]
	n := tokens.Part(it, res, pr.counter)
	for j++; j < len(it.Parts) && within(&it.Parts[j], res); j++ {
		n += tokens.Part(it, &it.Parts[j], pr.counter)
	}
	return n
}

// within reports whether a part stands in the output of a result.
func within(p, res *transcript.Part) bool {
	return p.Kind != transcript.Result && p.End > 0 && res.BodyStart <= p.Start && p.End <= res.BodyEnd
}

// media puts placeholders in the place of pictures, sound and files of earlier
// turns. Those in a result stay or go with it; initial context stays whole.
func (pr *pruner) media() {
	if pr.tools.Media != "placeholder" {
		return
	}
	for i := range pr.t.Items {
		it := &pr.t.Items[i]
		spared := Spared("")
		switch {
		case i >= pr.turn:
			spared = LatestTurn
		case !pr.touchable(i) || it.Context != "":
			spared = Untouchable
		}
		res := &transcript.Part{}
		for j := range it.Parts {
			p := &it.Parts[j]
			switch p.Kind {
			case transcript.Result:
				res = p
			case transcript.Image, transcript.Audio, transcript.File:
				if within(p, res) {
					continue
				}
				size := tokens.Part(it, p, pr.counter)
				if spared != "" {
					pr.spare(spared, size)
				} else if text := clearedMedia(p, size); pr.counter.Count(text) < size {
					pr.add(i, j, text, MediaCleared, size)
				} else {
					pr.spare(NotSmaller, size)
				}
			default:
			}
		}
	}
}

// reasoning drops what the model thought in earlier turns. Not in Responses
// items, whose reasoning the provider accepts only with the item it led to.
func (pr *pruner) reasoning() {
	if pr.tools.Reasoning != "drop" || pr.t.Family == transcript.Responses {
		return
	}
	for i := range pr.t.Items {
		it := &pr.t.Items[i]
		switch {
		case !it.Generated():
		case i >= pr.turn:
			pr.spareThoughts(it, LatestTurn)
		case !pr.touchable(i):
			pr.spareThoughts(it, Untouchable)
		default:
			thoughts := pr.thoughts(it)
			if len(thoughts) == 0 {
				pr.spareThoughts(it, NotSmaller)
			}
			pr.edits[i] = append(pr.edits[i], thoughts...)
		}
	}
}

// spareThoughts notes what an item's thinking weighs that stays.
func (pr *pruner) spareThoughts(it *transcript.Item, why Spared) {
	for j := range it.Parts {
		if p := &it.Parts[j]; p.Kind == transcript.Thinking || p.Kind == transcript.Opaque {
			pr.spare(why, tokens.Part(it, p, pr.counter))
		}
	}
}

// thoughts are the edits that take the thinking out of an item: all of it or
// none, since providers check a sequence as a whole. None where something of it
// is signed or encrypted, but for Anthropic's API, which lets earlier turns do
// without; and none where nothing would be left that a provider takes as a
// message.
func (pr *pruner) thoughts(it *transcript.Item) []edit {
	provider := pr.t.Rules.Provider
	sealed := provider == "anthropic" || provider == "bedrock"
	var out []edit
	stays := false
	for j := range it.Parts {
		p := &it.Parts[j]
		switch p.Kind {
		case transcript.Thinking, transcript.Opaque:
			if (p.Signed || p.Kind == transcript.Opaque) && !sealed {
				return nil
			}
			out = append(out, edit{transcript.Edit{Part: j, Drop: true}, ReasoningDropped, tokens.Part(it, p, pr.counter)})
		case transcript.Text:
			stays = stays || strings.TrimSpace(p.Text) != ""
		default:
			stays = true
		}
	}
	if !stays {
		return nil
	}
	return out
}
