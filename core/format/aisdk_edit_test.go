package format

import (
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Every edit by hand: what is asked for changes, all other bytes stay.
func TestAISDKEdits(t *testing.T) {
	ui := `[{"id":"a","role":"assistant","parts":[ {"type":"reasoning","text":"hm"}, {"type":"tool-x","toolCallId":"c","state":"output-available","input":{"a": 1},"output":{"b": 2}}, {"type":"tool-x","toolCallId":"d","state":"output-error","input":{},"errorText":"bad"}, {"type":"file","mediaType":"image/png","url":"data:image/png;base64,QUJD"}, {"type":"text","text":"t"} ]}]`
	model := `[{"role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"tool-call","toolCallId":"c","toolName":"x","input":{"a": 1}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c","toolName":"x","output":{"type":"json","value":{"b":2}}},{"type":"tool-result","toolCallId":"d","toolName":"x","output":{"type":"error-json","value":[1]}}]}]`
	tied := `[{"role":"assistant","content":[{"type":"reasoning","text":"hm","providerOptions":{"openai":{"itemId":"rs_1"}}},{"type":"tool-call","toolCallId":"c","toolName":"x","input":{},"providerOptions":{"openai":{"itemId":"fc_1"}}}]}]`
	type edits = []transcript.Edit
	for _, c := range []struct {
		name, src string
		item      int
		edits     edits
		want      string // "": it can not be done
	}{
		{"ui, an output", ui, 0, edits{{Part: 2, Text: "gone"}}, strings.Replace(ui, `{"b": 2}`, `"gone"`, 1)},
		{"ui, an input", ui, 0, edits{{Part: 1, Text: `{"x":0}`}}, strings.Replace(ui, `{"a": 1}`, `{"x":0}`, 1)},
		{"ui, an error stays one", ui, 0, edits{{Part: 4, Text: "gone"}}, strings.Replace(ui, `"bad"`, `"gone"`, 1)},
		{"ui, a thought", ui, 0, edits{{Part: 0, Drop: true}}, strings.Replace(ui, `{"type":"reasoning","text":"hm"}, `, "", 1)},
		{"ui, a picture", ui, 0, edits{{Part: 5, Text: "[picture]"}}, strings.Replace(ui, `{"type":"file","mediaType":"image/png","url":"data:image/png;base64,QUJD"}`, `{"type":"text","text":"[picture]"}`, 1)},
		{"ui, a call alone", ui, 0, edits{{Part: 1, Drop: true}}, ""},
		{"ui, a result alone", ui, 0, edits{{Part: 2, Drop: true}}, ""},
		{"ui, a call with its result", ui, 0, edits{{Part: 1, Drop: true}, {Part: 2, Drop: true}}, strings.Replace(ui, `, {"type":"tool-x","toolCallId":"c","state":"output-available","input":{"a": 1},"output":{"b": 2}}`, "", 1)},
		{"ui, an id", ui, 0, edits{{Part: 1, ID: "n"}, {Part: 2, ID: "n"}}, strings.Replace(ui, `"toolCallId":"c"`, `"toolCallId":"n"`, 1)},
		{"ui, a refusal", uiTools, 4, edits{{Part: 2, Text: "gone"}}, ""},
		{
			"ui of 4, an output", `[{"role":"assistant","content":"","parts":[{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"c","toolName":"x","args":{},"result":1}}]}]`, 0,
			edits{{Part: 0, ID: "n"}, {Part: 1, ID: "n", Text: "gone"}},
			`[{"role":"assistant","content":"","parts":[{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"n","toolName":"x","args":{},"result":"gone"}}]}]`,
		},
		{
			"ui of 4, an attachment", uiOld, 0,
			edits{{Part: 1, Text: "[picture]"}},
			strings.NewReplacer(`{"name":"a.png","contentType":"image/png","url":"data:image/png;base64,QUJDRA=="}`, ``,
				`{"type":"text","text":"Look."}]`, `{"type":"text","text":"Look."},{"type":"text","text":"[picture]"}]`).Replace(uiOld),
		},
		{
			"ui of 4, one of two attachments, no text before it", `[{"role":"user","content":"","experimental_attachments":[{"contentType":"image/png","url":"data:image/png;base64,QQ=="}, {"contentType":"image/png","url":"u"}],"parts":[ ]}]`, 0,
			edits{{Part: 0, Text: "[picture]"}},
			`[{"role":"user","content":"","experimental_attachments":[{"contentType":"image/png","url":"u"}],"parts":[{"type":"text","text":"[picture]"} ]}]`,
		},
		{
			"ui of 3, two attachments", `[{"role":"user","content":"Look.","experimental_attachments":[{"contentType":"image/png","url":"data:image/png;base64,QQ=="}, {"contentType":"image/png","url":"u"}]}]`, 0,
			edits{{Part: 1, Text: "[one]"}, {Part: 2, Text: "[two]"}},
			`[{"role":"user","content":"Look.\n[one]\n[two]","experimental_attachments":[]}]`,
		},
		{
			"ui of 4, an attachment beside a part that goes", `[{"role":"assistant","content":"","experimental_attachments":[{"contentType":"image/png","url":"u"}],"parts":[{"type":"reasoning","text":"hm"}]}]`, 0,
			edits{{Part: 0, Drop: true}, {Part: 1, Text: "[picture]"}},
			"",
		},
		{"ui of 3, an attachment and nothing said", `[{"role":"user","experimental_attachments":[{"contentType":"image/png","url":"u"}]}]`, 0, edits{{Part: 0, Text: "[picture]"}}, ""},
		{"model, an output", model, 1, edits{{Part: 0, Text: "gone"}}, strings.Replace(model, `{"type":"json","value":{"b":2}}`, `{"type":"text","value":"gone"}`, 1)},
		{"model, an error stays one", model, 1, edits{{Part: 1, Text: "gone"}}, strings.Replace(model, `{"type":"error-json","value":[1]}`, `{"type":"error-text","value":"gone"}`, 1)},
		{"model, an input", model, 0, edits{{Part: 1, Text: `{"x":0}`}}, strings.Replace(model, `{"a": 1}`, `{"x":0}`, 1)},
		{"model, an id", model, 1, edits{{Part: 0, ID: "n"}}, strings.Replace(model, `[{"type":"tool-result","toolCallId":"c"`, `[{"type":"tool-result","toolCallId":"n"`, 1)},
		{"model, a thought", model, 0, edits{{Part: 0, Drop: true}}, strings.Replace(model, `{"type":"reasoning","text":"hm"},`, "", 1)},
		{"model, a thought that its call needs", tied, 0, edits{{Part: 0, Drop: true}}, ""},
		{"model, a picture in a result", modelTools, 3, edits{{Part: 2, Text: "[picture]"}}, strings.Replace(modelTools, `{"type":"image-data","mediaType":"image/png","data":"QUJDRA=="}`, `{"type":"text","text":"[picture]"}`, 1)},
		{"model, an approval", modelTools, 7, edits{{Part: 0, Text: "gone"}}, ""},
		{"model of 4, an output and what is sent for it", modelOld, 2, edits{{Part: 1, Text: "gone"}}, strings.Replace(modelOld, `"result":"bad","experimental_content":[{"type":"text","text":"bad"}]`, `"result":"gone"`, 1)},
	} {
		t.Run(c.name, func(t *testing.T) { checkEdit(t, c.src, c.item, c.edits, c.want) })
	}
}

// checkEdit edits one item and compares the source that comes of it.
func checkEdit(t *testing.T, src string, item int, edits []transcript.Edit, want string) {
	t.Helper()
	d := mustDecode(t, src, Options{})
	out, ok := d.Writer.WithParts(&d.Items[item], edits)
	if !ok || want == "" {
		if ok != (want != "") {
			t.Errorf("done: %v, %s", ok, out.Raw)
		}
		return
	}
	entries := identity(len(d.Items))
	entries[item].New = &out
	got, err := d.Encode(entries)
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// Messages of AI SDK 4 say their calls and thoughts twice: both are changed.
func TestAISDKCopies(t *testing.T) {
	d := mustDecode(t, uiOld, Options{})
	const (
		copied  = `"toolInvocations":[{"state":"result","step":0,"toolCallId":"c1","toolName":"look","args":{"at":1},"result":"one"}]`
		source  = ",\n " + `{"type":"tool-invocation","toolInvocation":{"state":"result","step":0,"toolCallId":"c1","toolName":"look","args":{"at":1},"result":"one"}}`
		thought = `{"type":"reasoning","reasoning":"hm","details":[{"type":"text","text":"hm","signature":"c2ln"},{"type":"redacted","data":"RU5D"}]},` + "\n "
	)
	raw := string(d.Items[1].Raw)
	for _, c := range []struct {
		name  string
		edits []transcript.Edit
		want  string
	}{
		{"a result", []transcript.Edit{{Part: 2, Text: "[gone]"}}, strings.ReplaceAll(raw, `"one"`, `"[gone]"`)},
		{"an input", []transcript.Edit{{Part: 1, Text: `{"cleared":1}`}}, strings.ReplaceAll(raw, `{"at":1}`, `{"cleared":1}`)},
		{"an id", []transcript.Edit{{Part: 1, ID: "z"}, {Part: 2, ID: "z"}}, strings.ReplaceAll(raw, `"c1"`, `"z"`)},
		{"both go", []transcript.Edit{{Part: 1, Drop: true}, {Part: 2, Drop: true}}, strings.NewReplacer(copied, `"toolInvocations":[]`, source, "").Replace(raw)},
		{"the thought", []transcript.Edit{{Part: 0, Drop: true}}, strings.NewReplacer(`"reasoning":"hm","tool`, `"tool`, thought, "").Replace(raw)},
	} {
		out, ok := d.Writer.WithParts(&d.Items[1], c.edits)
		if !ok || string(out.Raw) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, ok, out.Raw, c.want)
		}
	}
	// A text in the place of all parts leaves no copy of a call that went.
	if out := d.Writer.WithText(&d.Items[1], "T"); !strings.Contains(string(out.Raw), `"toolInvocations":[]`) {
		t.Errorf("%s", out.Raw)
	}
}
