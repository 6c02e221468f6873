//go:build js && wasm

package view

import "github.com/tamp-dev/tamp/web/internal/browser"

// refocus gives the focus to what took the place of the element that had it:
// a key pressed on the way from a button that is gone would begin at the top of
// the page again.
func (p *Page) refocus(had elem) {
	if had == nil || !browser.Gone(had) {
		return
	}
	for _, selector := range p.successors(had) {
		for _, e := range browser.Find(selector) {
			if !browser.Gone(e) {
				browser.Focus(e)
				return
			}
		}
	}
}

// successors are the selectors of what may stand for an element that is gone,
// the best first.
func (p *Page) successors(had elem) []string {
	act, arg := had.GetAttribute("data-act"), had.GetAttribute("data-arg")
	same := `[data-arg="` + arg + `"]`
	switch act {
	case "more", "less":
		return []string{"[data-act=" + act + "]" + same, "[data-act=more]" + same, "[data-act=less]" + same, "#" + arg + "-body"}
	case "jump":
		return []string{"[data-act=jump]" + same}
	case "reset":
		return []string{"#summary"}
	case "close-hand":
		return []string{`[data-act=copy][data-arg="` + p.copied + `"]`, "#source"}
	case "pick", "undo", "show", "clear":
		return []string{"#source"}
	}
	return nil
}
