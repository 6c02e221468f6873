package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// ccWritten are the lines that were written behind the first n.
func ccWritten(t *testing.T, out []byte, n int) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, l := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")[n:] {
		var m map[string]any
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			t.Fatalf("%v in %s", err, l)
		}
		all = append(all, m)
	}
	return all
}

func dig(m any, keys ...string) any {
	for _, k := range keys {
		o, _ := m.(map[string]any)
		m = o[k]
	}
	return m
}

// What is written behind a session: a boundary, the summary, and the kept lines
// once more, each below the one before it.
func TestClaudeAppend(t *testing.T) {
	sub := strings.Replace(ccUser("s<", "sub"), `"isSidechain":false`, `"isSidechain":true,"agentId":"A"`, 1)
	src := ccFork + sub
	d := mustDecode(t, src, Options{})
	summary := d.Writer.Message(transcript.User, "SUM")
	cleared, ok := d.Writer.WithParts(&d.Items[3], []transcript.Edit{{Part: 0, Text: "[cleared]"}})
	if !ok {
		t.Fatal("not cleared")
	}
	entries := []transcript.Entry{{From: -1, New: &summary}, {From: 1}, {From: 2}, {From: 3, New: &cleared}, {From: 4}}
	out, err := d.Encode(entries)
	if err != nil || !bytes.HasPrefix(out, []byte(src)) || out[len(out)-1] != '\n' {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := ccWritten(t, out, strings.Count(src, "\n"))
	if len(lines) != 9 {
		t.Fatalf("%d lines, want 9", len(lines))
	}
	seen := map[any]bool{}
	for i, l := range lines {
		var parent any
		if i > 0 {
			parent = lines[i-1]["uuid"]
		}
		uuid, _ := l["uuid"].(string)
		if l["parentUuid"] != parent || len(uuid) != 36 || uuid[14] != '4' || seen[uuid] || l["timestamp"] != "T-s" || l["sessionId"] != "S" || l["cwd"] != "/w" || l["isSidechain"] != false || l["agentId"] != nil {
			t.Errorf("line %d: %v", i, l)
		}
		seen[uuid] = true
	}
	b := lines[0]
	if b["type"] != "system" || b["subtype"] != "compact_boundary" || b["logicalParentUuid"] != "j" || dig(b, "compactMetadata", "preTokens") != 180020.0 || dig(b, "compactMetadata", "trigger") != "manual" {
		t.Errorf("boundary %v", b)
	}
	if at := bytes.Index(out[len(src):], []byte(`"compact_boundary"`)); at < 0 || at > 200 {
		t.Errorf("the boundary shows at byte %d of its line, the CLI looks at 256", at)
	}
	if s := lines[1]; s["type"] != "user" || s["isCompactSummary"] != true || s["isVisibleInTranscriptOnly"] != true || dig(s, "message", "content") != "SUM" {
		t.Errorf("summary %v", s)
	}
	id := dig(lines[2], "message", "id")
	for i, l := range lines[2:6] {
		if dig(l, "message", "id") != id || id == "m1" || dig(l, "message", "usage", "cache_read_input_tokens") != 0.0 || dig(l, "message", "usage", "service_tier") != "standard" {
			t.Errorf("line %d of the answer: %v", i, l)
		}
	}
	if g := lines[6]; g["sourceToolAssistantUUID"] != lines[4]["uuid"] || g["toolUseResult"] == nil {
		t.Errorf("kept result %v", g)
	}
	if g := lines[7]; g["toolUseResult"] != nil || !strings.Contains(fmt.Sprint(g["message"]), "[cleared]") || strings.Contains(fmt.Sprint(g), "out y") {
		t.Errorf("cleared result %v", g)
	}
	again := mustDecode(t, string(out), Options{})
	if got, want := ccShown(again), "S SUM at :17, a thinking+both+call x+call y at :18, u out x at :22, u [cleared] at :23, a done at :24"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}

	// Once more on top of it, with the caller's time, behind a cut line.
	cut := string(out) + `{"parentUuid":"` // a crash
	d = mustDecode(t, cut, Options{Now: "NOW"})
	again2 := d.Writer.Message(transcript.User, "SUM2")
	out, err = d.Encode([]transcript.Entry{{From: -1, New: &again2}, {From: 4}})
	if err != nil || !strings.HasPrefix(string(out), cut+"\n{") || strings.Count(string(out), `"timestamp":"NOW"`) != 3 {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := ccShown(mustDecode(t, string(out), Options{})); got != "S SUM2 at :27, a done at :28" {
		t.Error(got)
	}
	if same, _ := d.Encode([]transcript.Entry{{From: -1, New: &again2}, {From: 4}}); !bytes.Equal(same, out) {
		t.Error("the same input gives other bytes")
	}
}

// An inserted answer is one that the CLI reads: with an id, a list of blocks and
// a usage. One without content that nobody marked stays what it is.
func TestClaudeInserted(t *testing.T) {
	d := mustDecode(t, ccFork, Options{})
	said := d.Writer.Message(transcript.Assistant, "I was there.")
	stub, ok := d.Writer.Answer(&d.Items[1], 2, "lost")
	if !ok || string(said.Raw) != `{"role":"assistant","content":[{"type":"text","text":"I was there."}]}` {
		t.Fatalf("%v %s", ok, said.Raw)
	}
	out, err := d.Encode([]transcript.Entry{{From: 0}, {From: -1, New: &stub}, {From: -1, New: &said}})
	if err != nil {
		t.Fatal(err)
	}
	lines := ccWritten(t, out, strings.Count(ccFork, "\n"))
	if l := lines[2]; l["type"] != "user" || l["isCompactSummary"] != nil {
		t.Errorf("result %v", l)
	}
	if l := lines[3]; l["type"] != "assistant" || dig(l, "message", "model") != "<synthetic>" || dig(l, "message", "usage", "output_tokens") != 0.0 || l["isCompactSummary"] != true {
		t.Errorf("answer %v", l)
	}
	if got := ccShown(mustDecode(t, string(out), Options{})); got != "U go at :16, u lost at :17, S I was there. at :18" {
		t.Error(got)
	}
}

// A copy holds nothing but the history. Lines that are kept lose their place in
// the tree and their usage, and nothing else.
func TestClaudeCopy(t *testing.T) {
	d := mustDecode(t, strings.TrimSuffix(ccFork, "\n"), Options{Rewrite: true})
	summary := d.Writer.Message(transcript.User, "SUM")
	out, err := d.Encode([]transcript.Entry{{From: -1, New: &summary}, {From: 3}, {From: 4}})
	if err != nil {
		t.Fatal(err)
	}
	lines := ccWritten(t, out, 0)
	if len(lines) != 4 || lines[0]["subtype"] != "compact_boundary" || lines[0]["logicalParentUuid"] != nil || strings.Contains(string(out), "both") {
		t.Fatalf("%s", out)
	}
	sum, _ := lines[1]["uuid"].(string)
	kept := strings.Replace(ccGave("h<f", "y", "f"), `"parentUuid":"f"`, `"parentUuid":"`+sum+`"`, 1) +
		strings.NewReplacer(`"parentUuid":"i"`, `"parentUuid":"h"`, ":3,", ":0,", ":10,", ":0,", ":180000,", ":0,", ":7,", ":0,").Replace(ccAnswer("j<i", "m2", ccText("done")))
	if !strings.HasSuffix(string(out), kept) {
		t.Errorf("%s\nends not with\n%s", out, kept)
	}
	if got := ccShown(mustDecode(t, string(out), Options{})); got != "S SUM at :2, u out y at :3, a done at :4" {
		t.Error(got)
	}
}

// The lines as a JSON array: written behind the last element.
func TestClaudeArray(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(ccFork), "\n")
	src := "[\n  " + strings.Join(lines, ",\n  ") + "\n]\n"
	d := mustDecode(t, src, Options{})
	if got := ccShown(d); d.Format != "claude-code" || d.Verdict.Shape != "array" || got != "U go at [2], a thinking+both+call x+call y at [4], u out x at [8], u out y at [9], a done at [11]" {
		t.Fatalf("%+v %s", d.Verdict, got)
	}
	summary := d.Writer.Message(transcript.User, "SUM")
	entries := []transcript.Entry{{From: -1, New: &summary}, {From: 4}}
	out, err := d.Encode(entries)
	if err != nil || !strings.HasPrefix(string(out), strings.TrimSuffix(src, "\n]\n")+",\n  {") || !strings.HasSuffix(string(out), "}\n]\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := ccShown(mustDecode(t, string(out), Options{})); got != "S SUM at [15], a done at [16]" {
		t.Error(got)
	}
	d = mustDecode(t, src, Options{Rewrite: true})
	if out, err = d.Encode(entries); err != nil {
		t.Fatal(err)
	}
	if got := ccShown(mustDecode(t, string(out), Options{})); got != "S SUM at [1], a done at [2]" || strings.Contains(string(out), "both") {
		t.Errorf("%s in %s", got, out)
	}
}
