package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// sharegptFiles are the files of one kind that a row names beside its messages:
// a placeholder in a text stands for each of them, in order.
type sharegptFiles struct {
	key         string
	placeholder string
	kind        transcript.PartKind
	list        value // of the row; Invalid in the table
}

func sharegptMedia() []sharegptFiles {
	return []sharegptFiles{
		{key: "images", placeholder: "<image>", kind: transcript.Image},
		{key: "audios", placeholder: "<audio>", kind: transcript.Audio},
		{key: "videos", placeholder: "<video>", kind: transcript.File},
	}
}

// plain is the text with none of the placeholders: in a new text they would
// claim files that are none of its own.
func (w sharegptWriter) plain(text string) string {
	for _, m := range w.media {
		text = strings.ReplaceAll(text, m.placeholder, "["+strings.Trim(m.placeholder, "<>")+"]")
	}
	return text
}

// sharegptCount is how many files of one kind an item stands for.
func sharegptCount(it *transcript.Item, m *sharegptFiles) int {
	n := 0
	for i := range it.Parts {
		if p := &it.Parts[i]; p.Kind == transcript.Text || p.Kind == transcript.Result {
			n += strings.Count(p.Text, m.placeholder)
		}
	}
	return n
}

// sharegptCodec writes the turns, and of the files beside them those that the
// turns still stand for.
type sharegptCodec struct {
	list
	converted
	media []sharegptFiles
}

func (c *sharegptCodec) splice(src []byte, t *transcript.Transcript, entries []transcript.Entry) []byte {
	out := c.list.splice(src, t, entries)
	if len(c.media) == 0 || !c.array.Exists() {
		return out
	}
	changes := []change{{c.array.from(), c.array.to(), sharegptRegion(src, out, c.array)}}
	for i := range c.media {
		m := &c.media[i]
		if stay, ok := filesOf(t, entries, m); ok {
			files := list{array: m.list}
			changes = append(changes, change{m.list.from(), m.list.to(), sharegptRegion(src, files.spliceArray(src, stay), m.list)})
		}
	}
	return patch(src, changes)
}

// sharegptRegion is what stands in out in the place of v, where nothing else of src changed.
func sharegptRegion(src, out []byte, v value) []byte {
	return out[v.from() : len(out)-(len(src)-v.to())]
}

// filesOf are the files that the entries stand for. False where none goes, or
// where the row does not name as many files as its texts stand for.
func filesOf(t *transcript.Transcript, entries []transcript.Entry, m *sharegptFiles) ([]piece, bool) {
	first, n := make([]int, len(t.Items)), 0
	for i := range t.Items {
		first[i] = n
		n += sharegptCount(&t.Items[i], m)
	}
	if n != m.list.Len() {
		return nil, false
	}
	raws := make([][]byte, 0, n)
	for e := range m.list.Elems() {
		raws = append(raws, e.Raw())
	}
	var stay []piece
	for _, e := range entries {
		if e.From < 0 {
			continue
		}
		it := &t.Items[e.From]
		if e.New != nil {
			it = e.New
		}
		for k := range min(sharegptCount(it, m), n-first[e.From]) {
			stay = append(stay, piece{first[e.From] + k, raws[first[e.From]+k]})
		}
	}
	return stay, len(stay) != n
}
