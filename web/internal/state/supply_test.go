package state

import (
	"testing"
)

const lost = "typed,\r\nand nowhere else \u3042"

func pick(t *testing.T, s State, sample string) (State, Fetch) {
	t.Helper()
	s, effects := Reduce(s, Pick{sample})
	for _, e := range effects {
		if f, ok := e.(Fetch); ok && f.Sample == sample {
			return s, f
		}
	}
	t.Fatalf("%s is not fetched: %v", sample, effects)
	return s, Fetch{}
}

func arrive(s State, f Fetch, data string) (State, []Effect) {
	return Reduce(s, Loaded{Name: f.Sample, Data: []byte(data), Wish: f.Wish})
}

// What arrives for an older wish is not wanted any more, and is not told.
func TestOnlyTheNewestWishCounts(t *testing.T) {
	for name, after := range map[string]func(State) (State, string){
		"another sample": func(s State) (State, string) {
			s, b := pick(t, s, "b.json")
			s, _ = arrive(s, b, chat)
			return s, chat
		},
		"typing":          func(s State) (State, string) { s, _ = Reduce(s, Typed{lost + "!"}); return s, lost + "!" },
		"typing the same": func(s State) (State, string) { s, _ = Reduce(s, Typed{lost}); return s, lost },
		"clear":           func(s State) (State, string) { s, _ = Reduce(s, Clear{}); return s, "" },
		"a file": func(s State) (State, string) {
			s, effects := Reduce(s, Open{Name: "f.json", Of: 1})
			s, _ = Reduce(s, Loaded{Name: "f.json", Data: []byte(chat), Wish: effects[0].(ReadFile).Wish})
			return s, chat
		},
	} {
		s, _ := Reduce(started(), Typed{lost})
		s, late := pick(t, s, "a.json")
		s, want := after(s)
		notice := s.Notice
		s, effects := arrive(s, late, "[1]")
		if s.Source.Text != want || len(effects) > 0 {
			t.Errorf("%s: the late sample gave %q, want %q; effects %v", name, s.Source.Text, want, effects)
		}
		s, _ = Reduce(s, Unread{Name: "a.json", Wish: late.Wish})
		if s.Notice.N != notice.N || s.Note.Key != "" {
			t.Errorf("%s: the late sample is told: %+v", name, s.Notice)
		}
	}
}

// The list of samples says which one the transcript is.
func TestSampleIsNamed(t *testing.T) {
	s, f := pick(t, started(), "a.json")
	if s.Sample != "a.json" {
		t.Errorf("on its way: %q", s.Sample)
	}
	s, _ = arrive(s, f, chat)
	if s.Sample != "a.json" {
		t.Errorf("there: %q", s.Sample)
	}
	edited, _ := Reduce(s, Typed{chat + " "})
	cleared, _ := Reduce(s, Clear{})
	failed, g := pick(t, s, "b.json")
	failed, _ = Reduce(failed, Unread{Name: "b.json", Wish: g.Wish})
	undone, _ := Reduce(cleared, Undo{})
	for name, c := range map[string]struct {
		s    State
		want string
	}{"edited": {edited, ""}, "cleared": {cleared, ""}, "failed": {failed, "a.json"}, "brought back": {undone, "a.json"}} {
		if c.s.Sample != c.want {
			t.Errorf("%s: the list says %q, want %q", name, c.s.Sample, c.want)
		}
	}
	file, effects := Reduce(s, Open{Name: "a.json", Of: 1})
	file, _ = Reduce(file, Loaded{Name: "a.json", Data: []byte("[3]"), Wish: effects[0].(ReadFile).Wish})
	if file.Sample != "" {
		t.Errorf("a file of a sample's name is shown as that sample")
	}
	if failed.Source.Text != chat {
		t.Error("a sample that could not be read took the transcript with it")
	}
}

// What a sample, a file or Clear replaces comes back byte for byte, with the
// summary that a person wrote for it.
func TestUndo(t *testing.T) {
	for name, action := range map[string]func(State) State{
		"sample": func(s State) State { s, f := pick(t, s, "a.json"); s, _ = arrive(s, f, chat); return s },
		"clear":  func(s State) State { s, _ = Reduce(s, Clear{}); return s },
	} {
		s, _ := walk(started(), Typed{lost}, Write{"my summary"})
		s = action(s)
		if s.Source.Text == lost || len(s.Past) != 1 || s.Summary != nil {
			t.Fatalf("%s: %+v", name, s)
		}
		s, effects := Reduce(s, Undo{})
		if s.Source.Text != lost || !has(effects, SetInput{lost}) || !has(effects, Evaluate{Now: true}) || len(s.Past) != 0 {
			t.Errorf("%s: %q came back, effects %v", name, s.Source.Text, effects)
		}
		if s.Summary == nil || *s.Summary != "my summary" {
			t.Errorf("%s: the summary came back as %v", name, s.Summary)
		}
		if s, effects = Reduce(s, Undo{}); s.Source.Text != lost || len(effects) > 0 {
			t.Errorf("%s: there was nothing left to bring back", name)
		}
	}
}

// What was typed since the replacement is not lost by bringing the other back.
func TestUndoKeepsWhatWasTypedSince(t *testing.T) {
	s, _ := walk(started(), Typed{lost}, Clear{}, Typed{"since"}, Undo{})
	if s.Source.Text != lost {
		t.Fatalf("%q came back", s.Source.Text)
	}
	if s, _ = Reduce(s, Undo{}); s.Source.Text != "since" {
		t.Errorf("%q came back, want what was typed since", s.Source.Text)
	}
}

// The text of two samples in a row does not push what was typed out.
func TestUndoBehindSamples(t *testing.T) {
	s, _ := Reduce(started(), Typed{lost})
	for range maxPast - 1 {
		var f Fetch
		s, f = pick(t, s, "a.json")
		s, _ = arrive(s, f, chat)
		s, f = pick(t, s, "b.json")
		s, _ = arrive(s, f, chat) // the same text is no replacement
	}
	s, f := pick(t, s, "c.json")
	s, _ = arrive(s, f, "[2]")
	s, _ = walk(s, Undo{}, Undo{})
	if s.Source.Text != lost {
		t.Errorf("%q came back", s.Source.Text)
	}
}

func TestWhatIsNoText(t *testing.T) {
	utf16 := func(order func(byte) []byte, mark []byte) []byte {
		for _, b := range []byte(chat) {
			mark = append(mark, order(b)...)
		}
		return mark
	}
	little := func(b byte) []byte { return []byte{b, 0} }
	big := func(b byte) []byte { return []byte{0, b} }
	for name, data := range map[string][]byte{
		"PNG":                        []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		"UTF-16, little, marked":     utf16(little, []byte{0xff, 0xfe}),
		"UTF-16, big, marked":        utf16(big, []byte{0xfe, 0xff}),
		"UTF-16, little, not marked": utf16(little, nil),
		"UTF-16, big, not marked":    utf16(big, nil),
		"Latin-1":                    []byte("[\"caf\xe9\"]"),
	} {
		s, _ := Reduce(started(), Typed{chat})
		s, effects := Reduce(s, Open{Name: name, Of: 1})
		s, effects = Reduce(s, Loaded{Name: name, Data: data, Wish: effects[0].(ReadFile).Wish})
		if s.Source.Text != chat || len(effects) > 0 || s.Note.Key != "input.not_text" || s.Note.Args[0] != name || s.Notice.Key != "input.not_text" {
			t.Errorf("%s: text %.20q, note %+v", name, s.Source.Text, s.Note)
		}
	}
	for name, data := range map[string]string{"marked": "\ufeff" + chat, "zeros at the end": chat + "\n\x00\x00", "empty": "", "one": "x"} {
		s, effects := Reduce(started(), Open{Name: name, Of: 1})
		s, _ = Reduce(s, Loaded{Name: name, Data: []byte(data), Wish: effects[0].(ReadFile).Wish})
		if s.Source.Text != data || s.Note.Key != "" {
			t.Errorf("%s: text %q, note %+v", name, s.Source.Text, s.Note)
		}
	}
}

func TestOneFileIsRead(t *testing.T) {
	s, effects := Reduce(started(), Open{Name: "a.json", Of: 3})
	s, _ = Reduce(s, Loaded{Name: "a.json", Data: []byte(chat), Wish: effects[0].(ReadFile).Wish})
	if s.Note.Key != "input.first" || s.Note.Args[0] != "a.json" || s.Note.Args[1] != "3" {
		t.Errorf("note %+v", s.Note)
	}
	if s, _ = Reduce(s, Typed{"x"}); s.Note.Key != "" {
		t.Error("the note outlives its transcript")
	}
}
