package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// bedrockTools is a request with every kind of block: two calls and their results
// in the other order, signed and redacted thoughts, media, marks for the cache.
const bedrockTools = `{"modelId": "m-1", "system": [{"text": "Be"}, {"text": "brief."}, {"cachePoint": {"type": "default"}}], "inferenceConfig": {"maxTokens": 300, "temperature": 0.0},
 "toolConfig": {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}], "toolChoice": {"any": {}}}, "messages": [
  {"role": "user", "content": [{"text": "See "}, {"image": {"format": "png", "source": {"bytes": "QUJDRA=="}}}, {"document": {"format": "pdf", "name": "d", "source": {"bytes": "QUJD"}}}, {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://v"}}}}, {"cachePoint": {"type": "default"}}]},
  {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "Two looks.", "signature": "c2ln"}}}, {"reasoningContent": {"redactedContent": "UkVE"}}, {"text": "Looking."}, {"toolUse": {"toolUseId": "t1", "name": "look", "input": {"at": 1}}}, {"toolUse": {"toolUseId": "t2", "name": "count", "input": {}}}]},
  {"role": "user", "content": [{"toolResult": {"toolUseId": "t2", "status": "error", "content": [{"text": "no such"}, {"text": "thing"}]}}, {"toolResult": {"toolUseId": "t1", "content": [{"json": {"a": 1}}, {"image": {"format": "jpeg", "source": {"bytes": "QUI="}}}]}}]},
  {"role": "assistant", "content": [{"citationsContent": {"content": [{"text": "Seen"}, {"text": "it."}], "citations": []}}, {"novelty": {}}]},
  {"role": "user", "content": [{"guardContent": {"text": {"text": "And this?", "qualifiers": ["query"]}}}, {"document": {"name": "t", "source": {"text": "A text."}}}, {"searchResult": {"source": "u", "title": "t", "content": [{"text": "Found."}]}}, {"audio": {"format": "wav", "source": {"bytes": [1, 2]}}}]},
  {"role": "assistant", "content": [{"toolUse": {"toolUseId": "s1", "name": "web", "input": {"q": "x"}, "type": "server_tool_use"}}, {"toolResult": {"toolUseId": "s1", "type": "web_search_tool_result", "content": [{"text": "y"}]}}, {"toolUse": {"toolUseId": "t3", "name": "look", "input": {"at": 3}}}]}
]}
`

// bedrockText has nothing but texts, in blocks without types.
const bedrockText = `[
 {"role": "user", "content": [{"text": "a"}]},
 {"role": "assistant", "content": [{"text": "b"}]},
 {"role": "user", "content": null}
]`

func TestBedrockItems(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"request", bedrockTools, `
.messages[0] user | text "See " | image 8B | file 4B | file [real]
.messages[1] assistant | thinking "Two looks." signed | opaque "UkVE" signed | text "Looking." | call #t1 look "{\"at\":1}" | call #t2 count "{}"
.messages[2] user | result #t2 "no such\nthing" failed | result #t1 "{\"a\":1}" | image 4B [fragment]
.messages[3] assistant | text "Seen\nit." | other
.messages[4] user | text "And this?" | file "A text." | file "Found." | audio 6B [real]
.messages[5] assistant | call #s1 web "{\"q\":\"x\"}" server | result #s1 "y" server | call #t3 look "{\"at\":3}"`},
		{"texts", bedrockText, `
[0] user | text "a" [real]
[1] assistant | text "b"
[2] user [empty] [real]`},
	} {
		d := mustDecode(t, c.src, Options{})
		if got := showAll(d); got != c.want || d.Format != "bedrock-converse" {
			t.Errorf("%s: %s, got%s\nwant%s", c.name, d.Format, got, c.want)
		}
		holds(t, []byte(c.src), Options{})
	}
	d := mustDecode(t, bedrockTools, Options{})
	if d.System != "Be\nbrief." || string(d.Tools) != `[{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}]` || d.Model != "m-1" || d.NoTools {
		t.Errorf("system %q, tools %s, model %q, none declared: %v", d.System, d.Tools, d.Model, d.NoTools)
	}
}

func TestBedrockDetect(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"request", bedrockTools, "bedrock-converse 0.98 request: messages[0] has a block with image; messages[1] has a block with reasoningContent; messages[2] has a block with toolResult"},
		{"texts", bedrockText, "bedrock-converse 0.98 array: [0] has blocks without types; [1] has blocks without types"},
		{"siblings of nothing", `{"modelId":"m","inferenceConfig":{},"messages":[{"role":"user","content":[]}]}`, "bedrock-converse 0.90 request: it has modelId; it has inferenceConfig"},
		{"an answer", `{"output":{"message":{"role":"assistant","content":[{"text":"a"}]}},"stopReason":"end_turn","usage":{}}`, "bedrock-converse 0.98 response: it has output.message and a stopReason"},
		{"types", `[{"role":"user","content":[{"type":"text","text":"a"}]}]`, "openai-chat 0.50 array: the items have roles and texts, and nothing that only one format has"},
		{"Genkit", `[{"role":"user","content":[{"text":"a"}]},{"role":"model","content":[{"text":"b"}]}]`, "gemini-contents 0.80 array: [1] has role model"},
	} {
		if got := verdict(t, c.src); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestBedrockErrors(t *testing.T) {
	for _, c := range []struct {
		src, code, msg string
		opt            Options
	}{
		{`{"output":{"message":{"content":[]}},"stopReason":"end_turn"}`, "not_a_history", "transcript: is a single answer (it has output.message and a stopReason)", Options{}},
		{`[{"role":"user","content":"a"}]`, "invalid_request", "transcript[0].content: is a string, a list of blocks is wanted", Options{Format: "bedrock-converse"}},
		{`[{"role":"user","content":[{"text":"a"},{"text":5}]}]`, "invalid_request", "transcript[0].content[1].text: is a number, a string is wanted", Options{}},
		{`[{"role":"user","content":[{"text":"a"},5]}]`, "invalid_request", "transcript[0].content[1]: is a number, an object is wanted", Options{}},
		{`[{"role":"assistant","content":[{"toolUse":{"toolUseId":5}}]}]`, "invalid_request", "transcript[0].content[0].toolUse.toolUseId: is a number, a string is wanted", Options{}},
		{`[{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":"x"}}]}]`, "invalid_request", "transcript[0].content[0].toolResult.content: is a string, a list of blocks is wanted", Options{}},
		{`[{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":5}]}}]}]`, "invalid_request", "transcript[0].content[0].toolResult.content[0].text: is a number, a string is wanted", Options{}},
		{`[{"role":"user","content":[{"text":"a"}]},{"content":[]}]`, "invalid_request", "transcript[1].role: is missing", Options{}},
	} {
		wantError(t, c.src, c.opt, c.code, c.msg)
	}
}

// from is a text from a mark on.
func from(t *testing.T, s, mark string) string {
	t.Helper()
	_, rest, ok := strings.Cut(s, mark)
	if !ok {
		t.Fatalf("%s is not in %s", mark, s)
	}
	return mark + rest
}

func TestBedrockEdits(t *testing.T) {
	d := mustDecode(t, bedrockTools, Options{})
	raw := func(i int) string { return string(d.Items[i].Raw) }
	joined, ok := d.Writer.Joined(&d.Items[0], &d.Items[4])
	answer, answers := d.Writer.Answer(&d.Items[5], 2, "none")
	for _, c := range []struct{ name, got, want string }{
		{
			"results", edited(d, 2, transcript.Edit{Part: 0, Text: "[cleared]"}, transcript.Edit{Part: 1, Text: "[cleared]"}),
			strings.NewReplacer(`[{"text": "no such"}, {"text": "thing"}]`, `[{"text":"[cleared]"}]`, `[{"json": {"a": 1}}, {"image": {"format": "jpeg", "source": {"bytes": "QUI="}}}]`, `[{"text":"[cleared]"}]`).Replace(raw(2)),
		},
		{"an input", edited(d, 1, transcript.Edit{Part: 3, Text: `{"cleared":true}`}), strings.Replace(raw(1), `{"at": 1}`, `{"cleared":true}`, 1)},
		{"a thought", edited(d, 1, transcript.Edit{Part: 0, Drop: true}, transcript.Edit{Part: 1, Drop: true}), `{"role": "assistant", "content": [` + from(t, raw(1), `{"text": "Looking."}`)},
		{"a document", edited(d, 0, transcript.Edit{Part: 2, Text: "[file]"}), strings.Replace(raw(0), `{"document": {"format": "pdf", "name": "d", "source": {"bytes": "QUJD"}}}`, `{"text":"[file]"}`, 1)},
		{"a picture within a result", edited(d, 2, transcript.Edit{Part: 2, Text: "[image]"}), strings.Replace(raw(2), `{"image": {"format": "jpeg", "source": {"bytes": "QUI="}}}`, `{"text":"[image]"}`, 1)},
		{"the id of a call", edited(d, 1, transcript.Edit{Part: 3, ID: "t9"}), strings.Replace(raw(1), `"t1"`, `"t9"`, 1)},
		{"the id that a result answers", edited(d, 2, transcript.Edit{Part: 1, ID: "t9"}), strings.Replace(raw(2), `"t1"`, `"t9"`, 1)},
		{"joined", string(joined.Raw), `{"role": "user", "content": [` + strings.ReplaceAll(raw(0)[len(`{"role": "user", "content": [`):len(raw(0))-2], "}, {", "},{") + "," +
			strings.ReplaceAll(raw(4)[len(`{"role": "user", "content": [`):], "}, {", "},{")},
		{"answer", string(answer.Raw), `{"role":"user","content":[{"toolResult":{"toolUseId":"t3","content":[{"text":"none"}]}}]}`},
		{"message", string(d.Writer.Message(transcript.User, "a").Raw), `{"role":"user","content":[{"text":"a"}]}`},
		{"another text", string(withText(d, 4, "b").Raw), `{"role": "user", "content": [{"text":"b"}]}`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
	if !ok || !answers || answer.Parts[0].ID != "t3" {
		t.Errorf("joined %v, answered %v", ok, answers)
	}
}

func TestBedrockBody(t *testing.T) {
	d := mustDecode(t, bedrockTools, Options{})
	raw := func(i int) string { return string(d.Items[i].Raw) }
	system := `"system":[{"text": "Be"}, {"text": "brief."}, {"cachePoint": {"type": "default"}}],`
	config := `,"toolConfig":{"tools":[{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}]}`
	results := `{"role":"user","content":[{"toolResult": {"toolUseId": "t1", "content": [{"json": {"a": 1}}, {"image": {"format": "jpeg", "source": {"bytes": "QUI="}}}]}},{"toolResult": {"toolUseId": "t2", "status": "error", "content": [{"text": "no such"}, {"text": "thing"}]}}`
	for _, c := range []struct {
		name, src string
		r         BodyRequest
		want      string
	}{
		{
			"tools are declared, none is forced; the prompt stands behind the results", bedrockTools,
			BodyRequest{Items: []int{0, 1, 2}, Model: "m", MaxTokens: 9},
			`{"modelId":"m",` + system + `"messages":[` + raw(0) + "," + raw(1) + "," + results + `,{"text":"P"}]}],"inferenceConfig":{"maxTokens":9}` + config + `}`,
		},
		{
			"an open call is answered, a server's stands", bedrockTools,
			BodyRequest{Items: []int{5}},
			`{` + system + `"messages":[{"role":"user","content":[{"text":"` + transcript.Opening + `"}]},` + raw(5) + `,{"role":"user","content":[{"toolResult":{"toolUseId":"t3","content":[{"text":"` + stub + `"}]}},{"text":"P"}]}]` + config + `}`,
		},
		{
			"no blocks of tools, no tools", bedrockTools,
			BodyRequest{Items: []int{3, 4}},
			`{` + system + `"messages":[{"role":"user","content":[{"text":"` + transcript.Opening + `"}]},` + raw(3) + `,{"role":"user","content":` + strings.TrimSuffix(strings.ReplaceAll(raw(4)[len(`{"role": "user", "content": `):], "}, {", "},{"), "]}") + `,{"text":"P"}]}]}`,
		},
		{
			"tools that nobody declared", `[{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}},{"toolUse":{"toolUseId":"b","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"b","content":[]}},{"toolResult":{"toolUseId":"lost","content":[]}},{"text":" "}]}]`,
			BodyRequest{Items: []int{0, 1}, SendTools: "auto"},
			`{"messages":[{"role":"user","content":[{"text":"` + transcript.Opening + `"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}},{"toolUse":{"toolUseId":"b","name":"f","input":{}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"` + stub + `"}]}},{"toolResult":{"toolUseId":"b","content":[]}},{"text":"P"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}}`,
		},
		{
			"no tools wanted: they are told", bedrockTools,
			BodyRequest{Items: []int{1, 2}, SendTools: "never"},
			`{` + system + `"messages":[{"role":"user","content":[{"text":"` + transcript.Opening + `"}]},{"role":"assistant","content":[{"reasoningContent": {"reasoningText": {"text": "Two looks.", "signature": "c2ln"}}},{"reasoningContent": {"redactedContent": "UkVE"}},{"text": "Looking."},{"text":"[Call of look] {\"at\":1}"},{"text":"[Call of count] {}"}]},` +
				`{"role":"user","content":[{"text":"[Result] no such\nthing"},{"text":"[Result] {\"a\":1}"},{"text":"P"}]}]}`,
		},
		{
			"messages of one side are joined, a mark for the cache stays behind what it marks", `[{"role":"user","content":[{"cachePoint":{}},{"text":"a"},{"cachePoint":{}}]},{"role":"user","content":[{"text":"b"}]},{"role":"assistant","content":[]},{"role":"user","content":[{"text":"c"}]}]`,
			BodyRequest{Items: []int{0, 1, 2, 3}},
			`{"messages":[{"role":"user","content":[{"text":"a"},{"cachePoint":{}},{"text":"b"},{"text":"c"},{"text":"P"}]}]}`,
		},
	} {
		c.r.Prompt = "P"
		got, err := mustDecode(t, c.src, Options{}).Body(c.r)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

func FuzzBedrockConverse(f *testing.F) {
	fuzz(f, "bedrock-converse", bedrockTools, bedrockText, `{"output":{"message":{"content":[]}},"stopReason":""}`,
		`[{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"document":{"source":{"content":[{"text":"t"}]}}},{"novelty":1}]}},{"guardContent":{"image":{"source":{"bytes":"QQ=="}}}}]}]`)
}
