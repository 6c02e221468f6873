//go:build js && wasm

package view

import (
	"math"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/browser"
	"github.com/tamp-dev/tamp/web/internal/state"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// signs tell the fates apart without colour.
var signs = map[string]string{
	"kept": "=", "moved": "↕", "truncated": "…", "cleared": "○", "folded": "↧", "dropped": "×", "summary": "Σ", "bridge": "↔",
}

// fateOrder is that of DESIGN: from untouched to gone.
var fateOrder = []string{"kept", "moved", "truncated", "cleared", "folded", "dropped"}

func badge(lang text.Lang, fate, more string) elem {
	b := build("span", "badge "+class(fate), icon(signs[fate]))
	b.AppendChild(words("span", "", text.Get(lang, "fate."+fate)+more))
	return b
}

// class keeps a fate that the page does not know from naming a class of the
// sheet.
func class(fate string) string {
	if _, ok := signs[fate]; ok {
		return fate
	}
	return "folded"
}

func (p *Page) totals(s state.State) {
	a := s.Answer
	get := func(key string, args ...string) string { return text.Get(s.Lang, key, args...) }
	outcome := browser.ByID("outcome")
	browser.Flag(browser.ByID("stale"), "hidden", !s.Stale)
	attribute(outcome, "class", map[bool]string{true: "stale-view"}[s.Stale])

	verdict := ""
	switch {
	case !a.Compacted:
		verdict = get(a.Reason)
		if u := a.Receipt.Unpruned; u != nil {
			verdict += " " + get("unpruned."+string(u.Reason), text.Number(u.Gain), text.Number(u.MinGain))
		}
	case a.Receipt.NoProgress:
		verdict = get("forced_larger")
	}
	put(browser.ByID("verdict"), verdict)
	browser.Flag(browser.ByID("verdict"), "hidden", verdict == "")

	r := a.Receipt
	put(browser.ByID("tokens-before"), text.Number(r.TokensBefore))
	put(browser.ByID("tokens-after"), text.Number(r.TokensAfter))
	put(browser.ByID("items-before"), get("result.items", text.Number(len(a.Before))))
	put(browser.ByID("items-after"), get("result.items", text.Number(len(a.After))))
	saved := a.Saved()
	label, box := "result.saved", "saved"
	switch {
	case saved < 0:
		label, box = "result.grown", "saved grown"
	case saved == 0:
		box = "saved none"
	}
	put(browser.ByID("saved-label"), get(label))
	put(browser.ByID("saved"), text.Percent(max(saved, -saved)))
	attribute(browser.ByID("saved-box"), "class", box)
	browser.Width(browser.ByID("gauge"), max(0, min(1, 1-saved)))
	counted := get("counter.exact", a.Counter.Name)
	if a.Counter.ErrorP95 > 0 {
		counted = get("counter", a.Counter.Name, text.Percent(a.Counter.ErrorP95))
	}
	if a.Inexact() && (s.Tables == state.TablesLoading || s.Tables == state.TablesAbsent) {
		counted += " " + get("tables."+string(s.Tables))
	}
	if r.OverheadAfter > 0 {
		counted += " " + get("overhead", text.Number(r.OverheadAfter))
	}
	put(browser.ByID("counter"), counted)

	list := browser.ByID("fates")
	browser.Empty(list)
	count := a.Count()
	for _, fate := range fateOrder {
		if count[fate] > 0 {
			item := build("li", "", badge(s.Lang, fate, " "+text.Number(count[fate])))
			item.SetAttribute("data-fate", fate)
			list.AppendChild(item)
		}
	}
}

func (p *Page) triggers(s state.State) {
	d := s.Answer.Decision
	get := func(key string, args ...string) string { return text.Get(s.Lang, key, args...) }
	reason := ""
	if d.Reason != nil {
		reason = text.Get(s.Lang, "cause."+*d.Reason)
	}
	verdict := get("triggers.silent")
	switch {
	case d.Fired:
		verdict = get("triggers.fired.by", reason)
	case d.Forced:
		verdict = get("triggers.forced", reason)
	}
	parts := []string{verdict, get("triggers.at", strconv.Itoa(d.Round), get(d.Phase))}
	if len(d.Derived) > 0 {
		var derived []string
		for _, what := range d.Derived {
			derived = append(derived, get(what))
		}
		parts = append(parts, get("triggers.derived", strings.Join(derived, ", ")))
	}
	put(browser.ByID("trigger-verdict"), strings.Join(parts, " · "))

	rules := browser.ByID("rules")
	browser.Empty(rules)
	if len(d.Rules) == 0 {
		none := words("td", "quiet", get("triggers.none"))
		none.SetAttribute("colspan", "5")
		none.SetAttribute("role", "cell")
		row := build("tr", "", none)
		row.SetAttribute("role", "row")
		rules.AppendChild(row)
	}
	// At narrow widths a row is a stack, and each cell says its column itself.
	// The roles hold the table together for a screen reader all the same.
	cell := func(class, column string, content elem) elem {
		td := build("td", class, content)
		td.SetAttribute("data-column", get(column))
		td.SetAttribute("role", "cell")
		return td
	}
	for _, r := range d.Rules {
		row := build("tr", "",
			cell("", "triggers.rule", words("span", "", strconv.Itoa(r.Rule+1))),
			cell("", "triggers.measure", words("span", "", get("measure."+r.Measure))),
			cell("num", "triggers.measured", words("span", "", measured(s.Lang, r.Measure, r.Measured))),
			cell("num", "triggers.threshold", words("span", "", threshold(s.Lang, r))),
			cell("", "triggers.state", mark(s.Lang, r)),
		)
		row.SetAttribute("role", "row")
		row.SetAttribute("data-testid", "rule")
		row.SetAttribute("data-measure", r.Measure)
		rules.AppendChild(row)
	}
}

var markSigns = map[string]string{"held": "‖", "fired": "✓", "quiet": "–", "unknown": "?"}

// mark says in a sign and a word whether a measure has reached its threshold.
func mark(lang text.Lang, r core.RuleMeasure) elem {
	how := state.Mark(r)
	return build("span", "state "+how, icon(markSigns[how]), words("span", "", text.Get(lang, "triggers."+how)))
}

func measured(lang text.Lang, measure string, v *float64) string {
	switch {
	case v == nil:
		return text.Get(lang, "triggers.unknown")
	case measure == "fraction" || measure == "tool_output_share":
		return text.Percent(*v)
	}
	return text.Number(int(math.Round(*v)))
}

func threshold(lang text.Lang, r core.RuleMeasure) string {
	if r.Threshold == nil {
		return text.Get(lang, "triggers.unknown")
	}
	value := measured(lang, r.Measure, r.Threshold)
	if r.Measure == "rounds" {
		return text.Get(lang, "triggers.every", value)
	}
	return value
}

func (p *Page) defects(s state.State) {
	list := browser.ByID("defect-list")
	browser.Empty(list)
	browser.Flag(browser.ByID("defects"), "hidden", len(s.Answer.Receipt.Defects) == 0)
	for i, d := range s.Answer.Receipt.Defects {
		item := build("li", "",
			apart("code", d.Path),
		)
		if said, ok := text.Lookup(s.Lang, "defect."+d.Code); ok && s.Lang != text.English { // the message says it in English
			item.AppendChild(words("span", "", said))
		}
		message := apart("", d.Message)
		message.SetAttribute("lang", english)
		item.AppendChild(message)
		item.AppendChild(words("span", "code quiet", d.Code))
		if at := s.DefectPlace(i); at != nil {
			item.AppendChild(button("link", "show", place(*at), text.Get(s.Lang, "input.goto")))
		}
		item.SetAttribute("data-testid", "defect")
		list.AppendChild(item)
	}
}

// raw fills the box of the raw result while it is open: a megabyte in a text
// box that nobody looks at costs its layout all the same.
func (p *Page) raw() {
	a := p.last.Answer
	if a == nil {
		return
	}
	put(browser.ByID("raw-hint"), text.Get(p.last.Lang, "raw.hint", text.Size(len(a.Output))))
	if browser.IsSet(browser.ByID("raw"), "open") {
		browser.SetValue(browser.ByID("raw-text"), string(a.Output))
	} else {
		browser.SetValue(browser.ByID("raw-text"), "")
	}
}
