package summary

import "strings"

// planItem is one line of a to-do list.
type planItem struct {
	text string
	done bool
}

// readPlan reads the list that a planning tool was given: the last list holds,
// whole lists are written each time.
func (c *callFacts) readPlan() bool {
	list := c.root.get("plan", "todos", "todoList", "todo_list", "items", "tasks", "steps")
	if list == nil || list.kind != 'a' {
		return false
	}
	for i := range list.kids {
		kid := &list.kids[i]
		text := kid.get("step", "content", "title", "text", "description", "task", "name").text()
		if kid.kind == 's' {
			text = kid.str()
		}
		text = oneLine(text, showBytes)
		if text == "" {
			continue
		}
		status := kid.get("status", "state").text()
		if v := kid.get("done", "completed", "checked"); v != nil && v.raw == "true" {
			status = "done"
		}
		switch strings.ToLower(status) {
		case "cancelled", "canceled", "deleted", "skipped":
			continue
		case "done", "completed", "complete", "finished":
			c.plan = append(c.plan, planItem{text, true})
		default:
			c.plan = append(c.plan, planItem{text, false})
		}
	}
	c.kind, c.looks = callPlan, true
	return true
}

// checklist reads the boxes of a Markdown list, nil where the text has none.
func checklist(text string) []planItem {
	if !strings.Contains(text, "- [") && !strings.Contains(text, "* [") {
		return nil
	}
	var out []planItem
	eachLine(text, func(line string) bool {
		if len(line) < 7 || line[1] != ' ' || line[2] != '[' || line[4] != ']' || line[0] != '-' && line[0] != '*' {
			return true
		}
		if item := oneLine(line[5:], showBytes); item != "" && (line[3] == ' ' || line[3]|0x20 == 'x') {
			out = append(out, planItem{item, line[3] != ' '})
		}
		return true
	})
	return out
}

// cue is what a sentence says, by its words.
type cue uint8

const (
	cueRule  cue = 1 << iota // must, never, only: a constraint
	cueLimit                 // without, unless, at least: a softer one
	cueDone                  // fixed, added, passes
	cueDoubt                 // will, should, if: not done yet
	cueNext                  // next, remaining, still
)

// readCues looks at every word of a sentence once. Case does not count.
func readCues(sentence string) cue {
	var out cue
	prev := ""
	start := -1
	for i := 0; i <= len(sentence); i++ {
		var c byte
		if i < len(sentence) {
			c = sentence[i]
		}
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c == '\'' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			w := sentence[start:i]
			// The typographic apostrophe: don’t.
			if strings.HasPrefix(sentence[i:], "’") && i+len("’") < len(sentence) && sentence[i+len("’")]|0x20 == 't' {
				w = sentence[start:i] + "'t"
				i += len("’t") - 1
			}
			if len(w) <= 12 {
				w = strings.ToLower(w)
				out |= wordCue(w, prev)
				prev = w
			} else {
				prev = ""
			}
			start = -1
		}
	}
	return out | wideCues(sentence)
}

func wordCue(w, prev string) cue {
	if (w == "need" || w == "to") && (prev == "still" || prev == "left") {
		return cueNext
	}
	switch w {
	case "don't", "dont":
		switch prev {
		case "i", "we", "they", "tests", "users":
		default:
			return cueRule
		}
	case "must", "never", "mustn't", "shouldn't", "forbidden", "prohibited":
		return cueRule
	case "not":
		switch prev {
		case "do", "must", "should", "may", "shall":
			return cueRule
		}
	case "allowed", "permitted", "acceptable":
		if prev == "not" {
			return cueRule
		}
	case "sure":
		if prev == "make" {
			return cueRule
		}
	case "only", "always", "required", "avoid", "ensure", "without", "unless", "exactly", "limit", "prefer", "instead", "keep":
		return cueLimit
	case "least", "most":
		if prev == "at" {
			return cueLimit
		}
	case "fixed", "implemented", "added", "created", "updated", "removed", "completed", "finished", "resolved", "refactored",
		"renamed", "replaced", "moved", "verified", "passed", "succeeded", "done", "committed", "deployed", "merged",
		"installed", "successfully", "booked", "cancelled", "canceled", "sent":
		return cueDone
	case "pass", "passing":
		if prev == "tests" || prev == "checks" || prev == "all" || prev == "now" {
			return cueDone
		}
	case "will", "let", "if", "need", "needs", "could", "would", "might", "maybe", "i'll", "let's", "before", "once", "want",
		"whether", "trying", "actually", "but", "wait", "seems", "think", "earlier", "so":
		return cueDoubt
	case "next", "remaining", "todo", "afterwards", "outstanding", "pending":
		return cueNext
	}
	return 0
}

// wideCues are the Japanese ones, which stand inside of longer runs.
func wideCues(s string) cue {
	wide := false
	for i := 0; i < len(s) && !wide; i++ {
		wide = s[i] >= 0xe3 && s[i] <= 0xe9 // kana and Han begin with these bytes
	}
	if !wide {
		return 0
	}
	var out cue
	for _, c := range [...]struct {
		cue   cue
		words string
	}{
		{cueRule, "必ず 絶対 しないで ないでください 禁止 だけ のみ てはいけ てはなら しないこと べき 常に 厳守"},
		{cueLimit, "以内 以下 以上 避け すること"},
		{cueDone, "しました 完了 できました 直しました 通りました 成功"},
		{cueDoubt, "します ましょう 場合 でしょうか"},
		{cueNext, "次に 次は これから 残り 残って 未対応"},
	} {
		for w := range strings.SplitSeq(c.words, " ") {
			if strings.Contains(s, w) {
				out |= c.cue
			}
		}
	}
	return out
}
