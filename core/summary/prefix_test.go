package summary

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

func prefixed(prefix string) *policy.Policy {
	return &policy.Policy{Summary: policy.Summary{Prefix: prefix}}
}

// A summary is known by a prefix on lines of its own: the policy's, and every
// one that tamp ever shipped. What only begins with the same words is a
// person's message, and must not be taken for a summary and folded.
func TestStrip(t *testing.T) {
	for _, c := range []struct {
		name, prefix, text, rest string
		ok                       bool
	}{
		{"the policy's", "Record:", "Record:\nall done", "all done", true},
		{"the policy's, no line end behind it", "Record:", "Record: all done", "", false},
		{"the policy's alone", "Record:", "Record:", "", false},
		{"the policy's and a line end alone", "Record:", "Record:\n", "", true},
		{"the policy's, not in front", "Record:", "see\nRecord:\nall done", "", false},
		{"the policy's, another case", "Record:", "record:\nall done", "", false},
		{"no prefix marks nothing", "", "\nall done", "", false},
		{"only one line end goes", "Record:", "Record:\n\nall done", "\nall done", true},
		{"tamp's for the user", "", UserPrefix + "\nall done", "all done", true},
		{"tamp's for the user, no line end", "", UserPrefix + " all done", "", false},
		{"tamp's for the assistant", "", AssistantPrefix + "\nall done", "all done", true},
		{"tamp's for the assistant, strict and of older versions", "", StrictPrefix + "\nall done", "all done", true},
		{"tamp's for the assistant, no line end", "", AssistantPrefix + "all done", "", false},
		{"tamp's beside the policy's", "Record:", UserPrefix + "\nall done", "all done", true},
		{"tamp's, cut off", "", UserPrefix[:40] + "\nall done", "", false},
		// As long as the prefixes that are known by their hash, other words.
		{"no prefix of any system", "", strings.Repeat("p", 399) + "\nall done", "", false},
		{"nor this", "", strings.Repeat("p", 61) + "all done)", "", false},
		{"nothing", "", "", "", false},
	} {
		rest, ok := Strip(prefixed(c.prefix), c.text)
		if rest != c.rest || ok != c.ok {
			t.Errorf("%s: %q %v, want %q %v", c.name, rest, ok, c.rest, c.ok)
		}
	}
}

// What Frame writes Strip reads, also by a policy that has another prefix now
// where the first had tamp's own.
func TestFrame(t *testing.T) {
	for _, c := range []struct {
		prefix string
		role   transcript.Role
		begins string
	}{
		{"", transcript.User, UserPrefix},
		{"", transcript.Assistant, AssistantPrefix},
		{"Record:", transcript.User, "Record:"},
		{"Record:", transcript.Assistant, "Record:"},
	} {
		text := Frame(prefixed(c.prefix), c.role, "", "all\ndone")
		if text != c.begins+"\nall\ndone" {
			t.Errorf("%q as %s: %q", c.prefix, c.role, text)
		}
		readers := []*policy.Policy{prefixed(c.prefix)}
		if c.prefix == "" {
			readers = append(readers, prefixed("another"))
		}
		for _, p := range readers {
			if rest, ok := Strip(p, text); !ok || rest != "all\ndone" {
				t.Errorf("%q as %s: read as %q %v", c.prefix, c.role, rest, ok)
			}
		}
	}
}

// Only messages of a user or a model that begin with a prefix are marked.
func TestMark(t *testing.T) {
	text := func(s string) transcript.Part { return transcript.Part{Kind: transcript.Text, Text: s} }
	call, image := transcript.Part{Kind: transcript.Call, ID: "x"}, transcript.Part{Kind: transcript.Image}
	result := transcript.Part{Kind: transcript.Result, ID: "x", Text: "Record:\nr"}
	for _, c := range []struct {
		name  string
		role  transcript.Role
		parts []transcript.Part
		want  bool
	}{
		{"a user's", transcript.User, []transcript.Part{text("Record:\ns")}, true},
		{"a model's", transcript.Assistant, []transcript.Part{text("Record:\ns")}, true},
		{"without a line end behind it", transcript.User, []transcript.Part{text("Record: s")}, false},
		{"the first text counts", transcript.User, []transcript.Part{image, text("Record:\ns"), text("more")}, true},
		{"and only that", transcript.User, []transcript.Part{text("more"), text("Record:\ns")}, false},
		{"instructions", transcript.System, []transcript.Part{text("Record:\ns")}, false},
		{"a developer's", transcript.Developer, []transcript.Part{text("Record:\ns")}, false},
		{"with a call", transcript.Assistant, []transcript.Part{text("Record:\ns"), call}, false},
		{"with a result", transcript.User, []transcript.Part{result, text("Record:\ns")}, false},
		{"a tool's", transcript.Tool, []transcript.Part{result}, false},
		{"nothing", transcript.User, nil, false},
	} {
		tr := &transcript.Transcript{Items: []transcript.Item{{Role: c.role, Parts: c.parts}}}
		Mark(prefixed("Record:"), tr)
		if tr.Items[0].Summary != c.want {
			t.Errorf("%s: marked %v", c.name, !c.want)
		}
	}
	// Where parts have places of their own, only the one that holds it is marked:
	// it was joined to a message that somebody wrote.
	placed := func(s string, at int) transcript.Part {
		return transcript.Part{Kind: transcript.Text, Text: s, Start: at, End: at + len(s)}
	}
	for _, parts := range [][]transcript.Part{
		{placed("Record:\ns", 1), placed("a question", 20)},
		{placed("a note", 1), placed("Record:\ns", 20), placed("a question", 40)},
	} {
		it := transcript.Item{Role: transcript.User, Parts: parts}
		tr := &transcript.Transcript{Items: []transcript.Item{it}}
		Mark(prefixed("Record:"), tr)
		if it := tr.Items[0]; it.Summary || !it.HoldsSummary() || !it.RealUser() || it.Parts[len(parts)-1].Summary || !it.Parts[len(parts)-2].Summary {
			t.Errorf("joined: %+v", it)
		}
		if got := Earlier(prefixed("Record:"), tr); !reflect.DeepEqual(got, []string{"s"}) {
			t.Errorf("joined: earlier %q", got)
		}
	}
	// The format's own mark stays without any prefix.
	tr := &transcript.Transcript{Items: []transcript.Item{{Role: transcript.User, Summary: true, Parts: []transcript.Part{text("s")}}}}
	Mark(prefixed("Record:"), tr)
	if !tr.Items[0].Summary {
		t.Error("a mark of the format's own is gone")
	}
}

// The texts of earlier summaries come oldest first and without their prefixes;
// of a message that holds one beside other parts only what is marked, and
// nothing of what only its provider can read.
func TestEarlier(t *testing.T) {
	item := func(whole bool, parts ...transcript.Part) transcript.Item {
		return transcript.Item{Role: transcript.User, Summary: whole, Parts: parts}
	}
	tr := &transcript.Transcript{Items: []transcript.Item{
		item(true, transcript.Part{Kind: transcript.Text, Text: "Record:\noldest"}),
		item(false, transcript.Part{Kind: transcript.Text, Text: "a question"}),
		item(true, transcript.Part{Kind: transcript.Opaque, Text: "c2VhbGVk"}),
		item(true, transcript.Part{Kind: transcript.Text, Text: " \n"}),
		item(true, transcript.Part{Kind: transcript.Text, Text: "Record:\n\t"}),
		item(false, transcript.Part{Kind: transcript.Text, Text: "beside", Summary: true}, transcript.Part{Kind: transcript.Text, Text: "an answer"}),
		item(true, transcript.Part{Kind: transcript.Text, Text: UserPrefix + "\nnewest"}),
	}}
	if got, want := Earlier(prefixed("Record:"), tr), []string{"oldest", "beside", "newest"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A bridge is nobody's words, in either language: no person's turn begins with it.
func TestBridge(t *testing.T) {
	says := func(role transcript.Role, s string) transcript.Item {
		return transcript.Item{Role: role, Parts: []transcript.Part{{Kind: transcript.Text, Text: s}}}
	}
	for language, asks := range map[string]string{"en": "直して", "ja-JP": "fix it", "auto": "直してください"} {
		tr := &transcript.Transcript{Items: []transcript.Item{says(transcript.User, asks)}}
		text := Bridge(language, tr)
		if japanese := strings.Contains(text, "圧縮"); japanese == (language == "en") {
			t.Errorf("%s: %q", language, text)
		}
		out := &transcript.Transcript{Items: []transcript.Item{says(transcript.User, text), says(transcript.Assistant, text), says(transcript.User, text+"!")}}
		Mark(prefixed(""), out)
		if out.Items[0].RealUser() || out.Items[0].Summary || out.Items[1].Fragment || !out.Items[2].RealUser() {
			t.Errorf("%+v", out.Items)
		}
	}
}
