package tokens_test

import (
	"testing"

	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/tokens/ranks"
	"github.com/tamp-dev/tamp/core/transcript"
)

// exactFor is the exact counter of a model of the table.
func exactFor(t *testing.T, id string) tokens.Counter {
	t.Helper()
	m, ok := tokens.LookupModel(id)
	if !ok {
		t.Fatalf("%s is not in the table", id)
	}
	planes := map[string]func() string{"o200k_base": ranks.O200k, "cl100k_base": ranks.Cl100k}[m.Encoding]()
	if planes == "" {
		t.Skipf("%s: this build carries no %s", id, m.Encoding)
	}
	enc, err := tokens.NewEncoding(m.Encoding, planes)
	if err != nil {
		t.Fatal(err)
	}
	return m.Counter(enc, 0)
}

// The check values of the OpenAI Cookbook ("How to count tokens with tiktoken"),
// on its two conversations: what the API itself reported there.
func TestCookbook(t *testing.T) {
	const jargon = `[
	 {"role":"system","content":"You are a helpful, pattern-following assistant that translates corporate jargon into plain English."},
	 {"role":"system","name":"example_user","content":"New synergies will help drive top-line growth."},
	 {"role":"system","name":"example_assistant","content":"Things working well together will increase revenue."},
	 {"role":"system","name":"example_user","content":"Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage."},
	 {"role":"system","name":"example_assistant","content":"Let's talk later when we're less busy about how to do better."},
	 {"role":"user","content":"This late pivot means we don't have time to boil the ocean for the client deliverable."}]`
	const forecast = `[
	 {"role":"system","content":"You are a helpful assistant that can answer to questions about the weather."},
	 {"role":"user","content":"What's the weather like in San Francisco?"}]`
	const tools = `[{"type":"function","function":{"name":"get_current_weather",
	 "description":"Get the current weather in a given location",
	 "parameters":{"type":"object","properties":{
	  "location":{"type":"string","description":"The city and state, e.g. San Francisco, CA"},
	  "unit":{"type":"string","description":"The unit of temperature to return","enum":["celsius","fahrenheit"]}},
	  "required":["location"]}}}]`
	for _, x := range []struct {
		name, body string
		want       map[string]int
	}{
		{"messages", `{"messages":` + jargon + `}`, map[string]int{
			"gpt-4o": 124, "gpt-4o-2024-08-06": 124, "gpt-4o-mini-2024-07-18": 124,
			"gpt-4": 129, "gpt-4-0613": 129, "gpt-3.5-turbo-0125": 129,
		}},
		{"tools", `{"messages":` + forecast + `,"tools":` + tools + `}`, map[string]int{
			"gpt-4o": 101, "gpt-4o-mini": 101, "gpt-4": 105, "gpt-3.5-turbo": 105,
		}},
	} {
		doc, err := format.Decode([]byte(x.body), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range x.want {
			if got := tokens.Measure(doc.Transcript, exactFor(t, id)).Total(); got != want {
				t.Errorf("%s, %s: %d, want %d", x.name, id, got, want)
			}
		}
	}
}

// A message counts its texts exactly, and a count of all of them is the sum of
// the counts of each, with either vocabulary.
func TestExactMeasure(t *testing.T) {
	for _, id := range []string{"gpt-4o", "gpt-4"} {
		c := exactFor(t, id)
		texts := []string{"", "hello world", "日本語のテキスト", "0123456789 abcdef", "<|endoftext|>", "a\xffb", "\n \n"}
		tr := &transcript.Transcript{}
		want := 3
		for _, text := range texts {
			tr.Items = append(tr.Items, transcript.Item{Raw: []byte("{}"), Role: transcript.User, Parts: []transcript.Part{{Text: text}}})
			want += 4 + c.Count(text)
		}
		if got := tokens.Measure(tr, c).Total(); got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
		if c.ErrorP95() != 0 || tokens.Factor(c) != 1 {
			t.Errorf("%s: error %v, factor %v", id, c.ErrorP95(), tokens.Factor(c))
		}
	}
}
