package format

import (
	"encoding/json"
	"strings"
	"testing"
)

// clineWritten is what stands in an encoded history.
func clineWritten(t *testing.T, out []byte) []map[string]any {
	t.Helper()
	var list []map[string]any
	if json.Unmarshal(out, &list) == nil {
		return list
	}
	var session struct{ Messages []map[string]any }
	if err := json.Unmarshal(out, &session); err != nil {
		t.Fatal(err)
	}
	return session.Messages
}

// rooSends is what Roo Code sends of a history: what nothing that is there hides;
// newer versions of it send nothing of what stands before the last summary.
func rooSends(list []map[string]any, newer bool) string {
	there := map[any]bool{}
	start := 0
	for i, m := range list {
		for _, key := range []string{"condenseId", "truncationId"} {
			if id, ok := m[key]; ok {
				there[id] = true
			}
		}
		if newer && m["isSummary"] == true {
			start = i
		}
	}
	var said []string
	for _, m := range list[start:] {
		if there[m["condenseParent"]] || there[m["truncationParent"]] {
			continue
		}
		text, ok := m["content"].(string)
		if !ok {
			blocks := m["content"].([]any)
			text = dig(blocks[len(blocks)-1], "text").(string)
		}
		said = append(said, strings.NewReplacer("<task>", "", "</task>", "").Replace(text))
	}
	return strings.Join(said, " ")
}

func TestClineFold(t *testing.T) {
	// A new message has what its neighbours have: ids and times in a session of the
	// SDK, where it is marked as a summary; no more than role and content in an old
	// task.
	for _, c := range []struct{ name, src, plan, now, want string }{
		{"SDK", clineSDK, "0 n 5", "", `{"id":ID,"role":"user","content":[{"type":"text","text":"N"}],"ts":1049,` +
			`"metadata":{"kind":"compaction_summary","summary":"N","details":{"readFiles":[],"modifiedFiles":[]},"tokensBefore":0,"generatedAt":1049}}`},
		{"SDK, with a time", clineSDK, "0 n 5", "1970-01-01T00:00:09.5Z", `{"id":ID,"role":"user","content":[{"type":"text","text":"N"}],"ts":9500,` +
			`"metadata":{"kind":"compaction_summary","summary":"N","details":{"readFiles":[],"modifiedFiles":[]},"tokensBefore":0,"generatedAt":9500}}`},
		{"SDK, last", clineSDK, "0 n", "", `{"id":ID,"role":"user","content":[{"type":"text","text":"N"}],"ts":1051,` +
			`"metadata":{"kind":"compaction_summary","summary":"N","details":{"readFiles":[],"modifiedFiles":[]},"tokensBefore":0,"generatedAt":1051}}`},
		{"times alone", clineNative, "0 n 5 6", "", `{"role":"user","content":[{"type":"text","text":"N"}],"ts":1040}`},
		{"an old task", clineXML, "0 n 5 6", "", `{"role":"user","content":[{"type":"text","text":"N"}]}`},
		{"Roo, not first", clineRoo, "0 n 3", "", `{"role":"user","content":[{"type":"text","text":"N"}],"ts":9}`},
	} {
		d := mustDecode(t, c.src, Options{Now: c.now})
		out, err := d.Encode(entriesOf(d, c.plan))
		if err != nil {
			t.Fatal(err)
		}
		m := clineWritten(t, out)[1]
		if id, ok := m["id"].(string); ok {
			if len(id) != 12 || !strings.HasPrefix(id, "msg_") || strings.Contains(c.src, id) {
				t.Errorf("%s: id %s", c.name, id)
			}
			c.want = strings.Replace(c.want, "ID", `"`+id+`"`, 1)
		}
		if !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %s\nwant %s", c.name, out, c.want)
		}
		if again, err := d.Encode(entriesOf(d, c.plan)); err != nil || string(again) != string(out) {
			t.Errorf("%s: not the same bytes twice", c.name)
		}
		if again := mustDecode(t, string(out), Options{}); again.Items[1].Summary != strings.HasPrefix(c.name, "SDK") {
			t.Errorf("%s: read back as %s", c.name, show(&again.Items[1]))
		}
		holds(t, out, Options{})
	}
	d := mustDecode(t, clineSDK, Options{})
	out, err := d.Encode(entriesOf(d, "n 0 n 1"))
	if list := clineWritten(t, out); err != nil || list[0]["id"] == list[2]["id"] {
		t.Errorf("%v %s", err, out)
	}
	// What is hidden stays with what hides it, and goes with it.
	for _, c := range []struct{ plan, all, sends, newer string }{
		{"0 1 2 3", "a b c S d e T f M g", "a T M g", "T M g"},
		{"0 1 3", "a b c S d e T g", "a T g", "T g"},
		{"0 n 2 3", "a f N M g", "a N M g", "a N M g"}, // f is hidden wherever it stands
		{"n 3", "N g", "N g", "N g"},
		{"n 0 3", "N a g", "N a g", "N a g"},
		{"3", "g", "g", "g"},
	} {
		d := mustDecode(t, clineRoo, Options{})
		out, err := d.Encode(entriesOf(d, c.plan))
		if err != nil {
			t.Fatal(err)
		}
		list := clineWritten(t, out)
		for newer, want := range map[bool]string{false: c.sends, true: c.newer} {
			if got := rooSends(list, newer); got != want {
				t.Errorf("%s: Roo sends %s, want %s\n%s", c.plan, got, want, out)
			}
		}
		for _, m := range list {
			delete(m, "condenseParent")
			delete(m, "truncationParent")
		}
		if got := rooSends(list, false); got != c.all {
			t.Errorf("%s: holds %s, want %s", c.plan, got, c.all)
		}
		if id, ok := list[0]["condenseId"].(string); c.plan[0] == 'n' && (!ok || len(id) != 36 || list[0]["isSummary"] != true) {
			t.Errorf("%s: no mark in %s", c.plan, out)
		}
	}
}
