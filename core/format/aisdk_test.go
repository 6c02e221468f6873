package format

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// uiTools is a chat of useChat (ai 7): every type of part, every state of a tool
// part.
const uiTools = `{"id":"chat1","messages":[
 {"id":"s","role":"system","parts":[{"type":"text","text":"Be brief."}]},
 {"id":"u1","role":"user","metadata":{"at":1},"parts":[{"type":"text","text":"See "},{"type":"file","mediaType":"image/png","filename":"a.png","url":"data:image/png;base64,QUJDRA=="},{"type":"file","mediaType":"application/pdf","url":"https://x/y.pdf"},{"type":"data-cursor","data":{"x":1}}]},
 {"id":"a1","role":"assistant","parts":[
  {"type":"step-start"},
  {"type":"reasoning","text":"hm","state":"done","providerMetadata":{"anthropic":{"signature":"c2ln"}}},
  {"type":"text","text":"Looking.","state":"done"},
  {"type":"tool-look","toolCallId":"c1","state":"output-available","input":{"at": 1},"output":{"found":[2]}},
  {"type":"dynamic-tool","toolName":"fetch","toolCallId":"c2","state":"output-error","input":{},"errorText":"404"},
  {"type":"step-start"},
  {"type":"tool-web_search","toolCallId":"w1","providerExecuted":true,"state":"output-available","input":{"query":"q"},"output":"hits"},
  {"type":"source-url","sourceId":"1","url":"https://x"},
  {"type":"source-document","sourceId":"2","mediaType":"text/plain","title":"t"},
  {"type":"reasoning-file","mediaType":"audio/wav","url":"data:audio/wav;base64,QUJD"},
  {"type":"custom","kind":"acme.note"},
  {"type":"novelty","deep":[1]},
  {"type":"text","text":"Seen."}]},
 {"id":"u2","role":"user","parts":[{"type":"text","text":"Delete it."}]},
 {"id":"a2","role":"assistant","parts":[
  {"type":"reasoning","text":"","providerMetadata":{"openai":{"itemId":"rs_1","reasoningEncryptedContent":"RU5D"}}},
  {"type":"tool-rm","toolCallId":"c3","state":"output-denied","input":{"f":"a"},"approval":{"id":"p1","approved":false,"reason":"no"}},
  {"type":"tool-rm","toolCallId":"c4","state":"approval-responded","input":{"f":"b"},"approval":{"id":"p2","approved":false}},
  {"type":"tool-rm","toolCallId":"c5","state":"approval-responded","input":{"f":"c"},"approval":{"id":"p3","approved":true}},
  {"type":"tool-rm","toolCallId":"c6","state":"approval-requested","input":{"f":"d"},"approval":{"id":"p4"}},
  {"type":"tool-ask","toolCallId":"c7","state":"input-available","input":{"q":"sure?"}},
  {"type":"tool-ask","toolCallId":"c8","state":"input-streaming","input":{"q":"su"}},
  {"type":"tool-watch","toolCallId":"c9","state":"output-available","preliminary":true,"input":{},"output":"50%"}]}],"trigger":"submit-message"}`

// uiOld are messages of AI SDK 4, and one of 3 without parts.
const uiOld = `[{"id":"1","role":"user","createdAt":"2025-01-01T00:00:00.000Z","content":"Look.","experimental_attachments":[{"name":"a.png","contentType":"image/png","url":"data:image/png;base64,QUJDRA=="}],"parts":[{"type":"text","text":"Look."}]},
{"id":"2","role":"assistant","content":"Done.","revisionId":"r","reasoning":"hm","toolInvocations":[{"state":"result","step":0,"toolCallId":"c1","toolName":"look","args":{"at":1},"result":"one"}],"parts":[
 {"type":"reasoning","reasoning":"hm","details":[{"type":"text","text":"hm","signature":"c2ln"},{"type":"redacted","data":"RU5D"}]},
 {"type":"tool-invocation","toolInvocation":{"state":"result","step":0,"toolCallId":"c1","toolName":"look","args":{"at":1},"result":"one"}},
 {"type":"source","source":{"id":"s","url":"https://x","sourceType":"url"}},
 {"type":"file","mimeType":"image/png","data":"QUJDRA=="},
 {"type":"text","text":"Done."}]},
{"id":"3","role":"assistant","content":"Once more.","toolInvocations":[{"state":"call","toolCallId":"c2","toolName":"look","args":{}}]}]`

const modelTools = `{"model":{"modelId":"gpt-x"},"system":"Be brief.","messages":[
 {"role":"system","content":"More."},
 {"role":"user","content":[{"type":"text","text":"See "},{"type":"image","image":"data:image/png;base64,QUJDRA=="},{"type":"file","mediaType":"application/pdf","data":"QUJD","filename":"a.pdf"},{"type":"file","mediaType":"image/png","data":{"type":"url","url":"https://x/y.png"}}]},
 {"role":"assistant","content":[{"type":"reasoning","text":"hm","providerOptions":{"anthropic":{"signature":"c2ln"}}},{"type":"text","text":"Looking."},{"type":"tool-call","toolCallId":"c1","toolName":"look","input":{"at": 1}},{"type":"tool-call","toolCallId":"c2","toolName":"fetch","input":{}},{"type":"tool-call","toolCallId":"w1","toolName":"web_search","input":{"query":"q"},"providerExecuted":true},{"type":"tool-result","toolCallId":"w1","toolName":"web_search","output":{"type":"json","value":[{"url":"u"}]}}]},
 {"role":"tool","content":[{"type":"tool-result","toolCallId":"c2","toolName":"fetch","output":{"type":"error-text","value":"404"}},{"type":"tool-result","toolCallId":"c1","toolName":"look","output":{"type":"content","value":[{"type":"text","text":"a"},{"type":"image-data","mediaType":"image/png","data":"QUJDRA=="},{"type":"text","text":"b"}]}}]},
 {"role":"assistant","content":"Seen."},
 {"role":"user","content":"Delete it."},
 {"role":"assistant","content":[{"type":"tool-call","toolCallId":"c3","toolName":"rm","input":{"f":"a"}},{"type":"tool-approval-request","approvalId":"p1","toolCallId":"c3"},{"type":"tool-call","toolCallId":"c4","toolName":"rm","input":{"f":"b"}},{"type":"tool-approval-request","approvalId":"p2","toolCallId":"c4"}]},
 {"role":"tool","content":[{"type":"tool-approval-response","approvalId":"p1","approved":true},{"type":"tool-approval-response","approvalId":"p2","approved":false,"reason":"no"},{"type":"tool-result","toolCallId":"c4","toolName":"rm","output":{"type":"execution-denied","reason":"no"}}]},
 {"role":"tool","content":[{"type":"tool-result","toolCallId":"c3","toolName":"rm","output":{"type":"json","value":{"ok":true}}}]},
 {"role":"assistant","content":[{"type":"custom","kind":"acme.note"},{"type":"novelty"},{"type":"tool-call","toolCallId":"c5","toolName":"rm","input":{}},{"type":"tool-approval-request","approvalId":"p3","toolCallId":"c5"}]}]}`

// modelOld are CoreMessages of AI SDK 4.
const modelOld = `[{"role":"user","content":"go"},
{"role":"assistant","content":[{"type":"reasoning","text":"hm","signature":"c2ln"},{"type":"redacted-reasoning","data":"RU5D"},{"type":"tool-call","toolCallId":"c1","toolName":"look","args":{"at":1}},{"type":"tool-call","toolCallId":"c2","toolName":"look","args":{"at":2}}]},
{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"look","result":{"n":1}},{"type":"tool-result","toolCallId":"c2","toolName":"look","isError":true,"result":"bad","experimental_content":[{"type":"text","text":"bad"}]}]}]`

// sdkCompacted holds what providers' own compactions left: Anthropic's block
// beside a text, and OpenAI's item alone.
const sdkCompacted = `[{"role":"assistant","content":[{"type":"text","text":"Earlier: looked.","providerOptions":{"anthropic":{"type":"compaction"}}},{"type":"text","text":"Going on."}]},
{"role":"assistant","content":[{"type":"custom","kind":"openai.compaction","providerOptions":{"openai":{"type":"compaction","itemId":"cmp_1","encryptedContent":"RU5D"}}}]},
{"role":"user","content":"next"}]`

// checkShown compares the items of src with one line each.
func checkShown(t *testing.T, src string, opt Options, format, want string) *Document {
	t.Helper()
	d := mustDecode(t, src, opt)
	if d.Format != format {
		t.Errorf("read as %s, want %s", d.Format, format)
	}
	var got strings.Builder
	for i := range d.Items {
		got.WriteString("\n" + show(&d.Items[i]))
	}
	if got.String() != want {
		t.Errorf("got%s\nwant%s", got.String(), want)
	}
	holds(t, []byte(src), opt)
	return d
}

// The expected lines follow from the parts, and from what ai 7's
// convertToModelMessages sends of them: no step marks, sources or data.
func TestAISDKItems(t *testing.T) {
	for _, c := range []struct{ name, src, format, want string }{
		{"ui", uiTools, "ai-sdk-ui", `
.messages[0] system | text "Be brief."
.messages[1] user | text "See " | image 8B | file [real]
.messages[2] assistant | thinking "hm" signed | text "Looking." | call #c1 look "{\"at\":1}" | result #c1 "{\"found\":[2]}" | call #c2 fetch "{}" | result #c2 "404" failed | call #w1 web_search "{\"query\":\"q\"}" server | result #w1 "hits" server | audio 4B | other | other | text "Seen."
.messages[3] user | text "Delete it." [real]
.messages[4] assistant | thinking signed | call #c3 rm "{\"f\":\"a\"}" | result #c3 "denied: no" failed | call #c4 rm "{\"f\":\"b\"}" | result #c4 "denied" failed | call #c5 rm "{\"f\":\"c\"}" | call #c6 rm "{\"f\":\"d\"}" | call #c7 ask "{\"q\":\"sure?\"}" | call #c9 watch "{}" | result #c9 "50%"`},
		{"ui of 4", uiOld, "ai-sdk-ui", `
[0] user | text "Look." | image 8B [real]
[1] assistant | thinking "hm" signed | call #c1 look "{\"at\":1}" | result #c1 "one" | image 8B | text "Done."
[2] assistant | text "Once more." | call #c2 look "{}"`},
		{"ui, said between two steps", `[{"id":"a","role":"assistant","parts":[{"type":"steering-message","id":"m","parts":[{"type":"text","text":"faster"}]},{"type":"text","text":"ok"}]}]`, "ai-sdk-ui", `
[0] assistant | text "faster" | text "ok"`},
		{"ui, a tool named invocation", `[{"role":"assistant","parts":[{"type":"tool-invocation","toolCallId":"c","state":"output-available","input":{},"output":5}]}]`, "ai-sdk-ui", `
[0] assistant | call #c invocation "{}" | result #c "5"`},
		{"model", modelTools, "ai-sdk-model", `
.messages[0] system | text "More."
.messages[1] user | text "See " | image 8B | file 4B | image [real]
.messages[2] assistant | thinking "hm" signed | text "Looking." | call #c1 look "{\"at\":1}" | call #c2 fetch "{}" | call #w1 web_search "{\"query\":\"q\"}" server | result #w1 web_search "[{\"url\":\"u\"}]" server
.messages[3] tool | result #c2 fetch "404" failed | result #c1 look "a\nb" | image 8B
.messages[4] assistant | text "Seen."
.messages[5] user | text "Delete it." [real]
.messages[6] assistant | call #c3 rm "{\"f\":\"a\"}" | call #p1 tool-approval-request "{\"toolCallId\":\"c3\"}" | call #c4 rm "{\"f\":\"b\"}" | call #p2 tool-approval-request "{\"toolCallId\":\"c4\"}"
.messages[7] tool | result #p1 "approved" | result #p2 "denied: no" failed | result #c4 rm "denied: no" failed
.messages[8] tool | result #c3 rm "{\"ok\":true}"
.messages[9] assistant | other | other | call #c5 rm "{}" | call #p3 tool-approval-request "{\"toolCallId\":\"c5\"}"`},
		{"model of 4", modelOld, "ai-sdk-model", `
[0] user | text "go" [real]
[1] assistant | thinking "hm" signed | opaque "RU5D" signed | call #c1 look "{\"at\":1}" | call #c2 look "{\"at\":2}"
[2] tool | result #c1 look "{\"n\":1}" | result #c2 look "bad" failed`},
		{"compactions", sdkCompacted, "ai-sdk-model", `
[0] assistant | text "Earlier: looked." | text "Going on."
[1] assistant | opaque "RU5D" [summary]
[2] user | text "next" [real]`},
	} {
		t.Run(c.name, func(t *testing.T) { checkShown(t, c.src, Options{}, c.format, c.want) })
	}
}

// What is open, what is in one group, and what stands beside the items.
func TestAISDKPairing(t *testing.T) {
	ui := mustDecode(t, uiTools, Options{})
	p := transcript.Pair(ui.Transcript)
	if !p.Open[4] || p.Open[2] || len(p.Orphans) > 0 || len(p.Unanswered) > 0 {
		t.Errorf("ui: open %v, orphans %v, unanswered %v", p.Open, p.Orphans, p.Unanswered)
	}
	if ui.System != "" || ui.Model != "" {
		t.Errorf("ui: system %q, model %q", ui.System, ui.Model)
	}
	m := mustDecode(t, modelTools, Options{})
	p = transcript.Pair(m.Transcript)
	if got := fmt.Sprint(p.Group, p.Open[9], p.Orphans, p.Unanswered); got != "[0 1 2 2 3 4 5 5 5 6] true [] []" {
		t.Errorf("model: %s", got)
	}
	if m.System != "Be brief." || m.Model != "gpt-x" {
		t.Errorf("model: system %q, model %q", m.System, m.Model)
	}
	// What nobody approved and what is still at work stays open, whatever is said
	// since; a call whose tool the client runs does not.
	for state, open := range map[string]bool{
		`approval-requested","approval":{"id":"p"},"x":"`: true, `output-available","preliminary":true,"output":"`: true,
		"input-available": false,
	} {
		d := mustDecode(t, `[{"role":"assistant","parts":[{"type":"tool-rm","toolCallId":"c","input":{},"state":"`+state+`"}]},{"role":"user","parts":[{"type":"text","text":"b"}]},{"role":"assistant","parts":[{"type":"text","text":"c"}]}]`, Options{})
		p := transcript.Pair(d.Transcript)
		if p.Open[0] != open || (len(p.Unanswered) == 0) != open {
			t.Errorf("%s: open %v, unanswered %v", state, p.Open, p.Unanswered)
		}
	}
	d := mustDecode(t, `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"rm","input":{}},{"type":"tool-approval-request","approvalId":"p","toolCallId":"c"}]},{"role":"user","content":"b"},{"role":"assistant","content":"c"}]`, Options{})
	if p := transcript.Pair(d.Transcript); !p.Open[0] || len(p.Unanswered) > 0 {
		t.Errorf("a request for approval: open %v, unanswered %v", p.Open, p.Unanswered)
	}
}

// A summary that a provider made is known as one, and can be taken out.
func TestAISDKSummaries(t *testing.T) {
	d := mustDecode(t, sdkCompacted, Options{})
	it := &d.Items[0]
	if it.Summary || !it.HoldsSummary() || !d.Items[1].Summary {
		t.Fatalf("%+v\n%+v", it, d.Items[1])
	}
	out := d.Writer.WithoutSummary(it)
	if want := `{"role":"assistant","content":[{"type":"text","text":"Going on."}]}`; string(out.Raw) != want {
		t.Errorf("%s, want %s", out.Raw, want)
	}
	ui := mustDecode(t, `[{"id":"a","role":"assistant","parts":[{"type":"text","text":"S","providerMetadata":{"anthropic":{"type":"compaction"}}},{"type":"text","text":"b"}]}]`, Options{})
	if out := ui.Writer.WithoutSummary(&ui.Items[0]); string(out.Raw) != `{"id":"a","role":"assistant","parts":[{"type":"text","text":"b"}]}` {
		t.Errorf("%s", out.Raw)
	}
}

// What is counted of a UIMessage: not what is for the page alone, where that is
// more than ids and marks.
func TestUIShown(t *testing.T) {
	long := strings.Repeat("y", noiseBytes)
	for _, c := range []struct{ src, want string }{
		{`{"id":"1","role":"user","metadata":{"a":"` + long + `"},"parts":[{"type":"step-start"},{"type":"text", "text":"a"}],"x":1}`, `{"role":"user","parts":[{"type":"text", "text":"a"}],"x":1}`},
		{`{"role":"assistant","parts":[{"type":"data-x","data":"` + long + `"},{"type":"text","text":"a"},{"type":"source-url","sourceId":"s","url":"u"}]}`, `{"role":"assistant","parts":[{"type":"text","text":"a"}]}`},
		{`{"role":"user","content":"` + long + `","createdAt":"T","parts":[{"type":"text","text":"` + long + `"}]}`, `{"role":"user","parts":[{"type":"text","text":"` + long + `"}]}`},
		{`{"id":"1","role":"user","parts":[{"type":"step-start"},{"type":"text","text":"a"}]}`, `{"id":"1","role":"user","parts":[{"type":"step-start"},{"type":"text","text":"a"}]}`},
		{`{"role":"user","content":"` + long + `","toolInvocations":[]}`, `{"role":"user","content":"` + long + `","toolInvocations":[]}`},
	} {
		d := mustDecode(t, "["+c.src+"]", Options{})
		if got := string(d.Items[0].Sent()); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// New messages have what the SDK's schemas demand, in the words of the version
// that wrote the others; ids differ from message to message.
func TestAISDKMessages(t *testing.T) {
	ui := mustDecode(t, uiTools, Options{})
	a, b := ui.Writer.Message(transcript.User, "a"), ui.Writer.Message(transcript.User, "b")
	if want := `{"id":"` + a.ID + `","role":"user","parts":[{"type":"text","text":"a"}]}`; string(a.Raw) != want || len(a.ID) != 16 || a.ID == b.ID {
		t.Errorf("%s, want %s; another is %q", a.Raw, want, b.ID)
	}
	if again := mustDecode(t, uiTools, Options{}).Writer.Message(transcript.User, "a"); string(again.Raw) != string(a.Raw) {
		t.Errorf("%s and %s", a.Raw, again.Raw)
	}
	old := mustDecode(t, uiOld, Options{})
	m := old.Writer.Message(transcript.User, "a")
	if want := `{"id":"` + m.ID + `","role":"user","content":"a","parts":[{"type":"text","text":"a"}]}`; string(m.Raw) != want {
		t.Errorf("%s, want %s", m.Raw, want)
	}
	with := old.Writer.WithText(&old.Items[0], "T")
	if want := `{"id":"1","role":"user","createdAt":"2025-01-01T00:00:00.000Z","content":"T","experimental_attachments":[],"parts":[{"type":"text","text":"T"}]}`; string(with.Raw) != want {
		t.Errorf("%s, want %s", with.Raw, want)
	}
	both, ok := old.Writer.Joined(&old.Items[0], &m)
	if want := `"content":"Look.\na"`; !ok || !strings.Contains(string(both.Raw), want) || both.Text() != "Look.a" {
		t.Errorf("%v %s", ok, both.Raw)
	}
	if _, ok := old.Writer.Joined(&m, &old.Items[2]); ok {
		t.Error("a message without parts was joined")
	}
	model := mustDecode(t, modelTools, Options{})
	if m := model.Writer.Message(transcript.User, "a"); string(m.Raw) != `{"role":"user","content":"a"}` {
		t.Errorf("%s", m.Raw)
	}
	for _, c := range []struct {
		src        string
		item, part int
		want       string
	}{
		{modelTools, 9, 2, `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c5","toolName":"rm","output":{"type":"error-text","value":"T"}}]}`},
		{modelTools, 9, 3, `{"role":"tool","content":[{"type":"tool-approval-response","approvalId":"p3","approved":false,"reason":"T"}]}`},
		{modelOld, 1, 2, `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"look","result":"T"}]}`},
	} {
		d := mustDecode(t, c.src, Options{})
		if out, ok := d.Writer.Answer(&d.Items[c.item], c.part, "T"); !ok || string(out.Raw) != c.want {
			t.Errorf("%v %s, want %s", ok, out.Raw, c.want)
		}
	}
	if _, ok := ui.Writer.Answer(&ui.Items[4], 1, "T"); ok {
		t.Error("a result is an item of its own in ai-sdk-ui")
	}
}

func TestAISDKDetect(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{uiTools, "ai-sdk-ui 0.98 request: messages[0] has parts that have types; messages[1] has parts that have types; messages[2] has parts that have types"},
		{`[{"role":"user","content":"a"},{"role":"assistant","content":"","toolInvocations":[]}]`, "ai-sdk-ui 0.98 array: [1] has toolInvocations"},
		{`{"id":"1","role":"user","parts":[{"type":"text","text":"a"}]}` + "\n" + `{"id":"2","role":"user","parts":[{"type":"text","text":"b"}]}`, "ai-sdk-ui 0.98 jsonl: line 1 has parts that have types; line 2 has parts that have types"},
		{modelOld, "ai-sdk-model 0.98 array: [1] has a part of type reasoning; [2] has a part of type tool-result"},
		{`[{"role":"user","content":[{"type":"image","image":"https://x/y.png"}]}]`, "ai-sdk-model 0.98 array: [0] has a part of type image"},
		{`[{"role":"user","content":"a","providerOptions":{}}]`, "ai-sdk-model 0.98 array: [0] has providerOptions"},
		{`[{"role":"user","content":[{"type":"text","text":"a","providerOptions":{}}]}]`, "ai-sdk-model 0.98 array: [0] has a part with providerOptions"},
		{`[{"role":"user","content":[{"type":"text","text":"a"}]}]`, "openai-chat 0.50 array: the items have roles and texts, and nothing that only one format has"},
	} {
		v, err := Detect([]byte(c.src))
		if got := fmt.Sprintf("%s %.2f %s: %s", v.Name, v.Confidence, v.Shape, strings.Join(v.Evidence, "; ")); err != nil || got != c.want {
			t.Errorf("%v %s\nwant %s", err, got, c.want)
		}
	}
}

// Parts without types are Gemini's.
func TestUITypes(t *testing.T) {
	v, err := Detect([]byte(`[{"role":"user","parts":[{"text":"a"}]}]`))
	if err != nil || v.Name != "gemini-contents" {
		t.Errorf("%s, %v", v.Name, err)
	}
}

func TestAISDKErrors(t *testing.T) {
	const stream = "unsupported_format transcript: is a stream of chunks of the AI SDK, of which messages have to be made first"
	for _, c := range []struct {
		src, format, want string
	}{
		{`[{"role":"user","parts":[{"type":"text","text":"a"},{"type":"text","text":5}]}]`, "", "invalid_request transcript[0].parts[1].text: is a number, a string is wanted"},
		{`[{"role":"user","parts":[{"type":"text","text":"a"},5]}]`, "", "invalid_request transcript[0].parts[1]: is a number, an object is wanted"},
		{`[{"role":"user","parts":{},"toolInvocations":[]}]`, "", "invalid_request transcript[0].parts: is an object, a list is wanted"},
		{`{"messages":[{"role":"assistant","parts":[{"type":"tool-x","toolCallId":5}]}]}`, "", "invalid_request transcript.messages[0].parts[0].toolCallId: is a number, a string is wanted"},
		{`[{"role":"assistant","parts":[{"type":"tool-invocation","toolInvocation":{"toolCallId":5}}]}]`, "", "invalid_request transcript[0].parts[0].toolInvocation.toolCallId: is a number, a string is wanted"},
		{`[{"role":"assistant","toolInvocations":[1]}]`, "", "invalid_request transcript[0].toolInvocations[0]: is a number, an object is wanted"},
		{`[{"role":"user","content":[{"type":"tool-call","toolCallId":5}]}]`, "", "invalid_request transcript[0].content[0].toolCallId: is a number, a string is wanted"},
		{`[{"role":"tool","content":[{"type":"tool-result","output":{"type":"content","value":[1]}}]}]`, "", "invalid_request transcript[0].content[0].output.value[0]: is a number, an object is wanted"},
		{`[{"role":"tool","content":[{"type":"tool-approval-response","approvalId":1}]}]`, "", "invalid_request transcript[0].content[0].approvalId: is a number, a string is wanted"},
		{`[{"role":"user","content":5},{"role":"tool","content":[{"type":"tool-result"}]}]`, "", "invalid_request transcript[0].content: is a number, a string or a list of parts is wanted"},
		{chatTools, "ai-sdk-model", "invalid_request transcript.messages[2].content[1]: is a image_url part, which ai-sdk-model does not have"},
		{chatTools, "ai-sdk-ui", "invalid_request transcript.messages[2].content: is an array, messages of ai-sdk-ui have parts"},
		{uiTools, "ai-sdk-model", "invalid_request transcript.messages[0].parts: stands in no message of ai-sdk-model"},
		{modelTools, "ai-sdk-ui", "invalid_request transcript.messages[1].content: is an array, messages of ai-sdk-ui have parts"},
		{`[{"type":"start","messageId":"m"},{"type":"text-start","id":"1"},{"type":"text-delta","id":"1","delta":"hi"}]`, "", stream + " ([1]: type is text-start)"},
		{`{"type":"start-step"}` + "\n" + `{"type":"tool-input-available","toolCallId":"c","toolName":"x","input":{}}`, "", stream + " (line 1: type is start-step)"},
		{"data: {\"type\":\"start\"}\n\ndata: {\"type\":\"text-delta\",\"id\":\"0\",\"delta\":\"hi\"}\n\ndata: [DONE]\n\n", "", stream + " (its first event is one)"},
		{"f:{\"messageId\":\"m\"}\n0:\"Hel\"\n0:\"lo\"\nd:{\"finishReason\":\"stop\"}\n", "", stream + " (its first event is one)"},
		{"1:\"a\"\nno chunk", "", "unknown_format transcript: is text in which"},
	} {
		_, err := Decode([]byte(c.src), Options{Format: c.format})
		var e *transcript.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if got := e.Code + " " + e.Error(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// A request to a summariser has the steps of a message one after the other, each
// with its results, and the open call with a word that says so.
func TestAISDKBody(t *testing.T) {
	d := mustDecode(t, `[{"id":"u","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"a","role":"assistant","parts":[{"type":"text","text":"one"},{"type":"tool-x","toolCallId":"c","state":"output-available","input":{"a":1},"output":"1"},{"type":"tool-y","toolCallId":"d","state":"output-error","input":{},"errorText":"bad"},{"type":"text","text":"two"},{"type":"text","text":"three"},{"type":"tool-x","toolCallId":"e","state":"input-available","input":{}}]}]`, Options{})
	body, err := d.Body(BodyRequest{Items: []int{0, 1}, Prompt: "P", Model: "m"})
	want := `{"model":"m","messages":[{"role":"user","content":"go"},` +
		`{"role":"assistant","content":"one","tool_calls":[{"id":"c","type":"function","function":{"name":"x","arguments":"{\"a\":1}"}},{"id":"d","type":"function","function":{"name":"y","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":"1"},{"role":"tool","tool_call_id":"d","content":"bad"},` +
		`{"role":"assistant","content":"two\nthree","tool_calls":[{"id":"e","type":"function","function":{"name":"x","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"e","content":"` + transcript.Unanswered + `"},{"role":"user","content":"P"}]}`
	if err != nil || string(body) != want || d.API() != "openai-chat" {
		t.Errorf("%v, for %s\n%s\nwant\n%s", err, d.API(), body, want)
	}
}

// Conversations out of parts drawn at random, with a fixed seed.
func TestAISDKRandom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	tool := `{"type":"tool-x","toolCallId":"ID","state":"STATE","input":{"a":1},"output":"o","errorText":"e","approval":{"id":"p","approved":false}}`
	ui := []string{`{"type":"text","text":"t"}`, `{"type":"reasoning","text":"r","providerMetadata":{"openai":{"itemId":"rs_ID"}}}`, `{"type":"step-start"}`, `{"type":"data-x","data":{}}`, `{"type":"file","mediaType":"image/png","url":"data:image/png;base64,QUJDRA=="}`, `{"type":"novelty"}`}
	for _, state := range []string{"input-streaming", "input-available", "approval-requested", "approval-responded", "output-available", "output-error", "output-denied", "novel"} {
		ui = append(ui, strings.Replace(tool, "STATE", state, 1))
	}
	calls := []string{`{"type":"tool-call","toolCallId":"ID","toolName":"f","input":{}}`, `{"type":"tool-call","toolCallId":"ID","toolName":"f","args":{}}`, `{"type":"tool-approval-request","approvalId":"pID","toolCallId":"ID"}`, `{"type":"text","text":"t"}`, `{"type":"reasoning","text":"r"}`}
	results := []string{`{"type":"tool-result","toolCallId":"ID","toolName":"f","output":{"type":"json","value":{}}}`, `{"type":"tool-result","toolCallId":"ID","toolName":"f","result":1,"experimental_content":[]}`, `{"type":"tool-approval-response","approvalId":"pID","approved":true}`, `{"type":"tool-result","toolCallId":"ID","toolName":"f","output":{"type":"content","value":[{"type":"media","data":"QUJDRA==","mediaType":"image/png"}]}}`}
	read := 0
	for range 500 {
		list := func(parts []string) string { return "[" + strings.Join(randomList(r, parts, 6), ",") + "]" }
		var uis, models []string
		for range r.Intn(5) {
			uis = append(uis, `{"id":"i","role":"user","parts":`+list(ui[:6])+`}`, `{"id":"j","role":"assistant","parts":`+list(ui)+`}`)
			models = append(models, `{"role":"user","content":"u"}`, `{"role":"assistant","content":`+list(calls)+`}`, `{"role":"tool","content":`+list(results)+`}`)
		}
		for name, items := range map[string][]string{"ai-sdk-ui": uis, "ai-sdk-model": models} {
			src := []byte("[" + strings.Join(items, ", ") + "]")
			holds(t, src, Options{})
			if holds(t, src, Options{Format: name}) != nil {
				read++
			}
		}
	}
	if read != 1000 {
		t.Errorf("%d of 1000 were read", read)
	}
}

func FuzzAISDKUI(f *testing.F) {
	fuzz(f, "ai-sdk-ui", uiTools, uiOld, `[{"role":"user","parts":[]}]`, `{"role":"user","parts":[{"type":"text","text":"a"}]}`)
}

func FuzzAISDKModel(f *testing.F) {
	fuzz(f, "ai-sdk-model", modelTools, modelOld, sdkCompacted, `[{"role":"tool","content":[{"type":"tool-result","output":5}]}]`)
}
