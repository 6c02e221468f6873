package format

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// Sessions of Cline, Roo and pi out of parts drawn at random, and large ones.

func clinePieces(r *rand.Rand) []string {
	said := []string{
		`{"type":"text","text":"t"}`, `{"type":"text","text":"[read_file for 'ID'] Result:"}`, `{"type":"text","text":"[read_file for 'ID'] Result:\nR"}`, `{"type":"text","text":"[list_files] Result:\nThe user denied.\n<feedback>f</feedback>"}`,
		clineEnv, `{"type":"tool_result","tool_use_id":"ID","content":"r"}`, `{"type":"image","source":{"type":"base64","data":"QUJD"}}`, `{"type":"text","text":"<SYSTEM_NOTICE>\nEarlier context was compacted."}`, `{"type":"text","text":"[novelty] Result:\nR"}`,
	}
	answered := []string{
		`{"type":"text","text":"t <read_file><path>ID</path></read_file>"}`, `{"type":"text","text":"<list_files>\n<path>a<b>\n</list_files> u"}`, `{"type":"tool_use","id":"ID","name":"read_file","input":{}}`,
		`{"type":"tool_use","id":"ID2","name":"f","input":{"a":1}}`, `{"type":"thinking","thinking":"h","signature":"s"}`, `{"type":"reasoning","text":"h"}`, `{"type":"text","text":""}`,
	}
	list := func(parts []string) string { return "[" + strings.Join(randomList(r, parts, 5), ",") + "]" }
	return []string{
		`{"role":"user","content":` + list(said) + `,"ts":1}`, `{"role":"user","content":` + list(said) + `}`, `{"role":"assistant","content":` + list(answered) + `,"ts":2,"modelInfo":{}}`, `{"role":"assistant","content":` + list(answered) + `}`,
		`{"role":"user","content":` + list(said) + `,"condenseParent":"ID"}`, `{"role":"assistant","content":"x","condenseParent":"ID","truncationParent":"ID2"}`,
		`{"role":"user","content":"s","ts":3,"isSummary":true,"condenseId":"ID"}`, `{"role":"user","content":"s","ts":3,"isSummary":true,"condenseId":"ID","condenseParent":"ID2"}`,
		`{"role":"user","content":"m","isTruncationMarker":true,"truncationId":"ID"}`, `{"role":"user","content":[],"metadata":{"kind":"compaction_summary"}}`,
	}
}

func TestClineRandom(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	read := 0
	for range 300 {
		src := "[" + strings.Join(randomList(r, clinePieces(r), 9), ", ") + "]"
		for _, s := range []string{src, `{"sessionId":"s","system_prompt":"p","messages":` + src + `}`} {
			if d := holds(t, []byte(s), Options{Format: "cline"}); d != nil {
				read++
			}
		}
	}
	if read < 500 {
		t.Errorf("only %d of 600 could be read", read)
	}
}

func piPieces(r *rand.Rand) []string {
	blocks := []string{`{"type":"text","text":"t"}`, `{"type":"toolCall","id":"ID","name":"f","arguments":{}}`, `{"type":"thinking","thinking":"h","thinkingSignature":"s"}`, `{"type":"image","data":"QUJD"}`}
	list := "[" + strings.Join(randomList(r, blocks, 4), ",") + "]"
	all := []string{
		piLine("message", "X<Y", `"message":{"role":"user","content":`+list+`,"timestamp":1}`), piLine("message", "X<Y", `"message":{"role":"assistant","content":`+list+`,"provider":"p","model":"ID","usage":{"input":1}}`),
		piLine("message", "X<Y", `"message":{"role":"assistant","content":`+list+`,"provider":"p","model":"ID"}`), piLine("message", "X<Y", `"message":{"role":"toolResult","toolCallId":"ID","content":[{"type":"text","text":"r"},{"type":"image","data":"QUJD"}]}`),
		piLine("message", "X<Y", `"message":{"role":"user","content":"u"}`), piLine("message", "X<Y", `"message":{"role":"bashExecution","command":"ID"}`), piFold("X<Y", "sum", "ID"), piFold("X<Y", piStands, "ID"),
		piLine("branch_summary", "X<Y", `"fromId":"ID","summary":"left"`), piLine("custom_message", "X<Y", `"customType":"x","content":"n"`), piLine("model_change", "X<Y", `"provider":"p","modelId":"ID"`), piLine("custom", "X<Y", `"data":1`),
	}
	if r.Intn(3) == 0 { // OpenClaw's
		all = append(all, piLine("leaf", "X<Y", `"targetId":"ID"`), piLine("leaf", "X<Y", `"targetId":"ID","appendParentId":"ID2"`), piLine("reset", "X<Y", `"firstKeptEntryId":"ID"`), piLine("custom", "X<Y", `"appendMode":"side"`), "{\"broken\n")
	}
	if r.Intn(4) == 0 {
		return append(all, `{"type":"compaction","summary":"one","firstKeptEntryIndex":2}`+"\n")
	}
	return all
}

func TestPiRandom(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	read := 0
	for n := range 600 {
		var b strings.Builder
		switch n % 4 {
		case 0:
			b.WriteString(strings.Replace(piHead, `"version":3,`, "", 1))
		case 1:
		default:
			b.WriteString(piHead)
		}
		for i, line := range randomList(r, piPieces(r), 10) {
			up := max(0, i-1)
			if r.Intn(5) == 0 {
				up = r.Intn(i + 1)
			}
			b.WriteString(strings.NewReplacer(`"id":"X"`, `"id":"`+string(rune('a'+i))+`"`, `"parentId":"Y"`, `"parentId":"`+string(rune('a'+up))+`"`).Replace(line))
		}
		if d := holds(t, []byte(b.String()), Options{Format: "pi"}); d != nil {
			read++
		}
	}
	if read < 500 {
		t.Errorf("only %d of 600 could be read", read)
	}
}

// Compactions upon compactions, at a size at which anything quadratic takes
// minutes: each of OpenCode's names the first message as the tail that it left,
// each summary of Roo's was condensed into the next, each of pi's kept what the
// one before kept.
func TestManyCompactions(t *testing.T) {
	const n = 20_000
	var sessions, tasks, entries strings.Builder
	for i := range n {
		fmt.Fprintf(&sessions, `,{"info":{"id":"r%d","role":"user"},"parts":[{"type":"compaction","tail_start_id":"s0"}]},{"info":{"id":"s%[1]d","role":"assistant","summary":true,"finish":"stop","parentID":"r%[1]d"},"parts":[{"type":"text","text":"s"}]}`, i)
		fmt.Fprintf(&tasks, `,{"role":"user","content":"s","ts":1,"isSummary":true,"condenseId":"c%d","condenseParent":"c%d"},{"role":"assistant","content":"a"}`, i, i+1)
		entries.WriteString(piSays(fmt.Sprintf("a%d<b%d", i, i-1), "u") + piFold(fmt.Sprintf("b%d<a%d", i, i), "S", "a0"))
	}
	for _, c := range []struct {
		format, src string
		items       int
	}{
		{"opencode", "[" + sessions.String()[1:] + "]", n},                                                  // the summaries
		{"cline", "[" + tasks.String()[1:] + "]", n + 1},                                                    // the last summary, and the answers
		{"pi", piHead + strings.ReplaceAll(entries.String(), `"parentId":"b-1"`, `"parentId":null`), n + 1}, // the same in messages
	} {
		d := mustDecode(t, c.src, Options{Rewrite: true})
		if d.Format != c.format || len(d.Items) != c.items {
			t.Fatalf("%s: %d items, want %d of %s", d.Format, len(d.Items), c.items, c.format)
		}
		if out, err := d.Encode(identity(c.items)[c.items/2:]); err != nil || len(out) >= len(c.src) {
			t.Errorf("%s: %d bytes of %d, %v", c.format, len(out), len(c.src), err)
		}
	}
	// As many results that are texts as there are calls, and more.
	d := mustDecode(t, `[{"role":"assistant","content":[`+repeat(n, ",", `{"type":"tool_use","id":"c%d","name":"read_file","input":{}}`)+`]},{"role":"user","content":[`+
		repeat(n+9, ",", `{"type":"text","text":"[read_file for '%d'] Result:\nr"}`)+`]}]`, Options{})
	if p := d.Items[1].Parts; p[n-1].ID != fmt.Sprint("c", n-1) || p[n].Kind != transcript.Text {
		t.Errorf("%+v, %+v", p[n-1], p[n])
	}
}
