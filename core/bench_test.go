package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// toolLoop is a chat of n rounds of about 1 KB each.
func toolLoop(n int) []byte {
	var b strings.Builder
	b.WriteString(`[{"role":"system","content":"You are careful."},{"role":"user","content":"Make the tests pass."}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"assistant","content":"Round %d.","tool_calls":[{"id":"c%d","type":"function","function":{"name":"bash","arguments":"{\"command\":\"go test ./pkg%d && cat pkg%d/a.go\"}"}}]}`, i, i, i, i)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":"%s\nexit code: %d"}`, i, strings.Repeat(fmt.Sprintf(`ok pkg%d/file_%d.go:%d: value = 0x%x\n`, i, i%7, i*3, i*7919), 20), i%2)
	}
	b.WriteString("]")
	return []byte(b.String())
}

// The yardstick of every other figure: Go's own validation of the same bytes.
func BenchmarkYardstickJSONValid(b *testing.B) {
	src := toolLoop(5000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if !json.Valid(src) {
			b.Fatal("invalid")
		}
	}
}

func BenchmarkPlan(b *testing.B)         { benchmark(b, 5000, "plan") }
func BenchmarkCompact(b *testing.B)      { benchmark(b, 5000, "compact") }
func BenchmarkCompactTenth(b *testing.B) { benchmark(b, 500, "compact") }

func benchmark(b *testing.B, rounds int, op string) {
	b.Helper()
	src := toolLoop(rounds)
	req := core.Request{Transcript: src, Force: true, Policy: []byte(`{"lait":{"trigger_rounds":6}}`)}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if op == "plan" {
			_, err = core.Plan(req)
		} else {
			_, err = core.Compact(req)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
