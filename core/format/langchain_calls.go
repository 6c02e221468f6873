package format

import (
	"strconv"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
)

// One call stands in an AI message in up to five places: among the blocks of
// the content (as the provider sent it), in tool_calls (as LangChain reads it), in
// additional_kwargs (OpenAI's form of old), in tool_call_chunks (what a stream was
// put together from) and in the answer that response_metadata repeats. They are
// one call, and what changes one changes all.

// lcCall is one call and its places.
type lcCall struct {
	id, name string
	server   bool
	places   []lcPlace // first that which says it best
}

// lcPlace is one place of a call.
type lcPlace struct {
	whole rawjson.Value // element or member that is the call
	id    rawjson.Value
	input rawjson.Value
	rest  bool // a later piece of a streamed call: its input is empty when the first has all
}

// lcCalls are the calls of a message in the order in which they appear, each
// once.
type lcCalls struct {
	all   []*lcCall
	byKey map[lcKey]*lcCall
	seen  map[string]int // how often an id stood in the list that is being read
}

// lcKey tells calls apart: those that share an id (or have none) by their order.
type lcKey struct {
	id string
	n  int
}

// readLCCalls finds the calls in the fields of a message.
func readLCCalls(fields rawjson.Value) (*lcCalls, *fault) {
	c := &lcCalls{}
	extra := fields.Get("additional_kwargs")
	for _, l := range []struct {
		path string
		list rawjson.Value
		read func(rawjson.Value) (lcPlace, string)
	}{
		{".content", fields.Get("content"), lcBlockCall},
		{".tool_calls", fields.Get("tool_calls"), lcListed},
		{".invalid_tool_calls", fields.Get("invalid_tool_calls"), lcListed},
		{".additional_kwargs.tool_calls", extra.Get("tool_calls"), lcListed},
	} {
		if f := c.list(l.path, l.list, l.read); f != nil {
			return nil, f
		}
	}
	if fn := extra.Get("function_call"); fn.Is(rawjson.Object) && len(c.all) == 0 {
		name := fn.Get("name").Text()
		c.begin()
		c.add(lcPlace{whole: fn, input: fn.Get("arguments")}, name).id = name // function messages answer by name
	}
	c.chunks(fields.Get("tool_call_chunks"))
	c.begin()
	for item := range fields.Get("response_metadata").Get("output").Elems() {
		if item.Get("type").Text() == "function_call" {
			c.copied(lcPlace{whole: item, id: item.Get("call_id"), input: item.Get("arguments")})
		}
	}
	// What LangChain itself reads says it best.
	for _, call := range c.all {
		for i, p := range call.places {
			if i > 0 && lcWithin(p.whole, fields.Get("tool_calls")) {
				call.places[0], call.places[i] = p, call.places[0]
				break
			}
		}
	}
	return c, nil
}

func lcWithin(v, outer rawjson.Value) bool {
	return outer.Exists() && outer.Start() <= v.Start() && v.End() <= outer.End()
}

func (c *lcCalls) list(path string, list rawjson.Value, read func(rawjson.Value) (lcPlace, string)) *fault {
	if !list.Is(rawjson.Array) {
		return nil
	}
	c.begin()
	i := 0
	for e := range list.Elems() {
		if p, name := read(e); p.whole.Exists() {
			if p.id.Exists() && !p.id.Is(rawjson.String) && !p.id.Is(rawjson.Null) {
				return wanted(p.id, path+"["+strconv.Itoa(i)+"].id", "a string")
			}
			c.add(p, name)
		}
		i++
	}
	return nil
}

// begin starts a list, in which ids count anew.
func (c *lcCalls) begin() { c.seen = nil }

func (c *lcCalls) key(id string) lcKey {
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	c.seen[id]++
	return lcKey{id, c.seen[id]}
}

func (c *lcCalls) add(p lcPlace, name string) *lcCall {
	id := p.id.Text()
	key := c.key(id)
	call := c.byKey[key]
	if call == nil {
		call = &lcCall{id: id, name: name}
		if c.byKey == nil {
			c.byKey = map[lcKey]*lcCall{}
		}
		c.byKey[key] = call
		c.all = append(c.all, call)
	}
	if call.name == "" {
		call.name = name
	}
	call.server = call.server || lcServer(p.whole.Get("type").Text())
	call.places = append(call.places, p)
	return call
}

// copied adds a place to a call that is known, nil where it is not.
func (c *lcCalls) copied(p lcPlace) *lcCall {
	call := c.byKey[c.key(p.id.Text())]
	if call != nil {
		call.places = append(call.places, p)
	}
	return call
}

// chunks reads the pieces of streamed calls: the first of a call has its id, the
// others only its index. Where the calls are known already, these are copies.
func (c *lcCalls) chunks(list rawjson.Value) {
	c.begin()
	byIndex := map[int]*lcCall{}
	known := len(c.all) > 0
	for e := range list.Elems() {
		p := lcPlace{whole: e, id: e.Get("id"), input: e.Get("args")}
		index, ok := e.Get("index").Int()
		var call *lcCall
		switch {
		case p.id.Text() == "":
			if call = byIndex[index]; ok && call != nil {
				p.rest = true
				call.places = append(call.places, p)
			}
			continue
		case known:
			call = c.copied(p)
		default:
			call = c.add(p, e.Get("name").Text())
		}
		if ok {
			byIndex[index] = call
		}
	}
}

// lcListed reads an element of tool_calls: {id, name, args}, or OpenAI's form
// with a function.
func lcListed(e rawjson.Value) (lcPlace, string) {
	if !e.Is(rawjson.Object) {
		return lcPlace{}, ""
	}
	p := lcPlace{whole: e, id: e.Get("id"), input: e.Get("args")}
	if fn := e.Get("function"); fn.Is(rawjson.Object) {
		p.input = fn.Get("arguments")
		return p, fn.Get("name").Text()
	}
	return p, e.Get("name").Text()
}

// lcBlockCall reads a block of the content that is a call, of any provider.
func lcBlockCall(b rawjson.Value) (lcPlace, string) {
	p := lcPlace{whole: b, id: b.Get("id")}
	switch b.Get("type").Text() {
	case "tool_use", "server_tool_use", "mcp_tool_use":
		p.input = b.Get("input")
	case "tool_call", "invalid_tool_call", "tool_call_chunk", "server_tool_call":
		p.input = b.Get("args")
	case "function_call":
		p.id, p.input = b.Get("call_id"), b.Get("arguments")
	default:
		return lcPlace{}, ""
	}
	return p, b.Get("name").Text()
}

func lcServer(kind string) bool {
	return kind == "server_tool_use" || kind == "mcp_tool_use" || kind == "server_tool_call"
}
