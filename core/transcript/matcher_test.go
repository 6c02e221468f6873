package transcript

import (
	"reflect"
	"testing"
)

// Shapes that ids in order do not settle. Parts are written as kind:id, or
// kind/name where the format has no ids; a "!" behind says that it is pending.
func item(role Role, parts ...string) Item {
	it := Item{Role: role, Raw: []byte(`{}`)}
	for _, p := range parts {
		part := Part{}
		if p[len(p)-1] == '!' {
			part.Pending, p = true, p[:len(p)-1]
		}
		switch p[0] {
		case 'C':
			part.Kind = Call
		case 'R':
			part.Kind = Result
		case 't':
			part.Kind = Text
			part.Text = p
		}
		if len(p) > 2 && p[1] == ':' {
			part.ID = p[2:]
		}
		if len(p) > 2 && p[1] == '/' {
			part.Name = p[2:]
		}
		it.Parts = append(it.Parts, part)
	}
	return it
}

func TestPairShapes(t *testing.T) {
	u := func(parts ...string) Item { return item(User, parts...) }
	a := func(parts ...string) Item { return item(Assistant, parts...) }
	tool := func(parts ...string) Item { return item(Tool, parts...) }
	for _, c := range []struct {
		name       string
		items      []Item
		group      []int
		open       []int
		unanswered []Ref
		orphans    []Ref
	}{
		// UI formats: call and result are parts of one message.
		{"call and result in one item", []Item{u("t"), a("C:x", "R:x", "t"), u("t")}, []int{0, 1, 2}, nil, nil, nil},
		{"the last one has a call that still runs", []Item{u("t"), a("C:x", "R:x", "C:y")}, []int{0, 1}, []int{1}, nil, nil},
		{"a call in it was given up", []Item{u("t"), a("C:x", "R:x", "C:y"), u("t")}, []int{0, 1, 2}, nil, []Ref{{1, 2}}, nil},
		{"an approval that is still asked for, then a new question", []Item{u("t"), a("t", "C:x!"), u("t"), a("t")}, []int{0, 1, 2, 3}, []int{1}, nil, nil},
		{"the answer to it comes later", []Item{u("t"), a("C:x!"), u("t"), a("t"), tool("R:x")}, []int{0, 1, 2, 3, 1}, nil, nil, nil},

		// A long-running tool: an interim result, talk, the final one under the same id.
		{"interim result, the final one is to come", []Item{u("t"), a("C:x"), u("R:x!"), a("t"), u("t"), a("t")}, []int{0, 1, 1, 2, 3, 4}, []int{1}, nil, nil},
		{"interim result and the final one", []Item{u("t"), a("C:x"), u("R:x!"), a("t"), u("t"), u("R:x"), a("t")}, []int{0, 1, 1, 2, 3, 1, 4}, nil, nil, nil},
		{"two results of a long-running call", []Item{u("t"), a("C:x!"), u("R:x"), a("t"), u("R:x"), a("t")}, []int{0, 1, 1, 2, 1, 3}, nil, nil, nil},
		{"an interim one, the final one, and that once more", []Item{u("t"), a("C:x"), u("R:x!"), a("t"), u("R:x"), u("t"), u("R:x")}, []int{0, 1, 1, 2, 1, 3, 1}, nil, nil, nil},
		{"two results of an ordinary call", []Item{u("t"), a("C:x"), u("R:x"), a("t"), u("R:x"), a("t")}, []int{0, 1, 1, 2, 3, 4}, nil, nil, []Ref{{4, 0}}},

		// No ids (Gemini): by name and order, within one exchange.
		{"no ids: parallel calls of two tools, answered the other way round", []Item{u("t"), a("C/ls", "C/cat"), u("R/cat", "R/ls"), a("t")}, []int{0, 1, 1, 2}, nil, nil, nil},
		{"no ids: which of two was answered", []Item{u("t"), a("C/ls", "C/cat"), u("R/cat"), u("t")}, []int{0, 1, 1, 2}, nil, []Ref{{1, 0}}, nil},
		{"no ids: a call that nobody answered takes no later result", []Item{u("t"), a("C/ls"), u("t"), a("C/ls"), u("R/ls"), a("t")}, []int{0, 1, 2, 3, 3, 4}, nil, []Ref{{1, 0}}, nil},
		{"no ids: nor one behind results", []Item{u("t"), a("C/ls", "C/ls"), u("R/ls"), a("C/ls"), u("R/ls")}, []int{0, 1, 1, 2, 2}, nil, []Ref{{1, 1}}, nil},
		{"no ids: a result of another tool", []Item{u("t"), a("C/ls"), u("R/cat"), a("t")}, []int{0, 1, 2, 3}, nil, []Ref{{1, 0}}, []Ref{{2, 0}}},
		{"no ids: results that name no tool", []Item{u("t"), a("C/ls"), a("C/cat"), tool("R"), tool("R")}, []int{0, 1, 2, 1, 2}, nil, nil, nil},
		{"no ids: more results than calls", []Item{u("t"), a("C/ls"), u("R/ls", "R/ls")}, []int{0, 1, 1}, nil, nil, []Ref{{2, 1}}},

		{"an id that is used again means the newer call", []Item{u("t"), a("C:x"), u("t"), a("C:x"), tool("R:x")}, []int{0, 1, 2, 3, 3}, nil, []Ref{{1, 0}}, nil},
	} {
		p := Pair(&Transcript{Family: Chat, Items: c.items})
		var open []int
		for i, o := range p.Open {
			if o {
				open = append(open, i)
			}
		}
		if !reflect.DeepEqual(p.Group, c.group) || !reflect.DeepEqual(open, c.open) ||
			!reflect.DeepEqual(p.Unanswered, c.unanswered) || !reflect.DeepEqual(p.Orphans, c.orphans) {
			t.Errorf("%s: groups %v open %v unanswered %v orphans %v", c.name, p.Group, open, p.Unanswered, p.Orphans)
		}
	}
}

// Ten thousand parallel calls without ids, answered in reverse order by name:
// each is looked at a bounded number of times.
func TestPairManyCalls(t *testing.T) {
	const n = 10000
	calls, results := Item{Role: Assistant}, Item{Role: User}
	for i := range n {
		calls.Parts = append(calls.Parts, Part{Kind: Call, Name: string(rune('a' + i%7))})
		results.Parts = append(results.Parts, Part{Kind: Result, Name: string(rune('a' + (n-1-i)%7))})
	}
	p := Pair(&Transcript{Items: []Item{calls, results}})
	if len(p.Orphans)+len(p.Unanswered) > 0 || p.Open[0] || p.Group[1] != 0 {
		t.Errorf("%d orphans, %d unanswered, open %v", len(p.Orphans), len(p.Unanswered), p.Open[0])
	}
}
