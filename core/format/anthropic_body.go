package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

type anthropicCodec struct {
	list
	root object
}

// answerTokens is max_tokens where nobody says how long the summary may be:
// the API demands a number.
const answerTokens = 2000

// body is a Messages request. A message loses the blocks that the API would
// refuse (results without their call, server tools cut in half) and gains a
// result for each call that has none.
func (c *anthropicCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	b := newBody()
	b.expect(len(r.Items))
	for _, key := range []string{"anthropic_version", "anthropic_beta"} {
		b.raw(key, c.root.Get(key).Raw())
	}
	b.str("model", r.Model)
	if r.MaxTokens <= 0 {
		r.MaxTokens = answerTokens
	}
	b.num("max_tokens", r.MaxTokens)
	b.raw("system", c.root.Get("system").Raw())
	b.array("messages")
	m := mender{t: t, body: b, first: true, known: map[string]bool{}}
	for n := 0; n < len(r.Items); {
		n = m.turn(r.Items, n)
	}
	m.prompt(r.Prompt)
	b.endArray()
	c.tools(t, r, &m)
	return b.end()
}

// tools sends the request's tools where blocks of tools stand in its messages:
// some hosts refuse such blocks without them. Tools that the request does not
// define are defined by their names.
func (c *anthropicCodec) tools(t *transcript.Transcript, r BodyRequest, m *mender) {
	used := len(m.names) > 0 || m.server
	if r.SendTools == "never" || !used && r.SendTools != "always" || t.Tools == nil && len(m.names) == 0 {
		return
	}
	if t.Tools != nil {
		m.body.raw("tools", t.Tools)
	} else {
		m.body.array("tools")
		for _, name := range m.names {
			tool := newBody()
			tool.key("name")
			tool.buf = rawjson.AppendQuote(tool.buf, name)
			tool.raw("input_schema", []byte(`{"type":"object"}`))
			m.body.element(tool.end())
		}
		m.body.endArray()
	}
	m.body.raw("tool_choice", []byte(`{"type":"none"}`))
}

// mender writes messages so that the API takes them.
type mender struct {
	t    *transcript.Transcript
	body *body

	first  bool     // nothing is written yet
	open   []string // calls of the assistant turn that was written last
	names  []string // tools that were called, in the order of their first call
	known  map[string]bool
	server bool // a server tool was called
}

// message writes a message.
func (m *mender) message(raw []byte, role transcript.Role) {
	if m.first && role == transcript.Assistant {
		m.body.element(m.t.Writer.Message(transcript.User, transcript.Opening).Raw)
	}
	m.first = false
	m.body.element(raw)
}

// turn writes the run of messages of one side from items[n] on, and gives the
// place behind it: the API joins such a run, so that results may stand in any
// message of it. Messages of an unknown role are shown as the user's.
func (m *mender) turn(items []int, n int) int {
	side := func(k int) bool { return m.t.Items[items[k]].Role == transcript.Assistant }
	end := n + 1
	for end < len(items) && side(end) == side(n) {
		end++
	}
	if side(n) {
		whole := m.serverPairs(items[n:end])
		for _, i := range items[n:end] {
			m.assistant(&m.t.Items[i], whole)
		}
	} else {
		m.users(items[n:end])
	}
	return end
}

// serverPairs are the calls of server tools in the messages of one turn that have
// their result behind them, with those results. A turn that was paused has the two
// in two messages.
func (m *mender) serverPairs(items []int) map[*transcript.Part]bool {
	whole, open := map[*transcript.Part]bool{}, map[string]*transcript.Part{}
	for _, i := range items {
		for j := range m.t.Items[i].Parts {
			p := &m.t.Items[i].Parts[j]
			switch {
			case !p.Server:
			case p.Kind == transcript.Call:
				open[p.ID] = p
			case p.Kind == transcript.Result && open[p.ID] != nil:
				whole[open[p.ID]], whole[p] = true, true
				delete(open, p.ID)
			}
		}
	}
	return whole
}

func (m *mender) assistant(it *transcript.Item, whole map[*transcript.Part]bool) {
	if it.Empty {
		return
	}
	forgets := badThinking(it)
	raw := m.blocks(it, nil, func(p *transcript.Part) bool {
		switch {
		case forgets && (p.Kind == transcript.Thinking || p.Kind == transcript.Opaque):
			return false
		case p.Kind == transcript.Result && !p.Server:
			return false
		case p.Server && !whole[p]:
			return false
		case p.Server:
			m.server = true
		case p.Kind == transcript.Call:
			m.open = append(m.open, p.ID)
			m.name(p.Name)
		}
		return true
	})
	if raw != nil {
		m.message(raw, transcript.Assistant)
	}
}

// badThinking reports whether the API would refuse the thinking of a message: it
// stands behind something else, or lacks its signature. Then all of it goes.
func badThinking(it *transcript.Item) bool {
	if holds, first := it.Thinks(); holds && !first {
		return true
	}
	for i := range it.Parts {
		if p := &it.Parts[i]; p.Kind == transcript.Thinking && !p.Signed {
			return true
		}
	}
	return false
}

// name notes a tool that was called.
func (m *mender) name(name string) {
	if !m.known[name] {
		m.known[name] = true
		m.names = append(m.names, name)
	}
}

// users writes a run of user messages: results of open calls first, one for
// each.
func (m *mender) users(items []int) {
	missing, wanted := map[string]bool{}, map[string]bool{}
	for _, id := range m.open {
		missing[id], wanted[id] = true, true
	}
	spoke, late := false, false // a result stands behind another message's text
	for _, i := range items {
		said := spoke
		for _, p := range m.t.Items[i].Parts {
			if p.Kind != transcript.Result {
				spoke = true
				continue
			}
			late = late || said && missing[p.ID]
			delete(missing, p.ID)
		}
	}
	first := m.stubs(missing)
	m.open = nil
	take := func(p *transcript.Part) bool {
		ok := wanted[p.ID]
		delete(wanted, p.ID)
		return ok
	}
	if late {
		var results [][]byte
		for _, i := range items {
			it := &m.t.Items[i]
			for j := range it.Parts {
				if p := &it.Parts[j]; p.Kind == transcript.Result && take(p) {
					results = append(results, it.Raw[p.Start:p.End])
				}
			}
		}
		first = append(results, first...)
	}
	for _, i := range items {
		raw := m.blocks(&m.t.Items[i], first, func(p *transcript.Part) bool {
			return p.Kind == transcript.Result && take(p) || p.Kind != transcript.Result && p.Kind != transcript.Call
		})
		if raw != nil {
			m.message(raw, transcript.User)
			first = nil
		}
	}
	if len(first) > 0 {
		m.message(userMessage(first), transcript.User)
	}
}

// stubs are results for the open calls that are missing, in order.
func (m *mender) stubs(missing map[string]bool) [][]byte {
	var stubs [][]byte
	for _, id := range m.open {
		if missing[id] {
			delete(missing, id)
			b := newBody()
			b.str("type", "tool_result")
			b.key("tool_use_id")
			b.buf = rawjson.AppendQuote(b.buf, id)
			b.str("content", transcript.Unanswered)
			stubs = append(stubs, b.end())
		}
	}
	return stubs
}

// prompt writes the instruction, behind results for what is still open.
func (m *mender) prompt(text string) {
	missing := make(map[string]bool, len(m.open))
	for _, id := range m.open {
		missing[id] = true
	}
	stubs := m.stubs(missing)
	if len(stubs) == 0 {
		m.message(m.t.Writer.Message(transcript.User, text).Raw, transcript.User)
		return
	}
	m.message(userMessage(append(stubs, textBlock(rawjson.AppendQuote(nil, text)))), transcript.User)
}

// anthropicAnswer is a user message with the result of a call: the API joins it
// with what the user says behind it.
func anthropicAnswer(_ *transcript.Item, call *transcript.Part, text string) []byte {
	b := newBody()
	b.str("type", "tool_result")
	b.key("tool_use_id")
	b.buf = rawjson.AppendQuote(b.buf, call.ID)
	b.str("content", text)
	return userMessage([][]byte{b.end()})
}

func textBlock(quotedText []byte) []byte {
	b := append([]byte(`{"type":"text","text":`), quotedText...)
	return append(b, '}')
}

func userMessage(blocks [][]byte) []byte {
	b := newBody()
	b.str("role", "user")
	b.array("content")
	for _, block := range blocks {
		b.element(block)
	}
	b.endArray()
	return b.end()
}

// blocks are the bytes of a message without the blocks that keep refuses, and
// with stubs among its results, which come first. A message that needs no
// change has its own bytes; nil is one of which nothing remains.
func (m *mender) blocks(it *transcript.Item, stubs [][]byte, keep func(*transcript.Part) bool) []byte {
	known := it.Role == transcript.User || it.Role == transcript.Assistant
	gone, whole := refused(it, keep)
	if whole && known && len(stubs) == 0 {
		return it.Sent()
	}
	v, err := rawjson.Parse(it.Raw)
	if err != nil {
		return nil
	}
	content := v.Get("content")
	var results, rest [][]byte
	changed := !known || len(stubs) > 0
	switch content.Kind() {
	case rawjson.String:
		if strings.TrimSpace(content.Text()) != "" {
			rest = append(rest, textBlock(content.Raw()))
		}
	case rawjson.Array:
		for b := range content.Elems() {
			if gone[b.Start()] || b.Start() < it.Begins {
				changed = true
				continue
			}
			if b.Get("type").Text() == "tool_result" {
				changed = changed || len(rest) > 0
				results = append(results, b.Raw())
			} else {
				rest = append(rest, b.Raw())
			}
		}
	default:
	}
	if len(results)+len(rest)+len(stubs) == 0 {
		return nil
	}
	if !changed {
		return it.Raw
	}
	all := append(append(results, stubs...), rest...)
	if it.Role == transcript.Assistant {
		return setMember(it.Raw, v, "content", blockList(all))
	}
	return userMessage(all)
}

// blank reports whether a part is a text that the API refuses for saying nothing.
func blank(p *transcript.Part) bool {
	return p.Kind == transcript.Text && !p.Summary && strings.TrimSpace(p.Text) == ""
}

// refused are the starts of the blocks that keep refuses, or that say nothing.
// whole says that there are none of these, that there is some block, and that the
// results stand before all others: such a message needs no look at its bytes.
// Each block is a part, and parts within one stand behind it.
func refused(it *transcript.Item, keep func(*transcript.Part) bool) (gone map[int]bool, whole bool) {
	end, said := 0, false
	whole = len(it.Parts) > 0
	for i := range it.Parts {
		p := &it.Parts[i]
		if p.Start < end {
			continue
		}
		end = p.End
		if blank(p) || !keep(p) {
			if gone == nil {
				gone = map[int]bool{}
			}
			gone[p.Start], whole = true, false
			continue
		}
		if p.Kind == transcript.Result && !p.Server {
			whole = whole && !said
		} else {
			said = true
		}
	}
	return gone, whole
}

func blockList(blocks [][]byte) []byte {
	out := []byte{'['}
	for i, b := range blocks {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, b...)
	}
	return append(out, ']')
}

func (c *anthropicCodec) api() string { return "anthropic-messages" }
