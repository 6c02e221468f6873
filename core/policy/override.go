package policy

import (
	"fmt"
	"strings"
)

const (
	presetFields  = "preset triggers scope keep tools summary strict"
	ruleFields    = "rounds tokens fraction messages turns bytes tool_output_share"
	keepFields    = "all instructions initial_context first_user last_messages last_tokens last_bytes last_turns user_tokens pins"
	pinFields     = "index id text"
	toolsFields   = "keep_last protect_tokens min_gain exclude keep_errors inputs reasoning media"
	summaryFields = "role place prefix prompt model language max_tokens send_tools on_failure"
)

// Every rule is evaluated and shown each time, and every pin is looked for in
// every item, so the lists have an end.
const (
	maxRules    = 64
	maxPins     = 1000
	maxExcluded = 1000
)

// readPreset reads tamp's own form: a preset, the default if none is named,
// and what differs from it. Objects merge field by field, lists replace.
func readPreset(f fields, m *Model) Policy {
	name := Default
	f.choice("preset", presetNames, &name)
	p := preset(name, m)
	if v, ok := f.got["triggers"]; ok {
		v.triggers(&p.Triggers)
	}
	f.scope("scope", &p.Scope)
	if v, ok := f.got["keep"]; ok {
		v.keep(&p.Keep)
	}
	if v, ok := f.got["tools"]; ok {
		v.tools(&p.Tools)
	}
	if p.Keep.All && p.Tools == nil && !f.has("tools") {
		keep := f.got["keep"]
		keep.to.add(keep.at, keep.path+".all", "is true without tools, so that nothing could ever be compacted: add tools, or leave it out")
	}
	if v, ok := f.got["summary"]; ok {
		v.summary(&p.Summary)
	}
	f.boolean("strict", &p.Strict)
	return p
}

// triggers reads the rules. An empty list is off.
func (v value) triggers(to *[]Rule) {
	list, ok := v.list("a list of rules ([] is off)", maxRules)
	if !ok {
		return
	}
	*to = nil // lists replace
	for _, e := range list {
		*to = append(*to, e.rule())
	}
}

func (v value) rule() Rule {
	var r Rule
	f, ok := v.object(ruleFields)
	if !ok {
		return r
	}
	// An empty rule has no measure that is not reached: it would fire always.
	if f.empty {
		f.complain("is empty, must hold at least one of " + series(strings.Fields(ruleFields), "and"))
	}
	f.integer("rounds", 1, &r.Rounds)
	f.integer("tokens", 1, &r.Tokens)
	f.share("fraction", &r.Fraction)
	f.integer("messages", 1, &r.Messages)
	f.integer("turns", 1, &r.Turns)
	f.integer("bytes", 1, &r.Bytes)
	f.share("tool_output_share", &r.ToolOutputShare)
	return r
}

func (v value) keep(to *Keep) {
	f, ok := v.object(keepFields)
	if !ok {
		return
	}
	f.boolean("all", &to.All)
	f.boolean("instructions", &to.Instructions)
	f.boolean("initial_context", &to.InitialContext)
	f.boolean("first_user", &to.FirstUser)
	f.integer("last_messages", 0, &to.LastMessages)
	f.integer("last_tokens", 0, &to.LastTokens)
	f.integer("last_bytes", 0, &to.LastBytes)
	// Who counts the tail in bytes means bytes: 20,000 tokens of a preset are 60 MB of
	// pictures, and would hold all of it.
	if _, named := f.got["last_tokens"]; !named && to.LastBytes > 0 {
		to.LastTokens = 0
	}
	f.integer("last_turns", 0, &to.LastTurns)
	f.integer("user_tokens", 0, &to.UserTokens)
	if pins, ok := f.got["pins"]; ok {
		pins.pins(&to.Pins)
	}
}

func (v value) pins(to *[]Pin) {
	list, ok := v.list("a list of pins", maxPins)
	if !ok {
		return
	}
	*to = nil // lists replace
	for _, e := range list {
		*to = append(*to, e.pin())
	}
}

func (v value) pin() Pin {
	var p Pin
	f, ok := v.object(pinFields)
	if !ok {
		return p
	}
	var given []string
	for _, name := range strings.Fields(pinFields) {
		if _, ok := f.got[name]; ok {
			given = append(given, name)
		}
	}
	want := "must hold exactly one of " + series(strings.Fields(pinFields), "and")
	switch {
	case f.empty:
		f.complain("is empty, " + want)
	case len(given) > 1:
		f.complain("holds " + series(given, "and") + ", " + want)
	}
	if i, ok := f.got["index"]; ok {
		n := 0
		i.integer(0, &n)
		p.Index = &n
	}
	f.named("id", "the id of an item, not blank", &p.ID)
	f.named("text", "a text to look for, not blank", &p.Text)
	return p
}

// tools reads what is to be cleared; where the preset clears nothing, what is
// not given is as in unlessSaid.
func (v value) tools(to **Tools) {
	f, ok := v.object(toolsFields)
	if !ok {
		return
	}
	t := unlessSaid()
	if *to != nil {
		t = **to
	}
	f.integer("keep_last", 0, &t.KeepLast)
	f.integer("protect_tokens", 0, &t.ProtectTokens)
	f.integer("min_gain", 0, &t.MinGain)
	if list, ok := f.got["exclude"]; ok {
		list.excluded(&t.Exclude)
	}
	f.boolean("keep_errors", &t.KeepErrors)
	f.boolean("inputs", &t.Inputs)
	f.choice("reasoning", "keep drop", &t.Reasoning)
	f.choice("media", "keep placeholder", &t.Media)
	*to = &t
}

func (v value) excluded(to *[]string) {
	list, ok := v.list("a list of tool names", maxExcluded)
	if !ok {
		return
	}
	*to = nil // lists replace
	for _, e := range list {
		var name string
		e.named("the name of a tool, not blank", &name)
		*to = append(*to, name)
	}
}

func (v value) summary(to *Summary) {
	f, ok := v.object(summaryFields)
	if !ok {
		return
	}
	f.choice("role", "user assistant", &to.Role)
	f.choice("place", "after_instructions end", &to.Place)
	f.trimmed("prefix", &to.Prefix)
	f.trimmed("prompt", &to.Prompt)
	f.text("model", &to.Model)
	if l, ok := f.got["language"]; ok {
		l.stringLike(fmt.Sprintf("%q or a language tag of 2 to 35 letters, digits and hyphens", "auto"), &to.Language, languageTag)
	}
	f.integer("max_tokens", 0, &to.MaxTokens)
	f.choice("send_tools", "auto always never", &to.SendTools)
	f.choice("on_failure", "error digest keep", &to.OnFailure)
}

// languageTag checks the letters and the length of a BCP 47 tag (35 is the
// longest that its specification builds without private parts), "auto"
// included; the languages themselves are not known here.
func languageTag(s string) bool {
	if len(s) < 2 || len(s) > 35 {
		return false
	}
	for i := range len(s) {
		if s[i] != '-' && !isAlnum(s[i]) {
			return false
		}
	}
	return true
}
