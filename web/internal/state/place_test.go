package state

import (
	"strings"
	"testing"
)

// An error's place is that of the pasted text, not of the request around it,
// whatever the engine refuses and however the text is sent.
func TestPlaceInThePastedText(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, c := range map[string]struct {
		text  string
		place string // what is told of it
		start int    // byte
	}{
		// The engine reads 1,000 levels below a value: bracket 1,002 is too deep.
		"deep":               {nest(1100), "line 1, column 1002", 1001},
		"deep behind blanks": {"\n\n  " + nest(1100), "line 3, column 1004", 1005},
		"comma":              {"[1,\n 2,]", "line 2, column 4", 7},
		"behind a mark":      {"\ufeff[1, x]", "line 1, column 5", 7},
	} {
		s := run(t, defaults(Lait), "a.json", []byte(c.text))
		p := s.Problem
		if p == nil || p.Code != "invalid_json" || !p.Input || p.Place == nil {
			t.Errorf("%s: problem %+v", name, p)
			continue
		}
		if !strings.Contains(p.Message, c.place) || p.Place.Start != c.start {
			t.Errorf("%s: byte %d, %q; want byte %d, %s", name, p.Place.Start, p.Message, c.start, c.place)
		}
	}
}

// The deepest text that is sent as a value is read within the request.
func TestDeepestValue(t *testing.T) {
	for _, n := range []int{997, 998, 999, 1000} {
		deep := strings.Repeat("[", n) + "1" + strings.Repeat("]", n)
		text := `[{"role":"user","content":"a","deep":` + deep + `},{"role":"user","content":"b"}]`
		s := run(t, defaults(Lait), "a.json", []byte(text))
		if s.Problem != nil && s.Problem.Param == "" {
			t.Errorf("%d levels: refused without a place in the text: %+v", n, s.Problem)
		}
	}
}

// Two bad fields are both named, each below its control and in the sentence.
func TestTwoBadFields(t *testing.T) {
	v := defaults(Lait).with("lait.trigger_rounds", "6.5").with("lait.keep_last_n", "-1")
	s := run(t, v, "a.json", []byte(chat))
	if s.Problem == nil {
		t.Fatal("accepted")
	}
	for _, key := range []string{"lait.trigger_rounds", "lait.keep_last_n"} {
		path := "policy." + key + ": "
		if !strings.HasPrefix(s.Problem.Marks[key], path) || !strings.Contains(s.Problem.Sentence(), path) {
			t.Errorf("%s: mark %q, sentence %q", key, s.Problem.Marks[key], s.Problem.Sentence())
		}
		if !strings.Contains(s.Notice.Args[0], path) {
			t.Errorf("%s: notice %q", key, s.Notice.Args[0])
		}
	}
	if s.Problem.Loose {
		t.Error("both parts belong to a control")
	}
}
