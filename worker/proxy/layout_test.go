package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// replaceJSON gives text with another value at path, all other bytes as they
// were.
func replaceJSON(text []byte, path []string, value []byte) ([]byte, error) {
	start, end, err := spanJSON(text, path)
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{text[:start], value, text[end:]}, nil), nil
}

// spanJSON finds the value at a path of member names.
func spanJSON(text []byte, path []string) (start, end int, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	for _, name := range path {
		open, err := d.Token()
		if err != nil {
			return 0, 0, err
		}
		if open != json.Delim('{') {
			return 0, 0, fmt.Errorf("no object around %q of %q, but %v", name, path, open)
		}
		for {
			if !d.More() {
				return 0, 0, fmt.Errorf("no member %q of %q", name, path)
			}
			got, err := d.Token()
			if err != nil {
				return 0, 0, err
			}
			if got == name {
				break
			}
			var other json.RawMessage
			if err := d.Decode(&other); err != nil {
				return 0, 0, err
			}
		}
	}
	var found json.RawMessage
	if err := d.Decode(&found); err != nil {
		return 0, 0, err
	}
	end = int(d.InputOffset())
	return end - len(found), end, nil
}

// layoutJSON writes a document for people: a value stands on one line where it
// fits into 120 columns, else each of its members on a line of its own.
func layoutJSON(text []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := layout(&b, text, "", 0); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// layout writes one value; used is how much of its first line is taken, with
// the comma that may follow.
func layout(b *bytes.Buffer, text []byte, indent string, used int) error {
	const columns = 120
	line, err := oneLine(text)
	if err != nil {
		return err
	}
	if used+len(line) <= columns || line[0] != '{' && line[0] != '[' {
		b.Write(line)
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	b.WriteByte(line[0])
	inner := indent + "  "
	for separator := "\n"; d.More(); separator = ",\n" {
		b.WriteString(separator + inner)
		name := ""
		if line[0] == '{' {
			token, err := d.Token()
			if err != nil {
				return err
			}
			name = fmt.Sprintf("%q: ", token)
		}
		b.WriteString(name)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := layout(b, value, inner, len(inner)+len(name)+1); err != nil {
			return err
		}
	}
	b.WriteString("\n" + indent)
	b.WriteByte(line[len(line)-1])
	return nil
}

// oneLine is json.Compact with a blank after each comma and colon.
func oneLine(text []byte) ([]byte, error) {
	var tight bytes.Buffer
	if err := json.Compact(&tight, text); err != nil {
		return nil, err
	}
	var b []byte
	inString := false
	raw := tight.Bytes()
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		b = append(b, c)
		switch {
		case inString && c == '\\':
			i++
			b = append(b, raw[i])
		case c == '"':
			inString = !inString
		case !inString && (c == ',' || c == ':'):
			b = append(b, ' ')
		}
	}
	return b, nil
}

func TestLayout(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100) // with its name, `"long": [...]` is wider than 120
	text := `{"a":[1,{"b":"c,d:e\",f"}],"long":["` + long + `",{"y":[]}]}`
	got, err := layoutJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "a": [1, {"b": "c,d:e\",f"}],
  "long": [
    "` + long + `",
    {"y": []}
  ]
}
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	replaced, err := replaceJSON([]byte(text), []string{"a"}, []byte("2"))
	if err != nil || string(replaced) != `{"a":2,"long":["`+long+`",{"y":[]}]}` {
		t.Errorf("replaced to %s, %v", replaced, err)
	}
	if _, err := replaceJSON([]byte(text), []string{"a", "b"}, nil); err == nil {
		t.Error("a member of a list was found")
	}
}

// A document that nobody has laid out shows its next update as one great change.
func TestOpenAPIIsLaidOut(t *testing.T) {
	t.Parallel()
	want, err := layoutJSON(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	if !*update && !bytes.Equal(want, openAPI) {
		t.Error("openapi.json is not laid out: go test ./worker/proxy -run OpenAPI -update does it")
	}
}
