package core_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// A file that is only linked is one that the model is sent all the same, whatever
// its link weighs: media of earlier turns go by what they are.
func TestPruneLinkedFiles(t *testing.T) {
	const policy = `{"preset":"prune","tools":{"keep_last":0,"min_gain":0,"protect_tokens":0,"media":"placeholder"}}`
	for _, c := range []struct{ name, src, file, want string }{
		{
			"gemini-contents", `{"contents":[{"role":"user","parts":[{"text":"See "},FILE]},{"role":"model","parts":[{"text":"ok"}]},{"role":"user","parts":[{"text":"more"}]},{"role":"model","parts":[{"text":"ok"}]},{"role":"user","parts":[{"text":"more"}]}]}`,
			`{"fileData":{"mimeType":"application/pdf","fileUri":"gs://b/a.pdf"}}`, `{"text":"[tamp] cleared: file"}`,
		},
		{
			"gemini-contents", `[{"role":"user","parts":[FILE]},{"role":"model","parts":[{"text":"ok"}]},{"role":"user","parts":[{"text":"more"}]},{"role":"model","parts":[{"text":"ok"}]},{"role":"user","parts":[{"text":"more"}]}]`,
			`{"file_data":{"mime_type":"audio/wav","file_uri":"u"}}`, `{"text":"[tamp] cleared: audio"}`,
		},
		{
			"gemini-cli", `{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":[{"text":"See "},FILE]},{"id":"2","type":"gemini","content":"ok"},{"id":"3","type":"user","content":"more"},{"id":"4","type":"gemini","content":"ok"},{"id":"5","type":"user","content":"more"}]}`,
			`{"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/a.mp4"}}`, `{"text":"[tamp] cleared: file"}`,
		},
	} {
		src := strings.Replace(c.src, "FILE", c.file, 1)
		req := core.Request{Transcript: []byte(src), Policy: json.RawMessage(policy), Force: true}
		res, err := core.Compact(req)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if want := strings.Replace(c.src, "FILE", c.want, 1); res.Format.Name != c.name || !res.Compacted || string(res.Transcript) != want {
			t.Errorf("%s: compacted: %v (%s)\n%s\nwant\n%s", res.Format.Name, res.Compacted, res.Reason, res.Transcript, want)
		}
		req.Policy = json.RawMessage(strings.Replace(policy, "placeholder", "keep", 1))
		if res, err = core.Compact(req); err != nil || !bytes.Equal(res.Transcript, []byte(src)) {
			t.Errorf("%s: media that are kept: %v\n%s", c.name, err, res.Transcript)
		}
	}
}

// A result that names no tool belongs to the call of its id, and is cleared with
// the tool's name.
func TestPruneClineBlocks(t *testing.T) {
	const policy = `{"preset":"prune","tools":{"keep_last":0,"min_gain":0,"protect_tokens":0}}`
	output := strings.Repeat("a line of the file\n", 40)
	quoted, err := json.Marshal(output)
	if err != nil {
		t.Fatal(err)
	}
	messages := `[{"role":"user","content":[{"type":"text","text":"<task>\nGo\n</task>"}],"ts":1},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read_file","input":{}}],"ts":2,"modelInfo":{"modelId":"m"}},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":` + string(quoted) + `}],"ts":3},{"role":"assistant","content":[{"type":"text","text":"Done."}],"ts":4}]`
	for _, src := range []string{messages, `{"sessionId":"s","system_prompt":"S","messages":` + messages + `}`} {
		res, err := core.Compact(core.Request{Transcript: []byte(src), Policy: json.RawMessage(policy), Force: true})
		if err != nil {
			t.Fatal(err)
		}
		if res.Format.Name != "cline" || !res.Compacted || bytes.Contains(res.Transcript, quoted) || !bytes.Contains(res.Transcript, []byte("[tamp] cleared: read_file")) {
			t.Errorf("%s: compacted: %v (%s)\n%s", res.Format.Name, res.Compacted, res.Reason, res.Transcript)
		}
	}
}
