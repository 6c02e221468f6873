package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// A root without a message, an empty system message, a question that was asked
// anew (q1b), an answer with a branch (a1b), a tool call and its result.
const chatgptTree = `{"title":"T","create_time":1,"mapping":{
 "r":{"id":"r","message":null,"parent":null,"children":["s"]},
 "s":{"id":"s","message":{"id":"s","author":{"role":"system"},"content":{"content_type":"text","parts":[""]},"weight":0.0},"parent":"r","children":["q1", "q1b"]},
 "q1":{"id":"q1","message":{"id":"q1","author":{"role":"user"},"create_time":5.50,"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"f"},"plot it"]},"weight":1.0},"parent":"s","children":["a1","a1b"]},
 "q1b":{"id":"q1b","message":{"id":"q1b","author":{"role":"user"},"content":{"content_type":"text","parts":["other"]}},"parent":"s","children":[]},
 "a1":{"id":"a1","message":{"id":"a1","author":{"role":"assistant"},"recipient":"python","content":{"content_type":"code","language":"unknown","text":"plot()"}},"parent":"q1","children":["t1"]},
 "a1b":{"id":"a1b","message":{"id":"a1b","author":{"role":"assistant"},"content":{"content_type":"text","parts":["no"]}},"parent":"q1","children":[]},
 "t1":{"id":"t1","message":{"id":"t1","author":{"role":"tool","name":"python"},"content":{"content_type":"execution_output","text":"ok"}},"parent":"a1","children":["a2"]},
 "a2":{"id":"a2","message":{"id":"a2","author":{"role":"assistant"},"recipient":"all","content":{"content_type":"text","parts":["Done."]}},"parent":"t1","children":[]}
},"current_node":"a2","x":1.0}`

func TestChatGPTItems(t *testing.T) {
	d := mustDecode(t, chatgptTree, Options{})
	var got []string
	for _, it := range d.Items {
		line := []byte(it.Role)
		for _, p := range it.Parts {
			line = fmt.Appendf(line, " %s(%s)%s", p.Kind, p.Name, p.Text)
		}
		got = append(got, string(line))
	}
	want := []string{"user image() text()plot it", "assistant call(python)plot()", "tool result(python)ok", "assistant text()Done."}
	if !slices.Equal(got, want) {
		t.Errorf("items are %q, want %q", got, want)
	}
	if p := transcript.Pair(d.Transcript); p.Group[1] != p.Group[2] || len(p.Orphans)+len(p.Unanswered) > 0 {
		t.Errorf("groups %v", p.Group)
	}
	if d.Verdict.Confidence != certain || d.Verdict.Shape != "tree" || d.Items[0].Path != `.mapping["q1"].message` {
		t.Errorf("verdict %+v, path %s", d.Verdict, d.Items[0].Path)
	}
	holds(t, []byte(chatgptTree), Options{})
	holds(t, []byte("["+chatgptTree+"]"), Options{})
}

// The way is written anew, nodes off it stay and hang on what stands there now.
func TestChatGPTFold(t *testing.T) {
	d := mustDecode(t, chatgptTree, Options{})
	m := d.Writer.Message(transcript.User, "sum")
	out, err := d.Encode([]transcript.Entry{{From: -1, New: &m}, {From: 3}})
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Current string `json:"current_node"`
		Mapping map[string]struct {
			ID, Parent string
			Children   []string
			Message    json.RawMessage
		}
	}
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	var shape []string
	for id, n := range v.Mapping {
		if id != n.ID {
			t.Errorf("node %s says it is %s", id, n.ID)
		}
		shape = append(shape, strings.ReplaceAll(fmt.Sprintf("%s<%s %v", id, n.Parent, n.Children), m.ID, "NEW"))
		for _, c := range n.Children {
			if v.Mapping[c].Parent != id {
				t.Errorf("%s is a child of %s and names %q", c, id, v.Mapping[c].Parent)
			}
		}
	}
	slices.Sort(shape)
	// s keeps q1b and takes a1b, which hung on q1: that is gone.
	want := []string{"NEW<s [a2]", "a1b<s []", "a2<NEW []", "q1b<s []", "r< [s]", "s<r [NEW q1b a1b]"}
	if !slices.Equal(shape, want) || v.Current != "a2" {
		t.Errorf("the tree is %q with %s, want %q", shape, v.Current, want)
	}
	// Without a time of the caller's, a new message repeats the newest time.
	if !strings.Contains(string(v.Mapping[m.ID].Message), `"create_time":5.50`) {
		t.Errorf("the new message is %s", v.Mapping[m.ID].Message)
	}
	if again := mustDecode(t, string(out), Options{}); len(again.Items) != 2 || again.Items[0].Text() != "sum" || string(again.Items[1].Raw) != string(d.Items[3].Raw) {
		t.Errorf("it reads as %d items", len(again.Items))
	}
	// The summary last: the tree's current node is the new one.
	out, err = d.Encode([]transcript.Entry{{From: 0}, {From: -1, New: &m}})
	if err != nil || !strings.Contains(string(out), `"current_node":"`+m.ID+`"`) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestChatGPTErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"a current node that is not there", `"current_node":"a2"`, `"current_node":"zz"`, "transcript.current_node: names no node of mapping"},
		{"a role that is none", `"author":{"role":"user"},"create_time"`, `"author":{"role":7},"create_time"`, `transcript.mapping["q1"].message.author.role: is a number, a string is wanted`},
		{"a content that is none", `"content":{"content_type":"text","parts":["Done."]}`, `"content":"Done."`, `transcript.mapping["a2"].message.content: is a string, an object is wanted`},
	} {
		_, err := Decode([]byte(strings.Replace(chatgptTree, c.old, c.new, 1)), Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	// A circle ends.
	circle := strings.Replace(chatgptTree, `"parent":null`, `"parent":"a2"`, 1)
	if d := mustDecode(t, circle, Options{}); len(d.Items) != 4 {
		t.Errorf("%d items of a circle", len(d.Items))
	}
}

func FuzzChatGPT(f *testing.F) {
	fuzz(f, "chatgpt-export", chatgptTree, chatgptSearch, chatgptTwoCalls, "["+chatgptTree+"]", `{"title":"","mapping":{}}`,
		`{"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["x"]}},"parent":null}},"current_node":"a"}`)
}

// A child that a node names twice hangs on one node once.
func TestChatGPTDoubledChild(t *testing.T) {
	src := strings.Replace(chatgptTree, `"children":["a1","a1b"]`, `"children":["a1","a1b","a1b"]`, 1)
	d := mustDecode(t, src, Options{})
	m := d.Writer.Message(transcript.User, "sum")
	out, err := d.Encode([]transcript.Entry{{From: -1, New: &m}, {From: 3}})
	if err != nil || !json.Valid(out) {
		t.Fatalf("%v: %s", err, out)
	}
	if n := strings.Count(string(out), `"children":["a2"]`); n != 1 {
		t.Errorf("%d nodes lead to the last one:\n%s", n, out)
	}
}

// Of several conversations each is told with the items on its way: not with the
// members of the object, nor with nodes that hold no message of it.
func TestChatGPTSeveral(t *testing.T) {
	broken := strings.Replace(chatgptTree, `"current_node":"a2"`, `"current_node":"zz"`, 1)
	odd := strings.Replace(chatgptTree, `"author":{"role":"user"},"create_time"`, `"author":{"role":7},"create_time"`, 1)
	all, err := Conversations([]byte("[" + chatgptTree + "," + strings.Replace(chatgptTree, `"current_node":"a2"`, `"current_node":"q1b"`, 1) + "," + broken + "," + odd + "]"))
	var got []int
	for _, c := range all {
		got = append(got, c.Items)
	}
	// q1b is the only message of its branch; a node that is not there leads to none;
	// a message that can not be read is one.
	if want := []int{4, 1, 0, 4}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: items %v, want %v", err, got, want)
	}
	if d := mustDecode(t, "["+chatgptTree+","+chatgptTree+"]", Options{Conversation: "/1"}); len(d.Items) != got[0] {
		t.Errorf("%d items are read, %d were told", len(d.Items), got[0])
	}
}

// chatgptSearch is a search of ChatGPT's: a page of hits and two quotes answer one
// call, and one more answers the next. calls are two to one tool in one go.
const (
	chatgptSearch = `{"title":"T","mapping":{` +
		`"q":{"id":"q","message":{"id":"q","author":{"role":"user"},"content":{"content_type":"text","parts":["find it"]}},"parent":null,"children":["c1"]},` +
		`"c1":{"id":"c1","message":{"id":"c1","author":{"role":"assistant"},"recipient":"browser","content":{"content_type":"code","text":"search(1)"}},"parent":"q","children":["h"]},` +
		`"h":{"id":"h","message":{"id":"h","author":{"role":"tool","name":"browser"},"content":{"content_type":"tether_browsing_display","result":"HITS","summary":null}},"parent":"c1","children":["p1"]},` +
		`"p1":{"id":"p1","message":{"id":"p1","author":{"role":"tool","name":"browser"},"content":{"content_type":"tether_quote","url":"u","text":"QUOTE1"}},"parent":"h","children":["p2"]},` +
		`"p2":{"id":"p2","message":{"id":"p2","author":{"role":"tool","name":"browser"},"content":{"content_type":"tether_quote","url":"v","text":"QUOTE2"}},"parent":"p1","children":["c2"]},` +
		`"c2":{"id":"c2","message":{"id":"c2","author":{"role":"assistant"},"recipient":"browser","content":{"content_type":"code","text":"open(2)"}},"parent":"p2","children":["p3"]},` +
		`"p3":{"id":"p3","message":{"id":"p3","author":{"role":"tool","name":"browser"},"content":{"content_type":"tether_quote","url":"w","text":"QUOTE3"}},"parent":"c2","children":["a"]},` +
		`"a":{"id":"a","message":{"id":"a","author":{"role":"assistant"},"recipient":"all","content":{"content_type":"text","parts":["There."]}},"parent":"p3","children":[]}},"current_node":"a"}`
	chatgptTwoCalls = `{"title":"T","mapping":{` +
		`"a":{"message":{"author":{"role":"assistant"},"recipient":"f","content":{"content_type":"code","text":"1"}},"parent":null,"children":["b"]},` +
		`"b":{"message":{"author":{"role":"assistant"},"recipient":"f","content":{"content_type":"code","text":"2"}},"parent":"a","children":["c"]},` +
		`"c":{"message":{"author":{"role":"tool","name":"f"},"content":{"content_type":"text","parts":["r1"]}},"parent":"b","children":["d"]},` +
		`"d":{"message":{"author":{"role":"tool","name":"f"},"content":{"content_type":"text","parts":["r2"]}},"parent":"c","children":["e"]},` +
		`"e":{"message":{"author":{"role":"tool","name":"f"},"content":{"content_type":"text","parts":["r3"]}},"parent":"d","children":[]}},"current_node":"e"}`
)

// Several messages of a tool behind one call belong to it, and all are shown.
func TestChatGPTSeveralAnswers(t *testing.T) {
	d := mustDecode(t, chatgptSearch, Options{})
	p := transcript.Pair(d.Transcript)
	if want := []int{0, 1, 1, 1, 1, 2, 2, 3}; len(p.Orphans)+len(p.Unanswered) > 0 || !slices.Equal(p.Group, want) {
		t.Errorf("groups %v, want %v; orphans %v, unanswered %v", p.Group, want, p.Orphans, p.Unanswered)
	}
	for _, c := range []struct {
		edit bool
		hits string
	}{{false, "HITS"}, {true, "[gone]"}} {
		shown := *d.Transcript
		if c.edit { // what was cleared is still one of several
			shown.Items = slices.Clone(d.Items)
			out, ok := d.Writer.WithParts(&d.Items[2], []transcript.Edit{{Part: 0, Text: c.hits}})
			if !ok {
				t.Fatal("a page of hits can not be cleared")
			}
			shown.Items[2] = out
		}
		body := string(d.codec.body(&shown, BodyRequest{Items: []int{0, 1, 2, 3, 4, 5, 6, 7}, Prompt: "sum"}))
		for _, want := range []string{`"content":"` + c.hits + `\n\nQUOTE1\n\nQUOTE2"`, `"content":"QUOTE3"`} {
			if strings.Count(body, want) != 1 {
				t.Errorf("%s is not in %s", want, body)
			}
		}
	}
	holds(t, []byte(chatgptSearch), Options{})
	// Each of two calls has its own, and the last one the rest.
	two := mustDecode(t, chatgptTwoCalls, Options{})
	if p := transcript.Pair(two.Transcript); len(p.Orphans)+len(p.Unanswered) > 0 || !slices.Equal(p.Group, []int{0, 1, 0, 1, 1}) {
		t.Errorf("groups %v, orphans %v", p.Group, p.Orphans)
	}
}
