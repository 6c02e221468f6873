package format

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// opencodeSees is what OpenCode sends of a session, as its own code has it: the
// messages sorted by time and id, back to the request of the newest finished
// summary, or to the tail that it names, which then stands behind the summary.
// tails says whether it is a version that knows tails.
func opencodeSees(t *testing.T, src []byte, tails bool) string {
	t.Helper()
	type message struct {
		Info struct {
			ID, SessionID, Role, ParentID, Agent, Mode, ModelID, ProviderID, Finish string
			Summary                                                                 any
			Time                                                                    struct{ Created, Completed int }
			Model                                                                   struct{ ProviderID, ModelID string }
			Path                                                                    struct{ Cwd, Root string }
			Tokens                                                                  map[string]any
		}
		Parts []struct {
			ID, SessionID, MessageID, Type, Text string
			Tail                                 string `json:"tail_start_id"`
		}
	}
	var v struct{ Messages []message }
	if err := json.Unmarshal(src, &v); err != nil {
		t.Fatal(err)
	}
	all := v.Messages
	slices.SortStableFunc(all, func(a, b message) int {
		if a.Info.Time.Created != b.Info.Time.Created {
			return a.Info.Time.Created - b.Info.Time.Created
		}
		return strings.Compare(a.Info.ID, b.Info.ID)
	})
	completed := map[string]int{}
	start, from, to := 0, -1, -1
walk:
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i]
		if m.Info.Role == "assistant" && m.Info.Summary == true && m.Info.Finish != "" {
			completed[m.Info.ParentID] = i
			if m.Info.Agent != "compaction" || m.Info.Mode != "compaction" || m.Info.ModelID == "" || m.Info.ProviderID == "" || m.Info.Path.Cwd == "" || m.Info.Tokens["cache"] == nil {
				t.Errorf("no summary of OpenCode: %+v", m.Info)
			}
		}
		if summary, ok := completed[m.Info.ID]; ok {
			start, from, to = i, i, summary
			if tail := m.Parts[0].Tail; tails && tail != "" {
				for start >= 0 && all[start].Info.ID != tail {
					start--
				}
				if start < 0 {
					t.Fatalf("the tail %s is not there", tail)
				}
			}
			break walk
		}
	}
	var order []message
	if from > start {
		order = append(append(append(order, all[from:to+1]...), all[start:from]...), all[to+1:]...)
	} else {
		order = all[start:]
	}
	var said []string
	seen := map[string]bool{}
	for _, m := range order {
		if m.Info.SessionID != "ses_A" || len(m.Info.ID) != 30 || seen[m.Info.ID] || m.Info.Role == "user" && (m.Info.Agent == "" || m.Info.Model.ModelID == "") {
			t.Errorf("OpenCode would not load %+v", m.Info)
		}
		seen[m.Info.ID] = true
		for _, p := range m.Parts {
			if p.Type == "compaction" {
				p.Text = "?"
			}
			if p.Type != "step-start" && (p.MessageID != m.Info.ID || p.SessionID != "ses_A" || !strings.HasPrefix(p.ID, "prt_")) {
				t.Errorf("ids of %+v", p)
			}
			if p.Text != "" {
				said = append(said, p.Text)
			}
		}
	}
	return strings.Join(said, " ")
}

// A summary that comes first is one of OpenCode's own, and what stays is seen
// behind it; any other is a message in its place.
func TestOpencodeFold(t *testing.T) {
	for _, c := range []struct {
		version, plan, order, sees string // order: as Decode reads it back
	}{
		{"1.18.3", "n 4 5", "N! e f", "? N e f"},
		{"1.18.3", "n 0 4 5", "N! a e f", "? N a e f"},
		{"1.18.3", "n 5", "N! f", "? N f"}, // an answer whose question is folded
		{"1.2.5", "n 5", "N! f", "? N f"},
		{"1.18.3", "n", "N!", "? N"},
		{"1.2.5", "n 4 5", "N! e f", "? N e f"},
		{"1.2.5", "n 0 4 5", "N! a e f", "? N a e f"},
		{"", "n 0 4 5", "N! a e f", "? N a e f"},
		{"1.18.3", "0 2 n", "a c N", "a c N"},
		{"1.18.3", "0 n 4 5*", "a N e T", "a N e T"},
		{"1.2.5", "0 n 4 n 5", "a N e N f", "a N e N f"},
	} {
		src := opencodeTurns(c.version, 6)
		d := mustDecode(t, src, Options{})
		entries := entriesOf(d, c.plan)
		out, err := d.Encode(entries)
		if err != nil {
			t.Fatal(err)
		}
		again := mustDecode(t, string(out), Options{})
		var got []string
		for i := range again.Items {
			s := again.Items[i].Text()
			if again.Items[i].Summary {
				s += "!"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.order {
			t.Errorf("%s %s: reads as %s, want %s\n%s", c.version, c.plan, s, c.order, out)
		}
		for i, e := range entries {
			if e.From >= 0 && e.New == nil && string(again.Items[i].Raw) != string(d.Items[e.From].Raw) {
				t.Errorf("%s: item %d changed", c.plan, i)
			}
		}
		if s := opencodeSees(t, out, opencodeKnowsTails(c.version)); s != c.sees {
			t.Errorf("%s %s: OpenCode sees %s, want %s\n%s", c.version, c.plan, s, c.sees, out)
		}
		if twice, err := d.Encode(entriesOf(d, c.plan)); err != nil || string(twice) != string(out) {
			t.Errorf("%s: not the same bytes twice", c.plan)
		}
		holds(t, out, Options{})
	}
}

// Imported over the session that it came from (an import only adds what is not
// there), a session with a tail that is whole goes on from the summary; what is
// new has its place behind the caller's time.
func TestOpencodeImportedOverItself(t *testing.T) {
	for _, version := range []string{"1.18.3", "1.2.5"} {
		src := opencodeTurns(version, 6)
		d := mustDecode(t, src, Options{Now: "1970-01-01T00:01:00Z"})
		out, err := d.Encode(entriesOf(d, "n 4 5"))
		if err != nil {
			t.Fatal(err)
		}
		var old, fresh struct{ Messages []json.RawMessage }
		if err := errors.Join(json.Unmarshal([]byte(src), &old), json.Unmarshal(out, &fresh)); err != nil {
			t.Fatal(err)
		}
		for _, m := range fresh.Messages {
			if !slices.ContainsFunc(old.Messages, func(o json.RawMessage) bool { return string(o) == string(m) }) {
				old.Messages = append(old.Messages, m)
			}
		}
		both, err := json.Marshal(old)
		if err != nil {
			t.Fatal(err)
		}
		if s := opencodeSees(t, both, opencodeKnowsTails(version)); s != "? N e f" {
			t.Errorf("%s: OpenCode sees %s", version, s)
		}
		// Not that of the last message counts, but the newest time.
		late := strings.NewReplacer(opencodeID(1000), opencodeID(5000), `"created":1000`, `"created":5000`).Replace(src)
		if out, err := mustDecode(t, late, Options{}).Encode(entriesOf(d, "0 n")); err != nil || strings.Count(string(out), `"created":5000`) != 2 {
			t.Errorf("%s: %v %s", version, err, out)
		}
		if want := `"created":60000`; strings.Contains(string(out), want) != (version == "1.18.3") {
			t.Errorf("%s: %s in %s", version, want, out)
		}
	}
}

// A session that OpenCode compacted: the tail that it left stands behind the
// summary, and the request goes where its summary goes.
func TestOpencodeCompacted(t *testing.T) {
	src := strings.TrimSuffix(opencodeTurns("1.18.3", 4), "]}") +
		`,{"info":{"id":"` + opencodeID(1100) + `","sessionID":"ses_A","role":"user","time":{"created":1100},"agent":"build","model":{"providerID":"p","modelID":"m"}},"parts":[{"id":"prt_r","sessionID":"ses_A","messageID":"` + opencodeID(1100) + `","type":"compaction","auto":true,"tail_start_id":"` + opencodeID(1020) + `"}]},` +
		`{"info":{"id":"` + opencodeID(1110) + `","sessionID":"ses_A","role":"assistant","time":{"created":1110},"parentID":"` + opencodeID(1100) + `","modelID":"m","providerID":"p","mode":"compaction","agent":"compaction","path":{"cwd":"/w"},"summary":true,"finish":"stop","tokens":{"cache":{}}},"parts":[{"type":"step-start"},{"id":"prt_s","sessionID":"ses_A","messageID":"` + opencodeID(1110) + `","type":"text","text":"S"}]},` +
		`{"info":{"id":"` + opencodeID(1120) + `","sessionID":"ses_A","role":"user","time":{"created":1120},"agent":"build","model":{"providerID":"p","modelID":"m"}},"parts":[{"id":"prt_e","sessionID":"ses_A","messageID":"` + opencodeID(1120) + `","type":"text","text":"e"}]}]}`
	d := mustDecode(t, src, Options{})
	if got := texts2(d); got != "a b S! c d e" {
		t.Fatalf("items are %s", got)
	}
	if s := opencodeSees(t, []byte(src), true); s != "? S c d e" {
		t.Fatalf("the fixture is seen as %s", s)
	}
	if e := d.Verdict.Evidence; len(e) != 2 || !strings.HasPrefix(e[1], "compactions: 1, ") {
		t.Errorf("evidence %q", e)
	}
	holds(t, []byte(src), Options{})
	// A summary that failed, or that was never finished, folded nothing.
	for _, end := range []string{`"finish":""`, `"finish":"stop","error":{"name":"APIError"}`} {
		d := holds(t, []byte(strings.Replace(src, `"summary":true,"finish":"stop"`, `"summary":true,`+end, 1)), Options{})
		if e := d.Verdict.Evidence; len(e) != 1 || d.Items[0].Text() != "a" || d.Items[2].Text() != "c" {
			t.Errorf("%s: %s, evidence %q", end, texts2(d), e)
		}
	}
	// The first of two summaries stands before the tail; a tail that begins behind
	// the request is none.
	i := strings.Index(src, `,{"info":{"id":"`+opencodeID(1110))
	j := strings.Index(src, `,{"info":{"id":"`+opencodeID(1120))
	again := src[:j] + strings.NewReplacer(opencodeID(1110), opencodeID(1115), `"created":1110`, `"created":1115`, `"text":"S"`, `"text":"S2"`).Replace(src[i:j]) + src[j:]
	if got := texts2(holds(t, []byte(again), Options{})); got != "a b S! c d S2! e" {
		t.Errorf("two summaries: %s", got)
	}
	late := strings.Replace(src, `"tail_start_id":"`+opencodeID(1020), `"tail_start_id":"`+opencodeID(1120), 1)
	if got := texts2(holds(t, []byte(late), Options{})); got != "a b c d S! e" {
		t.Errorf("a tail behind the request: %s", got)
	}
	for _, c := range []struct{ plan, order, sees string }{
		{"0 1 2 3* 4 5", "a b S! T d e", "? S T d e"}, // pruned
		{"2 4 5", "S! d e", "? S d e"},                // the tail begins later
		{"2 5", "S! e", "? S e"},                      // nothing of it is left
		{"n 2 4 5", "N S! d e", "? S d e"},            // no plan keeps an older summary beside a new one
		{"n 0 4 5", "N! a d e", "? N a d e"},          // folded: the old request is gone
	} {
		out, err := d.Encode(entriesOf(d, c.plan))
		if err != nil {
			t.Fatal(err)
		}
		if got := texts2(mustDecode(t, string(out), Options{})); got != c.order {
			t.Errorf("%s: reads as %s, want %s\n%s", c.plan, got, c.order, out)
		}
		if got := opencodeSees(t, out, true); got != c.sees {
			t.Errorf("%s: OpenCode sees %s, want %s\n%s", c.plan, got, c.sees, out)
		}
	}
}

// texts2 are the texts of the items, those of summaries with a mark.
func texts2(d *Document) string {
	var all []string
	for i := range d.Items {
		s := d.Items[i].Text()
		if d.Items[i].Summary {
			s += "!"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}
