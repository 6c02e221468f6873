package transcript

import "strings"

// What a message must hold, and how reasoning stands in it.

func (v *validator) notEmpty() {
	for i := range v.t.Items {
		it := &v.t.Items[i]
		last := v.r.LastEmpty && it.Role == Assistant && i == len(v.t.Items)-1
		if it.Empty && v.r.Side(it) != "" && v.r.Knows(it.Role) && !last {
			v.item(i, "not_empty", "message without content")
		}
	}
}

func (v *validator) notNull() {
	for i := range v.t.Items {
		if v.t.Items[i].Null {
			v.item(i, "not_null", "content is null, an empty list or not there")
		}
	}
}

// textNotBlank leaves the text of a summary block alone: it is empty where the
// provider had nothing to say.
func (v *validator) textNotBlank() {
	for i := range v.t.Items {
		for j := range v.t.Items[i].Parts {
			if p := &v.t.Items[i].Parts[j]; p.Kind == Text && !p.Summary && strings.TrimSpace(p.Text) == "" {
				v.item(i, "text_not_blank", "text of nothing but white space")
			}
		}
	}
}

func (v *validator) reasoning() {
	for i := range v.t.Items {
		if LeadsNowhere(v.t.Items, i) {
			v.item(i, "reasoning_with_item", "reasoning without the item that followed it")
		}
	}
}

// LeadsNowhere reports whether an item is reasoning without the item that it led
// to, which stands directly behind it. It is by its id that the provider knows
// what that was, and of reasoning without one it takes any.
func LeadsNowhere(items []Item, i int) bool {
	if items[i].Type != "reasoning" || items[i].ID == "" {
		return false
	}
	return i+1 == len(items) || !items[i+1].Generated() || items[i+1].Summary
}

// thought reports whether a part is thinking, readable or redacted.
func thought(p *Part) bool { return p.Kind == Thinking || p.Kind == Opaque && p.Signed }

// Thinks reports whether the model's thinking stands in the item, and whether
// the item begins with it. A summary block may stand before it.
func (it *Item) Thinks() (holds, first bool) {
	begun := false
	for j := range it.Parts {
		p := &it.Parts[j]
		switch {
		case thought(p):
			return true, !begun
		case !p.Summary:
			begun = true
		}
	}
	return false, false
}

func (v *validator) thinkingFirst() {
	for i := range v.t.Items {
		it := &v.t.Items[i]
		if holds, first := it.Thinks(); holds && !first && it.Role == Assistant {
			v.item(i, "thinking_first", "thinking that the message does not begin with")
		}
	}
	if !v.t.Thinks {
		return
	}
	// In the middle of a tool loop the answer that the last results are for must
	// begin with thinking; a turn of several messages is joined to one.
	last := len(v.t.Items) - 1
	for last >= 0 && v.t.Items[last].Role == User && !v.t.Items[last].Has(Result) {
		last--
	}
	if last < 0 || v.t.Items[last].Role != User {
		return
	}
	for last >= 0 && v.t.Items[last].Role == User {
		last--
	}
	if last < 0 {
		return
	}
	start := last
	for start > 0 && v.t.Items[start-1].Role == v.t.Items[last].Role {
		start--
	}
	if holds, _ := v.t.Items[start].Thinks(); !holds {
		v.item(start, "thinking_first", "the request asks for thinking, and the answer to the last results begins without it")
	}
}

func (v *validator) thinkingSigned() {
	for i := range v.t.Items {
		for j := range v.t.Items[i].Parts {
			if p := &v.t.Items[i].Parts[j]; p.Kind == Thinking && !p.Signed {
				v.item(i, "thinking_signed", "thinking without its signature")
			}
		}
	}
}

func (v *validator) thinkingNotLast() {
	i := len(v.t.Items) - 1
	if i < 0 {
		return
	}
	if it := &v.t.Items[i]; len(it.Parts) > 0 && it.Role == Assistant && thought(&it.Parts[len(it.Parts)-1]) {
		v.item(i, "thinking_not_last", "nothing stands behind the thinking")
	}
}

// signatures: the current turn begins behind the last message that is no result.
// Within it each answer with calls is a step, signed at its first call or at a
// thought before that. A model that signs one step signs all of them.
func (v *validator) signatures() {
	var unsigned []int
	signs := false
	for i := len(v.t.Items) - 1; i >= 0; i-- {
		it := &v.t.Items[i]
		if it.Role == User && !it.Has(Result) {
			break
		}
		switch signed, calls := it.SignedStep(); {
		case signed:
			signs = true
		case calls:
			unsigned = append(unsigned, i)
		}
	}
	if !signs {
		return
	}
	for n := len(unsigned) - 1; n >= 0; n-- {
		v.item(unsigned[n], "signatures", "function call without its signature in the current turn")
	}
}

// SignedStep reports whether an item is a step of a tool loop, which holds calls
// of the model, and whether the first of them or a part before it is signed.
func (it *Item) SignedStep() (signed, calls bool) {
	if !it.Generated() {
		return false, false
	}
	for j := range it.Parts {
		p := &it.Parts[j]
		if p.Server {
			continue
		}
		signed = signed || p.Signed
		if p.Kind == Call {
			return signed, true
		}
	}
	return false, false
}
