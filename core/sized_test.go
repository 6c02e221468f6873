package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Transcripts of a chosen size for benchmarks and limits. Their texts are of
// our own making and have the make-up of a coding agent's: code, logs, JSON,
// diffs, prose, a Japanese user. Escapes are what matters for speed: a text
// with a line end or a quote must be decoded before it can be counted.

// dice are numbers that are the same on every platform.
type dice uint64

func (d *dice) roll(n int) int {
	*d = *d*6364136223846793005 + 1442695040888963407
	return int(uint64(*d) >> 33 % uint64(n))
}

func (d *dice) word() string {
	words := [...]string{
		"parser", "session", "handler", "config", "buffer", "stream", "retry", "worker", "schema", "index", "cursor", "token",
		"request", "response", "cache", "invoice", "ledger", "migration", "timeout", "payload", "socket", "customer", "order", "region",
	}
	return words[d.roll(len(words))]
}

// code is a listing of Go or Python.
func (d *dice) code(lines int) string {
	var b strings.Builder
	for range lines / 5 {
		a, c, n := d.word(), d.word(), d.roll(4000)
		if d.roll(2) == 0 {
			fmt.Fprintf(&b, "func (%c *%s) %sOf(ctx context.Context, id string) (*%s, error) {\n\tif id == \"\" {\n\t\treturn nil, fmt.Errorf(\"%s: no id, limit %d\")\n\t}\n\treturn %c.%s.load(ctx, id)\n}\n\n",
				a[0], a, c, strings.ToUpper(c[:1])+c[1:], a, n, a[0], c)
		} else {
			fmt.Fprintf(&b, "    def %s_%s(self, key: str, limit: int = %d) -> dict[str, Any]:\n        rows = self.%s.get(key, [])\n        # at most `limit` of them\n        return {\"%s\": rows[:limit], \"total\": len(rows)}\n\n", a, c, n, a, c)
		}
	}
	return b.String()
}

// logs are the lines of a test run or a server.
func (d *dice) logs(lines int) string {
	var b strings.Builder
	for i := range lines {
		switch d.roll(4) {
		case 0:
			fmt.Fprintf(&b, "=== RUN   Test%s%d\n--- PASS: Test%[1]s%[2]d (0.%02ds)\n", d.word(), d.roll(90), d.roll(100))
		case 1:
			fmt.Fprintf(&b, "2026-03-%02dT%02d:%02d:%02d.%03dZ INFO %s/%s.go:%d request_id=%016x status=%d\n", 1+d.roll(28), d.roll(24), i%60, d.roll(60), d.roll(1000), d.word(), d.word(), d.roll(900), d.roll(1<<31)*1e9, 200+d.roll(4)*100)
		case 2:
			fmt.Fprintf(&b, "%s/%s_test.go:%d: got \"%s\", want \"%s\"\n", d.word(), d.word(), d.roll(400), d.word(), d.word())
		default:
			fmt.Fprintf(&b, "ok  \tgithub.com/acme/%s/%s\t%d.%03ds\tcoverage: %d.%d%% of statements\n", d.word(), d.word(), d.roll(9), d.roll(1000), d.roll(100), d.roll(10))
		}
	}
	return b.String()
}

// data is indented JSON, as an API or a tool gives it.
func (d *dice) data(rows int) string {
	var b strings.Builder
	b.WriteString("{\n  \"items\": [\n")
	for i := range rows {
		fmt.Fprintf(&b, "    {\"id\": %d, \"name\": \"%s-%s\", \"active\": %v, \"score\": %d.%d, \"tags\": [\"%s\", \"%s\"]},\n", i*7919, d.word(), d.word(), i%3 > 0, d.roll(100), d.roll(100), d.word(), d.word())
	}
	b.WriteString("    {}\n  ]\n}\n")
	return b.String()
}

func (d *dice) diff(lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s/%s.go\n+++ b/%[1]s/%[2]s.go\n@@ -%d,7 +%[3]d,9 @@\n", d.word(), d.word(), d.roll(500))
	for i := range lines {
		fmt.Fprintf(&b, "%c\t%s := new%s(\"%s\", %d)\n", " -+ "[i%4], d.word(), d.word(), d.word(), d.roll(99))
	}
	return b.String()
}

func (d *dice) prose() string {
	return fmt.Sprintf("The %s fails because the %s is closed before the %s has been read, so I will move the check into the %s and run the tests of that package again.", d.word(), d.word(), d.word(), d.word())
}

func (d *dice) japanese() string {
	return d.word() + "のテストがまだ失敗しています。原因を調べて、設定ファイルの読み込みを修正し、もう一度すべてのテストを実行してください。変更点は日本語で簡潔にまとめてください。"
}

// output is the result of a tool: 3 to 4 KB.
func (d *dice) output() string {
	switch d.roll(5) {
	case 0:
		return d.logs(45)
	case 1:
		return d.data(30)
	case 2:
		return d.diff(80)
	default:
		return d.code(110)
	}
}

// input is the input of a tool: a command, or a file that is written.
func (d *dice) input() (name string, input any) {
	if d.roll(3) == 0 {
		return "write_file", map[string]any{"path": d.word() + "/" + d.word() + ".go", "content": d.code(30)}
	}
	return "bash", map[string]any{"command": "go test ./" + d.word() + "/... 2>&1 | tail -40 && cat " + d.word() + ".go", "timeout": 120}
}

type object = map[string]any

// round is the items of one round of a tool loop, every eighth with what a person
// says before it.
func (d *dice) round(format string, i int) []object {
	id := fmt.Sprintf("call_%08x%d", d.roll(1<<31), i)
	tool, input := d.input()
	arguments, output := compactJSON(input), d.output()
	var items []object
	asked := func(item object) {
		if i%8 == 0 {
			items = append(items, item)
		}
	}
	switch format {
	case "tiny": // what people say to each other: two messages of 150 bytes
		return append(items,
			object{"role": "user", "content": d.prose()[:120]},
			object{"role": "assistant", "content": d.prose()[:118]})
	case "openai-chat":
		asked(object{"role": "user", "content": d.japanese()})
		function := object{"name": tool, "arguments": arguments}
		return append(items,
			object{"role": "assistant", "content": d.prose(), "tool_calls": []object{{"id": id, "type": "function", "function": function}}},
			object{"role": "tool", "tool_call_id": id, "content": output})
	case "anthropic-messages":
		if i > 0 {
			asked(object{"role": "assistant", "content": d.prose()})
		}
		asked(object{"role": "user", "content": []object{{"type": "text", "text": d.japanese()}}})
		return append(items,
			object{"role": "assistant", "content": []object{{"type": "text", "text": d.prose()}, {"type": "tool_use", "id": id, "name": tool, "input": input}}},
			object{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": id, "content": output}}})
	}
	sealed := strings.Repeat("gAAAAABo", 60+d.roll(60))
	asked(object{"type": "message", "role": "user", "content": []object{{"type": "input_text", "text": d.japanese()}}})
	return append(items,
		object{"type": "reasoning", "summary": []object{{"type": "summary_text", "text": d.prose()}}, "encrypted_content": sealed},
		object{"type": "message", "role": "assistant", "content": []object{{"type": "output_text", "text": d.prose()}}},
		object{"type": "function_call", "call_id": id, "name": tool, "arguments": arguments},
		object{"type": "function_call_output", "call_id": id, "output": output})
}

// sized is a transcript of about so many bytes: openai-chat, openai-responses,
// anthropic-messages, or codex-rollout, whose items are those of Responses; tiny is
// openai-chat of short messages.
func sized(format string, size int) []byte {
	d, between, end := dice(1), ",", "]"
	var b strings.Builder
	if format == "codex-rollout" {
		between, end = "\n", "\n"
		b.WriteString(`{"timestamp":"2026-03-01T10:00:00.000Z","type":"session_meta","payload":{"id":"0","cwd":"/home/dev"}}` + "\n")
	} else {
		b.WriteString("[")
	}
	for i := 0; b.Len() < size; i++ {
		for j, item := range d.round(format, i) {
			if i+j > 0 {
				b.WriteString(between)
			}
			if format == "codex-rollout" {
				item = object{"timestamp": "2026-03-01T10:00:00.000Z", "type": "response_item", "payload": item}
			}
			b.WriteString(compactJSON(item))
		}
	}
	return []byte(b.String() + end)
}

// compactJSON is JSON as every client but Go's writes it: with <, > and & as they are.
func compactJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts, numbers and maps of them
	}
	return strings.TrimSuffix(b.String(), "\n")
}
