package core_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// element is an element of a transcript on its way to be broken.
type element = map[string]any

// dialect is how a format writes what conversations are made of here.
type dialect struct {
	format string
	parts  string // member that holds the parts of a message
	user   func(text string) element
	said   func(text string) element
	calls  func(ids []string) []element // one answer with these calls
	gave   func(ids []string) []element // what the tools said to them, in this order
}

func textOnly(role, text string) element { return element{"role": role, "content": text} }

func eachOf(ids []string, one func(id string) element) []any {
	var out []any
	for _, id := range ids {
		out = append(out, one(id))
	}
	return out
}

func objects(list []any) []element {
	var out []element
	for _, o := range list {
		out = append(out, o.(element))
	}
	return out
}

func blocks(role, member string, parts ...any) element { return element{"role": role, member: parts} }

func dialects() []dialect {
	text := func(t string) element { return element{"type": "text", "text": t} }
	bare := func(t string) element { return element{"text": t} }
	gemini := func(withID bool) dialect {
		named := func(id string, o element) element {
			if withID {
				o["id"] = id
			}
			return o
		}
		tool := func(id string) string { // of two tools, which every answer may call
			if strings.HasSuffix(id, "3") || strings.HasSuffix(id, "6") || strings.HasSuffix(id, "9") {
				return "g"
			}
			return "f"
		}
		return dialect{
			format: "gemini-contents", parts: "parts",
			user: func(t string) element { return blocks("user", "parts", bare(t)) },
			said: func(t string) element { return blocks("model", "parts", bare(t)) },
			calls: func(ids []string) []element {
				return []element{blocks("model", "parts", eachOf(ids, func(id string) element {
					return element{"functionCall": named(id, element{"name": tool(id), "args": element{}})}
				})...)}
			},
			gave: func(ids []string) []element {
				return []element{blocks("user", "parts", eachOf(ids, func(id string) element {
					return element{"functionResponse": named(id, element{"name": tool(id), "response": element{"output": "r" + id}})}
				})...)}
			},
		}
	}
	return []dialect{
		{
			format: "openai-chat", parts: "tool_calls",
			user: func(t string) element { return textOnly("user", t) },
			said: func(t string) element { return textOnly("assistant", t) },
			calls: func(ids []string) []element {
				return []element{{"role": "assistant", "content": "so", "tool_calls": eachOf(ids, func(id string) element {
					return element{"id": id, "type": "function", "function": element{"name": "f", "arguments": "{}"}}
				})}}
			},
			gave: func(ids []string) []element {
				return objects(eachOf(ids, func(id string) element { return element{"role": "tool", "tool_call_id": id, "content": "r" + id} }))
			},
		},
		{
			format: "anthropic-messages", parts: "content",
			user: func(t string) element { return blocks("user", "content", text(t)) },
			said: func(t string) element { return textOnly("assistant", t) },
			calls: func(ids []string) []element {
				return []element{blocks("assistant", "content", eachOf(ids, func(id string) element {
					return element{"type": "tool_use", "id": id, "name": "f", "input": element{}}
				})...)}
			},
			gave: func(ids []string) []element {
				return []element{blocks("user", "content", eachOf(ids, func(id string) element {
					return element{"type": "tool_result", "tool_use_id": id, "content": "r" + id}
				})...)}
			},
		},
		{
			format: "bedrock-converse", parts: "content",
			user: func(t string) element { return blocks("user", "content", bare(t)) },
			said: func(t string) element { return blocks("assistant", "content", bare(t)) },
			calls: func(ids []string) []element {
				return []element{blocks("assistant", "content", eachOf(ids, func(id string) element {
					return element{"toolUse": element{"toolUseId": id, "name": "f", "input": element{}}}
				})...)}
			},
			gave: func(ids []string) []element {
				return []element{blocks("user", "content", eachOf(ids, func(id string) element {
					return element{"toolResult": element{"toolUseId": id, "content": []any{bare("r" + id)}}}
				})...)}
			},
		},
		gemini(false), gemini(true),
		{
			format: "openai-responses", parts: "content",
			user: func(t string) element { return textOnly("user", t) },
			said: func(t string) element { return element{"type": "message", "role": "assistant", "content": t} },
			calls: func(ids []string) []element {
				return append([]element{{"type": "reasoning", "id": "rs_" + ids[0], "summary": []any{}}}, objects(eachOf(ids, func(id string) element {
					return element{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": "f", "arguments": "{}"}
				}))...)
			},
			gave: func(ids []string) []element {
				return objects(eachOf(ids, func(id string) element {
					return element{"type": "function_call_output", "call_id": id, "output": "r" + id}
				}))
			},
		},
		{
			format: "ai-sdk-model", parts: "content",
			user: func(t string) element { return blocks("user", "content", text(t)) },
			said: func(t string) element { return textOnly("assistant", t) },
			calls: func(ids []string) []element {
				return []element{blocks("assistant", "content", eachOf(ids, func(id string) element {
					return element{"type": "tool-call", "toolCallId": id, "toolName": "f", "input": element{}}
				})...)}
			},
			gave: func(ids []string) []element {
				return []element{blocks("tool", "content", eachOf(ids, func(id string) element {
					return element{"type": "tool-result", "toolCallId": id, "toolName": "f", "output": element{"type": "text", "value": "r" + id}}
				})...)}
			},
		},
		{
			format: "langchain", parts: "tool_calls",
			user: func(t string) element { return element{"type": "human", "content": t} },
			said: func(t string) element { return element{"type": "ai", "content": t} },
			calls: func(ids []string) []element {
				return []element{{"type": "ai", "content": "so", "tool_calls": eachOf(ids, func(id string) element {
					return element{"id": id, "name": "f", "args": element{}, "type": "tool_call"}
				})}}
			},
			gave: func(ids []string) []element {
				return objects(eachOf(ids, func(id string) element { return element{"type": "tool", "tool_call_id": id, "content": "r" + id} }))
			},
		},
	}
}

// sound is a conversation that its provider takes.
func (d *dialect) sound(rng *rand.Rand) []element {
	var list []element
	n := 0
	next := func() string { n++; return fmt.Sprintf("c%d", n) }
	for range 1 + rng.IntN(3) {
		list = append(list, d.user("u"+next()))
		for range rng.IntN(4) {
			ids := make([]string, 1+rng.IntN(3))
			for k := range ids {
				ids[k] = next()
			}
			list = append(list, d.calls(ids)...)
			if d.format != "gemini-contents" { // whose results stand in the order of the calls
				rng.Shuffle(len(ids), func(a, b int) { ids[a], ids[b] = ids[b], ids[a] })
			}
			list = append(list, d.gave(ids)...)
		}
		list = append(list, d.said("a"+next()))
	}
	return append(list, d.user("u"+next()))
}

// broken is a list with one thing changed that somebody's program did not mean:
// an element or a part of one dropped, doubled, moved, or an id that is another's.
func (d *dialect) broken(rng *rand.Rand, list []element) []element {
	i, k := rng.IntN(len(list)), rng.IntN(len(list))
	parts, _ := list[i][d.parts].([]any)
	switch what := rng.IntN(8); {
	case what == 0:
		return append(list[:i:i], list[i+1:]...)
	case what == 1:
		list[i], list[k] = list[k], list[i]
	case what == 2: // the copy stands behind the element, or anywhere
		if rng.IntN(2) == 0 {
			k = i
		}
		return append(list[:k+1:k+1], append([]element{clone(list[i])}, list[k+1:]...)...)
	case what == 3:
		return list[i:]
	case what == 4:
		return list[:i+1]
	case what == 5 && len(parts) > 0:
		at := rng.IntN(len(parts))
		list[i][d.parts] = append(parts[:at:at], parts[at+1:]...)
		if d.parts == "tool_calls" && len(parts) == 1 {
			delete(list[i], d.parts) // an empty list of calls is none
		}
	case what == 6 && len(parts) > 0:
		from, _ := list[k][d.parts].([]any)
		if len(from) == 0 || list[k]["role"] != list[i]["role"] {
			from = parts
		}
		list[i][d.parts] = append(parts[:len(parts):len(parts)], clone(element{"p": from[rng.IntN(len(from))]})["p"])
	case what == 7:
		rename(list[i], fmt.Sprintf("c%d", 1+rng.IntN(12)))
	}
	return list
}

func clone(o element) element {
	raw, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	var out element
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// rename gives the first call or result within v another id.
func rename(v any, id string) bool {
	switch v := v.(type) {
	case element:
		for _, key := range []string{"call_id", "tool_call_id", "tool_use_id", "toolUseId", "toolCallId", "id"} {
			if _, ok := v[key].(string); ok && (key != "id" || v["type"] != "reasoning") {
				v[key] = id
				return true
			}
		}
		for _, key := range []string{"content", "parts", "tool_calls", "toolUse", "toolResult", "functionCall", "functionResponse"} {
			if rename(v[key], id) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if rename(e, id) {
				return true
			}
		}
	}
	return false
}

// What a repair leaves is whole, by our own rules and by those of inOrder, which
// know nothing of them, and a second repair finds nothing to do.
func TestRepairRandom(t *testing.T) {
	for n, d := range dialects() {
		t.Run(fmt.Sprintf("%s %d", d.format, n), func(t *testing.T) {
			mended := 0
			for seed := range uint64(1000) {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				list := d.sound(rng)
				if wrong := inOrder(d.format, list); wrong != "" {
					t.Fatalf("seed %d: the oracle says of what is sound: %s", seed, wrong)
				}
				for range rng.IntN(4) {
					if len(list) > 0 {
						list = d.broken(rng, list)
					}
				}
				if len(list) > 0 && d.mended(t, seed, list) {
					mended++
				}
			}
			if mended < 300 {
				t.Errorf("only %d of 1000 were broken", mended)
			}
		})
	}
}

// mended repairs a list, twice. False is one that nothing was wrong with.
func (d *dialect) mended(t *testing.T, seed uint64, list []element) bool {
	t.Helper()
	src, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	res, err := core.Compact(core.Request{Transcript: src, Format: d.format, Repair: true})
	if err != nil {
		t.Fatalf("seed %d: %v in\n%s", seed, err, src)
	}
	told := fmt.Sprintf("seed %d:\n%s\n%s\n%+v", seed, src, res.Transcript, res.Repaired)
	if len(res.Receipt.Defects) > 0 {
		t.Errorf("left: %+v, %s", res.Receipt.Defects, told)
	}
	var out []element
	if err := json.Unmarshal(res.Transcript, &out); err != nil {
		t.Fatal(err)
	}
	if wrong := inOrder(d.format, out); wrong != "" {
		t.Errorf("%s, %s", wrong, told)
	}
	again, err := core.Compact(core.Request{Transcript: res.Transcript, Format: d.format, Repair: true})
	if err != nil {
		t.Fatalf("%v, %s", err, told)
	}
	if len(again.Repaired) > 0 || string(again.Transcript) != string(res.Transcript) {
		t.Errorf("a second repair does %+v, %s", again.Repaired, told)
	}
	return len(res.Repaired) > 0
}
