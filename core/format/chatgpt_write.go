package format

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// treeMessages writes messages of ChatGPT's tree: their content is an object.
type treeMessages struct{ writer }

// chatgptWriter writes messages whose time repeats that of the newest one.
func chatgptWriter(newest rawjson.Value) treeMessages {
	at := []byte("null")
	if newest.Exists() {
		at = newest.Raw()
	}
	return treeMessages{writer{
		read: readChatGPT,
		message: func(role transcript.Role, text string) []byte {
			author := newBody()
			author.str("role", string(role))
			author.raw("name", []byte("null"))
			author.raw("metadata", []byte("{}"))
			b := newBody()
			b.str("id", nodeID(role, text))
			b.raw("author", author.end())
			b.raw("create_time", at)
			b.raw("update_time", []byte("null"))
			b.raw("content", textContent(text))
			b.str("status", "finished_successfully")
			b.raw("end_turn", []byte("true"))
			b.raw("weight", []byte("1.0"))
			b.raw("metadata", []byte("{}"))
			b.str("recipient", "all")
			return b.end()
		},
		content: func(*transcript.Item) (string, string) { return "content", "" },
		text: func(_ *transcript.Item, _ *transcript.Part, text string) []byte {
			return rawjson.AppendQuote(nil, text)
		},
		body: func(p *transcript.Part, _ rawjson.Value, text string) []byte {
			b := newBody()
			if p.Kind == transcript.Call {
				b.str("content_type", "code")
				b.str("language", "unknown")
			} else {
				b.str("content_type", "execution_output")
			}
			b.str("text", text)
			return b.end()
		},
	}}
}

// WithText is the message with a content of one text.
func (w treeMessages) WithText(it *transcript.Item, text string) transcript.Item {
	v, err := rawjson.Parse(it.Raw)
	if err != nil || !v.Is(rawjson.Object) {
		return w.Message(it.Role, text)
	}
	out := w.item(setMember(it.Raw, v, "content", textContent(text)), it.Role)
	out.Path = it.Path
	return out
}

func textContent(text string) []byte {
	b := newBody()
	b.str("content_type", "text")
	b.raw("parts", append(rawjson.AppendQuote([]byte{'['}, text), ']'))
	return b.end()
}

// nodeID is the id of a new node in the form of those that ChatGPT gives, made
// from what it says: the same input gives the same bytes.
func nodeID(role transcript.Role, text string) string {
	sum := sha256.Sum256([]byte(string(role) + "\x00" + text))
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// WithParts is the message with some parts changed. That another message of its
// tool follows is not to be seen in it.
func (w treeMessages) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	out, ok := w.writer.WithParts(it, edits)
	if ok && len(out.Parts) == len(it.Parts) {
		for j := range out.Parts {
			out.Parts[j].Pending = it.Parts[j].Pending
		}
	}
	return out, ok
}

// body shows all that a tool said to a call as its one result: the API takes one.
func (c *chatgptCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	said := map[transcript.Ref][]transcript.Ref{}
	transcript.Match(t, r.Items, func(result, call transcript.Ref, ok bool) {
		if ok {
			said[call] = append(said[call], result)
		}
	})
	shown := *t
	shown.Items = slices.Clone(t.Items)
	for _, results := range said {
		if len(results) == 1 {
			continue
		}
		texts := make([]string, len(results))
		for i, at := range results {
			texts[i] = t.Items[at.Item].Parts[at.Part].Text
		}
		last := results[len(results)-1]
		it := &shown.Items[last.Item]
		it.Parts = slices.Clone(it.Parts)
		it.Parts[last.Part].Text = strings.Join(texts, "\n\n")
	}
	return c.converted.body(&shown, r)
}
