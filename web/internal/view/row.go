//go:build js && wasm

package view

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/state"
	"github.com/tamp-dev/tamp/web/internal/text"
)

const (
	// firstText is how many characters of an item are shown at once: enough to
	// know it again.
	firstText = 300
	// firstLines is how many lines of it: a listing has few characters to a line.
	firstLines = 6
	// moreText is how many each further step shows.
	moreText = 20_000
)

// budget is how many characters of a folded text are shown.
func budget(s state.State, key string, first int) int { return first + s.Shown[key]*moreText }

// row is all that is to be seen of an item.
type row struct {
	lang   text.Lang
	key    string // side-index
	index  int
	role   string
	badges []string // fates
	why    []string // sentences
	links  []link   // to the other side
	tokens string
	item   *core.ItemView // nil: its words are not known
	shown  int            // characters of its text
}

// link leads to a row of the other side.
type link struct {
	side  string
	index int
	label string
}

func (r row) same(o row) bool {
	if (r.item == nil) != (o.item == nil) || r.item != nil && !slices.Equal(r.item.Parts, o.item.Parts) {
		return false
	}
	return r.lang == o.lang && r.key == o.key && r.index == o.index && r.role == o.role && r.tokens == o.tokens && r.shown == o.shown &&
		slices.Equal(r.badges, o.badges) && slices.Equal(r.why, o.why) && slices.Equal(r.links, o.links)
}

// columns says what both columns shall hold.
func (p *Page) columns(s state.State) {
	a := s.Answer
	left := make([]row, len(a.Before))
	for i, b := range a.Before {
		left[i] = beforeRow(s, b)
	}
	right := make([]row, len(a.After))
	for i, b := range a.After {
		right[i] = afterRow(s, b)
	}
	p.before.set(left)
	p.after.set(right)
}

func beforeRow(s state.State, b state.Before) row {
	r := newRow(s, "before", b.Index, b.Role, b.Item)
	r.badges = []string{string(b.Fate)}
	r.why = []string{sentence(s, string(b.Reason))}
	r.tokens = text.Get(s.Lang, "row.tokens", text.Number(b.TokensBefore))
	if b.To != nil {
		r.links = []link{{"after", *b.To, text.Get(s.Lang, "row.to", strconv.Itoa(*b.To))}}
		if b.TokensAfter != b.TokensBefore {
			r.tokens = text.Get(s.Lang, "row.tokens.to", text.Number(b.TokensBefore), text.Number(b.TokensAfter))
		}
	}
	return r
}

func afterRow(s state.State, b state.After) row {
	r := newRow(s, "after", b.To, b.Role, b.Item)
	r.tokens = text.Get(s.Lang, "row.tokens", text.Number(b.Tokens))
	r.badges = []string{b.Fate}
	if in := b.Inserted; in != nil {
		switch {
		case in.Kind == "bridge":
			r.why = append(r.why, text.Get(s.Lang, "inserted.bridge"))
		case len(b.From) > 0:
			r.badges = append(r.badges, "summary")
			r.why = append(r.why, text.Get(s.Lang, "inserted.joined"))
		case in.Wanted != "":
			r.why = append(r.why, text.Get(s.Lang, "inserted.as", in.Role, in.Wanted))
		default:
			r.why = append(r.why, text.Get(s.Lang, "inserted"))
		}
	}
	for _, from := range b.From {
		r.links = append(r.links, link{"before", from, text.Get(s.Lang, "row.from", strconv.Itoa(from))})
	}
	return r
}

func newRow(s state.State, side string, index int, role string, item *core.ItemView) row {
	r := row{lang: s.Lang, key: side + "-" + strconv.Itoa(index), index: index, role: role, item: item}
	r.shown = budget(s, r.key, firstText)
	return r
}

// sentence is the reason of a fate in the page's language; the engine knows
// the sentences.
func sentence(s state.State, code string) string {
	r, ok := s.Reasons[code]
	switch {
	case !ok:
		return code
	case s.Lang == text.Japanese:
		return r.Ja
	}
	return r.En
}

// draw makes the elements of a row.
func draw(r row) elem {
	head := build("div", "rowhead", words("span", "index", strconv.Itoa(r.index)), apart("role", r.role))
	for _, fate := range r.badges {
		head.AppendChild(badge(r.lang, fate, ""))
	}
	for _, l := range r.links {
		head.AppendChild(button("link", "jump", l.side+"-"+strconv.Itoa(l.index), l.label))
	}
	for _, why := range r.why {
		head.AppendChild(words("span", "why", why))
	}
	head.AppendChild(words("span", "tokens", r.tokens))

	li := build("li", "row "+class(r.badges[0]), head)
	li.SetAttribute("data-testid", "row")
	li.SetAttribute("data-index", strconv.Itoa(r.index))
	li.SetAttribute("data-fate", r.badges[0])
	if r.item == nil {
		li.AppendChild(words("p", "why", text.Get(r.lang, "row.unread")))
		return li
	}
	r.text(li)
	return li
}

// text writes the item's parts as far as its budget goes.
func (r row) text(li elem) {
	parts := r.item.Parts
	if len(parts) == 0 {
		li.AppendChild(words("p", "why", text.Get(r.lang, "row.empty")))
	}
	left, hidden := r.shown, 0
	for _, part := range parts {
		whole := said(part)
		if left == 0 && whole != "" {
			hidden += len(whole)
			continue
		}
		head, tail := text.Cut(whole, left)
		if r.shown == firstText {
			head, tail = text.Fold(whole, left, firstLines)
		}
		hidden += len(tail)
		left -= min(left, len([]rune(head)))
		line := build("div", "part "+part.Kind)
		line.SetAttribute("dir", "auto")
		if label := r.label(part); label != nil {
			line.AppendChild(label)
		}
		if tail != "" && !strings.HasSuffix(head, "…") {
			head += "…"
		}
		said := words("span", "", head)
		said.SetAttribute("dir", "auto")
		line.AppendChild(said)
		li.AppendChild(line)
	}
	if hidden > 0 {
		more := button("link", "more", r.key, text.Get(r.lang, "row.more", text.Size(hidden)))
		more.SetAttribute("data-testid", "more")
		li.AppendChild(more)
	}
	if r.shown > firstText {
		li.AppendChild(button("link", "less", r.key, text.Get(r.lang, "row.less")))
	}
}

// said is the text of a part. The input of a call is JSON as it stands in the
// transcript, indented perhaps: one line of it says more in less room.
func said(part core.PartView) string {
	if part.Kind == "call" && strings.HasPrefix(part.Text, "{") {
		var line bytes.Buffer
		if json.Compact(&line, []byte(part.Text)) == nil {
			return line.String()
		}
	}
	return part.Text
}

// label says what a part is, where it is not simply said.
func (r row) label(part core.PartView) elem {
	if part.Kind == "text" {
		return nil
	}
	label := words("span", "label", text.Get(r.lang, "part."+part.Kind))
	if part.Name != "" {
		label.AppendChild(words("span", "", " "))
		label.AppendChild(apart("", part.Name))
	}
	if part.Failed {
		label.AppendChild(words("span", "", text.Get(r.lang, "row.failed")))
	}
	if part.Bytes > 0 {
		label.AppendChild(words("span", "", text.Get(r.lang, "row.media", text.Size(part.Bytes))))
	}
	return label
}
