package format

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Requests of providers that want two sides to speak in turn, and each call
// answered in the very next message (Gemini, Bedrock): the messages of a request
// are made anew from the blocks of the items, which keep their bytes.

// turnStyle is how one provider writes the messages of a request.
type turnStyle struct {
	// own is the message that an item is by itself, nil where it can not be sent
	// as it stands.
	own func(it *transcript.Item, v rawjson.Value) []byte
	// list is the list of an item's blocks.
	list func(v rawjson.Value) rawjson.Value
	// message is a message of these blocks.
	message func(role transcript.Role, blocks [][]byte) []byte
	// text is a block of text.
	text func(text string) []byte
	// answer is the block that answers a call, which stands in raw.
	answer func(call *transcript.Part, raw []byte, text string) []byte
	// mute keeps blocks that say nothing to the model: marks for its cache.
	mute bool
	// between is what the model says between results and the prompt where the
	// provider wants no text beside results; "" puts the prompt behind them.
	between string
	// plain tells calls and results as text: the request declares no tools, and
	// the provider refuses blocks of tools without them.
	plain bool
}

// requestTurn is one message of a request.
type requestTurn struct {
	role    transcript.Role
	results [][]byte // first of all
	blocks  [][]byte
	calls   []transcript.Ref // that the next turn has to answer
	from    int              // the item that all of it is from; -1: several, or made up
	begun   bool             // from is known
}

func (t *requestTurn) add(from int, block []byte, result bool) {
	if !t.begun {
		t.from, t.begun = from, true
	} else if t.from != from {
		t.from = -1
	}
	if result {
		t.results = append(t.results, block)
	} else {
		t.blocks = append(t.blocks, block)
	}
}

// turnWriter puts the turns of a request together.
type turnWriter struct {
	*turnStyle
	t     *transcript.Transcript
	pairs pairs
	turns []requestTurn
}

// turns are those of the items: the user first, the sides in turn, each call
// with its result, or one that says that there is none, in the turn behind it.
// Results without their call are left out. Cost: linear in the items' bytes.
func (d *turnStyle) turns(t *transcript.Transcript, items []int) *turnWriter {
	s := &turnWriter{turnStyle: d, t: t, pairs: pair(t, items)}
	for _, i := range items {
		s.item(i)
	}
	return s
}

// to is the turn of a side that is open, a new one where the other side spoke
// last. Where that left calls open, the new turn answers them first.
func (s *turnWriter) to(role transcript.Role) *requestTurn {
	if n := len(s.turns); n > 0 && s.turns[n-1].role == role {
		return &s.turns[n-1]
	}
	if len(s.turns) == 0 && role == transcript.Assistant {
		first := requestTurn{role: transcript.User}
		first.add(-1, s.text(transcript.Opening), false)
		s.turns = append(s.turns, first)
	}
	var calls []transcript.Ref
	if n := len(s.turns); n > 0 {
		calls = s.turns[n-1].calls
	}
	s.turns = append(s.turns, requestTurn{role: role})
	now := &s.turns[len(s.turns)-1]
	for _, call := range calls {
		at, block := s.result(call)
		now.add(at, block, true)
	}
	return now
}

// result is the block that answers a call, and its item; -1 where it is made up.
func (s *turnWriter) result(call transcript.Ref) (from int, block []byte) {
	if at, ok := s.pairs.result[call]; ok {
		it := &s.t.Items[at.Item]
		if p := &it.Parts[at.Part]; p.End > 0 {
			return at.Item, it.Raw[p.Start:p.End]
		}
	}
	it := &s.t.Items[call.Item]
	p := &it.Parts[call.Part]
	return -1, s.answer(p, it.Raw[p.Start:p.End], transcript.Unanswered)
}

// item adds the blocks of an item. Roles that the provider does not know are
// shown as the user's.
func (s *turnWriter) item(i int) {
	it := &s.t.Items[i]
	role := transcript.User
	if it.Role == transcript.Assistant {
		role = it.Role
	}
	v, err := rawjson.Parse(it.Raw)
	if err != nil {
		return
	}
	at := 0
	for e := range s.list(v).Elems() {
		for at < len(it.Parts) && it.Parts[at].Start < e.Start() {
			at++ // parts within the block before
		}
		if at == len(it.Parts) || it.Parts[at].Start != e.Start() {
			if n := len(s.turns); s.mute && n > 0 && s.turns[n-1].role == role && len(s.turns[n-1].blocks) > 0 {
				s.turns[n-1].add(i, e.Raw(), false)
			}
			continue
		}
		s.block(i, at, role, e.Raw())
	}
}

func (s *turnWriter) block(i, j int, role transcript.Role, raw []byte) {
	p := &s.t.Items[i].Parts[j]
	tool := (p.Kind == transcript.Call || p.Kind == transcript.Result) && !p.Server
	switch {
	case tool && s.plain:
		if told := toolText(p); told != "" {
			s.to(role).add(-1, s.text(told), false)
		}
	case tool && p.Kind == transcript.Result:
		// It stands where its call wants it: at the head of the turn behind.
		if n := len(s.turns); n > 0 && len(s.turns[n-1].calls) > 0 {
			s.to(transcript.User)
		}
	case tool && role != transcript.Assistant:
		// Nobody but the model calls.
	case p.Kind == transcript.Text && !p.Signed && strings.TrimSpace(p.Text) == "":
	default:
		now := s.to(role)
		now.add(i, raw, false)
		if tool {
			now.calls = append(now.calls, transcript.Ref{Item: i, Part: j})
		}
	}
}

// toolText is a call or a result as somebody tells of it.
func toolText(p *transcript.Part) string {
	if p.Kind == transcript.Call {
		return "[Call of " + p.Name + "] " + p.Text
	}
	if p.Text == "" {
		return ""
	}
	return "[Result] " + p.Text
}

// write writes the messages, the prompt as the last thing that the user says.
func (s *turnWriter) write(b *body, prompt string) {
	last := s.to(transcript.User)
	if s.between != "" && len(last.results) > 0 {
		s.to(transcript.Assistant).add(-1, s.text(s.between), false)
		last = s.to(transcript.User)
	}
	last.add(-1, s.text(prompt), false)
	for i := range s.turns {
		b.element(s.render(&s.turns[i]))
	}
}

// render is a turn as a message: an item's own bytes where it is that item and
// nothing less.
func (s *turnWriter) render(t *requestTurn) []byte {
	all := slices.Concat(t.results, t.blocks)
	if t.from >= 0 {
		it := &s.t.Items[t.from]
		if v, err := rawjson.Parse(it.Raw); err == nil && sameBlocks(s.list(v), all) {
			if own := s.own(it, v); own != nil {
				return own
			}
		}
	}
	return s.message(t.role, all)
}

// sameBlocks reports whether a list holds exactly these blocks, in this order.
func sameBlocks(list rawjson.Value, blocks [][]byte) bool {
	n := 0
	for e := range list.Elems() {
		if n == len(blocks) || !bytes.Equal(e.Raw(), blocks[n]) {
			return false
		}
		n++
	}
	return n == len(blocks)
}

// listMessage is {role, member: blocks}.
func listMessage(role, member string, blocks [][]byte) []byte {
	b := newBody()
	b.str("role", role)
	b.raw(member, blockList(blocks))
	return b.end()
}

// untypedText is a block of text as Gemini and Bedrock write it: without a type.
func untypedText(text string) []byte {
	b := rawjson.AppendQuote([]byte(`{"text":`), text)
	return append(b, '}')
}

// called are the names of the tools that were called, in the order of their first
// call.
func (s *turnWriter) called() []string {
	var names []string
	known := map[string]bool{}
	for i := range s.turns {
		for _, call := range s.turns[i].calls {
			if name := s.t.Items[call.Item].Parts[call.Part].Name; !known[name] {
				known[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}
