package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// sampleLines are some whole lines of formats that stand on lines.
func sampleLines() map[string][]string {
	return map[string][]string{
		"openai-chat":      {fencedA, fencedB, `{"role":"user","content":"c"}`},
		"openai-responses": {`{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}`, `{"type":"function_call","call_id":"c","name":"x","arguments":"{}"}`, `{"type":"function_call_output","call_id":"c","output":"r"}`},
		"codex-rollout": {
			`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}`,
			`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}`,
			`{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}`,
		},
		"claude-code": {
			`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}}`,
			`{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"ok"}]}}`,
		},
		"pi": {
			`{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}`,
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"go","timestamp":1}}`,
		},
		"codex-exec": strings.Split(strings.TrimSpace(execRun), "\n"),
	}
}

// Of lines that are mostly broken a repair reads the rest. Without one the first
// broken line is named, and what a repair does.
func TestMostlyBrokenLines(t *testing.T) {
	bad := strings.Repeat("{bad\n{\"a\":\noops\nWarning: disk full\n", 4)
	for name, lines := range sampleLines() {
		good := strings.Join(lines, "\n") + "\n"
		want := len(mustDecode(t, good, Options{}).Items)
		for place, src := range map[string]string{"behind": good + bad, "before": bad + good, "text first": "oops\n" + bad + good} {
			d, err := Decode([]byte(src), Options{Repair: true})
			if err != nil || d.Format != name || len(d.Items) != want || len(d.Aside) != strings.Count(src, "\n")-len(lines) {
				t.Errorf("%s, broken lines %s: %v, %+v", name, place, err, d)
			}
			line := 1
			if place == "behind" {
				line += len(lines)
			}
			_, err = Decode([]byte(src), Options{})
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d, column ", line)) || !strings.Contains(err.Error(), "repair: true keeps such lines aside") {
				t.Errorf("%s, broken lines %s: %v", name, place, err)
			}
		}
	}
	// A list that is written on lines, with a comma that is missing, is none of JSON
	// Lines; and what people quote is no log of its own.
	for _, src := range []string{
		"[\n" + fencedA + ",\n" + fencedB + ",\n" + fencedA + ",\n" + fencedA + "\n" + fencedB + "\n]\n",
		"{\n\"messages\":[\n" + fencedA + "\n" + fencedB + "\n]\n}\nx\n",
	} {
		if d, err := Decode([]byte(src), Options{Repair: true}); err == nil {
			t.Errorf("%s is read as %s", src, d.Format)
		} else if strings.Contains(err.Error(), "aside") {
			t.Errorf("%v", err)
		}
	}
	talk := "User: what is this?\n" + fencedA + "\n" + fencedB + "\nx\ny\nAssistant: a log\nUser: ok\n"
	if d := mustDecode(t, talk, Options{Repair: true}); d.Format != "plain-text" || len(d.Items) != 3 {
		t.Errorf("%d items of %s", len(d.Items), d.Format)
	}
}

// A line of JSON that is no object is as broken as one that is no JSON.
func TestLinesWithoutAnObject(t *testing.T) {
	for name, lines := range sampleLines() {
		whole := mustDecode(t, strings.Join(lines, "\n")+"\n", Options{})
		for _, bad := range []string{"42", ` "x"`, "null", "[1]", "true"} {
			for at := range len(lines) + 1 {
				src := strings.Join(append(append(append([]string(nil), lines[:at]...), bad), lines[at:]...), "\n") + "\n"
				d := mustDecode(t, src, Options{Repair: true})
				if d.Format != name || len(d.Items) != len(whole.Items) || len(d.Aside) != 1 || d.Aside[0].Line != at+1 || string(d.Aside[0].Raw) != bad {
					t.Errorf("%s, %s in line %d: %d items of %s, aside %+v", name, bad, at+1, len(d.Items), d.Format, d.Aside)
				}
				d, err := Decode([]byte(src), Options{})
				if whole.Verdict.Shape == shapeLog {
					if err != nil || len(d.Aside) != 1 {
						t.Errorf("%s, %s in line %d: %v", name, bad, at+1, err)
					}
					continue
				}
				if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d, column ", at+1)) || !strings.Contains(err.Error(), "an object is wanted (repair: true") {
					t.Errorf("%s, %s in line %d: %v", name, bad, at+1, err)
				}
			}
		}
	}
	// Lists of messages are conversations.
	two := "[" + fencedA + "," + fencedB + "]\n" + `{"messages":[` + fencedA + "]}\n"
	if d := mustDecode(t, two, Options{Conversation: "/0"}); len(d.Items) != 2 || d.Items[1].Role != transcript.Assistant {
		t.Errorf("%+v", d.Items)
	}
}
