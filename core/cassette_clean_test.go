package core_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// secretive is a Responses request with credentials wherever one can stand, each
// with a number of its own behind the word: LEAK1, LEAK2, ... A schema that only
// names one has none.
func secretive(word string) string {
	long := strings.Repeat("The build log lists every package with its version. ", 40)
	return strings.ReplaceAll(`{"model":"gpt-5","api_key":"LEAK1","instructions":"Be careful.","extra_headers":{"X-Org":"LEAK2"},"extra_body":{"api_key":"LEAK14"},
		"tools":[{"type":"mcp","server_label":"files","server_url":"https://me:LEAK3@files.example/mcp?region=eu&api_key=LEAK4&v=2#access_token=LEAK5","authorization":"LEAK6","headers":{"Authorization":"Bearer LEAK7","X-Trace":"LEAK8"}},
			{"type":"mcp","server_label":"run","env":{"HUB_TOKEN":"LEAK9"},"connect":["Bearer LEAK10"],"client":{"client_secret":"LEAK11","X-Goog-Api-Key":"LEAK12","cookies":["LEAK13"]}},
			{"type":"function","name":"login","parameters":{"type":"object","properties":{"password":{"type":"string","description":"kept words"}}}}],
		"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Make it pass."}]},
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+long+`"}]},
			{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on, see https://docs.example/max_tokens?page=2 first."}]}]}`, "LEAK", word)
}

// A cassette holds no credential, whatever is asked for and wherever the caller's
// request has one, and replays for a caller with another key.
func TestCassetteHoldsNoCredential(t *testing.T) {
	answer := core.Answer{Text: "The log was read, nothing is broken."}
	opaque := core.Answer{Output: json.RawMessage(`[{"type":"compaction","encrypted_content":"RU5D"}]`)}
	leak := regexp.MustCompile(`LEAK[0-9]+`)
	tools := 0
	for _, c := range []struct {
		name, policy string
		answer       core.Answer
	}{
		{"local", `{"codex":{}}`, answer},
		{"tools sent", `{"preset":"balanced","keep":{"last_tokens":5},"summary":{"send_tools":"always"}}`, answer},
		{"remote", `{"codex":{"implementation":"remote"}}`, core.Answer{Text: "RU5D"}},
		{"remote_v1", `{"codex":{"implementation":"remote_v1"}}`, opaque},
	} {
		req := core.Request{
			Transcript: []byte(secretive("LEAK")), Policy: json.RawMessage(c.policy), Force: true,
			Answers: []core.Answer{c.answer}, Record: true,
		}
		first, err := core.Compact(req)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		raw, err := json.Marshal(first.Cassette)
		if err != nil {
			t.Fatal(err)
		}
		if found := leak.FindAllString(string(raw), -1); len(found) > 0 || len(first.Cassette) != 1 {
			t.Errorf("%s: %d recordings hold %v", c.name, len(first.Cassette), found)
		}
		if strings.Contains(string(raw), `"server_label"`) {
			tools++
			for _, want := range []string{"https://[redacted]@files.example/mcp?region=eu&api_key=[redacted]&v=2#access_token=[redacted]", "kept words", "page=2"} {
				plain := strings.ReplaceAll(string(raw), `\u0026`, "&")
				if !strings.Contains(plain, want) {
					t.Errorf("%s: %q is not in %s", c.name, want, plain)
				}
			}
		}
		again := req
		again.Transcript, again.Answers, again.Record = []byte(secretive("OTHER")), nil, false
		again.Cassette = first.Cassette
		second, err := core.Compact(again)
		if err != nil {
			t.Errorf("%s, replayed: %v", c.name, err)
			continue
		}
		if second.Summary != first.Summary || second.Summary == "" {
			t.Errorf("%s: replayed %q, recorded %q", c.name, second.Summary, first.Summary)
		}
	}
	if tools < 3 {
		t.Errorf("the tools stood in %d requests: the test shows nothing", tools)
	}
}
