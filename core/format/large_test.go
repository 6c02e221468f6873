package format

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Sizes at which anything quadratic takes minutes: 10,000 calls at once, and
// 100,000 items.

func parallel(family string, n int) string {
	list := func(format string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	switch family {
	case "openai-chat":
		return `[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[` + list(`{"id":"c%d","function":{"name":"f","arguments":"{}"}}`) + `]},` +
			list(`{"role":"tool","tool_call_id":"c%d","content":"r"}`) + `]`
	case "openai-responses":
		return `[{"role":"user","content":"u"},` + list(`{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`) + `,` +
			list(`{"type":"function_call_output","call_id":"c%d","output":"r"}`) + `]`
	case "anthropic-messages":
		return `[{"role":"user","content":"u"},{"role":"assistant","content":[` + list(`{"type":"tool_use","id":"c%d","name":"f%[1]d","input":{}}`) + `]},` +
			`{"role":"user","content":[` + list(`{"type":"tool_result","tool_use_id":"c%d","content":"r"}`) + `]}]`
	case "codex-rollout":
		var b strings.Builder
		b.WriteString(started)
		for range n {
			b.WriteString(started + user("u") + answer("a") + back1)
		}
		for range n { // each keeps all user messages
			b.WriteString(user("u") + `{"type":"compacted","payload":{"message":"sum"}}` + "\n")
		}
		return b.String()
	}
	return ""
}

func long(family string, n int) string {
	var b strings.Builder
	for i := range n / 2 {
		switch family {
		case "openai-chat":
			fmt.Fprintf(&b, `,{"role":"user","content":"u%d"},{"role":"assistant","content":null,"tool_calls":[{"id":"c"}]}`, i)
		case "openai-responses":
			fmt.Fprintf(&b, `,{"type":"reasoning","id":"r%d"},{"type":"reasoning"}`, i)
		case "anthropic-messages":
			fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"%d"}]},{"role":"assistant","content":[{"type":"tool_use","id":"%[1]d"}]}`, i)
		case "codex-rollout":
			b.WriteString(user("u") + answer("a"))
		}
	}
	if family == "codex-rollout" {
		return b.String()
	}
	return "[" + b.String()[1:] + "]"
}

func TestLarge(t *testing.T) {
	for _, f := range registry() {
		for _, src := range []string{parallel(f.Name, 10_000), long(f.Name, 100_000)} {
			d := mustDecode(t, src, Options{Rewrite: true})
			n := len(d.Items)
			out, err := d.Encode(identity(n)[n/2:])
			if err != nil || len(out) >= len(src) && n > 1 {
				t.Fatalf("%s: %d bytes of %d, %v", f.Name, len(out), len(src), err)
			}
			items := make([]int, n)
			for i := range items {
				items[i] = i
			}
			body, err := d.Body(BodyRequest{Items: items, Prompt: "P"})
			if err != nil || !bytes.Contains(body, []byte(`"P"`)) {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	}
	// Deep nesting, many conversations, a long text of wrappers.
	for _, src := range []string{
		strings.Repeat(`{"a":`, 900) + "[]" + strings.Repeat("}", 900),
		"[" + strings.Repeat(`{"traj":[{"role":"user"}]},`, 50_000) + `{"traj":[]}]`,
		`[{"role":"user","content":[{"type":"tool_result"},{"type":"text","text":"` + strings.Repeat("<system-reminder>", 100_000) + `"}]}]`,
		`[{"role":"user","content":"` + strings.Repeat("<external_a>", 100_000) + `"}]`,
		strings.Repeat("\n", 1_000_000) + "[" + strings.Repeat("[],", 300_000) + "1]",
	} {
		for _, opt := range []Options{{}, {Format: "openai-chat"}} {
			if d, err := Decode([]byte(src), opt); err == nil && len(d.Items) != 1 {
				t.Errorf("%d items in %.40q", len(d.Items), src)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, f := range registry() {
		for _, n := range []int{10_000, 100_000} {
			src := []byte(long(f.Name, n))
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Decode(src, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkBody(b *testing.B) {
	for _, f := range registry() {
		for _, n := range []int{10_000, 100_000} {
			d, err := Decode([]byte(long(f.Name, n)), Options{})
			if err != nil {
				b.Fatal(err)
			}
			var items []int
			for i := range d.Items {
				items = append(items, i)
			}
			b.Run(fmt.Sprintf("%s/%d", f.Name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := d.Body(BodyRequest{Items: items, Prompt: "P"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
