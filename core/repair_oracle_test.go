package core_test

import (
	"fmt"
	"slices"
)

// step is an element of a transcript as inOrder looks at it.
type step struct {
	side           string // "user", "model", "tool"
	calls, results []string
	text           bool
	behindText     bool // a result stands behind text of the element
	reasoning      bool
	empty          bool
}

// eventOf reads an element of any of the formats of dialects.
func eventOf(o element) step {
	kind, _ := o["type"].(string)
	role, _ := o["role"].(string)
	e := step{side: "model"}
	switch {
	case role == "user" || kind == "human":
		e.side = "user"
	case role == "tool" || kind == "tool" || kind == "function_call_output":
		e.side = "tool"
	}
	id, _ := o["call_id"].(string)
	switch kind {
	case "function_call":
		e.calls = []string{id}
	case "function_call_output":
		e.results = []string{id}
	case "reasoning":
		e.reasoning = true
	}
	if id, ok := o["tool_call_id"].(string); ok {
		e.results = append(e.results, id)
	} else if said, ok := o["content"].(string); ok {
		e.text = said != ""
	}
	for _, member := range []string{"content", "parts", "tool_calls"} {
		list, _ := o[member].([]any)
		for _, p := range list {
			e.part(p.(element))
		}
	}
	e.empty = !e.text && !e.reasoning && len(e.calls)+len(e.results) == 0
	return e
}

func (e *step) part(p element) {
	kind, _ := p["type"].(string)
	for _, call := range []struct{ kind, wrapper, id string }{
		{"tool_use", "toolUse", "toolUseId"}, {"tool-call", "functionCall", "toolCallId"}, {"function", "functionCall", "id"}, {"tool_call", "", "id"},
	} {
		inner, wrapped := p[call.wrapper].(element)
		if kind == call.kind || wrapped {
			e.calls = append(e.calls, anyID(p, inner, call.id, "id", "name"))
			return
		}
	}
	for _, result := range []struct{ kind, wrapper, id string }{
		{"tool_result", "toolResult", "toolUseId"}, {"tool-result", "functionResponse", "toolCallId"},
	} {
		inner, wrapped := p[result.wrapper].(element)
		if kind == result.kind || wrapped {
			e.behindText = e.behindText || e.text
			e.results = append(e.results, anyID(p, inner, result.id, "tool_use_id", "id", "name"))
			return
		}
	}
	e.text = true
}

// anyID is the first of some members that one of two objects has.
func anyID(p, inner element, keys ...string) string {
	for _, key := range keys {
		for _, o := range []element{inner, p} {
			if id, ok := o[key].(string); ok {
				return id
			}
		}
	}
	return ""
}

// inOrder says what a provider would refuse, by its documentation and in the
// plainest way: "" is nothing. Calls at the end may still wait.
func inOrder(format string, list []element) string {
	events := make([]step, len(list))
	for i, o := range list {
		events[i] = eventOf(o)
		last := format == "anthropic-messages" && i == len(list)-1 && events[i].side == "model" // it goes on with that
		if events[i].empty && !last && format != "ai-sdk-model" && format != "langchain" {
			return fmt.Sprintf("element %d is empty", i)
		}
	}
	if len(events) == 0 {
		return "nothing is left"
	}
	switch format {
	case "openai-responses", "ai-sdk-model", "langchain":
		return anywhereBehind(format, events)
	case "openai-chat":
		return nextTurn(events, false)
	}
	if events[0].side != "user" {
		return "the first is not the user's"
	}
	for i := 1; i < len(events); i++ {
		a, b := &events[i-1], &events[i]
		apart := format == "gemini-contents" && (len(a.results) > 0) != (len(b.results) > 0)
		if a.side == b.side && format != "anthropic-messages" && !apart {
			return fmt.Sprintf("element %d is of the side of the one before", i)
		}
	}
	if format != "gemini-contents" { // a later turn may have the ids of an earlier one
		if id := twice(events); id != "" {
			return "two calls are " + id
		}
	}
	return nextTurn(events, true)
}

func twice(events []step) string {
	seen := map[string]bool{}
	for _, e := range events {
		for _, id := range e.calls {
			if seen[id] {
				return id
			}
			seen[id] = true
		}
	}
	return ""
}

// nextTurn: the results of a turn of calls are all in the turn behind it, before
// what else is said there, and no others. Messages of one side in a row are one
// turn where the provider joins them.
func nextTurn(events []step, joined bool) string {
	side := func(e *step) string {
		if joined && e.side == "tool" {
			return "user"
		}
		return e.side
	}
	var want []string
	for i := 0; i < len(events); {
		turn := events[i]
		turn.calls, turn.results = slices.Clone(turn.calls), slices.Clone(turn.results)
		n := i + 1
		for ; n < len(events) && side(&events[n]) == side(&turn) && (joined || turn.side == "tool"); n++ {
			turn.behindText = turn.behindText || turn.text && len(events[n].results) > 0 || events[n].behindText
			turn.text = turn.text || events[n].text
			turn.calls, turn.results = append(turn.calls, events[n].calls...), append(turn.results, events[n].results...)
		}
		got := slices.Clone(turn.results)
		slices.Sort(got)
		slices.Sort(want)
		waits := n == len(events) && !turn.text && turn.side != "model" // others may come
		switch {
		case turn.side == "model" && len(got) > 0, turn.behindText:
			return fmt.Sprintf("a result of element %d or behind it is where none may be", i)
		case waits && len(without(got, want)) > 0, !waits && !slices.Equal(got, want):
			return fmt.Sprintf("elements %d to %d answer %v, not %v", i, n-1, got, want)
		}
		want = turn.calls
		i = n
	}
	return ""
}

// without are the elements of a that b does not have, each as often.
func without(a, b []string) []string {
	left := slices.Clone(b)
	var out []string
	for _, id := range a {
		if at := slices.Index(left, id); at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else {
			out = append(out, id)
		}
	}
	return out
}

// anywhereBehind: each call has one result behind it, and each result its call.
func anywhereBehind(format string, events []step) string {
	if id := twice(events); id != "" && format == "openai-responses" {
		return "two calls are " + id
	}
	waits := map[string]int{} // the calls that no result came for yet
	left := map[string]bool{} // those that the user spoke behind
	for i, e := range events {
		if e.reasoning && (i+1 == len(events) || events[i+1].side != "model") {
			return fmt.Sprintf("reasoning %d leads nowhere", i)
		}
		for _, id := range e.results {
			if waits[id] != 1 {
				return fmt.Sprintf("result %s of element %d has %d calls", id, i, waits[id])
			}
			delete(waits, id)
			delete(left, id)
		}
		for _, id := range e.calls {
			waits[id]++
		}
		if e.side == "user" {
			for id := range waits {
				left[id] = true
			}
		}
	}
	if len(left) > 0 {
		return fmt.Sprintf("calls %v have no result", left)
	}
	return ""
}
