package tokens

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// item is an item whose one part has text, in raw JSON of any shape.
func item(raw, itemType string, role transcript.Role, parts ...transcript.Part) transcript.Item {
	return transcript.Item{Raw: []byte(raw), Type: itemType, Role: role, Parts: parts}
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string cannot fail
	return string(b)
}

func sealed(itemType string, n int) transcript.Item {
	text := strings.Repeat("e", n)
	return item(`{"type":"`+itemType+`","summary":[{"type":"summary_text","text":"plain"}],"encrypted_content":"`+text+`"}`, itemType, transcript.Assistant,
		transcript.Part{Kind: transcript.Thinking, Text: "plain"}, transcript.Part{Kind: transcript.Opaque, Text: text})
}

func TestSealedItems(t *testing.T) {
	tr := &transcript.Transcript{Family: transcript.Responses}
	for n, want := range map[int]int{800: 0, 868: 1, 900: 7, 1000: 25, 2000: 213, 4000: 588} {
		for _, itemType := range []string{"reasoning", "compaction", "compaction_summary", "context_compaction"} {
			it := sealed(itemType, n)
			for _, c := range []Counter{Bytes4(), Estimate()} {
				if got := Item(tr, &it, c); got != want {
					t.Errorf("%s of %d by %s: %d, want %d", itemType, n, c.Name(), got, want)
				}
			}
		}
	}
}

func TestReasoningWithoutSealCountsItsText(t *testing.T) {
	raw := `{"type":"reasoning","summary":[{"type":"summary_text","text":"look at the file first"}],"encrypted_content":null}`
	it := item(raw, "reasoning", transcript.Assistant, transcript.Part{Kind: transcript.Thinking, Text: "look at the file first"})
	tr := &transcript.Transcript{Family: transcript.Responses}
	if got, want := Item(tr, &it, Bytes4()), (len(raw)+3)/4; got != want {
		t.Errorf("bytes4: %d, want %d", got, want)
	}
	if got, want := Item(tr, &it, Estimate()), 4+Estimate().Count("look at the file first"); got != want {
		t.Errorf("estimate: %d, want %d", got, want)
	}
}

func TestBytes4Item(t *testing.T) {
	tr := &transcript.Transcript{}
	enc := strings.Repeat("x", 1868)
	output := `{"type":"function_call_output","call_id":"c","output":[{"type":"encrypted_content","encrypted_content":"` + enc + `"}]}`
	audio := strings.Repeat("A", 1001)
	heard := `{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"` + audio + `","format":"mp3"}}]}`
	drawn := `{"type":"image_generation_call","result":"` + strings.Repeat("A", 400) + `"}`
	for _, x := range []struct {
		name string
		it   transcript.Item
		want int // bytes
	}{
		{"message", item(` { "role" : "user", "content" : "hi\u00e9" } `, "", transcript.User), len(`{"role":"user","content":"hié"}`)},
		{"encrypted output", item(output, "function_call_output", transcript.Tool, transcript.Part{Kind: transcript.Opaque, Text: enc}), len(output) - 1868 + 1051},
		// 1,001 characters count as 251 tokens, 1,004 bytes
		{"sound", item(heard, "", transcript.User, transcript.Part{Kind: transcript.Audio, Bytes: 1001, Start: 25, End: len(heard) - 2}), len(heard) + 3},
		{"drawn picture counts in full", item(drawn, "image_generation_call", transcript.Assistant, transcript.Part{Kind: transcript.Image, Bytes: 400}), len(drawn)},
		{"nothing", item("", "", transcript.User), 0},
	} {
		if got, want := Item(tr, &x.it, Bytes4()), (x.want+3)/4; got != want {
			t.Errorf("%s: %d, want %d", x.name, got, want)
		}
	}
	it := picture(png(640, 480), "")
	if got, want := Item(tr, &it, Bytes4()), (len(it.Raw)-it.Parts[0].Bytes+7373+3)/4; got != want {
		t.Errorf("picture: %d, want %d", got, want)
	}
	// The picture alone is 1,844 tokens: 7,373 bytes.
	if got := quarter(imageBytes(&it, &it.Parts[0])); got != 1844 {
		t.Errorf("picture alone: %d, want 1844", got)
	}
}

func TestEstimateItem(t *testing.T) {
	tr := &transcript.Transcript{}
	count := Estimate().Count
	text := func(s string) transcript.Part { return transcript.Part{Kind: transcript.Text, Text: s} }
	call := transcript.Part{Kind: transcript.Call, Name: "read_file", Text: `{"path":"a.go"}`}
	result := transcript.Part{Kind: transcript.Result, Text: "package a"}
	big := strings.Repeat("QUFB", 10_000)
	for _, x := range []struct {
		name string
		it   transcript.Item
		want int
	}{
		{"message", item(`{}`, "", transcript.User, text("hello there")), 4 + count("hello there")},
		{"empty message", transcript.Item{Raw: []byte(`{"role":"user","content":""}`), Empty: true}, 4},
		{"unknown item", item(`{"type":"new_thing","a":1}`, "new_thing", transcript.Assistant), 4 + count(`{"type":"new_thing","a":1}`)},
		{"call", item(`{}`, "", transcript.Assistant, call), 4 + 8 + count("read_file") + count(`{"path":"a.go"}`)},
		{"result", item(`{}`, "", transcript.Tool, result), 4 + count("package a")},
		{"link to a file", item(`{}`, "", transcript.User, transcript.Part{Kind: transcript.File}), 4 + 258},
		{"link to sound", item(`{}`, "", transcript.User, transcript.Part{Kind: transcript.Audio}), 4 + 258},
		{"a file that is its text", item(`{}`, "", transcript.User, transcript.Part{Kind: transcript.File, Text: "a.pdf"}), 4 + count("a.pdf")},
		{"link to a picture", item(`{}`, "", transcript.User, transcript.Part{Kind: transcript.Image}), 4 + 765},
		{"small picture", item(`{}`, "", transcript.User, transcript.Part{Kind: transcript.Image, Detail: "low"}), 4 + 85},
		// 40,000 characters hold 30,000 bytes
		{"sound", item(`{"data":"`+big+`"}`, "", transcript.User, transcript.Part{Kind: transcript.Audio, Bytes: len(big)}), 4 + 19},
		{"file", item(`{"data":"`+big+`"}`, "", transcript.User, transcript.Part{Kind: transcript.File, Bytes: len(big), Text: "a.pdf"}), 4 + 7500 + count("a.pdf")},
		{"encrypted thinking", item(`{}`, "", transcript.Assistant, transcript.Part{Kind: transcript.Opaque, Text: strings.Repeat("x", 1000)}), 4 + 25},
		{"withheld thinking", item(strings.Repeat("x", 1000), "", transcript.Assistant, transcript.Part{Kind: transcript.Thinking, Signed: true, End: 1000}), 4 + 25},
		{"signed thinking", item(strings.Repeat("x", 1000), "", transcript.Assistant, transcript.Part{Kind: transcript.Thinking, Signed: true, End: 1000, Text: "hm"}), 4 + count("hm")},
		{"block without a word", item(`{"content":[{"a":"b"}]}`, "", transcript.User, transcript.Part{Kind: transcript.Other, Start: 12, End: 21}), 4 + count(`{"a":"b"}`)},
		{"place out of range", item(`{}`, "", transcript.User, transcript.Part{Kind: transcript.Other, Start: 12, End: 21}), 4},
	} {
		if got := Item(tr, &x.it, Estimate()); got != x.want {
			t.Errorf("%s: %d, want %d", x.name, got, x.want)
		}
	}
}

func TestOneConversationMeasuresTheSameInEveryPacking(t *testing.T) {
	a := transcript.Part{Kind: transcript.Call, Name: "ls", Text: `{"dir":"src"}`}
	b := transcript.Part{Kind: transcript.Call, Name: "cat", Text: `{"file":"go.mod"}`}
	ra := transcript.Part{Kind: transcript.Result, Text: "a.go\nb.go"}
	rb := transcript.Part{Kind: transcript.Result, Text: "module x"}
	say := transcript.Part{Kind: transcript.Text, Text: "Let me look."}
	one := func(role transcript.Role, parts ...transcript.Part) transcript.Item {
		return item(`{}`, "", role, parts...)
	}
	want := 0
	for i, items := range [][]transcript.Item{
		{one(transcript.Assistant, say, a, b), one(transcript.Tool, ra), one(transcript.Tool, rb)},                                                       // chat
		{one(transcript.Assistant, say, a, b), one(transcript.User, ra, rb)},                                                                             // messages
		{one(transcript.Assistant, say), one(transcript.Assistant, a), one(transcript.Assistant, b), one(transcript.Tool, ra), one(transcript.Tool, rb)}, // responses
	} {
		total := Measure(&transcript.Transcript{Items: items}, Estimate()).Total()
		if i == 0 {
			want = total
		}
		if total != want {
			t.Errorf("packing %d: %d, want %d", i, total, want)
		}
	}
}

func TestMeasure(t *testing.T) {
	tools := "[\n  {\"name\": \"read a file\"}\n]"
	tr := &transcript.Transcript{System: "You are a careful engineer.", Tools: []byte(tools), Items: []transcript.Item{
		item(`{"role":"user","content":"hi"}`, "", transcript.User, transcript.Part{Kind: transcript.Text, Text: "hi"}),
		item(`{"role":"assistant","content":"hello"}`, "", transcript.Assistant, transcript.Part{Kind: transcript.Text, Text: "hello"}),
	}}
	c := Estimate()
	m := Measure(tr, c)
	overhead := 3 + c.Count(tr.System) + c.Count(`[{"name":"read a file"}]`)
	items := []int{4 + c.Count("hi"), 4 + c.Count("hello")}
	if m.Overhead != overhead || !slices.Equal(m.Items, items) || m.Total() != overhead+items[0]+items[1] {
		t.Errorf("estimate: %+v, want %d and %v", m, overhead, items)
	}
	m = Measure(tr, Bytes4())
	items = []int{8, 10} // 30 and 38 bytes
	if m.Overhead != 7 || !slices.Equal(m.Items, items) || m.Total() != 25 {
		t.Errorf("bytes4: %+v, want 7 and %v", m, items)
	}
	if m := Measure(&transcript.Transcript{}, Estimate()); m.Overhead != 3 || m.Total() != 3 || len(m.Items) != 0 {
		t.Errorf("empty: %+v", m)
	}
}

func TestTextInMediaIsNeverCounted(t *testing.T) {
	// The same picture with ten times the bytes costs the same.
	tr := &transcript.Transcript{}
	small, large := picture(append(png(800, 600), make([]byte, 1000)...), ""), picture(append(png(800, 600), make([]byte, 100_000)...), "")
	for _, c := range []Counter{Estimate(), Bytes4()} {
		if a, b := Item(tr, &small, c), Item(tr, &large, c); a != b {
			t.Errorf("%s: %d and %d", c.Name(), a, b)
		}
	}
}
