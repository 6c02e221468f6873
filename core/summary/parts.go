package summary

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// A history that is larger than the summariser's window is shown in parts, each
// of which gets a record of its own, and the records are merged.

//go:embed prompts/chunk.md
var chunkPrompt string

//go:embed prompts/merge.md
var mergePrompt string

// The purposes of a request beside Purpose.
const (
	Chunk = "chunk"
	Merge = "merge"
)

// Parts are the requests that show the items of r one after another, each of at
// most room tokens by size; nil where all of them fit in one. A cut falls between
// groups, and a group that is larger than the room is a part of its own. Cost:
// linear in the items.
func (r *Request) Parts(pair *transcript.Pairing, size func(item int) int, room int) []*Request {
	last := map[int]int{} // of a group: the place of its last item
	for n, i := range r.Items {
		last[pair.Group[i]] = n
	}
	var parts [][]int
	used, start, total := 0, 0, 0
	for n := 0; n < len(r.Items); {
		tokens, open := 0, n
		end := n
		for ; end <= open; end++ {
			tokens += size(r.Items[end])
			open = max(open, last[pair.Group[r.Items[end]]])
		}
		if n > start && used+tokens > room {
			parts = append(parts, r.Items[start:n])
			start, used = n, 0
		}
		used += tokens
		total += tokens
		n = end
	}
	if total <= room || len(parts) == 0 {
		return nil
	}
	parts = append(parts, r.Items[start:])
	requests := make([]*Request, len(parts))
	for i, items := range parts {
		next := *r
		next.Purpose = Chunk
		next.Items = slices.Clone(items)
		next.Prompt = numbered(chunkPrompt, i+1, len(parts)) + "\n\n" + r.Prompt
		requests[i] = &next
	}
	return requests
}

// Merged is the request that makes one record of several, oldest first. It shows
// no items: the records stand in the prompt.
func (r *Request) Merged(records []string) *Request {
	next := *r
	next.Purpose = Merge
	next.Items, next.Instead = nil, nil
	next.SendTools = "never" // nothing of a tool stands in it
	var b strings.Builder
	b.WriteString(numbered(mergePrompt, 0, len(records)) + "\n\n" + r.Prompt)
	for i, text := range records {
		b.WriteString("\n\n[record " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(records)) + "]\n" + text)
	}
	next.Prompt = b.String()
	return &next
}

func numbered(prompt string, part, parts int) string {
	return strings.NewReplacer("{part}", strconv.Itoa(part), "{parts}", strconv.Itoa(parts)).Replace(strings.TrimSpace(prompt))
}
