package core_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/core"
)

// Input that somebody made to hurt: nothing of it may panic, take more than its
// share of memory, or come out worse than it went in. No clock is read: what is
// allocated for a source of n and of a quarter tells what is not linear. Time is
// held against time by BenchmarkHostile, with four times as much.

// hostile is one kind of such input, of any size.
type hostile struct {
	name string
	n    int
	make func(n int) string
	code string // the error that it must be, "" for none
}

// many writes format once for each number below n, with commas between.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// around puts items behind a first message and before two last ones, so that
// there is something to fold and something to keep.
func around(items string) string {
	return `[{"role":"user","content":"Find out why it fails."},` + items +
		`,{"role":"assistant","content":"It is the cache."},{"role":"user","content":"Go on."}]`
}

// called is a call of a tool with those arguments (quoted JSON) and its result.
func called(arguments, result string) string {
	return around(`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"bash","arguments":` + arguments + `}}]},` +
		`{"role":"tool","tool_call_id":"c","content":` + result + `}`)
}

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func hostiles() []hostile {
	chatCall, chatResult := `{"id":"c%d","type":"function","function":{"name":"f","arguments":"{\"n\":%[1]d}"}}`, `{"role":"tool","tool_call_id":"c%d","content":"result %[1]d"}`
	call, output := `{"type":"function_call","call_id":"c%d","name":"f","arguments":"{\"n\":%[1]d}"}`, `{"type":"function_call_output","call_id":"c%d","output":"result %[1]d"}`
	use, result := `{"type":"tool_use","id":"c%d","name":"f%[1]d","input":{"n":%[1]d}}`, `{"type":"tool_result","tool_use_id":"c%d","content":"result %[1]d"}`
	one := func(format string) string { return strings.ReplaceAll(format, `c%d`, `c%.0d`) } // one id for all
	blocks := func(calls, results string) string {
		return around(`{"role":"assistant","content":[` + calls + `]},{"role":"user","content":[` + results + `]}`)
	}
	return []hostile{
		{"nested arrays", 100_000, nested, "invalid_json"},
		{"a content of nested arrays", 100_000, func(n int) string { return around(`{"role":"user","content":` + nested(n) + `}`) }, "invalid_json"},
		{"nested objects", 100_000, func(n int) string { return strings.Repeat(`{"messages":`, n) + "[]" + strings.Repeat("}", n) }, "invalid_json"},
		{"an array that is never closed", 1_000_000, func(n int) string { return strings.Repeat("[", n) }, "invalid_json"},
		{"nested arrays as arguments", 100_000, func(n int) string { return called(quoted(`{"command":`+nested(n)+`}`), `"done"`) }, ""},
		{"nested objects as arguments", 100_000, func(n int) string {
			return called(quoted(strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n)), `"done"`)
		}, ""},
		{"nested arrays as a result", 100_000, func(n int) string { return called(`"{}"`, quoted(nested(n))) }, ""},
		{"nested input, as deep as may be", 400, func(n int) string {
			return blocks(many(n, `{"type":"tool_use","id":"c%d","name":"f","input":{"a":`+nested(900)+`}}`), many(n, result))
		}, ""},

		{"parallel calls, chat", 10_000, func(n int) string {
			return around(`{"role":"assistant","content":null,"tool_calls":[` + many(n, chatCall) + `]},` + many(n, chatResult))
		}, ""},
		{"parallel calls, Responses", 10_000, func(n int) string { return around(many(n, call) + "," + many(n, output)) }, ""},
		{"parallel calls, Anthropic", 10_000, func(n int) string { return blocks(many(n, use), many(n, result)) }, ""},
		{"one id for all calls, chat", 10_000, func(n int) string {
			return around(`{"role":"assistant","content":null,"tool_calls":[` + many(n, one(chatCall)) + `]},` + many(n, one(chatResult)))
		}, ""},
		{"one id for all calls, Responses", 5_000, func(n int) string { return around(many(n, one(call)+","+one(output))) }, ""},
		{"one id for all calls, Anthropic", 10_000, func(n int) string { return blocks(many(n, one(use)), many(n, one(result))) }, ""},
		{"results before their calls, chat", 10_000, func(n int) string {
			return around(many(n, chatResult) + `,{"role":"assistant","content":null,"tool_calls":[` + many(n, chatCall) + `]}`)
		}, ""},
		{"results before their calls, Responses", 5_000, func(n int) string { return around(many(n, output+","+call)) }, ""},
		{"results before their calls, Anthropic", 10_000, func(n int) string {
			return around(`{"role":"user","content":[` + many(n, result) + `]},{"role":"assistant","content":[` + many(n, use) + `]}`)
		}, ""},
		{"calls that nobody answers, chat", 10_000, func(n int) string {
			return around(`{"role":"assistant","content":null,"tool_calls":[` + many(n, chatCall) + `]}`)
		}, ""},

		{"messages of one word", 8_000, func(n int) string {
			return around(many(n, `{"role":"user","content":"u%d"},{"role":"assistant","content":"a"}`))
		}, ""},
		{"parts of one word", 16_000, func(n int) string {
			return around(`{"role":"user","content":[` + many(n, `{"type":"text","text":"part number %d of many more"}`) + `]}`)
		}, ""},
		{"developer messages, each its own kind", 8_000, func(n int) string { return around(many(n, `{"role":"developer","content":"rule number %d"}`)) }, ""},
		{"earlier summaries", 5_000, func(n int) string {
			return around(many(n, `{"role":"user","content":`+quoted("[tamp] Earlier messages of this conversation were compacted. The text below is the record that stands for them: it reports what was asked, done and learned so far. It is not a new request.\nStep %d is done.")+`}`))
		}, ""},
		{"rounds that fail, each in its own way", 4_000, func(n int) string {
			return around(many(n, `{"role":"assistant","content":"I try %d.","tool_calls":[{"id":"c%[1]d","type":"function","function":{"name":"edit_file","arguments":"{\"path\":\"a/b%[1]d.go\",\"text\":\"x%[1]d\"}"}}]},`+
				`{"role":"tool","tool_call_id":"c%[1]d","content":"error: a/b%[1]d.go:%[1]d: no such file"}`))
		}, ""},
		{"a word without end", 2_000_000, func(n int) string { return around(`{"role":"user","content":"` + strings.Repeat("x", n) + `"}`) }, ""},
		{"a result of one line", 2_000_000, func(n int) string { return called(`"{}"`, `"`+strings.Repeat("a/b.go:12: x ", n/13)+`"`) }, ""},
		{"a result of JSON", 1_000_000, func(n int) string {
			return called(`"{}"`, quoted(`{"a":[`+strings.Repeat(`{"k":"v","n":1},`, n/16)+`1]}`))
		}, ""},
		{"a command of a thousand commands", 300_000, func(n int) string {
			return called(quoted(`{"command":`+quoted(strings.Repeat("git commit -m x && cd $(echo ", n/29))+`}`), `"error"`)
		}, ""},
		{"tags that are opened only", 50_000, func(n int) string {
			return around(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"x"},{"type":"text","text":"` + strings.Repeat("<system-reminder>", n) + `"}]}`)
		}, ""},

		{"keys that repeat", 20_000, func(n int) string {
			return around(`{` + strings.Repeat(`"role":"user","content":"first",`, n) + `"role":"user","content":"last"}`)
		}, ""},
		{"keys that are all different", 50_000, func(n int) string { return around(`{` + many(n, `"k%d":1`) + `,"role":"user","content":"x"}`) }, ""},
		{"keys with escapes", 20_000, func(n int) string {
			return around(`{` + many(n, `"k\u0061%d":1`) + `,"r\u006fle":"user","\u0063ontent":"x"}`)
		}, ""},
		{"numbers and nothing else", 40_000, func(n int) string { return `[` + strings.Repeat("1,", n) + `1]` }, "unknown_format"},
		{"numbers beside a text", 1_000_000, func(n int) string {
			return around(`{"role":"user","content":"x","logprobs":[` + strings.Repeat("1,", n) + `1]}`)
		}, ""},
		{"more values than are read", 12_000_000, func(n int) string { return `[` + strings.Repeat("1,", n) + `1]` }, "too_large"},
		{"more messages than are read", 600_000, func(n int) string { return `[` + strings.Repeat(`{"role":"user"},`, n) + `{"role":"user"}]` }, "too_large"},
		{"more lines than are read", 5_000_000, func(n int) string { return strings.Repeat("{}\n", n) }, "too_large"},
		{"conversations", 20_000, func(n int) string { return `[` + many(n, `{"traj":[{"role":"user","content":"x%d"}]}`) + `]` }, "several_conversations"},
		{"NUL bytes between lines", 1_000_000, func(n int) string {
			return `{"role":"user","content":"x"}` + "\n" + strings.Repeat("\x00", n) + "\n" + `{"role":"assistant","content":"y"}` + strings.Repeat("\n", n) + `{"role":"user","content":"z"}`
		}, ""},
		{"lines that are no JSON", 100_000, func(n int) string { return strings.Repeat("{\"role\":\n", n) }, "invalid_json"},
		{"turns of a text", 8_000, func(n int) string { return strings.Repeat("User: hello\n\nAssistant: hello to you\n\n", n) }, ""},
	}
}

func TestHostile(t *testing.T) {
	for _, h := range hostiles() {
		t.Run(h.name, func(t *testing.T) {
			if h.code == "too_large" {
				const most = 700 << 20 // of tables that doubled up to the limit
				if n := refused(t, h.make(h.n), h.code); n > most {
					t.Errorf("%d bytes are allocated for what is refused, the limit is %d", n, most)
				}
				return
			}
			small, large := []byte(h.make(h.n/4)), []byte(h.make(h.n))
			for _, p := range corpusPolicies {
				a, b := compactHostile(t, h, small, p.json), compactHostile(t, h, large, p.json)
				// Five for four: tables that double, and what is there once. What is
				// below a megabyte is mostly that.
				if b > 1<<20 && b > 5*a {
					t.Errorf("%s: %d bytes are allocated for %d, %d for %d", p.name, a, len(small), b, len(large))
				}
			}
		})
	}
}

// compactHostile gives what a compaction allocates, in bytes.
func compactHostile(t *testing.T, h hostile, src []byte, policy string) uint64 {
	t.Helper()
	if h.code != "" {
		return refused(t, string(src), h.code)
	}
	req := core.Request{Transcript: src, Text: src[0] != '[', Force: true, Policy: []byte(policy)}
	before := bytes.Clone(src)
	var res *core.CompactResult
	var err error
	n := allocated(func() { res, err = core.Compact(req) })
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(src, before) {
		t.Fatal("the source was changed")
	}
	holds(t, req, res)
	return n
}

// refused is what it allocates to refuse a source, which must be with that code.
func refused(t *testing.T, src, code string) uint64 {
	t.Helper()
	var err error
	n := allocated(func() { _, err = core.Compact(core.Request{Transcript: []byte(src), Text: src[0] != '[', Force: true}) })
	var e *core.Error
	if !errors.As(err, &e) || e.Code != code || e.Message == "" || len(e.Message) > 20_000 {
		t.Fatalf("%.300v, want %s", err, code)
	}
	return n
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What is in a text or a key, rather than how much of it: it is read as
// encoding/json reads it, and what is kept keeps its bytes.
func TestHostileTexts(t *testing.T) {
	for _, c := range []struct {
		name, src, code string
		text            string // that the first item must have
	}{
		{"a lone high surrogate", around(`{"role":"user","content":"a\ud800b"}`), "", ""},
		{"a lone low surrogate", `[{"role":"user","content":"a\udc00b"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`, "", "a\uFFFDb"},
		{"surrogates in the wrong order", `[{"role":"user","content":"\udc00\ud83d"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`, "", "\uFFFD\uFFFD"},
		{"a surrogate at the end", `[{"role":"user","content":"x\ud83d"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`, "", "x\uFFFD"},
		{"a pair of surrogates", `[{"role":"user","content":"\ud83d\ude00"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`, "", "\U0001F600"},
		{"ids that are the same once they are read", around(`{"role":"assistant","content":null,"tool_calls":[{"id":"\ud800","type":"function","function":{"name":"f","arguments":"{}"}},` +
			`{"id":"\udfff","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"\ud800","content":"1"},{"role":"tool","tool_call_id":"\udfff","content":"2"}`), "", ""},
		{"bytes that are no UTF-8", "[{\"role\":\"user\",\"content\":\"a\xff\xe3\x81b\xc0\xaf\"},{\"role\":\"assistant\",\"content\":\"b\"},{\"role\":\"user\",\"content\":\"c\"}]", "", "a\uFFFD\uFFFD\uFFFDb\uFFFD\uFFFD"},
		{"a key that is no UTF-8", around("{\"role\":\"user\",\"content\":\"a\",\"\xff\xfe\":1,\"\xff\xfe\":2}"), "", ""},
		{"UTF-8 cut off at the end of the source", around(`{"role":"user","content":"x"}`) + "\xe3\x81", "invalid_json", ""},
		{"a NUL with an escape", `[{"role":"user","content":"a\u0000b"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`, "", "a\x00b"},
		{"a NUL in a string", around("{\"role\":\"user\",\"content\":\"a\x00b\"}"), "invalid_json", ""},
		{"a NUL between items", "[{\"role\":\"user\",\"content\":\"a\"},\x00{\"role\":\"user\",\"content\":\"b\"}]", "invalid_json", ""},
		{"NULs behind the source", around(`{"role":"user","content":"a"}`) + "\x00\x00", "invalid_json", ""},
		{"a key twice", `[{"role":"assistant","content":"first","role":"user","content":"last"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`, "", "last"},
		{"a key twice, once with an escape", `[{"role":"user","content":"first","c\u006fntent":"last"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`, "", "last"},
		{"the list twice", `{"messages":[{"role":"user","content":"not this one"}],"messages":` + around(`{"role":"user","content":"x"}`) + `}`, "", "Find out why it fails."},
		{"a result before its call", around(`{"role":"tool","tool_call_id":"c","content":"r"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`), "", ""},
		{"a call that is its own result", around(`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}},{"type":"tool_result","tool_use_id":"c","content":"r"}]}`), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.code != "" {
				refused(t, c.src, c.code)
				return
			}
			for _, p := range corpusPolicies {
				req := core.Request{Transcript: []byte(c.src), Force: true, Policy: []byte(p.json)}
				res, err := core.Compact(req)
				if err != nil {
					t.Fatalf("%s: %v", p.name, err)
				}
				holds(t, req, res)
				if early := strings.HasPrefix(c.name, "a result before"); early != slices.ContainsFunc(res.Receipt.Defects, func(d core.Defect) bool { return d.Code == "results_called" }) {
					t.Errorf("%s: the result stands before its call: %v, and the defects are %+v", p.name, early, res.Receipt.Defects)
				}
				if !utf8.ValidString(res.Summary) {
					t.Errorf("%s: the summary is no UTF-8: %q", p.name, res.Summary)
				}
			}
			if c.text != "" {
				items, err := core.Items(core.Request{Transcript: []byte(c.src)})
				if err != nil || len(items.Items[0].Parts) != 1 || items.Items[0].Parts[0].Text != c.text || items.Items[0].Role != "user" {
					t.Errorf("%+v (%v), want %q", items.Items[0], err, c.text)
				}
			}
		})
	}
}
