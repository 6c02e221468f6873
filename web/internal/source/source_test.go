package source

import "testing"

func TestOne(t *testing.T) {
	for _, c := range []struct {
		src  string
		want bool
	}{
		{`[1]`, true},
		{" {\"a\":1}\n", true},
		{"{\"a\":1}\n{\"b\":2}", false},
		{`[1`, false},
		{`"text"`, false},
		{`12`, false},
		{``, false},
		{`hello`, false},
	} {
		if got := One([]byte(c.src)); got != c.want {
			t.Errorf("%q: %v, want %v", c.src, got, c.want)
		}
	}
}

// A text box counts UTF-16 units, holds every line end as one, and no byte
// order mark.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		src    string
		offset int
		want   int
	}{
		{"abc", 2, 2}, {"日本", 3, 1}, {"👍b", 4, 2}, {"a\r\nb", 3, 2}, {"\ufeffab", 4, 1}, {"ab", 99, 2},
	} {
		if got := Units(c.src, c.offset); got != c.want {
			t.Errorf("%q at %d: %d, want %d", c.src, c.offset, got, c.want)
		}
	}
}

func TestLocate(t *testing.T) {
	value := ` {"model":"m", "messages":[{"role":"user"},{"role":"assistant","tool_calls":[{"id":""}]}]} `
	lines := "{\"a\":1}\r\n\n  {\"payload\":{\"b\":2}}  \n"
	for _, c := range []struct {
		src, path, want string
	}{
		{value, ".messages[0].role", `"user"`},
		{value, ".messages[1].tool_calls[0].id", `""`},
		{value, ".messages[0].content", `{"role":"user"}`}, // what should hold it
		{value, `["model"]`, `"m"`},
		{`[1, [2, 3]]`, "[1][0]", "2"},
		{lines, ":1", `{"a":1}`},
		{lines, ":3", `{"payload":{"b":2}}`},
		{lines, ":3.payload.b", "2"},
	} {
		at, ok := Locate([]byte(c.src), c.path)
		if got := c.src[at.Start:at.End]; !ok || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.path, got, ok, c.want)
		}
	}
	for _, c := range []struct{ src, path string }{
		{value, ".nothing"}, {value, "[0]"}, {value, ""}, {value, "x"}, {value, "[9"}, {lines, ":2"}, {lines, ":9"}, {lines, ".a"}, {`[1`, "[0]"}, {"", ".a"},
	} {
		if at, ok := Locate([]byte(c.src), c.path); ok {
			t.Errorf("%q in %q: found %v", c.path, c.src, at)
		}
	}
}
