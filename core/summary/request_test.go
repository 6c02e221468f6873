package summary

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/policy"
	"github.com/tamp-dev/tamp/core/transcript"
)

// The first request shows what it is given, and asks as the policy says.
func TestNewRequest(t *testing.T) {
	own := NewRequest(&policy.Policy{}, nil, "").Prompt
	for _, c := range []struct {
		name      string
		s         policy.Summary
		prompt    string
		maxTokens int
	}{
		{"what tamp asks, 2,000 tokens (API.md)", policy.Summary{}, own, 2000},
		{"the policy's prompt", policy.Summary{Prompt: "Sum up."}, "Sum up.", 2000},
		{"the policy's length", policy.Summary{Prompt: "Sum up.", MaxTokens: 300}, "Sum up.", 300},
		{"auto is as good as none", policy.Summary{Language: "auto"}, own, 2000},
	} {
		c.s.SendTools = "never"
		r := NewRequest(&policy.Policy{Summary: c.s}, []int{1, 2}, "small")
		want := &Request{Purpose: "summary", Items: []int{1, 2}, Prompt: c.prompt, Model: "small", MaxTokens: c.maxTokens, SendTools: "never"}
		if !reflect.DeepEqual(r, want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", c.name, r, want)
		}
	}
}

// The language stands in its place of the prompt, tamp's own or the policy's.
func TestLanguage(t *testing.T) {
	for _, prompt := range []string{"", "Sum up in {language}, in a few words."} {
		template := prompt
		if template == "" {
			template = strings.TrimSpace(defaultPrompt)
		}
		head, tail, ok := strings.Cut(template, "{language}")
		if !ok {
			t.Fatal("tamp's prompt has no place for a language")
		}
		said := map[string]string{}
		for _, tag := range []string{"", "auto", "ja", "pt-BR"} {
			got := NewRequest(&policy.Policy{Summary: policy.Summary{Prompt: prompt, Language: tag}}, nil, "").Prompt
			rest, ok := strings.CutPrefix(got, head)
			if !ok || !strings.HasSuffix(rest, tail) {
				t.Fatalf("%q: asked for with %q", tag, got)
			}
			said[tag] = strings.TrimSuffix(rest, tail)
		}
		if words := strings.Fields(said["ja"]); len(words) == 0 || words[len(words)-1] != "ja" {
			t.Errorf("ja is asked for with %q", said["ja"])
		}
		if !strings.Contains(said["pt-BR"], "pt-BR") {
			t.Errorf("pt-BR is asked for with %q", said["pt-BR"])
		}
		// auto is the user's own, and no tag of that name.
		if said["auto"] != said[""] || !strings.Contains(said[""], "user") || strings.Contains(said[""], "auto") {
			t.Errorf("no language is asked for with %q, auto with %q", said[""], said["auto"])
		}
	}
}

// A request that was too long goes without its oldest item and that item's
// other half, and the same over what this brings along, until nothing is left.
func TestShrink(t *testing.T) {
	for _, c := range []struct {
		name     string
		partners [][]int // of each item
		items    []int
		want     []int // nil: no request is left
	}{
		{"the oldest", make([][]int, 3), []int{0, 1, 2}, []int{1, 2}},
		{"of two, one is left", make([][]int, 2), []int{0, 1}, []int{1}},
		{"the only one can not go", make([][]int, 1), []int{0}, nil},
		{"nothing is left of nothing", nil, nil, nil},
		{"a call goes with its result", [][]int{{2}, nil, {0}}, []int{0, 1, 2}, []int{1}},
		{"two that are a pair: nothing is left", [][]int{{1}, {0}}, []int{0, 1}, nil},
		{"a result brings its call", [][]int{{1, 2}, {0}, {0}, nil}, []int{1, 2, 3}, []int{3}},
		{"over several halves", [][]int{{2}, nil, {0, 3}, {2}, nil}, []int{0, 1, 2, 3, 4}, []int{1, 4}},
	} {
		r := &Request{Attempt: 4, Items: c.items, Prompt: "p", Model: "m", MaxTokens: 7, SendTools: "auto"}
		before := append([]int(nil), c.items...)
		next, ok := r.Shrink(&transcript.Pairing{Partners: c.partners})
		if ok != (c.want != nil) {
			t.Errorf("%s: a request is left: %v", c.name, ok)
			continue
		}
		if ok {
			want := &Request{Attempt: 5, Items: c.want, Prompt: "p", Model: "m", MaxTokens: 7, SendTools: "auto"}
			if !reflect.DeepEqual(next, want) {
				t.Errorf("%s:\n%+v\nwant\n%+v", c.name, next, want)
			}
		}
		if r.Attempt != 4 || len(r.Items) != len(before) || len(before) > 0 && !reflect.DeepEqual(r.Items, before) {
			t.Errorf("%s: the request before it changed: %+v", c.name, r)
		}
	}
}

// The same request once more is another attempt and else the same.
func TestAgain(t *testing.T) {
	r := &Request{Items: []int{3, 5}, Prompt: "p", Model: "m", MaxTokens: 7, SendTools: "always"}
	want := *r
	want.Attempt = 1
	if next := r.Again(); !reflect.DeepEqual(next, &want) || r.Attempt != 0 {
		t.Errorf("%+v, want %+v", next, want)
	}
}

// A text is usable unless it is blank or comes with an error.
func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		a     Answer
		check string
		known bool
	}{
		{Answer{Text: "s"}, "", true},
		{Answer{}, "empty", true},
		{Answer{Text: " \n\t\u3000"}, "empty", true}, // the wide space of Japanese is blank too
		{Answer{Error: "context_length_exceeded"}, "context_length_exceeded", true},
		{Answer{Error: "empty"}, "empty", true},
		{Answer{Text: "half a sen", Error: "truncated"}, "truncated", true},
		{Answer{Error: "tool_call"}, "tool_call", true},
		{Answer{Error: "failed"}, "failed", true},
		{Answer{Error: "Failed"}, "Failed", false},
		{Answer{Error: "timeout"}, "timeout", false},
	} {
		if got := c.a.Check(); got != c.check || c.a.Known() != c.known {
			t.Errorf("%+v: %q, known %v", c.a, got, c.a.Known())
		}
	}
}
