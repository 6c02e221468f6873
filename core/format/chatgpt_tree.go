package format

import (
	"slices"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// node is one node of the tree.
type node struct {
	id       string
	value    value // the node's own, a member of mapping
	children []string
	onPath   bool
	step     int // place on the path
}

// tree is a conversation with all its branches.
type tree struct {
	root  object
	nodes []node
	byID  map[string]int
	path  []int // indices of nodes, from the root to the current one
}

// readTree follows the parents from the current node. Without one, from the
// last node that has no children. Cost: linear.
func readTree(root object) (*tree, *fault) {
	t := &tree{root: root, byID: map[string]int{}}
	last := -1
	for id, v := range root.Get("mapping").Members() {
		n := node{id: id, value: value{v, root.base}}
		if !v.Is(rawjson.Object) {
			return nil, wanted(v, ".mapping", "an object of nodes")
		}
		for c := range v.Get("children").Elems() {
			n.children = append(n.children, c.Text())
		}
		if len(n.children) == 0 {
			last = len(t.nodes)
		}
		t.byID[id] = len(t.nodes)
		t.nodes = append(t.nodes, n)
	}
	at, ok := last, last >= 0
	if current, named := root.Get("current_node").Str(); named {
		if at, ok = t.byID[current]; !ok {
			return nil, &fault{root.Get("current_node"), ".current_node", "names no node of mapping"}
		}
	}
	for ok && !t.nodes[at].onPath { // a circle ends where it closes
		t.nodes[at].onPath = true
		t.path = append(t.path, at)
		parent, named := t.nodes[at].value.Get("parent").Str()
		if at, ok = t.byID[parent]; !named {
			ok = false
		}
	}
	slices.Reverse(t.path)
	for i, at := range t.path {
		t.nodes[at].step = i
	}
	return t, nil
}

// around are the nodes before and behind a node on the way, -1 for none.
func (t *tree) around(at int) (before, behind int) {
	before, behind = -1, -1
	if i := t.nodes[at].step; i > 0 {
		before = t.path[i-1]
	}
	if i := t.nodes[at].step; i+1 < len(t.path) {
		behind = t.path[i+1]
	}
	return before, behind
}

type chatgptCodec struct {
	converted
	tree  *tree
	first []int // index in the path of each item's node
}

// link is a node of the way that is written: one of the source, with another
// message where that is not nil, or a new one (at -1).
type link struct {
	at      int
	id      string
	message []byte
	side    []string // other branches that hung on nodes which are gone before it
}

// chain are the links that the entries come to. Nodes without an item stay with
// the item before them.
func (c *chatgptCodec) chain(entries []transcript.Entry) []link {
	var chain []link
	run := func(from, to int) {
		for _, at := range c.tree.path[from:to] {
			chain = append(chain, link{at: at, id: c.tree.nodes[at].id})
		}
	}
	end := func(item int) int {
		if item+1 < len(c.first) {
			return c.first[item+1]
		}
		return len(c.tree.path)
	}
	run(0, end(-1))
	for _, e := range entries {
		if e.From < 0 {
			chain = append(chain, link{at: -1, id: e.New.ID, message: e.New.Raw})
			continue
		}
		n := len(chain)
		run(c.first[e.From], end(e.From))
		if e.New != nil {
			chain[n].message = e.New.Raw
		}
	}
	return chain
}

// splice writes the tree with another way through it. Branches beside the way
// stay; those of a node that is gone hang on the one that stands before it now.
func (c *chatgptCodec) splice(src []byte, _ *transcript.Transcript, entries []transcript.Entry) []byte {
	chain := c.chain(entries)
	w := treeWriter{tree: c.tree, kept: map[int]int{}, adopted: map[int]bool{}}
	for i, l := range chain {
		if l.at >= 0 {
			w.kept[l.at] = i
		}
	}
	w.adopt(chain)
	for i := range chain {
		w.link(chain, i)
	}
	w.remove()
	switch n := len(chain); {
	case n == 0 && len(c.tree.path) > 0:
		w.member(c.tree.root, "current_node", []byte("null"))
	case n > 0 && (len(c.tree.path) == 0 || chain[n-1].at != c.tree.path[len(c.tree.path)-1]):
		w.member(c.tree.root, "current_node", rawjson.AppendQuote(nil, chain[n-1].id))
	}
	return patch(src, w.changes)
}

// treeWriter gathers the changes to the source.
type treeWriter struct {
	tree    *tree
	kept    map[int]int // node on the way -> its link
	adopted map[int]bool
	changes []change
	fresh   []byte // new members of mapping
}

func (w *treeWriter) put(from, to int, b []byte) { w.changes = append(w.changes, change{from, to, b}) }

// member gives the object o a member of that value.
func (w *treeWriter) member(o value, key string, b []byte) {
	if v := o.get(key); v.Exists() {
		w.put(v.from(), v.to(), b)
		return
	}
	b = append(append(rawjson.AppendQuote(nil, key), ':'), b...)
	if o.Len() > 0 {
		b = append([]byte{','}, b...)
	}
	w.put(o.to()-1, o.to()-1, b)
}

// parent hangs a node on another one.
func (w *treeWriter) parent(n value, id string) {
	if v, ok := n.Get("parent").Str(); !ok || v != id {
		w.member(n, "parent", rawjson.AppendQuote(nil, id))
	}
}

// adopt hangs the other branches of nodes that go on what stands before them.
func (w *treeWriter) adopt(chain []link) {
	before := 0
	for _, at := range w.tree.path {
		if i, ok := w.kept[at]; ok {
			before = i
			continue
		}
		for _, id := range w.tree.nodes[at].children {
			c, ok := w.tree.byID[id]
			if !ok || w.tree.nodes[c].onPath || w.adopted[c] {
				continue // a child may be named twice, by one node or by two
			}
			w.adopted[c] = true
			if len(chain) == 0 {
				w.member(w.tree.nodes[c].value, "parent", []byte("null"))
				continue
			}
			chain[before].side = append(chain[before].side, id)
			w.parent(w.tree.nodes[c].value, chain[before].id)
		}
	}
}

// link writes link i: its parent, its children, its message.
func (w *treeWriter) link(chain []link, i int) {
	l := &chain[i]
	next := ""
	if i+1 < len(chain) {
		next = chain[i+1].id
	}
	if l.at < 0 {
		b := newBody()
		b.str("id", l.id)
		b.raw("message", l.message)
		if i > 0 {
			b.str("parent", chain[i-1].id)
		} else {
			b.raw("parent", []byte("null"))
		}
		b.raw("children", idList(w.children(nil, l.side, next)))
		w.fresh = append(append(rawjson.AppendQuote(append(w.fresh, ','), l.id), ':'), b.end()...)
		return
	}
	n := &w.tree.nodes[l.at]
	before, behind := w.tree.around(l.at)
	switch {
	case i == 0 && before >= 0:
		w.member(n.value, "parent", []byte("null"))
	case i > 0 && (chain[i-1].at < 0 || chain[i-1].at != before):
		w.parent(n.value, chain[i-1].id)
	}
	if m := n.value.get("message"); l.message != nil {
		w.put(m.from(), m.to(), l.message)
	}
	same := len(l.side) == 0 && (next == "" && behind < 0 || next != "" && chain[i+1].at >= 0 && chain[i+1].at == behind)
	if want := w.children(n.children, l.side, next); !same && !slices.Equal(want, n.children) {
		w.member(n.value, "children", idList(want))
	}
}

// children are those of a link: the one on the way keeps the place of the old
// one, all others stay, adopted branches come last.
func (w *treeWriter) children(old, side []string, next string) []string {
	var out []string
	put := next == ""
	for _, id := range old {
		if c, ok := w.tree.byID[id]; ok && w.tree.nodes[c].onPath {
			if !put {
				out, put = append(out, next), true
			}
			continue
		}
		out = append(out, id)
	}
	if !put {
		out = append(out, next)
	}
	return append(out, side...)
}

func idList(ids []string) []byte {
	b := []byte{'['}
	for _, id := range ids {
		b = comma(b, rawjson.AppendQuote(nil, id))
	}
	return append(b, ']')
}

// remove takes the nodes out that the way left, and puts the new ones at the end.
func (w *treeWriter) remove() {
	var gone []int
	for _, at := range w.tree.path {
		if _, ok := w.kept[at]; !ok {
			gone = append(gone, w.tree.nodes[at].value.Start())
		}
	}
	mapping := w.tree.root.get("mapping")
	last := mapping.from() + 1
	for _, m := range mapping.Members() {
		last = mapping.base + m.End()
	}
	fresh := w.fresh
	if len(gone) == len(w.tree.nodes) && len(fresh) > 0 {
		fresh = fresh[1:] // nothing stands before them
	}
	cuts, _ := removals(mapping.Value, gone)
	for _, c := range cuts {
		w.put(mapping.base+c.from, mapping.base+c.to, nil)
	}
	if len(fresh) > 0 {
		w.put(last, last, fresh)
	}
}
