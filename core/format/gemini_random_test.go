package format

import (
	"math/rand"
	"strings"
	"testing"
)

// Conversations out of parts drawn at random, in each shape of these formats: what
// holds of every source must hold of them. The seed is fixed.

func geminiPieces(r *rand.Rand) []string {
	model := []string{
		`{"text":"t"}`, `{"text":"h","thought":true,"thoughtSignature":"QQ=="}`, `{"functionCall":{"name":"ID","args":{}}}`, `{"functionCall":{"name":"ID"},"thoughtSignature":"QQ=="}`,
		`{"function_call":{"id":"ID","name":"f","args":{"a":1}}}`, `{"executableCode":{"code":"c"}}`, `{"codeExecutionResult":{"output":"o"}}`, `{"text":null}`, `{"novelty":1}`, `{"text":"","thought_signature":"QQ=="}`,
	}
	user := []string{
		`{"text":"t"}`, `{"text":" "}`, `{"functionResponse":{"name":"ID","response":{"output":"r"}}}`, `{"functionResponse":{"name":"ID","response":{"error":"r"},"parts":[{"inlineData":{"mimeType":"image/png","data":"QUI="}}]}}`,
		`{"function_response":{"id":"ID","name":"f","response":{"a":1,"b":2}}}`, `{"inlineData":{"mimeType":"image/png","data":"QUI="}}`,
	}
	list := func(parts []string) string { return "[" + strings.Join(randomList(r, parts, 4), ",") + "]" }
	return []string{
		`{"role":"user","parts":` + list(user) + `}`, `{"parts":` + list(user) + `}`, `{"role":"user","parts":[{"text":"u"}]}`,
		`{"role":"model","parts":` + list(model) + `}`, `{"role":"model","parts":` + list(model) + `}`, `{"role":"function","parts":` + list(user) + `}`, `{"role":"system","parts":[{"text":"s"}]}`,
	}
}

func adkPieces(r *rand.Rand) []string {
	var all []string
	for n, content := range geminiPieces(r) {
		at := string(rune('1' + n))
		all = append(all, `{"id":"ID","author":"`+[]string{"user", "agent"}[n%2]+`","invocation_id":"iID","timestamp":`+at+`,"content":`+content+`}`)
	}
	return append(all, `{"author":"agent","invocation_id":"iID","timestamp":2,"actions":{}}`, `{"author":"user","invocation_id":"iID","timestamp":9,"actions":{"rewind_before_invocation_id":"iID2"}}`,
		`{"author":"user","invocation_id":"i9","timestamp":8,"actions":{"compaction":{"start_timestamp":3,"end_timestamp":5,"compacted_content":{"role":"model","parts":[{"text":"sum"}]}}}}`,
		`{"author":"agent","invocation_id":"iID","partial":true,"content":{"parts":[{"text":"p"}],"role":"model"}}`, `{"author":"agent","invocation_id":"iID","long_running_tool_ids":["ID"],"content":{"role":"model","parts":[{"function_call":{"id":"ID","name":"f"}}]}}`)
}

func casePieces() []string {
	return []string{
		`{"invocation_id":"ID","user_content":{"parts":[{"text":"u"}],"role":"user"},"final_response":{"parts":[{"text":"a"}],"role":"model"},"intermediate_data":{"tool_uses":[{"name":"f","args":{}}],"tool_responses":[{"name":"f","response":{"output":"r"}}]}}`,
		`{"invocation_id":"ID","user_content":{"parts":[{"text":"u"}]},"final_response":null,"intermediate_data":{"tool_uses":[]}}`, `{"invocation_id":"ID","final_response":{"parts":[{"text":"a"}],"role":"model"}}`,
		`{"invocation_id":"ID","user_content":{"parts":[{"text":"u"}]},"intermediate_data":{"invocation_events":[{"author":"x","content":{"parts":[{"function_call":{"name":"ID"}}],"role":"model"}},{"author":"x"},{"author":"x","content":{"parts":[{"function_response":{"name":"ID","response":{}}}],"role":"user"}}]}}`,
		`{"invocation_id":"ID"}`,
	}
}

func bedrockPieces(r *rand.Rand) []string {
	model := []string{
		`{"text":"t"}`, `{"reasoningContent":{"reasoningText":{"text":"h","signature":"s"}}}`, `{"toolUse":{"toolUseId":"ID","name":"f","input":{}}}`, `{"toolUse":{"toolUseId":"ID","name":"g","input":{}}}`, `{"cachePoint":{}}`,
	}
	user := []string{
		`{"text":"t"}`, `{"text":""}`, `{"toolResult":{"toolUseId":"ID","content":[{"text":"r"},{"image":{"format":"png","source":{"bytes":"QUI="}}}]}}`, `{"toolResult":{"toolUseId":"ID","content":[{"json":1}],"status":"error"}}`,
		`{"cachePoint":{}}`, `{"image":{"source":{"bytes":"QUI="}}}`, `{"guardContent":{"text":{"text":"g"}}}`,
	}
	list := func(parts []string) string { return "[" + strings.Join(randomList(r, parts, 4), ",") + "]" }
	return []string{
		`{"role":"user","content":` + list(user) + `}`, `{"role":"user","content":` + list(user) + `}`, `{"role":"assistant","content":` + list(model) + `}`,
		`{"role":"assistant","content":` + list(model) + `}`, `{"role":"user","content":[{"text":"u"}]}`, `{"role":"user"}`,
	}
}

func cliPieces() []string {
	return []string{
		`{"id":"mID","timestamp":"T","type":"user","content":"u"}`, `{"id":"mID2","timestamp":"T","type":"user","content":[{"text":"u"},"v",{"inlineData":{"mimeType":"image/png","data":"QUI="}}]}`,
		`{"id":"nID","type":"gemini","content":"a","thoughts":[{"description":"d"}],"toolCalls":[{"id":"cID","name":"f","args":{},"result":"r","status":"error"},{"id":"dID","name":"f","args":{},"status":"scheduled"}]}`,
		`{"id":"nID2","type":"gemini","content":"","toolCalls":[{"id":"cID","name":"f","args":{},"result":[{"functionResponse":{"id":"cID","name":"f","response":{"output":"r"}}},{"inlineData":{"mimeType":"image/png","data":"QUI="}}]}]}`,
		`{"id":"nID","type":"gemini","content":[{"functionCall":{"id":"cID","name":"f","args":{}},"thoughtSignature":"s"}],"toolCalls":[{"id":"cID","name":"f","args":{},"result":[{"functionResponse":{"id":"cID","response":{"a":1}}}]}],"model":"m"}`,
		`{"id":"iID","type":"info","content":"i"}`, `{"id":"mID","type":"user","content":"/help"}`, `{"id":"uID","type":"user","content":[{"functionResponse":{"id":"cID","response":{}}}]}`,
	}
}

func cliLogPieces() []string {
	return append(cliPieces(), `{"sessionId":"s","projectHash":"h"}`, `{"$set":{"lastUpdated":"T"}}`, `{"$rewindTo":"mID"}`,
		`{"$set":{"messages":[{"id":"mID","type":"user","content":"k"},{"id":"iID","type":"info","content":"i"},{"id":"nID","type":"gemini","content":"a"}]}}`, `{"broken`)
}

func TestRandomGemini(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 80
	}
	r := rand.New(rand.NewSource(1))
	read := map[string]int{}
	for range rounds {
		for _, c := range []struct{ name, format, before, between, after string }{
			{"contents", "gemini-contents", `{"contents":[`, ", ", `]}`},
			{"events", "gemini-contents", `{"events": [`, ",\n ", "]}\n"},
			{"cases", "gemini-contents", `[{"conversation": [ `, " , ", "]}]"},
			{"converse", "bedrock-converse", "[\n  ", ",\n  ", "\n]"},
			{"session", "gemini-cli", `{"projectHash":"h","messages":[`, ",", "]}"},
			{"log", "gemini-cli", "", "\n", "\n"},
		} {
			var pieces []string
			switch c.name {
			case "contents":
				pieces = geminiPieces(r)
			case "events":
				pieces = adkPieces(r)
			case "cases":
				pieces = casePieces()
			case "converse":
				pieces = bedrockPieces(r)
			case "session":
				pieces = cliPieces()
			case "log":
				pieces = cliLogPieces()
			}
			src := []byte(c.before + strings.Join(randomList(r, pieces, 9), c.between) + c.after)
			holds(t, src, Options{})
			d := holds(t, src, Options{Format: c.format})
			if d == nil || len(d.Items) == 0 {
				continue
			}
			read[c.name]++
			for i := range d.Items {
				checkWriter(t, d, &d.Items[i])
				checkEdits(t, d, &d.Items[i])
			}
		}
	}
	for _, name := range []string{"contents", "events", "cases", "converse", "session", "log"} {
		if read[name] < rounds/2 {
			t.Errorf("%s: %d conversations with items were read, of %d", name, read[name], rounds)
		}
	}
}
