package summary

import (
	"slices"
	"strings"
)

// rule is a sentence of a user that sets a constraint, and the line that it
// stands in: where that is quoted whole, the rule is told.
type rule struct {
	text   string
	line   string
	strong bool
}

// rule takes the sentences of a line that state a rule. torn: the line may be
// the beginning of one only, and half a sentence may say the opposite.
func (r *record) rule(line string, torn bool) {
	eachSentence(line, func(s string) bool {
		c := readCues(s)
		switch {
		case c&(cueRule|cueLimit) == 0, len(s) > quoteBytes, asks(s), torn && !ends(s):
			return true
		}
		whole := line
		if len(line) > quoteBytes {
			whole = s // longer lines are quoted by the sentence
		}
		r.rules = append(r.rules, rule{s, whole, c&cueRule != 0})
		return true
	})
}

// ends reports whether a sentence has its end.
func ends(s string) bool {
	s = strings.TrimRight(s, "\"')]」』）")
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") ||
		strings.HasSuffix(s, "。") || strings.HasSuffix(s, "！") || strings.HasSuffix(s, "？")
}

// asks reports whether a sentence is a question and no request in the form of
// one.
func asks(s string) bool {
	if !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "？") {
		return false
	}
	lower := strings.ToLower(s)
	for _, w := range [...]string{"can you", "could you", "would you", "will you", "please", "ください", "くれ", "もらえ"} {
		if strings.Contains(lower, w) {
			return false
		}
	}
	return true
}

// constraints: the strict ones first, the newest and the oldest by turns, so
// that what an earlier digest carries ranks with what was said since.
func (r *record) constraints(goal []*entry) []*entry {
	host := map[string]*entry{}
	for _, e := range goal {
		if line := e.body[0][len(quoteIndent):]; host[line] == nil {
			host[line] = e
		}
	}
	var kinds [2][]*entry // strict, soft
	seen := map[string]bool{}
	for i, rule := range r.rules {
		if seen[rule.text] {
			continue
		}
		seen[rule.text] = true
		e := quote(secRules, "", 0, i, rule.text)
		e.whole, e.equal, e.host = true, rule.text == rule.line, host[rule.line]
		kind := 1
		if rule.strong {
			kind = 0
		}
		kinds[kind] = append(kinds[kind], e)
	}
	var out []*entry
	for _, list := range kinds {
		for i, j := 0, len(list)-1; i <= j; i, j = i+1, j-1 {
			if out = append(out, list[j]); i < j {
				out = append(out, list[i])
			}
		}
	}
	return out
}

// told reports whether a constraint stands whole among the goal's lines: not as
// the beginning of something that is left out.
func (p *page) told(e *entry) bool {
	h := e.host
	if h == nil || !h.on || h.short {
		return false
	}
	switch {
	case ends(e.body[0]):
		return true
	case h.seq+1 == h.of:
		return !h.torn
	}
	return h.after != nil && h.after.on && h.after.seq == h.seq+1
}

// held reports whether an entry is a constraint that need not be listed now.
func (p *page) held(e *entry) bool {
	return e.sec == secRules && !e.frame && (e.equal || !p.spread) && p.told(e)
}

// unrepeat takes off the constraints that a line of the goal says word for word.
func (p *page) unrepeat() {
	p.added = slices.DeleteFunc(p.added, func(e *entry) bool {
		if e.sec != secRules || e.frame || !e.equal || !p.told(e) {
			return false
		}
		p.takeOff(e)
		p.left += e.cost
		return true
	})
}
