package transcript

import (
	"reflect"
	"testing"
)

// chat builds items from a short hand: u user, a assistant text, s system,
// Cx a call with id x (several: Cxy), Rx a result, g reasoning,
// g- reasoning without an id, i a reference, Ww a call of the provider's own tool, Vw its result.
func build(f Family, words ...string) *Transcript {
	t := &Transcript{Family: f}
	for _, w := range words {
		it := Item{Raw: []byte(`{}`)}
		switch w[0] {
		case 'u':
			it.Role, it.Parts = User, []Part{{Kind: Text, Text: w}}
		case 'a':
			it.Role, it.Parts = Assistant, []Part{{Kind: Text, Text: w}}
		case 's':
			it.Role, it.Parts = System, []Part{{Kind: Text, Text: w}}
		case 'g':
			it.Role, it.Type, it.ID, it.Parts = Assistant, "reasoning", "rs_"+w[1:], []Part{{Kind: Thinking}}
			if w == "g-" {
				it.ID = ""
			}
		case 'i':
			it.Role, it.Type, it.ID, it.Parts = Assistant, "item_reference", w, []Part{{Kind: Other}}
		case 'C':
			it.Role = Assistant
			for _, c := range w[1:] {
				it.Parts = append(it.Parts, Part{Kind: Call, ID: string(c)})
			}
		case 'W', 'V':
			it.Role = Assistant
			for _, c := range w[1:] {
				kind := Part{Kind: Call, ID: string(c), Server: true}
				switch {
				case c == '+':
					kind = Part{Kind: Text, Text: "and"}
				case w[0] == 'V':
					kind.Kind = Result
				}
				it.Parts = append(it.Parts, kind)
			}
		case 'R':
			it.Role = Tool
			if f == Messages {
				it.Role = User
			}
			for _, c := range w[1:] {
				kind := Part{Kind: Result, ID: string(c)}
				if c == '+' {
					kind = Part{Kind: Text, Text: "and"}
				}
				it.Parts = append(it.Parts, kind)
			}
		}
		it.Path = "[" + w + "]"
		t.Items = append(t.Items, it)
	}
	return t
}

func TestPair(t *testing.T) {
	for _, c := range []struct {
		name       string
		family     Family
		words      []string
		group      []int
		open       []int
		unanswered []Ref
		orphans    []Ref
	}{
		{"a call goes with its results", Chat, []string{"s", "u", "Cxy", "Rx", "Ry", "a"}, []int{0, 1, 2, 2, 2, 3}, nil, nil, nil},
		{"interleaved calls are groups of their own", Responses, []string{"u", "Cx", "Cy", "Rx", "Ry"}, []int{0, 1, 2, 1, 2}, nil, nil, nil},
		{"reasoning goes with its whole answer", Responses, []string{"u", "g", "a", "Cx", "Cy", "Rx", "Ry", "g", "a"}, []int{0, 1, 1, 1, 1, 1, 1, 2, 2}, nil, nil, nil},
		{"two reasoning items, one answer", Responses, []string{"g", "g", "a", "u"}, []int{0, 0, 0, 1}, nil, nil, nil},
		{"a call at the end is open", Chat, []string{"u", "Cxy", "Rx"}, []int{0, 1, 1}, []int{1}, nil, nil},
		{"an answer after it forgets a call", Chat, []string{"u", "Cx", "a"}, []int{0, 1, 2}, nil, []Ref{{1, 0}}, nil},
		{"a user after it forgets a call", Responses, []string{"u", "Cx", "u"}, []int{0, 1, 2}, nil, []Ref{{1, 0}}, nil},
		{"parallel items of one answer are all open", Responses, []string{"u", "Cx", "Cy", "Ry"}, []int{0, 1, 2, 2}, []int{1}, nil, nil},
		{"an answer behind a result forgets a call", Responses, []string{"Cx", "Cy", "Ry", "a"}, []int{0, 1, 1, 2}, nil, []Ref{{0, 0}}, nil},
		{"a text behind a batch forgets its calls", Responses, []string{"u", "Cx", "Cy", "a"}, []int{0, 1, 2, 3}, nil, []Ref{{1, 0}, {2, 0}}, nil},
		{"a text between the calls of a batch does not", Responses, []string{"u", "Cx", "a", "Cy"}, []int{0, 1, 2, 3}, []int{1, 3}, nil, nil},
		{"nor before an output of it", Responses, []string{"u", "Cx", "a", "Cy", "Ry"}, []int{0, 1, 2, 3, 3}, []int{1}, nil, nil},
		{"a reference is the call of an output", Responses, []string{"u", "i1", "i2", "Rx", "i3", "u"}, []int{0, 1, 1, 1, 2, 3}, nil, nil, nil},
		{"each of one, the newest first", Responses, []string{"i1", "u", "Rx", "i2", "i3", "Ry", "Rz", "Rv"}, []int{0, 1, 2, 3, 3, 3, 3, 4}, nil, nil, []Ref{{2, 0}, {7, 0}}},
		{"of no output whose call is there, or was", Responses, []string{"i1", "Cx", "Rx", "Rx", "Ry", "Ry"}, []int{0, 0, 0, 1, 0, 2}, nil, nil, []Ref{{3, 0}, {5, 0}}},
		{"a reference goes with what it led to", Responses, []string{"u", "i1", "g", "a", "u", "g", "i2", "Cx", "Rx"}, []int{0, 1, 1, 1, 2, 3, 3, 3, 3}, nil, nil, nil},
		{"other formats have no references", Chat, []string{"u", "i1", "Rx"}, []int{0, 1, 2}, nil, nil, []Ref{{2, 0}}},
		{"a result before its call is an orphan", Chat, []string{"Rx", "Cx", "u"}, []int{0, 1, 2}, nil, []Ref{{1, 0}}, []Ref{{0, 0}}},
		{"a second result is an orphan", Chat, []string{"Cx", "Rx", "Rx"}, []int{0, 0, 1}, nil, nil, []Ref{{2, 0}}},
		{"an id that is used again pairs in order", Chat, []string{"Cx", "Rx", "Cx", "Rx"}, []int{0, 0, 1, 1}, nil, nil, nil},
	} {
		tr := build(c.family, c.words...)
		p := Pair(tr)
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

func TestBoundary(t *testing.T) {
	// x reaches from 1 to 4 and y from 2 to 6: a cut inside either moves back,
	// and on to the start of x where y starts within x.
	p := Pair(build(Responses, "u", "Cx", "Cy", "u", "Rx", "u", "Ry", "u"))
	for cut, want := range []int{0, 1, 1, 1, 1, 1, 1, 7, 8} {
		if got := p.Boundary(cut); got != want {
			t.Errorf("cut %d moves to %d, want %d", cut, got, want)
		}
	}
}

func TestValidate(t *testing.T) {
	chat := Rules{Roles: []Role{System, User, Assistant, Tool}, ResultsFollow: true, CallsAnswered: true, ResultsCalled: true, UniqueIDs: true}
	messages := Rules{Roles: []Role{User, Assistant}, FirstRole: User, ResultsInUser: true, CallsAnswered: true, ResultsCalled: true, NotEmpty: true, ServerPairs: true}
	responses := Rules{CallsAnswered: true, ResultsCalled: true, ReasoningWithItem: true}
	for _, c := range []struct {
		rules  Rules
		family Family
		words  []string
		want   []string
	}{
		{chat, Chat, []string{"s", "u", "Cxy", "Ry", "Rx", "a"}, nil},
		{chat, Chat, []string{"u", "Cxy", "Rx"}, nil}, // y is still open
		{chat, Chat, []string{"u", "Rx", "a"}, []string{"results_called [Rx]"}},
		{chat, Chat, []string{"u", "Cx", "a"}, []string{"calls_answered [Cx]"}},
		{chat, Chat, []string{"u", "Cxy", "Rx", "u", "Ry"}, []string{"results_follow [u]"}},
		{chat, Chat, []string{"Cx", "Rx", "Cx", "Rx"}, []string{"unique_ids [Cx]"}},
		{messages, Messages, []string{"u", "Cx", "Cy", "Rxy", "a"}, nil}, // the provider joins messages of one role
		{messages, Messages, []string{"u", "Cx", "Rx+", "a"}, nil},
		{messages, Messages, []string{"u", "Cx", "R+x", "a"}, []string{"results_in_user [R+x]"}},
		{messages, Messages, []string{"a", "u"}, []string{"first_role [a]"}},
		{messages, Messages, []string{"s", "u"}, []string{"known_roles [s]"}},
		{messages, Messages, []string{"u", "Cx", "u", "a", "Rx"}, []string{"results_in_user [Rx]"}},
		{responses, Responses, []string{"u", "g", "u"}, []string{"reasoning_with_item [g]"}},
		{responses, Responses, []string{"u", "g"}, []string{"reasoning_with_item [g]"}},
		{responses, Responses, []string{"u", "g-"}, nil},
		{responses, Responses, []string{"u", "g-", "g-", "u"}, nil}, // it is by its id that the provider knows what it led to
		{responses, Responses, []string{"u", "g-", "g", "u"}, []string{"reasoning_with_item [g]"}},

		// The provider's own tools: both halves in one assistant turn, in one message or
		// in two of them (the turn was paused).
		{messages, Messages, []string{"u", "Ww", "Vw+", "u"}, nil},
		{messages, Messages, []string{"u", "Ww"}, nil},
		{messages, Messages, []string{"u", "Ww", "u"}, []string{"calls_answered [Ww]"}},
		{messages, Messages, []string{"u", "Wwv", "Vw+"}, []string{"calls_answered [Wwv]"}},
		{messages, Messages, []string{"u", "Vw+", "u"}, []string{"results_called [Vw+]"}},
		{messages, Messages, []string{"u", "Ww", "u", "Vw+"}, []string{"results_in_user [Vw+]"}},
		// Code of the provider that calls the user's tools gives its result behind theirs.
		{messages, Messages, []string{"u", "Ww", "Cx", "Rx", "Cy", "Ry"}, nil},
		{messages, Messages, []string{"u", "Ww", "Cx", "Rx", "Cy", "Ry", "Vw+", "u"}, nil},
		{Rules{ResultsCalled: true, CallsAnswered: true, ResultsInUser: true}, Messages, []string{"Vw+", "Wx", "u", "Vx"}, nil}, // others say nothing of theirs

		// Two calls of one id in a message, each with a result; one that is answered once
		// is told by the other rule.
		{Rules{ResultsCalled: true, ResultsFollow: true}, Chat, []string{"Cxx", "Rx", "Rx", "a"}, []string{"results_called [Rx]"}},
		{Rules{ResultsCalled: true, ResultsFollow: true}, Chat, []string{"Cx", "Rx", "Cx", "Rx"}, nil},
		{responses, Responses, []string{"u", "g", "Cx", "Rx", "g", "a"}, nil},
	} {
		tr := build(c.family, c.words...)
		tr.Rules = c.rules
		var got []string
		for _, d := range Validate(tr, Pair(tr)) {
			got = append(got, d.Code+" "+d.Path)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.words, got, c.want)
		}
	}
}

func TestRealUser(t *testing.T) {
	text := []Part{{Kind: Text, Text: "hi"}}
	for _, c := range []struct {
		it   Item
		want bool
	}{
		{Item{Role: User, Parts: text}, true},
		{Item{Role: User}, true}, // an empty message of a person
		{Item{Role: User, Parts: []Part{{Kind: Image}}}, true},
		{Item{Role: User, Parts: []Part{{Kind: Result, ID: "x"}}}, false},
		{Item{Role: User, Parts: append([]Part{{Kind: Result, ID: "x"}}, text...)}, true},
		{Item{Role: User, Parts: text, Fragment: true}, false},
		{Item{Role: User, Parts: text, Summary: true}, false},
		{Item{Role: User, Parts: text, Context: "# AGENTS.md"}, false},
		{Item{Role: Assistant, Parts: text}, false},
	} {
		if got := c.it.RealUser(); got != c.want {
			t.Errorf("%+v: %v", c.it, got)
		}
	}
}

// A result is in the user's half of the conversation, whoever wrote it there.
func TestMisplacedRole(t *testing.T) {
	for _, c := range []struct {
		items []Item
		want  []Misplace
	}{
		{[]Item{item(Assistant, "C:x", "R:x", "t"), item(User, "t")}, []Misplace{{Result: Ref{0, 1}, Call: Ref{0, 0}}}},
		{[]Item{item(Assistant, "C:x"), item(Assistant, "R:x", "t"), item(User, "t")}, []Misplace{{Result: Ref{1, 0}, Call: Ref{0, 0}}}},
		{[]Item{item(Assistant, "C:x", "C:y"), item(User, "R:x", "t", "R:y")}, []Misplace{{Result: Ref{1, 2}, Call: Ref{0, 1}, BehindText: true}}},
		{[]Item{item(Assistant, "C:x"), item(User, "R:x", "t"), item(User, "R:z")}, []Misplace{{Result: Ref{2, 0}, Call: Ref{-1, 0}, BehindText: true, SaidBefore: true}}},
	} {
		if got := Misplaced(&Transcript{Family: Messages, Items: c.items}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}
