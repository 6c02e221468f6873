package summary

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// talk builds a transcript by hand.
type talk struct {
	transcript.Transcript
	calls int
}

func (k *talk) item(role transcript.Role, parts ...transcript.Part) *talk {
	k.Items = append(k.Items, transcript.Item{Role: role, Parts: parts})
	return k
}

func (k *talk) user(text string) *talk {
	return k.item(transcript.User, transcript.Part{Kind: transcript.Text, Text: text})
}

func (k *talk) say(text string) *talk {
	return k.item(transcript.Assistant, transcript.Part{Kind: transcript.Text, Text: text})
}

// call is a tool call with its result; input is raw text or a value that
// becomes JSON.
func (k *talk) call(name string, input any, result string) *talk {
	return k.answered(name, input, transcript.Part{Kind: transcript.Result, Text: result})
}

func (k *talk) failing(name string, input any, result string) *talk {
	return k.answered(name, input, transcript.Part{Kind: transcript.Result, Text: result, Failed: true})
}

func (k *talk) answered(name string, input any, result transcript.Part) *talk {
	k.calls++
	id := "call_" + strconv.Itoa(k.calls)
	text, ok := input.(string)
	if !ok {
		b, err := json.Marshal(input)
		if err != nil {
			panic(err) // a fixture that is no JSON
		}
		text = string(b)
	}
	result.ID = id
	k.item(transcript.Assistant, transcript.Part{Kind: transcript.Call, ID: id, Name: name, Text: text})
	return k.item(transcript.Tool, result)
}

// bash is a shell call whose result is written as a harness writes it.
func (k *talk) bash(command string, code int, output string) *talk {
	return k.call("bash", args{"command": command}, "<returncode>"+strconv.Itoa(code)+"</returncode>\n<output>\n"+output+"\n</output>")
}

type args map[string]any

func (k *talk) all() []int {
	out := make([]int, len(k.Items))
	for i := range out {
		out[i] = i
	}
	return out
}

// digest makes the digest of everything and checks its promises.
func (k *talk) digest(t *testing.T, budget int, earlier ...string) string {
	t.Helper()
	return k.digestOf(t, k.all(), budget, earlier...)
}

func (k *talk) digestOf(t *testing.T, folded []int, budget int, earlier ...string) string {
	t.Helper()
	text := Digest(&k.Transcript, folded, DigestOptions{Counter: quarter{}, Budget: budget, Earlier: earlier})
	for _, breach := range CheckDigest(&k.Transcript, folded, earlier, text, quarter{}, budget, nil) {
		t.Error(breach)
	}
	if t.Failed() {
		t.Log(text)
	}
	return text
}

// block is the quotes, or the list, under a label of a digest.
func block(text string, sec section, l label) []string {
	d := parseDigest(text)
	var out []string
	for _, b := range d.blocks {
		if b.sec != sec || b.label != l {
			continue
		}
		if sec == secFiles {
			out = append(out, b.values...)
		}
		out = append(out, b.quotes...)
	}
	return out
}

// outcomes is what a digest says of each command.
func outcomes(text string) map[string]string {
	d := parseDigest(text)
	out := map[string]string{}
	for _, b := range d.blocks {
		if b.label != labOutcome {
			continue
		}
		for i, q := range b.quotes {
			if b.sec == secRuns || i == 0 {
				out[q] = d.words.outcome(b.out)
			}
		}
	}
	return out
}
