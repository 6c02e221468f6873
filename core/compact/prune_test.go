package compact

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// editor is a writer that can change every part but those named "fixed"; with a
// part named "silent" nobody speaks in the item any more. It wants its edits in
// order, as the interface says.
type editor struct{ plain }

func (editor) WithParts(it *transcript.Item, edits []transcript.Edit) (transcript.Item, bool) {
	out := *it
	out.Parts = append([]transcript.Part(nil), it.Parts...)
	gone := map[int]bool{}
	for n, e := range edits {
		p := &out.Parts[e.Part]
		out.Fragment = out.Fragment || p.Name == "silent"
		switch {
		case p.Name == "fixed", n > 0 && edits[n-1].Part >= e.Part:
			return *it, false
		case e.Drop:
			gone[e.Part] = true
		case p.Kind == transcript.Call || p.Kind == transcript.Result:
			for j := e.Part + 1; p.Kind == transcript.Result && j < len(it.Parts) && within(&it.Parts[j], &it.Parts[e.Part]); j++ {
				gone[j] = true
			}
			p.Text = e.Text
		default:
			*p = transcript.Part{Kind: transcript.Text, Text: e.Text}
		}
	}
	parts := out.Parts
	out.Parts = nil
	for j, p := range parts {
		if !gone[j] {
			out.Parts = append(out.Parts, p)
		}
	}
	out.Raw = fmt.Append(nil, "edited", out.Parts)
	return out, len(out.Parts) > 0
}

// The items of the tests. What a tool gave is 100 letters, so 100 tokens; its
// placeholder has 32 (with the name "read").
func out(n int) string { return strings.Repeat("o", n) }

func msg(role transcript.Role, parts ...transcript.Part) transcript.Item {
	return transcript.Item{Role: role, Raw: fmt.Append(nil, parts), Parts: parts}
}

func call(id string) transcript.Part {
	return transcript.Part{Kind: transcript.Call, ID: id, Name: "read", Text: `{"path":"` + strings.Repeat("p", 60) + `"}`}
}

func res(id string, n int) transcript.Part {
	return transcript.Part{Kind: transcript.Result, ID: id, Text: out(n)}
}

func thought(signed bool) transcript.Part {
	return transcript.Part{Kind: transcript.Thinking, Text: out(50), Signed: signed}
}

func word(s string) transcript.Part { return transcript.Part{Kind: transcript.Text, Text: s} }

func image() transcript.Part { return transcript.Part{Kind: transcript.Image, Bytes: 4000} }

// loop is a user message and so many calls with their results of 100 tokens, and
// an answer: user 0, call 1, result 2, call 3, result 4, ...
func loop(n int) []transcript.Item {
	items := []transcript.Item{msg(user, word("go"))}
	for i := range n {
		id := fmt.Sprint("c", i)
		items = append(items, msg(assistant, call(id)), msg(transcript.Tool, res(id, 100)))
	}
	return append(items, msg(assistant, word("done")))
}

func planPrune(family transcript.Family, provider string, keep policy.Keep, tools policy.Tools, items ...transcript.Item) *Plan {
	tr := &transcript.Transcript{Family: family, Writer: editor{}, Items: items, Rules: transcript.Rules{Provider: provider}}
	p := &policy.Policy{Keep: keep, Tools: &tools, Summary: policy.Summary{Role: "user", Place: "after_instructions"}}
	return NewPlan(tr, p, letters{}, tokens.Measure(tr, letters{}), "")
}

// clearedBy is what a plan clears: "2 result_cleared 4 result_cleared".
func clearedBy(p *Plan) string {
	var b strings.Builder
	for i, f := range p.Items {
		if f.Fate == Cleared {
			fmt.Fprintf(&b, " %d %s", i, f.Reason)
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

func with(items []transcript.Item, change func([]transcript.Item)) []transcript.Item {
	change(items)
	return items
}

func TestPrune(t *testing.T) {
	const chat, responses, messages = transcript.Chat, transcript.Responses, transcript.Messages
	// A result of 100 and its placeholder of 32: 68 each.
	for _, c := range []struct {
		name  string
		tools policy.Tools
		items []transcript.Item
		want  string
	}{
		{"all that was answered", policy.Tools{}, loop(3), "2 result_cleared 4 result_cleared 6 result_cleared"},
		{"the newest stay", policy.Tools{KeepLast: 2}, loop(3), "2 result_cleared"},
		{"all are among the newest", policy.Tools{KeepLast: 3}, loop(3), ""},
		{"no results", policy.Tools{}, loop(0), ""},

		{"protected up to exactly as many", policy.Tools{ProtectTokens: 200}, loop(3), "2 result_cleared"},
		{"one less is one result less", policy.Tools{ProtectTokens: 199}, loop(3), "2 result_cleared 4 result_cleared"},
		{"the further of both protects", policy.Tools{KeepLast: 1, ProtectTokens: 200}, loop(3), "2 result_cleared"},
		{"or the other way", policy.Tools{KeepLast: 2, ProtectTokens: 100}, loop(3), "2 result_cleared"},

		{"worth exactly the minimum", policy.Tools{MinGain: 3 * 68}, loop(3), "2 result_cleared 4 result_cleared 6 result_cleared"},
		{"one less than the minimum: nothing at all", policy.Tools{MinGain: 3*68 + 1}, loop(3), ""},

		{"what nobody answered yet", policy.Tools{}, loop(3)[:7], "2 result_cleared 4 result_cleared"},
		{"parallel calls that nobody answered", policy.Tools{}, []transcript.Item{
			msg(user, word("go")), msg(assistant, call("a"), call("b")), msg(transcript.Tool, res("a", 100)), msg(transcript.Tool, res("b", 100)),
		}, ""},
		{"a call still waits", policy.Tools{}, []transcript.Item{
			msg(user, word("go")), msg(assistant, call("z")), msg(transcript.Tool, res("z", 100)), msg(assistant, call("a"), call("b")), msg(transcript.Tool, res("a", 100)),
		}, "2 result_cleared"},
		{"answers that hold their results: a word behind says they were read", policy.Tools{}, []transcript.Item{
			msg(user, word("go")), msg(assistant, call("a"), res("a", 100), word("and"), call("b"), res("b", 100)),
		}, "1 result_cleared"},
		{"without one they were not", policy.Tools{}, []transcript.Item{
			msg(user, word("go")), msg(assistant, call("a"), res("a", 100), call("b"), res("b", 100)),
		}, ""},

		// Below 100 the placeholder has a digit less: 31 letters.
		{"a result that would not get smaller", policy.Tools{}, with(loop(2), func(l []transcript.Item) { l[2].Parts[0].Text = out(31) }), "4 result_cleared"},
		{"one letter longer", policy.Tools{}, with(loop(2), func(l []transcript.Item) { l[2].Parts[0].Text = out(32) }), "2 result_cleared 4 result_cleared"},
		{"failed results stay", policy.Tools{KeepErrors: true}, with(loop(2), func(l []transcript.Item) { l[2].Parts[0].Failed = true }), "4 result_cleared"},
		{"or do not", policy.Tools{}, with(loop(2), func(l []transcript.Item) { l[2].Parts[0].Failed = true }), "2 result_cleared 4 result_cleared"},
		{"excluded tools stay, with their inputs", policy.Tools{Exclude: []string{"skill"}, Inputs: true}, with(loop(2), func(l []transcript.Item) { l[1].Parts[0].Name = "skill" }), "3 input_cleared 4 result_cleared"},
		{"the name is that of the call", policy.Tools{Exclude: []string{"ski"}}, with(loop(2), func(l []transcript.Item) { l[1].Parts[0].Name = "skill" }), "2 result_cleared 4 result_cleared"},
		{"they count for the newest", policy.Tools{KeepLast: 1, Exclude: []string{"skill"}}, with(loop(2), func(l []transcript.Item) { l[3].Parts[0].Name = "skill" }), "2 result_cleared"},
		{"what the provider ran itself stays", policy.Tools{Inputs: true}, with(loop(2), func(l []transcript.Item) { l[1].Parts[0].Server, l[2].Parts[0].Server = true, true }), "3 input_cleared 4 result_cleared"},
		{"and is none of the newest", policy.Tools{KeepLast: 1}, with(loop(2), func(l []transcript.Item) { l[3].Parts[0].Server, l[4].Parts[0].Server = true, true }), ""},
		{"an empty result protects nothing", policy.Tools{Inputs: true}, with(loop(1), func(l []transcript.Item) { l[2].Parts[0].Text = "" }), "1 input_cleared"},
		// The call waits for somebody outside; what was called beside it is in its group.
		{"a call that waits however long", policy.Tools{Inputs: true}, []transcript.Item{
			msg(user, word("go")), msg(assistant, pending(call("a")), call("b")), msg(transcript.Tool, res("b", 100)), msg(assistant, word("later")), msg(user, word("and?")), msg(assistant, word("not yet")),
		}, ""},
		{"a call with an interim result and another", policy.Tools{Inputs: true}, []transcript.Item{
			msg(user, word("go")), msg(assistant, call("a")), msg(transcript.Tool, pending(res("a", 100))), msg(transcript.Tool, res("a", 100)), msg(assistant, word("ok")),
		}, "1 input_cleared 2 result_cleared 3 result_cleared"},
		{"several in one item", policy.Tools{Inputs: true}, []transcript.Item{
			msg(user, word("go")), msg(assistant, call("a"), call("b")), msg(transcript.Tool, res("a", 100), res("b", 100)), msg(assistant, word("ok")),
		}, "1 input_cleared 2 result_cleared"},
		{"what the format can not change stays", policy.Tools{}, with(loop(2), func(l []transcript.Item) { l[2].Parts[0].Name = "fixed" }), "4 result_cleared"},

		{"inputs go with their results", policy.Tools{KeepLast: 1, Inputs: true}, loop(2), "1 input_cleared 2 result_cleared"},
		{"also of a result that is too short to clear", policy.Tools{KeepLast: 1, Inputs: true}, with(loop(2), func(l []transcript.Item) { l[2].Parts[0].Text = "ok" }), "1 input_cleared"},
		{"a short input stays", policy.Tools{KeepLast: 1, Inputs: true}, with(loop(2), func(l []transcript.Item) { l[1].Parts[0].Text = "{}" }), "2 result_cleared"},
		{"a signed one stays", policy.Tools{KeepLast: 1, Inputs: true}, with(loop(2), func(l []transcript.Item) { l[1].Parts[0].Signed = true }), "2 result_cleared"},
		{"one that the format can not change does not hold up the rest", policy.Tools{Inputs: true}, []transcript.Item{
			msg(user, word("go")), msg(assistant, with1(call("a"), "fixed"), res("a", 100), call("b"), res("b", 100), word("done")), msg(user, word("more")), msg(assistant, word("ok")),
		}, "1 result_cleared"},

		// 1 is of the first turn, 3 of the latest that the model answered in.
		{"media of earlier turns", policy.Tools{Media: "placeholder"}, []transcript.Item{msg(user, word("see"), image()), msg(assistant, word("seen")), msg(user, image()), msg(assistant, word("too"))}, "0 media_cleared"},
		{"a message that nobody answered begins no turn", policy.Tools{Media: "placeholder"}, []transcript.Item{msg(user, image()), msg(assistant, word("seen")), msg(user, word("more"))}, ""},
		{"initial context stays whole", policy.Tools{Media: "placeholder"}, with([]transcript.Item{msg(user, word("<e>"), image()), msg(user, word("go")), msg(assistant, word("seen"))},
			func(l []transcript.Item) { l[0].Context, l[0].Fragment = "E", true }), ""},
		{"somebody must speak as before", policy.Tools{Media: "placeholder"}, []transcript.Item{msg(user, with1(image(), "silent")), msg(assistant, word("seen")), msg(user, word("more")), msg(assistant, word("ok"))}, ""},
		{"media are kept", policy.Tools{Media: "keep"}, []transcript.Item{msg(user, image()), msg(assistant, word("seen")), msg(user, word("more")), msg(assistant, word("ok"))}, ""},
		{"media in a result are its own", policy.Tools{Media: "placeholder", KeepLast: 1}, []transcript.Item{
			msg(user, word("go")), msg(assistant, call("a")), msg(transcript.Tool, shot("a", 5)...), msg(assistant, word("ok")), msg(user, word("more")), msg(assistant, word("done")),
		}, ""},
		{"and go with it", policy.Tools{}, []transcript.Item{msg(user, word("go")), msg(assistant, call("a")), msg(transcript.Tool, shot("a", 5)...), msg(assistant, word("ok"))}, "2 result_cleared"},

		{"a result that is cleared already", policy.Tools{}, with(loop(1), func(l []transcript.Item) {
			l[2].Parts[0].Text = "[tamp] cleared: read, 100000000000000 tokens of something"
		}), ""},
		{"also within an object", policy.Tools{}, with(loop(1), func(l []transcript.Item) {
			l[2].Parts[0].Text = `{"type": "text", "value": "[tamp] cleared: read, 100 tokens"}`
		}), ""},
		{"an input that is cleared already", policy.Tools{Inputs: true}, with(loop(1), func(l []transcript.Item) {
			l[1].Parts[0].Text = `{ "tamp_cleared" : "100000000000000000000000000000000000000000 tokens" }`
		}), "2 result_cleared"},
	} {
		for _, family := range []transcript.Family{chat, responses, messages} {
			p := planPrune(family, "", policy.Keep{All: true}, c.tools, c.items...)
			if got := clearedBy(p); got != c.want {
				t.Errorf("%s, family %d: %q, want %q", c.name, family, got, c.want)
			}
			if p.Nothing() != (c.want == "") || p.Folds() || p.Request != nil {
				t.Errorf("%s: nothing %v, folds %v, request %v", c.name, p.Nothing(), p.Folds(), p.Request)
			}
			again(t, c.name, p)
		}
	}
}

func pending(p transcript.Part) transcript.Part {
	p.Pending = true
	return p
}

func with1(p transcript.Part, name string) transcript.Part {
	p.Name = name
	return p
}

// shot is a result with a text and a picture in it.
func shot(id string, n int) []transcript.Part {
	r, p := res(id, n), image()
	r.BodyStart, r.BodyEnd, p.Start, p.End = 10, 90, 20, 80
	return []transcript.Part{r, p}
}

// again: a second pass over what the first one left finds nothing.
func again(t *testing.T, name string, p *Plan) {
	t.Helper()
	next, m := p.Cleared()
	for i, f := range p.Items {
		if f.TokensAfter != m.Items[i] || tokens.Item(next, &next.Items[i], p.Counter) != m.Items[i] {
			t.Errorf("%s: item %d counts %d, its fate says %d, its plan %d", name, i, tokens.Item(next, &next.Items[i], p.Counter), f.TokensAfter, m.Items[i])
		}
	}
	if second := NewPlan(next, p.Policy, p.Counter, m, ""); second.Clears() {
		t.Errorf("%s: a second pass clears %q", name, clearedBy(second))
	}
}

// Thinking goes where the provider takes the turn without it: from turns before
// the latest one, whole or not at all, never the last of a message.
func TestDropReasoning(t *testing.T) {
	sealed := transcript.Part{Kind: transcript.Opaque, Text: out(2000), Signed: true}
	turns := func(parts ...transcript.Part) []transcript.Item {
		return []transcript.Item{
			msg(user, word("go")), msg(assistant, parts...), msg(user, word("more")),
			msg(assistant, thought(false), call("z")), msg(transcript.Tool, res("z", 10)), msg(assistant, thought(false), word("done")),
		}
	}
	for _, c := range []struct {
		name     string
		family   transcript.Family
		provider string
		items    []transcript.Item
		want     string
	}{
		{"chat", transcript.Chat, "openai", turns(thought(false), word("so")), "1 reasoning_dropped"},
		{"beside a call", transcript.Chat, "openai", turns(thought(false), call("a")), "1 reasoning_dropped"},
		{"Responses items stay with what they led to", transcript.Responses, "openai", turns(thought(false), word("so")), ""},
		{"the last of a message", transcript.Chat, "openai", turns(thought(false)), ""},
		{"beside a blank text", transcript.Chat, "openai", turns(thought(false), word(" \n")), ""},
		{"two", transcript.Chat, "openai", turns(thought(false), thought(false), word("so")), "1 reasoning_dropped"},
		{"signed, and Anthropic's", transcript.Messages, "anthropic", turns(thought(true), word("so")), "1 reasoning_dropped"},
		{"redacted", transcript.Messages, "bedrock", turns(thought(true), sealed, word("so")), "1 reasoning_dropped"},
		{"signed by anybody else", transcript.Messages, "google", turns(thought(true), word("so")), ""},
		{"partly encrypted", transcript.Chat, "openai", turns(thought(false), sealed, word("so")), ""},
		{"the latest turn begins before the message that nobody answered", transcript.Messages, "anthropic", append(turns(thought(true), word("so"))[:2], msg(user, word("more"))), ""},
		{"a word beside results is no turn", transcript.Messages, "anthropic", []transcript.Item{
			msg(user, word("go")), msg(assistant, thought(true), call("a")), msg(user, res("a", 10), word("and hurry")), msg(assistant, thought(true), word("done")),
		}, ""},
		{"nobody spoke: one turn", transcript.Chat, "openai", turns(thought(false), word("so"))[1:2], ""},
	} {
		p := planPrune(c.family, c.provider, policy.Keep{All: true}, policy.Tools{Reasoning: "drop", KeepLast: 9}, c.items...)
		if got := clearedBy(p); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, e := range p.Entries {
			if e.New != nil && e.New.Has(transcript.Thinking, transcript.Opaque) {
				t.Errorf("%s: a part of the thinking stays: %+v", c.name, e.New.Parts)
			}
		}
		again(t, c.name, p)
	}
}

func TestKeepReasoning(t *testing.T) {
	p := planPrune(transcript.Chat, "openai", policy.Keep{All: true}, policy.Tools{Reasoning: "keep"},
		msg(user, word("go")), msg(assistant, thought(false), word("so")), msg(user, word("more")), msg(assistant, word("done")))
	if p.Clears() {
		t.Errorf("cleared %q", clearedBy(p))
	}
}

// Of several results in one item only those go that get smaller.
func TestPruneSomeOfAnItem(t *testing.T) {
	p := planPrune(transcript.Chat, "", policy.Keep{All: true}, policy.Tools{},
		msg(user, word("go")), msg(assistant, call("a"), call("b")), msg(transcript.Tool, res("a", 100), res("b", 31)), msg(assistant, word("ok")))
	if got := p.Entries[2].New; got == nil || got.Parts[0].Text != "[tamp] cleared: read, 100 tokens" || got.Parts[1].Text != out(31) {
		t.Errorf("%+v", got)
	}
}

// A pin keeps its items whole, and a result that stays keeps the input of its
// call.
func TestPinnedIsNotCleared(t *testing.T) {
	at := 2
	for _, pin := range []policy.Pin{{Index: &at}, {Text: "needle"}} {
		items := with(loop(2), func(l []transcript.Item) { l[2].Parts[0].Text += "needle" })
		p := planPrune(transcript.Chat, "", policy.Keep{All: true, Pins: []policy.Pin{pin}}, policy.Tools{Inputs: true}, items...)
		if got, want := clearedBy(p), "3 input_cleared 4 result_cleared"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p := planPrune(transcript.Chat, "", policy.Keep{All: true, Pins: []policy.Pin{{ID: "c0"}}}, policy.Tools{Inputs: true}, loop(2)...)
	if got, want := clearedBy(p), "3 input_cleared 4 result_cleared"; got != want {
		t.Errorf("by id: %q, want %q", got, want)
	}
}

// With something to fold, what goes is folded as it came, what stays is cleared;
// budgets hold what stands then. The request shows everything as it came.
func TestPruneAndFold(t *testing.T) {
	items := loop(3) // user, 3 calls with results, answer
	p := planPrune(transcript.Chat, "", policy.Keep{LastMessages: 5}, policy.Tools{KeepLast: 1}, items...)
	if want := []Fate{Folded, Folded, Folded, Kept, Cleared, Kept, Kept, Kept}; !reflect.DeepEqual(fatesOf(p), want) {
		t.Errorf("%v, want %v", fatesOf(p), want)
	}
	if p.Entries[2].New == nil || p.Entries[2].New.Parts[0].Text != "[tamp] cleared: read, 100 tokens" {
		t.Errorf("%+v", p.Entries[2])
	}
	if !reflect.DeepEqual(p.Request.Items, []int{0, 1, 2, 3, 4, 5, 6, 7}) || p.Transcript.Items[4].Parts[0].Text != out(100) {
		t.Errorf("the request shows %v", p.Request.Items)
	}
	// What folds is 2, 8+4+71 and 100 letters with their frames of 4, what is
	// cleared 100-32.
	if want := 6 + 87 + 104 + 68; p.Foldable() != want {
		t.Errorf("foldable is %d, want %d", p.Foldable(), want)
	}
	only := p.Pruning()
	if got, want := clearedBy(only), "2 result_cleared 4 result_cleared"; got != want || only.Folds() || only.Items[0].Reason != NotFolded {
		t.Errorf("pruning alone: %q, want %q (%v)", got, want, only.Items[0].Reason)
	}
	if idle := p.Idle(); idle.Clears() || idle.Items[4].Fate != Kept {
		t.Error("a plan that is not carried out clears something")
	}

	// The answer is 8 tokens, a call 87, its result 104, or 36 where it is
	// cleared: the second pair fits as it stands then.
	budget := 8 + 87 + 104 + 87 + 36
	for size, want := range map[int]int{budget: 3, budget - 1: 5} {
		p := planPrune(transcript.Chat, "", policy.Keep{LastTokens: size}, policy.Tools{KeepLast: 1}, items...)
		if n := len(p.Folded); n != want {
			t.Errorf("%d tokens: %d items fold, want %d", size, n, want)
		}
	}
}

func fatesOf(p *Plan) []Fate {
	out := make([]Fate, len(p.Items))
	for i, f := range p.Items {
		out[i] = f.Fate
	}
	return out
}
