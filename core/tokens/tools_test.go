package tokens

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// The Cookbook's tool, a function that tells the weather.
const weather = `[{"type":"function","function":{"name":"get_current_weather",
 "description":"Get the current weather in a given location",
 "parameters":{"type":"object","properties":{
  "location":{"type":"string","description":"The city and state, e.g. San Francisco, CA"},
  "unit":{"type":"string","description":"The unit of temperature to return","enum":["celsius","fahrenheit"]}},
  "required":["location"]}}}]`

// The formula, part by part, with a counter of words: every colon-joined line is
// split by its blanks.
func TestToolFormula(t *testing.T) {
	gpt4o, gpt4, claude := &Model{Encoding: "o200k_base"}, &Model{Encoding: "cl100k_base"}, &Model{Factor: 1, ToolPrompt: 313}
	for _, x := range []struct {
		name, tools string
		want        int // with gpt-4o's constants
	}{
		{"none", "", 0},
		{"an empty list", " [ ] ", 0},
		{"null", "null", 0},
		// 7 for the function, 8 words of "get_current_weather:Get the ... location",
		// 3 for its properties, 3 and 8 words of location, 3 and 6 words of unit,
		// -3 for its enum and 3 and a word for each item, 12 behind the last.
		{"the Cookbook's", weather, 7 + 8 + 3 + 3 + 8 + 3 + 6 - 3 + 2*(3+1) + 12},
		{"in the form of Responses", `[{"type":"function","name":"a","description":"one two.","parameters":{"type":"object","properties":{}}}]`, 7 + 2 + 12},
		{"two", `[{"type":"function","name":"a"},{"type":"function","name":"b"}]`, 2*(7+1) + 12},
		{"a provider's own", `[{"type":"web_search"}]`, 1},
		{"a list of types", `[{"name":"a","parameters":{"properties":{"p":{"type":["string","null"]}}}}]`, 7 + 1 + 3 + 3 + 1 + 12},
		// the inner object: 3 for its properties, 3 and a word for each
		{"nested", `[{"name":"a","parameters":{"properties":{"p":{"type":"object","properties":{"q":{"type":"string"},"r":{"type":"string"}}}}}}]`, 7 + 1 + 3 + 3 + 1 + (3 + 2*(3+1)) + 12},
		{"a list of objects", `[{"name":"a","parameters":{"properties":{"p":{"type":"array","items":{"type":"object","properties":{"q":{}}}}}}}]`, 7 + 1 + 3 + 3 + 1 + 1 + (3 + 3 + 1) + 12},
		{"alternatives", `[{"name":"a","parameters":{"properties":{"p":{"anyOf":[{"type":"string"},{"type":"null"}]}}}}]`, 7 + 1 + 3 + 3 + 1 + 1 + 12},
		{"no list", `{"a":1}`, 1},
		{"no JSON", `[{"name"`, 1},
	} {
		if got := toolTokens([]byte(x.tools), gpt4o.Counter(words{}, 0)); got != x.want {
			t.Errorf("%s: %d, want %d", x.name, got, x.want)
		}
		older := x.want + 3*strings.Count(x.tools, `"name":`)
		if x.name == "no JSON" {
			older = x.want
		}
		if got := toolTokens([]byte(x.tools), gpt4.Counter(words{}, 0)); got != older {
			t.Errorf("%s, gpt-4: %d, want %d", x.name, got, older)
		}
	}
	if got, want := toolTokens([]byte(weather), claude.Counter(Estimate(), 0)), 313+Estimate().Count(unspaced([]byte(weather))); got != want {
		t.Errorf("claude: %d, want %d", got, want)
	}
	if got, want := toolTokens([]byte(weather), Estimate()), Estimate().Count(unspaced([]byte(weather))); got != want {
		t.Errorf("no model: %d, want %d", got, want)
	}
}

func TestNames(t *testing.T) {
	part := transcript.Part{Kind: transcript.Text, Text: "hello there"}
	c := words{}
	for _, x := range []struct {
		name, raw string
		family    transcript.Family
		parts     []transcript.Part
		want      int
	}{
		{"none", `{"role":"user","content":"hello there"}`, transcript.Chat, []transcript.Part{part}, 4 + 2},
		{"a name", `{"role":"user","name":"ada","content":"hello there"}`, transcript.Chat, []transcript.Part{part}, 4 + 2 + 1 + 1},
		{"in the text only", `{"role":"user","content":"say \"name\""}`, transcript.Chat, []transcript.Part{part}, 4 + 2},
		{"deeper", `{"role":"user","content":[{"name":"x"}]}`, transcript.Chat, []transcript.Part{part}, 4 + 2},
		{"no string", `{"role":"user","name":null,"content":""}`, transcript.Chat, []transcript.Part{part}, 4 + 2},
		{"another family", `{"name":"ada"}`, transcript.Messages, []transcript.Part{part}, 4 + 2},
		{"of a call", `{"name":"ada"}`, transcript.Chat, []transcript.Part{{Kind: transcript.Call, Name: "ls"}}, 4 + 8 + 1},
	} {
		it := item(x.raw, "", transcript.User, x.parts...)
		if got := Item(&transcript.Transcript{Family: x.family}, &it, c); got != x.want {
			t.Errorf("%s: %d, want %d", x.name, got, x.want)
		}
	}
}

// A data URL in what nobody knows counts as the media it is, never as text.
func TestDataURLsAreNoText(t *testing.T) {
	it := picture(png(1024, 1024), "")
	base64, _ := payload(&it, &it.Parts[0])
	for _, x := range []struct {
		name, raw string
		want      int
	}{
		{"a picture", `{"shown":"data:image/png;base64,` + string(base64) + `"}`, 1 + 765},
		{"escaped slashes", `{"shown":"data:image\/png;base64,` + string(base64) + `"}`, 1 + 765},
		{"large", `{"shown":"data:image/png;base64,` + string(base64) + strings.Repeat("A", 1<<20) + `"}`, 1 + 765},
		{"capitals", `{"shown":"DATA:Image/PNG;charset=x;BASE64,` + string(base64) + `"}`, 1 + 765},
		{"sound", `{"a":"data:audio/mp3;base64,` + strings.Repeat("QUFB", 1600) + `"}`, 1 + 3},              // 4,800 bytes
		{"another file", `{"a":"data:application/pdf;base64,` + strings.Repeat("QUFB", 100) + `"}`, 1 + 75}, // 300 bytes
		{"two", `{"a":"data:,","b":"data:image/png;base64,","c":"data:image/png;base64,"}`, 1 + 2*765},
		{"text", `{"a":"data: five words, no more"}`, 5},
		{"broken off", `{"a":"data:image/png;base64,AAAA`, 1 + 765},
		{"ends in a backslash", `{"a":"\`, 1},
	} {
		if got := rawTokens([]byte(x.raw), words{}); got != x.want {
			t.Errorf("%s: %d, want %d", x.name, got, x.want)
		}
		unknown := item(x.raw, "new_thing", transcript.Assistant)
		if got := Item(&transcript.Transcript{Family: transcript.Responses}, &unknown, words{}); got != 4+x.want {
			t.Errorf("%s, as an item: %d, want %d", x.name, got, 4+x.want)
		}
	}
}
